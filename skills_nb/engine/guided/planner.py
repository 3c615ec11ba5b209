"""The planner that needs no model: what a primitive offers or shows becomes the steps of a plan.

Room: laws. A plan that a primitive offers for the goal comes first. Else it takes the example
nearest to the goal and of it the statements whose verb is said, puts typed inputs where names
stand, and ends by looking at what is there. Where anything is left that only the example says,
there is no plan: it would be about somebody else's tables.
Spec: Guided Mode Execution > Sequence; Principles > Factual over advisory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from skills_nb.engine.guided.asked_statements import asked_for
from skills_nb.engine.guided.example_columns import defined_in
from skills_nb.engine.guided.example_inputs import Wanted, with_holes
from skills_nb.engine.guided.example_leftovers import leftover_of, without_comments
from skills_nb.engine.guided.plan_templates import declines, leaves_out, plan_for, rank_of_plan
from skills_nb.engine.guided.primitive_examples import Example, discovery_of, examples_of, nearest
from skills_nb.model.events import PlannedStep
from skills_nb.model.library import Library
from skills_nb.model.skills import Primitive
from skills_nb.model.state import PlanState
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.classify.readability import unreadable
from skills_nb.sql.names_in_text import object_names, without_names
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import TokenKind, tokenize

_MOST_WORDS = 6
_MUCH = 3
"""Words of a plan that have to be said where another skill was thought of."""
_TABLE_AND_COLUMN = 2
"""Parts of a column's name with its table."""
_TEMPLATE_BRACES = ("{{", "{%", "{#")
"""In an example that has them they are text, and would mean something else in a template."""
_QUIET = frozenset({"IF", "NOT", "EXISTS", "OR", "REPLACE"})


def draft_plan(
    goal: str, primitives: Sequence[str], library: Library, named: str | None = None
) -> PlanState | None:
    """Return the plan for a goal that the first fitting primitive offers or shows, or None.

    Args:
        goal: what is wanted, in a person's words.
        primitives: `primitives/{name}`, the nearest first.
        library: where they stand.
        named: the goal with the tables in full that it names by one word; None: it names none.
    """
    names = (ref.removeprefix("primitives/") for ref in primitives)
    known = [library.primitives[name] for name in names if name in library.primitives]
    for primitive in known:
        # Known for a table, a word may say more of a plan: `the two newest members`.
        texts = (goal, named or goal)
        if named is not None and _says_columns(goal, named):
            texts = (named, named)
        plan = plan_for(max(texts, key=lambda text: rank_of_plan(text, primitive)), primitive)
        if plan is not None:
            return replace(plan, goal=goal)
        if declines(goal, primitive):
            # It is what the goal is about, and knows that none of its plans does this.
            return None
    if leaves_out(goal):
        # An example knows nothing of it.
        return None
    wanted = Wanted(_named(goal))
    return _of(known[0], goal, library.meta.guided_max_steps, wanted) if known else None


def plan_elsewhere(goal: str, library: Library, named: str) -> PlanState | None:
    """Return the plan of the one primitive of which a goal says most; None for no such one.

    A phrase of three words at least has to be said.

    Args:
        goal: what is wanted, in a person's words.
        library: where the primitives stand.
        named: the goal with the tables in full that it names by one word.
    """
    ranks = [(rank_of_plan(named, one), one) for one in library.primitives.values()]
    most = max((rank for rank, _ in ranks), default=0)
    best = [one for rank, one in ranks if rank == most]
    plan = plan_for(named, best[0]) if most >= _MUCH and len(best) == 1 else None
    return replace(plan, goal=goal) if plan is not None else None


def _says_columns(goal: str, named: str) -> bool:
    """Tell whether a goal names a column by its table, which is known in full now."""
    dotted = [name for name in object_names(goal) if len(name.parts) == _TABLE_AND_COLUMN]
    whole = [name for name in object_names(named) if len(name.parts) == _TABLE_AND_COLUMN]
    return len(whole) < len(dotted)


def _named(goal: str) -> dict[str, str]:
    """Return the names of objects in a goal, each with the word before it."""
    found = {}
    for name in object_names(goal):
        before = goal[: name.start].split()
        if len(name.parts) > 1:
            found[".".join(name.parts)] = before[-1] if before else ""
    return found


def _of(primitive: Primitive, goal: str, most: int, wanted: Wanted) -> PlanState | None:
    words = without_names(goal)  # an example about orders is not nearer to a table ORDERS
    example = nearest(examples_of(primitive), words)
    if example is None or unreadable(example.sql) is not None:
        return None
    groups = _groups([without_comments(one) for one in asked_for(example.sql, words)])
    looking = _looking(primitive)
    if groups and looking is not None and len(groups) < most:
        groups.append((looking,))
    sqls = tuple(sql for group in groups for sql in group)
    if any(brace in sql for sql in sqls for brace in _TEMPLATE_BRACES):
        return None
    templates, inputs = with_holes(sqls, wanted)
    defined = defined_in(sqls)
    if any(leftover_of(template, defined) is not None for template in templates):
        return None
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
