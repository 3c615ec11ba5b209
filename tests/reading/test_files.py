"""Bytes to text: encodings, sizes, links and rights."""

from __future__ import annotations

import os

import pytest

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.reading import read_documents
from skills_nb.reading.files import MAX_BYTES

SKILL = "primitives/tags/skill.md"


def found(library, content):
    documents = read_documents(library({SKILL: content}))
    return [each for each in documents.diagnostics if each.span.path == SKILL]


def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(library):
    plain = "---\r\ntype: primitive\r\nname: tags\r\ndomain: d\r\n---\r\n\r\n# Tags\r\n"
    documents = read_documents(library({SKILL: b"\xef\xbb\xbf" + plain.encode()}))
    assert documents.diagnostics == ()
    assert documents.files[SKILL].text == plain.replace("\r\n", "\n")


def test_a_byte_that_is_not_utf_8_is_shown_with_its_place_and_the_rest_is_read(library):
    content = b"---\ntype: primitive\nname: tags\ndomain: d\n---\n# T\xc3\xa4g\xff\n"
    documents = read_documents(library({SKILL: content}))
    assert documents.diagnostics == (
        Diagnostic(
            "SK002", Span(SKILL, 6, 6), "byte '0xff' is not valid UTF-8", "Save the file as UTF-8."
        ),
    )
    assert documents.files[SKILL].sections[0].title == "Täg�"


def test_utf_16_is_named(library):
    assert [each.message for each in found(library, "# T".encode("utf-16"))] == [
        "the file is UTF-16"
    ]


def test_a_huge_file_is_one_diagnostic(library):
    size = MAX_BYTES + 1
    assert [each.message for each in found(library, b"x" * size)] == [
        f"the file has {size} bytes; files over {MAX_BYTES} bytes are not read"
    ]


def test_an_empty_file_says_that_it_has_no_front_matter(library):
    assert [(each.code, each.message) for each in found(library, "")] == [
        ("SK005", "the file has no front matter")
    ]


def test_links_that_loop_leave_the_library_or_lead_nowhere_are_refused(library, tmp_path):
    root = library()
    (tmp_path / "secret.md").write_text("# Secret\n")
    (root / "primitives/loop").symlink_to(root / "primitives")
    (root / "primitives/self.md").symlink_to(root / "primitives/self.md")
    (root / "primitives/gone.md").symlink_to(root / "nowhere.md")
    (root / "primitives/out.md").symlink_to(tmp_path / "secret.md")
    (root / "primitives/far").symlink_to(tmp_path)
    (root / "primitives/alias.md").symlink_to(root / SKILL)
    documents = read_documents(root)
    assert [(each.code, each.span.path, each.message) for each in documents.diagnostics] == [
        ("SK004", "primitives/far", "the link leads out of the library"),
        (
            "SK004",
            "primitives/gone.md",
            "the link leads nowhere (No such file or directory)",
        ),
        ("SK004", "primitives/loop", "the link leads back to a folder that contains it"),
        ("SK004", "primitives/out.md", "the link leads out of the library"),
        (
            "SK004",
            "primitives/self.md",
            "the link leads nowhere (Too many levels of symbolic links)",
        ),
    ]


@pytest.mark.posix("pipes with a name")
def test_a_pipe_in_place_of_a_file_does_not_block(library):
    root = library()
    os.mkfifo(root / "primitives/pipe.md")
    assert [each.message for each in read_documents(root).diagnostics] == ["not a regular file"]


@pytest.mark.posix("modes that close a file")
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_diagnostic(library):
    root = library()
    (root / SKILL).chmod(0)
    assert [each.code for each in read_documents(root).diagnostics] == ["SK001"]


def test_hidden_files_do_not_belong_to_the_library(library):
    root = library({"primitives/.git/skill.md": "# no\n", "primitives/tags/.DS_Store": b"\0"})
    documents = read_documents(root)
    assert documents.others == ()
    assert len(documents.files) == 5


def test_folders_nested_too_deeply_are_not_followed(library):
    root = library({"primitives/a/b/c/d/e/f/g/h/skill.md": "# deep\n"})
    assert [each.code for each in read_documents(root).diagnostics] == ["SK001"]
