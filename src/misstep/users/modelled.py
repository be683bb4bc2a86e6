"""A model plays the person: each sentence is checked against the ledger, and said again otherwise if it fails."""

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import cast

from msgspec import Struct

from misstep.core.errors import InvalidTrialError
from misstep.core.event import Message
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person
from misstep.core.tape import View
from misstep.core.tool import JSON
from misstep.core.words import atoms, words
from misstep.llm import Model, ModelError, Said
from misstep.users.hearing import hear
from misstep.users.ledger import Entry, ledger_of, violations
from misstep.users.own_tools import OwnTools
from misstep.users.recognising import asked_for
from misstep.wording.values import folded, holds, said, spot

_PROMPT = Path(__file__).parent / "prompts" / "modelled.md"
_VERSION = re.compile(r"version: (\d+)\n\n")
_REPLY: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "say": {"type": "string"},
        "tells": {"type": "array", "items": {"type": "string"}},
        "done": {"type": "boolean"},
    },
    "required": ["say", "tells", "done"],
    "additionalProperties": False,
}


class Prompt(Struct, frozen=True):
    """What the model is told to do; a changed text is a new version."""

    version: int
    text: str


@lru_cache(maxsize=1)
def prompt() -> Prompt:
    """From its file, which opens with its version."""
    text = _PROMPT.read_text("utf-8")
    head = _VERSION.match(text)
    assert head is not None, "the prompt of the modelled user does not open with its version"
    return Prompt(int(head[1]), text[head.end() :].strip())


class ModelledUser:
    """The model chooses the words; the ledger says what may be in them."""

    def __init__(
        self, person: Person, model: Model, *, seed: int = 0, attempts: int = 3, tools: Toolbox | None = None
    ) -> None:
        self.gave_up = False
        self._person = person
        self._model = model
        self._seed = seed
        self._attempts = attempts
        self._ledger = ledger_of(person)
        self._turns = 0
        self._told: set[str] = set()
        self._slips: set[str] = set()
        """Facts that were told wrongly and not put right yet."""
        self._tools = OwnTools(tools)
        self._seen: set[str] = set()
        """Facts that the person's own tools have shown."""
        self._over = False

    async def say(self, tape: View) -> str | None:
        """The next thing to say; None when the person is done or has had enough."""
        if self._over:
            return None
        if self._turns >= self._person.patience:
            self._over = self.gave_up = True
            return None
        talk = [event for event in tape if isinstance(event, Message) and event.role in ("agent", "user")]
        await self._look(talk)
        text = await self._checked(talk)
        self._turns += 1
        self._over = text is None
        return text

    async def _look(self, talk: list[Message]) -> None:
        """What the agent asks for and the person does not know by heart is looked up with the person's own tools."""
        heard = next((event.text for event in reversed(talk) if event.role == "agent"), "")
        for entry in asked_for(hear(heard), self._ledger.entries):
            if entry.fact.from_tool and await self._tools.knows(entry.fact):
                self._seen.add(entry.name)

    def _is_at_hand(self, entry: Entry) -> bool:
        return entry.fact.from_tool is None or entry.name in self._seen

    async def _checked(self, talk: list[Message]) -> str | None:
        messages = [Said("system", prompt().text), Said("user", self._question(talk))]
        wrong = ""
        for _ in range(self._attempts):
            try:
                reply = await self._model.complete(messages, schema=_REPLY, seed=self._own_seed())
            except ModelError as error:
                raise InvalidTrialError("infrastructure", f"The model that plays the user failed. {error}") from None
            if reply.unfit is None:
                data = cast("dict[str, JSON]", reply.data)
                text, tells = str(data["say"]).strip(), cast("list[str]", data["tells"])
                wrong = self._wrong(text, tells, bool(data["done"]), talk)
                if not wrong:
                    return self._note(text, tells) if text else None
            else:
                wrong = reply.refusal or reply.unfit
            messages += [Said("assistant", reply.text), Said("user", f"That cannot be said. {wrong} Say it again.")]
        raise InvalidTrialError(
            "user-simulator",
            f"The model {self._model.name!r} played the user, and {self._attempts} times it was about to say what the "
            f"ledger does not allow. {wrong}",
        )

    def _wrong(self, text: str, tells: list[str], done: bool, talk: list[Message]) -> str:
        """Why something may not be said, in a sentence; nothing where it may."""
        if not text:
            return "" if done else "Nothing was said, and it is not done."
        facts = {entry.name: entry for entry in self._ledger.entries}
        told = {name: facts[name] for name in tells if name in facts}
        if unknown := [
            name
            for name in tells
            if name not in told or told[name].fact.reveal == "never" or not self._is_at_hand(told[name])
        ]:
            return f"{unknown[0]!r} is no fact that may be told."
        fresh = [name for name in tells if name not in self._told]
        if self._person.tells and len(fresh) > self._person.tells and self._turns:
            return f"At most {self._person.tells} facts may be told in one reply."
        if early := [name for name in fresh if not self._is_asked(facts[name], talk)]:
            return f"Nobody asked for {early[0]!r}."
        heard = {each for event in talk if event.role == "agent" for each in _heard(event.text)}
        slips = {name for name in fresh if facts[name].fact.at_first is not None}
        allowed = self._told | set(tells)
        found = violations(text, self._ledger, allowed=allowed, heard=heard, slips=slips)
        if found:
            return f"{found[0].text!r} is {found[0].kind}."
        if late := [name for name in self._slips if not _says(text, facts[name])]:
            return f"The {late[0]} has to be put right: it is {facts[late[0]].value!r}."
        missing = [name for name in fresh if not (_says(text, facts[name]) or name in slips)]
        return f"The {missing[0]} is named in `tells`, but not told." if missing else ""

    def _is_asked(self, entry: Entry, talk: list[Message]) -> bool:
        """The opening tells its own facts; later ones need an agent that wants something."""
        if not self._turns:
            return entry.fact.reveal == "opening" or _says(self._person.opening, entry)
        heard = next((event.text for event in reversed(talk) if event.role == "agent"), "")
        return hear(heard).wants

    def _note(self, text: str, tells: list[str]) -> str:
        facts = {entry.name: entry for entry in self._ledger.entries}
        fresh = [name for name in tells if name not in self._told]
        self._slips = {name for name in fresh if facts[name].fact.at_first is not None and not _says(text, facts[name])}
        self._told.update(tells)
        return text

    def _question(self, talk: list[Message]) -> str:
        person = self._person
        question: dict[str, JSON] = {
            "opening": person.opening,
            "goals": [{"ask": goal.ask, "later": goal.after} for goal in person.goals],
            "facts": [self._fact(entry) for entry in self._ledger.entries],
            "limits": list(person.constraints),
            "turns_down": list(person.declines),
            "asides": list(person.asides),
            "presses": person.presses,
            "most_facts_in_a_reply": person.tells or None,
            "voice": person.voice,
            "patience_left": person.patience - self._turns,
            "conversation": [{"who": event.role, "said": event.text} for event in talk],
        }
        return json.dumps(question, ensure_ascii=False)

    def _fact(self, entry: Entry) -> JSON:
        fact = entry.fact
        if fact.reveal == "never":
            return {"name": entry.name, "value": entry.value, "use": "kept"}
        if not self._is_at_hand(entry):
            return {"name": entry.name, "use": "not at hand"}
        if entry.name in self._slips:
            return {"name": entry.name, "value": entry.value, "use": "put_right"}
        first = fact.at_first if entry.name not in self._told else None
        use = "told" if entry.name in self._told else "opening" if fact.reveal == "opening" else "when asked"
        return {"name": entry.name, "value": entry.value if first is None else said(first), "use": use}

    def _own_seed(self) -> int:
        text = f"{self._seed}\n{self._turns}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") >> 1


def _says(text: str, entry: Entry) -> bool:
    seen = spot(text)
    return any(holds(seen, each) for each in entry.forms)


def _heard(text: str) -> set[str]:
    return {*words(text), *(folded(atom.text).strip() for atom in atoms(text))}
