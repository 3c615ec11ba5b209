"""Workers: processes of this machine by default, or any executor of `concurrent.futures`.

Room: work (bench). Workers only measure; the journal is written by the process that runs them,
and a worker whose runner has died ends itself.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

Done = tuple[Any, dict[str, Any] | BaseException]
"""An item and its card, or what came instead."""


class InProcess(Executor):
    """Does everything at once, here."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it, and return what came of it."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:  # noqa: BLE001 - handed to whoever asks the future
            future.set_exception(problem)
        return future


@contextmanager
def pool(workers: int, given: Executor | None) -> Iterator[Executor]:
    """Yield where to measure; one that was given stays open."""
    if given is not None:
        yield given
    elif workers <= 1:
        yield InProcess()
    else:
        # A fork would copy open accounts and held locks; a spawned process starts clean.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, context, _watch_runner) as made:
            yield made


def _watch_runner() -> None:
    """End this worker when its runner dies, however it dies."""
    runner = multiprocessing.parent_process()
    if runner is not None:
        threading.Thread(target=_end_with, args=(runner,), daemon=True).start()


def _end_with(runner: Any) -> None:
    runner.join()
    os._exit(1)


def each(
    items: Sequence[Any],
    submit: Callable[[Executor, Any], Future[dict[str, Any]]],
    workers: int,
    given: Executor | None,
) -> Iterator[Done]:
    """Yield items as they are done, whatever becomes of a worker.

    A worker that dies takes its pool along; what was not done then is done again, each in a pool
    of its own, so that the one that kills workers is found and harms nobody else.
    """
    left = list(items)
    try:
        with pool(workers, given) as executor:
            waiting = {submit(executor, item): item for item in items}
            for future in as_completed(waiting):
                found = _outcome(future)
                left.remove(waiting[future])
                yield waiting[future], found
    except BrokenProcessPool:
        for item in left:
            yield item, _alone(item, submit)


def _outcome(future: Future[dict[str, Any]]) -> dict[str, Any] | BaseException:
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as problem:  # noqa: BLE001 - becomes an infrastructure error of the item
        return problem


def _alone(
    item: Any, submit: Callable[[Executor, Any], Future[dict[str, Any]]]
) -> dict[str, Any] | BaseException:
    try:
        with pool(2, None) as executor:
            return submit(executor, item).result()
    except BrokenProcessPool as problem:
        return problem
