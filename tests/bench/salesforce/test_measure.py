"""Salesforce answers in a working tree, with and without an org."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce import orgs
from skills_nb.bench.salesforce.checkout import check_out, commit_of_folder, files_of
from skills_nb.bench.salesforce.lwc_tests import jest_component
from skills_nb.bench.salesforce.repository_measurement import measure_repository, restore
from skills_nb.bench.salesforce.sf_cli import CliError
from skills_nb.bench.salesforce.static_checks import static_troubles
from skills_nb.bench.scoring import State
from skills_nb.bench.tasks import load_tasks, shipped_tasks

RECORDED = Path(__file__).parent / "recorded"
OFFLINE = RunSetting(functional=True, tasks_root=str(shipped_tasks()))


def _task(name, source="verified"):
    return next(task for task in load_tasks(source).tasks if task.id == name)


def _states(card):
    return {name: part.state.value for name, part in card.parts()}


@pytest.fixture
def apex():
    return _task("apex-discount-bulk-001")


@pytest.fixture
def flow():
    return _task("flow-welcome-customer-001")


# ---- offline


def test_offline_gold_earns_what_can_be_shown_and_no_more(apex):
    card = measure_repository(apex, apex.body.gold, 1, OFFLINE)
    assert _states(card) == {
        "deploy": "not_run",
        "tests": "not_run",
        "functional": "not_applicable",
        "bulk": "not_applicable",
        "no_tweaks": "pass",
    }
    assert card.verdict == "undetermined"


def test_evidence_without_an_org_may_lower_a_component(apex, flow):
    broken = apex.body.gold.replace("+            return 0;", "+            return 0;}}")
    card = measure_repository(apex, broken.replace("}}", "}"), 1, OFFLINE)
    assert (card.deploy.state, card.verdict) == (State.FAIL, "fail")
    (mutant,) = flow.body.mutants
    card = measure_repository(flow, mutant.text, 1, OFFLINE)
    assert "goes to 'Make_Tasks', which is no element of the flow" in card.deploy.reason
    assert card.verdict == "fail"


@pytest.mark.parametrize("answer", ["", "no patch here", "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n"])
def test_what_is_no_patch_scores_nothing(apex, answer):
    card = measure_repository(apex, answer, 1, OFFLINE)
    assert (card.lower, card.upper) == (0, 0)


def test_anything_but_strict_costs_no_tweaks(apex):
    sloppy = apex.body.gold.replace("@@ -1,5 +1,8 @@", "@@ -1,9 +1,9 @@")
    assert sloppy != apex.body.gold
    card = measure_repository(apex, sloppy, 1, OFFLINE)
    assert card.no_tweaks.reason == "applied only the recount way"
    assert card.no_tweaks.state is State.FAIL


def test_hidden_tests_and_configuration_come_back_after_the_patch(apex, tmp_path):
    body = replace(apex.body, hidden_files={"force-app/hidden.txt": "ours\n"})
    tree = tmp_path / "tree"
    check_out(body, OFFLINE, tree)
    test = tree / "force-app/main/default/classes/DiscountTest.cls"
    good = test.read_text()
    test.write_text("// always green")
    (tree / "sfdx-project.json").unlink()
    (tree / "config" / "extra.json").write_text("{}")
    (tree / "force-app/hidden.txt").write_text("theirs\n")
    restore(tree, body)
    assert test.read_text() == good
    assert (tree / "sfdx-project.json").exists()
    assert (tree / "force-app/hidden.txt").read_text() == "ours\n"


def test_a_hidden_file_may_not_lead_out(apex, tmp_path):
    tree = tmp_path / "tree"
    check_out(apex.body, OFFLINE, tree)
    with pytest.raises(CliError, match="leads out"):
        restore(tree, replace(apex.body, hidden_files={"../x": ""}))


def test_a_base_commit_is_what_it_says(apex, tmp_path):
    other = replace(apex.body, base_commit="0" * 40)
    with pytest.raises(CliError, match="the task wants 0000"):
        check_out(other, OFFLINE, tmp_path / "tree")


def test_a_repository_is_fetched_by_its_commit(apex, tmp_path):
    made = commit_of_folder(shipped_tasks() / "repositories" / "orders", tmp_path / "origin")
    assert made == apex.body.base_commit
    remote = replace(apex.body, repo_url=f"file://{tmp_path}/origin")
    check_out(remote, OFFLINE, tmp_path / "tree")
    assert (tmp_path / "tree" / "sfdx-project.json").exists()
    gone = replace(remote, base_commit="f" * 40)
    with pytest.raises(CliError):
        check_out(gone, OFFLINE, tmp_path / "other")


def test_a_model_is_shown_the_repository(apex):
    found = files_of(apex.body, OFFLINE)
    assert "public static Decimal rateFor" in found["force-app/main/default/classes/Discount.cls"]
    assert not any(".git/" in name for name in found)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("A.cls", "public class A { void f() { }", "'{' is never closed"),
        ("A.cls", "public class A { void f() { ) }", "')' closes nothing"),
        ("A.cls", "public class A { String s = '}{'; /* { */ }", ""),
        ("x.object-meta.xml", "<a><b></a>", "not well-formed XML"),
        ("x.object-meta.xml", "<!DOCTYPE a []><a/>", "no document type"),
        ("x.object-meta.xml", "<a/>", ""),
    ],
)
def test_what_no_org_would_take_is_told_without_one(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    (tmp_path / "A.cls-meta.xml").write_text("<a/>")
    found = "; ".join(static_troubles(tmp_path, [name]))
    assert (said in found) if said else found == ""


def test_a_class_without_its_metadata_file_cannot_be_deployed(tmp_path):
    (tmp_path / "A.cls").write_text("public class A { }")
    assert static_troubles(tmp_path, ["A.cls"]) == ("A.cls: there is no A.cls-meta.xml beside it",)


# ---- Jest


def _jest(*outcomes, success=True):
    tests = [{"fullName": name, "status": status} for name, status in outcomes]
    return {"success": success, "testResults": [{"assertionResults": tests}]}


@pytest.fixture
def lwc():
    return _task("lwc-order-total-001").body


def _ran(status=0):
    from skills_nb.bench.salesforce.sf_cli import CommandResult

    return CommandResult(("node", "run.cjs"), status, "")


def test_jest_passes_with_the_expected_tests_by_name(lwc):
    good = _jest(*[(f"c-order-total {name}", "passed") for name in lwc.jest_tests])
    found = jest_component(lwc, good, _ran())
    assert (found.state, found.evidence[0].count) == (State.PASS, 3)


@pytest.mark.parametrize(
    ("document", "status", "said"),
    [
        (_jest(), 0, "no test ran"),
        (_jest(("other", "passed")), 0, "tests that did not run: shows nothing to pay"),
        (_jest(("other", "pending")), 0, "no test ran"),
        ({"success": True}, 0, "no test ran"),
    ],
)
def test_jest_without_the_expected_tests_is_a_failure(lwc, document, status, said):
    found = jest_component(lwc, document, _ran(status))
    assert (found.state, found.reason[: len(said)]) == (State.FAIL, said)


def test_a_failed_jest_test_costs_its_share(lwc):
    outcomes = [(name, "passed") for name in lwc.jest_tests[:2]] + [(lwc.jest_tests[2], "failed")]
    found = jest_component(lwc, _jest(*outcomes, success=False), _ran(1))
    assert (found.state, found.earned, found.possible) == (State.PARTIAL, 2, 3)


# ---- with an org, its command line played from the record


@pytest.fixture
def sf(tmp_path, monkeypatch):
    """A program `sf` that answers from recorded calls, and notes what it was asked."""
    folder = tmp_path / "bin"
    folder.mkdir()
    answers = folder / "answers.json"
    program = folder / "sf"
    program.write_text(
        "#!/usr/bin/env python3\n"
        "import json, pathlib, sys\n"
        "here = pathlib.Path(__file__).parent\n"
        "words = ' '.join(sys.argv[1:])\n"
        "(here / 'asked').open('a').write(words + '\\n')\n"
        "for start, name in json.loads((here / 'answers.json').read_text()):\n"
        "    if words.startswith(start):\n"
        "        call = json.loads(pathlib.Path(name).read_text())\n"
        "        sys.stdout.write(call['stdout'])\n"
        "        sys.exit(call['returncode'])\n"
        "sys.exit(99)\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:{__import__('os').environ['PATH']}")

    def answer(**names):
        listed = [
            (start.replace("_", " "), str(RECORDED / f"{name}.json"))
            for start, name in names.items()
        ]
        answers.write_text(json.dumps(listed))

    answer.asked = lambda: (folder / "asked").read_text().splitlines()
    answer.folder = folder
    return answer


ORG = replace(OFFLINE, salesforce="org", target_org="mine")


def _calc(apex):
    return replace(apex, body=replace(apex.body, apex_tests=("CalcTest",)))


@pytest.mark.posix("programs that name their interpreter")
def test_an_answer_is_deployed_and_tested(apex, sf, tmp_path):
    sf(project_deploy="fake_deploy_ok", apex_run_test="fake_test_wait_pass")
    card = measure_repository(_calc(apex), apex.body.gold, 1, ORG)
    assert _states(card)["deploy"] == _states(card)["tests"] == "pass"
    deploy, tests = sf.asked()
    assert deploy == "project deploy start --source-dir force-app --target-org mine --wait 5 --json"
    assert "--wait 5" in tests
    assert not any("delete" in line for line in sf.asked()), "a person's org is never deleted"


@pytest.mark.posix("programs that name their interpreter")
def test_a_failed_deployment_fails_all_that_an_org_would_show(apex, sf):
    sf(project_deploy="fake_deploy_fail")
    card = measure_repository(_calc(apex), apex.body.gold, 1, ORG)
    assert (card.deploy.state, card.tests.state) == (State.FAIL, State.FAIL)
    assert card.verdict == "fail"


@pytest.mark.posix("programs that name their interpreter")
def test_tests_that_only_started_are_nobodys_answer(apex, sf):
    sf(project_deploy="fake_deploy_ok", apex_run_test="fake_test_nowait")
    with pytest.raises(CliError, match="not waited for"):
        measure_repository(_calc(apex), apex.body.gold, 1, ORG)


@pytest.mark.slow
def test_what_held_before_earns_nothing_and_spoiling_it_costs_everything(sf):
    task = _task("apex-discount-behaviour-001", "realistic")
    task = replace(task, body=replace(task.body, apex_tests=()))
    sf(project_deploy="fake_deploy_ok", apex_run="fake_apex_run_ok", data_query="fake_query_empty")
    card = measure_repository(task, task.body.gold, 1, ORG)
    assert (card.functional.state, card.functional.earned) == (State.FAIL, 0)
    assert card.functional.reason == "main: 0 records, expected 1"
    sf(
        project_deploy="fake_deploy_ok",
        apex_run="fake_apex_run_runtime",
        data_query="fake_query_empty",
    )
    assert measure_repository(task, task.body.gold, 1, ORG).bulk.state is State.FAIL


@pytest.mark.posix("programs that name their interpreter")
def test_a_scratch_org_is_noted_before_it_is_used_and_deleted_after(apex, sf, tmp_path):
    made = tmp_path / "made.json"
    made.write_text(
        json.dumps(
            {
                "returncode": 0,
                "stdout": json.dumps(
                    {"status": 0, "result": {"username": "scratch@example.com", "orgId": "00D1"}}
                ),
            }
        )
    )
    done = tmp_path / "done.json"
    done.write_text(json.dumps({"returncode": 0, "stdout": '{"status": 0, "result": {}}'}))
    answers = [
        ("org create scratch", str(made)),
        ("org delete scratch", str(done)),
        ("project deploy", str(RECORDED / "fake_deploy_ok.json")),
        ("apex run test", str(RECORDED / "fake_test_wait_pass.json")),
    ]
    (sf.folder / "answers.json").write_text(json.dumps(answers))
    setting = replace(
        ORG, target_org="", dev_hub="hub", folder=str(tmp_path), evaluation_id="run-1"
    )
    measure_repository(_calc(apex), apex.body.gold, 1, setting)
    kinds = [
        json.loads(line)["kind"] for line in (tmp_path / "cleanup.jsonl").read_text().splitlines()
    ]
    assert kinds == ["intended", "created", "deleted"]
    create, deploy, _, delete = sf.asked()
    assert "--set-default" not in create
    assert "--target-org scratch@example.com" in deploy
    assert delete == "org delete scratch --target-org scratch@example.com --no-prompt --json"
    assert orgs.own_orgs(tmp_path) == {}


@pytest.mark.posix("programs that name their interpreter")
def test_only_what_the_run_made_is_deleted(tmp_path, sf):
    with pytest.raises(CliError, match="was not made by this run"):
        orgs.delete(tmp_path, "me@example.com")
    done = tmp_path / "done.json"
    done.write_text(json.dumps({"returncode": 0, "stdout": "{}"}))
    (sf.folder / "answers.json").write_text(json.dumps([("org delete scratch", str(done))]))
    orgs.note(tmp_path, "intended", alias="ours")
    assert (
        orgs.delete_left_over(tmp_path, {"ours": "left@example.com", "x": "me@example.com"}) == []
    )
    assert sf.asked() == ["org delete scratch --target-org left@example.com --no-prompt --json"]
