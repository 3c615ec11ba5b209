"""Changes of policies and tags."""

from __future__ import annotations

from tests.harm.changes.change import Change, without

_ITEMS = "SHOP.OPS.ITEMS"
_ORDERS = 'SHOP."My Sales"."orders"'
_POLICY = 'SHOP.OPS."hide it"'
_ON_POLICY = {
    "uses it": f'ALTER TABLE {_ORDERS} MODIFY COLUMN "who" SET MASKING POLICY {_POLICY}',
    "lets others use it": f"GRANT APPLY ON MASKING POLICY {_POLICY} TO ROLE KEEPER",
    "changes its body": f"ALTER MASKING POLICY {_POLICY} SET BODY -> 'theirs'",
    "replaces it": f"CREATE OR REPLACE MASKING POLICY {_POLICY} AS (V STRING) RETURNS STRING -> 'x'",
    "drops it": f"DROP MASKING POLICY {_POLICY}",
    "renames it": f"ALTER MASKING POLICY {_POLICY} RENAME TO SHOP.OPS.RENAMED",
    "hangs it on a tag": f"ALTER TAG SHOP.OPS.TIER SET MASKING POLICY {_POLICY}",
}
_MAKE = f"CREATE MASKING POLICY {_POLICY} AS (V STRING) RETURNS STRING -> '##'"
_OTHER = "CREATE MASKING POLICY SHOP.OPS.OTHER AS (V STRING) RETURNS STRING -> '??'"
_MASKED = f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE"
_VIEW_IN_USE = """
ALTER VIEW SHOP.OPS.CHEAP MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE;
ALTER VIEW SHOP.OPS.CHEAP SET TAG SHOP.OPS.TIER = 'gold';
ALTER VIEW SHOP.OPS.CHEAP MODIFY COLUMN ID SET TAG SHOP.OPS.TIER = 'iron';
COMMENT ON VIEW SHOP.OPS.CHEAP IS 'for all';
GRANT SELECT ON VIEW SHOP.OPS.CHEAP TO ROLE CLERK;
GRANT OWNERSHIP ON VIEW SHOP.OPS.CHEAP TO ROLE KEEPER COPY CURRENT GRANTS;
"""

PROTECTION = (
    Change(
        "create a masking policy",
        (_MAKE,),
        _ON_POLICY,
        before={"makes it first": f"CREATE MASKING POLICY {_POLICY} AS (V INT) RETURNS INT -> 0"},
    ),
    Change(
        "create and attach a masking policy",
        (_MAKE, f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET MASKING POLICY {_POLICY}"),
        {
            **without(_ON_POLICY, "replaces it", "drops it"),
            "masks it otherwise": f"{_OTHER}; ALTER TABLE {_ITEMS} MODIFY COLUMN NAME "
            "SET MASKING POLICY SHOP.OPS.OTHER FORCE",
        },
    ),
    Change(
        "replace a masking policy",
        ("CREATE OR REPLACE MASKING POLICY SHOP.OPS.HIDE AS (V STRING) RETURNS STRING -> 'no'",),
        {
            "changes its body": "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'theirs'",
            "uses it": f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE",
        },
        "GRANT APPLY ON MASKING POLICY SHOP.OPS.HIDE TO ROLE KEEPER",
    ),
    Change(
        "replace a policy of another role",
        ("CREATE OR REPLACE MASKING POLICY SHOP.OPS.HIDE AS (V STRING) RETURNS STRING -> 'no'",),
        {},
        "GRANT OWNERSHIP ON MASKING POLICY SHOP.OPS.HIDE TO ROLE KEEPER",
    ),
    Change(
        "replace a view that is masked and tagged",
        ("CREATE OR REPLACE VIEW SHOP.OPS.CHEAP AS SELECT 1 AS ONE",),
        {},
        _VIEW_IN_USE,
    ),
    Change(
        "drop a view that is masked and tagged", ("DROP VIEW SHOP.OPS.CHEAP",), {}, _VIEW_IN_USE
    ),
    Change(
        "replace a tag",
        ("CREATE OR REPLACE TAG SHOP.OPS.TIER COMMENT = 'new'",),
        {},
        f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'gold'",
    ),
    Change(
        "change a policy's body",
        ("ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> V || '!'",),
        {"changes it, too": "ALTER MASKING POLICY SHOP.OPS.HIDE SET BODY -> 'theirs'"},
        _MASKED,
    ),
    Change(
        "attach a masking policy",
        (_MASKED,),
        {
            "takes it off": f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME UNSET MASKING POLICY",
            "masks it otherwise": f"{_OTHER}; ALTER TABLE {_ITEMS} MODIFY COLUMN NAME "
            "SET MASKING POLICY SHOP.OPS.OTHER FORCE",
        },
    ),
    Change(
        "detach a masking policy",
        (f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME UNSET MASKING POLICY",),
        {
            "masks it otherwise": f"{_OTHER}; ALTER TABLE {_ITEMS} MODIFY COLUMN NAME "
            "SET MASKING POLICY SHOP.OPS.OTHER"
        },
        _MASKED,
    ),
    Change(
        "force another masking policy",
        (f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.OTHER FORCE",),
        {"takes it off": f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME UNSET MASKING POLICY"},
        f"{_OTHER}; {_MASKED}",
    ),
    Change(
        "drop a masking policy",
        ("DROP MASKING POLICY SHOP.OPS.HIDE",),
        {"makes another": "CREATE MASKING POLICY SHOP.OPS.HIDE AS (V INT) RETURNS INT -> 5"},
    ),
    Change(
        "create and attach a row access policy",
        (
            'CREATE ROW ACCESS POLICY SHOP.OPS."mine only" AS (V STRING) RETURNS BOOLEAN -> V IS NULL',
            f'ALTER TABLE {_ORDERS} ADD ROW ACCESS POLICY SHOP.OPS."mine only" ON ("who")',
        ),
        {
            "uses it": f'ALTER TABLE {_ITEMS} ADD ROW ACCESS POLICY SHOP.OPS."mine only" ON (NAME)',
            "adds rows": f"INSERT INTO {_ORDERS} VALUES (9, 'eve', 90)",
            "takes it off": f"ALTER TABLE {_ORDERS} DROP ALL ROW ACCESS POLICIES",
        },
    ),
    Change(
        "exchange a row access policy",
        (
            f"ALTER TABLE {_ITEMS} DROP ROW ACCESS POLICY SHOP.OPS.SOME_ROWS, "
            "ADD ROW ACCESS POLICY SHOP.OPS.OTHER_ROWS ON (NAME)",
        ),
        {"takes it off": f"ALTER TABLE {_ITEMS} DROP ALL ROW ACCESS POLICIES"},
        "CREATE ROW ACCESS POLICY SHOP.OPS.OTHER_ROWS AS (V STRING) RETURNS BOOLEAN -> FALSE;"
        f"ALTER TABLE {_ITEMS} ADD ROW ACCESS POLICY SHOP.OPS.SOME_ROWS ON (NAME)",
    ),
    Change(
        "take all row access policies off",
        (f"ALTER TABLE {_ITEMS} DROP ALL ROW ACCESS POLICIES",),
        {},
        f"ALTER TABLE {_ITEMS} ADD ROW ACCESS POLICY SHOP.OPS.SOME_ROWS ON (NAME)",
    ),
    Change(
        "create and attach a projection policy",
        (
            "CREATE PROJECTION POLICY SHOP.OPS.NO_SHOW AS () RETURNS PROJECTION_CONSTRAINT -> "
            "PROJECTION_CONSTRAINT(ALLOW => FALSE)",
            f'ALTER TABLE {_ORDERS} MODIFY COLUMN "who" SET PROJECTION POLICY SHOP.OPS.NO_SHOW',
        ),
        {
            "uses it": f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET PROJECTION POLICY SHOP.OPS.NO_SHOW"
        },
    ),
    Change(
        "create and attach an aggregation policy",
        (
            'CREATE AGGREGATION POLICY SHOP.OPS."many" AS () RETURNS AGGREGATION_CONSTRAINT -> '
            "AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 3)",
            f'ALTER TABLE {_ITEMS} SET AGGREGATION POLICY SHOP.OPS."many"',
        ),
        {"uses it": f'ALTER TABLE {_ORDERS} SET AGGREGATION POLICY SHOP.OPS."many"'},
    ),
    Change(
        "create and set a tag",
        (
            "CREATE TAG SHOP.OPS.\"kind of\" ALLOWED_VALUES 'a', 'b'",
            f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.\"kind of\" = 'a'",
        ),
        {
            "sets it elsewhere": f"ALTER TABLE {_ORDERS} SET TAG SHOP.OPS.\"kind of\" = 'b'",
            "sets it, too": f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.\"kind of\" = 'b'",
            "allows more": "ALTER TAG SHOP.OPS.\"kind of\" ADD ALLOWED_VALUES 'c'",
            "drops it": 'DROP TAG SHOP.OPS."kind of"',
        },
    ),
    Change(
        "set another value of a tag",
        (f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'iron'",),
        {"sets it, too": f"ALTER TABLE {_ITEMS} UNSET TAG SHOP.OPS.TIER"},
        f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'gold'",
    ),
    Change(
        "tag a column",
        (f"ALTER TABLE {_ORDERS} MODIFY COLUMN \"who\" SET TAG SHOP.OPS.TIER = 'gold'",),
        {
            "sets it, too": f"ALTER TABLE {_ORDERS} MODIFY COLUMN \"who\" SET TAG SHOP.OPS.TIER = 'iron'"
        },
    ),
    Change(
        "unset a tag",
        (f"ALTER TABLE {_ITEMS} UNSET TAG SHOP.OPS.TIER",),
        {"sets it": f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'iron'"},
        f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'gold'",
    ),
    Change(
        "drop a tag",
        ("DROP TAG SHOP.OPS.TIER",),
        {},
        f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'gold'",
    ),
    Change(
        "change a tag's allowed values",
        ("ALTER TAG SHOP.OPS.TIER ADD ALLOWED_VALUES 'lead'",),
        {"uses it": f"ALTER TABLE {_ITEMS} SET TAG SHOP.OPS.TIER = 'lead'"},
    ),
    Change(
        "mask by a tag",
        ("ALTER TAG SHOP.OPS.TIER SET MASKING POLICY SHOP.OPS.HIDE",),
        {
            "tags a column": f"ALTER TABLE {_ITEMS} MODIFY COLUMN NAME SET TAG SHOP.OPS.TIER = 'gold'",
            "takes it off": "ALTER TAG SHOP.OPS.TIER UNSET MASKING POLICY SHOP.OPS.HIDE",
        },
    ),
)
