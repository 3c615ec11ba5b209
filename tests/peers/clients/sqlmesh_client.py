"""SQLMesh: a project whose state and models both live in the account; plan, run, audit, change."""

import tempfile
from pathlib import Path

import snowflake.connector
from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, report
from sqlmesh import Context
from sqlmesh.core.config import Config, GatewayConfig, ModelDefaultsConfig
from sqlmesh.core.config.connection import DuckDBConnectionConfig, SnowflakeConnectionConfig

FOLDER = Path(tempfile.mkdtemp())
FILES = {
    "seeds/visits.csv": "id,who,day\n1,Ann,2026-01-01\n2,O'Neil,2026-01-02\n3,Ann,2026-01-02\n",
    "models/raw.sql": """
MODEL (name mesh.raw, kind SEED (path '../seeds/visits.csv'),
  columns (id INT, who TEXT, day DATE), grain id);
""",
    "models/daily.sql": """
MODEL (name mesh.daily, kind INCREMENTAL_BY_TIME_RANGE (time_column day), start '2026-01-01',
  cron '@daily', audits (not_null(columns := (day))));
SELECT day, COUNT(*) AS visits FROM mesh.raw WHERE day BETWEEN @start_date AND @end_date
GROUP BY day
""",
    "models/who.sql": """
MODEL (name mesh.who, kind FULL, audits (unique_values(columns := (who))));
SELECT who, MIN(id)::INT AS first_id FROM mesh.raw GROUP BY who
""",
    "models/seen.sql": """
MODEL (name mesh.seen, kind VIEW);
SELECT who FROM mesh.who
""",
    "models/latest.sql": """
MODEL (name mesh.latest, kind INCREMENTAL_BY_UNIQUE_KEY (unique_key who));
SELECT who, MAX(day) AS day FROM mesh.raw GROUP BY who
""",
    "models/kept.sql": """
MODEL (name mesh.kept, kind SCD_TYPE_2_BY_COLUMN (unique_key who, columns [day]));
SELECT who, MAX(day) AS day FROM mesh.raw GROUP BY who
""",
}


class PlainHttp(SnowflakeConnectionConfig):
    """Snowflake's connection with the one parameter that SQLMesh has no field for."""

    @property
    def _static_connection_kwargs(self):
        return {**super()._static_connection_kwargs, "protocol": "http"}


def context():
    connection = PlainHttp(
        account=ACCOUNT,
        user=USER,
        password=PASSWORD,
        host=HOST,
        port=PORT,
        role=ROLE,
        warehouse=WAREHOUSE,
        database="MESH_DB",
    )
    state = DuckDBConnectionConfig(database=str(FOLDER / "state.db"))
    gateway = GatewayConfig(connection=connection, state_connection=state)
    config = Config(
        gateways={"embedded": gateway}, model_defaults=ModelDefaultsConfig(dialect="snowflake")
    )
    return Context(paths=[str(FOLDER)], config=config)


def asked(sql):
    with snowflake.connector.connect(connection_name="embedded") as connection:
        return connection.cursor().execute(sql).fetchall()


@check
def a_plan_makes_every_kind_of_model():
    asked("create or replace database mesh_db")
    for name, text in FILES.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text)
    context().plan(auto_apply=True, no_prompts=True)
    assert asked("select who, first_id from mesh_db.mesh.who order by 2") == [
        ("Ann", 1),
        ("O'Neil", 2),
    ]
    assert asked("select visits from mesh_db.mesh.daily order by day") == [(1,), (2,)]
    assert asked("select count(*) from mesh_db.mesh.seen") == [(2,)]
    assert asked("select count(*), count(valid_to) from mesh_db.mesh.kept") == [(2, 0)]


@check
def a_second_plan_changes_nothing():
    made = context().plan(auto_apply=True, no_prompts=True)
    assert not made.has_changes


@check
def a_changed_model_goes_to_an_environment_of_its_own():
    (FOLDER / "models/who.sql").write_text(FILES["models/who.sql"].replace("MIN(id)", "MAX(id)"))
    context().plan("dev", auto_apply=True, no_prompts=True)
    assert asked("select first_id from mesh_db.mesh__dev.who order by 1") == [(2,), (3,)]
    assert asked("select first_id from mesh_db.mesh.who order by 1") == [(1,), (2,)]
    context().plan(auto_apply=True, no_prompts=True)
    assert asked("select first_id from mesh_db.mesh.who order by 1") == [(2,), (3,)]


@check
def frames_and_audits_come_back():
    assert context().fetchdf("select count(*) as n from mesh_db.mesh.raw").iloc[0, 0] == 3
    assert context().evaluate("mesh.daily", "2026-01-01", "2026-01-02", "2026-01-03").shape == (
        2,
        2,
    )
    assert context().audit("2026-01-01", "2026-01-03")


if __name__ == "__main__":
    report()
