"""A command line or a statement → whether it only looks, whether it removes something, or neither that we know of."""

import re
import shlex
from functools import lru_cache
from typing import Literal

from misstep.core.event import ToolCall
from misstep.core.trace import Trace
from misstep.core.words import split_identifier
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import lemma, meaning

Command = Literal["looks", "removes", "other"]

_LOOKING = frozenset(
    """ls dir ll du df cat head tail wc grep egrep fgrep rg ag stat file pwd whoami id date cal echo printf which type
    whereis env printenv ps top htop uname hostname uptime free lsof tree sort uniq cut tr nl diff cmp comm md5sum
    sha1sum sha256sum cksum jq yq less more column strings hexdump xxd od test true false sleep basename dirname
    realpath readlink ping dig nslookup host netstat ss ifconfig lscpu lsblk mount history man help sed awk find git
    pytest ruff mypy pyright basedpyright flake8 pylint eslint tsc shellcheck bandit tox nox cargo go npm yarn pnpm pip
    pip3 docker kubectl systemctl journalctl python python3 node make black isort prettier cd set export""".split()
)
# Where a program looks only in some of its uses, these are those uses.
_LOOKS_WITH: dict[str, re.Pattern[str]] = {
    "git": re.compile(
        r"^(?:-\S+ )*(?:log|status|diff|show|blame|rev-parse|rev-list|ls-files|ls-remote|describe|shortlog|grep"
        r"|cat-file"
        r"|branch(?: -(?:a|r|v|vv|-list|-show-current|-merged|-no-merged|-contains))+(?: [\w/.-]+)?$|branch$"
        r"|remote(?: -v)?$|tag(?: -l| --list)?$|stash list"
        r"|config --get)\b"
        r"|^(?:branch|remote|tag)(?: -\w+)*$"
    ),
    "cargo": re.compile(r"(?:test|check|clippy|tree|metadata)\b"),
    "go": re.compile(r"(?:test|vet|list|version|env)\b"),
    "npm": re.compile(r"(?:test|t|ls|list|view|outdated|audit$|run (?:test|lint|check|typecheck)|--version)\b"),
    "yarn": re.compile(r"(?:test|list|why|run (?:test|lint)|lint)\b"),
    "pnpm": re.compile(r"(?:test|list|why|run (?:test|lint)|lint)\b"),
    "pip": re.compile(r"(?:list|show|freeze|check|--version)\b"),
    "pip3": re.compile(r"(?:list|show|freeze|check|--version)\b"),
    "docker": re.compile(r"(?:ps|images|logs|inspect|stats|version|info|top)\b"),
    "kubectl": re.compile(r"(?:get|describe|logs|top|version|explain|api-resources)\b"),
    "systemctl": re.compile(r"(?:status|is-active|is-enabled|list-\S+|show)\b"),
    "python": re.compile(r"(?:-V|--version|-m (?:pytest|unittest|mypy|ruff check|flake8|pylint|pip (?:list|show)))\b"),
    "node": re.compile(r"(?:-v|--version)\b"),
    "make": re.compile(r"(?:-n|--dry-run|test|tests|check|lint)\b"),
    "ruff": re.compile(r"(?:check|format --check|--version)\b"),
    "black": re.compile(r"^.*--check\b"),
    "isort": re.compile(r"^.*--check"),
    "prettier": re.compile(r"^.*--check\b"),
}
_LOOKS_WITH["python3"] = _LOOKS_WITH["python"]
# What turns a program that looks into one that writes.
_WRITES = re.compile(
    r"(?:^|\s)(?:-i\S*|--in-place\S*|-delete|-exec\w*|-ok\w*|-fprint\S*|--fix\S*|--write|-o|--output\S*|-w)(?=\s|=|$)"
)
_WRITES_FOR = frozenset({"sed", "find", "ruff", "eslint", "prettier", "sort", "awk", "black", "isort", "yq"})
_REMOVES = re.compile(
    r"(?:^|[;&|]\s*|\bsudo\s+|\bxargs\s+(?:-\S+\s+)*|-exec\s+)"
    r"(?:rm|rmdir|unlink|shred|truncate|dd|mkfs\S*|wipefs|fdisk|del|erase|format|kill|pkill|killall|dropdb)\b"
    r"|\bgit\s+(?:clean|reset\s+--hard|push\s+\S*\s*.*(?:--force|-f\b|--delete)|branch\s+-D|checkout\s+--|stash\s+drop)"
    r"|\bfind\b.*\s-delete\b|\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\b"
    r"|\b(?:docker|kubectl|podman|helm)\s+\S*\s*(?:rm|rmi|prune|delete|uninstall)\b|\bterraform\s+destroy\b",
    re.IGNORECASE,
)
_HARMLESS_REDIRECT = re.compile(r"\d?>>?\s*/dev/null|\d>&\d|&>\s*/dev/null")
_SHELL_WORDS = frozenset(lemma(word) for word in "command commands shell bash cmd cli".split())
# A transfer is executed too, and a ship lies at a terminal: these count beside what is run, or a line that runs it.
_RUNNING_WORDS = frozenset(lemma(word) for word in "terminal console exec execute script".split())
_RUN_THINGS = frozenset(lemma(word) for word in "python javascript sql snippet interpreter".split())
_PROGRAMS = re.compile(
    r"\s*(?:sudo\s+|\w+=\S*\s+)*(?:\S*/)?(?:rm|rmdir|curl|wget|iwr|bash|sh|zsh|perl|ruby|php|chmod|chown|mkfs\S*|dd|nc|ssh"
    r"|scp|rsync|apt|apt-get|brew|cp|mv|touch|mkdir|ln|kill|pkill|killall|crontab|eval|source|base64|tar|gzip|unzip"
    r"|powershell|xargs|truncate|shred|psql|mysql|sqlite3|aws|gcloud|az|terraform|helm|podman|iex|service|npx|uv|poetry"
    r"|dropdb|unlink|format|del|erase)(?=\s|$)|\s*(?:import|def|class)\s+\w|\s*(?:\w+\s*=\s*)?[\w.]+\(|[^\n]*?(?:&&|\$\(|`|\s--?[a-z])"
)


# As databases are asked and told.
_STATEMENT = re.compile(
    r"\s*(?:select\s[^;]{0,2000}?\bfrom\b|with\s+\w+\s+as\s*\(|show\s+(?:tables|databases|columns|create)\b"
    r"|(?:explain|describe)\s+\w+|delete\s+from\b|(?:drop|truncate|alter|create)\s+(?:table|database|schema|index"
    r"|view)\b|insert\s+into\b|update\s+[\w.]+\s+set\b|replace\s+into\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\s*(?:select|with|show|explain|describe)\b", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:insert|update|alter|create|into|grant|replace|merge|call|execute)\b", re.IGNORECASE)


@lru_cache(maxsize=2048)
def read_command(line: str) -> Command:
    """What a command line does, as far as its programs are known; in doubt, `other`."""
    if _REMOVES.search(line):
        return "removes"
    if _STATEMENT.match(line):
        return "looks" if _ASKS.match(line) and not _CHANGES.search(line) else "other"
    bare = _HARMLESS_REDIRECT.sub(" ", line)
    if re.search(r"[<>`]|\$\(", bare):
        return "other"
    parts = [part.strip() for part in re.split(r"&&|\|\||[;|\n]", bare) if part.strip()]
    return "looks" if parts and all(map(_looks, parts)) else "other"


def _looks(part: str) -> bool:
    try:
        said = shlex.split(part)
    except ValueError:
        return False
    while said and re.fullmatch(r"\w+=\S*", said[0]):
        said = said[1:]
    if said[:1] == ["time"]:
        said = said[1:]
    if not said:
        return False
    program, rest = said[0].rpartition("/")[2], " ".join(said[1:])
    if rest in ("--version", "-V", "--help", "-h", "version"):
        return True
    if program not in _LOOKING or (program in _WRITES_FOR and _WRITES.search(rest)):
        return False
    only = _LOOKS_WITH.get(program)
    return only is None or only.match(rest) is not None


# What these do to the files that they are told of is in whatever they run, and nobody can tell from the line.
_RUNNERS = frozenset(
    """python python3 node npm npx yarn pnpm make tox nox go cargo bash sh zsh ruby java mvn gradle jest vitest uv
    poetry pip pip3 pytest cd export source time""".split()
)
_REDIRECT = re.compile(r"(?<![0-9&>])>>?\s*(?P<target>[^\s;&|<>]+)")


@lru_cache(maxsize=2048)
def touched_by(line: str) -> str:
    """The parts of a command line that change something, with what they name; the files that it writes to."""
    bare = _HARMLESS_REDIRECT.sub(" ", line)
    targets = [match["target"] for match in _REDIRECT.finditer(bare)]
    parts = [part.strip() for part in re.split(r"&&|\|\||[;|\n]", _REDIRECT.sub(" ", bare)) if part.strip()]
    return " ".join([*targets, *(part for part in parts if not _looks(part) and not _runs_something(part))])


def _runs_something(part: str) -> bool:
    said = [word for word in part.split() if "=" not in word]
    return bool(said) and said[0].rpartition("/")[2] in _RUNNERS


def command_in(trace: Trace, call: ToolCall) -> str | None:
    """The command line that a call runs, where its tool is for running such."""
    tool = trace.tool_named.get(call.tool)
    description = tool.description if tool else ""
    for name, value in leaves(call.arguments):
        if isinstance(value, str) and value.strip() and _is_for_commands(call.tool, description, name):
            return value
        if isinstance(value, str) and _is_for_running(call.tool, description, name) and _is_a_line(value):
            return value
    return None


def _is_a_line(text: str) -> bool:
    said = text.split(maxsplit=1)
    program = said[0].rpartition("/")[2] if said else ""
    return program in _LOOKING or program in _RUNNERS or _PROGRAMS.match(text[:_LINE]) is not None


_LINE = 2000


def statement_in(call: ToolCall) -> str | None:
    """The statement for a database that a call runs, rather than writes down somewhere."""
    for name, value in leaves(call.arguments):
        if isinstance(value, str) and name.lower() in _STATING and _STATEMENT.match(value):
            return value
    return None


_STATING = frozenset({"sql", "query", "statement", "stmt"})


@lru_cache(maxsize=4096)
def _is_for_commands(tool: str, description: str, argument: str) -> bool:
    told = _told(tool, description, argument)
    if not told.isdisjoint(_SHELL_WORDS) or lemma("script") in map(lemma, split_identifier(argument)):
        return True
    return not told.isdisjoint(_RUNNING_WORDS) and not told.isdisjoint(_RUN_THINGS)


@lru_cache(maxsize=4096)
def _is_for_running(tool: str, description: str, argument: str) -> bool:
    """It executes something, and only the line itself can tell what."""
    return not _told(tool, description, argument).isdisjoint(_RUNNING_WORDS)


def _told(tool: str, description: str, argument: str) -> set[str]:
    named = {*split_identifier(tool), *split_identifier(argument)}
    return {lemma(word) for word in named} | set(meaning(description))
