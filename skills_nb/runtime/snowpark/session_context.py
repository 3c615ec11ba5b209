"""Where and as whom a session works.

Room: work (runtime, snowpark). Source: the manual's context functions; Spec: Account context in
events.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext
from skills_nb.runtime.snowpark.query_history import Ask

_FUNCTIONS = (
    "CURRENT_ACCOUNT",
    "CURRENT_ORGANIZATION_NAME",
    "CURRENT_ACCOUNT_NAME",
    "CURRENT_REGION",
    "CURRENT_ROLE",
    "CURRENT_WAREHOUSE",
    "CURRENT_DATABASE",
    "CURRENT_SCHEMA",
    "CURRENT_USER",
    "CURRENT_AVAILABLE_ROLES",
)


def read(ask: Ask) -> AccountContext:
    """Ask for all at once, or one by one where the account lacks a function.

    Raises:
        SqlError: it answers none of them.
    """
    columns = ", ".join(f"{name}() AS {name}" for name in _FUNCTIONS)
    try:
        (told,) = ask(f"SELECT {columns}", ())
    except SqlError:
        told = _one_by_one(ask)
    return _context(told)


def _one_by_one(ask: Ask) -> Mapping[str, Any]:
    told: dict[str, Any] = dict.fromkeys(_FUNCTIONS)
    refused: list[SqlError] = []
    for name in _FUNCTIONS:
        try:
            told[name] = ask(f"SELECT {name}() AS {name}", ())[0][name]
        except SqlError as problem:
            refused.append(problem)
    if len(refused) == len(_FUNCTIONS):
        raise refused[0]
    return told


def _context(told: Mapping[str, Any]) -> AccountContext:
    names = (told["CURRENT_ORGANIZATION_NAME"], told["CURRENT_ACCOUNT_NAME"])
    return AccountContext(
        account_locator=told["CURRENT_ACCOUNT"] or "",
        account_name="-".join(name for name in names if name),
        region=told["CURRENT_REGION"] or "",
        current_role=told["CURRENT_ROLE"] or "",
        current_warehouse=told["CURRENT_WAREHOUSE"],
        current_database=told["CURRENT_DATABASE"],
        current_schema=told["CURRENT_SCHEMA"],
        current_user=told["CURRENT_USER"] or "",
        available_roles=tuple(sorted(json.loads(told["CURRENT_AVAILABLE_ROLES"] or "[]"))),
        edition=None,
    )
