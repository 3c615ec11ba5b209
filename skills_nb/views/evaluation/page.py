"""The page of a report.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skills_nb.views.evaluation.page_style import CSS, filter_rules
from skills_nb.views.evaluation.rates import rates
from skills_nb.views.evaluation.wrongs import wrongs
from skills_nb.visible import visible_html as escape

Results = Sequence[Mapping[str, Any]]
COMPONENTS = ("deploy", "tests", "functional", "bulk", "no_tweaks")
_UNMEASURED = {
    "error": "error",
    "not_run": "not run",
    "unsupported": "unsupported",
    "not_applicable": "n/a",
}
_MOST_CHARACTERS = 40_000
"""How much of one answer is shown."""


def report_page(report: Mapping[str, Any], results: Results) -> str:
    """Return the whole page.

    Args:
        report: the report's document.
        results: in the result schema's shape, with answers and components.
    """
    title = escape(f"{report['model']} — evaluation")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n</head>\n<body>\n"
        f"{report_fragment(report, results)}\n</body>\n</html>\n"
    )


def report_fragment(report: Mapping[str, Any], results: Results) -> str:
    """Return the page's content with its style, to stand in a page or in a notebook's cell."""
    filters = _filters(results)
    parts = [
        f"<style>{CSS}{filter_rules(filters)}</style>",
        '<div class="ev">',
        *_head(report),
        *rates(report),
        *_components(report),
        *_filter_bar(filters),
        *_table(results),
        "</div>",
    ]
    return "\n".join(parts)


# ---- numbers


def _head(report: Mapping[str, Any]) -> Iterator[str]:
    numbers = report["summary"]
    yield f"<h1>{escape(report['model'])}</h1>"
    if report["simulated"]:
        yield '<p class="loud">Simulated: the org was not real, so this is not a result.</p>'
    yield _rate("big", numbers["right"], numbers["right_told"], numbers, "right")
    yield (
        '<p class="soft">Right: everything asked for holds, and nothing else changed. '
        "Resolved: a score of 60 % or more.</p>"
    )
    yield _rate("soft", numbers["resolved"], numbers["instances"], numbers, "resolved")
    facts = {
        "Score": _bounds(numbers["lower"], numbers["upper"]),
        "Coverage": _percent(numbers["coverage"]),
        "Verdicts": ", ".join(f"{count} {name}" for name, count in numbers["verdicts"].items()),
        "Partial": str(numbers["partial"]),
        "Broken around": str(numbers["errors"]),
        "Attempts": ", ".join(
            f"{name} {_percent(value)}"
            for name, value in numbers.items()
            if name[:5] in ("pass@", "pass^")
        ),
        "Told apart": f"rates that differ by {100 * numbers['tells_apart']:.0f} points",
        "Run": _run(report),
        "Sealed tasks used": str(report.get("sealed") or ""),
        "Answered": _answered(report),
        "Cut answers": f"{numbers['truncated']} of {numbers['instances']}",
        "Attempts at cheating": str(numbers["cheating"]),
        "Provider": report["provider"],
        "Backend": report["backend"],
        "Functional": "on" if report["functional"] else "off: the ceiling is 50 %",
        "Tokens": _usage(report["usage"]),
        "Turns": _turns(report["usage"]),
    }
    pairs = "".join(f"<dt>{escape(n)}</dt><dd>{escape(v)}</dd>" for n, v in facts.items() if v)
    yield f"<dl>{pairs}</dl>"
    for bad in report["invalid_tasks"]:
        said = escape(f"Invalid task {bad['task']}: {'; '.join(bad['reasons'])}")
        yield f'<p class="soft">{said}</p>'


def _rate(style: str, found: int, of: int, numbers: Mapping[str, Any], name: str) -> str:
    low, high = numbers[f"{name}_interval"]
    return (
        f'<p class="{style}">{found} of {of} {name} '
        f"<small>{_percent(numbers[f'{name}_rate'])}, 95 % interval {_percent(low)} to "
        f"{_percent(high)}</small></p>"
    )


def _run(report: Mapping[str, Any]) -> str:
    if "evaluation_id" not in report:
        return ""
    return (
        f"{report['evaluation_id']} of {report['began']}, set {report['task_set']}, "
        f"version {report['version']}"
    )


def _answered(report: Mapping[str, Any]) -> str:
    said = [f"{name} {value}" for name, value in (report.get("sampling") or {}).items()]
    return ", ".join([*([report["endpoint"]] if report.get("endpoint") else []), *said])


def _usage(usage: Mapping[str, Any]) -> str:
    told, made, cost = (usage[n] for n in ("prompt_tokens", "completion_tokens", "cost_usd"))
    if told is None and made is None:
        return "unknown"
    price = "cost unknown" if cost is None else f"{cost:g} USD"
    return f"{told} in, {made} out, {price}"


def _turns(usage: Mapping[str, Any]) -> str:
    turns = usage.get("turns")
    return f"{turns}, with {usage['statements']} statements sent" if turns else ""


def _components(report: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "<table><caption>Components</caption><thead><tr>"
        + "".join(f'<th scope="col">{n}</th>' for n in ("", "Weight", "Measured", "Mean", "States"))
        + "</tr></thead><tbody>"
    )
    for name, part in report["components"].items():
        states = ", ".join(f"{c} {s.replace('_', ' ')}" for s, c in part["states"].items())
        yield (
            f'<tr><th scope="row">{escape(name)}</th><td>{part["weight"]} %</td>'
            f"<td>{part['measured']}</td><td>{_percent(part['mean'])}</td>"
            f"<td>{escape(states)}</td></tr>"
        )
    yield "</tbody></table>"


# ---- filters


def _filters(results: Results) -> dict[str, list[str]]:
    """Return the values that rows can be filtered by."""
    return {
        "verdict": sorted({str(r["verdict"]) for r in results}),
        "type": sorted({str(r["task"]["type"]) for r in results}),
        "domain": sorted({str(r["task"]["domain"] or "–") for r in results}),
        "level": sorted({str(r["task"]["level"]) for r in results}),
    }


def _filter_bar(filters: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield '<form class="filters" aria-label="Filters">'
    for name, values in filters.items():
        if len(values) < 2:
            continue
        yield f"<fieldset><legend>{escape(name)}</legend>"
        yield _radio(name, "all", 0, "all", is_on=True)
        for number, value in enumerate(values, 1):
            yield _radio(name, value, number, value)
        yield "</fieldset>"
    yield "</form>"


def _radio(name: str, label: str, number: int, value: str, *, is_on: bool = False) -> str:
    checked = " checked" if is_on else ""
    return (
        f'<label><input type="radio" name="ev-{name}" class="f-{name}-{number}" '
        f'value="{escape(value)}"{checked}> {escape(label)}</label>'
    )


# ---- rows


def _table(results: Results) -> Iterator[str]:
    filters = _filters(results)
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Task", "Right", "Verdict", "Score", *COMPONENTS)
    )
    yield f'<table class="rows"><caption>Instances</caption><thead><tr>{head}</tr></thead>'
    for result in results:
        yield f'<tbody class="{_classes(result, filters)}">{_row(result)}{_details(result)}</tbody>'
    yield "</table>"


def _classes(result: Mapping[str, Any], filters: Mapping[str, Sequence[str]]) -> str:
    own = {
        "verdict": str(result["verdict"]),
        "type": str(result["task"]["type"]),
        "domain": str(result["task"]["domain"] or "–"),
        "level": str(result["task"]["level"]),
    }
    return " ".join(f"{name}-{filters[name].index(value) + 1}" for name, value in own.items())


_RIGHT: Mapping[bool | None, str] = {True: "yes", False: "no", None: "–"}


def _row(result: Mapping[str, Any]) -> str:
    attempt = f" #{result['attempt']}" if (result["attempt"] or 1) > 1 else ""
    title = escape(result["task"]["title"])
    score = _bounds(result["scores"]["total"], result["upper"])
    partial = " <small>partial</small>" if result["partial"] else ""
    cells = "".join(_cell(result, name) for name in COMPONENTS)
    return (
        f'<tr><th scope="row">{escape(result["instance_id"])}{attempt}<br>'
        f"<small>{title}</small></th>"
        f"<td>{_RIGHT[result.get('right')]}</td>"
        f'<td class="v-{escape(result["verdict"])}">{escape(result["verdict"])}{partial}</td>'
        f"<td>{score}</td>{cells}</tr>"
    )


def _cell(result: Mapping[str, Any], name: str) -> str:
    state, score = result["components"][name]["state"], result["scores"][name]
    if score is None:
        return f'<td class="s-none">{escape(_UNMEASURED[state])}</td>'
    return f'<td class="s-{escape(state)}">{_percent(score)}</td>'


def _details(result: Mapping[str, Any]) -> str:
    """Return what lies under a row: why, with which evidence, and the answer itself."""
    parts = [*wrongs(result["components"])]
    parts.append("<details><summary>Evidence and answer</summary>")
    for name in COMPONENTS:
        parts.append(_component_details(name, result["components"][name]))
    for name in ("collateral", "containment"):
        if name in result["components"]:
            parts.append(_component_details(name, result["components"][name]))
    parts += _said(result)
    parts.append("</details>")
    return f'<tr class="why"><td colspan="9">{"".join(parts)}</td></tr>'


def _said(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the answer; one of several turns with what was shown of each."""
    about, answer = result["answer"] or {}, result["model_patch"]
    earlier = about.get("earlier", ())
    for number, turn in enumerate(earlier, 1):
        yield _text(f"Turn {number}", turn["text"])
        yield _text(f"Shown after turn {number}", turn["shown"])
    if earlier:
        yield _text(f"Turn {len(earlier) + 1}", about["text"])
    elif answer is not None:
        yield _text("Answer", answer)


def _text(title: str, text: str) -> str:
    cut = " (cut)" if len(text) > _MOST_CHARACTERS else ""
    return f"<h4>{title}{cut}</h4><pre>{_diff(text[:_MOST_CHARACTERS])}</pre>"


def _component_details(name: str, part: Mapping[str, Any]) -> str:
    lines = [escape(part.get("reason", ""))] if part.get("reason") else []
    for found in part.get("evidence", ()):
        lines.append(escape(_evidence(found)))
    said = "<br>".join(lines) or "nothing to say"
    state = escape(str(part["state"]).replace("_", " "))
    return f"<h4>{name}: {state}</h4><p>{said}</p>"


def _evidence(found: Mapping[str, Any]) -> str:
    parts = [found["what"]]
    if "command" in found:
        parts.append(f"$ {found['command']}")
    if "exit_status" in found:
        parts.append(f"exit status {found['exit_status']}")
    if "count" in found:
        parts.append(f"count {found['count']}")
    if "sha256" in found:
        parts.append(f"sha256 {found['sha256'][:16]}…")
    return " · ".join(parts)


def _diff(text: str) -> str:
    """Return a text with added and removed lines marked, where it is a diff."""
    if "\n@@ " not in text and not text.startswith("@@ "):
        return escape(text)
    return "\n".join(_diff_line(line) for line in text.split("\n"))


def _diff_line(line: str) -> str:
    if line.startswith("+") and not line.startswith("+++"):
        return f"<ins>{escape(line)}</ins>"
    if line.startswith("-") and not line.startswith("---"):
        return f"<del>{escape(line)}</del>"
    return escape(line)


def _bounds(low: float, high: float) -> str:
    return _percent(low) if low == high else f"{_percent(low)} to {_percent(high)}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.4g}\N{NO-BREAK SPACE}%"
