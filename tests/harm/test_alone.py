"""Do no harm: what was changed is back or named, and what others had made first is still theirs."""

import pytest

from tests.harm.cases import alone, harmless, made_first, name_of


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", [*alone()], ids=name_of)
def test_a_change_that_went_through_is_taken_back_or_named(case, tmp_path):
    harmless(case, tmp_path)


@pytest.mark.parametrize("case", [*made_first()], ids=name_of)
def test_what_others_made_first_is_never_replaced_and_never_dropped(case, tmp_path):
    harmless(case, tmp_path)
