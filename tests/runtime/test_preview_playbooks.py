"""A dry run of each shipped playbook changes nothing, and says what the real run then does."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from skills_nb.commands import App
from skills_nb.commands.home import embedded_accounts
from skills_nb.commands.wiring import shipped_library
from skills_nb.embedded.catalog.difference import difference_of
from skills_nb.embedded.physical import duck_sql
from tests.runtime.playbook_cases import CASES

_MOST_PAUSES = 60
LEAST_PRECISION = 0.9
"""So much of what is predicted from names and types comes true on the demo data."""
KINDS = {"would_create": "created", "would_modify": "modified", "would_drop": "dropped"}


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    """A home folder with a fresh demo account."""
    home = tmp_path_factory.mktemp("seeded")
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


class Runs:
    """One playbook on a demo account of its own, first rehearsed, then done."""

    def __init__(self, case, seeded, folder):
        self.case, self.home = case, shutil.copytree(seeded, folder / "home")
        self.app = App(self.home)
        self.app.invoke(["connect"])
        for sql in case.setup:
            self.app.wiring.snowpark.sql(sql).collect()
        for place, text in case.files.items():
            self.put(Path(place), text)
        self.account = embedded_accounts.shadow_source(self.app.wiring.account)

    def put(self, place, text):
        file = self.home / place.name
        file.write_text(text)
        files = self.app.wiring.snowpark.file
        files.put(str(file), f"@{place.parent}", auto_compress=False)

    def rehearse(self, *more):
        inputs = [word for k, v in self.case.inputs.items() for word in ("--input", f"{k}={v}")]
        words = ["run", f"playbooks/{self.case.playbook}", "--thread", "job", "--dry-run"]
        return self.app.invoke([*words, *inputs, *more])

    def do(self, reply):
        """Take every proposal, up to the end or to an error that nobody can mend here."""
        for _ in range(_MOST_PAUSES):
            pause = reply.pause
            if pause is None:
                return reply
            if pause.kind == "error_escalated" and not pause.option("skip"):
                return reply
            wanted = "skip" if pause.kind == "error_escalated" else "approve"
            proposal = wanted if pause.option(wanted) else pause.options[0].id
            phrase = ["--phrase", pause.phrase] if pause.phrase else []
            reply = self.app.invoke(
                ["respond", proposal, "--at", pause.at, "--thread", "job", *phrase]
            )
        raise AssertionError("it did not end")

    def events(self, kind):
        found = self.app.invoke(["show", "job"]).document["events"]
        return [event for event in found if event["type"] == kind]

    def fingerprint(self):
        """Tell the account apart from any other: its catalog and its rows."""
        made = hashlib.sha256(repr(self.account.fingerprint()).encode())
        store = self.account.store.connection
        asked = duck_sql.of(
            "SELECT schema_name, table_name FROM duckdb_tables() "
            "WHERE schema_name LIKE '%.%' ORDER BY ALL"
        )
        for place in store.execute(asked).fetchall():
            rows = store.execute(duck_sql.of("FROM {place}", place=duck_sql.place(place)))
            made.update(repr(rows.fetchall()).encode())
        return made.hexdigest()


def test_every_shipped_playbook_has_a_case():
    shipped = {path.name for path in (shipped_library() / "playbooks").iterdir()}
    assert {case.playbook for case in CASES.values()} == shipped


ROWS = {"rows", "rows_are", "of", "how"}


def of_catalog(impact):
    """Leave out what is said of rows, which no catalog knows; `tests/harm` compares those."""
    listed = [
        {name: value for name, value in one.items() if name not in ROWS}
        for one in impact.get("objects", [])
        if not (ROWS & one.keys() and one.get("changes") == {})
    ]
    return {**impact, "objects": listed} if listed else {}


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_dry_run_changes_nothing_and_says_what_the_real_run_does(name, seeded, tmp_path):
    runs = Runs(CASES[name], seeded, tmp_path)
    try:
        before = runs.fingerprint()
        reply = runs.rehearse()
        assert reply.pause.kind == "dry_run_summary"
        assert runs.fingerprint() == before
        catalog = runs.account.catalog.copy()
        reply = runs.app.invoke(["respond", "execute", "--at", reply.pause.at, "--thread", "job"])
        last = runs.do(reply)
        (summary,) = runs.events("dry_run_summary")
        if last.pause is not None:
            assert f"{last.pause.step}" in refused_steps(runs), "an error that was not foretold"
        did = difference_of(catalog, runs.account.catalog)
        for said, done in KINDS.items():
            summary[said] = of_catalog(summary[said])
            wrong = certain(summary[said], getattr(did, done))
            # A run that an error ends has done no more than was said, and leaves the rest undone.
            assert [o for o in wrong if last.pause is None or key_of(o) in keys_of(did, done)] == []
            if last.pause is None:
                assert precision(summary[said], getattr(did, done)) >= LEAST_PRECISION
    finally:
        runs.app.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["secure", "secure-rows"])
def test_with_a_sample_what_depends_on_data_is_foretold_exactly(name, seeded, tmp_path):
    runs = Runs(CASES[name], seeded, tmp_path)
    try:
        reply = runs.rehearse("--sample")
        catalog = runs.account.catalog.copy()
        reply = runs.app.invoke(["respond", "execute", "--at", reply.pause.at, "--thread", "job"])
        assert runs.do(reply).pause is None
        (summary,) = runs.events("dry_run_summary")
        did = difference_of(catalog, runs.account.catalog)
        for said, done in KINDS.items():
            told = {
                key_of(one): unmarked(one) for one in of_catalog(summary[said]).get("objects", [])
            }
            assert told == {key_of(one): dict(one) for one in getattr(did, done)}
    finally:
        runs.app.close()


def unmarked(one):
    return {name: value for name, value in one.items() if name != "predicted"}


def precision(said, done):
    """Return how much of what was predicted came true, to the letter."""
    found = {key_of(one): dict(one) for one in done}
    guessed = [one for one in said.get("objects", []) if one.get("predicted")]
    right = sum(found.get(key_of(one)) == unmarked(one) for one in guessed)
    return right / len(guessed) if guessed else 1.0


def certain(said, done):
    """Return where the two differ, apart from what was said to be predicted."""
    listed = [one for one in said.get("objects", []) if "beyond" not in one]
    guessed = {(o["type"], o["fqn"]) for o in listed if o.get("predicted")}
    told = {key_of(o): o for o in listed if not o.get("predicted")}
    found = {key_of(o): dict(o) for o in done if key_of(o) not in guessed}
    is_predicting = bool(guessed)
    unsaid = [] if is_predicting else [o for key, o in found.items() if key not in told]
    return unsaid + [o for key, o in told.items() if found.get(key) != o]


def refused_steps(runs):
    marks = ("WOULD FAIL", "not rehearsed")
    planned = runs.events("step_planned")
    return {e["step"] for e in planned if any(mark in e["action"] for mark in marks)}


def keys_of(difference, kind):
    return {key_of(one) for one in getattr(difference, kind)}


def key_of(one):
    return (one["type"], one["fqn"])
