"""What loading the extension costs over bare IPython, and how fast a first answer is.

Run: `python tests/benchmarks/startup.py`. Fresh processes, taken in turn, medians of eleven.
"""

import statistics
import subprocess
import sys
import time

ROUNDS = 11
SHELL = "from IPython.core.interactiveshell import InteractiveShell as S; s = S.instance()"
LOADED = f"{SHELL}; s.run_line_magic('load_ext', 'skills_nb')"
ROUTE = [sys.executable, "-m", "skills_nb", "route", "secure my data", "--json"]


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def main():
    bare, loaded, route = [], [], []
    for _ in range(ROUNDS):
        bare.append(seconds([sys.executable, "-c", SHELL]))
        loaded.append(seconds([sys.executable, "-c", LOADED]))
        route.append(seconds(ROUTE))
    extra = statistics.median(loaded) - statistics.median(bare)
    print(f"bare IPython            {statistics.median(bare) * 1000:6.0f} ms")
    print(f"with %load_ext          {statistics.median(loaded) * 1000:6.0f} ms")
    print(f"%load_ext over bare     {extra * 1000:6.0f} ms   bar 150 ms")
    print(f"route --json, cold      {statistics.median(route) * 1000:6.0f} ms   bar 500 ms")


if __name__ == "__main__":
    main()
