"""Glob patterns → whether a path fits one."""

import re
from functools import lru_cache


def fits_glob(path: str, pattern: str) -> bool:
    """`*` and `?` stay within a name, `**` goes through folders, `{a,b}` and `[abc]` choose."""
    return any(_compiled(each).fullmatch(path) is not None for each in alternatives(pattern.removeprefix("./")))


def alternatives(pattern: str) -> list[str]:
    """`*.{js,ts}` → `*.js`, `*.ts`; a brace that is not closed is a letter."""
    match = re.search(r"\{([^{}]*,[^{}]*)\}", pattern)
    if match is None:
        return [pattern]
    before, after = pattern[: match.start()], pattern[match.end() :]
    return [whole for each in match[1].split(",") for whole in alternatives(f"{before}{each}{after}")][:256]


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(_expression(pattern), re.DOTALL)
    except re.error:
        return re.compile(re.escape(pattern))


def _expression(pattern: str) -> str:
    made, at = "", 0
    while at < len(pattern):
        rest = pattern[at:]
        if rest.startswith("**/"):
            made, at = made + r"(?:[^/]+/)*", at + 3
        elif rest == "**" or rest.startswith("**"):
            made, at = made + ".*", at + 2
        elif rest[0] == "*":
            made, at = made + ("[^/]+" if _alone(pattern, at) else "[^/]*"), at + 1
        elif rest[0] == "?":
            made, at = made + "[^/]", at + 1
        elif rest[0] == "[" and "]" in rest[2:]:
            end = rest.index("]", 2)
            inner = rest[1:end].replace("\\", "\\\\")
            made, at = made + f"[{'^' + inner[1:] if inner[0] in '!^' else inner}]", at + end + 1
        else:
            made, at = made + re.escape(rest[0]), at + 1
    return made


def _alone(pattern: str, at: int) -> bool:
    """A star that is a whole name demands at least one letter."""
    return (at == 0 or pattern[at - 1] == "/") and (at + 1 == len(pattern) or pattern[at + 1] == "/")
