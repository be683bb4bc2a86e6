"""A conversation in which the test plays the agent; it starts with the person's opening."""

import asyncio

from misstep.core.event import Message
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person
from misstep.core.tape import Tape
from misstep.users import user_for


class Talk:
    """What the person says at the start is `opening`; to what the agent says they answer, or say nothing: None."""

    def __init__(self, person: Person, manner: str = "first", *, seed: int = 0, tools: Toolbox | None = None) -> None:
        self.user = user_for(person, seed=seed, manner=manner, tools=tools)
        self.tape = Tape()
        self.opening = self._turn() or ""

    def hears(self, text: str) -> str | None:
        self.tape.append(Message(actor="agent", role="agent", text=text))
        return self._turn()

    def _turn(self) -> str | None:
        said = asyncio.run(self.user.say(self.tape.view))
        if said is not None:
            self.tape.append(Message(actor="user", role="user", text=said))
        return said
