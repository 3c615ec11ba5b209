"""The verb `eval` through the commands' door."""

import json
import shutil
from pathlib import Path

import pytest

from skills_nb.commands import App
from skills_nb.errors import UsageError
from skills_nb.views import render_text

TASKS = Path(__file__).parents[1] / "bench" / "tasks" / "mask-emails"


@pytest.fixture
def solutions(tmp_path):
    folder = tmp_path / "solutions"
    folder.mkdir()
    shutil.copy(TASKS / "gold.sql", folder / "mask-emails.sql")
    return str(folder)


@pytest.fixture
def app(tmp_path):
    made = App(tmp_path / "home")
    yield made
    made.close()


def _run(app, output, solutions, *more):
    words = ["eval", "--model", "m", "--tasks", str(TASKS), "--solutions", solutions]
    return app.invoke([*words, "--output", str(output), "--workers", "1", *more])


def test_a_run_answers_with_its_report(app, tmp_path, solutions):
    reply = _run(app, tmp_path / "run", solutions, "--functional")
    assert reply.status == 0
    assert reply.document["summary"]["resolved"] == 1
    assert "1 of 1 resolved" in render_text(reply.view)


def test_a_run_that_lacks_an_answer_says_so_in_its_status(app, tmp_path, capsys):
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "x.sql").write_text("SELECT 1")
    reply = _run(app, tmp_path / "run", str(tmp_path / "none"))
    assert reply.status == 4
    assert "1 could not be measured; the same line goes on" in capsys.readouterr().err


def test_reports_are_written_again_from_results(app, tmp_path, solutions):
    _run(app, tmp_path / "run", solutions)
    before = (tmp_path / "run" / "report.html").read_bytes()
    (tmp_path / "run" / "report.html").unlink()
    app.invoke(["eval", "--report-only", "--output", str(tmp_path / "run")])
    assert (tmp_path / "run" / "report.html").read_bytes() == before


@pytest.mark.slow
def test_two_runs_are_compared(app, tmp_path, solutions):
    _run(app, tmp_path / "with", solutions, "--functional")
    (Path(solutions) / "mask-emails.sql").write_text("CREATE ROLE R;")
    _run(app, tmp_path / "without", solutions, "--functional")
    reply = app.invoke(["eval", "--compare", str(tmp_path / "without"), str(tmp_path / "with")])
    assert reply.document["gained"] == ["mask-emails"]
    assert reply.document["difference"] == pytest.approx(0.7, abs=0.11)


@pytest.mark.slow
def test_the_self_check_shows_the_gates_table(app):
    reply = app.invoke(["eval", "--self-check", "--tasks", str(TASKS), "--workers", "1"])
    assert reply.status == 0
    (row,) = reply.document
    assert (row["task"], row["gate"]) == ("mask-emails", "green")


@pytest.mark.slow
def test_the_self_check_fails_where_a_task_does_not_measure(app, tmp_path):
    place = shutil.copytree(TASKS, tmp_path / "mask-emails")
    shutil.copy(place / "gold.sql", place / "noop.sql")
    reply = app.invoke(["eval", "--self-check", "--tasks", str(place), "--workers", "1"])
    assert (reply.status, reply.document[0]["gate"]) == (4, "RED")


def test_the_library_is_measured_without_a_model(app, tmp_path):
    intents = tmp_path / "intents.jsonl"
    intents.write_text(
        json.dumps(
            {
                "id": "one",
                "intent": "secure my data",
                "mode": "playbook",
                "domains": ["data-security"],
                "targets": ["playbooks/secure-sensitive-data"],
            }
        )
    )
    words = ["eval", "--tasks", str(intents), "--output", str(tmp_path / "run"), "--workers", "1"]
    reply = app.invoke(words)
    assert reply.document["model"] == "library"
    assert reply.document["summary"]["resolved"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "gpt-4"], "--tasks is needed"),
        (["--tasks", str(TASKS)], "--model is needed"),
        (["--model", "x", "--tasks", "no-such"], "there are no tasks at 'no-such'"),
        (["--model", "x", "--tasks", str(TASKS)], "nobody is known to serve 'x'"),
        (["--model", "x", "--tasks", str(TASKS), "--resume"], "--resume needs"),
        (["--model", "gpt-4", "--tasks", str(TASKS), "--attempts", "0"], "--attempts 0"),
        (["--model", "x", "--tasks", str(TASKS), "--provider", "command"], "needs --command"),
        (["--model", "gpt-4", "--tasks", str(TASKS), "--backend", "org"], "needs an org"),
        (["--model", "gpt-4", "--tasks", str(TASKS), "--backend", "snowflake"], "--connection"),
        (["--model", "gpt-4", "--tasks", str(TASKS), "--only", "y"], "no valid task 'y'"),
        (["--report-only"], "--report-only needs"),
        (["--compare", "a", "b"], "holds no results"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_what_is_missing_is_said(app, words, said):
    with pytest.raises(UsageError, match=said):
        app.invoke(["eval", *words])


@pytest.mark.slow
def test_skills_tell_the_model_the_pages_of_its_task(app, tmp_path):
    seen = tmp_path / "seen"
    words = ["eval", "--model", "m", "--tasks", str(TASKS), "--workers", "1", "--provider"]
    command = f"sh -c 'cat > {seen}; echo CREATE ROLE R'"
    for name, more in (("off", []), ("on", ["--skills"])):
        reply = app.invoke(
            [*words, "command", "--command", command, "--output", str(tmp_path / name), *more]
        )
        assert reply.document["skills"] is (name == "on")
        (tmp_path / f"told-{name}").write_text(seen.read_text())
    off, on = ((tmp_path / f"told-{name}").read_text() for name in ("off", "on"))
    assert "Use what these pages say" in on
    assert "Use what these pages say" not in off


@pytest.mark.slow
def test_skills_are_compared_on_and_off_in_one_line(app, tmp_path):
    answers = "if grep -q 'Use what these pages'; then cat {gold}; else echo 'CREATE ROLE R;'; fi"
    script = tmp_path / "answers.sh"
    script.write_text(answers.format(gold=TASKS / "gold.sql"))
    words = ["eval", "--model", "m", "--tasks", str(TASKS), "--workers", "1", "--functional"]
    words += ["--output", str(tmp_path / "run"), "--skills", "both"]
    reply = app.invoke([*words, "--provider", "command", "--command", f"sh {script}"])
    assert (reply.status, reply.document["resolved"]) == (0, [0, 1])
    for name, is_told in (("without", False), ("with", True)):
        report = json.loads((tmp_path / "run" / name / "report.json").read_text())
        assert report["skills"] is is_told


@pytest.mark.slow
def test_the_tasks_own_answers_show_what_the_best_and_the_silent_score(app, tmp_path):
    scores = {}
    for provider in ("gold", "empty"):
        words = ["eval", "--tasks", str(TASKS), "--functional", "--workers", "1"]
        reply = app.invoke([*words, "--provider", provider, "--output", str(tmp_path / provider)])
        scores[provider] = (reply.document["model"], reply.document["summary"]["resolved"])
    assert scores == {"gold": ("gold", 1), "empty": ("empty", 0)}
