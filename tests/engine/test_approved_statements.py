"""What was approved is the list of statements: another list is asked for again."""

from dataclasses import replace

import pytest

from skills_nb.engine.approvals.approved_statements import Difference, difference
from skills_nb.engine.approvals.statements_ahead import foresee_step
from skills_nb.engine.planning.statement_planning import PlannedStatement, StepPlan, plan_step
from skills_nb.engine.planning.step_context import StepContext
from skills_nb.errors import UsageError
from skills_nb.model.events import Foreseen, ForeseenStatement
from skills_nb.model.skills import ForEach
from skills_nb.model.state import Agreement
from skills_nb.sql.classify import Kind
from tests.builders import checkpoint, library, playbook, step, text_input
from tests.engine.chaining import Shadows
from tests.engine.driving import Drive

LOOK = step("1", "SELECT N FROM SEEN", binds={"names": "column.N"})
COUNT = step(
    "2", "SELECT {{ names[0] }} AS N", checkpoint=checkpoint("critical", phrase="go {where}")
)
SEND = step("3", "CREATE ROLE {{ ident(one) }}", for_each=ForEach("one", "names"), role="{boss}")
INPUTS = (text_input("where"), text_input("boss", type="role", default="BOSS", has_default=True))


def driving(*steps, **how):
    drive = Drive(playbook(*(steps or (LOOK, COUNT, SEND)), inputs=INPUTS), where="Here", **how)
    drive.account.answers["FROM SEEN"] = [{"N": "X"}, {"N": "lower case"}]
    drive.account.answers["FROM LATE"] = [{"N": "X"}]
    return drive


def edited(drive, *steps):
    """The next process opens a library whose playbook reads otherwise."""
    drive.library = library(playbook(*steps, inputs=INPUTS))
    return drive


def test_a_checkpoint_keeps_what_its_approval_lets_through():
    drive = driving()
    drive.run()
    (shown,) = drive.events("checkpoint_reached")[0].foreseen
    assert shown.statements == [
        ForeseenStatement(sql="CREATE ROLE X", role="BOSS"),
        ForeseenStatement(sql='CREATE ROLE "lower case"', role="BOSS"),
    ]
    assert drive.respond("approve", phrase="go Here").status == "completed"
    assert drive.account.ran == [("CREATE ROLE X", "BOSS"), ('CREATE ROLE "lower case"', "BOSS")]


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("""SELECT 'it''s' AS A, "it's" FROM "o'n" WHERE "it's" = 'x'""", Kind.READ),
        ("""SELECT "a'", SYSTEM$CANCEL_ALL_QUERIES(1), "b'" FROM T""", Kind.ONCE),
        ("""SELECT "a"" '", SYSTEM$CANCEL_ALL_QUERIES(1), "b'" FROM T""", Kind.ONCE),
    ],
)
def test_an_apostrophe_in_a_name_hides_nothing_and_opens_no_text(sql, kind):
    planned = plan_step(step("1", sql), {})
    assert [one.kind for one in planned.statements] == [kind]


@pytest.mark.parametrize("is_answered_first", [True, False])
def test_an_edited_library_is_noticed_before_anything_of_it_is_sent(is_answered_first):
    drive = driving()
    drive.run()
    other = replace(SEND, sql=step("3", "DROP ROLE {{ ident(one) }}").sql)
    if is_answered_first:
        conductor = drive.conductor
        from skills_nb.engine.respond import Answer

        conductor.answer(drive.id, Answer("approve", phrase="go Here"))
        edited(drive, LOOK, COUNT, other).resume()
    else:
        edited(drive, LOOK, COUNT, other).respond("approve", phrase="go Here")
    pause = drive.pause
    assert (pause.at, pause.severity, pause.phrase) == ("before:3", "critical", "go Here")
    assert pause.added == ("-- as BOSS\nDROP ROLE X", '-- as BOSS\nDROP ROLE "lower case"')
    assert pause.removed == ("-- as BOSS\nCREATE ROLE X", '-- as BOSS\nCREATE ROLE "lower case"')
    assert pause.present.endswith("what was approved: 2 statements new and 2 statements gone.")
    assert drive.ran == []
    with pytest.raises(UsageError, match="phrase"):
        drive.respond("approve")
    assert drive.respond("approve", phrase="go Here").status == "completed"
    assert drive.ran == ["DROP ROLE X", 'DROP ROLE "lower case"']


def test_a_library_that_is_edited_while_a_step_is_under_way_is_noticed_too():
    from skills_nb.errors import SqlError

    drive = driving()
    drive.account.failures['"lower case"'] = [SqlError("the moon is full")]
    drive.run()
    assert drive.respond("approve", phrase="go Here").pause.at == "error:3"
    other = replace(SEND, sql=step("3", "CREATE ROLE {{ ident(one, '_2') }}").sql)
    edited(drive, LOOK, COUNT, other).respond("retry")
    assert (drive.pause.at, drive.ran) == ("before:3", ["CREATE ROLE X"])


def test_another_role_is_another_statement():
    drive = driving()
    drive.run()
    drive.respond("modify", values={"boss": '"Big Boss"'})
    shown = drive.events("checkpoint_reached")[-1].foreseen[0].statements
    assert {one.role for one in shown} == {'"Big Boss"'}
    edited(drive, LOOK, COUNT, replace(SEND, role="BOSS")).respond("approve", phrase="go Here")
    assert (drive.pause.at, drive.ran) == ("before:3", [])


def test_a_loop_over_what_is_found_after_a_phrase_is_shown_before_it_is_sent():
    late = step("3", "SELECT N FROM LATE", binds={"names": "column.N"})
    drive = driving(LOOK, COUNT, late, replace(SEND, id="4"))
    drive.run()
    drive.respond("approve", phrase="go Here")
    assert (drive.pause.at, drive.pause.added) == ("before:4", ("-- as BOSS\nCREATE ROLE X",))
    assert drive.pause.present == (
        "Step 4 is about to send what could not be shown yet: 1 statement was unknown."
    )
    assert drive.ran == []
    assert drive.respond("approve", phrase="go Here").status == "completed"


def test_what_could_not_be_shown_is_bound_by_its_words_where_no_phrase_was_typed():
    late = step("3", "SELECT N FROM LATE", binds={"names": "column.N"})
    review = replace(COUNT, checkpoint=checkpoint())
    calm = driving(LOOK, review, late, replace(SEND, id="4"))
    calm.run()
    assert calm.respond("approve").status == "completed"
    changed = driving(LOOK, review, late, replace(SEND, id="4"))
    changed.run()
    other = replace(SEND, id="4", sql=step("4", "DROP ROLE {{ ident(one) }}").sql)
    edited(changed, LOOK, review, late, other).respond("approve")
    assert (changed.pause.at, changed.ran) == ("before:4", [])
    assert "written otherwise" in changed.pause.present


def test_a_step_that_was_said_to_be_skipped_is_not_sent_unasked():
    skipped = replace(SEND, when="where = 'There'")
    drive = driving(LOOK, COUNT, skipped)
    drive.run()
    edited(drive, LOOK, COUNT, replace(skipped, when=None)).respond("approve", phrase="go Here")
    assert (drive.pause.at, len(drive.pause.added), drive.ran) == ("before:3", 2, [])


def test_an_edit_that_changes_no_statement_does_not_ask():
    drive = driving()
    drive.run()
    same = replace(
        SEND, title="Called otherwise", sql=step("3", "{# why #}CREATE ROLE {{ ident(one) }}").sql
    )
    assert (
        edited(drive, LOOK, COUNT, same).respond("approve", phrase="go Here").status == "completed"
    )


def test_approving_all_that_is_left_does_not_stand_for_another_list():
    drive = driving(LOOK, replace(COUNT, checkpoint=checkpoint()), SEND)
    drive.run()
    other = replace(SEND, sql=step("3", "DROP ROLE {{ ident(one) }}").sql)
    edited(drive, LOOK, replace(COUNT, checkpoint=checkpoint()), other)
    drive.respond("approve_remaining")
    assert (drive.pause.at, drive.ran) == ("before:3", [])


def test_a_change_of_an_input_that_only_a_later_step_reads_is_approved_anew():
    last = step("4", "SELECT 1 AS N", checkpoint=checkpoint())
    drive = driving(LOOK, COUNT, SEND, last)
    drive.run()
    drive.respond("approve", phrase="go Here")
    drive.respond("modify", values={"boss": "OTHER"})
    drive.respond("keep")
    assert (drive.pause.at, drive.pause.phrase) == ("before:3", "go Here")
    assert drive.respond("approve", phrase="go Here").pause.at == "4#2"


def test_at_the_pause_before_a_step_an_input_can_be_changed_and_the_thread_aborted():
    drive = driving()
    drive.run()
    other = step("3", "CREATE ROLE {{ ident(where) }}")
    edited(drive, LOOK, COUNT, other).respond("approve", phrase="go Here")
    drive.respond("modify", values={"where": "There"})
    assert (drive.pause.at, drive.pause.phrase) == ("2#2", "go There")
    drive.respond("approve", phrase="go There")
    assert drive.ran == ['CREATE ROLE "There"']
    gone = driving()
    gone.run()
    edited(gone, LOOK, COUNT, other).respond("approve", phrase="go Here")
    assert gone.respond("abort").status == "failed"
    assert gone.ran == []


# ---- a dry run


def rehearsed(*steps, **more):
    drive = driving(*steps, rehearsal=Shadows())
    conductor = drive.conductor
    conductor.start(drive.goal, drive.inputs, dry_run=True, thread_id=drive.id)
    conductor.advance(drive.id)
    assert drive.pause.at == "dry_run"
    return drive


PLAIN = replace(COUNT, checkpoint=None)


def test_executing_a_dry_run_sends_what_it_showed():
    drive = rehearsed(LOOK, PLAIN, SEND)
    assert drive.respond("execute").status == "completed"
    assert drive.ran == ["CREATE ROLE X", 'CREATE ROLE "lower case"']


def test_a_loop_that_grew_since_the_dry_run_is_asked_for_again():
    drive = rehearsed(LOOK, PLAIN, SEND)
    drive.account.answers["FROM SEEN"].append({"N": "MORE"})
    drive.respond("execute")
    assert (drive.pause.at, drive.pause.added) == ("before:3", ("-- as BOSS\nCREATE ROLE MORE",))
    assert (drive.pause.removed, drive.ran) == ((), [])
    assert drive.respond("approve").status == "completed"


def test_a_dry_run_that_is_planned_again_holds_instead_of_the_one_before():
    drive = rehearsed(LOOK, PLAIN, SEND)
    drive.respond("modify", values={"boss": "OTHER"})
    assert drive.respond("execute").status == "completed"
    assert {role for _, role in drive.account.ran} == {"OTHER"}


# ---- secrets


def test_a_secret_is_neither_told_nor_a_difference():
    book = playbook(
        step("1", "SELECT 1 AS N", checkpoint=checkpoint("critical", phrase="go")),
        step("2", "CREATE USER U PASSWORD = {{ pw }}"),
        step("3", "CREATE USER V PASSWORD = 'hunter2hunter2'"),
        inputs=(text_input("pw", secret=True),),
    )
    drive = Drive(book, pw="swordfish99")
    conductor = drive.conductor
    conductor.start(drive.goal, drive.inputs, thread_id=drive.id)
    conductor.advance(drive.id)
    from skills_nb.engine.respond import Answer

    conductor.answer(drive.id, Answer("approve", phrase="go"))
    assert conductor.advance(drive.id).status == "completed"
    told = repr(drive.store.load(drive.id))
    assert "swordfish99" not in told
    assert "hunter2hunter2" not in told


# ---- comparing


def here(sql, role=None):
    one = step("1", sql, role=role)
    drive = Drive(playbook(one))
    drive.run()
    return StepContext(drive.state, drive.library, playbook(one), drive.state.run, one, {})


def approved(*statements, **more):
    told = [ForeseenStatement(sql=sql, **more) for sql in statements]
    return Agreement(Foreseen(step="1", statements=told), seq=1)


@pytest.mark.parametrize(
    ("sql", "before", "expected"),
    [
        ("CREATE ROLE A; CREATE ROLE B", ("CREATE ROLE A", "CREATE ROLE B"), None),
        (
            "CREATE ROLE A; CREATE ROLE B",
            ("CREATE ROLE B", "CREATE ROLE A"),
            Difference(is_reordered=True),
        ),
        ("CREATE ROLE A; CREATE ROLE A", ("CREATE ROLE A",), Difference(("CREATE ROLE A",))),
        ("CREATE ROLE A", ("CREATE ROLE A",) * 2, Difference((), ("CREATE ROLE A",))),
        ("CREATE ROLE A", ("CREATE ROLE a",), Difference(("CREATE ROLE A",), ("CREATE ROLE a",))),
    ],
)
def test_lists_are_compared_statement_by_statement(sql, before, expected):
    at = here(sql)
    assert difference(at, approved(*before), plan_step(at.step, {})) == expected


def test_what_is_only_read_may_differ():
    at = here("SELECT 1 AS N; CREATE ROLE A")
    told = Foreseen(
        step="1",
        statements=[
            ForeseenStatement(sql="SELECT 2 AS N", reads=True),
            ForeseenStatement(sql="CREATE ROLE A"),
        ],
    )
    assert difference(at, Agreement(told, 1), plan_step(at.step, {})) is None


def test_a_gap_in_the_record_is_compared_around():
    at = here("CREATE USER U PASSWORD = 'x'")
    plan = plan_step(at.step, {})
    assert difference(at, approved("CREATE USER U PASSWORD = «redacted»"), plan) is None
    other = difference(at, approved("CREATE USER V PASSWORD = «redacted»"), plan)
    assert other.removed == ("CREATE USER V PASSWORD = «redacted»",)


def test_a_step_as_it_is_planned_is_told_with_its_roles_and_kinds():
    plan = StepPlan((PlannedStatement("SELECT 1", Kind.READ, "R", 0),), (), 1, frozenset())
    told = foresee_step(step("1", "SELECT 1"), plan)
    assert told.statements == [ForeseenStatement(sql="SELECT 1", role="R", reads=True)]
    assert foresee_step(step("1", "SELECT 1"), None).is_open
