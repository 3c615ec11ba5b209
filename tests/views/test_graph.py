"""The library as a graph: text, Mermaid, a picture."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.model.diagnostics import Span
from skills_nb.model.library import IndexEntry, Library
from skills_nb.model.routers import Domain, MetaRouter
from skills_nb.views import render_html, render_text
from skills_nb.views.graph import (
    GraphNode,
    graph_picture,
    library_graph,
    narrow_graph,
    to_mermaid,
    to_outline,
    to_svg,
)
from skills_nb.views.graph import svg as drawing
from skills_nb.views.graph.graph_layout import NODE, lay_out_graph
from skills_nb.views.sheets.style import DARK, INK, LIGHT, MUTED, PAPER

SVG = "{http://www.w3.org/2000/svg}"


def library(domains, entries):
    meta = MetaRouter(
        "entry", "", "Entry", "", Span("router.md"), domains={d.name: d for d in domains}
    )
    index = {entry.ref: entry for entry in entries}
    return Library("here", "1.0", "", meta, index, {}, {}, {})


@pytest.fixture
def small():
    domains = [
        Domain("loading", "routers/loading", produces=("tables",)),
        Domain("security", "routers/security", requires=("tables", "rest"), produces=("policies",)),
    ]
    entries = [
        IndexEntry("routers", "loading", "loading", ("primitives/stages",)),
        IndexEntry("routers", "security", "security", ("playbooks/protect", "primitives/gone")),
        IndexEntry("playbooks", "protect", "security", ("tags", "stages")),
        IndexEntry("primitives", "stages", "loading"),
        IndexEntry("primitives", "tags", "security"),
        IndexEntry("primitives", "alone", "security"),
    ]
    return library_graph(library(domains, entries))


def large():
    """Ten domains, a hundred skills."""
    domains = [Domain(f"domain-{d}", f"routers/domain-{d}") for d in range(10)]
    entries = []
    for d in range(10):
        books = [f"end-to-end-playbook-{d}-{n}" for n in range(2)]
        facts = [f"primitive-with-a-name-{d}-{n}" for n in range(7)]
        links = (*(f"playbooks/{b}" for b in books), *(f"primitives/{p}" for p in facts))
        entries.append(IndexEntry("routers", f"domain-{d}", f"domain-{d}", links))
        entries += [
            IndexEntry("playbooks", b, f"domain-{d}", (*facts, f"primitive-with-a-name-{9 - d}-0"))
            for b in books
        ]
        entries += [IndexEntry("primitives", p, f"domain-{d}") for p in facts]
    return library_graph(library(domains, entries))


def test_edges_lead_to_what_is_there_only(small):
    assert small.edges == (
        ("router.md", "routers/loading"),
        ("router.md", "routers/security"),
        ("routers/loading", "primitives/stages"),
        ("routers/security", "playbooks/protect"),
        ("playbooks/protect", "primitives/tags"),
        ("playbooks/protect", "primitives/stages"),
    )
    assert small.nodes[0] == GraphNode("router.md", "meta-router", "entry", "")


def test_the_outline_says_all_of_it(small):
    assert (
        to_outline(small)
        == """\
Library 1.0: 6 skills in 2 domains

loading
  gives tables
  routers/loading
    primitives/stages

security
  needs tables from loading, rest, which nothing gives · gives policies
  routers/security
    playbooks/protect
      primitives/tags
      primitives/stages
    primitives/tags
    primitives/alone  (nothing leads here)"""
    )


def test_mermaid_has_a_shape_for_each_kind_and_a_subgraph_for_each_domain(small):
    assert (
        to_mermaid(small)
        == """\
flowchart LR
  n0{{"entry"}}
  subgraph d0["loading"]
    n1{"loading"}
    n4("stages")
  end
  subgraph d1["security"]
    n2{"security"}
    n3[["protect"]]
    n5("tags")
    n6("alone")
  end
  n0 --> n1
  n0 --> n2
  n1 --> n4
  n2 --> n3
  n3 -.-> n5
  n3 -.-> n4
"""
    )


@pytest.mark.parametrize("form", [to_mermaid, to_outline, to_svg])
def test_an_empty_library_is_drawn_too_and_twice_the_same(form):
    graph = library_graph(library([], []))
    assert form(graph) == form(graph) != ""


def test_names_cannot_break_out_of_the_picture_or_the_text():
    bad = '"]<script>&#1;'
    graph = library_graph(library([], [IndexEntry("primitives", bad, bad)]))
    ElementTree.fromstring(to_svg(graph))
    assert "<script>" not in to_svg(graph) + to_mermaid(graph)
    assert to_mermaid(graph).count('"') == 6


def test_every_node_has_its_name_and_every_edge_that_is_drawn_its_ends(small):
    root = ElementTree.fromstring(to_svg(small))
    texts = {node.text for node in root.iter(f"{SVG}text")}
    assert {"entry", "loading", "protect", "stages", "tags", "! alone"} <= texts
    lines = {(line.source, line.target) for line in lay_out_graph(small).lines}
    assert set(small.edges) - lines == {("routers/loading", "primitives/stages")}


def test_a_hundred_skills_fit_on_a_page_and_nothing_overlaps():
    layout = lay_out_graph(large())
    assert len(layout.boxes) == 101
    assert layout.width < 1400
    assert layout.height < 2200
    for number, box in enumerate(layout.boxes):
        assert len(box.node.name) * 6.6 + 9 < box.width
        for other in layout.boxes[number + 1 :]:
            apart = box.x + box.width <= other.x or other.x + other.width <= box.x
            assert apart or abs(box.y - other.y) >= NODE


def test_no_line_runs_through_the_name_of_a_primitive_that_it_does_not_lead_to():
    layout = lay_out_graph(large())
    boxes = [box for box in layout.boxes if box.node.kind == "primitive"]
    for line in layout.lines:
        for (x1, y1), (x2, y2) in zip(line.points, line.points[1:], strict=False):
            for box in boxes:
                inside_y = min(y1, y2) < box.y + NODE and max(y1, y2) > box.y
                inside_x = min(x1, x2) < box.x + box.width and max(x1, x2) > box.x
                assert box.node.ref == line.target or not (inside_x and inside_y)


def contrast(one, other):
    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_words_and_lines_stand_out_in_light_and_in_dark():
    d = drawing
    for paper in (PAPER, d.SHADE):
        assert all(contrast(ink, paper) >= 4.5 for ink in (INK, MUTED))
        assert all(contrast(LIGHT[tone], paper) >= 3 for tone in LIGHT)
    for paper in (d.DARK_PAPER, d.DARK_SHADE):
        assert all(contrast(ink, paper) >= 4.5 for ink in (d.DARK_INK, d.DARK_MUTED))
        assert all(contrast(DARK[tone], paper) >= 3 for tone in DARK)
    assert contrast(d.EDGE, PAPER) >= 3
    assert contrast(d.DARK_EDGE, d.DARK_PAPER) >= 3


def test_a_notebook_gets_the_picture_and_a_terminal_the_words(small):
    view = graph_picture(small)
    assert "<svg" in render_html(view)
    text = render_text(view)
    assert "<svg" not in text
    assert "primitives/alone  (nothing leads here)" in text
    assert re.search(r"needs tables from loading", render_html(view))


# ---- narrowed


def test_a_domain_is_shown_with_what_it_leads_to_and_what_leads_there(small):
    found = narrow_graph(small, "loading")
    assert [node.ref for node in found.nodes] == [
        "router.md",
        "routers/loading",
        "playbooks/protect",
        "primitives/stages",
    ]
    assert [band.name for band in found.bands] == ["loading", "security"]
    assert to_outline(found).splitlines()[0] == (
        "Library 1.0, domain loading: 2 found, 3 with their neighbours"
    )


def test_words_find_skills_by_any_part_of_their_name(small):
    found = narrow_graph(small, words="TAGS  prim")
    assert [node.ref for node in found.nodes] == [
        "router.md",
        "playbooks/protect",
        "primitives/tags",
    ]
    assert found.narrowed == "“TAGS prim”: 1 found, 2 with their neighbours"
    assert lay_out_graph(found).boxes[0].node.kind == "meta-router"


def test_a_filter_that_finds_nothing_says_so_and_still_draws(small):
    found = narrow_graph(small, "loading", "tags")
    assert found.narrowed == "domain loading with “tags”: 0 found, 0 with their neighbours"
    assert [node.kind for node in found.nodes] == ["meta-router"]
    assert "<svg" in to_svg(found)


def test_no_filter_is_the_whole_library(small):
    assert narrow_graph(small, "", "  ") is small


def test_what_is_left_out_makes_nothing_look_lost(small):
    found = narrow_graph(small, words="alone")
    assert found.lost == {"primitives/alone"}
    everything = narrow_graph(small, "loading")
    assert "lost" not in to_svg(everything).split("</style>")[1]


NASTY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\x00\x07\x08\x1b\x7f\x85\u200b\u2028\u202e\u2066\ufeff\U000e0041\n\r<>&\"'#;"
        ),
    ),
    min_size=1,
    max_size=12,
)
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e0fff]"
)


@pytest.fixture(scope="module")
def drawn():
    """Draw a library whose every name is the same text, in each of the forms."""

    def draw(name):
        domains = [Domain(name, f"routers/{name}", description=name, produces=(name,))]
        entries = [
            IndexEntry("routers", name, name, (f"playbooks/{name}",)),
            IndexEntry("playbooks", name, name, (name,)),
            IndexEntry("primitives", name, name),
            IndexEntry("primitives", f"{name}-alone", f"{name}-elsewhere"),
        ]
        graph = library_graph(library(domains, entries))
        view = graph_picture(graph)
        return {
            "svg": to_svg(graph),
            "mermaid": to_mermaid(graph),
            "outline": to_outline(graph),
            "html": render_html(view),
            "text": render_text(view),
            "narrowed": to_svg(narrow_graph(graph, words=name)),
        }

    return draw


@given(name=NASTY)
def test_nothing_unseen_of_a_name_reaches_a_picture(drawn, name):
    for form, text in drawn(name).items():
        assert (form, UNSEEN.findall(text)) == (form, [])


@given(name=NASTY)
def test_no_name_breaks_a_picture_or_begins_a_line_of_it(drawn, name):
    plain, nasty = drawn("name"), drawn(name)
    ElementTree.fromstring(nasty["svg"])
    for form in ("svg", "mermaid", "outline"):
        assert nasty[form].count("\n") == plain[form].count("\n")
