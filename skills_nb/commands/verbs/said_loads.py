"""A wish to load a file that lies beside the person: `load kegs.csv into MY_DATA.PUBLIC.KEGS`.

Room: commands. What is wished is what the verb `load` does; the plan waits here, as each plan of a
wish does. A file that is not here may lie on a stage, and so stays a wish like any other.
"""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from skills_nb.commands.verbs.load import load
from skills_nb.engine.inputs.questions import listed_tables, tables_query
from skills_nb.engine.inputs.wording.named_choices import named_among
from skills_nb.model.state import Fact
from skills_nb.runtime.environment_reads import read
from skills_nb.sql.identifiers import render_name, split_name

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.commands.reply import Reply

_LOAD = re.compile(
    r"\W*(?:(?:please|can you|could you|i want to|i need to|let's|now)[ ,]+)*"
    r"(?:load|import|upload|ingest|read in|read|bring in)\s+"
    r"(?:(?:the|my|our|this|in|data|rows|from|file|csv|of)\s+)*"
    r"(?P<quote>['\"`]?)(?P<file>[^'\"`\n]+?\.(?:csv|tsv|tab|txt|jsonl?|ndjson|parquet|pq))(?P=quote)"
    r"(?:\s+file)?"
    r"(?:\s+(?:in)?to\s+(?:(?:the|a|our|my|new|existing|table)\s+)*(?P<into>[^?!]+?)(?:\s+table)?)?"
    r"(?:[ ,]+please)?[\s.?!]*",
    re.IGNORECASE,
)
_SOMEWHERE = re.compile(r"snowflake|(?:the|my|our) (?:account|database)", re.IGNORECASE)
"""What says no more than that there is to be a table."""


def load_said(app: AppContext, goal: str, words: Namespace) -> Reply | None:
    """Propose what `load` does where the words say just that of a file here; None where not.

    Raises:
        UsageError: the file cannot be loaded, or the table that it would make is there.
    """
    said = _LOAD.fullmatch(goal)
    if said is None or words.inputs or words.thread is not None:
        return None
    file = said["file"].strip()
    if not Path(file).expanduser().is_file():
        return None
    into, is_there = _target(app, said["into"])
    options = {"source": file, "into": into, "append": is_there, "no_header": False, "waits": True}
    return load(app, Namespace(**{**vars(words), **options}), None)


def _target(app: AppContext, into: str | None) -> tuple[str | None, bool]:
    """Return the table that is said, in full where it is there, and whether it is."""
    if into is None or _SOMEWHERE.fullmatch(into):
        return None, False
    query = tables_query(into)
    found = Fact.of(read(app.wiring.session, query, None), 0) if query is not None else None
    tables = listed_tables(found) if found is not None and found.error is None else ()
    if "." in into:
        full = render_name(split_name(into))
        return into, full in tables
    named = named_among(into, tables)
    if len(named) == 1:
        return named[0], True
    is_quoted = into.startswith('"')
    return into if is_quoted else re.sub(r"\W+", "_", into).upper(), False
