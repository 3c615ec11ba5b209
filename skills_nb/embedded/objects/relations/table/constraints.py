"""Constraints: primary, unique and foreign keys, which Snowflake keeps and does not enforce.

Room: embedded. NOT NULL, the only one that is enforced, belongs to the column.

See https://docs.snowflake.com/en/sql-reference/constraints-overview and
https://docs.snowflake.com/en/sql-reference/sql/create-table-constraint
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind, TableConstraint, TableDetail
from skills_nb.embedded.catalog.table_details import GENERATED
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.identifiers import resolve
from skills_nb.sql.tokens import TokenKind, tokenize

PRIMARY, UNIQUE, FOREIGN = "PRIMARY KEY", "UNIQUE", "FOREIGN KEY"


def attach(session: Context, entity: Entity, tree: exp.Create) -> None:
    """Note the keys of a CREATE TABLE."""
    for node in _written(tree):
        entity = _add(session, entity, node)


def settle(session: Context, entity: Entity, tree: exp.Create) -> Entity:
    """Let a table that stands have the keys of a CREATE OR ALTER TABLE, and no others."""
    detail = _table(entity)
    nodes = [(_name(node), node) for node in _written(tree)]
    wanted = [(name, _made(session, detail, name, node), node) for name, node in nodes]
    stay = [h for h in detail.constraints if any(_is_alike(h, made) for _, made, _ in wanted)]
    entity = _without(session, entity, [h for h in detail.constraints if h not in stay])
    for _, made, node in wanted:
        if not any(_is_alike(held, made) for held in stay):
            entity = _add(session, entity, node)
    return entity


def _is_alike(held: TableConstraint, made: TableConstraint) -> bool:
    """Tell whether a key is the one that is written, by its name if it is given one."""
    name = made.name or (held.name if held.name.startswith(GENERATED) else "")
    return replace(made, name=name) == held


def _written(tree: exp.Create) -> Iterator[exp.Expr]:
    """List the keys of a CREATE TABLE, those of columns among them."""
    for node in tree.this.expressions if isinstance(tree.this, exp.Schema) else ():
        yield from _of_column(node) if isinstance(node, exp.ColumnDef) else [node]


def copy(session: Context, entity: Entity, held: Iterable[TableConstraint]) -> Entity:
    """Give a table the keys of another; those that nobody named get names of their own."""
    made = tuple(
        replace(one, name=_generated(session)) if one.name.startswith(GENERATED) else one
        for one in held
    )
    return _put(session, entity, _table(entity), made)


def _generated(session: Context) -> str:
    return f"{GENERATED}{session.account.ids()}"


def _of_column(node: exp.ColumnDef) -> Iterator[exp.Expr]:
    """Write a column's own constraints as the table's."""
    column = node.this.copy()
    for held in node.args.get("constraints") or ():
        name, kind = held.this, held.args.get("kind")
        made: exp.Expr | None = None
        if isinstance(kind, exp.PrimaryKeyColumnConstraint):
            made = exp.PrimaryKey(expressions=[column], options=_options(kind))
        elif isinstance(kind, exp.UniqueColumnConstraint):
            listed = exp.Schema(expressions=[column])
            made = exp.UniqueColumnConstraint(this=listed, options=_options(kind))
        elif isinstance(kind, exp.Reference):
            made = exp.ForeignKey(expressions=[column], reference=kind.copy())
        if made is not None:
            named = isinstance(name, exp.Identifier)
            yield exp.Constraint(this=name.copy(), expressions=[made]) if named else made


def _options(node: exp.Expr) -> list[str]:
    """List the words behind a key; the first one behind UNIQUE is read as its name."""
    named = [node.this] if isinstance(node.this, exp.Identifier) else []
    return [*(names.stored(one) for one in named), *(node.args.get("options") or ())]


def _relies(node: exp.Expr) -> bool:
    """Tell whether RELY is the last word about relying on a key."""
    reference = node.args.get("reference")
    said = [*_options(node), *(_options(reference) if reference is not None else ())]
    return next((word == "RELY" for word in reversed(said) if word in ("RELY", "NORELY")), False)


def alter(session: Context, tree: exp.Alter) -> Outcome:
    """Add and drop constraints of a table.

    See https://docs.snowflake.com/en/sql-reference/sql/alter-table
    """
    path = names.table_path(tree.this)
    if tree.args.get("exists") and access.find(session, Kind.TABLE, path) is None:
        return status(DONE, "ALTER_TABLE")
    session.commit_before_ddl()
    entity = access.owned(session, Kind.TABLE, path)
    for action in tree.args.get("actions") or ():
        if isinstance(action, exp.AddConstraint):
            for node in action.expressions:
                entity = _add(session, entity, node)
        else:
            entity = _drop(session, entity, action)
    return status(DONE, "ALTER_TABLE")


def _table(entity: Entity) -> TableDetail:
    if not isinstance(entity.detail, TableDetail):
        raise errors.wrong_kind(entity.kind.value, entity.path, "TABLE")
    return entity.detail


def _add(session: Context, entity: Entity, node: exp.Expr) -> Entity:
    detail = _table(entity)
    name = _name(node) or _generated(session)
    if any(held.name == name for held in detail.constraints):
        raise errors.already_exists("CONSTRAINT", (*entity.path, name))
    made = _made(session, detail, name, node)
    if made.kind == PRIMARY and any(held.kind == PRIMARY for held in detail.constraints):
        raise errors.invalid_property(f"primary key already exists for table '{entity.name}'")
    columns = tuple(
        replace(
            c,
            primary_key=c.primary_key or (made.kind == PRIMARY and c.name in made.columns),
            unique=c.unique or (made.kind == UNIQUE and c.name in made.columns),
        )
        for c in detail.columns
    )
    return _put(session, entity, replace(detail, columns=columns), (*detail.constraints, made))


def _made(session: Context, detail: TableDetail, name: str, node: exp.Expr) -> TableConstraint:
    if not isinstance(node, exp.Constraint):
        return replace(_read(session, detail, name, node), rely=_relies(node))
    key, *beside = node.expressions
    said = [one.this.name for one in beside if isinstance(one, exp.CommentColumnConstraint)]
    made = _read(session, detail, name, key)
    return replace(made, comment=said[0] if said else None, rely=_relies(key))


def _name(node: exp.Expr) -> str:
    """Return the name that a key is given; empty for none."""
    return names.stored(node.this) if isinstance(node, exp.Constraint) else ""


def _put(
    session: Context,
    entity: Entity,
    detail: TableDetail,
    constraints: tuple[TableConstraint, ...],
) -> Entity:
    return session.account.catalog.change(entity, detail=replace(detail, constraints=constraints))


def _read(session: Context, detail: TableDetail, name: str, node: exp.Expr) -> TableConstraint:
    match node:
        case exp.PrimaryKey():
            return TableConstraint(PRIMARY, name, _columns(detail, node.expressions))
        case exp.UniqueColumnConstraint() if isinstance(node.this, exp.Schema):
            return TableConstraint(UNIQUE, name, _columns(detail, node.this.expressions))
        case exp.ForeignKey():
            return _foreign(session, detail, name, node)
        case _:
            raise errors.unsupported(node.sql("snowflake").strip())


def _columns(detail: TableDetail, listed: Iterable[exp.Expr]) -> tuple[str, ...]:
    known = {column.name for column in detail.columns}
    found = tuple(
        names.stored(e.this if isinstance(e, (exp.Column, exp.Ordered)) else e) for e in listed
    )
    for name in found:
        if name not in known:
            raise errors.invalid_identifier(name)
    return found


def _foreign(
    session: Context, detail: TableDetail, name: str, node: exp.ForeignKey
) -> TableConstraint:
    reference = node.args["reference"].this
    given = reference.expressions if isinstance(reference, exp.Schema) else []
    table = reference.this if isinstance(reference, exp.Schema) else reference
    other = access.existing(session, Kind.TABLE, names.table_path(table))
    access.require(session, other, "REFERENCES")
    columns = _columns(detail, node.expressions)
    referenced = _columns(_table(other), given) or key_of(_table(other))
    if len(referenced) != len(columns):
        raise errors.wrong_count(
            f"Foreign key '{name}' has {len(columns)} columns, what it references "
            f"{len(referenced)}."
        )
    return TableConstraint(FOREIGN, name, columns, other.path, referenced)


def key_of(detail: TableDetail) -> tuple[str, ...]:
    """Return the columns of the primary key."""
    for held in detail.constraints:
        if held.kind == PRIMARY:
            return held.columns
    return tuple(column.name for column in detail.columns if column.primary_key)


# ---- DROP


def _drop(session: Context, entity: Entity, action: exp.Expr) -> Entity:
    detail = _table(entity)
    if isinstance(action, exp.Drop) and str(action.args.get("kind")).upper() == "CONSTRAINT":
        wanted = names.table_path(action.args["tables"][0])[-1]
        gone = [held for held in detail.constraints if held.name == wanted]
    elif isinstance(action, exp.Command) and _says_primary(action):
        gone = [held for held in detail.constraints if held.kind == PRIMARY]
        wanted = PRIMARY
    elif (listed := _unique_columns(action)) is not None:
        gone = [h for h in detail.constraints if h.kind == UNIQUE and h.columns == listed]
        wanted = f"UNIQUE ({', '.join(listed)})"
    else:
        raise errors.unsupported(f"ALTER TABLE … {action.sql('snowflake')}")
    if not gone:
        raise errors.not_found("Constraint", (*entity.path, wanted))
    return _without(session, entity, gone)


def _without(session: Context, entity: Entity, gone: list[TableConstraint]) -> Entity:
    detail = _table(entity)
    kept = tuple(held for held in detail.constraints if held not in gone)
    columns = tuple(
        replace(
            c,
            primary_key=c.primary_key and all(held.kind != PRIMARY for held in gone),
            unique=any(c.name in h.columns for h in kept if h.kind == UNIQUE),
        )
        for c in detail.columns
    )
    return _put(session, entity, replace(detail, columns=columns), kept)


def _says_primary(action: exp.Command) -> bool:
    return " ".join(str(action.args.get("expression")).upper().split()) == PRIMARY


def _unique_columns(action: exp.Expr) -> tuple[str, ...] | None:
    """Return the columns of DROP UNIQUE (…); None for anything else."""
    if not isinstance(action, exp.Command):
        return None
    tokens = tokenize(str(action.args.get("expression")))[:-1]
    words = [token.word or token.text for token in tokens]
    listed = tokens[2:-1:2]
    if words[:2] != ["UNIQUE", "("] or words[-1] != ")" or not listed:
        return None
    if any(token.kind not in (TokenKind.WORD, TokenKind.QUOTED) for token in listed):
        return None
    return tuple(resolve(token.text) for token in listed)


def followed(detail: TableDetail, old: str, new: str | None) -> TableDetail:
    """Let constraints follow a column that is renamed, and go with one that is dropped."""
    if new is None:
        kept = tuple(held for held in detail.constraints if old not in held.columns)
        return replace(detail, constraints=kept)
    moved = tuple(
        replace(held, columns=tuple(new if name == old else name for name in held.columns))
        for held in detail.constraints
    )
    return replace(detail, constraints=moved)
