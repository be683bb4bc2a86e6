"""A slot's name and description → what people call what goes there, and what it is the name of."""

import re

from misstep.core.scenario import Scalar
from misstep.core.tool import Tool
from misstep.core.words import sentences, split_identifier
from misstep.synthesis.tasks.looks import in_words, is_date, is_time
from misstep.synthesis.tasks.slots import Slot, slots_of
from misstep.wording.naming import moment_called
from misstep.wording.requests.inflection import is_participle
from misstep.wording.requests.synonyms import known_verbs

_ARTICLE = re.compile(r"^(?:the|a|an|your|its|this|that)\s+", re.IGNORECASE)
_END = re.compile(
    r"[.,;:()\[\]`\"\n]|(?<!\w)'|'(?!\w)|\s(?:to|that|which|for|in|as|where|if|when|you|must|should|is|are|e\.g)\b"
)
_CLAUSE = re.compile(
    r"\s*(?:if|when|where|whether|how|what|which|who|only|optional|e\.g|i\.e|for example|such as|like|one of|any of)\b",
    re.IGNORECASE,
)
_LEADS = frozenset("to from into by for at in on until".split())
_LED = r"\b{}\s+(?:(a|an|the|another|some|one|his|her|their|its|whom)\s+)?([a-z]+)\b"
_OF = re.compile(r"(.+?) of (?:the |a |an |your )?(.+)", re.IGNORECASE)
_LONGEST = 5
_NAMING = frozenset("id ids name number key code path uuid ref reference title".split())


def called(slot: Slot | None, name: str) -> tuple[str, ...]:
    """`The number of the order.` → number of the order, order number; nothing that is the name itself."""
    if slot is None:
        return ()
    if _CLAUSE.match(slot.description):
        return ()
    said = _ARTICLE.sub("", _END.split(slot.description.strip(), maxsplit=1)[0].strip())
    found = [said, in_words(slot.name), " ".join(split_identifier(slot.name))]
    turned = _OF.fullmatch(said)
    if turned is not None:
        found.insert(1, f"{turned.group(2)} {turned.group(1)}")
    known = in_words(name).lower()
    # "Customer" alone is the customer, and not the customer's number.
    records = {known, *split_identifier(slot.name)[:-1]}
    kept = [each.lower() for each in found if 0 < len(each.split()) <= _LONGEST and each.lower() not in records]
    return tuple(dict.fromkeys(kept))


def as_noun(name: str, value: Scalar, description: str) -> str:
    """A name that can stand behind "the": `to` in `Move a plant to another bed` → new bed; a day `due` → due date; a
    day on which it `starts` → start date; so many `taken` → number taken."""
    if is_date(value) and name == "due":
        return "due date"
    if is_date(value) and name == "on":
        return "day"
    if is_time(value) and name == "at":
        return "time"
    if moment := moment_called(name, day=is_date(value), time=is_time(value)):
        return moment
    if isinstance(value, int) and not isinstance(value, bool) and is_participle(name, known_verbs()):
        return f"number {name}"
    if name not in _LEADS or isinstance(value, bool):
        return name
    led = re.search(_LED.format(name), (sentences(description) or [""])[0].lower())
    if led is None or led[1] is None or led[2] in _LEADS:
        return name
    return f"new {led[2]}" if led[1] == "another" else led[2]


def subject_noun(tool: Tool) -> str:
    """What a tool is told about: `hotel` where it needs a hotel's name, `city` where it needs a city; or nothing."""
    for slot in slots_of(tool):
        named = split_identifier(slot.said)
        if slot.optional or slot.choices or slot.schema.get("type", "string") != "string":
            continue
        if len(named) > 1 and named[-1] in _NAMING:
            return " ".join(named[:-1])
        if len(named) == 1 and named[0] not in _NAMING and named[0] in split_identifier(tool.name):
            return named[0]
    return ""
