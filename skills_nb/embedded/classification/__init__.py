"""Sensitive data classification: what SYSTEM$CLASSIFY finds in a sample of a table's rows.

Room: embedded. Pure and deterministic: no database, no clock, nothing but names, types and values.
`names` reads the column's name, `rules` holds one rule per native category, `evidence` weighs the
two against each other, `custom` adds a user's own categories, `results` writes Snowflake's shape.
"""

from skills_nb.embedded.classification.custom import CustomCategory
from skills_nb.embedded.classification.results import classify_column, classify_table
from skills_nb.embedded.classification.samples import ColumnSample

__all__ = ["ColumnSample", "CustomCategory", "classify_column", "classify_table"]
