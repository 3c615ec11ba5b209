"""The answer of routing: what was meant, as a target with a mode, a chain, or a question.

Room: routing. Pure and deterministic: the same intent and library give the same route anywhere.
Spec: Agent Traversal > Three routing modes, Cross-domain execution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from skills_nb.model.library import Library
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.routing.chains import Phase, find_phases, in_order
from skills_nb.routing.coverage import coverage_of, said_apart
from skills_nb.routing.evidence import Evidence, evidence_of
from skills_nb.routing.ranking import RankedTarget, rank
from skills_nb.routing.reasons import dry_run_reason, order_reason, why
from skills_nb.routing.scope import out_of_scope
from skills_nb.routing.understanding import HeardIntent, hear

_OTHERS = 3
"""How many alternatives an answer names, and a question offers."""
_NEXT = 9
"""How many a question knows of, for who means none of those that it offers."""


def resolve(intent: str, library: Library) -> Route:
    """Return where an intent leads in a library, with the reasons.

    Spec: Architecture > The Skill DAG (meta-router).
    """
    evidence = evidence_of(library)
    heard = hear(intent, evidence)
    return replace(_resolved(heard, evidence, library), unheard=tuple(_unheard(heard, evidence)))


def _unheard(heard: HeardIntent, evidence: Evidence) -> Iterator[str]:
    """Yield the words that no text of the library has, misspelt ones of it left out."""
    for word in dict.fromkeys(heard.words):
        is_word = not (word.is_mark or word.is_function or word.is_name) and word.text.isalpha()
        if is_word and word.stem not in evidence.spelling.known:
            yield word.text


def _resolved(heard: HeardIntent, evidence: Evidence, library: Library) -> Route:
    ranked = rank(heard, evidence)
    phases = find_phases(heard, ranked, evidence, library.meta.domains) if ranked else ()
    outside = out_of_scope(heard, ranked, evidence, [phase.best for phase in phases])
    if outside or not ranked:
        return _question((), 0.0, outside or "None of these words means anything to the library.")
    if len(phases) > 1:
        ordered = in_order(phases, library.meta.domains)
        route = _chain(heard, ordered, evidence)
        return _with_limits(route, heard, [phase.best for phase in ordered], evidence)
    doubt = _doubt(heard, ranked, library)
    if doubt:
        question = _question(ranked[:_NEXT], ranked[0].confidence, doubt)
        return _with_limits_of_options(question, heard, ranked[:_OTHERS], evidence)
    return _with_limits(_single(heard, ranked, evidence), heard, ranked[:1], evidence)


def _with_limits(
    route: Route, heard: HeardIntent, chosen: Sequence[RankedTarget], evidence: Evidence
) -> Route:
    """Return a route with what it leaves out."""
    found = coverage_of(heard, chosen, evidence)
    return replace(route, not_covered=found.not_covered, limits=found.limits)


def _with_limits_of_options(
    route: Route, heard: HeardIntent, nearest: Sequence[RankedTarget], evidence: Evidence
) -> Route:
    """Return a question whose options say what each of them leaves out."""
    found = {one.ref: coverage_of(heard, (one,), evidence) for one in nearest}
    options = tuple(
        replace(option, not_covered=found[option.target].not_covered)
        if option.target in found
        else option
        for option in route.options
    )
    limits = next((one.limits for one in found.values()), ())
    return replace(route, options=options, limits=limits)


def _doubt(heard: HeardIntent, ranked: Sequence[RankedTarget], library: Library) -> str:
    """Return why to ask instead of answering, or an empty string."""
    best = ranked[0]
    if not heard.speech.says_what:
        return "This does not say what it is about."
    is_close = len(ranked) > 1 and best.confidence - ranked[1].confidence < (
        library.meta.ambiguity_threshold * best.confidence
    )
    if is_close and not _rests_on_other(best, ranked[1], library):
        return f"'{best.ref}' and '{ranked[1].ref}' fit about equally well."
    sure = best.confidence + (ranked[1].confidence if is_close else 0.0)
    if sure < library.meta.confidence_threshold:
        return "Too little of this names anything that the library covers."
    return ""


def _rests_on_other(one: RankedTarget, other: RankedTarget, library: Library) -> bool:
    """Tell whether one is a playbook and the other a primitive of it: both do what was meant."""
    for whole, part in ((one.ref, other.ref), (other.ref, one.ref)):
        playbook = library.playbooks.get(whole.removeprefix("playbooks/"))
        if playbook is not None and part.removeprefix("primitives/") in playbook.depends_on:
            return True
    return False


def _single(heard: HeardIntent, ranked: Sequence[RankedTarget], evidence: Evidence) -> Route:
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


def _chain(heard: HeardIntent, phases: Sequence[Phase], evidence: Evidence) -> Route:
    modes = tuple(phase.best.mode for phase in phases)
    parts = tuple(said_apart(heard.text, phase.words) for phase in phases)
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
        parts=parts if all(parts) else (),
    )


def _question(nearest: Sequence[RankedTarget], confidence: float, reason: str) -> Route:
    offered = nearest[:_OTHERS]
    options = [ClarifyOption(each.ref, each.description, each.ref, each.mode) for each in offered]
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


def _candidates(ranked: Sequence[RankedTarget]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(each.ref, each.mode, each.domain, each.confidence, each.description)
        for each in ranked
    )
