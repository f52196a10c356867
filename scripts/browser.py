"""Make sure that there is a browser for the page's tests, and say which.

Chromium from the PATH is taken where it is there. Otherwise the system's package manager is asked (as root
on Debian and its kin), and failing that Playwright downloads its own build. Where none of this works, the tests of the
page are left out, loudly; with SAPPER_NEEDS_BROWSER in the environment that is an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# The headless shell is the same browser without its windows, and takes half the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium-headless-shell", "chromium")  # of Debian and its kin
MISSING = "There is no browser here that starts, and none could be installed. Install Chromium and run this again."
INSTALLING = "Installing Chromium for the page's tests (once; a minute or two)"
PATIENCE = 120.0  # seconds a browser may take, on a busy machine, to say what it is


def find_browser() -> str | None:
    """Return the path of an installed Chromium that starts, Playwright's own included."""
    return find_system_browser() or next((path for path in _downloaded() if _starts(path)), None)


def find_system_browser() -> str | None:
    """Return the path of a Chromium on the PATH that starts."""
    found = (path for name in NAMES if (path := shutil.which(name)))
    return next((path for path in found if _starts(path)), None)


def is_needed() -> bool:
    """Whether a missing browser is an error, as on CI."""
    return os.environ.get("SAPPER_NEEDS_BROWSER", "") not in ("", "0")


def install_system_browser() -> None:
    """Ask the system's package manager for Chromium, where that is allowed."""
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        return
    print(INSTALLING, flush=True)
    for command in (["update"], *(["install", "-y", "--no-install-recommends", package] for package in PACKAGES)):
        done = _run_quietly(["apt-get", "-q", *command], DEBIAN_FRONTEND="noninteractive")
        if done and command[0] == "install":
            return


def download_browser() -> None:
    """Have Playwright download its own build."""
    print(INSTALLING, flush=True)
    # Where it fails it prints stack traces; whether it worked is found out by looking.
    _run_quietly([sys.executable, "-m", "playwright", "install", "chromium"])


def _run_quietly(command: list[str], **settings: str) -> bool:
    null = subprocess.DEVNULL
    done = subprocess.run(command, check=False, env=os.environ | settings, stdin=null, stdout=null, stderr=null)
    return done.returncode == 0


def _downloaded() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if Path(path).exists():
        yield path


def _starts(path: str) -> bool:
    # A download may lack libraries of the system, and Ubuntu's package may be a hint to install another one.
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def main() -> None:
    """Find a browser, install one if need be, and say which it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--remind", action="store_true", help="install nothing; only say if there is none")
    choice.add_argument("--system", action="store_true", help="ask the system's package manager, and say nothing else")
    chosen = parser.parse_args()
    if not chosen.remind and find_system_browser() is None:
        install_system_browser()
    if chosen.system:
        return
    path = find_browser()
    if path is None and not chosen.remind:
        download_browser()
        path = find_browser()
    if path is None:
        left_out = "" if is_needed() else f"THE TESTS OF THE PAGE {'WERE' if chosen.remind else 'WILL BE'} LEFT OUT. "
        print(_loudly(left_out + MISSING), file=sys.stderr)
        sys.exit(1 if is_needed() else 0)
    if not chosen.remind:
        print(f"Browser: {path}")


def _loudly(sentence: str) -> str:
    return f"\x1b[1;31m{sentence}\x1b[0m" if sys.stderr.isatty() else sentence


if __name__ == "__main__":
    main()
