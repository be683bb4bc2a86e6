"""The kinds of shop that there are: as it is, and with every word of it renamed."""

from collections.abc import Callable

from misstep.core.scenario import Scenario
from misstep.worlds.shop.world import Shop
from misstep.worlds.shop.written import shop_scenarios


def plain() -> tuple[Callable[[int], Shop], Callable[[], tuple[Scenario, ...]]]:
    """How to make one, and its scenarios."""
    return Shop, shop_scenarios
