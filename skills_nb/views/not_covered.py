"""What an answer leaves out of what was said: wishes that it does not meet, and limits.

Room: laws (views).
"""

from __future__ import annotations

from skills_nb.views.sheets import blocks as b


def not_covered_notices(not_covered: tuple[str, ...], limits: tuple[str, ...]) -> list[b.Block]:
    """Return what a person should know of an answer that leaves something out."""
    told: list[b.Block] = []
    if not_covered:
        text = f"{'; '.join(not_covered)}. Say it as a goal of its own."
        told.append(b.Notice("review", "NOT COVERED", text))
    if limits:
        text = (
            f"{'; '.join(limits)}. Nothing enforces it: look at every statement before you approve."
        )
        told.append(b.Notice("review", "YOUR LIMITS", text))
    return told
