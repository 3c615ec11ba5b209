"""The answer of routing: what was meant, as a target with a mode, a chain, or a question.

Room: routing. Pure and deterministic: the same intent and library give the same route anywhere.
Spec: Agent Traversal > Three routing modes, Cross-domain execution.
"""

from __future__ import annotations

from skills_nb.model.library import Library
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.routing.chains import Phase, find_phases, in_order
from skills_nb.routing.evidence import evidence_of
from skills_nb.routing.hearing import hear
from skills_nb.routing.precaution import dry_run_reason
from skills_nb.routing.ranking import Ranked, confidence, rank
from skills_nb.routing.scope import out_of_scope


def resolve(intent: str, library: Library) -> Route:
    """Return where an intent leads in a library, with the reasons."""
    evidence = evidence_of(library)
    heard = hear(intent, evidence)
    ranked = rank(heard, evidence)
    sure = confidence(heard, ranked)
    if reason := out_of_scope(heard, ranked, evidence):
        return _question(ranked, 0.0, reason)
    if sure < library.meta.confidence_threshold:
        return _question(ranked, sure, "Too little of this names anything that the library covers.")
    phases = in_order(find_phases(heard, ranked, evidence), library.meta.domains)
    if len(phases) > 1:
        return _chain(intent, phases, sure, library)
    best = ranked[0]
    return Route(
        mode=best.mode,
        domains=(best.domain,),
        targets=(best.ref,),
        confidence=sure,
        modes=(best.mode,),
        alternatives=_candidates(ranked[1:4], sure),
        why=(f"{best.ref}: {', '.join(best.because)}", heard.manner),
        suggest_dry_run=dry_run_reason(intent, (best.mode,)),
    )


def _chain(intent: str, phases: tuple[Phase, ...], sure: float, library: Library) -> Route:
    modes = tuple(phase.best.mode for phase in phases)
    return Route(
        mode="chain",
        domains=tuple(phase.domain for phase in phases),
        targets=tuple(phase.best.ref for phase in phases),
        confidence=sure,
        modes=modes,
        why=tuple(f"{phase.best.ref}: {', '.join(phase.best.because)}" for phase in phases),
        suggest_dry_run=dry_run_reason(intent, modes),
    )


def _question(ranked: tuple[Ranked, ...], sure: float, reason: str) -> Route:
    nearest = ranked[:3]
    options = [ClarifyOption(each.ref, each.description, each.ref, each.mode) for each in nearest]
    options.append(ClarifyOption("none-of-these", "None of these: say the goal in other words"))
    options.append(ClarifyOption("abort", "Stop here; nothing has been changed"))
    return Route(
        mode="clarify",
        domains=(),
        targets=(),
        confidence=sure,
        alternatives=_candidates(nearest, sure),
        options=tuple(options),
        why=(reason,),
    )


def _candidates(ranked: tuple[Ranked, ...], sure: float) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(each.ref, each.mode, each.domain, sure * each.share, each.description)
        for each in ranked
    )
