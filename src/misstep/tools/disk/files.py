"""File tools, whatever they are called → a Toolbox that plays them on a tree in memory."""

import base64
import posixpath
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import cast

from misstep.core.errors import UnknownToolError
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import words
from misstep.tools.checked import problem
from misstep.tools.disk import views
from misstep.tools.disk.roles import FileTool, Part, file_tools
from misstep.tools.disk.tree import Tree, TreeError, normal, within
from misstep.tools.records.making_up import completed, resolved

HOME = "/workspace"

_STARTING = {
    f"{HOME}/README.md": "# Workspace\n\nNotes and figures for the spring review.\n",
    f"{HOME}/notes/todo.txt": "call the printer\nbook the small room\nsend the figures\n",
    f"{HOME}/data/figures.csv": "month,sold,returned\njan,120,4\nfeb,98,7\nmar,143,2\n",
    f"{HOME}/settings.json": '{\n  "language": "en",\n  "autosave": true\n}\n',
}


class FileError(Exception):
    """What a file tool answers with when it cannot do what it was asked to."""


def starting_tree(roots: Sequence[str] | None) -> Tree:
    """A few files to work with; or, where the roots are known, these and nothing in them."""
    return Tree(_STARTING) if roots is None else Tree(folders=roots)


class Files:
    """Nothing here touches a disk. Where no roots are given, a folder that a call names is taken to be there: the
    agent was told of it by somebody; from then on it is as strict as any other.
    """

    def __init__(
        self, tools: Sequence[Tool], *, seed: int = 0, roots: Sequence[str] | None = None, tree: Tree | None = None
    ) -> None:
        self._known = file_tools(tools)
        self._tools = tuple(tool for tool in tools if tool.name in self._known)
        self._seed = seed
        self._given = tuple(dict.fromkeys(normal(root) for root in roots)) if roots is not None else None
        self.tree = tree if tree is not None else starting_tree(self._given)

    @property
    def roots(self) -> list[str]:
        """Read off the tree, so that what was taken to be there is forgotten with the state that it was in."""
        if self._given is not None:
            return list(self._given)
        return [HOME, *(self._lone(path) for path in self._beside("/"))]

    def _beside(self, folder: str) -> list[str]:
        inside = [posixpath.join(folder, name) for name in self.tree.names(folder)]
        return [path for path in inside if self.tree.is_folder(path) and not within(HOME, path)]

    def _lone(self, folder: str) -> str:
        """A folder that holds nothing but another is only the way to that one."""
        names = self.tree.names(folder)
        inner = posixpath.join(folder, names[0]) if len(names) == 1 else folder
        return self._lone(inner) if inner != folder and self.tree.is_folder(inner) else folder

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = self._known.get(tool)
        if found is None:
            raise UnknownToolError(tool, self._known)
        return self.answer(found, arguments)

    def answer(self, found: FileTool, arguments: Mapping[str, JSON]) -> Answer:
        if wrong := problem(found.tool, arguments):
            return Answer(wrong, is_error=True, served_by="simulated")
        try:
            done = self._done(found, arguments)
        except (FileError, TreeError) as error:
            return Answer(str(error), is_error=True, served_by="simulated")
        return shaped(found.tool, done, Random(f"{self._seed}/{found.tool.name}"))

    def snapshot(self) -> State:
        return self.tree.snapshot()

    def restore(self, state: State) -> None:
        self.tree.restore(state)

    def place(self, path: JSON) -> str:
        """The absolute path that is meant; one outside the roots is refused."""
        place = normal(str(path), (self._given or (HOME,))[0])
        if self._given is not None and not any(within(place, root) for root in self._given):
            allowed = ", ".join(self._given)
            raise FileError(f"Access denied - path outside allowed directories: {place} not in {allowed}")
        return place

    def _adopt(self, place: str, *, folder: bool) -> None:
        """Take a folder outside all that is known as one that is there."""
        known = self._given is not None or within(place, HOME) or any(within(place, root) for root in self.roots)
        if not known:
            with suppress(TreeError):
                self.tree.make_folder(place if folder else posixpath.dirname(place), parents=True)

    def _at(self, found: FileTool, part: Part, arguments: Mapping[str, JSON], *, folder: bool = False) -> str:
        given = found.given(part, arguments)
        place = self.place("." if given is None else given)
        self._adopt(place, folder=folder)
        return place

    def _done(self, found: FileTool, arguments: Mapping[str, JSON]) -> JSON:
        match found.role:
            case "roots":
                return "\n".join(["Allowed directories:", *self.roots])
            case "read-many":
                return self._read_many(found, arguments)
            case "move" | "copy":
                return self._carried(found, arguments)
            case "list" | "list-sizes" | "tree" | "find" | "search-text":
                return self._viewed(found, self._at(found, "path", arguments, folder=True), arguments)
            case "make-folder":
                place = self._at(found, "path", arguments)
                self.tree.make_folder(place, parents=True)
                return f"Successfully created directory {found.given('path', arguments)}"
            case _:
                return self._one(found, self._at(found, "path", arguments), arguments)

    def _one(self, found: FileTool, place: str, arguments: Mapping[str, JSON]) -> JSON:
        named = found.given("path", arguments)
        match found.role:
            case "read":
                return self._read(found, place, arguments)
            case "read-media":
                return self._media(place)
            case "write":
                self.tree.write(place, str(found.given("content", arguments)))
                return f"Successfully wrote to {named}"
            case "append":
                self.tree.append(place, str(found.given("content", arguments)))
                return f"Successfully appended to {named}"
            case "edit":
                return self._edited(found, place, arguments)
            case "delete":
                self.tree.remove(place, recursive=found.given("all", arguments) is True)
                return f"Successfully deleted {named}"
            case "exists":
                return self.tree.kind(place) is not None
            case _:
                if self.tree.kind(place) is None:
                    raise TreeError("ENOENT", place, "stat")
                known = views.facts(self.tree, place)
                return known if _asks_for_fields(found.tool) else views.facts_text(known)

    def _viewed(self, found: FileTool, place: str, arguments: Mapping[str, JSON]) -> JSON:
        exclude = _texts(found.given("exclude", arguments))
        pattern = str(found.given("pattern", arguments) or "*")
        match found.role:
            case "list":
                return views.listing(self.tree, place)
            case "list-sizes":
                by_size = found.given("sort", arguments) == "size"
                return views.sized_listing(self.tree, place, by_size=by_size)
            case "tree":
                return views.tree_text(self.tree, place, exclude)
            case "find":
                strict = "glob" in words(found.tool.description)
                hits = views.found(self.tree, place, pattern, exclude, strict=strict)
            case _:
                hits = views.lines_with(self.tree, place, pattern, exclude)
        return "\n".join(hits) or "No matches found"

    def _read(self, found: FileTool, place: str, arguments: Mapping[str, JSON]) -> str:
        head, tail = found.given("head", arguments), found.given("tail", arguments)
        if head is not None and tail is not None:
            raise FileError("Cannot specify both head and tail parameters simultaneously")
        text = self.tree.text_of(place)
        if isinstance(head, (int, float)):
            return views.first_lines(text, int(head))
        return views.last_lines(text, int(tail)) if isinstance(tail, (int, float)) else text

    def _media(self, place: str) -> JSON:
        data = base64.b64encode(self.tree.bytes_of(place)).decode("ascii")
        kind = views.media_type(place)
        if kind.startswith(("image/", "audio/")):
            return [{"type": kind.partition("/")[0], "data": data, "mimeType": kind}]
        return [{"type": "resource", "resource": {"uri": f"file://{place}", "mimeType": kind, "blob": data}}]

    def _read_many(self, found: FileTool, arguments: Mapping[str, JSON]) -> str:
        told: list[str] = []
        for path in _texts(found.given("paths", arguments)):
            try:
                place = self.place(path)
                self._adopt(place, folder=False)
                told.append(f"{path}:\n{self.tree.text_of(place)}\n")
            except (FileError, TreeError) as error:
                told.append(f"{path}: Error - {error}")
        return "\n---\n".join(told)

    def _carried(self, found: FileTool, arguments: Mapping[str, JSON]) -> str:
        source, target = self._at(found, "source", arguments), self._at(found, "destination", arguments)
        self.tree.names(posixpath.dirname(target))
        if self.tree.kind(source) is None:
            raise TreeError("ENOENT", source, "rename")
        if self.tree.kind(target) is not None:
            raise TreeError("EEXIST", target, "rename")
        if found.role == "copy":
            self.tree.copy(source, target)
            return f"Successfully copied {source} to {target}"
        self.tree.move(source, target)
        return f"Successfully moved {found.given('source', arguments)} to {found.given('destination', arguments)}"

    def _edited(self, found: FileTool, place: str, arguments: Mapping[str, JSON]) -> str:
        before = after = self.tree.text_of(place).replace("\r\n", "\n")
        for old, new in _edits(found, arguments):
            changed = views.edited(after, old, new)
            if changed is None:
                raise FileError(f"Could not find exact match for edit:\n{old}")
            after = changed
        if found.given("dry", arguments) is not True:
            self.tree.write(place, after)
        return views.difference_text(str(found.given("path", arguments)), before, after)


def _edits(found: FileTool, arguments: Mapping[str, JSON]) -> list[tuple[str, str]]:
    listed = found.given("edits", arguments)
    if not isinstance(listed, list):
        return [(str(found.given("old", arguments)), str(found.given("new", arguments)))]
    pairs: list[tuple[str, str]] = []
    for each in cast("list[dict[str, JSON]]", listed):
        old = next((value for name, value in each.items() if name.lower().startswith(("old", "search", "find"))), "")
        new = next((value for name, value in each.items() if name.lower().startswith(("new", "replace"))), "")
        pairs.append((str(old), str(new)))
    return pairs


def _texts(value: JSON) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(each) for each in cast("list[JSON]", value)] if isinstance(value, list) else []


def _asks_for_fields(tool: Tool) -> bool:
    named = cast("Mapping[str, JSON]", (tool.output_schema or {}).get("properties") or {})
    return len(named) > 1


def shaped(tool: Tool, done: JSON, random: Random) -> Answer:
    """An answer in the shape of the output schema: a text goes to where there is one place for it."""
    schema = tool.output_schema
    if not schema:
        parts = tuple(cast("list[dict[str, JSON]]", done)) if isinstance(done, list) else None
        return Answer(cast("JSON", done), served_by="simulated", parts=parts)
    named = cast("Mapping[str, JSON]", resolved(schema, schema).get("properties") or {})
    wanted: JSON = done
    if named and not isinstance(done, dict):
        wanted = {_place_for(named, done): done}
    return Answer(completed(schema, wanted, random), served_by="simulated")


def _place_for(named: Mapping[str, JSON], done: JSON) -> str:
    wanted = "boolean" if isinstance(done, bool) else "array" if isinstance(done, list) else "string"
    fitting = [
        name
        for name, schema in named.items()
        if isinstance(schema, Mapping) and cast("Mapping[str, JSON]", schema).get("type") == wanted
    ]
    return next(iter(fitting or named))
