"""Do no harm: what others did while any checkpoint waited is untouched."""

import pytest

from tests.harm.cases import between_steps, faults_of, name_of


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("case", [*between_steps(soon=False)], ids=name_of)
def test_between_any_two_steps_it_is_left_as_it_is(case, tmp_path):
    assert faults_of(case, tmp_path) == []
