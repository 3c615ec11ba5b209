"""`python -m skills_nb.cli` is `skills-nb`."""

import sys

from skills_nb.cli import main

sys.exit(main())
