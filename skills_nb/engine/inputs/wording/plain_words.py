"""Words that say what is asked, not of which rows, tables or columns.

Room: laws. Pure.
"""

from __future__ import annotations

import re

_TEXT = """a about across add all also an and any are as at average avg be been being belong
biggest bottom by can chart cheapest column columns compare compute contain could create count
counted csv currently daily data date day days delete did different distinct do does
each earliest entries entry ever every everything exactly exist exists expensive export
few file files find first for from get give got group grouped had happen happened has have
having hello help hi highest how i in into is it its json largest last latest least let
like list longest look lowest made make many max maximum me mean min minimum month
monthly more most much must my name named need newest now number of oldest on one ones
only or our out over overall parquet per pivot please pls plz preview print put quarter query
recent record recorded records remove result results revenue right row rows sample save
see sell shall shortest should show since smallest sold some spread still stored sum
summarise summarize table tables take tell than thank that the their them there these
they this those to together top total totals turnover unload up us use value values view
want was we week weekly were what whats when where which who whose will with worth would
write year fewest heaviest lightest tallest youngest priciest yet you your"""
PLAIN = frozenset(_TEXT.split())
_FRESH = r"(?:up[ -]to[ -]date|fresh|refreshed)"
ASKS = (
    re.compile(
        r"^\W*(?:please )?(?:(?:create|make|build|keep|maintain|have|set up) )?(?:an? )?(?:new )?"
        rf"(?:dynamic table|{_FRESH} table|table(?= {_FRESH}))(?: {_FRESH})?"
    ),
    re.compile(
        r"\b(?:works?|working|lives?|living|stays?|comes?|belongs?)(?= (?:at|in|on|from|to)\b)"
    ),
    re.compile(r"\b(?:busiest|(?:most|least) popular)\b"),
    re.compile(
        r"^\W*(?:please )?(?:alert|warn|notify|tell|let)(?: me| us)?(?: know)?"
        r" (?:when|if|once|as soon as)\b(?: there (?:is|are)| any)?"
    ),
    re.compile(r"^\W*(?:please )?(?:copy|insert|append|transfer|join|combine)\b"),
    re.compile(
        r"\b(?:(?:refresh|updat|check)(?:ed|es|ing)? )?(?:every|each) (?:\d{1,4} )?"
        r"(?:minute|hour|day|night|morning|week)s?\b"
    ),
)
"""What asks for something in small letters, and says nothing of which rows: `who work at …`."""
TELLS_ROWS = re.compile(r"(?<=\w)[ ,;]+(?:only )?(?:where|whose)\b[^,;.?!]*", re.IGNORECASE)
"""A clause that says which rows are meant, whatever it says."""
RANKING = re.compile(
    r"\b(?:which|what|who|whose)\b(?: [^\W_]+){0,2}? (?P<verb>[^\W_]+)"
    r" (?:the )?(?:most|fewest|least)\b"
)
"""`which customer bought the most`: what they did says nothing of which rows."""
