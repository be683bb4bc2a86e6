"""Parts of one conversation → what the person says of them: the only door from here to the wording."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import cast

from msgspec import Struct, structs

from misstep.core.scenario import Goal
from misstep.core.tool import Tool
from misstep.core.words import split_identifier
from misstep.synthesis.ground import spoken_value
from misstep.synthesis.limiting import Limited, lead_in, limited, scope, scope_in_brief, taken_for_granted
from misstep.synthesis.parts import Part
from misstep.synthesis.rivals import rivals
from misstep.synthesis.task import Item, Task
from misstep.synthesis.tasks.calling import subject_noun
from misstep.synthesis.tasks.looks import noun_of
from misstep.wording.requests import (
    Act,
    Closeness,
    Place,
    Saying,
    Worded,
    aside,
    facts_in,
    filler,
    order_of,
    typos,
    voices,
    wish_of,
    worded,
)
from misstep.wording.requests.voices import rules_of

__all__ = ["Manner", "Script", "Spoken", "samples", "scripted", "voices"]

_RATES = {"typos": 0.06, "heavy": 0.18}
_ATTEMPTS = 6
_SAMPLES = 12
_MASK = "___"
_CLOSENESS: Mapping[str, Closeness] = {"close": "close", "synonym": "synonym", "foreign": "foreign"}


class Manner(Struct, frozen=True, kw_only=True):
    """How a person speaks."""

    voice: str = "plain"
    closeness: str = "close"
    noise: str = "none"
    filler: int = 0
    asides: int = 0


class Spoken(Struct, frozen=True):
    """What is asked for in an opening, as the wording knows it: for whoever would put it in other words."""

    act: Act
    worded: Worded


class Script(Struct, frozen=True, kw_only=True):
    """What a person is going to say by themselves."""

    opening: str
    goals: tuple[Goal, ...]
    constraints: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    skeleton: str = ""
    """The opening with every fact masked."""
    closeness: str = "close"
    """How close to the tools' words the main request came out."""
    noise: str = "none"
    lost: tuple[str, ...] = ()
    """Facts that should be in the words and could not be read there again."""
    spoken: Spoken | None = None
    """The requests of the opening, without what stands round them."""


class _Request(Struct, frozen=True, kw_only=True):
    """What is said of one part."""

    text: str
    skeleton: str
    wish: str
    closeness: str = "close"
    written: tuple[str, ...] = ()
    """Values as they stand in the text."""
    lost: tuple[str, ...] = ()
    sayings: tuple[Saying, ...] = ()
    """All that there is to say of it."""
    told: tuple[str, ...] = ()
    """Names of those of them that are in the text."""
    about: tuple[str, str, str] = ("", "", "")
    """The tool, its description, and what a question asks for."""


def scripted(
    opening: Sequence[Part],
    later: Sequence[Part],
    *,
    main: Part,
    manner: Manner,
    tools: Mapping[str, Tool],
    persons: Collection[str] = (),
    random: Random,
) -> Script:
    """All that the person says unasked. What was said once is not said again with another goal of the same thing.

    `persons`: values that say who speaks, which need no saying twice.
    """
    speaker = _Speaker(manner, tools, random, persons)
    mentioned = _mentioned(opening)
    start_place: Place = "alone" if len(opening) == 1 and not later else "first"
    first = [speaker.request(part, "next" if at else start_place) for at, part in enumerate(mentioned)]
    parts = (*opening, *later)
    limits = {part.task.id: speaker.limit(part, parts) for part in parts if part.constraint is not None}
    spoken = _spoken(first)
    first = [_limited(each, limits.get(part.task.id)) for part, each in zip(mentioned, first, strict=True)]
    then = [_unlinked(speaker.request(part, "next", later=True), manner.voice) for part in later]
    said = {part.task.id: each for part, each in zip((*mentioned, *later), (*first, *then), strict=True)}
    start = _Draft.of(first)
    for limit in (limits[part.task.id] for part in later if part.task.id in limits):
        start = start.led_by(lead_in(random, after_request=bool(first)), limit)
    start = start.adding_filler(manner.filler, random)
    kept = (*(value for each in (*first, *then) for value in each.written), *(each.text for each in limits.values()))
    text, noise = _noisy(start.text, kept, manner.noise, random)
    return Script(
        opening=text,
        goals=(
            *(Goal(ask=said[part.task.id].wish, wish=said[part.task.id].wish) for part in opening),
            *(
                Goal(
                    ask=_noisy(said[part.task.id].text, kept, manner.noise, random)[0],
                    wish=said[part.task.id].wish,
                    after=True,
                )
                for part in later
            ),
        ),
        constraints=tuple(limit.text for limit in limits.values()),
        asides=tuple(aside(random) for _ in range(manner.asides)),
        skeleton=start.skeleton,
        closeness=said[main.task.id].closeness,
        noise=noise,
        lost=tuple(name for each in (*first, *then) for name in each.lost),
        spoken=spoken,
    )


def _spoken(requests: Sequence[_Request]) -> Spoken | None:
    """Several requests as one: what goes by the same name in two of them is told apart by its place."""
    if not requests:
        return None
    sayings: list[Saying] = []
    told: list[str] = []
    for at, each in enumerate(requests):
        for saying in each.sayings:
            name = f"{saying.name} of request {at + 1}" if at else saying.name
            sayings.append(structs.replace(saying, name=name))
            told.extend([name] if saying.name in each.told else [])
    tool, description, wants = (
        " ".join(filter(None, texts)) for texts in zip(*(r.about for r in requests), strict=True)
    )
    start = _Draft.of(requests)
    written = tuple(value for each in requests for value in each.written)
    return Spoken(
        Act(tool, description, tuple(sayings), wants), Worded(start.text, start.skeleton, tuple(told), written)
    )


def samples(voice: str) -> tuple[str, ...]:
    """A few messages in a voice, of nothing in particular."""
    act = Act(
        "update_record", "Update a record.", (Saying("number", "R-17", "key"), Saying("title", "Notes", "content"))
    )
    random = Random(0)
    return tuple(worded(act, voice=voice, random=random).text for _ in range(_SAMPLES))


class _Speaker:
    """Words requests one after another and remembers what was told."""

    def __init__(self, manner: Manner, tools: Mapping[str, Tool], random: Random, persons: Collection[str]) -> None:
        self._persons = persons
        self._manner = manner
        self._closeness: Closeness = _CLOSENESS[manner.closeness]
        self._tools = tools
        self._random = random
        self._voiced: list[tuple[Task, tuple[Item, ...]]] = []

    def request(self, part: Part, place: Place, *, later: bool = False) -> _Request:
        tell = tuple(
            item.name for item in part.items if item.name in part.up_front and not self._is_clear(part, item, later)
        )
        act = _act(part, self._tools, tell)
        made = self._worded(act, tell, place)
        grouped = any(item.tells_which for item in part.items)
        if part.constraint is not None and (all_ := scope(part.constraint, self._random, grouped=grouped)):
            made = structs.replace(
                made,
                text=f"{_ended(made.text)} {all_}",
                skeleton=f"{_ended(made.skeleton)} {all_}",
                wish=f"{made.wish}, {scope_in_brief(part.constraint)}",
            )
        if part.belief is not None:
            wrong = taken_for_granted(part.belief.field, part.belief.false, self._random)
            belief = Saying(part.belief.field, part.belief.false, "mark", says=tuple(wrong.values))
            made = structs.replace(
                made,
                text=f"{_ended(made.text)} {wrong.text}",
                skeleton=f"{_ended(made.skeleton)} {_masked(wrong.text, wrong.values)}",
                sayings=(*made.sayings, belief),
                told=(*made.told, belief.name),
            )
        self._voiced.append((part.task, tuple(item for item in part.items if item.name in tell)))
        return made

    def _is_clear(self, part: Part, item: Item, later: bool) -> bool:
        """Whether it was said before: in the same breath, with no other thing of the kind between; or it is who speaks.

        Turns later nobody knows any more which of all that was spoken of is meant.
        """
        if part.constraint is not None and part.constraint.kind != "order":
            return False
        who = spoken_value(item.value) in self._persons
        for task, told in reversed(self._voiced):
            if any((each.name, each.value) == (item.name, item.value) for each in told):
                return who or not later
            if not who and rivals(task, part.task):
                return False
        return False

    def _worded(self, act: Act, tell: Sequence[str], place: Place) -> _Request:
        """Drafts until one can be read back whole."""
        voice, told = self._manner.voice, [saying for saying in act.sayings if saying.name in tell]
        made: _Request | None = None
        for _ in range(_ATTEMPTS):
            said = worded(act, voice=voice, closeness=self._closeness, random=self._random, tell=tell, place=place)
            found = facts_in(said.text, told)
            made = _Request(
                text=said.text,
                skeleton=said.skeleton,
                wish=wish_of(act, said=said.text),
                closeness=said.closeness,
                written=said.written,
                lost=(*found.lost, *found.changed),
                sayings=act.sayings,
                told=tuple(tell),
                about=(act.tool, act.description, act.wants),
            )
            if not made.lost:
                break
        return cast("_Request", made)

    def limit(self, part: Part, parts: Sequence[Part]) -> Limited:
        """A part's constraint as it is said; an order is one with the part that comes next."""
        assert part.constraint is not None
        at = parts.index(part)
        return limited(part.constraint, [self._doing(each) for each in parts[at : at + 2]], self._random)

    def _doing(self, part: Part) -> str:
        """What is to be done, as after "please"."""
        act = _act(part, self._tools, ())
        content = [each for each in act.sayings if each.role == "content"]
        first = [each for each in content if each.name in part.up_front] or content
        # What is said of it up front is what it goes by: not the night that is to change, but the hours.
        spoken = tuple(each for each in act.sayings if each.role != "content" or each in first)
        act = structs.replace(act, sayings=spoken, several=False)
        said = order_of(act, random=self._random)
        return said if said[:1].islower() and said[-1] not in ".?!" else " ".join(split_identifier(part.task.tool))


def _limited(request: _Request, limit: Limited | None) -> _Request:
    """With its constraint right behind it, so that it is no other request's."""
    if limit is None:
        return request
    masked = _masked(limit.text, limit.values)
    return structs.replace(
        request, text=f"{request.text} {limit.text}", skeleton=f"{request.skeleton} {masked}".strip()
    )


def _mentioned(opening: Sequence[Part]) -> tuple[Part, ...]:
    """Where an order is wanted, the part that has to wait is spoken of first."""
    if len(opening) > 1 and opening[0].constraint is not None and opening[0].constraint.kind == "order":
        return (opening[1], opening[0], *opening[2:])
    return tuple(opening)


def _act(part: Part, tools: Mapping[str, Tool], tell: Sequence[str]) -> Act:
    """What the wording is told: with slips in place of what is meant, and no outcome that tells too much."""
    task = part.task
    tool = tools.get(task.tool)
    created = (noun_of(change.table) for change in task.changes if change.key is None and not change.deleted)
    kept_back = {item.value for item in part.items if item.name not in tell}
    sayings: list[Saying] = []
    for item in part.items:
        slip = part.at_first.get(item.name)
        value, says = (item.value, item.says) if slip is None else (slip, ())
        sayings.append(Saying(item.name, value, item.role, item.argument, says))
    return Act(
        task.tool,
        tool.description if tool else "",
        tuple(sayings),
        task.wants,
        tuple((name, value) for name, value in task.outcome if value not in kept_back and not part.at_first),
        task.kind,
        (subject_noun(tool) if tool else "") or _subject_record(task),
        task.whole,
        _is_number(task),
        task.kind == "refusal" or bool(task.changes),
        tuple(dict.fromkeys((*created, *map(noun_of, task.new)))),
        tuple(dict.fromkeys(noun_of(table) for table, _ in task.touches if table not in task.new)),
        part.constraint is not None and part.constraint.kind != "order",
    )


def _is_number(task: Task) -> bool:
    """Whether what is to be told is a whole number and nothing else."""
    told = [value for fact in task.told for value in fact.any_of]
    return bool(told) and all(isinstance(value, int) for value in told)


def _subject_record(task: Task) -> str:
    """What a question is about whose tool does not say: a record of this kind is what the answer shows."""
    return noun_of(task.touches[0][0]) if task.kind == "question" and task.touches else ""


class _Draft(Struct, frozen=True):
    """An opening in the making: its text, and the same with every fact masked."""

    text: str
    skeleton: str

    @classmethod
    def of(cls, requests: Sequence[_Request]) -> "_Draft":
        return cls(" ".join(each.text for each in requests), " ".join(each.skeleton for each in requests))

    def adding(self, text: str, values: Iterable[str] = ()) -> "_Draft":
        return _Draft(f"{_ended(self.text)} {text}".strip(), f"{_ended(self.skeleton)} {_masked(text, values)}".strip())

    def led_by(self, words: str, limit: Limited) -> "_Draft":
        text = limit.text[:1].lower() + limit.text[1:] if words.endswith(":") else limit.text
        return self.adding(f"{words} {text}", limit.values)

    def adding_filler(self, words: int, random: Random) -> "_Draft":
        """Before or behind all the rest."""
        if not words:
            return self
        talk = filler(words, random)
        if random.random() < 0.5:
            return _Draft(f"{talk} {self.text}".strip(), f"{talk} {self.skeleton}".strip())
        return self.adding(talk)


def _unlinked(request: _Request, voice: str) -> _Request:
    """Without the "also" that it begins with: who brings it up later has a way of their own to do so."""
    link = next((each for each in rules_of(voice)["link"] if request.text.casefold().startswith(each.casefold())), "")
    rest = request.text[len(link) :].lstrip(" .,:;-")
    return structs.replace(request, text=rest[:1].upper() + rest[1:] if link else request.text)


def _ended(text: str) -> str:
    """With a full stop where something follows that does not belong to it."""
    return f"{text}." if text[-1:].isalnum() or text.endswith(_MASK) else text


def _masked(text: str, values: Iterable[str]) -> str:
    for value in values:
        text = text.replace(value, _MASK)
    return text


def _noisy(text: str, keep: Sequence[str], noise: str, random: Random) -> tuple[str, str]:
    """The text with slips of the fingers, and whether there are any: a short one may have no word to slip on."""
    if noise not in _RATES:
        return text, "none"
    for _ in range(_ATTEMPTS):
        slipped = typos(text, keep=keep, random=random, rate=_RATES[noise])
        if slipped != text:
            return slipped, noise
    return text, "none"
