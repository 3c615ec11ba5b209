"""Where the demo's people live: names, towns, streets and number formats of eight countries.

Room: embedded (demo). Pure data. The names are common ones, combined at random; nobody is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skills_nb.embedded.tools.demo.dice import Dice


@dataclass(frozen=True)
class Country:
    """What the demo needs to know of a country."""

    code: str
    """ISO 3166 code."""
    name: str
    """English name."""
    women: tuple[str, ...]
    """Given names."""
    men: tuple[str, ...]
    """Given names."""
    surnames: tuple[str, ...]
    """Family names."""
    cities: tuple[tuple[str, str], ...]
    """Towns with the postal code pattern of their centre; # is a digit."""
    address: Callable[[Dice], str]
    """Makes a street address."""
    phones: tuple[str, ...]
    """Number patterns, from the ranges kept for fiction where there are any; # is a digit."""
    has_iban: bool = True
    """Whether bank accounts have an IBAN."""


def filled(dice: Dice, column: str, pattern: str) -> str:
    """Put digits where a pattern has #; letters stand for themselves."""
    digits = iter(dice.digits(column, max(pattern.count("#"), 1)))
    return "".join(next(digits) if char == "#" else char for char in pattern)


def _number_first(*streets: str) -> Callable[[Dice], str]:
    return lambda dice: f"{dice.between('house', 1, 4800)} {dice.pick('street', streets)}"


def _number_last(*streets: str, separator: str = " ") -> Callable[[Dice], str]:
    return lambda dice: f"{dice.pick('street', streets)}{separator}{dice.between('house', 1, 190)}"


def _japanese(*wards: str) -> Callable[[Dice], str]:
    def address(dice: Dice) -> str:
        blocks = (dice.between(f"block_{part}", 1, 29) for part in range(3))
        return dice.pick("street", wards) + "-".join(map(str, blocks))

    return address


COUNTRIES = (
    Country(
        "US",
        "United States",
        ("Mary", "Linda", "Jennifer", "Emily", "Ashley", "Olivia", "Grace", "Hannah", "Rosa"),
        ("James", "Robert", "Michael", "Daniel", "Kevin", "Brandon", "Ethan", "Carlos", "Omar"),
        ("Smith", "Johnson", "Nguyen", "García", "O'Brien", "Walker", "Patel", "Rivera", "Baker"),
        (
            ("Seattle", "981##"),
            ("Boston", "021##"),
            ("Austin", "787##"),
            ("Denver", "802##"),
            ("Chicago", "606##"),
            ("Miami", "331##"),
        ),
        _number_first("Maple Avenue", "Oak Street", "Lakeview Drive", "Pine Road", "Cedar Lane"),
        ("(206) 555-01##", "(617) 555-01##", "512-555-01##", "+1 303-555-01##"),
        has_iban=False,
    ),
    Country(
        "DE",
        "Germany",
        ("Käthe", "Ursula", "Anke", "Lena", "Sabine", "Johanna", "Monika", "Hannah"),
        ("Jürgen", "Björn", "Günther", "Lukas", "Stefan", "Matthias", "Jörg", "Felix"),
        ("Müller", "Schäfer", "Groß", "Köhler", "Weiß", "Schmidt", "Jäger", "Böhm", "Lindner"),
        (
            ("Berlin", "10###"),
            ("München", "80###"),
            ("Köln", "50###"),
            ("Hamburg", "20###"),
            ("Düsseldorf", "40###"),
        ),
        _number_last("Hauptstraße", "Lindenallee", "Goethestraße", "Mühlenweg", "Bahnhofstraße"),
        ("+49 30 23125 ###", "030 23125 ###", "+49 171 39200##", "0171 39200##"),
    ),
    Country(
        "FR",
        "France",
        ("Chloé", "Hélène", "Camille", "Inès", "Manon", "Zoé", "Françoise", "Aurélie"),
        ("François", "Théo", "Raphaël", "Hugo", "Louis", "Benoît", "Jules", "Gabriel"),
        ("Lefèvre", "Dupont", "Moreau", "Garçon", "Bérard", "Rousseau", "Petit", "Noël"),
        (
            ("Paris", "750##"),
            ("Lyon", "690##"),
            ("Toulouse", "310##"),
            ("Nantes", "440##"),
            ("Lille", "590##"),
        ),
        lambda dice: (
            f"{dice.between('house', 1, 180)} "
            + dice.pick("street", ("rue de la Paix", "rue Molière", "avenue Foch", "quai Voltaire"))
        ),
        ("01 99 00 ## ##", "+33 6 39 98 ## ##", "06 39 98 ## ##"),
    ),
    Country(
        "ES",
        "Spain",
        ("Lucía", "María", "Sofía", "Carmen", "Pilar", "Martina", "Isabel"),
        ("José", "Álvaro", "Íñigo", "Javier", "Pablo", "Alejandro", "Diego"),
        ("Muñoz", "Fernández", "Ibáñez", "Núñez", "Gómez", "López", "Ortega", "Sáez"),
        (
            ("Madrid", "280##"),
            ("Barcelona", "080##"),
            ("Sevilla", "410##"),
            ("Valencia", "460##"),
            ("Bilbao", "480##"),
        ),
        _number_last("Calle Mayor", "Calle de Alcalá", "Avenida del Mar", "Plaza España"),
        ("+34 900 55 ## ##", "900 55 ## ##"),
    ),
    Country(
        "GB",
        "United Kingdom",
        ("Charlotte", "Poppy", "Freya", "Alice", "Amelia", "Sarah", "Priya"),
        ("Oliver", "Harry", "Charlie", "George", "Jack", "Arthur", "Rahul"),
        ("Taylor", "Hughes", "Campbell", "Wright", "MacLeod", "Begum", "Clarke"),
        (
            ("London", "SW1A #AA"),
            ("Manchester", "M1 #AE"),
            ("Bristol", "BS1 #DE"),
            ("Edinburgh", "EH1 #NG"),
        ),
        _number_first("High Street", "Church Lane", "Victoria Road", "Mill Close", "King's Road"),
        ("020 7946 0###", "+44 20 7946 0###", "07700 900###", "0117 496 0###"),
    ),
    Country(
        "JP",
        "Japan",
        ("さくら", "結衣", "陽子", "恵子", "美咲", "由美"),
        ("健", "大輔", "翔太", "拓也", "浩", "誠"),
        ("佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村"),
        (("東京", "100-####"), ("大阪", "530-####"), ("京都", "600-####"), ("札幌", "060-####")),
        _japanese("中央区本町", "北区大通", "港区南町", "左京区岡崎", "緑町"),
        ("03-5550-####", "+81 90-5550-####", "06-5550-####", "090-5550-####"),
        has_iban=False,
    ),
    Country(
        "CA",
        "Canada",
        ("Emma", "Zoé", "Charlotte", "Sophia", "Abigail"),
        ("Liam", "Noah", "Benjamin", "Lucas", "Logan"),
        ("Tremblay", "Gagnon", "Singh", "MacDonald", "Roy", "Chen"),
        (
            ("Toronto", "M5V #K#"),
            ("Montréal", "H2X #J#"),
            ("Vancouver", "V6B #N#"),
            ("Calgary", "T2P #G#"),
        ),
        _number_first("King Street West", "Maple Crescent", "Lakeshore Road", "Granville Street"),
        ("(416) 555-01##", "604-555-01##", "+1 514-555-01##"),
        has_iban=False,
    ),
    Country(
        "SE",
        "Sweden",
        ("Åsa", "Linnea", "Ingrid", "Elin", "Maja", "Astrid"),
        ("Åke", "Björn", "Anders", "Oskar", "Erik", "Sven"),
        ("Lindström", "Sjöberg", "Åkesson", "Nyström", "Hedlund", "Öberg"),
        (
            ("Stockholm", "111 ##"),
            ("Göteborg", "411 ##"),
            ("Malmö", "211 ##"),
            ("Uppsala", "753 ##"),
        ),
        _number_last("Storgatan", "Drottninggatan", "Kungsvägen", "Skolgatan"),
        ("+46 70-174 06 ##", "070-174 06 ##", "08-465 004 ##"),
    ),
)
"""The countries, in the order of the shares below."""

_SHARES = (34, 20, 12, 10, 10, 7, 4, 3)
LOTTERY = tuple(
    country for country, share in zip(COUNTRIES, _SHARES, strict=True) for _ in range(share)
)
"""One hundred tickets; pick one to give somebody a country."""
BY_CODE = {country.code: country for country in COUNTRIES}
