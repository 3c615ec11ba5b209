"""What operators are told of threads, and what they are never told."""

import json

import pytest

from skills_nb.errors import UsageError
from skills_nb.model.skills import InputSpec
from skills_nb.runtime.conductor import Conductor
from skills_nb.runtime.tracing import OperatorsWatcher, Watcher, watcher
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive
from tests.modes import has_mode

HUSH = "4111-1111-secret-words"
BOOK = playbook(
    step("1", "CREATE TAG T COMMENT = '4111-1111-secret-words'", checkpoint=checkpoint()),
    name="tag",
    inputs=(InputSpec("why"),),
)


def driven(watching):
    made = Drive(BOOK, why=HUSH)
    conductor = Conductor(made.library, made.conductor._ports, watcher=watching)
    conductor.start(made.goal, made.inputs, thread_id="t")
    conductor.advance("t")
    watching.close()
    return made


def test_a_line_of_json_stands_for_each_event_without_anybodys_text(tmp_path):
    log = tmp_path / "logs" / "threads.jsonl"
    made = driven(watcher(str(log), ""))
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["event"] for line in lines] == made.types
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    done = next(line for line in lines if line["event"] == "statement_completed")
    assert (done["thread"], done["query_id"]) == ("t", "q1")
    assert HUSH not in text
    assert has_mode(log, 0o600)


def test_each_effect_is_a_span_without_anybodys_text():
    sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="the extra `otel`")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept, provider = InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    driven(OperatorsWatcher(None, provider.get_tracer("t"), provider.shutdown))
    spans = kept.get_finished_spans()
    assert {"skills StartPlaybook", "skills RunStatement"} <= {span.name for span in spans}
    (ran,) = [span for span in spans if span.name == "skills RunStatement"]
    assert ran.attributes["skills.thread"] == "t"
    assert ran.attributes["db.system.name"] == "snowflake"
    assert [event.name for event in ran.events] == ["statement_started", "statement_completed"]
    assert not any(HUSH in span.to_json() for span in spans)


def test_nothing_is_told_until_somebody_asks():
    assert type(watcher("", "")) is Watcher


def test_an_unknown_way_for_spans_is_refused():
    with pytest.raises(UsageError, match="unknown way"):
        watcher("", "jaeger")


def test_a_log_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        watcher(str(tmp_path / "file" / "log"), "")
