"""Blocks as HTML that also reads well without its styles, as an untrusted notebook shows it.

Room: laws (views). Everything is escaped here and nowhere else. No ids, no clock: the same view
is the same text, so a saved notebook can be compared strictly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import assert_never

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.sql_colours import SQL_CSS, sql_html
from skills_nb.views.sheets.style import CSS, DIFF_CSS, MATRIX_CSS, RUNNING_CSS
from skills_nb.views.sheets.visible_sheet import make_visible

_ROOT = re.compile(r"\.sk(?![\w-])")
"""The class of a card's element in its styles."""


def to_html(sheet: b.Sheet, prompt: str, root: str = "sk") -> str:
    """Return the sheet as one self-contained element with its style sheet before it.

    Args:
        sheet: what is shown.
        prompt: what stands before a command in a hint.
        root: class of the element, by which its styles are bound to it.
    """
    sheet = make_visible(sheet)
    label = escape(f"{sheet.title}: {sheet.status}" if sheet.status else sheet.title, quote=True)
    style = f"{CSS}{_more_css(sheet)}"
    parts = [
        f"<style>{style if root == 'sk' else _ROOT.sub(f'.{root}', style)}</style>",
        f'<div class="{root}" role="group" data-tone="{sheet.tone}" aria-label="{label}">',
        *_head(sheet),
        *(_block(block, prompt) for block in sheet.blocks),
        "</div>",
    ]
    return "\n".join(parts)


def _more_css(sheet: b.Sheet) -> str:
    """Return the styles of what few cards show, where this one shows it."""
    runs = any(isinstance(block, b.Running) for block in sheet.blocks)
    has_sql = b.holds(sheet.blocks, lambda block: isinstance(block, b.Code) and block.is_sql)
    has_diff = b.holds(sheet.blocks, lambda block: isinstance(block, b.Table) and block.is_diff)
    has_matrix = b.holds(sheet.blocks, lambda one: isinstance(one, b.Table) and one.is_matrix)
    shown = (
        (runs, RUNNING_CSS),
        (has_sql, SQL_CSS),
        (has_diff, DIFF_CSS),
        (has_matrix, MATRIX_CSS),
    )
    return "".join(css for is_there, css in shown if is_there)


def _head(sheet: b.Sheet) -> Iterator[str]:
    if sheet.title:
        status = f" <span>— {escape(sheet.status)}</span>" if sheet.status else ""
        yield (
            '<p class="sk-h" role="heading" aria-level="4">'
            f"<strong>{escape(sheet.title)}</strong>{status}</p>"
        )
    if sheet.badge and sheet.is_loud:
        yield f'<p class="sk-loud">! PRODUCTION: {escape(sheet.badge)}</p>'
    elif sheet.badge:
        yield f'<p class="sk-badge">{escape(sheet.badge)}</p>'


def _block(block: b.Block, prompt: str) -> str:
    match block:
        case b.Notice():
            return _notice(block)
        case b.Paragraph():
            kind = ' class="sk-soft"' if block.is_muted else ""
            return f"<p{kind}>{inline(block.text)}</p>"
        case b.Bullets():
            tag = "ol" if block.is_numbered else "ul"
            return f'<{tag} class="sk-list">{_items(inline(i) for i in block.items)}</{tag}>'
        case b.Facts():
            return f'<dl class="sk-facts">{"".join(_fact(n, v) for n, v in block.pairs)}</dl>'
        case b.Steps():
            return f'<ul class="sk-steps">{"".join(map(_step, block.lines))}</ul>'
        case b.Progress():
            return _progress(block)
        case b.Table():
            return _table(block)
        case b.Log():
            return _log(block)
        case b.Code():
            return _code(block)
        case b.Verbatim():
            return f'<pre tabindex="0">{escape(block.text)}</pre>'
        case b.Picture():
            return f'<div tabindex="0" style="overflow-x:auto">{block.svg}</div>'
        case b.Choices():
            return f'<ul class="sk-list">{_items(_choice(c) for c in block.items)}</ul>'
        case b.Command():
            words = escape(f"{prompt} {block.words}")
            return f'<p class="sk-cmd">{escape(block.lead)} <code>{words}</code></p>'
        case b.Running():
            return _running(block, prompt)
        case b.Fold():
            return _fold(block, prompt)
        case _:
            assert_never(block)


def _notice(block: b.Notice) -> str:
    role = "alert" if block.is_alert else "status"
    return (
        f'<p class="sk-notice" role="{role}" data-tone="{block.tone}">'
        f"<strong>{b.SIGNS[block.tone]} {escape(block.word)}</strong> {escape(block.text)}</p>"
    )


def _items(items: Iterable[str]) -> str:
    return "".join(f"<li>{item}</li>" for item in items)


def _fact(name: str, value: str) -> str:
    return f"<dt>{escape(name)}</dt> <dd>{escape(value)}</dd>"


def _step(line: b.StepLine) -> str:
    tone = "" if line.tone == "plain" else f' data-tone="{line.tone}"'
    run = ' class="sk-run"' if line.is_running else ""
    status = f"{line.status} · {line.detail}" if line.detail else line.status
    dash = '<span class="sk-dash"> — </span>' if status else ""
    return (
        f'<li{tone}{run}><b aria-hidden="true">{escape(line.sign)}</b> '
        f'<span class="sk-no">{escape(line.number)}.</span> <span>{escape(line.title)}{dash}</span>'
        f'<span class="sk-st">{escape(status)}</span></li>'
    )


def _progress(block: b.Progress) -> str:
    bar = "".join(
        f"<i{' data-done' if part < block.done else ''}></i>" for part in range(block.total)
    )
    return (
        f'<p class="sk-far"><span class="sk-bar" aria-hidden="true">{bar}</span> '
        f"{escape(block.text)}</p>"
    )


def _table(block: b.Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in block.columns)
    body = "".join(_row(row, block) for row in block.rows)
    note = f'<p class="sk-soft">{escape(block.note)}</p>' if block.note else ""
    kind = "sk-rows" + " sk-diff" * block.is_diff + " sk-matrix" * block.is_matrix
    return (
        f'<div class="sk-scroll" tabindex="0" role="group" '
        f'aria-label="{escape(block.caption, quote=True)}">'
        f'<table class="{kind}"><caption>{escape(block.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>{note}"
    )


_FATES = {"+": "new", "~": "changed", "−": "gone"}


def _row(row: tuple[str, ...], table: b.Table) -> str:
    fate = _FATES.get(row[0][:1], "") if table.is_diff and row else ""
    mark = f' data-fate="{fate}"' if fate else ""
    if not table.is_matrix:
        return f"<tr{mark}>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>"
    head, *cells = row
    rest = "".join(f"<td{_turned(text)}>{escape(text)}</td>" for text in cells)
    return f'<tr><th scope="row">{escape(head)}</th>{rest}</tr>'


def _turned(text: str) -> str:
    return " data-turned" if " → " in text else ""


_PART = 100
"""Lines of a log that the page lays out together, or not at all while they are out of sight."""


def _log(block: b.Log) -> str:
    parts = (block.lines[at : at + _PART] for at in range(0, len(block.lines), _PART))
    lists = "".join(f'<ul class="sk-part">{"".join(map(_log_line, part))}</ul>' for part in parts)
    return (
        f'<p class="sk-soft">{escape(block.caption)}</p>'
        f'<div class="sk-log" tabindex="0" role="group" '
        f'aria-label="{escape(block.caption, quote=True)}">{lists}</div>'
    )


def _log_line(line: b.LogLine) -> str:
    who = f" by {escape(line.who)}" if line.who else ""
    text = f"<b>{escape(line.what)}</b>{who}" + (f" — {escape(line.detail)}" if line.detail else "")
    note = f"<p>{escape(line.note)}</p>" if line.note else ""
    if line.code:
        text = f"<details><summary>{text}</summary><pre>{escape(line.code)}</pre>{note}</details>"
    else:
        text += note
    return f'<li><span class="sk-no">{escape(line.number)}.</span> <div>{text}</div></li>'


def _code(block: b.Code) -> str:
    lead = f'<p class="sk-soft">{escape(block.caption)}</p>' if block.caption else ""
    if not block.is_sql:
        return f'{lead}<pre tabindex="0">{escape(block.text)}</pre>'
    return f'{lead}<pre class="sk-sql" tabindex="0">{sql_html(block.text)}</pre>'


def _choice(choice: b.Choice) -> str:
    said = f" — {escape(choice.description)}" if choice.description else ""
    return f"<code>{escape(choice.id)}</code>{said}"


def _running(block: b.Running, prompt: str) -> str:
    resume = f"{prompt} {block.resume}"
    again = f", <code>{escape(resume)}</code> goes on" if block.resume else ""
    return (
        f'<p class="sk-soft" role="status">▸ {escape(block.what)} '
        f'<span class="sk-el" aria-hidden="true"></span> · interrupt stops it{again}</p>'
    )


def _fold(block: b.Fold, prompt: str) -> str:
    inner = "".join(_block(part, prompt) for part in block.blocks)
    is_open = " open" if block.is_open else ""
    return f"<details{is_open}><summary>{escape(block.summary)}</summary>{inner}</details>"


_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


def inline(text: str) -> str:
    """Return a line of Markdown with its code and strong spans, everything else escaped."""
    parts: list[str] = []
    position = 0
    for found in _SPAN.finditer(text):
        parts.append(escape(text[position : found.start()]))
        code, strong = found.groups()
        parts.append(
            f"<code>{escape(code)}</code>" if code else f"<strong>{escape(strong)}</strong>"
        )
        position = found.end()
    return "".join([*parts, escape(text[position:])])
