"""A tool's name and parameters → which file tool it is, whatever it is called, and which parameter is which."""

from collections.abc import Mapping, Sequence
from typing import Literal, cast

from msgspec import Struct

from misstep.core.tool import JSON, Tool
from misstep.core.words import split_identifier, words
from misstep.tools.records.entities import items_of, properties

FileRole = Literal[
    "read", "read-media", "read-many", "write", "append", "edit", "make-folder", "list", "list-sizes", "tree", "move",
    "copy", "delete", "find", "search-text", "info", "exists", "roots",
]  # fmt: skip

Part = Literal[
    "path", "paths", "source", "destination", "content", "edits", "old", "new", "pattern", "exclude", "head", "tail",
    "sort", "dry", "all",
]  # fmt: skip

_PARTS: tuple[tuple[Part, frozenset[str]], ...] = (
    ("exclude", frozenset("exclude ignore excluded".split())),
    ("dry", frozenset("dry preview".split())),
    ("old", frozenset("old search find".split())),
    ("new", frozenset("new replace replacement".split())),
    ("source", frozenset("source src from origin".split())),
    ("destination", frozenset("destination dest dst target to".split())),
    ("edits", frozenset("edits edit changes replacements".split())),
    ("content", frozenset("content contents text data body".split())),
    ("pattern", frozenset("pattern glob query regex expression name".split())),
    ("head", frozenset(["head"])),
    ("tail", frozenset(["tail"])),
    ("sort", frozenset("sort order".split())),
    ("all", frozenset("all recursive replace_all overwrite encoding create parents force".split())),
    ("path", frozenset("path file filename filepath directory dir folder uri location".split())),
)
_THINGS = frozenset("file files directory directories dir folder folders path paths filesystem tree".split())


class FileTool(Struct, frozen=True):
    """A tool that does something to a tree of files."""

    tool: Tool
    role: FileRole
    parts: dict[Part, str]

    def given(self, part: Part, arguments: Mapping[str, JSON]) -> JSON:
        return arguments.get(self.parts[part]) if part in self.parts else None


def file_tools(tools: Sequence[Tool]) -> dict[str, FileTool]:
    """Those of the tools that are file tools; a tool that demands what no file tool knows is none."""
    found: dict[str, FileTool] = {}
    for tool in tools:
        parts = _parts(tool)
        required = set(cast("list[str]", tool.input_schema.get("required") or []))
        role = _role(tool, parts)
        if role is not None and required <= set(parts.values()):
            found[tool.name] = FileTool(tool, role, parts)
    return found if _is_a_set(found) else {}


def _is_a_set(found: Mapping[str, FileTool]) -> bool:
    """One that reads or lists, or that changes: a lone tool that asks for the roots of something is no file tool."""
    return any(each.role != "roots" for each in found.values())


def _parts(tool: Tool) -> dict[Part, str]:
    given = properties(tool.input_schema)
    parts: dict[Part, str] = {}
    for name, schema in given.items():
        part = _part(name, schema, tool)
        if part is not None:
            parts.setdefault(part, name)
    return parts


def _part(name: str, schema: JSON, tool: Tool) -> Part | None:
    said = set(split_identifier(name))
    several = _kind(schema) == "array"
    if several and items_of(schema, tool.input_schema):
        return "edits"
    if "paths" in said or (several and said & _THINGS and not said & {"exclude", "ignore", "excluded"}):
        return "paths"
    if said & {"old", "new"} and said & {"path", "name", "file", "filename"}:
        return "source" if "old" in said else "destination"
    return next((part for part, known in _PARTS if said & known), None)


def _kind(schema: JSON) -> JSON:
    return cast("Mapping[str, JSON]", schema).get("type") if isinstance(schema, Mapping) else None


def _role(tool: Tool, parts: Mapping[Part, str]) -> FileRole | None:
    said = split_identifier(tool.name.rpartition("__")[2] or tool.name)
    about = {*said, *words(tool.description)[:40]}
    if not about & _THINGS:
        return None
    name = set(said)
    if "path" not in parts and "paths" not in parts and not {"source", "destination"} <= parts.keys():
        asks_roots = name & {"allowed", "roots", "root", "workspace", "workspaces"} and not parts
        return "roots" if asks_roots else None
    return _by_parts(name, parts) or _by_name(name, parts)


def _by_parts(name: set[str], parts: Mapping[Part, str]) -> FileRole | None:
    if {"source", "destination"} <= parts.keys():
        return "copy" if name & {"copy", "cp", "duplicate"} else "move"
    if "paths" in parts:
        return "read-many"
    if "edits" in parts or {"old", "new"} <= parts.keys():
        return "edit"
    if "content" in parts:
        return "append" if "append" in name else "write"
    return None


_BY_NAME: tuple[tuple[FileRole, frozenset[str], frozenset[str]], ...] = (
    ("tree", frozenset(["tree"]), frozenset()),
    ("delete", frozenset("delete remove rm unlink rmdir trash".split()), frozenset()),
    ("exists", frozenset("exists exist".split()), frozenset()),
    ("info", frozenset("info stat stats metadata details attributes".split()), frozenset()),
    ("make-folder", frozenset("create make mkdir new ensure".split()), frozenset("directory dir folder mkdir".split())),
    ("list-sizes", frozenset("list ls dir".split()), frozenset("size sizes".split())),
    ("list", frozenset("list ls readdir dir".split()), frozenset()),
    ("read-media", frozenset("read get view load open".split()), frozenset("media image binary audio base64".split())),
    ("read", frozenset("read cat view open get show load".split()), frozenset()),
)  # fmt: skip


def _by_name(name: set[str], parts: Mapping[Part, str]) -> FileRole | None:
    if "pattern" in parts and name & {"search", "find", "grep", "glob"}:
        return "search-text" if name & {"grep", "content", "contents", "text", "in"} else "find"
    return next((role for role, verbs, with_ in _BY_NAME if name & verbs and (not with_ or name & with_)), None)
