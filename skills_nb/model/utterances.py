"""What people say, and which skill they mean: `utterances.md` beside a router.

Room: ground. A skill is a heading, `## playbooks/x`, and each sentence an item of the list under
it. Read by lines: no sentence is shown as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

FILE = "utterances.md"
_SKILL, _SENTENCE = "## ", "- "


def read_utterances(texts: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of these files by `{type}/{name}`, in the order of the files."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for _, skill, sentence in placed_utterances(text):
            found.setdefault(skill, []).append(sentence)
    return {skill: tuple(sentences) for skill, sentences in found.items()}


def placed_utterances(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line (1-based), skill and sentence; the skill is `""` before the first heading."""
    skill = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(_SKILL):
            skill = line.removeprefix(_SKILL).strip(" `")
        elif line.startswith(_SENTENCE):
            yield number, skill, line.removeprefix(_SENTENCE).strip()
