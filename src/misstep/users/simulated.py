"""A user with a ledger of facts and goals: hears what the agent says, and says only what the ledger allows."""

from msgspec import Struct

from misstep.core.errors import InvalidTrialError
from misstep.core.event import Message
from misstep.core.scenario import Person
from misstep.core.tape import View
from misstep.core.words import atoms, joined, stem, words
from misstep.users.agenda import Agenda
from misstep.users.answering import describing, unknown_noun, wanted
from misstep.users.choosing import choose, chosen_together, code_of, fits, short_name
from misstep.users.confirming import Objection, Pick, misreport, objection, proposed
from misstep.users.hinting import hinted
from misstep.users.ledger import ledger_of, violations
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.options import Option
from misstep.wording.phrasing import Voice, phrases
from misstep.wording.topics import actions_in
from misstep.wording.understanding import Ask, Confirm, Reading, understand
from misstep.wording.values import folded, holds, spot

_TELLINGS = 3
"""How often a fact is told before the person has had enough."""
_ROUNDS = 3
"""How often one exchange may come round."""


class _Move(Struct, frozen=True):
    """What the person is about to do: the words, and what kind of move it is, to notice a loop."""

    gist: str
    text: str | None


_GIVE_UP = _Move("gives up", None)
_DONE = _Move("done", None)


class SimulatedUser:
    """Same person, same seed, same words. Reads only what was said: tool calls and results are not for users' eyes."""

    def __init__(self, person: Person, seed: int) -> None:
        self.gave_up = False
        self._person = person
        self._ledger = ledger_of(person)
        self._agenda = Agenda(person.goals)
        self._voice = Voice(seed)
        self._read = 0
        self._turns = 0
        self._told: dict[str, int] = {}
        self._picks: list[Pick] = []
        self._heard: set[str] = set()
        self._heard_actions: set[str] = set()
        self._rounds: dict[tuple[str, str], int] = {}
        self._doubted: set[str] = set()
        """Facts that a proposal seemed to get wrong."""
        self._corrected: set[str] = set()
        """Facts that were put right after a report."""
        self._puzzled: str | None = None
        """What was not understood at the last turn."""
        self._ignored = False
        self._over = False

    async def say(self, tape: View) -> str | None:
        """The next thing to say; None when the goals are settled or the person has had enough."""
        message = self._listen(tape)
        if self._over:
            return None
        move = self._opening() if not self._turns else self._react(message)
        if move.text is not None and (self._turns >= self._person.patience or self._comes_round(message, move)):
            move = _GIVE_UP
        if move.text is None:
            self._over = True
            self.gave_up = move is _GIVE_UP
            return None
        self._turns += 1
        if wrong := violations(move.text, self._ledger, allowed=self._told.keys(), heard=self._heard):
            raise InvalidTrialError(
                "user-simulator",
                f"The simulated user was about to say {move.text!r}, in which {wrong[0].text!r} is {wrong[0].kind}.",
            )
        return move.text

    def _listen(self, tape: View) -> str:
        fresh = tape[self._read :]
        self._read = len(tape)
        said = [event.text for event in fresh if isinstance(event, Message) and event.role == "agent"]
        message = "\n".join(said)
        self._heard.update(words(message))
        self._heard.update(folded(atom.text).strip() for atom in atoms(message))
        self._heard_actions.update(actions_in(message))
        return message

    def _comes_round(self, message: str, move: _Move) -> bool:
        key = (folded(message), move.gist)
        self._rounds[key] = self._rounds.get(key, 0) + 1
        return self._rounds[key] >= _ROUNDS

    def _opening(self) -> _Move:
        person, seen = self._person, spot(self._person.opening)
        rest = [text for text in person.constraints if folded(text) not in seen.folded]
        if person.opening:
            for entry in self._ledger.entries:
                if any(holds(seen, each) for each in entry.forms):
                    self._told[entry.name] = 0
            return _Move("opens", " ".join((person.opening, *rest)))
        told = [self._tell(entry, "several") for entry in self._ledger.entries if entry.fact.reveal == "opening"]
        return _Move("opens", self._voice.opening(self._agenda.said, [*told, *rest]))

    def _react(self, message: str) -> _Move:
        if not message.strip():
            if self._ignored:
                return _GIVE_UP
            self._ignored = True
            return _Move("waits", self._voice.say("turns", "still_there"))
        self._ignored = False
        reading = understand(message)
        if reading.options or reading.confirm or reading.asks:
            return self._reply(reading)
        if "greeting" in reading.signals:
            self._puzzled = None
            return self._insist()
        if (move := self._take_hint(reading) or self._put_right(reading)) is not None:
            return move
        self._puzzled = None
        if "wait" in reading.signals and not reading.signals & {"done", "refusal", "more"}:
            return _Move("waits", self._voice.say("turns", "wait"))
        return self._settle()

    def _reply(self, reading: Reading) -> _Move:
        moves: list[_Move] = []
        if reading.options:
            moves.append(self._choose(reading.options, reading.question, alone=not reading.asks))
        if reading.confirm and (agreed := self._confirm(reading.confirm)) is not None:
            moves.append(agreed)
        moves.extend(move for ask in self._to_answer(reading.asks) if (move := self._answer(ask)) is not None)
        if not moves:
            return self._puzzle(reading.asks[0] if reading.asks else Ask(reading.text, ()))
        if _GIVE_UP in moves:
            return _GIVE_UP
        self._puzzled = None
        texts = list(dict.fromkeys(move.text for move in moves if move.text))
        return _Move(" ".join(move.gist for move in moves), " ".join(texts))

    def _to_answer(self, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
        """A question for something in particular leaves those for anything at all without an answer of their own."""
        if len(asks) < 2:
            return asks
        found = {ask: wanted(ask, self._ledger, self._told) for ask in asks}
        particular = tuple(ask for ask in asks if found[ask].understood and not found[ask].generic)
        return particular or asks

    def _answer(self, ask: Ask) -> _Move | None:
        if ask.polar and (move := self._yes_or_no(ask)) is not None:
            return move
        found = wanted(ask, self._ledger, self._told)
        if not found.understood:
            return None
        kept = [entry for entry in found.entries if entry.fact.reveal == "never"]
        tells = [entry for entry in found.entries if entry not in kept]
        if any(self._told.get(entry.name, 0) >= _TELLINGS for entry in tells):
            return _GIVE_UP
        texts = [self._tell(entry, "fact" if len(found.entries) == 1 else "several") for entry in tells]
        if kept:
            texts.append(self._voice.say("answers", "keeps"))
        texts.extend(self._deny(label, found.near) for label in found.lacks)
        if found.rest:
            texts.append(self._voice.say("turns", "partly"))
        if not texts:
            texts.append(self._voice.say("answers", "all_told"))
        return _Move(f"answers {[entry.name for entry in found.entries]} {found.lacks}", " ".join(texts))

    def _deny(self, label: str, near: Entry | None) -> str:
        """What is not there, and what there is of the kind, by name only: nothing is told that was not asked for."""
        if not label:
            return self._voice.say("answers", "lacks_it")
        if near is not None:
            return self._voice.say("answers", "lacks_but", label=label, name=near.name)
        return self._voice.say("answers", "lacks", label=label)

    def _tell(self, entry: Entry, frame: str) -> str:
        times = self._told.get(entry.name, 0)
        self._told[entry.name] = times + 1
        if entry.kinds == frozenset({"reason"}):
            frame = "reason"
        elif times:
            frame = "again"
        said = self._voice.choice((entry.value, *entry.fact.says))
        if said.endswith((".", "!", "?")):
            return said
        return self._voice.say("answers", frame, name=entry.name, value=said)

    def _yes_or_no(self, ask: Ask) -> _Move | None:
        found = wanted(ask, self._ledger, self._told)
        if len(found.entries) == 1 and isinstance(value := found.entries[0].fact.value, bool):
            return _Move("yes or no", self._voice.say("confirmations", "true" if value else "false"))
        refused = ask.before if cues().unavailable.search(ask.before) else ""
        confirm = Confirm(ask.text, f"{refused} {ask.text}".strip())
        seen = spot(ask.text)
        if (against := objection(confirm, self._ledger, self._picks)) is not None:
            return None if against.kind == "unclear" else self._object(against)
        agrees = any(holds(seen, each) for entry in self._ledger.entries for each in entry.forms)
        if agrees or proposed(confirm) & self._ledger.actions:
            return _Move("agrees", self._voice.say("confirmations", "yes"))
        return None

    def _confirm(self, confirm: Confirm) -> _Move | None:
        against = objection(confirm, self._ledger, self._picks)
        if against is not None:
            return None if against.kind == "unclear" else self._object(against)
        if cues().only_one.search(confirm.sentence) and not fits(confirm.text, self._ledger):
            return self._cannot_tell(coded=True)
        return _Move("agrees", self._voice.say("confirmations", "yes"))

    def _object(self, against: Objection) -> _Move:
        gist = f"objects: {against.kind}"
        if against.kind in ("wrong", "doubtful") and against.entry is not None:
            entry = against.entry
            if against.kind == "doubtful" and entry.name not in self._doubted:
                self._doubted.add(entry.name)
                key = "doubtful_told" if entry.name in self._told else "doubtful"
                return _Move(gist, self._voice.say("confirmations", key, name=entry.name, value=entry.value))
            if entry.fact.reveal == "never":
                return _Move(gist, self._voice.say("confirmations", "other_request"))
            self._told[entry.name] = self._told.get(entry.name, 0)
            return _Move(gist, self._voice.say("confirmations", "wrong", name=entry.name, value=entry.value))
        if against.kind == "picked":
            return _Move(gist, self._voice.say("confirmations", "wrong_pick", value=against.value))
        if against.kind == "other" and (goal := self._agenda.current) is not None:
            return _Move(gist, self._voice.goal(goal.ask, "confirmations", "other"))
        return _Move(gist, self._voice.say("confirmations", "declined"))

    def _choose(self, options: tuple[Option, ...], question: str, *, alone: bool) -> _Move:
        if several := chosen_together(options, self._ledger):
            return self._choose_together(several, options)
        chosen = choose(options, question, self._ledger)
        if chosen == "none":
            return _Move("none of them", self._voice.say("options", "none"))
        if chosen == "unsure":
            coded = any(code_of(option) for option in options)
            return (
                self._cannot_tell(coded=coded) if alone else _Move("cannot tell", self._voice.say("options", "unsure"))
            )
        text, named = self._named(chosen, options)
        others = " ".join(option.text for option in options if option is not chosen)
        self._picks.append(Pick(spot(chosen.text), spot(others), named))
        return _Move(f"picks {chosen.at}", text)

    def _choose_together(self, several: tuple[Option, ...], options: tuple[Option, ...]) -> _Move:
        names = [option.label or short_name(option, options) or option.text for option in several]
        others = spot(" ".join(option.text for option in options if option not in several))
        whole = spot(" ".join(option.text for option in several))
        self._picks.append(Pick(whole, others, joined(names)))
        if several[0].label:
            names = [f"{option.label} ({short_name(option, options) or option.text})" for option in several]
        gist = f"picks {[option.at for option in several]}"
        return _Move(gist, self._voice.say("options", "together", ids=joined(names)))

    def _cannot_tell(self, *, coded: bool) -> _Move:
        """No shrug: what is known of the matter is told."""
        known = describing(self._ledger, self._told, coded=coded)
        told = [self._tell(entry, "several") for entry in known if self._told.get(entry.name, 0) < _TELLINGS]
        return _Move("cannot tell", " ".join((self._voice.say("options", "unsure"), *told)))

    def _named(self, option: Option, among: tuple[Option, ...]) -> tuple[str, str]:
        """The choice in a sentence, and by itself."""
        code = code_of(option)
        if option.label.isdigit():
            key = "numbered_id" if code else "numbered"
            return self._voice.say("options", key, label=option.label, id=code), code or f"number {option.label}"
        if option.label:
            return self._voice.say("options", "lettered", label=option.label), option.label
        if named := short_name(option, among):
            return self._voice.say("options", "named", id=named), named
        ordinal = phrases()["options"]["ordinals"][min(option.at, 10) - 1]
        return self._voice.say("options", "placed", ordinal=ordinal), f"the {ordinal} one"

    def _puzzle(self, ask: Ask) -> _Move:
        """Ask once to hear it again; then deny a thing that nobody here calls so; anything else is our error."""
        noun = unknown_noun(ask)
        if self._puzzled is None:
            self._puzzled = noun or " "
            if maybe := [each.name for each in wanted(ask, self._ledger, self._told).maybe]:
                key = "do_you_mean" if len(maybe) == 1 else "do_you_mean_one"
                return _Move("is puzzled", self._voice.say("turns", key, name=maybe[0], other=maybe[-1]))
            return _Move("is puzzled", self._voice.say("turns", "rephrase"))
        if noun and noun == self._puzzled:
            return _Move("has none", self._voice.say("answers", "lacks_it"))
        raise InvalidTrialError(
            "user-simulator",
            f"The simulated user did not understand twice in a row; the second time it was {ask.text!r}. "
            "Give the fact that it asks for these words in `words`, or leave the question out of the scenario.",
        )

    def _insist(self) -> _Move:
        goal = self._agenda.current
        if goal is None:
            return _DONE
        return _Move("insists", self._voice.opening((goal,), ()))

    def _take_hint(self, reading: Reading) -> _Move | None:
        """Tell what a statement is after; where it is not clear what, or whether it is, ask."""
        hint = hinted(reading, self._ledger, self._told)
        if hint.entries:
            self._puzzled = None
            texts = [self._tell(entry, "fact" if len(hint.entries) == 1 else "several") for entry in hint.entries]
            return _Move(f"answers {[entry.name for entry in hint.entries]}", " ".join(texts))
        if not hint.open or self._puzzled is not None:
            return None
        self._puzzled = " "
        if hint.maybe:
            return _Move("is puzzled", self._voice.say("turns", "do_you_need", name=hint.maybe[0].name))
        return _Move("is puzzled", self._voice.say("turns", "need_anything"))

    def _put_right(self, reading: Reading) -> _Move | None:
        """A report that gets a fact wrong is corrected, once."""
        if "done" not in reading.signals:
            return None
        for sentence in reading.stated:
            against = misreport(sentence, self._ledger, self._picks) if cues().done.search(sentence) else None
            if against is not None and against.entry is not None and against.entry.name not in self._corrected:
                self._corrected.add(against.entry.name)
                return self._object(against)
        return None

    def _settle(self) -> _Move:
        """The agent has said its piece: something overlooked, the next goal, or nothing more."""
        stems = {stem(word) for word in self._heard}
        if (goal := self._agenda.overlooked(stems, self._heard_actions)) is not None:
            return _Move(f"reminds of {goal.ask}", self._voice.goal(goal.ask, "turns", "what_about"))
        if (goal := self._agenda.next()) is not None:
            return _Move(f"goes on to {goal.ask}", self._voice.goal(goal.ask, "openings", "next"))
        return _DONE
