"""Build what people install, and install it where nothing else is: `make wheel`.

A source distribution and a wheel are built into dist/ and checked by twine. Then the wheel is installed into an empty
environment, and there, away from the source tree, Sapper says its version, sums a position, lets `expert` play and
serves its page.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"

POSTERIOR = """
import sapper, sapper.kernels
assert sapper.kernels.BUILD == "compiled", sapper.kernels.BUILD
found = sapper.mine_probabilities("01#/02#/02# 2")
assert found.mines == ((1, 2), (2, 2)), found.mines
assert "site-packages" in sapper.__file__, sapper.__file__
print(found)
"""
GAME = """
import sapper
game = sapper.Game(sapper.Rules.parse("beginner"), seed=1)
print(repr(sapper.play_match(game, sapper.make_agent("expert"))))
"""


def main() -> None:
    """Build, check, install, try."""
    shutil.rmtree(DIST, ignore_errors=True)
    build()
    with tempfile.TemporaryDirectory(prefix="sapper wheel ") as folder:
        tools = install(Path(folder, "environment"))
        try_out(tools, Path(folder))
    print(f"All is well; see {DIST.relative_to(ROOT)}/.")


def build() -> None:
    """Build both distributions, the wheel from the other one as installers do, and let twine look at them."""
    say("Building")
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT, quiet=True)
    made = sorted(DIST.iterdir())
    for path in made:
        print(f"  {path.name}  {path.stat().st_size / 1e6:.1f} MB")
    if len(made) != 2:
        sys.exit("There should be one source distribution and one wheel.")
    run(sys.executable, "-m", "twine", "check", "--strict", *made)


def install(environment: Path) -> Path:
    """Make an empty environment with the wheel in it; return where its commands are."""
    say("Installing the wheel into an empty environment")
    venv.create(environment, with_pip=True)
    tools = environment / ("Scripts" if os.name == "nt" else "bin")
    (wheel,) = DIST.glob("*.whl")
    run(tools / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return tools


def try_out(tools: Path, folder: Path) -> None:
    """Let what is installed do something, away from the source tree."""
    say("Trying it out")
    run(tools / "sapper", "--version", folder=folder)
    run(tools / "python", "-c", POSTERIOR, folder=folder)
    run(tools / "python", "-c", GAME, folder=folder)
    serving = subprocess.Popen(
        [tools / "sapper", "serve", "--port", "0", "--data", folder / "data"],
        cwd=folder, stdout=subprocess.PIPE, text=True, env=bare_environment(),
    )  # fmt: skip
    try:
        assert serving.stdout is not None
        address = re.search(r"http://\S+?:\d+", serving.stdout.readline())
        if address is None:
            sys.exit("The page did not say where it is.")
        print(f"  {ask(address[0] + '/api/info')['version']} is served")
        said = ask(address[0] + "/api/analyse", {"position": "1#/## 1"})
        print(f"  it analyses a position: {', '.join(sorted(said))}")
    finally:
        serving.send_signal(signal.SIGTERM)
        serving.wait(timeout=30)


def ask(address: str, body: dict[str, str] | None = None) -> dict[str, str]:
    """Send a request to the page, and return what it answers."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        answer: dict[str, str] = json.load(reply)
    return answer


def bare_environment() -> dict[str, str]:
    """Without what leads back to the source tree or to another Python."""
    leads_elsewhere = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in leads_elsewhere}


def run(*command: str | Path, folder: Path = ROOT, quiet: bool = False) -> None:
    """Run a command; end with its output if it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=bare_environment(), check=False,
        capture_output=quiet, text=True,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout or ''}{done.stderr or ''}\nFailed: {' '.join(map(str, command))}")


def say(words: str) -> None:
    """Say what is going on."""
    print(words, flush=True)


if __name__ == "__main__":
    main()
