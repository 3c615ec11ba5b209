"""Guided mode: a plan is drafted, held to the guardrails, proposed, and run when it is approved.

Room: laws. Modules: `planner` drafts from what primitives show, `guardrails` judges, `proposing`
says what comes next.
Spec: Guided Mode Execution.
"""
