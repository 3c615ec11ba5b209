"""The judge is not blind: every listed change leaves a trace, and harm that is done is told."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from skills_nb.errors import SqlError
from tests.harm.changes import CHANGES
from tests.harm.fingerprint import difference
from tests.harm.workplace import Workplace

_LEAVES_NO_TRACE = ("grant what was granted", "revoke what others hold")
_IS_REFUSED = "create a stream that is there"


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_every_change_is_seen(change, tmp_path):
    work = Workplace(tmp_path, change.setup)
    assert difference(work.begun, work.look()) == []
    with pytest.raises(SqlError) if change.name == _IS_REFUSED else nullcontext():
        work.run(";".join(change.steps))
    seen = difference(work.begun, work.look())
    assert bool(seen) is (change.name not in (*_LEAVES_NO_TRACE, _IS_REFUSED)), seen
    work.close()
