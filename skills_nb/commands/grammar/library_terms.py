"""The verbs about the library: what it holds, what is wrong in it, what is added to it.

Room: commands. Source: FORMATS, One grammar, three doors.
"""

from __future__ import annotations

from skills_nb.commands.grammar.terms import Verb, arg

LIBRARY_VERBS: tuple[Verb, ...] = (
    Verb(
        "library",
        "show what the library holds, or choose another for this home",
        (
            arg("path", nargs="?", help="a library to work with from now on"),
            arg("--overlay", metavar="PATH", help="skills of your own, laid over it"),
            arg("--shipped", action="store_true", help="back to the one that came with this"),
        ),
        ("library", "library --overlay my-skills"),
        reads=True,
        unfolds=("all",),
    ),
    Verb(
        "lint",
        "say what is wrong in a library, where, and how to repair it",
        (
            arg("path", nargs="?", help="a library; the one in use where left out"),
            arg(
                "--select",
                action="append",
                default=[],
                metavar="CODE",
                help="a rule, or the beginning of codes, such as SK4",
            ),
            arg("--format", choices=("text", "json", "sarif"), default="text"),
            arg("--fix", action="store_true", help="repair what is safe, then say what is left"),
            arg(
                "--run-examples",
                action="store_true",
                help="also run the examples of primitives, on embedded accounts (takes a minute)",
            ),
        ),
        ("lint my-library", "lint --select SK4 --format sarif", "lint my-skills --fix"),
        reads=True,
    ),
    Verb(
        "new",
        "begin a skill that lacks only what you must say",
        (
            arg("kind", choices=("primitive", "playbook", "router")),
            arg("name", help="lower-case words with hyphens between them"),
            arg("--domain", help="its domain; a router's is its name where left out"),
        ),
        ("new playbook rotate-keys --domain data-security", "new router my-domain"),
    ),
    Verb(
        "index",
        "say how the skill index differs from the files; status 1 where it does",
        (arg("--write", action="store_true", help="rewrite it from the files"),),
        ("index", "index --write"),
        reads=True,
    ),
    Verb(
        "graph",
        "draw what leads to what in the library",
        (
            arg(
                "--format",
                choices=("text", "mermaid", "svg"),
                help="print this form; a notebook shows the picture where it is left out",
            ),
            arg("--output", metavar="FILE", help="write it there"),
        ),
        ("graph", "graph --format svg --output library.svg"),
        reads=True,
    ),
    Verb(
        "export",
        "write every skill as a folder that other agents read",
        (
            arg("directory", metavar="DIR"),
            arg("--format", choices=("agent-skills",), default="agent-skills"),
        ),
        ("export --format agent-skills out",),
    ),
    Verb(
        "import",
        "take Agent Skills folders in as primitives and playbooks",
        (
            arg("directory", metavar="DIR", help="a folder with SKILL.md, or one of such folders"),
            arg("--domain", help="of skills that name none"),
        ),
        ("import their-skills --domain data-security",),
    ),
    Verb(
        "explain",
        "show the page of a lint rule, or a skill",
        (arg("subject", help="a code such as SK422, or primitives/NAME"),),
        ("explain SK422", "explain primitives/streams"),
        reads=True,
    ),
)
"""In the order in which help lists them."""
