"""Make sure that there is a browser for the page's tests, and print its path.

Chromium from the PATH is taken where it is there. Otherwise the system's package manager is asked (as root
on Debian and its kin), and failing that Playwright downloads its own build.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> str | None:
    """Return the path of an installed Chromium, Playwright's own included."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_browser() -> None:
    """Install Chromium by the first way that this machine offers."""
    print("Installing Chromium for the page's tests (once)", flush=True)
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL}
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], check=False, env=environment, **quiet)  # type: ignore[call-overload]
        done = subprocess.run(["apt-get", "install", "-q", "-y", "chromium"], check=False, env=environment, **quiet)  # type: ignore[call-overload]
        if done.returncode == 0:
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> None:
    """Find a browser, install one if need be, and say which it is."""
    path = find_browser()
    if path is None:
        install_browser()
        path = find_browser()
    if path is None:
        sys.exit("There is no browser for the page's tests: install Chromium and run this again.")
    print(f"Browser: {path}")


if __name__ == "__main__":
    main()
