"""The schema page is what the models say."""

import re
from dataclasses import fields
from pathlib import Path

from skills_nb.authoring import schema
from skills_nb.model import routers, skills


def _classes():
    """List the classes that files are read into."""
    return [
        value
        for module in (skills, routers)
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]


PAGE = Path(__file__).parents[2] / "library" / "spec" / "skill-schema.md"


def test_the_shipped_page_is_what_the_models_say():
    assert PAGE.read_text(encoding="utf-8") == schema.skill_schema()


def test_every_field_has_a_meaning():
    rows = [line for line in schema.skill_schema().split("\n") if line.startswith("| ")]
    assert [row for row in rows if re.search(r"\|\s*\|$", row)] == []
    assert len(rows) > 90


def test_every_class_that_files_are_read_into_is_on_the_page():
    shown = {cls for cls, _ in schema._PARTS} | {cls for _, cls in schema._TYPES.values()}
    assert set(_classes()) - shown == {skills.Skill, skills.CodeBlock, skills.ForEach}


def test_no_name_of_a_field_is_left_over_from_another_time():
    known = {f.name for c in _classes() if hasattr(c, "__dataclass_fields__") for f in fields(c)}
    named = {name for _, name in (*schema._WRITTEN, *schema._FROM_TEXT)}
    assert {*named, *schema._INNER, *schema._SAID} <= known
