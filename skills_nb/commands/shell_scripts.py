"""The scripts that make Tab complete in a shell, and what they ask for.

Room: commands. A script knows nothing itself: it hands the words of the line over and takes the
answers, one a line, so it never grows old.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skills_nb.commands.completion import offers
from skills_nb.errors import SkillsError, UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext

QUESTION = "__complete"
"""The word that a script puts before a line which it wants completed."""
SCRIPTS = {
    "bash": r"""# skills-nb in bash. To have it in every shell:
#   echo 'source <(skills-nb completions bash)' >> ~/.bashrc
_skills_nb() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" __complete bash "${COMP_LINE:0:COMP_POINT}" \
    "${COMP_WORDS[COMP_CWORD]}" 2>/dev/null))
  # What ends so is not finished: its value, or what is in the folder, follows at once.
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]] && compopt -o nospace
  return 0
}
complete -F _skills_nb skills-nb
""",
    "zsh": r"""#compdef skills-nb
# skills-nb in zsh. To have it in every shell:
#   echo 'source <(skills-nb completions zsh)' >> ~/.zshrc
_skills_nb() {
  local -a found open
  found=(${(f)"$("${words[1]}" __complete words "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  # What ends so is not finished: its value, or what is in the folder, follows at once.
  open=(${(M)found:#*[=/]})
  (( ${#open} )) && compadd -S '' -- $open
  compadd -- ${found:#*[=/]}
}
if whence compdef > /dev/null; then
  compdef _skills_nb skills-nb
else
  autoload -Uz compinit && compinit && compdef _skills_nb skills-nb
fi
""",
    "fish": r"""# skills-nb in fish. To have it in every shell:
#   skills-nb completions fish > ~/.config/fish/completions/skills-nb.fish
function __skills_nb
    set -l words (commandline -opc)
    $words[1] __complete words $words[2..-1] (commandline -ct | string unescape) 2>/dev/null
end
complete -c skills-nb -f -a '(__skills_nb)'
""",
}
"""By shell."""


def script_of(shell: str) -> str:
    """Return the script of a shell.

    Raises:
        UsageError: there is none for it.
    """
    if shell not in SCRIPTS:
        raise UsageError(f"no completions for '{shell}'", hint="one of: " + ", ".join(SCRIPTS))
    return SCRIPTS[shell]


def answers(asked: Sequence[str], app: AppContext) -> list[str]:
    """Return what may stand at the end of a line, as a script asked for it.

    Args:
        asked: `words` and the words of the line, the one being typed last; or `bash`, the line as
            far as it is typed, and what bash takes for its last word.
        app: knows threads and skills.
    """
    kind, *rest = asked or ["words"]
    if kind == "bash" and len(rest) == 2:
        return _for_bash(rest[0], rest[1], app)
    return _fitting(rest[:-1], rest[-1] if rest else "", app)


def _fitting(before: Sequence[str], fragment: str, app: AppContext) -> list[str]:
    # No place to complain: the command itself will say what is wrong.
    with contextlib.suppress(SkillsError):
        names = offers(before, fragment, lambda: app)
        return [name for name in dict.fromkeys(names) if name.startswith(fragment)]
    return []


def _for_bash(line: str, last: str, app: AppContext) -> list[str]:
    words = _split(line)
    if words is None:
        return []
    fragment = "" if line[-1:].isspace() else words.pop()
    # Bash begins a word anew at each of these signs, and replaces from there.
    typed = "" if last in ("=", ":", "") else last
    kept = len(fragment) - len(typed) if fragment.endswith(typed) else 0
    return [shlex.quote(name[kept:]) for name in _fitting(words[1:], fragment, app) if name[kept:]]


def _split(line: str) -> list[str] | None:
    """Return the words of a line; None where a quote is still open around blanks."""
    for closing in ("", '"', "'"):
        with contextlib.suppress(ValueError):
            return shlex.split(line + closing)
    return None
