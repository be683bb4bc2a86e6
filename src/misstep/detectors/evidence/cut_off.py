"""A tool's answer → whether it shows that there is more of it: a row that breaks off, a count, an unused next page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import split_identifier
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.records import record_of
from misstep.provenance.reading import leaves

Record = Mapping[str, JSON]

_READ = 20_000
_TAIL = 200
_FEW = 200
_DELIMITERS = (",", ";", "\t", "|")
# What a table may well end with.
_FOOTER = re.compile(
    r"\W|(?:.*\b)?(?:rows?|records?|totals?|sum|subtotal|end|eof|source|notes?|generated|showing|lines?|items?|entries|n/a"
    r"|average|mean|count|updated|as of)\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?:[\[(<{*~-]{1,3}\s{0,20}"
    r"|\b(?:output|response|result|results|content|text|message|file|list|table|data)\s{1,20}(?:was |is )?)"
    r"(?:truncated|cut off|clipped|cropped|shortened|limit(?: was)? reached|snipped?)\b[^\n]{0,60}$"
    r"|\(?(?:\.\.\.|…)?\s{0,20}\(?(?:and\s+)?\d[\d,]{0,20}\s{1,20}more(?:\s{1,20}\w+){0,2}\)?[.\s]{0,20}(?:\.\.\.|…)?\s{0,20}[\])]?$"
    r"|\n[^\n]*[\w,;(]\s?(?:\.\.\.|…)\s{0,20}$|\[(?:\.\.\.|…)\]\s{0,20}$",
    re.IGNORECASE,
)
_SOME_OF = re.compile(
    r"\b(?:showing|displaying|listing|returned|returning|page|pages|rows?|results?|records?|entries|items|lines?"
    r"|matches|hits|first|top|part|chunk)\W{0,3}"
    r"(?:(?:only|the|first|rows?|results?|records?|entries|items|lines?)\s+){0,2}(?:\d+\s*(?:-|–|to)\s*)?"
    r"(?P<part>\d[\d,]*)(?:\s+\w+)?\s*(?:of|out of|/)\s*(?:(?:a )?total (?:of )?)?(?P<all>\d[\d,]*)\b",
    re.IGNORECASE,
)
_SAYS_CUT = frozenset(
    {"truncated", "istruncated", "incomplete", "cutoff", "clipped", "resulttruncated", "wastruncated"}
)
_SAYS_WHOLE = frozenset({"complete", "iscomplete", "final", "islast", "lastpage", "islastpage"})
_SAYS_MORE = frozenset({"hasmore", "more", "hasnext", "hasnextpage", "moreresults", "moreavailable"})
_NEXT = frozenset(
    """next nextpage nextcursor nexttoken nextpagetoken continuationtoken continuation nextlink nexturl nextoffset
    lastevaluatedkey nextmarker scrollid endcursor""".split()
)
_COUNTS = frozenset({"rows", "records", "results", "entries", "lines", "hits", "matches", "items"})
_COUNTING = frozenset({"total", "count", "num", "number", "n"})
_PAGING = frozenset(
    {"page", "pages", "limit", "offset", "pagesize", "perpage", "shown", "returned", *_SAYS_MORE, *_NEXT}
)
# Whoever asks for these can be told nothing right from a part.
_ALL = re.compile(
    r"\b(?:all (?:of |our |my |the |their |its |those |these |\w+s\b)|every(?:thing|one|body)?|entire|whole|overall"
    r"|altogether|totals?|in total|sum(?: up)?|add(?:ed)? up|how many|count|number of|average|mean|median)\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:all|each|complete|full|how much|share|percentage|compar\w+|rank(?:ing|ed)?|top|bottom|most|least|fewest|best"
    r"|worst|strongest|weakest|biggest|largest|smallest|highest|lowest|longest|shortest|oldest|newest|cheapest"
    r"|summar\w+|lists?|report|overview|what are|which (?:\w+ )?(?:are|were|have|had)"
    r"|who (?:are|were|is|was|has|had))\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(r"[.!?][\"')\]]*\s+[A-Z]")
_HANGING = re.compile(
    r"(?:[,(\[{–—]|\w-|\b(?:the|a|an|of|and|or|to|with|for|in|on|at|by|from|that|which|is|are|was|were|be|will|must|shall"
    r"|should|may|can|not|if|when|because|than|as|their|its|your|our|this|these|per|between|under|until))\s*$"
)
_PART_TOLD = re.compile(
    r"\b(?:so far|only (?:the )?(?:first|part|some)|first (?:\d+|few|page|part)|part(?:s|ial(?:ly)?)? of|partial(?:ly)?"
    r"|incomplete|not (?:complete|all|the whole|the full)|truncated|cut (?:off|short)|br(?:oke|eaks|oken) off|cuts off"
    r"|stops? (?:short|after|at|in|mid)|ends? (?:abruptly|mid|in the middle)|missing|the (?:rest|others?)|remaining"
    r"|(?:there (?:are|is|may be|might be)|\d|few|some|many|possibly|with|get|fetch|load) more"
    r"|more (?:rows|results|records|entries|pages|items|to (?:come|follow|fetch|see))|at least|page \d|limited to"
    r"|what i (?:can|could) see|i (?:can|could) only|as far as)\b",
    re.IGNORECASE,
)


def breaks_off(trace: Trace, exchange: Exchange) -> str:
    """What shows, in the answer itself, that it ends before its end; empty where nothing does, or no more was asked."""
    content = exchange.result.content if exchange.result else None
    asked = heard(trace).last(exchange.at)
    if not _ALL.search(asked) and not _COMPARES.search(asked):
        return ""
    text = content if isinstance(content, str) else ""
    if text and _ends_in_a_row(text[-_READ:] if len(text) > _READ else text):
        return "a table that breaks off in the middle of a row"
    if any(isinstance(value, str) and _hangs(value) for _, value in islice(leaves(content), _FEW)):
        return "a text that breaks off in the middle of a sentence"
    return ""


def _ends_in_a_row(text: str) -> bool:
    """All rows have the header's fields, the last has fewer and is neither finished nor a footer."""
    lines = [line for at, line in enumerate(text.split("\n")) if at or not line.startswith(("#", "//", "--"))]
    if len(lines) < 4 or not lines[-1].strip() or '"' in text:
        return False
    rows, last = [line for line in lines[:-1] if line.strip()], lines[-1]
    for sign in _DELIMITERS:
        width = rows[0].count(sign)
        if not width or any(row.count(sign) != width for row in rows) or last.count(sign) >= width:
            continue
        if _FOOTER.match(last):
            return False
        return width > 1 or _has_a_column_of_numbers(rows, sign)
    return False


def _has_a_column_of_numbers(rows: Sequence[str], sign: str) -> bool:
    columns = list(zip(*(row.split(sign) for row in rows[:_FEW]), strict=False))
    return any(not _starts_with_digit(each[0]) and all(map(_starts_with_digit, each[1:])) for each in columns)


def _starts_with_digit(text: str) -> bool:
    return text.strip().lstrip("-+$€£")[:1].isdigit()


def _hangs(text: str) -> bool:
    """Some sentences, and then one that stops where no sentence can end."""
    tail = text[-_TAIL:]
    return len(text) > _TAIL // 2 and _FINISHED.search(text[:_READ]) is not None and _HANGING.search(tail) is not None


def is_a_part(trace: Trace, exchange: Exchange) -> str:
    """What shows that an answer is only some of what there is, of which the user wanted the whole."""
    content = exchange.result.content if exchange.result else None
    found = _says_there_is_more(content) or _is_shorter_than_listed(trace, exchange, content)
    asked = heard(trace).last(exchange.at)
    return found if found and _ALL.search(asked) else ""


def is_told_as_a_part(text: str) -> bool:
    """The user hears that there is, or may be, more."""
    return _PART_TOLD.search(text) is not None


def _says_there_is_more(content: JSON) -> str:
    if isinstance(content, str):
        return "what it calls itself only a part" if _marks(content) else _fewer_lines(content)
    if not isinstance(content, Mapping):
        return ""
    fields = {"".join(split_identifier(key)).lower(): value for key, value in cast("Record", content).items()}
    if any(fields.get(name) is True for name in _SAYS_CUT) or any(fields.get(name) is False for name in _SAYS_WHOLE):
        return "what it calls itself only a part"
    if any(fields.get(name) is True for name in _SAYS_MORE) or any(fields.get(name) for name in _NEXT):
        return "a first page, with more to follow"
    page, pages = _first_number(fields, _PAGE), _first_number(fields, _PAGES)
    if page is not None and pages is not None and page < pages:
        return f"page {page} of {pages}"
    items = _listed(fields)
    if items is not None and 0 < len(items) < _counted(cast("Record", content), fields):
        return f"{len(items)} of {_counted(cast('Record', content), fields)} entries"
    return "what it calls itself only a part" if any(map(_marks, _notes(fields))) else ""


_TOLD_COUNT = re.compile(
    r"\b(?:rows|records|entries|items|lines|results|count|total)\s*[=:]\s*(\d{1,7})\b", re.IGNORECASE
)


def _fewer_lines(text: str) -> str:
    """A first line that says how many rows follow, and fewer of them."""
    first, _, rest = text.partition("\n")
    told = _TOLD_COUNT.search(first) if len(first) < _HEADING else None
    rows = [line for line in rest.splitlines() if line.strip()]
    return f"{len(rows)} of {told[1]} rows" if told is not None and 1 < len(rows) < int(told[1]) else ""


_HEADING = 200
_PAGE = ("page", "currentpage", "pagenumber")
_PAGES = ("pages", "totalpages", "pagecount", "lastpage", "numpages", "ofpages")


def _first_number(fields: Record, names: Sequence[str]) -> int | None:
    found = [value for name in names if isinstance(value := fields.get(name), int) and not isinstance(value, bool)]
    return found[0] if found else None


def _notes(fields: Record) -> Iterator[str]:
    return (value for value in fields.values() if isinstance(value, str))


def _marks(text: str) -> bool:
    if _MARK.search(text[-_TAIL:]):
        return True
    for end in (text[:_TAIL], text[-_TAIL:]):
        said = _SOME_OF.search(end)
        if said is not None and int(said["part"].replace(",", "")) < int(said["all"].replace(",", "")):
            return True
    return False


def _listed(fields: Record) -> Sequence[JSON] | None:
    """The one list in an answer, if it is of records."""
    lists = [cast("list[JSON]", value) for value in fields.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 and all(isinstance(each, Mapping) for each in lists[0][:_FEW]) else None


def _counted(content: Record, fields: Record) -> int:
    """How many there are, by its own word; a total may well be a sum of money, so it needs pages beside it."""
    paged = not _PAGING.isdisjoint(fields)
    for name, value in content.items():
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        parts = {part.lower() for part in split_identifier(name)}
        of_things = not parts.isdisjoint(_COUNTS) and parts <= _COUNTS | _COUNTING
        if of_things or parts == {"count"} or parts == {"total", "count"} or (parts == {"total"} and paged):
            return value
    return 0


def _is_shorter_than_listed(trace: Trace, exchange: Exchange, content: JSON) -> str:
    """An earlier answer had told how many rows there are in what is named here."""
    length = _length(content)
    for _, value in leaves(exchange.call.arguments) if length else ():
        listed = record_of(trace, value, exchange.at)
        if listed is None or len(exchange.call.arguments) > 1:
            continue
        for name, count in listed.record.items():
            parts = {part.lower() for part in split_identifier(name)}
            of_rows = not parts.isdisjoint({"rows", "records", "lines", "entries"}) or parts == {"row", "count"}
            if of_rows and isinstance(count, int) and not isinstance(count, bool) and length < count:
                return f"{length} of {count} rows"
    return ""


def _length(content: JSON) -> int:
    if isinstance(content, list):
        return len(cast("list[JSON]", content))
    if isinstance(content, str):
        lines = [line for line in content[:_READ].split("\n") if line.strip()]
        return len(lines) - 1 if len(lines) > 1 and len(content) <= _READ else 0
    return 0
