"""Routing: from what a person says to a target, a chain or a question.

Room: routing. Deterministic, explainable, no network and no model.
"""

from skills_nb.routing.resolve import resolve

__all__ = ["resolve"]
