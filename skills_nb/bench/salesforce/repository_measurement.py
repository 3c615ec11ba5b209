"""Measuring an answer to a Salesforce task: clone, patch, deploy, test, look.

Room: work (bench). Evidence from outside an org may lower a component and never raise it, except
where the component's own check is what ran: Jest tests are real without an org.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from skills_nb.bench.contained.tampering import decides_the_score, tampering_of_patch
from skills_nb.bench.patches import AppliedPatch, PatchError, apply_patch, git, patch_of
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce import predicates, sf_cli
from skills_nb.bench.salesforce.checkout import check_out
from skills_nb.bench.salesforce.lwc_tests import jest
from skills_nb.bench.salesforce.orgs import org_for
from skills_nb.bench.salesforce.sf_cli import CliError
from skills_nb.bench.salesforce.static_checks import static_troubles
from skills_nb.bench.scoring import (
    MEASURED,
    Component,
    Evidence,
    Scorecard,
    State,
    failed,
    graded,
    passed,
    unmeasured,
)
from skills_nb.bench.tasks.task_values import Outcome, RepositoryTask, Task

_SCRIPT = ".skills-nb-script.apex"
_NOT_ASKED = unmeasured(State.NOT_RUN, "asked for with --functional")


def measure_repository(task: Task, answer: str, attempt: int, setting: RunSetting) -> Scorecard:
    """Return the components of an answer.

    Raises:
        CliError: something around it broke.
    """
    body = task.body
    assert isinstance(body, RepositoryTask), "called with tasks of repositories"
    try:
        patch = patch_of(answer)
    except PatchError as problem:
        return Scorecard.all_of(failed(problem.message))
    with _working_tree() as tree:
        check_out(body, setting, tree)
        try:
            applied = apply_patch(tree, patch)
        except PatchError as problem:
            return Scorecard.all_of(failed(problem.message))
        put_back = restore_what_decides(tree, applied.patch.paths)
        restore(tree, body)
        instance = _Instance(task.id, body, attempt, setting, tree, applied)
        tried = list(tampering_of_patch(patch.text, put_back))
        card = instance.card(tried)
        return card.with_tampering(tried)


@contextmanager
def _working_tree() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="skills-nb-"))
    try:
        yield folder / "repository"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def restore(tree: Path, body: RepositoryTask) -> None:
    """Put back what an answer may not decide: hidden tests, and tests and configuration.

    Raises:
        CliError: a hidden file's path leads out of the repository, or git fails.
    """
    for path in body.protected:
        known = git(tree, "ls-tree", "-r", "--name-only", "HEAD", "--", path).stdout
        git(tree, "rm", "-r", "--quiet", "--force", "--ignore-unmatch", "--", path)
        if known.strip():
            git(tree, "checkout", "HEAD", "--", path)
    for name, text in body.hidden_files.items():
        place = tree / name
        if not place.resolve().is_relative_to(tree.resolve()):
            raise CliError(f"the hidden file '{name}' leads out of the repository")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def restore_what_decides(tree: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Put back files that say how tests run, or with what; return those that were changed."""
    changed = tuple(path for path in paths if decides_the_score(path))
    for path in changed:
        known = git(tree, "ls-tree", "-r", "--name-only", "HEAD", "--", path).stdout
        git(tree, "rm", "-r", "--quiet", "--force", "--ignore-unmatch", "--", path)
        if known.strip():
            git(tree, "checkout", "HEAD", "--", path)
    return changed


@dataclass(frozen=True, slots=True)
class _Instance:
    """One answer in its working tree."""

    name: str
    task: RepositoryTask
    attempt: int
    setting: RunSetting
    tree: Path
    applied: AppliedPatch

    def card(self, tried: list[str]) -> Scorecard:
        """Return the card; what an org alone can tell is not run without one.

        Args:
            tried: is added to where the answer's code tries to write its own result.
        """
        base = replace(self._offline(tried), no_tweaks=self._no_tweaks())
        troubles = static_troubles(self.tree, self.applied.patch.paths)
        if troubles:
            return _undeployed(base, failed("; ".join(troubles), self._read(troubles)))
        if self.setting.salesforce == "offline":
            return base
        with org_for(self.setting, self.name, self.attempt, self.tree) as org:
            return self._deployed(base, org)

    def _no_tweaks(self) -> Component:
        patch = self.applied.patch
        proof = Evidence(
            f"applied the {self.applied.way} way",
            "git apply --index -",
            0 if self.applied.is_strict else 1,
            patch.sha256,
            len(patch.paths),
        )
        if self.applied.is_strict:
            return passed(proof)
        return failed(f"applied only the {self.applied.way} way", proof)

    def _read(self, troubles: Sequence[str]) -> Evidence:
        return Evidence("files read", "static checks", 1, self.applied.patch.sha256, len(troubles))

    def _offline(self, tried: list[str]) -> Scorecard:
        needs_org = unmeasured(State.NOT_RUN, "needs an org: --dev-hub or --target-org")
        card = Scorecard.all_of(needs_org)
        if not self.task.bulk_script:
            card = replace(card, bulk=unmeasured(State.NOT_APPLICABLE, "no bulk script"))
        if not self.task.outcomes:
            card = replace(
                card, functional=unmeasured(State.NOT_APPLICABLE, "no functional validation")
            )
        if self.task.jest_paths:
            return self._with_jest(card, tried)
        if not self.task.apex_tests:
            return replace(card, tests=unmeasured(State.NOT_APPLICABLE, "no tests"))
        return card

    def _with_jest(self, card: Scorecard, tried: list[str]) -> Scorecard:
        """Return the card with what Jest says: its tests are the component's own check."""
        found = jest(self.task, self.tree, self.setting)
        tried += [found.forged] if found.forged else []
        tests = found.component
        card = replace(card, tests=tests)
        # Tests that the answer itself could have written would prove nothing.
        is_ours = bool(self.task.hidden_files or self.task.protected)
        is_all = is_ours and self.task.jest_tests and not self.task.outcomes
        if not is_all or tests.state is State.NOT_RUN:
            return card
        return replace(card, functional=tests if self.setting.functional else _NOT_ASKED)

    # ---- in an org

    def _deployed(self, card: Scorecard, org: str) -> Scorecard:
        minutes = max(1, self.task.run_timeout_s // 60)
        words = sf_cli.deploy(org, self.task.source_dirs, minutes)
        deploy = predicates.deploy_component(self._run(words, self.task.run_timeout_s + 60))
        if deploy.state is State.FAIL:
            return _undeployed(card, deploy)
        card = replace(card, deploy=deploy)
        if self.task.apex_tests:
            words = sf_cli.apex_tests(org, self.task.apex_tests, minutes)
            ran = self._run(words, self.task.run_timeout_s + 60)
            card = replace(card, tests=predicates.apex_test_component(ran, self.task.apex_tests))
        if self.task.outcomes:
            card = replace(card, functional=self._functional(org))
        if self.task.bulk_script:
            card = replace(card, bulk=self._bulk(org))
        return card

    def _run(self, words: Sequence[str], timeout_s: float) -> sf_cli.CommandResult:
        return sf_cli.run(words, self.tree, timeout_s)

    def _functional(self, org: str) -> Component:
        if not self.setting.functional:
            return _NOT_ASKED
        held, troubles, spoiled, found = 0, [], False, 0
        last: sf_cli.CommandResult | None = None
        for outcome in self.task.outcomes:
            trouble, last, records = self._outcome(org, outcome)
            found += records
            troubles += [f"{outcome.name}: {trouble}"] if trouble else []
            held += not trouble and not outcome.is_guard
            spoiled = spoiled or bool(trouble and outcome.is_guard)
        assert last is not None, "every outcome runs a script or a query"
        count = sum(not outcome.is_guard for outcome in self.task.outcomes)
        proof = predicates.evidence_of(last, f"{count} outcomes, {found} records", count)
        # What held before the answer earns nothing; spoiling it costs everything.
        return graded(0 if spoiled else held, max(1, count), "; ".join(troubles), proof)

    def _outcome(self, org: str, outcome: Outcome) -> tuple[str, sf_cli.CommandResult, int]:
        """Return why an outcome does not hold, the last command, and how many records it found."""
        ran: sf_cli.CommandResult | None = None
        if outcome.script:
            ran = self._script(org, outcome.script)
            trouble = predicates.script_trouble(ran)
            if trouble or not outcome.query:
                return trouble, ran, 0
        ran = self._run(sf_cli.query(org, outcome.query), self.task.functional_timeout_s)
        records = predicates.records_of(ran)
        return predicates.outcome_trouble(outcome, records), ran, len(records)

    def _script(self, org: str, text: str) -> sf_cli.CommandResult:
        path = self.tree / _SCRIPT
        path.write_text(text, encoding="utf-8")
        try:
            return self._run(sf_cli.apex_script(org, _SCRIPT), self.task.functional_timeout_s)
        finally:
            path.unlink()

    def _bulk(self, org: str) -> Component:
        ran = self._script(org, self.task.bulk_script)
        trouble = predicates.script_trouble(ran)
        proof = predicates.evidence_of(ran, "the bulk script ran to its end", 1)
        return failed(trouble, proof) if trouble else passed(proof)


def _undeployed(card: Scorecard, deploy: Component) -> Scorecard:
    """Return the card of what cannot be deployed: it has nothing that could be right.

    What was measured beside it, such as Jest tests, keeps its score.
    """
    lost = failed(f"not deployed: {deploy.reason}")
    told = [part if part.state in MEASURED else lost for _, part in card.parts()]
    return replace(Scorecard(*told), deploy=deploy)
