"""The users of a conversation: `user_for` makes the one that a scenario's person asks for."""

from misstep.core.errors import InvalidTrialError, UsageError
from misstep.core.roles import Toolbox, User
from misstep.core.scenario import Person
from misstep.core.words import joined
from misstep.llm import Model
from misstep.users.modelled import ModelledUser
from misstep.users.phrasing import MANNERS, Manner
from misstep.users.plain import PlainUser
from misstep.users.scripted import ScriptedUser

__all__ = ["MANNERS", "ModelledUser", "PlainUser", "ScriptedUser", "manner_of", "user_for", "uses_tools"]


def manner_of(person: Person, trial: int) -> Manner | None:
    """Which simulated user plays the person in a trial; None where the person has a script."""
    return None if person.script else MANNERS[(trial - 1) % len(MANNERS)]


def uses_tools(person: Person) -> bool:
    """Whether a person has anything to do with tools of their own."""
    return not person.script and bool(person.favours or any(fact.from_tool for fact in person.facts))


def user_for(
    person: Person, *, seed: int, manner: str | None = None, model: Model | None = None, tools: Toolbox | None = None
) -> User:
    """Scripted where the person has a script; plain in one of the `MANNERS`; or `modelled`, by a model.

    `tools` are the person's own, for a person who looks something up or does favours.
    """
    if person.script:
        return ScriptedUser(person.script)
    if tools is None and uses_tools(person):
        raise InvalidTrialError("scenario", "The person is to use tools of their own, and these tools give users none.")
    if manner == "modelled":
        if model is None:
            raise UsageError("A user of the manner 'modelled' needs a model to play it, and none is named.")
        return ModelledUser(person, model, seed=seed, tools=tools)
    for known in MANNERS:
        if known == (manner or MANNERS[0]):
            return PlainUser(person, seed, known, tools)
    raise UsageError(f"There is no user of the manner {manner!r}. Choose {joined((*MANNERS, 'modelled'), 'or')}.")
