"""Run an evaluation: `skills-nb eval` under the name that the specification gives it."""

import sys

from skills_nb.cli import main

if __name__ == "__main__":
    sys.exit(main(["eval", *sys.argv[1:]]))
