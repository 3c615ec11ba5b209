"""Tasks: what a model is asked, and how its answer is measured; and their readers.

Room: work (bench). Values are frozen; a reader returns what it could read and says of the rest
which task is invalid and why, and never guesses.
"""

from skills_nb.bench.tasks.loading import TaskSet, load_tasks, shipped_tasks
from skills_nb.bench.tasks.task_values import InvalidTask, Task, TaskType

__all__ = ["InvalidTask", "Task", "TaskSet", "TaskType", "load_tasks", "shipped_tasks"]
