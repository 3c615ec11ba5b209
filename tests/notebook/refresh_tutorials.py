"""Run every tutorial and store its outputs: `python tests/notebook/refresh_tutorials.py`.

Headless, as nbval compares them: one display a command, no widgets, no clock.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

TUTORIALS = Path(__file__).parents[2] / "notebooks"


def refresh(path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False).execute()
    for cell in notebook.cells:
        if "nbval-ignore-output" in cell.metadata.get("tags", ()):
            # What is not compared tells of this machine: its versions, its folders.
            cell.outputs = []
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(TUTORIALS.glob("*.ipynb")):
        refresh(path)
