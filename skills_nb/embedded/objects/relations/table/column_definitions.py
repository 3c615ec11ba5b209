"""Definitions: columns and options of CREATE TABLE, read from the tree.

Room: embedded. A constraint or option that is not read here is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import effective
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.executor import column_defaults
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.relations.table import default_types
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import of_data_type
from skills_nb.sql.governance import ast

Clauses = tuple[ast.TableAction, ...]
"""The policies and tags that a CREATE names."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What CREATE TABLE or CREATE VIEW says beside columns."""

    comment: str | None = None
    """The text of COMMENT; None where the clause is missing."""
    transient: bool = False
    """Whether TRANSIENT was written."""
    temporary: bool = False
    """Whether what is made goes with its session."""
    secure: bool = False
    """Whether SECURE was written; of a view."""
    materialized: bool = False
    """Whether MATERIALIZED was written; of a view."""
    like: tuple[str, ...] | None = None
    """Stored parts of the table behind LIKE; None where the columns are listed."""
    copy_grants: bool = False
    """Whether it keeps the privileges of what it replaces."""
    cluster_by: str = ""
    """`LINEAR(…)` over the expressions as written; empty for none."""
    retention_days: int | None = None
    """DATA_RETENTION_TIME_IN_DAYS; None where the schema's counts."""
    change_tracking: bool = False
    """Whether CHANGES may be asked of it before there is a stream."""


def table_options(tree: exp.Create) -> TableOptions:
    """Read the options of a CREATE.

    Raises:
        SqlError: the account does not support an option (0A000).
    """
    options = TableOptions()
    properties = tree.args.get("properties")
    for option in properties.expressions if properties else ():
        match option:
            case exp.SchemaCommentProperty():
                options = replace(options, comment=option.this.name)
            case exp.TransientProperty():
                options = replace(options, transient=True)
            case exp.TemporaryProperty():
                options = replace(options, temporary=True)
            case exp.SecureProperty():
                options = replace(options, secure=True)
            case exp.MaterializedProperty():
                options = replace(options, materialized=True)
            case exp.LikeProperty():
                options = replace(options, like=names.table_path(option.this))
            case exp.CopyGrantsProperty():
                options = replace(options, copy_grants=True)
            case exp.ClusterProperty():
                listed = ", ".join(e.sql("snowflake") for e in option.expressions)
                options = replace(options, cluster_by=clustering.shown(listed))
            case exp.Property():
                options = _named_option(options, option)
            case _:
                raise errors.unsupported(option.sql("snowflake").strip())
    return options


def _named_option(options: TableOptions, option: exp.Property) -> TableOptions:
    name, value = option.name.upper(), option.args.get("value")
    if name == "DATA_RETENTION_TIME_IN_DAYS" and isinstance(value, exp.Literal):
        return replace(options, retention_days=properties.retention({name: int(value.name)}))
    if name == "CHANGE_TRACKING" and isinstance(value, exp.Boolean):
        return replace(options, change_tracking=bool(value.this))
    raise errors.unsupported(name or f"CREATE {_kind_words(option)} TABLE")


def _kind_words(option: exp.Property) -> str:
    """Return all words before TABLE, as of a DYNAMIC ICEBERG TABLE: one alone may be supported."""
    beside = option.parent.expressions if option.parent is not None else [option]
    said = (one.sql("snowflake").strip() for one in beside if not one.name)
    return " ".join(word for word in said if word.isalpha())


def column_defs(session: Context, tree: exp.Create) -> tuple[ColumnDef, ...]:
    """Read the columns of a CREATE TABLE.

    Raises:
        SqlError: a type is none (2040), a name stands twice (2025), or a default is no simple
            expression (0A000).
    """
    if not isinstance(tree.this, exp.Schema):
        return ()
    columns: list[ColumnDef] = []
    for node in tree.this.expressions:
        if isinstance(node, exp.ColumnDef):
            columns.append(column_def(node))
        else:
            columns = _table_constraint(node, columns)
    refuse_doubles(tuple(c.name for c in columns))
    return tuple(_settled(session, column) for column in columns)


def _settled(session: Context, column: ColumnDef) -> ColumnDef:
    column = with_order(session, column)
    if column.default is None:
        return column
    column_defaults.check(session, column.default)
    default_types.refuse_other(session, column, column.default)
    return replace(column, default=column_defaults.settled(session, column.default))


def with_order(session: Context, column: ColumnDef) -> ColumnDef:
    """Say of AUTOINCREMENT what NOORDER_SEQUENCE_AS_DEFAULT says where its text does not.

    See https://docs.snowflake.com/en/sql-reference/parameters#noorder-sequence-as-default
    """
    if column.identity is None or column.ordered is not None:
        return column
    return replace(column, ordered=not effective(session, "NOORDER_SEQUENCE_AS_DEFAULT"))


_FOREIGN = frozenset({"BIT", "BLOB", "ENUM", "INET", "JSONB"})
"""Types of other systems that Snowflake has under another name or not at all."""


_OTHERS = frozenset({"DECFLOAT", "FILE", "INTERVAL", "UUID", "VECTOR"})
"""Types of Snowflake's that this account does not have."""


def _is_none(kind: exp.Expr | None) -> bool:
    """Tell whether what stands for a type is a name that Snowflake has no type of."""
    if not isinstance(kind, exp.DataType) or kind.this is not exp.DType.USERDEFINED:
        return False
    return kind.sql("snowflake").partition("(")[0].upper() not in _OTHERS


def column_def(node: exp.ColumnDef) -> ColumnDef:
    """Read one column.

    Raises:
        SqlError: its type is another system's (2040), or not supported (0A000).
    """
    kind = node.args.get("kind")
    sf_type = of_data_type(kind) if isinstance(kind, exp.DataType) else None
    if sf_type is None:
        spelling = kind.sql("snowflake") if kind else "missing"
        if spelling.partition("(")[0] in _FOREIGN:
            raise errors.foreign_type(spelling)
        if _is_none(kind):
            raise errors.foreign_type(spelling.partition("(")[0].upper())
        raise errors.unsupported(f"data type {spelling}")
    column = ColumnDef(names.stored(node.this), sf_type)
    for constraint in node.args.get("constraints") or ():
        column = _constrained(column, constraint.args.get("kind") or constraint)
    return column


def _constrained(column: ColumnDef, kind: exp.Expr) -> ColumnDef:
    match kind:
        case exp.NotNullColumnConstraint():
            return replace(column, nullable=bool(kind.args.get("allow_null")))
        case exp.DefaultColumnConstraint():
            return replace(column, default=kind.this.sql("snowflake"))
        case exp.CommentColumnConstraint():
            return replace(column, comment=kind.this.name)
        case exp.PrimaryKeyColumnConstraint():
            return replace(column, primary_key=True, nullable=False)
        case exp.UniqueColumnConstraint():
            return replace(column, unique=True)
        case exp.Reference():
            return column  # the table's constraints hold it
        case exp.AutoIncrementColumnConstraint():
            return replace(column, identity=(1, 1))
        case exp.GeneratedAsIdentityColumnConstraint():
            first, step = (_whole(kind.args.get(word)) for word in ("start", "increment"))
            if step == 0:
                raise errors.invalid_value("0", "INCREMENT")
            return replace(column, identity=(first, step), ordered=kind.args.get("order"))
        case _:
            raise errors.unsupported(kind.sql("snowflake").strip())


def _whole(number: exp.Expr | None) -> int:
    """Read a start or a step, which may be negative; 1 where there is none."""
    if number is None:
        return 1
    sign, value = (-1, number.this) if isinstance(number, exp.Neg) else (1, number)
    if not (isinstance(value, exp.Literal) and value.is_int):
        raise errors.syntax(f"syntax error: '{number.sql('snowflake')}' is no whole number.")
    return sign * int(value.name)


def _table_constraint(node: exp.Expr, columns: list[ColumnDef]) -> list[ColumnDef]:
    inner = node.expressions[0] if isinstance(node, exp.Constraint) else node
    if isinstance(inner, exp.PrimaryKey):
        keys = {names.stored(_bare(e)) for e in inner.expressions}
        return [
            replace(c, primary_key=True, nullable=False) if c.name in keys else c for c in columns
        ]
    if isinstance(inner, exp.UniqueColumnConstraint):
        keys = {names.stored(_bare(e)) for e in inner.this.expressions}
        return [replace(c, unique=True) if c.name in keys else c for c in columns]
    if isinstance(inner, exp.ForeignKey):
        return columns
    raise errors.unsupported(inner.sql("snowflake").strip())


def _bare(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, (exp.Column, exp.Ordered)) else node


def refuse_doubles(listed: tuple[str, ...]) -> None:
    """Refuse two columns of one name, and two that differ only by case.

    Raises:
        SqlError: a name stands twice (2025), or twice but for its case (0A000).
    """
    seen: set[str] = set()
    for name in listed:
        if name in seen:
            raise errors.duplicate_column(name)
        seen.add(name)
    if len({name.upper() for name in seen}) < len(seen):
        raise errors.unsupported("column names that differ only by case")
