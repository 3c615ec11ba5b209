"""YAML that a person or a model writes: plans and files of answers.

Room: commands. Read as front matter is: nothing unfolds, nothing is nested without end, no key is
said twice, and what is wrong has its line.
"""

from __future__ import annotations

from typing import Any

from skills_nb.errors import UsageError


def read_yaml(text: str, source: str) -> Any:
    """Return the values of a text.

    Args:
        text: a plan, or answers.
        source: what it is called where it is wrong.

    Raises:
        UsageError: it cannot be read; the message says where.
    """
    from skills_nb.reading.yaml_data import parse_yaml

    data, problems = parse_yaml(text, source)
    for problem in problems:
        place = f"line {problem.span.line}, column {problem.span.column}"
        raise UsageError(f"{source}, {place}: {problem.message}", hint=problem.hint)
    assert data is not None, "what cannot be read has a problem"
    return data.value
