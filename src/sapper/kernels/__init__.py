"""All compiled code: raw arrays in, raw arrays out.

Nothing of ours is imported here and only this package knows Numba. `kernel` is the one decorator, with `inner_kernel`
for the parts of a kernel. Both put the compiled code into a folder named by a hash of these very files: Numba itself
recompiles a function when its own file changes but not when a function that it calls from another file does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])


def _cache_folder() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return str(Path(platformdirs.user_cache_dir("sapper")) / f"kernels-{digest.hexdigest()[:16]}")


CACHE_FOLDER = os.environ.get("NUMBA_CACHE_DIR") or _cache_folder()


def kernel(function: Function) -> Function:
    """Compile a function on its first call, without the interpreter lock, and keep the result on disk."""
    # The setting is Numba's, shared by every library in the process: leave it as it was found.
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = CACHE_FOLDER  # type: ignore[attr-defined]
    try:
        return cast("Function", numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


def inner_kernel(function: Function) -> Function:
    """Compile a function that only kernels call.

    It is kept on disk as part of those, and needs no code to take arguments from Python: both save compiling time.
    """
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Function", numba.njit(nogil=True, error_model="numpy", **options)(function))
