"""Score the simulated user on a TOML file of exchanges: what an agent said, what it meant, what a right reply has."""

import asyncio
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.errors import InvalidTrialError
from misstep.core.event import Message
from misstep.core.scenario import Fact, Person
from misstep.core.tape import Tape
from misstep.users import MANNERS
from misstep.users.simulated import SimulatedUser
from misstep.users.weighing.hearing import Weights
from misstep.wording.phrasing import Manner

Score = Literal["right", "asked_back", "invalid", "misread"]
SCORES: tuple[Score, ...] = ("right", "asked_back", "invalid", "misread")

SEED = 1
YES = re.compile(
    r"(?:^|[.!,;:]\s+)(?:oh,? )?(?:yes|yeah|yep|yup|sure|correct|right|exactly|absolutely|of course|okay|ok|fine"
    r"|perfect|confirmed|agreed|great|go ahead|please (?:do|go|proceed)|that(?:'s| is) (?:right|correct|it|fine|ok)"
    r"|that would be (?:right|fine|good|great)|(?:sounds|looks|all) (?:good|right|fine|correct))\b"
)
AGREES = r"(?:yes|yeah|yep|sure)\b"
NO = re.compile(r"\b(?:no|nope|not|none|neither|never|wrong|incorrect|actually|rather|instead)\b|n't\b")
LACKS = re.compile(r"\b(?:no|not|cannot|none|unsure|without|never|afraid|all i (?:have|know))\b|n't\b")
LOST = re.compile(
    r"\b(?:mean|understand|rephrase|differently|another way|other words|follow you|not follow|n't follow"
    r"|put (?:that|it|this|the rest)|meaning (?:my|which))\b"
)
PLACES = tuple(
    re.compile(rf"\b{word}\b|^(?:option |number )?{at + 1}\b|^{'abcdefghij'[at]}\b[,.]")
    for at, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split())
)
"""How the first, the second and so on of what was listed is taken, without a word of what it is."""
LABELLED = re.compile(r"(?:option |number )?(\d+|[a-j])\b(?:, please|[.,]|$)")
"""A pick by nothing but the number or the letter in front of it."""
PUZZLED = re.compile(r"\?|\b(?:sorry|pardon|not sure what)\b")


class Right(Struct, frozen=True, forbid_unknown_fields=True):
    """What a right reply has, beside the rule that a fact nobody asked for is not told."""

    has: tuple[str | tuple[str, ...], ...] = ()
    """Each of these; of alternatives, one."""
    hasnt: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    """Values that may be told and need not be."""
    answer: Literal["", "yes", "no", "lacks", "settled", "resigned", "stays"] = ""
    """`settled`: content with what was done, or silent; `resigned`: takes the refusal, presses, or leaves; `stays`:
    goes on, whatever is said."""


class Exchange(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that an agent says to a person, and what it really is."""

    register: Literal["formal", "terse", "chatty", "oblique"]
    person: str
    agent: str
    means: dict[str, str | bool | tuple[str, ...]]
    right: Right
    before: tuple[str, ...] = ()
    """What the agent said earlier; the person replies to each."""


class Exchanges(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of them: people by name, with the trade of the agent that they talk to."""

    trades: dict[str, str]
    people: dict[str, Person]
    exchanges: tuple[Exchange, ...]


def read(path: Path) -> Exchanges:
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Exchanges)


def plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("*", "").replace("`", "").casefold().split())


def holds(text: str, value: object) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(plain(str(value)))}(?!\w)", plain(text)))


def told(reply: str, facts: Iterable[Fact], heard: str) -> tuple[Fact, ...]:
    """The facts whose value the reply is the first to say."""
    return tuple(
        fact
        for fact in facts
        if not isinstance(fact.value, bool)
        and any(holds(reply, value) for value in (fact.value, *fact.says))
        and not any(holds(heard, value) for value in (fact.value, *fact.says))
    )


def fits_answer(reply: str, answer: str) -> bool:
    said = plain(reply)
    agrees, objects = bool(YES.search(said)), bool(NO.search(said))
    fits: Mapping[str, bool] = {
        "": True,
        "yes": agrees and not re.match(r"(?:no|nope)\b", said),
        "no": objects and not re.match(AGREES, said),
        "lacks": bool(LACKS.search(said)),
        "settled": not re.match(r"(?:no|nope)\b(?!,? (?:thank|that)|\.?$)", said) and not LOST.search(said),
        "resigned": not re.match(AGREES, said) and not LOST.search(said),
        "stays": not re.match(r"(?:no|nope)\b", said),
    }
    return fits[answer]


def _listed(what: str | bool | tuple[str, ...]) -> tuple[str, ...]:
    return () if isinstance(what, bool) else (what,) if isinstance(what, str) else what


def _named(exchange: Exchange) -> set[str]:
    return {name for what in exchange.means.values() for name in _listed(what)}


def meant(exchange: Exchange, person: Person) -> Iterable[str]:
    """The values of the facts that it is about: a label may give only a part of one for what a reply must have."""
    return (str(fact.value) for fact in person.facts if fact.name in _named(exchange))


def free_facts(exchange: Exchange, person: Person, heard: str) -> set[str]:
    """The facts that may be told: those that it is about, those that are allowed, and what was said already."""
    may = " / ".join((*exchange.right.may, heard))
    said = {fact.name for fact in person.facts if any(holds(may, value) for value in (fact.value, *fact.says))}
    return said | _named(exchange)


def picked_by_label(reply: str, exchange: Exchange) -> bool:
    """`Number 2, please`, where `2. Group lesson` is what is wanted."""
    found = LABELLED.match(plain(reply))
    wanted = [(each,) if isinstance(each, str) else each for each in exchange.right.has]
    if found is None or len(wanted) != 1 or not isinstance(exchange.means.get("lists_options"), str):
        return False
    lines = re.findall(rf"(?:^|\n)\W*{found[1]}\W([^\n]*)", exchange.agent, re.IGNORECASE)
    return any(holds(line, value) for line in lines for value in wanted[0])


def picked_by_place(reply: str, exchange: Exchange) -> bool:
    """`The first one, please`, where what was listed first is what is wanted."""
    said, right = plain(exchange.agent), exchange.right
    listed = [(each,) if isinstance(each, str) else each for each in (*right.has, *right.hasnt)]
    places = [min((at for at in map(said.find, map(plain, ways)) if at >= 0), default=-1) for ways in listed]
    if len(right.has) != 1 or -1 in places or len(places) > len(PLACES):
        return False
    return bool(PLACES[sorted(places).index(places[0])].search(plain(reply)))


def puts_right(reply: str, answer: str, *, has: bool, wanted: bool) -> bool:
    """Who says just what it should be has said no."""
    return answer == "no" and wanted and has and not re.match(AGREES, plain(reply))


def score(reply: str | None, exchange: Exchange, person: Person, heard: str) -> Score:
    right = exchange.right
    if reply is None:
        return "right" if right.answer in {"settled", "resigned"} and not right.has else "misread"
    wanted = [(each,) if isinstance(each, str) else each for each in right.has]
    free = " / ".join([*right.may, *(value for each in wanted for value in each), *meant(exchange, person)])
    new = told(reply, person.facts, heard)
    leaked = any(not any(holds(free, value) for value in (fact.value, *fact.says)) for fact in new)
    has = all(any(holds(reply, value) for value in each) for each in wanted)
    hasnt = not any(holds(reply, value) for value in right.hasnt)
    fits = fits_answer(reply, right.answer) or puts_right(reply, right.answer, has=has, wanted=bool(wanted))
    picked = picked_by_place(reply, exchange) or picked_by_label(reply, exchange)
    if hasnt and not leaked and ((has and fits) or picked):
        return "right"
    said = plain(reply)
    lost = bool(LOST.search(said)) or (not new and bool(PUZZLED.search(said)))
    starts = re.match(r"(?:yes|yeah|yep|sure|no|nope)\b", said)
    return "asked_back" if lost and hasnt and not leaked and not starts else "misread"


class Held(Struct, frozen=True):
    """What came of a conversation: how the user did, what it said, and whether it bore hearing the same again."""

    score: Score
    reply: str | None
    bears_repeating: bool


def hold(exchange: Exchange, person: Person, manner: Manner, weights: Weights | None = None) -> Held:
    """Hold the conversation, judge the last reply, and say the last thing again, word for word."""
    user = SimulatedUser(person, SEED, manner, weights)
    with asyncio.Runner() as runner:
        return _held(exchange, person, user, runner)


def _held(exchange: Exchange, person: Person, user: SimulatedUser, runner: asyncio.Runner) -> Held:
    tape = Tape()

    def hears(text: str) -> tuple[str | None, str]:
        """The reply, and all that was said before it."""
        tape.append(Message(actor="agent", role="agent", text=text))
        heard = "\n".join(event.text for event in tape.view if isinstance(event, Message))
        reply = runner.run(user.say(tape.view))
        tape.append(Message(actor="user", role="user", text=reply or ""))
        return reply, heard

    tape.append(Message(actor="user", role="user", text=runner.run(user.say(tape.view)) or ""))
    try:
        for text in exchange.before:
            hears(text)
        reply, heard = hears(exchange.agent)
    except InvalidTrialError as error:
        return Held("invalid", str(error), bears_repeating=False)
    judged = score(reply, exchange, person, heard)
    try:
        hears(exchange.agent)
    except InvalidTrialError:
        return Held(judged, reply, bears_repeating=False)
    return Held(judged, reply, bears_repeating=True)


def report(exchanges: Exchanges, manner: Manner, *, totals: bool) -> Iterable[str]:
    results = [(each, hold(each, exchanges.people[each.person], manner)) for each in exchanges.exchanges]
    counts = Counter((each.register, held.score) for each, held in results)
    yield f"{manner}: {len(results)} exchanges"
    for register in () if totals else sorted({each.register for each, _ in results}):
        yield f"  {register:8}" + "".join(f" {name} {counts[register, name]:3}" for name in SCORES)
    invalid = sum(not held.bears_repeating for _, held in results)
    yield f"  invalid when the agent repeats itself word for word: {invalid}"
    yield "  all     " + "".join(f" {name} {sum(held.score == name for _, held in results):3}" for name in SCORES)
    for each, held in () if totals else results:
        if held.score == "misread":
            yield (
                f"\n  {each.register}, {each.person}, {each.means}\n"
                f"    agent: {each.agent!r}\n    user:  {held.reply!r}"
            )


def main(arguments: Sequence[str]) -> None:
    totals = "--totals" in arguments
    for path in (Path(argument) for argument in arguments if argument != "--totals"):
        exchanges = read(path)
        for manner in MANNERS:
            sys.stdout.write("\n".join([path.name, *report(exchanges, manner, totals=totals), ""]))


if __name__ == "__main__":
    main(sys.argv[1:])
