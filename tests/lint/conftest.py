"""Case documents: a sound library on disk, changed by the blocks of a Markdown file.

Blocks are fenced with four tildes; their info string says what to do: `edit PATH` (lines with -
and + like a diff), `write PATH`, `append PATH`, `repeat PATH TIMES`, `bytes PATH` (with escapes),
`delete PATH`, `folder PATH`, `link PATH` (to the path in the block), `today`, `expected`. A path
that begins with `../overlay/` belongs to a library laid over the other.
"""

from __future__ import annotations

import codecs
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from skills_nb.lint import lint
from skills_nb.model.diagnostics import Diagnostic
from skills_nb.reading import read_both

HERE = Path(__file__).parent
BASE = HERE / "base"
TODAY = "2026-03-01"
_BLOCK = re.compile(r"^~~~~ *(\w+) *(.*?)\n(.*?)^~~~~$", re.DOTALL | re.MULTILINE)


@dataclass
class Example:
    """One changed library, and what is found in it."""

    heading: str
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    expected: str = ""
    today: str = TODAY


@dataclass
class Case:
    """The case document of one rule."""

    path: Path
    title: str
    spec: str
    failing: list[Example]
    passing: list[Example]


class MissingTableRunner:
    """Refuses SQL that reads the table MISSING, as an account without it would."""

    def run(self, examples: Sequence[str]) -> Sequence[str | None]:
        trouble = "Object 'MISSING' does not exist"
        return [trouble if "MISSING" in sql else None for sql in examples]


def read_case(path: Path) -> Case:
    """Read a case document."""
    text = path.read_text()
    title, _, rest = text.partition("\n")
    spec = re.search(r"^Spec: (.+)$", rest, re.MULTILINE)
    parts = re.split(r"^## (Fails|Passes)\n", rest, flags=re.MULTILINE)[1:]
    examples = [
        _example(heading, body) for heading, body in zip(parts[::2], parts[1::2], strict=True)
    ]
    return Case(
        path,
        title.removeprefix("# "),
        spec[1] if spec is not None else "",
        [each for each in examples if each.heading.startswith("Fails")],
        [each for each in examples if each.heading.startswith("Passes")],
    )


def _example(heading: str, body: str) -> Example:
    example = Example(heading.strip())
    for verb, argument, content in _BLOCK.findall(body):
        if verb == "expected":
            example.expected = content.strip()
        elif verb == "today":
            example.today = content.strip()
        else:
            example.changes.append((verb, argument.strip(), content))
    return example


def change(root: Path, verb: str, argument: str, content: str) -> None:
    """Apply one block to a library."""
    name, _, times = argument.partition(" ")
    target = root / name
    target.parent.mkdir(parents=True, exist_ok=True)
    match verb:
        case "edit":
            target.write_text(_edited(target.read_text("utf-8"), content), "utf-8", newline="\n")
        case "write":
            target.write_text(content, "utf-8", newline="\n")
        case "append":
            target.write_text(target.read_text("utf-8") + content, "utf-8", newline="\n")
        case "repeat":
            target.write_text(
                target.read_text("utf-8") + content * int(times), "utf-8", newline="\n"
            )
        case "bytes":
            target.write_bytes(codecs.decode(content.strip(), "unicode_escape").encode("latin-1"))
        case "delete":
            target.unlink()
        case "folder":
            target.unlink(missing_ok=True)
            target.mkdir()
        case "link":
            target.unlink(missing_ok=True)
            target.symlink_to(root / content.strip())
        case _:
            raise AssertionError(f"unknown block '{verb}'")


def _edited(text: str, content: str) -> str:
    old = "".join(f"{line[1:]}\n" for line in content.splitlines() if line[:1] in "- ")
    new = "".join(f"{line[1:]}\n" for line in content.splitlines() if line[:1] in "+ ")
    assert text.count(old) == 1, f"the lines are there {text.count(old)} times:\n{old}"
    return text.replace(old, new)


Inspect = Callable[[Example], tuple[Diagnostic, ...]]
InspectAll = Callable[[list[Example]], list[tuple[Example, tuple[Diagnostic, ...]]]]


@pytest.fixture
def inspect(tmp_path: Path) -> Inspect:
    """Return a function that lints the base library with an example's changes."""

    def run(example: Example) -> tuple[Diagnostic, ...]:
        root = tmp_path / "library"
        for left in (root, tmp_path / "overlay"):
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(BASE, root)
        for verb, argument, content in example.changes:
            change(root, verb, argument, content)
        overlay = tmp_path / "overlay"
        library, documents = read_both(root, overlay if overlay.is_dir() else None)
        return lint(documents, library, today=example.today, examples=MissingTableRunner())

    return run


@pytest.fixture
def inspect_all(inspect: Inspect) -> InspectAll:
    """Return a function that lints several examples, one after the other."""
    return lambda examples: [(example, inspect(example)) for example in examples]
