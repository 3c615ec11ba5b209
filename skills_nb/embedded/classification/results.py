"""The classification of a table, in the shape that SYSTEM$CLASSIFY returns.

Room: embedded (classification). Pure: the same columns and values give the same result, in
whatever order the rows come. A column whose type cannot be classified (binary, geospatial,
vectors, files) is left out, as on Snowflake; one in which nothing was found has no
`recommendation`. What is LOW is an alternate, never a recommendation.

Snowflake: SYSTEM$CLASSIFY; SYSTEM$GET_CLASSIFICATION_RESULT; Results for JSON columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skills_nb.embedded.classification.custom import CustomCategory, CustomMatch, custom_matches
from skills_nb.embedded.classification.evidence import Confidence
from skills_nb.embedded.classification.rule import IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE
from skills_nb.embedded.classification.samples import ColumnSample, Family, Values, family_of
from skills_nb.embedded.classification.scoring import Candidate, candidates
from skills_nb.embedded.classification.semi_structured import paths_of

_PRIVACY_ORDER = (IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE)


def classify_table(
    columns: Sequence[ColumnSample],
    *,
    custom: Sequence[CustomCategory] = (),
    profile: str | None = None,
) -> dict[str, Any]:
    """Classify every column of a table.

    Args:
        columns: The columns with their sampled values, in the table's order.
        custom: The categories of the custom classifiers in force.
        profile: The fully qualified name of the classification profile, where one is set.

    Returns:
        `classification_result` with one entry per column that can be classified, and
        `classification_profile_config` where a profile was named; ready for `json.dumps`.
    """
    result: dict[str, Any] = {}
    if profile is not None:
        result["classification_profile_config"] = {"classification_profile_name": profile}
    result["classification_result"] = {
        column.name: classify_column(column, custom=custom)
        for column in columns
        if family_of(column.type) is not Family.UNSUPPORTED
    }
    return result


def classify_column(
    column: ColumnSample, *, custom: Sequence[CustomCategory] = ()
) -> dict[str, Any]:
    """Classify one column of a type that can be classified."""
    if family_of(column.type) is Family.SEMI_STRUCTURED:
        return _semi_structured(column, custom)
    values = Values(column)
    return {**_choose(column, values, custom), "valid_value_ratio": _number(values.valid_ratio)}


def _choose(
    column: ColumnSample, values: Values, custom: Sequence[CustomCategory]
) -> dict[str, Any]:
    """Rank what was found: custom categories, then native ones; the first may be recommended."""
    native = candidates(column.name, family_of(column.type), values)
    ranked = [
        *((Confidence.HIGH, _custom_entry(match)) for match in _customs(column, values, custom)),
        *((found.confidence, _native_entry(found)) for found in native),
    ]
    if not ranked or ranked[0][0] is Confidence.LOW:
        return {"alternates": [entry for _, entry in ranked]}
    return {
        "alternates": [entry for _, entry in ranked[1:]],
        "recommendation": ranked[0][1],
    }


def _customs(
    column: ColumnSample, values: Values, custom: Sequence[CustomCategory]
) -> tuple[CustomMatch, ...]:
    return custom_matches(column.name, values, custom) if custom else ()


def _custom_entry(match: CustomMatch) -> dict[str, Any]:
    return {
        "classifier_name": match.category.classifier_name,
        "confidence": Confidence.HIGH.name,
        "coverage": _number(match.coverage),
        "details": [],
        "privacy_category": match.category.privacy,
        "semantic_category": match.category.semantic_category,
    }


def _native_entry(found: Candidate) -> dict[str, Any]:
    return {
        "confidence": found.confidence.name,
        "coverage": _number(found.coverage),
        "details": [
            {"coverage": _number(share), "semantic_category": name} for name, share in found.details
        ],
        "privacy_category": found.rule.privacy,
        "semantic_category": found.rule.category,
    }


def _semi_structured(column: ColumnSample, custom: Sequence[CustomCategory]) -> dict[str, Any]:
    valid = sum(value is not None and value != "" for value in column.values)
    ratio = _number(round(valid / len(column.values), 4) if column.values else 0.0)
    chosen = {path: _choose(sample, Values(sample), custom) for path, sample in paths_of(column)}
    found = {path: entry for path, entry in chosen.items() if "recommendation" in entry}
    if not found:
        return {"alternates": [], "valid_value_ratio": ratio}
    if set(found) == {column.name}:
        return {**found[column.name], "valid_value_ratio": ratio}
    return {
        "object_path_results": found,
        "recommendation": _multiple([entry["recommendation"] for entry in found.values()]),
        "valid_value_ratio": ratio,
    }


def _multiple(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Sum the paths up: the surest of them and the strictest privacy category."""
    return {
        "confidence": max(Confidence[entry["confidence"]] for entry in found).name,
        "details": [],
        "privacy_category": min(
            (entry["privacy_category"] for entry in found), key=_PRIVACY_ORDER.index
        ),
        "semantic_category": "MULTIPLE",
    }


def _number(share: float) -> float | int:
    """Write 1.0 and 0.0 as Snowflake's JSON does, without a fraction."""
    return int(share) if share == int(share) else share
