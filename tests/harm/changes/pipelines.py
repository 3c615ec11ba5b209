"""Changes of streams, tasks, stages, formats, sequences and code."""

from __future__ import annotations

from tests.harm.changes.change import Change

_ITEMS = "SHOP.OPS.ITEMS"
_TASK = "CREATE TASK SHOP.OPS.\"every hour\" WAREHOUSE = LITTLE SCHEDULE = '60 MINUTE' AS SELECT 1"
_FUNCTION = "CREATE FUNCTION SHOP.OPS.\"twice\"(A INT) RETURNS INT AS 'A * 2'"
_PROCEDURE = (
    "CREATE PROCEDURE SHOP.OPS.ADD_ONE() RETURNS INT LANGUAGE SQL AS "
    "'BEGIN INSERT INTO SHOP.OPS.ONLY_OURS VALUES (8); RETURN 1; END'"
)

PIPELINES = (
    Change(
        "create a stream",
        (f'CREATE STREAM SHOP.OPS."new rows" ON TABLE {_ITEMS}',),
        {
            "reads it": 'CREATE TABLE SHOP.OPS.READ AS SELECT ID FROM SHOP.OPS."new rows"',
            "adds rows": f"INSERT INTO {_ITEMS} VALUES (9, 'oil', 7)",
            "grants on it": 'GRANT SELECT ON STREAM SHOP.OPS."new rows" TO ROLE CLERK',
            "waits for it": "CREATE TASK SHOP.OPS.WAITS WAREHOUSE = LITTLE SCHEDULE = '1 MINUTE' "
            "WHEN SYSTEM$STREAM_HAS_DATA('SHOP.OPS.\"new rows\"') AS SELECT 1",
            "replaces it": 'CREATE OR REPLACE STREAM SHOP.OPS."new rows" ON TABLE SHOP.OPS.ONLY_OURS',
        },
        before={
            "makes it first": f'CREATE STREAM SHOP.OPS."new rows" ON TABLE {_ITEMS};'
            f"INSERT INTO {_ITEMS} VALUES (8, 'nut', 7)"
        },
    ),
    Change(
        "create a stream that is there",
        (f"CREATE STREAM SHOP.OPS.ITEM_CHANGES ON TABLE {_ITEMS}",),
        {},
    ),
    Change(
        "replace a stream",
        (f"CREATE OR REPLACE STREAM SHOP.OPS.ITEM_CHANGES ON TABLE {_ITEMS}",),
        {"adds rows": f"INSERT INTO {_ITEMS} VALUES (9, 'oil', 7)"},
    ),
    Change("drop a stream", ("DROP STREAM SHOP.OPS.ITEM_CHANGES",), {}),
    Change(
        "create and start a task",
        (_TASK, 'ALTER TASK SHOP.OPS."every hour" RESUME'),
        {
            "stops it": 'ALTER TASK SHOP.OPS."every hour" SUSPEND',
            "follows it": 'ALTER TASK SHOP.OPS."every hour" SUSPEND; CREATE TASK SHOP.OPS.NEXT '
            'WAREHOUSE = LITTLE AFTER SHOP.OPS."every hour" AS SELECT 2',
            "replaces it": 'CREATE OR REPLACE TASK SHOP.OPS."every hour" WAREHOUSE = LITTLE '
            "SCHEDULE = '5 MINUTE' AS SELECT 3",
            "lets others run it": 'GRANT OPERATE ON TASK SHOP.OPS."every hour" TO ROLE CLERK',
        },
        before={
            "makes it first": 'CREATE TASK SHOP.OPS."every hour" WAREHOUSE = LITTLE '
            "SCHEDULE = '5 MINUTE' AS SELECT 3"
        },
    ),
    Change(
        "stop a task",
        ('ALTER TASK SHOP.OPS."every hour" SUSPEND',),
        {"changes it": "ALTER TASK SHOP.OPS.\"every hour\" SET SCHEDULE = '2 MINUTE'"},
        f'{_TASK}; ALTER TASK SHOP.OPS."every hour" RESUME',
    ),
    Change(
        "change a task",
        (
            "ALTER TASK SHOP.OPS.\"every hour\" SET SCHEDULE = '2 MINUTE'",
            'ALTER TASK SHOP.OPS."every hour" MODIFY AS SELECT 5',
        ),
        {"changes it, too": 'ALTER TASK SHOP.OPS."every hour" MODIFY AS SELECT 6'},
        _TASK,
    ),
    Change("drop a task", ('DROP TASK SHOP.OPS."every hour"',), {}, _TASK),
    Change(
        "drop a task that runs",
        ('DROP TASK SHOP.OPS."every hour"',),
        {},
        f'{_TASK}; ALTER TASK SHOP.OPS."every hour" RESUME',
    ),
    Change(
        "drop a sequence",
        ("DROP SEQUENCE SHOP.OPS.COUNTER",),
        {},
        "CREATE SEQUENCE SHOP.OPS.COUNTER START = 100;"
        "INSERT INTO SHOP.OPS.ONLY_OURS SELECT SHOP.OPS.COUNTER.NEXTVAL;"
        "GRANT USAGE ON SEQUENCE SHOP.OPS.COUNTER TO ROLE CLERK",
    ),
    Change(
        "drop a pipe that stands still",
        ('DROP PIPE SHOP.OPS."pours"',),
        {},
        'CREATE STAGE SHOP.OPS.DROPS; CREATE PIPE SHOP.OPS."pours" AS COPY INTO '
        'SHOP.OPS.ONLY_OURS FROM @SHOP.OPS.DROPS; ALTER PIPE SHOP.OPS."pours" '
        "SET PIPE_EXECUTION_PAUSED = TRUE",
    ),
    Change(
        "create a stage",
        ('CREATE STAGE SHOP.OPS."inbox"',),
        {
            "puts a file in": 'COPY INTO @SHOP.OPS."inbox"/theirs FROM SHOP.OPS.ONLY_OURS',
            "lets others read": 'GRANT READ ON STAGE SHOP.OPS."inbox" TO ROLE CLERK',
            "pipes from it": "CREATE PIPE SHOP.OPS.P AS COPY INTO SHOP.OPS.ONLY_OURS "
            'FROM @SHOP.OPS."inbox"',
        },
    ),
    Change(
        "unload to a stage",
        ('COPY INTO @SHOP.OPS."inbox"/all FROM SHOP.OPS.ITEMS OVERWRITE = TRUE',),
        {"puts a file in": 'COPY INTO @SHOP.OPS."inbox"/theirs FROM SHOP.OPS.ONLY_OURS'},
        'CREATE STAGE SHOP.OPS."inbox"; COPY INTO @SHOP.OPS."inbox"/all FROM SHOP.OPS.ONLY_OURS',
    ),
    Change(
        "remove files",
        ('REMOVE @SHOP.OPS."inbox"',),
        {},
        'CREATE STAGE SHOP.OPS."inbox"; COPY INTO @SHOP.OPS."inbox"/all FROM SHOP.OPS.ONLY_OURS',
    ),
    Change(
        "drop a stage",
        ('DROP STAGE SHOP.OPS."inbox"',),
        {},
        'CREATE STAGE SHOP.OPS."inbox"; COPY INTO @SHOP.OPS."inbox"/all FROM SHOP.OPS.ONLY_OURS',
    ),
    Change(
        "create a file format",
        ("CREATE FILE FORMAT SHOP.OPS.\"semi\" TYPE = CSV FIELD_DELIMITER = ';'",),
        {
            "uses it": "CREATE STAGE SHOP.OPS.USES FILE_FORMAT = (FORMAT_NAME = 'SHOP.OPS.\"semi\"')",
            "changes it": "ALTER FILE FORMAT SHOP.OPS.\"semi\" SET FIELD_DELIMITER = '|'",
        },
    ),
    Change(
        "replace a file format",
        ("CREATE OR REPLACE FILE FORMAT SHOP.OPS.BAR TYPE = JSON",),
        {},
        "CREATE FILE FORMAT SHOP.OPS.BAR TYPE = CSV FIELD_DELIMITER = '|'",
    ),
    Change(
        "create a sequence",
        ('CREATE SEQUENCE SHOP.OPS."next id" START = 5',),
        {
            "draws from it": 'INSERT INTO SHOP.OPS.ONLY_OURS SELECT SHOP.OPS."next id".NEXTVAL',
            "takes it as default": 'CREATE TABLE SHOP.OPS.NUMBERED (ID INT DEFAULT SHOP.OPS."next id".NEXTVAL)',
        },
    ),
    Change(
        "replace a sequence",
        ("CREATE OR REPLACE SEQUENCE SHOP.OPS.COUNTER",),
        {"draws from it": "INSERT INTO SHOP.OPS.ONLY_OURS SELECT SHOP.OPS.COUNTER.NEXTVAL"},
        "CREATE SEQUENCE SHOP.OPS.COUNTER START = 100;"
        "INSERT INTO SHOP.OPS.ONLY_OURS SELECT SHOP.OPS.COUNTER.NEXTVAL",
    ),
    Change(
        "create a function",
        (_FUNCTION,),
        {
            "uses it": 'CREATE VIEW SHOP.OPS.DOUBLED AS SELECT SHOP.OPS."twice"(ID) AS D FROM SHOP.OPS.ITEMS',
            "lets others use it": 'GRANT USAGE ON FUNCTION SHOP.OPS."twice"(INT) TO ROLE CLERK',
            "makes its sister": "CREATE FUNCTION SHOP.OPS.\"twice\"(A STRING) RETURNS STRING AS 'A'",
            "replaces it": "CREATE OR REPLACE FUNCTION SHOP.OPS.\"twice\"(A INT) RETURNS INT AS 'A + A'",
        },
    ),
    Change(
        "replace a function",
        ("CREATE OR REPLACE FUNCTION SHOP.OPS.\"twice\"(A INT) RETURNS INT AS 'A * 3'",),
        {
            "replaces it again": "CREATE OR REPLACE FUNCTION SHOP.OPS.\"twice\"(A INT) RETURNS INT AS 'A'"
        },
        f'{_FUNCTION}; GRANT USAGE ON FUNCTION SHOP.OPS."twice"(INT) TO ROLE CLERK',
    ),
    Change("drop a function", ('DROP FUNCTION SHOP.OPS."twice"(INT)',), {}, _FUNCTION),
    Change(
        "create and call a procedure",
        (_PROCEDURE, "CALL SHOP.OPS.ADD_ONE()"),
        {
            "lets others call it": "GRANT USAGE ON PROCEDURE SHOP.OPS.ADD_ONE() TO ROLE CLERK",
            "adds rows": "INSERT INTO SHOP.OPS.ONLY_OURS VALUES (9)",
        },
    ),
    Change(
        "call a procedure of others",
        ("CALL SHOP.OPS.ADD_ONE()",),
        {"adds rows": "INSERT INTO SHOP.OPS.ONLY_OURS VALUES (9)"},
        _PROCEDURE,
    ),
    Change(
        "create an alert",
        (
            "CREATE ALERT SHOP.OPS.\"look out\" WAREHOUSE = LITTLE SCHEDULE = '5 MINUTE' "
            "IF (EXISTS (SELECT 1 FROM SHOP.OPS.ITEMS)) THEN INSERT INTO SHOP.OPS.ONLY_OURS VALUES (1)",
        ),
        {"starts it": 'ALTER ALERT SHOP.OPS."look out" RESUME'},
    ),
    Change(
        "create a pipe",
        (
            "CREATE STAGE SHOP.OPS.DROPS",
            'CREATE PIPE SHOP.OPS."pours" AS COPY INTO SHOP.OPS.ONLY_OURS FROM @SHOP.OPS.DROPS',
        ),
        {"stops it": 'ALTER PIPE SHOP.OPS."pours" SET PIPE_EXECUTION_PAUSED = TRUE'},
    ),
)
