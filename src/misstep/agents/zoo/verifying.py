"""A write that brought no answer → whether it was done, by a look at what it would have left behind."""

from collections.abc import Mapping

from misstep.agents.zoo.calling import Caller, Outcome
from misstep.agents.zoo.offer import Capability
from misstep.agents.zoo.records import Record, records
from misstep.core.tool import JSON
from misstep.core.words import stem

_LEAST_FIT = 3.0


async def made_sure(
    caller: Caller, capability: Capability, arguments: Mapping[str, JSON], known: Mapping[str, JSON], outcome: Outcome
) -> Outcome:
    """Done, if a look-up shows it; tried once more, if one shows that it was not; otherwise still unknown."""
    for fit, reader in caller.offer.ranked(capability.name_stems, reads=True):
        given = {each.name: known[each.name] for each in reader.required if each.name in known}
        if fit < _LEAST_FIT or not reader.required or len(given) < len(reader.required):
            continue
        seen = await caller.look_up(reader, given)
        if seen.state not in ("ok", "empty"):
            continue
        if any(_shows(record, capability, arguments) for record in records(seen.content)):
            return Outcome(state="ok", content={})
        return await caller.act(capability, arguments)
    return outcome


def _shows(record: Record, capability: Capability, arguments: Mapping[str, JSON]) -> bool:
    """Whether a record holds what was to be written, or says in a word that the act was done."""
    plain = [arguments[each.name] for each in capability.parameters if not each.identifies and each.name in arguments]
    if plain:
        return all(value in record.fields.values() for value in plain)
    acted = {stem(str(value)) for value in record.fields.values() if isinstance(value, str)} & capability.name_stems
    return bool(acted) and all(record.get(name) in (None, value) for name, value in arguments.items())
