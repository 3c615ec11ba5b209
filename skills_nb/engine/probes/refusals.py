"""What a refused probe means to a reader: what is missing or out of reach, and who can grant it.

Room: laws. An account answers alike for what does not exist and for what a role may not see, so
both are said, and with them the privilege that would help.
Source: Snowflake manual, "Access control privileges", "Enabling other roles to use schemas in the
SNOWFLAKE database".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.engine.error_diagnosis import category_of, error_in_one_line
from skills_nb.model.events import StatementError
from skills_nb.sql.identifiers import render_name

_NAMED = re.compile(
    r"""\b(?:(?P<kind>[A-Z][a-z]+)\ )?'(?P<name>(?:[^'"]|"(?:[^"]|"")*")+)'"""
    r"\ does\ not\ exist\ or\ not\ authorized",
    re.VERBOSE,
)
"""A part of the name in double quotes may hold apostrophes."""
_COLUMN = re.compile(r"invalid identifier '(?P<name>.+)'")
_NEEDED = {
    "Database": "USAGE ON DATABASE",
    "Schema": "USAGE ON SCHEMA",
    "Warehouse": "USAGE ON WAREHOUSE",
    "Stage": "READ ON STAGE",
    "Table": "SELECT ON TABLE",
    "View": "SELECT ON VIEW",
}
"""The least that a role needs to see an object of a kind."""
_OF_THE_ACCOUNT = frozenset({"Database", "Warehouse", "Role", "User", "Share", "Integration"})
"""Kinds whose names have one part, whatever dots are in it."""
_MOST_PARTS = {"Schema": 2} | dict.fromkeys(_OF_THE_ACCOUNT, 1)


_VIEWERS = {
    "METERING_HISTORY": "USAGE_VIEWER",
    "WAREHOUSE_METERING_HISTORY": "USAGE_VIEWER",
    "QUERY_HISTORY": "GOVERNANCE_VIEWER",
    "QUERY_ATTRIBUTION_HISTORY": "GOVERNANCE_VIEWER",
}
"""The database role of SNOWFLAKE that reads a view, by the view."""


def missing_column_in_words(error: StatementError, probe: str) -> str:
    """Return which column is not there, or nothing where the account refused something else.

    Args:
        error: what the account answered to a probe.
        probe: its id, which says what it reads.
    """
    found = _COLUMN.search(" ".join(error.text.split()))
    if found is None:
        return ""
    return (
        f"Column {found['name']}, which probe '{probe}' reads, does not exist there. "
        "Lower-case names go in double quotes."
    )


def refusal_in_words(error: StatementError, role: str) -> str:
    """Return what a refusal means, and what the account said where that is not all of it.

    Args:
        error: what the account answered to a probe.
        role: stored name of the role that asked; empty where it is not known.
    """
    who = f"role {render_name((role,))}" if role else "the session's role"
    kind = category_of(error).name
    if kind == "object_not_found":
        return _unseen(error, who)
    if kind == "permission":
        return f"A privilege is missing for {who}: {error_in_one_line(error)}"
    return ""


def finds_nothing(error: StatementError) -> bool:
    """Tell whether the account refused for something that is not there, or is not seen."""
    return category_of(error).name == "object_not_found"


def names_nothing(error: StatementError) -> bool:
    """Tell whether the account refused for something unseen and did not say what it was."""
    named = _NAMED.search(" ".join(error.text.split()))
    return finds_nothing(error) and named is None


def _unseen(error: StatementError, who: str) -> str:
    found = _NAMED.search(" ".join(error.text.split()))
    if found is None:
        told = error_in_one_line(error)
        return f"Something that was named does not exist, or {who} may not see it: {told}"
    kind, told = found["kind"] or "Object", found["name"]
    parts = [told] if kind in _OF_THE_ACCOUNT else told.split(".")
    to = f"TO {who.replace('role ', 'ROLE ', 1)}" if who.startswith("role ") else "to it"
    if parts[0] == "SNOWFLAKE":
        return _closed_usage(parts, who, to)
    # Where a part has a dot of its own, nothing tells which dots separate parts.
    is_clear = '"' in told or len(parts) <= _MOST_PARTS.get(kind, 3)
    name = told if '"' in told else render_name(parts) if is_clear else f"'{told}'"
    is_known = kind in _NEEDED and is_clear
    needed = f"run GRANT {_NEEDED[kind]} {name} {to}" if is_known else "grant access to it"
    return (
        f"{kind} {name} does not exist, or {who} may not see it. Lower-case names go in double "
        f"quotes; if the name is right, its owner or SECURITYADMIN can {needed}."
    )


def _closed_usage(parts: Sequence[str], who: str, to: str) -> str:
    """Say which grant opens the usage history, the smallest one where the view is known."""
    everything = f"GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE {to}"
    viewer = _VIEWERS.get(parts[-1])
    if viewer is not None:
        return (
            f"The view {'.'.join(parts)} is closed to {who}. ACCOUNTADMIN can run GRANT DATABASE "
            f"ROLE SNOWFLAKE.{viewer} {to}, or {everything}, which opens all of the usage history."
        )
    return (
        f"The SNOWFLAKE database, which holds the usage history, is closed to {who}. "
        f"ACCOUNTADMIN can run {everything}, or grant only the database roles that this needs: "
        "SNOWFLAKE.USAGE_VIEWER opens credits, and SNOWFLAKE.GOVERNANCE_VIEWER statements."
    )
