"""Protocols: everything the pure rooms need from the world, as the core sees it.

Room: contracts. `commands.wiring` is the only place that knows the implementations.
"""

from skills_nb.ports.bundle import SOMEBODY, Ports
from skills_nb.ports.rehearsals import (
    CatalogDifference,
    ExampleRunner,
    InnerStatement,
    Rehearsal,
    RehearsalAccount,
    RehearsedOutcome,
)
from skills_nb.ports.resolvers import FieldRequest, ModelReply, PlanRequest, Resolver, Router
from skills_nb.ports.seen_rows import RowsOfRole, RunKey, SeenCell, SeenRow, SeenRows, ShowRows
from skills_nb.ports.sessions import Fate, QueryRows, SqlReader, SqlSession, StatementOutcome, Wire
from skills_nb.ports.surroundings import Clock, Human, IdSource
from skills_nb.ports.thread_stores import Shortfall, ThreadHead, ThreadStore

__all__ = [
    "SOMEBODY",
    "CatalogDifference",
    "Clock",
    "ExampleRunner",
    "Fate",
    "FieldRequest",
    "Human",
    "IdSource",
    "InnerStatement",
    "ModelReply",
    "PlanRequest",
    "Ports",
    "QueryRows",
    "Rehearsal",
    "RehearsalAccount",
    "RehearsedOutcome",
    "Resolver",
    "Router",
    "RowsOfRole",
    "RunKey",
    "SeenCell",
    "SeenRow",
    "SeenRows",
    "Shortfall",
    "ShowRows",
    "SqlReader",
    "SqlSession",
    "StatementOutcome",
    "ThreadHead",
    "ThreadStore",
    "Wire",
]
