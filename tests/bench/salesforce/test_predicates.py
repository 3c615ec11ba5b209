"""What success is, told from recorded calls of the real command line (2.146.3)."""

import json
import shlex
from pathlib import Path

import pytest

from skills_nb.bench.salesforce import predicates, sf_cli
from skills_nb.bench.salesforce.readiness import (
    capacity,
    listed_orgs,
    org_list_trouble,
    org_named,
)
from skills_nb.bench.salesforce.sf_cli import CliError, CommandResult
from skills_nb.bench.scoring import State
from skills_nb.bench.tasks.task_values import Outcome
from skills_nb.errors import UsageError

RECORDED = Path(__file__).parent / "recorded"


def recorded(name):
    call = json.loads((RECORDED / f"{name}.json").read_text())
    words = tuple(call["argv"].split(" "))
    return CommandResult(words, call["returncode"], call["stdout"], call["stderr"])


# ---- deploy


def test_a_deployment_that_succeeded_passes_with_its_count():
    found = predicates.deploy_component(recorded("fake_deploy_ok"))
    assert found.state is State.PASS
    assert found.evidence[0].count == 3


@pytest.mark.parametrize("name", ["fake_deploy_fail", "fake_deploy_dryrun_fail"])
def test_a_failed_deployment_has_a_result_and_is_no_success(name):
    ran = recorded(name)
    assert ran.result["done"] is True
    found = predicates.deploy_component(ran)
    assert found.state is State.FAIL
    assert found.reason == "Broken:2: Unexpected token '{'."


@pytest.mark.parametrize(
    "changes",
    [
        {"checkOnly": True},
        {"success": False},
        {"status": "SucceededPartial"},
        {"numberComponentErrors": 1},
        {"numberComponentsDeployed": 0},
    ],
    ids=lambda c: next(iter(c)),
)
def test_every_field_of_success_is_asked_for(changes):
    ran = recorded("fake_deploy_ok")
    document = json.loads(ran.stdout)
    document["result"] |= changes
    found = predicates.deploy_component(CommandResult(ran.words, 0, json.dumps(document)))
    assert found.state is State.FAIL


@pytest.mark.parametrize(
    "name", ["fake_deploy_timeout", "deploy_noorg", "deploy_dryrun_noorg", "convert_source"]
)
def test_a_deployment_that_did_not_end_is_nobodys_answer(name):
    with pytest.raises(CliError):
        predicates.deploy_component(recorded(name))


@pytest.mark.parametrize("name", sorted(p.stem for p in RECORDED.glob("convert_*")))
def test_converting_source_says_nothing_about_deploying(name):
    with pytest.raises(CliError):
        predicates.deploy_component(recorded(name))


# ---- tests


def test_tests_that_ran_and_passed_pass():
    found = predicates.apex_test_component(recorded("fake_test_wait_pass"), ["CalcTest"])
    assert (found.state, found.evidence[0].count) == (State.PASS, 1)


@pytest.mark.parametrize(
    "name", ["fake_test_wait_fail", "fake_test_wait_fail_nojson", "fake_test_sync_fail"]
)
def test_tests_that_failed_fail(name):
    found = predicates.apex_test_component(recorded(name), ["CalcTest"])
    assert (found.state, found.reason) == (State.FAIL, "failed: CalcTest.adds")


@pytest.mark.parametrize("name", ["fake_test_nowait", "fake_test_nowait_nojson"])
def test_an_id_alone_is_no_test_result(name):
    with pytest.raises(CliError):
        predicates.apex_test_component(recorded(name), ["CalcTest"])


def test_no_test_at_all_is_a_failure():
    found = predicates.apex_test_component(recorded("fake_test_wait_none"), ["CalcTest"])
    assert (found.state, found.reason) == (State.FAIL, "no test ran")


def test_other_tests_than_the_expected_are_a_failure():
    found = predicates.apex_test_component(recorded("fake_test_wait_pass"), ["OtherTest"])
    assert (found.state, found.reason) == (State.FAIL, "tests that did not run: OtherTest")


@pytest.mark.parametrize(
    "name",
    [
        "apex_run_test_noorg",
        "apex_run_test_noorg_target",
        "apex_run_test_resultformat_only",
        "no_such_flag",
    ],
)
def test_a_run_without_an_org_is_nobodys_answer(name):
    with pytest.raises(CliError):
        predicates.apex_test_component(recorded(name), ["CalcTest"])


# ---- functional


def test_anonymous_apex_is_told_by_its_own_success():
    assert predicates.script_trouble(recorded("fake_apex_run_ok")) == ""
    assert "Insert failed" in predicates.script_trouble(recorded("fake_apex_run_runtime"))
    assert "Unexpected token" in predicates.script_trouble(recorded("fake_apex_run_compile"))


@pytest.mark.parametrize("name", ["apex_run", "fake_apex_run_dash_c"])
def test_apex_that_was_not_run_is_nobodys_answer(name):
    with pytest.raises(CliError):
        predicates.script_trouble(recorded(name))


def test_zero_rows_satisfy_no_field():
    empty = predicates.records_of(recorded("fake_query_empty"))
    wanted = Outcome("o", query="SELECT Name FROM Account", fields={"Name": "Acme"})
    assert predicates.outcome_trouble(wanted, empty) == "0 records, expected >= 1"
    none_wanted = Outcome("o", query="…", count="0", fields={"Name": "Acme"})
    assert predicates.outcome_trouble(none_wanted, empty) == "no record to look at"


def test_records_are_compared_field_by_field():
    rows = predicates.records_of(recorded("fake_query"))
    assert predicates.outcome_trouble(Outcome("o", fields={"Name": "Acme"}), rows) == ""
    said = predicates.outcome_trouble(Outcome("o", fields={"Name": "Bond"}), rows)
    assert said == "Name is 'Acme', expected 'Bond'"


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [(">= 2", True), (">= 3", False), ("<= 2", True), ("!= 2", False), ("> 1", True), ("2", True)],
)
def test_comparisons_of_two_signs_match(wanted, holds):
    rows = [{"Amount": 2}, {"Amount": 2}]
    assert (predicates.outcome_trouble(Outcome("o", count=wanted), rows) == "") is holds
    fields = Outcome("o", fields={"Amount": wanted})
    assert (predicates.outcome_trouble(fields, rows) == "") is holds


@pytest.mark.parametrize("name", ["data_query", "data_query_noorg"])
def test_a_query_that_was_not_answered_is_nobodys_answer(name):
    with pytest.raises(CliError):
        predicates.records_of(recorded(name))


# ---- preflight


def test_the_list_of_orgs_is_what_counts():
    ran = recorded("fake_org_list")
    assert org_list_trouble(ran) == ""
    (org,) = listed_orgs(ran)
    assert (org["username"], org["isDevHub"]) == ("bench@fake.org", True)
    assert org_named("fake", [org]) is org
    assert listed_orgs(recorded("org_list")) == []


def test_an_empty_output_is_an_old_node():
    crashed = CommandResult(("sf", "org", "list", "--json"), 0, "")
    assert "Node 22.19" in org_list_trouble(crashed)


def test_capacity_is_what_is_left():
    assert capacity(recorded("fake_limits")) == (
        "ActiveScratchOrgs: 2 left, DailyScratchOrgs: 5 left",
        "",
    )
    spent = CommandResult(
        (),
        0,
        json.dumps(
            {
                "status": 0,
                "result": [
                    {"name": "ActiveScratchOrgs", "remaining": 0},
                    {"name": "DailyScratchOrgs", "remaining": 5},
                ],
            }
        ),
    )
    assert capacity(spent)[1] == "none left of ActiveScratchOrgs"
    assert capacity(recorded("org_list_limits"))[0] == "unknown"


# ---- the commands themselves


def _commands():
    return [
        sf_cli.deploy("o", ("force-app",), 5),
        sf_cli.apex_tests("o", ("A", "B.c"), 5),
        sf_cli.apex_script("o", "x.apex"),
        sf_cli.query("o", "SELECT Id FROM Account"),
    ]


@pytest.mark.parametrize("words", _commands(), ids=lambda w: " ".join(w[1:4]))
def test_every_command_names_its_org_and_asks_for_json(words):
    assert words[words.index("--target-org") + 1] == "o"
    assert words[-1] == "--json"


def test_what_takes_time_is_waited_for():
    assert "--wait" in sf_cli.deploy("o", ("force-app",), 5)
    assert "--source-dir" in sf_cli.deploy("o", ("force-app",), 5)
    assert "--wait" in sf_cli.apex_tests("o", ("A",), 5)
    assert shlex.join(sf_cli.apex_tests("o", ("*",), 5)).startswith(
        "sf apex run test --test-level RunLocalTests"
    )


@pytest.mark.parametrize(
    "line",
    [
        "sf config set target-org x --json",
        "sf org create scratch --alias a --set-default --json",
        "sf org login access-token --set-default-dev-hub",
    ],
)
def test_nothing_changes_the_persons_defaults(line, tmp_path):
    with pytest.raises(UsageError, match="defaults"):
        sf_cli.run(line.split(), tmp_path, 5)


def test_a_scratch_org_is_nobodys_default():
    assert "--set-default" not in sf_cli.create_scratch("hub", "a", "d.json", 5)


@pytest.mark.posix("programs that name their interpreter")
def test_a_command_that_takes_too_long_dies_with_all_it_started(tmp_path):
    import os
    import time

    script = tmp_path / "slow.sh"
    script.write_text("#!/bin/sh\nsleep 60 & echo $! > child\nwait\n")
    script.chmod(0o755)
    with pytest.raises(CliError, match="took longer"):
        sf_cli.run([str(script)], tmp_path, 0.5)
    child = int((tmp_path / "child").read_text())
    time.sleep(0.2)
    stat = Path(f"/proc/{child}/stat")
    is_gone = not stat.exists() or stat.read_text().split()[2] == "Z"
    if not Path("/proc").exists():
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
    else:
        assert is_gone


def test_a_program_that_is_not_there_is_nobodys_answer(tmp_path):
    with pytest.raises(CliError, match="cannot be run"):
        sf_cli.run(["no-such-program-here"], tmp_path, 5)
