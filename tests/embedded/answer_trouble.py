"""What fuzzers look for in the answer to a statement."""

import time

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.errors import INCIDENT
from skills_nb.errors import SqlError

LIMIT_CPU_S = 5.0
"""CPU, not wall clock: on a busy machine any statement may wait for its turn."""


def trouble_with(session: AccountSession, sql: str) -> str | None:
    """Say what is wrong with an answer; None where all is well.

    A slow statement is asked once more: other threads of the process may have worked meanwhile.
    """
    trouble = _trouble(session, sql)
    if trouble is None or not trouble.endswith(f" s of CPU: {sql}"):
        return trouble
    return _trouble(session, sql)


def _trouble(session: AccountSession, sql: str) -> str | None:
    started = time.process_time()
    try:
        session.execute(sql)
    except SqlError as refused:
        # Of one refusal the manual tells the words and the state, and no number.
        is_known = refused.errno is not None or refused.sqlstate is not None
        if refused.errno == INCIDENT or not is_known:
            return f"{refused.message!r} from {type(refused.__cause__).__name__}: {sql}"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is to be reported
        return f"{type(error).__name__}: {sql}"
    took = time.process_time() - started
    return f"{took:.1f} s of CPU: {sql}" if took > LIMIT_CPU_S else None
