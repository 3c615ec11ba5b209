"""A function in the place of an operand is worth what a column with its value is."""

import re
from collections.abc import Iterator

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession

_TRUTHS = (
    ("EQUAL_NULL(1, 2)", "EQUAL_NULL(NULL, TRUE)", "EQUAL_NULL(NULL, NULL)"),
    ("LIKE('abc', 'a%')", "ILIKE('abc', 'B%')", "RLIKE('abc', 'a.*')", "CONTAINS('abc', 'x')"),
    ("BOOLAND(1, 0)", "BOOLOR(1, 0)", "BOOLNOT(1)", "IFF(TRUE, FALSE, TRUE)", "NVL(NULL, FALSE)"),
    ("GREATEST(TRUE, FALSE)", "DECODE(1, 1, TRUE, FALSE)", "REGEXP_LIKE('abc', 'x')"),
)
_NUMBERS = (
    ("BITAND(5, 3)", "BITOR(5, 2)", "BITXOR(5, 1)", "BITNOT(5)"),
    ("BITSHIFTLEFT(3, 2)", "BITSHIFTRIGHT(8, 1)", "MOD(5, 3)", "DIV0(8, 2)::INT"),
    ("DATEDIFF(day, '2026-01-01', '2026-01-05')", "YEAR('2026-01-01'::DATE)", "ABS(-2)"),
    ("DATE '2026-01-05' - DATE '2026-01-01'", "CASE WHEN TRUE THEN 3 ELSE 2 END"),
    ("GET(ARRAY_CONSTRUCT(1, 2), 1)::INT", "NVL2(1, 2, 3)", "SQUARE(3)::INT", "LENGTH('ab')"),
)
_TEXTS = (
    ("CONCAT('a', 'b')", "INSERT('abc', 1, 1, 'x')", "SPLIT_PART('a,b', ',', 2)"),
    ("NVL(NULL, 'q')", "IFF(FALSE, 'a', 'b')", "OBJECT_CONSTRUCT('a', 'b'):a::STRING"),
)
_AROUND = {
    "truth": """{} = FALSE; FALSE = {}; NOT {}; {} AND FALSE; {} OR TRUE; {} <> TRUE; {} IS NULL;
        {} IN (TRUE); EQUAL_NULL({}, FALSE); {} IS DISTINCT FROM TRUE; {} AND {} = FALSE""",
    "number": """2 * {}; {} * 2; 10 - {}; -{}; {} % 2; {} = 2; {}::STRING; {} || 'x'; {} + 1 * 2;
        BITAND({}, 1); BITNOT({}); BITOR({}, 8) * 2; {} IN (2); {} BETWEEN 1 AND 3; 12 - {} - {}""",
    "text": """{} || 'x'; 'x' || {}; {} = 'ab'; {} LIKE 'a%'; NOT {} LIKE 'a%'; {} IN ('ab');
        LENGTH({}); UPPER({}) || {}""",
}
_CASES = [
    *(("truth", one) for row in _TRUTHS for one in row),
    *(("number", one) for row in _NUMBERS for one in row),
    *(("text", one) for row in _TEXTS for one in row),
]


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        yield account.session("ADMIN")


@pytest.mark.parametrize(("kind", "function"), _CASES, ids=[one for _, one in _CASES])
def test_a_function_is_worth_the_same_as_a_column_with_its_value(
    session: AccountSession, kind: str, function: str
) -> None:
    around = [one.strip() for one in _AROUND[kind].split(";")]
    # Operators in the text itself bind as they are written.
    operand = f"({function})" if " - " in function else function
    direct = ", ".join(one.replace("{}", operand) for one in around)
    behind = ", ".join(one.replace("{}", "V") for one in around)
    told = [
        session.execute(f"SELECT {direct}").rows[0],
        session.execute(f"SELECT {behind} FROM (SELECT {function} AS V)").rows[0],
    ]
    differing = [one for one, a, b in zip(around, *told, strict=True) if a != b]
    assert differing == []


def test_sysdate_tells_the_moment_in_utc_without_a_zone(session: AccountSession) -> None:
    session.execute("ALTER SESSION SET TIMEZONE = 'Pacific/Pago_Pago'")
    ahead = "DATEDIFF(minute, CURRENT_TIMESTAMP()::TIMESTAMP_NTZ, SYSDATE())"
    (told,) = session.execute(f"SELECT SYSTEM$TYPEOF(SYSDATE()), {ahead}").rows
    assert told == ("TIMESTAMP_NTZ(9)[SB16]", 11 * 60)


def test_parameters_of_a_pattern_may_stand_in_a_column(session: AccountSession) -> None:
    asked = "RLIKE('ABC', 'a.c', P), REGEXP_LIKE('ABC', 'a.c', P), REGEXP_COUNT('ABC', 'b', 1, P)"
    told = session.execute(f"SELECT P, {asked} FROM VALUES ('i'), ('c'), (NULL) AS T(P)").rows
    assert told[:2] == (("i", True, True, 1), ("c", False, False, 0))


_COUNTING = (
    ("CHARINDEX('b', 'abcb', N)", "POSITION('b', 'abcb', M)", "STRTOK('a.b.c', '.', N)"),
    ("ARRAY_GENERATE_RANGE(N, 9, M)", "INSERT('abcdef', N, M, 'x')", "FACTORIAL(M)", "CHR(64 + N)"),
    (
        "SUBSTR('abcdef', N, M)",
        "LEFT('abcdef', N)",
        "SPLIT_PART('a,b,c', ',', N)",
        "REPEAT('ab', N)",
    ),
    (
        "ARRAY_SLICE([1, 2, 3, 4], N, M)",
        "[1, 2, 3][N]",
        "LPAD('a', M, 'x')",
        "LPAD(MOD(M, N), M, 0)",
    ),
    ("REGEXP_SUBSTR('abab', 'b', N, N)", "BITSHIFTLEFT(M, N)", "WIDTH_BUCKET(5, 0, 10, M)"),
    ("DATEADD(day, N, '2026-01-01'::DATE)", "ADD_MONTHS('2026-01-01'::DATE, N)"),
    ("DATE_FROM_PARTS(2026, N, M)", "TO_TIMESTAMP(N)", "'2026-01-01'::DATE + N"),
)


@pytest.mark.parametrize("function", [one for row in _COUNTING for one in row])
def test_what_counts_may_be_a_column_of_any_whole_number(
    session: AccountSession, function: str
) -> None:
    written = re.sub(r"\bN\b", "2", re.sub(r"\bM\b", "3", function))
    held = ("2 AS N, 3 AS M", "2::NUMBER(5, 0) AS N, 3::NUMBER(5, 0) AS M")
    told = [session.execute(f"SELECT {function} FROM (SELECT {one})").rows for one in held]
    assert told == [session.execute(f"SELECT {written}").rows] * len(held)
