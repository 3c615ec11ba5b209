"""dbt-snowflake on a project of every kind of model: built twice, tested, snapshot, documented."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import snowflake.connector
from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, report
from dbt.cli.main import dbtRunner

PROJECT = Path(__file__).parent.parent / "dbt_project"
FOLDER = Path(tempfile.mkdtemp())
PROFILE = f"""
bakery:
  target: dev
  outputs:
    dev:
      type: snowflake
      account: {ACCOUNT}
      host: {HOST}
      port: {PORT}
      protocol: http
      user: {USER}
      password: "{{{{ env_var('DBT_ENV_SECRET_PASSWORD') }}}}"
      role: {ROLE}
      warehouse: {WAREHOUSE}
      database: BAKERY
      schema: SCHEMA
      threads: 4
"""
QUOTED = "\nquoting:\n  schema: true\n  identifier: true\n"
os.environ |= {"DBT_ENV_SECRET_PASSWORD": PASSWORD, "DO_NOT_TRACK": "1"}


def project(name, schema, more=""):
    """Copy the project into a folder of its own, whose names are written as `more` says."""
    folder = FOLDER / name
    shutil.copytree(PROJECT, folder)
    (folder / "profiles.yml").write_text(PROFILE.replace("SCHEMA", schema))
    with (folder / "dbt_project.yml").open("a") as file:
        file.write(more)
    if more:
        models = folder / "models/schema.yml"
        said = '    schema: "{{ target.schema }}"\n'
        models.write_text(
            models.read_text().replace(
                said, said + "    quoting: {schema: true, identifier: true}\n"
            )
        )
    return folder


def dbt(*words, folder, fails=()):
    """Run a command; every node must come out well but those named, which must not."""
    settings = ("--project-dir", str(folder), "--profiles-dir", str(folder))
    done = dbtRunner().invoke([*words, *settings, "--quiet"])
    results = getattr(done.result, "results", None) or []
    bad = {
        r.node.name: str(r.message)
        for r in results
        if str(r.status) in ("error", "fail", "skipped", "runtime error")
    }
    assert set(bad) == set(fails), (bad, done.exception)
    assert done.success is not bool(fails), done.exception
    return [r.node.name for r in results]


def asked(sql):
    with snowflake.connector.connect(
        account=ACCOUNT,
        user=USER,
        password=PASSWORD,
        host=HOST,
        port=PORT,
        protocol="http",
        warehouse=WAREHOUSE,
    ) as connection:
        return connection.cursor().execute(sql).fetchall()


plain = project("plain", "DEV")


@check
def a_profile_connects():
    asked("create or replace database bakery")
    assert dbtRunner().invoke(["debug", "--project-dir", str(plain), "--profiles-dir", str(plain)])


@check
def seeds_are_loaded():
    assert len([n for n in dbt("seed", folder=plain) if n.startswith("raw_")]) == 3
    assert asked("select last_name, is_regular from bakery.dev.raw_customers order by id") == [
        ("Lee", True),
        ("O'Neil", False),
        ("Ångström", True),
        ("Smith, jr.", None),
    ]


@check
def models_run_twice():
    dbt("build", "--select", "cents", folder=plain)
    dbt("run", folder=plain)
    dbt("run", folder=plain)
    assert asked("select order_id, status from bakery.dev.orders order by 1") == [
        (1, "returned"),
        (2, "completed"),
        (3, "completed"),
        (4, "placed"),
        (5, "shipped"),
    ]
    assert asked("select count(*), count(distinct load_id) from bakery.dev.loads") == [(2, 2)]
    assert asked("select sum(orders), count(*) from bakery.dev.orders_by_day") == [(5, 5)]
    assert asked("select last_name from bakery.dev.partners order by 1") == [
        ("Lee",),
        ("Ångström",),
    ]
    assert asked("select status, orders from bakery.dev.recent order by 1") == [
        ("completed", 2),
        ("placed", 1),
        ("returned", 1),
        ("shipped", 1),
    ]
    assert asked('select "Week no"::varchar, "orders" from bakery.dev.weeks order by 1') == [
        ("2025-12-29", 3),
        ("2026-01-05", 2),
    ]
    assert asked("select sum(amount_in_cents) from bakery.dev.priced") == [(4254,)]
    assert asked("select count from bakery.dev.py where status = 'completed'") == [(2,)]


@check
def what_a_model_says_of_itself_is_in_the_account():
    (held,) = asked("show tables like 'CHECKED' in schema bakery.dev")
    assert "checked" in held
    grants = [(r[1], r[5]) for r in asked("show grants on table bakery.dev.checked")]
    assert ("SELECT", "ANALYST") in grants
    comments = {r[0]: r[9] for r in asked("describe view bakery.dev.stg_orders")}
    assert comments["ORDER_ID"] == "A number that's never used twice"
    (view,) = asked(
        "select is_secure from bakery.information_schema.views where table_name = 'SAFE'"
    )
    assert view == ("YES",)


@check
def tests_pass_and_a_wrong_row_fails_one():
    assert len(dbt("test", folder=plain)) >= 11
    asked("update bakery.dev.raw_orders set status = 'eaten' where id = 1")
    wrong = "accepted_values_stg_orders_status__placed__shipped__completed__returned"
    dbt("test", "--select", "stg_orders", folder=plain, fails=[wrong])
    asked("update bakery.dev.raw_orders set status = 'returned' where id = 1")


@check
def snapshots_tell_what_changed_and_what_is_gone():
    dbt("snapshot", folder=plain)
    asked("update bakery.dev.raw_orders set status = 'shipped' where id = 4")
    asked("delete from bakery.dev.raw_orders where id = 5")
    asked("delete from bakery.dev.orders where order_id = 5")
    dbt("snapshot", folder=plain)
    assert asked(
        "select order_id, status, dbt_valid_to is null from bakery.dev_snapshots.orders_checked"
        " where order_id > 3 order by 1, dbt_valid_from"
    ) == [(4, "placed", False), (4, "shipped", True), (5, "shipped", False)]
    assert asked(
        "select order_id, dbt_is_deleted from bakery.dev.orders_timed"
        " where dbt_valid_to is null and order_id > 3 order by 1"
    ) == [(4, "False"), (5, "True")]


@check
def a_changed_lag_alters_the_dynamic_table():
    dbt("run", "--select", "recent", "--vars", "{lag: 2 hours}", folder=plain)
    (row,) = asked("show dynamic tables in schema bakery.dev")
    assert "2 hours" in row


@check
def documentation_lists_every_column():
    dbt("docs", "generate", folder=plain)
    catalog = json.loads((plain / "target/catalog.json").read_text())
    columns = catalog["nodes"]["model.bakery.customers"]["columns"]
    assert list(columns)[:3] == ["CUSTOMER_ID", "FULL_NAME", "FIRST_ORDER"]
    assert columns["LIFETIME_VALUE"]["type"] == "NUMBER"
    assert columns["card amount"]["comment"] == "paid by card"
    assert len(catalog["nodes"]) >= 18


@check
def a_source_is_fresh():
    dbt("source", "freshness", folder=plain)


@check
def tables_are_made_anew():
    dbt("run", "--full-refresh", "--select", "loads", "weeks", "customers", folder=plain)
    assert asked("select count(*) from bakery.dev.loads") == [(1,)]


@check
def names_that_need_quotes_work_twice():
    folder = project("quoted", "Quoted dev", QUOTED)
    # dbt writes the name of a function without the quotes that its schema needs.
    shutil.rmtree(folder / "functions")
    (folder / "models/marts/priced.sql").unlink()
    dbt("build", folder=folder)
    dbt("build", "--select", "orders", "weeks", "orders_by_day", folder=folder)
    assert asked('select sum("ORDERS") from bakery."Quoted dev"."orders_by_day"') == [(5,)]


if __name__ == "__main__":
    report()
