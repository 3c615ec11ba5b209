"""Guided mode: a plan is drafted, held to the guardrails, proposed, and run when it is approved.

Room: laws. Modules: `planner` drafts from what primitives show, `guardrails` judges,
`plan_proposal` says what comes next, and `plan_documents` makes a playbook of what was approved.
Spec: Guided Mode Execution.
"""
