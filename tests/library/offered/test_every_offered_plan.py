"""Every plan that a primitive offers is reached by words, runs to its end, and is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.commands.wiring import shipped_library
from skills_nb.reading import open_library
from tests.library.offered import account_jobs, jobs, security_jobs
from tests.library.offered.jobs import Job
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

LIBRARY = open_library(shipped_library())
HOLDS = """
CREATE ROLE NURSE; CREATE ROLE RESEARCHER; CREATE WAREHOUSE CLINIC_WH INITIALLY_SUSPENDED = TRUE;
CREATE USER JOAN TYPE = PERSON EMAIL = 'joan@clinic.org';
CREATE DATABASE CLINIC; CREATE SCHEMA CLINIC.RAW; CREATE SCHEMA CLINIC.MARTS;
CREATE TABLE CLINIC.RAW.PATIENTS (PATIENT_ID INT, EMAIL STRING, CITY STRING);
INSERT INTO CLINIC.RAW.PATIENTS VALUES
  (1, 'ann@x.org', 'Bern'), (2, 'bo@x.org', 'Basel'), (2, 'bo@x.org', 'Basel');
CREATE TABLE CLINIC.RAW.VISITS
  (VISIT_ID INT, PATIENT_ID INT, VISITED_AT TIMESTAMP_NTZ, FEE NUMBER(10, 2), WARD STRING);
INSERT INTO CLINIC.RAW.VISITS VALUES (1, 1, '2026-11-01 10:00', 100, 'A'),
  (2, 2, '2026-11-01 12:00', 50.5, 'B'), (3, 1, '2026-11-02 10:00', 70, 'A');
CREATE SCHEMA CLINIC."lab work";
CREATE TABLE CLINIC."lab work"."blood tests"
  ("test id" INT, "Result" STRING, "taken" DATE, "raw" VARIANT);
INSERT INTO CLINIC."lab work"."blood tests"
  SELECT 1, 'ok', '2026-11-01', PARSE_JSON('{"unit": "mg", "values": [1, 2]}');
INSERT INTO CLINIC."lab work"."blood tests" SELECT * FROM CLINIC."lab work"."blood tests";
"""
JOBS = {**jobs.JOBS, **security_jobs.JOBS, **account_jobs.JOBS}
_MOST = 20


def test_each_offered_plan_has_a_job() -> None:
    offered = {(p.name, plan.title) for p in LIBRARY.primitives.values() for plan in p.plans}
    assert set(JOBS) == offered


@pytest.mark.slow
@pytest.mark.parametrize("named", JOBS, ids=": ".join)
def test_it_is_reached_by_words_done_and_taken_back(named: tuple[str, str], tmp_path: Path) -> None:
    job, (primitive, title) = JOBS[named], named
    with own_account(tmp_path, HOLDS) as account:
        account.run(job.setup)
        before = account.look()
        account.thread = "job"
        account.invoke("run", job.says)
        answer(account, job)
        assert account.ended == COMPLETED
        (offered,) = (p for p in LIBRARY.primitives[primitive].plans if p.title == title)
        proposed = account.events("plan_proposed")[-1]
        assert [step.action for step in proposed.steps] == [work.action for work in offered.steps]
        account.clean()
        left = [line for line in account.changes(before) if not any(w in line for w in job.leaves)]
        assert left == []


def answer(account: OwnAccount, job: Job) -> None:
    """Answer the questions of a plan with what its job says, and take every proposal."""
    for _ in range(_MOST):
        pause = account.pause
        if pause is None:
            return
        if pause.kind == "input_question":
            name = pause.at.removeprefix("input:")
            assert name in job.answers, f"asked for {name}: {[o.id for o in pause.options]}"
            value = job.answers[name]
            if pause.option(value) is not None:
                account.answer(value)
            else:
                account.invoke("respond", "other", "--at", pause.at, "--set", f"{name}={value}")
        else:
            assert pause.option("approve") is not None, pause.present
            account.answer("approve")
    raise AssertionError("it did not end")
