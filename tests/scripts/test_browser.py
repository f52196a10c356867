"""A browser that is missing: the tests of the page are left out loudly, or it is an error where one is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEST = "tests/browser/test_access.py"


def run_without_browser(folder: Path, *arguments: str, needed: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python where the PATH has this folder only and nothing can be downloaded."""
    settings = {
        "PATH": str(folder),
        "PLAYWRIGHT_BROWSERS_PATH": str(folder / "none"),
        "PLAYWRIGHT_DOWNLOAD_HOST": "http://127.0.0.1:9",  # a port at which nobody listens
        "SAPPER_NEEDS_BROWSER": needed,
    }
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False
    )


def put_browser(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.long
def test_where_none_can_be_installed_the_script_says_so_and_fails_only_if_one_is_needed(tmp_path: Path) -> None:
    left_out = run_without_browser(tmp_path, "scripts/browser.py")
    assert left_out.returncode == 0
    assert left_out.stderr.startswith("THE TESTS OF THE PAGE WILL BE LEFT OUT. There is no browser")
    assert left_out.stderr.count("\n") == 1
    failed = run_without_browser(tmp_path, "scripts/browser.py", "--remind", needed="1")
    assert failed.returncode == 1
    assert failed.stderr.startswith("There is no browser")


@pytest.mark.slow
def test_a_browser_that_does_not_start_is_none(tmp_path: Path) -> None:
    put_browser(tmp_path, "chromium", "echo 'Install the snap instead.' >&2; exit 1")
    assert "WERE LEFT OUT" in run_without_browser(tmp_path, "scripts/browser.py", "--remind").stderr
    working = put_browser(tmp_path, "google-chrome", "echo Chromium 1")
    assert run_without_browser(tmp_path, "scripts/browser.py").stdout == f"Browser: {working}\n"
    assert run_without_browser(tmp_path, "scripts/browser.py", "--remind").stderr == ""


@pytest.mark.long
def test_tests_of_the_page_without_a_browser_end_with_what_was_left_out(tmp_path: Path) -> None:
    arguments = ("-m", "pytest", "-p", "no:cacheprovider", TEST)
    left_out = run_without_browser(tmp_path, *arguments, "-n", "1")
    assert left_out.returncode == 0, left_out.stdout
    _, _, summary = left_out.stdout.partition("LEFT OUT: ")
    assert "There is no browser here that starts" in summary
    assert f" in {TEST}\n" in summary
    failed = run_without_browser(tmp_path, *arguments, needed="1")
    assert failed.returncode == 1
    assert "There is no browser here that starts" in failed.stdout
