"""Answers from a file, for unattended use.

Room: commands. A YAML list, or a mapping from pause to answer; each entry has `step` (or `at`),
`choice`, `phrase`, `values`, `comment`. They are taken in order, each at most once, and only at
the pause they name.
Source: FORMATS, One grammar (`run --answers`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills_nb.commands.verbs.yaml_answers import read_yaml
from skills_nb.engine.respond import Answer
from skills_nb.errors import UsageError
from skills_nb.model.state import Pause

_KNOWN = frozenset({"step", "at", "choice", "phrase", "values", "comment"})


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """An answer and the pause that it is for."""

    at: str
    """The pause by its name, or the step by its id."""
    said: Answer
    """What is answered there."""

    def is_for(self, pause: Pause) -> bool:
        """Return whether the pause is the one named, at whichever time it is reached."""
        return pause.at == self.at or pause.at.partition("#")[0] == self.at


def read_answers(path: str | None) -> Iterator[FileAnswer]:
    """Yield the answers of a file, in order; none without a file.

    Raises:
        UsageError: the file cannot be read, or an entry is not an answer.
    """
    if path is None:
        return
    for position, entry in enumerate(_entries(path), start=1):
        yield _answer(path, position, entry)


def _entries(path: str) -> list[Mapping[str, Any]]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path} is not UTF-8 text", hint="save it as UTF-8") from problem
    found = read_yaml(text, path)
    if isinstance(found, Mapping):
        return [{"at": str(at), **entry} for at, entry in found.items()]
    if isinstance(found, list):
        return found
    raise UsageError(f"{path}: a list of answers is needed", hint="- {step: 5, choice: approve}")


def _answer(path: str, position: int, entry: Any) -> FileAnswer:
    if not isinstance(entry, Mapping) or "choice" not in entry:
        raise UsageError(
            f"{path}: answer {position} has no choice", hint="- {step: 5, choice: approve}"
        )
    unknown = sorted(set(entry) - _KNOWN)
    at = entry.get("at", entry.get("step"))
    if unknown or at is None:
        what = f"unknown field '{unknown[0]}'" if unknown else "neither step nor at"
        raise UsageError(
            f"{path}: answer {position} has {what}", hint="fields: " + ", ".join(sorted(_KNOWN))
        )
    said = Answer(
        choice=str(entry["choice"]),
        comment=entry.get("comment"),
        phrase=entry.get("phrase"),
        values=dict(entry.get("values") or {}),
        actor="human:answers-file",
    )
    return FileAnswer(str(at), said)
