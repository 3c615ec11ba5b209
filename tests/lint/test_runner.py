"""Selection, silence about broken files, and allowances."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skills_nb.errors import UsageError
from skills_nb.lint import RULES, lint, selected_rules
from skills_nb.reading import read_both

BASE = Path(__file__).parent / "base"
TAGS = "primitives/tags/skill.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a copy of the sound library."""
    return Path(shutil.copytree(BASE, tmp_path / "library"))


def edit(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new, 1))


def codes(root: Path, *select: str, today: str | None = "2026-03-01") -> list[str]:
    library, documents = read_both(root)
    return [each.code for each in lint(documents, library, select=select, today=today)]


def test_a_selection_is_a_code_or_a_beginning():
    assert [rule.code for rule in selected_rules(["SK104"])] == ["SK104"]
    assert [rule.code for rule in selected_rules(["sk12"])] == [
        *("SK121", "SK122", "SK123", "SK124")
    ]
    assert [rule.code for rule in selected_rules([])] == sorted(RULES)


def test_a_selection_that_names_no_rule_is_refused():
    with pytest.raises(UsageError, match="'SK9' names no rule"):
        selected_rules(["SK1", "SK9"])


def test_only_the_selected_rules_speak(root):
    edit(root, TAGS, "name: tags", "name: tag")
    edit(root, TAGS, "# Tags", "## Tags")
    assert codes(root, "SK104") == ["SK104"]
    assert codes(root, "SK2") == ["SK203", "SK202"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (TAGS, "type: primitive", "type: [primitive"),
        ("playbooks/protect-columns/playbook.md", "inputs:", "inputs: {"),
        ("routers/data-security/router.md", "parameters:", "parameters: '"),
        ("router.md", "domains:", "domains: ["),
        ("skill-index.yaml", "routers:", "routers: ]"),
    ],
)
def test_one_broken_file_gives_one_diagnostic(root, path, old, new):
    edit(root, path, old, new)
    library, documents = read_both(root)
    found = lint(documents, library, today="2026-03-01")
    assert [(each.code, each.span.path) for each in found] == [("SK007", path)]


def test_without_a_date_nothing_is_stale(root):
    assert codes(root, today=None) == []
    assert codes(root, today="2030-01-01") == ["SK304"] * 3


def test_an_allowance_holds_for_its_section_only(root):
    allow = "\n<!-- lint: allow SK301 because the manual says so -->\n"
    edit(root, TAGS, "up to 50 tags.", f"up to 50 tags, simply.\n{allow}")
    assert codes(root) == []
    edit(root, TAGS, "Names with values", "Simply names with values")
    assert codes(root) == ["SK301"]


def test_an_allowance_above_the_first_section_holds_for_the_file(root):
    allow = "<!-- lint: allow SK301 because it is a quotation throughout -->\n\n# Tags"
    edit(root, TAGS, "# Tags", allow)
    edit(root, TAGS, "up to 50 tags.", "up to 50 tags, simply.")
    edit(root, TAGS, "Names with values", "Simply names with values")
    assert codes(root) == []


def test_an_allowance_is_not_called_unused_when_its_rule_did_not_run(root):
    edit(root, TAGS, "# Tags", "<!-- lint: allow SK301 because of a quotation -->\n\n# Tags")
    assert codes(root, "SK310") == []
    assert codes(root) == ["SK310"]
    assert codes(root, "SK301", "SK310") == ["SK310"]


def test_a_rule_is_silent_about_a_file_that_fails_what_it_requires(root):
    edit(root, "skill-index.yaml", "  tags:\n    domain: data-security\n", "")
    edit(root, TAGS, "domain: data-security", "domain: data-loading")
    assert "SK103" not in codes(root)
