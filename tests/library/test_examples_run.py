"""Everything that a primitive shows as runnable SQL runs in the account that its examples assume.

What the embedded account does not support is left out by the runner; anything else that it refuses
is a mistake of the text. Each primitive has an account of its own, so that none leans on another.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skills_nb.embedded.tools.examples import EmbeddedExamples

LIBRARY = Path(__file__).parents[2] / "library"
RUNNER = EmbeddedExamples((LIBRARY / "spec" / "example-account.sql").read_text())
_RUNNABLE = re.compile(r"^## (?:Examples|Discovery queries)\n(.*?)(?=^## |\Z)", re.M | re.S)
_SQL = re.compile(r"^```sql\n(.*?)^```", re.M | re.S)


def _blocks(path: Path) -> list[str]:
    """Return the SQL of the examples, then that of the discovery queries."""
    return [block for part in _RUNNABLE.findall(path.read_text()) for block in _SQL.findall(part)]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in (LIBRARY / "primitives").iterdir()))
def test_examples_and_discovery_queries_run(name: str) -> None:
    blocks = _blocks(LIBRARY / "primitives" / name / "skill.md")
    troubles = RUNNER.run(blocks)
    wrong = [(block, said) for block, said in zip(blocks, troubles, strict=True) if said]
    assert wrong == []


def test_an_example_that_names_nothing_of_the_account_is_found() -> None:
    (said,) = RUNNER.run(["SELECT * FROM raw.orders_of_nobody"])
    assert said is not None
    assert "does not exist or not authorized" in said
