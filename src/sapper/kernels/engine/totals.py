"""The total ties the components together: the weight of everything outside each of them, by its mines.

Every component comes as a polynomial in its number of mines, and the cells that no clue touches take what is left,
in C(cells, mines left) ways. Suffix products are stored and prefix products run along, so that each component's
surroundings are one dot product per number of mines.

Where the weights might span more than a float can, they are tilted: each mine counts t times, with t such that the
expected number of mines is the total. What has any weight lies within a few standard deviations of its mean, and only
that window is kept, which also keeps boards of thousands of components from taking quadratic time. What is left out
weighs less than 1e-17 of the whole, below the rounding of the rest; what is possible at all is never decided by it.

Closing the components with the total: what surrounds each of them, and the cells that no clue touches.
"""

from __future__ import annotations

from math import exp, log, sqrt

from sapper.kernels.codes import CONTRADICTION, MINE, OK, OUT_OF_RANGE, PRODUCTS, SAFE, UNKNOWN
from sapper.kernels.engine.extended import LOG_RADIX, normalise
from sapper.kernels.engine.workspace import Workspace, lack
from sapper.kernels.language import Double, Flag, Int, inner, truncate

LOG_ROOT_TWO_PI = 0.9189385332046728
NO_WEIGHT = -1e300  # instead of the logarithm of zero

STEEPEST = 600.0  # the tilt and its reciprocal stay floats, times any number of cells
CLOSE_ENOUGH = 0.05  # mines
TINIEST_VARIANCE = 1e-12
MAX_NEWTON_STEPS = 100


@inner
def log_factorial(ws: Workspace, n: Int) -> Double:
    """Natural logarithm of n!, by Stirling's series where the table ends: there its fourth term is below rounding.

    Not by a library's lgamma, which is another one without the compiler.
    """
    if n < ws.totals.log_factorials.shape[0]:
        return ws.totals.log_factorials[n]
    x: Double = float(n)
    return (x + 0.5) * log(x) - x + LOG_ROOT_TWO_PI + (1.0 - 1.0 / (30.0 * x * x)) / (12.0 * x)


@inner
def log_binomial(ws: Workspace, n: Int, k: Int) -> Double:
    """Natural logarithm of C(n, k)."""
    return log_factorial(ws, n) - log_factorial(ws, k) - log_factorial(ws, n - k)


@inner
def expect_mines(ws: Workspace, log_tilt: Double) -> tuple[Double, Double]:
    """Return the mean and the variance of all mines, each of which counts as much as a tilt says."""
    step = exp(-abs(log_tilt))
    share = 1.0 / (1.0 + step) if log_tilt > 0.0 else step / (1.0 + step)
    mean, variance = ws.n_free * share, ws.n_free * step / ((1.0 + step) * (1.0 + step))
    for c in range(ws.frontier.component_count):
        largest = NO_WEIGHT
        first, length = ws.totals.begin[c], ws.totals.begin[c + 1] - ws.totals.begin[c]
        for i in range(length):
            largest = max(largest, ws.totals.log_poly[first + i] + i * log_tilt)
        total, weighted, squared = 0.0, 0.0, 0.0
        for i in range(length):
            weight = exp(ws.totals.log_poly[first + i] + i * log_tilt - largest)
            total += weight
            weighted += i * weight
            squared += float(i) * i * weight
        mean += weighted / total
        variance += squared / total - (weighted / total) * (weighted / total)
    return mean, variance


@inner
def solve_saddlepoint(ws: Workspace, n_left: Int) -> Double:
    """Return the logarithm of the factor for each mine at which as many mines as are left are expected, about.

    By Newton's method, and by bisection where that leads astray.
    """
    low, high = -STEEPEST, STEEPEST
    log_tilt = 0.0
    for _ in range(MAX_NEWTON_STEPS):
        mean, variance = expect_mines(ws, log_tilt)
        if abs(mean - n_left) <= CLOSE_ENOUGH:
            break
        if mean < n_left:
            low = log_tilt
        else:
            high = log_tilt
        log_tilt += (n_left - mean) / max(variance, TINIEST_VARIANCE)
        if not low < log_tilt < high:
            log_tilt = (low + high) / 2
    return log_tilt


@inner
def tilt_polynomials(ws: Workspace) -> Double:
    """Fill every polynomial from its logarithms, tilted and with a largest entry of 1; return the logarithm of that."""
    log_scale: Double = 0.0
    largest: Double
    for c in range(ws.frontier.component_count):
        largest = NO_WEIGHT
        first, length = ws.totals.begin[c], ws.totals.begin[c + 1] - ws.totals.begin[c]
        for i in range(length):
            largest = max(largest, ws.totals.log_poly[first + i] + i * ws.totals.log_tilt)
        for i in range(length):
            ws.totals.poly[first + i] = exp(ws.totals.log_poly[first + i] + i * ws.totals.log_tilt - largest)
        log_scale += largest
    return log_scale


@inner
def open_windows(ws: Workspace) -> Double:
    """Set the windows of the suffix products; return the mines, more than least, that the components expect.

    Only tilted weights have windows; others the full range.
    """
    tilted: Flag = ws.component.extended and not ws.component.boolean
    longest: Int = 0
    ws.totals.suffix_at[0], ws.totals.window_low[0] = 0, 0
    mean, variance = 0.0, 0.0
    n_before: Int = 1  # entries of the full product so far
    width: Int = 1
    for c in range(ws.frontier.component_count):
        ws.totals.suffix_at[c + 1] = ws.totals.suffix_at[c] + width
        length = ws.totals.begin[c + 1] - ws.totals.begin[c]
        total, first, second = 0.0, 0.0, 0.0
        for i in range(length):
            weight = ws.totals.poly[ws.totals.begin[c] + i]
            total += weight
            first += i * weight
            second += float(i) * i * weight
        share = first / total
        mean += share
        variance += second / total - share * share
        n_before += length - 1
        longest = max(longest, length)
        ws.totals.window_low[c + 1], width = 0, n_before
        if tilted:
            # No component alone leads out of the window, however unlikely what it does there.
            reach = 9.0 * sqrt(max(variance, 0.0)) + 16.0 + longest
            ws.totals.window_low[c + 1] = max(0, truncate(mean - reach))
            width = min(n_before, truncate(mean + reach) + 2) - ws.totals.window_low[c + 1]
    ws.totals.suffix_at[ws.frontier.component_count + 1] = ws.totals.suffix_at[ws.frontier.component_count] + width
    return mean


@inner
def weigh_rest(ws: Workspace, n_range: Int, low: Int, high: Int, n_left: Int, expected: Double) -> Double:
    """Fill ``rest[j]`` with C(n_free, n_left - j) / tilt^j, about 1 at its largest; return the logarithm of the scale.

    ``low`` to ``high`` are the j that are possible at all; the others are 0. Starting from the largest, nothing
    overflows, however large the board.
    """
    for j in range(n_range):
        ws.totals.rest[j] = 0.0
    if ws.component.boolean:
        for j in range(low, high + 1):
            ws.totals.rest[j] = 1.0
        return 0.0
    # C(n, k) is largest at k = n / 2; tilted, it is where the mines are expected.
    middle = truncate(expected) if ws.component.extended else n_left - ws.n_free // 2
    peak = min(max(middle, low), high)
    tilt = exp(ws.totals.log_tilt)
    ws.totals.rest[peak] = 1.0
    for j in range(peak, high):
        k = n_left - j
        ws.totals.rest[j + 1] = ws.totals.rest[j] * k / ((ws.n_free - k + 1) * tilt)
    for j in range(peak, low, -1):
        k = n_left - j
        ws.totals.rest[j - 1] = ws.totals.rest[j] * (ws.n_free - k) * tilt / (k + 1)
    return log_binomial(ws, ws.n_free, n_left - peak) - peak * ws.totals.log_tilt


@inner
def multiply_suffixes(ws: Workspace) -> Double:
    """Fill the suffix products; return the natural logarithm by which they were scaled down in all.

    Entry j of the suffix from component c on is the weight of all from there on when those before hold
    ``window_low[c]`` + j mines more than their least.
    """
    scaled = 0.0
    for j in range(
        ws.totals.suffix_at[ws.frontier.component_count + 1] - ws.totals.suffix_at[ws.frontier.component_count]
    ):
        ws.totals.suffix[ws.totals.suffix_at[ws.frontier.component_count] + j] = ws.totals.rest[
            ws.totals.window_low[ws.frontier.component_count] + j
        ]
    for c in range(ws.frontier.component_count - 1, -1, -1):
        first, length = ws.totals.begin[c], ws.totals.begin[c + 1] - ws.totals.begin[c]
        here, behind = ws.totals.suffix_at[c], ws.totals.suffix_at[c + 1]
        n_behind = ws.totals.suffix_at[c + 2] - ws.totals.suffix_at[c + 1]
        n_here = ws.totals.suffix_at[c + 1] - ws.totals.suffix_at[c]
        for j in range(n_here):
            ws.totals.suffix[here + j] = 0.0
        for i in range(length):
            # The long loop innermost: it runs several entries at a time.
            shift = ws.totals.window_low[c] - ws.totals.window_low[c + 1] + i
            factor = ws.totals.poly[first + i]
            for j in range(max(0, -shift), min(n_here, n_behind - shift)):
                ws.totals.suffix[here + j] += factor * ws.totals.suffix[behind + shift + j]
        largest = 0.0
        for j in range(n_here):
            if ws.component.boolean and ws.totals.suffix[here + j] > 0.0:
                ws.totals.suffix[here + j] = 1.0
            largest = max(largest, ws.totals.suffix[here + j])
        if largest > 0.0 and (largest > 1e100 or largest < 1e-100):
            for j in range(ws.totals.suffix_at[c + 1] - ws.totals.suffix_at[c]):
                ws.totals.suffix[here + j] /= largest
            scaled += log(largest)
    return scaled


@inner
def weigh_surroundings(ws: Workspace) -> Flag:
    """Fill ``closing`` for every component; return False if all of one was too small for a float.

    ``prefix`` ends up as the product of them all, from its window's low on.
    """
    ws.totals.prefix[0] = 1.0
    n_prefix: Int = 1
    for c in range(ws.frontier.component_count):
        first, length = ws.totals.begin[c], ws.totals.begin[c + 1] - ws.totals.begin[c]
        behind, n_behind = ws.totals.suffix_at[c + 1], ws.totals.suffix_at[c + 2] - ws.totals.suffix_at[c + 1]
        shift = ws.totals.window_low[c] - ws.totals.window_low[c + 1]
        top = 0.0
        for i in range(length):
            low, high = max(0, -shift - i), min(n_prefix, n_behind - shift - i)
            there = behind + shift + i
            # Four sums side by side: one alone would wait for each addition to end.
            one, two, three, four = 0.0, 0.0, 0.0, 0.0
            for j in range(low, high - 3, 4):
                one += ws.totals.prefix[j] * ws.totals.suffix[there + j]
                two += ws.totals.prefix[j + 1] * ws.totals.suffix[there + j + 1]
                three += ws.totals.prefix[j + 2] * ws.totals.suffix[there + j + 2]
                four += ws.totals.prefix[j + 3] * ws.totals.suffix[there + j + 3]
            for j in range(low + max(high - low, 0) // 4 * 4, high):
                one += ws.totals.prefix[j] * ws.totals.suffix[there + j]
            total = one + two + three + four
            ws.totals.outside[first + i] = (1.0 if total > 0.0 else 0.0) if ws.component.boolean else total
            top = max(top, ws.totals.outside[first + i])
        if top <= 0.0:
            return False
        for i in range(first, first + length):
            ws.totals.outside[i] /= top
        # Multiply into the next window, behind this one first: entry j there is entry j - shift of this one's range.
        for j in range(n_behind):
            ws.totals.prefix[n_prefix + j] = 0.0
        for i in range(length):
            factor = ws.totals.poly[first + i]
            for j in range(max(0, shift + i), min(n_behind, shift + i + n_prefix)):
                ws.totals.prefix[n_prefix + j] += factor * ws.totals.prefix[j - shift - i]
        largest = 0.0
        for j in range(n_behind):
            if ws.component.boolean and ws.totals.prefix[n_prefix + j] > 0.0:
                ws.totals.prefix[n_prefix + j] = 1.0
            largest = max(largest, ws.totals.prefix[n_prefix + j])
        if largest <= 0.0:
            return False
        for j in range(n_behind):
            ws.totals.prefix[j] = ws.totals.prefix[n_prefix + j] / largest
        n_prefix = n_behind
    return True


@inner
def widest_gap(ws: Workspace, first: Int, last: Int) -> Int:
    """Return how far apart two numbers of mines are, at most, that a component may hold and none between them."""
    latest: Int = first
    gap: Int = 1
    for i in range(first, last):
        if ws.totals.poly[i] > 0.0:
            gap = max(gap, i - latest)
            latest = i
    return gap


@inner
def find_possible(ws: Workspace, least: Int, most: Int) -> Flag:
    """Like `weigh_surroundings`, but only what is possible, if that can be told from ranges alone; return whether.

    It can if those components whose numbers of mines have no gaps bridge the gaps of the others, whichever component is
    left out: then any number of mines between the least and the most of the others is possible, and all that counts is
    whether some number among them closes with the total.
    """
    n_range = 1 + ws.totals.begin[ws.frontier.component_count] - ws.frontier.component_count
    bridge: Int = 0
    longest: Int = 0
    gap: Int = 1
    for c in range(ws.frontier.component_count):
        here = widest_gap(ws, ws.totals.begin[c], ws.totals.begin[c + 1])
        gap = max(gap, here)
        if here == 1:
            bridge += ws.totals.begin[c + 1] - ws.totals.begin[c] - 1
            longest = max(longest, ws.totals.begin[c + 1] - ws.totals.begin[c] - 1)
    if gap > bridge - longest + 1:
        return False
    for c in range(ws.frontier.component_count):
        length = ws.totals.begin[c + 1] - ws.totals.begin[c]
        for i in range(length):
            ws.totals.outside[ws.totals.begin[c] + i] = 1.0 if i <= most and i + n_range - length >= least else 0.0
    for j in range(n_range):
        ws.totals.prefix[j] = 1.0
    return True


TINY = 1e-300

# Exponents of what surrounds a component: no layout has it, or one has but it weighs too little for a float.
NEVER = -2_000_000_000
VANISHING = -100_000_000


@inner
def weigh_free_cells(ws: Workspace, n_left: Int, least: Int, most: Int) -> None:
    """Find the chance of a mine, and the verdict, where no clue touches."""
    mined: Double = 0.0
    clear: Double = 0.0
    low = ws.totals.window_low[ws.frontier.component_count]
    end = low + ws.totals.suffix_at[ws.frontier.component_count + 1] - ws.totals.suffix_at[ws.frontier.component_count]
    for j in range(max(least, low), min(most + 1, end)):
        weight = ws.totals.prefix[j - low] * ws.totals.rest[j]
        mined += weight * (n_left - j)
        clear += weight * (ws.n_free - n_left + j)
    ws.free_verdict = SAFE if mined == 0.0 else MINE if clear == 0.0 else UNKNOWN
    ws.p_free = mined / max(mined + clear, TINY)


@inner
def join_components(ws: Workspace, n_range: Int, n_left: Int) -> Int:
    """Weigh the surroundings of every component, and the cells that no clue touches; return a status."""
    log_weight: Double
    least, most = max(0, n_left - ws.n_free), min(n_range - 1, n_left)
    expected = open_windows(ws)
    log_weight = weigh_rest(ws, n_range, least, most, n_left, expected)
    if not (ws.component.boolean and find_possible(ws, least, most)):
        ws.wanted = ws.totals.suffix_at[ws.frontier.component_count + 1]
        if ws.wanted > ws.totals.suffix.shape[0]:
            return lack(ws, PRODUCTS)
        log_weight += multiply_suffixes(ws)
        if ws.totals.suffix[0] <= 0.0:
            return CONTRADICTION
        log_weight += log(ws.totals.suffix[0])
        if not weigh_surroundings(ws):
            return CONTRADICTION
    weigh_free_cells(ws, n_left, least, most)
    ws.totals.log_sum += 0.0 if ws.component.boolean else log_weight
    return OK


@inner
def join_extended(ws: Workspace, n_range: Int, n_left: Int) -> Int:
    """Do what `join_components` does with weights that have exponents; return a status.

    What is possible comes first, in a turn that knows only zero and one. The weights themselves are tilted, so that
    what counts is near 1, and tilted back.
    """
    exponent: Int
    ws.totals.log_tilt, ws.component.boolean = 0.0, True
    status = join_components(ws, n_range, n_left)
    ws.component.boolean = False
    if status != OK:
        return status
    possible_verdict = ws.free_verdict
    for i in range(ws.totals.begin[ws.frontier.component_count]):
        ws.totals.outside_exponent[i] = VANISHING if ws.totals.outside[i] > 0.0 else NEVER
    ws.totals.log_tilt = solve_saddlepoint(ws, n_left)
    ws.totals.log_sum += tilt_polynomials(ws)
    status = join_components(ws, n_range, n_left)
    if status != OK:
        # It is possible, but what it weighs is too small for a float, tilted or not.
        return OUT_OF_RANGE if status == CONTRADICTION else status
    ws.free_verdict = possible_verdict
    for c in range(ws.frontier.component_count):
        for i in range(ws.totals.begin[c], ws.totals.begin[c + 1]):
            if ws.totals.outside_exponent[i] == NEVER:
                ws.totals.outside[i], ws.totals.outside_exponent[i] = 0.0, 0
            elif ws.totals.outside[i] <= 0.0:
                ws.totals.outside[i] = 1.0
            else:
                log_power = (i - ws.totals.begin[c]) * ws.totals.log_tilt
                exponent = truncate(log_power / LOG_RADIX)
                ws.totals.outside[i], ws.totals.outside_exponent[i] = normalise(
                    ws.totals.outside[i] * exp(log_power - exponent * LOG_RADIX), exponent
                )
    return OK


@inner
def close_with_total(ws: Workspace, n_left: Int) -> Int:
    """Weigh the surroundings of every component when ``n_left`` mines more than their least are left for all.

    Returns a status; finds the free cells' chance too, and adds the logarithm of the weight to ``log_sum``.
    """
    n_range = 1 + ws.totals.begin[ws.frontier.component_count] - ws.frontier.component_count
    if max(0, n_left - ws.n_free) > min(n_range - 1, n_left):
        return CONTRADICTION
    ws.totals.log_tilt = 0.0
    return join_extended(ws, n_range, n_left) if ws.component.extended else join_components(ws, n_range, n_left)
