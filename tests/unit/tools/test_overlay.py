"""With an overlay an agent works on what is real and changes nothing of it."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from misstep.core.errors import InvalidTrialError
from misstep.core.tool import JSON, Answer, Effect, Tool
from misstep.tools.disk.files import Files
from misstep.tools.disk.overlaid import entries_in
from misstep.tools.disk.tree import Tree
from misstep.tools.overlay import Overlay

TEXT: JSON = {"type": "string"}


def made(name: str, effect: Effect, *given: str, **more: JSON) -> Tool:
    schema: dict[str, JSON] = {
        "type": "object",
        "properties": {**dict.fromkeys(given, TEXT), **more},
        "required": [*given],
    }
    return Tool(
        name, "Works on files and folders by a glob." if "_f" in name or "dir" in name else "", schema, effect=effect
    )


FILES = [
    made("read_file", "reads", "path"),
    made("read_media_file", "reads", "path"),
    made("write_file", "writes", "path", "content"),
    made("edit_file", "writes", "path", "old_text", "new_text"),
    made("delete_file", "destroys", "path", recursive={"type": "boolean"}),
    made("create_directory", "writes", "path"),
    made("list_directory", "reads", "path"),
    made("directory_tree", "reads", "path"),
    made("move_file", "writes", "source", "destination"),
    made("search_files", "reads", "path", "pattern"),
    made("list_allowed_directories", "reads"),
]
NOTES = [
    made("list_notes", "reads"),
    made("get_note", "reads", "note_id"),
    made("create_note", "writes", "text"),
    made("update_note", "writes", "note_id", "text"),
    made("delete_note", "destroys", "note_id"),
    made("list_folders", "reads"),
    made("rebuild_index", "destroys"),
    made("notes_log", "reads"),
]


class Watched:
    """A toolbox that remembers which tools were called."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.called: list[str] = []

    async def tools(self) -> Sequence[Tool]:
        return await self.inner.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        self.called.append(tool)
        return await self.inner.call(tool, arguments)


class Notebook:
    """A real server that answers with JSON in a text."""

    def __init__(self) -> None:
        self.notes = {"n1": "ink", "n2": "paper"}

    async def tools(self) -> Sequence[Tool]:
        return NOTES

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        key = str(arguments.get("note_id"))
        if tool == "list_notes":
            return self._told({"items": [{"note_id": each, "text": text} for each, text in self.notes.items()]})
        if tool == "get_note":
            if key not in self.notes:
                return Answer("no such note", is_error=True)
            return self._told({"note": {"note_id": key, "text": self.notes[key], "pages": 3}})
        if tool in ("list_folders", "notes_log"):
            return self._told(["a"])
        raise AssertionError(f"{tool} must not be called")

    def _told(self, content: JSON) -> Answer:
        return Answer(msgspec.json.encode(content).decode())


def disk() -> Files:
    tree = Tree({"/data/a.txt": "one\ntwo\n", "/data/docs/b.md": "bee", "/data/pic.png": b"\x89\xff"})
    return Files(FILES, roots=["/data"], tree=tree)


def call(box: Any, tool: str, **arguments: JSON) -> Any:
    answer = asyncio.run(box.call(tool, arguments))
    assert not answer.is_error, answer.content
    return answer.content


def failed(box: Any, tool: str, **arguments: JSON) -> bool:
    return asyncio.run(box.call(tool, arguments)).is_error


def test_whatever_is_written_the_real_files_stay_byte_for_byte_as_they_were() -> None:
    real = Watched(disk())
    before = real.inner.snapshot()
    box = Overlay(real, FILES)
    call(box, "write_file", path="/data/a.txt", content="mine")
    call(box, "create_directory", path="/data/new/deep")
    call(box, "write_file", path="/data/new/deep/c.txt", content="sea")
    call(box, "move_file", source="/data/docs", destination="/data/papers")
    call(box, "edit_file", path="/data/papers/b.md", old_text="bee", new_text="wasp")
    call(box, "delete_file", path="/data/pic.png")

    assert call(box, "read_file", path="/data/a.txt") == "mine"
    assert call(box, "read_file", path="/data/papers/b.md") == "wasp"
    assert call(box, "list_directory", path="/data") == "[FILE] a.txt\n[DIR] new\n[DIR] papers"
    assert call(box, "search_files", path="/data", pattern="**/*.txt") == "/data/a.txt\n/data/new/deep/c.txt"
    assert failed(box, "read_file", path="/data/docs/b.md")
    assert failed(box, "read_media_file", path="/data/pic.png")
    assert real.inner.snapshot() == before
    assert not {"write_file", "create_directory", "move_file", "edit_file", "delete_file"} & set(real.called)


def test_what_was_not_touched_is_read_from_the_real_files() -> None:
    box = Overlay(disk(), FILES)
    assert call(box, "read_file", path="/data/docs/b.md") == "bee"
    call(box, "write_file", path="/data/a.txt", content="mine")
    assert call(box, "read_file", path="/data/docs/b.md") == "bee"
    assert call(box, "list_directory", path="/data/docs") == "[FILE] b.md"
    assert '"b.md"' in call(box, "directory_tree", path="/data")


def test_a_real_file_that_was_moved_is_read_from_where_it_really_is() -> None:
    box = Overlay(disk(), FILES)
    media = call(box, "read_media_file", path="/data/pic.png")
    call(box, "move_file", source="/data/pic.png", destination="/data/docs/other.png")
    call(box, "move_file", source="/data/a.txt", destination="/data/z.txt")
    assert call(box, "read_media_file", path="/data/docs/other.png") == media
    assert call(box, "read_file", path="/data/z.txt") == "one\ntwo\n"
    assert failed(box, "read_file", path="/data/a.txt")


def test_the_layers_state_is_what_was_changed_and_can_be_put_back() -> None:
    box = Overlay(disk(), FILES)
    assert box.snapshot() == {}
    call(box, "write_file", path="/data/a.txt", content="mine")
    kept = box.snapshot()
    assert list(kept["files"]) == ["/data/a.txt"]

    call(box, "delete_file", path="/data/a.txt")
    assert failed(box, "read_file", path="/data/a.txt")
    box.restore(kept)
    assert call(box, "read_file", path="/data/a.txt") == "mine"
    box.restore({})
    assert call(box, "read_file", path="/data/a.txt") == "one\ntwo\n"


def test_outside_the_real_roots_nothing_can_be_written() -> None:
    assert failed(Overlay(disk(), FILES), "write_file", path="/etc/x", content="")


def test_new_changed_and_deleted_things_show_among_the_real_ones() -> None:
    box = Overlay(Notebook(), NOTES)
    new = call(box, "create_note", text="glue")["note_id"]
    call(box, "update_note", note_id="n1", text="red ink")
    call(box, "delete_note", note_id="n2")

    listed = msgspec.json.decode(call(box, "list_notes"))["items"]
    assert [(each["note_id"], each["text"]) for each in listed] == [("n1", "red ink"), (new, "glue")]
    assert call(box, "get_note", note_id="n1") == {"note_id": "n1", "text": "red ink", "pages": 3}
    assert call(box, "get_note", note_id=new)["text"] == "glue"
    assert failed(box, "get_note", note_id="n2")
    assert failed(box, "update_note", note_id="n9", text="")


def test_until_something_is_written_the_answers_are_the_real_ones() -> None:
    real, box = Notebook(), Overlay(Notebook(), NOTES)
    assert asyncio.run(box.call("list_notes", {})) == asyncio.run(real.call("list_notes", {}))
    call(box, "create_note", text="glue")
    assert call(box, "list_folders") == '["a"]'


def test_a_read_after_a_write_that_cannot_be_shown_is_invalid_and_not_the_agents_fault() -> None:
    box = Overlay(Notebook(), NOTES)
    call(box, "rebuild_index")
    with pytest.raises(InvalidTrialError, match="only simulated") as caught:
        call(box, "notes_log")
    assert caught.value.blame == "tool-simulator"


def test_a_shell_cannot_be_laid_over_what_is_real() -> None:
    shell = Tool("run_command", "Run a shell command.", {"properties": {"command": TEXT}, "required": ["command"]})
    with pytest.raises(InvalidTrialError, match="simulated"):
        call(Overlay(Notebook(), [shell]), "run_command", command="ls")


def test_a_tool_that_may_do_more_than_read_is_never_called_for_real() -> None:
    doubtful = [made("read_file", "destroys", "path"), *FILES[1:]]
    real = Watched(disk())
    with pytest.raises(InvalidTrialError, match="not sure"):
        call(Overlay(real, doubtful), "read_file", path="/data/a.txt")
    assert "read_file" not in real.called


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("[DIR] a\n[FILE] b c.txt", [("a", True), ("b c.txt", False)]),
        ({"content": ""}, []),
        ('[{"name": "a", "type": "directory"}]', [("a", True)]),
        ({"entries": [{"name": "a", "isDirectory": False}]}, [("a", False)]),
        ("a\nb", None),
        (7, None),
    ],
)
def test_a_listing_is_read_in_its_usual_forms_and_not_guessed(content: JSON, entries: object) -> None:
    assert entries_in(content) == entries
