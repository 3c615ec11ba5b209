"""CREATE of entries: compute pools, services, notebooks, models, agents, groups and their kin.

Room: sql. Each kind has its own clauses beside `KEY = value`; a clause becomes a property under its
own words, so that one table of the account checks both. Source: Snowflake manual, the CREATE page
of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import (
    accept_tags,
    read_properties,
    read_value,
    take_comment,
)
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError

Clause = Callable[[Reader], ast.Value]
_Read = Callable[[Reader, dict[str, Any]], ast.Create]


def read_location(r: Reader) -> str:
    """Read `'@stage/path'` or `@stage/path`, which ends with the first space."""
    if r.is_text:
        return r.text()
    first = r.index
    if not r.at("@"):
        r.fail()
    r.index += 1
    while not r.is_done and r.token.start == r.ahead(-1).end:
        r.index += 1
    return r.between(first, r.index)


def read_words(r: Reader) -> ast.Value:
    """Read `a, b c, …`: items of several words, up to the next clause."""
    found = [_item(r)]
    while r.accept(","):
        found.append(_item(r))
    return tuple(found)


def _item(r: Reader) -> str:
    text = r.cut(lambda: r.at(",") or r.ahead(1).text == "=" or r.at("IGNORE EDITION CHECK"))
    return " ".join(text.split())


def _text(r: Reader) -> ast.Value:
    return r.text()


def _name(r: Reader) -> ast.Value:
    return ast.Ref(r.name())


def _rest(r: Reader) -> ast.Value:
    return r.rest()


def _flag(_: Reader) -> ast.Value:
    return True


def _column(r: Reader) -> ast.Value:
    return ast.Ref((r.identifier(),))


def _columns(r: Reader) -> ast.Value:
    found = [r.identifier()]
    while r.accept(","):
        found.append(r.identifier())
    return tuple(ast.Ref((name,)) for name in found)


def _bracketed(r: Reader) -> ast.Value:
    return tuple(ast.Ref((name,)) for name in r.columns())


def _source(r: Reader) -> ast.Value:
    """Read what a model is made from: `MODEL m [VERSION v]` or a stage."""
    if not r.accept("MODEL"):
        return read_location(r)
    name = ast.Ref(r.name())
    version = r.identifier() if r.accept("VERSION") else ""
    return {"MODEL": name, "VERSION": version}


def _identifier(r: Reader) -> ast.Value:
    return r.identifier()


_LISTS: dict[str, Clause] = {
    f"{key} =": read_words
    for key in (
        "OBJECT_TYPES",
        "ALLOWED_DATABASES",
        "ALLOWED_EXTERNAL_VOLUMES",
        "ALLOWED_SHARES",
        "ALLOWED_INTEGRATION_TYPES",
        "ALLOWED_ACCOUNTS",
    )
}
_GROUP: dict[str, Clause] = {
    **_LISTS,
    "IGNORE EDITION CHECK": _flag,
    "AS REPLICA OF": lambda r: _refused("groups that are replicas"),
}
SERVICE: dict[str, Clause] = {
    "IN COMPUTE POOL": _name,
    "FROM SPECIFICATION_TEMPLATE": _text,
    "FROM SPECIFICATION": _text,
    "FROM": read_location,
    "USING": read_value,
}
"""The clauses of a service; ALTER SERVICE has those of its specification too."""
_CLAUSES: dict[str, tuple[type[ast.Create], dict[str, Clause]]] = {
    "COMPUTE POOL": (ast.CreateComputePool, {"FOR APPLICATION": _name}),
    "IMAGE REPOSITORY": (ast.CreateImageRepository, {}),
    "CORTEX SEARCH SERVICE": (
        ast.CreateCortexSearchService,
        {
            "ON": _column,
            "PRIMARY KEY": _bracketed,
            "ATTRIBUTES": _columns,
            "AS": _rest,
        },
    ),
    "SERVICE": (ast.CreateService, SERVICE),
    "STREAMLIT": (ast.CreateStreamlit, {"FROM": read_location}),
    "NOTEBOOK": (ast.CreateNotebook, {"FROM": read_location}),
    "MODEL": (ast.CreateModel, {"WITH VERSION": _identifier, "FROM": _source}),
    "DBT PROJECT": (ast.CreateDbtProject, {"FROM": read_location}),
    "AGENT": (ast.CreateAgent, {"FROM SPECIFICATION": _text}),
    "GIT REPOSITORY": (ast.CreateGitRepository, {}),
    "EXTERNAL LISTING": (
        ast.CreateListing,
        {
            "SHARE": _name,
            "APPLICATION PACKAGE": _name,
            "AS": _text,
            "FROM": read_location,
        },
    ),
    "APPLICATION PACKAGE": (ast.CreateApplicationPackage, {}),
    "REPLICATION GROUP": (ast.CreateReplicationGroup, _GROUP),
    "FAILOVER GROUP": (ast.CreateFailoverGroup, _GROUP),
    "EXTERNAL VOLUME": (ast.CreateExternalVolume, {"STORAGE_LOCATIONS =": lambda r: _places(r)}),
}


def _refused(feature: str) -> NoReturn:
    raise UnsupportedSqlError(feature)


def _places(r: Reader) -> ast.Value:
    """Read `( (NAME = … …), … )`: the locations of an external volume."""
    r.expect("(")
    found: list[ast.Value] = []
    while not r.accept(")"):
        found.append(read_value(r))
        if not r.accept(",") and not r.at(")"):
            r.fail()
    return tuple(found)


def read_clauses(r: Reader, clauses: Mapping[str, Clause]) -> dict[str, ast.Value]:
    """Read clauses and properties in any order until something else comes."""
    phrases = tuple(sorted(clauses, key=len, reverse=True))
    heads = frozenset(phrase.partition(" ")[0] for phrase in phrases)
    found: dict[str, ast.Value] = {}
    while not r.is_done:
        start = r.index
        phrase = r.accept_one(phrases)
        if phrase is not None:
            more = {phrase.removesuffix(" ="): clauses[phrase](r)}
        else:
            stops = heads if r.token.word not in heads else ()
            more = read_properties(r, stops)
        if not found.keys().isdisjoint(more):
            r.fail(r.tokens[start])
        found |= more
        if r.index == start:
            break
    return found


def _reader(build: type[ast.Create], clauses: Mapping[str, Clause]) -> _Read:
    def read(r: Reader, header: dict[str, Any]) -> ast.Create:
        properties: dict[str, ast.Value] = {}
        tags: tuple[ast.TagValue, ...] = ()
        while not r.is_done:
            start = r.index
            properties |= read_clauses(r, clauses)
            tags += accept_tags(r)
            if r.index == start:
                break
        comment = take_comment(properties)
        return build(**header, comment=comment, properties=properties, tags=tags)

    return read


_UNSUPPORTED = ("MODEL MONITOR", "OPENFLOW CONNECTOR", "OPENFLOW DEPLOYMENT", "OPENFLOW RUNTIME")
ENTRIES: tuple[tuple[str, _Read], ...] = (
    *((kind, lambda _, __, kind=kind: _refused(f"CREATE {kind}")) for kind in _UNSUPPORTED),
    *((phrase, _reader(build, clauses)) for phrase, (build, clauses) in _CLAUSES.items()),
)
"""Phrase and reader; a longer phrase stands before what it could be taken for."""


# ---- ALTER

_Action = Callable[[Reader], ast.Action]
_Row = tuple[str, frozenset[str], _Action]


def _verb(name: str) -> _Action:
    return lambda _: ast.EntryAction(name)


def _changed(verb: str, clauses: Mapping[str, Clause]) -> _Action:
    return lambda r: ast.EntryAction(verb, read_clauses(r, clauses))


def _set_group(r: Reader) -> ast.Action:
    return ast.SetProperties(read_clauses(r, _LISTS))


def _move(verb: str, word: str) -> _Action:
    """Read `ADD a, b TO ALLOWED_DATABASES` and `REMOVE … FROM …`."""

    def read(r: Reader) -> ast.Action:
        items: list[ast.Value] = [r.until(",", word)]
        while r.accept(","):
            items.append(r.until(",", word))
        r.expect(word)
        return ast.EntryAction(verb, {r.word(): tuple(items)})

    return read


def _specification(r: Reader) -> ast.Action:
    r.index -= 1
    return ast.EntryAction("SPECIFICATION", read_clauses(r, SERVICE))


def _add_version(r: Reader) -> ast.Action:
    name = "" if r.at("FROM") else r.text() if r.is_text else r.identifier()
    r.expect("FROM")
    return ast.EntryAction("ADD VERSION", {"VERSION": name, "FROM": _source(r)})


def _drop_version(r: Reader) -> ast.Action:
    return ast.EntryAction("DROP VERSION", {"VERSION": r.identifier()})


def _version(r: Reader) -> ast.Action:
    """Read `VERSION v SET ALIAS = a` and `VERSION v UNSET ALIAS`."""
    name = r.identifier()
    if r.accept("UNSET ALIAS"):
        return ast.EntryAction("VERSION", {"VERSION": name, "ALIAS": None})
    r.expect("SET")
    return ast.EntryAction("VERSION", {"VERSION": name, **read_properties(r)})


def _list_as(r: Reader) -> ast.Action:
    return ast.EntryAction("AS", {"AS": r.text(), **read_properties(r)})


_GROUPS = frozenset({"REPLICATION GROUP", "FAILOVER GROUP"})
_FILED = frozenset({"NOTEBOOK", "STREAMLIT"})
ENTRY_ACTIONS: tuple[_Row, ...] = (
    ("STOP ALL", frozenset({"COMPUTE POOL"}), _verb("STOP ALL")),
    ("SUSPEND", _GROUPS, lambda _: ast.Suspend()),
    ("RESUME", _GROUPS, lambda _: ast.Resume()),
    *(
        (f"{verb} {part}", frozenset({"CORTEX SEARCH SERVICE"}), _verb(f"{verb} {part}"))
        for verb in ("SUSPEND", "RESUME")
        for part in ("INDEXING", "SERVING")
    ),
    ("SUSPEND", frozenset({"CORTEX SEARCH SERVICE"}), lambda _: ast.Suspend()),
    ("RESUME", frozenset({"CORTEX SEARCH SERVICE"}), lambda _: ast.Resume()),
    ("ADD LIVE VERSION FROM LAST", _FILED, _verb("ADD LIVE VERSION")),
    (
        "MODIFY LIVE VERSION SET",
        frozenset({"AGENT"}),
        _changed("MODIFY LIVE VERSION", {}),
    ),
    ("ADD VERSION", frozenset({"MODEL", "DBT PROJECT"}), _add_version),
    ("DROP VERSION", frozenset({"MODEL"}), _drop_version),
    ("MODIFY VERSION", frozenset({"MODEL"}), _version),
    ("VERSION", frozenset({"MODEL"}), _version),
    *((verb, frozenset({"LISTING"}), _verb(verb)) for verb in ("PUBLISH", "UNPUBLISH")),
    ("AS", frozenset({"LISTING"}), _list_as),
    ("FROM", frozenset({"SERVICE"}), _specification),
    ("ADD", _GROUPS, _move("ADD", "TO")),
    ("REMOVE", _GROUPS, _move("REMOVE", "FROM")),
)
"""Phrase, kinds it belongs to, reader; they stand before what ALTER does to every kind."""
GROUP_SET: _Row = ("SET", _GROUPS, _set_group)
"""`SET` of a group, whose lists have no brackets; it stands behind `SET TAG`."""
UNSUPPORTED_ENTRY_ACTIONS: dict[str, tuple[str, ...]] = {
    "GIT REPOSITORY": ("FETCH",),
    "OPENFLOW CONNECTOR": ("START", "STOP", "UPGRADE"),
    "OPENFLOW RUNTIME": ("RESUME", "SUSPEND", "UPGRADE"),
    "CORTEX SEARCH SERVICE": ("REFRESH",),
    "STREAMLIT": ("COMMIT", "PUSH", "PULL", "ABORT", "ADD VERSION"),
    "NOTEBOOK": ("COMMIT", "PUSH", "PULL", "ABORT", "ADD VERSION"),
    "LISTING": ("ADD VERSION", "REVIEW"),
    "APPLICATION PACKAGE": (
        "ADD VERSION",
        "ADD PATCH",
        "DEREGISTER VERSION",
        "DROP VERSION",
        "MODIFY RELEASE CHANNEL",
        "REGISTER VERSION",
        "SET DEFAULT RELEASE DIRECTIVE",
        "SET RELEASE DIRECTIVE",
    ),
    **dict.fromkeys(sorted(_GROUPS), ("REFRESH", "PRIMARY", "MOVE DATABASES", "MOVE SHARES")),
}
"""What would need the network, another account, or something that runs."""
