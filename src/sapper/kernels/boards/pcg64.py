"""NumPy's SeedSequence and PCG64, bit for bit: a seed means the same here as in `numpy.random`.

A 128-bit number is four 32-bit limbs, the lowest first, each in a 64-bit word. A product of two limbs with carries fits
such a word, so nothing wraps around and uncompiled arithmetic is the same. A random word takes about 6 ns.

Sources: M. E. O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for random
number generation" (2014), and "Developing a seed_seq alternative" (2015), the basis of SeedSequence.
"""

from __future__ import annotations

from sapper.kernels.language import *

LIMB_BITS = 0xFFFFFFFF
LIMB_SPAN = 1 << 32
WORD_BITS = 0xFFFFFFFFFFFFFFFF

# The multiplier of the generator, in limbs.
PCG_FACTOR_0 = 0x9FCCF645
PCG_FACTOR_1 = 0x4385DF64
PCG_FACTOR_2 = 0x1FC65DA4
PCG_FACTOR_3 = 0x2360ED05

# The constants of the seed mixing.
POOL_HASH_START = 0x43B0D7E5
POOL_HASH_FACTOR = 0x931E8875
SEED_HASH_START = 0x8B51F9DD
SEED_HASH_FACTOR = 0x58F38DED
MIX_LEFT = 0xCA01F9DD
MIX_RIGHT = 0x4973F715


class Pcg64:
    """PCG64: a step multiplies the state by the multiplier and adds the increment, modulo 2¹²⁸."""

    state_0: Word  # the state in limbs
    state_1: Word
    state_2: Word
    state_3: Word
    increment_0: Word  # the increment in limbs
    increment_1: Word
    increment_2: Word
    increment_3: Word
    hashing: Word  # scratch: the hash constant for the next number
    pool: Words  # (4,) scratch: the mixed seed, 32 bits each
    spread: Words  # (8,) scratch: initial state and sequence from the pool, 32 bits each

    def __init__(self) -> None:
        self.pool, self.spread = words(4), words(8)


def fill_words(generator: Pcg64, n_words: Int, out: Words) -> None:
    """Write the next random words into ``out``: the XOR of the state's halves, rotated by its top bits."""
    # The state is kept in registers: through memory, a word would take twice as long.
    s0: Word = generator.state_0
    s1: Word = generator.state_1
    s2: Word = generator.state_2
    s3: Word = generator.state_3
    c0: Word = generator.increment_0
    c1: Word = generator.increment_1
    c2: Word = generator.increment_2
    c3: Word = generator.increment_3
    r0: Word
    r1: Word
    r2: Word
    r3: Word
    t: Word
    turn: Word
    one: Word = 1
    for k in range(n_words):
        # Long multiplication by limbs, modulo 2¹²⁸.
        t = s0 * PCG_FACTOR_0 + c0
        r0 = t & LIMB_BITS
        t = s0 * PCG_FACTOR_1 + c1 + (t >> 32)
        r1 = t & LIMB_BITS
        t = s0 * PCG_FACTOR_2 + c2 + (t >> 32)
        r2 = t & LIMB_BITS
        r3 = (s0 * PCG_FACTOR_3 + c3 + (t >> 32)) & LIMB_BITS
        t = s1 * PCG_FACTOR_0 + r1
        r1 = t & LIMB_BITS
        t = s1 * PCG_FACTOR_1 + r2 + (t >> 32)
        r2 = t & LIMB_BITS
        r3 = (s1 * PCG_FACTOR_2 + r3 + (t >> 32)) & LIMB_BITS
        t = s2 * PCG_FACTOR_0 + r2
        r2 = t & LIMB_BITS
        r3 = (s2 * PCG_FACTOR_1 + r3 + (t >> 32)) & LIMB_BITS
        r3 = (s3 * PCG_FACTOR_0 + r3) & LIMB_BITS
        s0, s1, s2, s3 = r0, r1, r2, r3
        t = ((s3 ^ s1) << 32) | (s2 ^ s0)
        turn = s3 >> 26
        # Only the bits that reappear at the top are shifted up, so nothing overflows.
        out[k] = (t >> turn) | ((t & ((one << turn) - 1)) << ((64 - turn) & 63))
    generator.state_0, generator.state_1, generator.state_2, generator.state_3 = s0, s1, s2, s3


def load_stream(generator: Pcg64, streams: WordGrid, which: Int) -> None:
    """Load the generator of a stream: four limbs of the state, then four of the increment."""
    generator.state_0, generator.state_1 = streams[which, 0], streams[which, 1]
    generator.state_2, generator.state_3 = streams[which, 2], streams[which, 3]
    generator.increment_0, generator.increment_1 = streams[which, 4], streams[which, 5]
    generator.increment_2, generator.increment_3 = streams[which, 6], streams[which, 7]


def save_stream(generator: Pcg64, streams: WordGrid, which: Int) -> None:
    """Save the state of a stream; its increment never changes."""
    streams[which, 0], streams[which, 1] = generator.state_0, generator.state_1
    streams[which, 2], streams[which, 3] = generator.state_2, generator.state_3


def hash_next(generator: Pcg64, number: Word, factor: Word) -> Word:
    """Hash 32 bits; the hash constant changes with every call."""
    hashed: Word = number ^ generator.hashing
    generator.hashing = (generator.hashing * factor) & LIMB_BITS
    hashed = (hashed * generator.hashing) & LIMB_BITS
    return hashed ^ (hashed >> 16)


def mix_pool(generator: Pcg64) -> None:
    """Mix every number of the pool into all others."""
    hashed: Word
    mixed: Word
    generator.hashing = POOL_HASH_START
    for k in range(4):
        generator.pool[k] = hash_next(generator, generator.pool[k], POOL_HASH_FACTOR)
    for source in range(4):
        for k in range(4):
            if k != source:
                hashed = (MIX_RIGHT * hash_next(generator, generator.pool[source], POOL_HASH_FACTOR)) & LIMB_BITS
                mixed = (((MIX_LEFT * generator.pool[k]) & LIMB_BITS) + LIMB_SPAN - hashed) & LIMB_BITS
                generator.pool[k] = mixed ^ (mixed >> 16)


def seed_generator(generator: Pcg64, seed: Word, stream: Word) -> None:
    """Seed the generator like ``PCG64(SeedSequence((seed, stream)))``; the stream has 32 bits."""
    # NumPy splits a number into as few 32-bit words as possible; those of the stream follow directly.
    generator.pool[0], generator.pool[1], generator.pool[2], generator.pool[3] = seed & LIMB_BITS, stream, 0, 0
    if seed > LIMB_BITS:
        generator.pool[1], generator.pool[2] = seed >> 32, stream
    mix_pool(generator)
    generator.hashing = SEED_HASH_START
    for k in range(8):
        generator.spread[k] = hash_next(generator, generator.pool[k % 4], SEED_HASH_FACTOR)

    # The first four are the initial state and the others the sequence, the higher half of each first. The increment is
    # twice the sequence plus one.
    t: Word = (generator.spread[6] << 1) + 1
    generator.increment_0 = t & LIMB_BITS
    t = (generator.spread[7] << 1) + (t >> 32)
    generator.increment_1 = t & LIMB_BITS
    t = (generator.spread[4] << 1) + (t >> 32)
    generator.increment_2 = t & LIMB_BITS
    generator.increment_3 = ((generator.spread[5] << 1) + (t >> 32)) & LIMB_BITS

    # A step from zero leads to the increment; then the initial state is added and another step is taken.
    t = generator.increment_0 + generator.spread[2]
    generator.state_0 = t & LIMB_BITS
    t = generator.increment_1 + generator.spread[3] + (t >> 32)
    generator.state_1 = t & LIMB_BITS
    t = generator.increment_2 + generator.spread[0] + (t >> 32)
    generator.state_2 = t & LIMB_BITS
    generator.state_3 = (generator.increment_3 + generator.spread[1] + (t >> 32)) & LIMB_BITS
    fill_words(generator, 1, generator.spread)
