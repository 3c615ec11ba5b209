"""Changes of rights, people, warehouses and what else the account itself holds."""

from __future__ import annotations

from tests.harm.changes.change import Change

_ITEMS = "SHOP.OPS.ITEMS"
_ORDERS = 'SHOP."My Sales"."orders"'

RIGHTS = (
    Change(
        "grant a privilege",
        (f'GRANT SELECT, INSERT ON TABLE {_ORDERS} TO ROLE "night shift"',),
        {
            "lets it hand it on": f'GRANT INSERT ON TABLE {_ORDERS} TO ROLE "night shift" WITH GRANT OPTION',
            "takes it away": f'REVOKE INSERT ON TABLE {_ORDERS} FROM ROLE "night shift"',
            "drops the role": 'DROP ROLE "night shift"',
            "replaces the table": f"CREATE OR REPLACE TABLE {_ORDERS} (A INT)",
        },
    ),
    Change(
        "grant what was granted",
        (f"GRANT SELECT ON TABLE {_ITEMS} TO ROLE KEEPER",),
        {"takes it away": f"REVOKE SELECT ON TABLE {_ITEMS} FROM ROLE KEEPER"},
    ),
    Change(
        "grant on all tables",
        ("GRANT SELECT ON ALL TABLES IN SCHEMA SHOP.OPS TO ROLE KEEPER",),
        {"makes a table": "CREATE TABLE SHOP.OPS.T2 (A INT)"},
    ),
    Change(
        "grant on what is to come",
        ('GRANT SELECT ON FUTURE TABLES IN SCHEMA SHOP."My Sales" TO ROLE CLERK',),
        {"makes a table": 'CREATE TABLE SHOP."My Sales".T2 (A INT)'},
    ),
    Change(
        "revoke a privilege",
        (f"REVOKE INSERT ON TABLE {_ITEMS} FROM ROLE KEEPER",),
        {
            "grants it again": f"GRANT INSERT ON TABLE {_ITEMS} TO ROLE KEEPER WITH GRANT OPTION",
            "drops the table": f"DROP TABLE {_ITEMS}",
        },
    ),
    Change(
        "revoke everything", (f"REVOKE ALL PRIVILEGES ON TABLE {_ORDERS} FROM ROLE KEEPER",), {}
    ),
    Change(
        "revoke what others hold",
        (f"REVOKE SELECT ON TABLE {_ITEMS} FROM ROLE CLERK",),
        {"grants it": f"GRANT SELECT ON TABLE {_ITEMS} TO ROLE CLERK"},
    ),
    Change(
        "give a table away",
        (f"GRANT OWNERSHIP ON TABLE {_ITEMS} TO ROLE KEEPER COPY CURRENT GRANTS",),
        {"gives it on": f"GRANT OWNERSHIP ON TABLE {_ITEMS} TO ROLE CLERK COPY CURRENT GRANTS"},
        is_playbooks=True,
    ),
    Change(
        "give a table away and its grants",
        (f"GRANT OWNERSHIP ON TABLE {_ORDERS} TO ROLE CLERK REVOKE CURRENT GRANTS",),
        {},
        is_playbooks=True,
    ),
    Change(
        "create a role",
        ('CREATE ROLE "day shift"', f'GRANT SELECT ON TABLE {_ITEMS} TO ROLE "day shift"'),
        {
            "gives it to somebody": 'GRANT ROLE "day shift" TO USER EVE',
            "lets it read": f'GRANT SELECT ON TABLE {_ORDERS} TO ROLE "day shift"',
            "gives it a role": 'GRANT ROLE CLERK TO ROLE "day shift"',
            "lets it own": 'GRANT OWNERSHIP ON TABLE SHOP.OPS.ONLY_OURS TO ROLE "day shift"',
            "drops it": 'DROP ROLE "day shift"',
        },
        before={"makes it first": 'CREATE ROLE "day shift"; GRANT ROLE "day shift" TO USER EVE'},
    ),
    Change(
        "grant a role",
        ('GRANT ROLE "night shift" TO ROLE CLERK', "GRANT ROLE CLERK TO USER EVE"),
        {"takes it away": "REVOKE ROLE CLERK FROM USER EVE", "drops the role": "DROP ROLE CLERK"},
    ),
    Change(
        "revoke a role",
        ("REVOKE ROLE KEEPER FROM USER EVE",),
        {"grants it again": "GRANT ROLE KEEPER TO USER EVE"},
    ),
    Change(
        "drop a role", ('DROP ROLE "night shift"',), {"makes it again": 'CREATE ROLE "night shift"'}
    ),
    Change(
        "create a database role",
        (
            "CREATE DATABASE ROLE SHOP.READER",
            f"GRANT SELECT ON TABLE {_ITEMS} TO DATABASE ROLE SHOP.READER",
        ),
        {"gives it to a role": "GRANT DATABASE ROLE SHOP.READER TO ROLE CLERK"},
    ),
    Change(
        "create a user",
        (
            "CREATE USER \"fay f\" DEFAULT_ROLE = CLERK COMMENT = 'new'",
            'GRANT ROLE CLERK TO USER "fay f"',
        ),
        {
            "gives a role": 'GRANT ROLE KEEPER TO USER "fay f"',
            "changes the user": "ALTER USER \"fay f\" SET EMAIL = 'f@x.org'",
            "drops the user": 'DROP USER "fay f"',
        },
    ),
    Change(
        "change a user",
        ("ALTER USER \"bob b\" SET COMMENT = 'left', DISABLED = TRUE",),
        {"changes it, too": "ALTER USER \"bob b\" SET COMMENT = 'is back'"},
    ),
    Change(
        "drop a user",
        ('DROP USER "bob b"',),
        {"makes another": "CREATE USER \"bob b\" COMMENT = 'another bob'"},
        'GRANT ROLE CLERK TO USER "bob b"',
    ),
    Change(
        "create a warehouse",
        ('CREATE WAREHOUSE "big one" WAREHOUSE_SIZE = LARGE INITIALLY_SUSPENDED = TRUE',),
        {
            "lets others use it": 'GRANT USAGE ON WAREHOUSE "big one" TO ROLE CLERK',
            "resizes it": 'ALTER WAREHOUSE "big one" SET WAREHOUSE_SIZE = SMALL',
            "drops it": 'DROP WAREHOUSE "big one"',
        },
    ),
    Change(
        "change a warehouse",
        ("ALTER WAREHOUSE LITTLE SET WAREHOUSE_SIZE = MEDIUM AUTO_SUSPEND = 600",),
        {
            "changes it, too": "ALTER WAREHOUSE LITTLE SET WAREHOUSE_SIZE = LARGE",
            "changes something else": "ALTER WAREHOUSE LITTLE SET COMMENT = 'theirs'",
        },
    ),
    Change(
        "suspend a warehouse",
        ("ALTER WAREHOUSE LITTLE SUSPEND",),
        {"resumes it": "ALTER WAREHOUSE LITTLE RESUME"},
    ),
    Change(
        "drop a warehouse",
        ("DROP WAREHOUSE LITTLE",),
        {},
        "GRANT USAGE ON WAREHOUSE LITTLE TO ROLE CLERK",
    ),
    Change(
        "create and use a monitor",
        (
            "CREATE RESOURCE MONITOR LIMIT_IT WITH CREDIT_QUOTA = 5 TRIGGERS ON 90 PERCENT DO NOTIFY",
            "ALTER WAREHOUSE LITTLE SET RESOURCE_MONITOR = LIMIT_IT",
        ),
        {
            "uses it": "ALTER WAREHOUSE COMPUTE_WH SET RESOURCE_MONITOR = LIMIT_IT",
            "changes it": "ALTER RESOURCE MONITOR LIMIT_IT SET CREDIT_QUOTA = 50",
        },
    ),
    Change(
        "change a monitor",
        ("ALTER RESOURCE MONITOR OLD SET CREDIT_QUOTA = 50",),
        {"changes it, too": "ALTER RESOURCE MONITOR OLD SET CREDIT_QUOTA = 7"},
        "CREATE RESOURCE MONITOR OLD WITH CREDIT_QUOTA = 5",
    ),
    Change(
        "create a share",
        (
            "CREATE SHARE TO_THEM",
            "GRANT USAGE ON DATABASE SHOP TO SHARE TO_THEM;"
            "GRANT USAGE ON SCHEMA SHOP.OPS TO SHARE TO_THEM;"
            f"GRANT SELECT ON TABLE {_ITEMS} TO SHARE TO_THEM",
        ),
        {
            "shares more": "GRANT SELECT ON TABLE SHOP.OPS.ONLY_OURS TO SHARE TO_THEM",
            "drops it": "DROP SHARE TO_THEM",
        },
    ),
    Change(
        "create a network rule and policy",
        (
            "CREATE NETWORK RULE SHOP.OPS.\"office\" TYPE = IPV4 MODE = INGRESS VALUE_LIST = ('10.0.0.1')",
            "CREATE NETWORK POLICY OFFICE_ONLY ALLOWED_NETWORK_RULE_LIST = ('SHOP.OPS.\"office\"')",
        ),
        {
            "uses the rule": "CREATE NETWORK POLICY THEIRS ALLOWED_NETWORK_RULE_LIST = ('SHOP.OPS.\"office\"')",
            "uses the policy": "ALTER USER EVE SET NETWORK_POLICY = OFFICE_ONLY",
        },
    ),
    Change(
        "set a user's parameter",
        ("ALTER USER EVE SET TIMEZONE = 'Europe/Berlin'",),
        {"sets it, too": "ALTER USER EVE SET TIMEZONE = 'Asia/Tokyo'"},
    ),
    Change(
        "set the account's parameter",
        ("ALTER ACCOUNT SET STATEMENT_TIMEOUT_IN_SECONDS = 900",),
        {"sets it, too": "ALTER ACCOUNT SET STATEMENT_TIMEOUT_IN_SECONDS = 60"},
        is_playbooks=True,
    ),
    Change(
        "set what was set for the account",
        ("ALTER ACCOUNT SET TIMEZONE = 'Europe/Berlin' STATEMENT_TIMEOUT_IN_SECONDS = 77",),
        {
            "sets it, too": "ALTER ACCOUNT SET TIMEZONE = 'Asia/Tokyo'",
            "unsets it": "ALTER ACCOUNT UNSET TIMEZONE",
        },
        "ALTER ACCOUNT SET TIMEZONE = 'UTC'",
        is_playbooks=True,
    ),
)
