"""The edge keeps the forms that the ports promise."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from datetime import datetime

import pytest

from skills_nb.runtime.system_ports import NoHuman, RandomIds, SystemClock, TerminalHuman


def test_the_present_has_microseconds_and_a_zulu_mark():
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", SystemClock().now())


def test_the_present_is_universal_time(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        now = datetime.fromisoformat(SystemClock().now())
        assert abs(now.timestamp() - time.time()) < 5
    finally:
        monkeypatch.undo()
        time.tzset()


def test_instants_sort_as_texts():
    clock = SystemClock()
    instants = [clock.now() for _ in range(50)]
    assert instants == sorted(instants)


def test_sleeping_takes_its_time_and_never_a_negative_one():
    clock = SystemClock()
    before = clock.monotonic()
    clock.sleep(0.02)
    clock.sleep(-5)
    assert 0.02 <= clock.monotonic() - before < 2


def test_thread_ids_have_their_form_and_do_not_repeat():
    ids = [RandomIds().thread_id() for _ in range(200)]
    assert all(re.fullmatch(r"thr_[0-9a-f]{12}", each) for each in ids)
    assert len(set(ids)) == 200


def test_event_ids_do_not_repeat():
    ids = [RandomIds().event_id() for _ in range(200)]
    assert all(re.fullmatch(r"[0-9a-f]{32}", each) for each in ids)
    assert len(set(ids)) == 200


def test_nobody_is_present():
    assert NoHuman().is_present() is False


@pytest.mark.posix("terminals as pairs")
def test_a_person_at_a_terminal_is_present_and_one_behind_a_pipe_is_not():
    controller, terminal = os.openpty()
    with open(terminal, closefd=False) as seen:
        assert TerminalHuman(seen, seen).is_present() is True
        assert TerminalHuman(seen, io.StringIO()).is_present() is False
        assert TerminalHuman(io.StringIO(), seen).is_present() is False
    os.close(terminal)
    os.close(controller)


@pytest.mark.parametrize("stream", [None, "closed"])
def test_a_missing_or_closed_stream_is_no_terminal(monkeypatch, stream):
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stdin", closed if stream else None)
    assert TerminalHuman().is_present() is False
