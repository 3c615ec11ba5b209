"""Inverses of what ALTER TABLE and ALTER VIEW do to columns and policies.

Room: sql.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects.alter_changes import aspects_of
from skills_nb.sql.objects.object_refs import ObjectRef, Place
from skills_nb.sql.objects.prior_state import Before, Prior, cell_of, columns_of, policy_of
from skills_nb.sql.tokens import literal


def inverse_of_table_action(
    action: ast.Action, statement: ast.Alter, place: Place, prior: Prior, head: str
) -> list[str]:
    """Return what takes one action on a table back; [] also where it is none of these."""
    if isinstance(action, ast.AddColumns):
        return _of_added(action, statement, place, prior, head)
    aspects = [ref for ref, _ in aspects_of(action, statement.kind, statement.name, place)]
    before = [(ref, prior.of(ref)) for ref in aspects]
    if isinstance(action, ast.SetColumnTags | ast.UnsetColumnTags):
        return _of_column_tags(action, before, head)
    if len(before) != 1:
        return []
    ref, was = before[0]
    if isinstance(action, ast.ClusterBy):
        return _of_clustering(was, head)
    if ref.type == "column":
        return _of_column(action, was, f"{head} MODIFY COLUMN {quote(ref.name[-1])}", head)
    return _of_policies(action, was, head, place)


def _of_added(
    action: ast.AddColumns, statement: ast.Alter, place: Place, prior: Prior, head: str
) -> list[str]:
    """Drop the columns that were not there before."""
    found: list[str] = []
    for column in action.columns:
        ref = place.column(statement.kind, statement.name, column.name, "definition")
        exists = prior.of(ref).exists
        if exists is False or (exists is None and not action.if_not_exists):
            found.append(quote(column.name))
    return [f"{head} DROP COLUMN {', '.join(found)}"] if found else []


def _of_column_tags(
    action: ast.SetColumnTags | ast.UnsetColumnTags,
    before: Iterable[tuple[ObjectRef, Before]],
    head: str,
) -> list[str]:
    found: list[str] = []
    column = f"{head} MODIFY COLUMN {quote(action.column)}"
    for ref, was in before:
        tag = ref.facet.removeprefix("tag ")
        value = was.value if was.value is not None else was.cell("tag_value")
        if value is not None:
            found.append(f"{column} SET TAG {tag} = {literal(value)}")
        elif isinstance(action, ast.SetColumnTags) and not was.is_unknown:
            found.append(f"{column} UNSET TAG {tag}")
    return found[::-1]


def _of_column(action: ast.Action, was: Before, column: str, head: str) -> list[str]:
    match action:
        case ast.SetColumnMaskingPolicy(force=force):
            return _policy_back(was, column, "MASKING", force, is_setting=True)
        case ast.UnsetColumnMaskingPolicy():
            return _policy_back(was, column, "MASKING", False, is_setting=False)
        case ast.SetColumnProjectionPolicy(force=force):
            return _policy_back(was, column, "PROJECTION", force, is_setting=True)
        case ast.UnsetColumnProjectionPolicy():
            return _policy_back(was, column, "PROJECTION", False, is_setting=False)
        case ast.RenameColumn(column=old, to=new):
            return [f"{head} RENAME COLUMN {quote(new)} TO {quote(old)}"]
        case ast.AlterColumn(change=change):
            return _of_definition(change, was, column)
        case _:
            return []


def _policy_back(
    was: Before, column: str, kind: str, force: bool, *, is_setting: bool
) -> list[str]:
    """Set the prior policy again, or take the new one off.

    Without FORCE the account refuses a column that has one, so success says there was none.
    """
    row = was.rows[0] if was.rows else {}
    policy = was.value or policy_of(row)
    if policy:
        names = _arguments(row)
        using = f" USING ({', '.join(map(quote, names))})" if kind == "MASKING" and names else ""
        return [f"{column} SET {kind} POLICY {policy}{using} FORCE"]
    if not is_setting or (force and was.exists is not False):
        return []
    return [f"{column} UNSET {kind} POLICY"]


def _arguments(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns for USING: the masked one first, which the account may leave out."""
    names, column = columns_of(row), cell_of(row, "ref_column_name")
    return (column, *names) if names and column and names[0] != column else names


def _of_definition(change: str, was: Before, column: str) -> list[str]:
    if not was.rows:
        return []
    comment = was.cell("comment")
    if change in ("COMMENT", "UNSET COMMENT"):
        return [f"{column} COMMENT {literal(comment)}"] if comment else [f"{column} UNSET COMMENT"]
    nullable = (was.cell("is_nullable") or "").upper()
    if change == "SET NOT NULL" and nullable == "YES":
        return [f"{column} DROP NOT NULL"]
    if change == "DROP NOT NULL" and nullable == "NO":
        return [f"{column} SET NOT NULL"]
    return []


def _of_clustering(was: Before, head: str) -> list[str]:
    """Return to the key that SHOW told, `LINEAR(A, B)`, or to none."""
    if not was.rows:
        return []
    key = re.fullmatch(r"(?:LINEAR)?\((.+)\)", was.cell("cluster_by") or "")
    return [f"{head} CLUSTER BY ({key[1]})" if key else f"{head} DROP CLUSTERING KEY"]


def _of_policies(action: ast.Action, was: Before, head: str, place: Place) -> list[str]:
    match action:
        case ast.AddRowAccessPolicy(policy=policy):
            name = render_name(place.qualified("ROW ACCESS POLICY", policy))
            return [f"{head} DROP ROW ACCESS POLICY {name}"]
        case ast.DropRowAccessPolicy() | ast.DropAllRowAccessPolicies():
            return [
                f"{head} ADD ROW ACCESS POLICY {policy_of(row)} ON ({_columns(columns_of(row))})"
                for row in was.rows
                if policy_of(row) and columns_of(row)
            ]
        case ast.SetAggregationPolicy(force=force):
            return _slot_back(was, head, "AGGREGATION", force, is_setting=True)
        case ast.UnsetAggregationPolicy():
            return _slot_back(was, head, "AGGREGATION", False, is_setting=False)
        case ast.SetJoinPolicy(force=force):
            return _slot_back(was, head, "JOIN", force, is_setting=True)
        case ast.UnsetJoinPolicy():
            return _slot_back(was, head, "JOIN", False, is_setting=False)
        case ast.AddDataMetricFunctions(associations=associations):
            return [f"{head} DROP DATA METRIC FUNCTION {_metrics(associations, place)}"]
        case ast.ModifyExpectation(associations=associations, verb="ADD", name=name):
            measured = _metrics(associations, place)
            return [f"{head} MODIFY DATA METRIC FUNCTION {measured} DROP EXPECTATION {quote(name)}"]
        case ast.DropDataMetricFunctions(associations=associations):
            return [f"{head} ADD DATA METRIC FUNCTION {_metrics(associations, place)}"]
        case _:
            return []


def _slot_back(was: Before, head: str, kind: str, force: bool, *, is_setting: bool) -> list[str]:
    """Set the prior policy of a table again, or take the new one off."""
    policy = was.value or (policy_of(was.rows[0]) if was.rows else None)
    if policy:
        return [f"{head} SET {kind} POLICY {policy} FORCE"]
    if not is_setting or (force and was.exists is not False):
        return []
    return [f"{head} UNSET {kind} POLICY"]


def _columns(names: Iterable[str]) -> str:
    return ", ".join(quote(name) for name in names)


def _metrics(associations: Iterable[ast.MetricAssociation], place: Place) -> str:
    return ", ".join(
        f"{render_name(place.qualified('FUNCTION', a.function))} ON ({_columns(a.columns)})"
        for a in associations
    )
