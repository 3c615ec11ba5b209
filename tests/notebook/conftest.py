import shutil

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from skills_nb.commands import App
from skills_nb.notebook import load_ipython_extension, unload_ipython_extension

SCOPE = "PROD.CUSTOMER_DATA"
PLAYBOOK = f"playbooks/secure-sensitive-data --input target_scope={SCOPE}"
PHRASE = f"protect {SCOPE}"


@pytest.fixture(scope="session")
def seeded(tmp_path_factory):
    """A home whose demo account is made once; tests work on copies of it."""
    home = tmp_path_factory.mktemp("seeded") / "home"
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


def _played(source, folder, *lines):
    """A copy of a home in which some commands were given; made once, worked on in copies."""
    home = shutil.copytree(source, folder / "home")
    app = App(home)
    for words in lines:
        app.invoke(words)
    app.close()
    return home


@pytest.fixture(scope="session")
def at_review(seeded, tmp_path_factory):
    """Thread `t` waits at the review checkpoint of step 5."""
    return _played(
        seeded, tmp_path_factory.mktemp("review"), ["run", *PLAYBOOK.split(), "--thread", "t"]
    )


@pytest.fixture(scope="session")
def at_critical(at_review, tmp_path_factory):
    """Thread `t` waits at the critical checkpoint of step 8."""
    return _played(at_review, tmp_path_factory.mktemp("critical"), ["approve", "--at", "5"])


@pytest.fixture(scope="session")
def at_verdict(at_critical, tmp_path_factory):
    """Thread `t` waits at the review checkpoint of step 13, before an info checkpoint."""
    approve = ["approve", "--at", "8", "--phrase", PHRASE]
    return _played(at_critical, tmp_path_factory.mktemp("verdict"), approve)


@pytest.fixture
def home(request, tmp_path):
    """A home to work on; `@pytest.mark.parametrize("home", ["at_…"], indirect=True)` says which."""
    source = request.getfixturevalue(getattr(request, "param", "seeded"))
    return shutil.copytree(source, tmp_path / "home")


class Screen:
    """What a front end would show: the outputs in order, updates put where they belong."""

    def __init__(self):
        self.publisher = CapturingDisplayPublisher()

    @property
    def outputs(self):
        shown, places = [], {}
        for message in self.publisher.outputs:
            place = (message.get("transient") or {}).get("display_id")
            if message.get("update") and place in places:
                shown[places[place]] = message["data"]
            else:
                places.setdefault(place, len(shown))
                shown.append(message["data"])
        return shown

    @property
    def texts(self):
        return [output["text/plain"] for output in self.outputs]

    @property
    def updates(self):
        return sum(bool(message.get("update")) for message in self.publisher.outputs)


@pytest.fixture
def screen():
    return Screen()


@pytest.fixture
def shell(screen, home):
    """A real IPython shell with the extension loaded on a home of its own."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.display_pub = screen.publisher
    load_ipython_extension(shell)
    shell._skills_nb_magics.settings.home = str(home)
    yield shell
    unload_ipython_extension(shell)
    InteractiveShell.clear_instance()


@pytest.fixture
def skill(shell):
    """Run `%skill LINE` as a cell would."""
    return lambda line: shell.run_line_magic("skill", line)


@pytest.fixture
def door(shell):
    return shell._skills_nb_magics.door
