"""What success is, command by command.

Room: work (bench). Pure. A result in the output, an exit status of 0, or an id alone prove
nothing: each predicate asks for the fields that only success has, and for a positive count. What
is the platform's or the network's trouble raises `CliError`; what is the answer's is a component.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.bench.salesforce.sf_cli import CliError, CommandResult
from skills_nb.bench.scoring import Component, Evidence, failed, graded, passed
from skills_nb.bench.tasks.expectations import compares, one_line
from skills_nb.bench.tasks.sfbench import LOCAL_TESTS
from skills_nb.bench.tasks.task_values import Outcome

_ANSWERS_FAULT = frozenset({"executeCompileFailure", "executeRuntimeFailure"})
"""Errors by name that an answer causes; every other is the platform's."""


def evidence_of(ran: CommandResult, what: str, count: int) -> Evidence:
    """Return a command as evidence."""
    digest = hashlib.sha256(ran.stdout.encode()).hexdigest()
    return Evidence(what, ran.line, ran.exit_status, digest, count)


def _told(ran: CommandResult) -> Mapping[str, Any]:
    """Return the document of a command.

    Raises:
        CliError: it printed none, as it does on a Node that is too old.
    """
    if not ran.document:
        said = one_line(ran.stderr or ran.stdout) or "nothing at all"
        raise CliError(
            f"{ran.line}: no JSON came back but {said}", hint="check: sf version; node --version"
        )
    return ran.document


def trouble_of(ran: CommandResult) -> CliError:
    """Return what a command that did not succeed says of itself."""
    document = _told(ran)
    name, said = document.get("name", "error"), document.get("message", "no message")
    return CliError(f"{name}: {one_line(str(said))}", hint=f"check: {ran.line}")


# ---- deploy


def deploy_component(ran: CommandResult) -> Component:
    """Return the component of `project deploy start`.

    Raises:
        CliError: no deployment came to its end.
    """
    document, result = _told(ran), ran.result
    if not isinstance(result, Mapping) or result.get("done") is not True:
        raise trouble_of(ran)
    failures = result.get("details", {}).get("componentFailures") or []
    count = int(result.get("numberComponentsDeployed") or 0)
    proof = evidence_of(ran, f"{count} components deployed", count)
    is_whole = (
        ran.exit_status == 0
        and document.get("status") == 0
        and result.get("success") is True
        and result.get("status") == "Succeeded"
        and result.get("checkOnly") is not True
        and not result.get("numberComponentErrors")
        and not failures
    )
    if is_whole and count > 0:
        return passed(proof)
    return failed(_deploy_trouble(result, failures, count), proof)


def _deploy_trouble(result: Mapping[str, Any], failures: Any, count: int) -> str:
    listed = [failures] if isinstance(failures, Mapping) else list(failures)
    if listed:
        first = listed[0]
        place = f"{first.get('fullName')}:{first.get('lineNumber', '?')}"
        return f"{place}: {one_line(str(first.get('problem')))}"
    if result.get("checkOnly") is True:
        return "only checked, not deployed"
    return "nothing was deployed" if not count else f"deployment {result.get('status')}"


# ---- tests


def apex_test_component(ran: CommandResult, expected: Sequence[str]) -> Component:
    """Return the component of `apex run test`.

    Raises:
        CliError: no test run came to its end; an id alone is none.
    """
    _told(ran)
    result = ran.result
    summary = result.get("summary") if isinstance(result, Mapping) else None
    if not isinstance(summary, Mapping):
        is_started = isinstance(result, Mapping) and "testRunId" in result
        if is_started:
            raise CliError(f"{ran.line}: tests were started and not waited for")
        raise trouble_of(ran)
    outcomes = {
        str(test.get("FullName")): str(test.get("Outcome")) for test in result.get("tests") or ()
    }
    good = [name for name, outcome in outcomes.items() if outcome == "Pass"]
    proof = evidence_of(ran, f"{len(outcomes)} tests ran, {len(good)} passed", len(outcomes))
    if not outcomes or not int(summary.get("testsRan") or 0):
        return failed("no test ran", proof)
    missing = [name for name in expected if not _has_run(name, outcomes)]
    if missing:
        return failed(f"tests that did not run: {', '.join(missing)}", proof)
    is_whole = ran.exit_status == 0 and summary.get("outcome") == "Passed"
    earned = len(good) if is_whole or len(good) < len(outcomes) else 0
    bad = ", ".join(sorted(outcomes.keys() - set(good)))
    return graded(earned, len(outcomes), f"failed: {bad or summary.get('outcome')}", proof)


def _has_run(name: str, outcomes: Mapping[str, str]) -> bool:
    if name == LOCAL_TESTS:
        return True
    return any(found == name or found.startswith(f"{name}.") for found in outcomes)


# ---- functional


def script_trouble(ran: CommandResult) -> str:
    """Return why anonymous Apex failed, or nothing where it compiled and ran to its end.

    Raises:
        CliError: it was not run.
    """
    document, result = _told(ran), ran.result
    if document.get("name") in _ANSWERS_FAULT:
        return one_line(str(document.get("message")))
    if ran.exit_status == 0 and isinstance(result, Mapping):
        if result.get("success") is True and result.get("compiled") is True:
            return ""
        return one_line(str(result.get("exceptionMessage") or result.get("compileProblem")))
    raise trouble_of(ran)


def records_of(ran: CommandResult) -> list[Mapping[str, Any]]:
    """Return the records of a query.

    Raises:
        CliError: the query was not answered in full.
    """
    document, result = _told(ran), ran.result
    is_answered = ran.exit_status == 0 and document.get("status") == 0
    if not is_answered or not isinstance(result, Mapping) or result.get("done") is not True:
        raise trouble_of(ran)
    return list(result["records"])


def outcome_trouble(outcome: Outcome, records: Sequence[Mapping[str, Any]]) -> str:
    """Return why records are not what an outcome wants, or nothing.

    Without a wanted number there must be at least one: fields of nothing hold nothing.
    """
    wanted = outcome.count or ">= 1"
    if not compares(len(records), wanted):
        return f"{len(records)} records, expected {wanted}"
    if outcome.fields and not records:
        return "no record to look at"
    for record in records:
        for name, value in outcome.fields.items():
            if not compares(_field(record, name), value):
                return f"{name} is {_field(record, name)!r}, expected {value!r}"
    return ""


def _field(record: Mapping[str, Any], name: str) -> Any:
    """Return a field, also through relationships (`Account.Name`)."""
    found: Any = record
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
