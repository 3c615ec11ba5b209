"""Clauses written out in plain SQL."""

import pytest
import sqlglot

from skills_nb.embedded.parser import desugar
from skills_nb.errors import SqlError


def _plain(text: str) -> str:
    return desugar.plain(sqlglot.parse_one(text, read="snowflake")).sql("snowflake")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("SELECT 1 FROM dual", "SELECT 1"),
        ("SELECT a, b FROM t ORDER BY ALL DESC", "SELECT a, b FROM t ORDER BY 1 DESC, 2 DESC"),
        (
            "SELECT * FROM m PIVOT(SUM(x) FOR k IN ('A'))",
            "SELECT * FROM (SELECT * EXCLUDE (x, k), SUM(IFF(k IS NOT DISTINCT FROM 'A', x, NULL)) "
            "AS \"'A'\" FROM m GROUP BY ALL)",
        ),
        (
            "SELECT SEQ4() FROM TABLE(GENERATOR(ROWCOUNT => 2))",
            'SELECT "__SEQ" FROM TABLE(GENERATOR(ROWCOUNT => 2))',
        ),
    ],
)
def test_a_clause_is_written_out(written: str, plain: str) -> None:
    assert _plain(written) == plain


def test_a_plain_query_stays_as_it_is() -> None:
    text = "SELECT a FROM t LEFT JOIN u ON t.i = u.i WHERE b = 1 ORDER BY a"
    assert _plain(text) == text


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("SELECT * FROM t ORDER BY ALL", "ORDER BY ALL with *"),
        ("SELECT a FROM t, u CONNECT BY a = PRIOR b", "CONNECT BY over several tables"),
        ("SELECT a FROM t CONNECT BY NOCYCLE a = PRIOR b", "CONNECT BY NOCYCLE"),
        ("SELECT a FROM t SAMPLE SYSTEM (5 ROWS)", "SAMPLE SYSTEM of a number of rows"),
    ],
)
def test_what_cannot_be_written_out_is_refused(text: str, feature: str) -> None:
    with pytest.raises(SqlError) as caught:
        _plain(text)
    assert (caught.value.errno, caught.value.sqlstate) == (2, "0A000")
    assert feature in str(caught.value)
