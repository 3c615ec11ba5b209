"""The column list of a dynamic table: names, perhaps with types and comments.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-dynamic-table
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.objects.relations.table.column_definitions import column_def
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SfType
from skills_nb.sql.identifiers import quote
from skills_nb.sql.tokens import literal


@dataclass(frozen=True, slots=True)
class Told:
    """What a column list says of a column."""

    name: str
    """Stored name."""
    type: SfType | None = None
    """What the query's values are converted to; None for what they are."""
    comment: str | None = None
    """None for none."""


def told(text: str | None) -> list[Told]:
    """Read a column list; empty where there is none.

    Raises:
        SqlError: it says more of a column than its type and a comment (0A000), or a type is
            another system's (2040) or not supported (0A000).
    """
    if text is None:
        return []
    tree = parsing.parse_statement(f"CREATE VIEW x ({text}) AS SELECT 1")
    assert isinstance(tree.this, exp.Schema)
    return [_told(node) for node in tree.this.expressions]


def _told(node: exp.Expr) -> Told:
    if not isinstance(node, exp.ColumnDef):
        return Told(names.stored(node.this if isinstance(node, exp.Column) else node))
    said = None
    for constraint in node.args.get("constraints") or ():
        kind = constraint.args.get("kind") or constraint
        if not isinstance(kind, exp.CommentColumnConstraint):
            words = kind.sql("snowflake").strip()
            raise errors.unsupported(f"{words} in the column list of a dynamic table")
        said = kind.this.name
    has_type = node.args.get("kind") is not None
    return Told(names.stored(node.this), column_def(node).type if has_type else None, said)


def written(columns: Iterable[ColumnDef], *, with_types: bool) -> str:
    """Write a column list."""
    return ", ".join(
        quote(c.name)
        + (f" {c.type.sql}" if with_types else "")
        + (f" comment {literal(c.comment)}" if c.comment else "")
        for c in columns
    )
