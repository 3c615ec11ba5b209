"""A chain is shown with its phases, whatever phase is at work."""

from skills_nb.commands.plans import export
from skills_nb.views import render_text, thread_card
from skills_nb.views.chain import PhaseLine, phase_lines, planned_in
from tests.engine.chaining import ChainDrive, DryDrive

GOAL = "load then mask then show"


def shown(drive):
    playbook = drive.library.playbook(drive.state.run.playbook)
    return render_text(thread_card(drive.state, playbook, drive.pause))


def test_every_phase_has_its_line_with_what_it_took_over():
    drive = ChainDrive(GOAL, target_table="DB.S.T")
    drive.run()
    drive.approve_to("1#2")
    assert phase_lines(drive.state) == (
        PhaseLine(1, "loading", "playbooks/load", "done", ""),
        PhaseLine(2, "guarding", "playbooks/mask", "at work", "target scope DB.S.T"),
        PhaseLine(3, "showing", "playbooks/show", "to come", ""),
    )
    assert "target scope DB.S.T" in shown(drive)


def test_what_was_made_is_listed_with_its_phase():
    drive = ChainDrive("load then mask", target_table="DB.S.T")
    drive.run()
    drive.approve_to("the end")
    card = thread_card(drive.state, None, None)
    assert card.created == (("1.1", "table", "DB.S.T"), ("2.2", "masking policy", "DB.S.P"))


def test_a_phase_that_was_not_reached_says_so():
    drive = ChainDrive(GOAL, target_table="DB.S.T")
    drive.run()
    drive.respond("abort")
    drive.respond("keep")
    assert [line.status for line in phase_lines(drive.state)] == ["stopped", *["not begun"] * 2]


def test_the_plan_of_a_dry_run_has_the_steps_of_all_phases():
    drive = DryDrive("load then mask", target_table="DB.S.T")
    drive.run()
    assert [event.step for event in planned_in(drive.state)] == ["1.1", "1.2", "2.1", "2.2"]
    assert [line.status for line in phase_lines(drive.state)] == ["planned", "planned"]
    assert phase_lines(drive.state)[1].taken == "target scope DB.S.T (predicted)"
    assert "Every statement: 5 in 4 steps" in shown(drive)


def test_a_thread_of_one_domain_has_no_phases():
    drive = ChainDrive("load", target_table="DB.S.T")
    drive.run()
    assert phase_lines(drive.state) == ()
    assert planned_in(drive.state) == ()


def test_an_exported_plan_has_the_scripts_of_all_phases_and_one_way_back(tmp_path):
    drive = DryDrive(GOAL, target_table="DB.S.T")
    drive.run()
    _, names = export(drive.state, drive.library, tmp_path)
    phases = ["step-1.1.sql", "step-1.2.sql", "step-2.1.sql", "step-2.2.sql", "step-3.1.sql"]
    assert names == [*phases, "compensation.sql"]
    back = (tmp_path / "plans/t/compensation.sql").read_text()
    assert back.index("DROP VIEW") < back.index("DROP MASKING POLICY") < back.index("DROP TABLE")
