"""Inputs: what they may be, where they come from before anybody is asked, how they are asked.

Room: laws. A value on the thread is JSON-safe text, number, boolean, list or mapping; a value in
a template is typed. The order is: given, intent, session, default, a structured question.
Spec: Principles > Lazy context; Playbooks > Input phasing.
"""

from skills_nb.engine.inputs.typed_inputs.inferred_inputs import infer_input, initial_inputs, unmet
from skills_nb.engine.inputs.typed_inputs.input_values import coerce, template_value

__all__ = ["coerce", "infer_input", "initial_inputs", "template_value", "unmet"]
