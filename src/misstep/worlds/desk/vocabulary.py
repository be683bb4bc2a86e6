"""The words that are the desk's own, and its ids: what a renamed desk must not let slip."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, split_identifier
from misstep.worlds.desk.fields import PATTERNS
from misstep.worlds.desk.records import Tables
from misstep.worlds.desk.tools import services
from misstep.worlds.nonsense import nonsense_for
from misstep.worlds.renaming import Renaming

_PREFIXES = {"M": "DU", "E": "KO", "C": "QU", "V": "ZE", "T": "HY", "S": "BA"}

_FORMS = """
accessed accesses added adding adds addresses addressed answer answers answering appended appending appends archived
archives archiving attendee boxes boxing calendar calendars cancelling cancels cancellation change changes changing
codes coded commands companies completed completes completing contacted creates created creating creation days deletes
deleting deletion desk desks directory directories emails emailed emptied empties emptying exits filed filing finding
finds found forms formed forwarding forwards freed home invitation invitations invited invites inviting listed
listing lists mailed mailing mailbox minute moved moves moving movement named names naming news newer newest opened
opening opens outputs passwords password paste paths phones phoned phoning placed places privacy queries reading
readings reads ready receive receives received replaced replaces replacing replied replies replying rotated rotates
rotating rotation runs running searched searches searching secrets see sees sender senders sending sends shell shells
shown showing shows sites sizes slot started starting starts subjects submits submitted submitting texts times timed
titles titled usernames vault vaults website websites web writer writes writing written wrote
"""
"""Forms that occur beside the names themselves, and words for what the tools are about."""


@cache
def desk_renaming() -> Renaming:
    """The one renaming of the desk, the same in every process."""
    return Renaming(nonsense_for(desk_words()), _PREFIXES)


@cache
def desk_words() -> frozenset[str]:
    """Every token of a tool's, table's, property's or status' name, and the other forms of these."""
    tools = [service.tool for service in services().values()]
    names = {
        *services(),
        *Tables.__struct_fields__,
        *PATTERNS,
        *(name for tool in tools for name in _names(tool.input_schema)),
        *(name for tool in tools for name in _names(tool.output_schema or {})),
    }
    tokens = {token for name in names for token in split_identifier(name) if token not in STOPWORDS}
    return frozenset(tokens | set(_FORMS.split()))


def _names(schema: Mapping[str, JSON]) -> Iterator[str]:
    """The properties' names and the texts of enums, all the way down."""
    for keyword, part in schema.items():
        if keyword == "enum":
            yield from (each for each in cast("list[JSON]", part) if isinstance(each, str))
        elif isinstance(part, Mapping):
            inner = cast("Mapping[str, JSON]", part)
            if keyword == "properties":
                yield from inner
            yield from _names(inner)
