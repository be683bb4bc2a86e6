"""Rules and the text of a settings file → the same text with the rules in its table, and nothing else changed."""

import re
import tomllib
from collections.abc import Sequence
from typing import cast

from misstep.core.errors import UsageError
from misstep.tools.routing import RouteRule

_HEADER = re.compile(r"^\s{0,20}\[+\s{0,20}(?P<name>[^\[\]#]+?)\s{0,20}\]+\s{0,20}(#.*)?$")
_COMMENT = re.compile(r"\}(\s*#.*)$")


def with_rules(text: str, rules: Sequence[RouteRule], *, table: str = "routing") -> str:
    """Lines, comments and rules that are there stay; a rule for the same name takes the place of the old one.

    Raises UsageError where the text is laid out in a way in which that cannot be done for sure.
    """
    if not rules:
        return text
    lines = text.removesuffix("\n").split("\n") if text else []
    start, end = _section(lines, table)
    if start is None:
        lines += [*([""] if lines and lines[-1].strip() else []), f"[{table}]"]
        start = end = len(lines)
    places = {key: at for at in range(start, end) if (key := _key(lines[at])) is not None}
    new: list[str] = []
    for rule in rules:
        if rule.pattern in places:
            comment = _COMMENT.search(lines[places[rule.pattern]])
            lines[places[rule.pattern]] = as_line(rule) + (comment[1] if comment else "")
        else:
            new.append(as_line(rule))
    made = "\n".join([*lines[:end], *new, *lines[end:]]) + "\n"
    if not _is_as_meant(text, made, rules, table):
        raise UsageError(
            f"The settings are laid out so that the routing cannot be added. Write these lines under [{table}]:\n"
            + "\n".join(map(as_line, rules))
        )
    return made


def as_line(rule: RouteRule) -> str:
    digest = f", digest = {_quoted(rule.digest)}" if rule.digest else ""
    return f"{_quoted(rule.pattern)} = {{ route = {_quoted(rule.route)}{digest} }}"


def _section(lines: Sequence[str], table: str) -> tuple[int | None, int]:
    """The first line after the header, and the one after the last that is not blank."""
    headers = [(at, found["name"]) for at, line in enumerate(lines) if (found := _HEADER.match(line))]
    start = next((at + 1 for at, name in headers if name == table), None)
    if start is None:
        return None, len(lines)
    end = next((at for at, _ in headers if at >= start), len(lines))
    while end > start and not lines[end - 1].strip():
        end -= 1
    return start, end


def _key(line: str) -> str | None:
    try:
        return next(iter(tomllib.loads(line)), None)
    except tomllib.TOMLDecodeError:
        return None


def _is_as_meant(before: str, after: str, rules: Sequence[RouteRule], table: str) -> bool:
    """Read again: the new rules are there, and whatever else was there is as it was."""
    try:
        old, new = tomllib.loads(before), tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        return False
    routes = _table(old, table)
    routes.update({rule.pattern: {"route": rule.route, "digest": rule.digest} for rule in rules})
    return old == new


def _table(data: dict[str, object], table: str) -> dict[str, object]:
    for name in table.split("."):
        data = cast("dict[str, object]", data.setdefault(name, {}))
    return data


def _quoted(text: str) -> str:
    """As TOML has it, with whatever cannot be seen spelled out: a name may be made to mislead."""
    shown = "".join(_escaped(character) for character in text)
    return f'"{shown}"'


def _escaped(character: str) -> str:
    if character in '\\"':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"
