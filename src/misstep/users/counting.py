"""`How many …?` and facts → whether what is counted is what a fact counts."""

import re
from collections.abc import Sequence

from misstep.core.words import STOPWORDS, content_stems, stem, words
from misstep.users.belonging import shares_a_word
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import meets

_COUNTED = re.compile(r"\bhow (?:many|much) (?:of )?([a-z]+)", re.IGNORECASE)


def is_counted(part: str, entry: Entry) -> bool:
    """`How many bedrooms?`, asked of one who has `three bedrooms`: the value says what it counts."""
    asked, value = _COUNTED.search(part), words(entry.value)
    if asked is None or len(value) != 2 or asked[1].lower() in STOPWORDS:
        return False
    return stem(asked[1].lower()) == stem(value[1]) and (value[0].isdigit() or value[0] in lexicon().numbers)


def counts_another(part: str, chosen: Sequence[Entry], ledger: Ledger) -> bool:
    """`How many coaches?`, asked of one who knows how many pupils."""
    asked = _COUNTED.search(part)
    if asked is None or not asked[0].lower().startswith("how many") or not counts_strangers(part, ledger):
        return False
    root = stem(asked[1].lower())
    return not any(shares_a_word(entry, {root}) or root in content_stems(entry.value) for entry in chosen)


def counts_strangers(part: str, ledger: Ledger) -> bool:
    """`How much juice`: what is counted is nothing that the person has spoken of."""
    found, book = _COUNTED.search(part), lexicon()
    root = stem(found[1].lower()) if found and found[1].lower() not in STOPWORDS else ""
    known = ledger.own_stems | book.plain | book.idle | book.kinds.keys() | book.things.keys() | book.units
    return bool(root) and not any(meets(root, other) for other in known)
