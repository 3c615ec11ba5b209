"""Missing inputs: inferred, defaulted, or asked for with structured choices, one at a time.

Room: laws. Spec: Principles > Lazy context, phased gathering.
"""

from skills_nb.engine.planning.missing_inputs.asking import ask, gather_input

__all__ = ["ask", "gather_input"]
