"""The rows of `threads`: a page at a time, each worked out once for a state of its thread.

Room: commands. What a row says follows from the thread's events, the library and this program, so
it is kept with all three; a list of thousands then reads no event and loads no engine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from skills_nb.errors import UsageError
from skills_nb.kept_texts import KeptTexts, key_of, stamp_of
from skills_nb.model.library import FOLDERS, ROOT_FILES
from skills_nb.views.threads.thread_list import THREADS_A_PAGE as PAGE

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.ports import ThreadHead

_MOST_KEPT = 2_000
_ROOMS = ("commands", "engine", "model", "reading", "runtime", "sql")


def page_of(heads: Sequence[ThreadHead], page: int) -> Sequence[ThreadHead]:
    """Return the threads of one page, counted from 1.

    Raises:
        UsageError: there is no such page.
    """
    pages = max(1, -(-len(heads) // PAGE))
    if not 1 <= page <= pages:
        raise UsageError(
            f"there is no page {page} of threads",
            hint=f"the last one is: threads --page {pages}" if page > pages else "threads --page 1",
        )
    return heads[(page - 1) * PAGE : page * PAGE]


class ThreadRows:
    """Rows in the shape of `threads --json`."""

    def __init__(self, app: AppContext) -> None:
        """Look nothing up yet."""
        self._app = app
        self._texts = KeptTexts(app.wiring.home / "cache", "threads")
        self._new: dict[str, tuple[int, dict[str, Any]]] = {}

    def of(self, head: ThreadHead) -> dict[str, Any]:
        """Return a thread's row.

        Raises:
            StoreError: the thread cannot be read.
        """
        seq, row = self._kept.get(head.thread_id, (0, {}))
        if seq == head.seq and row:
            return row
        made = self._made(head.thread_id)
        self._new[head.thread_id] = (head.seq, made)
        return made

    def keep(self) -> None:
        """Keep the rows that were worked out, for the next time."""
        if self._new:
            rows = {**self._new, **{k: v for k, v in self._kept.items() if k not in self._new}}
            self._texts.store(self._key, json.dumps(dict(list(rows.items())[:_MOST_KEPT])))

    def _made(self, thread_id: str) -> dict[str, Any]:
        from skills_nb.commands import documents

        conductor = self._app.wiring.conductor
        state = conductor.load(thread_id)
        return documents.thread_row(state, conductor.pause(state))

    @cached_property
    def _key(self) -> str:
        wiring = self._app.wiring
        folders = (wiring.library_folder, wiring.chosen.overlay)
        stamps = [
            f"{folder / part} {stamp_of(folder / part)}"
            for folder in folders
            if folder is not None
            for part in (*FOLDERS, *ROOT_FILES)
        ]
        return key_of(stamps, _ROOMS)

    @cached_property
    def _kept(self) -> dict[str, tuple[int, dict[str, Any]]]:
        try:
            held = json.loads(self._texts.load(self._key) or "{}")
            return {name: (int(seq), dict(row)) for name, (seq, row) in held.items()}
        except (ValueError, TypeError, AttributeError):
            return {}
