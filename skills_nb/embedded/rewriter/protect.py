"""Protection: what one role may see of one table or view.

Room: embedded. The only place where a stored table gets into a query. Rows are filtered first, by
values as stored; then each masked column becomes its policy's expression. Columns that may not be
projected are marked, records that must be aggregated are numbered. A barrier keeps filters of the
surrounding query from being tried on rows that the policy hides.

See https://docs.snowflake.com/en/user-guide/security-row-intro and
https://docs.snowflake.com/en/user-guide/security-column-intro
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.authorizer.role_inheritance import inherited
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    DatabaseDetail,
    Entity,
    Kind,
    PolicyDetail,
    PolicyRef,
    TableDetail,
    ViewDetail,
)
from skills_nb.embedded.rewriter import barriers, policy_answers, tagged
from skills_nb.embedded.rewriter.policy_answers import STORED
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.rewriter.unread_bodies import unread
from skills_nb.embedded.storage.time_travel import images, streams, travel
from skills_nb.embedded.translator.dialect.fitting import FITS
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.inference import data_type
from skills_nb.embedded.types.scope import (
    Env,
    OutColumn,
    Source,
    guards,
    stricter,
    visible,
)
from skills_nb.embedded.types.tree_copies import copied
from skills_nb.errors import SqlError

Columns = tuple[OutColumn, ...]
ROW_ID = "__row_id"
PROTECTS = "protects"
"""Says of a query which table, view or stream it lets be seen; no text parses to it."""
_DEEPEST = 40


def protected(
    rewriter: Rewriter,
    path: tuple[str, ...],
    env: Env,
    *,
    with_row_id: bool = False,
    privilege: str = "SELECT",
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Return a query over what may be seen of a table or view, and its columns.

    Raises:
        SqlError: it is not there or is hidden (2003), the privilege is missing (3001), or views and
            policies are nested too deeply (1420).
    """
    virtual = rewriter.session.system_relation(path, env)
    if virtual is not None:
        return rewriter.rows_of(virtual)
    entity = name_resolution.readable(rewriter.session, path, env, privilege)
    query, found = _visible(rewriter, entity, env, with_row_id=with_row_id)
    query.set(PROTECTS, path)
    return query, found


def _visible(
    rewriter: Rewriter, entity: Entity, env: Env, *, with_row_id: bool
) -> tuple[exp.Query, Columns]:
    """Return a query over what may be seen of something that may be read."""
    if env.depth > _DEEPEST:
        raise errors.invalid_property("View or policy nesting is too deep.")
    if entity.kind is Kind.STREAM:
        return _stream(rewriter, entity, env)
    rewriter.reads.setdefault(entity.id, set())
    if isinstance(entity.detail, ViewDetail) and entity.detail.shared:
        return _lent(rewriter, entity, entity.detail, env)
    if env.changes is not None:
        travel.check_reach(rewriter.session, entity, env.changes[1])
        return _changed(rewriter, entity, env, env.changes)
    base, below = _base(rewriter, entity, env)
    return _governed(rewriter, entity, base, env, below=below, with_row_id=with_row_id)


def _lent(
    rewriter: Rewriter, mirror: Entity, detail: ViewDetail, env: Env
) -> tuple[exp.Query, Columns]:
    """Read what a share lends: as its owner, under the provider's policies.

    See https://docs.snowflake.com/en/user-guide/data-share-consumers
    """
    catalog = rewriter.session.account.catalog
    source = catalog.by_id(detail.shared)
    database = catalog.find(Kind.DATABASE, mirror.path[:1])
    if source is None or database is None or not isinstance(database.detail, DatabaseDetail):
        raise errors.not_found("Object", mirror.path)
    if env.moment is not None or env.changes is not None:
        raise errors.unsupported("Time Travel of a shared database")
    made = replace(view_env(rewriter, source, env), share=database.detail.share)
    base, below = _base(rewriter, source, made)
    return _governed(rewriter, source, base, made, below=below)


def _stream(
    rewriter: Rewriter, stream: Entity, env: Env
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    """Read a stream: the changes of its source, protected as the source is.

    See https://docs.snowflake.com/en/user-guide/streams-intro
    """
    span = streams.span(rewriter.session, stream)
    rewriter.streams[stream.id] = span[1:]
    source = streams.source_of(rewriter.session, stream)
    name_resolution.readable(rewriter.session, source.path, env)
    rewriter.reads.setdefault(source.id, set())
    return _changed(rewriter, source, replace(env, moment=None), span)


def _changed(
    rewriter: Rewriter, entity: Entity, env: Env, span: tuple[bool, int, int]
) -> tuple[exp.Query, tuple[OutColumn, ...]]:
    columns = tuple(c.name for c in columns_of(entity))
    below: Columns = ()
    if isinstance(entity.detail, TableDetail):
        made = streams.of_table(rewriter.session, entity, entity.detail, columns, span)
    else:
        first, last = span[1:]
        after, below = _past_view(rewriter, entity, env, last)
        before = _none_of(after) if not first else _past_view(rewriter, entity, env, first)[0]
        made = images.difference(before, after, columns)
    base = exp.Subquery(this=made, alias=exp.TableAlias(this=names.quoted(STORED)))
    settled = replace(env, changes=None)
    return _governed(rewriter, entity, base, settled, below=below, extra=METADATA)


def _none_of(query: exp.Query) -> exp.Query:
    """Return the same columns without rows: what there was before there was anything."""
    everything = exp.Star()
    everything.set(names.GOVERNED, True)
    held = query.copy().subquery("__none")
    return exp.select(everything, copy=False).from_(held).where(exp.false())


def _past_view(
    rewriter: Rewriter, entity: Entity, env: Env, moment: int
) -> tuple[exp.Query, Columns]:
    base, below = _base(rewriter, entity, replace(env, changes=None, moment=moment))
    if guards(below):
        raise errors.aggregation_violated("STREAM ON VIEW")
    everything = exp.Star()
    everything.set(names.GOVERNED, True)
    return exp.select(everything, copy=False).from_(base), below


_GONE = (2003, 904)
"""Numbers of the errors that say that a view's text names something that is no longer there."""
METADATA = (
    OutColumn(images.ACTION, data_types.TEXT, nullable=False),
    OutColumn(images.IS_UPDATE, data_types.BOOLEAN, nullable=False),
    OutColumn(images.ROW_ID, data_types.TEXT, nullable=False),
)


def columns_of(entity: Entity) -> tuple[ColumnDef, ...]:
    """Return the columns of a table or view.

    Raises:
        SqlError: it has no columns (2003).
    """
    match entity.detail:
        case TableDetail(columns=columns) | ViewDetail(columns=columns):
            return columns
        case _:
            raise errors.not_found("Object", entity.path)


def _base(rewriter: Rewriter, entity: Entity, env: Env) -> tuple[exp.Expr, Columns]:
    """Return what is stored, and for a view what its query yields."""
    detail = entity.detail
    if isinstance(detail, TableDetail) and env.moment is not None:
        travel.check_reach(rewriter.session, entity, env.moment)
        columns = tuple(c.name for c in detail.columns)
        rows = images.at(rewriter.session, detail.place, columns, env.moment)
        return exp.Subquery(this=rows, alias=exp.TableAlias(this=names.quoted(STORED))), ()
    if isinstance(detail, TableDetail):
        made = names.physical_table(detail.place)
        made.set("alias", exp.TableAlias(this=names.quoted(STORED)))
        return made, ()
    assert isinstance(detail, ViewDetail)
    if detail.shared:
        raise errors.unsupported("changes of a shared database")
    query = rewriter.session.parse_query(detail.query)
    with unread(rewriter.session, entity, f"view '{entity.name}'", env):
        found = _expanded(rewriter, entity, query, env)
    width = len(visible(found))
    if width != len(detail.columns):
        raise errors.view_changed(entity.path, len(detail.columns), width)
    shown = [*(c.name for c in detail.columns), *(g.name for g in guards(found))]
    listed = [names.quoted(name) for name in shown]
    alias = exp.TableAlias(this=names.quoted(STORED), columns=listed)
    return exp.Subquery(this=query, alias=alias), found


def _expanded(rewriter: Rewriter, view: Entity, query: exp.Query, env: Env) -> Columns:
    try:
        return rewriter.govern(query, view_env(rewriter, view, env))
    except SqlError as error:
        if error.errno not in _GONE:
            raise
        raise errors.view_broken(view.name, error) from error


def view_env(rewriter: Rewriter, entity: Entity, env: Env) -> Env:
    """Return the environment of a view's text: its owner's rights, its own schema."""
    owner = entity.owner
    return Env(
        roles=inherited(rewriter.session.account.catalog, owner),
        invoker=owner,
        database=entity.path[0],
        schema=entity.path[1],
        depth=env.depth + 1,
        moment=env.moment,
        trail=env.trail,
        share=env.share,
    )


def _governed(
    rewriter: Rewriter,
    entity: Entity,
    base: exp.Expr,
    env: Env,
    *,
    below: Columns = (),
    with_row_id: bool = False,
    extra: Columns = (),
) -> tuple[exp.Query, Columns]:
    refs = rewriter.session.account.policies_of(entity)
    query = exp.Select()
    marks = policy_answers.marks(rewriter, entity, refs, env, below)
    rewriter.restricting = rewriter.restricting or bool(marks)
    outs: list[OutColumn] = []
    worked = _worked(entity, below)
    for column in columns_of(entity):
        ref = refs.masks.get(column.name)
        shown = _shown(rewriter, entity, column, ref, env)
        query.append("expressions", exp.alias_(shown, column.name, quoted=True, copy=False))
        read = (column.name, *(ref.arguments if ref is not None else ()))
        mark = stricter(marks.get(name, "") for name in read) if marks else ""
        nullable = column.nullable or ref is not None
        outs.append(
            OutColumn(
                column.name,
                column.type,
                nullable,
                restricted=mark,
                worked=worked.get(column.name, 0),
            )
        )
    for added in extra:
        query.append("expressions", names.column(added.name, STORED))
        outs.append(added)
    if with_row_id:
        row_id = exp.Column(this=exp.to_identifier("rowid"), table=names.quoted(STORED))
        query.append("expressions", exp.alias_(row_id, ROW_ID, quoted=True, copy=False))
        outs.append(OutColumn(ROW_ID))
    for guard, value in policy_answers.guarding(rewriter, entity, refs, env, below):
        query.append("expressions", exp.alias_(value, guard.name, quoted=True))
        outs.append(guard)
    query.set("from_", exp.From(this=base))
    if refs.rows is not None:
        condition = _applied(rewriter, entity, refs.rows, env)
        query.set("where", exp.Where(this=condition))
    if refs.rows is not None or refs.masks or refs.constrains or _is_secure(entity):
        rewriter.governed = True
        barriers.raised(query)
    return query, tuple(outs)


def _is_secure(entity: Entity) -> bool:
    """Tell whether nothing may be tried on the rows that the view's own text leaves out.

    See https://docs.snowflake.com/en/developer-guide/pushdown-optimization
    """
    return isinstance(entity.detail, ViewDetail) and entity.detail.secure


def _worked(entity: Entity, below: Columns) -> Mapping[str, int]:
    """Tell how a view's text made columns of records that must be aggregated."""
    if not guards(below):
        return {}
    return {c.name: out.worked for c, out in zip(columns_of(entity), below, strict=False)}


def _shown(
    rewriter: Rewriter, entity: Entity, column: ColumnDef, ref: PolicyRef | None, env: Env
) -> exp.Expr:
    if ref is None:
        return names.column(column.name, STORED)
    value = _applied(rewriter, entity, ref, env)
    if column.type.kind in SEMI_STRUCTURED:
        return exp.cast(value, exp.DataType.build("json", dialect="duckdb"))
    made = exp.Cast(this=value, to=copied(data_type(column.type)))
    made.set(FITS, True)
    return made


def _applied(rewriter: Rewriter, entity: Entity, ref: PolicyRef, env: Env) -> exp.Expr:
    """Return a policy's body over the stored columns, in the caller's session."""
    policy = rewriter.session.account.catalog.by_id(ref.policy_id)
    if policy is None or not isinstance(policy.detail, PolicyDetail):
        raise errors.invalid_property(f"Policy of {errors.dotted(entity.path)} is missing.")
    if policy.id in env.trail:
        raise errors.invalid_property(
            f"Policy {errors.dotted(policy.path)} reads what it protects."
        )
    held = exp.Paren(this=rewriter.session.parse_expression(policy.detail.body))
    tagged.put(held, tagged.on(rewriter.session, policy, entity, ref.column))
    outer = ((_arguments(policy.detail, ref),),)
    inner = replace(policy_answers.policy_env(rewriter, policy, entity, env), outer=outer)
    with unread(rewriter.session, policy, f"a policy on '{entity.name}'", env):
        rewriter.expression(held, inner, frozenset())
    return held


def _arguments(detail: PolicyDetail, ref: PolicyRef) -> Source:
    """Return the policy's arguments as a source that stands for the stored columns."""
    given = zip(detail.arguments, ref.arguments, strict=True)
    return Source(
        "",
        tuple(OutColumn(a.name, a.type) for a in detail.arguments),
        bound={a.name: (STORED, c) for a, c in given},
    )
