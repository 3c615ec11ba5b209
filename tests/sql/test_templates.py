"""SQL templates: values as whole constants, nothing else gets through."""

from contextlib import suppress
from datetime import date, datetime, timezone
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.sql.identifiers import split_name
from skills_nb.sql.templates import (
    Name,
    TemplateError,
    TemplateProblem,
    check,
    check_message,
    identifier,
    message,
    render,
    render_command,
)
from skills_nb.sql.tokens import TokenKind, scan, tokenize

VALUES = {
    "text": "it's \\",
    "table": Name.parse('db."My S".t'),
    "schema": Name.scope(("DB", "S")),
    "kind": "STRING",
    "rows": [{"A": "x", "items": 1}, {"A": "y", "items": 2}],
    "none": None,
    "many": [1, 2],
}


@pytest.mark.parametrize(
    ("value", "sql"),
    [
        ("it's", "'it''s'"),
        ("a\\'; drop table t --", "'a\\\\''; drop table t --'"),
        (True, "TRUE"),
        (False, "FALSE"),
        (None, "NULL"),
        (-5, "-5"),
        (1.5, "1.5"),
        (Decimal("1E+3"), "1000"),
        (Name(("DB", "my s", "T")), 'DB."my s".T'),
        (identifier("SELECT"), '"SELECT"'),
        ([1, "a", None], "1, 'a', NULL"),
        ([(1, 2), (3, 4)], "(1, 2), (3, 4)"),
        ({"k": [1, {"z": "q'"}]}, "{'k': [1, {'z': 'q'''}]}"),
        ({}, "{}"),
        (date(2026, 1, 2), "'2026-01-02'::DATE"),
        (datetime(2026, 1, 2, 3, 4), "'2026-01-02 03:04:00'::TIMESTAMP_NTZ"),
        (
            datetime(2026, 1, 2, tzinfo=timezone.utc),  # noqa: UP017
            "'2026-01-02 00:00:00+00:00'::TIMESTAMP_TZ",
        ),
    ],
)
def test_a_value_renders_by_its_type(value, sql):
    assert render("x = {{ v }};", {"v": value}) == f"x = {sql};"


@pytest.mark.parametrize(
    "value", [[], object(), float("nan"), float("inf"), Decimal("NaN"), "a\x00b", {1, 2}, b"x"]
)
def test_a_value_without_a_constant_is_refused(value):
    with pytest.raises(TemplateError):
        render("{{ v }}", {"v": value})


def test_a_value_nested_without_end_is_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(TemplateError):
        render("{{ v }}", {"v": endless})


@pytest.mark.parametrize(
    ("template", "sql"),
    [
        ("{{ ident('mask_', kind) }}", "MASK_STRING"),
        ("{{ ident(schema, 'mask_', kind) }}", "DB.S.MASK_STRING"),
        ("{{ ident(schema, 'my mask') }}", 'DB.S."my mask"'),
        ("{{ ident(kind) }}", "STRING"),
        ("{{ ident('T') }}", "T"),
        ("{{ ident(table) }}", 'DB."My S".T'),
        ("{{ ident(table.schema) }}", '"My S"'),
        ("{{ name('db', 's', 'My T') }}", 'DB.S."My T"'),
        ("{{ name(schema, 't') }}", "DB.S.T"),
        ("{{ name('a', 'b').fqn }}", "'A.B'"),
        ("{{ table.database }}, {{ table.schema }}, {{ table.name }}", "'DB', 'My S', 'T'"),
        ("{{ table.parts[0] }} {{ table.parts | length }}", "'DB' 3"),
        ("{{ schema }}.{{ ident('T') }}", "DB.S.T"),
        ("{{ 'Made by ' ~ kind }}", "'Made by STRING'"),
        ("{% for r in rows %}{{ r.A }}{% if not loop.last %}, {% endif %}{% endfor %}", "'x', 'y'"),
        ("{% for k, v in rows[0].items() %}{{ k }}={{ v }} {% endfor %}", "'A'='x' 'items'=1 "),
        ("{{ rows[0].get('Q', 7) }}", "7"),
        ("{% set n = ident('a') %}{{ n }}", "A"),
        ("{% if none is none %}1{% else %}2{% endif %}", "1"),
        ("{% raw %}{{ x }}{% endraw %}", "{{ x }}"),
        ("{# note #}1", "1"),
        ("{{ rows | map(attribute='A') | join('+') }}", "'x+y'"),
        ("{% for a in many %}{% for b in many %}{{ a * b }} {% endfor %}{% endfor %}", "1 2 2 4 "),
        ("select 1 - {{ many[0] }}\n", "select 1 - 1\n"),
    ],
)
def test_a_template_renders(template, sql):
    assert render(template, VALUES) == sql


def test_a_value_alone_keeps_its_case_and_a_built_name_is_upper_cased():
    assert render("{{ ident(c) }} {{ ident('p_', c) }}", {"c": "ssn"}) == '"ssn" P_SSN'


def test_an_input_called_name_does_not_hide_the_function():
    assert render("{{ name('a', name) }}", {"name": "B"}) == "A.B"


def test_renderings_of_one_template_share_no_values():
    template = "{{ 'a' }} {{ v }} {{ ident('b') }}"
    assert [render(template, {"v": v}) for v in (1, "x")] == ["'a' 1 B", "'a' 'x' B"]


HOSTILE = [
    "mask_{{ kind }}",
    "{{ kind }}_mask",
    "{{ kind }}{{ kind }}",
    "'{{ text }}'",
    "'a {{ text }} b'",
    '"{{ text }}"',
    "x'{{ text }}",
    "'a'{{ text }}",
    "{{ text }}'a'",
    "-- {{ text }}",
    "// {{ text }}",
    "/* {{ text }} */",
    "/* {{ text }}",
    "$$ {{ text }} $$",
    "${{ many[0] }}",
    "{{ many[0] }}$",
    "t.{{ kind }}",
    "{{ kind }}.t",
    "1.{{ many[0] }}",
    "mask_{% if true %}{{ kind }}{% endif %}",
    "'{% if true %}{{ kind }}{% endif %}'",
    "{% for r in rows %}{{ r.A }}{% endfor %}",
    "{{ missing }}",
    "{{ rows[9] }}",
    "{{ rows[0].missing }}",
    "{{ table.missing }}",
    "{{ text.__class__ }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ table._left }}",
    "{{ table['__class__'] }}",
    "{{ rows.append(1) }}",
    "{{ text.format(1) }}",
    "{{ text | attr('__class__') }}",
    "{{ text | safe }}",
    "{{ text | format }}",
    "{{ text | replace('a', 'b') }}",
    "{{ text | string | e }}",
    "{{ rows | map('attr', '__class__') | list }}",
    "{{ rows | map(attribute='__class__') | list }}",
    "{{ rows | selectattr('__class__') | list }}",
    "{{ ident.__globals__ }}",
    "{{ ident }}",
    "{{ self }}",
    "{{ self.__init__ }}",
    "{{ loop }}",
    "{{ range(10) }}",
    "{{ lipsum() }}",
    "{{ cycler }}",
    "{{ namespace() }}",
    "{{ dict(a=1) }}",
    "{{ _ident('a') }}",
    "{{ ident(_x) }}",
    "{{ ident(*many) }}",
    "{{ ident(a='b') }}",
    "{{ ident() }}",
    "{{ ident('') }}",
    "{{ ident(none) }}",
    "{{ ident(true) }}",
    "{{ ident(rows) }}",
    "{{ ident(missing) }}",
    "{{ ident('x' * 300) }}",
    "{{ name('a', 'b', 'c', 'd', 'e') }}",
    "{{ name() }}",
    "{% macro m() %}x{% endmacro %}{{ m() }}",
    "{% include 'x' %}",
    "{% import 'x' as y %}",
    "{% extends 'x' %}",
    "{% block x %}{% endblock %}",
    "{% filter upper %}{{ text }}{% endfilter %}",
    "{% set x %}{{ text }}{% endset %}",
    "{% call ident() %}{% endcall %}",
    "{% with x = 1 %}{{ x }}{% endwith %}",
    "{% autoescape true %}{{ text }}{% endautoescape %}",
    "{% do rows.append(1) %}",
    "{% for r in rows recursive %}{% endfor %}",
    "{% for c in text %}{{ c }} {% endfor %}",
    "{{ 9 ** 9 ** 9 }}",
    "{{ 'a' * 100000 }}",
    "{{ many * 100000 }}",
    "{{ '%s' % text }}",
    "{{ '%1000000d' % 1 }}",
    "{{ 1 / 0 }}",
    "{{ 1 + 'a' }}",
    "{{ many | items }}",
    "{{ text",
    "{% if %}",
    "{% endfor %}",
    "{{ }}",
    "{{ text }} {% unknown %}",
    "\x00{{ text }}",
    "\x000\x00{{ text }}",
    "{{ none.x }}",
    "{{ many.0.__class__ }}",
    "{{ kind[0:2].__class__ }}",
    "{{ text if missing else kind }}",
    "{{ not_there | default(also_not_there) }}",
    "--\r{{ text }}{{ text }}",
    "-{{ negative }}",
    "{{ [] }}",
    "{{ {'a': missing} }}",
    "{{ (1).real }}",
    "{{ caller() }}",
    "{{ gettext('a') }}",
    "{% trans %}a{% endtrans %}",
    "{{ text is callable }}",
    "{{ text | xmlattr }}",
    "{{ text | tojson }}",
    "{{ (" * 200,
]


@pytest.mark.parametrize("template", HOSTILE)
def test_a_hostile_template_is_refused(template):
    with pytest.raises(TemplateError):
        render(template, {**VALUES, "negative": -1, "_x": "A"})


def test_there_are_a_hundred_hostile_templates():
    assert len(HOSTILE) >= 100


@pytest.mark.parametrize(
    "template",
    [
        "{% for a in r %}{% for b in r %}{% for c in r %}{% endfor %}{% endfor %}{% endfor %}",
        "{% for a in r %}{% for b in r %}{{ a + b }}, {% endfor %}{% endfor %}",
    ],
)
def test_loops_are_bounded(template):
    with pytest.raises(TemplateError, match="100000 times"):
        render(template, {"r": list(range(400))})


def test_a_text_cannot_grow_without_end():
    doubling = "{% set a = t ~ t %}" + "".join(
        f"{{% set {chr(98 + i)} = {chr(97 + i)} ~ {chr(97 + i)} %}}" for i in range(20)
    )
    with pytest.raises(TemplateError):
        render(doubling + "{{ u }}", {"t": "x" * 1000})


def test_an_error_says_where_it_is():
    with pytest.raises(TemplateError) as caught:
        render("select 1\nfrom mask_{{ kind }}", VALUES)
    assert caught.value.problem == TemplateProblem(
        2,
        11,
        "a value is set against other text",
        "Build the whole name with ident('prefix_', value), or the whole text with ~.",
    )


def test_an_undefined_name_is_placed_on_its_line():
    with pytest.raises(TemplateError) as caught:
        render("select 1,\n  {{ missing }}", {"known": 1})
    assert (caught.value.problem.line, caught.value.hint) == (2, "Use one of: known.")


PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00"))
)
ANY_VALUE = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_characters="\x00")), inner, max_size=3)
    ),
    max_leaves=8,
)


def shape(sql):
    """Return the kinds of the tokens, constants apart."""
    return [token.text for token in tokenize(sql) if token.kind is not TokenKind.END]


@given(ANY_VALUE)
def test_no_value_ever_leaves_its_place(value):
    sql = render("select {{ v }} , 'end' -- tail", {"v": value})
    tokens = [t for t in scan(sql) if t.kind is not TokenKind.SPACE]
    assert [tokens[0].text, *(t.text for t in tokens[-3:])] == ["select", ",", "'end'", "-- tail"]
    assert all(t.kind not in (TokenKind.COMMENT, TokenKind.BROKEN) for t in tokens[:-1])
    assert all(t.text != ";" for t in tokens)


@given(st.text(st.characters(exclude_characters="\x00"), max_size=50))
def test_a_text_renders_as_one_literal_that_means_it(value):
    token, _ = tokenize(render("{{ v }}", {"v": value}))
    assert (token.kind, token.value) == (TokenKind.STRING, value)


@given(st.text(st.characters(exclude_characters="\x00"), min_size=1, max_size=50))
def test_an_identifier_renders_as_one_name_that_means_it(value):
    assert split_name(render("{{ ident(v) }}", {"v": value})) == (value,)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            [
                "{{ v }}",
                "{{ ident(v) }}",
                "'",
                '"',
                "--",
                "\n",
                "/*",
                "*/",
                "$$",
                "$",
                " ",
                ";",
                "a",
                ".",
                "-",
                "{% if v %}",
                "{% endif %}",
                "{# x #}",
                "//",
                "\\",
                "''",
                "(",
                ",",
            ]
        ),
        max_size=9,
    ).map("".join)
)
def test_whatever_surrounds_a_value_it_stays_a_token_or_is_refused(template):
    marker = "'); drop table t; --\n*/ $$ \" \\"
    try:
        sql = render(template, {"v": marker})
    except TemplateError:
        return
    expected = template.count("{{ v }}")
    literals = [t for t in scan(sql) if t.kind is TokenKind.STRING and t.value == marker]
    names = [t for t in scan(sql) if t.kind is TokenKind.QUOTED]
    assert len(literals) == expected
    assert sum(marker in t.text.replace('""', '"') for t in names) == template.count("ident(v)")


# check


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("select {{ a }}", []),
        ("select {{ a }},\n {{ b.c }}", [(2, 5, "nothing is called 'b'")]),
        ("mask_{{ a }}", [(1, 6, "a value is set against other text")]),
        ("{{ a }}_x", [(1, 1, "a value is set against other text")]),
        ("m_{% if a %}{{ a }}{% endif %}", [(1, 13, "a value is set against other text")]),
        ("select '{{ a }}'", [(1, 9, "a value stands inside a string literal")]),
        ("-- {{ a }}", [(1, 4, "a value stands inside a comment")]),
        (
            "{% for r in a %}{{ r }} {{ loop.index }} {% endfor %}\n{{ r }}",
            [(2, 4, "nothing is called 'r'")],
        ),
        ("{% set x = a %}{{ x }}", []),
        ("{% if a %}{% set x = a %}{{ x }}{% endif %}", []),
        ("{{ ident(a, 'b') }} {{ name(a) }}", []),
        ("{{ a.z | map(attribute='z') }} {{ ident(z) }}", [(1, 41, "nothing is called 'z'")]),
        ("{% for k, v in a.items() if v %}{{ k }} {% endfor %}", []),
        ("{{ a | upper }} {{ a | map(attribute='x') | list }}", []),
        ("{{ a.__class__ }}", [(1, 1, "'__class__' is a private attribute")]),
        ("\n{{ a | safe }}", [(2, 1, "the filter 'safe' is not allowed in SQL templates")]),
        ("{%- if a -%}  {{ a }}  {%- endif -%}", []),
        ("{% raw %}'{{ a }}'{% endraw %}", []),
        ("{# '{{ a }}' #}", []),
        ("{{ '}}' ~ a }}", []),
    ],
)
def test_check_finds_problems_where_they_are(template, found):
    assert [(p.line, p.column, p.message) for p in check(template, {"a"})] == found


def test_check_of_a_syntax_error_has_one_problem():
    assert [p.line for p in check("select 1\n{% if %}", set())] == [2]


@given(st.text(alphabet="{}% abi'\"-\n#|._", max_size=40))
def test_check_and_render_never_fail_in_other_ways(template):
    check(template, {"a"})
    with suppress(TemplateError):
        render(template, {"a": "x"})


# Names and messages


def test_a_name_of_a_scope_counts_from_the_database():
    scope = Name.scope(("DB", "S"))
    assert (scope.database, scope.schema, scope.table, scope.name) == ("DB", "S", None, "S")


def test_a_name_of_an_object_counts_from_the_object():
    name = Name.parse("s.t")
    assert (name.database, name.schema, name.table, str(name)) == (None, "S", "T", "S.T")


@pytest.mark.parametrize("parts", [(), ("",), ("A",) * 5, ("a\x00",)])
def test_what_is_no_name_is_refused(parts):
    with pytest.raises(Exception, match=r"name|identifier"):
        Name(parts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{count} rows in {table}", "2 rows in DB.S.T"),
        ("{table.name}", "T"),
        ("{step_3.made.0}", "x"),
        ("{flag} {nothing} {items}", "yes none a, b"),
        ("{{count}} {} { count } {1} {'a': 1}", "{2} {} { count } {1} {'a': 1}"),
        ("{tricky}", "{count}"),
        ("{one:row is|rows are} {count:row|rows}", "1 row is 2 rows"),
        ("{step_3.made:x|y} {nothing:row|rows} {one:row}", "x y none rows {one:row}"),
    ],
)
def test_a_message_fills_its_names_once(text, said):
    values = {
        "count": 2,
        "table": Name.parse("db.s.t"),
        "step_3": {"made": ["x"]},
        "flag": True,
        "nothing": None,
        "items": ["a", "b"],
        "tricky": "{count}",
        "one": 1,
    }
    assert message(text, values) == said


@pytest.mark.parametrize("text", ["{missing}", "{a.b}", "{a.__class__}", "{t._left}", "{l.7}"])
def test_a_message_with_an_unknown_name_is_refused(text):
    with pytest.raises(TemplateError):
        message(text, {"a": "x", "t": Name(("T",)), "l": [1]})


def test_check_message_places_the_unknown_name():
    assert check_message("{a:row|rows}\n {b.c:row|rows}", {"a"}) == (
        TemplateProblem(2, 2, "nothing is called 'b.c'", "Use one of: a."),
    )


@pytest.mark.parametrize(
    "template",
    [
        "{{ " + "1+" * 20_000 + "1 }}",
        "{{ text" + "|upper" * 5_000 + " }}",
        "{{ rows" + ".a" * 5_000 + " }}",
        "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
        "{% if many %}" * 500 + "{% endif %}" * 500,
    ],
)
def test_a_template_that_is_nested_too_deeply_is_refused(template):
    (problem,) = check(template, VALUES)
    assert "nested too deeply" in problem.message
    with pytest.raises(TemplateError, match="nested too deeply"):
        render(template, VALUES)
    with pytest.raises(TemplateError, match="nested too deeply"):
        render_command(template, VALUES)


def test_a_template_of_many_branches_is_read():
    template = "{% if many %}" * 20 + "{{ text ~ text|upper|lower|trim }}" + "{% endif %}" * 20
    assert check(template, VALUES) == ()
    assert render(template, VALUES) == render("{{ text ~ text }}", VALUES)


@pytest.mark.parametrize(
    "value",
    [10**5000, -(10**400), Decimal("1E+99999999")],
    ids=["whole", "negative", "short"],
)
def test_a_number_larger_than_any_is_refused(value):
    for fill in (render, render_command):
        with pytest.raises(TemplateError):
            fill("SELECT {{ n }}", {"n": value})
    assert render("SELECT {{ n }}", {"n": 10**38}) == f"SELECT {10**38}"
    assert render_command("echo {{ n }}", {"n": 10**38}) == f"echo {10**38}"


def test_a_query_of_somebodys_renders_as_it_is_and_nothing_else_does():
    values = {
        "text": "select a from t -- all",
        "bad": "drop table t",
        "table": Name(("D", "S", "T")),
        "copy": Name(("D", "X", "T")),
    }
    template = "SELECT COUNT(*) FROM ({{ query(text, 'D', 'S', table, copy) }})"
    assert render(template, values) == "SELECT COUNT(*) FROM (select a from D.X.T\n)"
    assert render("SELECT {{ query_tables(text, 'D', 'S') }}", values) == "SELECT D.S.T"
    assert render("SELECT {{ query_problem(text, 'D', 'S') }}", values) == "SELECT NULL"
    assert "may change the account" in render("SELECT {{ query_problem(bad) }}", values)
    assert "without database and schema" in render("SELECT {{ query_problem(text) }}", values)
    for wrong in ("query(bad, 'D', 'S')", "query(text)", "query(1)", "query_tables(bad)"):
        with pytest.raises(TemplateError):
            render(f"SELECT * FROM ({{{{ {wrong} }}}})", values)
