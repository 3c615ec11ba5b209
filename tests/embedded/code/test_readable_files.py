"""What a handler's process may read, wherever this package is installed."""

from pathlib import Path

from skills_nb.embedded.confined.inside.folders import readable


def _site(folder: Path) -> Path:
    for name in ("skills_nb/embedded", "skills_nb-1.0.dist-info", "skills_nb_more", "other"):
        (folder / name).mkdir(parents=True)
    (folder / "single.py").touch()
    return folder


def test_installed_packages_are_read_but_for_this_one(tmp_path):
    site = _site(tmp_path / "site-packages")
    found = readable([str(site)], "skills_nb")
    here = {Path(path) for path in found.whole if path.startswith(str(site))}
    assert here == {site / "skills_nb_more", site / "other", site / "single.py"}
    assert found.listed == (str(site),)


def test_a_site_is_found_through_a_link_as_well(tmp_path):
    site = _site(tmp_path / "site-packages")
    (tmp_path / "lib64").symlink_to(site)
    assert readable([str(tmp_path / "lib64")], "skills_nb") == readable([str(site)], "skills_nb")


def test_without_this_package_a_site_is_read_as_a_whole(tmp_path):
    (tmp_path / "site-packages" / "other").mkdir(parents=True)
    found = readable([str(tmp_path / "site-packages"), str(tmp_path / "gone")], "skills_nb")
    assert str(tmp_path / "site-packages") in found.whole
    assert found.listed == ()
