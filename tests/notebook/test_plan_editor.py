"""The editor of a guided plan: what is typed and clicked, what it says, what it proposes."""

import pytest

from skills_nb.engine.guided.plan_editing import Draft, Judgement, judge_draft, plan_of
from skills_nb.model.events import PlannedStep
from skills_nb.notebook import controls
from skills_nb.notebook.plan_editor import PlanEditor
from tests.builders import library, primitive

LIBRARY = library(primitives={"roles": primitive("roles")})


def step(number, sql, name="roles"):
    return PlannedStep(step=str(number), action=f"Do {number}", primitive=name, sql=sql)


@pytest.fixture
def proposed():
    return []


@pytest.fixture
def edited(proposed):
    def open_editor(*sqls, done=0):
        draft = Draft("Two roles", tuple(step(n, sql) for n, sql in enumerate(sqls, 1)), done)
        return PlanEditor(draft, lambda d: judge_draft(d, LIBRARY), ["roles"], proposed.append)

    return open_editor


def parts(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def named(editor, description):
    return next(p for p in parts(editor.box) if getattr(p, "description", None) == description)


def is_shown(editor, description):
    return any(getattr(p, "description", None) == description for p in parts(editor.box))


def words(editor):
    """What the editor says, without its tags, top to bottom."""
    html = [p.value for p in parts(editor.box) if type(p).__name__ == "HTML"]
    return [
        one.partition("<strong>")[2].replace("</strong>", "").removesuffix("</span>")
        for one in html
        if "<strong>" in one
    ]


@pytest.fixture
def focused(monkeypatch):
    """Descriptions of the widgets that were given the focus, in order."""
    found = []
    for kind in ("Button", "Text"):
        monkeypatch.setattr(f"ipywidgets.{kind}.focus", lambda self: found.append(self.description))
    return found


def test_every_part_of_every_step_has_a_name_of_its_own(edited):
    editor = edited("CREATE ROLE A", "CREATE ROLE B")
    found = [getattr(p, "description", "") for p in parts(editor.box)]
    assert [name for name in found if name] == [
        *("Move 1 up", "Move 1 down", "Add below 1", "Remove 1"),
        *("Action of step 1", "Primitive of step 1", "SQL of step 1"),
        *("Move 2 up", "Move 2 down", "Add below 2", "Remove 2"),
        *("Action of step 2", "Primitive of step 2", "SQL of step 2"),
        *("Add a step", "Undo", "Propose this plan"),
    ]


def test_a_letter_that_breaks_a_guardrail_is_answered_at_once(edited, proposed):
    editor = edited("CREATE ROLE A")
    assert words(editor) == ["✓ PASS Within the guardrails.", "· PLAN Nothing was changed yet."]
    named(editor, "SQL of step 1").value = "DROP SCHEMA S"
    assert words(editor) == [
        "! REFUSED Step 1 does &#x27;DROP SCHEMA&#x27;, which needs a playbook: DROP SCHEMA S",
        "! REFUSED 1 of 1 steps break a guardrail.",
    ]
    assert named(editor, "Propose this plan").disabled
    named(editor, "Propose this plan").click()
    assert proposed == []
    named(editor, "SQL of step 1").value = "CREATE ROLE C"
    assert words(editor)[-1] == (
        "✓ PASS Nothing stands against this plan. Proposing it sends nothing."
    )
    named(editor, "Propose this plan").click()
    assert proposed == [plan_of(Draft("Two roles", (step(1, "CREATE ROLE C"),)))]


def test_the_focus_follows_a_step_that_is_moved(edited, focused):
    editor = edited("CREATE ROLE A", "CREATE ROLE B", "CREATE ROLE C")
    named(editor, "Move 1 down").click()
    assert [s.sql[-1] for s in editor.draft.steps] == ["B", "A", "C"]
    assert named(editor, "SQL of step 2").value == "CREATE ROLE A"
    named(editor, "Move 2 down").click()
    # At the end there is no further down: the button beside it has the focus.
    assert focused == ["Move 2 down", "Move 3 up"]
    assert [named(editor, f"Move {n} up").disabled for n in (1, 2, 3)] == [True, False, False]
    assert [named(editor, f"Move {n} down").disabled for n in (1, 2, 3)] == [False, False, True]


def test_a_step_is_added_below_another_and_one_types_on_in_it(edited, focused, proposed):
    editor = edited("CREATE ROLE A", "CREATE ROLE B")
    named(editor, "Add below 1").click()
    assert focused == ["Action of step 2"]
    assert named(editor, "Primitive of step 2").value == "roles"
    named(editor, "Action of step 2").value = "Look"
    named(editor, "SQL of step 2").value = "SHOW ROLES"
    named(editor, "Propose this plan").click()
    (plan,) = proposed
    assert [(s.step, s.action, s.sql) for s in plan.steps] == [
        ("1", "Do 1", "CREATE ROLE A"),
        ("2", "Look", "SHOW ROLES"),
        ("3", "Do 2", "CREATE ROLE B"),
    ]


def test_removing_everything_leaves_nothing_to_propose_and_a_way_to_begin(edited, focused):
    editor = edited("CREATE ROLE A", "CREATE ROLE B")
    named(editor, "Remove 1").click()
    named(editor, "Remove 1").click()
    assert focused == ["Remove 1", "Add a step"]
    assert words(editor) == ["? EMPTY A plan needs steps."]
    assert named(editor, "Propose this plan").disabled
    named(editor, "Add a step").click()
    assert words(editor)[0] == "! REFUSED Step 1 names no primitive."


def test_a_click_that_comes_too_late_is_answered(edited):
    editor = edited("CREATE ROLE A")
    late = named(editor, "Remove 1")
    late.click()
    late.click()
    assert words(editor) == ["! REFUSED there is no step to edit there: 0 of 0 are done"]


def test_undo_takes_back_a_word_at_a_time_and_then_the_move(edited):
    editor = edited("CREATE ROLE A", "CREATE ROLE B")
    first = editor.draft
    assert named(editor, "Undo").disabled
    named(editor, "Move 2 up").click()
    moved = editor.draft
    for text in ("S", "SE", "SELECT 1"):
        named(editor, "SQL of step 1").value = text
    named(editor, "Undo").click()
    assert editor.draft == moved
    assert named(editor, "SQL of step 1").value == "CREATE ROLE B"
    named(editor, "Undo").click()
    assert editor.draft == first
    assert named(editor, "Undo").disabled


def test_what_is_done_can_be_read_but_not_edited(edited):
    editor = edited("CREATE ROLE A", "CREATE ROLE B", done=1)
    off = [
        name
        for name in ("Move 1 up", "Move 1 down", "Remove 1", "Move 2 up", "Add below 1")
        if named(editor, name).disabled
    ]
    assert off == ["Move 1 up", "Move 1 down", "Remove 1", "Move 2 up"]
    assert named(editor, "SQL of step 1").disabled
    assert words(editor)[0] == "· DONE It stays as it is."


def test_markup_in_a_verdict_is_text():
    draft = Draft("g", (step(1, "<script>"),))
    editor = PlanEditor(draft, lambda d: Judgement(("<img src=x>",)), [], lambda plan: None)
    assert words(editor)[0] == "! REFUSED &lt;img src=x&gt;"


# ---- on a thread


VIEW = "CREATE VIEW PROD.ANALYTICS.N AS SELECT 1 AS N"
PLAN = f"""goal: Count the orders
steps:
  - {{step: 1, action: Count them, primitive: views, sql: {VIEW}}}
  - step: 2
    action: Share it
    primitive: roles-and-grants
    sql: GRANT SELECT ON VIEW PROD.ANALYTICS.N TO ROLE ANALYST
"""


@pytest.fixture
def live(shell, monkeypatch):
    """The editors that a cell offers, oldest first."""
    shell._skills_nb_magics.settings.ui = "widgets"
    found = []
    real = controls.Controls.show

    def remember(self, *args, **named):
        real(self, *args, **named)
        found.append((self, args[-1]))

    monkeypatch.setattr(controls.Controls, "show", remember)
    return found


def test_a_plan_is_edited_and_proposed_in_its_cell(shell, live, screen, door):
    shell.run_cell_magic("skill", "plan --thread p", PLAN)
    shown, editor = live[-1]
    next(b for b in shown._buttons if b.description == "Modify…").click()
    assert shown._form.children == (editor.box,)
    named(editor, "SQL of step 1").value = VIEW.replace("1", "2")
    named(editor, "Remove 2").click()
    named(editor, "Propose this plan").click()

    state = door.app.wiring.conductor.load("p")
    assert [s.sql for s in state.guided_plan.proposed] == [VIEW.replace("1", "2")]
    assert door.app.wiring.conductor.pause(state).kind == "plan_proposed"
    assert "SELECT 2 AS N" in screen.texts[0]
    assert "Share it" not in screen.texts[0]


def test_a_refused_plan_is_repaired_in_the_editor(shell, live, door):
    refused = PLAN.replace(VIEW, "DROP SCHEMA PROD.ANALYTICS")
    shell.run_cell_magic("skill", "plan --thread p", refused)
    shown, editor = live[-1]
    assert door.app.wiring.conductor.load("p").guided_plan.refusal == "prohibited_action"
    next(b for b in shown._buttons if b.description == "Edit the plan…").click()
    named(editor, "SQL of step 1").value = VIEW
    named(editor, "Propose this plan").click()

    state = door.app.wiring.conductor.load("p")
    assert door.app.wiring.conductor.pause(state).kind == "plan_proposed"


def test_a_plan_that_somebody_else_answered_meanwhile_is_not_proposed(shell, live, door, screen):
    shell.run_cell_magic("skill", "plan --thread p", PLAN)
    shown, editor = live[-1]
    named(editor, "SQL of step 1").value = VIEW.replace("1", "2")
    door.app.invoke(["respond", "approve", "--at", "plan", "--thread", "p"])
    named(editor, "Propose this plan").click()

    assert "a plan is given where a thread waits for one" in shown._said.value
    assert "waits for you: REVIEW" in screen.texts[0]


@pytest.mark.slow
def test_a_checkpoint_has_no_plan_to_edit(shell, live):
    shell.run_cell_magic("skill", "plan --thread p", PLAN)
    shell.run_line_magic("skill", "respond approve --at plan --thread p")
    assert [editor is None for _, editor in live] == [False, True]
