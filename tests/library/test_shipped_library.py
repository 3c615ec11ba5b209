"""The shipped library keeps its promises: fields, sections, sizes, and an index that is true.

The files are read with plain yaml and string search, so that a defect of the reader cannot hide a
defect of the library.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

LIBRARY = Path(__file__).parents[2] / "library"
MAX_LINES = 500
FILE_OF = {"routers": "router.md", "playbooks": "playbook.md", "primitives": "skill.md"}
SECTIONS = {
    "meta-router": ("Domains", "Routing Logic", "Chaining Rules"),
    "router": ("Decision Criteria", "Routing Logic", "Routes To"),
    "playbook": ("Objective", "Prerequisites", "Steps"),
    "primitive": (
        "Syntax",
        "Parameters",
        "Constraints",
        "Examples",
        "Discovery queries",
        "Expected errors",
    ),
}
FIELDS = {
    "meta-router": {"type", "name", "parameters", "domains"},
    "router": {"type", "name", "domain", "parameters", "routes_to"},
    "playbook": {"type", "name", "domain", "depends_on", "inputs", "probes", "prerequisites"},
    "primitive": {"type", "name", "domain", "sources", "last_reviewed", "expected_errors"},
}
OPTION_FIELDS = {"id", "description", "examples", "keywords", "target", "mode"}
_FENCED = re.compile(r"^```.*?^```", re.M | re.S)
_YAML_BLOCK = re.compile(r"^```yaml\n(.*?)^```", re.M | re.S)
_REFERENCE = re.compile(r"\b(primitives|playbooks|routers)/([a-z0-9-]+)")


def _index() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((LIBRARY / "skill-index.yaml").read_text())
    return loaded


def _skill_files() -> list[Path]:
    found = [LIBRARY / "router.md"]
    for kind, file in FILE_OF.items():
        found.extend(sorted((LIBRARY / kind).glob(f"*/{file}")))
    return found


def _ident(path: Path) -> str:
    return str(path.relative_to(LIBRARY).parent) if path.parent != LIBRARY else "entry"


def _front(path: Path) -> dict[str, Any]:
    text = path.read_text()
    assert text.startswith("---\n")
    loaded: dict[str, Any] = yaml.safe_load(text[4 : text.index("\n---\n", 4)])
    return loaded


def _body(path: Path) -> str:
    text = path.read_text()
    parts = [_steps_of(part.read_text()) for part in sorted(path.parent.glob("steps/*.md"))]
    return "\n".join([text[text.index("\n---\n", 4) + 5 :], *parts])


def _steps_of(part: str) -> str:
    """Return the steps of a file in `steps/`, at the level that they have in a playbook."""
    steps = re.sub(r"^#{2,3} Step ", "### Step ", part, flags=re.M)
    return steps[steps.index("### Step ") :]


def _prose(path: Path) -> str:
    return _FENCED.sub("", _body(path))


def _headings(path: Path, level: str = "##") -> list[str]:
    return re.findall(rf"^{level} (.+)$", _prose(path), re.M)


each_skill = pytest.mark.parametrize("path", _skill_files(), ids=_ident)
each_playbook = pytest.mark.parametrize(
    "path", sorted((LIBRARY / "playbooks").glob("*/playbook.md")), ids=_ident
)
each_primitive = pytest.mark.parametrize(
    "path", sorted((LIBRARY / "primitives").glob("*/skill.md")), ids=_ident
)
each_router = pytest.mark.parametrize(
    "path", sorted((LIBRARY / "routers").glob("*/router.md")), ids=_ident
)


def test_index_and_files_name_the_same_skills() -> None:
    index = _index()
    listed = {f"{kind}/{name}" for kind in FILE_OF for name in index.get(kind, {})}
    on_disk = {_ident(path) for path in _skill_files() if path.parent != LIBRARY}
    assert listed == on_disk


def test_index_repeats_the_links_of_the_files() -> None:
    index = _index()
    in_index = {f"routers/{name}": row["routes_to"] for name, row in index["routers"].items()}
    in_index |= {f"playbooks/{name}": row["depends_on"] for name, row in index["playbooks"].items()}
    in_files = {f"routers/{path.parent.name}": _front(path)["routes_to"] for path in _routers()}
    in_files |= {
        f"playbooks/{path.parent.name}": _front(path)["depends_on"]
        for path in (LIBRARY / "playbooks").glob("*/playbook.md")
    }
    assert in_index == in_files


def _routers() -> list[Path]:
    return sorted((LIBRARY / "routers").glob("*/router.md"))


def test_meta_router_declares_exactly_the_domains_that_have_a_router() -> None:
    domains = _front(LIBRARY / "router.md")["domains"]
    declared = {name: row["router"] for name, row in domains.items()}
    assert declared == {path.parent.name: f"routers/{path.parent.name}" for path in _routers()}


def test_every_domain_is_in_the_controlled_vocabulary() -> None:
    text = (LIBRARY / "spec" / "controlled-vocabulary.md").read_text()
    known = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.M))
    used = {_front(path)["domain"] for path in _skill_files() if path.parent != LIBRARY}
    assert used <= known


def test_no_file_is_longer_than_the_limit() -> None:
    sizes = {
        str(path.relative_to(LIBRARY)): len(path.read_text().splitlines())
        for path in LIBRARY.rglob("*.md")
        # A list of sentences is no text that somebody reads from end to end.
        if path.name != "utterances.md" and "lint: allow SK205" not in path.read_text()
    }
    assert {name: size for name, size in sizes.items() if size > MAX_LINES} == {}


@each_skill
def test_front_matter_has_the_fields_of_its_type(path: Path) -> None:
    front = _front(path)
    assert FIELDS[front["type"]] - set(front) == set()
    assert front["name"] == ("entry" if path.parent == LIBRARY else path.parent.name)


@each_skill
def test_body_has_a_title_a_summary_and_the_sections_of_its_type(path: Path) -> None:
    titles = _headings(path, "#")
    summary = _prose(path).strip().split("\n\n")[1]
    missing = [name for name in SECTIONS[_front(path)["type"]] if name not in _headings(path)]
    assert (len(titles), missing, summary.startswith(("#", "|", "-"))) == (1, [], False)


@each_skill
def test_references_name_skills_that_exist_and_follow_the_direction_of_the_graph(
    path: Path,
) -> None:
    allowed = {
        "meta-router": {"routers"},
        "router": {"playbooks", "primitives"},
        "playbook": {"primitives"},
        "primitive": {"primitives"},
    }[_front(path)["type"]]
    found = set(_REFERENCE.findall(_prose(path)))
    assert {kind for kind, _ in found} <= allowed
    assert {ref for ref in found if not (LIBRARY / "/".join(ref)).is_dir()} == set()


@each_router
def test_every_option_of_a_router_is_decidable_and_every_target_is_routed_to(path: Path) -> None:
    front = _front(path)
    options = [option for parameter in front["parameters"] for option in parameter["options"]]
    incomplete = {o["id"]: OPTION_FIELDS - set(o) for o in options if OPTION_FIELDS - set(o)}
    identifiers = [option["id"] for option in options]
    assert incomplete == {}
    assert len(identifiers) == len(set(identifiers))
    assert {option["target"] for option in options} == set(front["routes_to"])
    assert len(front["routes_to"]) == len(set(front["routes_to"]))
    for option in options:
        is_playbook = option["target"].startswith("playbooks/")
        assert (option["mode"] == "playbook") == is_playbook, option["id"]


@each_router
def test_a_router_reaches_every_skill_of_its_domain_and_no_other(path: Path) -> None:
    index = _index()
    owned = {
        f"{kind}/{name}"
        for kind in ("playbooks", "primitives")
        for name, row in index[kind].items()
        if row["domain"] == path.parent.name
    }
    assert set(_front(path)["routes_to"]) == owned


@each_primitive
def test_a_primitive_was_reviewed_and_cites_the_manual(path: Path) -> None:
    front = _front(path)
    assert isinstance(front["last_reviewed"], date)
    assert front["sources"]
    assert [url for url in front["sources"] if not url.startswith("https://")] == []


@each_primitive
def test_a_primitive_foresees_errors_with_a_pattern_and_a_recovery(path: Path) -> None:
    errors = _front(path)["expected_errors"]
    assert errors
    for error in errors:
        re.compile(error["pattern"])
        assert error["recovery"]


@each_primitive
def test_a_primitive_has_examples_as_code(path: Path) -> None:
    body = _body(path)
    examples = body[body.index("\n## Examples") : body.index("\n## Discovery queries")]
    assert len(re.findall(r"^```(sql|python|bash|yaml|json)$", examples, re.M)) >= 2


@each_primitive
def test_a_primitive_gives_no_advice(path: Path) -> None:
    advice = re.compile(
        r"\b(we recommend|it is recommended|best practice|you should|use this when|ideally)\b", re.I
    )
    assert advice.findall(_prose(path)) == []


@each_playbook
def test_steps_are_numbered_from_one_and_have_a_summary_and_sql_or_a_checkpoint(path: Path) -> None:
    body = _body(path)
    steps = re.findall(r"^### Step (\d+): .+$", body, re.M)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    for text in re.split(r"^### Step \d+: .+$", body, flags=re.M)[1:]:
        assert re.match(r"\n\n[A-Z].+\n", text)
        assert re.search(r"^```(sql|bash)$|^\s*checkpoint:", text, re.M)


@each_playbook
def test_a_playbook_has_a_checkpoint_and_asks_for_a_phrase_exactly_at_critical_ones(
    path: Path,
) -> None:
    blocks = [yaml.safe_load(block) for block in _YAML_BLOCK.findall(_body(path))]
    checkpoints = [block["checkpoint"] for block in blocks if "checkpoint" in block]
    assert checkpoints
    for checkpoint in checkpoints:
        assert (checkpoint["severity"] == "critical") == ("phrase" in checkpoint)
        assert checkpoint["present"]


@each_playbook
def test_a_playbook_depends_on_exactly_the_primitives_that_its_steps_reference(path: Path) -> None:
    referenced = re.findall(r"^Reference: (.+)$", _body(path), re.M)
    names = {name for line in referenced for name in re.findall(r"`primitives/([a-z-]+)`", line)}
    assert names == set(_front(path)["depends_on"])


@each_playbook
def test_every_input_is_structured_or_says_why_it_is_not(path: Path) -> None:
    structured = {"choice", "boolean", "integer", "role", "warehouse", "database", "schema"}
    loose = [
        spec["name"]
        for spec in _front(path)["inputs"]
        if spec["type"] not in structured
        and not spec.get("choices")
        and "default" not in spec
        and not spec.get("open_ended_because")
    ]
    assert loose == []


@each_playbook
def test_every_input_phase_names_a_step_that_exists(path: Path) -> None:
    steps = {f"step_{number}" for number in re.findall(r"^### Step (\d+):", _body(path), re.M)}
    phases = {spec["phase"] for spec in _front(path)["inputs"]}
    assert phases - steps - {"before_start"} == set()


@pytest.mark.parametrize("path", sorted((LIBRARY / "primitives").glob("*/skill.md")), ids=_ident)
def test_a_primitive_begins_with_its_smallest_example(path: Path) -> None:
    sections = _FENCED.sub("", path.read_text()).split("\n## ")[1:]
    assert sections[0].splitlines()[0] == "Examples"
    assert sections[0].splitlines()[2].startswith("Basic: ")
