"""The kinds of shop that there are: as it is, and with every word of it renamed."""

from collections.abc import Callable
from functools import cache, lru_cache

from misstep.core.scenario import Scenario
from misstep.worlds.renamed import Ground, Renamed, renamed_scenario
from misstep.worlds.shop.making import pristine
from misstep.worlds.shop.policy import shop_policy
from misstep.worlds.shop.tools import services
from misstep.worlds.shop.vocabulary import shop_renaming
from misstep.worlds.shop.world import Shop
from misstep.worlds.written import written_for


def plain() -> tuple[Callable[[int], Shop], Callable[[], tuple[Scenario, ...]]]:
    """How to make one, and its scenarios."""
    return Shop, shop_scenarios


def shop_scenarios() -> tuple[Scenario, ...]:
    return written_for("misstep.worlds.shop")


def renamed() -> tuple[Callable[[int], Renamed], Callable[[], tuple[Scenario, ...]]]:
    """The same shop and the same scenarios in nonsense words."""
    return _renamed_shop, _renamed_scenarios


def _renamed_shop(seed: int) -> Renamed:
    return Renamed(Shop(seed), _ground(seed))


@lru_cache(maxsize=64)
def _ground(seed: int) -> Ground:
    tools = tuple(service.tool for service in services().values())
    return Ground(shop_renaming(), pristine(seed).as_state(), tools, shop_policy())


@cache
def _renamed_scenarios() -> tuple[Scenario, ...]:
    return tuple(renamed_scenario(scenario, shop_renaming()) for scenario in shop_scenarios())
