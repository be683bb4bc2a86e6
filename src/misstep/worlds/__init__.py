"""Embedded domains with state and rules, as toolboxes; a name → the kind of world that has it."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Protocol

from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.roles import Governed, Stateful, Toolbox
from misstep.core.scenario import Scenario


class World(Toolbox, Stateful, Governed, Protocol):
    """A toolbox whose state can be seen and put back, and that comes with a policy."""


class WorldKind(Struct, frozen=True):
    """A named world: how to make one from a seed, and the scenarios written for it."""

    name: str
    make: Callable[[int], World]
    scenarios: Callable[[], tuple[Scenario, ...]]


_KINDS: Mapping[str, tuple[str, str]] = {
    "shop": ("misstep.worlds.shop.kinds", "plain"),
    "shop-renamed": ("misstep.worlds.shop.kinds", "renamed"),
    "desk": ("misstep.worlds.desk.kinds", "plain"),
    "desk-renamed": ("misstep.worlds.desk.kinds", "renamed"),
}
"""Name → the module and function that give its make and its scenarios; imported when asked for."""

WORLD_NAMES = tuple(_KINDS)


def world_named(name: str) -> WorldKind:
    """Raises UsageError for a name that no world has."""
    if name not in _KINDS:
        raise UsageError(f"There is no world {name!r}.{suggestion(name, WORLD_NAMES)}")
    module, function = _KINDS[name]
    make, scenarios = getattr(import_module(module), function)()
    return WorldKind(name, make, scenarios)
