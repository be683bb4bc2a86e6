"""The kinds of desk that there are: as it is, and with every word of it renamed."""

from collections.abc import Callable
from functools import cache, lru_cache

from misstep.core.scenario import Scenario
from misstep.worlds.desk.making import pristine
from misstep.worlds.desk.policy import desk_policy
from misstep.worlds.desk.tools import services
from misstep.worlds.desk.vocabulary import desk_renaming
from misstep.worlds.desk.world import Desk
from misstep.worlds.renamed import Ground, Renamed, renamed_scenario
from misstep.worlds.written import written_for


def plain() -> tuple[Callable[[int], Desk], Callable[[], tuple[Scenario, ...]]]:
    """How to make one, and its scenarios."""
    return Desk, desk_scenarios


def desk_scenarios() -> tuple[Scenario, ...]:
    return written_for("misstep.worlds.desk")


def renamed() -> tuple[Callable[[int], Renamed], Callable[[], tuple[Scenario, ...]]]:
    """The same desk and the same scenarios in nonsense words."""
    return _renamed_desk, _renamed_scenarios


def _renamed_desk(seed: int) -> Renamed:
    return Renamed(Desk(seed), _ground(seed))


@lru_cache(maxsize=64)
def _ground(seed: int) -> Ground:
    tools = tuple(service.tool for service in services().values())
    return Ground(desk_renaming(), pristine(seed).as_state(), tools, desk_policy())


@cache
def _renamed_scenarios() -> tuple[Scenario, ...]:
    return tuple(renamed_scenario(scenario, desk_renaming()) for scenario in desk_scenarios())
