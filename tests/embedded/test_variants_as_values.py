"""A function of texts takes a VARIANT as the text in it, one of numbers as its number.

A comparison takes it as the other side.

See https://docs.snowflake.com/en/sql-reference/data-types-semistructured
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from tests.embedded.conftest import rows

ASKED = """
ASCII({v})
BASE64_ENCODE({v})
BIT_LENGTH({v})
CHARINDEX('b',{v})
CHARINDEX({v},'xab2')
CONCAT({v},'x')
CONCAT_WS('-',{v},{v})
CONTAINS({v},'b')
CONTAINS('zab2',{v})
EDITDISTANCE({v},'ab3')
ENDSWITH({v},'2')
HEX_ENCODE({v})
ILIKE({v},'A%')
INITCAP({v})
INSERT({v},1,1,'Q')
JAROWINKLER_SIMILARITY({v},'ab3')
LEFT({v},2)
LENGTH({v})
LIKE({v},'a%')
LOWER({v})
LPAD({v},6,'_')
LTRIM({v},'a')
MD5({v})
MD5_NUMBER_LOWER64({v})
OCTET_LENGTH({v})
PARSE_IP({v},'inet',1)
PARSE_URL({v},1)
POSITION('b',{v})
REGEXP_COUNT({v},'[a-z"]')
REGEXP_INSTR({v},'2')
REGEXP_LIKE({v},'a.*')
REGEXP_REPLACE({v},'a','z')
REGEXP_SUBSTR({v},'.b')
REGEXP_SUBSTR({v},'.*')
REGEXP_SUBSTR({v},'.',1,1)
REGEXP_SUBSTR_ALL({v},'.')
REPEAT({v},2)
REPLACE({v},'b','c')
REPLACE('xab2',{v},'c')
REVERSE({v})
RIGHT({v},2)
RPAD({v},6,'_')
RTRIM({v},'2')
SHA1({v})
SHA2({v})
SOUNDEX({v})
SOUNDEX_P123({v})
SPLIT({v},'b')
SPLIT_PART({v},'b',1)
STARTSWITH({v},'a')
STRTOK({v},'b',1)
STRTOK_TO_ARRAY({v},'b')
SUBSTR({v},2)
TRANSLATE({v},'a','z')
TRIM({v})
UNICODE({v})
UPPER({v})
{v} || 'x'
{v} LIKE ANY ('a%')
RTRIMMED_LENGTH({v})
TRY_BASE64_DECODE_STRING({v})
TRY_TO_NUMBER({v})
TRY_TO_DATE({v})
COLLATE({v},'en')
CHECK_JSON({v})
IFF({v}='ab2',1,0)
DECODE({v},'ab2',1,0)
CASE {v} WHEN 'ab2' THEN 1 ELSE 0 END
{v} IN ('ab2','c')
{v} BETWEEN 'a' AND 'b'
LISTAGG({v},',')
TO_CHAR({v})
{v}::STRING
CAST({v} AS CHAR(3))
CHECK_XML({v})
REGEXP_INSTR({v},'[a-z]2')
CASE {v} WHEN 'x' THEN 1 WHEN 'ab2' THEN 2 END
SOUNDEX({v}) || {v}
NULLIF({v}::STRING,'a')
""".strip().splitlines()


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        opened = account.session("ADMIN")
        opened.execute("CREATE DATABASE papers")
        opened.execute("CREATE TABLE held AS SELECT PARSE_JSON('\"ab2\"') AS v")
        yield opened


@pytest.mark.parametrize("asked", ASKED)
def test_a_variant_is_taken_as_the_text_in_it(session, asked):
    found = rows(session, f"SELECT {asked.format(v='v')} FROM held")
    assert found == rows(session, f"SELECT {asked.format(v='v::STRING')} FROM held")


@pytest.mark.parametrize(
    "asked",
    [
        "ABS({})",
        "CEIL({})",
        "FLOOR({})",
        "ROUND({})",
        "ROUND({},1)",
        "TRUNC({},1)",
        "SIGN({})",
        "SIN({})",
        "-{}",
        "ATAN2({},2)",
        "DEGREES({})",
        "RADIANS({})",
        "STDDEV_POP({})",
        "VAR_POP({})",
        "KURTOSIS({})",
        "COVAR_POP({},{})",
        "WIDTH_BUCKET({},0,10,5)",
    ],
)
def test_a_variant_is_taken_as_the_number_in_it(session, asked):
    one, other = (
        rows(session, f"SELECT {asked.replace('{}', how)} FROM (SELECT PARSE_JSON('3.7') AS v)")
        for how in ("v", "v::FLOAT")
    )
    assert one == other


def test_a_variant_is_compared_as_the_other_side(session):
    sql = (
        "SELECT COUNT_IF(v BETWEEN 9 AND 11), COUNT_IF(v IN (10, 2)), "
        "SUM(CASE v WHEN 10 THEN 1 ELSE 0 END), SUM(DECODE(v, 2, 5, 0)), COUNT_IF(v IN (v, v)) "
        "FROM (SELECT PARSE_JSON(column1) AS v FROM VALUES ('10'), ('2'), (NULL))"
    )
    assert rows(session, sql) == [(1, 2, 1, 5, 2)]


def test_where_a_pattern_stands_is_told_of_every_text(session):
    texts = "(SELECT * FROM VALUES ('a12'), ('b\nc'), (''), (NULL), ('xbé'), ('bxc')) AS t (c)"
    sql = "SELECT REGEXP_INSTR(c, '[0-9]+'), REGEXP_INSTR(c, 'b.c'), REGEXP_INSTR(c, '^b') FROM "
    expected = [(2, 0, 0), (0, 0, 1), (0, 0, 0), (None, None, None), (0, 0, 0), (0, 1, 1)]
    assert rows(session, sql + texts) == expected
    assert rows(session, "SELECT REGEXP_INSTR(c, '2') FROM (SELECT 12 AS c)") == [(2,)]
    assert rows(session, "SELECT REGEXP_INSTR(c, '') FROM (SELECT 'a' AS c)") == [(0,)]
