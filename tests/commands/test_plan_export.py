"""An exported plan is what the real run would do, and can be run without us."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from skills_nb.commands import App
from skills_nb.commands.home import embedded_accounts
from skills_nb.embedded.catalog.difference import difference_of
from skills_nb.ports import CatalogDifference
from skills_nb.sql.statements import split
from tests.commands.flow import begin


@pytest.fixture(scope="module")
def exported(seeded, tmp_path_factory):
    """An exported plan that is only looked at."""
    app = App(shutil.copytree(seeded, tmp_path_factory.mktemp("exported") / "home"))
    yield export(app)
    app.close()


def export(app):
    begin(app, "--dry-run", "--sample", "--input", "row_filter_column=COUNTRY")
    return app.invoke(["respond", "export_plan", "--at", "dry_run", "--thread", "job"])


def catalog(app):
    return embedded_accounts.shadow_source(app.wiring.account).catalog


def run(app, file):
    for statement in split(file.read_text()):
        app.wiring.snowpark.sql(statement.text).collect()


def summary(app):
    events = app.invoke(["show", "job"]).document["events"]
    return next(event for event in events if event["type"] == "dry_run_summary")


def objects(impact):
    return {one["fqn"]: one.get("changes") for one in impact.get("objects", [])}


@pytest.mark.slow
def test_the_scripts_run_as_they_are_and_do_what_was_planned(app):
    exported = export(app)
    before = catalog(app).copy()
    folder = Path(exported.document["folder"])
    *steps, back = exported.document["scripts"]
    for name in steps:
        run(app, folder / name)
    did, said = difference_of(before, catalog(app)), summary(app)
    assert {one["fqn"]: None for one in did.created} == objects(said["would_create"])
    assert {one["fqn"]: one["changes"] for one in did.modified} == objects(said["would_modify"])
    assert back == "compensation.sql"
    run(app, folder / back)
    assert difference_of(before, catalog(app)) == CatalogDifference()


def test_every_script_says_its_step_and_its_place(exported):
    folder = Path(exported.document["folder"])
    for name in exported.document["scripts"]:
        text = (folder / name).read_text()
        assert text.startswith("-- ")
        assert "USE WAREHOUSE COMPUTE_WH;" in text


def test_the_notebook_holds_the_same_statements_in_cells_that_are_python(exported):
    folder = Path(exported.document["folder"])
    told = json.loads((folder / exported.document["notebook"]).read_text())
    cells = ["".join(c["source"]) for c in told["cells"] if c["cell_type"] == "code"]
    for cell in cells:
        compile(cell, "cell", "exec")
    assert exported.next_cell == "\n\n".join(cells[:-1])
    assert len(cells) == len(exported.document["scripts"]) + 1


# ---- as whom, and with what looked at before it goes


def planned(app, *steps):
    """Export a dry run of a plan with these steps."""
    told = [{"action": "x", "primitive": "tables", "sql": sql} for sql in steps]
    cell = yaml.safe_dump({"goal": "Try it", "steps": told})
    reply = app.invoke(["plan", "--thread", "p", "--dry-run"], cell=cell)
    while reply.pause.kind != "dry_run_summary":
        phrase = ["--phrase", reply.pause.phrase] if reply.pause.phrase else []
        reply = app.invoke(["respond", "approve", "--thread", "p", *phrase])
    reply = app.invoke(["respond", "export_plan", "--thread", "p"])
    folder = Path(reply.document["folder"])
    return {name: (folder / name).read_text() for name in reply.document["scripts"]}, folder


@pytest.mark.slow
def test_a_script_carries_the_role_and_place_that_an_earlier_step_went_to(app):
    scripts, _ = planned(
        app,
        "USE ROLE SYSADMIN; USE SECONDARY ROLES NONE; CREATE DATABASE LAB",
        'CREATE TABLE "my t" (A INT)',
    )
    assert scripts["step-02.sql"] == (
        "-- Step 2: x; then pauses for a review checkpoint\n\n"
        "USE ROLE SYSADMIN;\n\n"
        "USE SECONDARY ROLES NONE;\n\n"
        "USE WAREHOUSE COMPUTE_WH;\n\n"
        "USE SCHEMA LAB.PUBLIC;\n\n"
        'CREATE TABLE LAB.PUBLIC."my t" (A INT);\n'
    )
    back = scripts["compensation.sql"]
    assert "USE ROLE SYSADMIN;\n\nUSE SECONDARY ROLES NONE;" in back
    assert (
        "-- Look first: is this what the plan made, and nobody else uses it?\n"
        "SHOW TABLES LIKE 'my t' IN SCHEMA LAB.PUBLIC;\n\n"
        "EXECUTE IMMEDIATE $$\nDECLARE"
    ) in back
    assert '  DROP TABLE IF EXISTS LAB.PUBLIC."my t" RESTRICT;\n' in back
    assert "\nDROP TABLE" not in back


@pytest.mark.slow
def test_what_others_put_into_a_schema_or_database_is_not_dropped_with_it(app):
    _, folder = planned(app, 'CREATE SCHEMA PROD."my s"', "CREATE DATABASE LAB")
    session = app.wiring.snowpark
    for one in ("step-01.sql", "step-02.sql"):
        run(app, folder / one)
    session.sql('CREATE TAG PROD."my s".THEIRS').collect()
    session.sql("CREATE SCHEMA LAB.THEIRS").collect()
    drops = [one.text for one in split((folder / "compensation.sql").read_text())]
    blocks = [text for text in drops if "DROP" in text]
    assert len(blocks) == 2
    for block in blocks:
        with pytest.raises(Exception, match="holds what this plan did not make"):
            session.sql(block).collect()
    session.sql('DROP TAG PROD."my s".THEIRS').collect()
    session.sql("DROP SCHEMA LAB.THEIRS").collect()
    for block in blocks:
        session.sql(block).collect()
    assert session.sql("SHOW DATABASES LIKE 'LAB'").collect() == []
    assert session.sql("SHOW SCHEMAS LIKE 'my s' IN DATABASE PROD").collect() == []


_MADE = 'PROD."my s"'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "theirs"),
    [
        (f'CREATE TABLE {_MADE}."t t" (A INT)', f'INSERT INTO {_MADE}."t t" VALUES (1)'),
        (
            f'CREATE TABLE {_MADE}."t t" (A INT)',
            f'CREATE VIEW {_MADE}.V AS SELECT * FROM {_MADE}."t t"',
        ),
        (
            f'CREATE TABLE {_MADE}."t t" (A INT)',
            f'GRANT SELECT ON TABLE {_MADE}."t t" TO ROLE PUBLIC',
        ),
        (
            f'CREATE TABLE {_MADE}."t t" (A INT)',
            f'GRANT OWNERSHIP ON TABLE {_MADE}."t t" TO ROLE SYSADMIN',
        ),
        (
            f"CREATE VIEW {_MADE}.V AS SELECT 1 AS A",
            f"GRANT SELECT ON VIEW {_MADE}.V TO ROLE PUBLIC",
        ),
        (f"CREATE STAGE {_MADE}.S", f"COPY INTO @{_MADE}.S/x FROM (SELECT 1 AS A)"),
        ('CREATE ROLE "a role"', 'GRANT ROLE "a role" TO ROLE SYSADMIN'),
        ('CREATE ROLE "a role"', 'GRANT USAGE ON DATABASE PROD TO ROLE "a role"'),
        ('CREATE USER "a user"', 'GRANT ROLE SYSADMIN TO USER "a user"'),
    ],
)
def test_what_others_did_to_what_the_plan_makes_keeps_the_script_from_dropping_it(
    app, made, theirs
):
    session = app.wiring.snowpark
    session.sql(f"CREATE SCHEMA {_MADE}").collect()
    _, folder = planned(app, made)
    before = catalog(app).copy()
    run(app, folder / "step-01.sql")
    run(app, folder / "compensation.sql")
    assert difference_of(before, catalog(app)) == CatalogDifference()
    run(app, folder / "step-01.sql")
    session.sql(theirs).collect()
    stands = catalog(app).copy()
    with pytest.raises(Exception, match="that it may not lose"):
        run(app, folder / "compensation.sql")
    assert difference_of(stands, catalog(app)) == CatalogDifference()


@pytest.mark.slow
def test_the_notebook_shows_what_is_to_be_looked_at_first(app):
    _, folder = planned(app, "CREATE TABLE PROD.CUSTOMER_DATA.MADE (A INT)")
    told = json.loads((folder / "plan.ipynb").read_text())
    back = "".join(told["cells"][-1]["source"])
    assert (
        "# # Look first: is this what the plan made, and nobody else uses it?\n"
        "# session.sql(\"SHOW TABLES LIKE 'MADE' IN SCHEMA PROD.CUSTOMER_DATA\").show()\n"
    ).replace("# # ", "# ") in back
