"""The evaluation runner: tasks, answers, sandboxes, scores, and a run directory that survives.

Room: work (bench). Rules: a score exists only for what was measured; what went wrong around a
model is never counted against it; the journal is the truth and everything else is derived from
it. Packages that cost time (accounts, HTTP, models) load where they are used.

| Part | What lives there |
|---|---|
| `run_setting` | what whoever measures needs to know of a run |
| `scoring` · `schemas` | components, weights, verdicts · the result and savepoint documents |
| `tasks` | what a task is, and the readers of task files and folders |
| `patches` | unified diffs: taken as they are, or refused |
| `snowflake` · `salesforce` · `skills` | executors: they run an answer and measure components |
| `models` | who answers: endpoints, Cortex, a command, a replay |
| `journal` | the hash-chained truth of a run, and the savepoint derived from it |
| `pipeline` | preflight, generation, execution, scoring, reports |
| `reports` | report.json, summary.md, report.html, comparisons |
| `task_gate` | whether a task may be used at all |
"""
