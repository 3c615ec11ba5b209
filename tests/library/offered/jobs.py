"""What somebody says to get each plan that a primitive offers, on tables that are not the demo's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LAB = 'CLINIC."lab work"."blood tests"'


@dataclass(frozen=True)
class Job:
    """One offered plan with the words that lead to it."""

    says: str
    """A goal, as a person says it; it must be routed to the plan's primitive."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What is answered to questions, by input; what the words tell must not be asked."""
    setup: str = ""
    """What the account holds besides, as statements."""
    leaves: tuple[str, ...] = ()
    """Words of what cleanup names and leaves: files, and clones that others may have worked in."""


JOBS: Mapping[tuple[str, str], Job] = {
    ("time-travel-and-cloning", "Clone a table"): Job(f"clone {LAB}"),
    ("time-travel-and-cloning", "Clone a schema"): Job(
        "clone schema CLINIC.RAW", leaves=("CLINIC.RAW_CLONE",)
    ),
    ("roles-and-grants", "Let a role read a table"): Job("let role NURSE read CLINIC.RAW.VISITS"),
    ("roles-and-grants", "Show who can read a table"): Job(
        "which roles can read CLINIC.RAW.PATIENTS, by grant"
    ),
    ("tables", "Remove duplicate rows"): Job(f"deduplicate {LAB}"),
    ("masking-policies", "Mask a column"): Job(
        "mask EMAIL in CLINIC.RAW.PATIENTS", {"clear_role": "NURSE"}
    ),
    ("dynamic-tables", "Create a dynamic table of totals"): Job(
        "a dynamic table in CLINIC.MARTS with the fee per ward from CLINIC.RAW.VISITS"
    ),
    ("unloading-data", "Unload a table"): Job(f"unload {LAB} as csv", leaves=("stage file",)),
    ("querying-data", "Add up a column by day"): Job("daily fee of our visits"),
    ("querying-data", "Count rows by day"): Job("count our visits per day"),
    ("querying-data", "Average by group"): Job("average fee per ward of the visits"),
    ("querying-data", "Add up a column by group"): Job("total fee per ward of the visits"),
    ("querying-data", "Count rows"): Job("how many patients per city do we have"),
    ("querying-data", "Flatten a JSON column"): Job(f"flatten the JSON column of {LAB}"),
    ("querying-data", "Pivot rows into columns"): Job("pivot the fee of CLINIC.RAW.VISITS by ward"),
    ("querying-data", "Show rows"): Job(f"show the first rows of {LAB}"),
}
