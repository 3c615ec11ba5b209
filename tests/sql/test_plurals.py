"""Types of objects in the plural."""

import pytest

from skills_nb.sql.governance.object_kinds import PLURALS, SINGULARS
from skills_nb.sql.plurals import plural_of


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("table", "tables"),
        ("masking_policy", "masking_policies"),
        ("ROW ACCESS POLICY", "ROW ACCESS POLICIES"),
        ("GIT REPOSITORY", "GIT REPOSITORIES"),
        ("CLASS", "CLASSES"),
        ("key", "keys"),
    ],
)
def test_a_type_has_its_plural_in_its_own_case(one, many):
    assert plural_of(one) == many


def test_every_plural_leads_back_to_its_kind():
    assert {SINGULARS[many]: many for many in PLURALS.values()} == dict(PLURALS)
