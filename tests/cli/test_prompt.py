"""A person at a terminal: what waits is asked, by arrow keys or line by line."""

import os
import re
import subprocess
import sys

import pytest

from skills_nb.commands import App
from tests.commands.authored import TARGET, opened, step

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.slow

ASKS = r"leaves it\s+paused\.?"
PHRASE = "drop the old ones"
MADE = "CREATE TABLE IF NOT EXISTS PROD.PUBLIC.{}(A INT)"
FRONT = """inputs:
  - name: colour
    description: Which colour
    type: choice
    choices: [red, green]
    open_ended_because: no other is known
  - {name: note, description: A note, type: string, default: plain, required: false}
"""
REVIEW = "checkpoint: {severity: review, present: 'The first is made in {colour}, {note}.'}"
CRITICAL = f"checkpoint: {{severity: critical, present: Look, phrase: {PHRASE}}}"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library whose one playbook asks, pauses for a review, and for a phrase."""
    folder = tmp_path_factory.mktemp("library") / "skills"
    steps = (
        step("1", MADE.format("FIRST"), REVIEW),
        step("2", MADE.format("SECOND"), CRITICAL),
    )
    opened(tmp_path_factory.mktemp("unused"), folder, *steps, front=FRONT).close()
    return folder


class Terminal:
    """A `skills-nb` at a terminal of its own."""

    def __init__(self, home, library, *words, columns=100, **more):
        kept = {
            name: os.environ[name]
            for name in ("PATH", "HOME", "PYTHONPATH", "LANG")
            if name in os.environ
        }
        # A real terminal answers where its cursor is; this one cannot.
        told = {"PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm", "PYTHONUTF8": "1", **more}
        self.env = {**kept, **told, "SKILLS_NB_HOME": str(home)}
        self.home = home
        app = App(home)
        app.invoke(["library", str(library)])
        app.close()
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "skills_nb", *words],
            env=self.env,
            dimensions=(60, columns),
            encoding="utf-8",
            timeout=90,
        )

    def sees(self, pattern=ASKS):
        """Wait for this; return what was printed until then, as a person reads it."""
        self.child.expect(pattern)
        return ESCAPES.sub("", self.child.before + (self.child.after or ""))

    def waits(self, said=None):
        """Wait until this was said and something is asked, its options too; return it all."""
        text = self.sees(said) if said else ""
        text += self.sees()
        return text + self.sees(r"different-approach|back|green")

    def sends(self, keys):
        self.child.send(keys)

    def leaves(self):
        """Press Ctrl-C until it is heard: `input` may not listen yet when its question is seen."""
        for _ in range(30):
            self.child.send("\x03")
            if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=3) == 0:
                break
        self.child.close()
        return self.child.exitstatus

    def ends(self):
        self.child.expect(pexpect.EOF)
        self.child.close()
        return ESCAPES.sub("", self.child.before), self.child.exitstatus


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def events(home):
    app = App(home)
    told = app.invoke(["show"]).document["events"]
    app.close()
    return told


def answers(home):
    return [(e["at"], e["choice"]) for e in events(home) if e["type"] == "human_response"]


def test_a_question_a_review_and_a_phrase_are_answered_in_one_go(home, library):
    at = Terminal(home, library, "run", TARGET, "--thread", "job")
    first = at.waits()
    assert "Which colour" in first
    # The prompt beneath asks: no command is to be typed.
    assert "respond" not in first
    at.sends("2\r")
    at.waits("made in green")
    at.sends("\r")
    at.waits("CRITICAL")
    at.sends("\r")
    at.sees('Type "')
    at.sends("drop them\r")
    at.waits("not the phrase, so nothing was done")
    at.sends("\r")
    at.sees('Type "')
    at.sends(f"{PHRASE}\r")
    said, status = at.ends()
    assert status == 0
    assert "DONE" in said
    assert [choice for _, choice in answers(home)] == ["approve", "approve"]


def test_arrow_keys_move_and_an_input_is_changed(home, library):
    at = Terminal(home, library, "run", TARGET, "--input", "colour=red")
    at.waits()
    at.sends("\x1b[B" * 2 + "\r")  # modify
    at.sees("Which of them do you want to change")
    at.sees("back")
    at.sends("1\r")
    at.waits("Which colour")
    at.sends("\x1b[B\r")
    at.waits("made in green")
    at.sends("\x03")
    at.ends()
    assert [c for _, c in answers(home)] == ["modify"]


def test_details_come_on_demand_and_change_nothing(home, library):
    at = Terminal(home, library, "run", TARGET, "--input", "colour=red")
    assert "What follows from a change of it" not in at.waits()
    at.sends("?")
    at.waits("What follows from a change of it")
    at.sends("\x03")
    at.ends()
    assert answers(home) == []


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_whoever_leaves_is_told_how_to_go_on(home, library, key):
    at = Terminal(home, library, "run", TARGET, "--thread", "job")
    at.waits()
    at.sends(key)
    said, status = at.ends()
    assert status == 3
    assert "It stays paused here. Go on whenever you like: skills-nb resume job" in said


def test_a_terminal_that_moves_no_cursor_is_asked_line_by_line(home, library):
    at = Terminal(home, library, "run", TARGET, TERM="dumb")
    at.sees()
    at.sends("7\r")
    at.sees("There is no '7' here")
    at.sends("green\r")
    at.child.expect("made in green")
    assert "\x1b" not in at.child.before
    at.sees()
    assert at.leaves() == 3


def test_a_narrow_terminal_without_colour_cuts_nothing(home, library):
    at = Terminal(home, library, "run", TARGET, "--input", "colour=red", columns=44, NO_COLOR="1")
    at.sees()
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", at.child.before)
    at.child.expect("different-approach")
    lines = ESCAPES.sub("", at.child.before).split("\n")
    assert max(len(line) for line in lines) <= 44
    assert "every step that read them is done again" in " ".join(" ".join(lines).split())
    at.sends("\x03")
    at.ends()


@pytest.mark.parametrize(("words", "env"), [(["--no-input"], {}), ([], {"CI": "true"})])
def test_a_program_is_asked_nothing(home, library, words, env):
    at = Terminal(home, library, "run", TARGET, *words, **env)
    said, status = at.ends()
    assert status == 3
    assert "skills-nb respond" in said
    assert "leaves it" not in said


def test_what_goes_into_a_file_is_the_plain_view(home, library):
    at = Terminal(home, library, "threads")
    at.ends()
    run = subprocess.run(
        [sys.executable, "-m", "skills_nb", "run", TARGET],
        env=at.env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 3
    assert "\x1b" not in run.stdout + run.stderr
    assert "skills-nb respond" in run.stdout
