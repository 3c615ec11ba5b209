"""What is asked of each playbook on the messy account, and how it may end there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SALES = '"Trade House"."My Sales"'
COMPLETED = "completed"


@dataclass(frozen=True)
class Wish:
    """One playbook with what it is told."""

    playbook: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    setup: str = ""
    """What the account holds besides, as statements."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Text by place on a stage, as `DATABASE.SCHEMA.STAGE/name`."""
    ends: str = COMPLETED
    """`completed`, or words of the reason for which it stops before anything is changed."""
    skipped: tuple[str, ...] = ()
    """Pauses of errors at which a step is left out, because the account cannot do it."""
    again: str = COMPLETED
    """How a second run with the same inputs ends."""
    stays: tuple[str, ...] = ()
    """What cleanup leaves and names with the reason: work in it may be somebody else's by then."""
    days_ago: int = 0
    """How long ago the account was made; nobody has worked on it since."""


def _validation(columns: int) -> Wish:
    """Compare two tables of so many columns."""
    numbers = range(columns)
    return Wish(
        "validate-migrated-data",
        {
            "target_scope": '"Trade House"."Wide"',
            "source_scope": '"Trade House"."Wide before"',
            "validator_role": "ACCOUNTADMIN",
        },
        setup='CREATE SCHEMA "Trade House"."Wide"; CREATE SCHEMA "Trade House"."Wide before";'
        'CREATE TABLE "Trade House"."Wide"."wide" ('
        + ", ".join(f'"Column {n}" NUMBER(10, 2)' for n in numbers)
        + ');INSERT INTO "Trade House"."Wide"."wide" SELECT '
        + ", ".join(str(n) for n in numbers)
        + ';CREATE TABLE "Trade House"."Wide before"."wide" AS '
        'SELECT * FROM "Trade House"."Wide"."wide";',
    )


WISHES: Mapping[str, Wish] = {
    "audit of quoted names": Wish("audit-data-access", {"target_scope": SALES}),
    "audit with a report": Wish(
        "audit-data-access", {"target_scope": "TRADE.OPS", "report_schema": "GOVERNANCE"}
    ),
    "costs beside a monitor of others": Wish("set-up-cost-controls", {"monthly_quota": "50"}),
    "costs as the monitor stands": Wish("set-up-cost-controls", {"monthly_quota": "100"}),
    "spike": Wish("investigate-cost-spike"),
    "warehouses fitted": Wish(
        "optimize-warehouses",
        {"wanted_clusters": '{"little wh": 2}', "queued_timeout": "1800"},
    ),
    "warehouses under a misspelt name": Wish(
        "optimize-warehouses",
        {"wanted_sizes": '{"Little WH": "SMALL"}'},
        ends="Little WH. Names keep their case",
    ),
    "tuning over quoted names": Wish(
        "tune-slow-query",
        {
            "statement": f'SELECT "country", COUNT(*) AS N FROM {SALES}."customers" AS c'
            f' JOIN {SALES}."orders" AS o ON o."customer id" = c."id"'
            ' WHERE o."is.gift" GROUP BY "country"',
            "remedy": "cluster",
            "trial_schema": '"Trade House"."Lab"',
            "trial_table": f'{SALES}."orders"',
            "key_columns": '"is.gift","customer id"',
            "apply": "yes",
            "runs": "1",
        },
    ),
    "tuning of what changes rows": Wish(
        "tune-slow-query",
        {"statement": f'UPDATE {SALES}."orders" SET "is.gift" = TRUE'},
        ends="Only a query that changes nothing is run again",
    ),
    "tuning beside a table of others": Wish(
        "tune-slow-query",
        {
            "statement": "SELECT * FROM TRADE.OPS.ITEMS",
            "remedy": "search",
            "trial_schema": "TRADE.SHARED",
            "trial_table": "TRADE.OPS.ITEMS",
            "key_columns": "ID",
            "runs": "1",
        },
    ),
    "roles under a prefix in use": Wish(
        "set-up-role-hierarchy",
        {"target_scope": "TRADE.OPS", "role_prefix": "TRADE", "warehouse": "COMPUTE_WH"},
        ends="TRADE_READ",
    ),
    "roles over quoted names": Wish(
        "set-up-role-hierarchy",
        {"target_scope": SALES, "role_prefix": "HOUSE", "warehouse": '"little wh"'},
    ),
    "roles for nobody": Wish(
        "set-up-role-hierarchy",
        {"target_scope": SALES, "role_prefix": "HOUSE", "analyst_user": "NO_SUCH_USER"},
        ends="NO_SUCH_USER",
    ),
    "protection of quoted names": Wish(
        "secure-sensitive-data",
        {"target_scope": SALES, "authorized_role": "PII_READER", "restricted_role": "ANALYST"},
    ),
    "protection beside policies of others": Wish(
        "secure-sensitive-data",
        {"target_scope": "TRADE.OPS", "restricted_role": "OTHER_TEAM"},
    ),
    "sharing beside a view of others": Wish(
        "share-data-with-consumers",
        {
            "target_scope": "TRADE.OPS.ITEMS",
            "share_name": "SUPPLIERS",
            "consumer_account": "OTHER.ACCOUNT",
        },
        ends="TRADE.SHARED.ITEMS",
    ),
    "sharing quoted names": Wish(
        "share-data-with-consumers",
        {
            "target_scope": f'{SALES}."orders"',
            "share_name": "SUPPLIERS",
            "consumer_account": "OTHER.ACCOUNT",
            "hidden_columns": '"customer id"',
        },
    ),
    "sharing with a misspelt column": Wish(
        "share-data-with-consumers",
        {
            "target_scope": f'{SALES}."customers"',
            "share_name": "SUPPLIERS",
            "consumer_account": "OTHER.ACCOUNT",
            "hidden_columns": '"e-mial"',
        },
        ends="e-mial",
    ),
    "pipeline beside a table of others": Wish(
        "build-streaming-pipeline",
        {"target_scope": "TRADE.OPS.ITEMS", "output_schema": "ANALYTICS"},
        ends="ITEMS_CLEAN",
    ),
    "pipeline over quoted names": Wish(
        "build-streaming-pipeline",
        {"target_scope": f'{SALES}."orders"', "output_schema": '"Lab"'},
        setup=f'GRANT OWNERSHIP ON TABLE {SALES}."orders" TO ROLE SYSADMIN COPY CURRENT GRANTS;'
        'GRANT USAGE, CREATE SCHEMA ON DATABASE "Trade House" TO ROLE SYSADMIN;'
        f"GRANT USAGE ON SCHEMA {SALES} TO ROLE SYSADMIN;"
        'GRANT OWNERSHIP ON SCHEMA "Trade House"."Lab" TO ROLE SYSADMIN COPY CURRENT GRANTS;',
    ),
    "pipeline of tasks over a key": Wish(
        "build-streaming-pipeline",
        {
            "target_scope": f'{SALES}."customers"',
            "output_schema": '"Lab"',
            "style": "streams-and-tasks",
        },
    ),
    "pipeline by a misspelt key": Wish(
        "build-streaming-pipeline",
        {
            "target_scope": SALES,
            "output_schema": '"Lab"',
            "keys": '{"orders": "ID"}',
        },
        ends="orders.ID",
    ),
    "loading into a table that is not there": Wish(
        "load-files-from-stage",
        {
            "target_table": "TRADE.OPS.ARRIVED",
            "stage": "TRADE.OPS.ARRIVALS",
            "loader_role": "ACCOUNTADMIN",
        },
        files={"TRADE.OPS.ARRIVALS/one.csv": "id,name\n1,Ann\n2,Ben\n"},
    ),
    "loading with a file format of others": Wish(
        "load-files-from-stage",
        {
            "target_table": "TRADE.OPS.ITEMS",
            "stage": "TRADE.OPS.ARRIVALS",
            "loader_role": "ACCOUNTADMIN",
        },
        files={"TRADE.OPS.ARRIVALS/one.csv": "id,name\n1,Ann\n2,Ben\n"},
        ends="ITEMS_FORMAT",
    ),
    "loading into quoted names": Wish(
        "load-files-from-stage",
        {
            "target_table": f'{SALES}."the ""big"" one"',
            "stage": f'{SALES}."in box"',
            "loader_role": "ACCOUNTADMIN",
            "file_pattern": ".*[.]csv",
        },
        setup=f'CREATE STAGE {SALES}."in box";',
        files={f'{SALES}."in box"/one.csv': "note,id,price each\nfirst,7,2.50\n"},
    ),
    "loading from an empty stage": Wish(
        "load-files-from-stage",
        {
            "target_table": "TRADE.OPS.ARRIVED",
            "stage": "TRADE.OPS.ARRIVALS",
            "loader_role": "ACCOUNTADMIN",
        },
        ends="is empty, so there is nothing to load",
    ),
    "quality of quoted names": Wish(
        "monitor-data-quality",
        {"target_scope": SALES, "owner_role": "ACCOUNTADMIN"},
    ),
    "quality of a dynamic table": Wish(
        "monitor-data-quality",
        {
            "target_scope": '"Trade House"."Lab"."mailing"',
            "owner_role": "ACCOUNTADMIN",
            "alert_email": "eve@example.com",
            "alert_schema": '"Lab"',
        },
    ),
    "quality of tables of others": Wish(
        "monitor-data-quality",
        {"target_scope": "TRADE.OPS.SECRETS_OF_OTHERS", "owner_role": "CLERK"},
        setup="GRANT ROLE CLERK TO USER ADMIN;",
        ends="belong to OTHER_TEAM",
    ),
    "validation of 200 columns": _validation(200),
    "migration of a wave over quoted names": Wish(
        "migrate-database",
        {
            "target_database": '"Trade House"',
            "wave_schema": "My Sales",
            "table_pattern": "empt%",
            "stage": "TRADE.OPS.ARRIVALS",
            "file_type": "CSV",
        },
        files={"TRADE.OPS.ARRIVALS/empty/one.csv": "id,e-mail\n1,ann@example.com\n"},
    ),
    "validation of 1,500 columns": _validation(1_500),
    "migration beside a log of others": Wish(
        "migrate-database",
        {"target_database": "TRADE", "wave_schema": "OPS", "stage": "TRADE.OPS.ARRIVALS"},
        setup="CREATE SCHEMA TRADE.MIGRATION;"
        "CREATE TABLE TRADE.MIGRATION.MIGRATION_LOG (NOTE STRING);",
        ends="did not make",
    ),
    "erasure over quoted names": Wish(
        "erase-a-person",
        {
            "scope": '"Trade House"',
            "identifier_kind": "email",
            "identifier": "ann.5@example.com",
            "treatment": '{"My Sales.orders": "anonymise"}',
        },
    ),
    "erasure where a mask hides the address": Wish(
        "erase-a-person",
        {"scope": "TRADE", "identifier_kind": "email", "identifier": "o5@example.com"},
    ),
    "erasure of what is no address": Wish(
        "erase-a-person",
        {"scope": '"Trade House"', "identifier_kind": "email", "identifier": "Ann Müller"},
        ends="does not look like email",
    ),
    "erasure with a table that is not there": Wish(
        "erase-a-person",
        {
            "scope": '"Trade House"',
            "identifier_kind": "email",
            "identifier": "ann.5@example.com",
            "treatment": '{"My Sales.bills": "keep"}',
        },
        ends="My Sales.bills",
    ),
    "logins with quoted names": Wish(
        "modernize-authentication",
        {
            "policy_schema": '"Trade House"."Our logins"',
            "break_glass": "ADMIN",
            "people": '"bob b"',
            "public_keys": f'{{"LOADER": "MIIB{"A" * 388}", "OLD_JOB": "MIIB{"B" * 388}"}}',
            "switch_services": "all-with-key",
        },
    ),
    "logins of a user who is not there": Wish(
        "modernize-authentication",
        {
            "policy_schema": '"Trade House"."Our logins"',
            "break_glass": "ADMIN",
            "people": '"Bob B"',
        },
        ends="There is no user Bob B",
    ),
    "logins with a private key": Wish(
        "modernize-authentication",
        {
            "policy_schema": "TRADE.GOVERNANCE",
            "break_glass": "ADMIN",
            "public_keys": f'{{"LOADER": "MIIE{"A" * 1600}"}}',
        },
        ends="treat it as leaked",
    ),
    "recovery of a table whose name is taken": Wish(
        "recover-lost-data",
        {
            "target": f'{SALES}."countries"',
            "what_happened": "dropped",
            "name_taken": "set-aside",
        },
        setup=f'DROP TABLE {SALES}."countries"; CREATE TABLE {SALES}."countries" (X INT);',
    ),
    "recovery of what was never there": Wish(
        "recover-lost-data",
        {"target": "TRADE.OPS.NEVER", "what_happened": "dropped"},
        ends="Fail-safe",
    ),
    "recovery by a misspelt key": Wish(
        "recover-lost-data",
        {"target": f'{SALES}."orders"', "what_happened": "damaged", "key_columns": "ID"},
        ends="It has id, customer id",
    ),
    "merge of quoted names": Wish(
        "merge-changes-with-history",
        {
            "target_table": '"Trade House"."Lab"."customers copy"',
            "changes": f'{SALES}."customers"',
            "key_columns": '"id"',
        },
        setup=f'UPDATE {SALES}."customers" SET "country" = \'AT\' WHERE "id" < 4;'
        f'DELETE FROM "Trade House"."Lab"."customers copy" WHERE "id" = 9;',
    ),
    "merge by a misspelt key": Wish(
        "merge-changes-with-history",
        {
            "target_table": "TRADE.OPS.ITEMS",
            "changes": "TRADE.OPS.ITEMS",
            "key_columns": "IDD",
        },
        ends="It has ID, NAME",
    ),
    "merge by a key that occurs twice": Wish(
        "merge-changes-with-history",
        {
            "target_table": f'{SALES}."the ""big"" one"',
            "changes": f'{SALES}."the ""big"" one"',
            "key_columns": '"id"',
        },
        ends="more than once",
    ),
    "copy of quoted names": Wish(
        "clone-environment",
        {"source": SALES, "copy_name": '"Trade House"."dev"', "developer_role": "ANALYST"},
        skipped=("error:12",),
    ),
    "copy under a name in use": Wish(
        "clone-environment",
        {"source": "TRADE.OPS", "copy_name": "TRADE.SHARED", "developer_role": "ANALYST"},
        ends="TRADE.SHARED already exists",
    ),
    "copy for nobody": Wish(
        "clone-environment",
        {"source": "TRADE", "copy_name": "TRADE_DEV", "developer_role": "NO_SUCH_ROLE"},
        ends="NO_SUCH_ROLE",
    ),
    "clean-up of quoted names": Wish(
        "clean-up-unused",
        {"scope": '"Trade House"', "to_park": "all", "unused_days": "60"},
        days_ago=100,
    ),
    "clean-up of what was parked": Wish(
        "clean-up-unused",
        {"scope": "TRADE", "to_park": "none", "to_drop": "all", "give_back": "TRADE.OPS.NOTHING"},
        setup="CREATE TABLE TRADE.ANALYTICS.LOGS_UNUSED_20260105 (A INT);"
        "COMMENT ON TABLE TRADE.ANALYTICS.LOGS_UNUSED_20260105 IS"
        " 'Parked as unused on 2026-01-05. Former name: LOGS. Former comment: ';",
        days_ago=100,
    ),
    "clean-up of what is not there": Wish(
        "clean-up-unused", {"scope": '"trade house"'}, ends="cannot see it"
    ),
    "access to quoted names": Wish(
        "diagnose-missing-access",
        {"role": '"night shift"', "want": "insert", "object": f'{SALES}."orders"'},
    ),
    "access by several privileges": Wish(
        "diagnose-missing-access",
        {
            "role": "OTHER_TEAM",
            "want": "select",
            "object": f'{SALES}."customers"',
            "warehouse": '"little wh"',
        },
    ),
    "access to a misspelt table": Wish(
        "diagnose-missing-access",
        {"role": "ANALYST", "want": "select", "object": f"{SALES}.CUSTOMERS"},
        ends='"My Sales"."customers"',
    ),
    "semantic view over quoted names": Wish(
        "build-semantic-view",
        {
            "target_scope": SALES,
            "semantic_view": '"Trade House"."Lab"."sales"',
            "modeler_role": "ACCOUNTADMIN",
            "primary_keys": '{"orders": "id", "customers": "id"}',
            "relationships": '{"orders": {"customer id": "customers"}}',
            "metrics": '{"REVENUE": {"table": "orders", "aggregate": "SUM", "column": "Amount €"}}',
            "questions": '{"Revenue per country?": {"metric": ["orders", "REVENUE"],'
            ' "by": ["customers", "country"]}}',
            "reader_role": "ANALYST",
        },
    ),
    "semantic view under the name of a view": Wish(
        "build-semantic-view",
        {"target_scope": "TRADE.OPS", "semantic_view": "TRADE.SHARED.ITEMS"},
        ends="is a VIEW of ACCOUNTADMIN",
    ),
    "texts where no model answers": Wish(
        "enrich-text-with-ai",
        {
            "source_table": f'{SALES}."customers"',
            "key_column": '"id"',
            "text_column": '"notes"',
            "output_table": '"Trade House"."Lab"."said"',
            "analyst_role": "ACCOUNTADMIN",
            "sentiment": "true",
        },
        ends="This account has no AI functions",
    ),
    "texts beside a table of others": Wish(
        "enrich-text-with-ai",
        {
            "source_table": "TRADE.OPS.ITEMS",
            "key_column": "ID",
            "text_column": "NAME",
            "output_table": "TRADE.ANALYTICS.ITEMS_CLEAN",
            "sentiment": "true",
        },
        ends="this playbook did not make it",
    ),
    "app over quoted names": Wish(
        "build-react-app",
        {
            "target_scope": SALES,
            "app_schema": "TRADE.APPS",
            "app_role": "CLERK",
            "data_admin_role": "SECURITYADMIN",
            "viewer_role": "ANALYST",
            "app_warehouse": "BIG_WH",
        },
        setup="GRANT USAGE, CREATE SCHEMA ON DATABASE TRADE TO ROLE CLERK;"
        "GRANT CREATE COMPUTE POOL, BIND SERVICE ENDPOINT ON ACCOUNT TO ROLE CLERK;"
        "GRANT USAGE ON WAREHOUSE BIG_WH TO ROLE CLERK;",
        skipped=("error:11",),
    ),
    "app on a warehouse that no specification can bear": Wish(
        "build-react-app",
        {"target_scope": SALES, "app_schema": "TRADE.APPS", "app_warehouse": '"little wh"'},
        ends="choose names that need no quotes",
    ),
    "page over quoted names": Wish(
        "build-streamlit-app",
        {
            "target_scope": SALES,
            "chosen_tables": '"orders", "the ""big"" one", "good customers"',
            "app_schema": '"Trade House"."My apps"',
            "builder_role": "ACCOUNTADMIN",
            "viewer_role": "CLERK",
            "app_warehouse": "COMPUTE_WH",
            "app_name": '"sales board"',
        },
        setup="GRANT ROLE CLERK TO USER ADMIN;",
    ),
    "page under a role of others": Wish(
        "build-streamlit-app",
        {
            "target_scope": "TRADE.OPS",
            "builder_role": "ACCOUNTADMIN",
            "app_role": "PII_READER",
            "viewer_role": "ANALYST",
            "app_warehouse": "COMPUTE_WH",
        },
        ends="every viewer would see through the app",
    ),
    "model that cannot be called": Wish(
        "deploy-registered-model",
        {
            "model": f'{SALES}."churn"',
            "model_version": "V1",
            "engineer_role": "ACCOUNTADMIN",
            "input_table": f'{SALES}."orders"',
            "key_column": '"id"',
            "feature_columns": '"Amount €"',
            "prediction_table": '"Trade House"."Lab"."scores"',
        },
        setup=f'CREATE STAGE {SALES}."files"; CREATE MODEL {SALES}."churn" WITH VERSION V1'
        f' FROM @{SALES}."files"/one;',
        ends="This account cannot call models",
    ),
    "evaluation of more tasks than there are": Wish(
        "run-benchmark-evaluation",
        {"model": "m", "task_count": "12"},
        ends="has 6 tasks, not 12",
    ),
}
