"""The record of a run: its journal read as a state, and the files that are derived from it.

Room: work (bench). `checkpoint.json` and everything else in the directory can be made again from
the journal; where they disagree with it the run is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skills_nb.bench.journal import JOURNAL, Journal, write_whole
from skills_nb.bench.models.answers import Answer, EarlierTurn
from skills_nb.bench.pipeline.instances import broken_instance_card
from skills_nb.bench.pipeline.options import Attempt, Options
from skills_nb.bench.reports.results import result_document
from skills_nb.bench.schemas import Metadata, Savepoint, savepoint_of, seal
from skills_nb.bench.scoring import Scorecard, card_of
from skills_nb.errors import UsageError

SAVEPOINT, MANIFEST = "checkpoint.json", "manifest.json"
Key = tuple[str, int]


def holds_a_run(folder: Path) -> bool:
    """Return whether a directory is about a run already."""
    return any((folder / name).exists() for name in (JOURNAL, SAVEPOINT))


class Record:
    """What a run directory knows."""

    def __init__(self, options: Options) -> None:
        """Open the directory, hold it, and compare what it is about with what is asked.

        Raises:
            UsageError: somebody else holds it, it was changed, or it is about something else.
        """
        self.options = options
        self.folder = options.output
        has_journal = (self.folder / JOURNAL).exists()
        has_savepoint = (self.folder / SAVEPOINT).exists()
        if options.is_resume_required and not has_journal and not has_savepoint:
            raise UsageError(f"there is no run to resume in {self.folder}")
        self.journal = Journal(self.folder)
        try:
            self._begin()
            self.answers, self.shown, self.cards, self.troubles = _read(self.journal)
            self.validity: dict[str, str] = {
                e["task"]: e["trouble"] for e in self.journal.entries if e["kind"] == "validated"
            }
            """Why each task is not valid on this backend, empty where it is; by task."""
            adopted = self.journal.entries[0]["adopted"]
            self.seconds: dict[Key, float | None] = {
                (e["task"], e["attempt"]): e.get("seconds")
                for e in [*adopted, *self.journal.entries]
                if "card" in e
            }
            """How long measuring took, by task and attempt."""
            self._agree_with_savepoint()
        except BaseException:
            self.journal.close()
            raise

    def items(self) -> tuple[Attempt, ...]:
        """Return all attempts at tasks that are valid here, task by task."""
        return tuple(i for i in self.options.items() if not self.validity.get(i.task.id))

    # ---- beginning, or going on

    def _begin(self) -> None:
        wanted = self.options.identity()
        if self.journal.entries:
            begun = self.journal.entries[0]
            require_same(begun["identity"], wanted, self.folder)
            self.evaluation_id: str = begun["evaluation_id"]
            self.began: str = begun["at"]
            return
        self.evaluation_id, self.began = self.options.evaluation_id, self.options.clock.now()
        earlier = self._earlier()
        if earlier is not None:
            self.evaluation_id = earlier.evaluation_id
        # In one entry, so that a run killed here has taken over all or nothing.
        self.journal.append(
            "begun",
            evaluation_id=self.evaluation_id,
            at=self.began,
            identity=wanted,
            adopted=self._adopted(earlier) if earlier is not None else [],
        )

    def _earlier(self) -> Savepoint | None:
        """Return a savepoint that has come without its journal, checked against what is asked."""
        path = self.folder / SAVEPOINT
        if not path.exists():
            return None
        found = savepoint_of(path.read_text(encoding="utf-8"), SAVEPOINT)
        said = found.metadata.model_dump(exclude={"timestamp"})
        require_same(said, self.options.identity(), self.folder)
        return found

    def _adopted(self, earlier: Savepoint) -> list[dict[str, Any]]:
        """Return the results that a savepoint holds in full."""
        items = {item.name: item for item in self.options.items()}
        found = []
        for name in earlier.completed_tasks:
            result = earlier.results.get(name)
            if name not in items or result is None or result.components is None:
                continue
            task, attempt = items[name].key
            about = result.answer or Answer("", source=SAVEPOINT).document()
            answer = {"text": result.model_patch or "", **about}
            kept = {"answer": answer, "card": result.components, "seconds": result.seconds}
            found.append({"task": task, "attempt": attempt, **kept})
        return found

    def _agree_with_savepoint(self) -> None:
        path = self.folder / SAVEPOINT
        if not path.exists():
            return
        found = savepoint_of(path.read_text(encoding="utf-8"), SAVEPOINT)
        done = {item.name for item in self.items() if item.key in self.cards}
        unknown = set(found.completed_tasks) - done
        if unknown:
            raise UsageError(
                f"{SAVEPOINT} says that '{min(unknown)}' is done, and the journal does not",
                hint="the directory was put together by hand; choose another --output",
            )

    # ---- what happens

    def validated(self, task: str, trouble: str) -> None:
        """Keep whether a task is valid on this backend."""
        self.journal.append("validated", task=task, attempt=0, trouble=trouble)
        self.validity[task] = trouble

    def answered(self, item: Attempt, answer: Answer) -> None:
        """Keep the answer of one turn before anything is done with it: it is paid for."""
        name, attempt = item.key
        told = {"task": name, "attempt": attempt, "turn": self.turn(item)}
        self.journal.append("answered", **told, answer=answer.document())
        _add_turn(self.answers, self.shown, item.key, answer)

    def observed(self, item: Attempt, shown: str) -> None:
        """Keep what the next turn is told of the last one."""
        name, attempt = item.key
        told = {"task": name, "attempt": attempt, "turn": self.turn(item) - 1}
        self.journal.append("observed", **told, shown=shown)
        self.shown[item.key] = shown

    def turn(self, item: Attempt) -> int:
        """Return the number of the turn that comes next."""
        found = self.answers.get(item.key)
        return 1 if found is None else len(found.turns) + 1

    def is_answered(self, item: Attempt) -> bool:
        """Return whether no turn of an attempt is left to be asked for."""
        found = self.answers.get(item.key)
        return found is not None and found.is_over(item.task.turns)

    def earlier(self, item: Attempt) -> tuple[EarlierTurn, ...]:
        """Return the turns so far, with what was shown of each."""
        found = self.answers.get(item.key)
        if found is None:
            return ()
        return (*found.earlier, EarlierTurn(found.text, self.shown[item.key]))

    def measured(
        self, item: Attempt, card: Mapping[str, Any], seconds: float | None = None
    ) -> None:
        """Keep a card and how long it took, and move the savepoint."""
        name, attempt = item.key
        told = {"task": name, "attempt": attempt, "card": dict(card), "seconds": seconds}
        self.journal.append("measured", **told)
        self.seconds[item.key] = seconds
        self.cards[item.key] = card_of(card)
        self.troubles.pop(item.key, None)
        self.save()

    def troubled(self, item: Attempt, stage: str, reason: str) -> None:
        """Keep that something around an instance broke; it is not done."""
        name, attempt = item.key
        self.journal.append("troubled", task=name, attempt=attempt, stage=stage, reason=reason)
        self.troubles[item.key] = f"{stage}: {reason}"

    # ---- what is derived

    def card(self, item: Attempt) -> Scorecard:
        """Return an item's card; one that is not done is in error and stays in the denominator."""
        found = self.cards.get(item.key)
        return found or broken_instance_card(self.troubles.get(item.key, "not done yet"))

    def results(self) -> list[dict[str, Any]]:
        """Return every attempt's result, in the order of the tasks."""
        return [self._result(item) for item in self.items()]

    def about(self) -> dict[str, object]:
        """Return what a report says of a run beside what it is about."""
        named = {"evaluation_id": self.evaluation_id, "began": self.began}
        return {**named, **self.options.about()}

    def _result(self, item: Attempt) -> dict[str, Any]:
        return result_document(
            self.options.model,
            item.task,
            item.attempt,
            self.answers.get(item.key),
            self.card(item),
            self.seconds.get(item.key),
        )

    def save(self) -> None:
        """Write the savepoint."""
        done = [item for item in self.items() if item.key in self.cards]
        results = {item.name: self._result(item) for item in done}
        metadata = Metadata.model_validate({"timestamp": self.began, **self.options.identity()})
        document = {
            "evaluation_id": self.evaluation_id,
            "completed_tasks": [item.name for item in done],
            "results": results,
            "metadata": metadata.model_dump(),
        }
        write_whole(self.folder / SAVEPOINT, _pretty(seal(document)))

    def close(self) -> None:
        """Let others in."""
        self.journal.close()


def require_same(found: Mapping[str, Any], wanted: Mapping[str, Any], folder: Path) -> None:
    """Refuse to go on with a run about something else.

    Raises:
        UsageError: it is; the difference is said.
    """
    differences = [
        f"{name} is {found.get(name)!r}, asked for {value!r}"
        for name, value in wanted.items()
        if found.get(name) != value
    ]
    if differences:
        raise UsageError(
            f"the run in {folder} is about something else: {'; '.join(differences)}",
            hint="choose another --output",
        )


def _add_turn(answers: dict[Key, Answer], shown: dict[Key, str], key: Key, answer: Answer) -> None:
    """Put a turn behind those that were there, with what it was told of the last one."""
    before = answers.get(key)
    answers[key] = answer if before is None else before.followed_by(shown.pop(key), answer)


def _read(
    journal: Journal,
) -> tuple[dict[Key, Answer], dict[Key, str], dict[Key, Scorecard], dict[Key, str]]:
    answers: dict[Key, Answer] = {}
    shown: dict[Key, str] = {}
    cards: dict[Key, Scorecard] = {}
    troubles: dict[Key, str] = {}
    for entry in journal.entries:
        key = (entry.get("task", ""), entry.get("attempt", 0))
        match entry["kind"]:
            case "begun":
                for result in entry["adopted"]:
                    kept = (result["task"], result["attempt"])
                    answers[kept] = Answer.of(result["answer"])
                    cards[kept] = card_of(result["card"])
            case "answered":
                _add_turn(answers, shown, key, Answer.of(entry["answer"]))
            case "observed":
                shown[key] = entry["shown"]
            case "measured":
                cards[key] = card_of(entry["card"])
                troubles.pop(key, None)
            case "troubled":
                troubles[key] = f"{entry['stage']}: {entry['reason']}"
            case "validated":
                pass
            case other:
                raise UsageError(f"the journal holds '{other}', which this version does not know")
    return answers, shown, cards, troubles


def _pretty(document: Any) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
