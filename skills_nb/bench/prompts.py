"""What a model is told: the task and what it starts from, never how it is measured.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from skills_nb.bench.code_fences import DONE, without_thoughts
from skills_nb.bench.models.answers import EarlierTurn
from skills_nb.bench.snowflake.shown_results import LIMITS
from skills_nb.bench.tasks.task_values import (
    PlaybookTask,
    RepositoryTask,
    RoutingTask,
    SnowflakeTask,
    Task,
)

_SQL = (
    "You are an experienced Snowflake engineer. Answer with one SQL script in a ```sql block. "
    "It is run as it stands, statement by statement, on an account in the state described; "
    "nobody edits it. What the task does not ask for stays as it is."
)
_TURNS = (
    "You are an experienced Snowflake engineer, at work on an account in at most {turns} turns. In "
    "each, answer with one SQL script in a ```sql block. It is run as it stands, statement by "
    "statement, in one session that lasts for all turns; it stops at its first error, and what ran "
    "before stays. Then you are shown what each statement answered. {limits} Nobody describes the "
    "account to you: look before you change. When nothing is left to do, end your answer with the "
    "line {done}; the account is judged as it is then, or when the turns are spent, and the script "
    "of the last turn must run without an error. What the task does not ask for stays as it is."
)
_PATCH = (
    "You are an experienced Salesforce developer. Answer with one unified diff in a ```diff "
    "block, made against the repository as shown, with paths that begin with a/ and b/. It is "
    "applied as it stands with `git apply`; nobody edits it. Do not change existing tests."
)
MOST_CHARACTERS = 120_000
"""How much of a repository is shown."""


def messages_for(
    task: Task,
    files: Mapping[str, str] | None = None,
    knowledge: str = "",
    earlier: Sequence[EarlierTurn] = (),
) -> list[dict[str, str]]:
    """Return the messages of a task, up to the turn that is asked for.

    Args:
        task: what is asked.
        files: of a repository, by path: what it holds at the base commit.
        knowledge: pages of the skill library to answer with; empty: the model answers alone.
        earlier: the turns so far.
    """
    match task.body:
        case SnowflakeTask():
            system, told = _system(task.body), _snowflake(task.prompt, task.body)
        case RepositoryTask():
            system, told = _PATCH, _repository(task.prompt, files or {})
        case RoutingTask() | PlaybookTask():
            # Nobody is asked: the library itself answers.
            return []
        case _:
            assert_never(task.body)
    system = f"{system}\n\n{knowledge}" if knowledge else system
    begun = [{"role": "system", "content": system}, {"role": "user", "content": told}]
    return [*begun, *_conversation(earlier, task.turns)]


def _system(body: SnowflakeTask) -> str:
    if body.turns == 1:
        return _SQL
    return _TURNS.format(turns=body.turns, limits=LIMITS, done=DONE)


def _conversation(earlier: Sequence[EarlierTurn], turns: int) -> Iterator[dict[str, str]]:
    for number, turn in enumerate(earlier, 1):
        # What it thought is no part of what it said; some endpoints refuse an empty message.
        said = without_thoughts(turn.text).strip() or "(no answer)"
        left = turns - number
        last = "The next turn is the last." if left == 1 else f"{left} turns are left."
        yield {"role": "assistant", "content": said}
        yield {"role": "user", "content": f"{turn.shown}\n\nThat was turn {number}. {last}"}


def _snowflake(prompt: str, body: SnowflakeTask) -> str:
    place = ".".join(part for part in (body.database, body.schema) if part)
    standing = f"The script runs as role {body.role}, warehouse {body.warehouse}"
    where = f", in {place}." if place else ", in no database."
    if body.turns > 1:
        return f"{prompt.strip()}\n\n{standing}{where}"
    return (
        f"{prompt.strip()}\n\n{standing}{where}\n\n"
        f"The account was made by this script:\n\n```sql\n{body.setup.strip()}\n```"
    )


def _repository(prompt: str, files: Mapping[str, str]) -> str:
    parts = [prompt.strip(), "Files of the repository:\n" + "\n".join(sorted(files))]
    left = MOST_CHARACTERS
    # What the task speaks of comes first, so that it is there if not everything fits.
    for path in sorted(files, key=lambda p: (not _is_named(p, prompt), p)):
        text = files[path]
        if len(text) <= left:
            parts.append(f"--- {path}\n{text}")
            left -= len(text)
    return "\n\n".join(parts)


def _is_named(path: str, prompt: str) -> bool:
    stem = path.rsplit("/", 1)[-1].split(".", 1)[0]
    return len(stem) > 2 and stem in prompt
