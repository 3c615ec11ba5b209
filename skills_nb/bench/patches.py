"""Patches: taken as they are, or refused.

Room: work (bench). Code fences come off and nothing else is edited. A patch is tried strictly
first; each looser way starts from a pristine tree and costs `no_tweaks`. Paths that lead out of
the tree, into `.git` or through links are refused before anything is applied.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from skills_nb.bench.code_fences import strip_fences
from skills_nb.bench.contained.enclosure import clean_environment
from skills_nb.errors import SkillsError

_HEADER = re.compile(r"^(?:diff --git |--- \S+[^\n]*\n\+\+\+ )", re.MULTILINE)
_HUNK = re.compile(r"^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_NAMES = ("--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ")
_LINKS = re.compile(
    r"(?:new file mode|new mode|old mode|deleted file mode) (?:120000|160000)|"
    r"index [0-9a-f]+\.\.[0-9a-f]+ (?:120000|160000)"
)


class PatchError(SkillsError):
    """The answer is no patch, or none that can be applied: the model's fault."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A unified diff, as it was submitted."""

    text: str
    """The diff alone, without what a model wrote around it."""
    paths: tuple[str, ...]
    """Files that it touches, relative to the root."""
    is_counted_right: bool
    """Whether every hunk has as many lines as it says."""

    @property
    def sha256(self) -> str:
        """Return the hash of its bytes."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AppliedPatch:
    """A patch in a working tree."""

    patch: Patch
    """As it was submitted, whichever way it took."""
    way: str
    """`strict`, or the looser way that it took."""
    tree: str
    """Git's name for the tree that it made."""

    @property
    def is_strict(self) -> bool:
        """Return whether nothing had to be stretched."""
        return self.way == "strict"


def patch_of(answer: str) -> Patch:
    """Return the patch of an answer.

    Raises:
        PatchError: there is none, it is cut off, or it reaches for what it may not.
    """
    text = strip_fences(answer, lambda word, inside: _HEADER.search(inside) is not None)
    if _HEADER.search(text) is None:
        raise PatchError("the answer holds no unified diff", hint="begin with --- a/file")
    paths, is_right = _read(text)
    return Patch(text, paths, is_right)


def _read(text: str) -> tuple[tuple[str, ...], bool]:
    """Return the paths and whether the hunks' counts are right."""
    lines = text.split("\n")
    paths: set[str] = set()
    is_right, number = True, 0
    while number < len(lines):
        line = lines[number]
        hunk = _HUNK.match(line)
        if hunk is not None:
            number, fits = _hunk(lines, number + 1, int(hunk[1] or 1), int(hunk[2] or 1))
            is_right = is_right and fits
            continue
        if _LINKS.match(line):
            raise PatchError(f"a link or submodule is refused: '{line}'")
        paths.update(_named(line))
        number += 1
    if not paths:
        raise PatchError("the diff names no file")
    return tuple(sorted(paths)), is_right


def _hunk(lines: Sequence[str], number: int, old: int, new: int) -> tuple[int, bool]:
    """Return the number of the line after a hunk, and whether its counts fit."""
    while old > 0 or new > 0:
        if number >= len(lines) or (number == len(lines) - 1 and not lines[number]):
            return number, False
        sign = lines[number][:1]
        if sign not in (" ", "", "-", "+", "\\"):
            return number, False
        old -= sign in (" ", "", "-")
        new -= sign in (" ", "", "+")
        number += 1
    return number, (old, new) == (0, 0)


def _named(line: str) -> Iterator[str]:
    """Yield the paths that a line outside of hunks names, each checked."""
    if line.startswith("diff --git "):
        # An empty file, or a change of mode, is named nowhere else.
        sides = re.fullmatch(r"(?:a/)?(\S+) (?:b/)?(\S+)\r?", line[len("diff --git ") :])
        if sides is not None:
            yield _checked(sides[1])
            yield _checked(sides[2])
    for start in _NAMES:
        if line.startswith(start):
            named = line[len(start) :].split("\t")[0].rstrip("\r")
            if named == "/dev/null":
                return
            named = named[1:-1] if named.startswith('"') else named
            is_sided = start in ("--- ", "+++ ") and named[:2] in ("a/", "b/")
            yield _checked(named[2:] if is_sided else named)


def _checked(named: str) -> str:
    path = PurePosixPath(named)
    parts = [part.lower() for part in path.parts]
    if path.is_absolute() or ".." in parts or ".git" in parts or "\\" in named or "\0" in named:
        raise PatchError(f"the path '{named}' is refused")
    return named


# ---- applying

_WAYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("strict", ("git", "apply", "--index", "-")),
    ("recount", ("git", "apply", "--index", "--recount", "-")),
    ("3way", ("git", "apply", "--3way", "-")),
    (
        "fuzzy",
        (
            "patch",
            "--batch",
            "--forward",
            "--fuzz=2",
            "-p1",
            "--no-backup-if-mismatch",
            "--reject-file=-",
        ),
    ),
)


def apply_patch(tree: Path, patch: Patch) -> AppliedPatch:
    """Apply a patch to a git working tree, strictly, else in ever looser ways.

    Raises:
        PatchError: it cannot be applied, or changes nothing; the tree is pristine again.
    """
    refused = []
    for way, command in _WAYS:
        pristine(tree)
        _refuse_links(tree, patch)
        ran = subprocess.run(command, input=patch.text.encode(), cwd=tree, capture_output=True)
        if ran.returncode == 0:
            return _taken(tree, patch, way)
        said = (ran.stderr or ran.stdout).decode(errors="replace").split("\n")[0]
        refused.append(f"{way}: {said[:160]}")
    pristine(tree)
    raise PatchError(
        "the patch does not apply: " + " | ".join(refused),
        hint="check the patch format (a valid git diff against the base commit)",
    )


def _taken(tree: Path, patch: Patch, way: str) -> AppliedPatch:
    git(tree, "add", "--all")
    if git(tree, "diff", "--cached", "--quiet", check=False).returncode == 0:
        pristine(tree)
        raise PatchError("the patch changes nothing")
    made = git(tree, "ls-files", "--stage").stdout.decode(errors="replace")
    changed = set(git(tree, "diff", "--cached", "--name-only", "-z").stdout.decode().split("\0"))
    linked = [
        line.split("\t", 1)[1]
        for line in made.splitlines()
        if line[:6] in ("120000", "160000") and line.split("\t", 1)[1] in changed
    ]
    if linked:
        pristine(tree)
        raise PatchError(f"the patch makes a link: '{linked[0]}'")
    return AppliedPatch(patch, way, git(tree, "write-tree").stdout.decode().strip())


def _refuse_links(tree: Path, patch: Patch) -> None:
    """Refuse a path that runs through a link of the base, which could lead anywhere."""
    for named in patch.paths:
        place = tree
        for part in PurePosixPath(named).parts:
            place = place / part
            if place.is_symlink():
                raise PatchError(f"the path '{named}' runs through a link")


def pristine(tree: Path) -> None:
    """Put the tree back to its commit; nothing else stays."""
    git(tree, "reset", "--quiet", "--hard")
    git(tree, "clean", "-fdxq")


def git(tree: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run git in a tree, without anybody's settings and without the keys of this process.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    plain = ("-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0")
    return subprocess.run(
        ["git", *plain, *words],
        cwd=tree,
        env=clean_environment("GIT_", "SSH_"),
        capture_output=True,
        check=check,
    )
