"""What to check when a stage fails, with the command. Spec: Troubleshooting Evaluations.

Room: work (bench). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Stage = Literal["preflight", "generation", "deployment", "validation"]

CHECKS: Mapping[Stage, tuple[tuple[str, str], ...]] = {
    "preflight": (
        ("API key environment variables", "env | grep -c _API_KEY"),
        ("DevHub authentication", "sf org list --all"),
        ("scratch org limits", "sf org list limits --target-org <devhub>"),
    ),
    "generation": (
        ("the model is available via the provider", "curl <base-url>/models"),
        ("API key permissions", "env | grep -c _API_KEY"),
        ("rate limit status: what was answered is kept", "skills-nb eval … --output <run>"),
    ),
    "deployment": (
        ("patch format: a valid git diff", "git apply --check <run>/solutions/<task>/1/answer.txt"),
        ("the platform's error messages", "less <run>/instances/<task>/1/card.json"),
        ("the scratch org is active", "sf org display -o <alias>"),
    ),
    "validation": (
        ("test assertions", "sf apex run test -o <alias> -n <TestClass> -r human"),
        ("the functional validation script", "sf apex run -o <alias> -f test-script.apex"),
        ("test data setup: the task's own answers pass its gate", "skills-nb eval --self-check"),
    ),
}
"""By stage: what to look at, and the command that shows it."""


def advice(stage: Stage) -> tuple[str, ...]:
    """Return a line for each thing to check."""
    return tuple(f"check {what}: {command}" for what, command in CHECKS[stage])
