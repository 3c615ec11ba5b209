"""Evaluations published beside others' work: again, corrected, and taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skills_nb.bench.tasks.loading import load_tasks
from skills_nb.views import render_text
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import COMPLETED, Wish

_LIBRARY = Path(__file__).parents[2] / "library"
ASKED = {
    "model": "a model's",
    "publish": "table",
    "publish_database": '"Trade House"',
    "publish_role": "SYSADMIN",
}
LAB = """
CREATE DATABASE "Trade House";
GRANT USAGE, CREATE SCHEMA ON DATABASE "Trade House" TO ROLE SYSADMIN;
"""
STAGE = LAB + (
    'CREATE SCHEMA "Trade House".EVALUATION;'
    'CREATE STAGE "Trade House".EVALUATION.EVALUATION_RUNS FILE_FORMAT = (TYPE = JSON);'
    'GRANT OWNERSHIP ON STAGE "Trade House".EVALUATION.EVALUATION_RUNS TO ROLE SYSADMIN;'
    'GRANT OWNERSHIP ON SCHEMA "Trade House".EVALUATION TO ROLE SYSADMIN;'
)


@contextmanager
def desk(home: Path, setup: str = STAGE) -> Iterator[Mess]:
    work = Mess(home, setup)
    try:
        yield work
    finally:
        work.close()


def upload(work: Mess, **resolved: bool) -> None:
    """Put a result per instance on the stage, in place of what is there."""
    scores = {"deploy": 1, "tests": 1, "functional": 1, "bulk": 1, "no_tweaks": 1, "total": 1}
    lines = [
        json.dumps({"model_name_or_path": "m", "instance_id": k, "resolved": v, "scores": scores})
        for k, v in resolved.items()
    ]
    (work.home / "results.jsonl").write_text("\n".join(lines))
    stage = '@"Trade House".EVALUATION.EVALUATION_RUNS/run-1/'
    work.run(
        f"PUT 'file://{work.home}/results.jsonl' {stage} AUTO_COMPRESS = FALSE OVERWRITE = TRUE"
    )
    work.begun = work.look()


def ask(work: Mess, thread: str, **changed: str) -> list[str]:
    """Run to the end or a stop; return what was shown at each pause."""
    shown = []
    work.ask(Wish("run-benchmark-evaluation", {**ASKED, **changed}), thread)
    for _ in range(20):
        if work.reply is None or work.reply.pause is None:
            break
        shown.append(work.reply.pause.present)
        if not work.go_on():
            break
    return shown


def summary(work: Mess) -> list[tuple[Any, ...]]:
    session = work.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    found = session.execute(
        'SELECT RESULTS, RESOLVED_COUNT FROM "Trade House".EVALUATION.EVALUATION_SUMMARY'
    )
    session.close()
    return [tuple(map(int, row)) for row in found.rows]


@pytest.mark.slow
def test_results_are_published_once_and_corrected_results_take_their_place(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        upload(work, a=True, b=False)
        shown = ask(work, "first", task_count="6")
        assert work.ended == COMPLETED
        assert "2 results of 2 tasks; the set has 6" in shown[-1]
        assert len(shown) == 5
        assert summary(work) == [(2, 1)]
        before = work.look()
        ask(work, "second")
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])
        assert work.reply is not None
        assert "What it changed" not in render_text(work.reply.view)
        upload(work, a=True, b=True, c=False)
        ask(work, "third")
        assert summary(work) == [(3, 2)]


@pytest.mark.slow
def test_corrected_results_are_taken_back_by_cleanup(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        upload(work, a=True, b=False)
        ask(work, "first")
        upload(work, a=False, b=True, c=False)
        work.ask(Wish("run-benchmark-evaluation", ASKED), "second")
        while "Published of" not in work.ended:
            assert work.go_on()
        assert summary(work) == [(3, 1)]
        work.clean()
        assert changes(work.begun, work.look()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "setup", "why"),
    [
        (
            {"publish_role": "CLERK"},
            LAB + "GRANT ROLE CLERK TO USER ADMIN;",
            'it lacks CREATE SCHEMA on "Trade House", which the owner of the database grants',
        ),
        (
            {"publish_role": "CLERK"},
            STAGE + "GRANT ROLE CLERK TO USER ADMIN;",
            'CLERK lacks CREATE TABLE on the schema EVALUATION of "Trade House"',
        ),
        ({"task_count": "12"}, LAB, "The set verified has 6 tasks, not 12. Give task_count=6."),
        ({"run_label": "../x"}, LAB, "letters, digits, underscores and hyphens"),
        ({"cost_per_answer": "cheap"}, LAB, "is a number such as 0.25, not cheap"),
        (
            {},
            STAGE + 'CREATE TABLE "Trade House".EVALUATION.EVALUATION_RESULTS (NOTE STRING);',
            "has other columns (NOTE; BASE TABLE of ACCOUNTADMIN)",
        ),
    ],
)
def test_what_cannot_be_done_stops_it_before_anything_is_asked(
    changed: dict[str, str], setup: str, why: str, tmp_path: Path
) -> None:
    with desk(tmp_path, setup) as work:
        work.begun = work.look()
        ask(work, "first", **changed)
        assert why in work.ended
        assert changes(work.begun, work.look()) == []


@pytest.mark.parametrize(
    ("name", "count"), [("verified", 6), ("realistic", 5), ("snowflake", 68), ("playbooks", 9)]
)
def test_the_playbook_knows_how_many_tasks_the_shipped_sets_have(name: str, count: int) -> None:
    text = (_LIBRARY / "playbooks/run-benchmark-evaluation/playbook.md").read_text()
    assert len(load_tasks(name).tasks) == count
    assert f"'{name}', {count}" in text


@pytest.mark.slow
@pytest.mark.parametrize("pauses", range(1, 6))
def test_aborted_at_any_pause_everything_is_taken_back(pauses: int, tmp_path: Path) -> None:
    with desk(tmp_path, LAB) as work:
        work.begun = work.look()
        work.ask(Wish("run-benchmark-evaluation", ASKED), "first")
        for _ in range(pauses):
            work.go_on()
        work.clean()
        assert changes(work.begun, work.look()) == []
