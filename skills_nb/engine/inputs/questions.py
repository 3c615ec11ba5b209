"""How a missing input is asked for: structured choices first, from the account where it knows.

Room: laws. Spec: Principles > Lazy context; Skill constraint 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.model.events import AccountContext, Option
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Fact, Pause
from skills_nb.sql.identifiers import render_name, split_name

DISCOVERY = {
    "scope": "SHOW SCHEMAS IN ACCOUNT",
    "schema": "SHOW SCHEMAS IN ACCOUNT",
    "database": "SHOW DATABASES",
    "warehouse": "SHOW WAREHOUSES",
}
"""Read-only query that lists what a person may choose, by input type."""

_SYSTEM_SCHEMAS = frozenset({"INFORMATION_SCHEMA"})
_SYSTEM_DATABASES = frozenset({"SNOWFLAKE", "SNOWFLAKE_SAMPLE_DATA"})
_MOST_CHOICES = 50
_COLUMNS = "{columns of "


@dataclass(frozen=True, slots=True)
class Choices:
    """What a question offers, and where it comes from."""

    values: tuple[str, ...]
    """As they are answered; empty where nothing is offered."""
    discovery: str | None = None
    """A read-only query to run first, where choices come from the account."""


def choices_for(
    spec: InputSpec,
    context: AccountContext | None,
    facts: Iterable[Fact],
    bound: Mapping[str, Any],
) -> Choices:
    """Return the structured choices of an input, or the query that would tell them."""
    if spec.type == "boolean":
        return Choices(("true", "false"))
    if spec.choices and (table := _table_of(spec.choices)):
        return _columns_of(table, facts)
    if spec.choices:
        return Choices(tuple(_expanded(spec.choices, context, bound)))
    if spec.type == "role" and context is not None:
        return Choices(context.available_roles[:_MOST_CHOICES])
    query = DISCOVERY.get(spec.type)
    if query is None:
        return Choices(())
    found = next((fact for fact in reversed(list(facts)) if fact.query == query), None)
    if found is None:
        return Choices((), discovery=query)
    return Choices(tuple(_listed(spec, found))[:_MOST_CHOICES])


def columns_choice(table: str) -> str:
    """Return the choice that stands for the columns of a table, named in full."""
    return f"{_COLUMNS}{table}}}"


def _table_of(choices: Iterable[Any]) -> str | None:
    """Return the table whose columns are the choices, or None."""
    texts = [str(choice) for choice in choices]
    is_table = len(texts) == 1 and texts[0].startswith(_COLUMNS)
    return texts[0].removeprefix(_COLUMNS).removesuffix("}") if is_table else None


def _columns_of(table: str, facts: Iterable[Fact]) -> Choices:
    query = f"DESCRIBE TABLE {render_name(split_name(table))}"
    found = next((fact for fact in reversed(list(facts)) if fact.query == query), None)
    if found is None:
        return Choices((), discovery=query)
    names = (str(row.get("name", "")) for row in found.rows)
    return Choices(tuple(render_name((name,)) for name in names)[:_MOST_CHOICES])


def question(spec: InputSpec, choices: Choices) -> Pause:
    """Return the pause that asks for an input."""
    options = [Option(id=value, description="") for value in choices.values]
    if not choices.values or spec.type not in ("choice", "boolean"):
        why = spec.open_ended_because or "any other value of this kind"
        options.append(Option(id="other", description=why))
    options.append(Option(id="abort", description="Stop here"))
    options.append(Option(id="different-approach", description="This does not fit"))
    return Pause(
        kind="input_question",
        at=f"input:{spec.name}",
        present=spec.description or spec.name,
        options=tuple(options),
    )


def _expanded(
    choices: Iterable[Any], context: AccountContext | None, bound: Mapping[str, Any]
) -> Iterator[str]:
    for choice in choices:
        text = str(choice)
        if text == "{session.available_roles}" and context is not None:
            yield from context.available_roles
        elif text.startswith("{") and text.endswith("}"):
            yield from (str(item) for item in bound.get(text[1:-1]) or ())
        else:
            yield text


def _listed(spec: InputSpec, fact: Fact) -> Iterator[str]:
    for row in fact.rows:
        name = str(row.get("name", ""))
        database = str(row.get("database_name", ""))
        if spec.type in ("scope", "schema"):
            if name not in _SYSTEM_SCHEMAS and database not in _SYSTEM_DATABASES:
                yield render_name((database, name))
        elif name not in _SYSTEM_DATABASES:
            yield render_name((name,))
