"""A refusal that says which values an argument takes → the slots as they are to be filled from then on."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from misstep.core.tool import JSON
from misstep.core.words import split_identifier, words
from misstep.synthesis.tasks.slots import Path, Slot
from misstep.synthesis.tasks.told_values import bounds_in, choices_in, is_untyped, wants_number

_ENDS = ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")


def heeded(slots: Sequence[Slot], values: Mapping[Path, JSON], refusal: str, keyed: Sequence[Slot]) -> list[Slot]:
    """The slots that a refusal says something new of. What takes keys of records is not what it is about."""
    tried = [slot for slot in slots if slot.path in values and slot not in keyed and not slot.choices]
    if wants_number(refusal):
        texts = [slot for slot in tried if is_untyped(slot.schema) and isinstance(values[slot.path], str)]
        return [structs.replace(slot, schema={**slot.schema, "type": "number"}) for slot in texts]
    meant = _meant(tried, values, refusal)
    return [new for slot in meant if (new := _narrowed(slot, values[slot.path], refusal)) is not None]


def _meant(tried: Sequence[Slot], values: Mapping[Path, JSON], refusal: str) -> list[Slot]:
    """Those that it names or whose value it quotes; the only one where it names none."""
    said = set(words(refusal))
    named = [
        slot
        for slot in tried
        if said.issuperset(split_identifier(slot.name)) or (values[slot.path] and str(values[slot.path]) in refusal)
    ]
    return named or (list(tried) if len(tried) == 1 else [])


def _narrowed(slot: Slot, value: JSON, refusal: str) -> Slot | None:
    """Only by what keeps out the value that was refused."""
    if isinstance(value, str):
        listed = choices_in(refusal, slot.name)
        fitting = bool(listed) and value not in listed and slot.schema.get("type", "string") == "string"
        return structs.replace(slot, schema={**slot.schema, "enum": list(listed)}) if fitting else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    low, high = bounds_in(refusal)
    if not ((low is not None and value < low) or (high is not None and value > high)):
        return None
    bounds: dict[str, JSON] = {}
    for names, bound in zip(_ENDS, (low, high), strict=True):
        if bound is not None and not set(names) & slot.schema.keys():
            bounds[names[0]] = bound
    return structs.replace(slot, schema={**slot.schema, "type": slot.schema.get("type", "number"), **bounds})
