"""Do no harm: what others did before a cleanup is untouched, and no word is untrue."""

import pytest

from tests.harm.cases import harmless, name_of, with_others


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", [*with_others(soon=True)], ids=name_of)
def test_what_others_did_meanwhile_is_left_as_it_is(case, tmp_path):
    harmless(case, tmp_path)
