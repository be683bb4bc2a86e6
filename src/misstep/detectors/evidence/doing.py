"""A call in a gist → whether it did something or hands the work on, and what it comes to beside other trials."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import cast

import msgspec

from misstep.core.gist import Gist, GistCall
from misstep.core.tool import JSON, Effect
from misstep.core.words import split_identifier, words
from misstep.objectives.vocabulary import kin, lemma

_PROSE = 6
"""A text of more words than this is somebody's own wording, which no two trials share."""
_PASSING_ON = frozenset("transfer handoff handover escalate".split())


def did_something(call: GistCall) -> bool:
    """It succeeded and changed something."""
    return call.succeeded and changes_something(call.tool, call.effect)


def changes_something(tool: str, effect: Effect | None) -> bool:
    """By what is known of the tool; where nobody described it, by whether its name opens with an everyday act."""
    if hands_over(tool):
        return False
    return _is_an_act(tool) if effect is None else effect != "reads"


@lru_cache(maxsize=4096)
def hands_over(tool: str) -> bool:
    """A tool that passes the conversation on; there is no settled event for that, and all name it alike."""
    parts = split_identifier(tool)
    return not _PASSING_ON.isdisjoint(parts[:1]) or parts[:2] in (["hand", "off"], ["hand", "over"])


@lru_cache(maxsize=4096)
def _is_an_act(tool: str) -> bool:
    parts = split_identifier(tool)
    return bool(parts) and len(kin(lemma(parts[0]))) > 1


def deeds(gist: Gist) -> Counter[str]:
    """What a trial did, each deed as a text that is equal in another trial that did the same."""
    return Counter(deed(call) for call in gist.calls if did_something(call))


def deed(call: GistCall) -> str:
    """The tool and those of its arguments that are no prose."""
    arguments = arguments_of(call)
    if arguments is None:
        return f"{call.tool} {call.arguments}"
    told = {name: value for name, value in arguments.items() if not _is_prose(value)}
    return f"{call.tool} {msgspec.json.encode(told, order='sorted').decode()}"


def arguments_of(call: GistCall) -> Mapping[str, JSON] | None:
    """The arguments as they were, unless they were no object or too long to be kept."""
    try:
        value: JSON = msgspec.json.decode(call.arguments)
    except msgspec.DecodeError:
        return None
    return cast("Mapping[str, JSON]", value) if isinstance(value, dict) else None


def values_set(call: GistCall) -> int:
    """How many values a call set: each is a chance to be wrong."""
    arguments = arguments_of(call)
    return call.arguments.count(":") if arguments is None else sum(1 for _ in _leaves(arguments))


def _leaves(value: JSON) -> Iterator[JSON]:
    if isinstance(value, dict):
        for each in cast("Mapping[str, JSON]", value).values():
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in cast("list[JSON]", value):
            yield from _leaves(each)
    else:
        yield value


def _is_prose(value: JSON) -> bool:
    return isinstance(value, str) and len(words(value)) > _PROSE
