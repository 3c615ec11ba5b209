"""`%config SkillsNB`: what a person may set.

Room: doors (notebook).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from traitlets import Enum, Float, Unicode, validate
from traitlets.config import Configurable


class SkillsNB(Configurable):  # type: ignore[misc]
    """Settings of `%skill`."""

    home = Unicode(
        "", help="Folder of threads and the embedded account; empty: .skills, or SKILLS_NB_HOME."
    ).tag(config=True)
    library = Unicode("", help="Folder of the library; empty: the one that is shipped.").tag(
        config=True
    )
    auto_proceed_s = Float(
        3.0, min=0.0, help="Seconds that an info checkpoint waits before it goes on by itself."
    ).tag(config=True)
    progress_after_s = Float(
        0.5, min=0.0, help="Seconds after which a command shows how far it is."
    ).tag(config=True)
    ui = Enum(
        ("auto", "widgets", "plain"),
        "auto",
        help="Buttons where somebody can click them (auto), always (widgets), never (plain).",
    ).tag(config=True)

    @validate("home")  # type: ignore[untyped-decorator]
    def _whole(self, proposal: Any) -> str:
        """Keep a folder as it stands when it is named.

        A notebook that changes its directory first and names `.skills` then, as one that is run a
        second time does, means another folder than before.
        """
        return str(Path(proposal["value"]).expanduser().absolute()) if proposal["value"] else ""
