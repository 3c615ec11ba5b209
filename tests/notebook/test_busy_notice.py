"""What takes long says so, and what does not is not interrupted by it."""

import json
import subprocess
import sys
import time

import pytest

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


_DRAWN = """
import json, sys, threading
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.display_pub = CapturingDisplayPublisher()
shell.run_line_magic("load_ext", "skills_nb")
magics = shell._skills_nb_magics
magics.settings.home, magics.settings.ui = sys.argv[1], "widgets"
magics.settings.progress_after_s = 3600.0
from skills_nb.notebook.cell_view import CellView

threads = magics.door.threads
view = CellView(threads, lambda words: None, "%skill run x")
view.begin()
imported = {}

def draw(name):
    before = set(sys.modules)
    drawing = threading.Thread(target=view._draw_work)
    drawing.start()
    drawing.join()
    imported[name] = sorted(set(sys.modules) - before)

draw("at first")
view._newest = threads.app.wiring.conductor.load("t")
draw("with a thread")
view.end()
print(json.dumps([imported, len(shell.display_pub.outputs)]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("home", ["at_review"], indirect=True)
def test_what_shows_work_on_a_second_thread_imports_nothing_there(home):
    """Two threads that import at the same time may get modules that are not complete."""
    done = subprocess.run(
        [sys.executable, "-c", _DRAWN, str(home)], capture_output=True, text=True, check=True
    )
    imported, shown = json.loads(done.stdout.splitlines()[-1])
    assert imported == {"at first": [], "with a thread": []}
    assert shown
