"""A step and the names known so far become the exact statements to run, in order.

Room: laws. Templates are rendered here and nowhere else in the engine.
Spec: Playbooks > Step structure; FORMATS, A playbook step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from skills_nb.engine.session.places import StepStart, written_in_full
from skills_nb.errors import UsageError
from skills_nb.model.skills import CodeBlock, Step
from skills_nb.sql.classify import Kind, kind_of, why_no_probe
from skills_nb.sql.constant_rows import set_aside
from skills_nb.sql.statements import split
from skills_nb.sql.templates import Name, fill_role, render, render_command

_TAGS = ("{{", "{%")
"""What makes a command line a template; other braces are the shell's."""


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """One statement of a step, rendered."""

    sql: str
    """As it is sent."""
    kind: Kind
    """How it may be repeated."""
    role: str | None
    """Role it runs as; None: the session's."""
    iteration: int
    """0-based position in `for_each`; 0 without it."""
    written: str = ""
    """As its author wrote it, where that is shorter: names without their schema."""


@dataclass(frozen=True, slots=True)
class StepPlan:
    """All that a step will send."""

    statements: tuple[PlannedStatement, ...]
    """In the order in which they are sent."""
    verifications: tuple[PlannedStatement, ...]
    """`verify`, once per iteration, without repetition."""
    iterations: int
    """How many items `for_each` has; 1 without it."""
    keys: frozenset[tuple[str, str | None]]
    """(SQL, role) of everything that is sent or verified."""
    behind: StepStart | None = None
    """Where what follows begins; None where that was not asked."""

    @property
    def mutating(self) -> tuple[PlannedStatement, ...]:
        """Return the statements that may change the account."""
        return tuple(p for p in self.statements if p.kind is not Kind.READ)


def plan_step(step: Step, names: Mapping[str, Any], start: StepStart | None = None) -> StepPlan:
    """Return the step's statements for these names, the objects in them named in full.

    Args:
        step: what is planned.
        names: what templates may name.
        start: where the step begins, for short names; None leaves them as they are.

    Raises:
        UsageError: a template, a role or the loop's path names something that is not known, the
            verification is not provably a read, or a short name means nothing where it begins.
    """
    statements: list[PlannedStatement] = []
    verifications: dict[PlannedStatement, None] = {}
    scopes = list(_iterations(step, names))
    for position, scope in enumerate(scopes):
        role = _role(step, scope)
        for block in step.sql:
            text = render(block.text, scope) if block.is_template else block.text
            cut, start = _cut(text, role, position, step, start)
            statements.extend(cut)
        if step.verify:
            for planned in _cut(render(step.verify, scope), role, 0, step, start)[0]:
                _refuse_acting(step, planned)
                verifications.setdefault(planned)
    keys = frozenset((p.sql, p.role) for p in (*statements, *verifications))
    return StepPlan(tuple(statements), tuple(verifications), len(scopes), keys, start)


def _refuse_acting(step: Step, planned: PlannedStatement) -> None:
    """Refuse a verification that may do more than look."""
    if (why := why_no_probe(planned.sql)) is not None:
        raise UsageError(
            f"step {step.id}: its verification is not provably a read: it {why}",
            hint="write SELECT, SHOW or DESCRIBE",
        )


def commands_of(step: Step, names: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the step's command lines, to be run by hand, with their values filled in.

    A block that holds a value of a loop comes once per item; what branches left empty is left out.

    Raises:
        UsageError: a block names something that is not known, or puts a value inside quotes.
    """
    found: dict[str, None] = {}
    for scope in _iterations(step, names) if step.shell else ():
        for block in step.shell:
            found.setdefault(_lines_of(block, scope))
    return tuple(text for text in found if text)


def _lines_of(block: CodeBlock, scope: Mapping[str, Any]) -> str:
    if not (block.is_template and any(mark in block.text for mark in _TAGS)):
        return block.text
    text = render_command(block.text, scope)
    return "\n".join(line for line in text.splitlines() if line.strip())


def _cut(
    sql: str, role: str | None, position: int, step: Step, start: StepStart | None
) -> tuple[list[PlannedStatement], StepStart | None]:
    """Return the statements of a text, and where what follows begins."""
    if start is None:
        return [PlannedStatement(s.text, _kind(s.text), role, position) for s in split(sql)], None
    found: list[PlannedStatement] = []
    for one in written_in_full(sql, start, step.id):
        if one.pin:
            found.append(PlannedStatement(one.pin, _kind(one.pin), role, position))
        written = one.written if one.written != one.sql else ""
        found.append(PlannedStatement(one.sql, _kind(one.sql), role, position, written))
        start = StepStart(one.behind, one.stands)
    return found, start


def _kind(sql: str) -> Kind:
    # A loop's statements differ by their constants only, which say nothing of a plain query's kind.
    return _kind_once(_without_constants(set_aside(sql)[0]) if _PLAIN.match(sql) else sql)


def _without_constants(sql: str) -> str:
    """Empty every string constant; an apostrophe inside of a name begins none."""
    return _QUOTED.sub(lambda found: found["name"] or "''", sql)


@lru_cache(maxsize=4096)
def _kind_once(sql: str) -> Kind:
    # A step is planned again at each of its events; each statement is classified once.
    return kind_of(sql)


_PLAIN = re.compile(r"\s*SELECT\b(?!.*(\$\$|--|/\*|//|\\|\bEXECUTE\b|->>))", re.I | re.S)
_QUOTED = re.compile(r"""(?P<name>"(?:[^"]|"")*")|'(?:[^']|'')*'""")


def _role(step: Step, scope: Mapping[str, Any]) -> str | None:
    return None if step.role is None else fill_role(step.role, scope)


def _iterations(step: Step, names: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if step.for_each is None:
        yield names
        return
    for item in _items(step, names):
        yield {**names, step.for_each.name: item}


def scope_of(step: Step, names: Mapping[str, Any], iteration: int) -> Mapping[str, Any]:
    """Return what is known by name in one round of a step's loop; `names` itself without one."""
    return next(islice(_iterations(step, names), iteration, None), names)


def rounds_of(step: Step, names: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return what is known by name in each round of a step's loop; one round without one.

    Raises:
        UsageError: the loop's path names something that is not known.
    """
    return tuple(_iterations(step, names))


def _items(step: Step, names: Mapping[str, Any]) -> list[Any]:
    assert step.for_each is not None, "called for loops only"
    path = step.for_each.path.strip()
    if path.startswith("[") and path.endswith("]"):
        parts = [part.strip() for part in path[1:-1].split(",") if part.strip()]
        return [_lookup(step, part, names) for part in parts]
    found = _lookup(step, path, names)
    if isinstance(found, list | tuple):
        return list(found)
    raise UsageError(
        f"step {step.id}: for_each goes over '{path}', which is not a list",
        hint="bind a list to it with `rows` or `column.NAME` in an earlier step",
    )


def _lookup(step: Step, path: str, names: Mapping[str, Any]) -> Any:
    found: Any = names
    for part in path.split("."):
        if isinstance(found, Mapping) and part in found:
            found = found[part]
        elif isinstance(found, Name) and hasattr(found, part):
            found = getattr(found, part)
        else:
            raise UsageError(
                f"step {step.id}: for_each goes over '{path}', and '{part}' is not known",
                hint="name an input or a result bound by an earlier step",
            )
    return found
