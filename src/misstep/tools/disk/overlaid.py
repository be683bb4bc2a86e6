"""Real file tools → the same with a layer in front: reads are real, writes stay in memory, later reads show both."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import structs

from misstep.core.errors import InvalidTrialError
from misstep.core.roles import Toolbox
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.checked import problem
from misstep.tools.disk.files import FileError, Files
from misstep.tools.disk.roles import FileRole, FileTool, Part, file_tools
from misstep.tools.disk.tree import TABLE, Tree, normal, within

_READS: frozenset[FileRole] = frozenset(
    ["read", "read-media", "read-many", "list", "list-sizes", "tree", "find", "search-text", "info", "exists", "roots"]
)
_WHOLE: frozenset[FileRole] = frozenset(["tree", "find", "search-text", "move", "copy", "delete"])
"""What looks at everything under a folder."""

_CONTENTS: frozenset[FileRole] = frozenset(["read", "read-many", "edit", "append", "info"])
_GONE: Record = {"kind": "gone"}
_MOST = 20_000


class OverlaidFiles:
    """The real tools are only ever asked to read."""

    def __init__(self, real: Toolbox, tools: Sequence[Tool], *, seed: int = 0) -> None:
        self._real = real
        self._seed = seed
        self._known = file_tools(tools)
        self._tools = [found.tool for found in self._known.values()]
        self._files: Files | None = None
        self._layer: dict[str, Record] = {}
        self._listed: set[str] = set()

    def snapshot(self) -> State:
        return {TABLE: dict(self._layer)} if self._layer else {}

    def restore(self, state: State) -> None:
        self._layer = dict(state.get(TABLE, {}))
        self._listed = set()
        if self._files is not None:
            self._files.tree.restore(Tree(folders=self._files.roots).snapshot())
            self._relay(self._files.tree)

    def _relay(self, tree: Tree) -> None:
        for path, record in sorted(self._layer.items()):
            if record != _GONE:
                tree.make_folder(posixpath.dirname(path), parents=True)
                tree.put(path, record)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = self._known[tool]
        if problem(found.tool, arguments) is not None:
            return (await self._started()).answer(found, arguments)
        files = await self._started()
        try:
            places = self._places(files, found, arguments)
        except FileError:
            return files.answer(found, arguments)
        if found.role in _READS and not any(self._touched(place) for place in places):
            return await self._real.call(tool, arguments)
        for place in places:
            await self._fetch(files.tree, place, found.role)
        if found.role == "read-media" and (moved := files.tree.record(places[0])) and "at" in moved:
            return await self._read_moved(found, arguments, str(moved["at"]), places[0])
        before = files.tree.snapshot()[TABLE]
        answer = files.answer(found, arguments)
        after = files.tree.snapshot()[TABLE]
        for path in sorted(before.keys() | after.keys()):
            if before.get(path) is not after.get(path):
                self._layer[path] = after.get(path, _GONE)
        return answer

    async def _started(self) -> Files:
        """The roots are the real ones, where a tool tells them."""
        if self._files is None:
            tool = self._with_role("roots")
            told = _text((await self._real.call(tool.tool.name, {})).content) if tool else ""
            roots = [line.strip() for line in told.splitlines() if line.strip().startswith("/")] or ["/"]
            self._files = Files(self._tools, seed=self._seed, roots=roots, tree=Tree(folders=roots))
            self._relay(self._files.tree)
        return self._files

    def _places(self, files: Files, found: FileTool, arguments: Mapping[str, JSON]) -> list[str]:
        parts: tuple[Part, ...] = ("path", "source", "destination")
        given = [found.given(part, arguments) for part in parts if part in found.parts]
        many = found.given("paths", arguments)
        given += cast("list[JSON]", many) if isinstance(many, list) else []
        return [files.place("." if each is None else each) for each in given]

    def _touched(self, place: str) -> bool:
        return any(within(place, path) or within(path, place) for path in self._layer)

    def _with_role(self, *roles: FileRole) -> FileTool | None:
        return next((each for role in roles for each in self._known.values() if each.role == role), None)

    async def _fetch(self, tree: Tree, place: str, role: FileRole) -> None:
        """Bring what a call is about to look at: the folders above it, it, and what is under it."""
        for folder in (*_above(place), place):
            await self._list(tree, folder)
        if role in _WHOLE:
            waiting = [place]
            while waiting:
                folder = waiting.pop()
                if tree.is_folder(folder):
                    await self._list(tree, folder)
                    waiting += [posixpath.join(folder, name) for name in tree.names(folder)]
                if len(self._listed) > _MOST:
                    raise InvalidTrialError("tool-simulator", f"There is too much under {place!r} to lay changes over.")
        needed = [place, *(tree.walk(place) if role == "search-text" and tree.is_folder(place) else ())]
        if role == "list-sizes" and tree.is_folder(place):
            needed += [posixpath.join(place, name) for name in tree.names(place)]
        for path in needed if role in (*_CONTENTS, "search-text", "list-sizes") else ():
            await self._read(tree, path)

    async def _list(self, tree: Tree, folder: str) -> None:
        if folder in self._listed or folder in self._layer or not tree.is_folder(folder):
            return
        self._listed.add(folder)
        if not any(within(folder, root) for root in self._roots()):
            return
        tool = self._with_role("list")
        if tool is None:
            raise InvalidTrialError(
                "tool-simulator",
                f"Nothing lists {folder!r}: no tool of the real ones does, so that changes cannot be laid over it. "
                "Route the file tools to 'simulated'.",
            )
        answer = await self._real.call(tool.tool.name, {tool.parts["path"]: folder})
        entries = None if answer.is_error else entries_in(answer.content)
        if entries is None:
            raise InvalidTrialError(
                "tool-simulator", f"{tool.tool.name!r} does not list {folder!r} in a form that can be read."
            )
        for name, is_folder in entries:
            path = posixpath.join(folder, name)
            if path not in self._layer and tree.record(path) is None:
                tree.put(path, {"kind": "folder"} if is_folder else {"kind": "file", "at": path})

    def _roots(self) -> Iterable[str]:
        return self._files.roots if self._files else ()

    async def _read(self, tree: Tree, path: str) -> None:
        """The content of a real file, from where it really is: a move is only simulated."""
        record = tree.record(path)
        if record is None or "at" not in record:
            return
        tool = self._with_role("read")
        if tool is None:
            raise InvalidTrialError("tool-simulator", f"No tool of the real ones reads {path!r}.")
        answer = await self._real.call(tool.tool.name, {tool.parts["path"]: record["at"]})
        if answer.is_error:
            raise InvalidTrialError(
                "tool-simulator", f"{record['at']!r} is listed but cannot be read: {answer.content}"
            )
        fetched: Record = {"kind": "file", "text": _text(answer.content)}
        tree.put(path, fetched)
        if path in self._layer:
            self._layer[path] = fetched

    async def _read_moved(self, found: FileTool, arguments: Mapping[str, JSON], real: str, shown: str) -> Answer:
        answer = await self._real.call(found.tool.name, {**arguments, found.parts["path"]: real})
        text = msgspec.json.encode([answer.content, answer.parts]).decode().replace(real, shown)
        content, parts = msgspec.json.decode(text)
        return structs.replace(answer, content=content, parts=None if parts is None else tuple(parts))


def _above(path: str) -> list[str]:
    """The folders above a path, the highest first."""
    parts = normal(path).strip("/").split("/")
    return ["/", *("/" + "/".join(parts[: count + 1]) for count in range(len(parts) - 1))] if parts != [""] else []


def _text(content: JSON) -> str:
    """The text of an answer, in a field of its own or not."""
    if isinstance(content, Mapping):
        values = [each for each in cast("Mapping[str, JSON]", content).values() if isinstance(each, str)]
        return values[0] if values else ""
    return content if isinstance(content, str) else ""


def entries_in(content: JSON) -> list[tuple[str, bool]] | None:
    """Names, and whether each is a folder, from the usual forms of listings; None from any other."""
    if isinstance(content, Mapping) and len(cast("Mapping[str, JSON]", content)) == 1:
        return entries_in(next(iter(cast("Mapping[str, JSON]", content).values())))
    if isinstance(content, str):
        if content.lstrip()[:1] in ("[", "{") and not content.lstrip().startswith(("[FILE]", "[DIR]")):
            try:
                return entries_in(msgspec.json.decode(content))
            except msgspec.DecodeError:
                return None
        return _lines(content)
    if not isinstance(content, list):
        return None
    entries: list[tuple[str, bool]] = []
    for each in cast("list[JSON]", content):
        if not isinstance(each, Mapping):
            return None
        known = cast("Mapping[str, JSON]", each)
        kind = known.get("type", known.get("kind", known.get("isDirectory", known.get("is_dir"))))
        if not isinstance(known.get("name"), str) or kind is None:
            return None
        entries.append((str(known["name"]), kind is True or str(kind).lower() in ("directory", "dir", "folder")))
    return entries


def _lines(text: str) -> list[tuple[str, bool]] | None:
    entries: list[tuple[str, bool]] = []
    for line in filter(None, text.splitlines()):
        if line.startswith("[DIR] "):
            entries.append((line.removeprefix("[DIR] "), True))
        elif line.startswith("[FILE] "):
            entries.append((line.removeprefix("[FILE] "), False))
        else:
            return None
    return entries
