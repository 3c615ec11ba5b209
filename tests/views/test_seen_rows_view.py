"""Rows as roles would see them, in a fold."""

from skills_nb.ports import RowsOfRole, SeenCell, SeenRows
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.text import to_text
from skills_nb.views.sheets.unfolding import unfold_blocks
from skills_nb.views.threads.seen_rows_view import seen_blocks
from tests.views.test_html import EVIL, read


def row(*values):
    return tuple(SeenCell(value) for value in values)


def word(text):
    return (SeenCell(word=text),) * 2


ROWS = SeenRows(
    'D."my S".T',
    ("e-mail", "N"),
    (row("a@x", 1), row(None, 2)),
    (RowsOfRole("CLERK", (row("a@x", 1), word("no access")), (row("***", 1), word("row hidden"))),),
)


def lines(*found):
    return to_text(b.Sheet("t", blocks=unfold_blocks(seen_blocks(found), "all")), 90, "x")


def test_a_cell_says_what_it_was_and_what_it_becomes():
    text = lines(ROWS)

    assert "2 sample rows as each role would see them, before and after" in text
    assert text.splitlines()[-4:] == [
        "  Row  e-mail                      N",
        "  ───  ──────────────────────────  ──────────────────────────",
        "  1    a@x → ***                   1",
        "  2    (no access) → (row hidden)  (no access) → (row hidden)",
    ]
    assert 'D."my S".T as CLERK sees it, before → after' in text
    assert "  2    NULL    2" in text


def test_nothing_is_said_where_no_rows_were_taken():
    assert seen_blocks(()) == []


def test_it_is_said_why_there_are_none():
    text = lines(SeenRows("D.S.T", why="It has too many."))

    assert "No sample rows as each role would see them" in text
    assert "D.S.T: It has too many." in text
    assert "rows that you can read" not in text


def test_what_a_row_holds_is_text_on_a_page():
    evil = SeenRows(EVIL, (EVIL,), (row(EVIL),), (RowsOfRole(EVIL, (row(EVIL),), (row(1),)),))
    tags = read(to_html(b.Sheet("t", blocks=tuple(seen_blocks((evil,)))), "%skill")).tags

    assert not [tag for tag, _ in tags if tag in ("script", "img", "iframe")]
