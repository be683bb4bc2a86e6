"""A model plays the person: each sentence is checked against the ledger; the plain person says what the model can't."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

from msgspec import Struct

from misstep.core.event import Message
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person
from misstep.core.tape import View
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import atoms, words
from misstep.llm import Model, ModelError, Said
from misstep.users.hearing import hear
from misstep.users.ledger import Entry, ledger_of, violations
from misstep.users.own_tools import OwnTools
from misstep.users.plain import PlainUser
from misstep.wording.values import folded, form, holds, said, spot

_PROMPT = Path(__file__).parent / "prompts" / "modelled.md"
_VERSION = re.compile(r"version: (\d+)\n\n")
_ATTEMPTS = 2
_LONGEST = 300
_NAMES: JSON = {"type": "array", "items": {"type": "string"}}


def _reply(person: Person) -> dict[str, JSON]:
    """The form of what the model answers; only somebody with tools of their own can do anything."""
    properties: dict[str, JSON] = {"say": {"type": "string"}, "tells": _NAMES, "done": {"type": "boolean"}}
    if person.favours or any(fact.from_tool for fact in person.facts):
        properties["does"] = _NAMES
    required: JSON = ["say", "tells", "done"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


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
    """The model chooses the words; the ledger says what may be in them.

    What it gets wrong twice, and what it is not there for, the plain person says.
    """

    def __init__(self, person: Person, model: Model, *, seed: int = 0, tools: Toolbox | None = None) -> None:
        self.gave_up = False
        self.stood_in: list[str] = []
        """For each turn that the plain person took, why."""
        self._person = person
        self._model = model
        self._seed = seed
        self._ledger = ledger_of(person)
        self._facts = {entry.name: entry for entry in self._ledger.entries}
        self._turns = 0
        self._told: set[str] = set()
        self._slips: set[str] = set()
        """Facts that were told wrongly and not put right yet."""
        self._tools = tools
        self._own_tools = OwnTools(tools)
        self._seen: set[str] = set()
        """Facts that the person's own tools have shown."""
        self._shown: set[str] = set()
        """Words that these tools have shown."""
        self._over = False

    async def say(self, tape: View) -> str | None:
        """The next thing to say; None when the person is done or has had enough."""
        if self._over:
            return None
        if self._turns >= self._person.patience:
            self._over = self.gave_up = True
            return None
        try:
            text = await self._modelled(
                [event for event in tape if isinstance(event, Message) and event.role in ("agent", "user")]
            )
        except ModelError as error:
            text = await self._plain(tape)
            self.stood_in += [str(error)[:_LONGEST]] if text is not None else []
        self._turns += 1
        self._over = text is None
        return text

    async def _modelled(self, talk: list[Message]) -> str | None:
        """In the model's words; ModelError where it has none that may be said."""
        messages = [Said("system", prompt().text), Said("user", self._question(talk))]
        why, refused, did = "", 0, False
        while refused < _ATTEMPTS:
            reply = await self._model.complete(messages, schema=_reply(self._person), seed=self._own_seed())
            data = cast("dict[str, JSON]", reply.data if reply.unfit is None else {})
            messages.append(Said("assistant", reply.text))
            if (does := cast("list[str]", data.get("does", []))) and not did:
                did = True
                messages.append(Said("user", json.dumps({"done": await self._do(does)}, ensure_ascii=False)))
                continue
            if reply.unfit is None:
                text, tells = str(data["say"]).strip(), cast("list[str]", data["tells"])
                wrong = self._wrong(text, tells, bool(data["done"]), talk)
                if not wrong:
                    return self._note(text, tells) if text else None
                why = "was about to say what the ledger does not allow"
            else:
                wrong = reply.refusal or reply.unfit
                why = "refused to play the person" if reply.refusal else "answered in another form than was asked for"
            refused += 1
            messages.append(Said("user", f"That cannot be said. {wrong} Say it again."))
        raise ModelError("garbage", f"{self._model.name} {why}.")

    def _wrong(self, text: str, tells: list[str], done: bool, talk: list[Message]) -> str:
        """Why something may not be said, in a sentence; nothing where it may."""
        if not text:
            return "" if done else "Nothing was said, and it is not done."
        facts = self._facts
        if unknown := [name for name in tells if name not in facts or facts[name].fact.reveal == "never"]:
            return f"{unknown[0]!r} is no fact that may be told."
        if unseen := [name for name in tells if not self._is_at_hand(facts[name])]:
            return f"{unseen[0]!r} is not known before it was looked up."
        fresh = [name for name in tells if name not in self._told]
        if self._person.tells and len(fresh) > self._person.tells and self._turns:
            return f"At most {self._person.tells} facts may be told in one reply."
        if early := [name for name in fresh if not self._is_asked(facts[name], talk)]:
            return f"Nobody asked for {early[0]!r}."
        heard = self._shown.union(*(_heard(event.text) for event in talk if event.role == "agent"))
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

    def _is_at_hand(self, entry: Entry) -> bool:
        return entry.fact.from_tool is None or entry.name in self._seen

    def _note(self, text: str, tells: Sequence[str]) -> str:
        fresh = [self._facts[name] for name in tells if name not in self._told]
        self._slips = {each.name for each in fresh if each.fact.at_first is not None and not _says(text, each)}
        self._told.update(tells)
        return text

    async def _plain(self, tape: View) -> str | None:
        """What the plain person says, who has heard all that was said so far."""
        tools = _Standby(self._tools) if self._tools is not None else None
        user = PlainUser(self._person, self._seed, tools=tools)
        events = list(tape)
        for at, event in enumerate(events):
            if isinstance(event, Message) and event.role == "user":
                await user.say(View(events[:at]))
        if tools is not None:
            tools.serves = True
        text = await user.say(tape)
        if text is None:
            self.gave_up = user.gave_up
            return None
        return self._note(text, [entry.name for entry in self._ledger.entries if _tells(text, entry)])

    async def _do(self, names: Sequence[str]) -> JSON:
        """Look things up and do favours, with the person's own tools; gives what came of each."""
        return [{"name": name, **await self._done(name)} for name in dict.fromkeys(names)]

    async def _done(self, name: str) -> dict[str, JSON]:
        entry = self._facts.get(name)
        favour = next((each for each in self._person.favours if each.name == name), None)
        if not self._turns or (favour is None and (entry is None or entry.fact.from_tool is None)):
            return {"came_of_it": "This cannot be done now."}
        if favour is not None:
            how, shown = await self._own_tools.done(favour)
            self._shown |= _heard(shown)
            return {"came_of_it": shown, "worked": how != "did_not"}
        if entry is None or not await self._own_tools.knows(entry.fact):
            return {"came_of_it": "It is not there yet."}
        self._seen.add(name)
        return {"value": entry.value}

    def _question(self, talk: list[Message]) -> str:
        person = self._person
        question: dict[str, JSON] = {
            "opening": person.opening,
            "goals": [{"ask": goal.ask, "later": goal.after} for goal in person.goals],
            "facts": [self._fact(entry) for entry in self._ledger.entries],
            "limits": list(person.constraints),
            "turns_down": list(person.declines),
            "asides": list(person.asides),
            "favours": [favour.name for favour in person.favours],
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
            return {"name": entry.name, "use": "looked up"}
        if entry.name in self._slips:
            return {"name": entry.name, "value": entry.value, "use": "put_right"}
        first = fact.at_first if entry.name not in self._told else None
        use = "told" if entry.name in self._told else "opening" if fact.reveal == "opening" else "when asked"
        return {"name": entry.name, "value": entry.value if first is None else said(first), "use": use}

    def _own_seed(self) -> int:
        text = f"{self._seed}\n{self._turns}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") >> 1


class _Standby:
    """A person's tools for one who goes through what was said before: nothing is done a second time."""

    def __init__(self, tools: Toolbox) -> None:
        self.serves = False
        self._tools = tools

    async def tools(self) -> Sequence[Tool]:
        return await self._tools.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return await self._tools.call(tool, arguments) if self.serves else Answer(content=None, is_error=True)


def _tells(text: str, entry: Entry) -> bool:
    first = entry.fact.at_first
    return _says(text, entry) or (first is not None and holds(spot(text), form(said(first))))


def _says(text: str, entry: Entry) -> bool:
    seen = spot(text)
    return any(holds(seen, each) for each in entry.forms)


def _heard(text: str) -> set[str]:
    return {*words(text), *(folded(atom.text).strip() for atom in atoms(text))}
