"""Task files and folders: what is read, and what is said of what cannot be."""

import json
import shutil
from pathlib import Path

import pytest

from skills_nb.bench.tasks import InvalidTask, load_tasks, shipped_tasks
from skills_nb.bench.tasks.task_values import TaskType
from skills_nb.errors import UsageError
from tests.bench.conftest import TASKS

SHA = "0123456789abcdef0123456789abcdef01234567"


def _entry(**changes):
    return {
        "instance_id": "one",
        "task_type": "APEX",
        "repo_url": "https://example.com/repo",
        "base_commit": SHA,
        "problem_description": "Do it.",
        "validation": {"command": "sf apex run test --class-names A,B --result-format json"},
        **changes,
    }


def _loaded(tmp_path, *entries):
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(list(entries)))
    return load_tasks(path)


def _reasons(found):
    (bad,) = found.invalid
    return bad.reasons


# ---- SF-Bench


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [
        ("sf apex run test --class-names A,B --json", "apex_tests", ("A", "B")),
        ("sf apex run test -n A -n B", "apex_tests", ("A", "B")),
        ("sf apex run test --tests=A.one", "apex_tests", ("A.one",)),
        ("sf apex run test --test-level RunLocalTests", "apex_tests", ("*",)),
        ("sf project deploy start --source-dir src --dry-run --json", "source_dirs", ("src",)),
        ("sf project deploy start --dry-run --json", "source_dirs", ("force-app",)),
        ("npm run test:unit -- --testPathPattern=order", "jest_paths", ("order",)),
    ],
)
def test_a_command_is_read_for_what_it_tests(tmp_path, command, field, value):
    (task,) = _loaded(tmp_path, _entry(validation={"command": command})).tasks
    assert getattr(task.body, field) == value


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"base_commit": "main"}, "base_commit: 'main' is not a full commit SHA: it can move"),
        ({"base_commit": SHA[:8]}, f"base_commit: '{SHA[:8]}' is not a full commit SHA"),
        ({"validation": {"command": "rm -rf /"}}, "validation.command: 'rm -rf /' is not underst"),
        ({"validation": {}}, "validation.command: is missing"),
        ({"task_type": "COBOL"}, "task_type: 'COBOL' is not one of APEX"),
        ({"surprise": 1}, "surprise: is not a field of a task"),
        ({"instance_id": 7}, "instance_id: '7' is not a text"),
        ({"timeouts": {"run": -1}}, "timeouts.run: '-1' is not a positive number"),
        (
            {"functional_validation": {"test_scenarios": [{"verify": ["it looks good"]}]}},
            "functional_validation.test_scenarios: can only be checked by a person",
        ),
        (
            {"functional_validation": {"bulk_test_script": "bulk.apex"}},
            "functional_validation.bulk_test_script: 'bulk.apex' is not among test_scripts",
        ),
    ],
    ids=lambda v: v[:40] if isinstance(v, str) else "",
)
def test_what_cannot_be_measured_is_said(tmp_path, changes, reason):
    found = _loaded(tmp_path, _entry(**changes))
    assert found.tasks == ()
    assert any(said.startswith(reason) for said in _reasons(found)), found.invalid


def test_a_functional_validation_becomes_outcomes(tmp_path):
    entry = _entry(
        functional_validation={
            "test_data_script": "scripts/apex/make.apex",
            "verification_query": "SELECT Name FROM Account",
            "expected_values": {
                "record_count": ">= 1",
                "field_value": {"field": "Name", "value": "Acme"},
            },
            "bulk_test_script": "bulk.apex",
            "negative_test": {"description": "…", "script": "negative.apex"},
            "outcome_verifications": [
                {"name": "tasks", "query": "SELECT Id FROM Task", "expected": {"record_count": 0}}
            ],
        },
        test_scripts={"make.apex": "insert a;", "bulk.apex": "b;", "negative.apex": "c;"},
    )
    (task,) = _loaded(tmp_path, entry).tasks
    main, listed, negative = task.body.outcomes
    assert (main.script, main.count, main.fields) == ("insert a;", ">= 1", {"Name": "Acme"})
    assert (listed.name, listed.count) == ("tasks", "0")
    assert (negative.script, negative.is_negative) == ("c;", True)
    assert task.body.bulk_script == "b;"


def test_one_id_names_one_task(tmp_path):
    with pytest.raises(UsageError, match="two tasks are called 'one'"):
        _loaded(tmp_path, _entry(), _entry())


@pytest.mark.parametrize("name", ["verified", "realistic"])
def test_the_shipped_files_are_valid_in_every_part(name):
    found = load_tasks(name)
    assert found.invalid == ()
    assert {task.type for task in found.tasks} >= {
        TaskType.APEX,
        TaskType.LWC,
        TaskType.FLOW,
        TaskType.SNOWFLAKE,
    }
    assert load_tasks(shipped_tasks() / f"{name}.json").digest == found.digest


# ---- folders


def _folder(tmp_path, change=lambda text: text):
    place = shutil.copytree(TASKS / "mask-emails", tmp_path / "mask-emails")
    (place / "task.yaml").write_text(change((place / "task.yaml").read_text()))
    return place


def test_a_folder_is_a_task(mask_emails):
    body = mask_emails.body
    assert (mask_emails.id, mask_emails.level, mask_emails.domain) == (
        "mask-emails",
        1,
        "data-security",
    )
    assert [check.id for check in body.requirements] == ["analyst-is-masked", "new-rows-are-masked"]
    assert body.requirements[1].do[0].role == "ACCOUNTADMIN"
    assert [mutant.name for mutant in body.mutants] == ["overwrites-the-data"]
    assert body.bulk.rows == 1000


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("id: mask-emails", "id: other", "id: 'other' is not the folder's name"),
        ("level: 1", "level: 5", "level: 5 is not 1, 2, 3 or 4"),
        ("prompt: |", "pormpt: |", "prompt: is missing"),
        ("rows: 1000", "rows: 100", "bulk.rows: 100 is less than 200"),
        ("points: 2", "points: 0", "points: 0 is not positive"),
        ("expect: {value: 0}", "expect: {valeu: 0}", "needs exactly one of"),
        ("    as: ANALYST\n", "    role: ANALYST\n", "role: is not a field of a task"),
        ("owns: {databases", "owns: {tables", "owns.tables: is not one of"),
        ("level: 1", "level: 1\ngold: ../../gold.sql", "gold: '../../gold.sql' leads out of"),
        ("level: 1", "level: 1\ngold: other.sql", "gold: there is no file 'other.sql'"),
        ("level: 1", "level: 1\nturns: 0", "turns: 0 is not between 1 and 20"),
        ("level: 1", "level: 1\nset: secret", "set: 'secret' is not 'sealed'"),
        ("level: 1", "level: 1\nlevel: 2", "key 'level' appears twice"),
    ],
    ids=lambda v: v[:24],
)
def test_a_wrong_field_is_said_with_its_place(tmp_path, old, new, reason):
    found = load_tasks(_folder(tmp_path, lambda text: text.replace(old, new)))
    assert any(reason in said for said in _reasons(found)), found.invalid


@pytest.mark.parametrize("name", ["setup.sql", "gold.sql"])
def test_a_script_that_is_missing_is_said(tmp_path, name):
    place = _folder(tmp_path)
    (place / name).unlink()
    assert _reasons(load_tasks(place)) == (f"{name.removesuffix('.sql')}: is missing",)


def test_the_digest_changes_with_what_decides_a_score(tmp_path, mask_emails):
    same = load_tasks(_folder(tmp_path)).tasks[0]
    assert same.digest == mask_emails.digest
    shutil.rmtree(tmp_path / "mask-emails")
    other = load_tasks(_folder(tmp_path, lambda t: t.replace("value: 0", "value: 1"))).tasks[0]
    assert other.digest != mask_emails.digest


# ---- answers in the task's own file

OTHER_ANSWERS = """
rights:
  - {name: elsewhere, says: In another case., change: [[MASKING, masking], [STRING, string]]}
mutants:
  - {name: whole, says: A script., sql: "DROP TABLE T;"}
  - {name: first, says: Another role., of: elsewhere, change: [["'ANALYST'", "'analyst'"]]}
  - {name: more, says: Gold and more., add: "DROP TABLE T;"}
"""


def test_answers_say_where_they_differ_from_others(tmp_path, mask_emails):
    body = load_tasks(_folder(tmp_path, lambda text: text + OTHER_ANSWERS)).tasks[0].body
    gold = mask_emails.body.gold.strip()
    lower = gold.replace("MASKING", "masking").replace("STRING", "string")
    assert {right.name: right.text for right in body.rights} == {
        "elsewhere": f"-- In another case.\n{lower}\n"
    }
    inside = {mutant.name: mutant.text for mutant in body.mutants[1:]}
    assert inside == {
        "whole": "-- A script.\nDROP TABLE T;\n",
        "first": f"-- Another role.\n-- In another case.\n{lower}\n".replace(
            "'ANALYST'", "'analyst'"
        ),
        "more": f"-- Gold and more.\n{gold}\n\nDROP TABLE T;\n",
    }


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("{name: a, says: b}", "mutants[0].sql: there must be either a script, or what it changes"),
        ("{name: a, says: b, sql: c, add: d}", "mutants[0].sql: there must be either a script"),
        ("{name: a, says: b, change: [[nowhere, x]]}", "'nowhere' is not in what it changes"),
        ("{name: a, says: b, change: [[MASKING]]}", "is not a pair of an old and a new text"),
        ("{name: a, says: b, of: c, add: d}", "no answer before this one is called 'c'"),
        ("{name: a, sql: c}", "mutants[0].says: is missing"),
        ("{name: overwrites-the-data, says: b, sql: c}", "'overwrites-the-data' appears twice"),
        ("{name: a, says: b, sql: c, form: d}", "mutants[0].form: is not a field of a task"),
    ],
)
def test_an_answer_that_is_none_is_said(tmp_path, answer, reason):
    found = load_tasks(_folder(tmp_path, lambda text: f"{text}\nmutants:\n  - {answer}\n"))
    assert any(reason in said for said in _reasons(found)), found.invalid


# ---- sealed tasks


def test_sealed_tasks_are_used_only_where_they_are_asked_for_by_name(tmp_path):
    sealed = _folder(tmp_path, lambda text: text.replace("level: 1", "level: 1\nset: sealed"))
    assert load_tasks(tmp_path).sealed == 1
    shutil.copytree(TASKS / "mask-emails", tmp_path / "open" / "mask-emails")
    found = load_tasks(tmp_path)
    assert ([task.is_sealed for task in found.tasks], found.sealed) == ([False], 0)
    assert load_tasks(sealed).tasks[0].digest == found.tasks[0].digest


def test_there_must_be_something_to_read(tmp_path):
    with pytest.raises(UsageError, match="there are no tasks at"):
        load_tasks(tmp_path / "nothing.json")
    with pytest.raises(UsageError, match="holds no task"):
        load_tasks(tmp_path)
    with pytest.raises(UsageError, match="no valid task 'x'"):
        load_tasks(TASKS / "mask-emails").only(["x"])


# ---- the library's own


def test_intents_are_read_line_by_line(tmp_path):
    path = tmp_path / "intents.jsonl"
    good = {
        "id": "a",
        "intent": "secure my data",
        "mode": "playbook",
        "domains": ["d"],
        "targets": ["playbooks/x"],
    }
    path.write_text("\n".join([json.dumps(good), "{", json.dumps({**good, "mode": "magic"})]))
    found = load_tasks(path)
    assert [task.id for task in found.tasks] == ["a"]
    assert found.tasks[0].body.accept_modes == ("playbook",)
    assert [bad.task for bad in found.invalid] == ["line 2", "a"]
    assert found.invalid[1].reasons == (
        "mode: 'magic' is not one of chain, clarify, guided, playbook, reference",
    )


def test_playbook_tasks_are_read(tmp_path):
    (task,) = load_tasks(TASKS / "playbooks.yaml").tasks
    assert (task.type, task.body.playbook) == (TaskType.PLAYBOOK, "secure-sensitive-data")
    path = tmp_path / "bad.yaml"
    path.write_text("- {id: x}\n")
    (bad,) = load_tasks(path).invalid
    assert bad == InvalidTask(
        "x", ("playbook: is missing", "requirements: there must be at least one")
    )


def test_every_labelled_intent_of_the_project_is_a_task():
    path = Path(__file__).parents[1] / "routing" / "dev_intents.jsonl"
    found = load_tasks(path)
    assert found.invalid == ()
    assert len(found.tasks) == len(path.read_text().splitlines())


# ---- names and addresses that a file brings


@pytest.mark.parametrize(
    "name", ["../../etc", "a/b", "..", ".hidden", "-rf", "a b", "a\nb", "x" * 121, "ü", "a\\b"]
)
def test_an_id_that_leads_elsewhere_is_refused(tmp_path, name):
    (reason,) = _reasons(_loaded(tmp_path, _entry(instance_id=name)))
    assert reason.startswith("instance_id: ")


@pytest.mark.parametrize(
    "address",
    [
        "--upload-pack=touch /tmp/x",
        "-u",
        "ext::sh -c id",
        "https://-oProxyCommand=id/x",
        "ssh://-oProxyCommand=id/x",
        "../../somewhere",
        "/etc",
        "~/work",
        "a/../../b",
        "git@example.com:a/b",
        "C:\\repositories",
        "javascript://x",
    ],
)
def test_an_address_with_an_option_or_a_way_out_is_refused(tmp_path, address):
    (reason,) = _reasons(_loaded(tmp_path, _entry(repo_url=address)))
    assert reason.startswith("repo_url: ")


@pytest.mark.parametrize(
    "address",
    ["https://example.com/a/b.git", "ssh://git@example.com/a", "file:///srv/a", "repositories/a"],
)
def test_an_address_of_a_repository_is_kept(tmp_path, address):
    (task,) = _loaded(tmp_path, _entry(repo_url=address)).tasks
    assert task.body.repo_url == address


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", "a/../../b"])
def test_a_folder_outside_of_the_tasks_is_refused(tmp_path, folder):
    entry = {"instance_id": "one", "task_type": "SNOWFLAKE", "folder": folder}
    (reason,) = _reasons(_loaded(tmp_path, entry))
    assert "leads out of the folder of the tasks" in reason


def test_answers_of_a_task_have_no_more_turns_than_it_allows(tmp_path):
    gold = 'gold: "SELECT 1;\\n-- turn 2\\nSELECT 2;\\n-- turn 3\\nSELECT 3;"'
    asked = _folder(tmp_path, lambda text: text.replace("level: 1", f"level: 1\nturns: 2\n{gold}"))
    assert _reasons(load_tasks(asked)) == ("turns: 'gold' has 3, more than 2",)
    (tmp_path / "more").mkdir()
    asked = _folder(
        tmp_path / "more", lambda text: text.replace("level: 1", f"level: 1\nturns: 3\n{gold}")
    )
    assert load_tasks(asked).tasks[0].turns == 3


def test_the_complete_set_is_the_open_and_the_sealed_one():
    both = load_tasks("complete")
    parts = [load_tasks(name) for name in ("snowflake", "sealed")]
    assert (both.name, both.invalid) == ("complete", ())
    assert both.tasks == (*parts[0].tasks, *parts[1].tasks)
    assert both.sealed == len(parts[1].tasks)
