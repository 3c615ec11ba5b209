"""What a rehearsal reads, and where: on the account, on its shadow, or foretold.

Room: work. Until something is planned to change, reads go to the account, because reading is all
they do; after that they go to the shadow, which knows the planned changes. A classification is
never run: it looks at rows and keeps its result, so it is foretold from names and types, or from a
sample that the person allowed.
"""

from __future__ import annotations

import json
import re

from skills_nb.model import events as ev
from skills_nb.ports import Ports, QueryRows, SqlReader
from skills_nb.runtime.environment_reads import probe_environment, read
from skills_nb.runtime.rehearsal.rehearsed_thread import RehearsedThread
from skills_nb.sql import governance
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.governance import ast
from skills_nb.sql.tokens import literal, tokenize

_SAMPLE_ROWS = 1_000
_FROM = "what SYSTEM$CLASSIFY finds, from"
_METADATA = re.compile(r"\bINFORMATION_SCHEMA\b", re.I)
_CALL = re.compile(r"\s*CALL\b", re.I)


def read_for_rehearsal(
    query: str, role: str | None, rehearsed: RehearsedThread, ports: Ports, *, is_one_of_many: bool
) -> tuple[ev.EnvironmentProbed, bool]:
    """Return what a query finds, and whether the account itself was asked.

    Args:
        query: a read-only statement.
        role: as whom it is asked.
        rehearsed: the rehearsal.
        ports: the account, and what else the interpreter needs.
        is_one_of_many: whether a loop asks the like of many objects; then the catalog is read on
            the shadow, which was filled in a few queries.
    """
    table = classified_table(query)
    if table is not None:
        return _foretold(query, table, role, rehearsed, ports), False
    on_shadow = (
        rehearsed.has_changes
        or (is_one_of_many and _METADATA.search(query) is not None)
        # What may do more than read, such as a function of somebody's own, is not asked unasked.
        or why_no_probe(query) is not None
    )
    account: SqlReader = rehearsed.shadow if on_shadow else ports.session
    return read(account, query, role), not on_shadow


def classified_table(query: str) -> str | None:
    """Return the table that a statement classifies, as its text says it; None for others."""
    if not _CALL.match(query):
        return None
    call = governance.parse(query)
    if not isinstance(call, ast.Call) or call.name != ("SYSTEM$CLASSIFY",) or not call.arguments:
        return None
    return tokenize(call.arguments[0])[0].value


def _foretold(
    query: str, table: str, role: str | None, rehearsed: RehearsedThread, ports: Ports
) -> ev.EnvironmentProbed:
    if rehearsed.state.samples:
        told = probe_environment(query, role, lambda: _sampled(ports.session, table, role))
        if "error" not in told.result:
            rehearsed.remark(f"predicted: {_FROM} a sample of {_SAMPLE_ROWS} rows a table")
            return told
        # A table that is only planned has no rows, and others may not be readable.
        rehearsed.remark(f"no sample of {table}: {told.result['error']['text'].splitlines()[-1]}")
    rehearsed.remark(f"predicted: {_FROM} names and types")
    return probe_environment(query, role, lambda: rehearsed.shadow.classified(table, role=role))


def _sampled(session: SqlReader, table: str, role: str | None) -> QueryRows:
    """Let the account classify a sample, and keep nothing of it.

    Source: the manual's EXTRACT_SEMANTIC_CATEGORIES.
    """
    asked = f"SELECT EXTRACT_SEMANTIC_CATEGORIES({literal(table)}, {_SAMPLE_ROWS})"
    told = session.query(asked, role=role).rows[0][0]
    result = json.loads(told) if isinstance(told, str) else told
    text = json.dumps({"classification_result": result})
    return QueryRows(("SYSTEM$CLASSIFY",), ((text,),), 1)
