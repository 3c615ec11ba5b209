"""Corners of rules that a case document would only repeat."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skills_nb.lint import lint
from skills_nb.reading import read_both
from skills_nb.sql.syntax import trouble_of
from skills_nb.sql.templates.unfilled_templates import statements_of, without_templates

BASE = Path(__file__).parent / "base"
PLAYBOOK = "playbooks/protect-columns/playbook.md"
ROUTER = "routers/data-security/router.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a copy of the sound library."""
    return Path(shutil.copytree(BASE, tmp_path / "library"))


def edit(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new, 1))


def found(root: Path, *select: str, overlay: Path | None = None) -> list[str]:
    library, documents = read_both(root, overlay)
    return [str(each) for each in lint(documents, library, select=select, today="2026-03-01")]


def test_without_a_vocabulary_every_domain_is_fine(root):
    (root / "spec/controlled-vocabulary.md").unlink()
    assert found(root) == []


@pytest.mark.parametrize(
    ("target", "message", "hint"),
    [
        ("routers/data-loading", "depends on the router 'data-loading'", "Drop it."),
        (
            "playbooks/other",
            "depends on the playbook 'other'",
            "Depend on the primitives it uses.",
        ),
    ],
)
def test_a_typed_dependency_is_named_for_what_it_is(root, target, message, hint):
    edit(root, PLAYBOOK, "depends_on: [tags,", f"depends_on: [{target}, tags,")
    assert found(root, "SK113") == [
        f"{PLAYBOOK}:5:14: SK113 the playbook {message}\n  hint: {hint}"
    ]


def test_outputs_of_playbooks_of_other_domains_can_be_mapped(root):
    edit(root, "router.md", "{from: tables,", "{from: policies_made,")
    edit(
        root,
        "router.md",
        "    requires: [tables]\n",
        "    requires: [tables]\n    uses: [policies]\n",
    )
    assert [each.split(" ")[1] for each in found(root, "SK12")] == ["SK123"]
    edit(root, PLAYBOOK, "domain: data-security", "domain: data-loading")
    edit(root, PLAYBOOK, "{name: policies, from", "{name: policies_made, from")
    messages = found(root, "SK123")
    assert messages == [
        "router.md:22:35: SK123 no playbook of 'data-security' has an input 'target_scope'\n"
        "  hint: Inputs are not there yet."
    ]


def test_a_finding_about_an_overlays_domain_stands_in_its_index(root, tmp_path):
    overlay = tmp_path / "mine"
    overlay.mkdir()
    (overlay / "skill-index.yaml").write_text(
        'version: "1.0"\nentry: router.md\ndomains:\n  finance:\n'
        "    router: routers/data-security\n    requires: [ledgers]\n"
    )
    assert found(root, "SK1", overlay=overlay) == [
        "mine/skill-index.yaml:6:15: SK122 no domain produces 'ledgers', which 'finance' needs\n"
        "  hint: Add 'ledgers' to 'produces' of a domain."
    ]


def test_an_empty_routing_section_is_reported_once(root):
    text = (root / ROUTER).read_text()
    begin, end = text.index("| Intent names"), text.index("## Routes To")
    (root / ROUTER).write_text(text[:begin] + text[end:])
    assert [each.split(" ")[1] for each in found(root)] == ["SK206"]


def test_a_probe_that_does_not_parse_leaves_its_names_open(root):
    edit(
        root,
        PLAYBOOK,
        '"SHOW MASKING POLICIES IN SCHEMA {{ target_scope }}"',
        '"SELECT FROM WHERE"',
    )
    edit(root, PLAYBOOK, '"count > 0"', '"anything > 0"')
    assert found(root, "SK432") == []


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("LIMIT {{ n }}", "LIMIT 1"),
        ("LIMIT {{ n | int }}", "LIMIT 1"),
        ("LIKE {{ name_part }}", "LIKE 'X_1'"),
        ("FROM {{ name(a, 'PUBLIC', b) }}", "FROM X_1.PUBLIC.X_1"),
        ("FROM {{ ident(a, 'MASK_', b) }}", "FROM X_1"),
        ("x => {{\n  a }}", "x => 'X_1'\n"),
        ("SELECT {# why #} 1", "SELECT   1"),
        ("{% if a %}SELECT 1{% endif %}", None),
    ],
)
def test_stand_ins_fit_their_place(template, expected):
    assert without_templates(template, {"n"}) == expected


def test_statements_of_plain_and_of_scripted_sql():
    assert [(each.text, each.line) for each in statements_of("\n\nSELECT 1;\n")] == [
        ("SELECT 1", 3)
    ]
    assert [each.text for each in statements_of("SELECT ';'; SELECT 2")] == [
        "SELECT ';'",
        "SELECT 2",
    ]


def test_sql_nested_beyond_reason_does_not_end_the_program():
    assert trouble_of(f"SELECT {'(' * 5000}1{')' * 5000}") is not None
