"""When a thread is compacted, and how: archive first, then the event that refers to it.

Room: work. Spec: Thread Compaction > When compaction occurs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skills_nb.engine import compaction
from skills_nb.engine.decide import decide
from skills_nb.engine.ledger.after_images import missing_looks
from skills_nb.errors import ThreadError
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.state import ThreadState
from skills_nb.runtime.archive import Archive


class Compactor:
    """Watches the threads of one library and sums up what is finished."""

    def __init__(self, library: Library, archive: Archive, every: int = compaction.EVERY) -> None:
        """Keep what is needed.

        Args:
            library: what the threads run.
            archive: where stretches of threads are kept.
            every: after how many events a thread is compacted.
        """
        self._library = library
        self._archive = archive
        self._every = every
        self._summed: dict[str, int] = {}
        """Thread to the number of its last summary, or of the event where one was put off."""
        self._ended: dict[str, int] = {}
        """Thread to its last finished phase's number."""

    def note(self, thread_id: str, events: Iterable[ev.Event]) -> None:
        """Notice the summaries and phase ends among events that a thread has."""
        for event in events:
            if isinstance(event, ev.PhaseSummary):
                self._summed[thread_id] = event.seq
            elif isinstance(event, ev.PhaseCompleted):
                self._ended[thread_id] = event.seq

    def is_due(self, state: ThreadState) -> bool:
        """Return whether a phase has ended since the last summary, or many events have passed.

        Never between a statement and the looks behind it: they count only where nothing else came.
        """
        if state.open_statement is not None:
            return False
        last = self._summed.get(state.thread_id, 0)
        is_full = state.seq - last >= self._every
        return (self._ended.get(state.thread_id, 0) > last or is_full) and not missing_looks(state)

    def goes_on_alike(self, state: ThreadState, events: Sequence[ev.Event]) -> bool:
        """Tell whether what a summary would leave of a thread goes on as the whole does."""
        kept = compaction.events_to_keep(events, state.thread_id)
        left = compaction.fold_view(kept, state.thread_id)
        return decide(left, self._library) == decide(state, self._library)

    def summary_or_later(
        self, state: ThreadState, events: Sequence[ev.Event]
    ) -> ev.PhaseSummary | None:
        """Return what `summary` does of a thread that is due, or put it off where it may not be.

        In the middle of a step a thread may look at what only its whole history holds. It is due
        again behind the next phase, or after as many events.

        Raises:
            StoreError: the archive cannot be written; the thread is as it was.
        """
        if self.goes_on_alike(state, events):
            return self._archived(state, events)
        self._summed[state.thread_id] = state.seq
        return None

    def summary(self, state: ThreadState, events: Sequence[ev.Event]) -> ev.PhaseSummary:
        """Archive what no archive holds yet and return the event that refers to it.

        Raises:
            StoreError: the archive cannot be written; the thread is as it was.
            ThreadError: a statement's outcome is not known, or something would be lost.
        """
        if state.open_statement is not None:
            raise ThreadError(
                "a statement's outcome is not known yet",
                status=state.status,
                story=state.story,
                hint=f"resume {state.thread_id}",
            )
        if not self.goes_on_alike(state, events):
            raise ThreadError(
                "what would be left of this thread does not go on as the whole does",
                status=state.status,
                story=state.story,
                hint="nothing was changed; the thread can go on as it is",
            )
        return self._archived(state, events)

    def _archived(self, state: ThreadState, events: Sequence[ev.Event]) -> ev.PhaseSummary:
        draft = compaction.summary(state, events, self._library, "")
        kept = compaction.stretch(events)
        reference = self._archive.write(state.thread_id, draft.phase, kept)
        return draft.model_copy(update={"archive_reference": reference})
