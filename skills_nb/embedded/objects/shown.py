"""Shown: SHOW and DESCRIBE of the kinds in this package and of stages.

Room: embedded. Two tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects import deployed_shown as deployed
from skills_nb.embedded.objects import entries_shown as kept
from skills_nb.embedded.objects import monitors, semantic_shown
from skills_nb.embedded.stages import shown as stages

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
LISTINGS: dict[str, tuple[Kind, str, Callable[[AccountSession, Entity], Row]]] = {
    "STAGES": (Kind.STAGE, stages.STAGE_COLUMNS, stages.stage_row),
    "FILE FORMATS": (Kind.FILE_FORMAT, stages.FORMAT_COLUMNS, stages.format_row),
    "PIPES": (Kind.PIPE, stages.PIPE_COLUMNS, stages.pipe_row),
    "RESOURCE MONITORS": (Kind.RESOURCE_MONITOR, monitors.COLUMNS, monitors.row),
    "NETWORK RULES": (Kind.NETWORK_RULE, kept.RULE_COLUMNS, kept.rule_row),
    "NETWORK POLICIES": (Kind.NETWORK_POLICY, kept.NETWORK_COLUMNS, kept.network_row),
    "SECRETS": (Kind.SECRET, kept.SECRETS_SHOWN, kept.secret_row),
    "INTEGRATIONS": (Kind.INTEGRATION, kept.INTEGRATION_COLUMNS, kept.integration_row),
    "PASSWORD POLICIES": (Kind.PASSWORD_POLICY, kept.POLICY_COLUMNS, kept.policy_row),
    "SESSION POLICIES": (Kind.SESSION_POLICY, kept.POLICY_COLUMNS, kept.policy_row),
    "AUTHENTICATION POLICIES": (Kind.AUTHENTICATION_POLICY, kept.POLICY_COLUMNS, kept.policy_row),
    "SEMANTIC VIEWS": (Kind.SEMANTIC_VIEW, semantic_shown.COLUMNS, semantic_shown.row),
    **{
        shape.plural: (kind, shape.show, deployed.shower(kind))
        for kind, shape in deployed.SHAPES.items()
    },
}
"""By the plural: kind, columns, and how a row is read from an object."""
DESCRIPTIONS: dict[Kind, Callable[[AccountSession, Entity], tuple[str, list[Row]]]] = {
    Kind.STAGE: stages.describe_stage,
    Kind.FILE_FORMAT: stages.describe_format,
    Kind.PIPE: stages.describe_pipe,
    Kind.NETWORK_RULE: kept.describe_rule,
    Kind.SECRET: kept.describe_secret,
    **dict.fromkeys(
        (
            Kind.NETWORK_POLICY,
            Kind.INTEGRATION,
            Kind.PASSWORD_POLICY,
            Kind.SESSION_POLICY,
            Kind.AUTHENTICATION_POLICY,
        ),
        kept.describe_properties,
    ),
    Kind.SEMANTIC_VIEW: semantic_shown.describe,
    **dict.fromkeys(deployed.SHAPES, deployed.describe),
    Kind.EXTERNAL_VOLUME: deployed.describe_volume,
}
