"""Run the notebooks of the documentation and keep what they show, so that their pictures are there on a code host too.

``python scripts/notebooks.py`` writes them; with ``--check`` it writes nothing and fails if one would change.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from difflib import unified_diff
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "tutorials"


def run(path: Path) -> str:
    """Return a notebook as it is after running it from top to bottom."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="nb") as folder:
        warnings.simplefilter("ignore")  # of Jupyter about its own future
        # Nothing of the user's own Jupyter is read or written.
        os.environ |= dict.fromkeys(("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"), folder)
        import nbformat
        from nbclient import NotebookClient
        from traitlets.config import Config

        notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        # Through files, which are named by what is the address elsewhere: nobody else listens, no port has to be free.
        settings = Config({"AsyncKernelManager": {"transport": "ipc", "ip": str(Path(folder, "kernel"))}})
        # A busy machine sends what two lines print in two pieces: they are put together, so that it looks the same.
        client = NotebookClient(notebook, kernel_name="python3", timeout=120, record_timing=False, config=settings)
        client.coalesce_streams = True
        client.execute()
    for cell in notebook.cells:
        cell.metadata.clear()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> None:
    """Run every notebook."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether one would change")
    check = parser.parse_args().check
    changed = []
    for path in sorted(FOLDER.glob("*.ipynb")):
        found = run(path)
        kept = path.read_text(encoding="utf-8")
        if found != kept:
            changed.append(path.name)
            print(
                *unified_diff(kept.splitlines(), found.splitlines(), "kept", "found", lineterm=""),
                sep="\n",
                file=sys.stderr,
            )
            if not check:
                path.write_text(found, encoding="utf-8")
    if check and changed:
        sys.exit(f"{', '.join(changed)} would change: run python scripts/notebooks.py")


if __name__ == "__main__":
    main()
