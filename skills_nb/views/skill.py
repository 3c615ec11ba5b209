"""A skill's page, and what a library holds.

Room: laws (views).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.markdown import blocks_of
from skills_nb.views.sheets.phrasing import plural

if TYPE_CHECKING:
    from skills_nb.model.library import Library
    from skills_nb.model.routers import Router
    from skills_nb.model.skills import Playbook, Primitive


@dataclass(frozen=True, slots=True)
class SkillPage:
    """One skill, section by section."""

    ref: str
    """As `playbooks/x`."""
    title: str
    """The heading of its file."""
    description: str
    """One line on what it is."""
    sections: tuple[tuple[str, str], ...]
    """(title, Markdown), in file order."""
    docs: tuple[str, ...] = ()
    """Where Snowflake documents it."""
    reviewed: str = ""
    """The day of its last review, as an ISO date; empty where none is said."""
    can_run: bool = False
    """Whether it is a playbook."""
    more: tuple[str, ...] = ()
    """Sections that are left out, where one answers the question."""


@dataclass(frozen=True, slots=True)
class LibraryList:
    """Domains and their skills."""

    version: str
    """The library's."""
    domains: tuple[tuple[str, str, tuple[str, ...]], ...]
    """(name, description, refs of its playbooks and primitives)."""


def skill_page(skill: Primitive | Playbook | Router, section: str | None = None) -> SkillPage:
    """Return the page of a skill, or of it the one section that answers a question."""
    shown = {title: text for title, text in skill.sections.items() if section in (None, title)}
    return SkillPage(
        ref=skill.ref,
        title=skill.title,
        description=skill.description,
        sections=tuple(shown.items()),
        docs=tuple(getattr(skill, "sources", ())),
        reviewed=str(getattr(skill, "last_reviewed", None) or ""),
        can_run=skill.ref.startswith("playbooks/"),
        more=tuple(title for title in skill.sections if title not in shown),
    )


def library_list(library: Library) -> LibraryList:
    """Return what a library holds, by domain."""
    entries = [entry for entry in library.index.values() if entry.kind != "routers"]
    return LibraryList(
        f"{library.version}",
        tuple(
            (name, domain.description, tuple(e.ref for e in entries if e.domain == name))
            for name, domain in library.meta.domains.items()
        ),
    )


def lay_out_skill(view: SkillPage) -> b.Sheet:
    """Return the blocks of a skill's page; its first section is open."""
    lead = (b.Paragraph(view.description),) if view.description else ()
    folds = tuple(
        b.Fold(title, blocks_of(text), is_open=position == 0, in_text=True)
        for position, (title, text) in enumerate(view.sections)
        if text.strip()
    )
    foot: list[b.Block] = [b.Command("Run it:", f"run {view.ref}")] if view.can_run else []
    if view.more:
        foot.append(b.Command(f"Also there: {', '.join(view.more)}", f"show {view.ref}"))
    if view.docs:
        foot.append(b.Paragraph("Snowflake's manual: " + " · ".join(view.docs), is_muted=True))
    return b.Sheet(view.title, view.ref, "info", blocks=(*lead, *folds, *foot))


def lay_out_library(view: LibraryList) -> b.Sheet:
    """Return the blocks of a library."""
    count = sum(len(refs) for _, _, refs in view.domains)
    folds = tuple(_domain(*domain) for domain in view.domains if domain[2])
    empty = [name for name, _, refs in view.domains if not refs]
    note = (b.Paragraph(f"Without skills yet: {', '.join(empty)}", is_muted=True),) if empty else ()
    first = b.Command("Read one:", "show primitives/masking-policies")
    title = f"Library {view.version}"
    return b.Sheet(title, plural(count, "skill"), "info", blocks=(*folds, *note, first))


def _domain(name: str, description: str, refs: tuple[str, ...]) -> b.Fold:
    said = (b.Paragraph(description),) if description else ()
    summary = f"{name}: {plural(len(refs), 'skill')}"
    return b.Fold(summary, (*said, b.Bullets(refs)), is_open=True, in_text=True)
