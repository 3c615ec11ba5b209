"""The answer of routing: what was meant, as a target with a mode, a chain, or a question.

Room: routing. Pure and deterministic: the same intent and library give the same route anywhere.
Spec: Agent Traversal > Three routing modes, Cross-domain execution.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.model.library import Library
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.routing.chains import Phase, find_phases, in_order
from skills_nb.routing.evidence import Evidence, evidence_of
from skills_nb.routing.hearing import Heard, hear
from skills_nb.routing.precaution import dry_run_reason
from skills_nb.routing.ranking import Ranked, rank
from skills_nb.routing.reasons import order_reason, why
from skills_nb.routing.scope import out_of_scope

_OTHERS = 3
"""How many alternatives an answer names, and a question offers."""


def resolve(intent: str, library: Library) -> Route:
    """Return where an intent leads in a library, with the reasons.

    Spec: Architecture > The Skill DAG (meta-router).
    """
    evidence = evidence_of(library)
    heard = hear(intent, evidence)
    ranked = rank(heard, evidence)
    phases = find_phases(heard, ranked, evidence, library.meta.domains) if ranked else ()
    outside = out_of_scope(heard, ranked, evidence, [phase.best for phase in phases])
    if outside or not ranked:
        return _question((), 0.0, outside or "None of these words means anything to the library.")
    if len(phases) > 1:
        return _chain(heard, in_order(phases, library.meta.domains), evidence)
    doubt = _doubt(heard, ranked, library)
    if doubt:
        return _question(ranked[:_OTHERS], ranked[0].confidence, doubt)
    return _single(heard, ranked, evidence)


def _doubt(heard: Heard, ranked: Sequence[Ranked], library: Library) -> str:
    """Return why to ask instead of answering, or an empty string."""
    best = ranked[0]
    if not heard.speech.says_what:
        return "This does not say what it is about."
    if len(ranked) > 1 and best.confidence - ranked[1].confidence < (
        library.meta.ambiguity_threshold * best.confidence
    ):
        return f"'{best.ref}' and '{ranked[1].ref}' fit about equally well."
    if best.confidence < library.meta.confidence_threshold:
        return "Too little of this names anything that the library covers."
    return ""


def _single(heard: Heard, ranked: Sequence[Ranked], evidence: Evidence) -> Route:
    best = ranked[0]
    return Route(
        mode=best.mode,
        domains=(best.domain,),
        targets=(best.ref,),
        confidence=best.confidence,
        modes=(best.mode,),
        alternatives=_candidates(ranked[1 : 1 + _OTHERS]),
        why=why(heard, best, evidence),
        suggest_dry_run=dry_run_reason(heard.text, (best.mode,)),
    )


def _chain(heard: Heard, phases: Sequence[Phase], evidence: Evidence) -> Route:
    modes = tuple(phase.best.mode for phase in phases)
    return Route(
        mode="chain",
        domains=tuple(phase.domain for phase in phases),
        targets=tuple(phase.best.ref for phase in phases),
        confidence=min(phase.best.confidence for phase in phases),
        modes=modes,
        why=(
            f"There are {len(phases)} wishes in different domains. {order_reason(phases)}",
            *(line for phase in phases for line in why(heard, phase.best, evidence)[:1]),
        ),
        suggest_dry_run=dry_run_reason(heard.text, modes),
    )


def _question(nearest: Sequence[Ranked], confidence: float, reason: str) -> Route:
    options = [ClarifyOption(each.ref, each.description, each.ref, each.mode) for each in nearest]
    options.append(ClarifyOption("none-of-these", "None of these: say the goal in other words"))
    options.append(ClarifyOption("abort", "Stop here; nothing has been changed"))
    return Route(
        mode="clarify",
        domains=(),
        targets=(),
        confidence=confidence,
        alternatives=_candidates(nearest),
        options=tuple(options),
        why=(reason,),
    )


def _candidates(ranked: Sequence[Ranked]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(each.ref, each.mode, each.domain, each.confidence, each.description)
        for each in ranked
    )
