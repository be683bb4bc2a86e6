"""The kinds of desk that there are: as it is."""

from collections.abc import Callable

from misstep.core.scenario import Scenario
from misstep.worlds.desk.world import Desk
from misstep.worlds.desk.written import desk_scenarios


def plain() -> tuple[Callable[[int], Desk], Callable[[], tuple[Scenario, ...]]]:
    """How to make one, and its scenarios."""
    return Desk, desk_scenarios
