"""CREATE TABLE and CREATE VIEW.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table and
https://docs.snowflake.com/en/sql-reference/sql/create-view
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.objects.relations import view
from skills_nb.embedded.objects.relations.table import table_alteration, table_creation
from skills_nb.embedded.objects.relations.table.column_definitions import Clauses
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.tokens import leading_tokens


def run(session: Context, tree: exp.Create, clauses: Clauses, text: str) -> Outcome:
    """Run CREATE TABLE or CREATE VIEW.

    Raises:
        SqlError: it creates anything else, or says OR ALTER of a view (0A000).
    """
    kind = str(tree.args.get("kind", "")).upper()
    session.commit_before_ddl()
    # To the tree, OR ALTER is OR REPLACE.
    if [token.word for token in leading_tokens(text, 3)] == ["CREATE", "OR", "ALTER"]:
        if kind != "TABLE":
            raise errors.unsupported(f"CREATE OR ALTER {kind}")
        return table_alteration.create_or_alter(session, tree, clauses)
    if kind == "TABLE":
        return table_creation.create(session, tree, clauses)
    if kind == "VIEW":
        return view.create(session, tree, clauses, text)
    raise errors.unsupported(f"CREATE {kind}")
