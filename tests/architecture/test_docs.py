"""What a public function raises is said, and so is what each field of a public value means."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tests.architecture.imports import PACKAGE, sources

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MODELS = ("BaseModel", "Frozen", "EventBase", "NamedTuple", "TypedDict")


@pytest.mark.slow
def test_what_is_raised_and_what_a_field_means_is_said():
    modules = sources().items()
    assert {name: found for name, (text, _) in modules if (found := undocumented(text))} == {}


@pytest.mark.slow
def test_a_refusal_of_the_embedded_account_is_told_with_its_number():
    numbers = refusals()
    untold = {
        name: found
        for name, (text, _) in sources().items()
        if name.startswith(f"{PACKAGE}.embedded.") and (found := unnumbered(text, numbers))
    }
    assert untold == {}


# ---- the measure itself


def test_a_function_that_raises_says_what_and_when():
    text = """
def loud():
    \"\"\"Do it.

    Raises:
        ValueError: it cannot be done.
    \"\"\"
    raise ValueError

def silent():
    if wrong:
        raise ValueError

def other():
    \"\"\"Do it.

    Raises:
        ValueError: it cannot be done.
    \"\"\"
    raise KeyError(name)

def passes_on():
    try:
        silent()
    except ValueError:
        raise

def makes():
    def inner():
        raise ValueError
    return inner

def _private():
    raise ValueError

class Reader:
    def read(self):
        with given:
            raise ValueError
"""
    assert undocumented(text) == ["Reader.read()", "other()", "silent()"]


def test_a_field_has_its_sentence_below_it_or_in_its_class():
    text = """
@dataclass(frozen=True)
class Point:
    \"\"\"A place.\"\"\"
    x: int
    \"\"\"Metres to the right.\"\"\"
    y: int
    _cache: int
    shared: ClassVar[int] = 0
    type: Literal["point"] = "point"

class Line(Frozen):
    \"\"\"A line.

    Attributes:
        start: where it begins.
        end: where it ends, or a place
            beyond.
    \"\"\"
    start: int
    end: int
    beyond: int

@dataclass
class Drop:
    \"\"\"`DROP <kind> [IF EXISTS] <name>`.\"\"\"
    kind: str
    name: str
    if_exists: bool
    cascades: bool

@dataclass
class Wrapped:
    \"\"\"One thing, which this says.\"\"\"
    thing: int

@dataclass
class _Private:
    x: int
    y: int

class Plain:
    x: int
    y: int

@dataclass
class BadError(Exception):
    x: int
    y: int
"""
    assert undocumented(text) == ["Drop.cascades", "Line.beyond", "Point.y"]


def test_a_number_of_snowflake_is_wanted_where_the_function_picks_one():
    text = """
def told():
    \"\"\"Do it.

    Raises:
        SqlError: it is not there (2003), or not supported (0A000).
    \"\"\"
    if missing:
        raise errors.not_found("Table", path)
    raise errors.unsupported("it")

def vague():
    \"\"\"Do it.

    Raises:
        SqlError: it is not there.
    \"\"\"
    raise errors.not_found("Table", path)

def computed():
    \"\"\"Do it.

    Raises:
        SqlError: it cannot be read.
    \"\"\"
    raise errors.unrecognized("Date", "x")
"""
    assert unnumbered(text, refusals()) == ["vague(): not_found is 2003"]


@cache
def refusals() -> Mapping[str, str]:
    """Each function of the embedded account's errors that has one number, and the number."""
    return {
        function.name: found[0]
        for name, (text, _) in sources().items()
        if name.startswith(f"{PACKAGE}.embedded.errors")
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef) and len(found := _numbers(function)) == 1
    }


def _numbers(function: ast.FunctionDef) -> list[str]:
    """The numbers of its errors; a feature that is not supported goes by its state, 0A000."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    given = [one.value for call in calls for one in call.keywords if one.arg == "errno"]
    given += [c.args[1] for c in calls if ast.unparse(c.func) == "compilation" and c.args[1:]]
    numbers = [str(one.value) for one in given if isinstance(one, ast.Constant)]
    return ["0A000" if number == "2" else number for number in numbers]


def unnumbered(text: str, numbers: Mapping[str, str]) -> list[str]:
    """The refusals that public functions pick and do not tell by their numbers."""
    return sorted(
        f"{function.name}(): {refusal} is {numbers[refusal]}"
        for function in ast.walk(ast.parse(text))
        if isinstance(function, _FUNCTIONS) and not function.name.startswith("_")
        for refusal in {_callee(one) for one in _raised(function)} & set(numbers)
        if "Raises:" in _doc(function) and numbers[refusal] not in _told(_doc(function))
    )


def _callee(raised: ast.expr) -> str:
    called = raised.func if isinstance(raised, ast.Call) else raised
    return ast.unparse(called).rpartition(".")[2]


def _told(doc: str) -> list[str]:
    return re.findall(r"\w+", doc.partition("Raises:")[2])


def undocumented(text: str) -> list[str]:
    """The functions and fields of a module that lack a sentence, as `Class.field`, `function()`."""
    return sorted(_lacking(ast.parse(text), ""))


def _lacking(parent: ast.AST, prefix: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(parent):
        match node:
            case ast.ClassDef(name=name) if not name.startswith("_"):
                yield from (f"{prefix}{name}.{field}" for field in _silent_fields(node))
                yield from _lacking(node, f"{prefix}{name}.")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if not name.startswith("_") and _is_untold(node):
                    yield f"{prefix}{name}()"
            case ast.If() | ast.Try() | ast.With():
                yield from _lacking(node, prefix)


def _doc(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _is_untold(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a class that it raises is not told; what another function makes has no name here."""
    told, callees = _told(_doc(function)), [_callee(one) for one in _raised(function)]
    return bool(callees) and (
        not told or any(one[:1].isupper() and one not in told for one in callees)
    )


def _raised(function: ast.AST) -> Iterator[ast.expr]:
    """What it raises by itself; what it passes on, or what a function inside it does, is not."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node.exc
        elif not isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            yield from _raised(node)


def _silent_fields(node: ast.ClassDef) -> list[str]:
    """The fields that neither a sentence below them nor the class itself explains.

    The class does where it holds one thing and says which, where it lists its `Attributes:`, and
    where the statement in its docstring has the field's name as a word: `DROP <name> [IF EXISTS]`.
    """
    fields = [name for name, _ in _fields(node)]
    if not _is_value(node) or (len(fields) == 1 and _doc(node)):
        return []
    explained = _attributes(_doc(node)) | _written(_doc(node), fields)
    return [name for name, said in _fields(node) if not said and name not in explained]


def _is_value(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in node.bases]
    if any(base.endswith(("Error", "Exception")) for base in bases):
        return False
    decorators = [ast.unparse(one) for one in node.decorator_list]
    return any("dataclass" in one for one in decorators) or any(base in _MODELS for base in bases)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """Each public field, and whether a sentence stands below it; what a class shares is none."""
    for position, statement in enumerate(node.body):
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                if not name.startswith("_") and not _is_shared(ast.unparse(annotation)):
                    yield name, _is_text(node.body[position + 1 : position + 2])


def _is_shared(annotation: str) -> bool:
    """Whether all values of the class have the same: what tells an event's type, for one."""
    return "ClassVar" in annotation or (
        annotation.startswith("Literal[") and "," not in annotation and "|" not in annotation
    )


def _is_text(statements: list[ast.stmt]) -> bool:
    match statements:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return bool(text.strip())
    return False


def _attributes(doc: str) -> set[str]:
    """The names below `Attributes:`."""
    lines = iter(doc.partition("Attributes:\n")[2].splitlines())
    return {name.strip() for line in lines for name, colon, _ in [line.partition(":")] if colon}


def _written(doc: str, fields: list[str]) -> set[str]:
    """The fields whose names are words of a statement that the docstring shows."""
    shown = " ".join(doc.split("`")[1::2]).lower()
    words = f" {''.join(one if one.isalnum() or one == '_' else ' ' for one in shown)} "
    spaced = f" {' '.join(words.split())} "
    return {name for name in fields if f" {name.replace('_', ' ')} " in spaced}
