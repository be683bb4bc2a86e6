"""A tool's name, description, schema and hints → what calling it does to the world, as far as these can tell."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import cast

from misstep.core.tool import JSON, Effect, Tool
from misstep.core.words import sentences, split_identifier, words

# Words that say what a tool does wherever they stand in its name. What cannot be taken back destroys: so does money
# that has left, and so does code that can do anything.
_ALWAYS: dict[Effect, frozenset[str]] = {
    "destroys": frozenset(
        """delete remove erase purge wipe destroy truncate drop clear discard overwrite unlink rm rmdir del kill
        terminate uninstall revoke cancel deactivate disable shutdown shred evict expel flush rollback revert reset
        execute exec eval shell bash sudo sql transfer withdraw pay purchase buy""".split()
    ),
    "reaches-outside": frozenset(
        """send publish broadcast tweet notify upload download browse navigate crawl scrape forward invite
        url urls http https web webpage website internet webhook""".split()
    ),
    "writes": frozenset(
        """create add insert update upsert write edit modify append rename save put patch set assign unassign enable
        register""".split()
    ),
    "reads": frozenset(),
}

# Words that are as often nouns: they count only where a verb stands, first or after a joining word.
_AS_VERB: dict[Effect, frozenset[str]] = {
    "destroys": frozenset("run refund charge format burn close reject void suspend ban block".split()),
    "reaches-outside": frozenset(
        "email mail post message text sms call dial fax share reply submit ping connect request push".split()
    ),
    "writes": frozenset(
        """change replace move copy store book reserve schedule reschedule mark tag label comment note log record
        exchange return approve accept complete open start begin stop pause resume merge commit apply attach link
        import make build generate draft upgrade extend adjust correct claim issue grant release restore subscribe
        lock unlock confirm""".split()
    ),
    "reads": frozenset(
        """get list find search look lookup read show view describe count check query fetch retrieve inspect is has can
        compare calculate compute estimate validate verify preview summarise summarize explain convert parse translate
        diff stat head tail tree ls cat grep select peek scan history help info status display tell think recall
        which what who when where""".split()
    ),
}

_ONLY_VERBS = frozenset("get list find search fetch retrieve describe lookup read".split())
"""Of those that read, the ones that are believed in the middle of a name too: `crm_list_leads`, not `zap_status`."""

_PHRASES = frozenset({("check", "in"), ("check", "out")})
"""Two words that do something, though the first alone only looks."""

_JOINING = frozenset({"and", "or", "then"})
_LEADING = _JOINING | {"to", "tool", "function", "it", "that", "which", "can", "will"}
"""What a verb follows in prose; a word elsewhere is as likely a noun, and proves nothing."""

_ORDER: tuple[Effect, ...] = ("destroys", "reaches-outside", "writes", "reads")


def guess_effect(name: str, description: str = "") -> Effect:
    """The gravest that the name's verbs say; where they say nothing, the description's first verb; else destroys."""
    return _by_name(split_identifier(name)) or _by_description(description) or "destroys"


# What an argument's name says of the tool that takes it: where it reaches, or that it does whatever it is told.
_BY_ARGUMENT: dict[Effect, frozenset[str]] = {
    "destroys": frozenset("sql command cmd script shell".split()),
    "reaches-outside": frozenset("url urls href webhook endpoint hostname".split()),
}


def effect_of(tool: Tool, annotations: Mapping[str, JSON]) -> tuple[Effect, str]:
    """The effect, and a sentence on how it was told. Hints of a server make it graver, never milder than words do."""
    words_say, why = _by_words(tool)
    hinted = _by_hints(annotations)
    if words_say is None:
        if hinted is None:
            return "destroys", "Nothing tells what it does, so it counts as one that destroys."
        return hinted[0], f"{hinted[1]}, and its name and description say nothing else."
    if hinted is None or hinted[0] == words_say:
        return words_say, f"{why}."
    if _gravest((hinted[0], words_say)) == hinted[0]:
        return hinted[0], f"{hinted[1]}."
    return words_say, f"{why}; {hinted[1][0].lower()}{hinted[1][1:]}, which is not believed."


def _by_words(tool: Tool) -> tuple[Effect | None, str]:
    named, told = _by_name(split_identifier(tool.name)), _by_description(tool.description)
    said = named or told
    why = f"Its {'name' if named else 'description'} says that it {_DEED[said]}" if said else ""
    if taken := _by_arguments(tool):
        effect, argument = taken
        if said is None or _gravest((said, effect)) != said:
            return effect, f"It takes {argument!r}, so it counts as one that {_DEED[effect]}"
    return said, why


_DEED: Mapping[Effect, str] = {
    "destroys": "destroys",
    "reaches-outside": "reaches outside",
    "writes": "writes",
    "reads": "only reads",
}


def _by_arguments(tool: Tool) -> tuple[Effect, str] | None:
    said: dict[Effect, str] = {effect: name for name, effect in _arguments_that_tell(tool)}
    effect = _gravest(said)
    return (effect, said[effect]) if effect else None


def _arguments_that_tell(tool: Tool) -> Iterator[tuple[str, Effect]]:
    properties = tool.input_schema.get("properties")
    for name, schema in cast("Mapping[str, JSON]", properties).items() if isinstance(properties, Mapping) else ():
        parts = split_identifier(name)
        for effect, telling in _BY_ARGUMENT.items():
            if not telling.isdisjoint(parts):
                yield name, effect
        if isinstance(schema, Mapping) and cast("Mapping[str, JSON]", schema).get("format") in ("uri", "url"):
            yield name, "reaches-outside"


def _by_hints(annotations: Mapping[str, JSON]) -> tuple[Effect, str] | None:
    """What a server says of its tool. Whether a tool that only reads is destructive is a question without a meaning."""
    reads, destroys = annotations.get("readOnlyHint"), annotations.get("destructiveHint")
    outside = annotations.get("openWorldHint") is True
    if destroys is True and reads is not True:
        return "destroys", "Its server says that it destroys"
    if outside:
        return "reaches-outside", "Its server says that it reaches outside"
    if reads is True:
        return "reads", "Its server says that it only reads"
    if destroys is False:
        return "writes", "Its server says that it destroys nothing"
    if reads is False:
        return "writes", "Its server says that it writes"
    return None


def _by_name(parts: list[str]) -> Effect | None:
    said: set[Effect] = {effect for part in parts for effect in _ORDER if part in _ALWAYS[effect]}
    if any(pair in _PHRASES for pair in pairwise(parts)):
        said.add("writes")
    said |= {effect for joint, part in pairwise(parts) if joint in _JOINING and (effect := _as_verb(part))}
    if first := _first_verb(parts):
        said.add(first)
    return _gravest(said)


def _first_verb(parts: list[str]) -> Effect | None:
    """What stands before it is a prefix, such as a service's name; or a verb that is not listed here."""
    for at, part in enumerate(parts):
        effect = _as_verb(part)
        if effect == "reads" and at > 0 and not (part in _ONLY_VERBS and at + 1 < len(parts)):
            return None
        if effect is not None:
            return effect
    return None


def _gravest(said: Collection[Effect]) -> Effect | None:
    return next((effect for effect in _ORDER if effect in said), None)


def _as_verb(word: str) -> Effect | None:
    said: list[Effect] = [effect for effect in _ORDER if word in _ALWAYS[effect] or word in _AS_VERB[effect]]
    return said[0] if said else None


def _by_description(description: str) -> Effect | None:
    opening = words(next(iter(sentences(description)), ""))
    plain = [word for word in opening if _as_verb(word) or not word.endswith("ly")]
    places = [word for before, word in pairwise(["then", *plain]) if before in _LEADING]
    verbs: list[Effect] = [effect for word in places if (effect := _as_verb_in_prose(_infinitive(word)))]
    if verbs and any(_infinitive(word) in _ALWAYS["destroys"] for word in opening):
        return "destroys"
    return _gravest(verbs)


def _as_verb_in_prose(word: str) -> Effect | None:
    # "Returns the order" hands something over; "return" in a name sends something back.
    return "reads" if word == "return" else _as_verb(word)


def _infinitive(word: str) -> str:
    """`cancels` → cancel, `searches` → search, `copies` → copy."""
    if not re.search(r"[^s]s$", word):
        return word
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending) and _as_verb(bare := word.removesuffix(ending) + instead):
            return bare
    return word
