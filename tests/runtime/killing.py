"""Runs the whole main playbook on an embedded account in processes that die.

Run as a program, it is one such process: `python -m tests.runtime.killing HOME POINT PASSES`. It
prints every event that the store has acknowledged, and kills itself where it is told to. With
`in-turn` behind them it waits for a line, and for its turn where others work on the thread.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from functools import cached_property
from pathlib import Path

from skills_nb.commands.wiring import Wiring
from skills_nb.engine.respond import Answer
from skills_nb.engine.session.session_statements import changes_session
from skills_nb.errors import ThreadError, UsageError
from skills_nb.model.state import ThreadState

THREAD = "job"
PLAYBOOK = "playbooks/secure-sensitive-data"
INPUTS = {"target_scope": "PROD.CUSTOMER_DATA"}
HISTORY = (
    "SELECT QUERY_TEXT FROM TABLE(PROD.INFORMATION_SCHEMA.QUERY_HISTORY(RESULT_LIMIT => 10000)) "
    "WHERE STARTSWITH(QUERY_TAG, 'job:') AND EXECUTION_STATUS = 'SUCCESS'"
)


class Died(BaseException):
    """A process that is gone, where it dies by exception: nothing of ours may catch it."""


def die_by_exception():
    raise Died


def die_by_signal():
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)


class Life:
    """One process: where it dies, and what it was told is safe."""

    def __init__(self, point, passes, die, say=lambda event: None):
        self.point, self.left, self.die, self.say = point, passes, die, say

    def at(self, point):
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                self.die()


class MortalStore:
    def __init__(self, store, life):
        self.store, self.life = store, life

    def append(self, thread_id, expected_seq, events):
        self.life.at("before_append")
        head = self.store.append(thread_id, expected_seq, events)
        for event in events:
            self.life.say(event)
        self.life.at("after_append")
        return head

    def __getattr__(self, name):
        return getattr(self.store, name)


class MortalSession:
    def __init__(self, session, life):
        self.session, self.life = session, life

    def execute(self, sql, *, role, tag):
        if tag.endswith(":again"):
            # A new life's way back to where the one before was; it has to come past this.
            return self.session.execute(sql, role=role, tag=tag)
        self.life.at("before_execute")
        outcome = self.session.execute(sql, role=role, tag=tag)
        self.life.at("after_execute")
        return outcome

    def submit(self, sql, *, role, tag):
        self.life.at("before_execute")
        query_id = self.session.submit(sql, role=role, tag=tag)
        self.life.at("after_execute")
        return query_id

    def __getattr__(self, name):
        return getattr(self.session, name)


class MortalWiring(Wiring):
    """The product's own wiring, with a store and a session that may be the last thing it sees."""

    def __init__(self, home, life):
        super().__init__(home)
        self.life = life

    @cached_property
    def store(self):
        return MortalStore(Wiring.store.func(self), self.life)

    @cached_property
    def session(self):
        return MortalSession(Wiring.session.func(self), self.life)


def play(wiring, rest_s=0.0) -> ThreadState:
    """Start the thread, or go on with it, and approve everything to the end."""
    conductor = wiring.conductor
    if not wiring.store.load(THREAD):
        conductor.start(PLAYBOOK, INPUTS, thread_id=THREAD)
    state = conductor.advance(THREAD)
    while (pause := conductor.pause(state)) is not None:
        if pause.kind == "error_escalated":
            raise AssertionError(pause.present)
        conductor.answer(THREAD, Answer("approve", at=pause.at, phrase=pause.phrase))
        time.sleep(rest_s)
        state = conductor.advance(THREAD)
    return state


def play_in_turn(wiring) -> ThreadState:
    """Play when told to, begin again where another process is at work, and let others in too."""
    wiring.session.context()
    print("READY", flush=True)
    sys.stdin.readline()
    while True:
        try:
            return play(wiring, rest_s=0.1)
        except (ThreadError, UsageError):
            time.sleep(0.01)


def live(home, life, play=play):
    """Live until the end of the playbook or of this life; return the state, or None."""
    wiring = MortalWiring(home, life)
    try:
        return play(wiring)
    except Died:
        return None
    finally:
        wiring.close()


def sent(wiring) -> Counter[str]:
    """Return how often each statement of the thread ran, by the account's own history."""
    texts = [row[0] for row in wiring.session.query(HISTORY).rows]
    return Counter(text for text in texts if not changes_session(text))


def acknowledged(event) -> str:
    return f"{event.seq}:{event.id}"


def tell_a_life(home, point, passes, play=play):
    """Live, and print what the store acknowledged, then how it ended, if it comes to that."""
    life = Life(point, passes, die_by_signal, lambda event: print(acknowledged(event), flush=True))
    end = live(home, life, play)
    print("END" if end is not None and end.status == "completed" else "NOT COMPLETED", flush=True)


def tell_a_life_to(path, home, point, passes):
    """Live in a process that was forked, which has no standard output of its own."""
    with Path(path).open("w", encoding="utf-8") as sys.stdout:
        tell_a_life(home, point, passes)


if __name__ == "__main__":
    tell_a_life(
        Path(sys.argv[1]),
        sys.argv[2],
        int(sys.argv[3]),
        play_in_turn if sys.argv[4:] == ["in-turn"] else play,
    )
