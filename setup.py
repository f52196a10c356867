"""Build the compiled kernels; everything else about the package is in pyproject.toml.

All kernels are one extension module (`src/sapper/kernels/amalgamation.py` says why). Without a C compiler, the one in
the package ``ziglang`` is downloaded for the build; if that fails too, Sapper is installed without compiled kernels and
runs about a hundred times slower.

``SAPPER_BUILD=checked`` builds a second module, in which every index is checked, and ``SAPPER_BUILD=sanitized`` a
third, in which gcc's sanitizers watch every access to memory and every operation; both are for tests.
``SAPPER_BUILD=none`` builds nothing: the Makefile compiles while pip installs the rest.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import Cython.Compiler.Options
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

if TYPE_CHECKING:
    from distutils.ccompiler import CCompiler

KERNELS = Path("src", "sapper", "kernels")
BUILD = os.environ.get("SAPPER_BUILD", "compiled")
CHECKED = BUILD == "checked"
NAME = f"_{BUILD}"

DIRECTIVES = {
    "language_level": 3,
    "infer_types": True,
    "cdivision": True,
    "wraparound": False,
    "initializedcheck": False,
    "boundscheck": CHECKED,
    "overflowcheck": CHECKED,
    "binding": False,
    "auto_pickle": False,
    "show_performance_hints": False,
}
# The struct of every array has room for this many dimensions. A workspace has dozens of arrays, so a small number saves
# cache.
Cython.Compiler.Options.buffer_max_dims = 4
# No fused multiply-add: the last bit would depend on compiler and processor. The second line is for gcc, to vectorise
# loops as clang does by default and to compile an eighth less. Compilers may reject any option, so each is tried first.
OPTIONS = ["-O2" if BUILD == "compiled" else "-O1", "-ffp-contract=off", "-fno-math-errno", "-g0"]
OPTIONS += ["-ftree-vectorize", "-fvect-cost-model=dynamic", "-funswitch-loops", "-fno-partial-inlining"]
OPTIONS += ["-Wno-stringop-overflow"]  # a false positive in code that Cython generates
SANITIZERS = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g1"] if BUILD == "sanitized" else []


def write_amalgamation() -> Path:
    """Join the kernels into one file and return its path."""
    spec = importlib.util.spec_from_file_location("amalgamation", KERNELS / "amalgamation.py")
    assert spec is not None
    assert spec.loader is not None
    amalgamation = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(amalgamation)
    # The folders mirror the package: Cython finds the constants by the full name of the module.
    folder = Path("build", "amalgamation", "sapper", "kernels")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").touch()
    (folder.parent / "__init__.py").touch()
    amalgamation.write_amalgamation(folder / f"{NAME}.py")
    return folder / f"{NAME}.py"


def install_zig(folder: str) -> str | None:
    """Install the compiler from the package index into a folder; return its path, or None on failure."""
    # Build environments hide pip with this variable.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder]
    done = subprocess.run([*pip, "ziglang"], env=environment, check=False, capture_output=True)
    return str(Path(folder, "ziglang", "zig")) if done.returncode == 0 else None


def accepted_options(compiler: CCompiler) -> list[str]:
    """Return the options that a compiler accepts without a warning."""
    if os.name == "nt":
        return []
    accepted = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "option.c")
        source.write_text("int option(void) { return 0; }\n", encoding="utf-8")
        for option in OPTIONS:
            command = [*compiler.compiler_so, "-Werror", option, "-c", str(source), "-o", str(Path(folder, "option.o"))]
            if subprocess.run(command, check=False, capture_output=True).returncode == 0:
                accepted.append(option)
    return accepted


class BuildKernels(build_ext):
    """Compiles the amalgamation with any available compiler."""

    def compile_kernels(self) -> None:
        """Compile, with the options that the compiler accepts."""
        for extension in self.extensions:
            extension.extra_compile_args = accepted_options(self.compiler) + SANITIZERS
            extension.extra_link_args = SANITIZERS
        super().build_extensions()

    def build_extensions(self) -> None:
        """Compile, or say why not in one sentence."""
        try:
            compiler = getattr(self.compiler, "compiler_so", None)
            if compiler is None or shutil.which(compiler[0]):
                self.compile_kernels()
                return
            with tempfile.TemporaryDirectory() as folder:
                print("There is no C compiler; downloading one for the engine.", file=sys.stderr, flush=True)
                zig = install_zig(folder)
                if zig is None:
                    raise ExecError("there is no C compiler, and none could be downloaded")
                # By default, it compiles its own checks in.
                command = [zig, "cc", "-fno-sanitize=all"]
                self.compiler.set_executables(
                    compiler=command, compiler_so=[*command, "-fPIC"], linker_so=[*command, "-shared"]
                )
                self.compile_kernels()
        except (CCompilerError, ExecError, PlatformError) as error:
            reason = str(error).splitlines()[0][:200]
            print(
                f"Sapper's engine was not compiled ({reason}); everything works, about a hundred times slower.",
                file=sys.stderr,
                flush=True,
            )
            for extension in self.extensions:
                extension.optional = True  # it is not copied, and nothing fails
                # An older build would be used, so it is removed.
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)


extensions = [] if BUILD == "none" else [Extension(f"sapper.kernels.{NAME}", [str(write_amalgamation())])]
setup(
    ext_modules=cythonize(extensions, compiler_directives=DIRECTIVES, quiet=True),
    cmdclass={"build_ext": BuildKernels},
)
