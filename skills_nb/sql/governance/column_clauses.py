"""Actions of ALTER TABLE and ALTER VIEW, and the same clauses inside CREATE TABLE.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import accept_tags, read_tag_values
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.governance.search_optimization import read_drop, read_methods

_TableActions = tuple[ast.TableAction, ...]


def read_table_action(r: Reader) -> _TableActions:
    """Read one action that concerns columns or policies; () where none comes next."""
    for phrase, read in _TABLE_ACTIONS:
        if r.accept(phrase):
            return read(r)
    return ()


def _modify(r: Reader) -> _TableActions:
    """Read `[(] [COLUMN] c action [, [COLUMN] c action …] [)]`."""
    bracketed = r.accept("(")
    r.accept("COLUMN")
    found = list(_read_column_action(r, r.identifier()))
    while r.accept(","):
        r.accept("COLUMN")
        found += _read_column_action(r, r.identifier())
    if bracketed:
        r.expect(")")
    return tuple(found)


def _read_column_action(r: Reader, column: str) -> _TableActions:
    for phrase, read in _COLUMN_ACTIONS:
        if r.accept(phrase):
            return (read(r, column),)
    if r.at(*_TYPES):
        return (_set_type(r, column),)
    r.fail()


_TYPES = (
    *("ARRAY", "BIGINT", "BINARY", "BOOLEAN", "BYTEINT", "CHAR", "CHARACTER", "DATE", "DATETIME"),
    *("DEC", "DECIMAL", "DOUBLE", "FLOAT", "FLOAT4", "FLOAT8", "INT", "INTEGER", "NCHAR", "NUMBER"),
    *("NUMERIC", "NVARCHAR", "NVARCHAR2", "OBJECT", "REAL", "SMALLINT", "STRING", "TEXT", "TIME"),
    *("TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "TIMESTAMP_TZ", "TINYINT", "VARBINARY"),
    *("VARCHAR", "VARIANT"),
)
"""What may follow a column's name by itself, as SET DATA TYPE may be left out."""


def read_masking(r: Reader, column: str) -> ast.SetColumnMaskingPolicy:
    """Read `p [USING (…)] [FORCE]`."""
    policy = r.name()
    using = r.columns() if r.accept("USING") else None
    return ast.SetColumnMaskingPolicy(column, policy, using, r.accept("FORCE"))


def read_projection(r: Reader, column: str) -> ast.SetColumnProjectionPolicy:
    """Read `p [FORCE]`."""
    return ast.SetColumnProjectionPolicy(column, r.name(), r.accept("FORCE"))


def _set_column_tags(r: Reader, column: str) -> ast.TableAction:
    return ast.SetColumnTags(column, read_tag_values(r))


def _unset_column_tags(r: Reader, column: str) -> ast.TableAction:
    tags = [r.name()]
    while r.at(",") and not _is_next_column(r):
        r.expect(",")
        tags.append(r.name())
    return ast.UnsetColumnTags(column, tuple(tags))


def _is_next_column(r: Reader) -> bool:
    """Tell `, c SET …` and `, COLUMN c …` from `, tag`."""
    return r.ahead(2).text not in (",", ".", ")", ";", "")


def _change(phrase: str) -> Callable[[Reader, str], ast.TableAction]:
    return lambda _, column: ast.AlterColumn(column, phrase)


def _set_type(r: Reader, column: str) -> ast.TableAction:
    return ast.AlterColumn(column, "SET DATA TYPE", r.until(",", "USING"))


def _set_default(r: Reader, column: str) -> ast.TableAction:
    return ast.AlterColumn(column, "SET DEFAULT", r.until(","))


def _set_comment(r: Reader, column: str) -> ast.TableAction:
    return ast.AlterColumn(column, "COMMENT", r.text())


_COLUMN_ACTIONS: tuple[tuple[str, Callable[[Reader, str], ast.TableAction]], ...] = (
    ("SET MASKING POLICY", read_masking),
    ("UNSET MASKING POLICY", lambda _, column: ast.UnsetColumnMaskingPolicy(column)),
    ("SET PROJECTION POLICY", read_projection),
    ("UNSET PROJECTION POLICY", lambda _, column: ast.UnsetColumnProjectionPolicy(column)),
    ("SET TAG", _set_column_tags),
    ("UNSET TAG", _unset_column_tags),
    ("SET NOT NULL", _change("SET NOT NULL")),
    ("DROP NOT NULL", _change("DROP NOT NULL")),
    ("SET DEFAULT", _set_default),
    ("DROP DEFAULT", _change("DROP DEFAULT")),
    ("SET DATA TYPE", _set_type),
    ("TYPE", _set_type),
    ("COMMENT", _set_comment),
    ("UNSET COMMENT", _change("UNSET COMMENT")),
)


def read_row_access(r: Reader) -> ast.AddRowAccessPolicy:
    """Read `p ON (…)`."""
    policy = r.name()
    r.expect("ON")
    return ast.AddRowAccessPolicy(policy, r.columns())


def read_aggregation(r: Reader) -> ast.SetAggregationPolicy:
    """Read `p [ENTITY KEY (…)], … [FORCE]`."""
    policy = r.name()
    keys: list[tuple[str, ...]] = []
    while r.accept("ENTITY KEY") or r.accept(", ENTITY KEY"):
        keys.append(r.columns())
    return ast.SetAggregationPolicy(policy, tuple(keys), r.accept("FORCE"))


def read_join(r: Reader) -> ast.SetJoinPolicy:
    """Read `p [ALLOWED JOIN KEYS (…)] [FORCE]`."""
    policy = r.name()
    keys = r.columns() if r.accept("ALLOWED JOIN KEYS") else ()
    return ast.SetJoinPolicy(policy, keys, r.accept("FORCE"))


def _metrics(r: Reader) -> tuple[ast.MetricAssociation, ...]:
    found: list[ast.MetricAssociation] = []
    while True:
        function = r.name()
        r.expect("ON")
        columns, condition = _measured(r)
        found.append(ast.MetricAssociation(function, columns, _expectations(r), condition))
        if not r.accept(","):
            return tuple(found)


def _measured(r: Reader) -> tuple[tuple[str, ...], str]:
    """Read `()`, `(a, b, …)` or `(a, a -> condition)`; columns, and the condition's source."""
    if r.accept("( )"):
        return (), ""
    r.expect("(")
    found = [r.identifier()]
    while r.accept(","):
        found.append(r.identifier())
        if r.accept("->"):
            if found[0] != found.pop():
                r.fail()
            condition = r.rest()
            r.expect(")")
            return tuple(found), condition
    r.expect(")")
    return tuple(found), ""


def _expectations(r: Reader) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    while r.accept("EXPECTATION") or r.accept(", EXPECTATION"):
        found.append((r.identifier(), r.bracket()))
    return tuple(found)


def _modify_metrics(r: Reader) -> _TableActions:
    associations = _metrics(r)
    for verb in ("ADD", "MODIFY", "DROP"):
        if r.accept(f"{verb} EXPECTATION"):
            name = r.identifier()
            condition = "" if verb == "DROP" else r.bracket()
            return (ast.ModifyExpectation(associations, verb, name, condition),)
    suspend = r.expect_one(("SUSPEND", "RESUME")) == "SUSPEND"
    return (ast.ModifyDataMetricFunctions(associations, suspend),)


def _add_columns(r: Reader) -> _TableActions:
    if_not_exists = r.accept("IF NOT EXISTS")
    columns = [read_definition(r)]
    while r.at(",") and not r.at(", ADD", ", DROP"):
        r.expect(",")
        r.accept("COLUMN")
        columns.append(read_definition(r))
    return (ast.AddColumns(tuple(columns), if_not_exists),)


def read_definition(r: Reader) -> ast.ColumnDefinition:
    """Read one column definition up to the next comma; its policy and tag clauses apart."""
    first = r.index
    name = r.identifier()
    kept: list[str] = []
    clauses: list[ast.TableAction] = []
    while not r.is_done and not r.at(",", ")"):
        start = r.index
        if found := read_column_clause(r, name):
            kept.append(r.between(first, start))
            clauses += found
            first = r.index
        else:
            r.skip_one()
    kept.append(r.between(first, r.index))
    return ast.ColumnDefinition(name, " ".join(text for text in kept if text), tuple(clauses))


def read_column_clause(r: Reader, column: str) -> _TableActions:
    """Read `[WITH] MASKING POLICY | PROJECTION POLICY | TAG …` of a column if it comes next."""
    if r.at("WITH MASKING POLICY", "WITH PROJECTION POLICY"):
        r.expect("WITH")
    if r.accept("MASKING POLICY"):
        return (read_masking(r, column),)
    if r.accept("PROJECTION POLICY"):
        return (read_projection(r, column),)
    tags = accept_tags(r)
    return (ast.SetColumnTags(column, tags),) if tags else ()


def read_table_clause(r: Reader) -> _TableActions:
    """Read a policy or tag clause of a table or view if it comes next."""
    for phrase, read in _TABLE_CLAUSES:
        if r.accept(f"WITH {phrase}") or r.accept(phrase):
            return (read(r),)
    tags = accept_tags(r)
    return (ast.SetTags(tags),) if tags else ()


_TABLE_CLAUSES: tuple[tuple[str, Callable[[Reader], ast.TableAction]], ...] = (
    ("ROW ACCESS POLICY", read_row_access),
    ("AGGREGATION POLICY", read_aggregation),
    ("JOIN POLICY", read_join),
)


def _drop_columns(r: Reader) -> _TableActions:
    if_exists = r.accept("IF EXISTS")
    columns = [r.identifier()]
    while r.at(",") and not r.at(", ADD", ", DROP"):
        r.expect(",")
        r.accept("COLUMN")
        columns.append(r.identifier())
    return (ast.DropColumns(tuple(columns), if_exists),)


def _rename_column(r: Reader) -> _TableActions:
    column = r.identifier()
    r.expect("TO")
    return (ast.RenameColumn(column, r.identifier()),)


_TABLE_ACTIONS: tuple[tuple[str, Callable[[Reader], _TableActions]], ...] = (
    ("ADD ROW ACCESS POLICY", lambda r: (read_row_access(r),)),
    ("DROP ROW ACCESS POLICY", lambda r: (ast.DropRowAccessPolicy(r.name()),)),
    ("DROP ALL ROW ACCESS POLICIES", lambda _: (ast.DropAllRowAccessPolicies(),)),
    ("SET AGGREGATION POLICY", lambda r: (read_aggregation(r),)),
    ("UNSET AGGREGATION POLICY", lambda _: (ast.UnsetAggregationPolicy(),)),
    ("SET JOIN POLICY", lambda r: (read_join(r),)),
    ("UNSET JOIN POLICY", lambda _: (ast.UnsetJoinPolicy(),)),
    ("ADD DATA METRIC FUNCTION", lambda r: (ast.AddDataMetricFunctions(_metrics(r)),)),
    ("DROP DATA METRIC FUNCTION", lambda r: (ast.DropDataMetricFunctions(_metrics(r)),)),
    ("MODIFY DATA METRIC FUNCTION", _modify_metrics),
    ("ADD SEARCH OPTIMIZATION", lambda r: (ast.AddSearchOptimization(read_methods(r)),)),
    ("DROP SEARCH OPTIMIZATION", lambda r: (read_drop(r),)),
    ("CLUSTER BY", lambda r: (ast.ClusterBy(r.bracket()),)),
    ("DROP CLUSTERING KEY", lambda _: (ast.ClusterBy(None),)),
    ("RENAME COLUMN", _rename_column),
    ("MODIFY", _modify),
    ("ALTER", _modify),
    ("ADD COLUMN", _add_columns),
    ("ADD", _add_columns),
    ("DROP COLUMN", _drop_columns),
    ("DROP", _drop_columns),
)
"""Phrase and reader; the first that matches wins."""
