"""A tool's name, description, schema and hints → what calling it does to the world, as far as these can tell."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import cast

from misstep.core.tool import JSON, Effect, Tool
from misstep.core.words import split_identifier
from misstep.effects.prose import Told, proven_by, said_in
from misstep.effects.words import (
    ALWAYS,
    JOINING,
    ONLY_VERBS,
    OPENED,
    ORDER,
    PHRASES,
    SHOWN,
    THINGS,
    as_verb,
    gravest,
)


def guess_effect(name: str, description: str = "") -> Effect:
    """The graver of what the verbs of the name and of the description say; where neither says anything, destroys.

    For functions of one's own: the name may say nothing, and what is written beside it is believed.
    """
    return told_effect(name, description) or "destroys"


def told_effect(name: str, description: str = "") -> Effect | None:
    """The same, and None where neither says anything."""
    return gravest((_by_name(split_identifier(name)), said_in(description)))


# What an argument's name says of the tool that takes it: where it reaches, or that it does whatever it is told.
_BY_ARGUMENT: dict[Effect, frozenset[str]] = {
    "destroys": frozenset("sql command cmd script shell".split()),
    "reaches-outside": frozenset("url urls href webhook endpoint hostname".split()),
}


def effect_of(tool: Tool, annotations: Mapping[str, JSON]) -> tuple[Effect, str]:
    """The effect of a stranger's tool, and a sentence on how it was told: the gravest that anything says of it.

    Hints of a server make it graver, never milder than words do, and what nothing tells destroys.
    """
    words_say, why = _by_words(tool)
    hinted = _by_hints(annotations)
    if hinted is None or hinted[0] == words_say:
        return words_say, f"{why}."
    if gravest((hinted[0], words_say)) == hinted[0]:
        return hinted[0], f"{hinted[1]}."
    return words_say, f"{why}; {hinted[1][0].lower()}{hinted[1][1:]}, which is not believed."


def sure_effect(tool: Tool) -> Effect:
    """The effect of a tool of one's own, for strangers: what was declared, but nothing that was merely guessed."""
    declared = tool.effect != guess_effect(tool.name, tool.description)
    return tool.effect if declared else gravest((tool.effect, effect_of(tool, {})[0])) or "destroys"


def _by_words(tool: Tool) -> tuple[Effect, str]:
    said, why = _told(tool)
    if taken := _by_arguments(tool):
        effect, argument = taken
        if gravest((said, effect)) != said:
            return effect, f"It takes {argument!r}, so it counts as one that {_DEED[effect]}"
    return said, why


def _told(tool: Tool) -> tuple[Effect, str]:
    """By the name and the description: where one of them says too little, that something reads is not believed."""
    parts = split_identifier(tool.name)
    named, told = _by_name(parts), proven_by(tool.description)
    if named is None and told == "reads" and _is_shown(parts):
        named = "reads"
    acting = gravest((named, None if told == "unclear" else told))
    if acting not in (None, "reads"):
        by = "name" if acting == named else "description"
        return acting, f"Its {by} says that it {_DEED[acting]}"
    if named == "reads" and told != "unclear":
        return "reads", f"Its name{' and description say' if told else ' says'} that it only reads"
    return "destroys", f"{_silent(named, told)} what it does, so it counts as one that destroys"


def _silent(named: Effect | None, told: Told | None) -> str:
    if named is not None:
        return "Its description does not tell"
    return "Its name does not tell" if told == "reads" else "Nothing tells"


_DEED: Mapping[Effect, str] = {
    "destroys": "destroys",
    "reaches-outside": "reaches outside",
    "writes": "writes",
    "reads": "only reads",
}


def _by_arguments(tool: Tool) -> tuple[Effect, str] | None:
    said: dict[Effect, str] = {effect: name for name, effect in _arguments_that_tell(tool)}
    effect = gravest(said)
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
    said: set[Effect] = {effect for part in parts for effect in ORDER if part in ALWAYS[effect]}
    if any(pair in PHRASES for pair in pairwise(parts)):
        said.add("writes")
    for at, joint in enumerate(parts[:-1]):
        if joint in JOINING and (effect := _joined(parts, at)):
            said.add(effect)
    if first := _first_verb(parts):
        said.add(first)
    return gravest(said)


def _joined(parts: list[str], joint: int) -> Effect | None:
    """What stands after a joining word does something, unless both sides of it are plainly things."""
    before, word = parts[joint - 1] if joint else "", parts[joint + 1]
    if effect := as_verb(word):
        return effect
    return None if word in THINGS or (before.endswith("s") and word.endswith("s")) else "destroys"


def _first_verb(parts: list[str]) -> Effect | None:
    """What stands before it is a prefix, such as a service's name; or a verb that is not listed here."""
    for at, part in enumerate(parts):
        if part in SHOWN or (at + 1 < len(parts) and part in THINGS and as_verb(part) != "reads"):
            continue
        effect = _verb(parts, at)
        if effect == "reads" and not _is_believed(parts, at):
            return None
        if effect is not None:
            return effect
    return None


def _verb(parts: list[str], at: int) -> Effect | None:
    if parts[at] == "open" and at + 1 < len(parts) and parts[at + 1] in OPENED:
        return "reads"
    return as_verb(parts[at])


def _is_believed(parts: list[str], at: int) -> bool:
    """A verb that reads, with nothing before it but things; or one that is no noun, with something that it is for."""
    return all(part in THINGS for part in parts[:at]) or (parts[at] in ONLY_VERBS and at + 1 < len(parts))


def _is_shown(parts: list[str]) -> bool:
    """`git_log`, `directory_tree`, `git_diff_staged`: something that is shown, beside nothing but things."""
    rest = [part for part in parts if part not in SHOWN and part not in THINGS]
    return not SHOWN.isdisjoint(parts) and all(part.endswith("ed") for part in rest)
