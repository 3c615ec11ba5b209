"""The SQL on a critical card is what is sent once it is approved, letter by letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.views import ThreadCard, render_html, render_text
from skills_nb.views.threads.next_steps import script_ahead
from tests.library.own_accounts import OwnAccount, own_account

pytestmark = pytest.mark.slow
ACCOUNT = """
CREATE ROLE "Data Desk"; CREATE ROLE "read & see"; GRANT ROLE "Data Desk" TO ROLE ACCOUNTADMIN;
GRANT ROLE "read & see" TO ROLE ACCOUNTADMIN;
CREATE DATABASE "Trade House"; CREATE SCHEMA "Trade House"."My Sales";
CREATE TABLE "Trade House"."My Sales"."<b>people</b>" ("e-mail" STRING, "PHONE" STRING, N INT);
INSERT INTO "Trade House"."My Sales"."<b>people</b>" VALUES ('a@b.example', '+49 30 1234567', 1),
  ('c@d.example', '+49 30 7654321', 2);
GRANT USAGE ON DATABASE "Trade House" TO ROLE "read & see";
GRANT USAGE ON ALL SCHEMAS IN DATABASE "Trade House" TO ROLE "read & see";
GRANT SELECT ON ALL TABLES IN DATABASE "Trade House" TO ROLE "read & see";
"""
INPUTS = {
    "target_scope": '"Trade House"."My Sales"',
    "admin_role": "ACCOUNTADMIN",
    "authorized_role": '"Data Desk"',
    "restricted_role": '"read & see"',
}


def card_of(account: OwnAccount) -> ThreadCard:
    assert account.reply is not None
    assert isinstance(account.reply.view, ThreadCard)
    return account.reply.view


def to_critical(account: OwnAccount) -> ThreadCard:
    """Go on to the next critical card, taking every proposal on the way."""
    while account.pause is not None and account.pause.severity != "critical":
        account.answer("approve")
    assert account.pause is not None, account.ended
    return card_of(account)


def test_what_a_critical_card_shows_is_what_is_sent_next(tmp_path: Path) -> None:
    with own_account(tmp_path, ACCOUNT) as account:
        account.ask("secure-sensitive-data", **INPUTS)
        card = to_critical(account)
        shown = [
            text.split("\n", 1)[1] if text.startswith("-- as ") else text
            for step in card.ahead
            for text in step.statements
        ]
        before = len(account.sent())
        account.answer("approve")
        sent = [f"{sql.strip().rstrip(';')};" for sql in account.sent()[before:]]

        assert sent
        assert [sql for sql in shown if sql in sent] == sent
        assert '"<b>people</b>"' in "".join(sent)


def test_it_is_open_coloured_and_escaped_and_in_the_terminal_too(tmp_path: Path) -> None:
    with own_account(tmp_path, ACCOUNT) as account:
        account.ask("secure-sensitive-data", **INPUTS)
        card = to_critical(account)
        html, text = render_html(card), render_text(card)

        assert "<b>people" not in html
        assert "<details open><summary>Then step" in html
        assert '<pre class="sk-sql"' in html
        for step in card.ahead:
            for sql in step.statements:
                assert all(f"    {line}".rstrip() in text for line in sql.split("\n"))
                assert sql in script_ahead(card.ahead)


def test_a_dry_run_tells_who_sees_what_and_keeps_no_row(tmp_path: Path) -> None:
    words = [word for name, value in INPUTS.items() for word in ("--input", f"{name}={value}")]
    with own_account(tmp_path, ACCOUNT) as account:
        account.thread = "dry"
        account.invoke(
            "run", "playbooks/secure-sensitive-data", "--dry-run", "--thread", "dry", *words
        )
        (matrix,) = card_of(account).pictures.access
        reader = next(line for line in matrix["roles"] if line["role"] == "read & see")

        assert matrix["table"] == '"Trade House"."My Sales"."<b>people</b>"'
        assert matrix["columns"] == ["e-mail", "PHONE", "N"]
        assert reader["before"] == ["clear", "clear", "clear"]
        assert reader["after"] == ["masked", "masked", "clear"]
        told = [event.model_dump_json() for event in account.store.load("dry")]
        assert told
        assert not any("a@b.example" in text or "7654321" in text for text in told)
