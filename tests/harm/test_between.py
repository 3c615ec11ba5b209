"""Do no harm: what others did while a checkpoint waited is untouched."""

import pytest

from tests.harm.cases import between_steps, faults_of, name_of


@pytest.mark.parametrize("case", [*between_steps(soon=True)], ids=name_of)
def test_what_others_did_between_two_steps_is_left_as_it_is(case, tmp_path):
    assert faults_of(case, tmp_path) == []
