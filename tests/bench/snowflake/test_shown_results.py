"""What a model is shown of its statements: Snowflake's words, and no more than it is told."""

from skills_nb.bench.snowflake.shown_results import (
    LIMITS,
    MOST_CELL,
    MOST_RESULT,
    MOST_ROWS,
    MOST_TURN,
    NOTHING_RUN,
    shown_error,
    shown_turn,
)
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.statements import split


def _rows(columns, *rows):
    return QueryRows(columns, rows, len(rows), "q")


def test_a_turn_is_shown_statement_by_statement():
    script = split("SELECT A, B FROM T; SELECT GET_DDL('VIEW', 'V')")
    found = [_rows(("A", "B"), (1, None), ("x\ny", True)), _rows(("DDL",), ("create\nview",))]
    assert shown_turn(script, found) == (
        "[1] SELECT A, B FROM T\nA | B\n1 | NULL\nx\\ny | True\n(2 rows)\n\n"
        "[2] SELECT GET_DDL('VIEW', 'V')\nDDL\ncreate\nview\n(1 row)"
    )


def test_an_error_ends_a_script_and_the_rest_is_counted():
    script = split("USE ROLE R; SELECT 1; SELECT 2")
    error = SqlError("SQL compilation error:\nNo.", errno=2003, sqlstate="02000")
    assert shown_turn(script, [error]) == (
        "[1] USE ROLE R\n002003 (02000): SQL compilation error:\nNo.\n\n"
        "Statements 2 to 3 were not run: a script stops at its first error."
    )
    assert shown_turn(script[:2], [error]).endswith(
        "Statement 2 was not run: a script stops at its first error."
    )
    assert shown_error(SqlError("It broke.")) == "It broke."


def test_results_are_shortened_to_the_limits_that_are_told():
    long = "x" * (MOST_CELL + 1)
    (statement,) = split("SELECT 1")
    assert "… (1 characters cut) |" in shown_turn([statement], [_rows(("A", "B"), (long, 1))])
    many = shown_turn([statement], [_rows(("A",), *((n,) for n in range(MOST_ROWS + 1)))])
    assert many.endswith(f"\n{MOST_ROWS - 1}\n({MOST_ROWS + 1} rows, the first {MOST_ROWS} shown)")
    wide = _rows(("A",), *((long,) for _ in range(9)))
    assert MOST_RESULT < len(shown_turn([statement], [wide])) < MOST_RESULT + 100
    assert MOST_TURN < len(shown_turn([statement] * 9, [wide] * 9)) < MOST_TURN + 100
    for limit in (MOST_ROWS, MOST_CELL, MOST_RESULT, MOST_TURN):
        assert f"{limit:,}" in LIMITS


def test_an_answer_without_a_statement_is_told_so():
    assert shown_turn((), ()) == NOTHING_RUN
