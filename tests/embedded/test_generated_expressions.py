"""Expressions from a grammar, every function with odd arguments: what comes back is a value or a
refusal in Snowflake's numbers, soon, and never an error of our own.

`SKILLS_NB_FUZZ_SEED` chooses others; a failure names its seed.
"""

import os
import random

import pytest
from sqlglot import exp

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.translator.dialect import natively
from skills_nb.embedded.translator.dialect.passes import PASSES
from skills_nb.embedded.translator.dialect.templates import TEMPLATES
from skills_nb.errors import SqlError
from tests.embedded.answer_trouble import trouble_with

SEED = int(os.environ.get("SKILLS_NB_FUZZ_SEED", "20261123"))
_CLASSES = {
    name for name, cls in exp.FUNCTION_BY_NAME.items() if cls in PASSES or cls in natively.TYPED
}
_PLAIN = """
abs ceil floor round trunc sqrt exp ln log power mod sign greatest least coalesce nvl nvl2 iff
decode zeroifnull nullifzero upper lower initcap trim ltrim rtrim lpad rpad left right substr
substring position charindex contains startswith endswith replace translate reverse repeat
space split split_part strtok strtok_to_array concat concat_ws length ascii chr hex_encode
base64_encode hex_decode_string base64_decode_string md5 sha1 sha2 to_char to_varchar to_number
to_decimal to_double to_boolean to_date to_time to_timestamp to_timestamp_tz to_binary
to_variant to_array to_object parse_json try_parse_json to_json typeof get get_path
object_construct object_insert object_delete object_keys object_pick array_construct
array_append array_cat array_compact array_contains array_distinct array_insert
array_intersection array_position array_prepend array_remove array_size array_slice array_sort
array_to_string arrays_overlap arrays_zip array_flatten array_max array_min dateadd datediff
date_trunc date_part dayname monthname last_day next_day previous_day add_months months_between
year month day hour minute second date_from_parts time_from_parts timestamp_from_parts
convert_timezone time_slice try_to_number try_to_date try_to_timestamp try_to_boolean
try_to_double regexp_like regexp_replace regexp_substr regexp_count regexp_instr like ilike
editdistance jarowinkler_similarity soundex bitand bitor bitxor bitshiftleft bitshiftright
bitnot hash width_bucket factorial uniform randstr seq4 sum avg min max count listagg array_agg
object_agg median mode stddev variance approx_count_distinct any_value percentile_cont
bitand_agg booland_agg count_if min_by max_by kurtosis skew corr covar_pop row_number rank lag
lead first_value last_value nth_value ntile ratio_to_report strip_null_value is_null_value
as_varchar as_integer as_array is_integer is_array check_json parse_url url_decode insert
unicode
"""
FUNCTIONS = sorted(
    {name.lower() for name in (*TEMPLATES, *natively.NAMED, *_CLASSES, *_PLAIN.split())}
    - {"system$wait", "generator"}
)
"""The functions of the catalogue, the account's own and sqlglot's."""
_ATOMS = (
    "NULL",
    "0",
    "-1",
    "1",
    "2",
    "7",
    "1e308",
    "-1e400",
    "99999999999999999999999999999999999999",
    "0.1",
    "-0.0",
    "2147483648",
    "-9223372036854775809",
    "''",
    "' '",
    "'x'",
    "'abc,def'",
    "'é\u4e16'",
    "'\U0001f600'",
    "'\\0'",
    "'%'",
    "'('",
    "'[a-'",
    "'\\\\'",
    "'YYYY-MM-DD'",
    "'day'",
    "'nope'",
    "'2024-02-30'",
    "'{\"a\": [1, null]}'",
    "'{'",
    "'Europe/Berlin'",
    "TRUE",
    "FALSE",
    "'0001-01-01'::date",
    "'9999-12-31'::date",
    "'9999-12-31 23:59:59.999999999'::timestamp",
    "'2024-01-01 00:00:00 +14:00'::timestamp_tz",
    "'23:59:59.9'::time",
    "to_binary('FF', 'hex')",
    "'NaN'::float",
    "'inf'::float",
    "'-inf'::float",
    "parse_json('null')",
    "parse_json('[1,[2]]')",
    "array_construct()",
    "object_construct()",
    "object_construct('a', 1)",
    "[1, 'x', NULL]",
    "{'k': {'k': 1}}",
    "a",
    "b",
    "c",
    "d",
    "v",
    "t.a",
    '"q x"',
    "*",
    "$1",
    "day",
    "x -> x + 1",
    "(a, x) -> a",
    "distinct a",
    "(select 1)",
    "(select a, b from t)",
    "interval '1 day'",
    "current_timestamp()",
    "name => 1",
    "null::variant",
    "null::array",
    "null::varchar",
)
_BETWEEN = ("+", "-", "*", "/", "%", "||", "=", "<", "<>", "and", "or", "like", "is distinct from")
_TYPES = (
    "int",
    "number(38,37)",
    "number(3,1)",
    "float",
    "varchar(1)",
    "boolean",
    "date",
    "time",
    "timestamp_ntz",
    "timestamp_tz",
    "variant",
    "array",
    "object",
    "binary",
    "nope",
)


def _expression(chance: random.Random, depth: int) -> str:
    """Write an expression, of whatever types."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(_ATOMS)
    inner = [_expression(chance, depth - 1) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))]
    one = inner[0] if inner else chance.choice(_ATOMS)
    match chance.randrange(14):
        case 0:
            return f"({one} {chance.choice(_BETWEEN)} {inner[-1] if inner else one})"
        case 1:
            return f"({one})::{chance.choice(_TYPES)}"
        case 2:
            return f"try_cast({one} as {chance.choice(_TYPES)})"
        case 3:
            return f"case when {one} then {inner[-1] if inner else one} else {one} end"
        case 4:
            return chance.choice((f"{one}[0]", f"{one}:a.b", f'({one}):"k"[1]', f"-({one})"))
        case 5:
            called = f"{chance.choice(FUNCTIONS)}({', '.join(inner)})"
            over = (
                "over ()",
                "over (partition by a order by b)",
                "within group (order by c)",
                "over (order by a rows between 1 preceding and current row)",
            )
            return f"{called} {chance.choice(over)}"
        case 6:
            return chance.choice(
                (
                    f"{one} in ({', '.join(inner) or 1})",
                    f"{one} between 1 and a",
                    f"{one} is null",
                    f"exists (select {one})",
                )
            )
        case _:
            return f"{chance.choice(FUNCTIONS)}({', '.join(inner)})"


def statement(chance: random.Random) -> str:
    """Write a statement over the table T, or over none."""
    one = _expression(chance, chance.choice((1, 1, 2, 2, 3, 4)))
    match chance.randrange(9):
        case 0 | 1 | 2:
            return f"select {one}"
        case 3 | 4:
            return f"select {one} from t"
        case 5:
            return f"select a from t where {one}"
        case 6:
            return f"select {one}, count(*) from t group by 1 order by 1"
        case 7:
            return f"update t set {chance.choice('abcdv')} = {one}"
        case _:
            return f"select * from (select {one} as z, a from t) qualify z = a"


def fuzzed(seed: int, count: int) -> list[str]:
    """Run so many generated statements, and return what was wrong."""
    chance = random.Random(seed)
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        session.execute("create database generated")
        session.execute("alter session set statement_timeout_in_seconds = 10")
        session.execute(
            'create table t (a int, b varchar, c date, d float, v variant, "q x" timestamp_tz)'
        )
        session.execute("insert into t (a, b) values (1, 'x'), (null, ''), (-3, 'é')")
        found = [trouble_with(session, statement(chance)) for _ in range(count)]
    return [trouble for trouble in found if trouble is not None]


def test_generated_expressions_meet_no_error_of_our_own_for_a_moment() -> None:
    assert (SEED, fuzzed(SEED, 300)) == (SEED, [])


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_generated_expressions_meet_no_error_of_our_own(part: int) -> None:
    seed = SEED + part
    assert (seed, fuzzed(seed, 5_000)) == (seed, [])


@pytest.mark.parametrize(
    ("sql", "errno"),
    [
        ("select initcap()", 1003),
        ("select as_number()", 938),
        ("select ceil()[0]", 938),
        ("select sum(distinct)", 2),
        ("select to_number('1', '9', 'a', 'b')", 1014),
        ("select reduce(9, 2, '[a-')", 1014),
        ("select date_part('2020-01-01'::date:a)", 938),
        ("select * rename (x , y) from (select 1 as x)", 1003),
        ("select $21e400 from (select 1 as x)", 904),
        ("select get_ddl(1e400, 's')", 100038),
        ("select get_ddl(1, 's')", 1014),
        ("select get_ddl('table', parse_json('{'))", 100069),
        ("select system$wait(-'x')", 100038),
        ("select system$cancel_query([1])", 1014),
        ("select hex_decode_string('😀')", 100132),
    ],
)
def test_arguments_that_are_missing_or_odd_are_refused_in_words(sql: str, errno: int) -> None:
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        with pytest.raises(SqlError) as refused:
            session.execute(sql)
    assert refused.value.errno == errno


def test_a_generator_has_as_many_rows_as_it_is_asked_for() -> None:
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        found = session.execute("select count(*) from table(generator(rowcount => 100000000))")
    assert found.rows == ((100_000_000,),)
