"""Tab in a shell: the scripts, run by the shells that are there."""

import os
import shutil
import subprocess
import sys

import pytest

from skills_nb.cli import terminal
from skills_nb.commands import App
from skills_nb.commands.shell_scripts import QUESTION, SCRIPTS
from skills_nb.errors import UsageError

SECURE = "playbooks/secure-sensitive-data"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    app = App(folder)
    app.invoke(["run", SECURE, "--thread", "november"])
    app.close()
    return folder


@pytest.fixture(scope="module")
def env(home, tmp_path_factory):
    """An environment whose `skills-nb` is this one."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "skills-nb"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m skills_nb "$@"\n')
    command.chmod(0o755)
    paths = os.pathsep.join((str(folder), os.environ["PATH"]))
    here = os.environ.get("PYTHONPATH", os.getcwd())
    return {**os.environ, "PATH": paths, "SKILLS_NB_HOME": str(home), "PYTHONPATH": here}


def completed(shell, text, env):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    run = subprocess.run([shell, "-c", text], env=env, capture_output=True, text=True, timeout=60)
    assert run.stderr == ""
    return run.stdout.split()


BASH = """source <(skills-nb completions bash)
complete -p skills-nb >/dev/null || echo not attached
COMP_LINE="$LINE" COMP_POINT=${#LINE}
compopt() { echo "compopt $*"; }
COMP_WORDS=(skills-nb "$LAST") COMP_CWORD=1
_skills_nb
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "last", "found"),
    [
        ("skills-nb re", "re", ["resume", "require", "respond"]),
        ("skills-nb run --inp", "--inp", ["--input"]),
        ("skills-nb run playbooks/secure", "playbooks/secure", [SECURE]),
        ("skills-nb status ", "", ["november"]),
        ("skills-nb respond --thread nov", "nov", ["november"]),
        ("skills-nb account exp", "exp", ["export"]),
        # What bash takes for a word begins behind each of these signs.
        (f"skills-nb run {SECURE} --input confidence=", "=", ["HIGH", "MEDIUM"]),
        (f"skills-nb run {SECURE} --input confidence=H", "H", ["HIGH"]),
        ("skills-nb respond --at input:", ":", ["target_scope"]),
        ("skills-nb respond 'dif", "'dif", ["different-approach"]),
        (
            f"skills-nb run {SECURE} --input confid",
            "confid",
            ["compopt", "-o", "nospace", "confidence="],
        ),
        ("skills-nb frobnicate ", "", []),
    ],
)
def test_bash_completes(env, line, last, found):
    assert completed("bash", BASH, {**env, "LINE": line, "LAST": last}) == found


ZSH = """compdef() { :; }
source <(skills-nb completions zsh)
compadd() { while [[ $1 == -* ]]; do [[ $1 == -S ]] && shift; shift; done; print -l -- $@; }
words=(${(z)LINE}) ; [[ $LINE == *' ' ]] && words+=('')
CURRENT=$#words
_skills_nb
"""
FISH = """skills-nb completions fish | source
complete -C "$LINE" | string split -f1 \\t
"""


@pytest.mark.slow
@pytest.mark.parametrize(("shell", "text"), [("zsh", ZSH), ("fish", FISH)])
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("skills-nb re", ["resume", "require", "respond"]),
        ("skills-nb run playbooks/secure", [SECURE]),
        ("skills-nb status ", ["november"]),
        (f"skills-nb run {SECURE} --input confidence=", ["confidence=HIGH", "confidence=MEDIUM"]),
    ],
)
def test_zsh_and_fish_complete(env, shell, text, line, found):
    assert sorted(completed(shell, text, {**env, "LINE": line})) == sorted(found)


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_printed_as_its_shell_reads_it(shell, capsys):
    assert terminal.main(["completions", shell]) == 0
    assert capsys.readouterr().out == SCRIPTS[shell]
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=SCRIPTS[shell], text=True, check=True)


def test_another_shell_is_refused():
    with pytest.raises(UsageError, match="shell cannot be 'fihs'") as refused:
        App().invoke(["completions", "fihs"])
    assert refused.value.hint == "did you mean 'fish'?"


def test_the_scripts_ask_by_the_word_that_the_terminal_knows():
    assert terminal.QUESTION == QUESTION
    assert all(f" {QUESTION} " in script for script in SCRIPTS.values())


def test_names_that_a_shell_cannot_show_are_not_offered(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("SKILLS_NB_HOME", str(tmp_path))
    (tmp_path / "plain.yaml").write_text("")
    (tmp_path / "bad\x1b[2J.yaml").write_text("")
    monkeypatch.chdir(tmp_path)
    assert terminal.main([QUESTION, "words", "plan", ""]) == 0
    assert capsys.readouterr().out.split() == ["plain.yaml"]


def test_nothing_heavy_is_loaded_for_a_tab(tmp_path):
    text = (
        "import sys; from skills_nb.cli import main; main(['__complete', 'words', 'run', 'play']);"
        "print([n for n in ('duckdb', 'sqlglot', 'snowflake.snowpark', 'rich', 'IPython') "
        "if n in sys.modules])"
    )
    env = {**os.environ, "SKILLS_NB_HOME": str(tmp_path / "h")}
    run = subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "[]"
    assert SECURE in run.stdout
