"""Records of people → how they can be reached, where that is nobody's business but theirs."""

import re
from collections.abc import Iterator

from misstep.core.tool import JSON
from misstep.core.words import split_identifier, stem
from misstep.provenance.reading import canonical, has_digit, leaves

_THE_SERVED = frozenset(
    stem(word)
    for word in """buyer customer client patient guest tenant passenger subscriber donor applicant resident neighbour
    neighbor caller visitor traveller traveler borrower policyholder shopper lodger""".split()
)
"""Those whom a business serves, one of whom the user may be."""
_REACHES = frozenset(stem(word) for word in "phone telephone mobile cell email mail address street home".split())
INTRODUCES = re.compile(
    r"\b(?:[Ii]['’]m|[Ii] am|[Tt]his is|[Mm]y name is)\s+(?:[A-Z][\w.'-]+|\S*[@\d]\S*)"
    r"|\b[Mm]y (?:[\w-]+ ){1,3}(?:is|:)\s+\S*[@\d]"
)
"""Says who the user is."""


def contacts(content: JSON) -> Iterator[tuple[str, frozenset[str], str]]:
    """The name of each person served, the stems of where it stood, and a way to reach that person."""
    held = [(*place.rpartition("."), value) for place, value in leaves(content) if isinstance(value, str)]
    names = {record: value for record, _, field, value in held if stem("name") in _stems(field)}
    for record, _, field, value in held:
        role = _stems(record.rpartition(".")[2].partition("[")[0])
        served = record in names and not role.isdisjoint(_THE_SERVED)
        if served and _is_a_way(value) and not _stems(field).isdisjoint(_REACHES):
            yield names[record], role, value


def _stems(field: str) -> frozenset[str]:
    return frozenset(stem(part) for part in split_identifier(field))


def _is_a_way(value: str) -> bool:
    return len(canonical(value)) >= _LEAST and (has_digit(value) or "@" in value)


_LEAST = 5
