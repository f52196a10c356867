"""The language of the kernels: Python, with names for C types.

A kernel is an ordinary Python file and runs as it is. When the package is built, `amalgamation.py` writes all kernels
into one file for Cython, in which the names below stand for C types:

| here                       | in C                          | here, uncompiled                      |
|----------------------------|-------------------------------|---------------------------------------|
| Int, Long, Word            | int, long long, unsigned …    | int                                   |
| Double, Flag               | double, truth value           | float, bool                           |
| Ints, IntGrid, Longs, …    | contiguous arrays of these    | a `memoryview` of a NumPy array       |
| Const…                     | the same, read-only           | the same                              |
| Public[Double]             | an attribute visible to Python| an attribute                          |
| ReadOnly[Double]           | the same, which Python reads  | an attribute                          |
| a class                    | an extension type             | a class                               |
| a function                 | a plain C function            | a function                            |
| @public                    | a function that Python calls  | a function                            |
| with unlocked:             | without the interpreter lock  | nothing                               |
| truncate(x)                | (int) x                       | int(x)                                |
| to_word(x)                 | (unsigned long long) x        | int(x)                                |

Uncompiled, the elements of an array are Python numbers, not NumPy's: they never overflow, and access is several times
as fast. So a kernel must never rely on wrap-around. Every attribute of a class is declared.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Element = TypeVar("Element")
Thing = TypeVar("Thing")
Function = TypeVar("Function", bound="Callable[..., Any]")


class Array(Protocol[Element]):
    """Contiguous memory of one or more dimensions."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of elements along each dimension."""
        ...

    @overload
    def __getitem__(self, index: int | tuple[int, ...], /) -> Element: ...

    @overload
    def __getitem__(self, index: slice, /) -> Array[Element]: ...

    def __setitem__(self, index: int | tuple[int, ...], element: Element, /) -> None:
        """Write one element."""
        ...


Int: TypeAlias = int
Long: TypeAlias = int
Word: TypeAlias = int
Double: TypeAlias = float
Flag: TypeAlias = bool
Ints: TypeAlias = Array[int]  # of 32 bits
IntGrid: TypeAlias = Array[int]
ConstInts: TypeAlias = Array[int]
ConstIntGrid: TypeAlias = Array[int]
Longs: TypeAlias = Array[int]  # of 64 bits
LongGrid: TypeAlias = Array[int]
ConstLongs: TypeAlias = Array[int]
ConstLongGrid: TypeAlias = Array[int]
Words: TypeAlias = Array[int]  # of 64 bits, unsigned
WordGrid: TypeAlias = Array[int]
ConstWords: TypeAlias = Array[int]
Doubles: TypeAlias = Array[float]
DoubleGrid: TypeAlias = Array[float]
ConstDoubles: TypeAlias = Array[float]
ConstDoubleGrid: TypeAlias = Array[float]
ConstDoubleCube: TypeAlias = Array[float]
Bytes: TypeAlias = Array[int]  # of 8 bits
ByteGrid: TypeAlias = Array[int]
ConstBytes: TypeAlias = Array[int]
ConstByteGrid: TypeAlias = Array[int]
Bits: TypeAlias = Array[int]  # 0 or 1
BitGrid: TypeAlias = Array[int]
ConstBits: TypeAlias = Array[int]
ConstBitGrid: TypeAlias = Array[int]
Public = Annotated[Thing, "visible to Python"]
ReadOnly = Annotated[Thing, "visible to Python, which cannot set it"]

unlocked = nullcontext()


def public(function: Function) -> Function:
    """Mark a function that Python calls; any other is a C function when it is compiled, and cannot raise."""
    return function


def truncate(number: float) -> int:
    """Return a number rounded towards zero."""
    return int(number)


def to_word(number: float) -> int:
    """Return a number from 0 to 2⁶⁴ - 1 as a word, rounded down."""
    return int(number)


def view(array: NDArray[Any]) -> Any:
    """Return an array as kernels store it."""
    return memoryview(array)


def ints(*shape: int) -> Any:
    """Return an array of zeros, 32-bit integers."""
    return view(np.zeros(shape, dtype=np.int32))


def longs(*shape: int) -> Any:
    """Return an array of zeros, 64-bit integers."""
    return view(np.zeros(shape, dtype=np.int64))


def words(*shape: int) -> Any:
    """Return an array of zeros, 64-bit words."""
    return view(np.zeros(shape, dtype=np.uint64))


def doubles(*shape: int) -> Any:
    """Return an array of zeros, floats."""
    return view(np.zeros(shape))


def small(*shape: int) -> Any:
    """Return an array of zeros, 8-bit integers."""
    return view(np.zeros(shape, dtype=np.int8))


def bits(array: NDArray[np.bool_]) -> Any:
    """Return a boolean array as kernels store it: zeros and ones."""
    return view(array.view(np.uint8))


def load_bytes(packed: bytes, array: Array[Any]) -> None:
    """Copy bytes to the beginning of an array."""
    memoryview(array).cast("B")[: len(packed)] = packed


def to_bytes(array: Array[Any], n: int) -> bytes:
    """Return the first n elements of an array as bytes."""
    return memoryview(array)[:n].tobytes()
