"""The tables of a world, as a frozen struct with a field for each ↔ a State; and the same with some records changed."""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, structs

from misstep.core.state import State

T = TypeVar("T", bound=Struct)


def as_state(tables: Struct) -> State:
    """Each table is replaced as a whole when it changes, so that a snapshot is nothing but references."""
    return {name: getattr(tables, name) for name in tables.__struct_fields__}


def from_state(kind: type[T], state: State, world: str) -> T:
    """A state that this world gave out is taken back unchecked; one that lacks a table is refused."""
    missing = sorted(set(kind.__struct_fields__) - state.keys())
    if missing:
        raise ValueError(f"This is no state of the {world}: it lacks the tables {', '.join(missing)}.")
    return kind(**{name: state[name] for name in kind.__struct_fields__})


def changed(tables: T, **records: Mapping[str, Any]) -> T:
    """Records added or replaced, table by table."""
    merged = {name: {**getattr(tables, name), **own} for name, own in records.items()}
    return structs.replace(tables, **merged)
