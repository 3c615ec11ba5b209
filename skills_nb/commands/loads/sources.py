"""Where data come from: a file, or a DataFrame by its variable's name.

Room: commands (loads).
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from skills_nb.commands.loads.frames import is_frame, read_frame, read_parquet
from skills_nb.commands.loads.json_rows import read_json
from skills_nb.commands.loads.tabled import Tabled
from skills_nb.commands.loads.text_files import read_delimited
from skills_nb.errors import UsageError

_DELIMITED = (".csv", ".tsv", ".txt", ".tab")
_JSON = (".json", ".jsonl", ".ndjson")
_PARQUET = (".parquet", ".pq")
_KNOWN = (*_DELIMITED, *_JSON, *_PARQUET)


def read_source(name: str, variables: Mapping[str, Any], *, has_header: bool = True) -> Tabled:
    """Read what a person named: a DataFrame of the notebook's, or a file.

    Raises:
        UsageError: it is neither, or cannot be read.
    """
    if name in variables and not Path(name).expanduser().exists():
        if not is_frame(variables[name]):
            kind = type(variables[name]).__name__
            raise UsageError(
                f"'{name}' is of type {kind} and no DataFrame", hint="load FILE, or NAME"
            )
        return read_frame(variables[name], name)
    path = _file(name, variables)
    kind = path.suffix.lower()
    try:
        if kind in _PARQUET or _begins_parquet(path):
            return read_parquet(path, path.name)
        body = path.read_bytes()
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror or problem}") from problem
    if kind in _JSON or (kind not in _DELIMITED and body.lstrip()[:1] in (b"{", b"[")):
        return read_json(body, path.name)
    return read_delimited(body, path.name, has_header=has_header)


def _begins_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _file(name: str, variables: Mapping[str, Any]) -> Path:
    path = Path(name).expanduser()
    if path.is_dir():
        inside = sorted(each.name for each in path.iterdir() if each.suffix.lower() in _KNOWN)
        shown = f"it holds {', '.join(inside[:5])}" if inside else "name a file in it"
        raise UsageError(f"{name} is a folder", hint=shown)
    if not path.exists():
        said = ", and no variable of that name" if variables else ""
        raise UsageError(f"there is no file {name}{said}", hint=_near(path, variables))
    return path


def _near(path: Path, variables: Mapping[str, Any]) -> str | None:
    """Return what may have been meant: a file beside it, or a DataFrame."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder} either"
    files = {each.name.lower(): each.name for each in folder.iterdir() if each.is_file()}
    frames = {name.lower(): name for name in frames_in(variables)}
    known = {**files, **frames}
    near = get_close_matches(path.name.lower(), known, 1, 0.7)
    if near:
        shown = known[near[0]]
        return f"did you mean {folder / shown if near[0] in files else shown}?"
    loadable = [shown for shown in sorted(files.values()) if Path(shown).suffix.lower() in _KNOWN]
    return f"here are {', '.join(loadable[:5])}" if loadable else None


def frames_in(variables: Mapping[str, Any]) -> list[str]:
    """Return the names of a notebook's DataFrames."""
    return sorted(
        name
        for name, value in variables.items()
        if not name.startswith("_") and not isinstance(value, type) and is_frame(value)
    )
