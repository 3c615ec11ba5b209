"""A plan that is exported waits in a new cell beneath; nothing of it is run."""

import pytest

from tests.notebook.conftest import PLAYBOOK


@pytest.mark.slow
def test_an_exported_plan_is_put_into_a_new_cell(skill, shell):
    skill(f"run {PLAYBOOK} --dry-run --thread t")
    assert not hasattr(shell, "rl_next_input")

    skill("respond export_plan --at dry_run --thread t")
    cell = shell.rl_next_input

    assert cell.startswith("import skills_nb\n\nsession = skills_nb.connect(")
    assert "\n# Step 4: " in cell
    compile(cell, "cell", "exec")
