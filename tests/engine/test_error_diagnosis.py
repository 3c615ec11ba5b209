"""What an error is, how often it is tried again, and who is asked first."""

import pytest

from skills_nb.engine.error_diagnosis import (
    CATEGORIES,
    category_of,
    diagnose,
    error_in_one_line,
    said_of_access,
)
from skills_nb.model.events import StatementError
from skills_nb.model.skills import ExpectedError

TABLE = {
    "permission": (("Insufficient privileges", "Access denied"), 0, []),
    "object_exists": (("already exists", "duplicate"), 0, []),
    "object_not_found": (("does not exist", "not found"), 0, []),
    "transient": (("timeout", "connection", "temporarily unavailable"), 3, [1.0, 2.0, 4.0]),
    "resource": (("Warehouse 'WH' is suspended", "quota exceeded"), 2, [0.0, 5.0]),
    "syntax": (("syntax error", "invalid"), 0, []),
    "conflict": (("concurrent", "modified by", "locked"), 2, [1.0, 2.0]),
}
"""The specification's table: words, retries, and the seconds before each."""


def test_the_seven_categories_are_those_of_the_specification_in_its_order():
    assert [category.name for category in CATEGORIES] == list(TABLE)


@pytest.mark.parametrize(
    ("words", "name"), [(w, name) for name, (words, _, _) in TABLE.items() for w in words]
)
def test_words_tell_the_category_whatever_their_case(words, name):
    for text in (words, words.upper(), f"SQL error: {words} here"):
        assert category_of(StatementError(text=text)).name == name


@pytest.mark.parametrize("name", TABLE)
def test_a_category_is_tried_again_so_often_after_so_long(name):
    words, retries, waits = TABLE[name]
    found = diagnose(StatementError(text=words[0]), (), (), {})
    assert (found.category, found.retries) == (name, retries)
    assert [found.delay_before(attempt) for attempt in range(2, retries + 2)] == waits
    assert found.hint


def test_the_first_attempt_never_waits():
    assert diagnose(StatementError(text="timeout"), (), (), {}).delay_before(1) == 0.0


@pytest.mark.parametrize(
    ("errno", "name"),
    [(3001, "permission"), (2002, "object_exists"), (2003, "object_not_found"), (1003, "syntax")],
)
def test_the_accounts_number_counts_before_its_words(errno, name):
    assert category_of(StatementError(text="timeout", errno=errno)).name == name


def test_an_unknown_error_is_never_tried_again():
    found = diagnose(StatementError(text="the moon is full"), (), (), {})
    assert (found.category, found.retries) == ("unknown", 0)


STEP = ExpectedError("already exists", "rename {name}", retryable=False)
PRIMITIVE = ExpectedError("exists", "drop it first", retryable=True)
ERROR = StatementError(text="Object 'A' already exists.", errno=2002)


def test_the_step_speaks_before_the_primitive_and_both_before_the_category():
    asked = [
        diagnose(ERROR, (STEP,), (PRIMITIVE,), {"name": "A"}),
        diagnose(ERROR, (), (PRIMITIVE,), {}),
        diagnose(ERROR, (), (), {}),
    ]
    assert [(one.hint.split(" ")[0], one.retries) for one in asked] == [
        ("rename", 0),
        ("drop", 1),
        ("Compare", 0),
    ]
    assert {one.category for one in asked} == {"object_exists"}


def test_a_hint_that_names_what_is_not_known_is_shown_as_written():
    assert diagnose(ERROR, (STEP,), (), {}).hint == "rename {name}"


def test_an_expected_error_is_met_by_its_number_too_and_a_bad_pattern_by_its_letters():
    by_number = ExpectedError("never said", "by number", errno=2002)
    assert diagnose(ERROR, (by_number,), (), {}).hint == "by number"
    by_letters = ExpectedError("Object 'A' already exists.(", "by letters")
    assert diagnose(ERROR, (by_letters,), (), {}).hint != "by letters"
    torn = StatementError(text="open (bracket")
    assert diagnose(torn, (ExpectedError("(bracket", "letters"),), (), {}).hint == "letters"


def test_an_expected_error_that_may_be_retried_is_retried_at_least_once():
    moon = ExpectedError("moon", "wait", retryable=True)
    assert diagnose(StatementError(text="the moon"), (moon,), (), {}).retries == 1


def test_an_error_is_described_in_one_line_with_its_number_once():
    assert error_in_one_line(StatementError(text="a\n  b", errno=2003, sqlstate="42S02")) == (
        "002003 (42S02): a b"
    )
    assert (
        error_in_one_line(StatementError(text="002003 (42S02): a", errno=2003))
        == "002003 (42S02): a"
    )
    assert error_in_one_line(StatementError(text="a")) == "a"


@pytest.mark.parametrize(
    ("errno", "kind"),
    [(3650, "A projection"), (3651, "An aggregation"), (3652, "An aggregation")],
)
def test_a_policy_that_hides_what_is_read_is_named_as_what_no_grant_repairs(errno, kind):
    found = diagnose(StatementError(text="COUNT(X) violated it.", errno=errno), (), (), {})
    assert found.category == "permission"
    assert found.hint.startswith(f"{kind} policy keeps the role that runs the step from reading")


def test_a_missing_privilege_is_still_answered_with_a_grant():
    found = diagnose(StatementError(text="denied", errno=3001), (), (), {})
    assert found.hint.startswith("Grant the missing privilege")


@pytest.mark.parametrize(("role", "whose"), [("CLERK", "role CLERK may"), (None, "your role may")])
def test_what_is_missing_or_hidden_is_said_in_a_sentence(role, whose):
    error = (
        "002003 (42S02): SQL compilation error: Object 'A.B.T' does not exist or not authorized."
    )
    assert said_of_access(error, role) == f"A.B.T does not exist, or {whose} not see it."


def test_a_missing_privilege_is_said_in_a_sentence():
    error = "003001 (42501): Insufficient privileges to operate on table 'T'."
    assert said_of_access(error, None) == "Your role lacks a privilege on table T."


def test_another_error_is_not_said_otherwise():
    assert said_of_access("001003 (42000): syntax error near 'T'", "CLERK") is None
