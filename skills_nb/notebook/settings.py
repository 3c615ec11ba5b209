"""`%config SkillsNB`: what a person may set.

Room: doors (notebook).
"""

from __future__ import annotations

from traitlets import Enum, Float, Unicode
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
