"""Paths that no file system takes are refused in words, and nothing is made."""

from __future__ import annotations

import pytest

import skills_nb
from skills_nb.commands.home.configuration import read_configuration
from skills_nb.errors import UsageError


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("x" * 5000, "File name too long"),
        ("a\0b", "no file system has such names"),
        ("\ud800", "no file system has such names"),
        ("/dev/null", "File exists"),
        ("/dev/null/x", "Not a directory"),
    ],
)
def test_an_account_is_refused_a_folder_that_cannot_be(path, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"no account can be kept in .*: {why}") as refused:
        skills_nb.connect(path=path)
    assert refused.value.hint == "name a folder that you may write to, or one that can be made"
    assert len(str(refused.value)) < 250
    assert list(tmp_path.iterdir()) == []


def test_a_home_with_a_name_too_long_is_refused_in_words(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: File name too long") as refused:
        read_configuration(tmp_path / ("x" * 5000))
    assert refused.value.hint == "let yourself read it, or set SKILLS_NB_HOME to another folder"
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("path", ["", "  "])
def test_an_empty_path_opens_no_account_where_one_stands(path: str) -> None:
    with pytest.raises(UsageError, match="the path of an account is empty"):
        skills_nb.connect(path=path)
