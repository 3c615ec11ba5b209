"""Which rows a plan is about: read from the goal, with a look at the table, else asked for.

Room: laws. What no word of the library means may be a value that a column holds, so the account is
asked; what still sounds like a condition is put to the person before anything is counted.
Spec: Principles > Lazy context, phased gathering.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from skills_nb.engine.inputs.left_out_columns import LEFT_OUT, stretches_left_out
from skills_nb.engine.inputs.new_tables import NEW_TABLES, stretches_naming
from skills_nb.engine.inputs.questions import (
    columns_query,
    fact_of,
    question_of_rows,
    table_of_columns,
)
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.inputs.wording.named_choices import last_word_key, mentions, spoken_key
from skills_nb.engine.inputs.wording.said_changes import CHANGED, is_of_every_row
from skills_nb.engine.inputs.wording.said_rows import HeldValue, SaidRows, rows_said
from skills_nb.engine.inputs.wording.table_columns import Kind, TableColumn
from skills_nb.engine.planning.changed_values import rows_of_change
from skills_nb.engine.planning.known_values import gathered
from skills_nb.model.effects import Await, Effect, Probe, Record
from skills_nb.model.skills import InputSpec, Playbook
from skills_nb.model.state import Fact, ThreadState
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.templates import Name
from skills_nb.sql.tokens import literal

_MOST_RUNS, _MOST_COLUMNS, _MOST_VALUES = 80, 20, 50
_TEXTS_IN = re.compile(r"'((?:[^']|'')*)'")
_OTHERWISE = re.compile(r"\b(?:NOT|LIKE|ILIKE|BETWEEN|OR)\b|[<>!]", re.IGNORECASE)
"""In a condition: it says more than which values a column has."""
_NUMBERS_IN = re.compile(r"(?<== )-?\d+(?:\.\d+)?$")
_MARK = "/* looked up for a plan */"
"""Tells in the query history that nobody wished for this query: it is not offered as a slow one."""
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("NUMBER", "FLOAT", "DECFLOAT"), "number"),
    **dict.fromkeys(("DATE", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"), "moment"),
    "VARCHAR": "text",
    "BOOLEAN": "truth",
}


def ask_rows(
    state: ThreadState, playbook: Playbook, spec: InputSpec, names: Mapping[str, Any]
) -> tuple[Effect, ...]:
    """Return the effect that makes known which rows are meant: looked up, recorded or asked for."""
    table = names.get(table_of_columns(spec))
    if not isinstance(table, Name) or "intent" not in spec.infer_from:
        return (_known(spec, spec.default),)
    described = fact_of(columns_query(table), state.facts)
    if described is None:
        return (Probe(columns_query(table)),)
    columns = _columns(described)
    moment = _moment(playbook, names)
    goal = _about_rows(rows_of_change(state.goal, names), columns, names)
    said = _said(goal, state, columns, table, moment)
    texts = [column for column in columns if column.kind == "text"][:_MOST_COLUMNS]
    if said.runs and texts:
        query = _values_query(table, texts, said.runs[:_MOST_RUNS])
        found = fact_of(query, state.facts)
        if found is None:
            return (Probe(query),)
        said = _said(goal, state, columns, table, moment, _held(found))
    may_be_all = CHANGED in names
    is_all = may_be_all and is_of_every_row(goal) and not said.conditions
    if said.unread or (spec.required and not said.conditions and not is_all):
        asked = replace(spec, required=spec.required and not may_be_all)
        return (Await(question_of_rows(asked, said.unread, said.offers)),)
    return (_known(spec, " AND ".join(said.conditions) or None),)


def values_said(
    state: ThreadState, names: Mapping[str, Any]
) -> tuple[Probe, ...] | tuple[str, ...]:
    """Return what has to be looked up, or the values of the named column that a goal says."""
    table, column = names.get("source"), names.get("column")
    if not isinstance(table, Name) or not isinstance(column, Name):
        return ()
    described = fact_of(columns_query(table), state.facts)
    if described is None:
        return (Probe(columns_query(table)),)
    columns = [one for one in _columns(described) if one.name == column.name]
    said = _said(state.goal, state, columns, table, None)
    if columns and columns[0].kind == "number":
        return tuple(_NUMBERS_IN.findall(" ".join(said.conditions)))
    if columns and columns[0].kind == "text" and (texts := _texts_of(said.conditions)):
        return texts
    if not columns or columns[0].kind != "text" or not said.runs:
        return ()
    query = _values_query(table, columns, said.runs[:_MOST_RUNS])
    found = fact_of(query, state.facts)
    return (Probe(query),) if found is None else tuple(one.value for one in _held(found))


def _texts_of(conditions: Sequence[str]) -> tuple[str, ...]:
    """Return the values of conditions that were said in full: `REGION IN ('EU', 'US')`."""
    if any(_OTHERWISE.search(one) for one in conditions):
        return ()
    return tuple(found.replace("''", "'") for one in conditions for found in _TEXTS_IN.findall(one))


def _about_rows(goal: str, columns: Sequence[TableColumn], names: Mapping[str, Any]) -> str:
    """Return a goal without what other inputs took of it: a stage, a new name, what is left out.

    What is taken is blank, so that everything else stands where it was said.
    """
    taken = [*stretches_left_out(goal, [c.sql for c in columns])] if LEFT_OUT in names else []
    others = [one for one in map(names.get, ("stage", "other")) if isinstance(one, Name)]
    keys = {key: "" for one in others for key in (spoken_key(one.name), last_word_key(one.fqn))}
    for column in ("", *(spoken_key(one.name) for one in columns)):
        keys.pop(column, None)
    taken += [(start, end) for start, end, _ in mentions(goal, keys)]
    if not NEW_TABLES.isdisjoint(names):
        taken += stretches_naming(goal)
    for start, end in taken:
        goal = goal[:start] + " " * (end - start) + goal[end:]
    return goal


def _said(
    goal: str,
    state: ThreadState,
    columns: Sequence[TableColumn],
    table: Name,
    moment: str | None,
    held: Sequence[HeldValue] = (),
) -> SaidRows:
    today = date.fromisoformat(state.updated_at[:10]) if state.updated_at else date.max
    return rows_said(goal, columns, table=table.name, moment=moment, today=today, held=held)


def _columns(described: Fact) -> tuple[TableColumn, ...]:
    return tuple(
        TableColumn(str(row.get("name", "")), _KINDS.get(_word(row.get("type")), "other"))
        for row in described.rows
    )


def _word(type_name: Any) -> str:
    return str(type_name).partition("(")[0].upper()


def _moment(playbook: Playbook, names: Mapping[str, Any]) -> str | None:
    """Return the column of time that another input has settled."""
    told = (names.get(spec.name) for spec in playbook.inputs if _is_of_moments(spec))
    return next((column.name for column in told if isinstance(column, Name)), None)


def _is_of_moments(spec: InputSpec) -> bool:
    return bool(spec.choices) and str(spec.choices[0]).startswith("{date columns")


def columns_holding(value: str, table: Name, facts: Sequence[Fact]) -> str | tuple[str, ...]:
    """Return the columns of texts, as SQL, of a described table that hold a value.

    Where that is not known yet, the query that tells it.
    """
    described = fact_of(columns_query(table), facts)
    columns = _columns(described) if described is not None else ()
    texts = [column for column in columns if column.kind == "text"][:_MOST_COLUMNS]
    if not texts:
        return ()
    query = _values_query(table, texts, (value.lower(),))
    found = fact_of(query, facts)
    if found is None:
        return query
    return tuple(dict.fromkeys(render_name((one.column,)) for one in _held(found)))


def _values_query(table: Name, columns: Sequence[TableColumn], runs: Sequence[str]) -> str:
    """Return the query that tells which columns hold what was said, in any case of letters."""
    listed = ", ".join(literal(run) for run in runs)
    parts = (
        f'SELECT {literal(column.name)} AS "column", {column.sql} AS "value" FROM {table.fqn} '
        f"WHERE LOWER({column.sql}) IN ({listed}) GROUP BY {column.sql}"
        for column in columns
    )
    return f"{' UNION ALL '.join(parts)} ORDER BY 1, 2 LIMIT {_MOST_VALUES} {_MARK}"


def _held(found: Fact) -> tuple[HeldValue, ...]:
    return tuple(HeldValue(str(row["column"]), str(row["value"])) for row in found.rows)


def _known(spec: InputSpec, value: object) -> Record:
    return gathered(spec, coerce(spec, value) if value is not None else None)
