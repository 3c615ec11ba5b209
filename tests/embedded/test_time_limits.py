"""One thread waits for every limit; the shortest is over first, and an ended one never is."""

import threading

import pytest

from skills_nb.embedded.engine import time_limits
from tests.forks import in_a_fork

_LONG_S, _SOON_S, _PATIENCE_S = 100_000.0, 0.02, 10.0


def _is_over(limit_s: float) -> bool:
    over = threading.Event()
    token = time_limits.begin(limit_s, over.set)
    try:
        return over.wait(_PATIENCE_S if limit_s == _SOON_S else 0.1)
    finally:
        time_limits.end(token)


def test_a_short_limit_is_over_while_long_ones_go_on():
    told: list[str] = []
    long = [time_limits.begin(_LONG_S, lambda: told.append("long")) for _ in range(50)]
    assert _is_over(_SOON_S)
    assert told == []
    assert len([t for t in threading.enumerate() if t.name == "skills-limits"]) == 1
    for token in long:
        time_limits.end(token)


def test_what_has_ended_is_never_over():
    over = threading.Event()
    time_limits.end(time_limits.begin(_SOON_S, over.set))
    assert _is_over(_SOON_S)
    assert not over.wait(_SOON_S * 5)


def test_a_long_limit_is_not_over():
    assert not _is_over(_LONG_S)


@pytest.mark.posix("copies of a process")
def test_a_copy_of_the_process_has_limits_of_its_own():
    token = time_limits.begin(_LONG_S, lambda: None)
    assert in_a_fork(lambda: _is_over(_SOON_S))
    time_limits.end(token)
