"""A column of texts takes a value of another type as the text that a cast makes of it.

See https://docs.snowflake.com/en/sql-reference/data-type-conversion
"""

from __future__ import annotations

import pytest

from skills_nb.embedded.engine.account import Account

VALUES = {
    "parse_json('\"x\"')": "x",
    "parse_json('null')": None,
    "parse_json('5.50')": "5.5",
    "parse_json('{\"k\": 1}')": '{"k":1}',
    "true": "true",
    "1.5::number(10, 2)": "1.50",
    "1::float": "1",
    "'2024-01-01 10:00:00.5'::timestamp_ntz": "2024-01-01 10:00:00.500",
    "'2024-01-01 10:00:00.5 +0530'::timestamp_tz": "2024-01-01 10:00:00.500 +0530",
    "'2024-01-01'::date": "2024-01-01",
    "to_binary('AB12')": "AB12",
    "null": None,
}


@pytest.fixture(scope="module")
def session():
    with Account.open() as account:
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        session.execute("CREATE DATABASE D")
        session.execute('CREATE TABLE D.PUBLIC.T (A VARCHAR, "b c" VARCHAR(40))')
        yield session


@pytest.mark.parametrize(("value", "text"), VALUES.items())
def test_a_value_is_stored_as_the_text_that_a_cast_makes_of_it(session, value, text):
    def held():
        return session.execute('SELECT A, "b c" FROM D.PUBLIC.T').rows

    assert session.execute(f"SELECT ({value})::VARCHAR").rows == ((text,),)
    session.execute(f"INSERT OVERWRITE INTO D.PUBLIC.T SELECT {value}, {value}")
    assert held() == ((text, text),)
    session.execute("UPDATE D.PUBLIC.T SET A = 'o', \"b c\" = 'o'")
    session.execute(f'UPDATE D.PUBLIC.T SET A = {value}, "b c" = {value}')
    assert held() == ((text, text),)
    session.execute(
        f"MERGE INTO D.PUBLIC.T USING (SELECT {value} AS V) S ON TRUE "
        'WHEN MATCHED THEN UPDATE SET A = S.V, "b c" = S.V'
    )
    assert held() == ((text, text),)
