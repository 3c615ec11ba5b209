"""Listings, which offer a share or an application package to others; nobody sees them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-listing
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, bare, spoken
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, Verb
from skills_nb.embedded.objects.entries.property_checks import flag, plain, text
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast
from skills_nb.sql.tokens import literal


def _complete(session: Context, held: Held) -> None:
    held["_STATE"] = "PUBLISHED" if held["PUBLISH"] else "DRAFT"


def _turned(state: str) -> Verb:
    """Make what only changes the state."""
    return lambda session, entity, given, held: {**held, "_STATE": state}


def _manifest(session: Context, entity: Entity, given: Held, held: Held) -> Held:
    return {**held, **given}


def _cells(session: Context, e: Entity, held: Held) -> Held:
    return {
        "global_name": f"GZ{e.id:08d}",
        "title": _title(held.get("AS") or ""),
        "state": held["_STATE"],
        "review_state": "UNSENT",
        "is_share": str("SHARE" in held).lower(),
        "is_application": str("APPLICATION PACKAGE" in held).lower(),
        "manifest_yaml": held.get("AS"),
    }


def _title(manifest: str) -> str | None:
    titles = [line for line in manifest.splitlines() if line.startswith("title:")]
    return titles[0].partition(":")[2].strip().strip("\"'") if titles else None


def _changes(held: Held) -> list[str]:
    if held["_STATE"] == "UNPUBLISHED":
        return ["unpublish"]
    return ["publish"] if held["_STATE"] == "PUBLISHED" and not held["PUBLISH"] else []


_RULES = EntryRules(
    properties={
        "SHARE": plain,
        "APPLICATION PACKAGE": plain,
        "AS": text,
        "FROM": text,
        "PUBLISH": flag,
        "REVIEW": flag,
    },
    one_of=("AS", "FROM"),
    references={"SHARE": Kind.SHARE, "APPLICATION PACKAGE": Kind.APPLICATION_PACKAGE},
    fixed=frozenset({"SHARE", "APPLICATION PACKAGE", "AS", "FROM", "PUBLISH", "REVIEW"}),
    defaults={"PUBLISH": True, "REVIEW": True},
    complete=_complete,
    verbs={
        "PUBLISH": _turned("PUBLISHED"),
        "UNPUBLISH": _turned("UNPUBLISHED"),
        "AS": _manifest,
    },
)
register(
    entry_kind(
        Kind.LISTING,
        ast.CreateListing,
        _RULES,
        Shown(
            plural="LISTINGS",
            columns="global_name name title subtitle profile created_on:t updated_on:t "
            "published_on:t state review_state comment owner owner_role_type regions "
            "target_accounts is_monetized is_application is_share",
            described="global_name name owner owner_role_type created_on:t updated_on:t "
            "published_on:t title subtitle state review_state comment manifest_yaml "
            "is_application is_share",
            cells=_cells,
        ),
        written=Written(
            words="external listing",
            or_replace=False,
            clauses={"SHARE": bare, "APPLICATION PACKAGE": bare, "FROM": spoken},
            last=literal,
            changes=_changes,
        ),
        privileges=("MODIFY", "USAGE"),
        made_after=(Kind.APPLICATION_PACKAGE,),
    )
)
