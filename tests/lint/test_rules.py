"""Every rule holds its case document, and has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.errors import UsageError
from skills_nb.lint import RULES, explain_rule
from skills_nb.lint.registry import rule

CASES = sorted((Path(__file__).parent / "cases").glob("SK*.md"))


def conftest(request):
    """Return the module that reads case documents."""
    path = str(Path(__file__).parent / "conftest.py")
    return request.config.pluginmanager.get_plugin(path)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_failing_examples_fail_exactly_as_the_case_says(path, request, inspect_all):
    case = conftest(request).read_case(path)
    for example, found in inspect_all(case.failing):
        assert "\n".join(str(each) for each in found) == example.expected


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_passing_examples_pass_every_rule(path, request, inspect_all):
    case = conftest(request).read_case(path)
    assert [found for _, found in inspect_all(case.passing)] == [()] * len(case.passing)


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_rule_has_its_case_its_examples_its_spec_and_its_page(code, request):
    entry = RULES[code]
    named = [path for path in CASES if path.name == f"{code}-{entry.name}.md"]
    assert len(named) == 1
    case = conftest(request).read_case(named[0])
    assert case.title == f"{code} {entry.name}"
    assert case.spec == entry.spec
    assert case.failing, "no failing example"
    assert case.passing, "no passing example"
    assert all(f" {code} " in example.expected for example in case.failing)
    assert all(example.changes for example in (*case.failing, *case.passing))
    assert entry.summary
    assert "\nFails: " in entry.page
    assert "\nPasses: " in entry.page
    assert set(entry.requires) <= set(RULES)
    assert explain_rule(code).startswith(f"# {code} {entry.name}\n\n{entry.summary}\n")


def test_no_case_is_left_without_its_rule():
    assert [path.stem.partition("-")[0] for path in CASES] == sorted(RULES)


def test_rule_names_are_told_apart():
    names = [entry.name for entry in RULES.values()]
    assert len(set(names)) == len(names)


def test_the_base_library_of_the_cases_is_sound(inspect, request):
    assert inspect(conftest(request).Example("base")) == ()


def test_a_page_is_found_by_code_or_name_and_an_unknown_one_is_refused():
    assert explain_rule("sk104") == explain_rule("matching-name")
    assert explain_rule("SK103").endswith(
        "Reported as an error. Spec: Architecture > Discovery.\n\n"
        "Silent about a file for which SK101, SK102 is reported.\n"
    )
    with pytest.raises(UsageError, match="'SK999' is no rule"):
        explain_rule("SK999")


def test_a_code_cannot_be_taken_twice():
    with pytest.raises(ValueError, match="rule SK104 is there twice"):
        rule("SK104", "again", spec="x")(lambda subject: ())
