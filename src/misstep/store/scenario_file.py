"""A Scenario → the TOML text that reads back as the same Scenario; and a folder of such files."""

import hashlib
import json
import re
import signal
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import msgspec

from misstep.core.errors import FormatError, UsageError
from misstep.core.scenario import Scenario
from misstep.core.tool import JSON

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADED = 2
"""Tables down to this depth stand under a header of their own, deeper ones in a line."""
_PART = ".part"
"""Ends the name of a file that is not whole yet."""
_AWKWARD = re.compile("[\x7f-\x9f\u2028\u2029]")


def scenario_text(scenario: Scenario) -> str:
    """A file that a person can read and edit."""
    return toml_text(scenario, f"The scenario {scenario.name!r}")


def toml_text(noun: msgspec.Struct, what: str) -> str:
    """The TOML that reads back as the same noun; `what` it is, for the error."""
    data = cast("dict[str, JSON]", msgspec.to_builtins(noun))
    try:
        return "\n".join(_table(data, ())).strip() + "\n"
    except (UnicodeEncodeError, _NullError) as error:
        raise FormatError(f"{what} cannot be written as TOML: {error}.") from None


def write_scenarios(scenarios: Iterable[Scenario], folder: Path) -> tuple[Path, ...]:
    """A file a scenario, named after it, in place of those that were written so before and left as they were.

    Texts are made before anything is written; what somebody has changed, or given another name, stays.
    """
    texts = {folder / f"{scenario.name}.toml": _marked(scenario_text(scenario)) for scenario in scenarios}
    folder.mkdir(parents=True, exist_ok=True)
    for rest in folder.glob(f"*{_PART}"):  # of somebody who was killed
        rest.unlink(missing_ok=True)
    old = [file for file in folder.glob("*.toml") if _is_untouched(file)]
    for file in texts:
        if file.exists() and file not in old:
            raise UsageError(f"{file} is somebody's own, and would be written over. Move it, or choose another folder.")
    parts = {file: file.with_name(f"{file.name}{_PART}") for file in texts}
    try:
        for file, text in texts.items():
            parts[file].write_text(text, encoding="utf-8", newline="\n")
        with _undisturbed():
            for file in old:
                file.unlink(missing_ok=True)
            for file, part in parts.items():
                part.replace(file)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return tuple(texts)


@contextmanager
def _undisturbed() -> Generator[None]:
    """A Ctrl-C in between is heard at the end: the folder has the old files or the new ones, never some of each."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


_MARK = "# Made by Misstep, and replaced when more are made here; change anything, and it is yours. "


def _marked(text: str) -> str:
    return f"{_MARK}{_digest(text)}\n{text}"


def _is_untouched(file: Path) -> bool:
    try:
        mark, _, text = file.read_text("utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return False
    return mark == f"{_MARK}{_digest(text)}" and f'name = "{file.stem}"' in text


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class _NullError(ValueError):
    pass


def _table(table: Mapping[str, JSON], path: tuple[str, ...]) -> Iterator[str]:
    """What fits in a line first, for it belongs to the header above."""
    headed = {name for name, value in table.items() if len(path) < _HEADED and _has_header(value)}
    for name, value in table.items():
        if name not in headed:
            yield f"{_key(name)} = {_inline(value, (*path, name))}"
    for name in table:
        if name in headed:
            yield from _under_header(table[name], (*path, name))


def _under_header(value: JSON, path: tuple[str, ...]) -> Iterator[str]:
    header = ".".join(_key(name) for name in path)
    if isinstance(value, Mapping):
        inner = list(_table(cast("Mapping[str, JSON]", value), path))
        if not inner or not inner[0].startswith("\n"):
            yield f"\n[{header}]"
        yield from inner
        return
    for each in cast("Sequence[Mapping[str, JSON]]", value):
        yield f"\n[[{header}]]"
        yield from _table(each, (*path, *("",) * _HEADED))


def _has_header(value: JSON) -> bool:
    if isinstance(value, Mapping):
        return True
    rows = cast("Sequence[JSON]", value) if isinstance(value, (list, tuple)) else ()
    return bool(rows) and all(isinstance(each, Mapping) for each in rows)


def _inline(value: JSON, path: tuple[str, ...]) -> str:
    if isinstance(value, Mapping):
        table = cast("Mapping[str, JSON]", value)
        inner = ", ".join(f"{_key(name)} = {_inline(each, (*path, name))}" for name, each in table.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_inline(each, path) for each in cast('Sequence[JSON]', value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if value is None:
        raise _NullError(
            f"{'.'.join(each for each in path if each)} is null; in an objective, write {{ is = 'nothing' }}"
        )
    return _text(str(value))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    text.encode()  # half a character is in no file
    return _AWKWARD.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
