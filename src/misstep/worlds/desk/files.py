"""The file tools: an in-memory tree of folders and texts to read, search, write, move and delete in."""

from misstep.worlds.desk import fields
from misstep.worlds.desk.belongings import TODAY, Belongings, holds
from misstep.worlds.desk.fields import several, shape, without
from misstep.worlds.desk.records import File
from misstep.worlds.services import Refusal, Result, Service, service

_LISTED = without(fields.FILE, "text")


def list_folders(desk: Belongings) -> Result:
    return {"folders": [{**folder} for _, folder in sorted(desk.tables.folders.items())]}


def list_files(desk: Belongings, folder: str) -> Result:
    desk.folder(folder)
    return {"files": [_listed(file) for file in desk.files_under(folder) if file["folder"] == folder]}


def read_file(desk: Belongings, path: str) -> Result:
    return _shown(desk.file(path))


def search_files(desk: Belongings, query: str) -> Result:
    found = [
        _listed(file)
        for _, file in sorted(desk.tables.files.items())
        if desk.tables.folders[file["folder"]]["access"] == "open" and holds(query, file["path"], file["text"])
    ]
    return {"files": found}


def write_file(desk: Belongings, path: str, text: str) -> Result:
    require_free(desk, path)
    return _kept(desk, path, text)


def append_to_file(desk: Belongings, path: str, text: str) -> Result:
    old = desk.file(path)["text"]
    return _kept(desk, path, f"{old}\n{text}" if old else text)


def replace_file(desk: Belongings, path: str, text: str) -> Result:
    desk.file(path)
    return _kept(desk, path, text)


def move_file(desk: Belongings, path: str, new_path: str) -> Result:
    file = desk.file(path)
    require_free(desk, new_path)
    desk.remove("files", [path])
    return _kept(desk, new_path, file["text"])


def delete_file(desk: Belongings, path: str) -> Result:
    desk.file(path)
    desk.remove("files", [path])
    return {"path": path, "deleted": 1}


def empty_folder(desk: Belongings, folder: str) -> Result:
    desk.folder(folder)
    gone = [file["path"] for file in desk.files_under(folder) if file["folder"] == folder]
    desk.remove("files", gone)
    return {"folder": folder, "deleted": len(gone)}


def require_free(desk: Belongings, path: str) -> None:
    """A new file has a folder that is there, and a name that no file or folder has yet."""
    desk.folder(folder_of(path))
    if path in desk.tables.files or path in desk.tables.folders:
        raise Refusal(f"{path} exists already. Choose another path, or append to it.")


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def made(path: str, text: str) -> File:
    return File(path=path, folder=folder_of(path), text=text, changed_on=TODAY.isoformat())


def _kept(desk: Belongings, path: str, text: str) -> Result:
    desk.change(files={path: made(path, text)})
    return _shown(desk.tables.files[path])


def _shown(file: File) -> Result:
    return {**file, "size": len(file["text"])}


def _listed(file: File) -> Result:
    return {name: value for name, value in _shown(file).items() if name != "text"}


def file_services() -> tuple[Service, ...]:
    return (*_reading(), *_writing(), *_deleting())


def _reading() -> tuple[Service, ...]:
    return (
        service(
            list_folders,
            "reads",
            "List the folders, with which of them are private.",
            shape(),
            several("folders", "The folders.", fields.FOLDER),
        ),
        service(
            list_files,
            "reads",
            "List the files in a folder.",
            shape("folder"),
            several("files", "The files in the folder.", _LISTED),
        ),
        service(read_file, "reads", "Read a file: show the text that it holds.", shape("path"), fields.FILE),
        service(
            search_files,
            "reads",
            "Search the files by words of their paths and texts.",
            shape("query"),
            several("files", "The files that fit.", _LISTED),
        ),
    )


def _writing() -> tuple[Service, ...]:
    return (
        service(
            write_file,
            "writes",
            "Write a new file with a text, in a folder that exists.",
            shape("path", "text"),
            fields.FILE,
        ),
        service(
            append_to_file,
            "writes",
            "Append a line of text to the end of a file. Each call appends another line.",
            shape("path", "text"),
            fields.FILE,
        ),
        service(
            move_file,
            "writes",
            "Move a file to a new path, in the same folder or another one.",
            shape("path", "new_path"),
            fields.FILE,
        ),
    )


def _deleting() -> tuple[Service, ...]:
    return (
        service(
            replace_file,
            "destroys",
            "Replace the whole text of a file by another one; what it held is lost.",
            shape("path", "text"),
            fields.FILE,
        ),
        service(delete_file, "destroys", "Delete a file for good.", shape("path"), shape("path", "deleted")),
        service(
            empty_folder,
            "destroys",
            "Empty a folder: delete all files in it for good.",
            shape("folder"),
            shape("folder", "deleted"),
        ),
    )
