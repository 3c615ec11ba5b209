"""Whatever a person, a file or the account says, the terminal shows it and obeys none of it."""

import json

import pytest

from skills_nb.cli import terminal as cli
from tests.test_visible import is_harmless

BAD = "\x1b[2K\r\u202ename\x07\u200b"


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("SKILLS_NB_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("route", BAD),
        ("run", f"playbooks/{BAD}"),
        ("run", "playbooks/x", "--input", BAD),
        ("resume", BAD),
        ("status", BAD),
        ("show", f"primitives/{BAD}"),
        ("lint", BAD),
        ("library", BAD),
        ("explain", BAD),
        ("connect", BAD),
        (BAD,),
        ("plan", BAD),
        ("graph", "--format", BAD),
    ],
    ids=lambda words: words[0] if words[0] != BAD else "command",
)
def test_no_command_prints_what_it_was_told_as_it_was_told(home, capsys, words):
    cli.main(list(words))
    said = capsys.readouterr()

    assert all(map(is_harmless, (said.out + said.err).split("\n")))
    assert said.out + said.err


@pytest.mark.slow
def test_a_plan_from_a_file_is_shown_as_it_will_be_sent(home, capsys):
    sql = f'DELETE FROM "DB"."S"."T{BAD}"'
    steps = [{"step": 1, "action": f"Do {BAD}", "primitive": "tables", "sql": sql}]
    file = home / "plan.yaml"
    file.write_text(json.dumps({"goal": f"Tidy {BAD}", "steps": steps}), encoding="utf-8")
    cli.main(["plan", str(file)])
    for words in (["status"], ["show"], ["show", "--yaml"], ["show", "--context"], ["threads"]):
        cli.main(words)
    cli.main(["threads", "--json"])
    said = capsys.readouterr()

    assert all(map(is_harmless, (said.out + said.err).split("\n")))
    assert r"\x1b[2K\r\u202ename\x07\u200b" in said.out


def test_a_terminal_with_colours_shows_the_same(home, capsys, monkeypatch):
    monkeypatch.setattr(cli.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    cli.main(["status", BAD])
    cli.main(["route", BAD])
    said = capsys.readouterr()

    assert "\x1b[2K" not in said.out + said.err
    assert "\u202e" not in said.out + said.err
