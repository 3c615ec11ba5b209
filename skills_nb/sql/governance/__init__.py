"""Governance and administration statements as typed values.

Room: sql. A tokenizer and recursive descent, since the general SQL parser reads about a third of
this family. `parse` for whole statements, `table_clauses` for what CREATE TABLE and CREATE VIEW
attach, `ast` for the values.
"""

from __future__ import annotations

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.ast import GovernanceStatement
from skills_nb.sql.governance.parse import parse
from skills_nb.sql.governance.reader import SqlSyntaxError, UnsupportedSqlError
from skills_nb.sql.governance.table_clauses import table_clauses

__all__ = [
    "GovernanceStatement",
    "SqlSyntaxError",
    "UnsupportedSqlError",
    "ast",
    "parse",
    "table_clauses",
]
