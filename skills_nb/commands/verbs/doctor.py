"""What is wrong here: versions, library, store, account, rights, kernel, model.

Room: commands. Every check looks and changes nothing; what fails says its repair. Exit status: 0
where a thread can be driven, 4 where it cannot.
"""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING, Literal

from skills_nb.commands.reply import DONE, FAILED, Reply
from skills_nb.errors import SkillsError, SqlError
from skills_nb.runtime.costs import ATTRIBUTION
from skills_nb.views import rows_table

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.ports import SqlReader

Status = Literal["ok", "warning", "failed"]
_NEVER = "doctor:0:0:0"
"""A query tag that no statement carries."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    """What was looked at: `python`, `library`, `store`, …"""
    status: Status
    """Whether it is well."""
    found: str
    """What is there, or what is wrong."""
    repair: str = ""
    """What to do about it; empty where nothing is to be done."""


def doctor(app: AppContext, words: Namespace) -> Reply:
    """Check everything that driving a thread needs."""
    findings = [finding for check in _CHECKS for finding in _checked(check, app)]
    rows = [(f.check, f.status, f.found, f.repair) for f in findings]
    is_well = all(finding.status != "failed" for finding in findings)
    return Reply(
        rows_table(("CHECK", "STATUS", "FOUND", "REPAIR"), rows, len(rows)),
        {"ok": is_well, "checks": [asdict(finding) for finding in findings]},
        DONE if is_well else FAILED,
    )


def _checked(
    check: Callable[[AppContext], Iterator[Finding]], app: AppContext
) -> Iterator[Finding]:
    """Yield what a check finds; trouble is a finding as well."""
    name = check.__name__.removeprefix("_")
    try:
        yield from check(app)
    except SkillsError as problem:
        yield Finding(name, "failed", problem.message, problem.hint or "")


def _versions(app: AppContext) -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", python)
    for name, wanted in _needed():
        try:
            yield _version(name, version(name), wanted)
        except PackageNotFoundError:
            yield Finding(name, "failed", "not installed", "pip install --upgrade skills-nb")


def _version(name: str, found: str, wanted: str) -> Finding:
    if _is_taken(found, wanted):
        return Finding(name, "ok", found)
    repair = f"python -m pip install '{name}{wanted}'; what needs another version, in an "
    return Finding(name, "failed", f"{found}, not {wanted}", f"{repair}environment of its own")


def _is_taken(found: str, wanted: str) -> bool:
    """Tell whether a version is within the bounds that a requirement states."""
    bounds = re.findall(r"(>=|<)\s*([0-9.]+)", wanted)
    numbers = _numbers(found)
    return all(
        numbers >= _numbers(bound) if sign == ">=" else numbers < _numbers(bound)
        for sign, bound in bounds
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _needed() -> Iterator[tuple[str, str]]:
    """Yield the packages that this one cannot work without, each with the bounds of its version."""
    try:
        stated = requires("skills-nb") or []
    except PackageNotFoundError:
        # Run from a checkout: nothing is stated, and the checks below load what they need.
        stated = []
    for requirement in stated:
        if "extra ==" not in requirement:
            stripped = requirement.partition(";")[0]
            name = re.split(r"[\s<>=!~\[(]", stripped, maxsplit=1)[0]
            yield name, re.sub(r"^\[.*?\]|[\s()]", "", stripped.removeprefix(name))


def _library(app: AppContext) -> Iterator[Finding]:
    library = app.wiring.library
    count = len(library.index)
    yield Finding("library", "ok", f"{count} skills in {app.wiring.library_folder}")


def _store(app: AppContext) -> Iterator[Finding]:
    threads = len(app.wiring.store.heads())
    place = getattr(app.wiring.store, "place", app.wiring.home)
    noun = "thread" if threads == 1 else "threads"
    if app.notice:
        yield Finding("store", "warning", app.notice, "move SKILLS_NB_HOME to a local disk")
    for one in app.wiring.store.shortfalls():
        yield Finding("store", "warning", one.text, one.hint)
    yield Finding("store", "ok", f"{threads} {noun} in {place}")


def _connection(app: AppContext) -> Iterator[Finding]:
    connection = app.wiring.connection
    context = app.wiring.session.context()
    name = f" ({connection.name})" if connection.name else ""
    account = context.account_name or context.account_locator
    found = f"{connection.kind}{name}: {account} as {context.current_role}"
    yield Finding("connection", "ok", found)
    if context.current_warehouse is None:
        repair = "set `warehouse` in the connection, or: USE WAREHOUSE NAME"
        yield Finding("warehouse", "warning", "none is in use", repair)
    else:
        yield Finding("warehouse", "ok", context.current_warehouse)


def _rights(app: AppContext) -> Iterator[Finding]:
    session = app.wiring.session
    fate = session.fate(_NEVER)
    if fate.status == "absent":
        yield Finding("query history", "ok", "can be read")
    else:
        repair = "use a database whose INFORMATION_SCHEMA the role may read"
        found = f"cannot be read: {fate.error}; after a crash you would be asked"
        yield Finding("query history", "warning", found, repair)
    yield _attribution(session)
    try:
        databases = session.query("SHOW DATABASES").row_count
    except SqlError as problem:
        yield Finding("databases", "failed", problem.message, "choose another role")
        return
    status: Status = "ok" if databases else "warning"
    repair = "" if databases else "grant the role USAGE on a database"
    yield Finding("databases", status, f"{databases} can be seen", repair)


def _attribution(session: SqlReader) -> Finding:
    """Look whether the account tells what statements cost."""
    name = "query attribution"
    try:
        session.query(f"SELECT QUERY_ID FROM {ATTRIBUTION} LIMIT 0")
    except SqlError:
        repair = "GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE …"
        return Finding(name, "warning", "cannot be read; what threads cost is estimated", repair)
    return Finding(name, "ok", "can be read")


def _kernel(app: AppContext) -> Iterator[Finding]:
    for name in ("ipykernel", "jupyterlab"):
        try:
            yield Finding(name, "ok", version(name))
        except PackageNotFoundError:
            repair = 'for notebooks: pip install "skills-nb[lab]"'
            yield Finding(name, "warning", "not installed", repair)


def _model(app: AppContext) -> Iterator[Finding]:
    resolver = app.wiring.resolver
    yield Finding("model", "ok", resolver.name if resolver is not None else "none is asked")


_CHECKS: tuple[Callable[[AppContext], Iterator[Finding]], ...] = (
    _versions,
    _library,
    _store,
    _connection,
    _rights,
    _kernel,
    _model,
)
