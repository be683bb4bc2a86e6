"""The users of a conversation: `user_for` makes the one that a scenario's person asks for."""

from misstep.core.errors import UsageError
from misstep.core.roles import User
from misstep.core.scenario import Person
from misstep.core.words import joined
from misstep.llm import Model
from misstep.users.modelled import ModelledUser
from misstep.users.scripted import ScriptedUser
from misstep.users.simulated import SimulatedUser
from misstep.wording.phrasing import Manner

__all__ = ["MANNERS", "ModelledUser", "ScriptedUser", "SimulatedUser", "manner_of", "user_for"]

MANNERS: tuple[Manner, ...] = ("first", "second")
"""The simulated users there are, each with a grammar of its own; trials take them in turn."""


def manner_of(person: Person, trial: int) -> Manner | None:
    """Which simulated user plays the person in a trial; None where the person has a script."""
    return None if person.script else MANNERS[(trial - 1) % len(MANNERS)]


def user_for(person: Person, *, seed: int, manner: str | None = None, model: Model | None = None) -> User:
    """Scripted where the person has a script; simulated in one of the `MANNERS`; or `modelled`, by a model."""
    if person.script:
        return ScriptedUser(person.script)
    if manner == "modelled":
        if model is None:
            raise UsageError("A user of the manner 'modelled' needs a model to play it, and none is named.")
        return ModelledUser(person, model, seed=seed)
    for known in MANNERS:
        if known == (manner or MANNERS[0]):
            return SimulatedUser(person, seed, known)
    raise UsageError(f"There is no user of the manner {manner!r}. Choose {joined((*MANNERS, 'modelled'), 'or')}.")
