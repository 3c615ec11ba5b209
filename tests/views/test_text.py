from hypothesis import given
from hypothesis import strategies as st

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.text import to_text
from skills_nb.views.sheets.text_width import cut, cut_name, pad, width, wrap

ANY = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Mn", "Me", "Cf")) | st.sampled_from("データü"),
    max_size=60,
)


@given(ANY, st.integers(10, 40))
def test_wrapped_lines_fit_and_lose_no_word(text, columns):
    lines = wrap(text, columns)

    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(ANY, st.integers(2, 40))
def test_cut_text_fits(text, columns):
    assert width(cut(text, columns)) <= columns
    assert width(cut_name(text, columns)) <= columns


@given(ANY, st.integers(0, 40))
def test_padded_text_is_at_least_as_wide(text, columns):
    assert width(pad(text, columns)) == max(width(text), columns)


def test_japanese_takes_two_columns():
    assert width("データ") == 6
    assert pad("データ", 8) == "データ  "
    assert cut("データベース", 7) == "データ…"


def test_a_dotted_name_is_cut_where_it_says_least():
    assert cut_name("PROD.CUSTOMER_DATA.CUSTOMERS.EMAIL", 20) == "PROD.CU…TOMERS.EMAIL"


def test_an_address_is_cut_at_its_end():
    assert cut_name("jurgen.mueller2@example.com", 20) == "jurgen.mueller2@exa…"


def table(*rows, columns=("Name", "Value"), **more):
    return b.Sheet("", blocks=(b.Table(columns, rows, "", **more),))


def test_table_columns_line_up_over_wide_characters():
    assert to_text(table(("名前", "1"), ("Größe", "22")), 40, "%skill").splitlines() == [
        "  Name   Value",
        "  ─────  ─────",
        "  名前   1",
        "  Größe  22",
    ]


def test_the_widest_column_gives_way_first():
    lines = to_text(table(("a", "x" * 80)), 40, "%skill").splitlines()

    assert max(map(width, lines)) <= 40
    assert lines[2].startswith("  a     xxx")


def test_prose_is_wrapped_not_cut():
    lines = to_text(table(("a", "one two three four five"), is_prose=True), 24, "%skill")

    assert "five" in lines
    assert "…" not in lines


def test_rows_beyond_the_limit_are_counted():
    assert to_text(
        table(("a", "1"), ("b", "2"), ("c", "3"), most_in_text=1), 40, "%skill"
    ).endswith("  … 2 more")


def test_a_long_step_status_hangs_under_itself():
    sheet = b.Sheet("", blocks=(b.Steps((b.StepLine("–", "1", "Look", "word " * 12),)),))
    first, second, *_ = to_text(sheet, 40, "%skill").splitlines()

    assert first.index("word") == second.index("word")


def test_commands_are_typed_after_the_door_s_own_name():
    sheet = b.Sheet("", blocks=(b.Command("Go on with:", "resume t"),))

    assert to_text(sheet, 80, "skills-nb") == "Go on with: skills-nb resume t"
    assert to_text(sheet, 80, "%skill") == "Go on with: %skill resume t"
