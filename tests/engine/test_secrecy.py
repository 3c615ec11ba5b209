"""Secrets are told to the account and to nobody else; a record with a gap still counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.engine.inputs.secrecy import (
    REDACTED,
    fill_secrets,
    is_fit_to_send,
    is_told,
    secrets_in,
    stand_in,
)
from skills_nb.engine.respond import Answer
from skills_nb.errors import SqlError
from skills_nb.sql.tokens import literal, tokenize
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

SECRET = "it's a \\ s3cret"
MAKE = "CREATE USER U PASSWORD = {{ pw }}"


def kept(*steps, phase="before_start", **fields):
    inputs = (text_input("pw", secret=True, phase=phase), text_input("n", default="A", **fields))
    return playbook(*steps, inputs=inputs)


def everything_in(drive):
    return repr(drive.store.load("t")) + repr(drive.state)


def test_a_secret_given_at_the_start_reaches_the_account_and_not_the_thread():
    drive = Drive(kept(step("1", MAKE, checkpoint=checkpoint())), pw=SECRET, n="x")
    conductor = drive.conductor
    conductor.start(drive.goal, drive.inputs, thread_id="t")
    assert conductor.pause(conductor.advance("t")).at == "1"
    assert drive.ran == [f"CREATE USER U PASSWORD = {literal(SECRET)}"]
    assert "s3cret" not in everything_in(drive)
    assert len(drive.events("statement_started")) == 1


def test_a_secret_that_is_asked_for_reaches_the_account_and_not_the_thread():
    drive = Drive(kept(step("1", MAKE, checkpoint=checkpoint())), n="x")
    conductor = drive.conductor
    conductor.start(drive.goal, drive.inputs, thread_id="t")
    assert conductor.pause(conductor.advance("t")).at == "input:pw"
    conductor.answer("t", Answer("other", comment=SECRET))
    assert conductor.pause(conductor.advance("t")).at == "1"
    assert drive.ran == [f"CREATE USER U PASSWORD = {literal(SECRET)}"]
    assert drive.events("input_gathered")[-1].value == REDACTED
    assert "s3cret" not in everything_in(drive)


def test_a_process_that_was_never_told_asks_again_and_goes_on():
    book = kept(step("1", "CREATE ROLE A", checkpoint=checkpoint()), step("2", MAKE))
    drive = Drive(book, pw=SECRET, n="x")
    drive.run()
    assert drive.respond("approve").pause.at == "error:2"
    assert "'pw' is not kept with the thread" in drive.pause.present
    assert drive.ran == ["CREATE ROLE A"]
    conductor = drive.conductor
    conductor.answer("t", Answer("modify", values={"pw": SECRET}))
    assert conductor.advance("t").status == "completed"
    assert drive.ran[1:] == [f"CREATE USER U PASSWORD = {literal(SECRET)}"]
    assert "s3cret" not in everything_in(drive)


def test_a_secret_that_an_error_quotes_is_taken_out():
    drive = Drive(kept(step("1", "SELECT {{ pw }} AS N")), pw=SECRET, n="x")
    drive.account.failures["SELECT"] = [SqlError(f"what is {SECRET}?")]
    conductor = drive.conductor
    conductor.start(drive.goal, drive.inputs, thread_id="t")
    assert conductor.advance("t").pause.at == "error:1"
    assert "s3cret" not in everything_in(drive)
    assert drive.account.read == [(f"SELECT {literal(SECRET)} AS N", None)]


def test_words_that_could_lead_to_a_secret_are_kept_off_the_thread_too():
    drive = Drive(kept(step("1", MAKE)))
    drive.conductor.start("make a user", {"pw": SECRET}, thread_id="t")
    assert "s3cret" not in repr(drive.store.load("t"))


def test_a_statement_with_a_secret_of_its_own_is_sent_once_and_goes_on():
    book = playbook(
        step(
            "1", "CREATE USER U PASSWORD = 'open sesame'", "CREATE ROLE A", checkpoint=checkpoint()
        )
    )
    drive = Drive(book)
    assert drive.run().pause.at == "1"
    assert drive.ran == ["CREATE USER U PASSWORD = 'open sesame'", "CREATE ROLE A"]
    assert REDACTED in drive.events("statement_started")[0].sql


def test_a_statement_with_a_gap_on_record_is_tried_again_whole():
    book = playbook(step("1", "CREATE USER U PASSWORD = 'open sesame'"))
    drive = Drive(book)
    drive.account.failures["CREATE USER"] = [SqlError("timed out", errno=630)]
    assert drive.run().status == "completed"
    assert drive.ran == ["CREATE USER U PASSWORD = 'open sesame'"]
    assert [e.attempt for e in drive.events("statement_started")] == [1, 2]


def test_a_read_with_a_gap_on_record_is_not_repeated_for_ever():
    book = playbook(step("1", "SELECT 'x' AS N FROM T WHERE URL = 'https://me:pass@host/'"))
    drive = Drive(book)
    assert drive.run().status == "completed"
    assert len(drive.account.read) == 1


def test_what_was_taken_out_is_never_sent():
    drive = Drive(playbook(step("1", "INSERT INTO T VALUES ({{ n }})"), inputs=(text_input("n"),)))
    drive.inputs = {"n": f"say {REDACTED}"}
    assert drive.run().pause.at == "error:1"
    assert drive.ran == []


def test_a_secret_is_a_whole_value_or_nothing():
    assert is_fit_to_send(f"SELECT '{stand_in('a')}', 1")
    assert not is_fit_to_send(f"SELECT 'x{stand_in('a')}'")
    assert secrets_in(f"SELECT '{stand_in('a')}', '{stand_in('b')}', '{stand_in('a')}'") == (
        "a",
        "b",
    )


@given(st.text())
def test_a_secret_stays_inside_its_literal(secret):
    sent = fill_secrets(f"SELECT '{stand_in('a')}' AS N", {"a": secret})
    tokens = tokenize(sent)
    assert [token.text for token in tokens] == ["SELECT", literal(secret), "AS", "N", ""]
    assert tokens[1].value == secret


@pytest.mark.parametrize(
    ("recorded", "planned", "same"),
    [
        ("A", "A", True),
        ("A", "B", False),
        (f"A '{REDACTED}' B", "A 'x\ny' B", True),
        (f"A '{REDACTED}' B", "A 'x' C", False),
        (f"{REDACTED}", "anything", True),
        (f"A ({REDACTED}) {REDACTED}", "A (.*) +", True),
        ("A 'x'", f"A '{REDACTED}'", False),
    ],
)
def test_recorded_sql_is_compared_around_its_gaps(recorded, planned, same):
    assert is_told(recorded, planned) is same
