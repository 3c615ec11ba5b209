"""Templates filled with values of the types that they will get, so that what comes out can be read.

Room: sql. Branches are reached by values, never by force: a name that a branch asks about takes
one value after the other (every choice, both booleans, nothing where that is asked for), all
others stay. What only a run can know is a text, a number or a name, whichever reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from skills_nb.model.skills import InputSpec, Step
from skills_nb.sql.row_conditions import RowCondition
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.rendering import render_sql
from skills_nb.sql.templates.template_error import TemplateError

UNKNOWN: tuple[Any, ...] = ("NAME_1", 1, Name(("NAME_1",)))
"""What a result of a query may be, the likeliest first."""
_SCALARS: Mapping[str, Any] = {
    "integer": 1,
    "boolean": True,
    "role": Name(("ROLE_1",)),
    "warehouse": Name(("WAREHOUSE_1",)),
    "database": Name.scope(("DATABASE_1",)),
    "schema": Name.scope(("DATABASE_1", "SCHEMA_1")),
    "scope": Name.scope(("DATABASE_1", "SCHEMA_1")),
    "table": Name(("DATABASE_1", "SCHEMA_1", "TABLE_1")),
    "identifier": Name(("NAME_1",)),
    "account_locator": "ORG.ACCOUNT_1",
    "column_list": [Name(("COLUMN_1",)), Name(("COLUMN_2",))],
    "text_list": ["text 1", "text 2"],
    "string": "text",
    "condition": RowCondition("NAME_1 = 1"),
}
_MOST = 12
"""Ways to fill one template; what has more branches is tried by its first."""
_FIRST_MARK = 0xF0000
"""From here on characters stand for the lines of a template while it is filled."""
_MARKS = re.compile("[\U000f0000-\U000ffffd]")
_TESTS = re.compile(r"\{%[-+]?\s*(?:el)?if\s(.*?)[-+]?%\}|\{\{(?=[^}]*\sif\s)(.*?)\}\}", re.DOTALL)
_TEXT = re.compile(r"'([^'\\]*)'")
_BARE = r"(?:^|\b(?:not|and|or|if)\b|\()\s*{name}\s*(?:$|\)|\b(?:and|or|else|is)\b)"
_TAGS = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


class _Row(dict[str, Any]):
    """A row of a result, which has every column that a template asks for."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        self.cell = cell

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str)

    def __getitem__(self, key: str) -> Any:
        return self.cell


@dataclass(frozen=True, slots=True)
class Filled:
    """A template filled once."""

    text: str
    """The SQL."""
    lines: tuple[tuple[int, int], ...]
    """Offsets at which a line of the template begins in it, with the line's number."""

    def line_at(self, offset: int) -> int:
        """Return the template's line that an offset of the text comes from."""
        return max((line for start, line in self.lines if start <= offset), default=1)


def fill_samples(
    template: str, inputs: Sequence[InputSpec], steps: Iterable[Step]
) -> Iterator[Iterator[Filled]]:
    """Yield the fillings of a template, one after the other, each with all that may be unknown.

    Args:
        template: the SQL of the last of the steps.
        inputs: what people give.
        steps: those whose results are known by then, and the template's own.
    """
    before = tuple(steps)
    for changed in _variants(_asked_about(template, (spec.name for spec in inputs)), inputs):
        yield _fillings(template, inputs, before, changed)


def _fillings(
    template: str, inputs: Sequence[InputSpec], steps: Sequence[Step], changed: dict[str, Any]
) -> Iterator[Filled]:
    for cell in UNKNOWN:
        found = _filled(template, _values(inputs, steps, cell) | changed)
        if found is not None:
            yield found


def _filled(template: str, values: Mapping[str, Any]) -> Filled | None:
    try:
        shape = render_sql(_marked(template), values)
    except TemplateError:
        return None
    lines, text, last = [], [], 0
    length = 0
    for mark in _MARKS.finditer(shape):
        text.append(shape[last : mark.start()])
        length += mark.start() - last
        lines.append((length, ord(mark[0]) - _FIRST_MARK))
        last = mark.end()
    return Filled("".join((*text, shape[last:])), tuple(lines))


@lru_cache(maxsize=256)
def _marked(template: str) -> str:
    """Return a template that says on every line of its own text which line that is."""
    inside = {at for tag in _TAGS.finditer(template) for at in range(tag.start() + 1, tag.end())}
    parts, line = [], 1
    for at, char in enumerate(template):
        parts.append(char)
        if char == "\n":
            line += 1
            if at not in inside and line < 60_000:
                parts.append(chr(_FIRST_MARK + line))
    return "".join(parts)


# ---- values


def _values(inputs: Sequence[InputSpec], steps: Sequence[Step], cell: Any) -> dict[str, Any]:
    values: dict[str, Any] = {spec.name: _sample(spec, cell) for spec in inputs}
    values["session"] = _Row(Name(("SESSION_1",)))
    values["expected_account"] = values.get("target_account", "ACCOUNT_1")
    for step in steps:
        bound = {name: _bound(path, cell) for name, path in step.binds.items()}
        values[f"step_{step.id}"] = _Row(cell)
        if step is not steps[-1]:
            values |= bound
    loop = steps[-1].for_each if steps else None
    if loop is not None:
        values[loop.name] = _item(values.get(loop.path.strip("[] ").split(",")[0]), cell)
    return values


def _item(listed: Any, cell: Any) -> Any:
    return listed[0] if isinstance(listed, list) and listed else _Row(cell)


def _sample(spec: InputSpec, cell: Any) -> Any:
    if spec.type == "choice":
        return _choices(spec)[0] if _choices(spec) else cell
    if spec.type == "mapping":
        return {"KEY_1": cell}
    return _SCALARS.get(spec.type, cell)


def _choices(spec: InputSpec) -> tuple[Any, ...]:
    """Return the choices that are values; those that a run finds out are none yet."""
    is_known = not any("{" in str(choice) for choice in spec.choices)
    return spec.choices if is_known else ()


def _bound(path: str, cell: Any) -> Any:
    kind = path.removeprefix("step_").partition(".")[2] if path.startswith("step_") else path
    if kind == "rows":
        return [_Row(cell), _Row(cell)]
    if kind == "row_count" or kind == "created_objects.count":
        return 2
    if kind.startswith("created_objects"):
        return ["DATABASE_1.SCHEMA_1.OBJECT_1"]
    if kind.startswith("column."):
        return [cell, cell]
    return _Row(cell) if kind.startswith("json") else cell


# ---- branches


def _variants(
    asked: Mapping[str, frozenset[Any]], inputs: Sequence[InputSpec]
) -> list[dict[str, Any]]:
    """Return what to change of the samples: nothing first, then one name after the other."""
    specs = {spec.name: spec for spec in inputs}
    found: list[dict[str, Any]] = [{}]
    for name, constants in asked.items():
        spec = specs.get(name)
        for value in _alternatives(spec, constants):
            found.append({name: value})
    return found[:_MOST]


def _alternatives(spec: InputSpec | None, constants: frozenset[Any]) -> list[Any]:
    if spec is None:
        return []
    if spec.type == "boolean":
        return [False, True]
    absent = [None] if None in constants and not spec.required else []
    if spec.type == "choice":
        return [*_choices(spec)[1:], *absent]
    texts = [each for each in constants if isinstance(each, str)] if spec.type == "string" else []
    return [*sorted(texts), *absent]


def _asked_about(template: str, names: Iterable[str]) -> Mapping[str, frozenset[Any]]:
    """Return the inputs that branches ask about, with the texts that they are compared with.

    None is among them where a branch asks whether there is anything at all.
    """
    found: dict[str, set[Any]] = {}
    tests = [tag[1] or tag[2] for tag in _TESTS.finditer(template)]
    for name in names if tests else ():
        for test in (test for test in tests if name in test):
            if re.search(rf"(?<![\w.'\"]){name}(?![\w'\"])", test):
                values = found.setdefault(name, set())
                values.update(_TEXT.findall(test))
                values.update({None} if re.search(_BARE.format(name=name), test) else ())
    return {name: frozenset(values) for name, values in found.items()}
