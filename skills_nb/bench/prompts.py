"""What a model is told: the task and what it starts from, never how it is measured.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

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
_PATCH = (
    "You are an experienced Salesforce developer. Answer with one unified diff in a ```diff "
    "block, made against the repository as shown, with paths that begin with a/ and b/. It is "
    "applied as it stands with `git apply`; nobody edits it. Do not change existing tests."
)
MOST_CHARACTERS = 120_000
"""How much of a repository is shown."""


def messages_for(
    task: Task, files: Mapping[str, str] | None = None, knowledge: str = ""
) -> list[dict[str, str]]:
    """Return the messages of a task.

    Args:
        task: what is asked.
        files: of a repository, by path: what it holds at the base commit.
        knowledge: pages of the skill library to answer with; empty: the model answers alone.
    """
    match task.body:
        case SnowflakeTask():
            system, told = _SQL, _snowflake(task.prompt, task.body)
        case RepositoryTask():
            system, told = _PATCH, _repository(task.prompt, files or {})
        case RoutingTask() | PlaybookTask():
            # Nobody is asked: the library itself answers.
            return []
        case _:
            assert_never(task.body)
    system = f"{system}\n\n{knowledge}" if knowledge else system
    return [{"role": "system", "content": system}, {"role": "user", "content": told}]


def _snowflake(prompt: str, body: SnowflakeTask) -> str:
    place = ".".join(part for part in (body.database, body.schema) if part)
    standing = f"The script runs as role {body.role}, warehouse {body.warehouse}"
    where = f", in {place}." if place else ", in no database."
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
