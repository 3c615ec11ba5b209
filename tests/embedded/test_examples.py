"""Running the examples of a primitive, one after the other, on an account of their own."""

import pytest

from skills_nb.embedded.tools.examples import EmbeddedExamples
from skills_nb.errors import UsageError

SETUP = "CREATE SCHEMA prod.shop;\nCREATE TABLE prod.shop.orders (id INT);"


def test_an_example_may_read_the_demo_data_what_is_set_up_and_what_is_made_before_it():
    examples = [
        "SELECT COUNT(*) FROM customers; SELECT id FROM prod.shop.orders;",
        "CREATE TABLE later (a INT);",
        "SELECT a FROM later;",
    ]
    assert EmbeddedExamples(SETUP).run(examples) == [None, None, None]


def test_an_example_that_is_refused_says_in_which_of_its_lines():
    trouble, after = EmbeddedExamples().run(["SELECT 1;\nSELECT * FROM missing", "SELECT 1"])
    assert trouble.startswith("line 2: SQL compilation error: Object 'PROD.CUSTOMER_DATA.MISSING'")
    assert after is None


def test_what_the_account_does_not_support_is_no_mistake_of_the_example():
    assert EmbeddedExamples().run(["EXECUTE NOTEBOOK n(); SELECT 1"]) == [None]


@pytest.mark.slow
def test_each_primitive_has_an_account_of_its_own():
    runner = EmbeddedExamples()
    assert runner.run(["CREATE TABLE once (a INT)"]) == [None]
    assert runner.run(["CREATE TABLE once (a INT)"]) == [None]


def test_a_setup_that_is_refused_is_the_callers_to_correct():
    with pytest.raises(UsageError, match="the account of the examples, line 2: "):
        EmbeddedExamples("SELECT 1;\nSELECT * FROM nowhere;").run(["SELECT 1"])


@pytest.mark.slow
def test_what_an_unsupported_statement_should_have_made_is_not_missed():
    run = EmbeddedExamples().run
    other = "CREATE HYBRID TABLE others (a INT PRIMARY KEY)"
    made = "CREATE HYBRID TABLE sums (a INT PRIMARY KEY)"
    assert run([made, "SELECT a FROM sums"]) == [None, None]
    (trouble,) = run(["SELECT a FROM sums"])
    assert trouble.endswith("'PROD.CUSTOMER_DATA.SUMS' does not exist or not authorized.")
    assert run([made, other, "SELECT a FROM totals"])[2].startswith("line 1: ")


def test_files_of_the_persons_own_disk_are_neither_sent_nor_written():
    sent = "PUT file:///nowhere/orders.csv @~; GET @~ file:///nowhere/"
    assert EmbeddedExamples().run([sent]) == [None]


def test_what_is_set_up_has_a_past():
    back = "SELECT COUNT(*) FROM prod.shop.orders AT (OFFSET => -3600)"
    assert EmbeddedExamples(SETUP).run([back]) == [None]
