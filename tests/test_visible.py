"""What a person would not see is shown as a mark; what people write stays as they wrote it."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.errors import SqlError, UsageError
from skills_nb.visible import (
    is_visible,
    unseen_marks,
    visible,
    visible_html,
    visible_json,
    visible_lines,
    visible_page,
    visible_typed,
    visible_values,
)

HOSTILE = (
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f",
    *"\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064\u2066\u2067\u2068\u2069",
    *"\u2800\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufffb\ue000\ud800\udfff",
    *"\U000e0001\U000e0020\U000e0041\U000e007f\U000e0100\U000e01ef\U000f0000\U0010fffd",
)
ANY = st.text(st.characters() | st.sampled_from(HOSTILE), max_size=80)


def is_harmless(text):
    """Return whether no character of a text moves a cursor, turns a text round or hides in it."""
    return all(
        unicodedata.category(c) not in ("Cc", "Cs", "Co", "Zl", "Zp")
        and not (unicodedata.category(c) == "Cf" and c != "\u200d")
        for c in text
    )


@given(ANY)
def test_nothing_that_is_not_seen_passes(text):
    assert is_harmless(visible(text))
    assert is_harmless(visible_lines(text).replace("\n", ""))
    assert is_harmless(visible_page(text).replace("\n", ""))
    assert is_harmless(visible_typed(text))
    assert is_harmless(visible_html(text).replace("\n", ""))


@given(ANY)
def test_a_text_that_is_visible_stays_as_it_is(text):
    for shows in (visible, visible_lines, visible_page, visible_typed):
        assert shows(shows(text)) == shows(text)
    assert is_visible(visible(text))


@given(ANY)
def test_a_line_stays_a_line(text):
    assert len(visible(text).splitlines()) <= 1


@pytest.mark.parametrize("char", HOSTILE, ids=ascii)
def test_each_is_a_mark_inside_a_name(char):
    assert visible(f"ORD{char}ERS").isascii()
    assert visible_typed(f"ORD{char}ERS").isascii()
    assert visible(f"ORD{char}ERS") not in ("ORDERS", f"ORD{char}ERS")


@pytest.mark.parametrize(
    "text",
    [
        "Zürich, São Paulo, Ærø, “naïve” — 3 × 4 ≠ 13…",
        "顧客データ (ガ)、说明、고객",
        "עִבְרִית and العربية",
        "हिन्दी क्षि, ไทย ที่นี่, Tiếng Việt",
        "👩‍💻 ❤️ 👍🏽 1️⃣ 🇨🇭 👨‍👩‍👧‍👦 ✔️",
        "12\u00a0000 €, 東京\u3000大阪",
        "e\u0301le\u0300ve",
    ],
)
def test_what_people_write_stays(text):
    assert visible(text) == text
    assert visible_lines(f"{text}\n{text}") == f"{text}\n{text}"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("DROP\x1b[2K\rSELECT", r"DROP\x1b[2K\rSELECT"),
        ("x\u202eELIF\u202c", r"x\u202eELIF\u202c"),
        ("a\nb\tc", r"a\nb\tc"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f\\ufe0f"),
        ("a\u200d👩", r"a\u200d👩"),
        (" \u00a0", r" \xa0"),
        ("\u0301x", r"\u0301x"),
        ("D\u0336E\u0336", r"D\u0336E\u0336"),
        ("a" + "\u0301" * 6, "a" + "\u0301" * 4 + r"\u0301\u0301"),
        ("x\U000e0041", r"x\U000e0041"),
        (r"C:\x1b", r"C:\x1b"),
    ],
)
def test_marks(text, seen):
    assert visible(text) == seen


def test_lines_keep_their_breaks_and_tabs_their_room():
    assert visible_lines("a\r\n\tb\rc\n") == "a\n    b\\rc\n"


def test_nothing_is_pushed_out_of_sight_by_blanks():
    hidden = "SELECT 1;" + " " * 500 + "DELETE FROM T;" + "\n  " * 90 + "\nDROP TABLE T"

    assert visible_lines(hidden) == (
        "SELECT 1; ⋯ 500 blanks ⋯ DELETE FROM T;\n⋯ 90 empty lines ⋯\nDROP TABLE T"
    )


def test_an_accent_is_typed_in_either_of_its_forms():
    assert visible_typed("protect CAFE\u0301") == visible_typed("protect CAF\u00c9 ")


def test_what_is_typed_has_one_kind_of_space():
    assert visible_typed("protect A\u00a0B") == r"protect A\xa0B"


def test_marks_are_told_once():
    assert unseen_marks("a\u202e\n\tb\u202e\x1b") == (r"\u202e", r"\x1b")
    assert unseen_marks("plain\n\ttext ❤️") == ()


@given(ANY)
def test_json_says_the_same_and_shows_it(text):
    written = visible_json({"text": text})

    assert json.loads(written) == {"text": text}
    assert is_harmless(written.replace("\n", ""))


def test_values_are_visible_in_depth():
    assert visible_values({"a\x1b": ["x\u202e", 1, None, ("y\x07",)]}) == {
        r"a\x1b": [r"x\u202e", 1, None, [r"y\x07"]]
    }


def test_an_error_tells_what_it_quotes_visibly():
    error = SqlError("Object 'A\nhint: all is well\x1b[2J' does not exist", hint="look\x07")

    assert str(error) == "Object 'A\n    hint: all is well\\x1b[2J' does not exist"
    assert error.told("error") == [
        "error: Object 'A",
        "    hint: all is well\\x1b[2J' does not exist",
        "  hint: look\\x07",
    ]
    assert UsageError("a\u202eb")._render_traceback_() == [r"UsageError: a\u202eb"]
