"""Requests that come again: a client whose answer was lost asks anew, under the same request id.

Room: embedded. The first one is answered, all others get its answer, also while it is being worked
on: so a cut line makes no statement run twice. Source: the connector sends `requestId` unchanged
with every retry.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future

from skills_nb.embedded.wire.answers import Document

MOST = 32
"""How many answers are kept; a retry comes within seconds."""


class Repeats:
    """The answers to the last requests, by session and request id."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._answers: OrderedDict[tuple[str, str], Future[Document]] = OrderedDict()
        self._lock = threading.Lock()

    def once(self, session: str, request_id: str, work: Callable[[], Document]) -> Document:
        """Return what `work` answers, which is done once for a request id.

        Raises:
            SqlError: as `work` raises it, to everybody who asks.
        """
        if not request_id:
            return work()
        with self._lock:
            known = self._answers.get((session, request_id))
            mine: Future[Document] = known or Future()
            self._answers[session, request_id] = mine
            self._forget_the_oldest()
        if known is None:
            try:
                mine.set_result(work())
            except BaseException as problem:
                mine.set_exception(problem)
                raise
        return mine.result()

    def _forget_the_oldest(self) -> None:
        """Keep the latest answers, and all that are being worked on: those would be done twice."""
        done = [key for key, answer in self._answers.items() if answer.done()]
        for key in done[: max(0, len(self._answers) - MOST)]:
            del self._answers[key]
