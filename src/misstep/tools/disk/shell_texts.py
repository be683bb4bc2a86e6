"""The commands of a shell that read text and print text: cat, grep, sed and the like, on a tree in memory."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from misstep.tools.disk.tree import Tree, TreeError


class Printed(Struct, frozen=True):
    """What a command printed, and how it ended."""

    out: str = ""
    wrong: str = ""
    code: int = 0


class UsedWronglyError(Exception):
    """A command with words that it does not take, or that are not known here."""


class Where(Protocol):
    """Where a command runs."""

    @property
    def tree(self) -> Tree: ...

    def at(self, path: str) -> str: ...


def options_of(words: list[str], known: str, *, long: Mapping[str, str] | None = None) -> tuple[str, list[str]]:
    """The letters of the flags, and the other words; a flag that is not known here is said, not passed over."""
    flags, others = "", list[str]()
    for at, word in enumerate(words):
        if word == "--":
            return flags, others + words[at + 1 :]
        if word.startswith("--"):
            name = word[2:]
            if long is None or name not in long:
                raise UsedWronglyError(f"this simulated shell does not know the option '{word}'")
            flags += long[name]
        elif word.startswith("-") and len(word) > 1:
            if strange := [letter for letter in word[1:] if letter not in known]:
                raise UsedWronglyError(f"this simulated shell does not know the option '-{strange[0]}'")
            flags += word[1:]
        else:
            others.append(word)
    return flags, others


def _inputs(place: Where, paths: list[str], given: str, name: str) -> tuple[list[tuple[str, str]], str]:
    """The texts of the files, or what was piped in, and what is wrong."""
    texts: list[tuple[str, str]] = []
    wrong = ""
    for path in paths or ["-"]:
        if path == "-":
            texts.append(("-", given))
            continue
        try:
            texts.append((path, place.tree.text_of(place.at(path))))
        except TreeError as error:
            wrong += f"{name}: {path}: {error.reason}\n"
    return texts, wrong


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _cat(place: Where, words: list[str], given: str) -> Printed:
    flags, paths = options_of(words, "nu")
    texts, wrong = _inputs(place, paths, given, "cat")
    whole = "".join(text for _, text in texts)
    if "n" in flags:
        whole = _joined([f"{number:>6}\t{line}" for number, line in enumerate(_lines(whole), 1)])
    return Printed(whole, wrong, 1 if wrong else 0)


def _echo(place: Where, words: list[str], given: str) -> Printed:
    flags = ""
    while words and re.fullmatch(r"-[neE]+", words[0]):
        flags += words.pop(0)[1:]
    text = " ".join(words)
    if "e" in flags:
        text = _unescaped(text)
    return Printed(text + ("" if "n" in flags else "\n"))


def _unescaped(text: str) -> str:
    return re.sub(r"\\([nt\\])", lambda match: {"n": "\n", "t": "\t", "\\": "\\"}[match[1]], text)


def _printf(place: Where, words: list[str], given: str) -> Printed:
    if not words:
        raise UsedWronglyError("printf: usage: printf format [arguments]")
    form, values = _unescaped(words[0]), words[1:]
    slots = len(re.findall(r"%[sd]", form))
    made = ""
    while True:
        some, values = values[:slots], values[slots:]
        filled = iter([*some, *[""] * (slots - len(some))])
        made += re.sub(r"%([sd%])", lambda match: "%" if match[1] == "%" else next(filled), form)  # noqa: B023
        if not values or not slots:
            return Printed(made)


def _ends(name: str) -> Callable[[Where, list[str], str], Printed]:
    def ends(place: Where, words: list[str], given: str) -> Printed:
        count, paths = _count(words, name)
        texts, wrong = _inputs(place, paths, given, name)
        shown: list[str] = []
        for path, text in texts:
            if len(texts) > 1:
                shown.append(f"==> {path} <==")
            lines = _lines(text)
            from_first = name == "tail" and count.startswith("+")
            number = int(count)
            if from_first:
                shown += lines[max(0, number - 1) :]
            elif name == "head":
                shown += lines[:number]
            else:
                shown += lines[max(0, len(lines) - abs(number)) :]
        return Printed(_joined(shown), wrong, 1 if wrong else 0)

    return ends


def _count(words: list[str], name: str) -> tuple[str, list[str]]:
    count, paths, at = "10", list[str](), 0
    while at < len(words):
        match = re.fullmatch(r"-(?:n|-lines=)?([+-]?\d+)", words[at])
        if match:
            count = match[1]
        elif words[at] == "-n" and at + 1 < len(words) and re.fullmatch(r"[+-]?\d+", words[at + 1]):
            at, count = at + 1, words[at + 1]
        elif words[at].startswith("-") and words[at] != "-":
            raise UsedWronglyError(f"{name}: this simulated shell does not know the option '{words[at]}'")
        else:
            paths.append(words[at])
        at += 1
    return count, paths


def _wc(place: Where, words: list[str], given: str) -> Printed:
    flags, paths = options_of(words, "lwcm", long={"lines": "l", "words": "w", "bytes": "c"})
    texts, wrong = _inputs(place, paths, given, "wc")
    shown: list[tuple[list[int], str]] = []
    for path, text in texts:
        counts = {"l": text.count("\n"), "w": len(text.split()), "c": len(text.encode()), "m": len(text)}
        shown.append(([counts[flag] for flag in "lwmc" if flag in (flags or "lwc")], "" if path == "-" else path))
    if len(shown) > 1:
        shown.append(([sum(column) for column in zip(*(counts for counts, _ in shown), strict=True)], "total"))
    lines = [" ".join([*map(str, counts), *([path] if path else [])]) for counts, path in shown]
    return Printed(_joined(lines), wrong, 1 if wrong else 0)


def _expression(pattern: str, flags: str) -> re.Pattern[str]:
    if "F" in flags:
        pattern = re.escape(pattern)
    elif "E" not in flags and "P" not in flags:
        pattern = re.sub(r"\\?([+?|(){}])", lambda match: match[1] if match[0][0] == "\\" else f"\\{match[1]}", pattern)
    if "w" in flags:
        pattern = rf"\b(?:{pattern})\b"
    try:
        return re.compile(pattern, re.IGNORECASE if "i" in flags else 0)
    except re.error as error:
        raise UsedWronglyError(f"Invalid regular expression: {error}") from None


def _grep(place: Where, words: list[str], given: str) -> Printed:
    flags, others = options_of(words, "invclrREFPhHsqwo", long={"ignore-case": "i", "recursive": "r", "count": "c"})
    if not others:
        raise UsedWronglyError("grep: usage: grep [OPTION]... PATTERNS [FILE]...")
    expression = _expression(others[0], flags)
    recursive = bool(set(flags) & {"r", "R"})
    paths = list(_searched(place, others[1:] or (["."] if recursive else []), recursive))
    texts, wrong = _inputs(place, paths, given, "grep") if paths or not recursive else ([], "")
    titled = ("H" in flags or len(paths) > 1 or recursive) and "h" not in flags
    shown: list[str] = []
    hit = False
    for path, text in texts:
        hits = [
            (at, line) for at, line in enumerate(_lines(text), 1) if bool(expression.search(line)) != ("v" in flags)
        ]
        hit = hit or bool(hits)
        shown += _grep_shown(path if titled else "", path, hits, flags, expression)
    out = "" if "q" in flags else _joined(shown)
    return Printed(out, "" if "s" in flags else wrong, 2 if wrong and not hit else 0 if hit else 1)


def _grep_shown(
    title: str, path: str, hits: list[tuple[int, str]], flags: str, expression: re.Pattern[str]
) -> list[str]:
    if "l" in flags:
        return [path] if hits else []
    before = f"{title}:" if title else ""
    if "c" in flags:
        return [f"{before}{len(hits)}"]
    numbered = [(f"{before}{at}:" if "n" in flags else before, line) for at, line in hits]
    if "o" in flags:
        return [f"{front}{match[0]}" for front, line in numbered for match in expression.finditer(line)]
    return [f"{front}{line}" for front, line in numbered]


def _searched(place: Where, paths: list[str], recursive: bool) -> Iterator[str]:
    for path in paths:
        target = place.at(path)
        if recursive and place.tree.is_folder(target):
            for each in place.tree.walk(target):
                if place.tree.is_file(each):
                    yield path.rstrip("/") + each[len(target.rstrip("/")) :]
        else:
            yield path


def _sort(place: Where, words: list[str], given: str) -> Printed:
    flags, paths = options_of(words, "rnufb")
    texts, wrong = _inputs(place, paths, given, "sort")
    lines = [line for _, text in texts for line in _lines(text)]
    lines.sort(key=lambda line: (_leading(line) if "n" in flags else 0, line.lower() if "f" in flags else line))
    if "u" in flags:
        lines = list(dict.fromkeys(lines))
    return Printed(_joined(lines[::-1] if "r" in flags else lines), wrong, 1 if wrong else 0)


def _leading(line: str) -> float:
    match = re.match(r"\s*(-?\d+(?:\.\d+)?)", line)
    return float(match[1]) if match else 0.0


def _uniq(place: Where, words: list[str], given: str) -> Printed:
    flags, paths = options_of(words, "cdu")
    texts, wrong = _inputs(place, paths[:1], given, "uniq")
    runs: list[tuple[str, int]] = []
    for _, text in texts:
        for line in _lines(text):
            if runs and runs[-1][0] == line:
                runs[-1] = (line, runs[-1][1] + 1)
            else:
                runs.append((line, 1))
    kept = [run for run in runs if not ("d" in flags and run[1] < 2) and not ("u" in flags and run[1] > 1)]
    return Printed(_joined([f"{count:>7} {line}" if "c" in flags else line for line, count in kept]), wrong)


def _cut(place: Where, words: list[str], given: str) -> Printed:
    delimiter, fields, letters, paths, at = "\t", "", "", list[str](), 0
    while at < len(words):
        match = re.fullmatch(r"-([dfc])(.*)", words[at], re.DOTALL)
        if match:
            value = match[2] or (words[at + 1] if at + 1 < len(words) else "")
            at += not match[2]
            delimiter = value if match[1] == "d" else delimiter
            fields = value if match[1] == "f" else fields
            letters = value if match[1] == "c" else letters
        else:
            paths.append(words[at])
        at += 1
    if not fields and not letters:
        raise UsedWronglyError("cut: you must specify a list of bytes, characters, or fields")
    texts, wrong = _inputs(place, paths, given, "cut")
    shown: list[str] = []
    for _, text in texts:
        for line in _lines(text):
            parts = list(line) if letters else line.split(delimiter)
            chosen = _ranges(letters or fields, parts)
            shown.append(("" if letters else delimiter).join(chosen) if letters or len(parts) > 1 else line)
    return Printed(_joined(shown), wrong, 1 if wrong else 0)


def _ranges(said: str, parts: list[str]) -> list[str]:
    wanted: set[int] = set()
    for each in said.split(","):
        match = re.fullmatch(r"(\d*+)(-?)(\d*+)", each)
        if match is None or each in ("", "-"):
            raise UsedWronglyError(f"cut: invalid field value '{each}'")
        first = int(match[1] or 1)
        last = int(match[3]) if match[3] else (len(parts) if match[2] else first)
        wanted |= set(range(first, min(last, len(parts)) + 1))
    return [parts[at - 1] for at in sorted(wanted) if at <= len(parts)]


def _sed(place: Where, words: list[str], given: str) -> Printed:
    flags, others = options_of(words, "niEre")
    if not others:
        raise UsedWronglyError("sed: no script specified")
    script, paths = others[0], others[1:]
    texts, wrong = _inputs(place, paths, given, "sed")
    shown = ""
    for path, text in texts:
        changed = _joined(_sed_lines(script, _lines(text), flags))
        if "i" in flags and path != "-":
            place.tree.write(place.at(path), changed)
        else:
            shown += changed
    return Printed(shown, wrong, 1 if wrong else 0)


def _sed_lines(script: str, lines: list[str], flags: str) -> list[str]:
    match = re.fullmatch(r"(?:(\d+|\$)(?:,(\d+|\$))?|/((?:[^/\\]|\\.)*)/)?\s*([pd]|s(.).*)", script, re.DOTALL)
    if match is None:
        raise UsedWronglyError(f"sed: this simulated shell does not know the script '{script}'")
    first, last, pattern, command, sign = match.groups()
    address = _expression(pattern, flags) if pattern is not None else None
    low = len(lines) if first == "$" else int(first or 1)
    high = len(lines) if last == "$" or not first else int(last or low)
    shown: list[str] = []
    for at, line in enumerate(lines, 1):
        here = bool(address.search(line)) if address else low <= at <= high
        if here and command == "d":
            continue
        new = _substituted(command, sign, line, flags) if here and command[0] == "s" else line
        if "n" not in flags:
            shown.append(new)
        if here and command == "p":
            shown.append(new)
    return shown


def _substituted(command: str, sign: str, line: str, flags: str) -> str:
    parts = re.split(rf"(?<!\\){re.escape(sign)}", command)
    if len(parts) != 4 or set(parts[3]) - {"g", "i", "I"}:
        raise UsedWronglyError(f"sed: this simulated shell does not know the script '{command}'")
    _, old, new, how = parts
    old, new = old.replace(f"\\{sign}", sign), new.replace(f"\\{sign}", sign)
    expression = _expression(old, ("E" if set(flags) & {"E", "r"} else "") + how.lower())
    target = re.sub(r"(?<!\\)&", r"\\g<0>", new).replace(r"\&", "&")
    return expression.sub(target, line, count=0 if "g" in how else 1)


def _tr(place: Where, words: list[str], given: str) -> Printed:
    flags, sets = options_of(words, "ds")
    full = [_set(each) for each in sets]
    if "d" in flags and len(full) == 1:
        return Printed("".join(letter for letter in given if letter not in full[0]))
    if len(full) != 2 or flags:
        raise UsedWronglyError("tr: this simulated shell knows 'tr A B' and 'tr -d A'")
    source, target = full
    target += target[-1:] * (len(source) - len(target))
    return Printed(given.translate({ord(old): new for old, new in zip(source, target, strict=False)}))


def _set(said: str) -> str:
    spread = re.sub(r"(.)-(.)", lambda match: "".join(map(chr, range(ord(match[1]), ord(match[2]) + 1))), said)
    return _unescaped(spread)


def _tee(place: Where, words: list[str], given: str) -> Printed:
    flags, paths = options_of(words, "a")
    for path in paths:
        (place.tree.append if "a" in flags else place.tree.write)(place.at(path), given)
    return Printed(given)


def _names(part: Callable[[str], str]) -> Callable[[Where, list[str], str], Printed]:
    return lambda place, words, given: Printed(_joined([part(word.rstrip("/") or "/") for word in words[:1]]))


TEXT_COMMANDS: Mapping[str, Callable[[Where, list[str], str], Printed]] = {
    "cat": _cat, "echo": _echo, "printf": _printf, "head": _ends("head"), "tail": _ends("tail"), "wc": _wc,
    "grep": _grep, "egrep": lambda place, words, given: _grep(place, ["-E", *words], given), "sort": _sort,
    "uniq": _uniq, "cut": _cut, "sed": _sed, "tr": _tr, "tee": _tee, "basename": _names(posixpath.basename),
    "dirname": _names(posixpath.dirname),
}  # fmt: skip
