"""What hung on an object that is made anew by its definition, and is put back on it.

Room: sql. UNDROP brings a table back with everything on it; a definition brings back what it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects.inverse_grants import regrant
from skills_nb.sql.objects.object_refs import ObjectRef
from skills_nb.sql.objects.prior_state import Before, cell_of, columns_of, policy_of
from skills_nb.sql.tokens import literal

Row = Mapping[str, Any]

_RUNNING = frozenset({"TASK", "ALERT"})
"""Kinds that are suspended when they are made."""
_ON_COLUMNS = frozenset({"MASKING_POLICY", "PROJECTION_POLICY"})


def put_back(ref: ObjectRef, before: Before, definition: str) -> Iterator[str]:
    """Yield the statements that hang everything on an object again: its owner comes last but one.

    Args:
        ref: the object, made anew.
        before: what was known of it.
        definition: the statement that made it, which may say some of it.
    """
    name = render_name(ref.name) + ref.signature
    head = f"ALTER {ref.kind} {name}"
    comment = before.cell("comment")
    if comment is not None and literal(comment) not in definition:
        yield f"COMMENT ON {ref.kind} {name} IS {literal(comment)}"
    for row in before.grants:
        yield from regrant(ref, row)
    rows = [row for found in before.hanging.values() for row in found]
    yield from dict.fromkeys(text for row in rows for text in _tagged(ref, head, row))
    for row in rows:
        if (policy := policy_of(row)) is not None and policy not in definition:
            yield from _governed(head, policy, row)
    yield from _owned(ref, name, before)
    yield from _as_it_ran(ref, head, before, rows)


def _tagged(ref: ObjectRef, head: str, row: Row) -> Iterator[str]:
    """Yield the tag that a row of TAG_REFERENCES tells, unless it is inherited."""
    parts = [cell_of(row, f"tag_{part}") for part in ("database", "schema", "name")]
    value, level = cell_of(row, "tag_value"), cell_of(row, "level")
    if value is None or None in parts:
        return
    tag = f"SET TAG {render_name([part for part in parts if part])} = {literal(value)}"
    column = cell_of(row, "column_name")
    if level == "COLUMN" and column is not None:
        yield f"{head} MODIFY COLUMN {quote(column)} {tag}"
    elif level in (ref.kind, "TABLE", "VIEW"):
        yield f"{head} {tag}"


def _governed(head: str, policy: str, row: Row) -> Iterator[str]:
    """Yield what sets a policy again; one that comes with a tag comes back with the tag."""
    kind, column = cell_of(row, "policy_kind"), cell_of(row, "ref_column_name")
    if kind is None or cell_of(row, "tag_name") is not None:
        return
    words, names = kind.replace("_", " "), ", ".join(map(quote, columns_of(row)))
    if kind == "ROW_ACCESS_POLICY":
        yield f"{head} ADD ROW ACCESS POLICY {policy} ON ({names})"
    elif kind in _ON_COLUMNS and column is not None:
        others = [quote(column), *map(quote, columns_of(row))]
        using = f" USING ({', '.join(dict.fromkeys(others))})" if names else ""
        yield f"{head} MODIFY COLUMN {quote(column)} SET {words} {policy}{using}"
    else:
        yield f"{head} SET {words} {policy}"


def _owned(ref: ObjectRef, name: str, before: Before) -> Iterator[str]:
    """Yield what gives an object back to its owner, where somebody else makes it anew."""
    owners = (
        cell_of(row, "grantee_name")
        for row in before.grants
        if cell_of(row, "privilege") == "OWNERSHIP"
    )
    owner = next(owners, None)
    if owner is not None and owner != before.role:
        to = f"ROLE {render_name((owner,))}"
        yield f"GRANT OWNERSHIP ON {ref.kind} {name} TO {to} COPY CURRENT GRANTS"


def _as_it_ran(ref: ObjectRef, head: str, before: Before, rows: list[Row]) -> Iterator[str]:
    if ref.kind in _RUNNING and (before.cell("state") or "").lower() == "started":
        yield f"{head} RESUME"
    if ref.kind == "PIPE" and any(cell_of(row, "state") == "PAUSED" for row in rows):
        yield f"{head} SET PIPE_EXECUTION_PAUSED = TRUE"
