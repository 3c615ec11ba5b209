"""What asks the catalog may be asked again at little cost; rows, files and history may not."""

import pytest

from skills_nb.sql.classify import asks_catalog


@pytest.mark.parametrize(
    "sql",
    [
        'SHOW TABLES IN SCHEMA "My Shop"."the sales" ->> SELECT COUNT(*) FROM $1',
        "DESCRIBE MASKING POLICY A.B.C",
        "LIST @A.B.C",
        'SELECT * FROM "My Shop".INFORMATION_SCHEMA.COLUMNS AS c JOIN (SELECT 1 AS X) ON TRUE',
        "SELECT * FROM TABLE(A.INFORMATION_SCHEMA.POLICY_REFERENCES(REF_ENTITY_NAME => 'A.B.C'))",
        "WITH RECURSIVE held (ROLE, DEPTH) AS (SELECT 'A', 0) SELECT * FROM held",
        "SELECT 1 AS WANTED",
    ],
)
def test_objects_settings_and_grants_are_of_the_catalog(sql: str) -> None:
    assert asks_catalog(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM A.B.C",
        "SELECT NAME FROM TEAMS",
        "WITH t AS (SELECT 1 AS X) SELECT * FROM t JOIN A.B.C ON TRUE",
        "SELECT * FROM @A.B.FILES",
        "CALL SYSTEM$CLASSIFY('A.B.C', NULL)",
        "SELECT * FROM SNOWFLAKE.ACCOUNT_USAGE.MASKING_POLICIES",
        "SELECT * FROM TABLE(A.INFORMATION_SCHEMA.QUERY_HISTORY())",
    ],
)
def test_rows_files_and_history_are_not(sql: str) -> None:
    assert not asks_catalog(sql)
