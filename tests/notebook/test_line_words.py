import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.commands.grammar.parser import build_parser
from skills_nb.errors import UsageError
from skills_nb.notebook.line_words import split_line


def parsed(line):
    return vars(build_parser("%skill").parse_args(split_line(line)))


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("route secure my data", "secure my data"),
        ('route "secure my data"', "secure my data"),
        ("route 'secure my data'", "secure my data"),
        ("route “secure my data”", "secure my data"),
        ("route what's the syntax", "what's the syntax"),
        ("route 'what's the syntax'", "what's the syntax"),
        ('route mask "EMAIL" and "PHONE"', 'mask "EMAIL" and "PHONE"'),
        ('route "mask" and "tag"', '"mask" and "tag"'),
        ("route use {braces} and $dollars", "use {braces} and $dollars"),
        ("route what does --why mean", "what does --why mean"),
        ("route --why secure my data", "secure my data"),
        ("route secure my data --why", "secure my data"),
        ("route the plan-to-why", "the plan-to-why"),
        ("route a --whyever b", "a --whyever b"),
        ("route -x is a flag", "-x is a flag"),
        (r'route "say \"hi\" to me"', 'say "hi" to me'),
    ],
)
def test_words_survive_as_they_were_typed(line, intent):
    assert parsed(line)["intent"] == [intent]


@pytest.mark.parametrize("line", ["route secure it --why", "route --why secure it"])
def test_options_behind_or_before_the_words_count(line):
    assert parsed(line)["why"] is True


def test_options_of_run_take_their_values_like_a_shell_does():
    words = parsed(
        "run secure it's data --dry-run --input a=1 --input 'b=x y' --thread t --until=3"
    )

    assert words["goal"] == ["secure it's data"]
    assert words["dry_run"] is True
    assert words["inputs"] == ["a=1", "b=x y"]
    assert (words["thread"], words["until"]) == ("t", "3")


def test_a_value_with_quotes_and_dashes_stays_one_value():
    words = parsed("run p --input 'target_scope=PROD\"; DROP DATABASE PROD; --'")

    assert words["inputs"] == ['target_scope=PROD"; DROP DATABASE PROD; --']


def test_an_option_without_its_value_belongs_to_the_words():
    assert parsed("run tell me about --thread")["goal"] == ["tell me about --thread"]


@pytest.mark.parametrize(
    ("line", "sql"),
    [
        ("sql SELECT 'a' --role ANALYST", "SELECT 'a'"),
        ("sql \"SELECT 'a'\" --role ANALYST", "SELECT 'a'"),
        ("sql 'a'", "'a'"),
        ('sql SELECT "A" FROM "T"', 'SELECT "A" FROM "T"'),
        ("sql -- a comment", "-- a comment"),
    ],
)
def test_sql_keeps_its_quotes(line, sql):
    assert parsed(line)["statement"] == [sql]


def test_sql_of_a_cell_takes_options_only():
    words = parsed("sql --role ANALYST")

    assert (words["statement"], words["role"]) == ([], "ANALYST")


def test_other_commands_are_split_like_a_shell_does():
    assert split_line('respond approve --phrase "protect PROD"') == [
        "respond",
        "approve",
        "--phrase",
        "protect PROD",
    ]


def test_an_open_quote_is_one_clear_line():
    with pytest.raises(UsageError) as refusal:
        split_line("respond abort --comment it's late")
    assert refusal.value.message == "cannot read the line: no closing quotation"


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1).map(str.strip))
def test_no_text_is_lost_or_takes_the_parser_down(text):
    words = split_line(f"route {text}")

    assert words[0] == "route"
    assert len(words) == 1 or words[-1] in text or "\\" in text
