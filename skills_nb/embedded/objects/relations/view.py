"""Views, materialized ones among them.

Room: embedded. CREATE VIEW comes as a tree, from `statements.create_relation`.

See https://docs.snowflake.com/en/sql-reference/sql/create-view
"""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import ColumnDef, Entity, Kind, ViewDetail
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.attachments.attach import apply_clauses
from skills_nb.embedded.objects.lifecycle import changes, create_steps
from skills_nb.embedded.objects.object_kind import (
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Properties,
    Row,
    by_class,
    register,
)
from skills_nb.embedded.objects.relations import clustering, described_columns, materialized_view
from skills_nb.embedded.objects.relations.table import columns
from skills_nb.embedded.objects.relations.table.column_definitions import (
    Clauses,
    refuse_doubles,
    table_options,
)
from skills_nb.embedded.objects.shown_values import owner_kind
from skills_nb.embedded.parser.desugar import pivots
from skills_nb.embedded.rewriter.requirements import Purpose
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage import physical_tables
from skills_nb.embedded.types import names
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.scope import Env
from skills_nb.embedded.types.values import Column, Outcome
from skills_nb.sql.governance import ast

_HEAD = re.compile(r"\A(\s*create\s+)(?!or\s+replace\b)", re.I)


def _inside(session: Context, path: tuple[str, ...]) -> Env:
    """Return where a view's text is read: short names stand for what is in the view's schema.

    See https://docs.snowflake.com/en/sql-reference/name-resolution (views)
    """
    return replace(session.env(), database=path[0], schema=path[1])


def create(session: Context, tree: exp.Create, clauses: Clauses, text: str) -> Outcome:
    """Make a view or materialized view.

    Raises:
        SqlError: it has no query (1003), says what no view can be (0A000), the name is taken
            (2002), or the role may not create it (3001).
    """
    options = table_options(tree)
    if options.transient or (options.temporary and options.materialized):
        raise errors.unsupported("TEMPORARY MATERIALIZED VIEW or TRANSIENT VIEW")
    path, standing, goes_on = create_steps.start_relation(
        session, Kind.VIEW, tree, temporary=options.temporary
    )
    if not goes_on:
        return status(f"{path[-1]} already exists, statement succeeded.", "CREATE_VIEW")
    if not isinstance(tree.expression, exp.Query):
        raise errors.syntax("syntax error: a view needs a query.")
    if pivots.dynamic(tree.expression):
        raise errors.unsupported("PIVOT … IN (ANY) inside of views")
    if options.materialized:
        materialized_view.check(session, path, tree.expression)
    # Described first: what names no relation cannot always be written.
    columns = queries.described(
        session, tree.expression.copy(), Purpose.DEFINE, shown=False, env=_inside(session, path)
    )
    source = tree.expression.sql("snowflake")
    listed = _view_columns(tree, columns)
    clustering.check(listed, options.cluster_by)
    detail = ViewDetail(
        listed,
        text.strip().rstrip(";"),
        source,
        secure=options.secure,
        materialized=options.materialized,
        cluster_by=options.cluster_by,
        temporary=session.id if options.temporary else 0,
    )
    kept = create_steps.grants_kept(session, path, standing) if options.copy_grants else None
    if standing is not None:
        physical_tables.drop(session, standing)
    entity = create_steps.finish_create(session, Kind.VIEW, path, detail, options.comment, kept)
    apply_clauses(session, entity, clauses)
    word = "Materialized view" if options.materialized else "View"
    return status(f"{word} {path[-1]} successfully created.", "CREATE_VIEW")


def _view_columns(tree: exp.Create, columns: tuple[Column, ...]) -> tuple[ColumnDef, ...]:
    given: list[exp.Expr] = tree.this.expressions if isinstance(tree.this, exp.Schema) else []
    if given and len(given) != len(columns):
        raise errors.wrong_count(
            f"Invalid column definition list: expected {len(columns)}, got {len(given)}"
        )
    listed = [names.stored(_identifier(g)) for g in given] or [c.name for c in columns]
    refuse_doubles(tuple(listed))
    comments = [_comment(g) for g in given] or [None] * len(columns)
    return tuple(
        ColumnDef(name, c.type, c.nullable, comment=comment)
        for name, c, comment in zip(listed, columns, comments, strict=True)
    )


def _identifier(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, (exp.ColumnDef, exp.Column)) else node


def _comment(node: exp.Expr) -> str | None:
    found = node.find(exp.CommentColumnConstraint)
    return found.this.name if found is not None else None


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-views."""
    detail = e.detail
    assert isinstance(detail, ViewDetail)
    shown = access.reads_text(session, e)
    return (
        e.created_on,
        e.name,
        "",
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        detail.text if shown else "",
        str(detail.secure).lower(),
        str(detail.materialized).lower(),
        owner_kind(e),
        "OFF",
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    """Return a view's statement as it was written."""
    assert isinstance(entity.detail, ViewDetail)
    return _HEAD.sub(r"\1or replace ", entity.detail.text).rstrip("; \n")


# ---- ALTER


def _set_flag(session: Context, view: Entity, action: ast.SetFlag) -> None:
    if action.flag != "SECURE":
        raise errors.unsupported(f"ALTER VIEW … SET {action.flag}")
    _secure(session, view, secure=True)


def _unset(session: Context, view: Entity, name: str) -> None:
    properties.none({name: None} if name != "SECURE" else {})
    _secure(session, view, secure=False)


def _secure(session: Context, view: Entity, *, secure: bool) -> None:
    assert isinstance(view.detail, ViewDetail)
    changes.put(session, view, replace(view.detail, secure=secure))


register(
    ObjectKind(
        kind=Kind.VIEW,
        plurals=("VIEWS",),
        alter=by_class({**columns.ACTIONS, ast.SetFlag: _set_flag}),
        properties=Properties(lambda _session, _view, given: properties.none(given), _unset),
        drop=physical_tables.drop,
        listing=Listing(
            "created_on:t name reserved database_name schema_name owner comment text is_secure "
            "is_materialized owner_role_type change_tracking",
            _row,
        ),
        shows={"MATERIALIZED VIEWS": materialized_view.show},
        describe=described_columns.describe,
        ddl=_ddl,
        privileges=("DELETE", "INSERT", "REFERENCES", "SELECT", "TRUNCATE", "UPDATE"),
        export=Exporting(Phase.OWN),
    )
)
