"""The author's loop, in the steps of the authoring guide, as a new user takes them."""

import json
import re
from pathlib import Path

import pytest

from skills_nb.commands import App
from skills_nb.commands.home.library_choice import (
    LibraryChoice,
    remember_library,
    remembered_library,
)
from skills_nb.errors import LibraryError, UsageError
from skills_nb.views import render_text
from tests.authoring.conftest import BASE

GUIDE = (Path(__file__).parents[2] / "library" / "spec" / "authoring-guide.md").read_text()
COMMANDS = re.findall(r"^```bash\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
FILES = re.findall(r"`(my-skills/\S+?)`.*?\n~~~~markdown\n(.*?)^~~~~", GUIDE, re.S | re.M)


@pytest.fixture
def app(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = App(tmp_path / ".skills")
    yield app
    app.close()


def say(app, *words):
    reply = app.invoke(list(words))
    return reply.status, render_text(reply.view)


def follow(app, block):
    return [app.invoke(line.split()[1:]) for line in block.strip().split("\n")]


@pytest.mark.slow
def test_the_guide_leads_from_nothing_to_a_dry_run(app):
    *_, first_look = follow(app, COMMANDS[0])
    codes = sorted({d["code"] for d in first_look.document["diagnostics"]})
    assert first_look.status == 1
    assert codes == ["SK116", "SK204", "SK206", "SK403", "SK408", "SK418", "SK419"]
    for path, text in FILES:
        assert Path(path).is_file()
        Path(path).write_text(text)
    written, look, dry, started = follow(app, COMMANDS[1])
    assert written.document["differs"] is True
    assert (look.document["diagnostics"], look.status) == ([], 0)
    assert (dry.pause.kind, dry.status) == ("dry_run_summary", 3)
    assert "create  view  PROD.CUSTOMER_DATA.ROW_COUNTS" in render_text(dry.view)
    assert started.pause.at == "1"
    app.invoke(["approve"])
    assert app.invoke(["approve"]).document["status"] == "completed"
    found = app.invoke(["sql", "SELECT COUNT(*) FROM PROD.CUSTOMER_DATA.ROW_COUNTS"]).document
    assert found["rows"] == [[3]]
    assert app.invoke(["route", "count rows of my tables"]).document["targets"] == [
        "playbooks/count-rows"
    ]


def test_the_shipped_library_is_nobodys_to_edit(app):
    for words in (
        ["new", "primitive", "x", "--domain", "data-security"],
        ["index", "--write"],
        ["lint", "--fix"],
        ["import", "x"],
    ):
        with pytest.raises(UsageError, match="not yours to edit"):
            app.invoke(words)


def test_a_choice_holds_for_the_next_process_and_can_be_taken_back(app, tmp_path):
    app.invoke(["library", str(BASE)])
    again = App(tmp_path / ".skills")
    assert again.invoke(["library"]).document["domains"].keys() == {"data-loading", "data-security"}
    assert again.invoke(["library", "--shipped"]).document["overlay"] is None
    assert "data-integration" in App(tmp_path / ".skills").invoke(["library"]).document["domains"]


def test_what_is_no_library_is_not_chosen(app, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(LibraryError):
        app.invoke(["library", str(tmp_path / "empty")])
    with pytest.raises(UsageError):
        app.invoke(["library", "--shipped", "--overlay", "mine"])
    assert remembered_library(tmp_path / ".skills") == LibraryChoice()


def test_a_note_that_cannot_be_read_says_how_to_choose_again(app, tmp_path):
    remember_library(tmp_path / ".skills", LibraryChoice(BASE))
    (tmp_path / ".skills" / "library.json").write_text("{")
    with pytest.raises(UsageError) as refused:
        app.invoke(["library"])
    assert refused.value.hint == "choose again: library --shipped"
    app.invoke(["library", "--shipped"])
    assert app.invoke(["library"]).status == 0


def test_findings_of_the_library_beneath_are_not_the_authors(app, tmp_path):
    import shutil

    base = Path(shutil.copytree(BASE, tmp_path / "base"))
    tags = base / "primitives" / "tags" / "skill.md"
    tags.write_text(tags.read_text().replace("## Constraints", "## Limits"))
    app.invoke(["library", str(base), "--overlay", "mine"])
    assert app.invoke(["lint", "--select", "SK2"]).document["diagnostics"] == []
    assert app.invoke(["lint", str(base), "--select", "SK2"]).status == 1
    app.invoke(["new", "primitive", "more", "--domain", "data-security"])
    own = app.invoke(["lint", "--select", "SK2"]).document["diagnostics"]
    assert {d["path"] for d in own} == {"mine/primitives/more/skill.md"}
    assert app.invoke(["lint", "mine", "--select", "SK2"]).document["diagnostics"] == own


def test_fix_says_what_it_did_and_what_is_left(app, tmp_path):
    app.invoke(["library", str(BASE), "--overlay", "mine"])
    app.invoke(["new", "primitive", "more", "--domain", "data-security"])
    Path("mine/skill-index.yaml").write_text('version: "1.0"\n')
    status, text = say(app, "lint", "--fix")
    assert text.startswith("Fixed skill-index.yaml: rows as the files have them.")
    assert (status, "SK101" in text, "SK206" in text) == (1, False, True)
    assert app.invoke(["lint", "--fix", "--json"]).document["fixed"] == []


def test_index_tells_a_difference_by_its_status(app, tmp_path):
    app.invoke(["library", str(BASE), "--overlay", "mine"])
    assert say(app, "index") == (0, "skill-index.yaml says what the files say.")
    app.invoke(["new", "primitive", "more", "--domain", "data-security"])
    good = Path("mine/skill-index.yaml").read_text()
    Path("mine/skill-index.yaml").write_text('version: "1.0"\n')
    status, text = say(app, "index")
    assert (status, "+  more:" in text) == (1, True)
    assert app.invoke(["index", "--write"]).status == 0
    assert Path("mine/skill-index.yaml").read_text() == good


@pytest.mark.parametrize(
    ("name", "begin"), [("g.svg", "<svg"), ("g.mmd", "flowchart LR"), ("g.txt", "Library 1.0")]
)
def test_a_graph_is_written_in_the_form_of_its_name(app, name, begin):
    app.invoke(["graph", "--output", name])
    assert Path(name).read_text().startswith(begin)


def test_skills_go_out_and_come_in_as_they_were(app):
    app.invoke(["library", str(BASE)])
    assert app.invoke(["export", "out"]).document["skills"][0] == "data-loading"
    app.invoke(["library", str(BASE), "--overlay", "mine"])
    taken = app.invoke(["import", "out"]).document
    assert taken["skills"] == []
    assert all("exists already" in note["message"] for note in taken["notes"])


def test_a_foreign_skill_comes_in_with_what_it_lacks(app):
    folder = Path("theirs") / "rotate-keys"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: rotate-keys\ndescription: Rotates.\n---\nDo it.\n")
    app.invoke(["library", str(BASE), "--overlay", "mine"])
    taken = app.invoke(["import", "theirs", "--domain", "data-security"]).document
    assert taken["skills"] == ["primitives/rotate-keys"]
    codes = {d["code"] for d in taken["diagnostics"]}
    assert {"SK201"} <= codes
    assert "SK101" not in codes
    assert json.loads(json.dumps(taken)) == taken


def test_an_invalid_playbook_is_exit_status_5(app, tmp_path):
    import shutil

    base = Path(shutil.copytree(BASE, tmp_path / "base"))
    book = base / "playbooks" / "protect-columns" / "playbook.md"
    book.write_text(book.read_text().replace("## Steps", "## Steps\n\n### Step x\n\nSo what?"))
    app.invoke(["library", str(base)])
    reply = app.invoke(["run", "playbooks/protect-columns"])
    assert (reply.status, reply.document["status"]) == (5, "failed")
    assert "SK014" in render_text(reply.view)
