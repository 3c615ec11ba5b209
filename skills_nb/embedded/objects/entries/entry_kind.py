"""A kind of object that is kept as its properties, put together from its parts.

Room: embedded.
"""

from __future__ import annotations

from functools import partial

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects.entries import entry_changes
from skills_nb.embedded.objects.entries.entry_ddl import Written
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules
from skills_nb.embedded.objects.object_kind import Exporting, Listing, ObjectKind
from skills_nb.sql.governance import ast

NO_WORDS = Written()


def entry_kind(
    kind: Kind,
    statement: type[ast.Create],
    rules: EntryRules,
    shown: Shown,
    *,
    written: Written = NO_WORDS,
    privileges: tuple[str, ...] = (),
    made_after: tuple[Kind, ...] = (),
) -> ObjectKind:
    """Put a kind together; GET_DDL is not Snowflake's unless the caller says so."""
    return ObjectKind(
        kind=kind,
        plurals=(shown.plural,),
        create={statement: partial(entry_changes.create, rules=rules)},
        alter=partial(entry_changes.alter, rules=rules),
        listing=Listing(shown.columns, shown.row),
        describe=shown.describe,
        ddl=written.ddl,
        has_get_ddl=False,
        privileges=privileges,
        made_after=made_after,
        export=Exporting(state=written.state),
    )
