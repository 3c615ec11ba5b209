"""A changed input, an edited library and a busy account: what is done is what was approved."""

from skills_nb.commands import App
from tests.commands.authored import NAME, TARGET, asked, opened, step

FRONT = """inputs:
  - {name: place, type: schema, description: d}
  - {name: copy, type: string, default: "My Copy", description: d}"""
LISTED = step(
    "1",
    "SELECT TABLE_NAME FROM {{ name(place.parts[0], 'INFORMATION_SCHEMA', 'TABLES') }}\n"
    "WHERE TABLE_SCHEMA = {{ place.parts[1] }} AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1;",
    "binds: {tables: column.TABLE_NAME, found: row_count}",
)
MADE = step(
    "2",
    "CREATE TABLE {{ ident(place, copy) }} AS SELECT {{ found }} AS FOUND;",
    "checkpoint:\n  severity: critical\n  present: 'Next, {found:table|tables} of {place}.'\n"
    '  phrase: "tag {place}"',
)
MARKED = step(
    "3",
    "COMMENT ON TABLE {{ ident(place, table) }} IS 'looked at';",
    "for_each: table in tables\ncheckpoint: {severity: review, present: 'Done.'}",
)
HERE, THERE = 'PROD."first place"', 'PROD."other place"'


def begun(home, folder, *more, steps=(LISTED, MADE, MARKED)):
    app = opened(home, folder, *steps, front=FRONT)
    for place, tables in ((HERE, ('"a table"', "B")), (THERE, ('"third one"',))):
        for sql in (
            f"CREATE SCHEMA {place}",
            *(f"CREATE TABLE {place}.{t} (N INT)" for t in tables),
        ):
            app.wiring.session.execute(sql, role=None, tag="elsewhere")
    return app, app.invoke(["run", TARGET, "--input", f"place={HERE}", "--thread", "t", *more])


def respond(app, *words):
    return app.invoke(["respond", *words, "--thread", "t"])


def commented(app, place):
    schema = place.partition(".")[2].strip('"')
    query = (
        "SELECT TABLE_NAME FROM PROD.INFORMATION_SCHEMA.TABLES "
        f"WHERE TABLE_SCHEMA = '{schema}' AND COMMENT = 'looked at' ORDER BY 1"
    )
    return [row[0] for row in asked(app, query)]


def test_what_was_made_before_a_change_is_asked_about_and_the_new_place_is_worked_on(
    home, tmp_path
):
    app, reply = begun(home, tmp_path / "library")
    assert (reply.pause.at, reply.pause.phrase) == ("2", f"tag {HERE}")
    reply = respond(app, "modify", "--set", f"place={THERE}")
    assert reply.pause.kind == "cleanup_proposed"
    assert reply.document["redoing"] == "place is changed: steps 1 and 2 are done again."
    assert reply.pause.present.startswith("place is changed: steps 1 and 2 are done again.")
    assert asked(app, f'SELECT FOUND FROM {HERE}."My Copy"') == ((2,),)
    reply = respond(app, "cleanup")
    assert (reply.pause.at, reply.pause.phrase) == ("2#2", f"tag {THERE}")
    assert asked(app, f"SHOW TABLES LIKE 'My Copy' IN SCHEMA {HERE}") == ()
    reply = respond(app, "approve", "--phrase", f"tag {THERE}")
    assert reply.pause.at == "3"
    assert (commented(app, HERE), commented(app, THERE)) == ([], ["third one"])
    app.close()


def test_rows_that_somebody_put_there_meanwhile_are_never_dropped(home, tmp_path):
    app, _ = begun(home, tmp_path / "library")
    app.wiring.session.execute(
        f'INSERT INTO {HERE}."My Copy" VALUES (7)', role=None, tag="elsewhere"
    )
    reply = respond(app, "modify", "--set", f"place={THERE}")
    while reply.pause.kind == "cleanup_proposed":
        assert asked(app, f'SELECT COUNT(*) FROM {HERE}."My Copy"') == ((2,),)
        reply = respond(app, "keep" if reply.pause.at.endswith("#2") else "cleanup")
    assert asked(app, f'SELECT COUNT(*) FROM {HERE}."My Copy"') == ((2,),)
    assert reply.pause.phrase == f"tag {THERE}"
    app.close()


def test_a_library_that_is_edited_before_the_approval_is_noticed_by_the_next_process(
    home, tmp_path
):
    app, reply = begun(home, tmp_path / "library")
    app.close()
    page = tmp_path / "library" / "playbooks" / NAME / "playbook.md"
    page.write_text(page.read_text().replace("IS 'looked at'", "IS 'edited'"))
    again = App(home, library=tmp_path / "library")
    reply = respond(again, "approve", "--phrase", f"tag {HERE}")
    assert (reply.pause.at, reply.pause.phrase) == ("before:3", f"tag {HERE}")
    assert reply.document["pause"]["added"] == (
        f"COMMENT ON TABLE {HERE}.B IS 'edited'",
        f"COMMENT ON TABLE {HERE}.\"a table\" IS 'edited'",
    )
    assert commented(again, HERE) == []
    reply = respond(again, "approve", "--phrase", f"tag {HERE}")
    assert reply.pause.at == "3"
    again.close()


def test_a_table_that_came_after_a_dry_run_is_asked_about_before_it_is_touched(home, tmp_path):
    asks_nothing = step("2", "SELECT 1 AS ONE;")
    app, reply = begun(
        home, tmp_path / "library", "--dry-run", steps=(LISTED, asks_nothing, MARKED)
    )
    assert reply.pause.at == "dry_run"
    app.wiring.session.execute(
        f'CREATE TABLE {HERE}."late one" (N INT)', role=None, tag="elsewhere"
    )
    reply = respond(app, "execute")
    if reply.pause.at == "probes":
        reply = respond(app, "approve")
    assert reply.pause.at == "before:3"
    assert reply.pause.added == (f"COMMENT ON TABLE {HERE}.\"late one\" IS 'looked at'",)
    assert commented(app, HERE) == []
    assert respond(app, "approve").pause.at == "3"
    assert commented(app, HERE) == ["B", "a table", "late one"]
    app.close()
