"""CREATE TABLE … USING TEMPLATE: the columns are what a query tells, as INFER_SCHEMA does.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table (CREATE TABLE … USING TEMPLATE)
"""

from __future__ import annotations

import json
import re
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.executor import queries
from skills_nb.embedded.parser.table_templates import Template
from skills_nb.embedded.session.context import Context
from skills_nb.sql.identifiers import quote

_TYPE = re.compile(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*( ?\( ?\d+( ?, ?\d+)? ?\))?")
"""What may be called a type: it comes out of data, and becomes part of a statement."""


def filled(session: Context, template: Template) -> str:
    """Return the CREATE TABLE with the columns that its template tells.

    Raises:
        SqlError: the query is refused, or does not answer with an array of columns.
    """
    columns = ", ".join(_column(one) for one in _told(session, template.query))
    return f"{template.before} ({columns}){template.behind}"


def _told(session: Context, query: str) -> list[Any]:
    outcome = queries.select(session, session.parse_query(query), describe_only=False)
    value = outcome.rows[0][0] if outcome.rows and outcome.rows[0] else None
    told = json.loads(value) if isinstance(value, str) else value
    if not isinstance(told, list) or not told:
        raise errors.invalid_argument(
            "The query of USING TEMPLATE answers with no column definitions."
        )
    return told


def _column(told: Any) -> str:
    known = told if isinstance(told, dict) else {}
    name, type_ = known.get("COLUMN_NAME"), known.get("TYPE")
    if not isinstance(name, str) or not _TYPE.fullmatch(str(type_)):
        raise errors.invalid_argument(
            "A column definition of USING TEMPLATE needs COLUMN_NAME and TYPE."
        )
    return f"{quote(name)} {type_}{'' if known.get('NULLABLE', True) else ' NOT NULL'}"
