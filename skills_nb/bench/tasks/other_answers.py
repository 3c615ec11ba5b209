"""Answers beside gold that a task brings: right ones in another form, and wrong ones.

Room: work (bench). Each is a script of its own, or says only where it differs from another:

    {name, says, sql}                       a whole script
    {name, says, change: [[old, new], …]}   gold, each old text replaced by the new one
    {name, says, of: right, change: …}      the same, of a right answer written before it
    {name, says, add}                       gold, and what comes after it

In a folder they are `rights/*.sql` and `mutants/*.sql`, in `task.yaml` lists of those names. What a
change replaces must be there: one that changes nothing would be gold under another name.
"""

from __future__ import annotations

from collections.abc import Mapping

from skills_nb.bench.tasks.fields import Fields

Answer = tuple[str, str]
"""Name and script."""


def rights_and_mutants(fields: Fields, gold: str) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    """Return the right answers and the wrong ones; what is wrong with them is in the reasons."""
    rights = (*_in_folder(fields, "rights"), *_listed(fields, "rights", {"": gold}))
    mutants = _listed(fields, "mutants", {"": gold, **dict(rights)})
    found = rights, (*_in_folder(fields, "mutants"), *mutants)
    for kind, answers in zip(("rights", "mutants"), found, strict=True):
        names = [name for name, _ in answers]
        for twice in sorted({name for name in names if name and names.count(name) > 1}):
            fields.note(kind, f"'{twice}' appears twice")
    return found


def _in_folder(fields: Fields, kind: str) -> tuple[Answer, ...]:
    folder = fields.folder / kind if fields.folder is not None else None
    if folder is None or not folder.is_dir():
        return ()
    found = sorted(folder.glob("*.sql"))
    return tuple((path.stem, path.read_text(encoding="utf-8")) for path in found)


def _listed(fields: Fields, kind: str, scripts: dict[str, str]) -> tuple[Answer, ...]:
    """Return the answers that a list in the task's file holds; later ones may build on earlier."""
    found = []
    for inner in fields.mappings(kind):
        name = inner.need_id("name")
        text = f"-- {inner.need('says')}\n{_script(inner, scripts).strip()}\n"
        inner.refuse_unknown()
        scripts[name] = text
        found.append((name, text))
    return tuple(found)


def _script(fields: Fields, scripts: Mapping[str, str]) -> str:
    sql, added = fields.get("sql", str, ""), fields.get("add", str, "")
    pairs = fields.get("change", list, [])
    base = fields.get("of", str, "")
    if bool(sql) == bool(pairs or added):
        fields.note("sql", "there must be either a script, or what it changes or adds")
        return sql
    if sql:
        return sql
    if base not in scripts:
        fields.note("of", f"no answer before this one is called '{base}'")
        return ""
    return _changed(fields, scripts[base], pairs) + "\n" + added


def _changed(fields: Fields, script: str, pairs: list[object]) -> str:
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(t) is str for t in pair):
            fields.note("change", f"'{pair}' is not a pair of an old and a new text")
            continue
        old, new = pair
        if not old or old not in script:
            fields.note("change", f"'{old}' is not in what it changes")
        script = script.replace(old, new) if old else script
    return script
