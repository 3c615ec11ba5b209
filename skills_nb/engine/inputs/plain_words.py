"""Words that say what is asked, not of which rows, tables or columns.

Room: laws. Pure.
"""

from __future__ import annotations

_TEXT = """a about across add all also an and any are as at average avg be been being belong
biggest bottom by can chart cheapest column columns compare compute contain could count
counted csv currently daily data date day days delete did different distinct do does
each earliest entries entry ever every everything exactly exist exists expensive export
few file files find first for from get give group grouped had happen happened has have
having hello help hi highest how i in into is it its json largest last latest least let
like list longest look lowest made make many max maximum me mean min minimum month
monthly more most much must my name named need newest now number of oldest on one ones
only or our out over overall parquet per pivot please preview print put quarter query
recent record recorded records remove result results revenue right row rows sample save
see sell shall shortest should show since smallest sold some spread still stored sum
summarise summarize table tables take tell than thank that the their them there these
they this those to together top total totals turnover unload up us use value values view
want was we week weekly were what whats when where which who whose will with worth would
write year fewest heaviest lightest tallest youngest priciest yet you your"""
PLAIN = frozenset(_TEXT.split())
