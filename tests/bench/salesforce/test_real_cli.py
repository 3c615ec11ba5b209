"""The real `sf` against a simulated org. Opt in: SKILLS_NB_SF names the folder that has `sf` and a
Node of 22.19 or newer (`npm install @salesforce/cli node@22`, then its `node_modules/.bin`)."""

import os
import subprocess
import threading
from dataclasses import replace

import pytest

from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce.readiness import is_simulated, readiness
from skills_nb.bench.salesforce.repository_measurement import measure_repository
from skills_nb.bench.scoring import State
from skills_nb.bench.tasks import load_tasks, shipped_tasks
from tests.bench.salesforce.simulated_org import ORG, serve

BIN = os.environ.get("SKILLS_NB_SF", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BIN, reason="SKILLS_NB_SF names no folder with the real `sf`"),
]


@pytest.fixture(scope="module")
def org(tmp_path_factory):
    """A simulated org that the real command line is logged in to, in a home of its own."""
    server = serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("SF_ACCESS_TOKEN", f"{ORG[:15]}!simulated")
        words = [
            "sf",
            "org",
            "login",
            "access-token",
            "--instance-url",
            f"http://127.0.0.1:{server.server_port}",
            "--alias",
            "sim",
            "--no-prompt",
        ]
        subprocess.run(words, check=True, capture_output=True)
        yield "sim"
    server.shutdown()
    server.server_close()


@pytest.fixture
def setting(org):
    return RunSetting(
        functional=True, salesforce="simulated", target_org=org, tasks_root=str(shipped_tasks())
    )


@pytest.fixture
def task():
    found = next(t for t in load_tasks("realistic").tasks if t.id == "apex-discount-behaviour-001")
    return replace(found, body=replace(found.body, apex_tests=("CalcTest",)))


def test_the_org_is_known_to_be_simulated(org, setting):
    assert is_simulated(org)
    found = {what: trouble for what, _, trouble in readiness(setting)}
    assert found == {"sf": "", "target org": ""}


def test_gold_goes_through_every_command(task, setting):
    card = measure_repository(task, task.body.gold, 1, setting)
    assert (card.deploy.state, card.tests.state, card.bulk.state) == 3 * (State.PASS,)
    # The org holds one account and nothing else.
    assert card.functional.reason == "main: 0 records, expected 1"


def test_what_the_org_refuses_fails(task, setting):
    made = (
        "--- /dev/null\n+++ b/force-app/main/default/classes/Broken.cls\n@@ -0,0 +1 @@\n"
        "+public class Broken { }\n"
        "--- /dev/null\n+++ b/force-app/main/default/classes/Broken.cls-meta.xml\n@@ -0,0 +1 @@\n"
        '+<ApexClass xmlns="http://soap.sforce.com/2006/04/metadata"/>\n'
    )
    card = measure_repository(task, made, 1, setting)
    assert card.deploy.reason == "Broken:2: cannot be compiled"
    assert card.verdict == "fail"
