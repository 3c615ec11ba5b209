"""What a durable thread costs, against a bare write and flush on the same disk at the same time.

Only ratios are asserted, each against the floor measured beside it, so that a slow machine passes.
Run with `-s` to see the table.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from contextlib import closing
from pathlib import Path

import pytest

from skills_nb.engine.evolve import fold
from skills_nb.model.events import EnvironmentProbed, Event, ThreadStarted, load_json
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.runtime.store_contract import stamped

ROUNDS, ROUND = 4, 40
"""Rounds, and the appends in each."""

BAR_APPEND, BAR_LOAD, BAR_BYTES = 2.5, 1.6, 550
"""Times a write with its flush; times reading JSON lines; bytes on disk for one event."""


def _events(count: int, after: int = 0) -> list[Event]:
    """Return events of 409 bytes each, as the bar was measured with."""
    drafts = [
        EnvironmentProbed(query="SELECT COUNT(*) FROM PROD.CUSTOMER_DATA.ORDERS", result={})
        for _ in range(count)
    ]
    events = stamped(drafts, after)
    bare = len(events[0].model_dump_json())
    filled = {"columns": ["N"], "rows": [["x" * (409 - bare - 30)]]}
    return [event.model_copy(update={"result": filled}) for event in events]


def _thread(count: int) -> list[Event]:
    return [*stamped([ThreadStarted(goal="measure")]), *_events(count - 1, 1)]


@pytest.fixture(scope="module")
def table():
    lines: list[str] = []
    yield lines
    print("\n" + "\n".join(lines))


@pytest.mark.parametrize("size", [100, 1_000, 10_000])
def test_an_append_costs_little_more_than_one_flush(tmp_path, table, size):
    file = os.open(tmp_path / "floor", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        store.append("thr_1", 0, _thread(size))
        rounds = [
            [_one_append(store, file, event) for event in _events(ROUND, size + number * ROUND)]
            for number in range(ROUNDS)
        ]
    os.close(file)
    # The two take turns, so that whoever else uses the disk slows down both; a round that was
    # disturbed all the same is left out, because a slower store would lift every round.
    ratio, mine_s = min(_compared(measured) for measured in rounds)
    table.append(f"append at {size:>6} events: {1e3 * mine_s:6.3f} ms, {ratio:5.2f} x floor")
    assert ratio <= BAR_APPEND


def _one_append(store: SqliteThreadStore, file: int, event: Event) -> tuple[float, float]:
    """Return the seconds that an append took, and those of a write with its flush."""
    line = event.model_dump_json().encode() + b"\n"
    begin = time.perf_counter()
    store.append("thr_1", event.seq - 1, [event])
    middle = time.perf_counter()
    os.write(file, line)
    os.fdatasync(file)
    return middle - begin, time.perf_counter() - middle


def _compared(measured: list[tuple[float, float]]) -> tuple[float, float]:
    mine, floor = (statistics.median(column) for column in zip(*measured, strict=True))
    return mine / floor, mine


def test_loading_and_folding_costs_little_more_than_reading_json_lines(tmp_path, table):
    events = _thread(10_000)
    lines = tmp_path / "thread.jsonl"
    lines.write_text("".join(event.model_dump_json() + "\n" for event in events))
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        store.append("thr_1", 0, events)
        load_json(events[0].model_dump_json())  # builds the models before anything is timed
        floors, mine = [], []
        for _ in range(7):
            floors.append(_seconds(lambda: fold(_read_lines(lines))))
            mine.append(_seconds(lambda: fold(store.load("thr_1"))))
    ratio = min(mine) / min(floors)
    table.append(f"load and fold of 10000: {1e3 * min(mine):6.1f} ms, {ratio:5.2f} x JSON lines")
    assert ratio <= BAR_LOAD


def _read_lines(path: Path) -> list[Event]:
    with path.open() as file:
        return [load_json(line) for line in file]


def _seconds(work) -> float:
    """Return seconds of this process's own time, which its neighbours do not lift."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def test_an_event_takes_little_more_room_than_its_text(tmp_path, table):
    events = _events(10_000)
    body = len(events[5_000].model_dump_json())
    assert 400 <= body <= 420
    with closing(SqliteThreadStore(tmp_path)) as store:
        for begin in range(0, 10_000, 100):
            store.append("thr_1", begin, events[begin : begin + 100])
    size = store.path.stat().st_size / len(events)
    table.append(f"room at 10000 events: {size:5.0f} bytes each, for {body} bytes of JSON")
    assert size <= BAR_BYTES


def test_decoding_costs_about_as_much_as_parsing_json(table):
    texts = [event.model_dump_json() for event in _events(3_000)]
    load_json(texts[0])
    rounds = [
        (
            _seconds(lambda: [load_json(text) for text in texts]),
            _seconds(lambda: [json.loads(text) for text in texts]),
        )
        for _ in range(5)
    ]
    ratio = min(mine for mine, _ in rounds) / min(floor for _, floor in rounds)
    table.append(f"decoding an event: {ratio:5.2f} x json.loads")
    assert ratio <= 4
