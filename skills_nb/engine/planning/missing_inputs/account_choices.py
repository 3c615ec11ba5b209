"""Inputs whose choices are what the account holds: the one that a goal names is taken.

Room: laws.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skills_nb.engine.inputs.column_tables import (
    is_only_grouped,
)
from skills_nb.engine.inputs.left_out_columns import LEFT_OUT, columns_left_out
from skills_nb.engine.inputs.questions import (
    Choices,
    choices_for,
    columns_query,
    fact_of,
    lists_dropped,
    lists_tables,
    question,
    table_of_columns,
)
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.inputs.wording.named_choices import (
    grouped_by,
    mentions,
    named_among,
    near_choices,
    ranked_by,
    spoken_key,
    spoken_names,
    tables_named,
)
from skills_nb.engine.inputs.wording.said_changes import CHANGED
from skills_nb.engine.inputs.wording.table_columns import measured_by
from skills_nb.engine.planning.changed_values import (
    column_changed,
    value_looked_for,
)
from skills_nb.engine.planning.known_values import gathered
from skills_nb.engine.planning.matching_keys import matching_columns, query_of_other
from skills_nb.engine.planning.said_tables import tables_by_columns, tables_by_name
from skills_nb.engine.planning.wanted_rows import (
    columns_holding,
)
from skills_nb.model.effects import Await, Effect, Probe
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.names_in_text import without_dotted_names
from skills_nb.sql.templates import Name
from skills_nb.sql.tokens import tokenize

ONLY_CHOICE = "only_choice"
"""In `infer_from`: where the account offers one choice alone, it is taken."""
_MEASURED = re.compile(
    r"\b(?:average|mean|total|sum of|sum|daily|weekly|monthly|add up)(?: the| of)* "
    r"((?:[^\W_]+[ _]?){1,4})",
    re.IGNORECASE,
)
_KEYS = frozenset({"id", "no", "nr", "key", "number", "code"})
"""What the names of such columns end in."""


def from_account(
    state: ThreadState, run: PlaybookRun, spec: InputSpec, names: Mapping[str, Any]
) -> tuple[Effect, ...]:
    """Take the table or column that the goal names, or the only one there is, else ask."""
    choices = choices_for(spec, run.context, state.facts, names, state.goal)
    if choices.discovery is not None:
        return (Probe(choices.discovery),)
    if spec.name == LEFT_OUT:
        return (gathered(spec, columns_left_out(state.goal, choices.values) or None),)
    left = tuple(c for c in choices.values if c not in _taken(run, spec))
    if choices.values and not left:
        # All that the goal names is what another input has: the account may hold more.
        choices = choices_for(spec, run.context, state.facts, names)
        if choices.discovery is not None:
            return (Probe(choices.discovery),)
        left = tuple(c for c in choices.values if c not in _taken(run, spec))
    choices = Choices(left, notes=choices.notes)
    # What another input has is called by its name, and so names nothing that ends alike.
    heard = (*left, *filter(None, _taken(run, spec))) if spec.type == "table" else left
    told = _said(state.goal, spec, heard) if "intent" in spec.infer_from else ()
    if spec.name == CHANGED:
        looked = _changed(state, spec, names, left)
        if not isinstance(looked, tuple):
            return (looked,)
        told = looked
    told = tuple(c for c in told if c in left)
    if (query := query_of_other(spec.name, names, state)) is not None:
        return (Probe(query),)
    told = told or matching_columns(spec.name, left, names, state)
    told = tuple(c for c in told if not _is_compared(run, c)) or told
    told = tuple(c for c in told if not _is_table_itself(c, spec, names, state.goal))
    if not told and lists_tables(spec) and (held := _by_columns(state)):
        return (Await(question(spec, Choices(held))),)
    if not told and (near := _slip(state.goal, spec, names, choices)):
        return near
    texts = () if told else _measured_texts(state, spec, names, choices.values)
    if texts:
        asked = question(spec, choices)
        why = f"{' and '.join(texts)} holds texts, not numbers."
        return (Await(replace(asked, present=f"{asked.present}. {why}")),)
    if not told and ONLY_CHOICE in spec.infer_from:
        told = tuple(c for c in choices.values if spec.name != "amount" or not _is_key(c))
    if len(told) == 1:
        return (gathered(spec, coerce(spec, told[0])),)
    if not told and lists_dropped(spec) and (named := named_table(state, spec)):
        return named
    if not spec.required and not told:
        return (gathered(spec, None),)
    asked = question(spec, Choices(told or choices.values, notes=choices.notes))
    if spec.name in ("column", "group") and len(told) > 1:
        asked = replace(asked, present=f"{asked.present}. This takes one column at a time.")
    return (Await(asked),)


def _slip(
    goal: str, spec: InputSpec, names: Mapping[str, Any], choices: Choices
) -> tuple[Effect, ...]:
    """Ask about the choices that a goal may name with a slip of typing; nothing where none is."""
    if not lists_tables(spec) and spec.name not in ("column", "amount"):
        return ()
    table = names.get(table_of_columns(spec))
    near = near_choices(goal, choices.values, table.fqn if isinstance(table, Name) else "")
    if not near:
        return ()
    asked = question(spec, Choices(near, notes=choices.notes))
    why = "Nothing is called quite as you said; what comes nearest is offered."
    return (Await(replace(asked, present=f"{asked.present}. {why}")),)


def named_table(state: ThreadState, spec: InputSpec) -> tuple[Effect, ...]:
    """Take the table that the goal names by one word, where the account holds it; else nothing.

    Of several that are called so, a person chooses.
    """
    told = tables_by_name(state.goal, state.facts)
    if isinstance(told, str):
        return (Probe(told),)
    if len(told) == 1:
        return (gathered(spec, coerce(spec, told[0])),)
    return (Await(question(spec, Choices(told))),) if told else ()


def _changed(
    state: ThreadState, spec: InputSpec, names: Mapping[str, Any], columns: Sequence[str]
) -> tuple[str, ...] | Probe:
    """Return the columns that a goal may want changed, or what has to be looked up to know."""
    told = column_changed(state.goal, columns)
    value = value_looked_for(state.goal, columns)
    table = names.get(table_of_columns(spec))
    if told or not value or not isinstance(table, Name):
        return told
    held = columns_holding(value, table, state.facts)
    return Probe(held) if isinstance(held, str) else held


def _by_columns(state: ThreadState) -> tuple[str, ...]:
    """Return the tables, where there are several, that hold the columns which a goal names."""
    held = tables_by_columns(state.goal, state.facts)
    return held if not isinstance(held, str) and len(held) > 1 else ()


def _measured_texts(
    state: ThreadState, spec: InputSpec, names: Mapping[str, Any], numbers: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns that a goal names to be measured, where they hold no numbers."""
    table = names.get(table_of_columns(spec))
    if spec.name != "amount" or not isinstance(table, Name):
        return ()
    described = fact_of(columns_query(table), state.facts)
    rows = described.rows if described is not None and described.error is None else ()
    texts = [render_name((str(row["name"]),)) for row in rows if _is_text(row)]
    grouped = {*grouped_by(state.goal, texts), *ranked_by(state.goal, texts)}
    named = (one for one in named_among(state.goal, [*texts, *numbers]) if one in texts)
    keys = _measured_keys(state.goal)
    measured = (one for one in named if spoken_key(split_name(one)[-1]) in keys)
    return tuple(one for one in measured if one not in grouped)


def _measured_keys(goal: str) -> frozenset[str]:
    """Return the names that stand behind a word that measures: `average net amount`."""
    return frozenset(spoken_names(" ; ".join(found[1] for found in _MEASURED.finditer(goal))))


def _is_key(column: str) -> bool:
    """Tell by its name whether a column tells rows apart: nobody adds that up unasked."""
    return spoken_key(split_name(column)[-1]).split("_")[-1] in _KEYS


def _is_text(row: Mapping[str, Any]) -> bool:
    return str(row.get("type", "")).startswith(("VARCHAR", "TEXT", "STRING"))


def _said(goal: str, spec: InputSpec, choices: Sequence[str]) -> tuple[str, ...]:
    """Return the choices that a goal names.

    What is grouped by stands behind `per`, `by` or `each`. Of names of one part, those that stand
    by themselves go first: in `let ANALYST read SALES.PUBLIC.ORDERS` PUBLIC is a schema, and no
    role.
    """
    if spec.name == "group":
        return grouped_by(goal, choices) or ranked_by(goal, choices)
    if any("." in choice for choice in choices):
        told = tables_named(goal, choices)
        return tuple(one for one in told if not is_only_grouped(goal, one))
    if spec.name == "amount":
        grouped = grouped_by(goal, choices)
        choices = tuple(one for one in choices if one not in grouped) or choices
    if spec.name == "value" and (told := grouped_by(goal, choices) or measured_by(goal, choices)):
        return told
    if spec.name == "value" and (which := ranked_by(goal, choices)):
        # `which crew had the most catches` puts nothing in the order of crews.
        choices = tuple(one for one in choices if one not in which) or choices
    return named_among(without_dotted_names(goal), choices) or named_among(goal, choices)


def _is_compared(run: PlaybookRun, column: str) -> bool:
    """Tell whether a column is named for the condition that it is in, not for what is asked."""
    conditions = run.plan.inputs if run.plan is not None else ()
    told = (run.inputs.get(spec.name) for spec in conditions if spec.type == "condition")
    return any(column in {token.text for token in tokenize(str(sql))} for sql in told if sql)


def _is_table_itself(column: str, spec: InputSpec, names: Mapping[str, Any], goal: str) -> bool:
    """Tell whether a column is called like its table, which is what was said: `cheapest bike`."""
    table = names.get(table_of_columns(spec))
    key = spoken_key(table.name) if isinstance(table, Name) else ""
    if not key or spoken_key(split_name(column)[-1]) != key:
        return False
    return len(list(mentions(goal, {key: column}))) == 1


def _taken(run: PlaybookRun, spec: InputSpec) -> Iterator[Any]:
    """Yield the columns and tables that other inputs have.

    What is added up is not grouped by, and a table is not compared with itself.
    """
    is_of_other = spec.name == "other_key"  # two tables may call a column alike
    if spec.type in ("identifier", "table") and not is_of_other and run.plan is not None:
        others = (one.name for one in run.plan.inputs if one.type == spec.type)
        yield from (run.inputs[name] for name in others if name in run.inputs)
