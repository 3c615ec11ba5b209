"""How a missing input is asked for: structured choices first, from the account where it knows.

Room: laws. Spec: Principles > Lazy context; Skill constraint 7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.engine.inputs.free_names import FreeName, free_name_of, offers_free_name
from skills_nb.engine.inputs.listed_objects import (
    IN_ORDER,
    LISTED_OBJECTS,
    MOST_CHOICES,
    listing,
    listing_of_named,
)
from skills_nb.engine.inputs.wording.named_choices import spoken_names
from skills_nb.engine.inputs.wording.named_roles import OWN_ROLES, own_roles
from skills_nb.model.events import AccountContext, Option
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Fact, Pause
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.probes import like_pattern
from skills_nb.sql.templates import Name

DISCOVERY = {
    "scope": "SHOW SCHEMAS IN ACCOUNT",
    "schema": "SHOW SCHEMAS IN ACCOUNT",
    "database": "SHOW DATABASES",
    "warehouse": "SHOW WAREHOUSES",
}
"""Read-only query that lists what a person may choose, by input type."""

_SYSTEM_SCHEMAS = frozenset({"INFORMATION_SCHEMA"})
_SYSTEM_DATABASES = frozenset({"SNOWFLAKE", "SNOWFLAKE_SAMPLE_DATA"})
_ALWAYS = (
    Option(id="abort", description="Stop here"),
    Option(id="different-approach", description="This does not fit"),
)
"""What every question offers last."""
ALL_ROWS = "all-rows"
"""The answer that sets no condition on the rows."""
_COLUMNS = re.compile(r"\{(?:(?P<kind>date|json|number) )?columns of (?P<table>.+)\}", re.DOTALL)
_SEMANTIC = re.compile(r"\{(?P<kind>metrics|dimensions) of (?P<view>\w+)\}")
_KIND = re.compile(r"\{(?P<granted>granted )?kind of (?P<table>\w+)\}")
_TYPE = re.compile(r"\{type of (?P<column>\w+) in (?P<table>\w+)\}")
_PLACES = "{databases and schemas}"
_LISTED_OF_ACCOUNT = {
    _PLACES: "SHOW SCHEMAS IN ACCOUNT",
    "{roles}": "SHOW ROLES",
    "{users}": "SHOW USERS",
    "{shares}": 'SHOW SHARES ->> SELECT "name" FROM $1 WHERE "kind" = \'OUTBOUND\' ORDER BY 1',
    "{network policies}": "SHOW NETWORK POLICIES",
    "{warehouses}": "SHOW WAREHOUSES",
    "{resource monitors}": "SHOW RESOURCE MONITORS",
    "{compute pools}": "SHOW COMPUTE POOLS",
}
"""The query that lists what stands in no schema; shares are those that the account gives."""
_KINDS = {
    "date": re.compile(r"DATE|TIMESTAMP", re.IGNORECASE),
    "json": re.compile(r"VARIANT|OBJECT|ARRAY", re.IGNORECASE),
    "number": re.compile(r"NUMBER|DECFLOAT|FLOAT", re.IGNORECASE),
}
"""How the types of columns of a kind begin."""
_DROPPED = "{dropped tables}"
_LIST_OF_DROPPED = (
    'SHOW TABLES HISTORY IN ACCOUNT ->> SELECT DISTINCT "database_name", "schema_name", "name" '
    'FROM $1 WHERE "dropped_on" IS NOT NULL'
    " AND \"database_name\" NOT IN ('', 'SNOWFLAKE', 'SNOWFLAKE_SAMPLE_DATA') ORDER BY 1, 2, 3"
)
"""The query that lists what can still be restored, whose names may be taken again."""
DROPPED_TABLES = f"{_LIST_OF_DROPPED} LIMIT {MOST_CHOICES}"
"""The same, as many as are offered."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a question offers, and where it comes from."""

    values: tuple[str, ...]
    """As they are answered; empty where nothing is offered."""
    discovery: str | None = None
    """A read-only query to run first, where choices come from the account."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What is said beside some of the values."""


def choices_for(
    spec: InputSpec,
    context: AccountContext | None,
    facts: Iterable[Fact],
    bound: Mapping[str, Any],
    goal: str = "",
) -> Choices:
    """Return the structured choices of an input, or the query that would tell them.

    Args:
        spec: the input.
        context: what is known of the session.
        facts: what was looked up so far.
        bound: inputs and results that are known by name.
        goal: a person's words; tables that they name are looked for first.
    """
    known = list(facts)
    if spec.type == "boolean":
        return Choices(("true", "false"))
    if spec.choices and (columns := _COLUMNS.fullmatch(str(spec.choices[0]))):
        return _columns_of(_bound_table(columns["table"], bound), columns["kind"], known)
    if (part := _SEMANTIC.fullmatch(_only_choice(spec))) is not None:
        view = _bound_table(part["view"], bound)
        return _looked_up(spec, f"SHOW SEMANTIC {part['kind'].upper()} IN {view}", known)
    if (kind := kind_of(spec)) is not None:
        return _objects(spec, kind, goal, known)
    if _only_choice(spec) == _DROPPED:
        return _looked_up(spec, DROPPED_TABLES, known)
    if (of_account := _LISTED_OF_ACCOUNT.get(_only_choice(spec))) is not None:
        return _looked_up(spec, of_account, known)
    if (one := _TYPE.fullmatch(_only_choice(spec))) is not None:
        return _type_of(bound.get(one["column"]), bound.get(one["table"]), known)
    if (one := _KIND.fullmatch(_only_choice(spec))) is not None:
        return _kind_of_relation(bound.get(one["table"]), known, is_granted=bool(one["granted"]))
    if offers_free_name(spec):
        return _free_name(free_name_of(spec, bound), known)
    if spec.choices:
        return Choices(tuple(_expanded(spec.choices, context, bound)))
    if spec.type == "role" and context is not None:
        return Choices(tuple(own_roles(context))[:MOST_CHOICES])
    return _looked_up(spec, DISCOVERY[spec.type], known) if spec.type in DISCOVERY else Choices(())


def _looked_up(spec: InputSpec, query: str, facts: Sequence[Fact]) -> Choices:
    found = fact_of(query, facts)
    if found is None:
        return Choices((), discovery=query)
    return Choices(tuple(_listed(spec, found))[:MOST_CHOICES])


def _free_name(wanted: FreeName | None, facts: Sequence[Fact]) -> Choices:
    found = fact_of(wanted.query, facts) if wanted is not None else None
    if wanted is None or (found is not None and found.error is not None):
        return Choices(())
    if found is None:
        return Choices((), discovery=wanted.query)
    name = wanted.among({str(row.get("name", "")) for row in found.rows})
    return Choices((name,) if name is not None else ())


def fact_of(query: str, facts: Iterable[Fact]) -> Fact | None:
    """Return what a query found last, or None where it was not asked."""
    return next((fact for fact in reversed(tuple(facts)) if fact.query == query), None)


def kind_of(spec: InputSpec) -> tuple[str, str] | None:
    """Return what SHOW lists of the kind of objects that an input is, and where the database is."""
    return LISTED_OBJECTS.get(_only_choice(spec))


def _only_choice(spec: InputSpec) -> str:
    return str(spec.choices[0]) if len(spec.choices) == 1 else ""


def _objects(spec: InputSpec, kind: tuple[str, str], goal: str, facts: Sequence[Fact]) -> Choices:
    """Return the objects of a kind that a goal names; where it names none, the first of all."""
    if spoken_names(goal):
        named = _looked_up(spec, listing_of_named(kind, goal), facts)
        if named.discovery is not None or named.values:
            return named
    return _looked_up(spec, listing(*kind) + IN_ORDER, facts)


def tables_query(goal: str) -> str | None:
    """Return the query that lists the tables and views which a goal may name; None for no word."""
    return listing_of_named(LISTED_OBJECTS["{tables}"], goal) if spoken_names(goal) else None


def listed_tables(fact: Fact) -> tuple[str, ...]:
    """Return the full names of what `tables_query` found."""
    return tuple(_listed(InputSpec("source", type="table"), fact))


def columns_choice(table: str) -> str:
    """Return the choice that stands for the columns of a table, named in full."""
    return f"{{columns of {table}}}"


def looks_at_account(spec: InputSpec) -> bool:
    """Tell whether the choices of an input are what the account holds: objects, columns, users."""
    first = _only_choice(spec)
    is_listed = first in (*LISTED_OBJECTS, *_LISTED_OF_ACCOUNT, _DROPPED)
    forms = (_TYPE, _KIND, _COLUMNS, _SEMANTIC)
    return is_listed or any(form.fullmatch(first) is not None for form in forms)


def _bound_table(said: str, bound: Mapping[str, Any]) -> str:
    """Return the table that an input of that name holds, else the name itself."""
    value = bound.get(said)
    return said if value is None else render_name(value.parts)


def _columns_of(table: str, kind: str | None, facts: Sequence[Fact]) -> Choices:
    query = columns_query(Name.parse(table))
    found = fact_of(query, facts)
    if found is None:
        return Choices((), discovery=query)
    wanted = _KINDS.get(kind or "", re.compile(""))
    rows = [row for row in found.rows if wanted.match(str(row.get("type", "")))][:MOST_CHOICES]
    names = [render_name((str(row.get("name", "")),)) for row in rows]
    policies = (str(row.get("policy name") or "") for row in rows)
    notes = {name: f"Masked by {one}" for name, one in zip(names, policies, strict=True) if one}
    return Choices(tuple(names), notes=notes)


def _type_of(column: Any, table: Any, facts: Sequence[Fact]) -> Choices:
    """Return the type of a column in one word: NUMBER, VARCHAR, TIMESTAMP_NTZ."""
    if column is None or table is None:
        return Choices(())
    query = columns_query(table)
    found = fact_of(query, facts)
    if found is None:
        return Choices((), discovery=query)
    row = next((row for row in found.rows if row.get("name") == column.name), {})
    word = str(row.get("type", "")).partition("(")[0]
    return Choices((word,) if word else ())


def _kind_of_relation(table: Any, facts: Sequence[Fact], *, is_granted: bool) -> Choices:
    """Return how ALTER, or GRANT, calls what an input holds.

    What is not there is called a table, so that the account says that it is not there.
    """
    if table is None:
        return Choices(())
    *place, last = table.parts
    where = f" IN SCHEMA {render_name(place)}" if place else ""
    query = f"SHOW OBJECTS LIKE {like_pattern(last)}{where}"
    found = fact_of(query, facts)
    if found is None:
        return Choices((), discovery=query)
    row: Mapping[str, Any] = next((row for row in found.rows if row.get("name") == last), {})
    if is_granted and row.get("is_dynamic") == "Y":
        return Choices(("DYNAMIC TABLE",))
    return Choices(("VIEW",) if row.get("kind") == "VIEW" else ("TABLE",))


def question(spec: InputSpec, choices: Choices) -> Pause:
    """Return the pause that asks for an input."""
    options = [Option(id=one, description=choices.notes.get(one, "")) for one in choices.values]
    if not choices.values or spec.type not in ("choice", "boolean"):
        why = spec.open_ended_because
        options.append(Option(id="other", description=why))
    options += _ALWAYS
    return Pause(
        kind="input_question",
        at=f"input:{spec.name}",
        present=spec.description or spec.name,
        options=tuple(options),
    )


def lists_tables(spec: InputSpec) -> bool:
    """Tell whether an input offers the tables and views of the account."""
    return _only_choice(spec) == "{tables}"


def lists_dropped(spec: InputSpec) -> bool:
    """Tell whether an input offers what was dropped, beside which it may name what is there."""
    return _only_choice(spec) == _DROPPED


def question_of_rows(spec: InputSpec, unread: Sequence[str], offers: Sequence[str]) -> Pause:
    """Return the pause that asks which rows count, where some words could not be read.

    Args:
        spec: the input.
        unread: the words.
        offers: conditions that they may stand for.
    """
    told = " and ".join(f"“{words}”" for words in unread)
    every = Option(id=ALL_ROWS, description=f"Every row, whatever {told} means" if told else "")
    options = (
        *(Option(id=condition, description="") for condition in offers),
        *(() if spec.required else (every,)),
        Option(id="other", description="A condition, such as AMOUNT > 10 AND CITY = 'Oslo'"),
        *_ALWAYS,
    )
    if offers:
        present = f"Which rows? {told} may be about several columns."
    elif told:
        present = f"Which rows? I can't tell which ones you mean by {told}."
    else:
        present = spec.description
    return Pause(kind="input_question", at=f"input:{spec.name}", present=present, options=options)


def table_of_columns(spec: InputSpec) -> str:
    """Return the input whose table an input's choices are columns of; empty for none."""
    columns = _COLUMNS.fullmatch(_only_choice(spec))
    return columns["table"] if columns is not None else ""


def columns_query(table: Name) -> str:
    """Return the query that describes a table's columns."""
    return f"DESCRIBE TABLE {table.fqn}"


def _expanded(
    choices: Iterable[Any], context: AccountContext | None, bound: Mapping[str, Any]
) -> Iterator[str]:
    for choice in choices:
        text = str(choice)
        if text == OWN_ROLES and context is not None:
            yield from own_roles(context)
        elif text.startswith("{") and text.endswith("}"):
            yield from (str(item) for item in bound.get(text[1:-1]) or ())
        else:
            yield text


def _listed(spec: InputSpec, fact: Fact) -> Iterator[str]:
    if spec.type == "scope" and _only_choice(spec) in ("", _PLACES):
        found = {str(row.get("database_name", "")): None for row in fact.rows}
        yield from (render_name((name,)) for name in found if name not in _SYSTEM_DATABASES)
    for row in fact.rows:
        name = str(row.get("name", ""))
        database = str(row.get("database_name", ""))
        if "semantic_view_name" in row:
            yield render_name((name,))
        elif "schema_name" in row:
            yield render_name((database, str(row["schema_name"]), name))
        elif spec.type in ("scope", "schema"):
            if name not in _SYSTEM_SCHEMAS and database not in _SYSTEM_DATABASES:
                yield render_name((database, name))
        elif name not in _SYSTEM_DATABASES:
            yield render_name((name,))
