"""Goals and facts → what people write, by a grammar that needs no model, and read back to prove it."""

from misstep.wording.requests.act import Act, Closeness, Found, Place, Saying, Worded
from misstep.wording.requests.framing import constraint_text, constraints, correction_text, premise_text, pressure_text
from misstep.wording.requests.noise import typos
from misstep.wording.requests.paraphrasing import paraphrased
from misstep.wording.requests.reading_back import facts_in
from misstep.wording.requests.requesting import order_of, worded
from misstep.wording.requests.small_talk import aside, filler
from misstep.wording.requests.voices import voices
from misstep.wording.requests.wishes import wish_of

__all__ = [
    "Act",
    "Closeness",
    "Found",
    "Place",
    "Saying",
    "Worded",
    "aside",
    "constraint_text",
    "constraints",
    "correction_text",
    "facts_in",
    "filler",
    "order_of",
    "paraphrased",
    "premise_text",
    "pressure_text",
    "typos",
    "voices",
    "wish_of",
    "worded",
]
