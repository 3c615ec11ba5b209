"""What is said of rows, from what stood before a statement and what the account answered."""

import pytest

from skills_nb.engine.statements.row_changes import (
    StatementAnswer,
    merge_objects,
    row_change_of,
    rows_in_listing,
)
from skills_nb.model.events import ModifiedObject
from skills_nb.ports import InnerStatement
from skills_nb.sql.objects import ObjectRef, row_effects_of

T, U = "DB.S.T", "DB.S.U"


def did(sql, before, told=None):
    """Return what a statement did: name, rows, how they are known, and how."""
    effects = row_effects_of(sql, "DB", "S")
    found = row_change_of(effects, lambda target: before.get(target.fqn), told or StatementAnswer())
    return [(one.fqn, one.rows, one.rows_are, one.how) for one in found]


def counts(**named):
    return StatementAnswer(
        sum(named.values()), {f"number of rows {way}": n for way, n in named.items()}
    )


HELD = {T: {T: 10}, U: {U: 4}}
INTO_BOTH = "INSERT ALL INTO t VALUES (a) INTO u VALUES (a) SELECT 1 AS a"


@pytest.mark.parametrize(
    ("sql", "told", "expected"),
    [
        ("DELETE FROM t", counts(deleted=3), [(T, 3, "exact", {"deleted": 3})]),
        ("DELETE FROM t", StatementAnswer(3), [(T, 3, "exact", {"deleted": 3})]),
        ("DELETE FROM t", StatementAnswer(), [(T, 10, "at_most", {})]),
        ("INSERT INTO t VALUES (1)", StatementAnswer(), [(T, None, "unknown", {})]),
        ("COPY INTO t FROM @s", StatementAnswer(7), [(T, 7, "exact", {"inserted": 7})]),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
            counts(inserted=1, updated=2, deleted=3),
            [(T, 6, "exact", {"inserted": 1, "updated": 2, "deleted": 3})],
        ),
        (
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
            StatementAnswer(6),
            [(T, 6, "exact", {})],
        ),
        (
            "INSERT OVERWRITE INTO t SELECT 1",
            counts(inserted=2),
            [(T, 12, "exact", {"deleted": 10, "inserted": 2})],
        ),
        ("INSERT OVERWRITE INTO t SELECT 1", StatementAnswer(), [(T, None, "unknown", {})]),
        ("TRUNCATE TABLE t", StatementAnswer(), [(T, 10, "exact", {"deleted": 10})]),
        ("DROP TABLE t", StatementAnswer(), [(T, 10, "exact", {"lost": 10})]),
        ("ALTER TABLE t DROP COLUMN a", StatementAnswer(), [(T, 10, "exact", {"cut": 10})]),
        (
            "ALTER TABLE t SWAP WITH u",
            StatementAnswer(),
            [(T, 10, "exact", {"exchanged": 10}), (U, 4, "exact", {"exchanged": 4})],
        ),
        ("ALTER DYNAMIC TABLE t REFRESH", StatementAnswer(), [(T, None, "unknown", {})]),
        (
            INTO_BOTH,
            StatementAnswer(
                3, {"number of rows inserted into T": 1, "number of rows inserted into U": 2}
            ),
            [(T, 1, "exact", {"inserted": 1}), (U, 2, "exact", {"inserted": 2})],
        ),
        (INTO_BOTH, StatementAnswer(3), [(T, 3, "at_most", {}), (U, 3, "at_most", {})]),
        (
            INTO_BOTH.replace("ALL", "OVERWRITE ALL"),
            StatementAnswer(
                3, {"number of rows inserted into T": 1, "number of rows inserted into U": 2}
            ),
            [
                (T, 11, "exact", {"deleted": 10, "inserted": 1}),
                (U, 6, "exact", {"deleted": 4, "inserted": 2}),
            ],
        ),
    ],
)
def test_a_statement_is_told_by_its_answer_and_by_what_stood_before(sql, told, expected):
    assert did(sql, HELD, told) == expected


def test_tables_of_one_name_are_not_told_apart_by_an_answer():
    sql = "INSERT ALL INTO s.t VALUES (a) INTO x.t VALUES (a) SELECT 1 AS a"
    told = StatementAnswer(3, {"number of rows inserted into T": 3})
    assert did(sql, {}, told) == [(T, 3, "at_most", {}), ("DB.X.T", 3, "at_most", {})]


def test_what_is_hidden_or_not_there_is_never_a_number():
    assert did("TRUNCATE TABLE t", {T: {T: None}}) == [(T, None, "unknown", {})]
    assert did("TRUNCATE TABLE t", {T: {}}) == []
    assert did("DROP TABLE t", {T: {T: 0}}) == []
    assert did("DROP TABLE t", {}) == [(T, None, "unknown", {})]
    hidden = {T: {T: None}}
    assert did("INSERT OVERWRITE INTO t SELECT 1", hidden, StatementAnswer(2)) == [
        (T, None, "unknown", {})
    ]
    both = INTO_BOTH.replace("ALL", "OVERWRITE ALL")
    told = StatementAnswer(
        2, {"number of rows inserted into T": 1, "number of rows inserted into U": 1}
    )
    assert did(both, {**hidden, U: {U: 4}}, told)[0] == (T, None, "unknown", {})


def test_a_schema_is_told_table_by_table():
    inside = {"DB.S": {T: 10, U: 0, "DB.S.V": None}}
    assert did("DROP SCHEMA s", inside) == [
        (T, 10, "exact", {"lost": 10}),
        ("DB.S.V", None, "unknown", {}),
    ]


BLOCK = "BEGIN DELETE FROM t; INSERT INTO u SELECT 1; TRUNCATE TABLE t; END"


def test_a_block_of_which_nothing_is_told_is_bounded():
    assert did(BLOCK, HELD) == [(T, None, "unknown", {}), (U, None, "unknown", {})]
    assert did("BEGIN DELETE FROM t; TRUNCATE u; END", HELD, StatementAnswer(inner=())) == [
        (T, 10, "at_most", {}),
        (U, 4, "at_most", {}),
    ]


def test_a_block_is_told_by_what_ran_inside_in_its_order():
    ran = [
        InnerStatement("DELETE FROM t WHERE a = 1", 3, "DB", "S"),
        InnerStatement("BEGIN DELETE FROM t; DELETE FROM t; END", None, "DB", "S"),
        InnerStatement("TRUNCATE TABLE t", None, "DB", "S"),
        InnerStatement("DROP TABLE t", None, "DB", "S"),
    ]
    assert did(BLOCK, HELD, StatementAnswer(inner=ran)) == [(T, 10, "exact", {"deleted": 10})]


def test_a_table_that_changed_places_has_the_rows_of_the_other():
    ran = [
        InnerStatement("ALTER TABLE t SWAP WITH u", None, "DB", "S"),
        InnerStatement("TRUNCATE TABLE t", None, "DB", "S"),
    ]
    sql = "BEGIN ALTER TABLE t SWAP WITH u; TRUNCATE TABLE t; END"
    assert did(sql, HELD, StatementAnswer(inner=ran))[0] == (
        T,
        14,
        "exact",
        {"exchanged": 10, "deleted": 4},
    )


def object_of(rows, rows_are="exact", **how):
    return ModifiedObject(type="table", fqn=T, rows=rows, rows_are=rows_are, of=9, how=how)


def test_what_happens_twice_is_told_once():
    assert merge_objects([object_of(2, deleted=2), object_of(3, inserted=3)]) == [
        object_of(5, deleted=2, inserted=3)
    ]
    assert merge_objects([object_of(2), object_of(3, "at_most")]) == [object_of(5, "at_most")]
    assert merge_objects([object_of(2), object_of(None, "unknown")]) == [object_of(None, "unknown")]


def test_rows_are_read_of_the_table_of_just_that_name():
    target = ObjectRef("table", ("DB", "S", "T"))
    assert rows_in_listing(target, [{"name": "t", "rows": 1}, {"name": "T", "rows": "2"}]) == {T: 2}
    assert rows_in_listing(target, [{"name": "t", "rows": 1}]) == {}
    assert rows_in_listing(target, [{"name": "T", "rows": ""}]) == {T: None}
