"""On a messy account each playbook ends well, or stops for a right reason and changes nothing.

Run again it changes nothing; aborted at any pause, cleanup returns the account as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.forks import in_a_fork
from tests.harm.fingerprint import DERIVED, Fingerprint, difference
from tests.harm.workplace import Workplace
from tests.library.messy.wishes import COMPLETED, WISHES, Wish

_ACCOUNT = (Path(__file__).parent / "account.sql").read_text()
_PAUSES = 60
_LONG = "validation of 1,500 columns"
_COMPLETED = [name for name, wish in WISHES.items() if wish.ends == COMPLETED and name != _LONG]
"""Wishes that are aborted at every pause; the long one has a short twin."""
_ASIDE = ("parameter CLASSIFIED_ON", "parameter CLASSIFICATION_RESULT", f": {DERIVED}")
"""What the account remembers of a look at it, and what follows from other things."""

NOT_YET_RIGHT: frozenset[str] = frozenset()
"""Wishes whose playbooks do not keep the promise yet; it stays empty."""


def _cases(names: Iterable[str], broken: frozenset[str]) -> list[ParameterSet]:
    wrong = pytest.mark.xfail(reason="the playbook is not right yet", strict=True)
    return [pytest.param(name, marks=[wrong] if name in broken else []) for name in names]


def changes(before: Fingerprint, after: Fingerprint) -> list[str]:
    """Return what separates two fingerprints, as far as somebody changed it."""
    return [line for line in difference(before, after) if not any(a in line for a in _ASIDE)]


class Mess(Workplace):
    """The messy account with a thread."""

    skipped: tuple[str, ...] = ()

    def ask(self, wish: Wish, thread: str) -> None:
        """Begin the playbook."""
        self.thread = thread
        self.skipped = ()
        told = [
            word for name, value in wish.inputs.items() for word in ("--input", f"{name}={value}")
        ]
        self.invoke("run", f"playbooks/{wish.playbook}", *told)

    def go_on(self) -> bool:
        """Take the proposal of the open pause; False where there is none to take."""
        pause = self.reply.pause if self.reply else None
        if pause is None:
            return False
        if pause.option("approve") is not None:
            self.answer()
        elif pause.kind == "error_escalated" and pause.option("skip") is not None:
            self.skipped += (pause.at,)
            self.answer("skip")
        else:
            return False
        return True

    def finish(self) -> None:
        """Take every proposal."""
        for _ in range(_PAUSES):
            if not self.go_on():
                return
        raise AssertionError("it did not end")

    def names_what_stays(self, line: str, wish: Wish) -> bool:
        """Tell whether a line is about what a wish leaves, and cleanup said that it stays."""
        told = [one.fqn for e in self.events("cleanup_executed") for one in e.left_alone]
        return any(place in told and f": {place}" in line for place in wish.stays)

    @property
    def ended(self) -> str:
        """How the thread stands: its status, or what is shown where it waits."""
        assert self.reply is not None
        pause = self.reply.pause
        return str(self.reply.document["status"]) if pause is None else pause.present


@contextmanager
def mess(wish: Wish, home: Path) -> Iterator[Mess]:
    work = Mess(home, wish.setup, _ACCOUNT, days_ago=wish.days_ago)
    try:
        for place, text in wish.files.items():
            stage, _, name = place.partition("/")
            file = home / Path(name).name
            file.write_text(text)
            inside = str(Path(name).parent).strip(".")
            work.run(f"PUT 'file://{file}' @{stage}/{inside} AUTO_COMPRESS = FALSE")
        work.begun = work.look()
        yield work
    finally:
        work.close()


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("name", _cases(WISHES, NOT_YET_RIGHT))
def test_it_ends_well_or_stops_before_it_changes_anything(name: str, tmp_path: Path) -> None:
    wish = WISHES[name]
    with mess(wish, tmp_path) as work:
        work.ask(wish, "first")
        work.finish()
        if wish.ends == COMPLETED:
            assert (work.ended, work.skipped) == (COMPLETED, wish.skipped)
            before = work.look()
            work.ask(wish, "second")
            work.finish()
            assert (work.ended, changes(before, work.look())) == (wish.again, [])
        else:
            assert wish.ends in work.ended
            assert changes(work.begun, work.look()) == []


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.posix("copies of a process")
@pytest.mark.parametrize("name", _COMPLETED)
def test_aborted_at_any_pause_it_leaves_the_account_as_it_was(name: str, tmp_path: Path) -> None:
    wish = WISHES[name]
    with mess(wish, tmp_path) as work:
        work.ask(wish, "first")
        for number in count():
            unnamed = in_a_fork(lambda: _left(work, wish), work.account.files.root(), tmp_path)
            assert unnamed == [], f"aborted after {number} pauses"
            if not work.go_on():
                break


def _left(work: Mess, wish: Wish) -> list[str]:
    """Abort the thread and return what it leaves and does not name."""
    work.clean()
    left = changes(work.begun, work.look())
    return [line for line in left if not work.names_what_stays(line, wish)]
