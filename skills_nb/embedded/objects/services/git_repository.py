"""Clones of Git repositories; nothing is fetched.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-git-repository
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules
from skills_nb.embedded.objects.entries.property_checks import plain, text
from skills_nb.embedded.objects.object_kind import register
from skills_nb.sql.governance import ast

register(
    entry_kind(
        Kind.GIT_REPOSITORY,
        ast.CreateGitRepository,
        EntryRules(
            properties={"ORIGIN": text, "API_INTEGRATION": plain, "GIT_CREDENTIALS": plain},
            required=("ORIGIN", "API_INTEGRATION"),
            references={"API_INTEGRATION": Kind.INTEGRATION, "GIT_CREDENTIALS": Kind.SECRET},
            fixed=frozenset({"ORIGIN"}),
        ),
        Shown(
            plural="GIT REPOSITORIES",
            columns="created_on:t name database_name schema_name origin api_integration "
            "git_credentials owner owner_role_type comment last_fetched_at:t",
        ),
        privileges=("READ", "WRITE"),
        made_after=(Kind.INTEGRATION, Kind.SECRET),
    )
)
