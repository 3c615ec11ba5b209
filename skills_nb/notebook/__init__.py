"""The notebook's door: `%skill`, `%%skill`, and checkpoints that do not block.

Room: doors. It parses a line, makes one call, shows one view; it knows commands and views, and
what a kernel and a front end can do. Loading it loads nothing heavy: ipywidgets, the library and
the account come with the first command that needs them.
"""

from __future__ import annotations

import sys
from typing import Any

_EXTENSION = "_skills_nb_magics"
_THEIRS = "%%sql is another extension's here and stays so; %%skill sql asks the same.\n"


def load_ipython_extension(shell: Any) -> None:
    """Register the magic, its completions and its settings; once per shell."""
    from skills_nb.notebook.magic import SkillMagics

    if hasattr(shell, _EXTENSION):
        return
    magics = SkillMagics(shell)
    setattr(shell, _EXTENSION, magics)
    theirs = shell.magics_manager.magics["cell"].get("sql")
    shell.register_magics(magics)
    if theirs is not None:
        shell.magics_manager.magics["cell"]["sql"] = theirs
        sys.stdout.write(_THEIRS)
    magics.attach()


def unload_ipython_extension(shell: Any) -> None:
    """Take everything away again: buttons close, the account is released."""
    magics = getattr(shell, _EXTENSION, None)
    if magics is None:
        return
    magics.detach()
    delattr(shell, _EXTENSION)
