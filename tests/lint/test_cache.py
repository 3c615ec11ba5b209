"""Kept answers are exact or not found."""

from __future__ import annotations

import pytest

from skills_nb.lint import LintCache, cache_key
from skills_nb.model.diagnostics import Diagnostic, Severity, Span

FOUND = (
    Diagnostic("SK104", Span("primitives/é/skill.md", 2, 7), "name is 'x'", "Write 'y'."),
    Diagnostic("SK304", Span("router.md"), "old", "", Severity.WARNING),
)


def test_what_is_stored_is_loaded(tmp_path):
    cache = LintCache(tmp_path / "cache")
    key = cache_key("d", select=["SK1"], today="2026-03-01")
    assert cache.load(key) is None
    assert cache.store(key, FOUND) is True
    assert cache.load(key) == FOUND


def test_the_key_changes_with_everything_that_the_answer_depends_on():
    keys = {
        cache_key("d"),
        cache_key("e"),
        cache_key("d", select=["SK1"]),
        cache_key("d", today="2026-03-01"),
        cache_key("d", today="2026-03-02"),
    }
    assert len(keys) == 5
    assert cache_key("d", select=["SK1", "SK2"]) == cache_key("d", select=["SK2", "SK1"])


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"diagnostics": [{}]}', '{"diagnostics": [3]}'])
def test_a_damaged_answer_is_none(tmp_path, damage):
    cache = LintCache(tmp_path)
    cache.store("k", FOUND)
    next(tmp_path.glob("lint-*.json")).write_text(damage)
    assert cache.load("k") is None


def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path):
    (tmp_path / "file").write_text("")
    cache = LintCache(tmp_path / "file" / "cache")
    assert cache.store("k", FOUND) is False
    assert cache.load("k") is None


def test_old_answers_are_deleted_and_no_draft_stays(tmp_path):
    cache = LintCache(tmp_path)
    for number in range(20):
        cache.store(str(number), FOUND)
    assert len(list(tmp_path.iterdir())) == 16
    assert cache.load("19") == FOUND
