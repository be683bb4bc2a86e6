"""A tree of folders and files in memory, with a file system's own errors; nothing of it is on a disk."""

import base64
import posixpath
from collections.abc import Iterator, Mapping, Sequence

from misstep.core.state import Record, State

TABLE = "files"
_FOLDER: Record = {"kind": "folder"}

_REASONS = {
    "ENOENT": "no such file or directory",
    "EISDIR": "illegal operation on a directory",
    "ENOTDIR": "not a directory",
    "EEXIST": "file already exists",
    "ENOTEMPTY": "directory not empty",
    "EINVAL": "invalid argument",
    "EACCES": "permission denied",
}


class TreeError(Exception):
    """What a file system answers with: its code, and the path that it is about."""

    def __init__(self, code: str, path: str, doing: str = "open") -> None:
        super().__init__(f"{code}: {_REASONS[code]}, {doing} '{path}'")
        self.code, self.path = code, path

    @property
    def reason(self) -> str:
        """As a shell puts it."""
        said = {"EISDIR": "Is a directory", "EEXIST": "File exists"}.get(self.code)
        return said or _REASONS[self.code].capitalize()


class Tree:
    """Absolute path → folder or file. Files hold text, or bytes that are none."""

    def __init__(self, files: Mapping[str, str | bytes] | None = None, *, folders: Sequence[str] = ()) -> None:
        self._nodes: dict[str, Record] = {"/": _FOLDER}
        for path in folders:
            self.make_folder(path, parents=True)
        for path, content in (files or {}).items():
            self.make_folder(posixpath.dirname(normal(path)), parents=True)
            self.write(path, content)

    def kind(self, path: str) -> str | None:
        """`folder`, `file`, or None where there is nothing."""
        node = self._nodes.get(normal(path))
        return None if node is None else str(node["kind"])

    def is_folder(self, path: str) -> bool:
        return self.kind(path) == "folder"

    def is_file(self, path: str) -> bool:
        return self.kind(path) == "file"

    def bytes_of(self, path: str) -> bytes:
        node = self._file(path)
        if "base64" in node:
            return base64.b64decode(str(node["base64"]))
        return str(node["text"]).encode("utf-8", "surrogatepass")

    def text_of(self, path: str) -> str:
        node = self._file(path)
        return str(node["text"]) if "text" in node else self.bytes_of(path).decode("utf-8", "replace")

    def _file(self, path: str) -> Record:
        node = self._nodes.get(normal(path))
        if node is None:
            raise TreeError(self._why_missing(path), path)
        if node["kind"] == "folder":
            raise TreeError("EISDIR", path, "read")
        return node

    def _why_missing(self, path: str) -> str:
        above = posixpath.dirname(normal(path))
        while above != "/" and above not in self._nodes:
            above = posixpath.dirname(above)
        return "ENOTDIR" if self.is_file(above) else "ENOENT"

    def size(self, path: str) -> int:
        return 4096 if self.is_folder(path) else len(self.bytes_of(path))

    def write(self, path: str, content: str | bytes) -> None:
        place = self._free(path)
        if self.is_folder(place):
            raise TreeError("EISDIR", path)
        self._nodes[place] = _node(content)

    def append(self, path: str, content: str) -> None:
        self.write(path, (self.text_of(path) if self.is_file(path) else "") + content)

    def _free(self, path: str, doing: str = "open") -> str:
        """Where something may be put: in a folder that is there."""
        place = normal(path)
        above = posixpath.dirname(place)
        if not self.is_folder(above):
            raise TreeError(self._why_missing(path) if not self.is_file(above) else "ENOTDIR", path, doing)
        return place

    def make_folder(self, path: str, *, parents: bool = False) -> None:
        place = normal(path)
        if parents and self.is_folder(place):
            return
        if place in self._nodes:
            raise TreeError("EEXIST", path, "mkdir")
        if parents:
            above = posixpath.dirname(place)
            if self.is_file(above):
                raise TreeError("ENOTDIR", path, "mkdir")
            self.make_folder(above, parents=True)
        self._nodes[self._free(path, "mkdir")] = _FOLDER

    def remove(self, path: str, *, recursive: bool = False) -> None:
        place = normal(path)
        if place not in self._nodes:
            raise TreeError(self._why_missing(path), path, "unlink")
        if self.is_folder(place) and not recursive and self.names(place):
            raise TreeError("ENOTEMPTY", path, "rmdir")
        for each in self.below(place):
            del self._nodes[each]
        if place != "/":
            del self._nodes[place]

    def move(self, source: str, destination: str) -> None:
        self._carry(source, destination, "rename")
        if normal(source) != normal(destination):
            self.remove(source, recursive=True)

    def copy(self, source: str, destination: str) -> None:
        self._carry(source, destination, "copyfile")

    def _carry(self, source: str, destination: str, doing: str) -> None:
        here, there = normal(source), normal(destination)
        if here not in self._nodes:
            raise TreeError(self._why_missing(source), source, doing)
        if here == there:
            return
        if within(there, here):
            raise TreeError("EINVAL", source, doing)
        self._free(destination, doing)
        if self.is_folder(there) != self.is_folder(here) and there in self._nodes:
            raise TreeError("EISDIR" if self.is_folder(there) else "ENOTDIR", destination, doing)
        if self.is_folder(there) and self.names(there):
            raise TreeError("ENOTEMPTY", destination, doing)
        for each in (here, *self.below(here)):
            self._nodes[there + each[len(here) :]] = self._nodes[each]

    def names(self, path: str) -> list[str]:
        """What is in a folder, by name."""
        place = normal(path)
        node = self._nodes.get(place)
        if node is None or node["kind"] != "folder":
            raise TreeError("ENOTDIR" if node else self._why_missing(path), path, "scandir")
        above = place.rstrip("/")
        return sorted(
            each[len(above) + 1 :] for each in self._nodes if each != "/" and posixpath.dirname(each) == place
        )

    def below(self, path: str) -> list[str]:
        """All paths under one, each folder before what is in it."""
        above = normal(path).rstrip("/") + "/"
        return sorted(each for each in self._nodes if each.startswith(above) and each != "/")

    def walk(self, path: str) -> Iterator[str]:
        """All paths under one, a folder's content right behind it."""
        for name in self.names(path):
            place = posixpath.join(normal(path), name)
            yield place
            if self.is_folder(place):
                yield from self.walk(place)

    def record(self, path: str) -> Record | None:
        return self._nodes.get(normal(path))

    def put(self, path: str, record: Record | None) -> None:
        """Set what is at a path as it is, or take it away: for those who know what belongs there."""
        if record is None:
            self._nodes.pop(normal(path), None)
        else:
            self._nodes[normal(path)] = record

    def snapshot(self) -> State:
        return {TABLE: dict(self._nodes)}

    def restore(self, state: State) -> None:
        self._nodes = {"/": _FOLDER, **state.get(TABLE, {})}


def _node(content: str | bytes) -> Record:
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError:
            return {"kind": "file", "base64": base64.b64encode(content).decode("ascii")}
    return {"kind": "file", "text": content}


def normal(path: str, folder: str = "/") -> str:
    """An absolute path without dots and doubled slashes; a relative one starts at the folder."""
    if path == "~" or path.startswith("~/"):
        path = "/home/user" + path[1:]
    whole = posixpath.normpath(posixpath.join(folder, path))
    return "/" + whole.lstrip("/")


def within(path: str, folder: str) -> bool:
    return folder == "/" or path == folder or path.startswith(folder + "/")
