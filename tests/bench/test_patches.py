"""Patches are taken as they are, or refused."""

import shutil
import subprocess

import pytest

from skills_nb.bench.patches import PatchError, apply_patch, git, patch_of

BASE = "".join(f"line {n}\n" for n in range(1, 11))
GOOD = """diff --git a/a.cls b/a.cls
--- a/a.cls
+++ b/a.cls
@@ -2,3 +2,3 @@
 line 2
-line 3
+line three
 line 4
"""


@pytest.fixture
def tree(tmp_path):
    place = tmp_path / "tree"
    place.mkdir()
    (place / "a.cls").write_text(BASE, newline="\n")
    (place / "folder").mkdir()
    (place / "folder" / "b.cls").write_text("b\n", newline="\n")
    (place / "out").symlink_to("..")
    for words in (
        ["init", "--quiet"],
        ["add", "--all"],
        ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "base"],
    ):
        git(place, *words)
    return place


def test_a_right_patch_is_applied_strictly(tree):
    applied = apply_patch(tree, patch_of(GOOD))
    assert (applied.way, applied.patch.paths) == ("strict", ("a.cls",))
    assert (tree / "a.cls").read_text() == BASE.replace("line 3\n", "line three\n")


def test_fences_come_off_and_nothing_else_does(tree):
    patch = patch_of(f"Sure! Here it is:\n\n```diff\n{GOOD}```\nDone.")
    assert patch.text == GOOD
    assert apply_patch(tree, patch).is_strict


@pytest.mark.parametrize("noise", ["trailing  ", "\ttabbed", "ünïcode 🎉", "+plus", "-- comment"])
def test_no_byte_of_a_change_is_edited(tree, noise):
    patch = patch_of(GOOD.replace("line three", noise))
    apply_patch(tree, patch)
    assert noise in (tree / "a.cls").read_text().splitlines()


def test_windows_line_ends_are_content(tree):
    (tree / "a.cls").write_bytes(b"one\r\ntwo\r\n")
    git(tree, "add", "--all")
    git(tree, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "crlf")
    text = "--- a/a.cls\n+++ b/a.cls\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+zwei\r\n"
    assert apply_patch(tree, patch_of(text)).is_strict
    assert (tree / "a.cls").read_bytes() == b"one\r\nzwei\r\n"


def test_every_way_starts_from_a_pristine_tree(tree):
    (tree / "junk").write_text("left by somebody")
    (tree / "a.cls").write_text("spoiled")
    apply_patch(tree, patch_of(GOOD))
    assert not (tree / "junk").exists()


def test_wrong_counts_cost_the_strict_way(tree):
    patch = patch_of(GOOD.replace("@@ -2,3 +2,3 @@", "@@ -2,9 +2,9 @@"))
    assert not patch.is_counted_right
    assert apply_patch(tree, patch).way == "recount"


def test_stale_context_costs_the_strict_way(tree):
    patch = patch_of(GOOD.replace(" line 2\n", " line two, as it was once\n"))
    assert apply_patch(tree, patch).way == "fuzzy"


def test_a_patch_that_fits_nowhere_is_refused_and_leaves_nothing(tree):
    patch = patch_of(
        GOOD.replace("line 3", "line 333").replace("line 2", "x").replace("line 4", "y")
    )
    with pytest.raises(PatchError, match="does not apply") as refused:
        apply_patch(tree, patch)
    assert "valid git diff" in (refused.value.hint or "")
    assert (tree / "a.cls").read_text() == BASE
    assert git(tree, "status", "--porcelain").stdout == b""


def test_a_patch_that_changes_nothing_is_refused(tree):
    same = GOOD.replace("+line three", "+line 3")
    with pytest.raises(PatchError):
        apply_patch(tree, patch_of(same))


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "```apex\nclass A {}\n```"])
def test_an_answer_without_a_diff_is_refused(answer):
    with pytest.raises(PatchError, match="no unified diff"):
        patch_of(answer)


@pytest.mark.parametrize(
    "path",
    [
        "../x.cls",
        "a/../../x.cls",
        "/etc/passwd",
        ".git/hooks/pre-commit",
        "sub/.GIT/config",
        "a\\..\\x.cls",
    ],
)
@pytest.mark.parametrize("side", ["+++ b/{}", "rename to {}", "diff --git a/a.cls b/{}"])
def test_paths_that_lead_out_are_refused(path, side):
    named = side.format(path)
    if path.startswith("/"):
        named = named.replace("b//", "/")
    text = f"diff --git a/a.cls b/a.cls\n{named}\n--- a/a.cls\n+++ b/a.cls\n@@ -1 +1 @@\n-a\n+b\n"
    with pytest.raises(PatchError, match="is refused"):
        patch_of(text)


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_links_and_submodules_are_refused(mode):
    text = (
        f"diff --git a/l b/l\nnew file mode {mode}\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n"
    )
    with pytest.raises(PatchError, match="link or submodule"):
        patch_of(text)


def test_a_path_through_a_link_of_the_base_is_refused(tree):
    text = "--- /dev/null\n+++ b/out/x.cls\n@@ -0,0 +1 @@\n+x\n"
    with pytest.raises(PatchError, match="through a link"):
        apply_patch(tree, patch_of(text))
    assert not (tree.parent / "x.cls").exists()


def test_new_deleted_and_renamed_files_are_whole(tree):
    shutil.copytree(tree, tree.parent / "work", symlinks=True)
    work = tree.parent / "work"
    (work / "new file.cls").write_text("new\n", newline="\n")
    (work / "empty.cls").write_text("")
    git(work, "mv", "a.cls", "folder/a.cls")
    (work / "folder" / "b.cls").unlink()
    git(work, "add", "--all")
    made = git(work, "diff", "--cached", "--binary").stdout.decode()
    applied = apply_patch(tree, patch_of(made))
    assert applied.is_strict
    assert applied.tree == git(work, "write-tree").stdout.decode().strip()


def test_a_patch_cut_off_in_a_hunk_is_not_strict(tree):
    cut = patch_of("\n".join(GOOD.splitlines()[:-2]))
    assert not cut.is_counted_right
    try:
        assert not apply_patch(tree, cut).is_strict
    except PatchError:
        assert (
            subprocess.run(
                ["git", "status", "--porcelain"], cwd=tree, capture_output=True, check=True
            ).stdout
            == b""
        )
