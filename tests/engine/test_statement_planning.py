"""The statements of a step: what each may do is told by all of its text."""

import pytest

from skills_nb.engine.planning.statement_planning import plan_step
from skills_nb.sql.classify import Kind, kind_of
from tests.builders import step


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("""SELECT COUNT(*) FROM "O'Neill" UNION ALL SELECT COUNT(*) FROM "O'Neill\"""", Kind.READ),
        ("""SELECT "a'b" FROM "it's" WHERE X = 'it''s'""", Kind.READ),
        ("""SELECT "a'b" FROM T WHERE X = '"' AND "c'd" = '"'""", Kind.READ),
        ("""SELECT "a'b", SYSTEM$CANCEL_QUERY('x'), "c'd" FROM T""", Kind.ONCE),
        ("""SELECT '"', SYSTEM$CANCEL_QUERY('x'), '"' FROM T""", Kind.ONCE),
    ],
)
def test_an_apostrophe_in_a_name_hides_nothing_of_a_statement(sql, kind):
    (planned,) = plan_step(step("1", sql), {}).statements
    assert (planned.kind, kind_of(sql)) == (kind, kind)
