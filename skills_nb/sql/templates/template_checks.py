"""Checking a template without values: syntax, unknown names, glue.

Room: sql. Places are exact for names and glue, whose offsets the template's own lexer gives, and at
the start of the line for what is not allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import TemplateSyntaxError, nodes

from skills_nb.sql.template_problems import TemplateProblem, at_offset
from skills_nb.sql.templates.glue import MARK, TAG, find_enclosed, glue_problem, touches
from skills_nb.sql.templates.rendering import read_template, restrict
from skills_nb.sql.templates.sandbox import BUILDERS, Sandbox
from skills_nb.sql.templates.shell_templates import find_misplaced
from skills_nb.sql.templates.template_error import TemplateError

_MEMBER_MARKS = frozenset({".", "|"})
_ALWAYS = frozenset({"loop"})
_ENDS = {
    "variable_begin": "variable_end",
    "block_begin": "block_end",
    "comment_begin": "comment_end",
    "raw_begin": "raw_begin",
    "raw_end": "raw_end",
}


_Judge = Callable[[Sandbox, str], list[TemplateProblem]]


@dataclass(frozen=True, slots=True)
class _Piece:
    """One token of the template language."""

    kind: str
    text: str
    start: int


def problems_of(template: str, known: frozenset[str]) -> tuple[TemplateProblem, ...]:
    """Find every problem, in the order of the text; see `templates.check`."""
    return _problems(template, known, _glue)


def problems_of_command(template: str, known: frozenset[str]) -> tuple[TemplateProblem, ...]:
    """Find every problem of command lines; see `templates.check_command`."""
    return _problems(template, known, _misplaced)


@lru_cache(maxsize=1024)
def free_names(template: str) -> frozenset[str] | None:
    """Return the names that a template reads from outside; see `templates.names_in`."""
    try:
        tree = Sandbox().parse(template)
    except (TemplateSyntaxError, RecursionError):
        return None
    return frozenset(name.name for name in _free(tree.body, _ALWAYS))


def _problems(template: str, known: frozenset[str], judge: _Judge) -> tuple[TemplateProblem, ...]:
    sandbox = Sandbox()
    text = template.replace("\r\n", "\n").replace("\r", "\n")
    try:
        if MARK in text or TAG in text:
            raise TemplateError(TemplateProblem(1, 1, "the template holds a control character"))
        tree = read_template(sandbox, text)
        # Before the tree is restricted, which changes it.
        unknown = list(_unknown(sandbox, text, tree, known))
        restrict(tree)
    except TemplateError as error:
        return (error.problem,)
    found = [*unknown, *judge(sandbox, text)]
    return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))


def _pieces(sandbox: Sandbox, text: str) -> Iterator[_Piece]:
    """Yield the template's tokens with their offsets; trimmed blanks are skipped over."""
    position = 0
    for _, kind, value in sandbox.lex(text):
        position = text.find(value, position)
        yield _Piece(kind, value, position)
        position += len(value)


# Unknown names


def _unknown(
    sandbox: Sandbox, text: str, tree: nodes.Template, known: frozenset[str]
) -> Iterator[TemplateProblem]:
    names = sorted(_free(tree.body, known | _ALWAYS), key=lambda node: node.lineno)
    seen: set[str] = set()
    for name in names:
        if name.name not in seen:
            seen.add(name.name)
            yield _unknown_name(sandbox, text, name, known)


def _unknown_name(
    sandbox: Sandbox, text: str, node: nodes.Name, known: frozenset[str]
) -> TemplateProblem:
    """Place the name at its first use on the node's line."""
    hint = "Use one of: " + ", ".join(sorted(known)[:20]) + "." if known else None
    message = f"nothing is called {node.name!r}"
    before = ""
    for piece in _pieces(sandbox, text):
        line = text.count("\n", 0, piece.start) + 1
        is_name = (piece.kind, piece.text) == ("name", node.name) and before not in _MEMBER_MARKS
        if is_name and line >= node.lineno:
            return at_offset(text, piece.start, message, hint)
        before = before if piece.kind == "whitespace" else piece.text
    return TemplateProblem(node.lineno, 1, message, hint)


def _free(body: list[nodes.Node], bound: frozenset[str]) -> Iterator[nodes.Name]:
    """Yield the names that a run of nodes reads and nothing before them has bound."""
    for node in body:
        yield from _free_in(node, bound)
        if isinstance(node, nodes.Assign):
            bound |= _targets(node.target)


def _free_in(node: nodes.Node, bound: frozenset[str]) -> Iterator[nodes.Name]:
    match node:
        case nodes.For():
            yield from _free_in(node.iter, bound)
            inside = bound | _targets(node.target)
            tests = [node.test] if node.test is not None else []
            yield from _free([*tests, *node.body], inside)
            yield from _free(node.else_, bound)
        case nodes.If():
            yield from _free_in(node.test, bound)
            for branch in (node.body, node.elif_, node.else_):
                yield from _free(list(branch), bound)
        case nodes.Name(ctx="load"):
            if node.name not in bound:
                yield node
        case nodes.Call(node=nodes.Name(name=function)) if function in BUILDERS:
            yield from _free(list(node.args), bound)
        case _:
            for child in node.iter_child_nodes():
                yield from _free_in(child, bound)


def _targets(target: nodes.Node) -> frozenset[str]:
    found = {name.name for name in target.find_all(nodes.Name)}
    return frozenset(found | ({target.name} if isinstance(target, nodes.Name) else set()))


# Glue


def _glue(sandbox: Sandbox, text: str) -> list[TemplateProblem]:
    """Judge what stands around the output expressions of SQL."""
    flat, outputs = _flat(sandbox, text)
    if (problem := find_enclosed(flat)) is not None:
        return [problem]
    return [glue_problem(flat, start) for start, end in outputs if _is_glued(flat, start, end)]


def _misplaced(sandbox: Sandbox, text: str) -> list[TemplateProblem]:
    """Judge what stands around the output expressions of command lines."""
    problem = find_misplaced(_flat(sandbox, text)[0])
    return [problem] if problem is not None else []


def _flat(sandbox: Sandbox, text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the template's own text, every tag a mark as long as itself, and its outputs."""
    shape, outputs = list(text), []
    for kind, start, end in _regions(sandbox, text):
        mark = MARK if kind == "variable_begin" else TAG
        shape[start:end] = ["\n" if char == "\n" else mark for char in text[start:end]]
        if kind == "variable_begin":
            outputs.append((start, end))
    return "".join(shape), outputs


def _regions(sandbox: Sandbox, text: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of everything between the template's delimiters."""
    opened: _Piece | None = None
    for piece in _pieces(sandbox, text):
        if opened is None and piece.kind in _ENDS:
            opened = piece
        if opened is not None and piece.kind == _ENDS[opened.kind]:
            yield opened.kind, opened.start, piece.start + len(piece.text.rstrip())
            opened = None


def _is_glued(flat: str, start: int, end: int) -> bool:
    """Look at the neighbours, through tags that print nothing; any value might be a name."""
    before, after = flat[:start].rstrip(TAG)[-1:], flat[end:].lstrip(TAG)[:1]
    return touches(before, is_name=True) or touches(after, is_name=True)
