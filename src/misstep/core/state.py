"""State as tables of records, and the structural difference between two states."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from misstep.core.tool import JSON

Record = Mapping[str, JSON]
State = Mapping[str, Mapping[str, Record]]
"""Table name → key → record. Records are replaced, never changed in place, so that a snapshot is a shallow copy."""


class Change(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One record that differs between two states; no `before` means created, no `after` means deleted."""

    table: str
    key: str
    before: dict[str, JSON] | None = None
    after: dict[str, JSON] | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that differ, sorted."""
        before, after = self.before or {}, self.after or {}
        alike = {name for name in before.keys() & after.keys() if before[name] == after[name]}
        return tuple(sorted((before.keys() | after.keys()) - alike))


def difference(before: State, after: State) -> tuple[Change, ...]:
    """What changed, by table and key. Shared records cost one identity check each."""
    return tuple(_changes(before, after))


def _changes(before: State, after: State) -> Iterator[Change]:
    for table in sorted(before.keys() | after.keys()):
        old, new = before.get(table, {}), after.get(table, {})
        if old is new:
            continue
        for key in sorted(old.keys() | new.keys()):
            was, now = old.get(key), new.get(key)
            if was is not now and was != now:
                yield Change(table, key, dict(was) if was is not None else None, dict(now) if now is not None else None)
