"""What has grown reads like a tuple, and no two that went on from one point mix."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from skills_nb.model.state.grown import Grown

ENTRIES = st.lists(st.integers(), max_size=12)


@given(ENTRIES, st.integers(-15, 15), st.integers(-15, 15))
def test_it_reads_like_a_tuple(entries, begin, end):
    grown, told = Grown(), tuple(entries)
    for entry in entries:
        grown = grown.plus(entry)
    assert grown == told
    assert list(reversed(grown)) == list(reversed(told))
    assert grown[begin:end] == told[begin:end]
    if -len(told) <= begin < len(told):
        assert grown[begin] == told[begin]
    assert (len(grown), bool(grown), repr(grown)) == (len(told), bool(told), repr(told))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers()), max_size=30))
def test_each_keeps_its_own_whoever_goes_on_from_where(steps):
    grown, told = [Grown()], [()]
    for at, entry in steps:
        at %= len(grown)
        grown.append(grown[at].plus(entry))
        told.append((*told[at], entry))
    assert grown == told


def test_threads_that_go_on_from_one_point_do_not_mix():
    begun, made = Grown([object() for _ in range(100)]), []

    def go_on():
        grown, own = begun, [object() for _ in range(2_000)]
        for entry in own:
            grown = grown.plus(entry)
        made.append((own, grown))

    workers = [threading.Thread(target=go_on) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(made) == 8
    for own, grown in made:
        assert all(a is b for a, b in zip(grown[100:], own, strict=True))


def test_others_are_not_equal():
    assert Grown([1]) != [1]
    assert Grown([1]) != Grown([1, 2])
