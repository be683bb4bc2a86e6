"""A crew of two: a lead takes the request and hands it to a clerk, who has the tools and reports back."""

from misstep.agents.zoo.sound import Sound
from misstep.core.event import Handoff, Memory, Thought
from misstep.core.policy import Policy
from misstep.core.roles import Toolbox
from misstep.core.tape import Recorder

LEAD, CLERK = "agent", "clerk"
"""The lead speaks with the user, so that the tape has it under the agent's name."""


class Crew:
    """As sound as its clerk: what is said goes to the clerk whole, and so does the report to the user."""

    def __init__(self, policy: Policy | None, tape: Recorder) -> None:
        self._tape = tape
        self.clerk = Sound(policy)

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._tape.append(Memory(actor=LEAD, action="write", key="what the user said last", content=message))
        self._tape.append(Thought(actor=LEAD, text="The clerk has the tools for this. I pass it on as it was said."))
        return await self.ask_clerk(message, tools)

    async def ask_clerk(self, message: str, tools: Toolbox) -> str:
        """Hand something over, and take the report."""
        self.hand_over(message)
        report = await self.clerk.respond(message, tools)
        self._tape.append(Handoff(actor=CLERK, to=LEAD, text=report))
        return report

    def hand_over(self, message: str) -> None:
        self._tape.append(Handoff(actor=LEAD, to=CLERK, text=message))

    def record(self, event: Handoff | Memory | Thought) -> None:
        self._tape.append(event)
