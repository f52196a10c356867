"""The total ties the components together: the weight of everything outside each of them, by its mines.

Every component comes as a polynomial in its number of mines, and the cells that no clue touches take what is left,
in C(cells, mines left) ways. Suffix products are stored and prefix products run along, so that each component's
surroundings are one dot product per number of mines.

With thousands of components the full products would be quadratic in the board. Then the weights are tilted: each mine
counts t times, with t such that the expected number of mines is the total; what has any weight lies within a few
standard deviations of its mean, and only that window is kept. What is left out weighs less than 1e-17 of the whole,
below the rounding of the rest; what is possible at all is never decided by it.
"""

from __future__ import annotations

from math import exp, log, sqrt

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Flag, Int, inner, truncate

LOG_ROOT_TWO_PI = 0.9189385332046728


@inner
def log_factorial(ws: Workspace, n: Int) -> Double:
    """Natural logarithm of n!, by Stirling's series where the table ends: there its fourth term is below rounding.

    Not by a library's lgamma, which is another one without the compiler.
    """
    if n < ws.log_factorials.shape[0]:
        return ws.log_factorials[n]
    x: Double = float(n)
    return (x + 0.5) * log(x) - x + LOG_ROOT_TWO_PI + (1.0 - 1.0 / (30.0 * x * x)) / (12.0 * x)


@inner
def log_binomial(ws: Workspace, n: Int, k: Int) -> Double:
    """Natural logarithm of C(n, k)."""
    return log_factorial(ws, n) - log_factorial(ws, k) - log_factorial(ws, n - k)


@inner
def find_tilt(ws: Workspace, n_left: Int) -> Double:
    """Return the factor per mine at which as many mines as are left are expected, by bisection of its logarithm."""
    low, high = -40.0, 40.0
    for _ in range(40):
        middle = (low + high) / 2
        factor = exp(middle)
        step = exp(-abs(middle))
        expected = ws.n_free * factor / (1.0 + factor)
        for c in range(ws.component_count):
            total, weighted, power = 0.0, 0.0, 1.0
            # Down from the top or up from the bottom, so that powers never overflow.
            length = ws.begin[c + 1] - ws.begin[c]
            for i in range(length):
                k = i if factor <= 1.0 else length - 1 - i
                weight = ws.poly[ws.begin[c] + k] * power
                total += weight
                weighted += k * weight
                power *= step
            expected += weighted / total
        if expected < n_left:
            low = middle
        else:
            high = middle
    return exp((low + high) / 2)


@inner
def open_windows(ws: Workspace, tilted: Flag) -> Double:
    """Set the windows of the suffix products; return the mines, more than least, that the components expect.

    Without tilt every window is the full range.
    """
    ws.suffix_at[0], ws.window_low[0] = 0, 0
    mean, variance = 0.0, 0.0
    n_before: Int = 1  # entries of the full product so far
    width: Int = 1
    for c in range(ws.component_count):
        ws.suffix_at[c + 1] = ws.suffix_at[c] + width
        length = ws.begin[c + 1] - ws.begin[c]
        total, first, second = 0.0, 0.0, 0.0
        for i in range(length):
            weight = ws.poly[ws.begin[c] + i]
            total += weight
            first += i * weight
            second += float(i) * i * weight
        share = first / total
        mean += share
        variance += second / total - share * share
        n_before += length - 1
        ws.window_low[c + 1], width = 0, n_before
        if tilted:
            reach = 9.0 * sqrt(variance) + 16.0
            ws.window_low[c + 1] = max(0, truncate(mean - reach))
            width = min(n_before, truncate(mean + reach) + 2) - ws.window_low[c + 1]
    ws.suffix_at[ws.component_count + 1] = ws.suffix_at[ws.component_count] + width
    return mean


@inner
def weigh_rest(ws: Workspace, n_range: Int, low: Int, high: Int, n_left: Int, expected: Double) -> Double:
    """Fill ``rest[j]`` with C(n_free, n_left - j) / tilt^j, about 1 at its largest; return the logarithm of the scale.

    ``low`` to ``high`` are the j that are possible at all; the others are 0. Starting from the largest, nothing
    overflows, however large the board.
    """
    for j in range(n_range):
        ws.rest[j] = 0.0
    if ws.boolean:
        for j in range(low, high + 1):
            ws.rest[j] = 1.0
        return 0.0
    # C(n, k) is largest at k = n / 2; tilted, it is where the mines are expected.
    middle = n_left - ws.n_free // 2 if ws.tilt == 1.0 else truncate(expected)
    peak = min(max(middle, low), high)
    ws.rest[peak] = 1.0
    for j in range(peak, high):
        k = n_left - j
        ws.rest[j + 1] = ws.rest[j] * k / ((ws.n_free - k + 1) * ws.tilt)
    for j in range(peak, low, -1):
        k = n_left - j
        ws.rest[j - 1] = ws.rest[j] * (ws.n_free - k) * ws.tilt / (k + 1)
    return log_binomial(ws, ws.n_free, n_left - peak) - peak * log(ws.tilt)


@inner
def fold_suffixes(ws: Workspace) -> Double:
    """Fill the suffix products; return the natural logarithm by which they were scaled down in all.

    Entry j of the suffix from component c on is the weight of all from there on when those before hold
    ``window_low[c]`` + j mines more than their least.
    """
    scaled = 0.0
    for j in range(ws.suffix_at[ws.component_count + 1] - ws.suffix_at[ws.component_count]):
        ws.suffix[ws.suffix_at[ws.component_count] + j] = ws.rest[ws.window_low[ws.component_count] + j]
    for c in range(ws.component_count - 1, -1, -1):
        first, length = ws.begin[c], ws.begin[c + 1] - ws.begin[c]
        here, behind = ws.suffix_at[c], ws.suffix_at[c + 1]
        n_behind = ws.suffix_at[c + 2] - ws.suffix_at[c + 1]
        n_here = ws.suffix_at[c + 1] - ws.suffix_at[c]
        for j in range(n_here):
            ws.suffix[here + j] = 0.0
        for i in range(length):
            # The long loop innermost: it runs several entries at a time.
            shift = ws.window_low[c] - ws.window_low[c + 1] + i
            factor = ws.poly[first + i]
            for j in range(max(0, -shift), min(n_here, n_behind - shift)):
                ws.suffix[here + j] += factor * ws.suffix[behind + shift + j]
        largest = 0.0
        for j in range(n_here):
            if ws.boolean and ws.suffix[here + j] > 0.0:
                ws.suffix[here + j] = 1.0
            largest = max(largest, ws.suffix[here + j])
        if largest > 0.0 and (largest > 1e100 or largest < 1e-100):
            for j in range(ws.suffix_at[c + 1] - ws.suffix_at[c]):
                ws.suffix[here + j] /= largest
            scaled += log(largest)
    return scaled


@inner
def weigh_surroundings(ws: Workspace) -> None:
    """Fill ``closing`` for every component. ``prefix`` ends up as the product of them all, from its window's low on."""
    ws.prefix[0] = 1.0
    n_prefix: Int = 1
    for c in range(ws.component_count):
        first, length = ws.begin[c], ws.begin[c + 1] - ws.begin[c]
        behind, n_behind = ws.suffix_at[c + 1], ws.suffix_at[c + 2] - ws.suffix_at[c + 1]
        shift = ws.window_low[c] - ws.window_low[c + 1]
        top = 0.0
        power = 1.0
        for i in range(length):
            low, high = max(0, -shift - i), min(n_prefix, n_behind - shift - i)
            there = behind + shift + i
            # Four sums side by side: one alone would wait for each addition to end.
            one, two, three, four = 0.0, 0.0, 0.0, 0.0
            for j in range(low, high - 3, 4):
                one += ws.prefix[j] * ws.suffix[there + j]
                two += ws.prefix[j + 1] * ws.suffix[there + j + 1]
                three += ws.prefix[j + 2] * ws.suffix[there + j + 2]
                four += ws.prefix[j + 3] * ws.suffix[there + j + 3]
            for j in range(low + max(high - low, 0) // 4 * 4, high):
                one += ws.prefix[j] * ws.suffix[there + j]
            total = one + two + three + four
            ws.closing[first + i] = (1.0 if total > 0.0 else 0.0) if ws.boolean else total * power
            top = max(top, ws.closing[first + i])
            power *= ws.tilt
        for i in range(first, first + length):
            ws.closing[i] /= top
        # Multiply into the next window, behind this one first: entry j there is entry j - shift of this one's range.
        for j in range(n_behind):
            ws.prefix[n_prefix + j] = 0.0
        for i in range(length):
            factor = ws.poly[first + i]
            for j in range(max(0, shift + i), min(n_behind, shift + i + n_prefix)):
                ws.prefix[n_prefix + j] += factor * ws.prefix[j - shift - i]
        largest = 0.0
        for j in range(n_behind):
            if ws.boolean and ws.prefix[n_prefix + j] > 0.0:
                ws.prefix[n_prefix + j] = 1.0
            largest = max(largest, ws.prefix[n_prefix + j])
        for j in range(n_behind):
            ws.prefix[j] = ws.prefix[n_prefix + j] / largest
        n_prefix = n_behind


@inner
def find_possible(ws: Workspace, least: Int, most: Int) -> Flag:
    """Like `weigh_surroundings`, but only what is possible, if that can be told from ranges alone; return whether.

    It can if no polynomial has a gap: then any number of mines between the least and the most of the others is
    possible, and all that counts is whether some number among them closes with the total.
    """
    n_range = 1 + ws.begin[ws.component_count] - ws.component_count
    for i in range(ws.begin[ws.component_count]):
        if ws.poly[i] <= 0.0:
            return False
    for c in range(ws.component_count):
        length = ws.begin[c + 1] - ws.begin[c]
        for i in range(length):
            ws.closing[ws.begin[c] + i] = 1.0 if i <= most and i + n_range - length >= least else 0.0
    for j in range(n_range):
        ws.prefix[j] = 1.0
    return True
