"""Passports and driving licences: shapes by country, for columns whose name says what they hold.

Room: embedded (classification). Pure. Neither carries a public check digit, so a shape only
confirms a name; a column of nine digits is nobody's passport by itself. Where a country lists
several shapes they are alternatives.
"""

from __future__ import annotations

PASSPORTS = {
    "AT": r"[A-Z]{1,2}\d{7}",
    "AU": r"[A-Z]{1,2}\d{7}",
    "BE": r"[A-Z]{2}\d{6}",
    "BG": r"\d{9}",
    "CA": r"[A-Z]{2}\d{6}|[A-Z]\d{6}[A-Z]{2}",
    "CY": r"[BCEKJ]\d{6,8}",
    "CZ": r"\d{8}",
    "DE": r"[CFGHJK][CFGHJKLMNPRTVWXYZ\d]{8}",
    "DK": r"\d{9}",
    "EE": r"[A-Z]{1,2}\d{7}",
    "ES": r"[A-Z]{2,3}\d{6}",
    "FI": r"[A-Z]{2}\d{7}",
    "FR": r"\d{2}[A-Z]{2}\d{5}",
    "GR": r"[A-Z]{2}\d{7}",
    "HR": r"\d{9}",
    "HU": r"[A-Z]{2}\d{6,7}",
    "IE": r"[A-Z]{1,2}\d{7}",
    "IT": r"[A-Z]{2}\d{7}",
    "LT": r"\d{8}|[A-Z]{2}\d{6}",
    "LU": r"[A-Z\d]{8}",
    "LV": r"[A-Z]{2}\d{7}",
    "MT": r"\d{7}",
    "NL": r"[A-NP-Z]{2}[A-NP-Z\d]{6}\d",
    "NZ": r"[A-Z]{1,2}\d{6}",
    "PL": r"[A-Z]{2}\d{7}",
    "PT": r"[A-Z]{1,2}\d{6}",
    "RO": r"\d{8,9}",
    "SE": r"\d{8}|[A-Z]{2}\d{6}",
    "SG": r"[KE]\d{7}[A-Z]",
    "SI": r"P[A-Z]\d{7}",
    "SK": r"[A-Z]{2}\d{7}|[A-Z]\d{7}",
    "US": r"\d{9}|[A-Z]\d{8}",
}
"""Passport shapes by ISO 3166 code, in any case, without spaces."""

LICENCES = {
    "AT": r"\d{8}",
    "AU": r"[A-Z]?\d{6,10}|\d{4}[A-Z]{2}",
    "BE": r"\d{10}",
    "BG": r"\d{9}",
    "CA": r"[A-Z]\d{4}-?\d{5}-?\d{5}|[A-Z]\d{12}|\d{7}",
    "CY": r"\d{12}",
    "CZ": r"[A-Z]{2} ?\d{6}",
    "DE": r"[A-Z\d]\d{2}[A-Z\d]{6}\d[A-Z\d]",
    "DK": r"\d{8}",
    "EE": r"[A-Z]{2}\d{6}",
    "ES": r"\d{8}-?[A-Z]",
    "FI": r"\d{6}-\d{3}[A-Z\d]",
    "FR": r"\d{12}|\d{2}[A-Z]{2}\d{5}",
    "GR": r"\d{9}",
    "HR": r"\d{8}",
    "HU": r"[A-Z]{2}\d{6}",
    "IE": r"\d{3} ?\d{3} ?\d{3}",
    "IN": r"[A-Z]{2}[- ]?\d{2}[- ]?(?:19|20)\d{9}",
    "IT": r"[A-Z]{2}\d{7}[A-Z]",
    "LT": r"\d{8}",
    "LU": r"\d{6}",
    "LV": r"[A-Z]{2}\d{6}",
    "MT": r"\d{2} ?\d{3} ?\d{3}",
    "NL": r"\d{10}",
    "NZ": r"[A-Z]{2}\d{6}",
    "PL": r"\d{5}/\d{2}/\d{4}",
    "PT": r"[A-Z]{1,2}-?\d{6} ?\d?",
    "RO": r"[A-Z]\d{8}[A-Z]?",
    "SE": r"\d{6}-?\d{4}",
    "SI": r"\d{9}",
    "SK": r"[A-Z]\d{7}",
    "US": r"[A-Z]\d{7}|[A-Z]\d{12}|[A-Z]\d{3}-?\d{4}-?\d{4}|[A-Z]\d{3}-\d{3}-\d{2}-\d{3}-\d|\d{8}",
}
"""Driving licence shapes by ISO 3166 code; for the United States those of the largest states."""
