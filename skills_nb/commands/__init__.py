"""The verbs of the one grammar: parse, make one call, return a value that a view can show.

Room: commands. The three doors (`notebook`, `cli`, `mcp`) construct an `App` and invoke it; they
know nothing below. Importing this costs nothing heavy: each verb loads what it needs.
"""

from skills_nb.commands.app import App
from skills_nb.commands.reply import Reply

__all__ = ["App", "Reply"]
