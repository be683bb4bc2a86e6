"""The plain person: says again what they want and what they know, and so needs to understand very little.

Reads only what was said: tool calls and results are not for users' eyes.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from misstep.core.event import Message
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person
from misstep.core.tape import View
from misstep.core.words import atoms, content_stems, words
from misstep.users.agenda import Agenda
from misstep.users.hearing import Heard, hear
from misstep.users.ledger import Entry, ledger_of, wish_of
from misstep.users.options import Option
from misstep.users.own_tools import OwnTools, asked_favours
from misstep.users.phrasing import Manner
from misstep.users.recognising import (
    are_named_outright,
    asked_for,
    is_shown,
    is_spoken_for,
    named_in,
    says_nothing_but,
    theirs,
    wrong_values,
)
from misstep.users.speaking import Speaker, voice_of
from misstep.wording.values import folded, spot

_PATIENT = 5
"""Who has less patience than this leaves without a warning."""
_SAME = 2
"""So often an agent may say the very same when there is nothing left to tell."""
_MOST_RESTATED = 4
_LONGEST_REPEATED = 60
_BRIEF = 14
_TOLD_ENOUGH = 2

Kind = Literal["answers", "agrees", "objects", "restates", "goes on", "leaves"]


class Turn(Struct, frozen=True):
    """What the person says, and what kind of thing it is; nothing is said by one who leaves."""

    kind: Kind
    parts: tuple[str, ...] = ()


_LEAVES = Turn("leaves")
_HOLDING = ("answers", "objects", "restates")


class PlainUser:
    """Same person, same seed, same words."""

    def __init__(self, person: Person, seed: int, manner: Manner = "first", tools: Toolbox | None = None) -> None:
        self.gave_up = False
        self.strained = False
        """The same wish had to be said twice running."""
        self._person = person
        self._ledger = ledger_of(person)
        self._tools = OwnTools(tools)
        self._speaker = Speaker(self._ledger, voice_of(self._ledger, seed, manner), self._tools)
        self._agenda = Agenda(self._ledger)
        self._heard_at = 0
        self._said_before = Counter[str]()
        self._turns = 0
        self._pressed = 0
        self._thanked = 0
        self._restated = 0
        """So many turns running, the last one included."""
        self._objected: frozenset[str] = frozenset()
        self._described = False
        self._corrected: frozenset[str] = frozenset()
        """What was put right in this turn."""
        self._picked: tuple[Option, ...] = ()
        """The option that was taken, and those that were passed over."""
        self._strayed = False
        """An aside was said at the last turn."""
        self._over = False

    async def say(self, tape: View) -> str | None:
        """The next thing to say; None when the goals are settled or the person has had enough."""
        fresh = tape[self._heard_at :]
        self._heard_at = len(tape)
        if self._over:
            return None
        self._speaker.start_turn()
        if not self._turns:
            return self._utter((await self._speaker.opening(self._agenda.open),))
        message = "\n".join(each.text for each in fresh if isinstance(each, Message) and each.role == "agent")
        turn = await self._respond(message)
        self._restated = self._restated + 1 if turn.kind == "restates" else 0
        self.strained = self.strained or self._restated > 1
        tired = self._turns >= self._person.patience or self._restated > _MOST_RESTATED
        if turn.kind == "leaves" or tired:
            self._over = True
            self.gave_up = self.gave_up or (tired and turn.kind != "leaves")
            return None
        return self._utter(turn.parts)

    def _utter(self, parts: Sequence[str]) -> str:
        text = self._tempered(" ".join(dict.fromkeys(part for part in parts if part)))
        if self._turns:
            self._speaker.notice(text)
        self._turns += 1
        return text

    def _tempered(self, text: str) -> str:
        """Patience that runs out is heard; before a question, so that this stays the last thing said."""
        left = self._person.patience - self._turns
        if self._person.patience < _PATIENT or left > 2 or not self._turns:
            return text
        temper = self._speaker.say("turns", "impatient" if left == 2 else "last_call")
        return f"{temper} {text}" if text.endswith("?") else f"{text} {temper}"

    def _gives_up(self) -> Turn:
        self.gave_up = True
        return _LEAVES

    async def _respond(self, message: str) -> Turn:
        said = folded(message)
        self._said_before[said] += 1
        if not message.strip():
            return self._gives_up() if self._said_before[said] > 1 else self._turn("answers", "turns", "still_there")
        heard, told = hear(message, self._ledger.texts), len(self._speaker.told)
        turn = await self._react(heard)
        most = _SAME - (not heard.options and (heard.has("reports") or self._is_an_answer(heard))) + self._pressed
        holds = turn.kind in _HOLDING or (turn.kind == "agrees" and self._is_an_answer(heard))
        if self._said_before[said] > most and len(self._speaker.told) == told and holds:
            return self._settled(heard)  # there is no more to say to that
        return turn

    def _turn(self, kind: Kind, group: str, key: str) -> Turn:
        return Turn(kind, (self._speaker.say(group, key),))

    async def _react(self, heard: Heard) -> Turn:
        """Favours and corrections come first, whatever else there is to say."""
        favours, rest = asked_favours(heard, self._person.favours) if self._person.favours else ([], "")
        done: list[str] = []
        for favour in favours:
            how, shown = await self._tools.done(favour)
            done.append(self._speaker.say("favours", how, shown=shown))
        if done and not rest.strip():
            return Turn("answers", tuple(done))
        corrections, self._corrected = self._speaker.put_right()
        turn = await self._moved(hear(rest) if done else heard, corrected=bool(corrections))
        if not (done or corrections) or turn.kind == "leaves":
            return turn
        kept = (
            () if corrections and turn.kind in ("agrees", "goes on") else turn.parts
        )  # these wait for what was put right
        return Turn("answers" if corrections else turn.kind, (*done, *corrections, *kept))

    async def _moved(self, heard: Heard, *, corrected: bool) -> Turn:
        strayed, self._strayed = self._strayed, False
        if not self._agenda.open and (strayed or self._agenda.waiting):
            return self._settled(heard)
        if heard.wants and not self._is_an_end(heard):
            return await self._wanted(heard)
        if corrected:
            return Turn("answers")
        if heard.has("refuses"):
            return await self._refused(heard)
        if heard.has("closes", "reports") or self._is_an_answer(heard):
            return self._settled(heard)
        if heard.has("promises") and not self._restated and self._said_before[folded(heard.text)] == 1:
            return self._turn("answers", "turns", "wait")
        if self._restated or self._thanked:
            return self._settled(heard)
        return await self._restates(volunteer=not heard.empty)

    def _is_an_end(self, heard: Heard) -> bool:
        """It ends on whether there is anything else, or reads something out, and no question names what is new."""
        if heard.has("proposes") or heard.options:
            return False
        if heard.reads_out and all(map(self._agenda.is_to_know, self._agenda.open)):
            return True
        named = asked_for(heard, self._agenda.at_hand())
        if heard.sentences[-1].mood == "closes" or heard.reads_out:
            return all(entry.name in self._speaker.told for entry in named)
        done = heard.has("reports") or bool(heard.pairs) or self._is_an_answer(heard)
        return done and heard.looks_further and not named

    def _is_an_answer(self, heard: Heard) -> bool:
        """The goal is to know something, and something is said."""
        return not heard.has("promises") and any(map(self._agenda.is_to_know, self._agenda.open))

    # What the agent wants of the person

    async def _wanted(self, heard: Heard) -> Turn:
        entries = self._agenda.at_hand()
        if self._agenda.is_declined(heard.in_mood("proposes")):
            return Turn(
                "objects", (self._speaker.say("answers", "declined"), *self._speaker.wishes(self._agenda.open, "again"))
            )
        if heard.has("proposes") and (limit := self._agenda.limit_in(heard.in_mood("proposes"))):
            return Turn("objects", (self._speaker.say("answers", "limit", value=limit),))
        for entry in entries:
            if entry.fact.from_tool is not None and is_shown(entry, spot(heard.text)):
                await self._tools.knows(entry.fact)  # nobody agrees to what they could look up without looking
        asked = asked_for(heard, entries)
        about = self._agenda.facts_of(self._agenda.goals_in(heard.but_reports))
        found = (each.entry for each in wrong_values(heard, self._ledger, about))
        wrong = [entry for entry in found if entry.open and entry.name not in self._corrected]
        new = [entry for entry in asked if entry.name not in self._speaker.told and entry not in wrong]
        names = frozenset(entry.name for entry in wrong)
        insists, self._objected = bool(names) and names == self._objected, names
        if heard.has("proposes") and not heard.options and self._is_passed_over(heard):
            return Turn("objects", (self._speaker.say("answers", "other"), self._speaker.pick(self._picked[0])))
        if wrong and not insists and (texts := await self._speaker.wrong(wrong)):
            return Turn("objects", (*texts, *await self._told(new)))
        may_choose = bool(heard.options) and not (
            asked and (not heard.options[0].listed or all(named_in(option.text, entries) for option in heard.options))
        )
        if may_choose and (turn := await self._chosen(heard)):
            return turn
        if heard.has("refuses") and not new and not self._agenda.is_plainly_a_wish(heard.in_mood("proposes")):
            return await self._refused(heard)
        if new and heard.has("asks") and not self._agenda.is_plainly_a_wish(heard.in_mood("proposes")):
            return await self._answered(heard, asked, new)
        if heard.has("proposes") or (not asked and self._puts_values(heard)):
            return await self._agreed(heard, new, wrong)
        if asked:
            return await self._answered(heard, asked, new)
        return await self._restates(volunteer=not heard.empty)

    async def _answered(self, heard: Heard, asked: Sequence[Entry], new: Sequence[Entry]) -> Turn:
        """What was asked for; where that brings nothing new, also what was not told yet."""
        texts, more = await self._told(asked), heard.questions > len(asked)
        once = all(self._speaker.told.get(entry.name, 0) <= _TOLD_ENOUGH for entry in asked)
        if not more and (new or (once and are_named_outright(heard.text, asked))):
            return Turn("answers", tuple(texts))
        if rest := self._agenda.rest(self._speaker.told):
            return Turn("answers", (*texts, *await self._told(rest)))
        return Turn("restates", (*texts, *self._speaker.wishes(self._agenda.open, "again")))

    async def _told(self, entries: Sequence[Entry]) -> list[str]:
        kept = [self._speaker.say("answers", "keeps") for entry in entries if not entry.open]
        return [*await self._speaker.tell([entry for entry in entries if entry.open]), *kept[:1]]

    async def _agreed(self, heard: Heard, new: list[Entry], wrong: Sequence[Entry]) -> Turn:
        """Yes to the wish: it is said again with its values, and with an "if" where the proposal is in other words."""
        proposal = heard.in_mood("proposes", "asks")
        if not wrong and (same := self._asked_whether(proposal)):
            return Turn("agrees", (self._speaker.say("answers", "true", name=same.name, value=same.value),))
        goals = [goal for goal in self._agenda.open if self._agenda.is_the_wish(proposal, goal)]
        plainly = bool(goals) and not wrong
        goals = goals or [goal for goal in self._agenda.open if not self._agenda.is_to_know(goal)] or self._agenda.open
        wishes = self._speaker.wishes(goals, "yes" if plainly else "yes_if")
        shown, said = spot(heard.text), spot(" ".join(wishes))
        left = [each for each in self._agenda.facts_of(goals) if not (is_shown(each, shown) or is_shown(each, said))]
        put = [each for each in self._agenda.facts_of(goals) if is_shown(each, shown)]
        left = [each for each in left if not is_spoken_for(each, put)]
        told = [each for each in left if each.name in self._speaker.told and len(each.value) <= _LONGEST_REPEATED]
        if not plainly and not heard.empty:
            new = [each for each in left if each.name not in self._speaker.told]
        return Turn("agrees", (*wishes, *await self._speaker.repeat(told), *await self._told(new)))

    def _puts_values(self, heard: Heard) -> bool:
        """It shows some of what is to be put right or agreed to: a value of theirs, or a literal of the agent's own."""
        seen = spot(heard.text)
        return not heard.questions and any(is_shown(entry, seen) for entry in self._agenda.facts_of(self._agenda.open))

    def _asked_whether(self, proposal: str) -> Entry | None:
        """`Is your order number W-17?`: nothing but a value is put, and it is right."""
        if len(words(proposal)) > _BRIEF or "?" not in proposal:
            return None
        named = [
            entry
            for entry in named_in(proposal, self._agenda.facts_of(self._agenda.open))
            if is_shown(entry, spot(proposal))
        ]
        return named[0] if len(named) == 1 and says_nothing_but(proposal, named[0]) else None

    async def _chosen(self, heard: Heard) -> Turn | None:
        """The option that holds what is theirs; else what is wanted, described once, then no preference."""
        wants = frozenset(content_stems(" ".join(map(wish_of, self._agenda.open))))
        best = theirs(heard.options, self._agenda.facts_of(self._agenda.goals_in(heard.text)), wants)
        if len(best) == 1:
            self._picked = (best[0], *(option for option in heard.options if option is not best[0]))
            return Turn("answers", (self._speaker.pick(best[0]),))
        if not heard.options[0].listed and self._is_leave_or_else(heard.options[0]):
            return None
        if self._described and not self._agenda.rest(self._speaker.told) and not self._agenda.wants_several():
            return self._turn("answers", "options", "any")
        self._described = True
        return await self._restates(volunteer=True)

    def _is_leave_or_else(self, option: Option) -> bool:
        """`Shall I go ahead, or …?` is no choice between two things."""
        own = hear(option.text)
        return own.empty or self._agenda.is_plainly_a_wish(option.text)

    def _is_passed_over(self, heard: Heard) -> bool:
        """What is proposed shows a literal of an option that was not taken, and none of the one that was."""
        if not self._picked:
            return False
        shown = {folded(atom.text) for atom in atoms(heard.text)}
        mine, *others = ({folded(atom.text) for atom in atoms(option.text)} for option in self._picked)
        return shown.isdisjoint(mine) and any(shown & (other - mine) for other in others)

    async def _restates(self, *, volunteer: bool) -> Turn:
        """The wish, with what was told and, where they volunteer, what was not told yet."""
        goals, rest = self._agenda.open, self._agenda.rest(self._speaker.told) if volunteer else []
        parts = self._speaker.wishes(goals, "again")
        said = spot(" ".join(parts))
        told = [
            entry
            for entry in self._agenda.facts_of(goals)
            if entry.name in self._speaker.told and len(entry.value) <= _LONGEST_REPEATED and not is_shown(entry, said)
        ]
        if self._restated and volunteer and not rest:
            parts.insert(0, self._speaker.say("answers", "all_told"))
        return Turn("restates", (*parts, *await self._speaker.repeat(told), *await self._told(rest)))

    # What the agent wants nothing with

    async def _refused(self, heard: Heard) -> Turn:
        """They volunteer nothing but what it names, and press as often as the scenario says."""
        new = [
            entry
            for entry in asked_for(heard, self._agenda.at_hand())
            if entry.open and entry.name not in self._speaker.told
        ]
        if new:
            return Turn("answers", tuple(await self._told(new)))
        if self._pressed < self._person.presses and self._agenda.open:
            self._pressed += 1
            key = "press" if self._pressed == 1 else "press_more"
            return Turn("answers", tuple(self._speaker.wishes(self._agenda.goals_in(heard.in_mood("refuses")), key)))
        if heard.wants and not self._restated:
            return await self._restates(volunteer=False)
        return self._settled(heard)

    def _settled(self, heard: Heard) -> Turn:
        """The goal at hand is: an aside, the next one, or the end. Several at once may be reported one by one."""
        if self._thanked < len(self._agenda.open) - 1 and not heard.has("closes"):
            self._thanked += 1
            return self._turn("goes on", "turns", "thanks")
        self._agenda.open = []
        if self._agenda.asides:
            self._strayed = True
            return Turn("goes on", (self._agenda.asides.pop(0),))
        if not self._agenda.waiting:
            return _LEAVES
        self._agenda.open = [self._agenda.waiting.pop(0)]
        self._thanked, self._described, self._objected, self._picked = 0, False, frozenset[str](), ()
        return Turn("goes on", (self._speaker.next(self._agenda.open[0]),))
