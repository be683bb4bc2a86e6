"""An item → what people call it where they tell it: `title of the first item`, `date I joined`; no field's name."""

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct, structs

from misstep.core.tool import Tool
from misstep.core.words import STOPWORDS, stem
from misstep.synthesis.ground import Ground
from misstep.synthesis.task import Item, is_key
from misstep.wording.requests.forms import is_nominal, is_of_speaker
from misstep.wording.requests.inflection import is_plural, participle

_A_THING = re.compile(
    r"\b(?:an?|the|another) ([a-z]+)(?=[.,;:]|['’]s\b| (?:of|to|by|from|with|for|in|on|or|and|that)\b|$)"
)
_DONE_BY_ONESELF = frozenset({"joined", "registered", "enrolled", "subscribed"})


class FactName(Struct, frozen=True, kw_only=True):
    """What of which thing, and what tells it from others."""

    field: str
    thing: str = ""
    ordinal: str = ""
    fresh: bool = False
    """It is what something is to become."""
    what_for: str = ""
    """What is said behind it to tell it from another: `for the note`."""
    own: bool = False
    """The thing is who speaks."""

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.thing.split(), *self.field.split())

    @property
    def plain(self) -> str:
        """As short as a column's head: other words that ask for it."""
        return " ".join(self.words)

    def of_use(self, noun: str, *, content: bool) -> "FactName":
        """Told from another by what is done with it: `text of the note`, `order id for the receipt`."""
        if not self.thing:
            return structs.replace(self, thing=noun) if content else structs.replace(self, what_for=f"for the {noun}")
        if is_key(self.field):
            return structs.replace(self, what_for=f"for the {noun}")
        return structs.replace(self, thing=f"{noun} {self.thing}")

    @property
    def said(self) -> str:
        """It fits between "the" and "is"."""
        which = " ".join(filter(None, (self.ordinal, "new" if self.fresh else "", self.thing)))
        if not is_nominal(self.field):
            return self._moment(which)
        if not self.thing:
            return " ".join(filter(None, (self.ordinal, "new" if self.fresh else "", self.field, self.what_for)))
        if is_key(self.field) and which == self.thing and (not self.what_for or self.what_for.startswith("for ")):
            return f"{self.thing} {self.field} {self.what_for}".strip()
        return f"{self.field} of the {which} {self.what_for}".strip()

    def _moment(self, which: str) -> str:
        done, _, at = self.field.rpartition(" ")
        if at not in ("on", "at") or not done:
            return " ".join(filter(None, (which, self.field, self.what_for)))
        when = "time" if at == "at" else "date"
        if self.own:
            return f"{when} I {'' if done in _DONE_BY_ONESELF else 'was '}{done}"
        if self.thing and participle(stem(self.thing.rpartition(" ")[2])) == done:
            return f"{when} of the {which} {self.what_for}".strip()
        return f"{when} {f'the {which} {self.what_for}'.strip() if self.thing else 'it'} was {done}"


def fact_name(item: Item, ground: Ground, things: frozenset[str]) -> FactName:
    """What is called `name` would be the speaker's own; so it is the doctor's, where that is known."""
    noun, words = ground.noun_of(item), item.name.split()
    fresh = len(words) > 1 and words[0] == "new"
    while len(words) > 1 and words[0] == "new":
        words = words[1:]
    field, thing = " ".join(words), ""
    split = next((at for at in range(len(words) - 1, 0, -1) if " ".join(words[:at]) in things), 0)
    split = 0 if words[split] in STOPWORDS else split
    own = bool(noun) and is_of_speaker(noun)
    if not is_nominal(field):
        thing = noun
    elif split:
        thing, field = " ".join(words[:split]), " ".join(words[split:])
    elif noun and len(words) == 1 and noun not in field and not own:
        thing = noun
    return FactName(field=_in_full(field, thing, item, ground.tools), thing=thing, fresh=fresh, own=own)


def _in_full(field: str, thing: str, item: Item, tools: Mapping[str, Tool]) -> str:
    if field == "id" and any(f"{thing} number" in text for text in _texts(tools.values())):
        return "number"
    if is_plural(field) and " " not in field and isinstance(item.value, (int, float)):
        return f"number of {field}"
    return field


def things_in(ground: Ground) -> frozenset[str]:
    """What tools speak of: the pet in `the weight of a pet`, and what records are called."""
    said = (found for text in _texts(ground.tools.values()) for found in _A_THING.findall(text))
    return frozenset({*said, *filter(None, ground.nouns.values())})


def _texts(tools: Iterable[Tool]) -> Iterable[str]:
    for tool in tools:
        yield tool.description.lower()
        yield str(tool.input_schema.get("properties", "")).lower()
