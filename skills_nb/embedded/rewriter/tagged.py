"""Tags of what a policy protects, put where its body asks for them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/system_get_tag_on_current_column and
https://docs.snowflake.com/en/sql-reference/functions/system_get_tag_on_current_table
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.rewriter.context import text
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names

_COLUMN = "SYSTEM$GET_TAG_ON_CURRENT_COLUMN"
_TABLE = "SYSTEM$GET_TAG_ON_CURRENT_TABLE"
ValueOf = Callable[[tuple[str, ...], bool], str | None]
"""The value of a tag, on the column or (False) on the table."""


def put(body: exp.Expr, value_of: ValueOf) -> None:
    """Replace the two functions below the root of a body with what they answer.

    Raises:
        SqlError: one of them is called with anything but one text (1014).
    """
    for node in list(body.find_all(exp.Anonymous)):
        name = str(node.this).upper()
        if name not in (_COLUMN, _TABLE):
            continue
        given = node.expressions
        if len(given) != 1 or not (isinstance(given[0], exp.Literal) and given[0].is_string):
            raise errors.invalid_argument(f"{name} takes the name of a tag.")
        node.replace(text(value_of(names.typed_path(given[0].name), name == _COLUMN)))


def on(session: Context, policy: Entity, target: Entity, column: str) -> ValueOf:
    """Answer for one column of a table or view; names are those of the policy's schema."""

    def value_of(tag: tuple[str, ...], of_column: bool) -> str | None:
        path = (*policy.path[: 3 - len(tag)], *tag)
        return session.tag_value(path, target, column if of_column else "")

    return value_of


def unknown(tag: tuple[str, ...], of_column: bool) -> None:
    """Answer NULL: a body is checked before it protects anything."""
