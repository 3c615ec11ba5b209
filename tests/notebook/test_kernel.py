"""Real kernels: headless as CI runs them, and with a click sent over the protocol."""

import json
import time

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

PLAYBOOK = "playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA"
at_review = pytest.mark.parametrize("home", ["at_review"], indirect=True)
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*Kernel is running over TCP"),
]


def notebook(home, *cells):
    opening = f"%load_ext skills_nb\n%config SkillsNB.home = {str(home)!r}"
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(source) for source in (opening, *cells)]
    return made


def run(home, *cells):
    made = notebook(home, *cells)
    NotebookClient(made, timeout=120, kernel_name="python3").execute()
    return made


@pytest.mark.slow
@at_review
def test_headless_notebook_is_driven_by_commands_and_saves_no_widget(home):
    made = run(home, "%skill status t", "%skill respond approve --at 5", "%skill abort --at 8")

    assert [len(cell.outputs) for cell in made.cells] == [0, 1, 1, 1]
    assert "widgets" not in made.metadata
    # The style of a card names widgets; an output that is one has a type of its own.
    assert "widget-view" not in json.dumps([cell.outputs for cell in made.cells])
    nbformat.validate(made)


@pytest.mark.slow
@at_review
def test_require_stops_what_depends_on_it(home):
    with pytest.raises(CellExecutionError) as stopped:
        run(home, "%skill require t", "print('must not run')")

    assert "PendingError: thread 't' is paused at '5'" in str(stopped.value)
    assert "%skill respond approve --at 5" in str(stopped.value)
    assert "Traceback" not in str(stopped.value)


@pytest.mark.slow
@pytest.mark.parametrize("has_subshell", [False, True], ids=["main thread", "subshell"])
@at_review
def test_click_over_the_protocol_is_an_answer(home, has_subshell):
    made = notebook(
        home,
        "%config SkillsNB.ui = 'widgets'\n%skill resume t",
        "store = get_ipython()._skills_nb_magics.door.app.wiring.store\n"
        "print([(e.at, e.choice) for e in store.load('t') if e.type == 'human_response'])",
    )
    client = NotebookClient(made, timeout=120, kernel_name="python3")
    with client.setup_kernel():
        for index in (0, 1):
            client.execute_cell(made.cells[index], index)
        _click(client, "Approve", _subshell(client) if has_subshell else None)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            made.cells[2].outputs = []
            client.execute_cell(made.cells[2], 2)
            if "approve" in made.cells[2].outputs[0].text:
                break
            time.sleep(0.3)

    assert made.cells[2].outputs[0].text == "[('5', 'approve')]\n"


def _subshell(client):
    from jupyter_core.utils import run_sync

    channel = client.kc.control_channel
    channel.send(client.kc.session.msg("create_subshell_request", {}))
    return run_sync(channel.get_msg)(timeout=10)["content"]["subshell_id"]


def _click(client, description, subshell):
    button = next(
        key for key, state in client.widget_state.items() if state.get("description") == description
    )
    pressed = {"method": "update", "state": {"value": True}, "buffer_paths": []}
    content = {"comm_id": button, "data": pressed}
    message = client.kc.session.msg("comm_msg", content)
    if subshell:
        message["header"]["subshell_id"] = subshell
    client.kc.shell_channel.send(message)
