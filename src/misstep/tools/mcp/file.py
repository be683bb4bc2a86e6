"""An `mcpServers` JSON file → the servers that it names; the only reader of that format."""

import json
import os
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar, cast

from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.tool import JSON

Transport = Literal["stdio", "http", "sse"]

_Checked = TypeVar("_Checked")

_TRANSPORTS: Mapping[str, Transport] = {
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
    "sse": "sse",
}
_KNOWN = ("command", "args", "env", "cwd", "url", "headers", "type", "transport", "disabled")
# What other programs keep in the same file: not ours to read, and no slip of the pen.
_FOREIGN = frozenset({"auth", "tools", "timeout", "description", "name", "title", "enabled", "oauth", "envFile", "dev"})
_VARIABLE = re.compile(r"\$\{(?:env:)?(?P<name>[A-Za-z_]\w*)(?::-(?P<default>(?:(?!\$\{)[^}])*))?\}")


class ServerSpec(Struct, frozen=True, kw_only=True):
    """One server of the file, as it is written there: `${VARIABLE}` is filled in only when the server is started."""

    name: str
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = {}


def servers_in(path: Path | str) -> tuple[ServerSpec, ...]:
    """The servers in the order of the file, without those that it disables."""
    place = str(path)
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The file of MCP servers {place!r} cannot be read: {error}.") from None
    try:
        data: JSON = json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise UsageError(f"{place} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}.") from None
    except _RepeatedError as error:
        raise UsageError(f"{place} has {error.args[0]!r} twice in one object; give one of them another name.") from None
    except RecursionError:
        raise UsageError(f"{place} is nested too deeply to be a file of MCP servers.") from None
    entries = _servers_of(data, place)
    specs = [_spec(name, entry, place) for name, entry in entries.items()]
    found = tuple(spec for spec in specs if spec is not None)
    if not found:
        raise UsageError(f"{place} names no server under 'mcpServers', or disables each of them.")
    return found


def filled_in(spec: ServerSpec, environment: Mapping[str, str] | None = None) -> ServerSpec:
    """The same server with `${VARIABLE}`, `${VARIABLE:-default}` and `${env:VARIABLE}` replaced."""
    known = os.environ if environment is None else environment

    def fill(text: str) -> str:
        return _VARIABLE.sub(lambda match: _value(match, spec.name, known), text)

    return ServerSpec(
        name=spec.name,
        transport=spec.transport,
        command=fill(spec.command),
        args=tuple(fill(each) for each in spec.args),
        env={name: fill(each) for name, each in spec.env.items()},
        cwd=None if spec.cwd is None else fill(spec.cwd),
        url=fill(spec.url),
        headers={name: fill(each) for name, each in spec.headers.items()},
    )


def _value(match: re.Match[str], server: str, known: Mapping[str, str]) -> str:
    name, default = match["name"], match["default"]
    if name in known:
        return known[name]
    if default is not None:
        return default
    raise UsageError(
        f"The MCP server {server!r} asks for the environment variable {name!r}, which is not set. "
        f"Set it, or write ${{{name}:-…}} with a default."
    )


class _RepeatedError(Exception):
    """A key that stands twice in one object: JSON readers keep the last without a word."""


def _without_repeats(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    table: dict[str, JSON] = {}
    for key, value in pairs:
        if key in table:
            raise _RepeatedError(key)
        table[key] = value
    return table


def _servers_of(data: JSON, place: str) -> dict[str, JSON]:
    if not isinstance(data, dict):
        raise UsageError(f"{place} must hold an object with the key 'mcpServers'; it holds {_kind(data)}.")
    table = cast("dict[str, JSON]", data)
    if "mcpServers" not in table:
        near = get_close_matches("mcpServers", table, n=1, cutoff=0.5)
        hint = f" {near[0]!r} is probably meant to be it." if near else ""
        raise UsageError(f"{place} has no key 'mcpServers'.{hint}")
    entries = table["mcpServers"]
    if not isinstance(entries, dict):
        raise UsageError(f"'mcpServers' in {place} must be an object, a server a key; it is {_kind(entries)}.")
    return cast("dict[str, JSON]", entries)


def _spec(name: str, entry: JSON, place: str) -> ServerSpec | None:
    where = f"The server {name!r} in {place}"
    if not name.strip():
        raise UsageError(f"A server in {place} has an empty name.")
    if not isinstance(entry, dict):
        raise UsageError(f"{where} must be an object with 'command' or 'url'; it is {_kind(entry)}.")
    fields = cast("dict[str, JSON]", entry)
    _demand_no_slips(fields, where)
    if fields.get("disabled") is True:
        return None
    transport = _transport(fields, where)
    return ServerSpec(
        name=name,
        transport=transport,
        command=_field(fields, "command", "", _text, "a text", where),
        args=_field(fields, "args", (), _texts, "a list of texts", where),
        env=_field(fields, "env", {}, _named_texts, "an object of texts", where),
        cwd=_field(fields, "cwd", None, _text, "a text", where),
        url=_field(fields, "url", "", _text, "a text", where),
        headers=_field(fields, "headers", {}, _named_texts, "an object of texts", where),
    )


def _demand_no_slips(fields: Mapping[str, JSON], where: str) -> None:
    for key in fields:
        if key in _KNOWN or key in _FOREIGN:
            continue
        if get_close_matches(key, _KNOWN, n=1, cutoff=0.75):
            raise UsageError(f"{where} has the key {key!r}.{suggestion(key, _KNOWN)}")


def _transport(fields: Mapping[str, JSON], where: str) -> Transport:
    has_command, has_url = "command" in fields, "url" in fields
    if has_command and has_url:
        raise UsageError(f"{where} has both 'command' and 'url'; it is either started or reached, so keep one.")
    if not has_command and not has_url:
        raise UsageError(f"{where} has neither 'command' (to start it) nor 'url' (to reach it).")
    said = fields.get("type", fields.get("transport"))
    if said is None:
        return "stdio" if has_command else "http"
    transport = _TRANSPORTS.get(said.lower()) if isinstance(said, str) else None
    if transport is None:
        raise UsageError(f"{where} has the type {said!r}; it must be 'stdio', 'http' or 'sse'.")
    if (transport == "stdio") != has_command:
        needed = "command" if transport == "stdio" else "url"
        raise UsageError(f"{where} has the type {said!r}, which needs {needed!r}.")
    return transport


def _field(
    fields: Mapping[str, JSON],
    key: str,
    default: _Checked,
    read: Callable[[JSON], _Checked | None],
    kind: str,
    where: str,
) -> _Checked:
    if fields.get(key) is None:
        return default
    value = read(fields[key])
    if value is None:
        raise UsageError(f"{key!r} of {where[0].lower()}{where[1:]} must be {kind}; it is {_kind(fields[key])}.")
    return value


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(value: JSON) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    items = tuple(each for each in cast("list[JSON]", value) if isinstance(each, str))
    return items if len(items) == len(cast("list[JSON]", value)) else None


def _named_texts(value: JSON) -> dict[str, str] | None:
    if not isinstance(value, dict):
        return None
    table = cast("dict[str, JSON]", value)
    named = {name: each for name, each in table.items() if isinstance(each, str)}
    return named if len(named) == len(table) else None


def _kind(value: JSON) -> str:
    match value:
        case str():
            return "a text" if value else "an empty text"
        case bool():
            return "true or false"
        case list():
            return "a list of other things"
        case dict():
            return "an object of other things"
        case None:
            return "null"
        case _:
            return "a number"
