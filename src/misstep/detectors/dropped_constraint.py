"""dropped-constraint: the agent does what the user had ruled out earlier in the conversation."""

from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Exchange, Trace
from misstep.detectors.choices import records_in
from misstep.detectors.claims import wanted
from misstep.detectors.constraints import Constraint, constraints
from misstep.detectors.declaring import detector
from misstep.objectives.consent import consented
from misstep.objectives.matching import number_in, plain
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import ToolWords, Vocabulary, effect_of, kin, meaning, vocabulary, widened


class Broken(NamedTuple):
    """A constraint, where it was set, and the whole message that set it."""

    at: int
    constraint: Constraint
    message: str


@detector("dropped-constraint", version=1)
def dropped_constraint(trace: Trace) -> Iterator[Finding]:
    """One finding for each call that breaks a constraint, made or tried."""
    if not any(message.role == "user" and constraints(message.text) for _, message in trace.messages):
        return
    for exchange in trace.exchanges:
        each = broken_by(trace, exchange)
        if each is not None:
            said = " ".join(each.constraint.text.split()).lstrip(",;: ")
            yield Finding(
                mode="dropped-constraint",
                events=(exchange.at, each.at),
                because=f"The user had said “{said}”, and the agent called {exchange.call.tool} all the same.",
                confidence=0.75 if each.constraint.kind == "limit" else 0.85,
            )


def broken_by(trace: Trace, exchange: Exchange) -> Broken | None:
    """The first constraint, of those that were set before, that a call breaks."""
    known = vocabulary(trace)
    tool = known.tools.get(exchange.call.tool)
    if tool is None or tool.effect == "reads":
        return None
    for at, message in trace.messages:
        if at < exchange.at and message.role == "user":
            for constraint in constraints(message.text):
                each = Broken(at, constraint, message.text)
                if _breaks(trace, known, each, exchange, tool):
                    return each
    return None


def _breaks(trace: Trace, known: Vocabulary, each: Broken, exchange: Exchange, tool: ToolWords) -> bool:
    constraint = each.constraint
    match constraint.kind:
        case "limit":
            return _breaks_limit(trace, each, exchange, tool) and not consented(trace, exchange.at)
        case "everything":
            broken = True
        case "thing":
            broken = _is_about_the_thing(constraint, exchange.call, tool, known)
        case "act":
            broken = _is_the_act(constraint, exchange.call, tool, known) and not _is_a_complaint(each, tool)
    return broken and not _was_lifted(trace, each, exchange, tool)


def _is_the_act(constraint: Constraint, call: ToolCall, tool: ToolWords, known: Vocabulary) -> bool:
    """The call does what was forbidden, to what it was forbidden for."""
    if tool.name not in _tools_meant(constraint, known):
        return False
    passed = _passed(call)
    if constraint.codes:
        return not constraint.codes.isdisjoint(passed)
    rest = [each for each in constraint.stems if each not in tool.all and kin(each).isdisjoint(tool.acts)]
    if not rest:
        return True
    said = frozenset(stem for value in passed for stem in meaning(value))
    return all(each in said for each in rest)


def _is_a_complaint(each: Broken, tool: ToolWords) -> bool:
    """ "No refund so far, please refund me": what is said to be lacking is what is asked for."""
    acts = tool.acts | {each.constraint.stems[0]}
    return each.constraint.loose and not acts.isdisjoint(wanted(each.message))


def _tools_meant(constraint: Constraint, known: Vocabulary) -> frozenset[str]:
    """The tools that do what the words say: by the verb, by its kin, or by a noun that one tool alone is about."""
    stems, verb = constraint.stems, constraint.stems[0]
    by_verb = frozenset(tool.name for tool in known.effectful if verb in tool.acts)
    if by_verb:
        return by_verb
    if constraint.to_user:
        reaching = [tool for tool in known.effectful if tool.effect == "reaches-outside"]
        named = frozenset(tool.name for tool in reaching if all(each in tool.all for each in stems))
        if named:
            return named
    by_kin = frozenset(tool.name for tool in known.effectful if not kin(verb).isdisjoint(tool.acts))
    speaking = frozenset(name for name in by_kin if any(each in known.tools[name].all for each in stems))
    if speaking:
        return speaking
    for each in stems:
        about = [tool.name for tool in known.effectful if each in tool.named]
        if len(about) == 1:
            return frozenset(about)
    return by_kin


def _is_about_the_thing(constraint: Constraint, call: ToolCall, tool: ToolWords, known: Vocabulary) -> bool:
    """The call passes the thing by name, or is a tool for such things."""
    passed = _passed(call)
    if constraint.codes:
        return not constraint.codes.isdisjoint(passed)
    said = frozenset(stem for value in passed if len(value) <= 80 for stem in meaning(value))
    if all(each in said for each in constraint.stems):
        return True
    effectful = list(known.effectful)
    about = [each for each in effectful if all(stem in each.named for stem in constraint.stems)]
    return tool in about and 2 * len(about) <= len(effectful)


def _passed(call: ToolCall) -> frozenset[str]:
    return frozenset(plain(value).lstrip("#") for _, value in leaves(call.arguments) if isinstance(value, str))


def _was_lifted(trace: Trace, each: Broken, exchange: Exchange, tool: ToolWords) -> bool:
    """The user asked for it after all, or agreed to it when asked."""
    acts = widened(tool.acts) | frozenset(each.constraint.stems)
    for at, message in trace.messages:
        if each.at < at < exchange.at and message.role == "user" and not acts.isdisjoint(wanted(message.text)):
            return True
    talked = any(each.at < at < exchange.at and message.role == "agent" for at, message in trace.messages)
    return (talked or each.constraint.unless_asked) and consented(trace, exchange.at)


_MONEY = frozenset(meaning("price cost amount total fare fee rate sum charge"))
_PAYS = frozenset(meaning("euro euros eur dollar dollars usd pound pounds gbp money budget spend pay cost price"))


def _breaks_limit(trace: Trace, each: Broken, exchange: Exchange, tool: ToolWords) -> bool:
    """A number of the call, or of the record that it picks, lies beyond the limit that was set for this act."""
    constraint = each.constraint
    if widened(tool.acts).isdisjoint(meaning(each.message)):
        return False
    own = _numbers(exchange.call.arguments)
    numbers = _meant(own, constraint) or (own if len(own) == 1 else [])
    if not numbers:
        numbers = _meant(_picked(trace, exchange), constraint)
    return bool(numbers) and all(constraint.broken_by(number) for _, number in numbers)


def _numbers(value: object) -> list[tuple[str, float]]:
    return [
        (name, number)
        for name, leaf in leaves(value)
        if not isinstance(leaf, str) and (number := number_in(leaf)) is not None
    ]


def _meant(numbers: list[tuple[str, float]], constraint: Constraint) -> list[tuple[str, float]]:
    """Those whose field is named in the words of the limit; for money, those that are money."""
    stems = set(constraint.stems)
    named = [pair for pair in numbers if not stems.isdisjoint(meaning(pair[0]))]
    if named or (stems.isdisjoint(_PAYS) and not any(sign in constraint.text for sign in "€$£")):
        return named
    money = [pair for pair in numbers if not _MONEY.isdisjoint(meaning(pair[0]))]
    return money or (numbers if len(numbers) == 1 else [])


def _picked(trace: Trace, exchange: Exchange) -> list[tuple[str, float]]:
    """The numbers of the one record of an earlier look-up that the call names by a key of its own."""
    passed = _passed(exchange.call)
    for earlier in reversed(trace.exchanges):
        if earlier.at >= exchange.at or earlier.result is None or effect_of(trace, earlier.call.tool) != "reads":
            continue
        records = records_in(earlier.result.content)
        hits = [
            record
            for record in records
            if any(isinstance(value, str) and plain(value) in passed for value in record.values())
        ]
        if len(hits) == 1 and len(records) > 1:
            return _numbers(hits[0])
    return []
