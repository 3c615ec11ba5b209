"""What feeds what, as a small graph and in words."""

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.text import to_text
from skills_nb.views.threads.lineage_picture import lineage_blocks
from tests.views.test_html import EVIL, read

GRAPH = {
    "nodes": [
        {"name": 'D."my S"."or.ders"', "type": "table", "fate": "changed"},
        {"name": "D.S.BIG", "type": "view", "fate": ""},
        {"name": "D.S.NEW_ONE", "type": "view", "fate": "created"},
    ],
    "edges": [[0, 1], [1, 2]],
}


def sheet(found):
    return b.Sheet("t", blocks=tuple(lineage_blocks(found)))


def test_words_name_both_ends_and_what_becomes_of_them():
    text = to_text(sheet(GRAPH), 100, "x")
    first, second = text.splitlines()[-3:-1]

    assert "What feeds what, around what the plan touches" in text
    assert '~ D."my S"."or.ders"' in first
    assert "table (changed)" in first
    assert "+ D.S.NEW_ONE" in second


def test_the_picture_runs_from_left_to_right_and_has_every_object():
    html = to_html(sheet(GRAPH), "%skill")
    tags = read(html).tags
    boxes = [attrs for tag, attrs in tags if tag == "rect" and "rx" in attrs]

    assert [float(box["x"]) for box in boxes] == sorted(float(box["x"]) for box in boxes)
    assert len({box["x"] for box in boxes}) == 3
    assert "~ &quot;or.ders&quot;" in html


def test_a_circle_is_drawn_and_ends():
    circle = {**GRAPH, "edges": [[0, 1], [1, 0], [2, 2]]}

    assert to_html(sheet(circle), "%skill").count("<path") == 3


def test_hostile_and_long_names_are_escaped_and_cut():
    quoted = '"' + EVIL.replace('"', '""') + '"'
    evil = {**GRAPH, "nodes": [{**node, "name": f"D.S.{quoted}"} for node in GRAPH["nodes"]]}
    long = {**GRAPH, "nodes": [{**n, "name": "D.S." + "X" * 200} for n in GRAPH["nodes"]]}

    assert "<script" not in to_html(sheet(evil), "%skill")
    assert "X" * 25 + "…</text>" in to_html(sheet(long), "%skill")


def test_nothing_that_is_fed_shows_nothing():
    assert lineage_blocks({}) == []
    assert lineage_blocks({"nodes": GRAPH["nodes"], "edges": []}) == []


def test_what_is_left_out_is_counted():
    assert "17 more objects not shown." in to_text(sheet({**GRAPH, "more": 17}), 100, "x")
