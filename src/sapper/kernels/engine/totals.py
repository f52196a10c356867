"""Condition on the total: join all components and the free cells under the number of mines.

Each component is a polynomial: its inside weight by its number of mines beyond the minimum. The free cells, which no
clue touches, hold the remaining mines in C(cells, mines left) ways. The outside weight of a component, by its mines, is
that of everything else: the product of the polynomials before it (the prefix), of those after it and the free cells
(the suffix). Suffix products are stored and the prefix grows along the way, so each entry is one dot product.

Where weights may exceed the range of a float, they are tilted exponentially: every mine gets a factor t, chosen such
that the expected number of mines is the total. log t is the saddlepoint of H. E. Daniels, "Saddlepoint approximations
in statistics" (1954). Unlike there, tilting approximates nothing here: it cancels in the end. It keeps the weights that
matter near 1 and within a few standard deviations of the mean. Only this window is stored, so thousands of components
do not take quadratic time. What is left out weighs less than 1e-17 of the whole, below the rounding of the rest. What
is possible at all is decided before, by a separate Boolean pass without windows.

Indices: ``j`` counts the mines of all components beyond their minimum; ``j_min`` to ``j_max`` leave the free cells a
possible number. ``n_left`` is the number of mines for these and the free cells.

Extended weights, which might exceed the range of a float, are pairs of a mantissa and an exponent to base 2²⁵⁶. Their
sums and products neither overflow nor underflow, so zero is exactly zero, and they are as precise as floats.
"""

from __future__ import annotations

from math import exp, log, sqrt

from sapper.kernels.codes import CONTRADICTION, MINE, OK, OUT_OF_RANGE, PRODUCTS, SAFE, UNKNOWN
from sapper.kernels.engine.workspace import Component, Frontier, MineTotals, Workspace, request_room
from sapper.kernels.language import *

RADIX = 2.0**256
LOG_RADIX = 177.445678223346
# A mantissa is zero or from MIN_MANTISSA to below MAX_MANTISSA: the product of any three remains a float.
MAX_MANTISSA = 2.0**128
MIN_MANTISSA = 2.0**-128


def normalise(mantissa: Double, exponent: Int) -> tuple[Double, Int]:
    """Return the same number with its mantissa in range."""
    if mantissa <= 0.0:
        return 0.0, 0
    while mantissa >= MAX_MANTISSA:
        mantissa /= RADIX
        exponent += 1
    while mantissa < MIN_MANTISSA:
        mantissa *= RADIX
        exponent -= 1
    return mantissa, exponent


def shift_down(mantissa: Double, n_steps: Int) -> Double:
    """Return a mantissa relative to an exponent that is ``n_steps`` larger; it soon becomes zero."""
    while n_steps > 0 and mantissa > 0.0:
        mantissa /= RADIX
        n_steps -= 1
    return mantissa


def add(one: Double, one_exponent: Int, other: Double, other_exponent: Int) -> tuple[Double, Int]:
    """Return the sum of two non-negative numbers."""
    if other <= 0.0:
        return one, one_exponent
    if one <= 0.0:
        return normalise(other, other_exponent)
    if one_exponent >= other_exponent:
        return normalise(one + shift_down(other, one_exponent - other_exponent), one_exponent)
    return normalise(shift_down(one, other_exponent - one_exponent) + other, other_exponent)


LOG_ROOT_TWO_PI = 0.9189385332046728
NO_WEIGHT = -1e300  # for the logarithm of zero
TINY = 1e-300

MAX_LOG_TILT = 600.0  # the tilt and its reciprocal, times any number of cells, remain floats
TILT_TOLERANCE = 0.05  # mines
MIN_VARIANCE = 1e-12
MAX_NEWTON_STEPS = 100

# Exponents of outside weights: zero, and positive but too small for a float.
NO_LAYOUT = -2_000_000_000
VANISHING = -100_000_000


def log_factorial(totals: MineTotals, n: Int) -> Double:
    """Return ln n!: beyond the table by Stirling's series, whose fourth term is below rounding there.

    The result is the same compiled and uncompiled, unlike a library's lgamma.
    """
    if n < totals.log_factorials.shape[0]:
        return totals.log_factorials[n]
    x: Double = float(n)
    return (x + 0.5) * log(x) - x + LOG_ROOT_TWO_PI + (1.0 - 1.0 / (30.0 * x * x)) / (12.0 * x)


def log_binomial(totals: MineTotals, n: Int, k: Int) -> Double:
    """Return ln C(n, k)."""
    return log_factorial(totals, n) - log_factorial(totals, k) - log_factorial(totals, n - k)


def count_entries(frontier: Frontier, totals: MineTotals) -> Int:
    """Return the number of entries of the product of all polynomials."""
    return 1 + totals.begin[frontier.component_count] - frontier.component_count


def largest_tilted(totals: MineTotals, c: Int, log_tilt: Double) -> Double:
    """Return the logarithm of the largest tilted entry of a polynomial."""
    largest: Double = NO_WEIGHT
    first = totals.begin[c]
    for i in range(totals.begin[c + 1] - first):
        largest = max(largest, totals.log_poly[first + i] + i * log_tilt)
    return largest


def tilted_moments(frontier: Frontier, totals: MineTotals, log_tilt: Double) -> tuple[Double, Double]:
    """Return mean and variance of the number of mines in components and free cells under a tilt."""
    step = exp(-abs(log_tilt))
    share = 1.0 / (1.0 + step) if log_tilt > 0.0 else step / (1.0 + step)
    mean, variance = frontier.n_free * share, frontier.n_free * step / ((1.0 + step) * (1.0 + step))
    for c in range(frontier.component_count):
        largest = largest_tilted(totals, c, log_tilt)
        first = totals.begin[c]
        total, weighted, squared = 0.0, 0.0, 0.0
        for i in range(totals.begin[c + 1] - first):
            weight = exp(totals.log_poly[first + i] + i * log_tilt - largest)
            total += weight
            weighted += i * weight
            squared += float(i) * i * weight
        mean += weighted / total
        variance += squared / total - (weighted / total) * (weighted / total)
    return mean, variance


def solve_saddlepoint(frontier: Frontier, totals: MineTotals, n_left: Int) -> Double:
    """Solve for the logarithm of the tilt under which about ``n_left`` mines are expected.

    By Newton's method, with bisection where it leaves the bracket.
    """
    low, high = -MAX_LOG_TILT, MAX_LOG_TILT
    log_tilt = 0.0
    for _ in range(MAX_NEWTON_STEPS):
        mean, variance = tilted_moments(frontier, totals, log_tilt)
        if abs(mean - n_left) <= TILT_TOLERANCE:
            break
        if mean < n_left:
            low = log_tilt
        else:
            high = log_tilt
        log_tilt += (n_left - mean) / max(variance, MIN_VARIANCE)
        if not low < log_tilt < high:
            log_tilt = (low + high) / 2
    return log_tilt


def tilt_polynomials(frontier: Frontier, totals: MineTotals) -> Double:
    """Fill `poly` with the tilted polynomials, each with a maximum of 1; return the logarithm of the scale."""
    log_scale: Double = 0.0
    for c in range(frontier.component_count):
        largest = largest_tilted(totals, c, totals.log_tilt)
        first = totals.begin[c]
        for i in range(totals.begin[c + 1] - first):
            totals.poly[first + i] = exp(totals.log_poly[first + i] + i * totals.log_tilt - largest)
        log_scale += largest
    return log_scale


def set_windows(frontier: Frontier, component: Component, totals: MineTotals) -> Double:
    """Set the window of every suffix product; return the expected number of mines in the components.

    Only tilted weights have windows; others keep the whole range.
    """
    tilted: Flag = component.extended and not component.boolean
    longest: Int = 0
    totals.suffix_at[0], totals.window_low[0] = 0, 0
    mean, variance = 0.0, 0.0
    n_entries: Int = 1  # of the whole product so far
    width: Int = 1
    for c in range(frontier.component_count):
        totals.suffix_at[c + 1] = totals.suffix_at[c] + width
        length = totals.begin[c + 1] - totals.begin[c]
        total, first, second = 0.0, 0.0, 0.0
        for i in range(length):
            weight = totals.poly[totals.begin[c] + i]
            total += weight
            first += i * weight
            second += float(i) * i * weight
        share = first / total
        mean += share
        variance += second / total - share * share
        n_entries += length - 1
        longest = max(longest, length)
        totals.window_low[c + 1], width = 0, n_entries
        if tilted:
            # No single component can leave the window, however unlikely its number of mines.
            reach = 9.0 * sqrt(max(variance, 0.0)) + 16.0 + longest
            totals.window_low[c + 1] = max(0, truncate(mean - reach))
            width = min(n_entries, truncate(mean + reach) + 2) - totals.window_low[c + 1]
    totals.suffix_at[frontier.component_count + 1] = totals.suffix_at[frontier.component_count] + width
    return mean


def window_width(totals: MineTotals, c: Int) -> Int:
    """Return the number of entries of the suffix product from component ``c`` on."""
    return totals.suffix_at[c + 1] - totals.suffix_at[c]


def weigh_rest(frontier: Frontier, component: Component, totals: MineTotals, n_left: Int, expected: Double) -> Double:
    """Fill ``rest[j]`` with C(n_free, n_left - j) / tilt^j, scaled to about 1 at its peak; return the log of the scale.

    Working outwards from the peak, nothing overflows, however large the board.
    """
    n_entries = count_entries(frontier, totals)
    n_free = frontier.n_free
    j_min, j_max = max(0, n_left - n_free), min(n_entries - 1, n_left)
    for j in range(n_entries):
        totals.rest[j] = 0.0
    if component.boolean:
        for j in range(j_min, j_max + 1):
            totals.rest[j] = 1.0
        return 0.0
    # C(n, k) peaks at k = n / 2; tilted, near the expected number of mines.
    middle = truncate(expected) if component.extended else n_left - n_free // 2
    peak = min(max(middle, j_min), j_max)
    tilt = exp(totals.log_tilt)
    totals.rest[peak] = 1.0
    for j in range(peak, j_max):
        k = n_left - j
        totals.rest[j + 1] = totals.rest[j] * k / ((n_free - k + 1) * tilt)
    for j in range(peak, j_min, -1):
        k = n_left - j
        totals.rest[j - 1] = totals.rest[j] * (n_free - k) * tilt / (k + 1)
    return log_binomial(totals, n_free, n_left - peak) - peak * totals.log_tilt


def fill_suffix_products(frontier: Frontier, component: Component, totals: MineTotals) -> Double:
    """Fill the suffix products; return the natural logarithm of their scale.

    Entry j of the suffix product from component c on is the weight of everything from there on when the components
    before hold ``window_low[c]`` + j mines beyond their minimum.
    """
    scaled = 0.0
    n_components = frontier.component_count
    for j in range(window_width(totals, n_components)):
        totals.suffix[totals.suffix_at[n_components] + j] = totals.rest[totals.window_low[n_components] + j]
    for c in range(n_components - 1, -1, -1):
        first, length = totals.begin[c], totals.begin[c + 1] - totals.begin[c]
        here, after = totals.suffix_at[c], totals.suffix_at[c + 1]
        n_here, n_after = window_width(totals, c), window_width(totals, c + 1)
        for j in range(n_here):
            totals.suffix[here + j] = 0.0
        for i in range(length):
            # The long loop is innermost, where it is vectorised.
            shift = totals.window_low[c] - totals.window_low[c + 1] + i
            factor = totals.poly[first + i]
            for j in range(max(0, -shift), min(n_here, n_after - shift)):
                totals.suffix[here + j] += factor * totals.suffix[after + shift + j]
        largest = 0.0
        for j in range(n_here):
            if component.boolean and totals.suffix[here + j] > 0.0:
                totals.suffix[here + j] = 1.0
            largest = max(largest, totals.suffix[here + j])
        if largest > 0.0 and (largest > 1e100 or largest < 1e-100):
            for j in range(n_here):
                totals.suffix[here + j] /= largest
            scaled += log(largest)
    return scaled


def weigh_outside_of(totals: MineTotals, boolean: Flag, c: Int, n_prefix: Int) -> Flag:
    """Fill the outside weights of a component, scaled to a maximum of 1; return False if all are zero."""
    first, length = totals.begin[c], totals.begin[c + 1] - totals.begin[c]
    n_after = window_width(totals, c + 1)
    shift = totals.window_low[c] - totals.window_low[c + 1]
    largest = 0.0
    for i in range(length):
        low, high = max(0, -shift - i), min(n_prefix, n_after - shift - i)
        there = totals.suffix_at[c + 1] + shift + i
        # Four independent sums: one alone would wait for each addition to finish.
        one, two, three, four = 0.0, 0.0, 0.0, 0.0
        for j in range(low, high - 3, 4):
            one += totals.prefix[j] * totals.suffix[there + j]
            two += totals.prefix[j + 1] * totals.suffix[there + j + 1]
            three += totals.prefix[j + 2] * totals.suffix[there + j + 2]
            four += totals.prefix[j + 3] * totals.suffix[there + j + 3]
        for j in range(low + max(high - low, 0) // 4 * 4, high):
            one += totals.prefix[j] * totals.suffix[there + j]
        total = one + two + three + four
        totals.outside[first + i] = (1.0 if total > 0.0 else 0.0) if boolean else total
        largest = max(largest, totals.outside[first + i])
    if largest <= 0.0:
        return False
    for i in range(first, first + length):
        totals.outside[i] /= largest
    return True


def extend_prefix(totals: MineTotals, boolean: Flag, c: Int, n_prefix: Int) -> Flag:
    """Multiply the prefix by a component's polynomial, scaled to a maximum of 1; return False if all of it is zero.

    The product is formed after the ``n_prefix`` entries of the old prefix, then moved to the front. Its entry j
    corresponds to entry j - shift of the old one.
    """
    first, length = totals.begin[c], totals.begin[c + 1] - totals.begin[c]
    n_after = window_width(totals, c + 1)
    shift = totals.window_low[c] - totals.window_low[c + 1]
    for j in range(n_after):
        totals.prefix[n_prefix + j] = 0.0
    for i in range(length):
        factor = totals.poly[first + i]
        for j in range(max(0, shift + i), min(n_after, shift + i + n_prefix)):
            totals.prefix[n_prefix + j] += factor * totals.prefix[j - shift - i]
    largest = 0.0
    for j in range(n_after):
        if boolean and totals.prefix[n_prefix + j] > 0.0:
            totals.prefix[n_prefix + j] = 1.0
        largest = max(largest, totals.prefix[n_prefix + j])
    if largest <= 0.0:
        return False
    for j in range(n_after):
        totals.prefix[j] = totals.prefix[n_prefix + j] / largest
    return True


def weigh_outside(frontier: Frontier, component: Component, totals: MineTotals) -> Flag:
    """Fill the outside weights of every component; return False if all weights of one are too small for a float.

    The prefix ends up as the product of all components.
    """
    totals.prefix[0] = 1.0
    n_prefix: Int = 1
    for c in range(frontier.component_count):
        if not weigh_outside_of(totals, component.boolean, c, n_prefix):
            return False
        if not extend_prefix(totals, component.boolean, c, n_prefix):
            return False
        n_prefix = window_width(totals, c + 1)
    return True


def widest_gap(totals: MineTotals, c: Int) -> Int:
    """Return the largest difference between consecutive possible numbers of mines of a component."""
    latest: Int = totals.begin[c]
    gap: Int = 1
    for i in range(totals.begin[c], totals.begin[c + 1]):
        if totals.poly[i] > 0.0:
            gap = max(gap, i - latest)
            latest = i
    return gap


def find_possible(frontier: Frontier, totals: MineTotals, j_min: Int, j_max: Int) -> Flag:
    """Fill Boolean outside weights from ranges alone, without products; return False if gaps prevent it.

    If the components without gaps can bridge the gaps of the others, whichever component is left out, then the others
    can hold any number of mines between their minimum and their maximum. It remains to check whether the total leaves
    them such a number.
    """
    n_entries = count_entries(frontier, totals)
    bridge: Int = 0
    longest: Int = 0
    gap: Int = 1
    for c in range(frontier.component_count):
        here = widest_gap(totals, c)
        gap = max(gap, here)
        if here == 1:
            bridge += totals.begin[c + 1] - totals.begin[c] - 1
            longest = max(longest, totals.begin[c + 1] - totals.begin[c] - 1)
    if gap > bridge - longest + 1:
        return False
    for c in range(frontier.component_count):
        length = totals.begin[c + 1] - totals.begin[c]
        for i in range(length):
            totals.outside[totals.begin[c] + i] = 1.0 if i <= j_max and i + n_entries - length >= j_min else 0.0
    for j in range(n_entries):
        totals.prefix[j] = 1.0
    return True


def weigh_free_cells(ws: Workspace, n_left: Int, j_min: Int, j_max: Int) -> None:
    """Find the mine probability and the verdict of the free cells."""
    mined: Double = 0.0
    safe: Double = 0.0
    low = ws.totals.window_low[ws.frontier.component_count]
    end = low + window_width(ws.totals, ws.frontier.component_count)
    for j in range(max(j_min, low), min(j_max + 1, end)):
        weight = ws.totals.prefix[j - low] * ws.totals.rest[j]
        mined += weight * (n_left - j)
        safe += weight * (ws.frontier.n_free - n_left + j)
    ws.free_verdict = SAFE if mined == 0.0 else MINE if safe == 0.0 else UNKNOWN
    ws.p_free = mined / max(mined + safe, TINY)


def combine_components(ws: Workspace, n_left: Int) -> Int:
    """Find the outside weights of every component and weigh the free cells; return a status."""
    j_min, j_max = max(0, n_left - ws.frontier.n_free), min(count_entries(ws.frontier, ws.totals) - 1, n_left)
    expected = set_windows(ws.frontier, ws.component, ws.totals)
    log_weight = weigh_rest(ws.frontier, ws.component, ws.totals, n_left, expected)
    if not (ws.component.boolean and find_possible(ws.frontier, ws.totals, j_min, j_max)):
        wanted = ws.totals.suffix_at[ws.frontier.component_count + 1]
        if wanted > ws.totals.suffix.shape[0]:
            return request_room(ws.pools, PRODUCTS, wanted)
        log_weight += fill_suffix_products(ws.frontier, ws.component, ws.totals)
        if ws.totals.suffix[0] <= 0.0:
            return CONTRADICTION
        log_weight += log(ws.totals.suffix[0])
        if not weigh_outside(ws.frontier, ws.component, ws.totals):
            return CONTRADICTION
    weigh_free_cells(ws, n_left, j_min, j_max)
    ws.totals.log_sum += 0.0 if ws.component.boolean else log_weight
    return OK


def undo_tilt(totals: MineTotals, c: Int) -> None:
    """Turn the tilted outside weights of a component into weights with exponents."""
    exponent: Int
    for i in range(totals.begin[c], totals.begin[c + 1]):
        if totals.outside_exponent[i] == NO_LAYOUT:
            totals.outside[i], totals.outside_exponent[i] = 0.0, 0
        elif totals.outside[i] <= 0.0:
            totals.outside[i] = 1.0
        else:
            log_power = (i - totals.begin[c]) * totals.log_tilt
            exponent = truncate(log_power / LOG_RADIX)
            totals.outside[i], totals.outside_exponent[i] = normalise(
                totals.outside[i] * exp(log_power - exponent * LOG_RADIX), exponent
            )


def combine_extended(ws: Workspace, n_left: Int) -> Int:
    """Combine as `combine_components` does, for weights with exponents; return a status.

    A Boolean pass finds what is possible. A second pass finds the weights, tilted.
    """
    ws.component.boolean = True
    status = combine_components(ws, n_left)
    ws.component.boolean = False
    if status != OK:
        return status
    possible_verdict = ws.free_verdict
    for i in range(ws.totals.begin[ws.frontier.component_count]):
        ws.totals.outside_exponent[i] = VANISHING if ws.totals.outside[i] > 0.0 else NO_LAYOUT
    ws.totals.log_tilt = solve_saddlepoint(ws.frontier, ws.totals, n_left)
    ws.totals.log_sum += tilt_polynomials(ws.frontier, ws.totals)
    status = combine_components(ws, n_left)
    if status != OK:
        # It is possible, but its weight is too small for a float even when tilted.
        return OUT_OF_RANGE if status == CONTRADICTION else status
    ws.free_verdict = possible_verdict
    for c in range(ws.frontier.component_count):
        undo_tilt(ws.totals, c)
    return OK


def condition_on_total(ws: Workspace, n_left: Int) -> Int:
    """Find all outside weights and the free cells' mine probability, given the total; return a status.

    Adds the logarithm of the weight to ``log_sum``.
    """
    if max(0, n_left - ws.frontier.n_free) > min(count_entries(ws.frontier, ws.totals) - 1, n_left):
        return CONTRADICTION
    ws.totals.log_tilt = 0.0
    return combine_extended(ws, n_left) if ws.component.extended else combine_components(ws, n_left)
