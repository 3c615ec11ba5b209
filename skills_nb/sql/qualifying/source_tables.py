"""Which tables, views and streams a statement reads that writes rows.

Room: sql. What only an account can tell (what a view reads, what a variable holds) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sqlglot import exp

from skills_nb.sql.governance.ast import Name
from skills_nb.sql.objects.object_refs import ObjectRef, Place
from skills_nb.sql.objects.statements_in_blocks import statements_within
from skills_nb.sql.qualifying.query_names import parse_one, stored_part
from skills_nb.sql.tokens import tokenize

_WRITES = frozenset({"INSERT", "MERGE", "UPDATE", "DELETE", "COPY", "CREATE"})
_FULL = 3
"""Parts of a name in full."""


@lru_cache(maxsize=1024)
def sources_of(sql: str, database: str | None, schema: str | None) -> tuple[ObjectRef, ...]:
    """Return what a text's writing statements read, each once, as the streams that it may be."""
    place = Place(database, schema)
    found: dict[ObjectRef, None] = {}
    for text in statements_within(sql):
        tokens = tokenize(text)
        if tokens and tokens[0].word in _WRITES:
            found.update(dict.fromkeys(place.ref("STREAM", name) for name in _read_by(text)))
    return tuple(ref for ref in found if len(ref.name) == _FULL)


@lru_cache(maxsize=4096)
def relations_read(sql: str, database: str | None, schema: str | None) -> tuple[Name, ...]:
    """Return the full names of what a text's statements read, or will read once they stand.

    A view and a dynamic table are made on what they read later.
    """
    place = Place(database, schema)
    found: dict[Name, None] = {}
    for text in statements_within(sql):
        tokens = tokenize(text)
        if tokens and tokens[0].word in _WRITES:
            names = _read_by(text, with_definitions=True)
            found.update(dict.fromkeys(place.ref("TABLE", name).name for name in names))
    return tuple(name for name in found if len(name) == _FULL)


@lru_cache(maxsize=4096)
def defined_on(sql: str, database: str | None, schema: str | None) -> tuple[Name, ...]:
    """Return the full names of what the views and dynamic tables that a text makes will read."""
    now = {ref.name for ref in sources_of(sql, database, schema)}
    return tuple(name for name in relations_read(sql, database, schema) if name not in now)


def _read_by(text: str, *, with_definitions: bool = False) -> Iterator[Name]:
    tree = parse_one(text)
    if not isinstance(tree, exp.DML | exp.Create | exp.MultitableInserts | exp.Copy):
        return
    if isinstance(tree, exp.Create) and _only_defines(tree) and not with_definitions:
        return
    target = tree.this.find(exp.Table) if isinstance(tree.this, exp.Expr) else None
    defined = {stored_part(cte.args["alias"].this) for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        parts = table.parts
        if table is target or not all(isinstance(part, exp.Identifier) for part in parts):
            continue
        name = tuple(map(stored_part, parts))
        if len(name) > 1 or name[0] not in defined:
            yield name


def _only_defines(tree: exp.Create) -> bool:
    """Tell a view or dynamic table, which reads nothing when it is made, from a table."""
    is_table = str(tree.args.get("kind")).upper() == "TABLE"
    return not is_table or tree.find(exp.DynamicProperty) is not None
