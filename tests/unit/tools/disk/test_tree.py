"""File tools work on a tree in memory as they would on a disk, and on nothing else."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.disk.files import Files
from misstep.tools.disk.globs import fits_glob
from misstep.tools.disk.tree import Tree, TreeError

TEXT: JSON = {"type": "string"}
TEXTS: JSON = {"type": "array", "items": TEXT}
CONTENT: Any = {
    "type": "object",
    "properties": {"content": TEXT},
    "required": ["content"],
    "additionalProperties": False,
}
EDITS: JSON = {
    "type": "array",
    "items": {"type": "object", "properties": {"oldText": TEXT, "newText": TEXT}, "required": ["oldText", "newText"]},
}


def made(name: str, *required: str, told: Any = CONTENT, description: str = "Works on files.", **given: JSON) -> Tool:
    properties = {**dict.fromkeys(required, TEXT), **given}
    schema: dict[str, JSON] = {"type": "object", "properties": properties, "required": [*required]}
    return Tool(name, description, schema, told)


TOOLS = [
    made("read_file", "path", head={"type": "number"}, tail={"type": "number"}),
    made("read_multiple_files", paths=TEXTS),
    made("write_file", "path", "content"),
    made("edit_file", "path", edits=EDITS, dryRun={"type": "boolean"}),
    made("create_directory", "path"),
    made("list_directory", "path"),
    made("directory_tree", "path", excludePatterns=TEXTS),
    made("move_file", "source", "destination"),
    made("search_files", "path", "pattern", description="Search files by a glob."),
    made("get_file_info", "path"),
    made("list_allowed_directories"),
]
OTHERS = [
    made("fs__Cat", "filename", told=None, description="Read a file."),
    made("fs__SaveFile", "file_path", "text", told=None),
    made("fs__Rm", "filepath", told=None, description="Delete a file.", recursive={"type": "boolean"}),
    made("fs__Copy", "src", "dst", told=None, description="Copy files."),
    made("fs__StrReplace", "path", "old_str", "new_str", told=None, description="Replace text in a file."),
]


def call(files: Files, tool: str, **arguments: JSON) -> Answer:
    return asyncio.run(files.call(tool, arguments))


def told(files: Files, tool: str, **arguments: JSON) -> Any:
    answer = call(files, tool, **arguments)
    assert not answer.is_error, answer.content
    return answer.content["content"] if isinstance(answer.content, dict) else answer.content  # pyright: ignore


def rooted() -> Files:
    return Files(TOOLS, roots=["/data"])


def test_what_was_written_is_read_back_and_no_disk_is_touched(tmp_path: Path) -> None:
    files = Files(TOOLS, roots=[str(tmp_path)])
    told(files, "create_directory", path=f"{tmp_path}/a/b")
    told(files, "write_file", path=f"{tmp_path}/a/b/c.txt", content="one\ntwo\n")
    told(files, "move_file", source=f"{tmp_path}/a/b", destination=f"{tmp_path}/d")

    assert told(files, "read_file", path=f"{tmp_path}/d/c.txt") == "one\ntwo\n"
    assert told(files, "read_file", path=f"{tmp_path}/d/c.txt", head=1) == "one"
    assert told(files, "list_directory", path=str(tmp_path)) == "[DIR] a\n[DIR] d"
    assert told(files, "search_files", path=str(tmp_path), pattern="**/*.txt") == f"{tmp_path}/d/c.txt"
    assert '"name": "c.txt"' in told(files, "directory_tree", path=str(tmp_path))
    assert "size: 8" in told(files, "get_file_info", path=f"{tmp_path}/d/c.txt")
    assert list(tmp_path.iterdir()) == []


def test_an_edit_replaces_a_passage_and_shows_the_difference() -> None:
    files = rooted()
    told(files, "write_file", path="/data/a.py", content="def f():\n    return 1\n")
    shown = told(files, "edit_file", path="/data/a.py", edits=[{"oldText": "return 1", "newText": "return 2"}])
    assert "-    return 1\n+    return 2" in shown
    assert told(files, "read_file", path="/data/a.py") == "def f():\n    return 2\n"

    told(files, "edit_file", path="/data/a.py", edits=[{"oldText": "return 2", "newText": "x"}], dryRun=True)
    assert "return 2" in told(files, "read_file", path="/data/a.py")
    assert call(files, "edit_file", path="/data/a.py", edits=[{"oldText": "gone", "newText": "x"}]).is_error


@pytest.mark.parametrize(
    ("tool", "arguments", "because"),
    [
        ("read_file", {"path": "/data/none"}, "ENOENT"),
        ("read_file", {"path": "/data"}, "EISDIR"),
        ("read_file", {"path": "/etc/passwd"}, "Access denied"),
        ("read_file", {"path": "/data/../etc/passwd"}, "Access denied"),
        ("read_file", {"path": "/data/a/b"}, "ENOTDIR"),
        ("read_file", {"path": 3}, "must be a text"),
        ("write_file", {"path": "/data/no/such", "content": ""}, "ENOENT"),
        ("list_directory", {"path": "/data/a"}, "ENOTDIR"),
        ("move_file", {"source": "/data/none", "destination": "/data/b"}, "ENOENT"),
        ("move_file", {"source": "/data/a", "destination": "/data/a"}, "EEXIST"),
        ("create_directory", {"path": "/data/a"}, "EEXIST"),
    ],
)
def test_what_cannot_be_done_is_the_file_systems_own_error(tool: str, arguments: dict[str, JSON], because: str) -> None:
    files = rooted()
    told(files, "write_file", path="/data/a", content="x")
    before = files.snapshot()
    answer = call(files, tool, **arguments)

    assert answer.is_error
    assert because in str(answer.content)
    assert files.snapshot() == before


def test_one_missing_file_among_several_does_not_stop_the_others() -> None:
    files = rooted()
    told(files, "write_file", path="/data/a", content="here")
    shown = told(files, "read_multiple_files", paths=["/data/a", "/data/b"])
    assert "here" in shown
    assert "/data/b: Error" in shown


def test_a_folder_that_the_agent_was_told_of_is_taken_to_be_there() -> None:
    files = Files(TOOLS)
    assert call(files, "read_file", path="/home/ada/project/a.txt").is_error
    told(files, "write_file", path="/home/ada/project/a.txt", content="mine")

    assert told(files, "list_directory", path="/home/ada/project") == "[FILE] a.txt"
    assert call(files, "write_file", path="/home/ada/project/none/b.txt", content="").is_error
    assert "/home/ada/project" in told(files, "list_allowed_directories")


def test_file_tools_are_known_by_what_they_take_not_only_by_their_names() -> None:
    files = Files(OTHERS, roots=["/data"])
    assert [tool.name for tool in asyncio.run(files.tools())] == [tool.name for tool in OTHERS]
    told(files, "fs__SaveFile", file_path="/data/a.txt", text="one two")
    told(files, "fs__StrReplace", path="/data/a.txt", old_str="two", new_str="three")
    told(files, "fs__Copy", src="/data/a.txt", dst="/data/b.txt")
    told(files, "fs__Rm", filepath="/data/a.txt")

    assert told(files, "fs__Cat", filename="/data/b.txt") == "one three"
    assert call(files, "fs__Cat", filename="/data/a.txt").is_error


def test_a_state_that_is_put_back_is_the_state_again() -> None:
    files = rooted()
    told(files, "write_file", path="/data/a", content="x")
    before = files.snapshot()
    told(files, "move_file", source="/data/a", destination="/data/b")
    files.restore(before)
    assert files.snapshot() == before
    assert told(files, "read_file", path="/data/a") == "x"


def test_a_folder_is_not_moved_into_itself() -> None:
    tree = Tree(folders=["/a/b"])
    with pytest.raises(TreeError, match="EINVAL"):
        tree.move("/a", "/a/b/c")
    assert tree.names("/a") == ["b"]


def test_bytes_that_are_no_text_survive() -> None:
    tree = Tree({"/a/pic.png": b"\x89PNG\xff\x00"})
    tree.copy("/a/pic.png", "/a/copy.png")
    assert tree.bytes_of("/a/copy.png") == b"\x89PNG\xff\x00"


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.txt", "a.txt", True),
        ("*.txt", "a/b.txt", False),
        ("**/*.txt", "b.txt", True),
        ("**/*.txt", "a/c/b.txt", True),
        ("a/**", "a/b/c", True),
        ("*.{md,txt}", "x.md", True),
        ("[!a].txt", "b.txt", True),
        ("[!a].txt", "a.txt", False),
        ("a?c", "abc", True),
        ("(", "(", True),
    ],
)
def test_a_glob_fits_the_paths_it_should(pattern: str, path: str, fits: bool) -> None:
    assert fits_glob(path, pattern) is fits


def test_a_folder_that_was_taken_to_be_there_is_forgotten_with_the_state_it_was_in() -> None:
    files, fresh = Files(TOOLS), Files(TOOLS)
    start = files.snapshot()
    told(files, "write_file", path="/srv/app/notes.txt", content="hello")
    later = files.snapshot()
    assert told(files, "list_allowed_directories").splitlines()[1:] == ["/workspace", "/srv/app"]
    told(files, "list_directory", path="/")
    files.restore(start)
    assert told(files, "list_allowed_directories") == told(fresh, "list_allowed_directories")
    told(files, "write_file", path="/srv/other/notes.txt", content="hello")
    told(fresh, "write_file", path="/srv/other/notes.txt", content="hello")
    assert files.snapshot() == fresh.snapshot()
    fresh.restore(later)
    assert told(fresh, "list_allowed_directories").splitlines()[1:] == ["/workspace", "/srv/app"]
