"""Agent Skills folders: what the reference validator accepts, and the way back."""

from pathlib import Path

import pytest

from skills_nb.authoring.agent_skills import Note, import_folders, skill_folders
from skills_nb.authoring.workspace import Workspace
from skills_nb.errors import UsageError
from skills_nb.reading import read_both
from tests.authoring.conftest import BASE, found

SHIPPED = Path(__file__).parents[2] / "library"
LONG = "x" * 60


@pytest.fixture(params=[BASE, SHIPPED], ids=["small", "shipped"])
def library(request):
    return read_both(request.param)


def written(texts, folder):
    Workspace(folder).write(texts)
    return folder


def test_the_reference_validator_accepts_every_folder(library, tmp_path):
    validator = pytest.importorskip("skills_ref.validator")
    folder = written(skill_folders(*library), tmp_path / "out")
    folders = sorted(path for path in folder.iterdir())
    assert len(folders) == len(library[0].index)
    assert {each.name: validator.validate(each) for each in folders} == {
        each.name: [] for each in folders
    }


def test_what_was_exported_comes_back_letter_by_letter(library, tmp_path):
    folder = written(skill_folders(*library), tmp_path / "out")
    back = import_folders(folder, known=frozenset())
    documents = library[1].of_kind("router", "playbook", "primitive", "part")
    registered = {ref.removesuffix("/") for ref in library[0].index}
    before = {
        d.path: d.text.rstrip("\n") + "\n"
        for d in documents
        if "/".join(d.path.split("/")[:2]) in registered
    }
    assert (dict(back.texts), back.notes) == (before, ())
    assert back.refs == tuple(sorted(library[0].index))


def test_descriptions_say_what_and_when(library):
    texts = skill_folders(*library)
    assert all("description: " in text for path, text in texts.items() if path.endswith("SKILL.md"))
    if "tags/SKILL.md" in texts:
        line = next(each for each in texts["tags/SKILL.md"].split("\n") if "description" in each)
        assert line == 'description: "Names with values that objects carry. Use for: Tags only."'


def test_two_kinds_that_share_a_name_get_folders_of_their_own(place):
    assert {"data-security", "tags"} <= {p.split("/")[0] for p in skill_folders(*place.read())}
    skill = place.root / "primitives" / "tags"
    skill.rename(place.root / "primitives" / "data-security")
    index = place.root / "skill-index.yaml"
    index.write_text(index.read_text().replace("  tags:\n", "  data-security:\n"))
    folders = {p.split("/")[0] for p in skill_folders(*place.read())}
    assert {"data-security-router", "data-security-primitive"} <= folders


def test_a_name_that_is_too_long_is_refused(place):
    name = f"{LONG}-abcde"
    (place.root / "primitives" / "tags").rename(place.root / "primitives" / name)
    index = place.root / "skill-index.yaml"
    index.write_text(index.read_text().replace("  tags:\n", f"  {name}:\n"))
    with pytest.raises(UsageError, match="66 characters"):
        skill_folders(*place.read())


FOREIGN = """\
---
name: rotate-keys
description: Rotates keys of service users. Use when a key is older than 90 days.
license: MIT
---

## Instructions

Ask for the user.
"""


def test_a_foreign_folder_becomes_a_primitive_and_says_what_it_lacks(beside, tmp_path):
    folder = tmp_path / "theirs" / "rotate-keys"
    written({"SKILL.md": FOREIGN, "scripts/run.py": "print()\n"}, folder)
    got = import_folders(folder.parent, domain="data-security", known=frozenset())
    assert got.refs == ("primitives/rotate-keys",)
    assert got.notes == (
        Note(
            "rotate-keys/SKILL.md",
            "field 'license' has no place in a skill",
            "Say it in the text, if it matters there.",
        ),
        Note(
            "rotate-keys/scripts/run.py",
            "the file is not taken over",
            "Put Markdown that belongs to the skill into its examples/ or steps/.",
        ),
    )
    assert dict(got.texts) == {
        "primitives/rotate-keys/skill.md": """\
---
type: primitive
name: rotate-keys
domain: data-security
---

# Rotate keys

Rotates keys of service users. Use when a key is older than 90 days.

## Instructions

Ask for the user.
"""
    }
    beside.write(got.texts)
    lacks = {code for path, code in found(beside)}
    assert lacks == {"SK101", "SK201", "SK202", "SK305"}


def test_a_text_with_steps_becomes_a_playbook_over_the_primitives_it_names(tmp_path):
    text = FOREIGN.replace("## Instructions", "# Rotate\n\n## Step 1: Look\n\n`primitives/tags`")
    written({"SKILL.md": text}, tmp_path / "rotate-keys")
    got = import_folders(tmp_path / "rotate-keys", known=frozenset())
    body = got.texts["playbooks/rotate-keys/playbook.md"]
    assert "depends_on: [tags]" in body
    assert "# Rotate\n\nRotates keys of service users." in body


def test_folders_that_cannot_be_taken_are_left_out_with_a_reason(tmp_path):
    written(
        {
            "a/SKILL.md": FOREIGN,
            "b/SKILL.md": FOREIGN.replace("rotate-keys", "Rotate_Keys"),
            "c/SKILL.md": "no front matter\n",
        },
        tmp_path,
    )
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "SKILL.md").write_bytes(b"\xff")
    got = import_folders(tmp_path, known=frozenset({"primitives/rotate-keys"}))
    assert (dict(got.texts), got.refs) == ({}, ())
    assert [(note.path, note.message.split(":")[0]) for note in got.notes] == [
        ("a/SKILL.md", "'primitives/rotate-keys' exists already"),
        ("a/SKILL.md", "field 'license' has no place in a skill"),
        ("b/SKILL.md", "name 'Rotate_Keys' is not in kebab-case"),
        ("c/SKILL.md", "the file has no front matter"),
        ("d/SKILL.md", "it cannot be read"),
    ]


def test_a_directory_without_skills_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no SKILL\.md"):
        import_folders(tmp_path, known=frozenset())
