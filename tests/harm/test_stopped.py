"""Do no harm: what a change did before it was stopped is back or named."""

import pytest

from tests.harm.cases import harmless, name_of, stopped


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("case", [*stopped()], ids=name_of)
def test_a_change_that_was_stopped_on_the_way_is_taken_back_or_named(case, tmp_path):
    harmless(case, tmp_path)
