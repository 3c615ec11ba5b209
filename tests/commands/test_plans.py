"""An exported plan is what the real run would do, and can be run without us."""

import json
from pathlib import Path

import pytest

from skills_nb.commands import accounts
from skills_nb.embedded.difference import difference_of
from skills_nb.ports import CatalogDifference
from skills_nb.sql.statements import split
from tests.commands.flow import begin


@pytest.fixture
def exported(app):
    begin(app, "--dry-run", "--sample", "--input", "row_filter_column=COUNTRY")
    return app.invoke(["respond", "export_plan", "--at", "dry_run", "--thread", "job"])


def catalog(app):
    return accounts.shadow_source(app.wiring.account).catalog


def run(app, file):
    for statement in split(file.read_text()):
        app.wiring.snowpark.sql(statement.text).collect()


def summary(app):
    events = app.invoke(["show", "job"]).document["events"]
    return next(event for event in events if event["type"] == "dry_run_summary")


def objects(impact):
    return {one["fqn"]: one.get("changes") for one in impact.get("objects", [])}


def test_the_scripts_run_as_they_are_and_do_what_was_planned(app, exported):
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
