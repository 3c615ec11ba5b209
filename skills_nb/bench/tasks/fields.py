"""Reading a task's fields: what is wrong is collected, not raised, so one look shows it all.

Room: work (bench).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

_T = TypeVar("_T")
_LONGEST_ID = 120
_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{_LONGEST_ID - 1}}}")
_ADDRESS = re.compile(r"(?:https?|ssh|git|file)://[^\s-][^\s]*")
"""No option for git, and none of its helpers, which run commands (`ext::…`)."""


@dataclass(slots=True)
class Fields:
    """One mapping of a task document, and the reasons why it is invalid.

    Every field is asked for by name; `unknown` then knows which were not.
    """

    values: Mapping[str, Any]
    """As the document has them."""
    at: str = ""
    """Where the mapping stands, such as `checks[2].`; empty for the document itself."""
    reasons: list[str] = field(default_factory=list)
    """Why it is invalid, one sentence each; shared by all mappings of a document."""
    folder: Path | None = None
    """Where files named by fields are."""
    asked: set[str] = field(default_factory=set)
    """Names that were asked for so far."""

    def note(self, name: str, trouble: str) -> None:
        """Keep a reason."""
        self.reasons.append(f"{self.at}{name}: {trouble}")

    def get(self, name: str, kind: type[_T], default: _T) -> _T:
        """Return a field of a type, or the default where it is missing or of another type."""
        self.asked.add(name)
        found = self.values.get(name, default)
        if found is default or (isinstance(found, kind) and not _is_odd(found, kind)):
            return found
        self.note(name, f"'{found}' is not {_WORDS.get(kind, kind.__name__)}")
        return default

    def need(self, name: str) -> str:
        """Return a text that must be there."""
        found = self.get(name, str, "").strip()
        if not found and not any(reason.startswith(f"{self.at}{name}:") for reason in self.reasons):
            self.note(name, "is missing")
        return found

    def need_id(self, name: str) -> str:
        """Return a task's id, which names folders, too: letters, digits, `.`, `_` and `-`."""
        found = self.need(name)
        if found and _ID.fullmatch(found) is None:
            self.note(
                name,
                f"'{found}' is no id: letters, digits, '.', '_' and '-', a letter or digit first, "
                f"{_LONGEST_ID} characters at most",
            )
        return found

    def need_address(self, name: str) -> str:
        """Return where a repository is: a web or ssh address, or a folder below the task's."""
        found = self.need(name)
        if found and "://" in found:
            is_good = _ADDRESS.fullmatch(found) is not None
        else:
            parts = PurePosixPath(found).parts
            is_good = not found.startswith(("-", "/", "~")) and ".." not in parts
            is_good = is_good and ":" not in found and "\\" not in found
        if found and not is_good:
            said = "is neither an https, ssh, git or file address nor a folder below the task's"
            self.note(name, f"'{found}' {said}")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; a single text is a list of one."""
        self.asked.add(name)
        found = self.values.get(name) or []
        listed = [found] if isinstance(found, str) else found
        if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
            return tuple(listed)
        self.note(name, "is not a list of texts")
        return ()

    def mappings(self, name: str) -> list[Fields]:
        """Return a list of mappings, each with its place."""
        listed = self.get(name, list, [])
        found = []
        for number, item in enumerate(listed):
            if isinstance(item, Mapping):
                found.append(self.inner(f"{name}[{number}]", item))
            else:
                self.note(f"{name}[{number}]", f"'{item}' is not a mapping")
        return found

    def inner(self, name: str, values: Mapping[str, Any]) -> Fields:
        """Return a mapping inside this one; its reasons are kept here."""
        return Fields(values, f"{self.at}{name}.", self.reasons, self.folder)

    def script(self, name: str, default: str = "", *, required: bool = False) -> str:
        """Return a text, read from a file of the folder where the field names one (`x.sql`).

        Where the field is missing, the default is taken the same way if that file exists.
        """
        said = self.get(name, str, "").strip()
        is_default = not said
        said = said or default
        if not said.endswith(".sql") or any(c.isspace() for c in said):
            text = said
        else:
            text = self._file(name, said, is_default=is_default)
        if required and not text.strip() and not is_default:
            self.note(name, "is empty")
        elif required and not text.strip():
            self.note(name, "is missing")
        return text

    def _file(self, name: str, relative: str, *, is_default: bool) -> str:
        if self.folder is None:
            self.note(name, f"'{relative}' names a file, and this task has no folder")
            return ""
        path = (self.folder / relative).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            self.note(name, f"'{relative}' leads out of the task's folder")
            return ""
        if not path.is_file():
            if not is_default:
                self.note(name, f"there is no file '{relative}'")
            return ""
        return path.read_text(encoding="utf-8")

    def refuse_unknown(self) -> None:
        """Keep a reason for every field that nobody asked for."""
        for name in self.values:
            if name not in self.asked:
                self.note(str(name), "is not a field of a task")


_WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    list: "a list",
    dict: "a mapping",
    bool: "true or false",
}


def _is_odd(found: object, kind: type) -> bool:
    """Tell a boolean where a number is needed: Python takes one for the other."""
    return kind is int and isinstance(found, bool)
