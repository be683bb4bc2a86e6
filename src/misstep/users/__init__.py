"""The users of a conversation: `user_for` makes the one that a scenario's person asks for."""

from misstep.core.roles import User
from misstep.core.scenario import Person
from misstep.users.scripted import ScriptedUser
from misstep.users.simulated import SimulatedUser

__all__ = ["ScriptedUser", "SimulatedUser", "user_for"]


def user_for(person: Person, *, seed: int) -> User:
    """Scripted where the person has a script, simulated otherwise."""
    return ScriptedUser(person.script) if person.script else SimulatedUser(person, seed)
