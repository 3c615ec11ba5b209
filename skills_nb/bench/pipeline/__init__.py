"""The five stages: preflight, generation, execution, validation, scoring and reports.

Room: work (bench). `run` is the whole of it; everything it learns goes through the journal first.
"""

from skills_nb.bench.pipeline.options import Options
from skills_nb.bench.pipeline.run import FinishedRun, evaluate

__all__ = ["FinishedRun", "Options", "evaluate"]
