"""The plan that a primitive offers for a goal, with what the goal names put in its inputs.

Room: laws. A plan is wanted where a goal holds every word of one of its phrases; of several, the
one with the longest phrase, then the one whose inputs are named as they should be. A name goes to
the first input of its kind that wants to be inferred from the intent; what nobody named is asked
for, with choices from the account.
Spec: Guided Mode Execution > Sequence; Principles > Factual over advisory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from skills_nb.engine.inputs.new_tables import is_new_table
from skills_nb.engine.inputs.wording.named_choices import word_roots
from skills_nb.engine.inputs.wording.said_moments import TWO_MONTHS
from skills_nb.engine.inputs.wording.said_schedules import recurs_on_days
from skills_nb.engine.inputs.wording.said_texts import STATEMENT
from skills_nb.model.events import PlannedStep
from skills_nb.model.skills import InputSpec, PlannedWork, PlanTemplate, Primitive
from skills_nb.model.state import PlanState
from skills_nb.sql.names_in_text import ObjectName, object_names, without_names

_PARTS = {"database": (1,), "schema": (2,), "table": (3, 2), "scope": (2, 1, 3)}
"""Parts that the name of an input's kind may have, the usual first."""
_COLUMN = 4
"""Parts of a column's name with its table, schema and database."""
_KINDS = frozenset({"database", "schema", "table", "role", "warehouse", "user", "column"})
_WHOLE = 3
_TWO = 2
_MOST_OFFERS = 5
_SURE = 2
"""Words that a phrase has at least, to tell what a goal is about."""
_HELD_IN_SCHEMAS = frozenset({"table", "schema", "scope", "database"})
"""Types of inputs that may say where what has a name of three parts is."""
_OBJECTS = frozenset({"view", "stream", "task", "alert", "stage", "pipe", "procedure", "format"})
"""Kinds of objects whose names have the parts of a table's."""
_LEAVES_OUT = re.compile(
    r"\b(?:but (?:not|never|no|hide|mask|keep|conceal)|except|excluding|apart from|other than"
    r"|aside from|(?:all|every|everything|each|any)\b[^,;.]{0,60}?\bbut)\b",
    re.IGNORECASE,
)
_LEAVING = frozenset({"except", "only", "nobody", "everybody", "everyone", "exclude"})
"""Words by which plans are asked for that leave somebody or something out."""
_SEVERAL_NEW = (
    r"\b(?:add|create|make|append|need|want)(?: (?:the|these|new|extra|more|following|two|three"
    r"|four|five|some|several|\d+))* {}s\b"
)
"""What asks for more than one new thing of a kind: `add columns A and B`."""
_PER = re.compile(r"\W*\b(?:per|by|for each|for every|each)\b", re.IGNORECASE)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RECURS = re.compile(
    r"\b(?:every|each) (?:other |\d{1,4} )?(?:minutes?|hours?|mornings?|evenings?|nights?|days?"
    rf"|weeks?|weekends?|months?|quarters?|years?|{_DAY})\b"
    r"|\b(?:nightly|hourly|(?:daily|weekly|monthly) at|once an? (?:hour|day|night|week|month))\b",
    re.IGNORECASE,
)
_WHO = r"(?:i|we|you|they|anyone|anybody|somebody|someone)"
_PAST = r"(?:\w+ed|did|was|were|ran|made|broke|lost|had|went)"
_OCCASION = re.compile(
    rf"\bbefore (?:{_WHO} (?!{_PAST}\b)\w+[^,;.]*"
    r"|(?:the|our|my) \w+ (?:begins|starts|opens|arrives)\b)",
    re.IGNORECASE,
)
"""What is still to come; `before I deleted them` is about the past."""
_INTO = re.compile(r"\b(?:into|to)(?: (?:the|table))* $", re.IGNORECASE)
_COMPARES = re.compile(r"\b(?:compare|comparison|versus|vs|against|differ\w*)\b", re.IGNORECASE)
_RENAMES_WITHIN = re.compile(
    r"\brename (?!(?:the )?(?:table|view|schema|database|role)\b)[^,;.]+? (?:to|as|into) [^,;.]+?"
    r" (?:in|of|on|from)\b",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\W*(?:please |pls )?(?:run|call|execute|start|schedule) (?!.*\b(?:statement|query|queries|sql"
    r"|tasks?|notebooks?|jobs?|pipelines?|models?|playbooks?|tests?|checks?|reports?|dbt|alerts?"
    r"|tables?|views?|loads?|copy|export|unload|evaluation|suite|pipes?|streams?)\b)",
    re.IGNORECASE | re.DOTALL,
)
_DO_ONCE = frozenset({"DELETE", "TRUNCATE", "UPDATE", "INSERT", "DROP", "CALL"})


_BEGINS = re.compile(
    r"\W*(?:(?:show|list|give|get|find|see|display)(?: me| us)?\b|which\b|what\b)?"
    r"(?: ?(?:are|of|the|all|our|my|every|only|first|last|top|bottom|\d{1,5}|two|three|four|five"
    r"|six|seven|eight|nine|ten|twelve|newest|latest|oldest|earliest|highest|lowest|largest"
    r"|smallest|biggest|longest|shortest|cheapest|most|least|expensive|recent)\b)*\s*",
    re.IGNORECASE,
)
"""What may stand before a table whose rows are meant."""


@dataclass(slots=True)
class _Named:
    """A name of the goal that no input has taken yet."""

    parts: tuple[str, ...]
    kind: str
    """The kind of object that stands before it; empty where none does."""

    @property
    def text(self) -> str:
        return ".".join(self.parts)


def plan_for(goal: str, primitive: Primitive) -> PlanState | None:
    """Return the plan of a primitive that a goal wants, its named inputs filled, or None."""
    best = _best(goal, primitive)
    if best is None:
        return None
    steps = tuple(
        PlannedStep(step=str(n), action=work.action, primitive=primitive.name, sql=_sql(work))
        for n, work in enumerate(best.plan.steps, 1)
    )
    return PlanState(goal, steps, best.inputs)


def rank_of_plan(goal: str, primitive: Primitive) -> int:
    """Return how many words a goal says of the plan of a primitive that it wants; 0 for none."""
    best = _best(goal, primitive)
    return best.rank[0] if best is not None else 0


def words_of_plan(goal: str, primitive: Primitive) -> frozenset[str]:
    """Return the roots of the words by which the plan that a goal wants is asked for."""
    best = _best(goal, primitive)
    return word_roots(" ".join((best.plan.title, *best.plan.said))) if best else frozenset()


def _best(goal: str, primitive: Primitive) -> _Fit | None:
    return max(
        (fit for at, plan in enumerate(primitive.plans) if (fit := _fit(goal, plan, at))),
        key=lambda fit: fit.rank,
        default=None,
    )


def declines(goal: str, primitive: Primitive) -> bool:
    """Tell whether a goal asks for a plan of a primitive, but says what none of them can do."""
    words = word_roots(_without_occasion(without_names(goal)))
    return any(
        max(_held(plan.said, words), default=0) >= _SURE
        and (_held(plan.unless, words) or _wants_more(goal, plan))
        for plan in primitive.plans
    )


def offers_near(goal: str, primitive: Primitive) -> tuple[str, ...]:
    """Return what a primitive offers to do, the nearest to a goal first, a few at most."""
    words = word_roots(without_names(goal))
    near = [
        (-len(words & word_roots(" ".join((plan.title, *plan.said)))), at)
        for at, plan in enumerate(primitive.plans)
    ]
    titles = (primitive.plans[at].title for _, at in sorted(near)[:_MOST_OFFERS])
    return tuple(title[:1].lower() + title[1:] for title in titles)


def leaves_out(goal: str) -> bool:
    """Tell whether a goal leaves something out: `all columns but not the birth dates`."""
    return _LEAVES_OUT.search(without_names(goal)) is not None


def _can_leave_out(plan: PlanTemplate) -> bool:
    """Tell whether a plan is asked for by what it leaves out, or takes which rows count."""
    said = word_roots(" ".join((plan.title, *plan.said)))
    return not said.isdisjoint(_LEAVING) or any(one.type == "condition" for one in plan.inputs)


def _sql(work: PlannedWork) -> str:
    return work.sql.text.strip().removesuffix(";")


@dataclass(frozen=True, slots=True)
class _Fit:
    plan: PlanTemplate
    inputs: tuple[InputSpec, ...]
    rank: tuple[int, int, int]


def begins_with_table(goal: str) -> ObjectName | None:
    """Return the table in full that a goal begins with, but for words that say which rows."""
    first = next(iter(object_names(goal)), None)
    if first is None or len(first.parts) != _WHOLE:
        return None
    return first if _BEGINS.fullmatch(goal, 0, first.start) is not None else None


def _asked_by_table(goal: str) -> frozenset[str]:
    """Return what a goal asks that begins with a table.

    `the three cheapest SHOP.SALES.BOOKS` asks to see them, `SHOP.SALES.BOOKS per shelf` to count.
    """
    first = begins_with_table(goal)
    if first is None:
        return frozenset()
    is_counted = _PER.match(goal, first.end) is not None
    return frozenset({"count"}) if is_counted else frozenset({"show"})


def _asked_by_form(goal: str) -> frozenset[str]:
    """Return what a goal asks by its form alone.

    `rename fee to price in VISITS` renames a column, `compare May and June` wants a number per
    month, and `run DELETE FROM … every Monday` runs a statement.
    """
    plain = without_names(goal)
    asked = {"column"} if _RENAMES_WITHIN.search(plain) is not None else set()
    if _COMPARES.search(plain) is not None and TWO_MONTHS.search(plain) is not None:
        asked |= {"per", "month"}
    if recurs(goal) and STATEMENT.search(goal) is not None:
        asked |= {"run", "statement"}
    elif recurs(goal) and runs_something(goal):
        asked |= {"run", "procedure", "every"}
    return frozenset(asked)


def runs_something(goal: str) -> bool:
    """Tell whether a goal wants something run that it calls by a name, and by no kind."""
    return _RUNS.match(goal) is not None


def _without_occasion(goal: str) -> str:
    """Return a goal without what is to come after it: `copy it before I change anything`."""
    return _OCCASION.sub(" ", goal)


def recurs(goal: str) -> bool:
    """Tell whether a goal wants something again and again: `every night`, `weekly at 6`."""
    plain = without_names(goal)
    return _RECURS.search(plain) is not None or recurs_on_days(plain)


def _changes_once(plan: PlanTemplate) -> bool:
    """Tell whether a plan changes rows or runs something now, and never again."""
    kinds = {word.upper() for work in plan.steps for word in re.findall(r"^\w+", _sql(work))}
    return not kinds.isdisjoint(_DO_ONCE)


def _fit(goal: str, plan: PlanTemplate, at: int) -> _Fit | None:
    names = object_names(goal)
    words = word_roots(_without_occasion(without_names(goal))) | _asked_by_form(goal)
    # `drop CLINIC.RAW.VISITS` says of what kind it is by its three parts.
    whole = {"table"} if any(len(name.parts) == _WHOLE for name in names) else set()
    asked = words | _asked_by_table(goal)
    held = _held(plan.said, asked, whole)
    if _needs_two(plan) and sum(len(name.parts) == _WHOLE for name in names) < _TWO:
        return None
    if not held or _held(plan.unless, words) or (leaves_out(goal) and not _can_leave_out(plan)):
        return None
    if _needs_two(plan):
        # `insert into A the rows of B` is about B first.
        names = tuple(sorted(names, key=lambda one: _INTO.search(goal[: one.start]) is not None))
    named = [*_named(goal, names)]
    if not _knows(plan, named):
        return None
    if _wants_more(goal, plan):
        return None
    inputs, exact, _ = _filled(plan.inputs, named)
    return _Fit(plan, inputs, (max(held), exact, -at))


def _needs_two(plan: PlanTemplate) -> bool:
    """Tell whether a plan is about a table and another one, both of which are named."""
    return any(spec.name == "other" for spec in plan.inputs)


def _wants_more(goal: str, plan: PlanTemplate) -> bool:
    """Tell whether a goal wants more than a plan does: again and again, or for several at once."""
    return (recurs(goal) and _changes_once(plan)) or _makes_one_of_several(goal, plan)


def _makes_one_of_several(goal: str, plan: PlanTemplate) -> bool:
    """Tell whether a plan makes one new thing where a goal names more: `role "A" and role "B"`."""
    filled, _, left = _filled(plan.inputs, [*_named(goal, object_names(goal))])
    new = [spec.name for spec in plan.inputs if spec.type == "identifier" and not spec.choices]
    if any(re.search(_SEVERAL_NEW.format(name), without_names(goal), re.I) for name in new):
        return True
    made = {
        spec.name
        for spec, taken in zip(plan.inputs, filled, strict=True)
        if spec.type == "identifier" and not spec.choices and taken.has_default > spec.has_default
    }
    return bool(made) and any(len(one.parts) == 1 and one.kind in made | {""} for one in left)


def _held(
    phrases: Iterable[str], words: frozenset[str], implied: AbstractSet[str] = frozenset()
) -> list[int]:
    """Return how many words are said of each phrase of which all are said, or implied."""
    wanted = (word_roots(phrase) for phrase in phrases)
    return [len(phrase & words) for phrase in wanted if phrase and phrase <= words | implied]


def _knows(plan: PlanTemplate, names: Iterable[_Named]) -> bool:
    """Tell whether a plan has to do with the users, roles and tables that a goal names.

    `create user MARIA with role NURSE` wants no role to be created.
    """
    known = {word for spec in plan.inputs for word in (spec.type, spec.name)}
    names = list(names)
    if any(len(name.parts) == _WHOLE for name in names) and known.isdisjoint(_HELD_IN_SCHEMAS):
        return False
    return known.issuperset(name.kind for name in names if name.kind in ("role", "user"))


def _named(goal: str, names: Iterable[ObjectName]) -> Iterator[_Named]:
    for name in names:
        before = re.findall(r"[a-z]+", goal[: name.start].lower())[-1:]
        kind = before[0] if before and before[0] in _KINDS | _OBJECTS else ""
        if len(name.parts) == _COLUMN:
            yield _Named(name.parts[:-1], "table")
            yield _Named(name.parts[-1:], "column")
        else:
            yield _Named(name.parts, kind)


def _filled(
    inputs: Sequence[InputSpec], names: list[_Named]
) -> tuple[tuple[InputSpec, ...], int, list[_Named]]:
    """Return the inputs with the names that are theirs, how many fit exactly, and what is left."""
    left, exact, found = names, 0, []
    for spec in inputs:
        own = [one for one in left if not _is_others(one, spec, inputs)]
        taken = _taken_by(spec, own) if "intent" in spec.infer_from else None
        if taken is not None:
            left = [one for one in left if one is not taken]
            exact += len(taken.parts) == _PARTS.get(spec.type, (1,))[0]
            spec = replace(spec, default=taken.text, has_default=True, infer_from=())
        elif names and not spec.choices and spec.type in _PARTS and not is_new_table(spec):
            # The names of the goal are given away here: none is left for it.
            others = tuple(source for source in spec.infer_from if source != "intent")
            spec = replace(spec, infer_from=others)
        found.append(spec)
    return tuple(found), exact - len(left), left


def _is_others(one: _Named, spec: InputSpec, inputs: Sequence[InputSpec]) -> bool:
    """Tell whether the word before a name gives it to another input: `stream X on Y`."""
    return one.kind != spec.name and any(one.kind == other.name for other in inputs)


def _taken_by(spec: InputSpec, names: Sequence[_Named]) -> _Named | None:
    if spec.type == "identifier":
        return _column_for(spec, names)
    if spec.type in ("role", "warehouse"):
        return next((one for one in names if one.kind == spec.type), None)
    is_new = spec.name in _OBJECTS and not spec.choices
    # A new task is called by what stands behind `task`; other names are what it works on.
    known = {spec.name} if is_new else {"", spec.type, *(_OBJECTS if spec.type == "table" else ())}
    for parts in _PARTS.get(spec.type, ()):
        alike = [one for one in names if len(one.parts) == parts and one.kind in known]
        if alike:
            return next((one for one in alike if one.kind == spec.name), alike[0])
    return _place_of(names) if spec.type == "database" else None


def _place_of(names: Sequence[_Named]) -> _Named | None:
    """Return the database that a name in full begins with: it is where the goal is about."""
    full = next((one for one in names if len(one.parts) >= _WHOLE), None)
    return None if full is None else _Named(full.parts[:1], "database")


def _column_for(spec: InputSpec, names: Sequence[_Named]) -> _Named | None:
    """Return the name of a column; one that exists is else found among those of its table.

    One that is called by a kind, as `user` is, is what stands behind that word.
    """
    of_table = ("column",) if spec.choices else ("column", "")
    kinds = (spec.name,) if spec.name in _KINDS else of_table
    single = [one for one in names if len(one.parts) == 1]
    return next((one for kind in kinds for one in single if one.kind == kind), None)
