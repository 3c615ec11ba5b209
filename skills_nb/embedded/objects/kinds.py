"""Every kind of object that the account has, registered.

Room: embedded. Importing this module completes `object_kind.KINDS`.
"""

from __future__ import annotations

from typing import Any

from skills_nb.embedded.objects.compute import compute_pool, resource_monitor, warehouse
from skills_nb.embedded.objects.containers import account, database, schema, share
from skills_nb.embedded.objects.files import file_format
from skills_nb.embedded.objects.files.stage import stage
from skills_nb.embedded.objects.governance import data_policies, tag
from skills_nb.embedded.objects.instances import (
    budget,
    classification_profile,
    custom_classifier,
)
from skills_nb.embedded.objects.object_kind import KINDS, Handler
from skills_nb.embedded.objects.pipelines import (
    alert,
    pipe,
    sequence,
    stream,
)
from skills_nb.embedded.objects.pipelines.task import task
from skills_nb.embedded.objects.principals import application_role, database_role, role, user
from skills_nb.embedded.objects.relations import view
from skills_nb.embedded.objects.relations.dynamic_table import dynamic_table
from skills_nb.embedded.objects.relations.table import table
from skills_nb.embedded.objects.routines import function, procedure
from skills_nb.embedded.objects.routines.data_metric_function import data_metric_function
from skills_nb.embedded.objects.security import (
    integration,
    login_policies,
    network_policy,
    network_rule,
    secret,
)
from skills_nb.embedded.objects.semantic_view import semantic_view
from skills_nb.embedded.objects.services import (
    agent,
    cortex_search_service,
    dbt_project,
    git_repository,
    image_repository,
    model,
    notebook,
    service,
    streamlit,
)
from skills_nb.embedded.objects.sharing import (
    application_package,
    data_listing,
    external_volume,
    replication_groups,
)

MODULES = (
    account, agent, alert, application_package, application_role, budget,
    classification_profile, compute_pool, cortex_search_service, custom_classifier,
    data_listing, data_metric_function, data_policies, database, database_role, dbt_project,
    dynamic_table, external_volume, file_format, function, git_repository, image_repository,
    integration, login_policies, model, network_policy, network_rule, notebook, pipe, procedure,
    replication_groups, resource_monitor, role, schema, secret, semantic_view, sequence,
    service, share, stage, stream, streamlit, table, tag, task, user, view, warehouse,
)  # fmt: skip
"""Where kinds are registered."""


def statements() -> dict[type[Any], Handler]:
    """Return what carries out the statements that a kind has of its own, by their classes."""
    return {cls: handler for kind in KINDS.values() for cls, handler in kind.create.items()}
