"""Goals and facts → what people write, by a grammar that needs no model, and read back to prove it."""

from misstep.wording.requests.act import Act, Closeness, Found, Place, Saying, Worded
from misstep.wording.requests.paraphrasing import paraphrased
from misstep.wording.requests.reading_back import facts_in
from misstep.wording.requests.requesting import order_of, worded
from misstep.wording.requests.voices import aside, filler, typos, voices
from misstep.wording.requests.wishes import wish_of

__all__ = [
    "Act",
    "Closeness",
    "Found",
    "Place",
    "Saying",
    "Worded",
    "aside",
    "facts_in",
    "filler",
    "order_of",
    "paraphrased",
    "typos",
    "voices",
    "wish_of",
    "worded",
]
