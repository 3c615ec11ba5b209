"""Jest, begun so that the code that it tests cannot write its result.

Room: work (bench). Jest runs in an enclosure, on packages installed from the repository as it was
before the answer. Tests run in processes that Jest starts; its first process alone holds the
descriptor on which results are told. Each of our test files ends with two checks that must fail: an
answer that changes what a check says, or tells results of its own, does not know them.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills_nb.bench.contained.enclosure import Enclosed, Enclosure, run_enclosed

TREE, RUNNER, PACKAGES = "/answer", "/runner", "/answer/node_modules"
_TEST_FILE = re.compile(r"\.(?:test|spec)\.[cm]?[jt]s\Z")
_RUN = """'use strict';
const fs = require('fs');
const path = require('path');
const [tree, ...words] = process.argv.slice(2);
const packages = path.join(tree, 'node_modules');
const has = (ending) => fs.existsSync(path.join(tree, `jest.config.${ending}`));
if (!['js', 'mjs', 'cjs', 'json', 'ts'].some(has)) {
    const own = require(path.join(packages, '@salesforce/sfdx-lwc-jest/config'));
    words.unshift('--config=' + JSON.stringify(own.jestConfig));
}
require(path.join(packages, 'jest')).run(words);
"""
_REPORTER = """'use strict';
const fs = require('fs');
const told = (test) => ({
    fullName: test.fullName,
    title: test.title,
    status: test.status,
    message: (test.failureMessages || []).join('\\n').slice(0, 4000),
});
module.exports = class {
    onRunComplete(_, results) {
        const suites = results.testResults.map((suite) => ({
            name: suite.testFilePath,
            status: suite.testExecError ? 'failed' : 'done',
            message: (suite.failureMessage || '').slice(0, 4000),
            assertionResults: suite.testResults.map(told),
        }));
        fs.writeSync(3, JSON.stringify({ success: results.success, testResults: suites }));
    }
};
"""
_CONTROLS = """
;describe('{name}', () => {{
    it('{name} holds', () => {{ expect('{one}').toBe('{one}'); }});
    it('{name} differs', () => {{ expect('{one}').toBe('{two}'); }});
    it('{name} is the same', () => {{ expect('{one}').not.toBe('{one}'); }});
}});
"""


@dataclass(frozen=True, slots=True)
class JestRun:
    """What Jest said of a tree."""

    document: Mapping[str, Any] | None
    """In the form of Jest's own report, without the controls; None where it told nothing."""
    words: tuple[str, ...]
    """The command by its argument vector."""
    exit_status: int
    """Of Jest, which always ends with 1: the controls fail."""
    output: str
    """The end of what it printed."""
    forged: str = ""
    """Why the report cannot be what the tests said; empty where it can."""


def run_jest(
    tree: Path,
    packages: Path,
    patterns: Sequence[str],
    ours: Sequence[str],
    *,
    timeout_s: float,
    is_enclosed: bool,
) -> JestRun:
    """Run the tests of a tree.

    Args:
        tree: the working tree with the answer in it; its own `node_modules` are hidden.
        packages: the folder of installed packages.
        patterns: which test files are run, as Jest's `--testPathPattern`; all for none.
        ours: test files that the answer did not write, relative to the tree.
        timeout_s: seconds.
        is_enclosed: False runs the answer's code on this machine as it is.

    Raises:
        CannotContainError: this machine has no enclosure.
        TimeoutError: it took too long.
    """
    controls = _Controls(*(secrets.token_hex(8) for _ in range(3)))
    with _prepared(tree, packages, ours, controls, is_enclosed=is_enclosed) as shown:
        words = (str(shutil.which("node")), f"{RUNNER}/run.cjs", TREE, *_options(patterns))
        enclosure = Enclosure(shown, TREE, timeout_s, {"CI": "true", "NO_COLOR": "1"})
        ran = run_enclosed(words, enclosure, is_enclosed=is_enclosed)
    return _read(ran, words, controls, frozenset(ours))


def _options(patterns: Sequence[str]) -> tuple[str, ...]:
    return (
        f"--rootDir={TREE}",
        f"--reporters={RUNNER}/reporter.cjs",
        "--ci",
        # With one worker, tests would run in the process that tells their results.
        "--maxWorkers=2",
        "--workerIdleMemoryLimit=1GB",
        "--cacheDirectory=/tmp/jest",
        "--coverage=false",
        "--testPathPattern",
        "|".join(patterns) or ".",
    )


@dataclass(frozen=True, slots=True)
class _Controls:
    """Checks whose outcome is known, under names that nobody can know."""

    name: str
    one: str
    two: str

    @property
    def text(self) -> str:
        return _CONTROLS.format(name=self.name, one=self.one, two=self.two)

    def are_held(self, tests: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether they ended as they must: one passed, two failed, each for its reason."""
        found = {str(t.get("title")): t for t in tests if self.is_one(t)}
        good = found.get(f"{self.name} holds", {})
        bad = [found.get(f"{self.name} {what}", {}) for what in ("differs", "is the same")]
        are_bad = all(t.get("status") == "failed" and self.one in t["message"] for t in bad)
        return len(found) == 3 and good.get("status") == "passed" and are_bad

    def is_one(self, test: Mapping[str, Any]) -> bool:
        """Tell whether a test is one of these."""
        return self.name in str(test.get("fullName"))


@contextmanager
def _prepared(
    tree: Path, packages: Path, ours: Sequence[str], controls: _Controls, *, is_enclosed: bool
) -> Iterator[Mapping[str, Path]]:
    """Yield what Jest is shown: the tree with our test files as they are to run."""
    with tempfile.TemporaryDirectory(prefix="skills-nb-jest-") as made:
        folder = Path(made)
        (folder / "run.cjs").write_text(_RUN, encoding="utf-8")
        (folder / "reporter.cjs").write_text(_REPORTER, encoding="utf-8")
        copy = folder / "tree"
        shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(".git", "node_modules"))
        if ours:
            _remove_other_tests(copy, ours)
        for name in ours:
            with (copy / name).open("a", encoding="utf-8") as file:
                file.write(controls.text)
        if is_enclosed:
            (copy / "node_modules").mkdir()
            # The packages are laid over their place in the tree: the order counts.
            yield {TREE: copy, PACKAGES: packages, RUNNER: folder}
        else:
            (copy / "node_modules").symlink_to(packages)
            yield {TREE: copy, RUNNER: folder}


def _remove_other_tests(tree: Path, ours: Sequence[str]) -> None:
    """Remove tests that the answer brings: it is not measured by what it wrote itself."""
    for path in [*tree.rglob("*")]:
        name = path.relative_to(tree).as_posix()
        if is_test_file(name) and name not in ours:
            path.unlink()


def _read(
    ran: Enclosed, words: tuple[str, ...], controls: _Controls, ours: frozenset[str]
) -> JestRun:
    try:
        document = json.loads(ran.report)
        suites = [*map(dict, document["testResults"])]
    except (ValueError, KeyError, TypeError):
        forged = "what was told of the tests is no report" if ran.report else ""
        return JestRun(None, words, ran.exit_status, ran.output, forged)
    forged = _forged(suites, controls, ours, ran.exit_status)
    for suite in suites:
        suite["assertionResults"] = [
            test for test in suite["assertionResults"] if not controls.is_one(test)
        ]
    told = {**document, "testResults": suites}
    return JestRun(told, words, ran.exit_status, ran.output, forged)


def _forged(
    suites: Sequence[Mapping[str, Any]], controls: _Controls, ours: frozenset[str], status: int
) -> str:
    """Return why a report is not what the tests said, or nothing."""
    judged = False
    for suite in suites:
        name = str(suite.get("name"))
        if not any(name.endswith("/" + own) for own in ours) or not suite["assertionResults"]:
            continue
        judged = True
        if not controls.are_held(suite["assertionResults"]):
            return f"checks of {Path(name).name} that must fail did not"
    return "Jest ended as if every check had held" if judged and status == 0 else ""


def is_test_file(path: str) -> bool:
    """Tell whether Jest takes a file for one of tests."""
    return _TEST_FILE.search(path) is not None
