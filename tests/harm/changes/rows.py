"""Changes of rows."""

from __future__ import annotations

from tests.harm.changes.change import Change, without

_ORDERS = 'SHOP."My Sales"."orders"'
_TO_ORDERS = {
    "adds rows": f"INSERT INTO {_ORDERS} VALUES (9, 'eve', 90)",
    "changes a row that it left": f'UPDATE {_ORDERS} SET "who" = \'dora\' WHERE "id" = 4',
    "takes rows away": f'DELETE FROM {_ORDERS} WHERE "id" = 4',
    "adds a column": f'ALTER TABLE {_ORDERS} ADD COLUMN "theirs" STRING',
    "replaces it": f"CREATE OR REPLACE TABLE {_ORDERS} (X INT); INSERT INTO {_ORDERS} VALUES (5)",
    "drops it": f"DROP TABLE {_ORDERS}",
    "renames it": f'ALTER TABLE {_ORDERS} RENAME TO SHOP."My Sales"."old orders"',
    "clones it": f"CREATE TABLE SHOP.OPS.THEIR_COPY CLONE {_ORDERS}",
    "grants on it": f"GRANT SELECT ON TABLE {_ORDERS} TO ROLE CLERK",
    "masks it": f'ALTER TABLE {_ORDERS} MODIFY COLUMN "who" SET MASKING POLICY SHOP.OPS.HIDE',
    "swaps it": f'ALTER TABLE {_ORDERS} SWAP WITH SHOP."My Sales"."empty"',
}
_TO_NONE = without(_TO_ORDERS, "changes a row that it left", "takes rows away")
_ITEMS = "SHOP.OPS.ITEMS"
_TO_ITEMS = {
    "adds rows": f"INSERT INTO {_ITEMS} VALUES (9, 'oil', 7)",
    "reads the stream": "CREATE TABLE SHOP.OPS.READ AS SELECT * FROM SHOP.OPS.ITEM_CHANGES",
    "takes rows away": f"DELETE FROM {_ITEMS} WHERE ID = 4",
}
_SOURCE = """
CREATE TABLE SHOP.OPS."new prices" (ID INT, PRICE NUMBER(10, 2));
INSERT INTO SHOP.OPS."new prices" VALUES (1, 9), (8, 8);
"""

ROWS = (
    Change("delete some rows", (f'DELETE FROM {_ORDERS} WHERE "id" < 3',), _TO_ORDERS),
    Change("delete all rows", (f"DELETE FROM {_ITEMS}",), without(_TO_ITEMS, "takes rows away")),
    Change(
        "update rows",
        (f'UPDATE {_ORDERS} SET "Amount €" = 0 WHERE "who" = \'bob\'',),
        _TO_ORDERS,
    ),
    Change(
        "insert rows", (f"INSERT INTO {_ORDERS} VALUES (5, 'new', 1), (6, NULL, 2)",), _TO_ORDERS
    ),
    Change(
        "insert rows from a query",
        (f"INSERT INTO {_ITEMS} SELECT ID + 10, NAME, PRICE FROM {_ITEMS}",),
        _TO_ITEMS,
    ),
    Change(
        "merge rows",
        (
            f'MERGE INTO {_ITEMS} T USING SHOP.OPS."new prices" S ON T.ID = S.ID '
            "WHEN MATCHED THEN UPDATE SET PRICE = S.PRICE "
            "WHEN NOT MATCHED THEN INSERT (ID, NAME, PRICE) VALUES (S.ID, 'new', S.PRICE)",
        ),
        _TO_ITEMS,
        _SOURCE,
    ),
    Change("truncate a table", (f"TRUNCATE TABLE {_ORDERS}",), _TO_NONE),
    Change(
        "overwrite rows",
        (f"INSERT OVERWRITE INTO {_ORDERS} SELECT 1, 'one', 1",),
        _TO_NONE,
    ),
    Change(
        "insert into two tables",
        (
            'INSERT ALL INTO SHOP."My Sales"."empty" VALUES (ID, NAME, PRICE) '
            f"INTO {_ORDERS} VALUES (ID, NAME, PRICE) SELECT ID, NAME, PRICE FROM {_ITEMS}",
        ),
        {"adds rows": 'INSERT INTO SHOP."My Sales"."empty" VALUES (9, \'eve\', 90)'},
    ),
    Change(
        "load files",
        ("COPY INTO SHOP.OPS.ONLY_OURS FROM @SHOP.OPS.LANDING FILE_FORMAT = (TYPE = CSV)",),
        {"adds rows": "INSERT INTO SHOP.OPS.ONLY_OURS VALUES (8)"},
        "CREATE STAGE SHOP.OPS.LANDING; COPY INTO @SHOP.OPS.LANDING/a FROM "
        "(SELECT ID FROM SHOP.OPS.ITEMS) FILE_FORMAT = (TYPE = CSV COMPRESSION = NONE)",
    ),
    Change(
        "change rows twice",
        (
            f'DELETE FROM {_ORDERS} WHERE "id" = 1',
            f"UPDATE {_ORDERS} SET \"who\" = 'x'; INSERT INTO {_ORDERS} VALUES (7, 'y', 7)",
        ),
        _TO_ORDERS,
    ),
    Change(
        "change rows within a block",
        (f"EXECUTE IMMEDIATE $$BEGIN DELETE FROM {_ITEMS} WHERE ID = 1; END$$",),
        _TO_ITEMS,
    ),
    Change(
        "change rows of a table that it made",
        (
            'CREATE TABLE SHOP.OPS."made" AS SELECT * FROM SHOP.OPS.ITEMS',
            'DELETE FROM SHOP.OPS."made" WHERE ID = 1',
        ),
        {
            "adds rows": "INSERT INTO SHOP.OPS.\"made\" VALUES (9, 'x', 9)",
            "drops it": 'DROP TABLE SHOP.OPS."made"',
        },
    ),
    Change(
        "use up a stream",
        (
            "CREATE TABLE SHOP.OPS.SEEN AS SELECT ID FROM SHOP.OPS.ITEMS WHERE FALSE",
            "INSERT INTO SHOP.OPS.SEEN SELECT ID FROM SHOP.OPS.ITEM_CHANGES",
        ),
        {"adds rows": "INSERT INTO SHOP.OPS.SEEN VALUES (99)"},
    ),
    Change(
        "empty a table of another role",
        ("DELETE FROM SHOP.OPS.THEIRS WHERE A > 1",),
        {"adds rows": "INSERT INTO SHOP.OPS.THEIRS VALUES (5)"},
        "CREATE TABLE SHOP.OPS.THEIRS (A INT); INSERT INTO SHOP.OPS.THEIRS VALUES (1), (2), (3);"
        "GRANT OWNERSHIP ON TABLE SHOP.OPS.THEIRS TO ROLE KEEPER;"
        "GRANT SELECT, DELETE ON TABLE SHOP.OPS.THEIRS TO ROLE ACCOUNTADMIN",
    ),
    Change(
        "delete rows of a table that keeps no past",
        ('DELETE FROM SHOP.OPS."no past" WHERE A = 1',),
        {"adds rows": 'INSERT INTO SHOP.OPS."no past" VALUES (5)'},
        'CREATE TABLE SHOP.OPS."no past" (A INT) DATA_RETENTION_TIME_IN_DAYS = 0;'
        'INSERT INTO SHOP.OPS."no past" VALUES (1), (2)',
    ),
    Change(
        "delete rows that are masked",
        ('DELETE FROM SHOP.OPS."masked" WHERE A = 1',),
        {"adds rows": "INSERT INTO SHOP.OPS.\"masked\" VALUES (5, 'five')"},
        'CREATE TABLE SHOP.OPS."masked" (A INT, B STRING); '
        "INSERT INTO SHOP.OPS.\"masked\" VALUES (1, 'one'), (2, 'two');"
        'ALTER TABLE SHOP.OPS."masked" MODIFY COLUMN B SET MASKING POLICY SHOP.OPS.HIDE;'
        "CREATE ROW ACCESS POLICY SHOP.OPS.NOT_TWO AS (V INT) RETURNS BOOLEAN -> V <> 2;"
        'ALTER TABLE SHOP.OPS."masked" ADD ROW ACCESS POLICY SHOP.OPS.NOT_TWO ON (A)',
    ),
    Change(
        "delete rows that others follow",
        ('DELETE FROM SHOP.OPS."followed" WHERE A = 1',),
        {"adds rows": 'INSERT INTO SHOP.OPS."followed" VALUES (5)'},
        'CREATE TABLE SHOP.OPS."followed" (A INT); INSERT INTO SHOP.OPS."followed" VALUES (1), (2);'
        'CREATE STREAM SHOP.OPS.ALL_OF_IT ON TABLE SHOP.OPS."followed";'
        'CREATE STREAM SHOP.OPS.NEW_ONES ON TABLE SHOP.OPS."followed" APPEND_ONLY = TRUE;'
        'INSERT INTO SHOP.OPS."followed" VALUES (3)',
    ),
)
