"""What every implementation of the `ThreadStore` port must do, as a class of tests.

An implementation's test module subclasses `ThreadStoreContract` and says how to open its store.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.errors import ConflictError, StoreError, ThreadError, UsageError
from skills_nb.model.events import (
    EVENT_TYPES,
    Event,
    InputGathered,
    StatementCompleted,
    StatementError,
    StatementFailed,
    StatementLost,
    StatementStarted,
    StatementSubmitted,
    ThreadStarted,
)
from skills_nb.ports import ThreadHead, ThreadStore

LAW = settings(
    max_examples=40,
    deadline=None,
    # Every implementation's subclass inherits the same law, and opens fresh stores inside it.
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.differing_executors,
        HealthCheck.too_slow,
    ],
)


def stamped(events: Iterable[Event], after: int = 0, at: str = "2026-02-22T10:00") -> list[Event]:
    """Give events their places, ids and times, as the conductor does."""
    return [
        event.stamped(seq=seq, event_id=f"{at}-{seq}", timestamp=f"{at}:00.{seq:06d}Z")
        for seq, event in enumerate(events, after + 1)
    ]


def noted(value: Any, name: str = "note") -> InputGathered:
    """Return an event that carries any JSON value."""
    return InputGathered(name=name, value=value)


def started(key: str) -> StatementStarted:
    """Return an intent."""
    return StatementStarted(step="1", ordinal=1, sql="SELECT 1", kind="once", effect_key=key)


def ended(key: str) -> StatementCompleted:
    """Return an outcome."""
    return StatementCompleted(query_id="01b", effect_key=key)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def _field_values(annotation: Any) -> st.SearchStrategy[Any]:
    if get_origin(annotation) is Annotated:
        return _field_values(get_args(annotation)[0])
    if annotation is Any:
        return JSON_VALUES
    if annotation is str:
        return TEXTS
    if annotation is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    if get_origin(annotation) is dict:
        return st.dictionaries(TEXTS, _field_values(get_args(annotation)[1]), max_size=3)
    if get_origin(annotation) is list:
        return st.lists(_field_values(get_args(annotation)[0]), max_size=3)
    if get_origin(annotation) is tuple:
        return st.lists(TEXTS, max_size=3).map(tuple)
    if len(get_args(annotation)) > 1:
        return st.one_of(*(_field_values(part) for part in get_args(annotation)))
    if hasattr(annotation, "model_fields"):
        return _documents(annotation).map(annotation.model_validate)
    return st.from_type(annotation)


def _documents(model: Any) -> st.SearchStrategy[dict[str, Any]]:
    fields = model.model_fields
    fixed = {"seq": st.just(0), "v": st.just(1), "effect_key": st.none()}
    return st.fixed_dictionaries(
        {
            field.alias or name: fixed.get(name, _field_values(field.annotation))
            for name, field in fields.items()
            if name != "type" or model.__name__ not in _EVENT_NAMES
        }
    )


_EVENT_NAMES = {model.__name__ for model in EVENT_TYPES.values()}

EVENTS: st.SearchStrategy[Event] = st.sampled_from(sorted(EVENT_TYPES)).flatmap(
    lambda kind: _documents(EVENT_TYPES[kind]).map(EVENT_TYPES[kind].model_validate)
)
"""Events of every type with arbitrary fields, not yet stamped."""


class ThreadStoreContract:
    """The conformance suite."""

    def open(self) -> ThreadStore:
        """Return a new, empty store."""
        raise NotImplementedError

    def another(self, store: ThreadStore) -> ThreadStore:
        """Return a second handle on the same threads, as another process would have."""
        raise NotImplementedError

    # --- append and load

    def test_what_was_appended_is_loaded(self):
        store = self.open()
        events = stamped([ThreadStarted(goal="protect"), noted({"a": [1, None, "x"]})])
        assert store.append("thr_1", 0, events) == 2
        assert store.load("thr_1") == tuple(events)

    @pytest.mark.slow
    @LAW
    @given(st.lists(EVENTS, min_size=1, max_size=4))
    def test_events_of_every_type_come_back_as_they_were(self, drawn):
        store = self.open()
        events = stamped(drawn)
        assert store.append("thr_1", 0, events) == len(events)
        assert store.load("thr_1") == tuple(events)
        store.close()

    def test_an_unknown_thread_is_empty(self):
        store = self.open()
        assert store.load("thr_none") == ()
        assert store.heads() == ()

    def test_loading_after_a_number_leaves_out_what_is_known(self):
        store = self.open()
        events = stamped([noted(n) for n in range(5)])
        store.append("thr_1", 0, events)
        assert [store.load("thr_1", after) for after in (0, 3, 5, 9)] == [
            tuple(events),
            tuple(events[3:]),
            (),
            (),
        ]

    def test_threads_are_apart(self):
        store = self.open()
        one, two = stamped([noted("one")]), stamped([noted("two"), noted("three")])
        store.append("thr_1", 0, one)
        store.append("thr_2", 0, two)
        assert (store.load("thr_1"), store.load("thr_2")) == (tuple(one), tuple(two))

    def test_a_large_body_comes_back_whole(self):
        store = self.open()
        large = noted(["é\x00𝄞'\"\\" * 4000])
        store.append("thr_1", 0, stamped([large, noted(1), large]))
        store.append("thr_2", 0, stamped([large]))
        assert store.load("thr_1") == tuple(stamped([large, noted(1), large]))
        assert store.load("thr_2") == tuple(stamped([large]))

    def test_a_value_without_a_json_form_is_refused(self):
        store = self.open()
        with pytest.raises(StoreError, match="event 2 of type 'input_gathered' has no JSON form"):
            store.append("thr_1", 0, stamped([noted(1), noted("\ud800")]))
        assert store.load("thr_1") == ()

    # --- compare and swap

    @pytest.mark.parametrize("expected", [0, 1, 3])
    def test_a_writer_that_has_not_read_the_head_is_refused(self, expected):
        store = self.open()
        events = stamped([noted(1), noted(2)])
        store.append("thr_1", 0, events)
        with pytest.raises(ConflictError, match=f"'thr_1' is at event 2, not {expected}"):
            store.append("thr_1", expected, stamped([noted("late")], expected))
        assert store.load("thr_1") == tuple(events)
        assert [head.seq for head in store.heads()] == [2]

    def test_numbers_that_do_not_continue_the_thread_are_refused(self):
        store = self.open()
        with pytest.raises(ThreadError, match="has number 3 where thread 'thr_1' needs 2") as said:
            store.append("thr_1", 0, [*stamped([noted(1)]), *stamped([noted(2)], 2)])
        assert said.value.event == "input_gathered"
        assert store.load("thr_1") == ()

    def test_appending_nothing_only_compares_the_head(self):
        store = self.open()
        assert store.append("thr_1", 0, []) == 0
        assert store.heads() == ()
        with pytest.raises(ConflictError):
            store.append("thr_1", 1, [])

    def test_another_handle_sees_an_append_and_conflicts_with_it(self):
        store = self.open()
        other = self.another(store)
        events = stamped([noted("first")])
        store.append("thr_1", 0, events)
        assert other.load("thr_1") == tuple(events)
        with pytest.raises(ConflictError):
            other.append("thr_1", 0, stamped([noted("second")]))
        assert other.append("thr_1", 1, stamped([noted("second")], 1)) == 2
        assert store.load("thr_1", 1) == tuple(stamped([noted("second")], 1))

    @pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "thr 1", "é", "x" * 129, "a\n"])
    def test_a_thread_id_that_could_not_name_a_file_is_refused(self, name):
        store = self.open()
        with pytest.raises(UsageError, match="is not a thread id"):
            store.append(name, 0, stamped([noted(1)]))
        with pytest.raises(UsageError, match="is not a thread id"), store.hold(name):
            pass

    # --- effect keys

    def test_a_statement_has_one_intent(self):
        store = self.open()
        store.append("thr_1", 0, stamped([started("thr_1:1")]))
        with pytest.raises(ConflictError, match="'thr_1:1' was already started or ended"):
            store.append("thr_1", 1, stamped([noted(1), started("thr_1:1")], 1))
        assert store.load("thr_1") == tuple(stamped([started("thr_1:1")]))

    @pytest.mark.parametrize(
        "second",
        [
            ended("thr_1:1"),
            StatementFailed(error=StatementError(text="no"), effect_key="thr_1:1"),
            StatementLost(effect_key="thr_1:1"),
        ],
        ids=lambda event: event.type,
    )
    def test_a_statement_has_one_outcome(self, second):
        store = self.open()
        story = stamped([started("thr_1:1"), ended("thr_1:1")])
        store.append("thr_1", 0, story)
        with pytest.raises(ConflictError):
            store.append("thr_1", 2, stamped([second], 2))
        assert store.load("thr_1") == tuple(story)

    def test_an_intent_belongs_to_one_thread(self):
        store = self.open()
        store.append("thr_1", 0, stamped([started("key")]))
        with pytest.raises(ConflictError):
            store.append("thr_2", 0, stamped([started("key")]))
        assert [head.thread_id for head in store.heads()] == ["thr_1"]

    def test_an_outcome_and_the_next_intent_go_in_one_append(self):
        store = self.open()
        submitted = StatementSubmitted(query_id="01b", effect_key="thr_1:1")
        story = stamped([started("thr_1:1"), submitted, ended("thr_1:1"), started("thr_1:4")])
        store.append("thr_1", 0, story[:1])
        assert store.append("thr_1", 1, story[1:]) == 4
        assert store.load("thr_1") == tuple(story)

    # --- overview

    def test_heads_come_newest_first_with_goal_and_number(self):
        store = self.open()
        for number, thread_id in enumerate(["thr_a", "thr_b", "thr_c"]):
            begin = stamped(
                [ThreadStarted(goal=f"goal {thread_id}")], at=f"2026-02-22T10:0{number}"
            )
            store.append(thread_id, 0, begin)
        store.append("thr_a", 1, stamped([noted(1)], 1, at="2026-02-22T11:00"))
        assert store.heads() == (
            ThreadHead("thr_a", 2, "goal thr_a", "2026-02-22T11:00:00.000002Z"),
            ThreadHead("thr_c", 1, "goal thr_c", "2026-02-22T10:02:00.000001Z"),
            ThreadHead("thr_b", 1, "goal thr_b", "2026-02-22T10:01:00.000001Z"),
        )

    # --- laws

    @pytest.mark.slow
    @LAW
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["thr_1", "thr_2"]),
                st.integers(-1, 1),
                st.lists(st.sampled_from(["note", "start", "end"]), max_size=3),
                st.integers(0, 2),
            ),
            max_size=12,
        )
    )
    def test_any_run_of_appends_behaves_like_a_list(self, attempts):
        store, model, marks = self.open(), {"thr_1": [], "thr_2": []}, set()
        for thread_id, drift, kinds, key in attempts:
            expected = max(0, len(model[thread_id]) + drift)
            made = {"note": noted(key), "start": started(f"k{key}"), "end": ended(f"k{key}")}
            events = stamped([made[kind] for kind in kinds], expected)
            fresh = [(kind, key) for kind in kinds if kind != "note"]
            is_legal = (
                expected == len(model[thread_id])
                and len(set(fresh)) == len(fresh)
                and marks.isdisjoint(fresh)
            )
            if is_legal:
                assert store.append(thread_id, expected, events) == expected + len(events)
                model[thread_id] += events
                marks.update(fresh)
            else:
                with pytest.raises(ConflictError):
                    store.append(thread_id, expected, events)
            assert {name: list(store.load(name)) for name in model} == model
        assert {head.thread_id: head.seq for head in store.heads()} == {
            name: len(events) for name, events in model.items() if events
        }
        store.close()

    def test_racing_writers_lose_nothing_and_write_nothing_twice(self):
        store = self.open()
        handles = [store, self.another(store)]
        acknowledged: list[list[tuple[int, str]]] = [[], []]

        def write(me: int) -> None:
            for number in range(25):
                acknowledged[me].append(_append_somehow(handles[me], f"{me}-{number}"))

        workers = [threading.Thread(target=write, args=(me,)) for me in (0, 1)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        found = [(event.seq, event.value) for event in store.load("thr_1")]
        assert found == sorted([*acknowledged[0], *acknowledged[1]])
        assert [seq for seq, _ in found] == list(range(1, 51))

    # --- holding

    def test_holds_nest_in_one_process(self):
        store = self.open()
        with store.hold("thr_1") as first, store.hold("thr_1") as second:
            assert (first, second) == (False, False)
        with store.hold("thr_1") as third:
            assert third is False

    def test_a_hold_that_ends_in_an_error_is_released(self):
        store = self.open()
        with pytest.raises(ZeroDivisionError), store.hold("thr_1"):
            raise ZeroDivisionError
        with store.hold("thr_1") as was_left:
            assert was_left is False


def _append_somehow(store: ThreadStore, value: str) -> tuple[int, str]:
    while True:
        head = _number(store.load("thr_1"))
        try:
            return store.append("thr_1", head, stamped([noted(value)], head)), value
        except ConflictError:
            continue


def _number(events: Sequence[Event]) -> int:
    return events[-1].seq if events else 0
