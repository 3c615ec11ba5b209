"""Copies of what people load: told from every other file on a stage."""

import pytest

from skills_nb.sql.load_copies import own_upload
from skills_nb.sql.objects import compensation_of


@pytest.mark.parametrize(
    ("sql", "folder"),
    [
        ("PUT 'file://a.gz' '@~/skills_nb_load/1' AUTO_COMPRESS = FALSE", "@~/skills_nb_load/1"),
        ("PUT 'file://a.gz' '@~/mine'", None),
        ("PUT 'file://a.gz' @S", None),
        ("PUT 'file://a.gz' @~/skills_nb_load/1", None),
        ("COPY INTO T FROM '@~/skills_nb_load/1/'", None),
    ],
)
def test_an_upload_of_a_copy_is_known_and_taken_back(sql, folder):
    assert own_upload(sql) == folder
    taken_back = () if folder is None else (f"REMOVE '{folder}'",)
    assert compensation_of(sql, "D", "S", {}) == taken_back
