"""What all tests share: the tests' own modules can be imported by name, and which of them are slow.

A test that takes more than a second of one core is marked `slow`; in CI, those that are not are
named at the end of the run. Time on the clock is no measure: other tests run beside it.
"""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

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


def pytest_collection_modifyitems(items):
    """A notebook starts a kernel, and its cells belong together; a browser starts a laboratory."""
    for item in items:
        if item.path.suffix == ".ipynb" or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.slow)
        posix = item.get_closest_marker("posix")
        if posix is not None and os.name != "posix":
            item.add_marker(pytest.mark.skip(reason=f"needs POSIX: {posix.args[0]}"))


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
