"""What a generator is asked for an attempt, and what preflight learns by asking once.

Room: work (bench).
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from skills_nb.bench.models.answers import Contacted, EarlierTurn, FirstContact
from skills_nb.bench.models.generators import FREE
from skills_nb.bench.pipeline.cost_estimate import Estimate, Question, estimate
from skills_nb.bench.pipeline.options import Attempt, Options
from skills_nb.bench.prompts import messages_for
from skills_nb.bench.tasks.scripted_turns import scripted_turns
from skills_nb.bench.tasks.task_values import RepositoryTask, SnowflakeTask
from skills_nb.errors import SkillsError

Messages = list[dict[str, str]]
_USUALLY_SHOWN = 1_500
"""Characters that a turn's statements answer, as far as anybody can say beforehand."""


def is_asked(options: Options) -> bool:
    """Return whether the generator costs something."""
    return options.generator.provider not in FREE


def messages_of(item: Attempt, options: Options, earlier: Sequence[EarlierTurn] = ()) -> Messages:
    """Return what is asked for an attempt, after the turns that it had.

    Raises:
        SkillsError: the task's repository cannot be shown.
    """
    return messages_for(item.task, _files(item, options), options.knowledge(item.task), earlier)


def _files(item: Attempt, options: Options) -> dict[str, str]:
    """Return what a repository holds; a replay is not shown it."""
    if not isinstance(item.task.body, RepositoryTask) or not is_asked(options):
        return {}
    from skills_nb.bench.salesforce.checkout import files_of

    return files_of(item.task.body, options.setting)


def question_of(item: Attempt, messages: Messages) -> Question:
    """Return how much is asked, and how long a right answer is."""
    return Question(_length(messages), _right_length(item))


def questions_of(item: Attempt, messages: Messages) -> list[Question]:
    """Return all that will be asked for an attempt: each turn is told what came before it.

    A model is taken to need as many turns as the task's own answer and one to look at its end.
    """
    body = item.task.body
    own = len(scripted_turns(body.gold)) if isinstance(body, SnowflakeTask) else 1
    turns = min(item.task.turns, own + 1)
    answer = _right_length(item) // own
    return [
        Question(_length(messages) + number * (answer + _USUALLY_SHOWN), answer)
        for number in range(turns)
    ]


def _right_length(item: Attempt) -> int:
    body = item.task.body
    return len(body.gold) if isinstance(body, (RepositoryTask, SnowflakeTask)) else 0


def foretold(
    items: Sequence[Attempt], options: Options
) -> tuple[FirstContact | None, Estimate | None]:
    """Ask for one token, and return what that shows and what all of it will take.

    Nobody is asked where there is nothing to ask or where asking is free.
    """
    if not items or not is_asked(options):
        return None, None
    listed = {item.task.id: item for item in items}
    asked: dict[str, Messages] = {}
    for name, item in listed.items():
        try:
            asked[name] = messages_of(item, options)
        except (SkillsError, OSError, subprocess.SubprocessError):
            # Said where it is asked; the others are counted.
            continue
    # The one token is asked for with a prompt of the run, so that its length tells something.
    middle = sorted(asked.values(), key=_length)
    sample = middle[len(middle) // 2] if middle else [{"role": "user", "content": "Say yes."}]
    contact = None
    if isinstance(options.generator, Contacted):
        contact = options.generator.first_contact(sample)
    questions = [
        question
        for item in items
        if item.task.id in asked
        for question in questions_of(item, asked[item.task.id])
    ]
    if not questions:
        return contact, None
    return contact, estimate(questions, _length(sample), contact, options.prices)


def _length(messages: Messages) -> int:
    return sum(len(message["content"]) for message in messages)
