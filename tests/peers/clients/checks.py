"""What all clients' scripts share: checks that are run one by one, and where the account is.

Run by the client's own Python, which knows neither pytest nor this project.
"""

import contextlib
import json
import os
import sys
import traceback

HOST, PORT = os.environ["PEER_HOST"], int(os.environ["PEER_PORT"])
PASSWORD = os.environ["PEER_PASSWORD"]
ACCOUNT, USER, ROLE, WAREHOUSE = "embedded", "ADMIN", "ACCOUNTADMIN", "COMPUTE_WH"
_all = []


def check(function):
    """Note a check; its name is what the report calls it."""
    _all.append(function)
    return function


@contextlib.contextmanager
def refused(kind, errno):
    """Expect an error of a kind whose cause has Snowflake's number."""
    try:
        yield
    except kind as problem:
        found = getattr(problem, "orig", problem).errno
        if found != errno:
            raise AssertionError(f"refused with {found}, not with {errno}") from problem
        return
    raise AssertionError("it was not refused")


def report():
    """Run all checks in their order; print what each of them met, as JSON on the last line."""
    wanted = sys.argv[1:]
    met = {}
    for function in _all:
        if wanted and function.__name__ not in wanted:
            continue
        try:
            function()
            met[function.__name__] = "ok"
        except Exception as problem:  # noqa: BLE001 - a report names every problem
            traceback.print_exc()
            met[function.__name__] = f"{type(problem).__name__}: {str(problem)[:400]}"
    print(json.dumps(met))
