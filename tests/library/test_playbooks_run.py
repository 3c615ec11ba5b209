"""Every playbook runs to its end on the demo account, does what it promises, and can run again.

What it promises is looked at as the role that it concerns, or after rows that came later; that an
object exists proves nothing. What the embedded account cannot do is left out at a step that may be
left out, and the test says which.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skills_nb.commands import App
from skills_nb.commands.home.embedded_accounts import shadow_source
from skills_nb.embedded.types.values import AiCall
from tests.library.driving import SHOP, Run, drive, inventory, prepare, rows

RUNS = {
    "audit": Run("audit-data-access", {"target_scope": SHOP, "report_schema": "ANALYTICS"}),
    "costs": Run("set-up-cost-controls", {"monthly_quota": "100"}),
    "spike": Run("investigate-cost-spike"),
    "fitting": Run("optimize-warehouses", {"queued_timeout": "1800", "team_by": "user"}),
    "tuning": Run(
        "tune-slow-query",
        {
            "statement": f"SELECT CUSTOMER_ID, SUM(TOTAL_AMOUNT) AS SPENT FROM {SHOP}.ORDERS"
            " WHERE CUSTOMER_ID < 100 GROUP BY CUSTOMER_ID ORDER BY SPENT DESC",
            "remedy": "cluster",
            "trial_schema": "PROD.ANALYTICS",
            "trial_table": f"{SHOP}.ORDERS",
            "key_columns": "CUSTOMER_ID",
            "apply": "yes",
        },
    ),
    "roles": Run(
        "set-up-role-hierarchy",
        {"target_scope": SHOP, "role_prefix": "SHOP", "analyst_user": "ANA"},
    ),
    "protection": Run("secure-sensitive-data", {"target_scope": SHOP}),
    "semantic": Run(
        "build-semantic-view",
        {
            "target_scope": SHOP,
            "semantic_view": "PROD.SEMANTIC.SALES",
            "primary_keys": '{"ORDERS": "ORDER_ID", "CUSTOMERS": "CUSTOMER_ID"}',
            "relationships": '{"ORDERS": {"CUSTOMER_ID": "CUSTOMERS"}}',
            "metrics": '{"REVENUE": {"table": "ORDERS", "aggregate": "SUM", '
            '"column": "TOTAL_AMOUNT", "meaning": "Gross order value"}}',
            "reader_role": "ANALYST",
        },
    ),
    "pipeline": Run(
        "build-streaming-pipeline",
        {"target_scope": f"{SHOP}.ORDERS", "output_schema": "ANALYTICS"},
    ),
    "tasks": Run(
        "build-streaming-pipeline",
        {
            "target_scope": f"{SHOP}.ORDERS",
            "output_schema": "ANALYTICS",
            "style": "streams-and-tasks",
        },
    ),
    "sharing": Run(
        "share-data-with-consumers",
        {
            "target_scope": f"{SHOP}.ORDERS",
            "share_name": "SUPPLIER_SHARE",
            "consumer_account": "OTHER.ACCOUNT",
        },
    ),
    "enrichment": Run(
        "enrich-text-with-ai",
        {
            "source_table": f"{SHOP}.NOTES",
            "key_column": "ID",
            "text_column": "BODY",
            "output_table": "PROD.ANALYTICS.ENRICHED",
            "sentiment": "true",
        },
        (
            f"CREATE TABLE {SHOP}.NOTES (ID INT, BODY STRING)",
            f"INSERT INTO {SHOP}.NOTES VALUES (1, 'good tent'), (2, 'bad tent')",
        ),
    ),
    "loading": Run(
        "load-files-from-stage",
        {"target_table": f"{SHOP}.LOADED", "stage": f"{SHOP}.ARRIVALS"},
        (f"CREATE STAGE {SHOP}.ARRIVALS",),
        {f"{SHOP}.ARRIVALS/one.csv": "id,name\n1,Ann\n2,Ben\n"},
    ),
    "migration": Run(
        "migrate-database",
        {
            "target_database": "SHOP_COPY",
            "stage": f"{SHOP}.ARRIVALS",
            "file_type": "CSV",
            "wave_schema": "SALES",
            "cut_over": "now",
        },
        (
            f"CREATE STAGE {SHOP}.ARRIVALS",
            "CREATE DATABASE SHOP_COPY",
            "CREATE SCHEMA SHOP_COPY.SALES",
            "CREATE TABLE SHOP_COPY.SALES.ORDERS (ID INT, NAME STRING)",
            "GRANT OWNERSHIP ON ALL TABLES IN SCHEMA SHOP_COPY.SALES TO ROLE SYSADMIN",
            "GRANT OWNERSHIP ON SCHEMA SHOP_COPY.SALES TO ROLE SYSADMIN",
            "GRANT OWNERSHIP ON DATABASE SHOP_COPY TO ROLE SYSADMIN",
        ),
        {f"{SHOP}.ARRIVALS/ORDERS/one.csv": "id,name\n1,Ann\n2,Ben\n"},
    ),
    "validation": Run(
        "validate-migrated-data",
        {"target_scope": "PROD.COPY", "source_scope": SHOP},
        (
            "CREATE SCHEMA PROD.COPY",
            f"CREATE TABLE PROD.COPY.ORDERS AS SELECT * FROM {SHOP}.ORDERS WHERE ORDER_ID <> 1",
        ),
    ),
    "quality": Run(
        "monitor-data-quality",
        {
            "target_scope": SHOP,
            "owner_role": "SYSADMIN",
            "check_schedule": "TRIGGER_ON_CHANGES",
            "alert_email": "ann@example.com",
        },
        (
            "GRANT EXECUTE DATA METRIC FUNCTION, EXECUTE ALERT, CREATE INTEGRATION"
            " ON ACCOUNT TO ROLE SYSADMIN",
            "GRANT DATABASE ROLE SNOWFLAKE.DATA_METRIC_USER TO ROLE SYSADMIN",
            "GRANT APPLICATION ROLE SNOWFLAKE.DATA_QUALITY_MONITORING_VIEWER TO ROLE SYSADMIN",
        ),
    ),
    "app": Run(
        "build-react-app",
        {"target_scope": f"{SHOP}.ORDERS", "app_role": "APP_OWNER"},
        (
            "CREATE ROLE APP_OWNER",
            "GRANT ROLE APP_OWNER TO ROLE SYSADMIN",
            "GRANT CREATE COMPUTE POOL, BIND SERVICE ENDPOINT ON ACCOUNT TO ROLE APP_OWNER",
            "GRANT USAGE, CREATE SCHEMA ON DATABASE PROD TO ROLE APP_OWNER",
        ),
    ),
    "page": Run(
        "build-streamlit-app",
        {"target_scope": f"{SHOP}.ORDERS"},
    ),
    "model": Run(
        "deploy-registered-model",
        {
            "model": "PROD.ANALYTICS.LATE",
            "model_version": "V2",
            "engineer_role": "SYSADMIN",
            "input_table": f"{SHOP}.ORDERS",
            "key_column": "ORDER_ID",
            "feature_columns": "QUANTITY,TOTAL_AMOUNT",
            "prediction_table": "PROD.ANALYTICS.LATE_PREDICTIONS",
            "reader_role": "ANALYST",
        },
        (
            "CREATE STAGE PROD.ANALYTICS.MODELS",
            "CREATE MODEL PROD.ANALYTICS.LATE WITH VERSION V1 FROM @PROD.ANALYTICS.MODELS/one",
            "ALTER MODEL PROD.ANALYTICS.LATE ADD VERSION V2 FROM @PROD.ANALYTICS.MODELS/two",
            "GRANT OWNERSHIP ON MODEL PROD.ANALYTICS.LATE TO ROLE SYSADMIN",
            "GRANT EXECUTE TASK ON ACCOUNT TO ROLE SYSADMIN",
        ),
    ),
    "clone": Run(
        "clone-environment",
        {"source": "PROD", "copy_name": '"Prod dev"', "developer_role": "ANALYST"},
        (
            "CREATE MASKING POLICY PROD.ANALYTICS.HIDE AS (V STRING) RETURNS STRING ->"
            " IFF(IS_ROLE_IN_SESSION('SYSADMIN'), V, '***')",
            f"ALTER TABLE {SHOP}.CUSTOMERS MODIFY COLUMN EMAIL"
            " SET MASKING POLICY PROD.ANALYTICS.HIDE",
        ),
    ),
    "merge": Run(
        "merge-changes-with-history",
        {
            "target_table": 'PROD.ANALYTICS."tariffs"',
            "changes": 'PROD.ANALYTICS."tariff news"',
            "key_columns": '"id"',
            "version_column": '"at"',
            "delete_flag": '"gone"',
            "history": "type-2",
        },
        (
            'CREATE TABLE PROD.ANALYTICS."tariffs" ("id" INT, "price" INT, VALID_FROM DATE,'
            " VALID_TO DATE, IS_CURRENT BOOLEAN)",
            "INSERT INTO PROD.ANALYTICS.\"tariffs\" VALUES (1, 10, '2026-01-01', NULL, TRUE)",
            'CREATE TABLE PROD.ANALYTICS."tariff news" ("id" INT, "price" INT, "at" DATE,'
            ' "gone" BOOLEAN)',
            "INSERT INTO PROD.ANALYTICS.\"tariff news\" VALUES (1, 12, '2026-02-01', FALSE),"
            " (1, 11, '2026-01-15', FALSE), (2, 20, '2026-02-01', FALSE)",
            'GRANT SELECT ON TABLE PROD.ANALYTICS."tariffs" TO ROLE ANALYST',
            "GRANT USAGE ON SCHEMA PROD.ANALYTICS TO ROLE ANALYST",
        ),
    ),
    "erasure": Run(
        "erase-a-person",
        {
            "scope": "PROD",
            "identifier_kind": "key",
            "key_column": "customer_id",
            "identifier": "7; 8",
            "treatment": '{"CUSTOMER_DATA.ORDERS": "anonymise"}',
        },
    ),
    "authentication": Run(
        "modernize-authentication",
        {
            "policy_schema": "PROD.LOGINS",
            "break_glass": "ADMIN",
            "public_keys": f'{{"robot": "MIIB{"A" * 388}"}}',
            "switch_services": "all-with-key",
        },
        (
            "CREATE USER \"robot\" TYPE = LEGACY_SERVICE PASSWORD = 'Long-enough-1!'",
            "CREATE USER KIM TYPE = PERSON PASSWORD = 'Long-enough-1!'",
        ),
    ),
    "recovery": Run(
        "recover-lost-data",
        {"target": 'PROD.ANALYTICS."lost notes"', "what_happened": "dropped"},
        (
            'CREATE TABLE PROD.ANALYTICS."lost notes" AS SELECT 1 AS "id", \'kept\' AS "body"',
            'GRANT SELECT ON TABLE PROD.ANALYTICS."lost notes" TO ROLE ANALYST',
            "GRANT USAGE ON SCHEMA PROD.ANALYTICS TO ROLE ANALYST",
            'DROP TABLE PROD.ANALYTICS."lost notes"',
        ),
    ),
    "cleanup": Run(
        "clean-up-unused",
        {"scope": "PROD", "to_park": "all", "to_drop": "all"},
        (
            'CREATE TABLE PROD.ANALYTICS."old notes_UNUSED_20260105" AS SELECT 1 AS "id"',
            'COMMENT ON TABLE PROD.ANALYTICS."old notes_UNUSED_20260105" IS'
            " 'Parked as unused on 2026-01-05. Former name: old notes. Former comment: '",
        ),
    ),
    "access": Run(
        "diagnose-missing-access",
        {"role": "CLERK", "want": "select", "object": 'PROD.ANALYTICS."some notes"'},
        (
            "CREATE ROLE CLERK",
            'CREATE TABLE PROD.ANALYTICS."some notes" AS SELECT 1 AS "id"',
            "GRANT ROLE CLERK TO ROLE SYSADMIN",
            "GRANT USAGE ON DATABASE PROD TO ROLE CLERK",
            "GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK",
        ),
    ),
    "evaluation": Run(
        "run-benchmark-evaluation",
        {"model": "m", "publish": "table", "publish_database": "PROD"},
        (
            "CREATE SCHEMA PROD.EVALUATION",
            "CREATE STAGE PROD.EVALUATION.EVALUATION_RUNS FILE_FORMAT = (TYPE = JSON)",
        ),
        {
            "PROD.EVALUATION.EVALUATION_RUNS/run-1/results.jsonl": '{"model_name_or_path": "m",'
            ' "instance_id": "a", "resolved": true, "scores": {"total": 0.6, "functional": 1}}\n'
        },
    ),
}
LEFT_OUT = {
    "enrichment": ["error:12"],
    "app": ["error:11"],
    "model": ["error:14"],
}
"""What the embedded account cannot do: tell what AI functions cost; run a
container, and open it by a service role; watch a model."""

LEFT_OUT_AGAIN: dict[str, list[str]] = {"enrichment": [], "model": []}
"""Where a second run finds nothing to do, and so leaves out less."""


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("seeded")
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


class Done:
    """One playbook that ran, and the account it ran on."""

    def __init__(self, name: str, home: Path, files: Path) -> None:
        self.name = name
        self.run = RUNS[name]
        self.app = App(home)
        self.app.invoke(["connect"])
        shadow_source(self.app.wiring.account).answer_ai(_answer)
        prepare(self.app, self.run, files)
        self.reply, self.skipped = drive(self.app, self.run, "first")

    def rows(self, sql: str, role: str = "ACCOUNTADMIN") -> list[dict[str, Any]]:
        return rows(self.app, sql, role)

    def one(self, sql: str, role: str = "ACCOUNTADMIN") -> Any:
        (row,) = self.rows(sql, role)
        return next(iter(row.values()))


def _answer(call: AiCall) -> Any:
    """Stand for a model: a text with 'good' in it is good."""
    text = str(call.arguments)
    match call.function:
        case "AI_SENTIMENT":
            mood = "positive" if "good" in text else "negative"
            return {"categories": [{"name": "overall", "sentiment": mood}]}
        case "AI_CLASSIFY":
            return {"labels": ["other"]}
        case "MODEL":
            return {"output_feature_0": 0.9 if call.arguments[4] > 100 else 0.1}
        case "AI_COUNT_TOKENS":
            return len(text.split())
        case _:
            return "one sentence"


@pytest.fixture(scope="module")
def done(
    request: pytest.FixtureRequest, seeded: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Done]:
    home = tmp_path_factory.mktemp(request.param) / "home"
    finished = Done(request.param, shutil.copytree(seeded, home), home.parent)
    yield finished
    finished.app.close()


def of(*names: str) -> pytest.MarkDecorator:
    """Give a test these runs; runs of one name stand together, so that each happens once."""
    return pytest.mark.parametrize("done", names, indirect=True)


@pytest.mark.exhaustive
@pytest.mark.slow
@of(*RUNS)
def test_it_reaches_its_end_and_a_second_run_makes_nothing_twice(done: Done) -> None:
    pause = done.reply.pause
    ended = (done.reply.document["status"], done.skipped, pause.present if pause else "")
    assert ended == ("completed", LEFT_OUT.get(done.name, []), "")
    before = inventory(done.app)
    reply, skipped = drive(done.app, done.run, "second")
    left_out = LEFT_OUT_AGAIN.get(done.name, LEFT_OUT.get(done.name, []))
    assert (reply.document["status"], skipped) == ("completed", left_out)
    assert inventory(done.app) == before


@of("audit")
def test_the_audit_names_who_can_read(done: Done) -> None:
    found = done.rows("SELECT DISTINCT ROLE_NAME FROM PROD.ANALYTICS.AUDIT_TABLE_GRANTS")
    assert "ANALYST" in {row["ROLE_NAME"] for row in found}


@of("costs")
def test_every_warehouse_comes_under_a_monitor_of_its_own_and_soon_sleeps(done: Done) -> None:
    found = done.rows("SHOW WAREHOUSES")
    assert {(row["name"], row["resource_monitor"], row["auto_suspend"]) for row in found} == {
        (row["name"], f"COST_CONTROL_{row['name']}", 60) for row in found
    }


@of("fitting")
def test_every_warehouse_has_the_settings_that_were_approved(done: Done) -> None:
    for warehouse in done.rows("SHOW WAREHOUSES"):
        asked = f"SHOW PARAMETERS LIKE 'STATEMENT%' IN WAREHOUSE {warehouse['name']}"
        held = [row["value"] for row in done.rows(asked)]
        assert (warehouse["auto_suspend"], held) == (60, ["1800", "14400"])


@of("tuning")
def test_the_table_has_the_key_that_was_tried_and_the_copy_is_gone(done: Done) -> None:
    found = done.rows("SHOW TABLES LIKE 'ORDERS' IN DATABASE PROD")
    assert [(row["schema_name"], row["cluster_by"]) for row in found] == [
        ("CUSTOMER_DATA", "LINEAR(CUSTOMER_ID)")
    ]


@of("roles")
def test_analysts_read_and_engineers_write_what_comes_later_too(done: Done) -> None:
    done.rows(f"CREATE TABLE {SHOP}.LATER (A INT)", "SYSADMIN")
    assert done.one(f"SELECT COUNT(*) FROM {SHOP}.ORDERS", "SHOP_ANALYST") == 2800
    with pytest.raises(Exception, match="Insufficient privileges"):
        done.rows(f"DELETE FROM {SHOP}.ORDERS", "SHOP_ANALYST")
    done.rows(f"UPDATE {SHOP}.ORDERS SET QUANTITY = 2 WHERE ORDER_ID = 1", "SHOP_ENGINEER")
    assert done.one(f"SELECT QUANTITY FROM {SHOP}.ORDERS WHERE ORDER_ID = 1") == 2


@of("protection")
def test_the_analyst_sees_no_address_and_the_authorised_reader_sees_all(done: Done) -> None:
    clear = f"SELECT COUNT_IF(EMAIL LIKE '%@%') FROM {SHOP}.CUSTOMERS"
    assert done.one(clear, "ANALYST") == 0
    assert done.one(clear, "PII_READER") > 1900


@of("semantic")
def test_the_metric_equals_its_table_for_its_reader(done: Done) -> None:
    asked = "SELECT REVENUE FROM SEMANTIC_VIEW(PROD.SEMANTIC.SALES METRICS ORDERS.REVENUE)"
    assert done.one(asked, "ANALYST") == done.one(f"SELECT SUM(TOTAL_AMOUNT) FROM {SHOP}.ORDERS")


_ORDER = (
    f"INSERT INTO {SHOP}.ORDERS SELECT * REPLACE (99999 AS ORDER_ID) FROM {SHOP}.ORDERS LIMIT 1"
)
_ARRIVED = "SELECT COUNT(*) FROM PROD.ANALYTICS.ORDERS_CLEAN WHERE ORDER_ID = 99999"


@of("pipeline")
def test_an_order_that_comes_later_reaches_the_clean_table(done: Done) -> None:
    done.rows(_ORDER)
    assert done.one(_ARRIVED) == 0
    done.rows("ALTER DYNAMIC TABLE PROD.ANALYTICS.ORDERS_CLEAN REFRESH")
    assert done.one(_ARRIVED) == 1


@of("tasks")
def test_an_order_that_comes_later_is_loaded_by_the_task(done: Done) -> None:
    done.rows(_ORDER)
    done.rows("EXECUTE TASK PROD.ANALYTICS.ORDERS_LOAD")
    assert done.one(_ARRIVED) == 1


@of("sharing")
def test_the_share_holds_a_secure_view_and_nothing_else(done: Done) -> None:
    held = done.rows("SHOW GRANTS TO SHARE SUPPLIER_SHARE")
    assert sorted((row["privilege"], row["granted_on"], row["name"]) for row in held) == [
        ("SELECT", "VIEW", "PROD.SHARED.ORDERS"),
        ("USAGE", "DATABASE", "PROD"),
        ("USAGE", "SCHEMA", "PROD.SHARED"),
    ]
    assert done.one("SELECT COUNT(*) FROM PROD.SHARED.ORDERS") == 2800


@of("enrichment")
def test_each_text_has_the_mood_that_the_model_gave(done: Done) -> None:
    found = done.rows("SELECT * FROM PROD.ANALYTICS.ENRICHED ORDER BY 1")
    assert [row["SENTIMENT"] for row in found] == ["positive", "negative"]


@of("loading")
def test_the_rows_of_the_files_are_there_once(done: Done) -> None:
    assert done.rows(f"SELECT * FROM {SHOP}.LOADED ORDER BY 1") == [
        {"ID": 1, "NAME": "Ann"},
        {"ID": 2, "NAME": "Ben"},
    ]


@of("migration")
def test_readers_read_the_loaded_tables_after_the_cut_over(done: Done) -> None:
    assert done.one("SELECT COUNT(*) FROM SHOP_COPY.SALES.ORDERS", "ANALYST") == 2


@of("validation")
def test_the_row_that_the_copy_lacks_is_reported(done: Done) -> None:
    found = done.rows("SELECT * FROM PROD.MIGRATION.VALIDATION_RESULTS WHERE TABLE_NAME = 'ORDERS'")
    assert {row["LEVEL"] for row in found if not row["AGREES"]} >= {"count", "fingerprint", "row"}


@of("quality")
def test_a_second_row_of_one_key_violates_what_is_expected_and_fires_the_alert(done: Done) -> None:
    judged = (
        "SELECT EXPECTATION_NAME, VALUE, EXPECTATION_VIOLATED "
        "FROM SNOWFLAKE.LOCAL.DATA_QUALITY_MONITORING_EXPECTATION_STATUS "
        "WHERE TABLE_NAME = 'CUSTOMERS' ORDER BY MEASUREMENT_TIME DESC, 1 LIMIT 2"
    )
    done.rows(f"INSERT INTO {SHOP}.CUSTOMERS SELECT * FROM {SHOP}.CUSTOMERS LIMIT 1")
    found = {row["EXPECTATION_NAME"]: row["EXPECTATION_VIOLATED"] for row in done.rows(judged)}
    assert found == {"NONE_MISSING": False, "NONE_DUPLICATE": True}
    done.rows("EXECUTE ALERT PROD.GOVERNANCE.DATA_QUALITY_VIOLATIONS", "SYSADMIN")
    (run,) = done.rows("SELECT * FROM TABLE(PROD.INFORMATION_SCHEMA.ALERT_HISTORY())")
    assert "SYSTEM$SEND_EMAIL" in run["SQL_ERROR_MESSAGE"]  # it fired; nobody sends mail here


@of("app")
def test_the_app_reads_what_it_shows_and_nothing_else(done: Done) -> None:
    assert done.one(f"SELECT COUNT(*) FROM {SHOP}.ORDERS", "APP_OWNER") == 2800
    with pytest.raises(Exception, match="does not exist or not authorized"):
        done.rows(f"SELECT * FROM {SHOP}.CUSTOMERS", "APP_OWNER")
    with pytest.raises(Exception, match="does not exist or not authorized"):
        done.rows("ALTER SERVICE PROD.APPS.DATA_APP SUSPEND", "ANALYST")
    (service,) = done.rows("DESCRIBE SERVICE PROD.APPS.DATA_APP", "APP_OWNER")
    assert "image: /prod/apps/images/data_app:1\n" in service["spec"]


@of("erasure")
def test_the_two_customers_are_gone_and_their_orders_are_nobodys(done: Done) -> None:
    gone = "WHERE CUSTOMER_ID IN (7, 8)"
    assert done.one(f"SELECT COUNT(*) FROM {SHOP}.CUSTOMERS {gone}") == 0
    assert done.one(f"SELECT COUNT(*) FROM {SHOP}.ORDERS {gone}") == 0
    assert done.one(f"SELECT COUNT(*) FROM {SHOP}.ORDERS") == 2800


@of("authentication")
def test_the_robot_comes_by_key_and_kim_has_to_enrol(done: Done) -> None:
    types = {row["name"]: row["type"] for row in done.rows("SHOW USERS")}
    assert (types["robot"], types["KIM"]) == ("SERVICE", "PERSON")
    held = (
        "SELECT REF_ENTITY_NAME, POLICY_NAME FROM TABLE(PROD.INFORMATION_SCHEMA."
        "POLICY_REFERENCES(POLICY_NAME => 'PROD.LOGINS.{}'))"
    )
    assert done.one(held.format("SERVICE_LOGINS")) == "robot"
    assert done.one(held.format("PEOPLE_WITH_MFA")) == "KIM"


@of("clone")
def test_the_developers_read_the_copy_masked_and_cannot_change_it(done: Done) -> None:
    place = '"Prod dev".CUSTOMER_DATA.CUSTOMERS'
    assert done.one(f"SELECT COUNT_IF(EMAIL <> '***') FROM {place}", "ANALYST") == 0
    assert done.one(f"SELECT COUNT_IF(EMAIL <> '***') FROM {place}", "SYSADMIN") > 1900
    with pytest.raises(Exception, match="Insufficient privileges"):
        done.rows(f"DELETE FROM {place}", "ANALYST")


@of("cleanup")
def test_what_was_parked_and_not_missed_is_dropped_and_nothing_else(done: Done) -> None:
    found = done.rows("SHOW TABLES IN SCHEMA PROD.ANALYTICS")
    assert "old notes_UNUSED_20260105" not in {row["name"] for row in found}
    assert done.one(f"SELECT COUNT(*) FROM {SHOP}.ORDERS") == 2800


@of("access")
def test_the_role_reads_the_table_and_may_do_nothing_else_with_it(done: Done) -> None:
    assert done.one('SELECT COUNT(*) FROM PROD.ANALYTICS."some notes"', "CLERK") == 1
    with pytest.raises(Exception, match="Insufficient privileges"):
        done.rows('DELETE FROM PROD.ANALYTICS."some notes"', "CLERK")
    with pytest.raises(Exception, match="does not exist or not authorized"):
        done.rows(f"SELECT * FROM {SHOP}.ORDERS", "CLERK")


@of("merge")
def test_its_reader_sees_each_version_and_which_one_is_current(done: Done) -> None:
    found = done.rows('SELECT * FROM PROD.ANALYTICS."tariffs" ORDER BY 1, 2', "ANALYST")
    assert [tuple(str(value) for value in row.values()) for row in found] == [
        ("1", "10", "2026-01-01", "2026-02-01", "False"),
        ("1", "12", "2026-02-01", "None", "True"),
        ("2", "20", "2026-02-01", "None", "True"),
    ]


@of("recovery")
def test_the_dropped_table_is_back_with_its_rows_and_its_reader(done: Done) -> None:
    assert done.rows('SELECT "id", "body" FROM PROD.ANALYTICS."lost notes"', "ANALYST") == [
        {"id": 1, "body": "kept"}
    ]


@of("model")
def test_an_order_that_comes_later_is_scored_by_the_version_that_went_live(done: Done) -> None:
    scored = "SELECT MAX(PREDICTION) FROM PROD.ANALYTICS.LATE_PREDICTIONS WHERE ORDER_ID = 99999"
    done.rows(_ORDER)
    assert done.one(scored, "ANALYST") is None
    done.rows("EXECUTE TASK PROD.ANALYTICS.LATE_PREDICTIONS_V2_SCORE", "SYSADMIN")
    assert float(done.one(scored, "ANALYST")) in (0.1, 0.9)
    (model,) = done.rows("SHOW MODELS LIKE 'LATE' IN SCHEMA PROD.ANALYTICS")
    assert model["default_version_name"] == "V2"
    called = "SELECT MODEL(PROD.ANALYTICS.LATE)!PREDICT(1, 500)['output_feature_0']::FLOAT"
    assert done.one(called, "ANALYST") == 0.9
