"""A kernel that races others on one thread: `python -m tests.runtime.racing HOME ACCOUNT [LAST]`.

It works on a thread of forty steps whenever nobody else holds it, and answers whatever waits. With
LAST, a statement of the thread, it kills itself when that has run.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

from skills_nb.engine.respond import Answer
from skills_nb.errors import ThreadError, UsageError
from skills_nb.ports import Fate, Ports, QueryRows, StatementOutcome
from skills_nb.runtime.conductor import Conductor
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from skills_nb.runtime.system_ports import NoHuman, RandomIds, SystemClock
from tests.builders import CONTEXT, checkpoint, library, playbook, step
from tests.fakes import Deferring

THREAD = "race"
STEPS = 40
BOOK = playbook(
    *[
        step(str(n), f"INSERT INTO LOG VALUES ({n})", checkpoint=checkpoint() if n % 2 else None)
        for n in range(1, STEPS + 1)
    ]
)


class SharedAccount(Deferring):
    """An account in a file that every process reaches: it remembers what ran, with its tag."""

    def __init__(self, path, last=None):
        self.last = last
        self.database = sqlite3.connect(path, timeout=30, isolation_level=None)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("CREATE TABLE IF NOT EXISTS ran (tag TEXT, sql TEXT)")

    def context(self):
        return CONTEXT

    def query(self, sql, *, role=None, limit=10_000):
        return QueryRows(("name",), (), 0)

    def execute(self, sql, *, role, tag):
        time.sleep(0.002)
        self.database.execute("INSERT INTO ran VALUES (?, ?)", (tag, sql))
        if sql == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.002)
        return StatementOutcome(query_id=f"q-{tag}", row_count=1, duration_s=0.0)

    def fate(self, tag, *, query_id=None, sql=None):
        found = self.database.execute("SELECT 1 FROM ran WHERE tag = ?", (tag,)).fetchone()
        return Fate("succeeded", query_id=f"q-{tag}") if found else Fate("absent")

    def close(self):
        self.database.close()

    def ran(self):
        return [sql for (sql,) in self.database.execute("SELECT sql FROM ran ORDER BY rowid")]


def kernel(home, account, last=None):
    store = SqliteThreadStore(Path(home))
    ports = Ports(SharedAccount(account, last), store, SystemClock(), RandomIds(), NoHuman(), None)
    return Conductor(library(BOOK), ports), store


def work(conductor):
    """Go on until the thread is over; return how often this kernel was told to keep out."""
    refused = 0
    while True:
        try:
            state = conductor.advance(THREAD)
            pause = conductor.pause(state)
            if pause is not None:
                conductor.answer(THREAD, Answer("approve", at=pause.at))
            elif state.is_over:
                return refused
        except (ThreadError, UsageError):
            # Somebody holds it, or has answered first.
            refused += 1
            time.sleep(0.001)


if __name__ == "__main__":
    conductor, store = kernel(*sys.argv[1:])
    print("ready", flush=True)
    sys.stdin.readline()
    with closing(store):
        print(work(conductor), flush=True)
