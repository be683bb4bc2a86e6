"""A shell's command line → pipelines of plain words with their redirections; what is not understood is said."""

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

_OPERATORS = ("&&", "||", ";", "|", "&", "\n")
_KEYWORDS = frozenset("if then else elif fi for while until do done case esac function select { } ( ) [[".split())
_NAME = re.compile(r"[A-Za-z_]\w*|[?#$@*!0-9]")

Run = Callable[[str], str]
"""Runs a command inside a command, and gives what it printed."""


class ShellSyntaxError(Exception):
    """A line that this shell cannot read, or does not know how to run."""


class Redirection(Struct, frozen=True):
    """`2>>` and where to."""

    stream: int
    kind: str
    target: str


class Command(Struct, frozen=True):
    """Words, not yet expanded: `$name`, quotes and stars still stand in them."""

    words: tuple[str, ...]
    redirections: tuple[Redirection, ...] = ()


class Pipeline(Struct, frozen=True):
    """Commands whose output is the next one's input, and what decides whether they run: `&&`, `||` or nothing."""

    commands: tuple[Command, ...]
    after: str = ";"


def parsed(line: str) -> list[Pipeline]:
    """The pipelines of a command line, in order. Loops, conditions and functions are not understood."""
    pipelines: list[Pipeline] = []
    commands: list[Command] = []
    words: list[str] = []
    redirections: list[Redirection] = []
    after = ";"
    tokens = list(_tokens(line))
    at = 0
    while at <= len(tokens):
        kind, token = tokens[at] if at < len(tokens) else ("operator", ";")
        at += 1
        if kind == "word":
            if not words and token in _KEYWORDS:
                raise ShellSyntaxError(f"this simulated shell does not know {token!r}: give it one command at a time")
            words.append(token)
        elif kind == "redirect":
            if at >= len(tokens) or tokens[at][0] != "word":
                raise ShellSyntaxError("syntax error: a redirection needs a file")
            redirections.append(_redirection(token, tokens[at][1]))
            at += 1
        else:
            if words or redirections:
                commands.append(Command(tuple(words), tuple(redirections)))
                words, redirections = [], []
            elif token in ("|", "&&", "||"):
                raise ShellSyntaxError(f"syntax error near unexpected token `{token}'")
            if token != "|" and commands:
                pipelines.append(Pipeline(tuple(commands), after))
                commands = []
            if token in ("&&", "||", ";", "&", "\n"):
                after = token if token in ("&&", "||") else ";"
    return pipelines


def _redirection(token: str, target: str) -> Redirection:
    stream, kind = re.fullmatch(r"(\d?|&)(>>|>|<<|<)", token).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return Redirection(3 if stream == "&" else int(stream or (0 if "<" in kind else 1)), kind, target)


def _tokens(line: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(line):
        rest = line[at:]
        if rest[0] in " \t" or rest.startswith("\\\n"):
            at += 1 if rest[0] in " \t" else 2
        elif rest[0] == "#" and (at == 0 or line[at - 1] in " \t\n;"):
            at += len(rest.partition("\n")[0])
        elif match := re.match(r"((?:\d?|&)(>>|>|<<|<))(&\d)?(?!\()", rest):
            at += match.end()
            yield "redirect", match[1]
            if match[3]:
                yield "word", match[3]
            elif match[2] == "<<":
                word, at = _here_word(line, at)
                body, line = _here_document(line, at, word)
                yield "word", body
        elif operator := next((each for each in _OPERATORS if rest.startswith(each)), None):
            at += len(operator)
            yield "operator", operator
        else:
            word, at = _word(line, at)
            yield "word", word


def _here_word(line: str, at: int) -> tuple[str, int]:
    while line[at : at + 1] in (" ", "\t", "-"):
        at += 1
    return _word(line, at)


def _here_document(line: str, at: int, word: str) -> tuple[str, str]:
    """The document's body as one quoted word, and the line without it."""
    mark = re.sub(r"['\"\\]", "", word)
    before, newline, after = line[at:].partition("\n")
    lines = after.split("\n") if newline else []
    if mark not in [each.strip() for each in lines]:
        raise ShellSyntaxError(f"here-document is not ended by {mark!r}")
    end = [each.strip() for each in lines].index(mark)
    body = "".join(f"{each}\n" for each in lines[:end])
    quoted = body.replace("\\", "\\\\").replace('"', '\\"')
    literal = "'" + body.replace("'", "'\\''") + "'"
    rest = "\n".join([before, *lines[end + 1 :]])
    return (literal if word != mark else f'"{quoted}"'), line[:at] + rest


def _word(line: str, at: int) -> tuple[str, int]:
    start = at
    while at < len(line):
        letter = line[at]
        if letter in " \t\n;|&<>":
            break
        if letter in "()":
            raise ShellSyntaxError(
                "this simulated shell knows no subshells and functions: give it one command at a time"
            )
        if letter == "\\":
            at += 2
        elif letter in "'\"":
            at = _closing(line, at)
        elif line.startswith("$(", at):
            at = _closing_bracket(line, at + 1) + 1
        elif letter == "`":
            at = _closing(line, at)
        else:
            at += 1
    return line[start:at], at


def _closing(line: str, at: int) -> int:
    quote, at = line[at], at + 1
    while at < len(line):
        if line[at] == "\\" and quote != "'":
            at += 1
        elif line[at] == quote:
            return at + 1
        at += 1
    raise ShellSyntaxError(f"unexpected EOF while looking for matching `{quote}'")


def _closing_bracket(line: str, at: int) -> int:
    depth = 0
    while at < len(line):
        if line[at] in "'\"":
            at = _closing(line, at)
            continue
        depth += (line[at] == "(") - (line[at] == ")")
        if depth == 0:
            return at
        at += 1
    raise ShellSyntaxError("unexpected EOF while looking for matching `)'")


class Expanded(Struct, frozen=True):
    """A word as it is meant, and whether a star in it stands for names of files."""

    text: str
    globs: bool


def expanded(word: str, variables: Mapping[str, str], run: Run) -> list[Expanded]:
    """Quotes taken off, variables and inner commands filled in; what was not quoted falls apart at its spaces."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    while at < len(word):
        letter = word[at]
        if letter == "'":
            end = _closing(word, at)
            pieces.append((word[at + 1 : end - 1], True))
            at = end
        elif letter == '"':
            end = _closing(word, at)
            pieces.append((_filled(word[at + 1 : end - 1], variables, run), True))
            at = end
        elif letter == "\\":
            pieces.append((word[at + 1 : at + 2], True))
            at += 2
        elif letter in "$`":
            value, at = _value(word, at, variables, run)
            pieces.append((value, False))
        else:
            pieces.append((letter, False))
            at += 1
    return _fallen_apart(pieces, word)


def _fallen_apart(pieces: list[tuple[str, bool]], word: str) -> list[Expanded]:
    if not any(" " in text or "\n" in text for text, quoted in pieces if not quoted):
        text = "".join(text for text, _ in pieces)
        globs = any(re.search(r"[*?\[]", each) for each, quoted in pieces if not quoted)
        return [Expanded(text, globs)] if text or re.search(r"['\"]", word) else []
    whole = "".join(text.replace(" ", "\0").replace("\n", "\1") if quoted else text for text, quoted in pieces)
    return [Expanded(each.replace("\0", " ").replace("\1", "\n"), False) for each in whole.split()]


def _filled(text: str, variables: Mapping[str, str], run: Run) -> str:
    made, at = "", 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] in ("$", "`", '"', "\\", "\n"):
            made, at = made + text[at + 1].replace("\n", ""), at + 2
        elif text[at] in "$`":
            value, at = _value(text, at, variables, run)
            made += value
        else:
            made, at = made + text[at], at + 1
    return made


def _value(text: str, at: int, variables: Mapping[str, str], run: Run) -> tuple[str, int]:
    if text[at] == "`":
        end = _closing(text, at)
        return run(text[at + 1 : end - 1]).rstrip("\n"), end
    if text.startswith("$((", at):
        raise ShellSyntaxError("this simulated shell does not calculate")
    if text.startswith("$(", at):
        end = _closing_bracket(text, at + 1)
        return run(text[at + 2 : end]).rstrip("\n"), end + 1
    if text.startswith("${", at):
        end = text.find("}", at)
        name = text[at + 2 : end]
        if end < 0 or not _NAME.fullmatch(name):
            raise ShellSyntaxError(f"this simulated shell does not know ${{{name}}}")
        return variables.get(name, ""), end + 1
    match = _NAME.match(text, at + 1)
    return (variables.get(match[0], ""), match.end()) if match else ("$", at + 1)
