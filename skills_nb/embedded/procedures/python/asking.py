"""Asking a worker: a handler is loaded when it is first needed, and what comes back is checked.

Room: embedded. Whatever a worker does wrong is an error of its routine, in Snowflake's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.confined.processes import NoProcessError, Worker
from skills_nb.embedded.confined.worker_pipes import BrokenPipeEndError, Patience, SilentError
from skills_nb.embedded.errors import python as refusals
from skills_nb.embedded.types.data_types import SfType
from skills_nb.errors import SqlError

Header = Mapping[str, Any]
_ENDED = "The handler's process ended: it may have used more memory or time than there is"


@dataclass(frozen=True, slots=True)
class Handler:
    """A routine's handler, as a worker knows it."""

    number: int
    """Stands for it in messages."""
    detail: RoutineDetail
    """What the routine declares."""


@contextmanager
def in_words(detail: RoutineDetail, limit_s: float) -> Iterator[None]:
    """Say what a worker did wrong in the routine's name.

    Raises:
        SqlError: it ended, kept silent too long, or said what no worker says (100357).
    """
    try:
        yield
    except SilentError:
        said = f"The handler took longer than {limit_s:g} seconds"
        raise refusals.handler_failed(detail.name, detail.handler, said) from None
    except (BrokenPipeEndError, NoProcessError):
        raise refusals.handler_failed(detail.name, detail.handler, _ENDED) from None


def load(worker: Worker, handler: Handler, patience: Patience) -> None:
    """Let a worker run the routine's code, once.

    Raises:
        SqlError: the code raises, or has no such handler (100357).
    """
    if handler.number in worker.loaded:
        return
    detail = handler.detail
    header = {
        "do": "load",
        "number": handler.number,
        "name": detail.name,
        "handler": detail.handler,
        "takes": [_kind(a.type) for a in detail.arguments],
        "returns": _kind(detail.returns) if detail.returns else None,
        "strict": detail.strict,
    }
    worker.pipe.send(header, detail.body.encode(), patience)
    heard(worker, detail, patience, "done")
    worker.loaded.add(handler.number)


def _kind(kind: SfType) -> tuple[str, int]:
    return kind.kind, kind.scale or 0


def heard(
    worker: Worker, detail: RoutineDetail, patience: Patience, *expected: str
) -> tuple[str, Any, bytes]:
    """Return what a worker says next, what it is about, and its content.

    Raises:
        SqlError: the handler raised (100357).
        BrokenPipeEndError: it says something else.
    """
    header, body = worker.pipe.receive(patience)
    said = header.get("said")
    if said == "failed":
        raise _failed(detail, header)
    if said not in expected:
        raise BrokenPipeEndError
    return str(said), header.get("about"), body


def _failed(detail: RoutineDetail, header: Header) -> SqlError:
    kind, text = header.get("kind"), header.get("text")
    if not (isinstance(kind, str) and isinstance(text, str)):
        raise BrokenPipeEndError
    said = (
        f"{kind}: {text}"
        if kind != "KeyError" or text != repr(detail.handler)
        else (f"Could not find the handler {detail.handler}")
    )
    return refusals.handler_failed(
        detail.name, detail.handler, said.encode(errors="replace").decode()
    )
