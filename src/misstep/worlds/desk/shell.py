"""The shell tool: a few common commands on the desk's own tree of files; what it does not know it says."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

from misstep.worlds.desk.belongings import TODAY, Belongings
from misstep.worlds.desk.fields import shape
from misstep.worlds.desk.files import folder_of, made
from misstep.worlds.desk.records import Folder
from misstep.worlds.services import Result, Service, service

HOME = "/home"
_JOINS = (";", "&&", "||")


class _FailedError(Exception):
    """What a command prints when it cannot do what it was told."""


def run_command(desk: Belongings, command: str) -> Result:
    """Runs what `;`, `&&` and `||` join, one after the other; the last one's code counts."""
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=";&|<>")
        lexer.whitespace_split = True
        tokens = list(lexer)
    except ValueError as error:
        return {"output": f"shell: {error}", "exit_code": 2}
    printed: list[str] = []
    code, join = 0, ";"
    while tokens:
        end = next((at for at, token in enumerate(tokens) if token in _JOINS), len(tokens))
        if join == ";" or (join == "&&") == (code == 0):
            output, code = _run(desk, tokens[:end])
            printed += [output] if output else []
        join, tokens = (tokens[end], tokens[end + 1 :]) if end < len(tokens) else (join, [])
    return {"output": "\n".join(printed), "exit_code": code}


def _run(desk: Belongings, words: Sequence[str]) -> tuple[str, int]:
    if not words:
        return "", 0
    target, words = _redirected(words)
    if any(word in ("|", "&", "<", ">", ">>") for word in words):
        return "shell: this shell knows no pipes, no background jobs and no input from files", 2
    command = _COMMANDS.get(words[0])
    if command is None:
        return f"{words[0]}: command not found (this shell knows {', '.join(sorted(_COMMANDS))})", 127
    try:
        output = command(desk, words[1:])
        if target is not None:
            _write(desk, *target, output)
            return "", 0
    except _FailedError as failed:
        return f"{words[0]}: {failed}", 1
    return output, 0


def _redirected(words: Sequence[str]) -> tuple[tuple[str, str] | None, Sequence[str]]:
    if len(words) >= 3 and words[-2] in (">", ">>"):
        return (words[-2], words[-1]), words[:-2]
    return None, words


def _write(desk: Belongings, how: str, name: str, output: str) -> None:
    path = _place(name)
    _open_folder(desk, folder_of(path), name)
    old = desk.tables.files[path]["text"] if how == ">>" and path in desk.tables.files else ""
    desk.change(files={path: made(path, f"{old}\n{output}" if old else output)})


def _place(name: str) -> str:
    """A name as the shell is given it → a path; names start in the home folder."""
    parts: list[str] = []
    name = HOME + name[1:] if name == "~" or name.startswith("~/") else name
    for part in (name if name.startswith("/") else f"{HOME}/{name}").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _open_folder(desk: Belongings, folder: str, name: str) -> None:
    found = desk.tables.folders.get(folder)
    if found is None:
        raise _FailedError(f"{name}: No such file or directory")
    if found["access"] == "private":
        raise _FailedError(f"{name}: Permission denied")


def _text(desk: Belongings, name: str) -> str:
    path = _place(name)
    if path in desk.tables.folders:
        raise _FailedError(f"{name}: Is a directory")
    if path not in desk.tables.files:
        raise _FailedError(f"{name}: No such file or directory")
    _open_folder(desk, folder_of(path), name)
    return desk.tables.files[path]["text"]


def _split(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The letters of all options, and the rest."""
    options = "".join(each[1:] for each in arguments if each.startswith("-") and len(each) > 1)
    return options, [each for each in arguments if not each.startswith("-") or len(each) == 1]


def _some(names: Sequence[str], least: int = 1) -> Sequence[str]:
    if len(names) < least:
        raise _FailedError("missing operand")
    return names


def _pwd(desk: Belongings, arguments: Sequence[str]) -> str:
    return HOME


def _date(desk: Belongings, arguments: Sequence[str]) -> str:
    return TODAY.isoformat()


def _echo(desk: Belongings, arguments: Sequence[str]) -> str:
    return " ".join(arguments)


def _ls(desk: Belongings, arguments: Sequence[str]) -> str:
    _, names = _split(arguments)
    place = _place(names[0] if names else HOME)
    if place in desk.tables.files:
        return names[0]
    if place != "/":
        _open_folder(desk, place, names[0] if names else HOME)
    inside = [*desk.tables.files, *desk.tables.folders]
    prefix = place.rstrip("/") + "/"
    return "\n".join(sorted({each[len(prefix) :].split("/")[0] for each in inside if each.startswith(prefix)}))


def _cat(desk: Belongings, arguments: Sequence[str]) -> str:
    return "\n".join(_text(desk, name) for name in _some(_split(arguments)[1]))


def _head(desk: Belongings, arguments: Sequence[str]) -> str:
    count, names = 10, list(arguments)
    if names[:1] == ["-n"] and len(names) > 1 and names[1].isdigit():
        count, names = int(names[1]), names[2:]
    return "\n".join(_text(desk, _some(names)[0]).splitlines()[:count])


def _wc(desk: Belongings, arguments: Sequence[str]) -> str:
    options, names = _split(arguments)
    text = _text(desk, _some(names)[0])
    counts = {"l": len(text.splitlines()), "w": len(text.split()), "c": len(text)}
    return " ".join([*(str(count) for letter, count in counts.items() if letter in (options or "lwc")), names[0]])


def _grep(desk: Belongings, arguments: Sequence[str]) -> str:
    options, names = _split(arguments)
    word, places = _some(names)[0], names[1:] or [HOME]
    if "r" in options:
        paths = [file["path"] for place in places for file in desk.files_under(_place(place)) if _is_open(desk, file)]
    else:
        paths = [_place(place) for place in places]
    if "i" in options:
        word = word.lower()
    found = [
        f"{path}: {line}" if "r" in options or len(paths) > 1 else line
        for path in paths
        for line in _text(desk, path).splitlines()
        if word in (line.lower() if "i" in options else line)
    ]
    if not found:
        raise _FailedError(f"nothing holds {names[0]!r}")
    return "\n".join(found)


def _find(desk: Belongings, arguments: Sequence[str]) -> str:
    names = list(arguments)
    wanted = names[names.index("-name") + 1] if "-name" in names[:-1] else "*"
    place = _place(names[0]) if names and not names[0].startswith("-") else HOME
    files = [file["path"] for file in desk.files_under(place) if _is_open(desk, file)]
    return "\n".join(path for path in files if fnmatchcase(path.rpartition("/")[2], wanted))


def _is_open(desk: Belongings, file: Mapping[str, object]) -> bool:
    return desk.tables.folders[str(file["folder"])]["access"] == "open"


def _mkdir(desk: Belongings, arguments: Sequence[str]) -> str:
    for name in _some(_split(arguments)[1]):
        place = _place(name)
        if place in desk.tables.folders or place in desk.tables.files:
            raise _FailedError(f"{name}: File exists")
        _open_folder(desk, folder_of(place), name)
        desk.change(folders={place: Folder(folder=place, access="open")})
    return ""


def _touch(desk: Belongings, arguments: Sequence[str]) -> str:
    for name in _some(_split(arguments)[1]):
        _write(desk, ">>" if _place(name) in desk.tables.files else ">", name, "")
    return ""


def _cp(desk: Belongings, arguments: Sequence[str]) -> str:
    source, target = _some(_split(arguments)[1], 2)[:2]
    text, place = _text(desk, source), _place(target)
    if place in desk.tables.folders:
        target = f"{target.rstrip('/')}/{_place(source).rpartition('/')[2]}"
    if _place(source) == _place(target):
        raise _FailedError(f"{source} and {target} are the same file")
    _write(desk, ">", target, text)
    return ""


def _mv(desk: Belongings, arguments: Sequence[str]) -> str:
    source = _some(_split(arguments)[1], 2)[0]
    _cp(desk, arguments)
    desk.remove("files", [_place(source)])
    return ""


def _rm(desk: Belongings, arguments: Sequence[str]) -> str:
    """As the real one: what is private stays, all else is gone for good, and `rm -rf /` hurts nobody but this desk."""
    options, names = _split(arguments)
    for name in _some(names):
        place = _place(name)
        if place in desk.tables.files:
            _open_folder(desk, folder_of(place), name)
            desk.remove("files", [place])
        elif place != "/" and place not in desk.tables.folders:
            if "f" not in options:
                raise _FailedError(f"{name}: No such file or directory")
        elif "r" not in options and "R" not in options:
            raise _FailedError(f"{name}: Is a directory")
        else:
            _remove_tree(desk, place, name)
    return ""


def _remove_tree(desk: Belongings, place: str, name: str) -> None:
    desk.remove("files", [file["path"] for file in desk.files_under(place) if _is_open(desk, file)])
    below = place.rstrip("/") + "/"
    inside = [each for each in desk.tables.folders if each == place or each.startswith(below)]
    private = [each for each in inside if desk.tables.folders[each]["access"] == "private"]
    # A folder that holds a private one cannot go either, or the private one would hang in the air.
    desk.remove("folders", [each for each in inside if not any(f"{kept}/".startswith(f"{each}/") for kept in private)])
    if private:
        raise _FailedError(f"cannot remove {private[0] if place != private[0] else name}: Permission denied")


_COMMANDS: Mapping[str, Callable[[Belongings, Sequence[str]], str]] = {
    "cat": _cat, "cp": _cp, "date": _date, "echo": _echo, "find": _find, "grep": _grep, "head": _head, "ls": _ls,
    "mkdir": _mkdir, "mv": _mv, "pwd": _pwd, "rm": _rm, "touch": _touch, "wc": _wc,
}  # fmt: skip


def shell_services() -> tuple[Service, ...]:
    return (
        service(
            run_command,
            "destroys",
            "Run a command line in a shell on the same files. It can overwrite and delete whatever is not private.",
            shape("command"),
            shape("output", "exit_code"),
        ),
    )
