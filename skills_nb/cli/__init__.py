"""The terminal's door: parse, make one call, show one view; ask where somebody can answer.

Room: doors. Only here are rich and prompt_toolkit known.
"""

from skills_nb.cli.terminal import main

__all__ = ["main"]
