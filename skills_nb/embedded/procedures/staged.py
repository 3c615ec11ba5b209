"""Staged scripts: EXECUTE IMMEDIATE FROM a file.

Room: embedded. Every statement of the file is a statement of the session; the answer is the last
one's.

See https://docs.snowflake.com/en/sql-reference/sql/execute-immediate-from
"""

from __future__ import annotations

import re

from skills_nb.embedded import errors
from skills_nb.embedded.parser import stage_locations
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files.opening import opened
from skills_nb.embedded.types.values import Outcome, Result
from skills_nb.errors import SqlError
from skills_nb.sql.statements import Statement, split

_TEMPLATE = re.compile(r"\ufeff?\s{0,10}(?:--|#)!jinja2?\b")
_OPTIONS = re.compile(r"\s(USING\s*\(|DRY_RUN\b)", re.I)


def run(session: Context, written: str) -> Outcome:
    """Run the statements of a file in a stage.

    Raises:
        SqlError: there is no such file (100181), it holds no statement (900) or a template (0A000),
            or one of its statements is refused; those before it stay.
    """
    if option := _OPTIONS.search(written):
        word = option[1].split("(")[0].strip().upper()
        raise errors.unsupported(f"EXECUTE IMMEDIATE FROM … {word}")
    if not stage_locations.is_location(written):
        raise errors.unsupported("EXECUTE IMMEDIATE FROM a relative path")
    folder, _, name = written.rpartition("/")
    stage = opened(session, stage_locations.read(f"{folder}/"), "READ", session.env())
    text = stage.named((name,))[0].place.read_text(encoding="utf-8")
    if _TEMPLATE.match(text):
        raise errors.unsupported("templates in EXECUTE IMMEDIATE FROM")
    statements = split(text)
    if not statements:
        raise errors.empty_statement()
    found = [_run(session, written, text, statement) for statement in statements][-1]
    return Outcome(found.columns, found.rows, found.statement_type, found.row_count)


def _run(session: Context, file: str, text: str, statement: Statement) -> Result:
    try:
        return session.nested(statement.text)
    except SqlError as error:
        position = statement.offset - text.rfind("\n", 0, statement.offset) - 1
        raise errors.staged(file, statement.line, position, error) from error
