"""The generators: a chat endpoint, Cortex, a command, a replay, the tasks themselves, and a cache.

Room: work (bench).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Literal

from skills_nb.bench.code_fences import DONE
from skills_nb.bench.journal import write_whole
from skills_nb.bench.models.answers import Answer, Contacted, FirstContact, Generator
from skills_nb.bench.schemas import digest
from skills_nb.bench.tasks.scripted_turns import scripted_turns
from skills_nb.bench.tasks.task_values import RepositoryTask, SnowflakeTask, Task
from skills_nb.errors import UsageError
from skills_nb.llm import Answered, ModelError
from skills_nb.llm.chat import ChatClient
from skills_nb.llm.cortex import MOST_TOKENS, CortexClient
from skills_nb.llm.providers import name_for, needs_key

Messages = list[dict[str, str]]


def _taken(said: Answered) -> Answer:
    return Answer(said.text, said.ending, said.usage, said.model)


RAISED = 4
"""How many times the first limit an answer may have that ran into it, where nobody says."""


def _untruncated(
    client: ChatClient | CortexClient, messages: Messages, most_allowed: int | None = None
) -> Answer:
    """Return what a model says, asked again with a higher limit where its answer was cut.

    Everything that was asked is paid for, and counted.
    """
    made = _taken(client.ask(messages))
    sampling = client.sampling
    limit = sampling.max_tokens or made.usage.completion_tokens
    if limit is None:
        return made
    most = sampling.most_tokens or limit * RAISED
    most = most if most_allowed is None else min(most, most_allowed)
    while made.ending == "truncated" and limit < most:
        limit = min(limit * 2, most)
        longer = replace(client, sampling=replace(sampling, max_tokens=limit))
        try:
            again = _taken(longer.ask(messages))
        except ModelError:
            # The endpoint allows no longer answer: the cut one stands.
            return made
        made = replace(again, usage=made.usage + again.usage, asked=made.asked + 1)
    return made


@dataclass(frozen=True, slots=True)
class ChatGenerator:
    """Asks an endpoint that speaks OpenAI's chat form. Implements `Generator`."""

    client: ChatClient

    @property
    def provider(self) -> str:
        """Return the endpoint's name."""
        return self.client.provider.name

    def check(self) -> tuple[str, str]:
        """Look for the key and for the model in the endpoint's list, without asking it anything."""
        provider = self.client.provider
        if needs_key(provider) and not provider.key:
            return "no API key", f"{provider.key_variable} is not set"
        try:
            listed = self.client.models()
        except ModelError as problem:
            # Some endpoints list nothing; the first question will tell.
            return f"the endpoint lists no models: {problem.message}", ""
        wanted = name_for(provider, self.client.model)
        if listed and not any(name.removeprefix("models/") == wanted for name in listed):
            return f"{len(listed)} models listed", f"'{wanted}' is not among them"
        return f"'{wanted}' at {provider.address}", ""

    def answer(self, task: Task, messages: Messages, attempt: int) -> Answer:
        """Return what the model says."""
        return _untruncated(self.client, messages)

    def first_contact(self, messages: Messages) -> FirstContact:
        """Ask for one token."""
        short = replace(self.client.sampling, max_tokens=1)
        client = replace(self.client, sampling=short, tries=_FIRST_TRIES)
        try:
            said = client.ask(messages)
        except ModelError as problem:
            if not _REACHED.search(problem.message):
                return FirstContact(problem.message, problem.hint or "")
            said = Answered("")
        return FirstContact("", "", said.usage.prompt_tokens, _listed_prices(client))


_FIRST_TRIES = 2
_REACHED = re.compile(r"output limit was reached|could not finish the message", re.IGNORECASE)
"""What models that think say where one token is too few: they can be asked."""


def _listed_prices(client: ChatClient) -> tuple[float, float] | None:
    try:
        return client.prices()
    except (ModelError, ValueError, AttributeError):
        # It answers questions; that it lists nothing is not in the way.
        return None


@dataclass(frozen=True, slots=True)
class CortexGenerator:
    """Asks a model through the session. Implements `Generator`."""

    client: CortexClient
    """Sends the question through a session."""
    provider: str = "cortex"
    """As the report names it."""

    def check(self) -> tuple[str, str]:
        """Say that the session is asked; whether it may shows with the first question."""
        return "AI_COMPLETE on the session", ""

    def answer(self, task: Task, messages: Messages, attempt: int) -> Answer:
        """Return what the model says."""
        return _untruncated(self.client, messages, MOST_TOKENS)

    def first_contact(self, messages: Messages) -> FirstContact:
        """Ask for one token."""
        short = replace(self.client.sampling, max_tokens=1)
        try:
            said = replace(self.client, sampling=short).ask(messages)
        except ModelError as problem:
            return FirstContact(problem.message, problem.hint or "")
        return FirstContact("", "", said.usage.prompt_tokens)


@dataclass(frozen=True, slots=True)
class CommandGenerator:
    """Runs a command: the prompt on its standard input, the answer on its output."""

    words: tuple[str, ...]
    """The command by its argument vector; no shell reads it."""
    timeout_s: float = 600.0
    """Seconds for one answer."""
    provider: str = "command"
    """As the report names it."""

    def check(self) -> tuple[str, str]:
        """Look for the program."""
        found = shutil.which(self.words[0]) if self.words else None
        return " ".join(self.words), "" if found else f"there is no program '{self.words[:1]}'"

    def answer(self, task: Task, messages: Messages, attempt: int) -> Answer:
        """Return what the command prints.

        Raises:
            ModelError: the command cannot be run, takes too long or ends with another status than
                0.
        """
        prompt = "\n\n".join(map(_for_reading, messages))
        try:
            ran = subprocess.run(
                self.words, input=prompt.encode(), capture_output=True, timeout=self.timeout_s
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise ModelError(f"{self.words[0]}: {problem}") from problem
        if ran.returncode:
            said = ran.stderr.decode(errors="replace").strip().split("\n")[-1]
            raise ModelError(f"{self.words[0]} ended with {ran.returncode}: {said[:200]}")
        return Answer(ran.stdout.decode(errors="replace"), source=self.words[0])


def _for_reading(message: Mapping[str, str]) -> str:
    """Return a message as text; in a conversation of several turns it is said who spoke."""
    said = message["content"]
    return f"You answered:\n\n{said}" if message["role"] == "assistant" else said


# ---- replay

_ENDINGS = (".patch", ".diff", ".sql", ".txt", ".md")
PREDICTIONS = "predictions.jsonl"


@dataclass(frozen=True)
class ReplayGenerator:
    """Gives what was answered before: a folder of solutions, or a `predictions.jsonl`."""

    place: Path
    """The folder, or the file itself."""
    provider: str = "replay"
    """As the report names it."""

    def check(self) -> tuple[str, str]:
        """Count what is there."""
        if not self.place.exists():
            return str(self.place), "there is nothing there"
        if self._predicted:
            return f"{len(self._predicted)} predictions in {self.place.name}", ""
        count = sum(1 for path in self.place.rglob("*") if path.suffix in _ENDINGS)
        return f"{count} solutions in {self.place.name}", "" if count else "it holds no solution"

    def answer(self, task: Task, messages: Messages, attempt: int) -> Answer:
        """Return the task's solution; a further attempt without its own takes the first's.

        Of a solution of several turns it is the one that is asked for; whoever has said all of
        them is done.

        Raises:
            ModelError: there is no solution for the task.
        """
        for key in ((task.id, attempt), (task.id, 1)):
            if key in self._predicted:
                return _turn_asked_for(self._predicted[key], messages, PREDICTIONS)
            turns = self._kept_turns(*key) if task.turns > 1 else ()
            if turns:
                return _turn_asked_for(turns, messages, "turn.txt")
        path = next((p for p in self._candidates(task.id, attempt) if p.is_file()), None)
        if path is None:
            raise ModelError(
                f"no solution for '{task.id}' in {self.place.name}",
                hint=f"a file such as {task.id}.patch, or a line in {PREDICTIONS}",
            )
        text = path.read_text(encoding="utf-8")
        turns = scripted_turns(text) if task.turns > 1 else (text,)
        return _turn_asked_for(turns, messages, path.name)

    def _kept_turns(self, name: str, attempt: int) -> tuple[str, ...]:
        """Return the turns of an attempt as a run keeps them, a file each."""
        folder = self.place / name / str(attempt)
        paths = (folder / f"turn-{number}.txt" for number in count(1))
        kept = takewhile(Path.is_file, paths)
        return tuple(path.read_text(encoding="utf-8") for path in kept)

    def _candidates(self, name: str, attempt: int) -> Iterator[Path]:
        for ending in _ENDINGS:
            yield self.place / name / str(attempt) / f"answer{ending}"
            yield self.place / name / f"{attempt}{ending}"
        for ending in _ENDINGS:
            yield self.place / f"{name}{ending}"
            yield self.place / name / f"answer{ending}"
            yield self.place / name / "1" / f"answer{ending}"
            yield self.place / name / f"solution{ending}"

    @cached_property
    def _predicted(self) -> Mapping[tuple[str, int], tuple[str, ...]]:
        path = self.place / PREDICTIONS if self.place.is_dir() else self.place
        if not path.is_file():
            return {}
        found: dict[tuple[str, int], tuple[str, ...]] = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                name, turns, attempt = _prediction(line, f"{path.name}:{number}")
                found[name, attempt] = turns
        return found


def _prediction(line: str, place: str) -> tuple[str, tuple[str, ...], int]:
    try:
        document: Mapping[str, Any] = json.loads(line)
        name, text = str(document["instance_id"]), document["model_patch"]
        turns = tuple(map(str, document.get("turns") or [text or ""]))
    except (ValueError, KeyError, TypeError) as problem:
        raise UsageError(f"{place} is not a prediction: {problem!r}") from problem
    return name, turns, int(document.get("attempt") or 1)


def _turn_asked_for(turns: Sequence[str], messages: Messages, source: str) -> Answer:
    """Return the turn of a script that a conversation has come to."""
    said = sum(message["role"] == "assistant" for message in messages)
    return Answer(turns[said] if said < len(turns) else DONE, source=source)


# ---- the tasks' own answers


@dataclass(frozen=True, slots=True)
class OwnAnswers:
    """Answers each task with its own gold, or with nothing: what the best and the silent score.

    It measures the tasks and their backend, and no model.
    """

    provider: Literal["gold", "empty"]

    def check(self) -> tuple[str, str]:
        """Say that no model is measured."""
        return "the tasks' own answers; this measures no model", ""

    def answer(self, task: Task, messages: Messages, attempt: int) -> Answer:
        """Return the task's gold, or nothing.

        Raises:
            ModelError: gold is asked of a task that brings none.
        """
        if self.provider == "empty":
            return Answer("", source="empty")
        gold = task.body.gold if isinstance(task.body, (RepositoryTask, SnowflakeTask)) else ""
        if not gold:
            raise ModelError(f"'{task.id}' brings no gold")
        turns = scripted_turns(gold) if task.turns > 1 else (gold,)
        return _turn_asked_for(turns, messages, "gold")


FREE = frozenset({"replay", "gold", "empty"})
"""Providers that ask nobody."""


# ---- cache


@dataclass(frozen=True, slots=True)
class CachedGenerator:
    """Keeps answers by what was asked, so that the same question is paid for once."""

    inner: Generator
    """Who is asked where nothing is kept."""
    model: str
    """Part of what an answer is kept under."""
    folder: Path
    """Where answers are kept, one file each."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """How it is to answer; part of what an answer is kept under."""

    @property
    def provider(self) -> str:
        """Return who is asked."""
        return self.inner.provider

    def check(self) -> tuple[str, str]:
        """Return what the generator behind says."""
        return self.inner.check()

    def first_contact(self, messages: Messages) -> FirstContact:
        """Ask the generator behind, where it can be asked."""
        if isinstance(self.inner, Contacted):
            return self.inner.first_contact(messages)
        return FirstContact()

    def answer(self, task: Task, messages: Messages, attempt: int) -> Answer:
        """Return the kept answer, or ask and keep."""
        told = [self.provider, self.model, messages, attempt]
        told += [dict(self.sampling)] if self.sampling else []
        asked = digest(told).removeprefix("sha256:")
        path = self.folder / f"{asked}.json"
        if path.is_file():
            return Answer.of(json.loads(path.read_text(encoding="utf-8")))
        made = self.inner.answer(task, messages, attempt)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(made.document(), ensure_ascii=False).encode())
        return made
