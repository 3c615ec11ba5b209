"""What reading and linting cost, against the bare parsers on the same text.

Bare means: markdown-it-py parses every file with its inline pass, sqlglot every SQL block.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from skills_nb.lint import LintCache, cache_key, lint, to_text
from skills_nb.reading import open_library, read_both, read_texts
from skills_nb.sql.syntax import trouble_of

DOMAINS = ("data-loading", "data-security")
TODAY = "2026-03-01"
STEP = """\
### Step {number}: Make part {number}

Make part {number} of {name}.

Reference: `primitives/{primitive}`

```yaml
binds: {{count_{number}: row_count}}
checkpoint:
  severity: review
  present: "{{count_{number}}} rows of {{target}}."
```

```sql
CREATE OR REPLACE TABLE {{{{ ident('part_{number}') }}}} AS SELECT {{{{ target }}}} AS kind;
```

"""


def primitive(name: str, domain: str, number: int) -> str:
    """Return a primitive with a table, facts and eight examples."""
    rows = "".join(f"| p{n} | string | none | part {n} of object {number} |\n" for n in range(15))
    facts = "".join(f"- Limit {n} of object {number} is {n * number} rows.\n" for n in range(12))
    examples = "".join(
        f"Example {n}.\n\n```sql\nSELECT a, b, COUNT(*) FROM t_{number} WHERE a = {n} "
        "GROUP BY a, b ORDER BY 3 DESC;\n```\n\n"
        for n in range(8)
    )
    return (
        f"---\ntype: primitive\nname: {name}\ndomain: {domain}\nlast_reviewed: {TODAY}\n---\n\n"
        f"# Object {number}\n\nThe object {number} of its kind.\n\n## Syntax\n\n"
        f"```sql\nCREATE OBJECT <name>\n```\n\n## Parameters\n\n| Name | Type | Default | Sets |\n"
        f"|---|---|---|---|\n{rows}\n## Constraints\n\n{facts}\n## Examples\n\n{examples}"
    )


def playbook(name: str, domain: str, primitive_name: str) -> str:
    """Return a playbook of seven steps."""
    steps = "".join(
        STEP.format(number=number, name=name, primitive=primitive_name) for number in range(1, 8)
    )
    return (
        f"---\ntype: playbook\nname: {name}\ndomain: {domain}\ndepends_on: [{primitive_name}]\n"
        'inputs:\n  - {name: target, description: "Which", choices: [A, B]}\n'
        'prerequisites: ["A role"]\nprobes:\n  - {id: there, query: "SHOW TABLES"}\n---\n\n'
        f"# {name}\n\nParts are made.\n\n## Objective\n\n- Parts\n\n"
        f"## Prerequisites\n\n- A role\n\n## Steps\n\n{steps}"
    )


def router(domain: str, targets: list[str]) -> str:
    """Return a router that leads to its targets."""
    rows = "".join(f"| `{target}` | it is asked for |\n" for target in targets[:100])
    links = "".join(f"  - {target}\n" for target in targets)
    return (
        f"---\ntype: router\nname: {domain}\ndomain: {domain}\nroutes_to:\n{links}---\n\n"
        f"# {domain}\n\nDecides.\n\n## Decision Criteria\n\n- the goal\n\n## Routing Logic\n\n"
        "| If | Then |\n|---|---|\n| a | b |\n\n## Routes To\n\n"
        f"| Target | When |\n|---|---|\n{rows}"
    )


def write_library(root: Path, size: int) -> Path:
    """Write a sound library of that many skills, a tenth of them playbooks."""
    index: dict[str, dict[str, str]] = {"routers": {}, "playbooks": {}, "primitives": {}}
    targets: dict[str, list[str]] = {domain: [] for domain in DOMAINS}
    for number in range(size):
        domain = DOMAINS[number % 2]
        kind = "playbooks" if number % 10 == 9 else "primitives"
        name = f"{kind[:-1]}-{number}"
        used = f"primitive-{number - 1}"
        text = (
            playbook(name, domain, used) if kind == "playbooks" else primitive(name, domain, number)
        )
        write(root / kind / name / ("playbook.md" if kind == "playbooks" else "skill.md"), text)
        extra = f"\n    depends_on: [{used}]" if kind == "playbooks" else ""
        index[kind][name] = f"    domain: {domain}{extra}\n"
        targets[domain].append(f"{kind}/{name}")
    for domain, links in targets.items():
        write(root / "routers" / domain / "router.md", router(domain, links))
        rows = "".join(f"      - {link}\n" for link in links)
        index["routers"][domain] = f"    domain: {domain}\n    routes_to:\n{rows}"
    kinds = "".join(
        f"{kind}:\n" + "".join(f"  {name}:\n{text}" for name, text in rows.items())
        for kind, rows in index.items()
    )
    write(root / "skill-index.yaml", f'version: "1.0"\nentry: router.md\n{kinds}')
    domains = "".join(f"  {domain}:\n    router: routers/{domain}\n" for domain in DOMAINS)
    write(
        root / "router.md",
        f"---\ntype: meta-router\nname: entry\ndomains:\n{domains}---\n\n# Entry\n\nOne.\n\n"
        "## Domains\n\n| Domain | For |\n|---|---|\n| a | b |\n\n## Routing Logic\n\n"
        "| If | Then |\n|---|---|\n| a | b |\n\n## Chaining Rules\n\n1. None.\n",
    )
    return root


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def cost(work: Callable[[], object], times: int = 1) -> float:
    """Return the least processor seconds that the work took."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return min(taken)


def parse_bare(root: Path) -> None:
    """Parse every file, and every SQL block with names in the place of templates."""
    import sqlglot
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    for path in sorted(root.rglob("*.md")):
        for token in parser.parse(path.read_text()):
            if token.type == "fence" and token.info == "sql" and "<name>" not in token.content:
                text = token.content.replace("{{ ident('", "").replace("') }}", "")
                sqlglot.parse(text.replace("{{ ", "").replace(" }}", ""), read="snowflake")


def read_and_lint(root: Path) -> int:
    """Read and lint from nothing; return the number of findings other than length."""
    library, documents = read_both(root)
    return sum(each.code != "SK205" for each in lint(documents, library, today=TODAY))


@pytest.fixture(scope="module")
def thousand(tmp_path_factory) -> Path:
    """Return a library of a thousand skills."""
    return write_library(tmp_path_factory.mktemp("thousand"), 1000)


@pytest.mark.slow
def test_a_thousand_skills_cost_at_most_half_more_than_the_bare_parsers(thousand, monkeypatch):
    monkeypatch.setattr(logging.getLogger("sqlglot"), "disabled", True)
    parse_bare(thousand)
    bare = cost(lambda: parse_bare(thousand), 2)
    ours = []
    for _ in range(2):
        trouble_of.cache_clear()
        ours.append(cost(lambda: read_and_lint(thousand)))
    assert read_and_lint(thousand) == 0
    print(f"bare {bare:.2f} s, read and linted {min(ours):.2f} s: {min(ours) / bare:.2f}x")
    assert min(ours) <= 1.5 * bare


def test_an_unchanged_library_is_answered_from_the_cache_in_a_third_of_a_second(thousand, tmp_path):
    cache = LintCache(tmp_path)
    library, documents = read_both(thousand)
    found = lint(documents, library, select=["SK1", "SK2"], today=TODAY)
    digest, _ = read_texts(thousand)
    assert digest == library.digest
    cache.store(cache_key(digest, select=["SK1", "SK2"], today=TODAY), found)
    answers = []

    def answer() -> None:
        digest, texts = read_texts(thousand)
        kept = cache.load(cache_key(digest, select=["SK1", "SK2"], today=TODAY))
        assert kept is not None
        answers.append((kept, to_text(kept, texts)))

    seconds = cost(answer, 3)
    assert answers[0] == (found, to_text(found, documents))
    assert seconds <= 0.3


@pytest.mark.slow
def test_cost_per_skill_is_flat(tmp_path):
    per_skill = {}
    for size in (100, 1000, 5000):
        root = write_library(tmp_path / str(size), size)
        trouble_of.cache_clear()
        per_skill[size] = cost(lambda: read_and_lint(root)) / size  # noqa: B023 - runs at once
    print({size: f"{seconds * 1000:.2f} ms" for size, seconds in per_skill.items()})
    assert per_skill[5000] <= 1.5 * per_skill[100]


def test_opening_a_hundred_skills_for_routing_takes_sixty_milliseconds(tmp_path):
    root = write_library(tmp_path / "hundred", 100)
    assert cost(lambda: open_library(root), 5) <= 0.06


def test_routing_needs_no_parser_but_yaml(tmp_path):
    root = write_library(tmp_path / "small", 20)
    code = (
        "import sys; from pathlib import Path; from skills_nb.reading import open_library;"
        f"open_library(Path({str(root)!r}));"
        "heavy = {'markdown_it', 'sqlglot', 'jinja2', 'pydantic', 'networkx'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
