"""Changes that touch one thing more than once: others may work on it in between."""

from __future__ import annotations

from tests.harm.changes.change import Change, on_table, some

_MADE = 'SHOP."My Sales"."new one"'
_MAKE = f'CREATE TABLE {_MADE} ("a" INT, "b c" STRING)'
_ON_MADE = on_table(_MADE, "7, 'x'", '"b c"')
_GENTLY = some(
    _ON_MADE,
    *("adds rows", "looks through a view", "follows it", "grants on it", "tags it"),
    *("comments on it", "adds a column", "masks it", "replaces it"),
)
_ITEMS = "SHOP.OPS.ITEMS"
_ORDERS = 'SHOP."My Sales"."orders"'
_ROLE = '"day shift"'
_VIEW = 'SHOP.OPS."new view"'
_POLICY = 'SHOP.OPS."hide it"'

TWICE = (
    Change(
        "create a table and change it",
        (_MAKE, f"ALTER TABLE {_MADE} ADD COLUMN Z INT"),
        {**_GENTLY, "adds rows": f'INSERT INTO {_MADE} ("a", "b c") VALUES (7, \'x\')'},
    ),
    Change(
        "create a table and let others read it",
        (_MAKE, f"GRANT SELECT ON TABLE {_MADE} TO ROLE KEEPER"),
        _GENTLY,
    ),
    Change(
        "create a table, fill it and look through a view",
        (
            _MAKE,
            f"INSERT INTO {_MADE} VALUES (1, 'x')",
            f"CREATE VIEW SHOP.OPS.V AS SELECT * FROM {_MADE}",
        ),
        some(_ON_MADE, "adds rows", "grants on it", "looks through a view"),
    ),
    Change(
        "add a column and fill it",
        (
            f'ALTER TABLE {_ORDERS} ADD COLUMN "new col" STRING',
            f'UPDATE {_ORDERS} SET "new col" = \'x\' WHERE "id" = 1',
        ),
        {
            "fills it": f'UPDATE {_ORDERS} SET "new col" = \'theirs\' WHERE "id" = 2',
            "reads it": f'CREATE VIEW SHOP.OPS.READS AS SELECT "new col" FROM {_ORDERS}',
            "reads all": f"CREATE VIEW SHOP.OPS.READS AS SELECT * FROM {_ORDERS}",
            "tags it": f"ALTER TABLE {_ORDERS} MODIFY COLUMN \"new col\" SET TAG SHOP.OPS.TIER = 'gold'",
            "adds rows": f'INSERT INTO {_ORDERS} ("id") VALUES (9)',
        },
    ),
    Change(
        "create a role and give it two things",
        (
            f"CREATE ROLE {_ROLE}",
            f"GRANT SELECT ON TABLE {_ITEMS} TO ROLE {_ROLE}",
            f"GRANT USAGE ON SCHEMA SHOP.OPS TO ROLE {_ROLE}",
        ),
        {
            "gives it to somebody": f"GRANT ROLE {_ROLE} TO USER EVE",
            "lets it read": f"GRANT SELECT ON TABLE {_ORDERS} TO ROLE {_ROLE}",
            "gives it a role": f"GRANT ROLE CLERK TO ROLE {_ROLE}",
            "gives it what is to come": f"GRANT SELECT ON FUTURE TABLES IN SCHEMA SHOP.OPS TO ROLE {_ROLE}",
            "tags it": f"ALTER ROLE {_ROLE} SET TAG SHOP.OPS.TIER = 'gold'",
        },
    ),
    Change(
        "create a user and change it",
        ('CREATE USER "fay f"', "ALTER USER \"fay f\" SET COMMENT = 'new'"),
        {
            "gives a role": 'GRANT ROLE KEEPER TO USER "fay f"',
            "sets a parameter": "ALTER USER \"fay f\" SET TIMEZONE = 'Asia/Tokyo'",
            "tags it": "ALTER USER \"fay f\" SET TAG SHOP.OPS.TIER = 'gold'",
        },
    ),
    Change(
        "create a warehouse and change it twice",
        (
            'CREATE WAREHOUSE "big one" WAREHOUSE_SIZE = LARGE INITIALLY_SUSPENDED = TRUE',
            'ALTER WAREHOUSE "big one" SET WAREHOUSE_SIZE = SMALL',
            'ALTER WAREHOUSE "big one" SET AUTO_SUSPEND = 99',
        ),
        {
            "resizes it": 'ALTER WAREHOUSE "big one" SET WAREHOUSE_SIZE = XLARGE',
            "tags it": "ALTER WAREHOUSE \"big one\" SET TAG SHOP.OPS.TIER = 'gold'",
            "lets others use it": 'GRANT USAGE ON WAREHOUSE "big one" TO ROLE CLERK',
        },
    ),
    Change(
        "create a view and mask it",
        (
            f"CREATE VIEW {_VIEW} AS SELECT * FROM {_ITEMS}",
            f"ALTER VIEW {_VIEW} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE",
        ),
        {
            "grants on it": f"GRANT SELECT ON VIEW {_VIEW} TO ROLE CLERK",
            "tags it": f"ALTER VIEW {_VIEW} SET TAG SHOP.OPS.TIER = 'gold'",
            "tags a column": f"ALTER VIEW {_VIEW} MODIFY COLUMN ID SET TAG SHOP.OPS.TIER = 'gold'",
        },
    ),
    Change(
        "create a schema and put tables in",
        (
            "CREATE SCHEMA SHOP.NEW",
            "CREATE TABLE SHOP.NEW.A (A INT)",
            "CREATE TABLE SHOP.NEW.B (A INT)",
        ),
        {
            "puts a table in": "CREATE TABLE SHOP.NEW.T (A INT)",
            "grants on it": "GRANT USAGE ON SCHEMA SHOP.NEW TO ROLE CLERK",
            "grants what is to come": "GRANT SELECT ON FUTURE TABLES IN SCHEMA SHOP.NEW TO ROLE CLERK",
            "tags it": "ALTER SCHEMA SHOP.NEW SET TAG SHOP.OPS.TIER = 'gold'",
        },
    ),
    Change(
        "create a sequence and number rows by it",
        (
            "CREATE SEQUENCE SHOP.OPS.COUNTER",
            "CREATE TABLE SHOP.OPS.NUMBERED (ID INT DEFAULT SHOP.OPS.COUNTER.NEXTVAL, B INT)",
            "INSERT INTO SHOP.OPS.NUMBERED (B) VALUES (1), (2)",
        ),
        {"draws from it": "INSERT INTO SHOP.OPS.ONLY_OURS SELECT SHOP.OPS.COUNTER.NEXTVAL"},
    ),
    Change(
        "comment twice",
        (f"COMMENT ON TABLE {_ITEMS} IS 'a'", f"COMMENT ON TABLE {_ITEMS} IS 'b'"),
        {"comments, too": f"COMMENT ON TABLE {_ITEMS} IS 'theirs'"},
    ),
    Change(
        "change a policy's body twice",
        (
            "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'x'",
            "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'y'",
        ),
        {"changes it, too": "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'theirs'"},
    ),
    Change(
        "create a policy and use it twice",
        (
            f"CREATE MASKING POLICY {_POLICY} AS (V STRING) RETURNS STRING -> '##'",
            f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET MASKING POLICY {_POLICY}",
            f'ALTER TABLE {_ORDERS} MODIFY COLUMN "who" SET MASKING POLICY {_POLICY}',
        ),
        {
            "changes its body": f"ALTER MASKING POLICY {_POLICY} SET BODY -> 'theirs'",
            "lets others use it": f"GRANT APPLY ON MASKING POLICY {_POLICY} TO ROLE KEEPER",
        },
    ),
    Change(
        "delete rows twice",
        (f'DELETE FROM {_ORDERS} WHERE "id" = 1', f'DELETE FROM {_ORDERS} WHERE "id" = 3'),
        {"adds rows": f"INSERT INTO {_ORDERS} VALUES (9, 'eve', 90)"},
    ),
    Change(
        "rename a table and fill it",
        (
            f"ALTER TABLE {_ITEMS} RENAME TO SHOP.OPS.MOVED",
            "INSERT INTO SHOP.OPS.MOVED VALUES (9, 'x', 1)",
        ),
        {
            "adds rows": "INSERT INTO SHOP.OPS.MOVED VALUES (8, 'oil', 7)",
            "takes the old name": f"CREATE TABLE {_ITEMS} (A INT)",
        },
    ),
)
