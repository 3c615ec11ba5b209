"""README's first lines, as printed: from a package file, in an empty directory."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def printed():
    """The first block of shell lines that README has."""
    return re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
    )
    if "hatchling" in built.stderr and "No matching distribution" in built.stderr:
        pytest.skip("what builds packages can be had neither here nor from an index")
    assert built.returncode == 0, built.stderr
    return next(folder.glob("skills_nb-*.whl"))


@pytest.fixture(scope="module")
def shell(wheel, tmp_path_factory):
    """An empty directory with the package file, and an environment that has its dependencies."""
    folder = tmp_path_factory.mktemp("empty")
    place = tmp_path_factory.mktemp("venv") / "venv"
    venv.create(place, with_pip=True)
    packages = next(place.glob("lib/python*/site-packages"))
    # What it builds on is taken from here; what is installed here of the package itself is not.
    for one in Path(sysconfig.get_path("purelib")).iterdir():
        if "skills_nb" not in one.name and not (packages / one.name).exists():
            (packages / one.name).symlink_to(one)
    shutil.copy(wheel, folder)
    kept = {"HOME": str(folder), "LANG": "C.UTF-8", "COLUMNS": "100"}
    env = {**kept, "PATH": os.pathsep.join((str(place / "bin"), "/usr/bin", "/bin"))}

    def run(text, **more):
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", text],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            **more,
        )

    return run


@pytest.fixture(scope="module")
def followed(shell):
    """What the lines print. Those that leave a thread waiting end with status 3, as promised."""
    text = printed().replace(" --no-input\n", " --no-input || [ $? = 3 ]\n")
    done = shell(text)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_about_ten_lines():
    assert len(printed().splitlines()) <= 12


def test_the_table_is_protected(followed):
    last = followed.rpartition("1 row as ANALYST")[2]
    assert last
    assert "***" in last
    assert "Ann Lee" not in last
    assert "ann@example.com" not in last


def test_the_package_is_the_installed_one(shell, followed):
    where = shell("python -c 'import skills_nb; print(skills_nb.__file__)'")
    assert "/venv/" in where.stdout, where.stderr
    assert shell("skills-nb doctor").returncode == 0
    assert "playbooks/secure-sensitive-data" in shell("skills-nb library").stdout
