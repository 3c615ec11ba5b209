"""Where a thread waits: what is asked, what may be answered, and the command that answers it.

Room: laws (views). Severity is a word, a sign and a border, never a colour alone.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import in_words, sentence

if TYPE_CHECKING:
    from skills_nb.model.events import Option
    from skills_nb.model.state import Pause, PauseKind


@dataclass(frozen=True, slots=True)
class PausePanel:
    """An open pause."""

    kind: PauseKind
    """What is asked for."""
    at: str
    """Its name, by which an answer says what it is for."""
    tone: b.Tone
    """How urgent it is."""
    word: str
    """`REVIEW`, `CRITICAL`, `QUESTION`, …"""
    title: str
    """What the pause is about, in a few words."""
    text: str
    """What is asked."""
    warnings: tuple[str, ...]
    """What should be known before it is answered."""
    options: tuple[b.Choice, ...]
    """What may be answered, with the command for each."""
    phrase: str = ""
    """What has to be typed to approve."""
    answer: str = ""
    """The command that takes the proposal."""
    added: tuple[str, ...] = ()
    """Statements that would be sent and were not approved."""
    removed: tuple[str, ...] = ()
    """Statements that were approved and would not be sent."""


def pause_panel(pause: Pause, *, thread: str = "") -> PausePanel:
    """Return the panel of a pause.

    Args:
        pause: what waits.
        thread: the thread's name, for commands; empty: they go to the newest thread.
    """
    tone, word = _severity(pause)
    options = tuple(_choice(pause, option, thread) for option in pause.options)
    return PausePanel(
        kind=pause.kind,
        at=pause.at,
        tone=tone,
        word=word,
        title=title_of(pause),
        text=pause.present,
        warnings=pause.warnings,
        options=options,
        phrase=pause.phrase or "",
        answer=options[0].command if options else "",
        added=pause.added,
        removed=pause.removed,
    )


def _severity(pause: Pause) -> tuple[b.Tone, str]:
    match pause.kind:
        case "checkpoint":
            return pause.severity, pause.severity.upper()
        case "probe_checkpoint":
            return "review", "CONFIRM"
        case "plan_proposed":
            return "review", "PLAN"
        case "plan_rejected":
            return "critical", "PLAN REFUSED"
        case "dry_run_summary":
            return "info", "DRY RUN"
        case "error_escalated":
            return ("review", "NOT YET") if _has_no_plan(pause) else ("critical", "ERROR")
        case "cleanup_proposed":
            return "review", "CLEANUP"
        case "routing_ambiguous":
            return "review", "WHICH ONE?"
        case "input_question":
            return "info", "QUESTION"
        case "staleness_warning":
            return "review", "STALE"
        case _:
            assert_never(pause.kind)


def input_of(pause: Pause) -> str:
    """Return the name of the input that a question asks for, as a playbook writes it."""
    return pause.at.removeprefix("input:").partition("#")[0]


def title_of(pause: Pause) -> str:
    """Return what the pause is about, in a few words."""
    match pause.kind:
        case "checkpoint":
            where = "Before" if pause.is_before else "Checkpoint after"
            return f"{where} step {pause.step}"
        case "probe_checkpoint":
            return "Before anything starts"
        case "plan_proposed":
            return "A plan to approve"
        case "plan_rejected":
            return "The plan breaks a guardrail"
        case "dry_run_summary":
            return "What would happen"
        case "error_escalated":
            return _error_title(pause)
        case "cleanup_proposed":
            return "Take back what was done?"
        case "routing_ambiguous":
            return pause.present
        case "input_question":
            return sentence(in_words(input_of(pause)))
        case "staleness_warning":
            return "What this rests on was not reviewed for a long time"
        case _:
            assert_never(pause.kind)


def _error_title(pause: Pause) -> str:
    if pause.step:
        return f"Step {pause.step} failed"
    return "No plan for this yet" if _has_no_plan(pause) else "The probes block the start"


def _has_no_plan(pause: Pause) -> bool:
    return pause.at.partition("#")[0] == "error:plan"


def _choice(pause: Pause, option: Option, thread: str) -> b.Choice:
    return b.Choice(option.id, _described(pause, option), _answering(pause, option, thread))


def _described(pause: Pause, option: Option) -> str:
    if pause.kind == "input_question" and option.id == "other":
        why = option.description
        return f"Any other value. {why}" if why else "Any other value"
    return option.description


def _answering(pause: Pause, option: Option, thread: str) -> str:
    words = ["respond", shlex.quote(option.id), "--at", shlex.quote(pause.at)]
    words += option.confirmation
    if option.id == "modify":
        words += ["--set", "step_1=SQL" if pause.kind == "plan_proposed" else "INPUT=VALUE"]
    if option.id == "different-approach" and _has_no_plan(pause):
        words += ["--comment", "WORDS"]
    if option.id == "other" and pause.kind == "input_question":
        words += ["--set", f"{input_of(pause)}=VALUE"]
    if thread:
        words += ["--thread", shlex.quote(thread)]
    return " ".join(words)


def pause_blocks(panel: PausePanel, *, with_choices: bool) -> list[b.Block]:
    """Return the blocks of a pause.

    Args:
        panel: the pause.
        with_choices: whether the options are listed; buttons beside it make that needless.
    """
    is_said = panel.text in ("", panel.title)
    text = panel.title if is_said else f"{panel.title}\n{panel.text}"
    is_error = panel.kind == "error_escalated" and panel.tone == "critical"
    blocks: list[b.Block] = [b.Notice(panel.tone, panel.word, text, is_alert=is_error)]
    blocks += b.warnings(panel.warnings)
    blocks += _changed(panel.added, "Not approved yet")
    blocks += _changed(panel.removed, "Approved, and not sent any more")
    if with_choices:
        blocks.append(b.Choices(panel.options))
    if panel.answer:
        is_open = panel.kind in ("input_question", "routing_ambiguous")
        answer = "answer with, for instance:" if is_open else "answer with:"
        lead = sentence(answer) if with_choices else f"Click below, or {answer}"
        blocks.append(b.Command(lead, panel.answer))
    return blocks


def _changed(statements: tuple[str, ...], title: str) -> list[b.Block]:
    """Return statements in the open: what differs from an approval is never folded."""
    if not statements:
        return []
    sql = "\n\n".join(f"{text.strip().rstrip(';')};" for text in statements)
    return [b.Fold(title, (b.Code(sql, is_sql=True),), is_open=True, in_text=True)]
