"""Plays the cells of a tutorial on a named connection, with a line that may break.

The account is served over HTTP by its home folder, as another process would; the commands of the
notebook reach it by a name of Snowflake's own `connections.toml`, through a `FaultyWay`.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import nbformat
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from skills_nb.commands import App
from skills_nb.notebook import unload_ipython_extension
from tests.runtime.faulty import FAULTS, FaultyWay

FOLDER = Path(__file__).parents[2] / "notebooks"
_OWN_ACCOUNT = "08-connect-a-real-account.ipynb"
"""Serves an account itself, because it teaches how to name one."""
_ENDS = {"statement_completed", "statement_failed"}
_PASSING = {"statement_submitted", "statement_lost", "thread_taken_over"}
"""Events that a broken line may add, or leave out."""


class Played:
    """A tutorial that ran to its end, and what it left in the account and on its threads."""

    def __init__(self, name: str, seeded: Path, folder: Path, patch, *, broken: bool) -> None:
        self._name, self._seeded, self._folder, self._patch = name, seeded, folder, patch
        self._broken = broken
        self._server: App | None = None
        self._way: FaultyWay | None = None
        self.met: list[tuple[str, str]] = []
        """Faults that happened, and on which statement."""
        # A tutorial works in a new folder: here one that is known before it begins.
        patch.setattr("tempfile.mkdtemp", self._new_folder)
        patch.chdir(folder)
        InteractiveShell.clear_instance()
        self._shell = InteractiveShell.instance()
        self._shell.display_pub = CapturingDisplayPublisher()
        try:
            self._play()
        finally:
            self._leave()

    def _new_folder(self, suffix=None, prefix=None, dir=None) -> str:
        made = self._folder / (prefix or "other").strip("-")
        made.mkdir(exist_ok=True)
        return str(made)

    def _play(self) -> None:
        cells = nbformat.read(FOLDER / self._name, as_version=4).cells
        code = [cell for cell in cells if cell.cell_type == "code"]
        if self._name != _OWN_ACCOUNT:
            account = self._folder / "skills-nb" / ".skills"
            shutil.copytree(self._seeded, account)
            self._break_the_line(App(account))
            self._patch.setenv("SKILLS_NB_CONNECTION", "embedded")
        for cell in code:
            if "stand_in.close()" in cell.source:
                break
            result = self._shell.run_cell(cell.source)
            if "raises-exception" not in cell.metadata.get("tags", ()):
                result.raise_error()
            if "stand_in" in self._shell.user_ns and self._way is None:
                self._break_the_line(self._shell.user_ns["stand_in"])
        self._note()

    def _break_the_line(self, server: App) -> None:
        """Serve an account, and put the way that breaks before it, under the name `embedded`."""
        self._server = server
        told = server.invoke(["account", "address"]).document
        self._way = FaultyWay(told["port"], _Plan() if self._broken else lambda *_: None)
        text = Path(told["connections"]).read_text(encoding="utf-8")
        text = text.replace(f"port = {told['port']}", f"port = {self._way.server_port}")
        text += "disable_ocsp_checks = true\nnetwork_timeout = 10\nlogin_timeout = 10\n"
        names = self._folder / "snowflake"
        names.mkdir()
        (names / "connections.toml").write_text(text, encoding="utf-8")
        (names / "connections.toml").chmod(0o600)
        self._patch.setenv("SNOWFLAKE_HOME", str(names))
        self._patch.setenv("NO_PROXY", "127.0.0.1")

    def _note(self) -> None:
        assert self._way is not None
        assert self._server is not None
        self.met, self._way.plan = list(self._way.met), lambda *_: None
        app = App(Path(self._shell._skills_nb_magics.settings.home).absolute())
        threads = [row["thread_id"] for row in app.invoke(["threads"]).document]
        self.events = {name: app.invoke(["show", name]).document["events"] for name in threads}
        app.close()
        self.history = _history(self._server)

    def _leave(self) -> None:
        if "_skills_nb_magics" in vars(self._shell):
            unload_ipython_extension(self._shell)
        InteractiveShell.clear_instance()
        if self._way is not None:
            self._way.close()
        if self._server is not None:
            self._server.close()

    def story(self) -> dict[str, list[tuple[str, ...]]]:
        """Return what happened on each thread, without what a broken line may add to it."""
        return {name: _story(events) for name, events in self.events.items()}

    def statements(self) -> Counter[tuple[str, str]]:
        """Return how often each of the threads' statements succeeded: thread and text."""
        tags = {f"{name}:" for name in self.events}
        return Counter(
            (tag.partition(":")[0], _MOMENT.sub("…", text))
            for tag, text, status in self.history
            if status == "SUCCESS" and f"{tag.partition(':')[0]}:" in tags and "again" not in tag
        )

    def tags(self) -> Counter[str]:
        """Return how often a statement of each tag succeeded.

        What brings the session back to the thread's place is sent as often as somebody left it.
        """
        return Counter(
            tag
            for tag, _, status in self.history
            if status == "SUCCESS" and not tag.endswith(":0:again")
        )


class _Plan:
    """Breaks the line over every third statement that is new, and over every 31st request."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._fault = 0

    def __call__(self, number: int, path: str, text: str) -> str | None:
        is_new = bool(text) and text not in self._seen
        self._seen.add(text)
        if not (is_new and len(self._seen) % 3 == 0) and number % 31:
            return None
        self._fault += 1
        return FAULTS[self._fault % len(FAULTS)]


def _history(server: App) -> list[tuple[str, str, str]]:
    sql = (
        "SELECT QUERY_TAG, QUERY_TEXT, EXECUTION_STATUS FROM TABLE("
        "PROD.INFORMATION_SCHEMA.QUERY_HISTORY(RESULT_LIMIT => 10000)) WHERE QUERY_TAG <> ''"
    )
    found = server.wiring.session.query(sql)
    assert found.row_count < 10_000
    return [tuple(map(str, row)) for row in found.rows]


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*")
"""What a query says of when something was done, which two runs do at different times."""


def _story(events) -> list[tuple[str, ...]]:
    lost = {e["effect_key"] for e in events if e["type"] == "statement_lost"}
    kept = [e for e in events if e["type"] not in _PASSING]
    return [
        (
            e["type"],
            str(e.get("step") or e.get("at") or ""),
            _MOMENT.sub("…", str(e.get("sql") or e.get("query") or "")),
            str(e["actor"]),
        )
        for e in kept
        if not (e["type"] == "statement_started" and e["effect_key"] in lost)
    ]


def open_intents(events) -> list[str]:
    """Return the statements that were begun once and have not one outcome."""
    begun = Counter(e["effect_key"] for e in events if e["type"] == "statement_started")
    ends = _ENDS | {"statement_lost"}
    ended = Counter(e["effect_key"] for e in events if e["type"] in ends)
    return sorted(key for key in begun | ended if (begun[key], ended[key]) != (1, 1))
