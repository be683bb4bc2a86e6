"""How the first trials of a run ended → whether the others are worth running."""

from msgspec import Struct

from misstep.core.blame import Blame
from misstep.core.errors import StoppedError
from misstep.core.event import Message
from misstep.store.trial import Trial

_FIRST = 5


class Opening(Struct, frozen=True):
    """How a trial ended that got nowhere; without a blame, one that got somewhere."""

    scenario: str = ""
    blame: Blame | None = None
    error: str = ""


WENT_ON = Opening()


def opening_of(trial: Trial) -> Opening:
    """What the scenario is to blame for says nothing of the next one."""
    blame, trace = trial.verdict.blame, trial.trace
    if trace.end not in ("simulator", "agent-raised") or blame is None or blame == "scenario":
        return WENT_ON
    answered = any(isinstance(event, Message) and event.role == "agent" for event in trace.events)
    if answered and blame != "infrastructure":
        return WENT_ON
    return Opening(trial.scenario.name, blame, trace.error or "")


class Lookout:
    """Sees trials as they end, until one gets somewhere."""

    def __init__(self, *, trials: int, scenarios: int) -> None:
        self._trials = trials
        self._scenarios = min(_FIRST, scenarios)
        self._seen: list[Opening] = []
        self._over = False

    def see(self, opening: Opening) -> None:
        """Raises StoppedError where the first trials all came to nothing, and for one reason."""
        alike = not self._seen or _alike(opening, self._seen[0])
        self._over = self._over or opening.blame is None or not alike
        if self._over:
            return
        self._seen.append(opening)
        ours = opening.blame == "infrastructure"
        # What the agent or a tool raises may come from the scenario: five trials of one tell nothing of the others.
        enough = ours or len({each.scenario for each in self._seen}) >= self._scenarios
        if len(self._seen) >= (min(_FIRST, self._trials) if ours else _FIRST) and enough:
            raise StoppedError(opening.blame or "infrastructure", self._told(opening))

    def _told(self, opening: Opening) -> str:
        count = len(self._seen)
        which = f"each of the first {count} trials" if count > 1 else "the first trial"
        error = opening.error if opening.error.endswith((".", "?", "!")) else f"{opening.error}."
        if opening.blame == "agent":
            return (
                f"The run was stopped: the agent failed in {which} before it had said anything, and always so: "
                f"{error} Correct that and run again."
            )
        return (
            f"The run was stopped: {which} came to nothing, and not by the agent's doing. {error} "
            "Nothing of it is kept: when that is mended, the same command runs it."
        )


def _alike(one: Opening, other: Opening) -> bool:
    # What is out of reach is told with times and numbers of requests.
    return one.blame == other.blame and (one.blame == "infrastructure" or one.error == other.error)
