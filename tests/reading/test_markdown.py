"""Markdown bodies: sections, fences, tables and prose with their lines."""

from __future__ import annotations

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Allowance, Fence, Prose, Row, Section, Table
from skills_nb.reading.markdown import parse_markdown


def test_sections_end_where_the_next_of_their_level_begins():
    body = parse_markdown("# A\n\nx\n\n## B\n\ny\n\n### C\n\nz\n\n## D\n", "f.md", 11)
    assert body.sections == (
        Section("A", 1, 11, 23, "x\n\n## B\n\ny\n\n### C\n\nz\n\n## D"),
        Section("B", 2, 15, 22, "y\n\n### C\n\nz"),
        Section("C", 3, 19, 22, "z"),
        Section("D", 2, 23, 23, ""),
    )


def test_a_heading_inside_code_is_no_section():
    assert parse_markdown("```\n# no\n```\n", "f.md").sections == ()


def test_fences_know_language_lines_and_column():
    body = parse_markdown("- item\n\n  ```SQL title\n  SELECT 1;\n  ```\n", "f.md", 5)
    assert body.fences == (Fence("sql", "SELECT 1;\n", 7, 9, 3, True),)
    assert body.fences[0].code_line == 8


def test_a_fence_that_is_never_closed_is_reported_once():
    body = parse_markdown("a\n\n```sql\nSELECT 1;\n", "f.md")
    assert body.fences[0].closed is False
    assert body.problems == (
        Diagnostic(
            "SK013",
            Span("f.md", 3, 1),
            "code block '```sql' is never closed",
            "Add a line '```' after the code.",
        ),
    )


def test_longer_fences_may_hold_shorter_ones():
    body = parse_markdown("````md\n```sql\nx\n```\n````\n", "f.md")
    assert (body.problems, len(body.fences)) == ((), 1)


def test_tables_have_rows_with_lines_and_escaped_pipes():
    body = parse_markdown("| `A` | B |\n|---|---|\n| x \\| y | z |\n| only |\n", "f.md", 3)
    assert body.tables == (Table(("`A`", "B"), (Row(("x | y", "z"), 5), Row(("only", ""), 6)), 3),)
    assert body.tables[0].column("b") == 1
    assert body.tables[0].column("none", "a") == 0
    assert body.tables[0].column("none") is None


def test_prose_is_told_from_lists_code_and_headings():
    body = parse_markdown("# H\n\none\ntwo\n\n- item\n\n```\ncode\n```\n", "f.md")
    assert body.prose == (Prose("one\ntwo", 3), Prose("item", 6, True))
    assert list(body.prose[0].lines()) == [(3, "one"), (4, "two")]


def test_an_allowance_in_a_code_span_is_only_shown():
    assert parse_markdown("Say `<!-- lint: allow SK301 because X -->`.", "f.md").allowances == ()


def test_allowances_carry_code_reason_and_line():
    text = (
        "x\n\n<!-- lint: allow SK301 because the word\nis a name -->\n<!-- lint: allow SK302 -->\n"
    )
    assert parse_markdown(text, "f.md", 10).allowances == (
        Allowance("SK301", "the word is a name", 12),
        Allowance("SK302", "", 14),
    )


def test_ten_thousand_open_comments_do_not_hang():
    assert parse_markdown("<!-- lint: allow SK301 because " * 10_000, "f.md").allowances == ()
