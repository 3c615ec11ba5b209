"""Tags and policies, and where they are attached.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.embedded.catalog.entities import (
    LOGIN_POLICY_KINDS,
    POLICY_KINDS,
    Entity,
    Kind,
    PolicyRef,
    TableDetail,
    TagRef,
)
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.objects import object_kind
from skills_nb.embedded.objects.ddl_words import target as written
from skills_nb.embedded.tools.export.objects import is_founding, lasting
from skills_nb.embedded.tools.export.portrait import is_lasting
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal


def definitions(account: Account, fresh: Account) -> Iterator[str]:
    """Make tags and policies; an unqualified name in a body is one of the policy's schema."""
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for kind in (Kind.TAG, *POLICY_KINDS):
        for entity in lasting(account, kind):
            if not is_founding(fresh, entity):
                yield f"USE SCHEMA {render_name(entity.path[:-1])}"
                yield object_kind.write(session, entity, qualified=True).strip()
    session.close()


def uses(account: Account) -> Iterator[str]:
    """Attach tags and policies where they are attached."""
    for policy in account.catalog.all(PolicyRef):
        target = account.catalog.by_id(policy.object_id)
        named = account.catalog.by_id(policy.policy_id)
        if policy.policy_kind in LOGIN_POLICY_KINDS and named is not None:
            holder = written(target) if target is not None else "ACCOUNT"
            yield f"ALTER {holder} SET {policy.policy_kind.value} {render_name(named.path)}"
            continue
        if target is None or named is None or not is_lasting(target):
            continue
        if policy.policy_kind is not Kind.AGGREGATION_POLICY:
            yield _policy(policy, target, render_name(named.path))
        elif policy is account.policies_of(target).aggregations[0]:
            yield _aggregation(account, target, render_name(named.path))
    yield from _metrics(account)
    yield from _searches(account)
    for tag in account.catalog.all(TagRef):
        target = account.catalog.by_id(tag.object_id)
        named = account.catalog.by_id(tag.tag_id)
        if target is not None and named is not None and is_lasting(target):
            place = f"MODIFY COLUMN {quote(tag.column)} SET" if tag.column else "SET"
            value = literal(tag.value)
            yield f"{_alter(target)} {place} TAG {render_name(named.path)} = {value}"


def _metrics(account: Account) -> Iterator[str]:
    """Associate data metric functions with their tables."""
    for entity in lasting(account, Kind.TABLE):
        detail = entity.detail
        assert isinstance(detail, TableDetail)
        if detail.metric_schedule:
            schedule = literal(detail.metric_schedule)
            yield f"{_alter(entity)} SET DATA_METRIC_SCHEDULE = {schedule}"
        for use in detail.metrics:
            metric = render_name(tuple(use.metric.split(".")))
            condition = f", {quote(use.columns[0])} -> {use.condition}" if use.condition else ""
            on = f"{metric} ON ({', '.join(map(quote, use.columns))}{condition})"
            words = "".join(f" EXPECTATION {quote(n)} ({text})" for n, text in use.expectations)
            yield f"{_alter(entity)} ADD DATA METRIC FUNCTION {on}{words}"
            if use.suspended:
                yield f"{_alter(entity)} MODIFY DATA METRIC FUNCTION {on} SUSPEND"


def _searches(account: Account) -> Iterator[str]:
    """Configure search optimization, in the order of its expressions."""
    for entity in lasting(account, Kind.TABLE):
        assert isinstance(entity.detail, TableDetail)
        for path in entity.detail.search:
            target = f"{path.method}({quote(path.column)}{path.path})"
            yield f"{_alter(entity)} ADD SEARCH OPTIMIZATION ON {target}"


def _alter(target: Entity) -> str:
    return f"ALTER {written(target)}"


def _aggregation(account: Account, target: Entity, name: str) -> str:
    """Attach a policy with all of its entity keys, as one statement does."""
    refs = account.policies_of(target).aggregations
    keys = [", ".join(map(quote, ref.arguments)) for ref in refs if ref.arguments]
    words = "".join(f" ENTITY KEY ({key})" for key in keys)
    return f"{_alter(target)} SET AGGREGATION POLICY {name}{words}"


def _policy(use: PolicyRef, target: Entity, name: str) -> str:
    kind = use.policy_kind.value
    arguments = ", ".join(quote(argument) for argument in use.arguments)
    if use.column:
        using = f" USING ({arguments})" if len(use.arguments) > 1 else ""
        return f"{_alter(target)} MODIFY COLUMN {quote(use.column)} SET {kind} {name}{using}"
    if use.policy_kind is Kind.ROW_ACCESS_POLICY:
        return f"{_alter(target)} ADD {kind} {name} ON ({arguments})"
    return f"{_alter(target)} SET {kind} {name}"  # a tag's masking policy
