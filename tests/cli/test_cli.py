"""The terminal's door: what it prints where, and how it ends."""

import subprocess
import sys

import pytest

from skills_nb import __version__
from skills_nb.cli import terminal as cli


def test_the_version_is_told(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"skills-nb {__version__}\n"


def test_an_error_goes_to_stderr_in_two_lines(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("SKILLS_NB_HOME", str(tmp_path))
    assert cli.main(["resume"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "error: there is no thread here yet\n"
        '  hint: start one: skills-nb run "secure my data" --dry-run\n'
    )


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("route", "secure my data")])
def test_a_reader_that_has_seen_enough_is_no_error(words, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "skills_nb", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"SKILLS_NB_HOME": str(tmp_path), "PATH": ""},
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0
