"""Rows as roles would see them are shown where a dry run is made, and kept nowhere."""

import json

import pytest

from skills_nb.cli.conversation import with_seen
from skills_nb.commands import App
from skills_nb.views import render_html, render_text, unfold_view

pytestmark = pytest.mark.slow

GOAL = "mask the email column of PROD.CUSTOMER_DATA.CUSTOMERS"
MAIL = "user1@example.org"
KEPT = "They are not kept, neither here nor in the thread."


def rehearsed(app):
    clear = ("--input", "clear_role=PII_READER")
    app.invoke(["run", GOAL, "--dry-run", *clear, "--thread", "t"])
    return app.invoke(["respond", "approve", "--at", "plan", "--thread", "t"])


def kept(home):
    return b"".join(file.read_bytes() for file in home.glob("threads*"))


def test_a_terminal_shows_them_and_neither_card_nor_document_nor_thread_holds_them(app, home):
    app.wiring.shown_rows.is_looked_at = True
    reply = rehearsed(app)

    assert reply.pause.kind == "dry_run_summary"
    for text in (render_text(unfold_view(reply.view, "all")), json.dumps(reply.document)):
        assert MAIL not in text
    assert MAIL not in render_html(reply.view, "%skill", None)
    assert KEPT in " ".join(render_text(reply.view).split())
    shown = render_text(unfold_view(with_seen(reply).view, "all"))
    assert "PROD.CUSTOMER_DATA.CUSTOMERS as ANALYST sees it, before → after" in shown
    assert f"{MAIL} → ***" in shown
    assert MAIL not in render_text(with_seen(reply).view)
    assert "3 sample rows as each role would see them" in render_text(with_seen(reply).view)
    assert MAIL.encode() not in kept(home)


def test_another_look_in_the_same_process_shows_them_and_one_from_elsewhere_does_not(app, home):
    app.wiring.shown_rows.is_looked_at = True
    assert rehearsed(app).seen == app.invoke(["status", "t"]).seen != ()

    other = App(home)
    try:
        other.wiring.shown_rows.is_looked_at = True
        assert other.invoke(["status", "t"]).seen == ()
    finally:
        other.close()
    assert app.invoke(["respond", "abort", "--at", "dry_run", "--thread", "t"]).seen == ()


def test_where_nobody_looks_none_are_taken(app):
    reply = rehearsed(app)

    assert reply.seen == ()
    assert KEPT in " ".join(render_text(reply.view).split())
