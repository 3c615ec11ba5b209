"""SQL in colours is the same SQL, letter by letter, and escaped."""

import re
from html import unescape

import pytest

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets import style
from skills_nb.views.sheets.html import to_html
from skills_nb.views.sheets.sql_colours import SQL_CSS, sql_html
from tests.views.test_html import _contrast, read

TEXTS = (
    'ALTER TABLE "My ""Shop"""."<b>".t SET COMMENT = \'it\'\'s <script>&amp;\'; -- done & dusted',
    "CREATE MASKING POLICY p AS (v STRING) RETURNS STRING -> $$ <i>x</i> $$; /* open",
    "SELECT 'never closed",
    "",
)


@pytest.mark.parametrize("sql", TEXTS)
def test_what_is_read_is_the_statement_letter_by_letter(sql):
    bare = re.sub(r"</?(?:b|i|span)(?: class=\"[snq]\")?>", "", sql_html(sql))

    assert unescape(bare) == sql
    assert "<" not in bare


def test_words_strings_names_numbers_and_comments_are_told_apart():
    assert sql_html("DROP TABLE \"t\" AT '1' -- 2\n 3") == (
        '<b>DROP</b> <b>TABLE</b> <span class="q">&quot;t&quot;</span> <b>AT</b> '
        '<span class="s">&#x27;1&#x27;</span> <i>-- 2</i>\n <span class="n">3</span>'
    )


def test_a_word_inside_of_a_string_is_no_word():
    assert "<b>" not in sql_html("'DROP TABLE t'")


def test_a_very_long_text_is_plain_and_whole():
    sql = "SELECT 1;\n" * 10_000

    assert sql_html(sql) == sql


def test_a_click_selects_sql_whole_and_other_code_as_before():
    sheet = b.Sheet("t", blocks=(b.Fold("f", (b.Code("SELECT 1", is_sql=True),)), b.Code("ls")))
    html = to_html(sheet, "%skill")

    assert [attrs.get("class") for tag, attrs in read(html).tags if tag == "pre"] == [
        "sk-sql",
        None,
    ]
    assert ".sk .sk-sql{" in html
    assert "user-select:all" in SQL_CSS


def test_a_card_without_sql_brings_none_of_its_styles():
    assert "sk-sql" not in to_html(b.Sheet("t", blocks=(b.Code("ls"),)), "%skill")


def test_every_colour_is_read_on_the_paper_of_code():
    for colours, papers in ((style.LIGHT, ("#ffffff", "#eef1f4")), (style.DARK, ("#424242",))):
        for name in ("ok", "info", "review"):
            for paper in papers:
                assert _contrast(colours[name], paper) >= 4.5, (name, paper)
