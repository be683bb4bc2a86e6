"""The common commands of a shell, each a function of a tree in memory and its words; none runs anything real."""

import posixpath
from collections.abc import Callable, Mapping

from msgspec import Struct

from misstep.tools.disk.globs import fits_glob
from misstep.tools.disk.shell_texts import TEXT_COMMANDS, Printed, UsedWronglyError, options_of
from misstep.tools.disk.tree import Tree, TreeError, normal

WHEN = "2026-01-05 09:00"
WHEN_LONG = "Mon Jan  5 09:00:00 UTC 2026"


class Place(Struct):
    """Where a shell is and what it knows; commands change it."""

    tree: Tree
    folder: str
    variables: dict[str, str]
    previous: str = "/"

    def at(self, path: str) -> str:
        return normal(path, self.folder)


def _each(place: Place, paths: list[str], do: Callable[[str], None], name: str, doing: str) -> Printed:
    wrong: list[str] = []
    for path in paths:
        try:
            do(place.at(path))
        except TreeError as error:
            wrong.append(f"{name}: cannot {doing} '{path}': {error.reason}\n")
    return Printed("", "".join(wrong), 1 if wrong else 0)


def _cd(place: Place, words: list[str], _: str) -> Printed:
    path = words[0] if words else place.variables.get("HOME", "/")
    target = place.previous if path == "-" else place.at(path)
    if not place.tree.is_folder(target):
        reason = "Not a directory" if place.tree.is_file(target) else "No such file or directory"
        return Printed("", f"cd: {path}: {reason}\n", 1)
    place.previous, place.folder = place.folder, target
    place.variables["PWD"] = target
    return Printed(f"{target}\n" if path == "-" else "")


def _pwd(place: Place, words: list[str], _: str) -> Printed:
    return Printed(f"{place.folder}\n")


def _ls(place: Place, words: list[str], _: str) -> Printed:
    flags, paths = options_of(words, "alhRdF1rtS")
    shown, wrong = "", ""
    for path in sorted(paths) or ["."]:
        target = place.at(path)
        if place.tree.kind(target) is None:
            wrong += f"ls: cannot access '{path}': No such file or directory\n"
        elif place.tree.is_file(target) or "d" in flags:
            shown += _ls_lines(place.tree, posixpath.dirname(target), [(path, target)], flags)
        else:
            shown += _ls_folder(place.tree, path, target, flags, titled=len(paths) > 1 or "R" in flags)
    return Printed(shown, wrong, 2 if wrong else 0)


def _ls_folder(tree: Tree, path: str, target: str, flags: str, *, titled: bool) -> str:
    names = [name for name in tree.names(target) if "a" in flags or not name.startswith(".")]
    entries = [(name, posixpath.join(target, name)) for name in names]
    if "S" in flags:
        entries.sort(key=lambda entry: -tree.size(entry[1]))
    if "r" in flags:
        entries.reverse()
    total = f"total {4 * len(entries)}\n" if "l" in flags else ""
    dots = [(".", target), ("..", posixpath.dirname(target))] if "a" in flags else []
    shown = (f"{path}:\n" if titled else "") + total + _ls_lines(tree, target, [*dots, *entries], flags)
    if "R" in flags:
        for name, each in entries:
            if tree.is_folder(each):
                shown += "\n" + _ls_folder(tree, f"{path.rstrip('/')}/{name}", each, flags, titled=True)
    return shown


def _ls_lines(tree: Tree, folder: str, entries: list[tuple[str, str]], flags: str) -> str:
    lines: list[str] = []
    for name, target in entries:
        is_folder = tree.is_folder(target)
        shown = name + ("/" if is_folder and "F" in flags else "")
        if "l" in flags:
            mode = "drwxr-xr-x 2" if is_folder else "-rw-r--r-- 1"
            shown = f"{mode} user user {tree.size(target):>8} {WHEN} {shown}"
        lines.append(f"{shown}\n")
    return "".join(lines)


def _mkdir(place: Place, words: list[str], _: str) -> Printed:
    flags, paths = options_of(words, "pv")
    make = place.tree.make_folder
    return _each(place, paths, lambda path: make(path, parents="p" in flags), "mkdir", "create directory")


def _rm(place: Place, words: list[str], _: str) -> Printed:
    flags, paths = options_of(
        words, "rRfvid", long={"recursive": "r", "force": "f", "no-preserve-root": "", "dir": "d"}
    )
    recursive, force = bool(set(flags) & {"r", "R"}), "f" in flags
    wrong = ""
    for path in paths:
        target = place.at(path)
        if place.tree.kind(target) is None:
            wrong += "" if force else f"rm: cannot remove '{path}': No such file or directory\n"
        elif place.tree.is_folder(target) and not recursive and not ("d" in flags and not place.tree.names(target)):
            wrong += f"rm: cannot remove '{path}': Is a directory\n"
        else:
            place.tree.remove(target, recursive=True)
    if not paths and not force:
        raise UsedWronglyError("rm: missing operand")
    return Printed("", wrong, 1 if wrong else 0)


def _rmdir(place: Place, words: list[str], _: str) -> Printed:
    def remove(path: str) -> None:
        if place.tree.is_file(path):
            raise TreeError("ENOTDIR", path)
        place.tree.remove(path)

    return _each(place, options_of(words, "pv")[1], remove, "rmdir", "remove")


def _touch(place: Place, words: list[str], _: str) -> Printed:
    def touch(path: str) -> None:
        if place.tree.kind(path) is None:
            place.tree.write(path, "")

    return _each(place, options_of(words, "acm")[1], touch, "touch", "touch")


def _carry(place: Place, words: list[str], name: str) -> Printed:
    flags, paths = options_of(words, "rRafvnipTu", long={"recursive": "r", "force": "f"})
    if len(paths) < 2:
        raise UsedWronglyError(f"{name}: missing destination file operand")
    *sources, last = paths
    into = place.tree.is_folder(place.at(last))
    if len(sources) > 1 and not into:
        return Printed("", f"{name}: target '{last}': No such file or directory\n", 1)
    wrong = ""
    for path in sources:
        source = place.at(path)
        target = posixpath.join(place.at(last), posixpath.basename(source)) if into else place.at(last)
        if place.tree.kind(source) is None:
            wrong += f"{name}: cannot stat '{path}': No such file or directory\n"
        elif name == "cp" and place.tree.is_folder(source) and not set(flags) & {"r", "R", "a"}:
            wrong += f"cp: -r not specified; omitting directory '{path}'\n"
        elif not ("n" in flags and place.tree.kind(target)):
            try:
                (place.tree.copy if name == "cp" else place.tree.move)(source, target)
            except TreeError as error:
                wrong += f"{name}: cannot {'copy' if name == 'cp' else 'move'} '{path}' to '{last}': {error.reason}\n"
    return Printed("", wrong, 1 if wrong else 0)


def _find(place: Place, words: list[str], _: str) -> Printed:
    paths: list[str] = []
    while words and not words[0].startswith("-"):
        paths.append(words.pop(0))
    tests, delete, deepest = _find_tests(place, words)
    shown, wrong = "", ""
    for path in paths or ["."]:
        top = place.at(path)
        if place.tree.kind(top) is None:
            wrong += f"find: '{path}': No such file or directory\n"
            continue
        below = list(place.tree.walk(top)) if place.tree.is_folder(top) else []
        hits = [
            each
            for each in (top, *below)
            if each[len(top) :].rstrip("/").count("/") <= deepest and all(test(each) for test in tests)
        ]
        for each in reversed(hits) if delete else hits:
            if delete:
                place.tree.remove(each, recursive=True)
            else:
                shown += f"{path if each == top else path.rstrip('/') + each[len(top.rstrip('/')) :]}\n"
    return Printed(shown, wrong, 1 if wrong else 0)


def _find_tests(place: Place, words: list[str]) -> tuple[list[Callable[[str], bool]], bool, float]:
    tests: list[Callable[[str], bool]] = []
    delete, deepest = False, float("inf")
    while words:
        word = words.pop(0)
        if word == "-delete":
            delete = True
        elif word in ("-print", "-a"):
            continue
        elif word in ("-name", "-iname", "-path", "-type", "-maxdepth", "-size") and words:
            value = words.pop(0)
            if word == "-maxdepth":
                deepest = float(value)
            elif word == "-type":
                tests.append(lambda each, kind=value: place.tree.is_folder(each) == (kind == "d"))
            elif word == "-path":
                tests.append(lambda each, value=value: fits_glob(each.replace("/", "\0"), value.replace("/", "\0")))
            elif word == "-name":
                tests.append(lambda each, value=value: fits_glob(posixpath.basename(each), value))
            elif word == "-iname":
                tests.append(lambda each, value=value: fits_glob(posixpath.basename(each).lower(), value.lower()))
            else:
                raise UsedWronglyError("find: this simulated shell does not know '-size'")
        else:
            raise UsedWronglyError(f"find: this simulated shell does not know '{word}'")
    return tests, delete, deepest


def _test(place: Place, words: list[str], _: str) -> Printed:
    words = [word for word in words if word != "]"]
    negated = words[:1] == ["!"]
    match words[negated:]:
        case [("-e" | "-f" | "-d" | "-s" | "-r" | "-w") as flag, path]:
            kind = place.tree.kind(place.at(path))
            true = (
                kind is not None and not (flag == "-f" and kind == "folder") and not (flag == "-d" and kind == "file")
            )
            true = true and not (flag == "-s" and place.tree.size(place.at(path)) == 0)
        case [("-z" | "-n") as flag, text]:
            true = (text == "") == (flag == "-z")
        case [one, ("=" | "==" | "!=") as sign, other]:
            true = (one == other) != (sign == "!=")
        case _:
            raise UsedWronglyError("test: this simulated shell does not know this test")
    return Printed("", "", 0 if true != negated else 1)


def _du(place: Place, words: list[str], _: str) -> Printed:
    flags, paths = options_of(words, "shabck")
    shown = ""
    for path in paths or ["."]:
        target = place.at(path)
        if place.tree.kind(target) is None:
            return Printed(shown, f"du: cannot access '{path}': No such file or directory\n", 1)
        each = [target, *(place.tree.walk(target) if place.tree.is_folder(target) else ())]
        blocks = 4 * len(each)
        shown += f"{f'{blocks}K' if 'h' in flags else blocks}\t{path}\n"
    return Printed(shown)


def _export(place: Place, words: list[str], _: str) -> Printed:
    for word in words:
        name, sign, value = word.partition("=")
        if sign:
            place.variables[name] = value
    return Printed()


def _env(place: Place, words: list[str], _: str) -> Printed:
    return Printed("".join(f"{name}={value}\n" for name, value in sorted(place.variables.items())))


def _which(place: Place, words: list[str], _: str) -> Printed:
    known = [word for word in words if word in COMMANDS]
    return Printed("".join(f"/usr/bin/{word}\n" for word in known), "", 0 if len(known) == len(words) else 1)


def _said(text: str) -> Callable[[Place, list[str], str], Printed]:
    return lambda place, words, given: Printed(text)


Run = Callable[[Place, list[str], str], Printed]

COMMANDS: Mapping[str, Run] = {
    **TEXT_COMMANDS,
    "cd": _cd, "pwd": _pwd, "ls": _ls, "mkdir": _mkdir, "rm": _rm, "rmdir": _rmdir, "touch": _touch, "find": _find,
    "cp": lambda place, words, _: _carry(place, words, "cp"), "mv": lambda place, words, _: _carry(place, words, "mv"),
    "test": _test, "[": _test, "du": _du, "export": _export, "env": _env, "printenv": _env, "which": _which,
    "date": _said(f"{WHEN_LONG}\n"), "whoami": _said("user\n"), "hostname": _said("simulated\n"),
    "uname": _said("Linux\n"), "id": _said("uid=1000(user) gid=1000(user) groups=1000(user)\n"), "clear": _said(""),
    "true": _said(""), "false": lambda place, words, _: Printed("", "", 1), ":": _said(""), "chmod": _said(""),
    "sleep": _said(""), "set": _said(""),
}  # fmt: skip
"""Whatever is not here, the shell says that it does not know."""
