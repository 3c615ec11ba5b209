"""Where answers come from beside an endpoint: files, commands, a cache."""

import json
import sys

import pytest

from skills_nb.bench.models import Answer
from skills_nb.bench.models.generators import CachedGenerator, CommandGenerator, ReplayGenerator
from skills_nb.bench.prompts import messages_for
from skills_nb.errors import UsageError
from skills_nb.llm import ModelError, Usage

MESSAGES = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "do it"}]


@pytest.mark.parametrize(
    "name",
    [
        "mask-emails.patch",
        "mask-emails.sql",
        "mask-emails/answer.txt",
        "mask-emails/1/answer.txt",
        "mask-emails/solution.diff",
    ],
)
def test_a_solution_is_found_in_the_usual_places(tmp_path, mask_emails, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("the answer")
    assert ReplayGenerator(tmp_path).answer(mask_emails, [], 1).text == "the answer"


def test_predictions_are_found_by_attempt(tmp_path, mask_emails):
    lines = [
        {"instance_id": "mask-emails", "model_name_or_path": "m", "model_patch": "one"},
        {"instance_id": "mask-emails", "model_patch": "two", "attempt": 2},
        {"instance_id": "other", "model_patch": None},
    ]
    path = tmp_path / "predictions.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    for place in (tmp_path, path):
        replay = ReplayGenerator(place)
        assert [replay.answer(mask_emails, [], n).text for n in (1, 2, 3)] == ["one", "two", "one"]


def test_a_solution_that_is_not_there_is_no_answer(tmp_path, mask_emails):
    with pytest.raises(ModelError, match="no solution for 'mask-emails'"):
        ReplayGenerator(tmp_path).answer(mask_emails, [], 1)
    assert ReplayGenerator(tmp_path).check()[1] == "it holds no solution"
    assert ReplayGenerator(tmp_path / "no").check()[1] == "there is nothing there"


def test_a_line_that_is_no_prediction_is_refused(tmp_path, mask_emails):
    (tmp_path / "predictions.jsonl").write_text('{"instance_id": "x"}\n')
    with pytest.raises(UsageError, match=r"predictions\.jsonl:1 is not a prediction"):
        ReplayGenerator(tmp_path).answer(mask_emails, [], 1)


def _python(code):
    return CommandGenerator((sys.executable, "-c", code), timeout_s=20)


def test_a_command_reads_the_prompt_and_prints_the_answer(mask_emails):
    made = _python("import sys; print(sys.stdin.read().upper(), end='')")
    assert made.answer(mask_emails, MESSAGES, 1).text == "BE BRIEF\n\nDO IT"


def test_a_command_that_fails_is_no_answer(mask_emails):
    with pytest.raises(ModelError, match="ended with 3: no quota"):
        _python("import sys; sys.stderr.write('no quota'); sys.exit(3)").answer(
            mask_emails, MESSAGES, 1
        )
    assert "there is no program" in CommandGenerator(("no-such-program",)).check()[1]


class _Counting:
    provider = "counting"

    def __init__(self):
        self.asked = 0

    def check(self):
        return "", ""

    def answer(self, task, messages, attempt):
        self.asked += 1
        return Answer(f"answer {self.asked}", usage=Usage(1, 2, 0.5))


def test_the_same_question_is_asked_once(tmp_path, mask_emails):
    inner = _Counting()
    cached = CachedGenerator(inner, "m", tmp_path / "cache")
    first = cached.answer(mask_emails, MESSAGES, 1)
    again = CachedGenerator(inner, "m", tmp_path / "cache").answer(mask_emails, MESSAGES, 1)
    assert (first, inner.asked) == (again, 1)
    cached.answer(mask_emails, MESSAGES, 2)
    CachedGenerator(inner, "other", tmp_path / "cache").answer(mask_emails, MESSAGES, 1)
    assert inner.asked == 3


def test_a_prompt_tells_the_state_and_not_the_checks(mask_emails):
    system, user = messages_for(mask_emails, knowledge="A page.")
    assert system["content"].endswith("A page.")
    assert mask_emails.prompt.strip() in user["content"]
    assert "CREATE TABLE SHOP.SALES.CUSTOMERS" in user["content"]
    told = system["content"] + user["content"]
    for check in (*mask_emails.body.requirements, *mask_emails.body.checks):
        assert check.sql not in told
    assert mask_emails.body.gold not in told
