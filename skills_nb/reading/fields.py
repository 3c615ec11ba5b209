"""Typed access to YAML data: every mismatch is a diagnostic with the value quoted.

Room: reading. A field that does not fit counts as absent, so that the rest stays usable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeVar

from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.documents import Data, KeyPath, Place

_T = TypeVar("_T", bound=str)
_WANTED = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a list of fields",
}


def quoted(value: object) -> str:
    """Return the value as a diagnostic shows it: short, on one line, in quotes."""
    text = " ".join(str(value).split()) if not isinstance(value, bool) else str(value).lower()
    return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}...'"


@dataclass(frozen=True, slots=True)
class Fields:
    """The entries of one mapping inside YAML data."""

    data: Data
    """The whole front matter, which knows where everything stands."""
    path: str
    """Of the file."""
    at: KeyPath
    """Keys from its root to this mapping; empty for the root itself."""
    problems: list[Diagnostic]
    """Where findings go; shared by all mappings of a file."""

    @property
    def entries(self) -> dict[str, Any]:
        """Return the mapping itself; empty where something else stands."""
        found = self.data.value
        for key in self.at:
            found = found[key]
        return found if isinstance(found, dict) else {}

    def note(
        self,
        code: str,
        place: Place,
        message: str,
        hint: str,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a diagnostic at a place of the file."""
        span = Span(self.path, place.line, place.column)
        self.problems.append(Diagnostic(code, span, message, hint, severity))

    def place(self, *keys: str | int) -> Place:
        """Return where a value of this mapping stands."""
        return self.data.place(*self.at, *keys)

    def text(self, key: str, default: str = "", *, required: bool = False) -> str:
        """Return a text; a number counts as one."""
        value = self.raw(key, required=required)
        if value is None:
            return default
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        return value if isinstance(value, str) else self._wrong(key, value, str, default)

    def optional_text(self, key: str) -> str | None:
        """Return a text, or None where there is none."""
        return self.text(key) or None

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.raw(key)
        if value is None:
            return default
        return value if isinstance(value, bool) else self._wrong(key, value, bool, default)

    def integer(self, key: str, default: int | None) -> int | None:
        """Return a whole number."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self._wrong(key, value, int, default)
        return default

    def number(self, key: str, default: float) -> float:
        """Return a number."""
        value = self.raw(key)
        if value is None:
            return default
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(value) if fits else self._wrong(key, value, float, default)

    def word(self, key: str, allowed: Iterable[_T], default: _T) -> _T:
        """Return one of the allowed words."""
        value = self.raw(key)
        if value is None:
            return default
        words = tuple(allowed)
        if value in words:
            return next(word for word in words if word == value)
        message = f"{key} is {quoted(value)}"
        self.note("SK008", self.place(key), message, f"Use one of {', '.join(words)}.")
        return default

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """Return a list of texts."""
        texts = []
        for number, item in enumerate(self.items(key, required=required)):
            if isinstance(item, (str, int, float)) and not isinstance(item, bool):
                texts.append(str(item))
            else:
                self._wrong_item(key, number, item, "text")
        return tuple(texts)

    def items(self, key: str, *, required: bool = False) -> tuple[Any, ...]:
        """Return a list as it stands."""
        value = self.raw(key, required=required)
        if value is None:
            return ()
        return tuple(value) if isinstance(value, list) else self._wrong(key, value, list, ())

    def rows(self, key: str) -> Iterator[Fields]:
        """Yield the mappings of a list."""
        for number, item in enumerate(self.items(key)):
            if isinstance(item, dict):
                yield self.inside(key, number)
            else:
                self._wrong_item(key, number, item, "a list of fields")

    def mapping(self, key: str) -> Fields | None:
        """Return a mapping below this one, or None."""
        value = self.raw(key)
        if value is None:
            return None
        return self.inside(key) if isinstance(value, dict) else self._wrong(key, value, dict, None)

    def inside(self, *keys: str | int) -> Fields:
        """Return the mapping at a path below this one."""
        return Fields(self.data, self.path, (*self.at, *keys), self.problems)

    def raw(self, key: str, *, required: bool = False) -> Any:
        """Return the value as it stands; None where there is none."""
        value = self.entries.get(key)
        if value is None and required:
            place = self.data.key_place(*self.at, key)
            self.note("SK010", place, f"field '{key}' is missing", f"Add '{key}: …'.")
        return value

    def only(self, *known: str, older: tuple[str, ...] = ()) -> None:
        """Report every entry whose key is not known; `older` names are read and not proposed."""
        for key in self.entries:
            if key not in known and key not in older:
                self._unknown(key, known)

    def _unknown(self, key: str, known: tuple[str, ...]) -> None:
        near = get_close_matches(key, known, 1, 0.6)
        hint = f"Write '{near[0]}'." if near else f"Known fields: {', '.join(known)}."
        place = self.data.key_place(*self.at, key)
        self.note("SK009", place, f"unknown field {quoted(key)}", hint, Severity.WARNING)

    def _wrong(self, key: str, value: object, wanted: type, default: Any) -> Any:
        message = f"{key} is {quoted(value)}, not {_WANTED[wanted]}"
        self.note("SK008", self.place(key), message, f"Write {_WANTED[wanted]}.")
        return default

    def _wrong_item(self, key: str, number: int, value: object, wanted: str) -> None:
        message = f"{key} contains {quoted(value)}, which is not {wanted}"
        self.note("SK008", self.place(key, number), message, f"Write {wanted}.")


def fields_of(data: Data | None, path: str, problems: list[Diagnostic]) -> Fields:
    """Return the fields of a file's data; none where the data cannot be read."""
    return Fields(data or Data({}), path, (), problems)
