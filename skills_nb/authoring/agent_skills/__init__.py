"""Skills as Agent Skills folders, and such folders as skills.

Room: authoring. A folder holds `SKILL.md`: a name, a description that says what the skill does and
when to use it, and the text; what the format has no place for travels in `references/`.
Source: https://agentskills.io/specification
"""

from skills_nb.authoring.agent_skills.exporting import skill_folders
from skills_nb.authoring.agent_skills.importing import ImportedSkills, Note, import_folders

__all__ = ["ImportedSkills", "Note", "import_folders", "skill_folders"]
