"""A run from preflight to reports, and what it refuses."""

import json
from dataclasses import replace

import pytest

from skills_nb.bench.journal import Journal, read_journal
from skills_nb.bench.models import Answer
from skills_nb.bench.models.generators import ReplayGenerator
from skills_nb.bench.pipeline import evaluate
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.schemas import Result, savepoint_of, seal
from skills_nb.bench.scoring import WEIGHTS
from skills_nb.errors import UsageError
from skills_nb.llm import ModelError

FILES = (
    "checkpoint.json",
    "journal.jsonl",
    "manifest.json",
    "predictions.jsonl",
    "report.html",
    "report.json",
    "results.jsonl",
    "summary.md",
)


class Scripted:
    """Gives the answers of a list, in order; an exception in it is raised."""

    provider = "scripted"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    def check(self):
        return "a script", ""

    def answer(self, task, messages, attempt):
        self.asked += 1
        found = self.answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


def test_a_report_says_how_many_sealed_tasks_were_used(options):
    usual = options().tasks
    sealed = replace(usual, tasks=tuple(replace(task, is_sealed=True) for task in usual.tasks))
    done = evaluate(options(tasks=sealed))
    assert json.loads((done.folder / "report.json").read_text())["sealed"] == 1
    assert "1 sealed task was used in this run." in (done.folder / "summary.md").read_text()
    page = (done.folder / "report.html").read_text()
    assert "<dt>Sealed tasks used</dt><dd>1</dd>" in page


def test_a_replay_of_gold_fills_the_run_directory(options):
    asked = options()
    done = evaluate(asked)
    assert [result["verdict"] for result in done.results] == ["pass"]
    assert sorted(p.name for p in done.folder.iterdir() if p.is_file()) == [".lock", *FILES]
    saved = savepoint_of((done.folder / "checkpoint.json").read_text())
    assert saved.completed_tasks == ["mask-emails"]
    assert saved.metadata.model == "stub"
    line = (done.folder / "results.jsonl").read_text().splitlines()[0]
    assert Result.model_validate_json(line).resolved is True
    predicted = json.loads((done.folder / "predictions.jsonl").read_text())
    assert predicted["model_patch"] == Answer.of(read_journal(done.folder)[2]["answer"]).text


def test_what_is_done_is_not_done_again(options):
    generator = Scripted(Answer("```sql\nCREATE ROLE R;\n```"))
    evaluate(options(generator=generator))
    before = read_journal(options().output)
    evaluate(options(generator=generator))
    assert generator.asked == 1
    assert read_journal(options().output) == before


def test_a_failed_generation_is_not_graded_and_stays_in_the_denominator(options):
    done = evaluate(options(generator=Scripted(ModelError("429 slow down"))))
    (result,) = done.results
    assert {result["components"][name]["state"] for name in WEIGHTS} == {"error"}
    assert result["model_patch"] is None
    assert result["scores"]["total"] == 0.0
    assert result["scores"]["deploy"] is None
    assert (done.left, done.report["summary"]["errors"]) == (1, 1)
    assert done.report["summary"]["instances"] == 1
    assert json.loads((done.folder / "checkpoint.json").read_text())["completed_tasks"] == []


def test_what_broke_is_done_on_resume_and_paid_for_once(options):
    gold = Answer("CREATE ROLE R;")
    generator = Scripted(ModelError("connection reset"), gold)
    assert evaluate(options(generator=generator)).left == 1
    assert evaluate(options(generator=generator)).left == 0
    assert generator.asked == 2


def test_an_empty_answer_scores_nothing_without_being_run(options):
    done = evaluate(options(generator=Scripted(Answer(""))))
    assert done.results[0]["scores"]["total"] == 0.0
    assert done.results[0]["verdict"] == "fail"
    assert done.left == 0


def test_a_truncated_answer_is_not_graded(options):
    done = evaluate(options(generator=Scripted(Answer("CREATE ROLE", "truncated"))))
    assert done.results[0]["verdict"] == "undetermined"
    assert done.results[0]["components"]["deploy"]["state"] == "not_run"
    assert done.report["summary"]["truncated"] == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model": "other"}, "model is 'stub', asked for 'other'"),
        ({"setting": RunSetting(functional=False)}, "functional is True, asked for False"),
        ({"attempts": 2}, "attempts is 1, asked for 2"),
    ],
)
def test_a_directory_about_something_else_is_refused_with_the_difference(options, change, said):
    evaluate(options())
    with pytest.raises(UsageError, match=said):
        evaluate(options(**change))


def test_another_task_set_is_refused(options):
    evaluate(options())
    tasks = options().tasks
    changed = replace(tasks, tasks=(replace(tasks.tasks[0], prompt="Another one."),))
    with pytest.raises(UsageError, match="tasks is"):
        evaluate(options(tasks=changed))


def _rewrite(path, change):
    document = json.loads(path.read_text())
    path.write_text(json.dumps(change(document)))


def test_a_savepoint_without_its_hash_is_refused(options):
    place = evaluate(options()).folder / "checkpoint.json"
    _rewrite(place, lambda d: {k: v for k, v in d.items() if k != "hash"})
    with pytest.raises(UsageError, match="has no hash"):
        evaluate(options())


def test_a_savepoint_with_a_wrong_hash_is_refused(options):
    place = evaluate(options()).folder / "checkpoint.json"
    _rewrite(place, lambda d: {**d, "completed_tasks": ["mask-emails", "other"]})
    with pytest.raises(UsageError, match="says hash sha256:"):
        evaluate(options())


def test_a_savepoint_that_knows_more_than_the_journal_is_refused(options):
    place = evaluate(options()).folder / "checkpoint.json"
    _rewrite(place, lambda d: seal({**d, "completed_tasks": ["mask-emails", "other"]}))
    with pytest.raises(UsageError, match="'other' is done, and the journal does not"):
        evaluate(options())


def test_a_savepoint_alone_is_taken_over(options, tmp_path):
    first = evaluate(options())
    moved = tmp_path / "moved"
    moved.mkdir()
    (moved / "checkpoint.json").write_text((first.folder / "checkpoint.json").read_text())
    generator = Scripted()
    generator.provider = "replay"
    again = evaluate(options(output=moved, generator=generator, evaluation_id="run-other"))
    assert generator.asked == 0
    assert (moved / "report.json").read_text() == (first.folder / "report.json").read_text()
    assert again.results[0]["verdict"] == "pass"


def test_a_second_runner_is_kept_out(options):
    held = Journal(options().output)
    try:
        with pytest.raises(UsageError, match="in use by process"):
            evaluate(options())
    finally:
        held.close()


def test_resume_needs_a_run(options, tmp_path):
    with pytest.raises(UsageError, match="no run to resume"):
        evaluate(options(is_resume_required=True))


def test_preflight_stops_before_a_model_is_asked(options):
    class Keyless(Scripted):
        def check(self):
            return "no API key", "SOME_KEY is not set"

    generator = Keyless(Answer("x"))
    with pytest.raises(UsageError, match="SOME_KEY is not set") as refused:
        evaluate(options(generator=generator))
    assert "sf org list --all" not in (refused.value.hint or ""), "nothing runs there"
    assert generator.asked == 0


def test_a_missing_solution_is_said_with_what_to_check(options, tmp_path):
    empty = tmp_path / "none"
    empty.mkdir()
    (empty / "other.sql").write_text("SELECT 1")
    said = []
    evaluate(options(generator=ReplayGenerator(empty), tell=said.append))
    assert any("no solution for 'mask-emails'" in line for line in said)
    assert any("rate limit status" in line for line in said)


def test_a_task_whose_gold_fails_here_is_listed_and_not_run(options):
    tasks = options().tasks
    wrong = replace(tasks.tasks[0], body=replace(tasks.tasks[0].body, gold="CREATE ROLE R;"))
    generator, said = Scripted(), []
    asked = {"tasks": replace(tasks, tasks=(wrong,)), "generator": generator, "tell": said.append}
    done = evaluate(options(**asked))
    assert (generator.asked, done.results, done.left) == (0, [], 0)
    (bad,) = done.report["invalid_tasks"]
    assert bad["task"] == "mask-emails"
    assert bad["reasons"][0].startswith("gold fails here: functional is fail: analyst-is-masked")
    assert any("not valid here" in line for line in said)
    assert evaluate(options(**asked)).report == done.report


def test_attempts_make_pass_at_k(options, solutions):
    (solutions / "mask-emails").mkdir()
    (solutions / "mask-emails" / "2.sql").write_text("CREATE ROLE R;")
    done = evaluate(options(attempts=2))
    assert [r["verdict"] for r in done.results] == ["pass", "fail"]
    assert done.report["summary"]["pass@1"] == 0.5
    assert done.report["summary"]["pass@2"] == 1.0


def test_a_deployment_that_fails_prints_what_to_check(options):
    said = []
    evaluate(options(generator=Scripted(Answer("DROP TABLE NO.SUCH.THING")), tell=said.append))
    assert any(line.strip().startswith("deployment: line 1") for line in said)
    assert any("answer.txt" in line for line in said)


@pytest.mark.slow
def test_a_worker_that_dies_takes_nobody_along(options):
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    class Dying:
        def submit(self, fn, *args):
            future = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future

    done = evaluate(options(executor=Dying()))
    assert done.results[0]["verdict"] == "pass"
