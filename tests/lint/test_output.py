"""Text, JSON and SARIF."""

from __future__ import annotations

import json

from skills_nb.lint import RULES, to_json, to_sarif, to_text
from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.documents import Document, Documents

WRONG = Diagnostic("SK104", Span("primitives/a b/skill.md", 2, 7), "name is 'x'", "Write 'y'.")
STALE = Diagnostic("SK304", Span("router.md", 1, 1), "old", "", Severity.WARNING)
TEXT = "---\nname:\tx\n---\n"
DOCUMENTS = Documents(
    "lib",
    {WRONG.span.path: Document(WRONG.span.path, "primitive", TEXT)},
)


def test_text_shows_the_lines_around_the_place():
    assert to_text([WRONG, STALE], DOCUMENTS) == (
        "primitives/a b/skill.md:2:7: SK104 name is 'x'\n"
        "  1 | ---\n"
        "> 2 | name: x\n"
        "    |       ^\n"
        "  3 | ---\n"
        "  hint: Write 'y'.\n"
        "\n"
        "router.md:1:1: SK304 warning: old\n"
        "\n"
        "1 error, 1 warning in 2 files.\n"
    )


def test_text_without_documents_is_one_line_each():
    assert to_text([WRONG, WRONG]) == (
        "primitives/a b/skill.md:2:7: SK104 name is 'x'\n"
        "  hint: Write 'y'.\n"
        "primitives/a b/skill.md:2:7: SK104 name is 'x'\n"
        "  hint: Write 'y'.\n"
        "\n"
        "2 errors, 0 warnings in 1 file.\n"
    )


def test_a_place_beyond_the_file_has_no_frame_and_a_far_column_is_scrolled_to():
    far = Diagnostic("SK104", Span(WRONG.span.path, 9, 1), "x")
    assert to_text([far], DOCUMENTS).startswith("primitives/a b/skill.md:9:1: SK104 x\n\n1 error")
    long = Documents("lib", {"f.md": Document("f.md", "spec", "a" * 300 + "b" + "c" * 300)})
    shown = to_text([Diagnostic("SK104", Span("f.md", 1, 301), "x")], long).split("\n")
    assert shown[1][shown[2].index("^")] == "b"


def test_what_is_not_seen_is_a_mark_and_the_column_still_points_at_its_place():
    path = "a\x1b[2J\nb.md"
    text = "x\u202e: 'y\x07'"
    found = Diagnostic("SK104", Span(path, 1, 5), "name is 'x\u202e\n'", "Write\r 'y'.")
    shown = to_text([found], Documents("lib", {path: Document(path, "spec", text)})).split("\n")

    assert shown[:4] == [
        "a\\x1b[2J\\nb.md:1:5: SK104 name is 'x\\u202e\\n'",
        "> 1 | x\\u202e: 'y\\x07'",
        "    |          ^",
        "  hint: Write\\r 'y'.",
    ]


def test_nothing_found_says_so():
    assert to_text([]) == "No diagnostics.\n"


def test_json_has_the_shape_that_scripts_rely_on():
    assert to_json([WRONG]) == {
        "diagnostics": [
            {
                "path": "primitives/a b/skill.md",
                "line": 2,
                "column": 7,
                "code": "SK104",
                "severity": "error",
                "message": "name is 'x'",
                "hint": "Write 'y'.",
            }
        ]
    }


def test_sarif_names_every_rule_and_places_every_finding():
    log = json.loads(json.dumps(to_sarif([WRONG, STALE], version="1.2.3")))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("skills-nb lint", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == sorted(RULES)
    assert driver["rules"][run["results"][0]["ruleIndex"]] == {
        "id": "SK104",
        "name": "MatchingName",
        "shortDescription": {"text": RULES["SK104"].summary},
        "fullDescription": {"text": RULES["SK104"].page},
        "defaultConfiguration": {"level": "error"},
    }
    assert run["results"] == [
        {
            "ruleId": "SK104",
            "ruleIndex": sorted(RULES).index("SK104"),
            "level": "error",
            "message": {"text": "name is 'x'. Write 'y'."},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {
                            "uri": "primitives/a%20b/skill.md",
                            "uriBaseId": "LIBRARY",
                        },
                        "region": {"startLine": 2, "startColumn": 7},
                    }
                }
            ],
        },
        {
            "ruleId": "SK304",
            "ruleIndex": sorted(RULES).index("SK304"),
            "level": "warning",
            "message": {"text": "old."},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "router.md", "uriBaseId": "LIBRARY"},
                        "region": {"startLine": 1, "startColumn": 1},
                    }
                }
            ],
        },
    ]
