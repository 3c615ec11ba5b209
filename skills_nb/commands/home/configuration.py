"""What a person set for a home folder: where threads are kept, which model is asked, what is told.

Room: commands. `config.toml` in the home folder, written by hand; an environment variable goes
before it. A password never stands there: a database URL takes it from the driver's own files.
"""

from __future__ import annotations

import getpass
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from skills_nb.errors import UsageError

FILE = "config.toml"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of a home folder; empty for what is off or usual."""

    store: str = ""
    """Database URL of a team's thread store; empty: the home folder's own."""
    person: str = ""
    """Name of whoever works here, as events tell it; on a team's store the login is the usual."""
    model: str = ""
    """A model to ask at the joints, such as `cortex/mistral-large2` or `openai/gpt-4.1`."""
    model_url: str = ""
    """Another address that speaks OpenAI's chat form."""
    model_provider: str = ""
    """Who serves the model, where its name does not tell."""
    log: str = ""
    """A file for structured logs."""
    traces: str = ""
    """`console` or `otlp`: where spans of effects go."""
    statement_timeout_s: str = ""
    """Seconds after which the account gives a statement up."""
    probe_timeout_s: str = ""
    """Seconds after which the account gives up what only looks; the usual is 60."""
    compact_after: str = ""
    """After how many events a thread is compacted; empty: the usual number."""


_MOST_SHOWN = 80
"""Characters of a path that a message shows."""
_VARIABLES: Mapping[str, str] = {
    "store": "SKILLS_NB_STORE",
    "person": "SKILLS_NB_PERSON",
    "model": "SKILLS_NB_MODEL",
    "model_url": "SKILLS_NB_MODEL_URL",
    "model_provider": "SKILLS_NB_MODEL_PROVIDER",
    "log": "SKILLS_NB_LOG",
    "traces": "SKILLS_NB_TRACES",
    "statement_timeout_s": "SKILLS_NB_STATEMENT_TIMEOUT_S",
    "probe_timeout_s": "SKILLS_NB_PROBE_TIMEOUT_S",
    "compact_after": "SKILLS_NB_COMPACT_AFTER",
}


def read_configuration(home: Path) -> Configuration:
    """Return the settings of a home folder.

    Raises:
        UsageError: the file cannot be read, or says something unknown.
    """
    told = _told(home / FILE)
    said = {name: os.environ.get(variable) for name, variable in _VARIABLES.items()}
    return replace(Configuration(**told), **{name: value for name, value in said.items() if value})


def compact_after(configuration: Configuration) -> int:
    """Return after how many events a thread is compacted.

    Raises:
        UsageError: what is set is no whole number, or less than compaction always keeps.
    """
    from skills_nb.engine.compaction import EVERY, RECENT

    said = configuration.compact_after.strip()
    if not said:
        return EVERY
    if not (said.isascii() and said.isdecimal()) or int(said) < RECENT:
        raise UsageError(
            f"compact_after: '{said}' is no whole number from {RECENT} up",
            hint=f"compact_after = {EVERY} in {FILE}",
        )
    return int(said)


def person_of(configuration: Configuration) -> str:
    """Return the name of whoever works here; empty where nobody else could have.

    Raises:
        UsageError: the store is a team's, and this machine does not tell who is logged in.
    """
    if configuration.person or configuration.store in ("", "home"):
        return configuration.person
    try:
        return getpass.getuser()
    except (OSError, KeyError) as problem:
        raise UsageError(
            "a team's threads say who did what, and this machine does not tell who you are",
            hint="export SKILLS_NB_PERSON=NAME",
        ) from problem


def shown_path(path: Path) -> str:
    """Return a path as a message shows it: its beginning, where it is very long."""
    text = str(path)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _told(path: Path) -> dict[str, str]:
    try:
        if not path.is_file():
            return {}
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(
            f"'{shown_path(path)}' cannot be read: {problem.strerror}",
            hint="let yourself read it, or set SKILLS_NB_HOME to another folder",
        ) from problem
    except ValueError as problem:
        raise UsageError(f"'{path}' cannot be read: {problem}", hint="correct it") from problem
    known = [field.name for field in fields(Configuration)]
    for name, value in document.items():
        if name not in known or isinstance(value, dict | list):
            hint = "one of: " + ", ".join(known)
            raise UsageError(f"'{path}': unknown setting '{name}'", hint=hint)
    return {name: str(value) for name, value in document.items()}
