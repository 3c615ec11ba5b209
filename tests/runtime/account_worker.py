"""A process that works on a shared account, told what to do line by line.

Each line is a JSON list: a word, then its arguments. Each answer is one JSON line.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

from snowflake.connector.errors import Error

from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.loopback.shared_wire import SharedWire


class SlowAccount(SharedAccountWire):
    """Takes its time over statements that say so, or dies over them before or after."""

    def handle(self, method, url, headers, body):
        text = str(body.get("sqlText", ""))
        if "/* slow */" in text:
            time.sleep(3)
        if "/* die before */" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = super().handle(method, url, headers, body)
        if "/* die after */" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer


class Worker:
    def __init__(self, folder, patience_s):
        self.shared = SharedWire(Path(folder), SlowAccount.open, patience_s=float(patience_s))
        self.connections = []

    def connect(self, **options):
        self.connections.append(
            mounted_connection.connect(self.shared, **{"user": "ADMIN", **options})
        )
        return len(self.connections) - 1

    def run(self, sql, at=0):
        try:
            return self.connections[at].cursor().execute(sql).fetchall()
        except Error as problem:
            return {"errno": problem.errno, "text": str(problem)}

    def storm(self, sql, times, pause_s):
        """Run a statement many times, and return what went wrong."""
        answers = []
        for _ in range(times):
            answers.append(self.run(sql))
            time.sleep(pause_s)
        return [answer for answer in answers if answer != [(1,)]]

    def holds(self):
        return self.shared.is_holder

    def forked(self, sql):
        """Run a statement in a forked child, and return what it found."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, json.dumps([self.holds(), self.run(sql)], default=str).encode())
            os._exit(0)
        os.close(writing)
        os.waitpid(child, 0)
        with os.fdopen(reading) as answer:
            return json.loads(answer.read())

    def close(self):
        self.shared.close()


def main():
    worker = Worker(*sys.argv[1:])
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        word, *arguments = json.loads(line)
        options = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
        answer = getattr(worker, word)(*arguments, **options)
        print(json.dumps(answer, default=str), flush=True)


main()
