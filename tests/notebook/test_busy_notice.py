"""What takes long says so, and what does not is not interrupted by it."""

import time

from skills_nb.notebook.busy_notice import BusyNotice


def test_a_long_wait_asks_once():
    asked = []
    wait = BusyNotice(0.01, lambda: asked.append(1))
    time.sleep(0.2)
    wait.end()

    assert asked == [1]


def test_a_short_wait_asks_nothing():
    asked = []
    BusyNotice(0.2, lambda: asked.append(1)).end()
    time.sleep(0.3)

    assert asked == []


def test_a_command_without_a_thread_says_that_it_is_at_work(skill, shell, screen):
    settings = shell._skills_nb_magics.settings
    settings.ui, settings.progress_after_s = "widgets", 0.0
    skill("connect")
    running = [m["data"]["text/plain"] for m in screen.publisher.outputs]

    assert running[0].startswith("%skill connect — running")
    assert "interrupt stops it" in running[0]
    assert screen.texts[0].startswith("Account SKILLS_NB-EMBEDDED — connected")
    assert len(screen.outputs) == 1


def test_a_command_that_is_refused_does_not_stay_at_work(skill, shell, screen):
    settings = shell._skills_nb_magics.settings
    settings.ui, settings.progress_after_s = "widgets", 0.0
    shell.run_cell('%skill sql "SELECT * FROM NO_SUCH_TABLE"')

    assert screen.texts[0] == "It was not done."
