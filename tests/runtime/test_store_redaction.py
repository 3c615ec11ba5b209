"""Secrets do not reach a thread, and SQL without one is left alone."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skills_nb.model.events import (
    EVENT_TYPES,
    ContextMapped,
    EnvironmentProbed,
    HumanResponse,
    InputGathered,
    PlaybookStarted,
    StatementError,
    StatementFailed,
    StatementStarted,
    dump,
)
from skills_nb.runtime.stores.redaction import Secrets, redact, redact_text
from skills_nb.sql.secret_patterns import REDACTED, is_secret_name
from tests.runtime.store_contract import EVENTS, JSON_VALUES, TEXTS, stamped

LAW = settings(max_examples=150, deadline=None)

TAKEN_OUT = [
    (
        "ALTER USER u SET PASSWORD = 'my password = ''x''' COMMENT = 'c'",
        "ALTER USER u SET PASSWORD = '«redacted»' COMMENT = 'c'",
    ),
    (
        "CREATE USER u PASSWORD = 'hunter2' MUST_CHANGE_PASSWORD = TRUE",
        "CREATE USER u PASSWORD = '«redacted»' MUST_CHANGE_PASSWORD = TRUE",
    ),
    ("alter user u set password='it''s'", "alter user u set password='«redacted»'"),
    (
        r"ALTER USER u SET PASSWORD = 'a\'b' COMMENT = 'c'",
        "ALTER USER u SET PASSWORD = '«redacted»' COMMENT = 'c'",
    ),
    ("ALTER USER u SET PASSWORD = $$it's$$", "ALTER USER u SET PASSWORD = $$«redacted»$$"),
    ("ALTER USER u SET PASSWORD = 'cut off", "ALTER USER u SET PASSWORD = '«redacted»'"),
    (
        "EXECUTE IMMEDIATE 'ALTER USER u SET PASSWORD = ''hunter2'''",
        "EXECUTE IMMEDIATE 'ALTER USER u SET PASSWORD = ''«redacted»'''",
    ),
    (
        "EXECUTE IMMEDIATE 'ALTER USER u SET PASSWORD = ''two words'' COMMENT = ''c'''",
        "EXECUTE IMMEDIATE 'ALTER USER u SET PASSWORD = ''«redacted»'' COMMENT = ''c'''",
    ),
    (
        r"EXECUTE IMMEDIATE 'ALTER USER u SET PASSWORD = \'hunter2\''",
        r"EXECUTE IMMEDIATE 'ALTER USER u SET PASSWORD = \'«redacted»\''",
    ),
    ("don't: PASSWORD = 'hunter2'", "don't: PASSWORD = '«redacted»'"),
    (
        "CREATE SECRET s TYPE = GENERIC_STRING SECRET_STRING = 'x;y'",
        "CREATE SECRET s TYPE = GENERIC_STRING SECRET_STRING = '«redacted»'",
    ),
    (
        "CREATE STAGE s URL = 's3://b/p' CREDENTIALS = (AWS_KEY_ID = 'AK(1)' AWS_SECRET_KEY = 's')"
        " ENCRYPTION = (TYPE = 'AWS_CSE' MASTER_KEY = 'm')",
        "CREATE STAGE s URL = 's3://b/p' CREDENTIALS = («redacted»)"
        " ENCRYPTION = (TYPE = 'AWS_CSE' MASTER_KEY = '«redacted»')",
    ),
    ("credentials=(AZURE_SAS_TOKEN='?sv=1&sig=abc')", "credentials=(«redacted»)"),
    ("CREDENTIALS = (AWS_TOKEN = 'cut off", "CREDENTIALS = («redacted»)"),
    ("SELECT f(api_key => 'k')", "SELECT f(api_key => '«redacted»')"),
    ("key: -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY----- end", "key: «redacted» end"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIcut", "«redacted»"),
    ("token eyJhbGciOi.eyJzdWIiOi.c2ln-_ used", "token «redacted» used"),
    ("snowflake://me:p@ss@acc/db", "snowflake://me:«redacted»@acc/db"),
    ("git clone https://tok3n@example.com/r.git", "git clone https://«redacted»@example.com/r.git"),
    ("GET https://h/p?sv=1&sig=ab%2Fc&se=2", "GET https://h/p?sv=1&sig=«redacted»&se=2"),
    ("Authorization: Bearer abcdefghijklmnopqrst", "Authorization: Bearer «redacted»"),
    (
        'Authorization: Snowflake Token="ver:1-hint:5-x"',
        'Authorization: Snowflake Token="«redacted»"',
    ),
    ('{"user": "u", "password": "a\\"b"}', '{"user": "u", "password": "«redacted»"}'),
    ("use ghp_0123456789abcdefghijABCDEFGHIJ", "use «redacted»"),
]

ORDINARY = [
    "SELECT * FROM users WHERE password IS NOT NULL",
    "SELECT password, token FROM t WHERE a.password = b.password",
    "SELECT * FROM t WHERE password = '' OR name = ''",
    "SELECT 'the password = ' || name || ' and more' FROM t",
    "SELECT concat('password = ', name, 'x')",
    "WHERE credentials = (SELECT max(c) FROM t)",
    "CREATE PASSWORD POLICY p PASSWORD_MIN_LENGTH = 12 COMMENT = 'long'",
    "ALTER USER u SET PASSWORD POLICY db.s.p",
    "ALTER USER u UNSET PASSWORD",
    "ALTER USER u SET RSA_PUBLIC_KEY = 'MIIBIjANBgkqh'",
    "CREATE TABLE t (primary_key INT, token_count INT, secret_id TEXT DEFAULT 'none')",
    "CREATE STAGE s URL = 'https://host:8443/path@v1' STORAGE_INTEGRATION = i",
    "COPY INTO t FROM @db.s.stage/path FILE_FORMAT = (TYPE = 'CSV' FIELD_DELIMITER = '|')",
    "CREATE MASKING POLICY m AS (val STRING) RETURNS STRING -> "
    "CASE WHEN current_role() IN ('A') THEN val ELSE '***' END",
    "INSERT INTO t VALUES ('it''s', $$a 'quoted' $ text$$, '{\"k\": \"v\"}')",
    "SHOW SECRETS IN SCHEMA db.s; -- who may use the secret?",
    "SELECT column_name FROM c WHERE column_name ILIKE '%password%' AND x = 'y'",
]


@pytest.mark.parametrize(("text", "left"), TAKEN_OUT, ids=[text[:30] for text, _ in TAKEN_OUT])
def test_what_has_a_secrets_shape_is_taken_out(text, left):
    assert redact_text(text) == left


@pytest.mark.parametrize("sql", ORDINARY)
def test_sql_without_a_secret_is_left_to_the_letter(sql):
    assert redact_text(sql) == sql


@LAW
@given(st.lists(st.sampled_from(ORDINARY), max_size=5).map(";\n".join), TEXTS)
def test_scripts_without_a_secret_are_left_to_the_letter(script, secret):
    assume(secret not in script and len(secret) >= 4)
    assert redact_text(script, [secret]) == script


@LAW
@given(
    st.sampled_from(ORDINARY),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=20),
    st.sampled_from(ORDINARY),
)
def test_a_password_between_other_statements_is_taken_out_alone(before, password, after):
    assume(password.strip("'$\\") and not password.startswith(("'", "\\")))
    literal = password.replace("\\", "\\\\").replace("'", "''")
    script = f"{before};\nALTER USER u SET PASSWORD = '{literal}';\n{after}"
    assert redact_text(script) == (f"{before};\nALTER USER u SET PASSWORD = '{REDACTED}';\n{after}")


@LAW
@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_redacting_twice_changes_nothing_more(text, secrets):
    assume(all(secret not in REDACTED for secret in secrets if secret))
    once = redact_text(text, secrets)
    assert redact_text(once, secrets) == once


@pytest.mark.parametrize("text", [text for text, _ in TAKEN_OUT])
def test_redacting_a_shape_twice_changes_nothing_more(text):
    assert redact_text(redact_text(text)) == redact_text(text)


SECRETS = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=6, max_size=20
).map(lambda text: f"#{text}~")


@LAW
@given(SECRETS, JSON_VALUES, TEXTS, TEXTS)
def test_a_known_secret_is_in_no_value_of_the_event(secret, other, before, after):
    sql = "SELECT '{}'".format(secret.replace("'", "''"))
    values = {"plain": f"{before}{secret}{after}", "sql": sql, "json": json.dumps([secret])}
    event = PlaybookStarted(playbook="p", inputs={**values, "deep": [{"x": [secret, other]}]})
    cleaned = redact(event, [secret])
    assert not [leaf for leaf in _leaves(dump(cleaned)["inputs"]) if secret in leaf]
    assert cleaned.inputs["deep"][0]["x"][0] == REDACTED
    assert cleaned.inputs["sql"] == f"SELECT '{REDACTED}'"


def _leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each)]
    return [str(value)]


@pytest.mark.slow
@LAW
@given(EVENTS, st.lists(TEXTS, max_size=2))
def test_every_event_stays_an_event_of_its_type_in_its_place(event, secrets):
    (event,) = stamped([event])
    cleaned = redact(event, secrets)
    kept = ("type", "seq", "id", "v", "timestamp", "actor", "effect_key")
    assert [getattr(cleaned, name) for name in kept] == [getattr(event, name) for name in kept]


def test_an_event_without_secrets_is_the_same_object():
    event = InputGathered(name="target_scope", value={"schemas": ["PROD.CUSTOMER_DATA"], "n": 3})
    assert redact(event, ["hunter2"]) is event


def test_values_under_a_secrets_name_are_taken_out():
    event = HumanResponse(
        choice="modify",
        values={
            "apiKey": "k",
            "db": {"DB_PASSWORD": ["a"], "pin": 1},
            "has_password": True,
            "client-secret": 12345,
            "password": None,
            "token_count": 3,
        },
    )
    assert redact(event).values == {
        "apiKey": REDACTED,
        "db": {"DB_PASSWORD": REDACTED, "pin": 1},
        "has_password": True,
        "client-secret": REDACTED,
        "password": None,
        "token_count": 3,
    }


def test_a_value_is_taken_out_where_another_member_names_it():
    assert redact(InputGathered(name="db_password", value=17)) == InputGathered(
        name="db_password", value=REDACTED
    )
    mapped = ContextMapped(
        mappings=[
            {"from": "a", "to": "api_key", "value": ["x"]},
            {"from": "b", "to": "scope", "value": ["x"]},
        ]
    )
    assert redact(mapped).mappings == [
        {"from": "a", "to": "api_key", "value": REDACTED},
        {"from": "b", "to": "scope", "value": ["x"]},
    ]


def test_cells_under_a_secrets_column_are_taken_out():
    event = EnvironmentProbed(
        query="SELECT * FROM t",
        result={
            "columns": ["ID", "PASSWORD", "HAS_PASSWORD"],
            "rows": [[1, "x", "true"], [2, None, "false"], ["ragged"]],
        },
    )
    assert redact(event).result["rows"] == [[1, REDACTED, "true"], [2, None, "false"], ["ragged"]]


def test_a_short_secret_is_taken_out_only_as_a_whole_value():
    event = PlaybookStarted(playbook="p", inputs={"pin": "a1", "text": "a1 and a10", "n": 77})
    assert redact(event, ["a1", "77"]).inputs == {
        "pin": REDACTED,
        "text": "a1 and a10",
        "n": REDACTED,
    }


def test_what_the_account_counts_is_kept_where_a_secret_is_as_short_as_a_count():
    told = {"columns": ["N", "TEXT"], "rows": [[1, "1"], [70777, "x"]], "row_count": 70777}
    answered = redact(EnvironmentProbed(query="SELECT 1", result=told), ["1", "70777"]).result
    assert answered == told | {"rows": [[1, REDACTED], [REDACTED, "x"]]}
    said = PlaybookStarted(playbook="p", inputs={"n": 1})
    assert redact(said, ["1"]).inputs == {"n": REDACTED}


def test_numbers_of_the_events_own_fields_are_kept():
    event = StatementFailed(error=StatementError(text="error 2003: 2003", errno=2003))
    assert redact(event, ["2003"]) == StatementFailed(
        error=StatementError(text=f"error {REDACTED}: {REDACTED}", errno=2003)
    )


def test_words_that_a_fold_compares_are_kept_even_when_a_secret_is_one_of_them():
    event = StatementStarted(step="once", ordinal=1, sql="SELECT 'once'", kind="once")
    assert redact(event, ["once"]) == StatementStarted(
        step="once", ordinal=1, sql=f"SELECT '{REDACTED}'", kind="once"
    )


def test_a_secret_that_begins_with_another_leaves_no_rest():
    assert Secrets.of(["hunter", "hunter-two"]).taken_out_of("x hunter-two") == f"x {REDACTED}"


def test_no_field_of_an_event_has_a_secrets_name():
    names = {name for model in EVENT_TYPES.values() for name in model.model_fields}
    assert [name for name in names if is_secret_name(name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "AWS_SECRET_KEY",
        "accessToken",
        "x-api-key",
        "Private Key",
        "pwd",
        "user_passphrase",
        "secret",
    ],
)
def test_names_of_secrets(name):
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "has_password",
        "password_policy",
        "secret_id",
        "primary_key",
        "token_count",
        "is_secret",
        "tokens",
        "keyword",
        "",
    ],
)
def test_names_that_only_sound_like_secrets(name):
    assert not is_secret_name(name)


def test_long_texts_are_read_in_linear_time():
    for piece in ("a.a-", "eyJ-", "PASSWORD = ", "'", "CREDENTIALS=(a=", '"password": ', "x://"):
        begin = time.process_time()
        redact_text(piece * 20_000)
        assert time.process_time() - begin < 10, piece
