"""The planner that needs no model: an example of a primitive becomes the steps of a plan.

Room: laws. It takes the example nearest to the goal, one step per statement (grants that follow one
another together), puts typed inputs where names stand, and ends by looking at what is there.
Spec: Guided Mode Execution > Sequence; Principles > Factual over advisory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from skills_nb.engine.guided.asked_statements import asked_for
from skills_nb.engine.guided.example_inputs import Wanted, with_holes
from skills_nb.engine.guided.plan_templates import plan_for
from skills_nb.engine.guided.primitive_examples import Example, discovery_of, examples_of, nearest
from skills_nb.model.events import PlannedStep
from skills_nb.model.library import Library
from skills_nb.model.skills import Primitive
from skills_nb.model.state import PlanState
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.classify.readability import unreadable
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import TokenKind, tokenize

_MOST_WORDS = 6
_PART = r'(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)'
_QUALIFIED = re.compile(rf"(?<![\w.$\"]){_PART}(?:\.{_PART}){{1,2}}(?![\w$\"]|\.\w)")
_NAMED = re.compile(rf"(?:\b(\w+)\s+)?({_QUALIFIED.pattern})")
"""A name with its schema, and the word before it."""
_TEMPLATE_BRACES = ("{{", "{%", "{#")
"""In an example that has them they are text, and would mean something else in a template."""
_QUIET = frozenset({"IF", "NOT", "EXISTS", "OR", "REPLACE"})


def draft_plan(
    goal: str, primitives: Sequence[str], library: Library, *, has_schema: bool = True
) -> PlanState | None:
    """Return the plan that the first primitive with a fitting example shows, or None.

    Args:
        goal: what is wanted, in a person's words.
        primitives: `primitives/{name}`, the nearest first.
        library: where they stand.
        has_schema: whether the session has a schema that new objects can go to.
    """
    for ref in primitives:
        primitive = library.primitives.get(ref.removeprefix("primitives/"))
        plan = plan_for(goal, primitive) if primitive is not None else None
        if plan is not None:
            return plan
    said = {found[2]: found[1] or "" for found in _NAMED.finditer(goal)}
    scope = "" if has_schema else _schema_of(said)
    for ref in primitives:
        primitive = library.primitives.get(ref.removeprefix("primitives/"))
        most = library.meta.guided_max_steps
        wanted = Wanted(scope, said)
        plan = _of(primitive, goal, most, wanted) if primitive is not None else None
        if plan is not None:
            return plan
    return None


def _schema_of(objects: Iterable[str]) -> str | None:
    """Return the schema of the first object that a goal names, or None."""
    return next((render_name(split_name(one)[:2]) for one in objects), None)


def _of(primitive: Primitive, goal: str, most: int, wanted: Wanted) -> PlanState | None:
    words = _QUALIFIED.sub(" ", goal)  # an example about orders is not nearer to a table ORDERS
    example = nearest(examples_of(primitive), words)
    if example is None or unreadable(example.sql) is not None:
        return None
    groups = _groups(asked_for(example.sql, words))
    looking = _looking(primitive)
    if looking is not None and len(groups) < most:
        groups.append((looking,))
    sqls = tuple(sql for group in groups for sql in group)
    has_braces = any(brace in sql for sql in sqls for brace in _TEMPLATE_BRACES)
    templates, inputs = (sqls, ()) if has_braces else with_holes(sqls, wanted)
    left = iter(templates)
    steps = [
        _step(number, group, ";\n".join(next(left) for _ in group), primitive, example)
        for number, group in enumerate(groups, 1)
    ]
    return PlanState(goal, tuple(steps), inputs) if steps else None


def _groups(sqls: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the statements by step: what only grants goes together."""
    found: list[tuple[str, ...]] = []
    for is_grant, group in groupby(sqls, key=lambda sql: tokenize(sql)[0].word == "GRANT"):
        alike = tuple(group)
        found += [alike] if is_grant else [(sql,) for sql in alike]
    return found


def _looking(primitive: Primitive) -> str | None:
    """Return the first query by which a primitive tells what is there."""
    texts = (one.text for query in discovery_of(primitive) for one in split(query))
    return next((text for text in texts if why_no_probe(text) is None), None)


def _step(
    number: int, group: Sequence[str], template: str, primitive: Primitive, example: Example
) -> PlannedStep:
    return PlannedStep(
        step=str(number),
        action=_action(group, example if number == 1 else None),
        primitive=primitive.name,
        sql=template,
    )


def _action(group: Sequence[str], example: Example | None) -> str:
    """Say what a step does: the words that its first statement begins with."""
    said = " ".join(_words(group[0])).capitalize()
    if len(group) > 1:
        said += f" and {len(group) - 1} more"
    return f"{said}. {example.lead}" if example is not None and example.lead else said


def _words(sql: str) -> Iterator[str]:
    tokens = tokenize(sql)
    for position, token in enumerate(tokens[:_MOST_WORDS]):
        if not token.word or tokens[position + 1].text in (".", "("):
            return
        if token.kind is TokenKind.WORD and token.text.isupper() and token.word not in _QUIET:
            yield token.text.lower()
        elif not token.text.isupper():
            return
