"""CREATE of what moves data: dynamic tables, streams, tasks, alerts, pipes, sequences.

Room: sql.
"""

from __future__ import annotations

from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import (
    accept_clone,
    accept_tags,
    accept_time_travel,
    read_names,
    read_properties,
    take_comment,
)
from skills_nb.sql.governance.column_clauses import read_definition, read_table_clause
from skills_nb.sql.governance.reader import Reader

_STREAM_SOURCES = ("DYNAMIC TABLE", "EXTERNAL TABLE", "EVENT TABLE", "TABLE", "VIEW", "STAGE")
FROZEN = ("FROZEN WHERE", "IMMUTABLE WHERE")
"""What keeps rows of a dynamic table from changing, by its name of today and by the older one."""
_Header = dict[str, Any]


def read_dynamic_table(r: Reader, header: _Header) -> ast.Create:
    """Read columns, properties, policies and the query."""
    if r.at("CLONE"):
        return _cloned(r, header, "DYNAMIC TABLE")
    columns, clauses = _read_columns(r) if r.at("(") else (None, [])
    options: dict[str, ast.Value] = {}
    cluster_by = None
    while not r.accept("AS"):
        if r.accept("CLUSTER BY"):
            cluster_by = r.bracket()
        elif (frozen := r.accept_one(FROZEN)) is not None:
            options[frozen] = r.bracket()
        elif found := read_table_clause(r):
            clauses += found
        else:
            options |= read_properties(r) or _flag(r)
    comment = take_comment(options)
    return ast.CreateDynamicTable(
        **header,
        columns=columns,
        cluster_by=cluster_by,
        clauses=tuple(clauses),
        comment=comment,
        properties=options,
        query=r.rest(),
    )


def _cloned(r: Reader, header: _Header, kind: str) -> ast.CreateClone:
    clone = accept_clone(r) or r.fail()
    copies = r.accept("COPY GRANTS")
    options = read_properties(r)
    return ast.CreateClone(
        **header, object_kind=kind, clone=clone, copy_grants=copies, properties=options
    )


def _flag(r: Reader) -> dict[str, ast.Value]:
    flag = r.expect_one(("COPY GRANTS", "REQUIRE USER"))
    return {flag.replace(" ", "_"): True}


def _read_columns(r: Reader) -> tuple[str, list[ast.TableAction]]:
    """Read `(a, b WITH …)`; the columns' source without clauses, and the clauses."""
    r.expect("(")
    definitions = [read_definition(r)]
    while r.accept(","):
        definitions.append(read_definition(r))
    r.expect(")")
    text = ", ".join(d.definition for d in definitions)
    return text, [clause for d in definitions for clause in d.clauses]


def read_stream(r: Reader, header: _Header) -> ast.Create:
    """Read `[COPY GRANTS] ON <kind> <name> [AT …] options`."""
    if r.at("CLONE"):
        return _cloned(r, header, "STREAM")
    tags = accept_tags(r)
    copy_grants = r.accept("COPY GRANTS")
    r.expect("ON")
    kind = r.expect_one(_STREAM_SOURCES)
    source = r.name()
    at = accept_time_travel(r)
    options = read_properties(r)
    at = at or accept_time_travel(r)
    comment = take_comment(options)
    return ast.CreateStream(
        **header,
        source_kind=kind,
        source=source,
        at=at,
        copy_grants=copy_grants,
        comment=comment,
        properties=options,
        tags=tags,
    )


def read_task(r: Reader, header: _Header) -> ast.Create:
    """Read properties, AFTER, WHEN and the body."""
    if r.at("CLONE"):
        return _cloned(r, header, "TASK")
    options: dict[str, ast.Value] = {}
    tags: tuple[ast.TagValue, ...] = ()
    after: tuple[ast.Name, ...] = ()
    while not r.at("WHEN", "AS"):
        if r.accept("AFTER"):
            after = read_names(r)
        elif r.accept("EXECUTE AS USER"):
            options["EXECUTE_AS_USER"] = ast.Ref(r.name(1))
        elif found := accept_tags(r):
            tags += found
        else:
            options |= read_properties(r) or r.fail()
    when = r.until("AS") if r.accept("WHEN") else None
    r.expect("AS")
    comment = take_comment(options)
    return ast.CreateTask(
        **header,
        after=after,
        when=when,
        body=_body(r),
        comment=comment,
        properties=options,
        tags=tags,
    )


def _body(r: Reader) -> str:
    """Cut everything up to the end: a block has its own semicolons."""
    first = r.index
    if r.is_done:
        r.fail()
    last = len(r.tokens) - 1
    while r.tokens[last - 1].text == ";":
        last -= 1
    r.index = len(r.tokens) - 1
    return r.between(first, last)


def read_alert(r: Reader, header: _Header) -> ast.Create:
    """Read `options IF (EXISTS (condition)) THEN action`."""
    if r.at("CLONE"):
        return _cloned(r, header, "ALERT")
    tags = accept_tags(r)
    options = read_properties(r)
    tags += accept_tags(r)
    r.expect("IF ( EXISTS")
    condition = r.bracket()
    r.expect(") THEN")
    comment = take_comment(options)
    return ast.CreateAlert(
        **header,
        condition=condition,
        action=_body(r),
        comment=comment,
        properties=options,
        tags=tags,
    )


def read_pipe(r: Reader, header: _Header) -> ast.Create:
    """Read `options AS COPY INTO …`."""
    options = read_properties(r)
    r.expect("AS")
    comment = take_comment(options)
    return ast.CreatePipe(**header, body=_body(r), comment=comment, properties=options)


def read_sequence(r: Reader, header: _Header) -> ast.Create:
    """Read `[WITH] [START [WITH] [=] n] [INCREMENT [BY] [=] n] [ORDER | NOORDER] [COMMENT …]`."""
    if r.at("CLONE"):
        return _cloned(r, header, "SEQUENCE")
    found: _Header = {}
    r.accept("WITH")
    while not r.is_done and not r.at("COMMENT"):
        if r.accept("START"):
            found["start"] = _number(r, "WITH")
        elif r.accept("INCREMENT"):
            found["increment"] = _number(r, "BY")
        else:
            found["ordered"] = r.expect_one(("ORDER", "NOORDER")) == "ORDER"
        r.accept(",")
    options = read_properties(r)
    return ast.CreateSequence(**header, **found, comment=take_comment(options))


def _number(r: Reader, preposition: str) -> int:
    r.accept(preposition)
    r.accept("=")
    return r.integer()
