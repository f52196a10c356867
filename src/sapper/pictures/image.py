"""Pictures as arrays: files, bytes and arrays in, RGB out; what is too large or broken is refused in a sentence."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rgb = NDArray[np.uint8]  # (height, width, 3)

MAX_PIXELS = 40_000_000
# Larger pictures are shrunk: cells of a board on a screen of 4K have 30 pixels and more.
ENOUGH_PIXELS = 4_000_000
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")

_ORIENTATION = 0x0112  # the tag of Exif
_FORMATS = ("PNG", "JPEG", "WEBP", "BMP")
_MAGIC = (b"\x89PNG", b"\xff\xd8\xff", b"BM")


class PictureError(InputError):
    """A picture that cannot be read, or that shows no board."""


def is_picture(data: bytes) -> bool:
    """Whether bytes begin as a PNG, JPEG, WebP or BMP file does.

    >>> is_picture(b"1#/## 1"), is_picture(bytes.fromhex("89504e470d0a1a0a"))
    (False, True)
    """
    if data[:2] == b"BM":  # two letters alone may begin a text
        return len(data) > 14 and data[6:10] == bytes(4)
    return data.startswith(_MAGIC) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def decode(data: bytes) -> tuple[Rgb, int]:
    """Return a picture file as RGB, upright, and its width; transparent parts are white. Raises `PictureError`."""
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
                # The size stands in the first bytes, so nothing that is too large is unpacked.
                _check_size(*opened.size)
                shrunk = _shrink_factor(*opened.size)
                sideways = opened.getexif().get(_ORIENTATION, 1) >= 5
                width = opened.height if sideways else opened.width
                if shrunk > 1:
                    opened.draft("RGB", (opened.width // shrunk, opened.height // shrunk))
                upright: Image.Image = ImageOps.exif_transpose(opened)
                if upright.has_transparency_data:
                    upright = upright.convert("RGBA")
                    white = Image.new("RGBA", upright.size, "white")
                    upright = Image.alpha_composite(white, upright)
                return _shrink(upright.convert("RGB")), width
    except PictureError:
        raise
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        MemoryError,
        OverflowError,
        Image.DecompressionBombError,
    ) as error:
        del error  # it names Pillow's own objects
        raise PictureError(
            "This picture is broken or of a kind that is not read: save it as a PNG, JPEG, WebP or BMP file again."
        ) from None


def as_rgb(array: NDArray[np.generic]) -> Rgb:
    """Return an array of (height, width), grey, or (height, width, 3 or 4) as RGB; numbers from 0 to 255."""
    from PIL import Image

    given = np.asarray(array)
    if given.ndim == 2:
        given = np.repeat(given[:, :, None], 3, axis=2)
    if given.ndim != 3 or given.shape[2] not in (3, 4) or given.dtype.kind not in "uif":
        raise PictureError(
            f"Expected numbers from 0 to 255 of the shape (height, width, 3), not {given.dtype} of {given.shape}."
        )
    _check_size(given.shape[1], given.shape[0])
    if given.dtype != np.uint8:
        given = np.clip(np.nan_to_num(given.astype(float)), 0, 255).astype(np.uint8)
    return _shrink(Image.fromarray(np.ascontiguousarray(given[:, :, :3])))


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"This picture has {width:,} x {height:,} pixels; the limit is {MAX_PIXELS // 10**6} megapixels, so crop "
            "it to the board."
        )
    if width < 24 or height < 24:
        raise PictureError(f"A picture of {width} x {height} pixels is too small to show a board.")


def _shrink_factor(width: int, height: int) -> int:
    factor = 1
    while width * height > ENOUGH_PIXELS * factor**2:
        factor += 1
    return factor


def _shrink(image: Image.Image) -> Rgb:
    factor = _shrink_factor(*image.size)
    return np.asarray(image.reduce(factor) if factor > 1 else image)


if TYPE_CHECKING:
    from PIL import Image
