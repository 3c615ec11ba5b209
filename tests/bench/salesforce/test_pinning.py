"""Entries get the commit that their branch stands at, and are told what they lack."""

import json
import subprocess

import pytest

from skills_nb.bench.salesforce.checkout import commit_of_folder
from skills_nb.bench.salesforce.pinning import pin_file
from skills_nb.bench.tasks import load_tasks
from skills_nb.commands import App
from skills_nb.errors import UsageError


@pytest.fixture
def origin(tmp_path):
    """A repository with two commits, a branch at each, and a tag that is an object of its own."""
    made = tmp_path / "made"
    made.mkdir()
    (made / "sfdx-project.json").write_text("{}")
    place = tmp_path / "origin"
    first = commit_of_folder(made, place)

    def git(*words):
        named = ("-c", "user.name=t", "-c", "user.email=t@example.com")
        ran = subprocess.run(["git", *named, *words], cwd=place, capture_output=True, check=True)
        return ran.stdout.decode().strip()

    git("branch", "old")
    git("tag", "--annotate", "v1", "--message", "one")
    git("commit", "--quiet", "--allow-empty", "--message", "second")
    return f"file://{place}", first, git("rev-parse", "HEAD")


def _entry(name, url, **changes):
    """Return an entry in the shape of the original's."""
    return {
        "instance_id": name,
        "task_type": "APEX",
        "repo_url": url,
        "base_commit": "main",
        "problem_description": "Do it.",
        "validation": {
            "command": "sf apex run test --class-names A --result-format json",
            "expected_outcome": "Passed",
            "code_checks": ["null_check_required", "no_hardcoded_ids"],
        },
        "timeouts": {"setup": 600, "run": 300},
        "metadata": {"difficulty": "medium", "category": "apex"},
        **changes,
    }


def _file(tmp_path, *entries):
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(list(entries)))
    return path


def test_branches_and_tags_become_commits(tmp_path, origin):
    url, first, second = origin
    path = _file(
        tmp_path,
        _entry("branch", url),
        _entry("other", url, base_commit="old"),
        _entry("tag", url, base_commit="v1"),
        _entry("unsaid", url, base_commit=""),
        _entry("sha", url, base_commit="a" * 40),
    )
    assert [(e.name, e.commit, e.is_usable) for e in pin_file(path)] == [
        ("branch", second, True),
        ("other", first, True),
        ("tag", first, True),
        ("unsaid", second, True),
        ("sha", "a" * 40, True),
    ]


def test_what_a_task_lacks_is_said(tmp_path, origin):
    (found,) = pin_file(_file(tmp_path, _entry("one", origin[0])))
    assert found.lacks == (
        "no hidden or protected tests: an answer could write its own",
        "no functional validation: half of the score is never measured",
        "no bulk script",
        "no gold: nobody has shown that it can be solved",
        "no mutants: nobody has shown that wrong answers fail",
        "2 code checks in words, which nothing measures",
    )


def test_what_cannot_be_pinned_stays_and_is_named(tmp_path, origin):
    url = origin[0]
    path = _file(
        tmp_path,
        _entry("gone", url, base_commit="nowhere"),
        _entry("away", "file:///no/such/place"),
        _entry("option", "--upload-pack=touch x"),
        _entry("words", url, functional_validation={"test_scenarios": ["look at it"]}),
    )
    gone, away, option, words = pin_file(path)
    assert gone.lacks[0] == f"base_commit: {url} has no branch or tag 'nowhere'"
    assert "cannot be asked" in away.lacks[0]
    assert not any(found.is_usable for found in (gone, away, option, words))
    assert (gone.document["base_commit"], gone.commit) == ("nowhere", "")
    assert any("is neither an https" in reason for reason in option.lacks)
    assert any("can only be checked by a person" in reason for reason in words.lacks)


def test_shapes_of_the_original(tmp_path, origin):
    url = origin[0]
    jest = {"command": "npm run test:unit -- --coverage --testPathPattern=table"}
    scripts = {"one.apex": "insert new Account(Name = 'A');"}
    functional = {
        "description": "It works.",
        "test_data_script": "scripts/apex/one.apex",
        "verification_query": "SELECT Description FROM Account",
        "expected_values": {
            "record_count": 1,
            "field_value": {"field": "Description", "value": "Unassigned"},
        },
        "bulk_test_script": "scripts/apex/one.apex",
        "negative_test": {"description": "d", "script": "one.apex", "expected_outcome": "None"},
    }
    path = _file(
        tmp_path,
        _entry("integration", url, task_type="INTEGRATION"),
        _entry("lwc", url, task_type="LWC", validation=jest),
        _entry("page", url, task_type="COMMUNITY"),
        _entry("measured", url, functional_validation=functional, test_scripts=scripts),
        _entry("guests", url, functional_validation={"security_test_required": True}),
    )
    found = {entry.name: entry for entry in pin_file(path)}
    usable = [name for name, entry in found.items() if entry.is_usable]
    assert usable == ["integration", "lwc", "page", "measured"]
    assert "no names of Jest tests that must run" in found["lwc"].lacks
    assert not any("functional" in reason for reason in found["measured"].lacks)
    (reason,) = found["guests"].lacks
    assert reason.endswith("can only be checked by a person")


def test_the_command_writes_a_file_whose_tasks_load(tmp_path, origin):
    path, target = _file(tmp_path, _entry("one", origin[0])), tmp_path / "pinned.json"
    assert load_tasks(path).tasks == ()
    app = App(tmp_path / "home")
    try:
        reply = app.invoke(["eval", "--tasks", str(path), "--pin", str(target)])
        assert (reply.status, reply.document[0]["usable"]) == (0, "yes")
        (task,) = load_tasks(target).tasks
        assert task.body.base_commit == origin[2]
        with pytest.raises(UsageError, match="is there already"):
            app.invoke(["eval", "--tasks", str(path), "--pin", str(target)])
        with pytest.raises(UsageError, match="--pin needs a file of tasks"):
            app.invoke(["eval", "--pin", str(tmp_path / "x.json")])
    finally:
        app.close()


def test_a_file_that_is_no_list_is_refused(tmp_path):
    (tmp_path / "tasks.json").write_text('{"a": 1}')
    with pytest.raises(UsageError, match="a list of tasks is needed"):
        pin_file(tmp_path / "tasks.json")
