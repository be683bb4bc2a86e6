"""What several servers offer under one name → names that are each one's own, and whose each one is."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from misstep.core.errors import UsageError

_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_VARIABLE = re.compile(r"\{([^{}]*)\}")


def told_apart(offers: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Pairs of server and name → the name that is shown, with its pair, in the same order.

    A name keeps its own form where only one server has it. Where several do, each of them is shown as `server__name`,
    with `_` for what a tool's name cannot hold. Of one server that lists a name twice, the first counts.
    """
    pairs = list(dict.fromkeys(offers))
    shown = {pair: pair[1] for pair in pairs}
    while True:
        repeated = {name for name, count in Counter(shown.values()).items() if count > 1}
        plain = [pair for pair in pairs if shown[pair] in repeated and shown[pair] == pair[1]]
        if not plain:
            break
        # Again and again: a joined name can meet one that looked like it from the start.
        shown |= {pair: f"{_UNFIT.sub('_', pair[0])}__{pair[1]}" for pair in plain}
    if repeated:
        name = min(repeated)
        servers = " and ".join(repr(pair[0]) for pair in pairs if shown[pair] == name)
        raise UsageError(f"The MCP servers {servers} both come to offer {name!r}. Give one of them another name.")
    return {shown[pair]: pair for pair in pairs}


def fits_template(template: str, uri: str) -> bool:
    """Whether an address could come from an RFC 6570 template; told roughly, for it only decides whom to ask first."""
    parts = _VARIABLE.split(template)
    ends = {0}
    for at, part in enumerate(parts):
        if at % 2:
            ends = _ends_of_value(uri, ends, "" if part[:1] in "+#/?&;." or part.endswith("*") else "/")
        else:
            ends = {end + len(part) for end in ends if uri.startswith(part, end)}
    return len(uri) in ends


def _ends_of_value(uri: str, starts: set[int], but: str) -> set[int]:
    """Where a value of one character or more can end that starts at one of some places."""
    ends: set[int] = set()
    inside = False
    for at, sign in enumerate(uri):
        inside = (inside or at in starts) and sign != but
        if inside:
            ends.add(at + 1)
    return ends


def merged(tables: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """Several servers' capabilities as one server's: what any of them can."""
    whole: dict[str, object] = {}
    for table in tables:
        for key, value in table.items():
            before = whole.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                whole[key] = merged([before, value])  # pyright: ignore[reportUnknownArgumentType]
            else:
                whole[key] = before or value
    return whole
