"""An enclosure holds: what is tried inside is refused, beside a command that does its work."""

import os
import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from skills_nb.bench.contained import enclosure
from skills_nb.bench.contained.enclosure import (
    CannotContainError,
    Enclosure,
    clean_environment,
    run_enclosed,
    trouble_with_enclosures,
)

TROUBLE = trouble_with_enclosures()
needs_enclosures = pytest.mark.skipif(bool(TROUBLE), reason=TROUBLE)


def _run(script, shown=None, seconds=30.0, *, is_enclosed=True):
    words = ["/bin/sh", "-c", script]
    return run_enclosed(words, Enclosure(shown or {}, "/", seconds), is_enclosed=is_enclosed)


@needs_enclosures
def test_a_command_works_on_what_it_is_shown(tmp_path):
    (tmp_path / "told.txt").write_text("honest\n")
    ran = _run("cat /shown/told.txt; echo note > /tmp/own; cat /tmp/own >&3", {"/shown": tmp_path})
    assert (ran.exit_status, ran.output, ran.report) == (0, "honest\n", b"note\n")


@needs_enclosures
def test_nothing_of_this_machine_can_be_changed_or_read(tmp_path):
    (tmp_path / "told.txt").write_text("honest\n")
    secret = tmp_path.parent / "secret.txt"
    secret.write_text("key")
    tries = (
        "echo forged > /shown/told.txt",
        "echo x > /usr/skills-nb-was-here",
        "rm -f /shown/told.txt",
        "mount -o remount,rw,bind /shown",
        "unshare --user --map-root-user --mount mount -o remount,rw,bind /shown",
        f"cat {secret}",
        "cat /etc/passwd",
        "ls /proc/1",
    )
    for script in tries:
        assert _run(script, {"/shown": tmp_path}).exit_status != 0, script
    assert (tmp_path / "told.txt").read_text() == "honest\n"
    assert not Path("/usr/skills-nb-was-here").exists()


@needs_enclosures
def test_no_key_is_in_its_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    ran = _run("env")
    names = {line.partition("=")[0] for line in ran.output.splitlines()}
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "PWD"}
    assert "OPENAI_API_KEY" not in clean_environment()
    assert clean_environment()["PATH"] == os.environ["PATH"]


@needs_enclosures
@pytest.mark.skipif(not Path("/usr/bin/perl").exists(), reason="no perl to connect with")
def test_no_server_of_this_machine_can_be_reached():
    connect = (
        "perl -MIO::Socket::INET -e 'exit(IO::Socket::INET->new(PeerAddr => q(127.0.0.1:{port}), "
        "Timeout => 5) ? 0 : 7)'"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_accept, args=(server,), daemon=True).start()
        script = connect.format(port=server.getsockname()[1])
        assert _run(script, is_enclosed=False).exit_status == 0, "the server is there"
        assert _run(script).exit_status == 7


def _accept(server):
    with suppress(OSError):
        server.accept()[0].close()


@needs_enclosures
def test_what_takes_too_long_is_killed_with_all_that_it_started(tmp_path):
    with pytest.raises(TimeoutError, match="longer than 1 s"):
        _run("(sleep 600 &) ; sleep 600", seconds=1.0)


@needs_enclosures
def test_what_a_command_prints_is_bounded():
    ran = _run("head -c 3000000 /dev/zero | tr '\\0' x; echo end")
    assert len(ran.output) == 1 << 20
    assert ran.output.endswith("end\n")


@pytest.mark.posix("a shell")
def test_where_there_is_no_enclosure_nothing_runs_unless_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(enclosure, "trouble_with_enclosures", lambda: "forbidden here")
    mark = tmp_path / "ran"
    with pytest.raises(CannotContainError, match="forbidden here") as refused:
        _run(f"touch {mark}")
    assert "--uncontained" in refused.value.hint
    assert not mark.exists()
    ran = _run(f"touch {mark}; echo told >&3", is_enclosed=False)
    assert (ran.exit_status, ran.report, mark.exists()) == (0, b"told\n", True)
