"""What an operator sees of a thread at work: spans of effects, and a line of JSON for each event.

Room: work. Both are off until a person sets them. Rules of this file: names, numbers and ids are
told; statements, values, comments and rows never are, so no secret can be among them; an operator's
tools that fail change nothing about the thread.
Source: OpenTelemetry's semantic conventions for database client spans.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal

from skills_nb.errors import UsageError
from skills_nb.model import events as ev
from skills_nb.model.effects import Effect
from skills_nb.model.state import ThreadState
from skills_nb.visible import visible_json

LOGGER = "skills_nb.threads"
_TOLD = ("step", "ordinal", "attempt", "kind", "role", "query_id", "row_count", "duration_s")
"""Fields of an event that hold no text of anybody's."""
_ALSO_TOLD = ("choice", "at", "severity", "playbook", "mode", "model", "joint", "confidence")

Heard = Callable[[ev.Event], None]
"""Hears each event that an effect amounts to."""


class Watcher:
    """Watches nothing; the others are this one with eyes."""

    def during(self, effect: Effect, state: ThreadState) -> AbstractContextManager[Heard]:
        """Watch an effect while it is done."""
        return _unheard()

    def appended(self, thread_id: str, events: Sequence[ev.Event]) -> None:
        """Hear of events that are on the thread now."""

    def close(self) -> None:
        """Send what is left and let go."""


@contextmanager
def _unheard() -> Iterator[Heard]:
    yield lambda event: None


class OperatorsWatcher(Watcher):
    """Tells a log and a tracer."""

    def __init__(self, log: Path | None, tracer: Any | None, ends: Callable[[], None]) -> None:
        """Tell where asked to.

        Args:
            log: a file that lines are added to; None: no log.
            tracer: OpenTelemetry's tracer; None: no spans.
            ends: flushes the spans.
        """
        self._tracer, self._ends = tracer, ends
        self._handler = _handler(log) if log is not None else None

    def during(self, effect: Effect, state: ThreadState) -> AbstractContextManager[Heard]:
        """Open a span for an effect."""
        return _unheard() if self._tracer is None else self._spanned(effect, state)

    @contextmanager
    def _spanned(self, effect: Effect, state: ThreadState) -> Iterator[Heard]:
        assert self._tracer is not None, "only called with one"
        name = type(effect).__name__
        told = {"skills.effect": name, "skills.thread": state.thread_id, "skills.seq": state.seq}
        if state.run is not None:
            told["skills.playbook"] = state.run.playbook
        with self._tracer.start_as_current_span(f"skills {name}", attributes=told) as span:
            yield lambda event: _note(span, event)

    def appended(self, thread_id: str, events: Sequence[ev.Event]) -> None:
        """Write a line for each event."""
        if self._handler is None:
            return
        for event in events:
            line = visible_json({"thread": thread_id, **facts_of(event)}, indent=None)
            level = logging.WARNING if _is_trouble(event) else logging.INFO
            record = logging.LogRecord(LOGGER, level, "", 0, line, None, None)
            self._handler.handle(record)

    def close(self) -> None:
        """Send what is left and close the log."""
        self._ends()
        if self._handler is not None:
            self._handler.close()


def facts_of(event: ev.Event) -> Mapping[str, Any]:
    """Return what an operator may know of an event: no text of anybody's."""
    told: dict[str, Any] = {
        "at": event.timestamp,
        "seq": event.seq,
        "event": event.type,
        "actor": event.actor,
    }
    for name in (*_TOLD, *_ALSO_TOLD):
        value = getattr(event, name, None)
        if value is not None and value != "":
            told.setdefault(f"pause_{name}" if name == "at" else name, value)
    error = getattr(event, "error", None)
    if isinstance(error, ev.StatementError):
        told["errno"], told["sqlstate"] = error.errno, error.sqlstate
    return told


def _is_trouble(event: ev.Event) -> bool:
    return isinstance(
        event, ev.StepFailed | ev.StatementFailed | ev.StatementLost | ev.ErrorEscalated
    )


def _note(span: Any, event: ev.Event) -> None:
    facts = {
        f"skills.{key}": value
        for key, value in facts_of(event).items()
        if isinstance(value, str | int | float | bool)
    }
    span.add_event(event.type, facts)
    if isinstance(event, ev.StatementStarted):
        span.set_attribute("db.system.name", "snowflake")
    if _is_trouble(event):
        from opentelemetry.trace import Status, StatusCode

        span.set_status(Status(StatusCode.ERROR, event.type))


def _handler(path: Path) -> logging.Handler:
    from logging.handlers import WatchedFileHandler

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        # Whoever rotates logs moves the file away: the handler looks at its name each time.
        return WatchedFileHandler(path, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"the log '{path}' cannot be written: {problem.strerror}") from problem


def watcher(log: str, traces: str) -> Watcher:
    """Return what watches as a person set it.

    Args:
        log: a file, or an empty text for no log.
        traces: `console` or `otlp`, or an empty text for no spans.

    Raises:
        UsageError: the log cannot be written, there is no such way for spans, or what they need is
            not installed.
    """
    if not log and not traces:
        return Watcher()
    tracer, ends = _tracer(traces) if traces else (None, lambda: None)
    return OperatorsWatcher(Path(log).expanduser() if log else None, tracer, ends)


def _tracer(traces: str) -> tuple[Any, Callable[[], None]]:
    if traces not in ("console", "otlp"):
        raise UsageError(f"unknown way for spans '{traces}'", hint="traces: console, or otlp")
    kind: Literal["console", "otlp"] = "console" if traces == "console" else "otlp"
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        provider = TracerProvider(resource=Resource.create({"service.name": "skills-nb"}))
        provider.add_span_processor(BatchSpanProcessor(_exporter(kind)))
    except ModuleNotFoundError as problem:
        raise UsageError(
            f"the package '{problem.name}' is not installed", hint='pip install "skills-nb[otel]"'
        ) from problem
    return provider.get_tracer("skills_nb"), provider.shutdown


def _exporter(kind: Literal["console", "otlp"]) -> Any:
    if kind == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        return OTLPSpanExporter()

    from opentelemetry.sdk.trace.export import ConsoleSpanExporter

    # Standard output belongs to what the command prints.
    return ConsoleSpanExporter(out=sys.stderr)
