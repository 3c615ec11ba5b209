"""Changes of tables, views, schemas and databases."""

from __future__ import annotations

from tests.harm.changes.change import Change, on_table, some

_MADE = 'SHOP."My Sales"."new one"'
_ON_MADE = on_table(_MADE, "7, 'x'", '"b c"')
_ITEMS = "SHOP.OPS.ITEMS"
_ORDERS = 'SHOP."My Sales"."orders"'
_ON_ITEMS = {
    "adds rows": f"INSERT INTO {_ITEMS} VALUES (9, 'oil', 7)",
    "grants on it": f"GRANT SELECT ON TABLE {_ITEMS} TO ROLE CLERK",
    "drops it": f"DROP TABLE {_ITEMS}",
    "looks through a view": f"CREATE VIEW SHOP.OPS.THEIR_VIEW AS SELECT * FROM {_ITEMS}",
}
_PLAIN = {"adds rows": _ON_ITEMS["adds rows"]}
_SCHEMA = 'SHOP."new schema"'
_IN_SCHEMA = {
    "puts a table in": f"CREATE TABLE {_SCHEMA}.T (A INT); INSERT INTO {_SCHEMA}.T VALUES (1)",
    "puts a view in": f"CREATE VIEW {_SCHEMA}.V AS SELECT * FROM {_ITEMS}",
    "puts a policy in": f"CREATE MASKING POLICY {_SCHEMA}.P AS (V INT) RETURNS INT -> 0",
    "puts a procedure in": f"CREATE PROCEDURE {_SCHEMA}.P() RETURNS INT LANGUAGE SQL AS 'BEGIN RETURN 1; END'",
    "puts a stage in": f"CREATE STAGE {_SCHEMA}.S",
    "grants on it": f"GRANT USAGE ON SCHEMA {_SCHEMA} TO ROLE CLERK",
    "grants what is to come": f"GRANT SELECT ON FUTURE TABLES IN SCHEMA {_SCHEMA} TO ROLE CLERK",
    "replaces it": f"CREATE OR REPLACE SCHEMA {_SCHEMA}; CREATE TABLE {_SCHEMA}.T (A INT)",
    "renames it": f"ALTER SCHEMA {_SCHEMA} RENAME TO SHOP.ELSEWHERE",
    "gives it away": f"GRANT OWNERSHIP ON SCHEMA {_SCHEMA} TO ROLE KEEPER",
    "drops it": f"DROP SCHEMA {_SCHEMA}",
}
_VIEW = 'SHOP.OPS."new view"'
_ON_VIEW = {
    "looks through it": f"CREATE VIEW SHOP.OPS.ABOVE AS SELECT * FROM {_VIEW}",
    "grants on it": f"GRANT SELECT ON VIEW {_VIEW} TO ROLE CLERK",
    "replaces it": f"CREATE OR REPLACE VIEW {_VIEW} AS SELECT 5 AS FIVE",
    "drops it": f"DROP VIEW {_VIEW}",
    "masks it": f"ALTER VIEW {_VIEW} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE",
}
_REPLACED = {
    "adds rows": f"INSERT INTO {_ITEMS} VALUES (9)",
    "drops it": f"DROP TABLE {_ITEMS}",
    "replaces it again": f"CREATE OR REPLACE TABLE {_ITEMS} (Z INT); INSERT INTO {_ITEMS} VALUES (1)",
    "looks through a view": f"CREATE VIEW SHOP.OPS.THEIR_VIEW AS SELECT * FROM {_ITEMS}",
}


def _in_copy(copy: str) -> dict[str, str]:
    """Return what others may do in a copy of the schema OPS, and to it."""
    items = f"{copy}.ITEMS"
    return {
        "adds rows and takes them away": f"INSERT INTO {items} VALUES (9, 'x', 1); "
        f"DELETE FROM {items} WHERE ID = 9",
        "adds a view": f"CREATE VIEW {copy}.THEIR_VIEW AS SELECT ID FROM {items}",
        "masks a column": f"ALTER TABLE {items} MODIFY COLUMN NAME SET MASKING POLICY {copy}.HIDE",
        "changes a policy": f"ALTER MASKING POLICY {copy}.HIDE SET BODY -> 'theirs'",
        "grants on a table": f"GRANT INSERT ON TABLE {items} TO ROLE CLERK",
        "gives a table away": f"GRANT OWNERSHIP ON TABLE {items} TO ROLE KEEPER "
        "COPY CURRENT GRANTS",
        "follows it from elsewhere": f'CREATE STREAM SHOP."My Sales".THEIRS ON TABLE {items}',
        "clones it again": f"CREATE OR REPLACE SCHEMA {copy} CLONE SHOP.OPS",
    }


TABLES = (
    Change(
        "create a table",
        (f'CREATE TABLE {_MADE} ("a" INT, "b c" STRING)',),
        _ON_MADE,
        before={
            "makes it first": f"CREATE TABLE {_MADE} (THEIRS INT);INSERT INTO {_MADE} VALUES (1)"
        },
    ),
    Change(
        "create a table if it is not there",
        (f'CREATE TABLE IF NOT EXISTS {_MADE} ("a" INT, "b c" STRING)',),
        some(_ON_MADE, "adds rows", "replaces it"),
        before={
            "makes it first": f"CREATE TABLE {_MADE} (THEIRS INT);INSERT INTO {_MADE} VALUES (1)"
        },
    ),
    Change(
        "create a table from a query",
        (f'CREATE TABLE {_MADE} AS SELECT ID AS "a", NAME AS "b c" FROM {_ITEMS}',),
        _ON_MADE,
    ),
    Change(
        "clone a table",
        (f"CREATE TABLE SHOP.OPS.TWIN CLONE {_ITEMS}",),
        some(
            on_table("SHOP.OPS.TWIN", "9, 'x', 1", "NAME"),
            "adds rows",
            "replaces it",
            "gives it away",
            "looks through a view",
        ),
    ),
    Change(
        "fill a table that it made",
        (
            f'CREATE TABLE {_MADE} ("a" INT, "b c" STRING)',
            f"INSERT INTO {_MADE} VALUES (1, 'x'), (2, 'y')",
        ),
        some(_ON_MADE, "adds rows", "drops it", "renames it", "grants on it"),
    ),
    Change("replace a table", (f"CREATE OR REPLACE TABLE {_ITEMS} (OTHER INT)",), _REPLACED),
    Change(
        "replace a table by a query",
        (f"CREATE OR REPLACE TABLE {_ITEMS} AS SELECT 1 AS ID",),
        _REPLACED,
    ),
    Change(
        "replace what is not there",
        (f'CREATE OR REPLACE TABLE {_MADE} ("a" INT, "b c" STRING)',),
        some(_ON_MADE, "adds rows", "drops it"),
        before={
            "makes it first": f"CREATE TABLE {_MADE} (THEIRS INT);INSERT INTO {_MADE} VALUES (1)"
        },
    ),
    Change(
        "drop a table",
        (f"DROP TABLE {_ITEMS}",),
        {
            "puts one in its place": f"CREATE TABLE {_ITEMS} (A INT); INSERT INTO {_ITEMS} VALUES (5)"
        },
    ),
    Change(
        "drop a table with quotes",
        (f"DROP TABLE {_ORDERS}",),
        {"puts one in its place": f"CREATE TABLE {_ORDERS} (A INT)"},
    ),
    Change(
        "undrop a table",
        ("UNDROP TABLE SHOP.OPS.LOST",),
        {"adds rows": "INSERT INTO SHOP.OPS.LOST VALUES (5)"},
        "CREATE TABLE SHOP.OPS.LOST (A INT); INSERT INTO SHOP.OPS.LOST VALUES (1);"
        "DROP TABLE SHOP.OPS.LOST",
    ),
    Change(
        "undrop over a table",
        (f'ALTER TABLE {_ITEMS} RENAME TO SHOP.OPS."aside"', f"UNDROP TABLE {_ITEMS}"),
        {"adds rows": f"INSERT INTO {_ITEMS} VALUES (5)"},
        f"CREATE VIEW SHOP.OPS.X AS SELECT 1 AS A; ALTER TABLE {_ITEMS} RENAME TO SHOP.OPS.KEPT;"
        f"CREATE TABLE {_ITEMS} (A INT); DROP TABLE {_ITEMS};"
        f"ALTER TABLE SHOP.OPS.KEPT RENAME TO {_ITEMS}",
    ),
    Change(
        "add a column",
        (f'ALTER TABLE {_ORDERS} ADD COLUMN "new col" STRING',),
        {
            "fills it": f"UPDATE {_ORDERS} SET \"new col\" = 'theirs'",
            "adds rows": f'INSERT INTO {_ORDERS} ("id") VALUES (9)',
            "masks it": f'ALTER TABLE {_ORDERS} MODIFY COLUMN "new col" SET MASKING POLICY SHOP.OPS.HIDE',
            "reads it": f'CREATE VIEW SHOP.OPS.READS AS SELECT "new col" FROM {_ORDERS}',
        },
    ),
    Change(
        "drop a column",
        (f"ALTER TABLE {_ITEMS} DROP COLUMN PRICE",),
        {
            "adds rows": f"INSERT INTO {_ITEMS} VALUES (9, 'oil')",
            "adds it again": f"ALTER TABLE {_ITEMS} ADD COLUMN PRICE STRING",
        },
    ),
    Change(
        "rename a column",
        (f'ALTER TABLE {_ORDERS} RENAME COLUMN "who" TO "whom"',),
        {
            "masks it": f'ALTER TABLE {_ORDERS} MODIFY COLUMN "whom" SET MASKING POLICY SHOP.OPS.HIDE',
            "reads it": f'CREATE VIEW SHOP.OPS.READS AS SELECT "whom" FROM {_ORDERS}',
            "makes the old one": f'ALTER TABLE {_ORDERS} ADD COLUMN "who" INT',
        },
    ),
    Change(
        "widen a column",
        (f"ALTER TABLE {_ITEMS} ALTER COLUMN PRICE SET DATA TYPE NUMBER(20, 2)",),
        _PLAIN,
    ),
    Change(
        "make a column mandatory", (f"ALTER TABLE {_ITEMS} ALTER COLUMN ID SET NOT NULL",), _PLAIN
    ),
    Change(
        "rename a table",
        (f'ALTER TABLE {_ITEMS} RENAME TO SHOP."My Sales"."moved"',),
        {
            "adds rows": 'INSERT INTO SHOP."My Sales"."moved" VALUES (9, \'x\', 1)',
            "takes the old name": f"CREATE TABLE {_ITEMS} (A INT)",
            "replaces it": 'CREATE OR REPLACE TABLE SHOP."My Sales"."moved" (A INT)',
            "looks through a view": 'CREATE VIEW SHOP.OPS.TV AS SELECT * FROM SHOP."My Sales"."moved"',
        },
    ),
    Change(
        "swap two tables",
        (
            f'CREATE TABLE SHOP.OPS."better" AS SELECT * FROM {_ITEMS} WHERE ID = 1',
            f'ALTER TABLE {_ITEMS} SWAP WITH SHOP.OPS."better"',
        ),
        {
            **_PLAIN,
            "drops the other": 'DROP TABLE SHOP.OPS."better"',
            "adds rows to the other": "INSERT INTO SHOP.OPS.\"better\" VALUES (9, 'x', 1)",
            "renames it": f"ALTER TABLE {_ITEMS} RENAME TO SHOP.OPS.RENAMED",
        },
    ),
    Change(
        "swap two tables of others",
        ('ALTER TABLE SHOP."My Sales"."orders" SWAP WITH SHOP."My Sales"."empty"',),
        {
            "adds rows": f"INSERT INTO {_ORDERS} VALUES (9, 'eve', 90)",
            "swaps them back": 'ALTER TABLE SHOP."My Sales"."orders" SWAP WITH SHOP."My Sales"."empty"',
        },
    ),
    Change(
        "comment on a table",
        (f"COMMENT ON TABLE {_ITEMS} IS 'for sale'",),
        {"comments, too": f"COMMENT ON TABLE {_ITEMS} IS 'ours'", **_PLAIN},
    ),
    Change(
        "comment on a column",
        (f"COMMENT ON COLUMN {_ORDERS}.\"who\" IS 'buyer'",),
        {"comments, too": f"COMMENT ON COLUMN {_ORDERS}.\"who\" IS 'ours'"},
    ),
    Change(
        "cluster a table",
        (f"ALTER TABLE {_ITEMS} CLUSTER BY (ID)",),
        {"clusters it, too": f"ALTER TABLE {_ITEMS} CLUSTER BY (NAME)"},
    ),
    Change(
        "set the retention",
        (f"ALTER TABLE {_ITEMS} SET DATA_RETENTION_TIME_IN_DAYS = 5",),
        {"sets it, too": f"ALTER TABLE {_ITEMS} SET DATA_RETENTION_TIME_IN_DAYS = 9"},
    ),
    Change(
        "track changes",
        (f"ALTER TABLE {_ORDERS} SET CHANGE_TRACKING = TRUE",),
        {"follows it": f"CREATE STREAM SHOP.OPS.S2 ON TABLE {_ORDERS}"},
    ),
    Change(
        "add a key",
        (f"ALTER TABLE {_ITEMS} ADD CONSTRAINT PK PRIMARY KEY (ID)",),
        {"refers to it": f"CREATE TABLE SHOP.OPS.CHILD (ID INT REFERENCES {_ITEMS} (ID))"},
    ),
    Change(
        "create a view",
        (f"CREATE VIEW {_VIEW} AS SELECT NAME FROM {_ITEMS}",),
        _ON_VIEW,
        before={"makes it first": f"CREATE VIEW {_VIEW} AS SELECT 1 AS THEIRS"},
    ),
    Change(
        "replace a view",
        ("CREATE OR REPLACE VIEW SHOP.OPS.CHEAP AS SELECT 1 AS ONE",),
        {
            "replaces it again": "CREATE OR REPLACE VIEW SHOP.OPS.CHEAP AS SELECT 2 AS TWO",
            "grants on it": "GRANT SELECT ON VIEW SHOP.OPS.CHEAP TO ROLE CLERK",
        },
        "GRANT SELECT ON VIEW SHOP.OPS.CHEAP TO ROLE KEEPER",
    ),
    Change(
        "drop a view",
        ("DROP VIEW SHOP.OPS.CHEAP",),
        {"makes another": "CREATE VIEW SHOP.OPS.CHEAP AS SELECT 2 AS TWO"},
        "GRANT SELECT ON VIEW SHOP.OPS.CHEAP TO ROLE KEEPER",
    ),
    Change("secure a view", ("ALTER VIEW SHOP.OPS.CHEAP SET SECURE",), {}),
    Change(
        "create a materialized view",
        (f'CREATE MATERIALIZED VIEW SHOP.OPS."fast" AS SELECT ID FROM {_ITEMS}',),
        {"looks through it": 'CREATE VIEW SHOP.OPS.TV AS SELECT * FROM SHOP.OPS."fast"'},
    ),
    Change(
        "create a dynamic table",
        (
            "CREATE DYNAMIC TABLE SHOP.OPS.LATEST TARGET_LAG = '1 hour' WAREHOUSE = LITTLE "
            f"AS SELECT ID FROM {_ITEMS}",
        ),
        {
            "looks through it": "CREATE VIEW SHOP.OPS.TV AS SELECT * FROM SHOP.OPS.LATEST",
            "suspends it": "ALTER DYNAMIC TABLE SHOP.OPS.LATEST SUSPEND",
        },
    ),
    Change(
        "create a schema",
        (f"CREATE SCHEMA {_SCHEMA}",),
        _IN_SCHEMA,
        before={"makes it first": f"CREATE SCHEMA {_SCHEMA}; CREATE TABLE {_SCHEMA}.T (A INT)"},
    ),
    Change(
        "create a schema and fill it",
        (
            f"CREATE SCHEMA {_SCHEMA}; CREATE TABLE {_SCHEMA}.MINE (A INT)",
            f"CREATE VIEW {_SCHEMA}.LOOK AS SELECT * FROM {_SCHEMA}.MINE",
        ),
        {
            **some(_IN_SCHEMA, "puts a table in", "renames it", "grants on it"),
            "adds rows": f"INSERT INTO {_SCHEMA}.MINE VALUES (1)",
        },
    ),
    Change(
        "create a database",
        ('CREATE DATABASE "new db"', 'CREATE SCHEMA "new db".S'),
        {
            "puts a schema in": 'CREATE SCHEMA "new db".THEIRS',
            "puts a table in": 'CREATE TABLE "new db".PUBLIC.T (A INT)',
            "grants on it": 'GRANT USAGE ON DATABASE "new db" TO ROLE CLERK',
            "makes a role in it": 'CREATE DATABASE ROLE "new db".READER',
            "drops it": 'DROP DATABASE "new db"',
        },
    ),
    Change(
        "clone a schema",
        ('CREATE SCHEMA SHOP."twin" CLONE SHOP.OPS',),
        _in_copy('SHOP."twin"'),
    ),
    Change(
        "clone a schema and work in it",
        (
            'CREATE SCHEMA SHOP."twin" CLONE SHOP.OPS',
            'GRANT USAGE ON SCHEMA SHOP."twin" TO ROLE CLERK; '
            'GRANT SELECT ON ALL TABLES IN SCHEMA SHOP."twin" TO ROLE CLERK',
            "INSERT INTO SHOP.\"twin\".ITEMS VALUES (7, 'salt', 2); "
            'CREATE VIEW SHOP."twin".MINE AS SELECT ID FROM SHOP."twin".ITEMS',
        ),
        some(
            _in_copy('SHOP."twin"'),
            "adds rows and takes them away",
            "grants on a table",
        ),
    ),
    Change(
        "clone a database",
        ('CREATE DATABASE "the twin" CLONE SHOP',),
        {
            "puts a schema in": 'CREATE SCHEMA "the twin".THEIRS',
            "reads it from elsewhere": "CREATE VIEW SHOP.OPS.THEIR_VIEW AS "
            'SELECT * FROM "the twin"."My Sales"."orders"',
        },
    ),
    Change(
        "rename a schema",
        ('ALTER SCHEMA SHOP.OPS RENAME TO SHOP."the ops"',),
        {
            "puts a table in": 'CREATE TABLE SHOP."the ops".T (A INT)',
            "makes the old one": "CREATE SCHEMA SHOP.OPS",
        },
    ),
    Change(
        "set a schema's retention",
        ("ALTER SCHEMA SHOP.OPS SET DATA_RETENTION_TIME_IN_DAYS = 3",),
        {"sets it, too": "ALTER SCHEMA SHOP.OPS SET DATA_RETENTION_TIME_IN_DAYS = 4"},
    ),
    Change(
        "drop a schema",
        ('DROP SCHEMA SHOP."My Sales"',),
        {"makes another": 'CREATE SCHEMA SHOP."My Sales"; CREATE TABLE SHOP."My Sales".T (A INT)'},
        is_playbooks=True,
    ),
    Change(
        "drop a database",
        ("DROP DATABASE SHOP",),
        {
            "makes another": "CREATE DATABASE SHOP; CREATE SCHEMA SHOP.OPS; "
            "CREATE TABLE SHOP.OPS.T (A INT)"
        },
        is_playbooks=True,
    ),
)
