"""Which stage a statement changes the files of: written, quoted, or nobody's."""

from __future__ import annotations

import pytest

from skills_nb.sql.objects.object_refs import ObjectRef
from skills_nb.sql.objects.stage_places import stage_written
from skills_nb.sql.objects.touched_objects import touches_of


@pytest.mark.parametrize(
    ("sql", "stage"),
    [
        ("COPY INTO @a.b.c/x.csv FROM (SELECT 1)", ("A", "B", "C")),
        ("copy /* out */ into '@a.\"b c\".\"it''s\"/x' from t", ("A", "b c", "it's")),
        ("REMOVE @c", ("C",)),
        ("RM '@a.b.c/folder/';", ("A", "B", "C")),
        ("COPY INTO t FROM @s", None),
        ("COPY INTO 's3://bucket/x' FROM t", None),
        ("COPY INTO @~/x FROM t", None),
        ("REMOVE @%t", None),
        ('REMOVE @""', None),
        ("LIST @s", None),
        ("SELECT 'COPY INTO @s FROM t'", None),
    ],
)
def test_a_stage_is_told_from_what_is_none(sql: str, stage: tuple[str, ...] | None) -> None:
    assert stage_written(sql) == stage


def test_unloading_and_removing_touch_the_stage() -> None:
    stage = ObjectRef("stage", ("D", "S", "OUT"))
    for sql in ("COPY INTO @out/x FROM t", "REMOVE @out/x"):
        assert [touch.ref for touch in touches_of(sql, "D", "S")] == [stage]
