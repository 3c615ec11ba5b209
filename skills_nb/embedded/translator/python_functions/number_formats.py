"""Numbers as texts and back, by a format model.

Room: embedded. Pure. A model is cut into elements once; writing lays a number out over its digit
elements, reading is one pattern for each alternative, in the lax mode that a model begins in.

See https://docs.snowflake.com/en/sql-reference/sql-format-models
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

_ELEMENT = re.compile(
    r'"(?P<literal>(?:[^"]|"")*)"|(?P<short>TM9(?:\((?:\d+|ALL)(?:,\d+)?\))?|TME|TM)|(?P<mode>FM|FX)'
    r"|(?P<sign>S|MI)|(?P<power>E{2,7})|(?P<point>[.D])|(?P<group>[,G])|(?P<digit>[09X])|(?P<blank>B)"
    r"|(?P<money>\$)|(?P<percent>%)|(?P<space>_)|(?P<symbol>.)",
    re.I | re.S,
)
_EXACT = Context(prec=100, rounding=ROUND_HALF_UP)
"""More digits than a NUMBER and its shifted point have."""
_LONGEST_POWER = 3
"""Digits of the longest exponent that the lax mode reads."""


@dataclass(frozen=True, slots=True)
class _Element:
    """One element of a model: what kind it is, and its text; a literal's without quotes."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Model:
    """The elements of one model, and what was looked up among them."""

    elements: tuple[_Element, ...]

    def all(self, *kinds: str) -> str:
        """Return the texts of all elements of some kinds in a row."""
        return "".join(element.text for element in self.elements if element.kind in kinds)

    def has(self, kind: str) -> bool:
        """Tell whether there is an element of a kind."""
        return any(element.kind == kind for element in self.elements)

    @property
    def whole(self) -> str:
        """Return the digit and group elements before the point."""
        return self._digits().partition(".")[0]

    @property
    def fraction(self) -> str:
        """Return the digit elements behind the point."""
        return self._digits().partition(".")[2].replace(",", "")

    def _digits(self) -> str:
        return self.all("digit", "group", "point").upper().replace("D", ".").replace("G", ",")

    @property
    def is_compact(self) -> bool:
        """Tell whether blanks that only align are left out."""
        return any(e.kind == "mode" and e.text.upper() == "FM" for e in self.elements)

    @property
    def sign(self) -> tuple[str, bool]:
        """Return the sign element, or '', and whether it stands before the number."""
        number = ("digit", "short")
        for place, element in enumerate(self.elements):
            if element.kind == "sign":
                before = any(e.kind in number for e in self.elements[place:])
                return element.text.upper(), before
        return "", True


@lru_cache(maxsize=256)
def _models(form: str) -> tuple[_Model, ...]:
    """Cut a format into its alternatives."""
    cut: list[list[_Element]] = [[]]
    for found in _ELEMENT.finditer(form):
        kind = found.lastgroup or "symbol"
        text = found[kind]
        if kind == "symbol" and text == "|":
            cut.append([])
        elif kind == "literal":
            cut[-1].append(_Element("symbol", text.replace('""', '"')))
        elif kind in ("point", "group") and not _follows_digit(cut[-1]):
            cut[-1].append(_Element("symbol", text))
        else:
            cut[-1].append(_Element(kind, text))
    return tuple(_Model(tuple(elements)) for elements in cut)


def _follows_digit(elements: list[_Element]) -> bool:
    """Tell whether a period or comma belongs to the digits; as a letter, or with B, it does."""
    return not elements or elements[-1].kind in ("digit", "blank", "group", "money", "sign", "mode")


# ---- writing


def write(value: Decimal, form: str) -> str:
    """Write a number by the first of a format's alternatives."""
    model = _models(form)[0]
    if model.has("percent"):
        value = value.scaleb(2, _EXACT)
    made = _body(value, model)
    is_made = False
    written = []
    for element in model.elements:
        if element.kind == "symbol":
            written.append(element.text)
        elif element.kind == "percent":
            written.append("%")
        elif element.kind in ("digit", "short") and not is_made:
            written.append(made)
            is_made = True
    return "".join(written)


def _body(value: Decimal, model: _Model) -> str:
    """Write the number with its sign, at the place of the first digit element."""
    if not value.is_finite():
        return re.sub(r"[90X]", "#", model.whole) or str(value)
    if short := model.all("short"):
        if value == 0 and model.has("blank"):
            return " "
        return _with_sign(_minimal(value.copy_abs(), short), value, model, aligned=False)
    if "X" in model.whole:
        made = _hexadecimal(value, model)
    elif power := model.all("power"):
        made = _with_sign(_scientific(value.copy_abs(), model, power), value, model, aligned=True)
    else:
        made = _with_sign(_fixed(value.copy_abs(), model), value, model, aligned=True)
    return made.replace(" ", "") if model.is_compact else made


def _with_sign(body: str, value: Decimal, model: _Model, *, aligned: bool) -> str:
    """Put the sign, and the money before it, where the model wants them."""
    bare = body.lstrip(" ")
    pad = " " * (len(body) - len(bare))
    bare = f"{'$' if model.has('money') else ''}{bare}"
    minus = value < 0 and any(c in "123456789#" for c in bare)
    sign, before = model.sign
    if not sign:
        return f"{pad}{'-' if minus else ' ' if aligned else ''}{bare}"
    shown = "-" if minus else "+" if sign == "S" else " "
    if not before:
        return f"{pad}{bare}{shown}"
    return f"{shown}{pad}{bare}" if sign == "MI" else f"{pad}{shown}{bare}"


def _fixed(value: Decimal, model: _Model) -> str:
    whole, fraction = model.whole, model.fraction
    point = "." if model.has("point") else ""
    shown = value.quantize(Decimal(1).scaleb(-len(fraction)), context=_EXACT)
    digits, _, decimals = format(shown, "f").partition(".")
    places = whole.replace(",", "")
    digits = digits.lstrip("0").zfill(_needed(places, is_blank=model.has("blank")))
    if digits.strip("0") == "" and model.has("blank"):
        digits = ""
    if len(digits) > len(places):
        return re.sub(r"[90]", "#", whole + point + fraction)
    kept = len(fraction.rstrip("9"))
    decimals = decimals[:kept] + decimals[kept:].rstrip("0")
    return f"{_laid_out(digits, whole)}{point}{decimals.ljust(len(fraction))}"


def _needed(places: str, *, is_blank: bool) -> int:
    """Return how many digits are written at least before the point."""
    if "0" in places:
        return len(places) - places.index("0")
    return 1 if places and not is_blank else 0


def _laid_out(digits: str, whole: str) -> str:
    """Lay digits out over the positions and groups of the whole part, from the right."""
    left = list(digits)
    made = ""
    for mark in reversed(whole):
        if not left:
            break
        made = ("," if mark == "," else left.pop()) + made
    return made.lstrip(",").rjust(len(whole))


def _hexadecimal(value: Decimal, model: _Model) -> str:
    """Write the whole part; without a sign element, a negative number as its two's complement."""
    places = model.whole.replace(",", "")
    sign, before = model.sign
    number = int(value)
    shown = abs(number) if sign else number % 16 ** len(places)
    is_lower = "x" in model.all("digit")
    digits = f"{shown:{'x' if is_lower else 'X'}}".zfill(_needed(places, is_blank=False))
    if len(digits) > len(places) or (not sign and number >= 16 ** len(places)):
        digits = "#" * len(places)
    body = digits.rjust(len(places))
    if not sign:
        return body
    mark = "-" if number < 0 else "+" if sign == "S" else " "
    return mark + body if before else body + mark


def _scientific(value: Decimal, model: _Model, power: str) -> str:
    mantissa, _, shift = f"{value:.{len(model.fraction)}E}".partition("E")
    if not model.has("point"):
        mantissa = mantissa.partition(".")[0]
    return f"{mantissa}{_exponent(int(shift) if value else 0, power)}"


def _exponent(shift: int, power: str) -> str:
    letter = power[0]
    if len(power) == 2:
        return f"{letter}{shift}"
    width = 5 if len(power) == 7 else len(power) - 2
    digits = str(abs(shift)).zfill(width)
    return f"{letter}{'-' if shift < 0 else '+'}{digits if len(digits) <= width else '#' * width}"


def _minimal(value: Decimal, element: str) -> str:
    name = element.upper()
    plain = _positional(value, name)
    if name.startswith("TM9"):
        return plain
    mantissa, _, shift = f"{value.normalize(_EXACT):E}".partition("E")
    scientific = f"{mantissa}{'E' if element[0] == 'T' else 'e'}{int(shift)}"
    return scientific if name == "TME" or len(scientific) < len(plain) else plain


def _positional(value: Decimal, name: str) -> str:
    """Write a number plainly; `TM9(6,3)` limits its decimals and groups its whole part."""
    most, _, group = name.removeprefix("TM9").strip("()").partition(",")
    if most.isdigit() and -int(value.as_tuple().exponent) > int(most):
        value = value.quantize(Decimal(1).scaleb(-int(most)), context=_EXACT)
    whole, point, decimals = format(value, "f").partition(".")
    if group and int(group):
        whole = _grouped(whole, int(group))
    return whole + point + decimals


def _grouped(whole: str, size: int) -> str:
    first = len(whole) % size
    cut = [whole[:first]] if first else []
    return ",".join([*cut, *(whole[i : i + size] for i in range(first, len(whole), size))])


# ---- reading


def read(text: str, form: str) -> str | None:
    """Return the number in a text as a plain numeral; None where no alternative matches."""
    return next((n for model in _models(form) if (n := _read(text, model)) is not None), None)


def _read(text: str, model: _Model) -> str | None:
    found = _pattern(model).fullmatch(text)
    if found is None:
        return None
    held = found.groupdict()
    whole, fraction = held.get("whole") or "", held.get("fraction") or ""
    if not _is_grouped_well(whole, model) or not (whole or fraction):
        return None
    digits = whole.replace(",", "")
    if "X" in model.whole:
        digits = str(int(digits, 16))
    sign = "-" if "-" in (held.get("before"), held.get("behind")) else ""
    power = int((held.get("power") or "0").lstrip("Ee")) - 2 * model.has("percent")
    number = Decimal(f"{sign}{digits or '0'}{'.' if fraction else ''}{fraction}")
    return format(number.scaleb(power, _EXACT), "f")


@lru_cache(maxsize=256)
def _pattern(model: _Model) -> re.Pattern[str]:
    """Build what a text must look like."""
    _, before = model.sign
    ahead = r"(?P<before>[+-]?)[ ]*" if before else ""
    is_made = False
    made = [r"\s*"]
    for element in model.elements:
        if element.kind in ("digit", "short") and not is_made:
            made.append(f"{ahead}{r'[$]?' if model.has('money') else ''}{_numeral(model)}")
            made.append("" if before else r"[ ]*(?P<behind>[+-]?)")
            is_made = True
        elif element.kind == "symbol":
            made.append(r"[ ]+" if element.text.isspace() else re.escape(element.text))
        elif element.kind == "percent":
            made.append("%")
        elif element.kind == "space":
            made.append("[ ]?")
    return re.compile("".join(made) + r"\s*", re.I)


def _numeral(model: _Model) -> str:
    power = rf"E[+-]?\d{{1,{_LONGEST_POWER}}}"
    if short := model.all("short").upper():
        plain = r"(?P<whole>\d*)(?:\.(?P<fraction>\d*))?"
        ending = "" if short.startswith("TM9") else "?" if short == "TM" else "{1}"
        return plain + (f"(?P<power>{power}){ending}" if ending else "")
    places = model.whole.replace(",", "")
    digit = "[0-9A-F]" if "X" in places else r"\d"
    least = len(places) - places.index("0") if "0" in places else 0
    whole = rf"(?P<whole>(?:{digit},?){{{least},{len(places)}}})"
    if not model.has("point"):
        return whole + (f"(?P<power>{power})" if model.has("power") else "")
    kept = len(model.fraction.rstrip("9"))
    fraction = rf"\.(?P<fraction>\d{{{kept},{len(model.fraction)}}})"
    behind = fraction if kept else f"(?:{fraction})?"
    return whole + behind + (f"(?P<power>{power})" if model.has("power") else "")


def _is_grouped_well(whole: str, model: _Model) -> bool:
    """Tell whether the separators, if there are any, stand where the model has them."""
    if "," not in whole:
        return True
    sizes = [len(part) for part in model.whole.split(",")]
    found = [len(part) for part in whole.split(",")]
    if len(found) > len(sizes) or not found[-1]:
        return False
    return found[1:] == sizes[len(sizes) - len(found) + 1 :] and found[0] <= sizes[-len(found)]


def quotient(left: Decimal, right: Decimal, digits: int, is_cut: bool) -> str:
    """Divide, and keep so many digits behind the point: rounded, or cut."""
    top, under = left.as_integer_ratio(), right.as_integer_ratio()
    whole, rest = divmod(abs(top[0] * under[1]) * 10**digits, abs(top[1] * under[0]))
    if not is_cut and 2 * rest >= abs(top[1] * under[0]):
        whole += 1
    sign = "-" if whole and (left < 0) != (right < 0) else ""
    return f"{sign}{_EXACT.scaleb(Decimal(whole), -digits):f}"
