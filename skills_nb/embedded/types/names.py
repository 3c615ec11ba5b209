"""Names: from what was typed to what is stored, as sqlglot trees have it.

Room: embedded. Pure. Unquoted identifiers are upper case, quoted ones as they stand; in the
rewritten query every identifier is quoted.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.sql.identifiers import SqlNameError, split_name, with_public

ROWS = "rows_of_a_table_function"
"""Says of an expression that a table function unnests it; no text parses to it."""
GOVERNED = "governed"
"""Marks table references that the account itself wrote; no text parses to it."""


def stored(node: exp.Expr | str | None) -> str:
    """Return the stored name of an identifier.

    Raises:
        SqlError: it is the text that the parser puts where a name is missing (1003).
    """
    if isinstance(node, str):
        raise errors.syntax("syntax error: unexpected '.'.")
    if isinstance(node, exp.Identifier):
        return str(node.this) if node.args.get("quoted") else str(node.this).upper()
    return node.name.upper() if node is not None else ""


def quoted(name: str) -> exp.Identifier:
    """Make an identifier for a stored name."""
    return exp.to_identifier(name, quoted=True)


def column(name: str, table: str | None = None) -> exp.Column:
    """Make a column reference from stored names."""
    return exp.Column(this=quoted(name), table=quoted(table) if table else None)


def table_path(node: exp.Table) -> tuple[str, ...]:
    """Return the stored parts of a table reference, IDENTIFIER('…') resolved.

    Raises:
        SqlError: a part is missing between dots (1003), or IDENTIFIER holds no name.
    """
    inner = node.this
    if isinstance(inner, exp.DynamicIdentifier):
        return dynamic_path(inner)
    parts = [node.args.get("catalog"), node.args.get("db"), inner]
    flat: list[str] = []
    for part in parts:
        while isinstance(part, exp.Dot):
            flat.append(stored(part.this))
            part = part.expression
        if part is not None:
            flat.append(stored(part))
    return tuple(flat)


def column_path(node: exp.Column) -> tuple[str, ...]:
    """Return the stored parts of a column reference, its qualifiers first."""
    return tuple(stored(part) for part in node.parts)


def dynamic_path(node: exp.Expr) -> tuple[str, ...]:
    """Return the stored parts of IDENTIFIER('a.b.c').

    Raises:
        SqlError: what stands in IDENTIFIER is no string (0A000), or no name (1003).
    """
    literal = node.this
    if not (isinstance(literal, exp.Literal) and literal.is_string):
        raise errors.unsupported("IDENTIFIER of an expression")
    return typed_path(literal.name)


def typed_path(text: object) -> tuple[str, ...]:
    """Return the stored parts of a dotted name inside a string.

    An argument that is no string, a number perhaps, is no name either.

    Raises:
        SqlError: the text is no name (1003).
    """
    try:
        return split_name(with_public(str(text)))
    except SqlNameError as error:
        raise errors.syntax(f"syntax error: invalid identifier {text!r}") from error


def physical_table(place: tuple[str, str]) -> exp.Table:
    """Name the DuckDB table that holds the rows."""
    return own(exp.Table(this=quoted(place[1]), db=quoted(place[0])))


def own(node: exp.Table) -> exp.Table:
    """Mark a table reference as one that the account wrote."""
    node.set(GOVERNED, True)
    return node


def is_recursive(cte: exp.CTE, name: str) -> bool:
    """Tell whether the CTE is a union whose second branch reads the CTE itself."""
    if not isinstance(cte.this, exp.Union):
        return False
    tables = cte.this.right.find_all(exp.Table)
    return any(table_path(table) == (name,) for table in tables if _is_named(table))


def _is_named(table: exp.Table) -> bool:
    return isinstance(table.this, exp.Identifier)


def as_written(node: exp.Column) -> str:
    """Spell a reference as an error names it."""
    return ".".join(
        part.sql("snowflake").upper() if not part.args.get("quoted") else part.sql("snowflake")
        for part in node.parts
    )
