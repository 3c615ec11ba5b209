"""YAML text to plain values with places, from the event stream.

Room: reading. Events rather than nodes: libyaml's composer recurses in C and a deeply nested text
would end the process. Anchors, aliases, tags and further documents are diagnostics, so that a
short text cannot unfold into a long one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Data, KeyPath, Place

MAX_DEPTH = 24
_TOO_DEEP = f"nested over {MAX_DEPTH} deep"
_FLATTEN = "Flatten the structure."
_NESTED = "maximum nesting depth"
"""How the parser calls a text that it does not read on, before any event of ours is reached."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)(\.[0-9]*(?:[eE][-+][0-9]+)?)?\Z")
"""As YAML 1.1 has them, so that what is written as text is read as text: `0E0` is none."""
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OURS = {"tag:yaml.org,2002:str", "!"}


class _StopError(Exception):
    """The text cannot be read on; the diagnostic is noted."""


@dataclass(slots=True)
class _Builder:
    path: str
    line: int
    column: int
    """Where the text begins in its file: the first line's number, and every line's column."""
    problems: list[Diagnostic] = field(default_factory=list)
    values: dict[KeyPath, Place] = field(default_factory=dict)
    keys: dict[KeyPath, Place] = field(default_factory=dict)

    def place(self, mark: Any) -> Place:
        return Place(mark.line + self.line, mark.column + self.column)

    def note(self, code: str, mark: Any, message: str, hint: str) -> None:
        place = self.place(mark)
        span = Span(self.path, place.line, place.column)
        self.problems.append(Diagnostic(code, span, message, hint))

    def refuse(self, mark: Any, message: str, hint: str) -> _StopError:
        self.note("SK012", mark, message, hint)
        return _StopError()

    def value(self, event: Any, events: Iterator[Any], at: KeyPath) -> Any:
        self.values[at] = self.place(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            raise self.refuse(event.start_mark, f"alias '*{event.anchor}'", "Write the value out.")
        if event.anchor is not None:
            self.note(
                "SK012", event.start_mark, f"anchor '&{event.anchor}'", "Leave the anchor out."
            )
        if event.tag is not None and event.tag not in _OURS:
            self.note("SK012", event.start_mark, f"tag '{event.tag}'", "Leave the tag out.")
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event)
        if len(at) >= MAX_DEPTH:
            raise self.refuse(event.start_mark, _TOO_DEEP, _FLATTEN)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(events, at)
        return self.mapping(events, at)

    def sequence(self, events: Iterator[Any], at: KeyPath) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(self.value(event, events, (*at, len(items))))
        return items

    def mapping(self, events: Iterator[Any], at: KeyPath) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self.key(event)
            where = (*at, key)
            if key in entries:
                hint = "Keep one of them."
                self.note("SK011", event.start_mark, f"key '{key}' appears twice", hint)
                self.value(next(events), events, (*at, f"{key} (again)"))
                continue
            self.keys[where] = self.place(event.start_mark)
            entries[key] = self.value(next(events), events, where)
        return entries

    def key(self, event: Any) -> str:
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        raise self.refuse(event.start_mark, "a key that is not text", "Write the key as a word.")


def _scalar(event: Any) -> Any:
    """Resolve a plain scalar; a date, and anything else with a colon, stays text."""
    text = event.value
    if not event.implicit[0] or event.style:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    word = text.lower()
    if word in _BOOLEANS:
        return _BOOLEANS[word]
    number = _NUMBER.match(text)
    if number is None:
        return text
    digits = text.replace("_", "")
    whole = number[1] is None
    return int(digits) if whole and len(digits) < 20 else float(digits)


def parse_yaml(
    text: str, path: str, line: int = 1, column: int = 1
) -> tuple[Data | None, tuple[Diagnostic, ...]]:
    """Return the data, or None where the text cannot be read, and what is wrong with it."""
    builder = _Builder(path, line, column)
    bad = _CONTROL.search(text)
    if bad is not None:
        return None, (_control_character(builder, text, bad),)
    try:
        events = iter(yaml.parse(text, Loader=_LOADER))
        value = _first_document(builder, events)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if _NESTED in (error.problem or ""):
            builder.refuse(mark, _TOO_DEEP, _FLATTEN)
            return None, tuple(builder.problems)
        what = " ".join(part for part in (error.problem, error.context) if part)
        builder.note("SK007", mark, f"not valid YAML: {what}", _yaml_hint(text, mark))
        return None, tuple(builder.problems)
    except _StopError:
        return None, tuple(builder.problems)
    return Data(value, builder.values, builder.keys), tuple(builder.problems)


def _first_document(builder: _Builder, events: Iterator[Any]) -> Any:
    next(events)
    opening = next(events)
    if isinstance(opening, yaml.StreamEndEvent):
        builder.values[()] = Place(builder.line, builder.column)
        return None
    value = builder.value(next(events), events, ())
    next(events)
    after = next(events)
    if not isinstance(after, yaml.StreamEndEvent):
        raise builder.refuse(after.start_mark, "a second YAML document", "Keep one document.")
    return value


def _control_character(builder: _Builder, text: str, bad: re.Match[str]) -> Diagnostic:
    before = text[: bad.start()]
    line = before.count("\n")
    column = len(before) - before.rfind("\n") - 1
    span = Span(builder.path, line + builder.line, column + builder.column)
    message = f"not valid YAML: control character U+{ord(bad[0]):04X}"
    return Diagnostic("SK007", span, message, "Delete the character.")


def _yaml_hint(text: str, mark: Any) -> str:
    lines = text.split("\n")
    line = lines[mark.line] if mark is not None and mark.line < len(lines) else ""
    if line.startswith("\t") or "\t" in line[: len(line) - len(line.lstrip())]:
        return "Indent with spaces."
    if line.count(": ") > 1 or "{" in line:
        return "Put the value in quotes."
    return "Check the indentation, quotes and brackets here and on the line above."
