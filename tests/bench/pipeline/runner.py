"""One run in a process of its own, for tests that kill it.

Arguments: tasks, solutions, output, workers, attempts.
"""

import sys
from pathlib import Path

from skills_nb.bench.models.generators import ReplayGenerator
from skills_nb.bench.pipeline import Options, evaluate
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.tasks import load_tasks
from skills_nb.runtime.system_ports import SystemClock

if __name__ == "__main__":
    tasks, solutions, output, workers, attempts = sys.argv[1:6]
    evaluate(
        Options(
            model="stub",
            tasks=load_tasks(tasks),
            generator=ReplayGenerator(Path(solutions)),
            output=Path(output),
            evaluation_id="run-20260127-123456",
            setting=RunSetting(functional=True),
            clock=SystemClock(),
            attempts=int(attempts),
            workers=int(workers),
        )
    )
