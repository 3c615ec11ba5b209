"""CREATE: one table of kinds, each with its reader.

Room: sql. A kind that is not in the table is not ours. Each reader gets what stands before the
name's own clauses: OR REPLACE, modifiers, IF NOT EXISTS, name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import (
    accept_clone,
    accept_tags,
    read_properties,
    read_triggers,
    take_comment,
)
from skills_nb.sql.governance.entries import ENTRIES
from skills_nb.sql.governance.instances import accept_class, read_instance
from skills_nb.sql.governance.pipelines import (
    read_alert,
    read_dynamic_table,
    read_pipe,
    read_sequence,
    read_stream,
    read_task,
)
from skills_nb.sql.governance.policies import read_policy, read_tag
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError
from skills_nb.sql.governance.routines import read_data_metric_function, read_routine
from skills_nb.sql.governance.semantic_views import read_semantic_view

_MODIFIERS = (
    "LOCAL",
    "GLOBAL",
    "TEMPORARY",
    "TEMP",
    "VOLATILE",
    "TRANSIENT",
    "SECURE",
    "AGGREGATE",
)
Header = dict[str, Any]
"""Keyword arguments of `ast.Create`."""
_Read = Callable[[Reader, Header], ast.Create]


def read_create(r: Reader) -> ast.GovernanceStatement | None:
    """Read one CREATE statement; None for kinds that the general SQL parser reads.

    Raises:
        UnsupportedSqlError: it makes a temporary table for the run of a procedure alone.
    """
    r.expect("CREATE")
    header: Header = {"or_replace": r.accept("OR REPLACE"), "or_alter": r.accept("OR ALTER")}
    modifiers: list[str] = []
    while modifier := r.accept_one(_MODIFIERS):
        modifiers.append(modifier)
    header["modifiers"] = tuple(modifiers)
    if r.accept("PROCEDURE SCOPED TEMP") or r.accept("PROCEDURE SCOPED TEMPORARY"):
        raise UnsupportedSqlError("PROCEDURE SCOPED TEMPORARY TABLE")
    if (instance_of := accept_class(r)) is not None:
        return read_instance(r, instance_of, header)
    for phrase, read in _KINDS:
        if r.accept(phrase):
            return read(r, _read_header(r, header))
    return _read_table_clone(r, header) if r.accept("TABLE") else None


def _read_header(r: Reader, header: Header) -> Header:
    if_not_exists = r.accept("IF NOT EXISTS")
    return {**header, "if_not_exists": if_not_exists, "name": r.name()}


def _read_table_clone(r: Reader, header: Header) -> ast.CreateClone | None:
    """Read CREATE TABLE … CLONE; every other CREATE TABLE is not ours."""
    full = _read_header(r, header)
    return _read_clone(r, full, "TABLE") if r.at("CLONE") else None


def _read_clone(r: Reader, header: Header, kind: str) -> ast.CreateClone:
    clone = accept_clone(r) or r.fail()
    copy_grants = r.accept("COPY GRANTS")
    return ast.CreateClone(**header, object_kind=kind, clone=clone, copy_grants=copy_grants)


def read_options(r: Reader) -> Header:
    """Read properties and tags in any order; keyword arguments of `ast.Create`."""
    properties: dict[str, ast.Value] = {}
    tags: tuple[ast.TagValue, ...] = ()
    while not r.is_done:
        start = r.index
        more = read_properties(r)
        if not properties.keys().isdisjoint(more):
            r.fail(r.tokens[start])
        properties |= more
        tags += accept_tags(r)
        if r.index == start:
            break
    return {"comment": take_comment(properties), "properties": properties, "tags": tags}


def _plain(build: Callable[..., ast.Create], *, clones: str = "") -> _Read:
    """Make the reader of a kind that has nothing but properties and tags, and may be cloned."""

    def read(r: Reader, header: Header) -> ast.Create:
        if clones and r.at("CLONE"):
            return _read_clone(r, header, clones)
        r.accept("WITH") if r.ahead(2).text == "=" else None
        return build(**header, **read_options(r))

    return read


def _integration(kind: str) -> _Read:
    def read(r: Reader, header: Header) -> ast.Create:
        return ast.CreateIntegration(**header, integration=kind, **read_options(r))

    return read


def _read_database(r: Reader, header: Header) -> ast.Create:
    clone = accept_clone(r)
    share = r.name(4) if r.accept("FROM SHARE") else None
    return ast.CreateDatabase(**header, clone=clone, from_share=share, **read_options(r))


def _read_schema(r: Reader, header: Header) -> ast.Create:
    clone = accept_clone(r)
    managed = r.accept("WITH MANAGED ACCESS")
    return ast.CreateSchema(**header, clone=clone, with_managed_access=managed, **read_options(r))


def _read_monitor(r: Reader, header: Header) -> ast.Create:
    r.accept("WITH")
    options = read_options(r)
    return ast.CreateResourceMonitor(**header, **options, triggers=read_triggers(r))


_INTEGRATIONS = ("API", "STORAGE", "NOTIFICATION", "SECURITY", "EXTERNAL ACCESS", "CATALOG")

_KINDS: tuple[tuple[str, _Read], ...] = (
    ("MASKING POLICY", read_policy(ast.CreateMaskingPolicy)),
    ("ROW ACCESS POLICY", read_policy(ast.CreateRowAccessPolicy)),
    ("AGGREGATION POLICY", read_policy(ast.CreateAggregationPolicy)),
    ("PROJECTION POLICY", read_policy(ast.CreateProjectionPolicy)),
    ("JOIN POLICY", read_policy(ast.CreateJoinPolicy)),
    ("PRIVACY POLICY", read_policy(ast.CreatePrivacyPolicy)),
    ("NETWORK POLICY", _plain(ast.CreateNetworkPolicy)),
    ("NETWORK RULE", _plain(ast.CreateNetworkRule)),
    ("SESSION POLICY", _plain(ast.CreateSessionPolicy)),
    ("PASSWORD POLICY", _plain(ast.CreatePasswordPolicy)),
    ("AUTHENTICATION POLICY", _plain(ast.CreateAuthenticationPolicy)),
    ("TAG", read_tag),
    ("DATABASE ROLE", _plain(ast.CreateDatabaseRole)),
    ("ROLE", _plain(ast.CreateRole)),
    ("DATABASE", _read_database),
    ("SCHEMA", _read_schema),
    ("WAREHOUSE", _plain(ast.CreateWarehouse)),
    ("USER", _plain(ast.CreateUser)),
    ("RESOURCE MONITOR", _read_monitor),
    ("DYNAMIC TABLE", read_dynamic_table),
    ("STREAM", read_stream),
    ("TASK", read_task),
    ("ALERT", read_alert),
    ("PIPE", read_pipe),
    ("SEQUENCE", read_sequence),
    ("SHARE", _plain(ast.CreateShare)),
    ("STAGE", _plain(ast.CreateStage, clones="STAGE")),
    ("FILE FORMAT", _plain(ast.CreateFileFormat, clones="FILE FORMAT")),
    ("SECRET", _plain(ast.CreateSecret)),
    ("DATA METRIC FUNCTION", read_data_metric_function),
    ("PROCEDURE", read_routine(ast.CreateProcedure)),
    ("FUNCTION", read_routine(ast.CreateFunction)),
    *((f"{kind} INTEGRATION", _integration(kind)) for kind in _INTEGRATIONS),
    *ENTRIES,
    ("SEMANTIC VIEW", read_semantic_view),
)
"""Phrase and reader, longer phrases before those that they end in."""
