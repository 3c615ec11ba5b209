"""Opening a library: what is read when, what is refused, what is laid over."""

from __future__ import annotations

import subprocess
import sys

import pytest

from skills_nb.errors import LibraryError
from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.library import IndexEntry, Vocabulary
from skills_nb.reading import (
    open_library,
    read_both,
    read_digest,
    read_documents,
    skill_problems,
)


def test_a_sound_library_opens_without_a_diagnostic(library):
    opened = open_library(library())
    assert opened.diagnostics == ()
    assert opened.version == "1.2"
    assert dict(opened.index) == {
        "routers/data-security": IndexEntry(
            "routers", "data-security", "data-security", ("playbooks/protect", "primitives/tags")
        ),
        "playbooks/protect": IndexEntry("playbooks", "protect", "data-security", ("tags",)),
        "primitives/tags": IndexEntry("primitives", "tags", "data-security"),
    }
    assert list(opened.playbooks) == ["protect"]
    assert opened.playbook("playbooks/protect").steps[0].title == "Look"


@pytest.mark.parametrize("name", ["router.md", "skill-index.yaml"])
def test_a_directory_without_its_entry_files_is_no_library(library, name):
    with pytest.raises(LibraryError) as caught:
        open_library(library({name: None}))
    assert caught.value.diagnostics == (
        Diagnostic("SK001", Span(name), f"'{name}' is missing", f"Add '{name}'."),
    )


def test_a_path_that_is_no_directory_is_refused(tmp_path):
    with pytest.raises(LibraryError, match="no library at"):
        open_library(tmp_path / "nowhere")
    with pytest.raises(LibraryError, match="no library at"):
        read_digest(tmp_path / "nowhere")


def test_opening_does_not_import_the_markdown_parser(library):
    code = (
        "import sys; from pathlib import Path; from skills_nb.reading import open_library;"
        f"lib = open_library(Path({str(library())!r}));"
        "heavy = {'markdown_it', 'sqlglot', 'jinja2', 'pydantic', 'networkx'};"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules);"
        "lib.routers['data-security'].sections['Routes To'];"
        "assert 'markdown_it' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_text_is_that_of_the_opening_whatever_happens_to_the_file_since(library):
    root = library()
    opened = open_library(root)
    (root / "playbooks/protect/playbook.md").unlink()
    assert opened.playbooks["protect"].title == "Protect"


def test_the_digest_ignores_line_ends_and_byte_order_marks_but_no_word(library):
    plain = library()
    text = (plain / "primitives/tags/skill.md").read_text()
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    same = library({"primitives/tags/skill.md": windows}, "same")
    other = library({"primitives/tags/skill.md": text.replace("Labels", "Marks")}, "other")
    assert open_library(plain).digest == open_library(same).digest == read_digest(same)
    assert open_library(plain).digest != open_library(other).digest


def test_a_broken_index_leaves_the_meta_router_usable(library):
    opened = open_library(library({"skill-index.yaml": "version: [\n"}))
    assert [each.code for each in opened.diagnostics] == ["SK007"]
    assert dict(opened.index) == {}
    assert list(opened.meta.domains) == ["data-security"]


def test_an_index_that_is_a_list_is_one_diagnostic(library):
    opened = open_library(library({"skill-index.yaml": "- a\n- b\n"}))
    assert opened.diagnostics == (
        Diagnostic(
            "SK008",
            Span("skill-index.yaml"),
            "the index '['a', 'b']' is not a list of fields",
            "Write 'version', 'entry', 'routers', 'playbooks' and 'primitives'.",
        ),
    )


def test_a_version_written_as_a_number_is_reported(library):
    opened = open_library(library({"skill-index.yaml": "version: 1.10\n"}))
    assert opened.diagnostics == (
        Diagnostic(
            "SK008",
            Span("skill-index.yaml", 1, 10),
            "version is the number '1.1', not text",
            'Write "1.1" in quotes.',
        ),
    )


def test_one_broken_front_matter_gives_one_diagnostic_and_the_body_stays(library):
    broken = "---\ntype: playbook\nname: [protect\ndomain: x\n---\n\n# Protect\n\nStill here.\n"
    found, documents = read_both(library({"playbooks/protect/playbook.md": broken}))
    assert [str(each.span) for each in documents.diagnostics] == [
        "playbooks/protect/playbook.md:4:7"
    ]
    assert found.playbooks["protect"].title == "Protect"
    assert found.playbooks["protect"].description == "Still here."
    assert found.primitives["tags"].last_reviewed == "2026-01-31"


def test_problems_of_a_skill_are_told_without_reading_the_others(library):
    text = "---\ntype: primitive\nname: tags\ndomain: data-security\ncolour: red\n---\n# Tags\n"
    opened = open_library(library({"primitives/tags/skill.md": text}))
    assert opened.diagnostics == ()
    assert skill_problems(opened, "primitives/tags") == (
        Diagnostic(
            "SK009",
            Span("primitives/tags/skill.md", 5, 1),
            "unknown field 'colour'",
            "Known fields: type, name, domain, description, sources, last_reviewed, "
            "tested_on, expected_errors, depends_on, routes_to.",
            Severity.WARNING,
        ),
    )
    assert skill_problems(opened, "playbooks/protect") == ()
    assert skill_problems(opened, "playbooks/none") == ()
    assert skill_problems(opened, "nonsense") == ()


def test_an_index_row_without_a_file_is_no_skill(library):
    opened = open_library(library({"primitives/tags/skill.md": None}))
    assert "primitives/tags" in opened.index
    assert list(opened.primitives) == []
    assert "tags" not in opened.primitives


def test_the_vocabulary_gives_domains_their_one_name(library):
    vocabulary = (
        "# Words\n\n```\n| Domain | Aliases |\n|---|---|\n| `no` | |\n```\n\n"
        "| Domain | Aliases |\n|---|---|\n| `data-security` | governance, `safety` |\n\n"
        "| Alias | Domain |\n|---|---|\n| guard | data-security |\n\n"
        "| Term | Synonyms |\n|---|---|\n| mask | Redact, hide \\| values, — |\n"
    )
    index = 'version: "1.0"\nprimitives:\n  tags:\n    domain: governance\n'
    opened = open_library(
        library({"spec/controlled-vocabulary.md": vocabulary, "skill-index.yaml": index})
    )
    assert opened.vocabulary == Vocabulary(
        ("data-security",),
        dict.fromkeys(("governance", "safety", "guard"), "data-security"),
        {"redact": "mask", "hide | values": "mask"},
    )
    assert opened.index["primitives/tags"].domain == "data-security"


_PRIMITIVE = "---\ntype: primitive\nname: {}\ndomain: finance\n---\n"
OVERLAY_INDEX = """\
version: "1.0"
domains:
  finance:
    router: routers/finance
    requires: [policies]
routers:
  finance:
    domain: finance
    routes_to: [primitives/ledgers]
primitives:
  ledgers:
    domain: finance
  tags:
    domain: finance
"""


def test_an_overlay_adds_domains_and_skills_and_says_what_both_define(library, tmp_path):
    overlay = tmp_path / "mine"
    for path, text in {
        "skill-index.yaml": OVERLAY_INDEX,
        "routers/finance/router.md": "---\ntype: router\nname: finance\ndomain: finance\n---\n",
        "primitives/ledgers/skill.md": _PRIMITIVE.format("ledgers"),
        "primitives/tags/skill.md": _PRIMITIVE.format("tags"),
    }.items():
        (overlay / path).parent.mkdir(parents=True, exist_ok=True)
        (overlay / path).write_text(text)
    root = library()
    opened = open_library(root, overlay)
    assert list(opened.meta.domains) == ["data-security", "finance"]
    assert list(opened.routers) == ["data-security", "finance"]
    assert list(opened.primitives) == ["tags", "ledgers"]
    assert opened.primitives["tags"].domain == "data-security"
    assert opened.primitives["ledgers"].span == Span("mine/primitives/ledgers/skill.md")
    assert opened.diagnostics == (
        Diagnostic(
            "SK015",
            Span("mine/skill-index.yaml", 13, 3),
            "'primitives/tags' is defined by the library too; the library's counts",
            "Give the overlay's skill another name.",
        ),
    )
    assert opened.digest == read_digest(root, overlay) != open_library(root).digest


def test_an_overlay_needs_no_meta_router_but_an_index(library, tmp_path):
    overlay = tmp_path / "mine"
    overlay.mkdir()
    with pytest.raises(LibraryError, match=r"skill-index\.yaml"):
        open_library(library(), overlay)


def test_a_split_skill_reads_as_one(library):
    opened, documents = read_both(
        library(
            {
                "playbooks/protect/steps/02-more.md": "## Step 2: Act\n\nAct.\n",
                "primitives/tags/examples/basic.md": "# Basic\n\n```sql\nSELECT 1;\n```\n",
                "primitives/tags/examples/data.csv": "a,b\n",
            }
        )
    )
    assert documents.diagnostics == ()
    assert [step.id for step in opened.playbooks["protect"].steps] == ["1", "2"]
    assert opened.primitives["tags"].sections["Examples"] == "```sql\nSELECT 1;\n```"
    assert documents.others == ("primitives/tags/examples/data.csv",)
    main = documents.skill("primitives/tags")
    assert main is not None
    assert [part.path for part in documents.parts_of(main)] == ["primitives/tags/examples/basic.md"]
    assert documents.skill("primitives/none") is None


def test_documents_hold_every_file_with_its_kind(library):
    documents = read_documents(library({"spec/words.md": "# W\n"}))
    assert {path: doc.kind for path, doc in documents.files.items()} == {
        "playbooks/protect/playbook.md": "playbook",
        "primitives/tags/skill.md": "primitive",
        "router.md": "meta-router",
        "routers/data-security/router.md": "router",
        "skill-index.yaml": "index",
        "spec/words.md": "spec",
    }
