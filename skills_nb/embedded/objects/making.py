"""Making: CREATE of the kinds in this package and of stages.

Room: embedded. One table, statement type to function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.objects import entries, monitors, semantic_views
from skills_nb.embedded.stages import creating
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

CREATES: dict[type, Callable[[AccountSession, Any], Outcome]] = {
    ast.CreateStage: creating.stage,
    ast.CreateFileFormat: creating.file_format,
    ast.CreatePipe: creating.pipe,
    ast.CreateResourceMonitor: monitors.create,
    ast.CreateNetworkRule: entries.create,
    ast.CreateNetworkPolicy: entries.create,
    ast.CreateSecret: entries.create,
    ast.CreateIntegration: entries.create,
    ast.CreatePasswordPolicy: entries.create,
    ast.CreateSessionPolicy: entries.create,
    ast.CreateAuthenticationPolicy: entries.create,
    ast.CreateSemanticView: semantic_views.create,
    **dict.fromkeys(
        (
            ast.CreateComputePool,
            ast.CreateImageRepository,
            ast.CreateService,
            ast.CreateStreamlit,
            ast.CreateNotebook,
            ast.CreateModel,
            ast.CreateDbtProject,
            ast.CreateAgent,
            ast.CreateCortexSearchService,
            ast.CreateGitRepository,
            ast.CreateListing,
            ast.CreateApplicationPackage,
            ast.CreateReplicationGroup,
            ast.CreateFailoverGroup,
            ast.CreateExternalVolume,
        ),
        entries.create,
    ),
}
