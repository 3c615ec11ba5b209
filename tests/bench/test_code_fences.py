"""What stands around an answer is taken off, and nothing of the answer is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.bench.code_fences import sql_of, without_thoughts

SQL = "CREATE TABLE T (A INT);\n"


@pytest.mark.parametrize(
    "answer",
    [
        SQL,
        f"<think>DROP TABLE T;\n```sql\nDROP TABLE T;\n```\n</think>\n{SQL}",
        f"first, I drop it ```sql\nDROP TABLE T;\n``` no.</think>\n```sql\n{SQL}```\n",
        f"<thinking>a</thinking><think>b</think>\n\n{SQL}",
        f"Here it is:\n```snowflake\n{SQL}```\nDone.",
        f"<think></think>{SQL}",
    ],
)
def test_thoughts_and_fences_are_no_part_of_an_answer(answer):
    assert sql_of(answer) == SQL


@pytest.mark.parametrize("answer", ["<think>", "<think>SELECT 1;", "  <thinking>a\nb", "a</think>"])
def test_thoughts_alone_are_no_answer(answer):
    assert sql_of(answer) == ""


@given(st.text().filter(lambda text: "think" not in text))
def test_what_has_no_thoughts_stays_as_it_is(answer):
    assert without_thoughts(answer) == answer
