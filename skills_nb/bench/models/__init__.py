"""Who answers: an endpoint, Cortex, a command, or what was answered before.

Room: work (bench). A generator raises `ModelError` where there is no answer; an answer, however
bad, is an answer.
"""

from skills_nb.bench.models.answers import Answer, Generator

__all__ = ["Answer", "Generator"]
