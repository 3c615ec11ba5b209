"""Every kind of answer by clicking, each with a picture of what the person sees."""

import pytest

pytestmark = pytest.mark.browser
PHRASE = "protect PROD.CUSTOMER_DATA"
RUN = "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread t"
FEED = (
    "run playbooks/build-streaming-pipeline --thread t "
    "--input target_scope=PROD.CUSTOMER_DATA.ORDERS --input engineer_role=ANALYST"
)
DOOR = "get_ipython()._skills_nb_magics.door"
ANSWERS = (
    f"[(e.at, e.choice, e.actor) for e in {DOOR}.app.wiring.store.load('t') "
    "if e.type == 'human_response']"
)


def test_approve_remaining_goes_on_until_the_critical_checkpoint(
    opened, played, expect, button, keep
):
    played(RUN)
    notebook = opened("%skill resume t")
    notebook.run_all()
    cell = notebook.cell(1)
    keep(cell, "approve")
    button(cell, "Approve remaining").click()

    expect(cell.locator(".sk")).to_contain_text("waits for you: CRITICAL", timeout=90_000)
    expect(button(cell, "Approve remaining")).to_have_count(0)
    keep(cell, "approve-remaining")
    assert notebook.kernel(ANSWERS) == "[('5', 'approve_remaining', 'human:local')]"


def test_a_critical_checkpoint_takes_its_phrase_and_no_other(opened, played, expect, button, keep):
    played(RUN, "approve --at 5")
    notebook = opened("%skill resume t")
    notebook.run_all()
    cell = notebook.cell(1)
    box, approve = cell.get_by_placeholder(PHRASE), button(cell, "Approve")
    expect(approve).to_be_disabled()
    box.fill(PHRASE.lower())
    expect(approve).to_be_disabled()
    keep(cell, "critical-wrong")
    box.fill(PHRASE)
    expect(approve).to_be_enabled()
    keep(cell, "critical-right")
    approve.click()

    expect(cell.locator(".sk")).to_contain_text("ANALYST reads 0 clear values", timeout=90_000)


def test_the_timer_of_an_info_checkpoint_is_stopped_by_hold(opened, played, expect, button, keep):
    played(RUN, "approve --at 5", f'approve --at 8 --phrase "{PHRASE}"')
    notebook = opened("%config SkillsNB.auto_proceed_s = 30", "%skill resume t")
    notebook.run(0)
    notebook.run(1)
    notebook.run(2)
    cell = notebook.cell(2)
    button(cell, "Approve").click()
    hold = cell.get_by_role("button", name="Hold")
    expect(hold).to_be_visible()
    keep(cell, "info-timer")
    hold.click()
    expect(cell).to_contain_text("Held. Nothing happens until you choose.")
    keep(cell, "info-held")
    assert "timer" not in notebook.kernel(ANSWERS)
    button(cell, "Approve").click()

    expect(cell.locator(".sk")).to_contain_text("t, done")
    assert "('14', 'approve', 'human:local')" in notebook.kernel(ANSWERS)


def test_an_abort_is_reviewed_before_it_cleans_up(opened, played, expect, button, keep):
    played(RUN, "approve --at 5")
    notebook = opened("%skill resume t")
    notebook.run_all()
    cell = notebook.cell(1)
    button(cell, "Abort").click()
    button(cell, "Review").click()
    expect(cell.locator(".sk pre").last).to_contain_text("DROP MASKING POLICY")
    keep(cell, "cleanup-review")
    button(cell, "Cleanup").click()

    expect(cell.locator(".sk")).to_contain_text("What it did was taken back, with 4 statements.")


def test_an_error_is_repaired_by_the_form_that_its_card_opens(opened, played, expect, button, keep):
    played(FEED, "approve --at probes", "approve --at 4")
    notebook = opened("%skill resume t")
    notebook.run_all()
    cell = notebook.cell(1)
    expect(cell.locator(".sk")).to_contain_text("Insufficient privileges")
    keep(cell, "error")
    button(cell, "Retry").click()
    expect(cell.locator(".sk")).to_contain_text("error:6#2")
    button(cell, "Modify…").click()
    cell.get_by_label("Engineer role").fill("SYSADMIN")
    keep(cell, "error-modify")
    button(cell, "Apply changes").click()
    expect(cell.locator(".sk")).to_contain_text("steps 3 to 6 are done again")
    button(cell, "Approve").click()

    expect(cell.locator(".sk")).to_contain_text("The sources hold 2800 rows")


def test_a_dry_run_is_filtered_and_seen_as_a_tree(opened, expect, button, keep, page):
    notebook = opened(
        "%skill run playbooks/set-up-role-hierarchy --dry-run --thread t "
        "--input target_scope=PROD.CUSTOMER_DATA --input role_prefix=SHOP"
    )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook.run_all()
    cell, card = notebook.cell(1), notebook.cell(1).locator(".sk")
    expect(card).to_contain_text("Would create")
    cell.get_by_label("Filter").fill("orders")
    cell.get_by_label("Filter").press("Enter")
    expect(card.get_by_role("group", name="Objects it touches").locator("tbody tr")).to_have_count(
        1
    )
    button(cell, "Tree").click()
    expect(card).to_contain_text("CUSTOMER_DATA: 1 object")
    keep(cell, "dry-run-tree")
    button(cell, "Copy SQL").click()

    expect(button(cell, "Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("-- Step 1: ")
    assert "CREATE ROLE SHOP_READ" in copied
    assert notebook.kernel(ANSWERS) == "[]"


def test_a_route_is_taken_and_a_history_filtered_by_clicks(opened, played, expect, button, keep):
    played(RUN)
    notebook = opened("%skill route secure my data", "%skill show t", "%skill threads")
    notebook.run_all()
    route, history, threads = (notebook.cell(n) for n in (1, 2, 3))
    expect(button(route, "Preview")).to_be_visible()
    keep(route, "route")
    history.get_by_label("with the words").fill("SEMANTIC")
    history.get_by_label("with the words").press("Enter")
    history.get_by_label("Show").select_option("statements")
    expect(history.locator(".sk")).to_contain_text("statements with “SEMANTIC”")
    history.locator(".sk summary").first.click()
    expect(history.locator(".sk pre").first).to_be_visible()
    keep(history, "history")
    button(threads, "Open").click()

    expect(threads.locator(".sk").nth(1)).to_contain_text("waits for you: REVIEW")
    keep(threads, "threads")


def test_a_chain_shows_its_phases_and_a_plan_its_sql(opened, expect, button, keep):
    goal = "Get CRM exports into tables, mask what is personal, build a dashboard"
    plan = (
        "%%skill plan --thread p\ngoal: Umsätze je Land für die Geschäftsführung; 国別の売上\n"
        "steps:\n  - step: 1\n    action: 受注を国ごとに集計して分析担当者が読めるようにする\n"
        "    primitive: views\n    sql: CREATE VIEW PROD.ANALYTICS.UMSATZ AS SELECT 1 AS N\n"
    )
    notebook = opened(f"%skill run {goal} --thread t", plan)
    notebook.run_all()
    chain, planned = notebook.cell(1), notebook.cell(2)
    expect(chain.locator(".sk")).to_contain_text("0 of 3 phases done")
    expect(chain.locator(".sk .sk-bar i")).to_have_count(3)
    keep(chain, "chain")
    button(planned, "Modify…").click()
    box = planned.get_by_label("SQL of step 1")
    expect(box).to_have_value("CREATE VIEW PROD.ANALYTICS.UMSATZ AS SELECT 1 AS N")
    keep(planned, "plan-editor")
    for cell in (chain, planned):
        card = cell.locator(".sk")
        assert card.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_a_plan_is_edited_and_proposed_by_the_keyboard_alone(opened, expect, button, keep, page):
    plan = (
        "%%skill plan --thread p\ngoal: Umsätze je Land; 国別の売上\nsteps:\n"
        "  - {step: 1, action: 一つ目, primitive: views, "
        "sql: SHOW VIEWS IN SCHEMA PROD.ANALYTICS}\n"
        "  - {step: 2, action: Zweitens, primitive: views, "
        "sql: CREATE VIEW PROD.ANALYTICS.UMSATZ AS SELECT 1 AS N}\n"
    )
    notebook = opened(plan)
    notebook.run_all()
    cell = notebook.cell(1)
    press, text = page.keyboard.press, page.keyboard.type
    button(cell, "Modify…").focus()
    press("Enter")
    sql = cell.get_by_label("SQL of step 1")
    expect(sql).to_be_visible()
    # From one button to the next by Tab; the focus goes with the step that moves.
    button(cell, "Move 1 down").focus()
    press("Space")
    expect(sql).to_have_value("CREATE VIEW PROD.ANALYTICS.UMSATZ AS SELECT 1 AS N")
    expect(button(cell, "Move 2 up")).to_be_focused()
    press("Tab")
    expect(button(cell, "Add below 2")).to_be_focused()
    press("Space")
    expect(cell.get_by_label("Action of step 3")).to_be_focused()
    text("Länder zählen")
    press("Tab")
    press("Tab")
    text("DROP SCHEMA PROD.ANALYTICS")
    expect(cell).to_contain_text("Step 3 does 'DROP SCHEMA', which needs a playbook")
    expect(button(cell, "Propose this plan")).to_be_disabled()
    keep(cell, "plan-editor-refused")
    press("ControlOrMeta+a")
    text("SELECT COUNT(*) FROM PROD.ANALYTICS.UMSATZ")
    expect(cell).to_contain_text("Nothing stands against this plan.")
    button(cell, "Remove 2").focus()
    press("Enter")
    expect(cell.get_by_label("SQL of step 3")).to_have_count(0)
    keep(cell, "plan-editor-three-edits")
    button(cell, "Propose this plan").focus()
    press("Enter")

    expect(cell.locator(".sk")).to_contain_text("Länder zählen")
    # What was proposed before stays on the card, folded: the steps are those of the plan now.
    expect(cell.locator(".sk > .sk-steps")).not_to_contain_text("一つ目")
    proposed = notebook.kernel(
        f"[s.sql for s in {DOOR}.app.wiring.conductor.load('p').guided_plan.proposed]"
    )
    assert proposed == (
        "['CREATE VIEW PROD.ANALYTICS.UMSATZ AS SELECT 1 AS N',\n"
        " 'SELECT COUNT(*) FROM PROD.ANALYTICS.UMSATZ']"
    )


def test_nothing_is_wider_than_a_narrow_window(opened, expect, button, keep, page):
    page.set_viewport_size({"width": 700, "height": 900})
    plan = (
        "%%skill plan --thread p\n"
        "goal: Umsatzsteuervoranmeldungszusammenfassungen je Bundesland; 国別の売上を毎日集計する\n"
        "steps:\n  - step: 1\n"
        "    action: 受注を国ごとに集計して分析担当者が読めるようにし古いものは除く\n"
        "    primitive: views\n"
        "    sql: CREATE VIEW PROD.ANALYTICS.UMSATZSTEUERVORANMELDUNGEN AS SELECT 1 N\n"
    )
    notebook = opened(
        plan,
        "%skill respond approve --thread p",
        "%skill show p",
        "%skill route 個人情報を保護したい secure my data",
        "%skill run playbooks/set-up-role-hierarchy --dry-run --thread t "
        "--input target_scope=PROD.CUSTOMER_DATA --input role_prefix=SHOP",
    )
    notebook.run_all()
    cells = [notebook.cell(n) for n in range(1, 6)]
    expect(cells[4].locator(".sk")).to_contain_text("Would create", timeout=60_000)
    for number, cell in enumerate(cells, 1):
        keep(cell, f"narrow-{number}")
        wide = cell.evaluate(
            "e => [...e.querySelectorAll('.sk, .widget-vbox')]"
            ".filter(p => p.scrollWidth > p.clientWidth + 1).map(p => p.className)"
        )
        assert wide == []


def test_two_notebooks_on_one_thread_agree(opened, played, expect, button, page, keep):
    home = played(RUN)
    first = opened("%skill resume t", home=home, name="first")
    first.run_all()
    expect(button(first.cell(1), "Approve")).to_be_visible()
    other = page.context.new_page()
    other.set_default_timeout(60_000)
    second = opened("%skill resume t", home=home, page=other, name="second")
    second.run_all()
    button(second.cell(1), "Approve").click()
    expect(second.cell(1).locator(".sk")).to_contain_text("waits for you: CRITICAL")
    button(first.cell(1), "Approve").click()

    expect(first.cell(1).locator(".sk")).to_contain_text("waits for you: CRITICAL")
    keep(first.cell(1), "two-notebooks")
    assert first.kernel(ANSWERS) == "[('5', 'approve', 'human:local')]"


def test_notebook_seven_has_the_same_card_and_buttons(
    played, expect, button, keep, notebook_seven, page
):
    home = played(RUN)
    opening = f"%load_ext skills_nb\n%config SkillsNB.home = {str(home)!r}"
    notebook_seven.write("seven.ipynb", [opening, "%skill resume t"])
    page.goto(f"{notebook_seven.url}/notebooks/seven.ipynb?token={notebook_seven.token}")
    expect(page.locator(".jp-Cell")).to_have_count(2)
    expect(page.locator("[data-status=idle]").first).to_be_attached()
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_role("menuitem", name="Run All Cells").first.click()
    cell = page.locator(".jp-Cell").nth(1)
    expect(cell.locator(".sk")).to_contain_text("waits for you: REVIEW")
    expect(button(cell, "Approve")).to_be_visible()
    keep(cell, "notebook-seven")
    button(cell, "Approve").click()

    expect(cell.locator(".sk")).to_contain_text("waits for you: CRITICAL", timeout=90_000)
