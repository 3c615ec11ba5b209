"""Do no harm: whenever others worked, what they did is untouched."""

import pytest

from tests.harm.cases import harmless, name_of, with_others


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("case", [*with_others(soon=False)], ids=name_of)
def test_whenever_others_work_it_is_left_as_it_is(case, tmp_path):
    harmless(case, tmp_path)
