"""NumPy's seed mixing and PCG64 in compiled code, word for word: a seed means the same here as in `numpy.random`.

128-bit numbers are four limbs of 32 bits, the lowest first, each in a uint64: no product of limbs with its carries
exceeds 64 bits, so nothing wraps and the arithmetic is the same with the JIT off. A word costs some 10 ns.

| array     | dtype  | shape | meaning                                             |
|-----------|--------|-------|-----------------------------------------------------|
| generator | uint64 | (8,)  | the state in four limbs, then the increment in four |

The sources: M. E. O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for random
number generation" (2014), and her "Developing a seed_seq alternative" (2015), on which NumPy's SeedSequence rests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Generator = NDArray[np.uint64]

N_LIMBS = 8  # of a generator

# Numba takes uint64 with a plain integer for a float, so every constant is a uint64.
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_CARRY = np.uint64(1 << 32)

_FACTOR_0 = np.uint64(0x9FCCF645)
_FACTOR_1 = np.uint64(0x4385DF64)
_FACTOR_2 = np.uint64(0x1FC65DA4)
_FACTOR_3 = np.uint64(0x2360ED05)

_HASH_START = np.uint64(0x43B0D7E5)
_HASH_FACTOR = np.uint64(0x931E8875)
_OUT_START = np.uint64(0x8B51F9DD)
_OUT_FACTOR = np.uint64(0x58F38DED)
_MIX_LEFT = np.uint64(0xCA01F9DD)
_MIX_RIGHT = np.uint64(0x4973F715)
_SHIFT = np.uint64(16)

_TOP_BITS = np.uint64(26)  # of the highest limb: they say by how much the output is rotated
_ROTATIONS = np.uint64(63)
_WIDTH = np.uint64(64)


@inner_kernel
def _advance(
    s0: np.uint64, s1: np.uint64, s2: np.uint64, s3: np.uint64,
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:  # fmt: skip
    """State · factor + increment, modulo 2¹²⁸: long multiplication without what falls off the top."""
    t = s0 * _FACTOR_0 + c0
    r0 = t & _LOW
    t = s0 * _FACTOR_1 + c1 + (t >> _HALF)
    r1 = t & _LOW
    t = s0 * _FACTOR_2 + c2 + (t >> _HALF)
    r2 = t & _LOW
    r3 = (s0 * _FACTOR_3 + c3 + (t >> _HALF)) & _LOW
    t = s1 * _FACTOR_0 + r1
    r1 = t & _LOW
    t = s1 * _FACTOR_1 + r2 + (t >> _HALF)
    r2 = t & _LOW
    r3 = (s1 * _FACTOR_2 + r3 + (t >> _HALF)) & _LOW
    t = s2 * _FACTOR_0 + r2
    r2 = t & _LOW
    r3 = (s2 * _FACTOR_1 + r3 + (t >> _HALF)) & _LOW
    r3 = (s3 * _FACTOR_0 + r3) & _LOW
    return r0, r1, r2, r3


@inner_kernel
def fill_words(g: Generator, n_words: int, out: Generator) -> None:
    """Write the next random words into ``out``: the halves of the state one upon the other, rotated by its top bits."""
    # The state lives in registers for as long as it lasts: through memory a word would cost twice as much.
    s0, s1, s2, s3, c0, c1, c2, c3 = g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]
    for k in range(n_words):
        s0, s1, s2, s3 = _advance(s0, s1, s2, s3, c0, c1, c2, c3)
        folded = ((s3 ^ s1) << _HALF) | (s2 ^ s0)
        turn = s3 >> _TOP_BITS
        out[k] = (folded >> turn) | (folded << ((_WIDTH - turn) & _ROTATIONS))
    g[0], g[1], g[2], g[3] = s0, s1, s2, s3


@inner_kernel
def _hash(value: np.uint64, constant: np.uint64, factor: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Hash 32 bits; the constant changes from call to call and is returned too."""
    value = value ^ constant
    constant = (constant * factor) & _LOW
    value = (value * constant) & _LOW
    return value ^ (value >> _SHIFT), constant


@inner_kernel
def seed_generator(seed: np.uint64, stream: np.uint64, g: Generator, pool: Generator) -> None:
    """Make ``g`` the generator ``PCG64(SeedSequence((seed, stream)))``; ``pool`` is scratch for twelve numbers."""
    # NumPy writes a number with as few words of 32 bits as it takes; the stream follows at once.
    pool[0], pool[1], pool[2], pool[3] = seed & _LOW, stream, np.uint64(0), np.uint64(0)
    if seed > _LOW:
        pool[1], pool[2] = seed >> _HALF, stream
    constant = _HASH_START
    for k in range(4):
        pool[k], constant = _hash(pool[k], constant, _HASH_FACTOR)
    for source in range(4):
        for k in range(4):
            if k != source:
                hashed, constant = _hash(pool[source], constant, _HASH_FACTOR)
                mixed = (((_MIX_LEFT * pool[k]) & _LOW) + _CARRY - ((_MIX_RIGHT * hashed) & _LOW)) & _LOW
                pool[k] = mixed ^ (mixed >> _SHIFT)
    constant = _OUT_START
    for k in range(8):
        pool[4 + k], constant = _hash(pool[k % 4], constant, _OUT_FACTOR)
    # Words 0 to 3 are the start and 4 to 7 the sequence, the higher half of each first.
    low_0, low_1, high_0, high_1 = pool[10], pool[11], pool[8], pool[9]
    g[4] = ((low_0 << _ONE) | _ONE) & _LOW
    g[5] = ((low_1 << _ONE) | (low_0 >> np.uint64(31))) & _LOW
    g[6] = ((high_0 << _ONE) | (low_1 >> np.uint64(31))) & _LOW
    g[7] = ((high_1 << _ONE) | (high_0 >> np.uint64(31))) & _LOW
    # A step from zero leads to the increment itself; then the start is added and another step made.
    carry = np.uint64(0)
    for k in range(4):
        carry = g[4 + k] + pool[4 + (k ^ 2)] + carry
        g[k] = carry & _LOW
        carry = carry >> _HALF
    g[0], g[1], g[2], g[3] = _advance(g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7])
