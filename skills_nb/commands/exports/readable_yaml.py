"""YAML that people read: SQL in its own lines, and every character of it seen.

Room: commands. What a screen would not show stands as an escape in double quotes, so that the text
reads back as it was.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from skills_nb.visible import is_visible, visible_page


def readable_yaml(document: Any) -> str:
    """Return a document as YAML."""
    import yaml

    told = yaml.dump(document, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=100)
    return visible_page(told)


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes texts of several lines as blocks, because SQL is to be read."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style_of(text))

    Dumper.add_representer(str, represent)
    return Dumper


def _style_of(text: str) -> str | None:
    lines = text.split("\n")
    if not all(map(is_visible, lines)):
        return '"'
    return "|" if len(lines) > 1 else None
