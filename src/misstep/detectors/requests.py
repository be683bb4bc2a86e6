"""A trace and a call → what the user's own words have to do with it: the act, the target, a question that is due."""

import re
from functools import lru_cache

from misstep.core.event import ToolCall
from misstep.core.trace import Trace
from misstep.core.words import sentences
from misstep.detectors.claims import wanted
from misstep.objectives.values import is_identifying, leaves, says
from misstep.objectives.vocabulary import ToolWords, effect_of, widened

_A_YES = re.compile(r"\b(?:confirm\w*|consent\w*|approv\w*|agree\w*|permission|explicit|\(yes\))\b", re.IGNORECASE)
_COMES_FIRST = re.compile(
    r"\b(?:before|until|unless|only|obtain|must|first|always|never|need|require\w*)\b", re.IGNORECASE
)
_WHATEVER_IT_IS = re.compile(r"\b(?:any|every|all|each|anything)\b", re.IGNORECASE)


def heard(trace: Trace, before: int) -> tuple[str, ...]:
    """What users said before a place."""
    return tuple(message.text for at, message in trace.messages if at < before and message.role == "user")


def asks_for_act(trace: Trace, before: int, tool: ToolWords) -> bool:
    """The user asked to have done what the tool does, in its words or in everyday words for the same act."""
    acts = widened(tool.acts)
    return any(not acts.isdisjoint(wanted(text)) for text in heard(trace, before))


def names_targets(trace: Trace, before: int, call: ToolCall) -> bool:
    """The user named something that the call is about, and everything in it that has an id of its own."""
    values = [value for _, value in leaves(call.arguments) if is_identifying(value)]
    texts = heard(trace, before)
    said = [any(says(text, value) for text in texts) for value in values]
    return any(said) and all(
        was_said or not isinstance(value, str) for was_said, value in zip(said, values, strict=True)
    )


def policy_wants_a_yes(trace: Trace, tool: str) -> bool:
    """A rule demands the user's yes to the tool's act; prose counts where there are no rules to go by."""
    effect = effect_of(trace, tool)
    if trace.policy is not None and trace.policy.rules:
        return bool(trace.policy.of_kind("confirm", tool, effect))
    prose = [trace.policy.text] if trace.policy is not None else []
    prose += [message.text for _, message in trace.messages if message.role == "system"]
    demands = {demand for text in prose for demand in _demands(text)}
    return (effect == "destroys" and bool(demands)) or (effect == "writes" and "everything" in demands)


@lru_cache(maxsize=256)
def _demands(text: str) -> frozenset[str]:
    """Whether a policy's prose wants a yes before some acts, or before everything that changes something."""
    found: set[str] = set()
    for sentence in sentences(text):
        if _A_YES.search(sentence) and _COMES_FIRST.search(sentence):
            found.add("everything" if _WHATEVER_IT_IS.search(sentence) else "something")
    return frozenset(found)


def policy_orders(trace: Trace, tool: str) -> bool:
    """A rule wants this tool to be called after another one."""
    rules = trace.policy.rules if trace.policy is not None else ()
    return any(rule.kind == "afterwards" and rule.parameters.get("tool") == tool for rule in rules)
