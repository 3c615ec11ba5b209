"""What the HTML of every view must keep, whatever it shows."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from skills_nb.errors import SqlError
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.views import (
    account_card,
    error_card,
    message,
    render_html,
    render_text,
    route_card,
    rows_table,
    skill_page,
    thread_card,
    thread_list,
    timeline,
)
from skills_nb.views.sheets import style
from tests.views import states as s

EVIL = '<script>alert("x")</script>&\'"'
ROUTE = Route(
    "playbook",
    ("d",),
    ("playbooks/p",),
    0.9,
    alternatives=(Candidate("primitives/q", "guided", "d", 0.4),),
    why=("Because.",),
)
QUESTION = Route("clarify", (), (), 0.2, options=(ClarifyOption("x", "This one", "playbooks/x"),))
THREAD = {"thread_id": "t", "status": "paused", "goal": "g", "step": "1", "pause": None}
VIEWS = {
    "account": account_card(s.CONTEXT),
    "error": error_card(SqlError("no", errno=2003, sqlstate="42S02", hint="look again")),
    "message": message("Done."),
    "route": route_card(ROUTE, why=True),
    "which": route_card(QUESTION),
    "rows": rows_table(["A", "B"], [["x", None], [True, {"k": [1]}]]),
    "skill": skill_page(replace(s.PLAYBOOK, sections={"Notes": "Some `code`.\n\n- one\n- two"})),
    "threads": thread_list([THREAD]),
    "timeline": timeline(s.state(), [s.SUMMARY]),
    "review": thread_card(s.state(), s.PLAYBOOK, s.REVIEW),
    "critical": thread_card(s.state(), s.PLAYBOOK, s.CRITICAL),
    "error-pause": thread_card(s.state(statements=(s.REFUSED,)), s.PLAYBOOK, s.ERROR),
    "cleanup": thread_card(s.state(abort=s.ABORTED), s.PLAYBOOK, s.CLEANUP),
    "running": thread_card(s.state(), s.PLAYBOOK, None, running="step 2"),
    "done": thread_card(s.state(status="completed", summary="All done"), s.PLAYBOOK, None),
}
every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
_VOID = {"br", "hr", "img", "input"}


class Reader(HTMLParser):
    """Collects what a page without styles shows, and complains about tags that do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.tags = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@every_view
def test_tags_match_and_nothing_has_an_id(view):
    reader = read(render_html(view))

    assert not [attrs for _, attrs in reader.tags if "id" in attrs]
    assert {tag for tag, _ in reader.tags} & {"script", "link", "img", "iframe"} == set()


@every_view
def test_same_view_is_same_text_in_both_forms(view):
    assert render_html(view) == render_html(view)
    assert render_text(view) == render_text(view)


@every_view
def test_text_is_no_wider_than_asked_except_for_commands_and_code(view):
    allowed = ("%skill ", "    ")
    wide = [
        line
        for line in render_text(view, width=60, prompt="%skill").splitlines()
        if len(line) > 60 and not any(part in line for part in allowed)
    ]

    assert wide == []


@every_view
def test_card_has_a_name_for_a_screen_reader(view):
    groups = [attrs for _, attrs in read(render_html(view)).tags if attrs.get("role") == "group"]

    assert groups
    assert all("aria-label" in attrs for attrs in groups)


def test_everything_is_escaped():
    shown = render_html(
        thread_card(
            s.state(thread_id=EVIL, goal=EVIL),
            None,
            replace(s.REVIEW, present=EVIL, warnings=(EVIL,)),
        )
    )
    rows = render_html(rows_table([EVIL], [[EVIL]]))
    page = render_html(skill_page(replace(s.PLAYBOOK, title=EVIL, sections={EVIL: EVIL})))

    for html in (shown, rows, page):
        assert "<script" not in html
        assert "&lt;script&gt;" in html


def test_bare_html_keeps_a_step_and_its_status_apart():
    words = "".join(read(render_html(VIEWS["review"])).words)

    assert "Look — waits for you: REVIEW" in words
    assert "Make policies — done · 1 masking policy" in words


def test_severity_is_a_sign_and_a_word_beside_the_colour():
    html = render_html(VIEWS["critical"])

    assert 'data-tone="critical"' in html
    assert "<strong>! CRITICAL</strong>" in html


def test_motion_stops_where_it_is_not_wanted():
    assert "prefers-reduced-motion" in render_html(VIEWS["running"])
    assert "animation" not in render_html(VIEWS["done"])


def _luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one, other):
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("colours", "papers"),
    [(style.LIGHT, ("#ffffff", "#f5f5f5")), (style.DARK, ("#111111", "#212121", "#1f1f1f"))],
    ids=["light", "dark"],
)
def test_every_tone_has_a_contrast_of_four_and_a_half(colours, papers):
    for name, colour in colours.items():
        for paper in papers:
            assert _contrast(colour, paper) >= 4.5, (name, paper)


def test_own_ink_is_readable_where_no_theme_says_otherwise():
    assert _contrast(style.INK, style.PAPER) >= 4.5
    assert _contrast(style.MUTED, style.PAPER) >= 4.5


def test_one_tag_of_a_style_sheet_a_card():
    assert len(re.findall("<style>", render_html(VIEWS["review"]))) == 1
