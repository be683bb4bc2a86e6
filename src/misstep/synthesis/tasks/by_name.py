"""What an argument is called, and what is said of it → a value that looks like such a thing, where these tell."""

import re
from collections.abc import Callable
from random import Random

from misstep.core.words import split_identifier, words
from misstep.synthesis.tasks.told_values import FREE
from misstep.tools.records.plausible import told_by_name

_CODED = frozenset(
    """serial licence license vin barcode voucher coupon tracking isbn ean token badge passport policy permit batch lot
    no num sku key code codes id ids identifier locator nr number numbers ref reference pin password passcode otp
    digits""".split()
)
"""Words for what is a code."""
_REASONS = frozenset("reason cause why motive fault defect problem issue complaint symptom trouble wrong".split())
_PLATES = frozenset("plate plates registration numberplate".split())
_ACCOUNTS = frozenset("iban account acct".split())
_CARDS = frozenset({"card"})
_PLACES = frozenset("path file filename filepath folder directory dir".split())
_SORTS = frozenset("type kind category tag label group topic".split())
_LETTERS = "ABCDEFGHJKLMNPRSTVWXY"
_BANKS = "10010010 20070024 37040044 50010517 70020270".split()
_CLAUSE = re.compile(r"[.,;:(\n]")
_OPEN = frozenset({"status", "state"})
"""What one of a few words goes into, which no name tells."""


def by_name(name: str, said: str, random: Random) -> str | None:
    """By its own name, else by the first words of what is said of it: `Number plate of the new vehicle.`"""
    named = split_identifier(name)
    return _made(named, random) or _made(words(_CLAUSE.split(said.strip(), maxsplit=1)[0]), random, named)


def _made(said: list[str], random: Random, named: list[str] | None = None) -> str | None:
    """`named`: what begins the code, where the words are not the name themselves."""
    if not said or said[-1] in _OPEN:
        return None
    whole = set(said)
    for kinds, make in _MAKERS:
        if kinds & whole:
            return make(random)
    if (free := next((texts for listed, texts in FREE.items() if listed & {*said[-1:]}), None)) is not None:
        return random.choice(free)
    if _REASONS & whole:
        return random.choice(next(texts for listed, texts in FREE.items() if "fault" in listed))
    if _CODED & whole:
        return _code(named or said, random)
    if named is None and said[-1] in _SORTS:
        return _sort(random)
    return told_by_name(said, random) if named is None else None


def _code(named: list[str], random: Random) -> str:
    """Two letters and some digits: `serial_number` → SE-48213."""
    first = next((word for word in named if word.isalpha() and len(word) > 1), "no")
    return f"{first[:2].upper()}-{random.randrange(10_000, 99_999)}"


def _plate(random: Random) -> str:
    letters = "".join(random.choices(_LETTERS, k=5))
    return f"{letters[:2]}{random.randrange(10, 75)}{letters[2:]}"


def _iban(random: Random) -> str:
    account = f"{random.choice(_BANKS)}{random.randrange(10**9, 10**10)}"
    return f"DE{98 - int(f'{account}131400') % 97:02}{account}"


def _sort(random: Random) -> str:
    return random.choice(("general", "private", "important", "other"))


def _place(random: Random) -> str:
    """What a new file or folder may be called."""
    return f"{random.choice(('minutes', 'plans', 'receipts', 'drafts', 'photos'))}-{random.randrange(2, 40)}"


def _card(random: Random) -> str:
    return f"4{random.randrange(10**14, 10**15)}"


_MAKERS: tuple[tuple[frozenset[str], Callable[[Random], str]], ...] = (
    (_PLATES, _plate),
    (_ACCOUNTS, _iban),
    (_CARDS, _card),
    (_PLACES, _place),
)
