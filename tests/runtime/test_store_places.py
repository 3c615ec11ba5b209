"""Files go where locks are honest, and nobody else may read them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from skills_nb.errors import StoreError
from skills_nb.runtime.stores import store_places
from skills_nb.runtime.stores.store_places import Place, place_for

MOUNTINFO = """\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
31 27 0:30 / /home rw,relatime shared:9 master:2 - nfs4 server:/home rw,vers=4.2
32 31 0:31 / /home/me/My\\040Drive rw,nosuid - fuse.rclone drive: rw
33 27 0:33 / /home/me/local rw - xfs /dev/sdb rw
short line
"""

MOUNT_DARWIN = """\
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//me@nas/share (1) on /Volumes/share (1) (smbfs, nodev, nosuid, mounted by me)
nothing here
"""


def test_linux_mounts_are_read_with_their_spaces_and_optional_fields():
    assert store_places.mountinfo_types(MOUNTINFO) == {
        "/proc": "proc",
        "/": "ext4",
        "/home": "nfs4",
        "/home/me/My Drive": "fuse.rclone",
        "/home/me/local": "xfs",
    }


def test_darwin_mounts_are_read_even_with_parentheses_in_a_name():
    assert store_places.darwin_types(MOUNT_DARWIN) == {"/": "apfs", "/Volumes/share (1)": "smbfs"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/project/.skills", "nfs4"),
        ("/home/me/local/.skills", "xfs"),
        ("/home/me/localized", "nfs4"),
        ("/home/me/My Drive/x", "fuse.rclone"),
        ("/srv/data", "ext4"),
    ],
)
def test_the_innermost_mount_decides(path, kind):
    assert store_places.type_at(Path(path), store_places.mountinfo_types(MOUNTINFO)) == kind


def test_without_a_table_of_mounts_the_type_is_unknown_and_the_folder_is_used():
    assert store_places.type_at(Path("/srv"), {}) == ""
    assert place_for(Path("/srv/x"), type_of=lambda _: "") == Place(Path("/srv/x"))


def test_a_mac_is_asked_through_mount_and_an_unknown_system_not_at_all(monkeypatch):
    class Listed:
        stdout = MOUNT_DARWIN

    asked = []
    monkeypatch.setattr(store_places.Path, "exists", lambda _self: False)
    monkeypatch.setattr(
        store_places.subprocess, "run", lambda *given, **_: asked.append(given) or Listed
    )
    monkeypatch.setattr(store_places.sys, "platform", "darwin")
    assert store_places.filesystem_type(Path("/Volumes/share (1)/x")) == "smbfs"
    assert asked == [(["/sbin/mount"],)]
    monkeypatch.setattr(store_places.sys, "platform", "freebsd")
    assert store_places.filesystem_type(Path("/Volumes/share (1)/x")) == ""


def test_this_machines_own_mounts_are_read():
    assert store_places.filesystem_type(Path("/proc/self")) == "proc"


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "fuseblk", "9p"])
def test_network_and_user_space_file_systems_are_remote(kind):
    assert store_places.is_remote(kind)


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "zfs", "apfs", "overlay", "tmpfs", ""])
def test_local_file_systems_are_not_remote(kind):
    assert not store_places.is_remote(kind)


def test_a_folder_on_a_local_disk_is_used_as_it_is(tmp_path):
    assert place_for(tmp_path / "x", type_of=lambda _: "ext4") == Place(tmp_path / "x")


def test_two_network_folders_get_two_places_and_each_always_the_same(tmp_path):
    def find(name: str) -> Path:
        return place_for(
            Path("/mnt") / name,
            type_of=lambda path: "nfs" if path.parts[1] == "mnt" else "ext4",
            data_home=tmp_path,
        ).directory

    assert find("a") == find("a")
    assert find("a") != find("b")
    assert find("a").parent == tmp_path / "skills_nb"


def test_when_the_data_folder_is_on_a_network_too_the_reader_is_told():
    with pytest.raises(StoreError, match=r"^/mnt/a: is on a network file system \(nfs\)") as said:
        place_for(Path("/mnt/a"), type_of=lambda _: "nfs", data_home=Path("/home/me"))
    assert said.value.hint == "set SKILLS_NB_HOME to a folder on a local disk"


def test_the_data_folder_follows_the_desktop_standard(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert store_places.user_data_home() == tmp_path
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(store_places.sys, "platform", "linux")
    assert store_places.user_data_home() == tmp_path / ".local" / "share"
    monkeypatch.setattr(store_places.sys, "platform", "darwin")
    assert store_places.user_data_home() == tmp_path / "Library" / "Application Support"


@pytest.mark.posix("modes that close a folder")
def test_a_new_folder_and_its_parents_are_private_whatever_the_mask(tmp_path):
    old = os.umask(0)
    try:
        store_places.make_private(tmp_path / "a" / "b")
        os.close(store_places.open_private(tmp_path / "a" / "b" / "file"))
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "b" / "file").stat().st_mode) == 0o600


@pytest.mark.posix("modes that close a folder")
def test_a_shared_folder_and_the_home_folder_keep_their_modes(tmp_path, monkeypatch):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    (tmp_path / "home").mkdir(mode=0o755)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    store_places.make_private(tmp_path / "shared")
    store_places.make_private(tmp_path / "home")
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o1777
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o755
