"""The words that are the shop's own, and its ids: what a renamed shop must not let slip."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, split_identifier
from misstep.worlds.nonsense import nonsense_for
from misstep.worlds.renaming import Renaming
from misstep.worlds.shop import catalogue
from misstep.worlds.shop.fields import PATTERNS
from misstep.worlds.shop.records import Tables
from misstep.worlds.shop.tools import services

_PREFIXES = {
    "C": "QU", "A": "ZE", "P": "VO", "I": "JA", "W": "KY", "Y": "TI", "R": "BO", "X": "GE", "N": "HU", "M": "DU",
}  # fmt: skip

_KEPT = STOPWORDS | {"other", "eur"}
"""Function words, and the unit of the amounts, which stay."""

_FORMS = """
accounts addresses addressed adding added adds amounts arrive arrived arrives arriving arrival
bought buy buying buys purchase purchased purchases
cancelled cancelling cancellation cancellations cancels carrier carriers
checked checking checks closing closed closes closure colleague colleagues colours
customers currencies deleting deleted deletes deletion deliver delivered delivering delivers delivery deliveries
damage damages desk desks emailed emailing emails exchanged exchanges exchanging finding finds found identities
items joined joining labels line listed listing lists mailed mailing mails mailbox methods money named names naming
notes noted ordered ordering orders paid pay paying pays payment payments phoned phones phone parcel parcels package
packages piece pieces postcodes prices priced product products quantities reasons receipts redirected redirecting
redirects redirection refunded refunding refunds refundable restocked restocking sending sends sent send shipped
shipping ships ship shipment shipments shop shops shopping shown showing shows sizes statuses stocked stocks streets
subjects texts titles totals updated updates updating verified verifies verifying verification vouchers wallets
wrapping write writes writing written void support supplier suppliers
"""
"""Forms that occur beside the names themselves and their plurals."""


@cache
def shop_renaming() -> Renaming:
    """The one renaming of the shop, the same in every process."""
    return Renaming(nonsense_for(shop_words()), _PREFIXES)


@cache
def shop_words() -> frozenset[str]:
    """Every token of a tool's, table's, property's or status' name and of what is sold; plurals and other forms."""
    names = {
        *services(),
        *Tables.__struct_fields__,
        *PATTERNS,
        *(product.title for product in catalogue.products()),
        *(name for service in services().values() for name in _names(service.tool.input_schema)),
        *(name for service in services().values() for name in _names(service.tool.output_schema or {})),
    }
    tokens = {token for name in names for token in split_identifier(name) if token not in _KEPT}
    return frozenset(tokens | {plural(token) for token in tokens if not token.endswith("s")} | set(_FORMS.split()))


def _names(schema: Mapping[str, JSON]) -> Iterator[str]:
    """The properties' names and the texts of enums, all the way down."""
    for keyword, part in schema.items():
        if keyword == "enum":
            yield from (each for each in cast("list[JSON]", part) if isinstance(each, str))
        elif isinstance(part, Mapping):
            inner = cast("Mapping[str, JSON]", part)
            if keyword == "properties":
                yield from inner
            yield from _names(inner)


def plural(word: str) -> str:
    if word.endswith(("x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
