"""Where instances are measured does not change what is reported."""

import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from skills_nb.bench.models import Answer
from skills_nb.bench.pipeline import evaluate
from skills_nb.bench.pipeline.instances import measure_instance
from skills_nb.bench.pipeline.workers import each
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.scoring import State, card_of
from skills_nb.bench.time_limits import TimeLimitError, time_limit


def _report(done):
    """What was measured, without how long that took."""
    text = (done.folder / "report.json").read_text(encoding="utf-8")
    return re.sub(r'"(seconds\w*)": [\d.]+', r'"\1": 0', text)


@pytest.mark.slow
def test_threads_processes_and_this_process_report_the_same(options, tmp_path):
    here = evaluate(options(output=tmp_path / "here"))
    processes = evaluate(options(output=tmp_path / "processes", workers=2))
    with ThreadPoolExecutor(2) as threads:
        done = evaluate(options(output=tmp_path / "threads", executor=threads))
    assert _report(here) == _report(processes) == _report(done)


@pytest.mark.slow
def test_a_cluster_reports_the_same(options, tmp_path):
    import distributed

    here = evaluate(options(output=tmp_path / "here"))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        done = evaluate(options(output=tmp_path / "cluster", executor=client.get_executor()))
    assert _report(done) == _report(here)


def _deadly(number):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"number": number}


@pytest.mark.slow
def test_a_worker_that_is_killed_harms_nobody_else():
    found = dict(each([1, 2, 3], lambda pool, n: pool.submit(_deadly, n), 2, None))
    assert {n: kind for n, kind in found.items() if isinstance(kind, dict)} == {
        1: {"number": 1},
        3: {"number": 3},
    }
    assert isinstance(found[2], BaseException)


def test_trouble_in_a_worker_comes_back_as_error_and_not_as_failure(mask_emails):
    strange = replace(mask_emails, body=replace(mask_emails.body, setup="SELECT * FROM NO.SUCH.T"))
    card = card_of(
        measure_instance(strange, Answer("CREATE ROLE R;"), 1, RunSetting(functional=True))
    )
    assert card.has_error
    assert card.verdict == "undetermined"
    assert card.deploy.state is State.ERROR


def test_a_statement_that_takes_too_long_is_the_answers_fault(mask_emails):
    rows = "TABLE(GENERATOR(ROWCOUNT => 100000))"
    slow = (
        f"CREATE TABLE SHOP.SALES.N AS SELECT SEQ4() AS A FROM {rows};"
        "CREATE TABLE SHOP.SALES.M AS SELECT COUNT(*) AS C FROM SHOP.SALES.N A, SHOP.SALES.N B,"
        " SHOP.SALES.N C WHERE A.A + B.A + C.A = 7;"
    )
    card = card_of(
        measure_instance(
            replace(mask_emails, time_limit_s=1), Answer(slow), 1, RunSetting(functional=False)
        )
    )
    assert card.deploy.state is State.FAIL
    assert "timeout" in card.deploy.reason.lower()


def _forever():
    while True:
        pass


def _limited(seconds):
    with time_limit(seconds):
        _forever()


@pytest.mark.posix("alarms; without them tests/platforms does it")
def test_what_takes_too_long_is_stopped():
    with pytest.raises(TimeLimitError, match=r"longer than 0\.05 s"):
        _limited(0.05)
    with time_limit(5):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
