"""The users of a conversation: `user_for` makes the one that a scenario's person asks for."""

from misstep.core.roles import User
from misstep.core.scenario import Person
from misstep.users.scripted import ScriptedUser
from misstep.users.simulated import SimulatedUser

__all__ = ["MANNERS", "ScriptedUser", "SimulatedUser", "manner_of", "user_for"]

MANNERS = ("first",)
"""The simulated users there are, each with a grammar of its own; trials take them in turn."""


def manner_of(person: Person, trial: int) -> str | None:
    """Which simulated user plays the person in a trial; None where the person has a script."""
    return None if person.script else MANNERS[(trial - 1) % len(MANNERS)]


def user_for(person: Person, *, seed: int, manner: str | None = None) -> User:
    """Scripted where the person has a script, simulated otherwise, in one of the `MANNERS`."""
    return ScriptedUser(person.script) if person.script else SimulatedUser(person, seed)
