"""Instances of classes: CREATE, DROP, SHOW, and grants of their roles."""

import pytest

from skills_nb.sql.governance import SqlSyntaxError, ast, parse

_CLASSIFIER = "SNOWFLAKE.DATA_PRIVACY.CUSTOM_CLASSIFIER"


@pytest.mark.parametrize(
    ("sql", "statement"),
    [
        (
            "create or replace snowflake.core.budget if not exists d.s.b() comment = 'c'",
            ast.CreateInstance(
                name=("D", "S", "B"),
                or_replace=True,
                if_not_exists=True,
                comment="c",
                instance_of="SNOWFLAKE.CORE.BUDGET",
            ),
        ),
        (
            "create snowflake.data_privacy.classification_profile p({'auto_tag': true}, 2)",
            ast.CreateInstance(
                name=("P",),
                instance_of="SNOWFLAKE.DATA_PRIVACY.CLASSIFICATION_PROFILE",
                arguments=("{'auto_tag': true}", "2"),
            ),
        ),
        (
            "drop snowflake.data_privacy.custom_classifier if exists s.c",
            ast.Drop(_CLASSIFIER, ("S", "C"), if_exists=True),
        ),
        (
            "show snowflake.data_privacy.custom_classifier instances in account",
            ast.Show(_CLASSIFIER, scope=ast.Scope("ACCOUNT")),
        ),
        (
            "grant snowflake.core.budget role d.s.b!admin to role r",
            ast.GrantInstanceRole(
                "SNOWFLAKE.CORE.BUDGET", ("D", "S", "B"), "ADMIN", ast.Grantee("ROLE", ("R",))
            ),
        ),
        (
            "revoke snowflake.core.budget role b!viewer from role r",
            ast.RevokeInstanceRole(
                "SNOWFLAKE.CORE.BUDGET", ("B",), "VIEWER", ast.Grantee("ROLE", ("R",))
            ),
        ),
    ],
)
def test_a_statement_about_instances_is_read(sql: str, statement: object) -> None:
    assert parse(sql) == statement


@pytest.mark.parametrize(
    "sql",
    [
        "create snowflake.core.budget b",
        "create snowflake.core.budget b() speed",
        "grant snowflake.core.budget role b to role r",
        "drop snowflake.core.budget",
    ],
)
def test_a_broken_statement_about_instances_is_refused(sql: str) -> None:
    with pytest.raises(SqlSyntaxError):
        parse(sql)
