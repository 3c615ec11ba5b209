"""A condition on rows is one condition: it asks no other table, hides nothing and does nothing."""

import pytest

from skills_nb.errors import SqlError
from skills_nb.sql.row_conditions import read_condition
from skills_nb.sql.templates import render


@pytest.mark.parametrize(
    "text",
    [
        "AMOUNT > 10",
        "AMOUNT > 10 AND CITY = 'Oslo'",
        "\"late fee\" BETWEEN 2 AND 5 OR NOT (STATE IN ('a', 'b;c'))",
        "AT >= DATEADD(DAY, -7, CURRENT_DATE)",
        "NAME ILIKE 'a--b%'",
        "DETAILS:unit::STRING = 'mg'",
        "AMOUNT IS DISTINCT FROM 3",
    ],
)
def test_a_condition_on_columns_is_taken_as_it_is(text):
    assert render("SELECT 1 FROM T WHERE {{ rows }}", {"rows": read_condition(text)}) == (
        f"SELECT 1 FROM T WHERE ({text})"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "AMOUNT > 10)",
        "(AMOUNT > 10",
        "AMOUNT > 10) OR (1 = 1; DROP TABLE T",
        "1 = 1); DROP TABLE T; SELECT (1 = 1",
        "AMOUNT > 10 -- and no more",
        "AMOUNT > 10 /* hidden */",
        "AMOUNT > (SELECT MAX(X) FROM SECRETS)",
        "EXISTS (SELECT 1 FROM SECRETS)",
        "ID IN (SELECT ID FROM SECRETS)",
        "1 = 1 ORDER BY 1",
        "1 = 1 GROUP BY ALL",
        "1 = 1) UNION ALL SELECT (1",
        "DO_HARM() = 1",
        "DB.PUBLIC.DO_HARM(1) = 1",
        "SYSTEM$CANCEL_ALL_QUERIES(1) = 'x'",
        "SUM(AMOUNT) > 3",
        "ROW_NUMBER() OVER (ORDER BY 1) = 1",
        "AMOUNT > $LIMIT",
        "AMOUNT > ?",
        "NAME = $$x$$",
        "A = 'open",
        "A = 1 " * 2000,
    ],
)
def test_what_is_more_than_one_condition_is_refused(text):
    with pytest.raises(SqlError):
        read_condition(text)
