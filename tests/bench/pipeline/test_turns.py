"""Tasks of several turns: the model sees what its statements answered, and may try again."""

import json
from dataclasses import replace

import pytest

from skills_nb.bench.code_fences import says_done, sql_of
from skills_nb.bench.journal import JOURNAL, read_journal
from skills_nb.bench.models import Answer
from skills_nb.bench.models.generators import OwnAnswers, ReplayGenerator
from skills_nb.bench.pipeline import evaluate
from skills_nb.bench.pipeline.questions import foretold
from skills_nb.bench.schemas import canonical
from skills_nb.bench.tasks.task_values import Mutant
from skills_nb.llm import ModelError, Usage
from tests.bench.pipeline.conftest import GOLD
from tests.bench.pipeline.runs import keys_of, reports

LOOK = (
    "I look first.\n```sql\nSHOW TABLES IN SCHEMA SHOP.SALES;\n"
    "SELECT * FROM SHOP.SALES.CLIENTS;\n```"
)
WORK = f"```sql\n{GOLD}\n```"
DONE = "All is hidden now.\n\nDONE"


class Talking:
    """Says the turns of a list; keeps what it was told before each. An exception is raised."""

    provider = "talking"

    def __init__(self, *turns):
        self.turns = turns
        self.told = []

    def check(self):
        return "a script", ""

    def answer(self, task, messages, attempt):
        number = sum(message["role"] == "assistant" for message in messages)
        self.told.append((number + 1, messages))
        found = self.turns[number]
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, Answer) else Answer(found, usage=Usage(100, 10, 0.01))


@pytest.fixture
def talk(options):
    """Run the room's own task with several turns; a test says who answers."""

    def run(generator, turns=4, **changes):
        tasks = options().tasks
        (task,) = tasks.tasks
        body = replace(task.body, turns=turns, **changes.pop("body", {}))
        several = replace(tasks, tasks=(replace(task, body=body),))
        return evaluate(options(generator=generator, tasks=several, **changes))

    return run


def test_a_model_sees_results_and_errors_and_tries_again(talk):
    model = Talking(LOOK, WORK, DONE)
    done = talk(model)
    (result,) = done.results
    assert (result["right"], result["turns"], result["answer"]["ending"]) == (True, 3, "complete")
    assert [number for number, _ in model.told] == [1, 2, 3]
    shown = model.told[1][1][-1]["content"]
    assert "[1] SHOW TABLES IN SCHEMA SHOP.SALES" in shown
    assert "CUSTOMERS" in shown
    assert "002003 (42S02): SQL compilation error:" in shown
    assert "Object 'SHOP.SALES.CLIENTS' does not exist or not authorized." in shown
    assert shown.endswith("That was turn 1. 3 turns are left.")
    assert model.told[2][1][-1]["content"].endswith("That was turn 2. 2 turns are left.")


def test_turns_tokens_and_statements_are_counted(talk):
    done = talk(Talking(LOOK, WORK, DONE))
    statements = 2 + GOLD.count(";")
    usage = done.report["usage"]
    assert (usage["turns"], usage["statements"], usage["asked_again"]) == (3, statements, 0)
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (300, 30)
    assert usage["cost_usd"] == pytest.approx(0.03)
    assert f"3 turns, {statements} statements sent to accounts." in done.summary
    page = (done.folder / "report.html").read_text()
    assert f"<dd>3, with {statements} statements sent</dd>" in page
    assert "<h4>Shown after turn 1</h4>" in page


def test_who_has_several_turns_is_not_told_how_the_account_was_made(talk):
    model = Talking(WORK, DONE)
    talk(model)
    told = "\n".join(message["content"] for message in model.told[0][1])
    assert "at most 4 turns" in told
    assert "CREATE TABLE" not in told
    assert "ann@example.com" not in told


def test_a_thought_is_not_said_again_in_the_next_turn(talk):
    model = Talking(f"<think>secret</think>{WORK}", DONE)
    talk(model)
    assert "secret" not in json.dumps(model.told[1][1])


@pytest.mark.parametrize(
    ("turns", "asked"),
    [((WORK + "\nDONE",), 1), ((WORK, DONE), 2), ((LOOK, LOOK, LOOK, WORK), 4)],
    ids=["done at once", "done after a look", "turns spent"],
)
def test_a_conversation_ends_when_it_is_done_or_spent(talk, turns, asked):
    model = Talking(*turns)
    assert talk(model).results[0]["right"] is True
    assert len(model.told) == asked


def test_an_error_in_the_last_turn_is_not_made_good_any_more(talk):
    broken = WORK + "\n```sql\nSELECT * FROM SHOP.SALES.CLIENTS;\n```\nDONE"
    (result,) = talk(Talking(broken)).results
    assert result["components"]["deploy"]["state"] == "fail"
    assert result["right"] is False


def test_what_ran_before_an_error_stays(talk):
    policy, _, rest = GOLD.partition(";")
    first = f"```sql\n{policy};\nSELECT 1 FROM NO_SUCH;\nDROP DATABASE SHOP;\n```"
    assert talk(Talking(first, f"```sql\n{rest}\n```", DONE)).results[0]["right"] is True


def test_a_turn_that_was_cut_is_not_graded(talk):
    done = talk(Talking(LOOK, Answer("```sql\nCREATE", "truncated")))
    assert done.results[0]["components"]["deploy"]["state"] == "not_run"
    assert done.report["summary"]["truncated"] == 1


def test_collateral_damage_of_an_earlier_turn_is_found(talk):
    made = "```sql\nCREATE USER SOMEBODY;\n```"
    (result,) = talk(Talking(made, WORK, DONE)).results
    assert result["right"] is False
    assert "user SOMEBODY was created" in result["components"]["collateral"]["reason"]


def test_an_earlier_turn_is_contained_and_told_nothing_of_this_machine(talk, tmp_path):
    reaching = "```sql\nPUT file:///etc/passwd @~;\n```"
    model = Talking(reaching, WORK, DONE)
    (result,) = talk(model).results
    assert "PUT reaches for /etc/passwd" in result["components"]["containment"]["reason"]
    assert "skills-nb-scratch" not in json.dumps(model.told)
    assert "root:" not in json.dumps(model.told)


# ---- what the backend lacks


LACKING = "```sql\nSHOW WIDGETS;\n```"
"""A list that the embedded account does not know."""


def test_another_way_around_what_the_backend_lacks_counts(talk):
    assert talk(Talking(LACKING, WORK, DONE)).results[0]["right"] is True


def test_whoever_met_what_the_backend_lacks_has_not_failed(talk):
    (result,) = talk(Talking(LACKING, "```sql\nCREATE ROLE R;\n```", DONE)).results
    assert result["components"]["functional"]["state"] == "unsupported"
    assert "turn 1, line 1" in result["components"]["functional"]["reason"]


@pytest.mark.parametrize(
    "turns",
    [
        (LACKING, "```sql\nDROP TABLE SHOP.SALES.NONE_SUCH;\n```\nDONE"),
        ("```sql\nDROP TABLE SHOP.SALES.NONE_SUCH;\n```", LACKING, "```sql\nSELECT 1;\n```\nDONE"),
    ],
    ids=["and ended in an error", "after an error"],
)
def test_whoever_fails_by_themselves_is_not_excused_by_what_the_backend_lacks(talk, turns):
    (result,) = talk(Talking(*turns)).results
    assert result["components"]["deploy"]["state"] == "fail"
    assert result["right"] is False


def test_a_look_that_was_refused_is_no_failure_of_its_own(talk):
    look = "```sql\nSELECT * FROM SHOP.SALES.CLIENTS;\n```"
    (result,) = talk(Talking(look, LACKING, "```sql\nCREATE ROLE R;\n```", DONE)).results
    assert result["components"]["functional"]["state"] == "unsupported"


# ---- crash safety


def _cut(folder, kept):
    """Leave a journal with its first entries alone, as a run that was killed then leaves it."""
    path = folder / JOURNAL
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:kept]))
    (folder / "checkpoint.json").unlink(missing_ok=True)


@pytest.mark.slow
def test_a_run_killed_between_any_two_entries_asks_nothing_twice(talk, tmp_path):
    whole = talk(Talking(LOOK, WORK, DONE), output=tmp_path / "whole")
    kinds = [entry["kind"] for entry in read_journal(whole.folder)]
    assert kinds == [
        "begun", "validated", *["answered", "observed"] * 2, "answered", "measured",
    ]  # fmt: skip
    for kept in range(2, len(kinds)):
        folder = tmp_path / f"killed-{kept}"
        talk(Talking(LOOK, WORK, DONE), output=folder)
        _cut(folder, kept)
        model = Talking(LOOK, WORK, DONE)
        again = talk(model, output=folder)
        assert len(model.told) == 3 - kinds[:kept].count("answered")
        assert reports(again.folder) == reports(whole.folder)
        keys = keys_of(folder)
        assert len(keys) == len(set(keys))


def test_what_broke_between_turns_goes_on_where_it_was(talk):
    first = talk(Talking(LOOK, ModelError("429 slow down")))
    assert (first.left, first.results[0]["components"]["deploy"]["state"]) == (1, "error")
    model = Talking(ModelError("never"), WORK, DONE)
    assert talk(model).results[0]["right"] is True
    assert [number for number, _ in model.told] == [2, 3]


def test_a_turn_that_was_changed_on_disk_is_refused(talk):
    folder = talk(Talking(LOOK, WORK, DONE)).folder
    lines = (folder / JOURNAL).read_bytes().splitlines()
    entry = json.loads(lines[3])
    assert entry["entry"]["kind"] == "observed"
    entry["entry"]["shown"] = "nothing"
    lines[3] = canonical(entry)
    (folder / JOURNAL).write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(Exception, match="line 4 is not what was written"):
        talk(Talking(LOOK, WORK, DONE))


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["solutions", "predictions.jsonl"])
def test_a_replay_says_every_turn_again(talk, tmp_path, kept):
    turns = (LOOK, "-- turn 2\n" + WORK, DONE)
    first = talk(Talking(*turns), output=tmp_path / "first")
    again = talk(ReplayGenerator(first.folder / kept), output=tmp_path / "again")
    said = [
        [t["text"] for t in r["answer"]["earlier"]] for r in (first.results[0], again.results[0])
    ]
    assert said[0] == said[1] == list(turns[:2])
    assert again.results[0]["components"] == first.results[0]["components"]


def test_a_savepoint_without_its_journal_holds_all_turns(talk, tmp_path):
    first = talk(Talking(LOOK, WORK, DONE))
    (first.folder / JOURNAL).unlink()
    model = Talking()
    again = talk(model)
    assert (model.told, again.results) == ([], first.results)


def test_gold_may_have_several_turns(talk):
    gold = f"SHOW TABLES IN SCHEMA SHOP.SALES;\n-- turn 2\n{GOLD}"
    done = talk(OwnAnswers("gold"), body={"gold": gold, "mutants": (Mutant("m", "SELECT 1"),)})
    assert (done.results[0]["right"], done.results[0]["turns"]) == (True, 3)


def test_the_estimate_counts_the_turns_to_come(options):
    tasks = options().tasks
    (task,) = tasks.tasks
    asked = options(generator=Talking())
    one = foretold(asked.items(), asked)[1]
    body = replace(task.body, turns=5, gold=f"SELECT 1;\n-- turn 2\n{GOLD}")
    several = replace(tasks, tasks=(replace(task, body=body),))
    asked = options(generator=Talking(), tasks=several)
    more = foretold(asked.items(), asked)[1]
    assert (one.questions, more.questions) == (1, 3)
    assert more.prompt_tokens > 2 * one.prompt_tokens


# ---- the word


@pytest.mark.parametrize(
    ("text", "is_done", "script"),
    [
        ("DONE", True, ""),
        ("It works.\n\n**DONE**.\n", True, ""),
        ("```sql\nSELECT 1;\n```\nDONE", True, "SELECT 1;\n"),
        ("```sql\nSELECT 1;\nDONE\n```", False, "SELECT 1;\nDONE\n"),
        ("SELECT 'DONE'", False, "SELECT 'DONE'"),
        ("NOT DONE", False, "NOT DONE"),
        ("<think>\nDONE\n</think>SELECT 1", False, "SELECT 1"),
    ],
)
def test_the_last_line_says_whether_it_is_done(text, is_done, script):
    assert (says_done(text), sql_of(text)) == (is_done, script)
