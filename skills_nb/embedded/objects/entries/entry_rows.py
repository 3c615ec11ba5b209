"""Rows of entries: SHOW and DESCRIBE.

Room: embedded. A column is read from what every object has, from the property of its name, or from
the kind's own cells; a column that only a running thing could fill is NULL.

See https://docs.snowflake.com/en/sql-reference/sql/show-compute-pools and the pages beside it
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.objects.entries.entry_rules import Held, properties_of
from skills_nb.embedded.objects.object_kind import Row
from skills_nb.embedded.session.context import Context
from skills_nb.sql.identifiers import render_name, split_name

Cells = Callable[[Context, Entity, Held], Mapping[str, Any]]
"""Returns the values of columns that are more than a property, by their names."""


_NAMED = ("QUERY_WAREHOUSE", "COMPUTE_POOL", "WAREHOUSE")
"""Properties that name an object of the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How the entries of one kind are shown."""

    plural: str
    """The words after SHOW."""
    columns: str
    """Columns of SHOW, with types as `columns_of` reads them."""
    described: str = ""
    """Columns of DESCRIBE; empty where it answers as SHOW does."""
    cells: Cells = lambda _session, _entity, _held: {}
    """What the kind alone fills."""

    def row(self, session: Context, entity: Entity) -> Row:
        """Return an entry's row of SHOW."""
        return self._row(session, entity, self.columns)

    def describe(self, session: Context, entity: Entity) -> tuple[str, list[Row]]:
        """Describe an entry in one row."""
        columns = self.described or self.columns
        return columns, [self._row(session, entity, columns)]

    def _row(self, session: Context, entity: Entity, columns: str) -> Row:
        held = properties_of(entity)
        cells = {**_usual(entity, held), **self.cells(session, entity, held)}
        return tuple(cells.get(word.partition(":")[0]) for word in columns.split())


def _usual(e: Entity, held: Held) -> Mapping[str, Any]:
    """Return what every object has."""
    path = (*e.path[:-1], None, None)[:2] if e.kind.depth > 1 else (None, None)
    return {
        "created_on": e.created_on,
        "updated_on": e.altered_on or e.created_on,
        "name": e.name,
        "database_name": path[0],
        "schema_name": path[1],
        "owner": e.owner,
        "owner_role_type": "ROLE",
        "comment": e.comment,
        **{key.lower(): _spelled(value) for key, value in held.items()},
        **{key.lower(): stored(held[key]) for key in _NAMED if key in held},
    }


def stored(name: Any) -> Any:
    """Return the name of an object that a property holds as it is stored, without quotes."""
    return split_name(name)[-1] if isinstance(name, str) and name else name


def _spelled(value: Any) -> Any:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(str(item) for item in value)
        case dict():
            return json.dumps(value)
        case _:
            return value


# ---- cells that several kinds have


def bracketed(values: list[str] | None) -> str | None:
    """Write a list as SHOW does for some columns: `["A", "B"]`."""
    return None if values is None else "[" + ", ".join(f'"{v}"' for v in values) + "]"


def url_id(e: Entity) -> str:
    """Return the last part of the address where a browser would find the object."""
    return f"{e.id:020d}"


def live_uri(e: Entity, held: Held) -> str | None:
    """Return where the files of the live version would be."""
    word = e.kind.value.lower()
    return f"snow://{word}/{render_name(e.path)}/versions/live/" if held.get("_LIVE") else None


# ---- DESCRIBE property by property


def type_of(value: Any) -> str:
    """Return the type that DESCRIBE tells of a property."""
    if isinstance(value, bool):
        return "Boolean"
    return "List" if isinstance(value, list) else "String"


def property_text(value: Any) -> str:
    """Write a property's value as DESCRIBE does."""
    match value:
        case None:
            return "null"
        case list():
            return ",".join(str(v) for v in value)
        case _:
            return str(_spelled(value))
