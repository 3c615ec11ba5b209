"""Names of objects in a sentence are told from files, hosts, product names and sentences."""

import pytest

from skills_nb.sql.names_in_text import object_names, without_dotted_names, without_names


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("drop table CLINIC.RAW.STAFF", ["CLINIC.RAW.STAFF"]),
        ('copy "My Shop"."the sales"."or.ders" now', ['"My Shop"."the sales"."or.ders"']),
        ("clone schema CLINIC.RAW", ["CLINIC.RAW"]),
        ("who reads HR.STAFF.PEOPLE.SALARY?", ["HR.STAFF.PEOPLE.SALARY"]),
        ("compare dev.orders with prod.orders", ["dev.orders", "prod.orders"]),
        ("drop PROD..ORDERS", ["PROD..ORDERS"]),
        ("drop the table STAFF", ["STAFF"]),
        ('mask "e-mail" for analysts', ['"e-mail"']),
        ("let role NURSE read it", ["NURSE"]),
        ("clone HR.CORE.STAFF", ["HR.CORE.STAFF"]),
        ("clone CORE.STAFF", ["CORE.STAFF"]),
        ("drop ML.CORTEX.SCORES", ["ML.CORTEX.SCORES"]),
        ("show STREAMLIT.APPS.BOARD", ["STREAMLIT.APPS.BOARD"]),
    ],
)
def test_an_object_is_found_by_the_form_of_its_name(said, names):
    assert [said[found.start : found.end] for found in object_names(said)] == names


@pytest.mark.parametrize(
    "said",
    [
        "load patients.csv and setup.sql",
        "let the function call api.openai.com",
        "a next.js app, e.g. for sales",
        "read SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY",
        "st.connection fails",
        "st.session_state.user is empty",
        "SNOWFLAKE.CORTEX.COMPLETE or CORTEX.COMPLETE",
        "mask the emails.Then share the table",
        'he said "please do it all again now"',
        "version 3.11 of python",
        "mail jane.doe@example.com",
        "convert the table FROM Oracle",
    ],
)
def test_what_is_no_name_of_an_object_stays_words(said):
    assert object_names(said) == ()


def test_parts_keep_their_quotes():
    (found,) = object_names('grant on "a.b".CD')
    assert found.parts == ('"a.b"', "CD")


def test_without_names_a_goal_keeps_its_words_and_what_kind_a_warehouse_is():
    assert without_names('clone A."b c".D now') == "clone   now"
    assert without_names("resize the warehouse CLINIC_WH") == "resize the warehouse  "
    assert without_names("resize Clinic_small_wh to large") == "resize warehouse to large"
    assert without_names("resize it on a small wh") == "resize it on a small wh"


def test_without_dotted_names_what_stands_alone_is_left():
    said = 'let ANALYST read "My db".PUBLIC."a b", and SUPPORT too'
    assert without_dotted_names(said) == "let ANALYST read  , and SUPPORT too"
