"""A chain is shown with its phases, whatever phase is at work."""

from skills_nb.commands.exports.plan_export import export
from skills_nb.views import render_html, render_text, thread_card
from skills_nb.views.threads.chain_progress import PhaseLine, phase_lines
from skills_nb.views.threads.thread_runs import planned_steps
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
        PhaseLine(1, "loading", "playbooks/load", "done", "", "2 steps, made 1 table"),
        PhaseLine(2, "guarding", "playbooks/mask", "at work", "target scope DB.S.T", "0 steps"),
        PhaseLine(3, "showing", "playbooks/show", "to come", ""),
    )
    assert "target scope DB.S.T" in shown(drive)


def test_the_card_leads_with_the_goal_and_how_far_the_chain_is():
    drive = ChainDrive(GOAL, target_table="DB.S.T")
    drive.run()
    drive.approve_to("2#2")
    text = shown(drive)

    assert text.splitlines()[0] == "Load then mask then show — t, waiting for you"
    assert "■□□ 1 of 3 phases done" in text
    assert "1 of 2 steps" in text
    assert "Phase 2 of 3, guarding: Mask" in text
    assert text.index("1 of 3 phases") < text.index("Phase 2 of 3") < text.index("waits for you")


def test_between_two_phases_the_card_still_says_account_and_goal():
    drive = ChainDrive(GOAL, target_table="DB.S.T")
    drive.run()
    drive.approve_to("1#2")
    card = thread_card(drive.state.without_run(), None, None)

    assert card.title == "Load then mask then show"
    assert card.badge.startswith("Account ")
    assert card.chain.here == ""


def test_a_finished_chain_has_all_of_its_phases_behind_it():
    drive = ChainDrive("load then mask", target_table="DB.S.T")
    drive.run()
    drive.approve_to("the end")

    assert "■■ 2 of 2 phases done" in shown(drive)
    assert [line.far for line in phase_lines(drive.state)] == [
        "2 steps, made 1 table",
        "2 steps, made 1 masking policy",
    ]


def test_the_bar_is_drawn_only_and_the_words_beside_it_say_the_same():
    drive = ChainDrive(GOAL, target_table="DB.S.T")
    drive.run()
    drive.approve_to("1#2")
    html = render_html(thread_card(drive.state, None, drive.pause))
    bar = "<i data-done></i><i></i><i></i></span> 1 of 3 phases done"

    assert f'<span class="sk-bar" aria-hidden="true">{bar}' in html


def test_what_was_made_is_listed_with_its_phase():
    drive = ChainDrive("load then mask", target_table="DB.S.T")
    drive.run()
    drive.approve_to("the end")
    card = thread_card(drive.state, None, None)
    assert card.objects == (
        ("created", "table", "DB.S.T", "how many rows is not known; in step 1.1"),
        ("created", "masking policy", "DB.S.P", "in step 2.2"),
    )


def test_a_phase_that_was_not_reached_says_so():
    drive = ChainDrive(GOAL, target_table="DB.S.T")
    drive.run()
    drive.respond("abort")
    drive.respond("keep")
    assert [line.status for line in phase_lines(drive.state)] == ["stopped", *["not begun"] * 2]


def test_the_plan_of_a_dry_run_has_the_steps_of_all_phases():
    drive = DryDrive("load then mask", target_table="DB.S.T")
    drive.run()
    assert [event.step for event in planned_steps(drive.state)] == ["1.1", "1.2", "2.1", "2.2"]
    assert [line.status for line in phase_lines(drive.state)] == ["planned", "planned"]
    assert phase_lines(drive.state)[1].taken == "target scope DB.S.T (predicted)"
    assert [line.far for line in phase_lines(drive.state)] == [
        "would make 1 table",
        "would make 1 masking policy",
    ]
    assert "Every statement: 5 in 4 steps" in shown(drive)


def test_a_thread_of_one_domain_has_no_phases():
    drive = ChainDrive("load", target_table="DB.S.T")
    drive.run()
    assert phase_lines(drive.state) == ()
    assert planned_steps(drive.state) == ()


def test_an_exported_plan_has_the_scripts_of_all_phases_and_one_way_back(tmp_path):
    drive = DryDrive(GOAL, target_table="DB.S.T")
    drive.run()
    names = export(drive.state, drive.library, tmp_path, "session = None").names
    phases = ["step-1.1.sql", "step-1.2.sql", "step-2.1.sql", "step-2.2.sql", "step-3.1.sql"]
    assert names == (*phases, "compensation.sql", "plan.ipynb")
    back = (tmp_path / "plans/t/compensation.sql").read_text()
    assert back.index("DROP VIEW") < back.index("DROP MASKING POLICY") < back.index("DROP TABLE")
