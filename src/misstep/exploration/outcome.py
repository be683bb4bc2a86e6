"""An Outcome: all that the figures of a run need to know of one trial."""

from msgspec import Struct

from misstep.core.scenario import Scalar


class Outcome(Struct, frozen=True, kw_only=True):
    """How one trial came out, and what its scenario was made from."""

    scenario: str
    task: str = ""
    """What the scenario is a variant of; the scenario's own name where nothing is said."""
    trial: int = 1
    factors: dict[str, Scalar] = {}
    passed: bool | None = None
    """None: invalid, undecided or disputed; it counts for nothing but itself."""
    modes: tuple[str, ...] = ()
    """Failure modes that were found."""
    steps: int = 0
    """Calls of a right plan, with its look-ups; 0: nobody says."""
    calls: int = 0
    turns: int = 0
    user: str | None = None
    """Which simulated user took part."""

    @property
    def cluster(self) -> str:
        return self.task or self.scenario
