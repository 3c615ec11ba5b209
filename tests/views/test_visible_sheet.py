"""No view can forget it: every text of every view and of every block is shown visibly."""

import types
from dataclasses import fields, is_dataclass
from typing import Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.model.routes import RouteMode
from skills_nb.model.state import PauseKind
from skills_nb.views import evaluation, render_html, render_text
from skills_nb.views.graph import LibraryGraph, to_mermaid, to_outline, to_svg
from skills_nb.views.graph.picture import GraphPicture
from skills_nb.views.render import Unfolded, View
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.text import to_text
from skills_nb.views.sheets.visible_sheet import make_visible
from tests.test_visible import HOSTILE, is_harmless

BLOCKS = get_args(b.Block)
VIEWS = get_args(View)
NAMES = {"RouteMode": RouteMode, "PauseKind": PauseKind}
"""What the views know when types are checked only."""
HARM = st.text(st.sampled_from((*HOSTILE, *"ab 'é漢👩\n")), max_size=12)


def any_of(hint, depth=3):
    """Return values of a type, with every text in them as hostile as can be."""
    origin, members = get_origin(hint), get_args(hint)
    if hint is str:
        return HARM
    if hint in (int, float):
        return st.integers(0, 5)
    if hint is bool:
        return st.booleans()
    if hint is type(None):
        return st.none()
    if origin is Literal:
        return st.sampled_from(members)
    if origin in (Union, types.UnionType):
        kept = [m for m in members if depth or m is not b.Fold]
        return st.one_of([any_of(member, depth) for member in kept])
    if origin is tuple and members[-1] is ...:
        return (
            st.lists(any_of(members[0], depth - 1), max_size=2).map(tuple) if depth else st.just(())
        )
    if origin is tuple:
        return st.tuples(*(any_of(member, depth) for member in members))
    if origin in (dict,) or str(origin).endswith("Mapping'>"):
        return st.just({})
    assert is_dataclass(hint), hint
    hints = get_type_hints(hint, localns=NAMES)
    return st.builds(hint, **{f.name: any_of(hints[f.name], depth) for f in fields(hint)})


def squared(value):
    """Return a table whose rows have its columns; others cannot be built by a view."""
    if isinstance(value, b.Table):
        size = len(value.columns)
        rows = tuple((*row, *[""] * size)[:size] for row in value.rows)
        return b.Table(value.columns, rows, value.caption, value.note)
    if isinstance(value, b.Fold):
        return b.Fold(value.summary, tuple(map(squared, value.blocks)), in_text=value.in_text)
    return value


def without_style(html):
    return html[html.rindex("</style>") :] if "</style>" in html else html


def assert_harmless(text):
    assert all(map(is_harmless, text.split("\n"))), ascii(text)
    assert "\t" not in text


@pytest.mark.parametrize("block", BLOCKS, ids=lambda kind: kind.__name__)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_block_shows_what_is_not_seen(block, data):
    one = squared(data.draw(any_of(block)))
    sheet = b.Sheet(*(data.draw(HARM) for _ in range(2)), badge=data.draw(HARM), blocks=(one,))

    assert_harmless(to_text(sheet, 60, "%skill"))
    assert_harmless(without_style(to_html(sheet, "%skill")))


@pytest.mark.parametrize(
    "view",
    # `Unfolded` holds one of the others.
    [v for v in VIEWS if v not in (GraphPicture, evaluation.EvaluationReport, Unfolded)],
    ids=lambda kind: kind.__name__,
)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_view_shows_what_is_not_seen(view, data):
    one = data.draw(any_of(view))
    try:
        text, html = render_text(one), render_html(one)
    except (ValueError, IndexError, KeyError, StopIteration):
        return  # no builder gives such a view
    assert_harmless(text)
    assert_harmless(without_style(html))


def test_every_text_of_every_block_is_seen():
    for kind in BLOCKS:
        for entry in fields(kind):
            if get_type_hints(kind)[entry.name] is not str:
                continue
            given_ = {
                f.name: "x" if get_type_hints(kind)[f.name] is str else ()
                for f in fields(kind)
                if f.name != entry.name
            }
            given_ = {k: v for k, v in given_.items() if k not in ("done", "total", "most_in_text")}
            sizes = {n: 0 for n in ("done", "total") if n in {f.name for f in fields(kind)}}
            made = kind(**given_, **sizes, **{entry.name: "a\x1bb"})
            (seen,) = make_visible(b.Sheet("", blocks=(made,))).blocks
            assert getattr(seen, entry.name) == r"a\x1bb", (kind, entry.name)


def test_a_name_cannot_begin_a_line_of_ours():
    sheet = b.Sheet(
        "Drop X\n✓ done", blocks=(b.Bullets(("a\nb",)), b.Table(("N\nM",), (("x\ny",),), ""))
    )

    assert to_text(sheet, 60, "%skill").splitlines() == [
        r"Drop X\n✓ done",
        "",
        "  -  a",
        "     b",
        "",
        r"  N\nM",
        "  ────",
        r"  x\ny",
    ]


def test_the_statement_of_an_approval_cannot_be_overwritten():
    sql = "DELETE FROM ORDERS -- \x1b[2K\rSELECT 1\u202e\n;"
    sheet = b.Sheet("", blocks=(b.Code(sql),))

    assert to_text(sheet, 60, "%skill") == (
        "    DELETE FROM ORDERS -- \\x1b[2K\\rSELECT 1\\u202e\n    ;"
    )
    assert "DELETE FROM ORDERS -- \\x1b[2K\\rSELECT 1\\u202e\n;" in to_html(sheet, "%skill")


def test_a_view_without_such_characters_is_not_made_anew():
    sheet = b.Sheet("Plain", blocks=(b.Code("SELECT 1\nFROM T"), b.Facts((("a", "é"),))))

    assert make_visible(sheet) is sheet


def hostile_graph():
    from skills_nb.views.graph.skill_graph import DomainBand, GraphNode

    bad = "a\x1b[2J\u202e\nb"
    nodes = (GraphNode("router.md", "meta-router", bad, ""), GraphNode(bad, "primitive", bad, bad))
    band = DomainBand(bad, bad, ((bad, (bad,)),), (bad,))
    return LibraryGraph(bad, nodes, ((bad, bad),), (band,), frozenset({bad}), bad)


def test_the_graph_is_seen_in_all_its_forms():
    graph = hostile_graph()
    for text in (to_mermaid(graph), to_svg(graph), to_outline(graph)):
        assert_harmless(text)
    assert_harmless(render_text(GraphPicture(graph)))
    assert_harmless(without_style(render_html(GraphPicture(graph))))
    assert "\nb" not in to_outline(graph)
