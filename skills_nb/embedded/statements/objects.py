"""CREATE of what is not a table or view.

Room: embedded. A property that no row of a table here reads is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import parsing, refusals
from skills_nb.embedded.catalog.entities import (
    Argument,
    DatabaseDetail,
    Detail,
    Entity,
    Grant,
    Kind,
    PolicyDetail,
    RoleDetail,
    SchemaDetail,
    TagDetail,
)
from skills_nb.embedded.catalog.object_details import ShareDetail
from skills_nb.embedded.grantees import DATABASE_ROLE, key_of, may_be_named
from skills_nb.embedded.statements import (
    access,
    cloned_objects,
    clones,
    drops,
    parameters,
    properties,
    shares,
)
from skills_nb.embedded.statements.attach import set_tags
from skills_nb.embedded.statements.policies import CONSTRAINTS, check_body
from skills_nb.embedded.tagging import propagating
from skills_nb.embedded.types import BOOLEAN, SfType, parse_type
from skills_nb.embedded.values import Outcome
from skills_nb.embedded.versions import travel
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def create(
    session: AccountSession,
    statement: ast.Create,
    kind: Kind,
    detail: Callable[[], Detail],
    after: Callable[[Entity], None] = lambda entity: None,
    *,
    temporary: bool = False,
) -> Outcome:
    """Create one object: the steps that all kinds share."""
    if statement.or_alter:
        raise refusals.unsupported("CREATE OR ALTER")
    word = f"CREATE_{kind.value.replace(' ', '_')}"
    path, standing, goes_on = access.start_create(
        session,
        kind,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
        temporary=temporary,
    )
    if not goes_on:
        return access.status(f"{path[-1]} already exists, statement succeeded.", word)
    made = detail()
    if standing is not None:
        drops.remove(session, standing)
    entity = access.finish_create(session, kind, path, made, statement.comment)
    after(entity)
    set_tags(session, entity, "", statement.tags)
    return access.status(f"{kind.title} {path[-1]} successfully created.", word)


def database(session: AccountSession, statement: ast.CreateDatabase) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-database."""
    if statement.from_share is not None:
        return _imported(session, statement, statement.from_share)
    days = properties.retention(statement.properties)
    made = DatabaseDetail("TRANSIENT" in statement.modifiers, days)

    def fill(entity: Entity) -> None:
        if statement.clone is not None:
            clones.database(session, statement.clone, entity)
        else:
            access.finish_create(session, Kind.SCHEMA, (entity.name, "PUBLIC"), SchemaDetail())
        session.database, session.schema = entity.name, "PUBLIC"

    return create(session, statement, Kind.DATABASE, lambda: made, fill)


def _imported(
    session: AccountSession, statement: ast.CreateDatabase, name: tuple[str, ...]
) -> Outcome:
    """Make a consumer's database; it is read-only, and shows what the share holds at any time.

    See https://docs.snowflake.com/en/sql-reference/sql/create-database
    """
    properties.none(statement.properties)
    if statement.clone is not None or statement.modifiers:
        raise refusals.syntax("syntax error: a database from a share has no other properties.")
    share = shares.lent(session, name)
    made = DatabaseDetail(origin=".".join(name), share=share.name)

    def enter(entity: Entity) -> None:
        shares.refresh(session)
        public = session.account.catalog.find(Kind.SCHEMA, (entity.name, "PUBLIC"))
        session.database, session.schema = entity.name, public.name if public else None

    return create(session, statement, Kind.DATABASE, lambda: made, enter)


def share(session: AccountSession, statement: ast.CreateShare) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-share."""
    given = dict(statement.properties)
    secure = given.pop("SECURE_OBJECTS_ONLY", True)
    properties.none(given)
    made = ShareDetail(secure_objects_only=bool(secure))
    return create(session, statement, Kind.SHARE, lambda: made)


def schema(session: AccountSession, statement: ast.CreateSchema) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-schema."""
    days = properties.retention(statement.properties)
    made = SchemaDetail("TRANSIENT" in statement.modifiers, statement.with_managed_access, days)

    def fill(entity: Entity) -> None:
        if statement.clone is not None:
            clones.schema(session, statement.clone, entity)
        session.database, session.schema = entity.path

    return create(session, statement, Kind.SCHEMA, lambda: made, fill)


def clone(session: AccountSession, statement: ast.CreateClone) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-clone."""
    if statement.object_kind != "TABLE":
        return cloned_objects.clone(session, statement)
    source = session.readable(session.qualify(statement.clone.source), session.env())
    moment = clones.moment_of(session, statement.clone)
    if moment is not None:
        travel.check_reach(session, source, moment)
    path, standing, goes_on = access.start_create(
        session,
        Kind.TABLE,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
    )
    if not goes_on:
        said = f"{path[-1]} already exists, statement succeeded."
        return access.status(said, "CREATE_TABLE")
    copy_grants = statement.copy_grants
    clones.table(session, source, path, standing, copy_grants=copy_grants, moment=moment)
    return access.status(f"Table {path[-1]} successfully created.", "CREATE_TABLE")


def role(session: AccountSession, statement: ast.CreateRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-role."""
    properties.none(statement.properties)
    if not may_be_named(statement.name[-1]):
        raise refusals.syntax(
            "syntax error: a role's name does not begin with a control character."
        )
    return create(session, statement, Kind.ROLE, RoleDetail)


def database_role(session: AccountSession, statement: ast.CreateDatabaseRole) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-database-role."""
    properties.none(statement.properties)

    def enter(entity: Entity) -> None:
        """Let the role use its database, as Snowflake does by itself."""
        database = access.existing(session, Kind.DATABASE, entity.path[:1])
        now = session.account.clock()
        by = session.role or ""
        made = Grant("USAGE", database.id, DATABASE_ROLE, key_of(entity), False, by, now)
        session.account.catalog.put(made)

    return create(session, statement, Kind.DATABASE_ROLE, RoleDetail, enter)


def user(session: AccountSession, statement: ast.CreateUser) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-user."""
    given = dict(statement.properties)
    told = {key: given.pop(key) for key in list(given) if key in parameters.OF_USERS}
    made = properties.user(statement.name[-1], given, now=session.account.clock())

    def tell(entity: Entity) -> None:
        for key, value in told.items():
            parameters.set_on(session, entity, key, value)

    return create(session, statement, Kind.USER, lambda: made, tell)


def warehouse(session: AccountSession, statement: ast.CreateWarehouse) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-warehouse."""
    made = properties.warehouse(statement.properties)

    def enter(entity: Entity) -> None:
        session.warehouse = entity.name

    return create(session, statement, Kind.WAREHOUSE, lambda: made, enter)


def tag(session: AccountSession, statement: ast.CreateTag) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-tag."""
    propagating.may_propagate(session, statement.properties)
    plain = TagDetail(statement.allowed_values or ())
    made = properties.propagation(statement.properties, plain)
    return create(session, statement, Kind.TAG, lambda: made)


def policy(session: AccountSession, statement: ast.CreatePolicy) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-masking-policy."""
    kind = Kind(statement.kind)
    made = policy_detail(statement)
    standing = session.account.catalog.find(kind, session.qualify_as(kind, statement.name))
    if (
        standing is not None
        and statement.or_replace
        and (session.account.catalog.uses_of_policy(standing.id))
    ):
        raise refusals.policy_attached(standing.name)
    check_body(session, kind, made, session.qualify_as(kind, statement.name))
    return create(session, statement, kind, lambda: made)


def policy_detail(statement: ast.CreatePolicy) -> PolicyDetail:
    """Read a policy's signature and body."""
    constraint = CONSTRAINTS.get(Kind(statement.kind))
    if constraint is not None:
        return _constraint(statement, constraint)
    listed = tuple(Argument(a.name, type_named(a.type)) for a in statement.args)
    returns = type_named(statement.returns)
    masking = isinstance(statement, ast.CreateMaskingPolicy)
    if not listed:
        raise refusals.invalid_property("A policy needs at least one argument.")
    if masking and listed[0].type.kind != returns.kind:
        raise refusals.invalid_property(
            "Masking policy function argument and return type mismatch."
        )
    if not masking and returns != BOOLEAN:
        raise refusals.invalid_property("A row access policy returns BOOLEAN.")
    exempt = _exempt(statement.properties)
    parsing.parse_expression(statement.body)
    return PolicyDetail(listed, returns, statement.body, exempt)


def _constraint(statement: ast.CreatePolicy, returns: SfType) -> PolicyDetail:
    """Read a projection or aggregation policy: no arguments, and a constraint for an answer."""
    title = Kind(statement.kind).title
    if statement.args:
        raise refusals.policy_arguments(title, len(statement.args))
    if statement.returns.strip().upper() != returns.kind:
        raise refusals.policy_returns(title, statement.returns.strip().upper(), returns.kind)
    properties.none(statement.properties)
    return PolicyDetail((), returns, statement.body)


def _exempt(given: Mapping[str, Any]) -> bool:
    rest = {k: v for k, v in given.items() if k != "EXEMPT_OTHER_POLICIES"}
    properties.none(rest)
    return bool(given.get("EXEMPT_OTHER_POLICIES", False))


def type_named(spelling: str) -> SfType:
    """Read a type, or refuse it."""
    found = parse_type(spelling)
    if found is None:
        raise refusals.unsupported(f"data type {spelling}")
    return found
