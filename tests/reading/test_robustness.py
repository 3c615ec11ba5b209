"""No text, however damaged, raises or hangs: everything wrong is a diagnostic."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.lint import lint, to_text
from skills_nb.model.documents import Documents
from skills_nb.model.library import Library
from skills_nb.reading import read_both
from skills_nb.reading.steps import STEP_FIELDS as STEP_KEYS

BASE = Path(__file__).parent.parent / "lint" / "base"
PATHS = (
    "playbooks/protect-columns/playbook.md",
    "primitives/tags/skill.md",
    "routers/data-security/router.md",
    "router.md",
    "skill-index.yaml",
    "spec/controlled-vocabulary.md",
)
ORIGINAL = {path: (BASE / path).read_bytes() for path in PATHS}
SNIPPETS = (
    *(b"---\n", b"```", b"~~~", b"|", b"{{", b"}}", b"{%", b"%}", b"{", b"}", b"[", b"]", b": "),
    *(b"- ", b"# ", b"## Steps\n", b"### Step 1: A\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r"),
    *(b"\t", b"&a ", b"*a", b"!!x ", b"'", b'"', b"> ", b"`", b"\\", b"$$", b";", b"/*", b"--"),
    *("é\u2028\x85".encode(), b"**Checkpoint:** ", b"Compensation: ", b"null", b"1e999", b"<!--"),
)


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """Return a directory whose files are written over before each reading."""
    import shutil

    return Path(shutil.copytree(BASE, tmp_path_factory.mktemp("robust") / "library"))


def inspect(root: Path, path: str, content: bytes) -> tuple[Library, Documents]:
    """Read, lint and show the library with one file replaced, then put the file back."""
    (root / path).write_bytes(content)
    try:
        library, documents = read_both(root)
        to_text(lint(documents, library, today="2026-03-01"), documents)
        list(library.playbooks.values()), list(library.primitives.values())
    finally:
        (root / path).write_bytes(ORIGINAL[path])
    return library, documents


def mutated(content: bytes, seed: random.Random) -> bytes:
    """Return the content with a few cuts, copies, swaps and snippets."""
    for _ in range(seed.randint(1, 4)):
        at = seed.randrange(len(content) + 1)
        to = min(len(content), at + seed.choice((1, 3, 20, 200)))
        match seed.randrange(5):
            case 0:
                content = content[:at] + content[to:]
            case 1:
                content = content[:at] + content[at:to] * seed.choice((2, 9)) + content[to:]
            case 2:
                content = content[:at] + seed.choice(SNIPPETS) + content[at:]
            case 3:
                content = content[:at] + bytes([seed.randrange(256)]) + content[at + 1 :]
            case _:
                content = content[to:] + content[at:to] + content[:at]
    return content


def run_mutations(root: Path, count: int, seed: int) -> None:
    generator = random.Random(seed)
    for number in range(count):
        path = generator.choice(PATHS)
        content = mutated(ORIGINAL[path], generator)
        begin = time.process_time()
        try:
            inspect(root, path, content)
        except Exception as error:
            raise AssertionError(f"mutation {number} of {path}: {content!r}") from error
        assert time.process_time() - begin < 5, f"mutation {number} of {path}: {content!r}"


@pytest.mark.slow
def test_three_hundred_mutated_files_raise_nothing(root):
    run_mutations(root, 300, seed=7)


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(11, 21))
def test_ten_thousand_mutated_files_raise_nothing(root, seed):
    run_mutations(root, 1_000, seed=seed)


@settings(max_examples=60, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(PATHS), content=st.binary(max_size=400))
def test_any_bytes_are_read(root, path, content):
    inspect(root, path, content)


FRONT = b"---\ntype: playbook\nname: protect-columns\ndomain: data-security\n"
INNER_KEYS = (
    *("name", "id", "type", "query", "validate", "condition", "action", "message", "choices"),
    *("default", "phase", "from", "options", "description", "pattern", "severity", "present"),
)
PLAYBOOK_KEYS = ("inputs", "probes", "produces", "depends_on", "prerequisites", "description")
YAML = st.recursive(
    st.sampled_from(["null", "1", "x", "''", "true", "1.5", "2026-01-01", "'{a}'", "'{{ a }}'"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(
            st.sampled_from(
                [
                    "name",
                    "id",
                    "type",
                    "query",
                    "validate",
                    "condition",
                    "action",
                    "message",
                    "choices",
                    "default",
                    "phase",
                    "from",
                    "options",
                    "description",
                ]
            ),
            inner,
            max_size=4,
        ).map(
            lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"
        )
    ),
    max_leaves=8,
)
FIELDS = st.dictionaries(
    st.sampled_from(PLAYBOOK_KEYS),
    YAML,
)


@settings(max_examples=120, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(fields=FIELDS)
def test_any_structure_in_the_front_matter_is_read(root, fields):
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    inspect(
        root, PATHS[0], FRONT + lines.encode() + b"---\n# P\n\nx\n\n## Steps\n\n### Step 1: A\n"
    )


STEP_FIELDS = st.dictionaries(
    st.sampled_from(STEP_KEYS),
    YAML,
    min_size=1,
)


@pytest.mark.slow
@settings(max_examples=120, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(fields=STEP_FIELDS, sql=st.text("abc{}%;'$-/*()= \n", max_size=40))
def test_any_structure_in_a_step_is_read(root, fields, sql):
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    step = f"### Step 1: A\n\nx\n\n```yaml\n{lines}```\n\n```sql\n{sql}\n```\n"
    inspect(root, PATHS[0], FRONT + f"---\n# P\n\nx\n\n## Steps\n\n{step}".encode())


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "> " * 20_000,
        "- " * 20_000,
        "#" * 500_000,
        "[" * 200_000,
        "*" * 300_000,
        "`" * 300_000,
        "|" * 200_000,
        "| a |\n|---|\n" + "| b |\n" * 60_000,
        "# a\n" * 100_000,
        "```\n" * 100_001,
        "<!--" * 100_000,
        "<!-- lint: allow SK301 because " * 20_000,
        "\n" * 900_000,
        " " * 900_000,
        "### Step 1: A\n" * 20_000,
        "**Checkpoint:** " * 30_000,
        "Creates: " + "a " * 100_000,
        "x/" * 200_000,
        "../" * 200_000,
        "a" * 900_000,
        "we " * 200_000,
        "'" * 300_000,
        '"' * 300_000,
        "primitives/" * 80_000,
    ],
    ids=lambda text: repr(text[:12]),
)
@pytest.mark.parametrize("path", PATHS[:2])
def test_a_quarter_megabyte_of_one_thing_does_not_hang(root, path, text):
    front = ORIGINAL[path].split(b"\n---\n", 1)[0] + b"\n---\n\n# A\n\nx\n\n## Steps\n\n"
    begin = time.process_time()
    inspect(root, path, front + text[:250_000].encode())
    assert time.process_time() - begin < 15
