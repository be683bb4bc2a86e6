"""A user with a ledger of facts and goals: hears what the agent says, and says only what the ledger allows."""

from collections.abc import Sequence

from msgspec import structs

from misstep.core.errors import InvalidTrialError
from misstep.core.scenario import Person
from misstep.core.tape import View
from misstep.core.words import stem
from misstep.users.accounting import strange
from misstep.users.agenda import Agenda
from misstep.users.answering import Wanted, asks_which, describing, is_lost, pointing_out, told_once, wanted
from misstep.users.assenting import withheld
from misstep.users.choosing import choose, chosen_together, code_of, fits
from misstep.users.confirming import (
    doubted,
    is_declined_offer,
    is_idle,
    objection,
    presupposed,
    proposed,
    statement_objection,
    sums_up,
    supported,
)
from misstep.users.contradicting import Objection, is_said
from misstep.users.doubting import Doubts
from misstep.users.hinting import Hint, fragments, hinted, named_outright
from misstep.users.judging import Judge
from misstep.users.ledger import ledger_of, violations
from misstep.users.listening import Ear
from misstep.users.misgiving import Misgivings
from misstep.users.moves import AGREES, DONE, GIVE_UP, LOST, Move, corrected, not_understood, tempered
from misstep.users.objecting import Objecting
from misstep.users.picking import Picker
from misstep.users.puzzling import Puzzle
from misstep.users.rounds import Rounds
from misstep.users.speaking import Speaker
from misstep.users.weighing.hearing import Hearing, Weights
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.options import Option
from misstep.wording.phrasing import Manner
from misstep.wording.understanding import Ask, Confirm, Reading, ask_of, understand
from misstep.wording.values import holds, spot

_TELLINGS = 3
"""How often a fact is told before the person has had enough."""


class SimulatedUser:
    """Same person, same seed, same words. Reads only what was said: tool calls and results are not for users' eyes."""

    def __init__(self, person: Person, seed: int, manner: Manner = "first", weights: Weights | None = None) -> None:
        self.gave_up = False
        self._person = person
        self._agenda = Agenda(person.goals)
        self._whole = ledger_of(person, manner)
        self._ledger = self._agenda.at_hand(self._whole)
        self._asides = list(person.asides)
        self.speaker = Speaker(self._whole, seed, manner)
        self._ear = Ear()
        self._weights = weights
        hearing = Hearing("", self._ledger, weights)
        self.misgivings = Misgivings(hearing)
        self._doubts = Doubts(self._ledger, hearing, self.misgivings)
        self._turns = 0
        self._pressed = 0
        self._picker = Picker(self.speaker)
        self._judge = Judge(self._ledger, hearing, self.misgivings, self._picker.picks)
        self._rounds = Rounds()
        self._objecting = Objecting(self.speaker)
        self._puzzle = Puzzle(self._ledger, self.speaker)
        self._strayed = False
        """An aside was said at the last turn."""
        self._ignored = False
        self._over = False

    async def say(self, tape: View) -> str | None:
        """The next thing to say; None when the goals are settled or the person has had enough."""
        message = self._ear.hears(tape)
        if self._over:
            return None
        self.speaker.start_turn()
        opens = not self._turns
        move = Move("opens", self.speaker.opening(self._agenda.said)) if opens else self._respond(message)
        move = corrected(move, self.speaker)
        impatient = self._turns >= self._person.patience
        if move.text is not None and (impatient or self._rounds.comes_round(message, move, self._pressed)):
            move = GIVE_UP
        if move.text is None:
            self._over, self.gave_up = True, move is GIVE_UP
            return None
        text = tempered(move.text, self._person, self._turns, self.speaker)
        self._turns += 1
        told, slips = self.speaker.told.keys(), self.speaker.slipping
        if wrong := violations(text, self._whole, allowed=told, heard=self._ear.words, slips=slips):
            raise InvalidTrialError(
                "user-simulator",
                f"The simulated user was about to say {text!r}, in which {wrong[0].text!r} is {wrong[0].kind}.",
            )
        return text

    def pause(self, tape: View) -> bool:
        """A turn in which something is done and no answer is wanted. Does the person still have the patience?"""
        _ = self._ear.hears(tape)
        self._over = self.gave_up = self._over or self._turns >= self._person.patience
        self._turns += 1
        return not self._over

    def _respond(self, message: str) -> Move:
        """React; an agent that asks again what it was told, when there is no more to tell, has failed, not the user."""
        before = sum(self.speaker.told.values()), len(self._picker.picks)
        move = self._react(message)
        if move is LOST and self._rounds.was_answered(message):
            return GIVE_UP
        if move is LOST:
            raise not_understood(message)
        if (sum(self.speaker.told.values()), len(self._picker.picks)) != before:
            self._rounds.answered(message)
        return move

    def _react(self, message: str) -> Move:
        self._ledger = self._puzzle.ledger = self._agenda.at_hand(self._whole)
        if not message.strip():
            ignored, self._ignored = self._ignored, True
            return GIVE_UP if ignored else Move("waits", self.speaker.say("turns", "still_there"))
        self._ignored = False
        hearing = Hearing(message, self._ledger, self._weights)
        self.misgivings.hears(hearing)
        self._doubts.hears(message, self._ledger, hearing)
        self._judge.hears(message, self._ledger, hearing)
        if not self._judge.is_proposal() and (move := self._puzzle.assented(message)) is not None:
            return move
        strayed, self._strayed = self._strayed, False
        reading = named_outright(understand(message), self._ledger)
        if named := fragments(reading, self._ledger, self.speaker.told):
            reading = structs.replace(reading, asks=(*reading.asks, *named))
        if reading.options or reading.confirm or reading.asks:
            return self._reply(reading)
        if "greeting" in reading.signals and self._doubts.may_be_open():
            self._puzzle.clear()
            goal = self._agenda.current or self._agenda.next()
            return DONE if goal is None else Move("insists", self.speaker.again(goal))
        move = self._refuse(reading) or self._check(reading) or self._take_hint(reading, strayed=strayed)
        if move := move or self._put_right(reading) or self._make_sure(reading, strayed=strayed):
            return move
        self._puzzle.clear()
        if "wait" in reading.signals and not reading.signals & {"done", "refusal", "more"}:
            return Move("waits", self.speaker.say("turns", "wait"))
        return self._press(reading) or self._settle()

    def _reply(self, reading: Reading) -> Move:
        moves: list[Move] = []
        if reading.options:
            moves.append(self._choose(reading.options, reading.question, alone=not reading.asks))
        confirm = reading.confirm
        if confirm and reading.asks and is_idle(confirm, self._ledger):
            confirm = None
        if confirm and (agreed := self._confirm(confirm)) is not None:
            moves.append(agreed)
        if not moves and any(is_declined_offer(ask, self._ledger) for ask in reading.asks):
            return self._object(Objection("declined"))
        asks = self._to_answer(reading.asks)
        if moves:  # beside something to agree to or to choose, `anything` and `details` ask for nothing
            asks = tuple(ask for ask in asks if not self._wanted(ask).generic)
        asks, strayed = told_once({ask: self._wanted(ask) for ask in asks})
        answers = [(ask, self._answer(ask, reading.text)) for ask in asks]
        moves.extend(move for _, move in answers if move is not None)
        lost = [ask for ask, move in answers if move is None] + [ask for ask in reading.asks if ask not in asks]
        if moves and not (confirm or reading.options):
            moves.extend(self._hinted_besides(reading))
        if moves:
            strayed = strayed or any(is_lost(ask, self._wanted(ask)) for ask in lost)
            moves.extend(self._over_the_rest(reading, moves, strayed=strayed))
        if not moves and (move := self._as_a_proposal(reading)) is not None:
            moves.append(move)
        if not moves:
            return self._ask_back(reading)
        if GIVE_UP in moves:
            return GIVE_UP
        self._puzzle.clear()
        if not (reading.options or reading.confirm) and (wrong := self._objecting.to_slip(reading.text, self._ledger)):
            moves.insert(0, wrong)
        texts = list(dict.fromkeys(move.text for move in moves if move.text))
        return Move(" ".join(move.gist for move in moves), " ".join(texts)) if texts else self._settle()

    def _ask_back(self, reading: Reading) -> Move:
        if (move := self._judged()) is not None:
            return move
        ask = reading.asks[0] if reading.asks else Ask(reading.text, ())
        maybe = self._wanted(ask).maybe
        return self._point_out(ask, maybe) or self._puzzle.over(ask, maybe, reading.text, self._doubts.surely())

    def _over_the_rest(self, reading: Reading, moves: Sequence[Move], *, strayed: bool) -> list[Move]:
        """One sentence on all that found no answer."""
        rests = [move.lost for move in moves if move.lost is not None]
        maybe = {entry.name: entry for rest in rests for entry in rest}
        if not (rests or strayed):
            maybe = {entry.name: entry for entry in self._doubts.left_out(reading, self.speaker.told)}
        wanting = rests or strayed or maybe
        return [Move("partly", self._puzzle.over_the_rest(tuple(maybe.values())))] if wanting else []

    def _hinted_besides(self, reading: Reading) -> list[Move]:
        """What a statement beside a question is after: `When can you come? I'd need a number to call, too.`"""
        entries = self._hinted(reading).entries
        return [Move(f"adds {entry.name}", text) for entry in entries for text in self.speaker.tell_all((entry,), 2)]

    def _as_a_proposal(self, reading: Reading) -> Move | None:
        """A question that asks for nothing known: what is turned down in it, or what is to be agreed to before it."""
        if (against := statement_objection(reading.text, self._ledger)) is not None:
            return self._object(against)
        if (doubtful := doubted(reading, self._ledger, self._picker.picks)) is not None:
            return self._object(doubtful)
        for ask in reading.asks:
            if not ask.polar and not self._wanted(ask).maybe and sums_up(ask, self._ledger):
                return self._confirm(Confirm(ask.text, f"{ask.before} {ask.text}"))
        return None

    def _to_answer(self, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
        """A question for something in particular leaves those for anything at all without an answer of their own."""
        if len(asks) < 2:
            return asks
        found = {ask: self._wanted(ask) for ask in asks}
        particular = tuple(ask for ask in asks if found[ask].understood and not found[ask].generic)
        return particular or tuple(ask for ask in asks if found[ask].maybe) or asks

    def _wanted(self, ask: Ask) -> Wanted:
        return self._doubts.asked_for(wanted(ask, self._ledger, self.speaker.told), ask)

    def _hinted(self, reading: Reading) -> Hint:
        return self._doubts.hinted(hinted(reading, self._ledger, self.speaker.told))

    def _answer(self, ask: Ask, shown: str = "") -> Move | None:
        if ask.polar and (move := self._yes_or_no(ask)) is not None:
            return move
        found = self._wanted(ask)
        if not found.understood or (found.entries and all(is_said(entry, shown) for entry in found.entries)):
            return None  # who says a value does not ask for it
        if found.generic and not self._doubts.wants_anything(found, ask):
            return None
        if (wrong := presupposed(ask, found.entries, self._ledger)) is not None:
            return self._object(Objection("wrong", wrong))
        kept = [entry for entry in found.entries if entry.fact.reveal == "never"]
        tells = [entry for entry in found.entries if entry not in kept]
        if any(self.speaker.told.get(entry.name, 0) >= _TELLINGS for entry in tells):
            return GIVE_UP
        gist = f"answers {[entry.name for entry in found.entries]} {found.lacks}"
        if tells and self.speaker.full:
            return Move(gist, "")  # the rest when it is asked for again
        texts = self.speaker.tell_all(tells, len(found.entries))
        if kept:
            texts.append(self.speaker.say("answers", "keeps"))
        texts.extend(self.speaker.deny(label, found.near, hedged=found.hedged) for label in found.lacks)
        self._puzzle.suggested = (found.near,) if found.near and found.lacks else ()
        if not (texts or found.rest):
            texts.append(self.speaker.say("answers", "all_told"))
        return Move(gist, " ".join(texts), found.maybe if found.rest else None)

    def _yes_or_no(self, ask: Ask) -> Move | None:
        found = self._wanted(ask)
        if len(found.entries) == 1 and isinstance(value := found.entries[0].fact.value, bool):
            return Move("yes or no", self.speaker.say("confirmations", "true" if value else "false"))
        refused = ask.before if cues().unavailable.search(ask.before) else ""
        confirm = Confirm(ask.text, f"{refused} {ask.text}".strip())
        seen = spot(ask.text)
        if (against := objection(confirm, self._ledger, self._picker.picks)) is not None:
            return self._react_to(against)
        agrees = any(holds(seen, each) for entry in self._ledger.entries for each in entry.forms)
        return self._agree(confirm) if agrees or proposed(confirm) & self._ledger.actions else None

    def _confirm(self, confirm: Confirm) -> Move | None:
        against = objection(confirm, self._ledger, self._picker.picks)
        if against is not None:
            return self._react_to(against)
        if not supported(confirm, self._ledger):
            return None
        if cues().only_one.search(confirm.sentence) and not fits(confirm.text, self._ledger):
            return self._cannot_tell(coded=True)
        self.speaker.compare(spot(confirm.text))
        return self._agree(confirm)

    def _agree(self, confirm: Confirm) -> Move | None:
        """Yes, if all of it is accounted for."""
        against = withheld(confirm, self._ledger) if self._judge.may_agree() else Objection("unclear")
        return self._react_to(against)

    def _judged(self) -> Move | None:
        """What the rules can't make out, and yet puts something forward: right or wrong, if that is clear."""
        return self._react_to(Objection("unclear")) if self._judge.is_proposal() else None

    def _react_to(self, against: Objection | None) -> Move | None:
        """A yes or a no; nothing where it is not clear what is put forward."""
        if (against := self._judge.weighed(against)) is None:
            self._puzzle.clear()
            return Move(AGREES, self.speaker.say("confirmations", "yes"))
        return None if against.kind == "unclear" else self._object(against)

    def _object(self, against: Objection) -> Move:
        return self._objecting.to(self._judge.tempered(against), self._agenda.current)

    def _choose(self, options: tuple[Option, ...], question: str, *, alone: bool) -> Move:
        if several := chosen_together(options, self._ledger):
            return self._picker.together(several, options)
        chosen = choose(options, question, self._ledger)
        if (
            chosen in ("none", "unsure")
            and not options[0].label
            and (cues().wh.search(question) or len(self._wanted(ask_of(question)).entries) > 1)
            and (move := self._answer(ask_of(question))) is not None
        ):
            return move
        if chosen == "none" and (options[0].label or any(code_of(option) for option in options)):
            return Move("none of them", self.speaker.say("options", "none"))
        if chosen in ("none", "unsure"):
            if not (alone and options[0].label):
                return Move("cannot tell", self.speaker.say("options", "unsure_between" if alone else "unsure"))
            return self._cannot_tell(coded=any(code_of(option) for option in options))
        return self._picker.one(chosen, options)

    def _cannot_tell(self, *, coded: bool, personal: bool = False) -> Move:
        """No shrug: what is known of the matter is told."""
        known = describing(self._ledger, self.speaker.told, coded=coded, personal=personal)
        known = tuple(entry for entry in known if self.speaker.told.get(entry.name, 0) < _TELLINGS)
        return Move("cannot tell", " ".join((self.speaker.say("options", "unsure"), *self.speaker.tell_all(known, 2))))

    def _point_out(self, ask: Ask, maybe: tuple[Entry, ...]) -> Move | None:
        """`Which ticket do you mean?`: each that there is, by its name; else what is known of the matter."""
        if not asks_which(ask.text) or strange(ask.text, self._ledger):
            return None
        known = pointing_out(ask.text, maybe, self._ledger, self.speaker.told)
        if not known:
            return None if maybe else self._cannot_tell(coded=True, personal=True)
        if all(self.speaker.told.get(entry.name, 0) >= _TELLINGS for entry in known):
            return GIVE_UP
        self._puzzle.clear()
        return Move(f"points out {[entry.name for entry in known]}", " ".join(self.speaker.tell_all(known, 2)))

    def _take_hint(self, reading: Reading, *, strayed: bool) -> Move | None:
        """Tell what a statement is after; where it is not clear what, or whether it is, ask."""
        hint = self._hinted(reading)
        if hint.entries:
            move = self._puzzle.tell(hint.entries)
            return Move(move.gist, f"{move.text} {self.speaker.say('turns', 'partly')}") if hint.rest else move
        meant = {entry.name for entry in self._puzzle.meant}
        likely = [entry for entry in hint.maybe if entry in self._doubts.surely()]
        if again := [entry for entry in likely if entry.name in meant and not self._puzzle.listed]:
            return self._puzzle.tell(again)
        if (move := self._judged()) is not None:
            return move
        return None if strayed or not hint.open else self._puzzle.over_statement(reading, hint)

    def _make_sure(self, reading: Reading, *, strayed: bool) -> Move | None:
        """Nobody leaves, or waits, after something that may want an answer without asking whether it does."""
        if (move := self._judged()) is not None:
            return move
        hint = self._hinted(reading)
        wanting = hint.wanting or not self._doubts.is_settled(reading, self._agenda.current)
        return self._puzzle.over_statement(reading, hint) if wanting and not strayed else None

    def _refuse(self, reading: Reading) -> Move | None:
        """Something that the person turns down, or that is not what is wanted, put forward in a statement."""
        against = None if "done" in reading.signals else statement_objection(reading.text, self._ledger)
        return None if against is None else self._object(against)

    def _put_right(self, reading: Reading) -> Move | None:
        """A report that gets a fact wrong is corrected, once."""
        against = self._objecting.to_report(reading.stated, self._ledger, self._picker.picks)
        return None if against is None else self._object(against)

    def _check(self, reading: Reading) -> Move | None:
        """What is put down for the time being, or would then be so, is a proposal without a question."""
        for sentence in reading.stated:
            if cues().tentative.search(sentence) and not cues().need.search(cues().tentative.sub("", sentence)):
                return self._confirm(Confirm(sentence, sentence))
        return None

    def _press(self, reading: Reading) -> Move | None:
        """After a refusal: again, with more temper each time, as often as the person does that."""
        goal = self._agenda.current
        refused = "refusal" in reading.signals and "done" not in reading.signals
        if goal is None or not refused or self._pressed >= self._person.presses:
            return None
        self._pressed += 1
        key = "press" if self._pressed == 1 else "press_more"
        return Move(f"presses {self._pressed}", self.speaker.goal(goal.ask, "turns", key))

    def _settle(self) -> Move:
        """The agent has said its piece: something overlooked, an aside, the next goal, or nothing more."""
        stems = {stem(word) for word in self._ear.words}
        if (goal := self._agenda.overlooked(stems, self._ear.actions)) is not None:
            return Move(f"reminds of {goal.ask}", self.speaker.goal(goal.ask, "turns", "what_about"))
        if self._asides:
            self._strayed = True
            return Move("strays", self._asides.pop(0))
        if (goal := self._agenda.next()) is None:
            return DONE
        self._pressed = 0
        return Move(f"goes on to {goal.ask}", self.speaker.goal(goal.ask, "openings", "next"))
