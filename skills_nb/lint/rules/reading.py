"""SK0: what reading could not make sense of.

Room: lint. Reading finds these itself; the rules give them their pages.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Severity

_WARNING = Severity.WARNING


def _found(subject: Subject, code: str) -> Iterator[Finding]:
    for diagnostic in subject.reading(code):
        yield Finding(diagnostic.span, diagnostic.message, diagnostic.hint)


@rule("SK001", "readable-file", spec="Conventions > File Structure")
def readable_file(subject: Subject) -> Iterator[Finding]:
    """Every path of the library is a text file that can be read.

    A pipe, a socket, a folder in the place of a file or a file without read permission is left
    out; the rest of the library stays usable.

    Fails: `primitives/tags/skill.md` is a folder.
    Passes: `primitives/tags/skill.md` is a file.
    """
    return _found(subject, "SK001")


@rule("SK002", "utf-8", spec="Conventions > File Structure")
def utf_8(subject: Subject) -> Iterator[Finding]:
    """Files are UTF-8; a byte order mark and any line ends are fine.

    Fails: a file saved as UTF-16 or Latin-1.
    Passes: the same file saved as UTF-8.
    """
    return _found(subject, "SK002")


@rule("SK003", "readable-size", spec="Constraints > Skill constraints 6")
def readable_size(subject: Subject) -> Iterator[Finding]:
    """No file is larger than 1 MiB; larger ones are not read at all.

    Fails: a skill with a pasted log of two million characters.
    Passes: the same skill with an excerpt.
    """
    return _found(subject, "SK003")


@rule("SK004", "sound-link", spec="Conventions > File Structure")
def sound_link(subject: Subject) -> Iterator[Finding]:
    """Symbolic links lead to files inside the library, and never in a circle.

    Fails: `primitives/tags/skill.md` links to a file in somebody's home directory.
    Passes: `primitives/tags/skill.md` is the file itself.
    """
    return _found(subject, "SK004")


@rule("SK005", "front-matter", spec="Skill Types > Front-matter")
def front_matter(subject: Subject) -> Iterator[Finding]:
    """Every skill begins with front matter between two lines of three dashes.

    Fails: a file that begins with `# Tags`.
    Passes: a file that begins with `---`, its fields, and `---`.
    """
    return _found(subject, "SK005")


@rule("SK006", "closed-front-matter", spec="Skill Types > Front-matter")
def closed_front_matter(subject: Subject) -> Iterator[Finding]:
    """Front matter ends with a line of three dashes.

    Fails: `---`, fields, and the text without a second `---`.
    Passes: `---`, fields, `---`, then the text.
    """
    return _found(subject, "SK006")


@rule("SK007", "valid-yaml", spec="Skill Types > Front-matter")
def valid_yaml(subject: Subject) -> Iterator[Finding]:
    """Front matter, the index and the `yaml` blocks of steps are valid YAML.

    Fails: `description: Mask: hide values`.
    Passes: `description: "Mask: hide values"`.
    """
    return _found(subject, "SK007")


@rule("SK008", "right-value", spec="Skill Types > Front-matter")
def right_value(subject: Subject) -> Iterator[Finding]:
    """A field holds a value of its type, and one of its words where only some are allowed.

    Fails: `severity: high`.
    Passes: `severity: critical`.
    """
    return _found(subject, "SK008")


@rule("SK009", "known-field", spec="Skill Types > Front-matter", severity=_WARNING)
def known_field(subject: Subject) -> Iterator[Finding]:
    """Only fields that something reads are written; the hint names the nearest known one.

    Fails: `last_reviewd: 2026-01-31`.
    Passes: `last_reviewed: 2026-01-31`.
    """
    return _found(subject, "SK009")


@rule("SK010", "required-field", spec="Skill Types > Front-matter")
def required_field(subject: Subject) -> Iterator[Finding]:
    """Fields without which a skill has no meaning are there.

    Fails: an input without `name`.
    Passes: an input with `name: target_scope`.
    """
    return _found(subject, "SK010")


@rule("SK011", "unique-key", spec="Skill Types > Front-matter")
def unique_key(subject: Subject) -> Iterator[Finding]:
    """A key appears once in its mapping; the first would count, which is rarely meant.

    Fails: `domain: a` and, two lines below, `domain: b`.
    Passes: one `domain`.
    """
    return _found(subject, "SK011")


@rule("SK012", "plain-yaml", spec="Skill Types > Front-matter")
def plain_yaml(subject: Subject) -> Iterator[Finding]:
    """YAML stays plain: no anchors, aliases, tags, further documents or towers of nesting.

    Fails: `inputs: *shared`.
    Passes: the inputs written out.
    """
    return _found(subject, "SK012")


@rule("SK013", "closed-code-block", spec="Primitives > Content rules")
def closed_code_block(subject: Subject) -> Iterator[Finding]:
    """A fenced code block ends with its fence; otherwise the rest of the file is code.

    Fails: three backticks and `sql`, a statement, end of file.
    Passes: the same with three backticks on a line behind the statement.
    """
    return _found(subject, "SK013")


@rule("SK014", "step-heading", spec="Playbooks > Step structure")
def step_heading(subject: Subject) -> Iterator[Finding]:
    """Headings of level three under Steps are steps: `### Step 3: Title`, `### Step 3b: Title`.

    Fails: `### Preparation`.
    Passes: `### Step 1: Prepare the schema`.
    """
    return _found(subject, "SK014")


@rule("SK015", "defined-once", spec="FORMATS > Library on disk")
def defined_once(subject: Subject) -> Iterator[Finding]:
    """An overlay adds skills; a name that the library defines too is the library's.

    Fails: both indexes list `primitives/tags`.
    Passes: the overlay lists `primitives/company-tags`.
    """
    return _found(subject, "SK015")


@rule("SK016", "concrete-step", spec="Playbooks > Step structure", severity=_WARNING)
def concrete_step(subject: Subject) -> Iterator[Finding]:
    """What a step promises in prose is concrete enough to run.

    Libraries written for agents say compensation, created objects and expected errors in
    sentences. SQL, names and tables in them are read; a sentence alone cannot be run.

    Fails: `Compensation: remove what was made.`
    Passes: a label `Compensation:` above a block of SQL.
    """
    return _found(subject, "SK016")


@rule("SK017", "said-once", spec="FORMATS > A playbook step", severity=_WARNING)
def said_once(subject: Subject) -> Iterator[Finding]:
    """A step says its checkpoint, compensation, created objects and verification once.

    Fails: `checkpoint:` in the `yaml` block and `**Checkpoint:**` below it.
    Passes: one of the two.
    """
    return _found(subject, "SK017")


@rule("SK018", "visible-text", spec="Principles > Deterministic execution", is_firm=True)
def visible_text(subject: Subject) -> Iterator[Finding]:
    r"""Everything that a file holds can be seen: no controls, no marks that turn a line around.

    Characters without a width, and those that change the direction of writing, let a text look
    like another one. Letters of every script are fine, in prose also what joins them; code holds
    none of it, a text literal as an escape. A playbook that does is not begun.

    Fails: `DROP` with a zero-width space in it; a comment that U+202E turns around.
    Passes: `'\u200b'` in a text literal; prose in Hebrew, Persian or Japanese.
    """
    return _found(subject, "SK018")


@rule("SK019", "shown-code", spec="Playbooks > Step structure", is_firm=True)
def shown_code(subject: Subject) -> Iterator[Finding]:
    """The code of a step stands where every page shows it, not inside of HTML that may hide it.

    A fence, of backticks or tildes, is code of its step inside of `<details>`, of an element with
    a style, and behind a comment that begins in a list, too. A playbook with such is not begun.

    Fails: `<details>`, an empty line, a block of SQL, `</details>`.
    Passes: the block of SQL alone, or one that is commented out as a whole.
    """
    return _found(subject, "SK019")


@rule("SK020", "plain-letters", spec="Playbooks > Step structure", is_firm=True)
def plain_letters(subject: Subject) -> Iterator[Finding]:
    """Outside of quotes and comments, SQL holds no letters that pass for others.

    Letters of other alphabets that look like ours, wide ones, and those that are read from right
    to left make a statement look like another. A playbook that holds some is not begun.

    Fails: `SELECT * FROM ORDERS` with a Cyrillic letter in the place of its `O`.
    Passes: the same name in plain letters; a literal, or a name in double quotes, in any script.
    """
    return _found(subject, "SK020")
