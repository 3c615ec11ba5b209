"""DESCRIBE.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/desc
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyDetail, TableDetail, UserDetail
from skills_nb.embedded.looking.relations import columns_shown
from skills_nb.embedded.metrics import making as metrics
from skills_nb.embedded.objects import shown
from skills_nb.embedded.pipelines import shown as moving
from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.show import holders
from skills_nb.embedded.statements import access
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
_TABLE = (
    "name type kind null? default primary~key unique~key check expression comment "
    "policy~name privacy~domain"
)


def describe(session: AccountSession, statement: ast.Describe) -> Outcome:
    """Run DESCRIBE."""
    if statement.kind == "RESULT":
        return _result(session, statement.name[-1])
    if statement.kind == "SEARCH OPTIMIZATION":
        return _search(session, statement.name)
    kind = access.kind_of(statement.kind)
    handler = _HANDLERS.get(kind)
    if handler is None:
        raise refusals.unsupported(f"DESCRIBE {kind.value}")
    entity = access.find(session, kind, statement.name)
    if entity is None:
        raise access.missing(session, kind, statement.name)
    spec, rows = handler(session, entity)
    return Outcome(columns_of(spec), tuple(rows), "DESCRIBE", len(rows))


def _search(session: AccountSession, name: tuple[str, ...]) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-search-optimization."""
    entity = access.existing(session, Kind.TABLE, name)
    held = entity.detail.search if isinstance(entity.detail, TableDetail) else ()
    rows = tuple((p.number, p.method, p.target, p.type, True) for p in held)
    spec = "expression_id:n method target target_data_type active:b"
    return Outcome(columns_of(spec), rows, "DESCRIBE", len(rows))


def _yes(value: bool) -> str:
    return "Y" if value else "N"


def _table(session: AccountSession, entity: Entity) -> tuple[str, list[Row]]:
    masks = session.account.policies_of(entity).masks
    rows: list[Row] = []
    for c in columns_shown(entity.detail):
        ref = masks.get(c.name)
        policy = session.account.catalog.by_id(ref.policy_id) if ref else None
        default = c.default
        if c.identity is not None:
            default = f"IDENTITY START {c.identity[0]} INCREMENT {c.identity[1]} NOORDER"
        rows.append(
            (
                c.name,
                c.type.sql,
                "COLUMN",
                _yes(c.nullable),
                default,
                _yes(c.primary_key),
                _yes(c.unique),
                None,
                None,
                c.comment,
                render_name(policy.path) if policy else None,
                None,
            )
        )
    return _TABLE, rows


def _policy(session: AccountSession, entity: Entity) -> tuple[str, list[Row]]:
    detail = entity.detail
    assert isinstance(detail, PolicyDetail)
    return "name signature return_type body", [
        (entity.name, signature(detail), detail.returns.sql, detail.body)
    ]


def signature(detail: PolicyDetail) -> str:
    """Spell a policy's arguments: `(VAL VARCHAR, REGION VARCHAR)`."""
    listed = (f"{a.name} {a.type.sql.partition('(')[0]}" for a in detail.arguments)
    return f"({', '.join(listed)})"


def _contents(session: AccountSession, entity: Entity) -> tuple[str, list[Row]]:
    roles = session.active_roles()
    catalog = session.account.catalog
    if entity.kind is Kind.DATABASE:
        found = catalog.children(Kind.SCHEMA, entity.path)
    else:
        found = catalog.children(Kind.TABLE, entity.path)
    rows: list[Row] = [
        (e.created_on, e.name, e.kind.value)
        for e in found
        if session.account.rights.visible(roles, e)
    ]
    return "created_on:t name kind", rows


def _one(session: AccountSession, entity: Entity) -> tuple[str, list[Row]]:
    return "created_on:t name kind", [(entity.created_on, entity.name, entity.kind.value)]


def _user(session: AccountSession, entity: Entity) -> tuple[str, list[Row]]:
    d = entity.detail
    assert isinstance(d, UserDetail)
    secondary = '["ALL"]' if d.default_secondary_roles else "[]"
    listed = (
        ("NAME", entity.name, "Name"),
        ("COMMENT", entity.comment, "user comment"),
        ("DISPLAY_NAME", d.display_name, "Display name of the associated object"),
        ("LOGIN_NAME", d.login_name, "Login name of the user"),
        ("FIRST_NAME", d.first_name, "First name of the user"),
        ("MIDDLE_NAME", d.middle_name or "null", "Middle name of the user"),
        ("LAST_NAME", d.last_name, "Last name of the user"),
        ("EMAIL", d.email, "Email address of the user"),
        ("PASSWORD", "********" if d.has_password else "null", "Password of the user"),
        ("MUST_CHANGE_PASSWORD", str(d.must_change_password).lower(), "User must change it"),
        ("DISABLED", str(d.disabled).lower(), "Whether the user is disabled"),
        ("DEFAULT_WAREHOUSE", d.default_warehouse or "null", "Default warehouse for this user"),
        ("DEFAULT_NAMESPACE", d.default_namespace or "null", "Default database and schema"),
        ("DEFAULT_ROLE", d.default_role or "null", "Primary principal of a session"),
        ("DEFAULT_SECONDARY_ROLES", secondary, "Secondary roles set on login"),
        ("DAYS_TO_EXPIRY", _or_null(d.days_to_expiry), "Days after which the user cannot log in"),
        ("MINS_TO_UNLOCK", _or_null(d.mins_to_unlock), "Minutes until a lock is cleared"),
        ("MINS_TO_BYPASS_MFA", _or_null(d.mins_to_bypass_mfa), "Minutes without a second factor"),
        ("RSA_PUBLIC_KEY_FP", d.rsa_key_fp or "null", "Fingerprint of the user's public key"),
        ("RSA_PUBLIC_KEY_2_FP", d.rsa_key_2_fp or "null", "Fingerprint of the second public key"),
        ("TYPE", d.type or "null", "User type"),
    )
    return "property value default description", [(n, v, "null", w) for n, v, w in listed]


def _or_null(value: object) -> str:
    return "null" if value is None else str(value)


def _result(session: AccountSession, query_id: str) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-result."""
    if query_id.upper() == "LAST_QUERY_ID()":
        query_id = session.query_id_at(-1) or ""
    kept = session.account.results.get(query_id.lower()) or session.account.results.get(query_id)
    if kept is None or kept.user != session.user:
        raise refusals.no_result(query_id)
    rows = tuple(
        (
            c.name,
            c.type.sql,
            "COLUMN",
            _yes(c.nullable),
            None,
            "N",
            "N",
            None,
            None,
            None,
            None,
            None,
        )
        for c in kept.columns
    )
    return Outcome(columns_of(_TABLE), rows, "DESCRIBE", len(rows))


_HANDLERS: dict[Kind, Callable[[AccountSession, Entity], tuple[str, list[Row]]]] = {
    Kind.TABLE: _table,
    Kind.VIEW: _table,
    Kind.MASKING_POLICY: _policy,
    Kind.ROW_ACCESS_POLICY: _policy,
    Kind.PROJECTION_POLICY: _policy,
    Kind.AGGREGATION_POLICY: _policy,
    Kind.DATABASE: _contents,
    Kind.SCHEMA: _contents,
    Kind.WAREHOUSE: _one,
    Kind.USER: _user,
    Kind.SHARE: holders.describe_share,
    Kind.DATA_METRIC_FUNCTION: metrics.describe,
    **shown.DESCRIPTIONS,
    **moving.DESCRIPTIONS,
    Kind.DYNAMIC_TABLE: _table,
}


def handler_of(kind: Kind) -> Callable[[AccountSession, Entity], tuple[str, list[Row]]] | None:
    """Return what describes objects of a kind; None where nothing does."""
    return _HANDLERS.get(kind)
