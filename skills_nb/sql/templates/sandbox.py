"""The Jinja2 dialect of SQL templates: what may be written, and what it may reach.

Room: sql. An allow-list of nodes, filters, tests and calls; attributes are keys of mappings and the
public fields of names, nothing else; loops and texts have a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from typing import Any, cast

from jinja2 import StrictUndefined, Undefined, nodes, pass_context
from jinja2.filters import FILTERS
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import SandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.visitor import NodeTransformer

from skills_nb.sql.template_problems import TemplateProblem
from skills_nb.sql.templates.built_names import build_identifier, build_name
from skills_nb.sql.templates.depth import shallow
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.query_values import build_query, find_query_problem, list_tables
from skills_nb.sql.templates.template_error import TemplateError, refuse

MOST_ITERATIONS = 100_000
MOST_CHARACTERS = 1_000_000

_NODES = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.Const,
    nodes.Name,
    nodes.Getattr,
    nodes.Getitem,
    nodes.Slice,
    nodes.For,
    nodes.If,
    nodes.Assign,
    nodes.Compare,
    nodes.Operand,
    nodes.And,
    nodes.Or,
    nodes.Not,
    nodes.Add,
    nodes.Sub,
    nodes.Mul,
    nodes.Div,
    nodes.FloorDiv,
    nodes.Mod,
    nodes.Neg,
    nodes.Pos,
    nodes.Concat,
    nodes.Filter,
    nodes.Test,
    nodes.Call,
    nodes.Keyword,
    nodes.List,
    nodes.Tuple,
    nodes.Dict,
    nodes.Pair,
    nodes.CondExpr,
)
_FILTERS_TEXT = (
    "abs count d default first float int items join last length list lower map max min reject "
    "rejectattr reverse round select selectattr sort string sum trim unique upper "
)
_FILTERS = frozenset(_FILTERS_TEXT.split())
_TESTS_TEXT = (
    "boolean defined divisibleby eq equalto even false float ge gt in integer iterable le lt "
    "mapping ne none number odd sequence string true undefined == != < <= > >= "
)
_TESTS = frozenset(_TESTS_TEXT.split())
_LOOP_FIELDS = frozenset(
    {"index", "index0", "revindex", "revindex0", "first", "last", "length", "depth"}
)
_NAME_FIELDS = frozenset({"container", "database", "schema", "table", "name", "fqn", "parts"})
_METHODS = frozenset({"get", "items", "keys", "values"})
BUILDERS = frozenset({"ident", "name", "query", "query_problem", "query_tables"})
"""Functions that a template may call."""


class Restrict(NodeTransformer):
    """Refuse what is not on the lists, and route what is through the guards."""

    def generic_visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> nodes.Node:
        """Let a listed node through.

        Raises:
            TemplateError: no template may hold this kind of node.
        """
        if not isinstance(node, _NODES):
            raise _refused(node, f"{type(node).__name__!r} is not allowed in SQL templates")
        return super().generic_visit(node, *args, **kwargs)

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802 - jinja2's hook
        """Refuse private names: ours begin with an underscore.

        Raises:
            TemplateError: the name begins with an underscore.
        """
        if node.name.startswith("_"):
            raise _refused(node, f"{node.name!r} is a private name")
        return node

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Node:  # noqa: N802
        """Refuse private attributes.

        Raises:
            TemplateError: the attribute begins with an underscore.
        """
        if node.attr.startswith("_"):
            raise _refused(node, f"{node.attr!r} is a private attribute")
        return self.generic_visit(node)

    def visit_Filter(self, node: nodes.Filter) -> nodes.Node:  # noqa: N802
        """Refuse filters that are not on the list, and filter blocks.

        Raises:
            TemplateError: the filter is not on the list, or filters a block.
        """
        if node.name not in _FILTERS or node.node is None:
            raise _refused(node, f"the filter {node.name!r} is not allowed in SQL templates")
        return self.generic_visit(node)

    def visit_Test(self, node: nodes.Test) -> nodes.Node:  # noqa: N802
        """Refuse tests that are not on the list.

        Raises:
            TemplateError: the test is not on the list.
        """
        if node.name not in _TESTS:
            raise _refused(node, f"the test {node.name!r} is not allowed in SQL templates")
        return self.generic_visit(node)

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        """Count the iterations of every loop.

        Raises:
            TemplateError: the loop is recursive.
        """
        if node.recursive:
            raise _refused(node, "recursive loops are not allowed in SQL templates")
        self.generic_visit(node)
        node.iter = _call(node, "_bounded", [cast(nodes.Expr, node.iter)])
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        """Bound the length of joined text."""
        self.generic_visit(node)
        return _call(node, "_concat", list(node.nodes))

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        """Let the builders and the readers of mappings be called, nothing else.

        Raises:
            TemplateError: something else is called, or with keywords or unpacked arguments.
        """
        if node.kwargs or node.dyn_args is not None or node.dyn_kwargs is not None:
            raise _refused(node, "calls take plain arguments only")
        target = node.node
        if isinstance(target, nodes.Name) and target.name in BUILDERS:
            self._visit_all(node.args)
            return _call(node, f"_{target.name}", [_written(arg) for arg in node.args])
        if isinstance(target, nodes.Getattr) and target.attr in _METHODS:
            self._visit_all(node.args)
            return _call(
                node, f"_{target.attr}", [cast(nodes.Expr, self.visit(target.node)), *node.args]
            )
        raise _refused(
            node,
            "only ident(…), name(…), query(…), query_problem(…), query_tables(…) and a mapping's "
            "get, items, keys, values can be called",
        )

    def _visit_all(self, arguments: list[nodes.Expr]) -> None:
        arguments[:] = [self.visit(argument) for argument in arguments]


def _refused(node: nodes.Node, text: str) -> TemplateError:
    return TemplateError(TemplateProblem(node.lineno, 1, text, "Write it another way."))


def _call(at: nodes.Node, function: str, arguments: list[nodes.Expr]) -> nodes.Call:
    name = nodes.Name(function, "load", lineno=at.lineno)
    return nodes.Call(name, arguments, [], None, None, lineno=at.lineno)


def _written(argument: nodes.Expr) -> nodes.Expr:
    """Mark a text that stands in the template: it is typed, as against a stored name."""
    if isinstance(argument, nodes.Const) and isinstance(argument.value, str):
        pair = [nodes.Const(True, lineno=argument.lineno), argument]
        return nodes.Tuple(cast(list[nodes.Expr], pair), "load", lineno=argument.lineno)
    return argument


@pass_context
def _output(context: Context, value: Any) -> str:
    # Asking for the context keeps Jinja2 from computing constants while it compiles: compiled code
    # is shared by renderings, and every one of them has marks of its own.
    sandbox = context.environment
    assert isinstance(sandbox, Sandbox)
    return sandbox.put(value)


class Sandbox(SandboxedEnvironment):
    """An environment for one rendering: its budget is spent once."""

    def __init__(self, put: Callable[[Any], str] = str) -> None:
        """Take what turns each output value into text."""
        self.put = put
        super().__init__(
            undefined=StrictUndefined,
            finalize=_output,
            autoescape=False,
            optimized=False,  # it takes as long as it saves: most templates run once
            keep_trailing_newline=True,
            cache_size=0,
        )
        self.filters = {name: FILTERS[name] for name in _FILTERS}
        self.tests = {name: TESTS[name] for name in _TESTS}
        self.iterations = 0
        self.globals.clear()
        self.globals.update(self._functions())
        self.intercepted_binops = frozenset({"+", "*", "%"})

    def parse(
        self, source: str, name: str | None = None, filename: str | None = None
    ) -> nodes.Template:
        """Read a template; RecursionError where it is nested too deeply."""
        return shallow(super().parse(source, name, filename))

    def _functions(self) -> dict[str, Callable[..., Any]]:
        return {
            "_bounded": self._bounded,
            "_concat": self._concat,
            "_ident": build_identifier,
            "_name": build_name,
            "_query": build_query,
            "_query_problem": find_query_problem,
            "_query_tables": list_tables,
            "_get": lambda mapping, key, default=None: _mapping(mapping).get(key, default),
            "_items": lambda mapping: list(_mapping(mapping).items()),
            "_keys": lambda mapping: list(_mapping(mapping)),
            "_values": lambda mapping: list(_mapping(mapping).values()),
        }

    def _bounded(self, iterable: Any) -> Any:
        """Count what a loop takes; a loop keeps its length where it has one."""
        if isinstance(iterable, Undefined):
            return iterable
        if not isinstance(iterable, Iterable) or isinstance(iterable, str):
            raise refuse(f"a {type(iterable).__name__} cannot be looped over", "Give a list.")
        if isinstance(iterable, Sized):
            self._spend(len(iterable))
            return iterable
        return self._counted(iterable)

    def _counted(self, iterable: Iterable[Any]) -> Iterator[Any]:
        for item in iterable:
            self._spend(1)
            yield item

    def _spend(self, count: int) -> None:
        self.iterations += count
        if self.iterations > MOST_ITERATIONS:
            raise refuse(f"loops run more than {MOST_ITERATIONS} times", "Loop over fewer items.")

    def _concat(self, *parts: Any) -> str:
        if any(isinstance(part, Undefined) for part in parts):
            raise refuse("an undefined value is joined to text")
        return bounded_text("".join(str(part) for part in parts))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Keep `+`, `*` and `%` to what cannot grow without end.

        Raises:
            TemplateError: `*` or `%` on anything but numbers, or a result beyond bounds.
        """
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator != "+" and not numbers:
            raise refuse(f"{operator!r} works on numbers only")
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, Sized) and len(result) > MOST_CHARACTERS:
            raise refuse("a value grows too long")
        if isinstance(result, int) and result.bit_length() > 256:
            raise refuse("a number grows too large")
        return result

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call one of our own functions; keyword arguments are jinja2's own (loop variables).

        Raises:
            TemplateError: what is called is none of the functions given to templates.
        """
        if not any(obj is function for function in self.globals.values()):
            raise refuse(f"{type(obj).__name__!r} cannot be called")
        return obj(*args)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Read a key of a mapping, a field of a name, or a field of the loop."""
        return self._read(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Read an item by key, index or slice."""
        if isinstance(obj, list | tuple | str) and isinstance(argument, int | slice):
            try:
                return obj[argument]
            except IndexError:
                return self.undefined(obj=obj, name=str(argument))
        return self._read(obj, argument)

    def _read(self, obj: Any, key: Any) -> Any:
        if isinstance(obj, Undefined):
            return obj
        if isinstance(obj, (dict, Mapping)) and key in obj:
            return obj[key]
        fields = _fields_of(obj)
        if key in fields and (value := getattr(obj, key)) is not None:
            return value
        return self.undefined(obj=obj, name=key)


def _fields_of(obj: Any) -> frozenset[str]:
    if isinstance(obj, Name):
        return _NAME_FIELDS
    return _LOOP_FIELDS if isinstance(obj, LoopContext) else frozenset()


def _mapping(value: Any) -> Mapping[Any, Any]:
    if isinstance(value, Mapping):
        return value
    raise refuse(f"a {type(value).__name__} is not a mapping")


def bounded_text(text: str) -> str:
    """Return the text, unless it is longer than any statement should be.

    Raises:
        TemplateError: it is longer than any statement should be.
    """
    if len(text) > MOST_CHARACTERS:
        raise refuse(f"the text is longer than {MOST_CHARACTERS} characters")
    return text
