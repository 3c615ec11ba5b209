"""What all tests share: the tests' own modules can be imported by name, and which of them are slow.

A test that takes more than a second of one core is marked `slow`; in CI, those that are not are
named at the end of the run. Time on the clock is no measure: other tests run beside it.
"""

import gc
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

from skills_nb.embedded.physical import connection

_LIMIT_S = 1.0

# The same examples for everybody in CI: what a search finds by chance belongs to whoever searches.
settings.register_profile("ci", derandomize=True, deadline=None)
# Other tests run beside each example, so its time on the clock says nothing.
settings.register_profile("local", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")

sys.path.insert(0, str(Path(__file__).parent.parent))


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory, monkeypatch):
    """Let no test touch the threads or the account of whoever runs it."""
    if "SKILLS_NB_HOME" not in os.environ:
        monkeypatch.setenv("SKILLS_NB_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep what is worked out once for a machine out of the folder of whoever runs the tests."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    os.environ.pop("XDG_CACHE_HOME")
    if before is not None:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="session", autouse=True)
def _one_core_each():
    """Let an account use one core: tests run side by side, and their tables are small."""
    with pytest.MonkeyPatch.context() as patch:
        for held in (connection._CONFIG, connection._IN_MEMORY):
            patch.setitem(held, "threads", "1")
        yield


def pytest_addoption(parser):
    """Let CI take a share of what is there in great numbers."""
    said = "of the cases of an exhaustive test, run one of N"
    parser.addoption("--share", type=int, default=1, metavar="N", help=said)
    said = "of the other slow tests of each file, run one of N"
    parser.addoption("--slow-share", type=int, default=1, metavar="N", help=said)


def pytest_collection_finish():
    """Let no collection of garbage look through the tests themselves again and again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    """Mark what is slow without saying so, and leave out what is not in the share.

    A notebook starts a kernel, and its cells belong together; a browser starts a laboratory.
    """
    _take_share(config, items)
    for item in items:
        if item.path.suffix == ".ipynb" or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.slow)
        posix = item.get_closest_marker("posix")
        if posix is not None and os.name != "posix":
            item.add_marker(pytest.mark.skip(reason=f"needs POSIX: {posix.args[0]}"))


def _take_share(config, items):
    """Keep the first case of each exhaustive test, the first slow test of each file, and every Nth
    that follows.
    """
    share, slow_share = config.getoption("--share"), config.getoption("--slow-share")
    met, left_out = Counter(), []
    for item in items:
        if item.get_closest_marker("exhaustive"):
            group, one_of = item.nodeid.partition("[")[0], share
        elif item.get_closest_marker("slow"):
            group, one_of = item.path, slow_share
        else:
            continue
        if met[group] % one_of:
            left_out.append(item)
        met[group] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = {*left_out}
        items[:] = [item for item in items if item not in gone]


# ---- slow tests that do not say so


def _cpu_s():
    """Return the seconds that this process and those that it has waited for were at work."""
    return sum(os.times()[:4])


class _Shared:
    """Time that goes to what several tests use, and to no single one."""

    seconds = 0.0
    depth = 0


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    if fixturedef.scope == "function" or _Shared.depth:
        return (yield)
    began = _cpu_s()
    _Shared.depth += 1
    try:
        return (yield)
    finally:
        _Shared.depth -= 1
        _Shared.seconds += _cpu_s() - began


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    item.stash[_BEGAN] = _cpu_s() - _Shared.seconds
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    try:
        return (yield)
    finally:
        took_s = _cpu_s() - _Shared.seconds - item.stash[_BEGAN]
        if took_s > _LIMIT_S and item.get_closest_marker("slow") is None:
            item.user_properties.append(("slow_s", round(took_s, 1)))


_BEGAN = pytest.StashKey[float]()


def pytest_terminal_summary(terminalreporter):
    """Name what is slow and does not say so; a busy machine fails nobody."""
    reports = terminalreporter.getreports("")
    found = [
        (took_s, report.nodeid)
        for report in reports
        if report.when == "teardown"
        for name, took_s in report.user_properties
        if name == "slow_s"
    ]
    if found and os.environ.get("CI"):
        terminalreporter.section("more than a second of one core, and not marked slow")
        for took_s, nodeid in sorted(found, reverse=True):
            terminalreporter.write_line(f"{took_s:5.1f} s {nodeid}")
