"""What preflight finds of Salesforce: Node, the command line, the DevHub and its capacity.

Room: work (bench). `sf org list --json` is what counts: on a Node that is too old `sf --version`
works and every other command ends with an empty output.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.salesforce import sf_cli
from skills_nb.bench.salesforce.sf_cli import CliError, CommandResult

Line = tuple[str, str, str]
"""What, what was found, and what is wrong with it."""
_GROUPS = ("other", "sandboxes", "nonScratchOrgs", "devHubs", "scratchOrgs")
_NEEDED = "Node 22.19 or newer"


def readiness(setting: RunSetting) -> Iterator[Line]:
    """Yield what is there."""
    if setting.salesforce == "offline":
        yield "sf", "not used", ""
        yield _jest()
        return
    if shutil.which("sf") is None:
        yield "sf", "none", "install it: npm install --global @salesforce/cli"
        return
    ran = _run("sf", "org", "list", "--json")
    orgs = listed_orgs(ran)
    yield "sf", version(), org_list_trouble(ran)
    if setting.dev_hub:
        yield from _hub(setting.dev_hub, orgs)
    if setting.target_org:
        found = org_named(setting.target_org, orgs)
        trouble = "" if found else "no org of that name: sf org list --all"
        yield "target org", setting.target_org, trouble


def _jest() -> Line:
    is_there = shutil.which("npm") is not None
    return "npm", "there, for LWC tests" if is_there else "none, so LWC tests are not run", ""


def version() -> str:
    """Return the versions of the command line and of Node."""
    document = _run("sf", "version", "--json").document
    known = (str(document.get("cliVersion", "")), str(document.get("nodeVersion", "")))
    return ", ".join(filter(None, known)) or "version unknown"


def org_list_trouble(ran: CommandResult) -> str:
    """Return why the answer of `org list` is none, or nothing."""
    if ran.exit_status == 0 and isinstance(ran.result, Mapping):
        return ""
    if not ran.stdout.strip():
        return f"`sf org list --json` printed nothing; it needs {_NEEDED}"
    return f"`sf org list --json` ended with {ran.exit_status}: {ran.document.get('message', '')}"


def listed_orgs(ran: CommandResult) -> list[Mapping[str, Any]]:
    """Return every org of `org list`, in any of its groups, each once."""
    if not isinstance(ran.result, Mapping):
        return []
    found = {org["username"]: org for group in _GROUPS for org in ran.result.get(group) or ()}
    return list(found.values())


def org_named(name: str, orgs: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the org with this alias or username."""
    return next((org for org in orgs if name in (org.get("alias"), org.get("username"))), None)


def usernames_by_alias() -> dict[str, str]:
    """Return the orgs that the command line knows by an alias."""
    orgs = listed_orgs(_run("sf", "org", "list", "--json"))
    return {str(org["alias"]): str(org["username"]) for org in orgs if org.get("alias")}


def _hub(name: str, orgs: list[Mapping[str, Any]]) -> Iterator[Line]:
    org = org_named(name, orgs)
    if org is None:
        yield "DevHub", name, "not among the authenticated orgs: sf org list --all"
        return
    is_hub = org.get("isDevHub") is True
    yield "DevHub", name, "" if is_hub else "this org is no DevHub"
    found, trouble = capacity(_run("sf", "org", "list", "limits", "--target-org", name, "--json"))
    yield "scratch orgs", found, trouble


def capacity(ran: CommandResult) -> tuple[str, str]:
    """Return how many scratch orgs are left, and why that is not enough."""
    if ran.exit_status != 0 or not isinstance(ran.result, list):
        return "unknown", f"limits cannot be read: {ran.document.get('message', 'no answer')}"
    limits = {str(limit.get("name")): limit for limit in ran.result}
    left = {
        n: limits.get(n, {}).get("remaining") for n in ("ActiveScratchOrgs", "DailyScratchOrgs")
    }
    shown = ", ".join(f"{n}: {v} left" for n, v in left.items())
    spent = [name for name, value in left.items() if not value]
    return shown, f"none left of {', '.join(spent)}" if spent else ""


def is_simulated(org: str) -> bool:
    """Return whether an org is on this machine: nothing it says is a result."""
    if shutil.which("sf") is None:
        return False
    result = _run("sf", "org", "display", "--target-org", org, "--json").result
    url = str(result.get("instanceUrl", "")) if isinstance(result, Mapping) else ""
    return re.match(r"https?://(localhost|127\.|\[::1\])", url) is not None


def _run(*words: str) -> CommandResult:
    try:
        return sf_cli.run(words, Path.cwd(), 120)
    except CliError as problem:
        return CommandResult(words, 127, "", problem.message)
