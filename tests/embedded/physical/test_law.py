"""The law of the house: what DuckDB runs is made in one module, from texts that stand there.

`DuckSql` has a seal, so that types and this test together leave no other way: a template is a
constant where it is used, DuckDB is opened in one module, and nobody takes a connection apart.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import skills_nb.embedded
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import Connection, opened
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.errors import SqlError

ROOM = Path(skills_nb.embedded.__file__).parent
QUOTING = ROOM / "physical" / "duck_sql.py"
OPENING = ROOM / "physical" / "connection.py"
MODULES = sorted(ROOM.rglob("*.py"))
OF_DUCKDB = {
    "BinderException",
    "CatalogException",
    "ConversionException",
    "Error",
    "InvalidInputException",
    "InvalidTypeException",
    "OutOfMemoryException",
    "ParserException",
    "SyntaxException",
    "TransactionException",
}
"""What others than the opening module may use of DuckDB: its exceptions."""


def named(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def faults(source: str, *, quotes: bool = False, opens: bool = False) -> list[str]:
    """Return what in a module breaks the law."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            found += _of_call(node, quotes=quotes)
        if isinstance(node, ast.Attribute) and not opens:
            if isinstance(node.value, ast.Name) and node.value.id == "duckdb":
                found += [] if node.attr in OF_DUCKDB else [f"duckdb.{node.attr}"]
            if node.attr in ("_duckdb", "create_function", "extract_statements", "executemany"):
                found.append(node.attr)
        if isinstance(node, ast.ImportFrom) and not opens and node.module == "duckdb":
            found.append("from duckdb import …")
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("duck_sql"):
            found += [a.name for a in node.names if a.name.startswith("_") or a.name == "of"]
    return found


def _of_call(node: ast.Call, *, quotes: bool) -> list[str]:
    called = named(node.func)
    owner = named(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    if quotes:
        return []
    if called == "DuckSql":
        return ["DuckSql(…)"]
    is_template = owner == "duck_sql" and called in ("of", "joined")
    if is_template and not (node.args and is_constant(node.args[0])):
        return [f"duck_sql.{called} of what is no constant"]
    if called in ("getattr", "setattr") and any(
        isinstance(a, ast.Constant) and a.value in ("_duckdb", "_SEAL") for a in node.args
    ):
        return [called]
    if called == "sql" and node.args and getattr(node.args[0], "value", None) == "duckdb":
        return [".sql('duckdb')"]
    return []


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(ROOM)))
def test_no_module_makes_sql_for_duckdb_by_itself(module: Path) -> None:
    found = faults(module.read_text(), quotes=module == QUOTING, opens=module == OPENING)
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'duck_sql.of(f"SELECT {x}")',
        'duck_sql.of("SELECT " + x)',
        'duck_sql.of("SELECT %s" % x)',
        'duck_sql.of("SELECT {}".format(x))',
        "duck_sql.of(x)",
        "duck_sql.of(template=x)",
        "duck_sql.joined(between, parts)",
        'DuckSql("SELECT 1", seal)',
        "duck_sql.DuckSql('x', duck_sql._SEAL)",
        "from skills_nb.embedded.physical.duck_sql import _SEAL",
        "from skills_nb.embedded.physical.duck_sql import of as said",
        "duckdb.connect(':memory:')",
        "from duckdb import connect",
        "session.connection._duckdb.execute(x)",
        'getattr(connection, "_duckdb").execute(x)',
        "tree.sql('duckdb')",
    ],
)
def test_the_law_sees_every_way_around_it(source: str) -> None:
    assert faults(source) != []


def test_no_module_says_the_seal() -> None:
    for module in MODULES:
        if module != QUOTING:
            assert "_SEAL" not in module.read_text()


def test_nobody_else_can_make_sql() -> None:
    with pytest.raises(TypeError):
        DuckSql("SELECT 1", object())


@pytest.mark.parametrize("part", ["x; DROP TABLE t", None, 1.5, b"x", ["x"]])
def test_a_text_is_no_part_of_sql(part: object) -> None:
    with pytest.raises(TypeError):
        duck_sql.of("SELECT {part}", part=part)  # type: ignore[arg-type]


@pytest.fixture
def connection() -> Iterator[Connection]:
    made = opened(None)
    yield made
    made.close()


@pytest.mark.parametrize("text", ["SELECT 1", b"SELECT 1", None, 1])
def test_duckdb_takes_no_text(connection: Connection, text: object) -> None:
    with pytest.raises(TypeError):
        connection.execute(text)  # type: ignore[arg-type]


TWO = duck_sql.of("SELECT 1; SELECT 2")
NONE = duck_sql.of("")


@pytest.mark.parametrize("statement", [TWO, NONE, duck_sql.of("-- nothing"), duck_sql.of(";")])
def test_duckdb_takes_one_statement_a_call(connection: Connection, statement: DuckSql) -> None:
    with pytest.raises(SqlError) as refused:
        connection.execute(statement)
    assert refused.value.errno == 8


OUTSIDE = [
    duck_sql.of("ATTACH ':memory:' AS other"),
    duck_sql.of("ATTACH '/tmp/other.duckdb' AS other"),
    duck_sql.of("COPY (SELECT 1) TO '/tmp/out.csv'"),
    duck_sql.of("EXPORT DATABASE '/tmp/out'"),
    duck_sql.of("IMPORT DATABASE '/tmp/out'"),
    duck_sql.of("LOAD json"),
    duck_sql.of("INSTALL httpfs"),
    duck_sql.of("PRAGMA database_list"),
    duck_sql.of("CALL pragma_version()"),
    duck_sql.of("CHECKPOINT"),
    duck_sql.of("VACUUM"),
    duck_sql.of("PREPARE p AS SELECT 1"),
    duck_sql.of("EXPLAIN ANALYZE SELECT 1"),
]


@pytest.mark.parametrize("statement", OUTSIDE, ids=lambda s: s.text)
def test_duckdb_runs_no_other_kind_of_statement(connection: Connection, statement: DuckSql) -> None:
    with pytest.raises(SqlError):
        connection.execute(statement)


FORBIDDEN = [
    duck_sql.of("SELECT * FROM read_text('/etc/passwd')"),
    duck_sql.of("SELECT * FROM read_csv('/etc/passwd')"),
    duck_sql.of("SELECT * FROM read_blob('/etc/passwd')"),
    duck_sql.of("SELECT * FROM read_parquet('/etc/passwd')"),
    duck_sql.of("SELECT * FROM read_json('/etc/passwd')"),
    duck_sql.of("SELECT * FROM sniff_csv('/etc/passwd')"),
    duck_sql.of("SELECT * FROM glob('/*')"),
    duck_sql.of("SELECT * FROM '/etc/passwd'"),
    duck_sql.of("SELECT getenv('HOME')"),
    duck_sql.of("SELECT * FROM replacement"),
    duck_sql.of("SET threads = 1"),
    duck_sql.of("SET enable_external_access = true"),
    duck_sql.of("SET lock_configuration = false"),
    duck_sql.of("SET allowed_configs = ['threads']"),
    duck_sql.of("SET allowed_directories = ['/']"),
    duck_sql.of("SET temp_directory = '/tmp'"),
    duck_sql.of("RESET lock_configuration"),
    duck_sql.of("CREATE SECRET (TYPE s3)"),
]


@pytest.mark.parametrize("statement", FORBIDDEN, ids=lambda s: s.text)
def test_duckdb_reads_nothing_and_changes_no_setting(
    connection: Connection, statement: DuckSql
) -> None:
    import duckdb

    replacement = [1]
    with pytest.raises(duckdb.Error):
        connection.execute(statement)
    assert replacement == [1]


def test_what_is_in_memory_is_never_put_on_a_disk(connection: Connection) -> None:
    asked = connection.execute(duck_sql.of("SELECT current_setting('temp_directory')"))
    assert asked.fetchall() == [("",)]


def test_what_a_session_needs_of_the_configuration_stays_open(connection: Connection) -> None:
    connection.execute(duck_sql.of("SET TimeZone = 'Europe/Paris'"))
    connection.execute(duck_sql.of("SET disabled_optimizers = 'join_order'"))
    connection.execute(duck_sql.of("RESET disabled_optimizers"))
    connection.execute(duck_sql.of("SET VARIABLE moment = 1"))
    found = connection.execute(duck_sql.of("SELECT current_setting('TimeZone')")).fetchone()
    assert found == ("Europe/Paris",)


NAMES = ['a"b', "a;b", "x' OR '1'='1", '"', '""', "a\x00b", "ü", "a\nb", "{x}", "%s", "?", "$1"]


@pytest.mark.parametrize("name", NAMES)
def test_names_and_texts_come_back_as_they_are(connection: Connection, name: str) -> None:
    asked = duck_sql.of("SELECT {t} AS {n}", t=duck_sql.text(name), n=duck_sql.name(name))
    connection.execute(asked)
    assert [column[0] for column in connection.description] == [name]
    assert connection.fetchall() == [(name,)]


@pytest.mark.parametrize("kind", ["INT; DROP TABLE t", "int", "DECIMAL(1,2) NOT NULL", "", "A B"])
def test_a_type_is_a_word(kind: str) -> None:
    with pytest.raises(ValueError):
        duck_sql.kind(kind)


@pytest.mark.parametrize("constant", ["1; x", "'a'b'", "'a\\'", "x", "1e5", "", "١", "NULL,1"])
def test_a_constant_is_one(constant: str) -> None:
    with pytest.raises(ValueError):
        duck_sql.constant(constant)
