"""Conditions in three-valued logic."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.sql.conditions import ConditionError, check, evaluate, is_never_met, names_in
from skills_nb.sql.conditions.like_pattern import matches
from skills_nb.sql.template_problems import TemplateProblem
from skills_nb.sql.templates import Name

NAMES = {
    "count": 3,
    "price": 1.5,
    "ratio": Decimal("0.5"),
    "role": "ANALYST",
    "current_account()": "AB1",
    "kinds": ["a", "b"],
    "numbers": (1, 2),
    "empty": [],
    "nothing": None,
    "flag": True,
    "step_3": {"created_objects": {"masking_policy": ["p"], "count": 2, "a": {"b": {"c": 7}}}},
    "table": Name.parse("db.s.t"),
    "Mixed": "x",
}
CASES = [
    ("count = 3", True),
    ("count == 3 AND count != 4", True),
    ("COUNT <> 3", False),
    ("count > 2 AND price < 2 OR false", True),
    ("count BETWEEN 1 AND 3", True),
    ("count NOT BETWEEN 1 AND 3", False),
    ("nothing BETWEEN 1 AND 3", None),
    ("5 BETWEEN nothing AND 3", False),
    ("count IN (1, 2, 3)", True),
    ("'a' IN kinds", True),
    ("'a' IN (kinds)", True),
    ("'c' IN kinds", False),
    ("'c' NOT IN kinds", True),
    ("2 IN numbers", True),
    ("nothing IN kinds", None),
    ("nothing IN empty", False),
    ("'c' IN ('a', NULL)", None),
    ("'a' IN ('a', NULL)", True),
    ("role NOT IN ('ACCOUNTADMIN', 'SECURITYADMIN')", True),
    ("current_role() = 'ANALYST'", True),
    ("CURRENT_ROLE() = role", True),
    ("account = 'AB1'", True),
    ("current_account() <> 'AB1'", False),
    ("nothing IS NULL", True),
    ("kinds IS NOT NULL", True),
    ("nothing = 1", None),
    ("nothing = nothing", None),
    ("NOT nothing = 1", None),
    ("nothing = 1 AND FALSE", False),
    ("FALSE AND nothing = 1", False),
    ("nothing = 1 OR TRUE", True),
    ("nothing = 1 OR FALSE", None),
    ("TRUE AND NULL", None),
    ("NULL", None),
    ("flag", True),
    ("NOT flag", False),
    ("flag = 'true'", True),
    ("flag IS TRUE", True),
    ("nothing IS NOT TRUE", True),
    ("count", True),
    ("0", False),
    ("'5' > 3", True),
    ("'10' = 10", True),
    ("'10' > '9'", False),
    ("count + 1 = 4 AND count - 1 = 2 AND count * 2 = 6", True),
    ("count / 2 = 1.5", True),
    ("count % 2 = 1", True),
    ("-count < 0", True),
    ("nothing + 1 = 2", None),
    ("0.1 + 0.2 = 0.3", True),
    ("price + ratio = 2", True),
    ("role LIKE 'ANA%'", True),
    ("role LIKE 'ana%'", False),
    ("role ILIKE 'ana%'", True),
    ("role LIKE '_NALYS_'", True),
    ("'a_c' LIKE 'a!_c' ESCAPE '!'", True),
    ("'abc' LIKE 'a!_c' ESCAPE '!'", False),
    ("nothing LIKE 'a'", None),
    ("role NOT LIKE 'X%'", True),
    ("LENGTH(role) = 7", True),
    ("ARRAY_SIZE(kinds) = 2", True),
    ("ARRAY_SIZE(role) IS NULL", True),
    ("step_3.created_objects.count = 2", True),
    ("STEP_3.Created_Objects.COUNT = 2", True),
    ("step_3.created_objects.a.b.c = 7", True),
    ("ARRAY_SIZE(step_3.created_objects.masking_policy) > 0", True),
    ("table = 'DB.S.T'", True),
    ("table.schema = 'S'", True),
    ("mixed = 'x'", True),
    ("kinds = kinds", True),
    ("(((count)) = (3))", True),
    ("count > 0 -- a comment", True),
    ("FALSE AND 1 / 0 = 1", False),
    ("TRUE OR missing = 1", True),
]


@pytest.mark.parametrize(("condition", "result"), CASES)
def test_a_condition_has_its_value(condition, result):
    assert evaluate(condition, NAMES) is result


REFUSED = [
    "",
    "   ",
    "count =",
    "1; drop table t",
    "count = 3; select 1",
    "a, b",
    "count AS x",
    "missing = 1",
    "step_3.missing = 1",
    "count.x = 1",
    "table._left = 1",
    "role",
    "'x' > 3",
    "kinds > 1",
    "kinds > kinds",
    "kinds = 1",
    "1 / 0 = 1",
    "1 % 0 = 1",
    "'abc' + 1 = 2",
    "'nan' > 3",
    "1e999999999 * 1e999999999 > 1",
    "'a' || 'b' = 'ab'",
    "count::int = 1",
    "CAST(count AS int) = 1",
    "CASE WHEN true THEN true END",
    "EXISTS (SELECT 1)",
    "count IN (SELECT 1)",
    "(SELECT 1) = 1",
    "SELECT 1",
    "UPPER(role) = 'A'",
    "SYSTEM$WAIT(1)",
    "current_date() > 1",
    "current_role(1) = 'A'",
    "f()",
    "kinds[0] = 'a'",
    "role:x = 1",
    "$v = 1",
    "? = 1",
    ":v = 1",
    "@s = 1",
    "*",
    "count(*) > 1",
    "x -> x",
    "role RLIKE 'A.*'",
    "role REGEXP 'A'",
    "role LIKE ANY ('a')",
    "role LIKE 'a!' ESCAPE '!'",
    "role LIKE 'a' ESCAPE '!!'",
    "flag IS 3",
    "__import__('os')",
    "lambda: 1",
    "'open",
    "(" * 5_000,
    "(" * 400 + "1" + ")" * 400,
    "NOT " * 3_000 + "flag",
    "1" + "+1" * 4_000 + " > 1",
    "x" * 20_000,
]


@pytest.mark.parametrize("condition", REFUSED)
def test_what_is_no_condition_is_refused(condition):
    with pytest.raises(ConditionError):
        evaluate(condition, NAMES)


def test_a_value_that_is_not_finite_is_refused():
    with pytest.raises(ConditionError):
        evaluate("x > 1", {"x": float("nan")})


def test_names_in_a_condition_are_lower_cased_and_whole():
    assert names_in("A = 1 AND step_3.Count > 2 AND CURRENT_ROLE() = 'x'") == {
        "a",
        "step_3.count",
        "current_role()",
    }


def test_check_places_unknown_names():
    assert check("count > 1\n AND missing.x = 1", {"Count"}) == (
        TemplateProblem(2, 6, "nothing is called 'missing'", "Use one of: count."),
    )


@pytest.mark.parametrize("known", ["role", "current_role()", "CURRENT_ROLE()"])
def test_check_knows_a_context_function_by_each_of_its_names(known):
    assert check("current_role() = 'a' AND role = 'a'", {known}) == ()


def test_check_of_what_cannot_be_read_has_one_problem():
    (problem,) = check("a =", {"a"})
    assert (problem.line, problem.column) == (1, 1)


TRUTHS = st.sampled_from([True, False, None])


@given(TRUTHS, TRUTHS)
def test_and_or_not_follow_three_valued_logic(a, b):
    names = {"a": a, "b": b}
    order = {False: 0, None: 1, True: 2}
    lower, upper = sorted([a, b], key=order.__getitem__)
    assert evaluate("a AND b", names) is lower
    assert evaluate("a OR b", names) is upper
    assert evaluate("NOT (a AND b)", names) is evaluate("NOT a OR NOT b", names)


@given(st.integers(), st.integers())
def test_comparison_is_that_of_numbers(a, b):
    names = {"a": a, "b": str(b)}
    assert (evaluate("a < b", names), evaluate("a = b", names)) == (a < b, a == b)


@given(st.text(alphabet="ab%_", max_size=8), st.text(alphabet="ab%_", max_size=6))
def test_like_agrees_with_its_definition(text, pattern):
    def slow(t, p):
        if not p:
            return not t
        if p[0] == "%":
            return slow(t, p[1:]) or (bool(t) and slow(t[1:], p))
        return bool(t) and p[0] in ("_", t[0]) and slow(t[1:], p[1:])

    assert matches(text, pattern) == slow(text, pattern)


def test_like_takes_no_long_time():
    start = time.process_time()
    assert not matches("a" * 5_000, "%a" * 2_000 + "b")
    assert time.process_time() - start < 10


WORDS = "count role = == != < ( ) and or not in is null like 'a' 1 2.5 , . + - * / % between true"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=10).map(" ".join) | st.text(max_size=40))
def test_evaluating_is_total(condition):
    try:
        assert evaluate(condition, NAMES) in (True, False, None)
    except ConditionError:
        check(condition, {"count"})


@pytest.mark.parametrize(
    ("condition", "result"),
    [
        ("d = 'x'", True),
        ("m.k = 1", True),
        ("m = m", True),
        ("gone.anything IS NULL", True),
        ("LENGTH(kinds) = 2", True),
        ("LENGTH(nothing) IS NULL", True),
        ("LENGTH(123) = 3", True),
        ("LENGTH(TRUE) = 4", True),
        ("-nothing IS NULL", True),
        ("TRUE = 1", True),
        ("'true' = TRUE", True),
        ("TRUE > '0'", True),
        ("TRUE LIKE 'tr%'", True),
        ("flag + 1 = 2", True),
        ("kinds <> other", True),
    ],
)
def test_values_of_every_type_are_compared(condition, result):
    class Dated:
        def __str__(self):
            return "x"

    names = {
        "d": Dated(),
        "m": {"K": 1},
        "gone": None,
        "kinds": ["a", "b"],
        "other": ["a"],
        "nothing": None,
        "flag": True,
    }
    if condition == "TRUE > '0'":
        with pytest.raises(ConditionError):
            evaluate(condition, names)
    else:
        assert evaluate(condition, names) is result


@pytest.mark.parametrize(
    "condition",
    ["kinds LIKE 'a'", "LENGTH(m) = 1", "m > m", "kinds + 1 = 2", "-kinds = 1", "m = 1"],
)
def test_lists_and_mappings_are_no_scalars(condition):
    with pytest.raises(ConditionError):
        evaluate(condition, {"kinds": ["a"], "m": {"k": 1}})


@pytest.mark.parametrize(
    ("condition", "never"),
    [
        ("remedy = 'rewrite'", True),
        ("found > 0 AND remedy = 'rewrite'", True),
        ("(found IS NULL AND (remedy IN ('a', 'b')))", True),
        ("missing = 1 AND found > 0", True),
        ("remedy = 'cluster' AND found > 0", False),
        ("found > 0 OR remedy = 'rewrite'", False),
        ("found IS NOT NULL", False),
    ],
)
def test_a_condition_is_never_met_where_what_is_known_forbids_it(condition, never):
    assert is_never_met(condition, {"remedy": "cluster", "missing": None}) is never
