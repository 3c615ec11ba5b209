"""The queries that list what an account holds of a kind of objects, all of it or what a goal names.

Room: laws. Spec: Principles > Lazy context.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.engine.inputs.wording.named_choices import as_one, spoken_names
from skills_nb.sql.tokens import literal

MOST_CHOICES = 50
"""As many as are listed."""
_IN_DATABASE = '"database_name"'
_IN_CATALOG = '"catalog_name"'
LISTED_OBJECTS = {
    "{tables}": ("OBJECTS", _IN_DATABASE),
    "{views}": ("VIEWS", _IN_DATABASE),
    "{materialized views}": ("MATERIALIZED VIEWS", _IN_DATABASE),
    "{dynamic tables}": ("DYNAMIC TABLES", _IN_DATABASE),
    "{external tables}": ("EXTERNAL TABLES", _IN_DATABASE),
    "{streams}": ("STREAMS", _IN_DATABASE),
    "{tasks}": ("TASKS", _IN_DATABASE),
    "{alerts}": ("ALERTS", _IN_DATABASE),
    "{stages}": ("STAGES", _IN_DATABASE),
    "{file formats}": ("FILE FORMATS", _IN_DATABASE),
    "{pipes}": ("PIPES", _IN_DATABASE),
    "{procedures}": ("PROCEDURES", _IN_CATALOG),
    "{tags}": ("TAGS", _IN_DATABASE),
    "{semantic views}": ("SEMANTIC VIEWS", _IN_DATABASE),
    "{budgets}": ("SNOWFLAKE.CORE.BUDGET", _IN_DATABASE),
    "{models}": ("MODELS", _IN_DATABASE),
    "{streamlits}": ("STREAMLITS", _IN_DATABASE),
    "{services}": ("SERVICES", _IN_DATABASE),
    "{image repositories}": ("IMAGE REPOSITORIES", _IN_DATABASE),
}
"""What SHOW lists of each kind of object to choose from, and where it names the database."""
_NOT_THE_SYSTEMS = (
    " WHERE \"schema_name\" <> 'INFORMATION_SCHEMA'"
    " AND {database} NOT IN ('', 'SNOWFLAKE', 'SNOWFLAKE_SAMPLE_DATA')"
)
IN_ORDER = f" ORDER BY 1, 2, 3 LIMIT {MOST_CHOICES}"


def listing_of_named(kind: tuple[str, str], goal: str) -> str:
    """Return the query that lists the objects of a kind which a goal may name."""
    forms = sorted({as_one(form) for name in spoken_names(goal) for form in _forms(name)})
    listed = ", ".join(map(literal, forms))
    is_said = f"({_SAID_NAME} IN ({listed}) OR {_SAID_LAST} IN ({listed}))"
    return f"{listing(*kind)} AND {is_said}{IN_ORDER}"


def listing(shown: str, database: str) -> str:
    """Return the query that lists what is not the system's; builtin procedures have no database."""
    named = database if database == _IN_DATABASE else f"{database} AS {_IN_DATABASE}"
    query = f'SHOW {shown} IN ACCOUNT ->> SELECT {named}, "schema_name", "name" FROM $1'
    return query + _NOT_THE_SYSTEMS.format(database=database)


_SAID_NAME = (
    "REGEXP_REPLACE(REGEXP_REPLACE(LOWER(\"name\"), '[[:punct:][:space:]]+', ''), 's$', '')"
)
"""A name as it is said, as one word, without an s at its end.

Plurals inside of a name are not looked for.
"""
_SAID_LAST = "REGEXP_SUBSTR(LOWER(\"name\"), '[[:punct:][:space:]]([[:alnum:]]+)s$', 1, 1, 'e')"
"""The last word of such a name, where it is a plural."""


def _forms(name: str) -> Iterator[str]:
    """Yield what a name of `spoken_names` and its plural are without an s at their end."""
    yield name.removesuffix("s")
    if name.endswith("y"):
        yield f"{name[:-1]}ie"
    if name.endswith(("s", "x", "ch", "sh")):
        yield f"{name}e"
