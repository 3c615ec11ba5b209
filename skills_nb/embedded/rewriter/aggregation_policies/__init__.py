"""Queries over tables and views with an aggregation policy.

Room: embedded. Each protected source brings a guard: a hidden column that numbers its records, or
its entities. Guards travel with the rows until a query aggregates them; that query then puts groups
with too few records into one remainder group, whose keys are NULL, and shows nothing of a remainder
that is itself too small. A guard that is left at the end means that rows would be shown.

See https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from skills_nb.embedded.rewriter.aggregation_policies.aggregation_checks import (
    checked,
    refuse_correlated,
)
from skills_nb.embedded.rewriter.aggregation_policies.folding import fold
from skills_nb.embedded.rewriter.aggregation_policies.guards_on_their_way import carried, united

__all__ = [
    "carried",
    "checked",
    "fold",
    "refuse_correlated",
    "united",
]
