"""Command lines: values as whole words of a shell, nothing else gets through."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.sql.templates import (
    Name,
    TemplateError,
    TemplateProblem,
    check_command,
    render_command,
)

HINT = "Take the quotes away: a value brings its own."


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("snow sql --role {{ role }}", "snow sql --role DATA_ENGINEER"),
        ("docker push {{ place }}/app:{{ tag }}", "docker push 'a b'/app:2"),
        ("echo {{ odd }}", "echo 'DB.\"My S\"'"),
        ("ls {{ many }}", "ls 1 'x y'"),
        ("echo {{ yes }} {{ ident('T_', tag) }}", "echo true T_2"),
        ("{% for one in many %}echo {{ one }};{% endfor %}", "echo 1;echo 'x y';"),
        ("""echo 'it''s' "\\"" {{ tag }} # a {note}""", """echo 'it''s' "\\"" 2 # a {note}"""),
    ],
)
def test_a_value_is_one_word_and_a_list_is_several(template: str, line: str) -> None:
    values = {
        "role": Name.parse("data_engineer"),
        "odd": Name(("DB", "My S")),
        "place": "a b",
        "tag": 2,
        "many": [1, "x y"],
        "yes": True,
    }
    assert render_command(template, values) == line


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_any_text_stays_one_word(text: str) -> None:
    assert shlex.split(render_command("echo --to={{ text }}", {"text": text})) == [
        "echo",
        f"--to={text}",
    ]


@pytest.mark.parametrize(
    ("template", "column"),
    [
        ("echo '{{ text }}'", 7),
        ('echo "say {{ text }}"', 11),
        ('echo "open {{ text }}', 12),
        ("echo \\{{ text }}", 7),
        ("ls # {{ text }}", 6),
        ("cat <<EOF\n{{ text }}\nEOF", 1),
    ],
)
def test_a_value_inside_quotes_is_refused(template: str, column: int) -> None:
    with pytest.raises(TemplateError, match="a value stands inside quotes"):
        render_command(template, {"text": "$(rm -r .)"})
    line = 1 + template.count("\n", 0, template.index("{{"))
    problem = TemplateProblem(line, column, "a value stands inside quotes", HINT)
    assert check_command(template, {"text"}) == (problem,)


@pytest.mark.parametrize("value", [None, {"a": 1}, object()])
def test_what_is_no_word_is_refused(value: object) -> None:
    with pytest.raises(TemplateError, match="command line"):
        render_command("echo {{ value }}", {"value": value})


def test_an_unknown_name_is_found_without_values() -> None:
    (problem,) = check_command("echo {{ txt }}", {"text"})
    assert (problem.line, problem.column, problem.message) == (1, 9, "nothing is called 'txt'")
    assert check_command("echo {{ text }}", {"text"}) == ()
