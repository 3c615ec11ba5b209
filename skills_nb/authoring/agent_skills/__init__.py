"""Skills as Agent Skills folders, and such folders as skills.

Room: authoring. A folder holds `SKILL.md`: a name, a description that says what the skill does and
when to use it, and the text; what the format has no place for travels in `references/`.
Source: https://agentskills.io/specification
"""

from skills_nb.authoring.agent_skills.exporting import exported
from skills_nb.authoring.agent_skills.importing import Imported, Note, imported

__all__ = ["Imported", "Note", "exported", "imported"]
