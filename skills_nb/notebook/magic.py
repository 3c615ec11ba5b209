"""`%skill` and `%%skill`.

Room: doors (notebook).
"""

from __future__ import annotations

import re
from typing import Any

from IPython.core.magic import Magics, cell_magic, line_cell_magic, magics_class, no_var_expand

from skills_nb.notebook.completion import matcher
from skills_nb.notebook.door import Door, refuse_cell
from skills_nb.notebook.settings import SkillsNB

_INTO = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)\s*<<)?(?P<options>.*)")
_QUESTION = re.compile(r"%skill (?P<line>.*\?)\s*\n?")


def keep_questions(lines: list[str]) -> list[str]:
    """Keep a question whole: IPython would take its last sign for a request for help.

    An input transformer; a line of its own that is `%skill …?` becomes the call that it means.
    """
    return [_called(line) for line in lines]


def _called(line: str) -> str:
    found = _QUESTION.fullmatch(line)
    if found is None or not found["line"].strip(" ?"):
        return line
    return f"get_ipython().run_line_magic('skill', {found['line']!r})\n"


@magics_class
class SkillMagics(Magics):  # type: ignore[misc]
    """The one magic of this package."""

    def __init__(self, shell: Any) -> None:
        """Make the door of this shell; nothing is opened."""
        super().__init__(shell)
        self.settings = SkillsNB(parent=shell)
        self.door = Door(shell, self.settings)
        self._matcher = matcher(lambda: self.door.app)

    # Without it IPython would rewrite {x} and $x inside people's words and SQL.
    @no_var_expand  # type: ignore[untyped-decorator]
    @line_cell_magic  # type: ignore[untyped-decorator]
    def skill(self, line: str, cell: str | None = None) -> Any:
        """Say what you want from Snowflake, see what would happen, approve it step by step.

        %skill --help lists the commands, %skill COMMAND --help explains one.
        """
        if cell is not None:
            refuse_cell(line.strip())
        return self.door.run(line or "--help", cell)

    @no_var_expand  # type: ignore[untyped-decorator]
    @cell_magic  # type: ignore[untyped-decorator]
    def sql(self, line: str, cell: str) -> Any:
        """Ask the account one query; its rows are a DataFrame, and `_` holds the last.

        %%sql [NAME <<] [--role ROLE]
        """
        found = _INTO.fullmatch(line)
        assert found is not None, "it matches any line"
        value = self.door.ask(found["options"].strip(), cell, is_kept=bool(found["name"]))
        if not found["name"]:
            return value
        self.shell.user_ns[found["name"]] = value
        return None

    def attach(self) -> None:
        """Offer settings to `%config` and names to Tab."""
        self.shell.configurables.append(self.settings)
        self.settings.observe(self._reopen, ["home", "library"])
        completer = getattr(self.shell, "Completer", None)
        if completer is not None:
            completer.custom_matchers.append(self._matcher)
        self.shell.input_transformers_cleanup.append(keep_questions)

    def detach(self) -> None:
        """Take all of it back, and release the account."""
        self.door.reset()
        self.settings.unobserve(self._reopen, ["home", "library"])
        for configurable in (self, self.settings):
            self.shell.configurables.remove(configurable)
        completer = getattr(self.shell, "Completer", None)
        if completer is not None and self._matcher in completer.custom_matchers:
            completer.custom_matchers.remove(self._matcher)
        if keep_questions in self.shell.input_transformers_cleanup:
            self.shell.input_transformers_cleanup.remove(keep_questions)
        del self.shell.magics_manager.magics["line"]["skill"]
        cells = self.shell.magics_manager.magics["cell"]
        del cells["skill"]
        if getattr(cells.get("sql"), "__self__", None) is self:
            del cells["sql"]

    def _reopen(self, change: Any) -> None:
        self.door.reset()
