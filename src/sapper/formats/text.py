r"""Sapper's own texts: a position (``.pos``, ``.txt``) and a layout (``.layout``), on one line or a line per row.

The texts themselves belong to `Observation` and `Layout`; this file puts them into files.

>>> write_position(read_position(b"1#\r\n## 1\r\n"))
b'1#/## 1\n'
"""

from __future__ import annotations

from sapper.formats.limits import require_square
from sapper.formats.source import decode
from sapper.layout import Layout
from sapper.observation import Observation


def read_position(data: bytes) -> Observation:
    """Read a position, of any topology and clue channel."""
    return Observation.parse(decode(data, "position"))


def write_position(observation: Observation) -> bytes:
    """Write a position on one line; everything about it fits."""
    return f"{observation}\n".encode()


def read_layout(data: bytes) -> Layout:
    """Read a layout on a square board."""
    return Layout.parse(decode(data, ".layout file"))


def write_layout(layout: Layout) -> bytes:
    """Write a layout on one line; the text does not tell the topology, so it must be square."""
    require_square(layout.topology, ".layout")
    return f"{layout}\n".encode()
