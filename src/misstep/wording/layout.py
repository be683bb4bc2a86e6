"""A message as an agent lays it out → plain lines: mark-up, tables, decoration and contractions in one form."""

import re

from misstep.core.once import once_per_text

_SYMBOLS = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]+ ?")
_BETWEEN_SENTENCES = re.compile(rf"(?<=\w) ?{_SYMBOLS.pattern}(?=[A-Z])")
"""A picture in place of a full stop."""
_BOLD_LINE = re.compile(r"^(?:\*\*|__)(?=\S)")
_HEADING = re.compile(r"^#{1,6} +")
_RULE = re.compile(r"^[-=_*`~]{3,}\w*$")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)")
_BETWEEN_CELLS = re.compile(r"^[|:\s-]+$")
_SHORT_FORMS = {
    "acct": "account", "addr": "address", "amt": "amount", "appt": "appointment", "conf": "confirmation",
    "cust": "customer", "dept": "department", "mgr": "manager", "pwd": "password", "reg": "registration",
    "tel": "telephone",
}  # fmt: skip
_SHORT_FORM = re.compile(rf"\b({'|'.join(_SHORT_FORMS)})\b\.?(?!-)", re.IGNORECASE)
_WEEKDAYS = {
    "Mon": "Monday", "Tue": "Tuesday", "Tues": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Thur": "Thursday",
    "Thurs": "Thursday", "Fri": "Friday", "Sat": "Saturday", "Sun": "Sunday",
}  # fmt: skip
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})\b\.?(?= \d|[.,;:?!)]|$| (?:at|from|or|and|to)\b)")
_UNITS = {"mth": "months", "wk": "weeks", "yr": "years", "hr": "hours", "h": "hours", "min": "minutes"}
_STREETS = {"st": "Street", "rd": "Road", "ave": "Avenue", "sq": "Square", "ln": "Lane"}
_UNIT = re.compile(r"(?<=\d )(mth|wk|yr|hr|h|min)s?\b\.?", re.IGNORECASE)
_STREET = re.compile(r"(?<=[a-z] )(St|Rd|Ave|Sq|Ln)\b\.?(?=[ ,;?)]|$)")
_MONTHS = "|".join("January February March April May June July August September October November December".split())
_BEGINNING = (
    r"\b(?:begin|start|start off|open|kick off) (?:by|with) (?:just )?"
    r"(?:taking|getting|grabbing|noting|having|asking (?:you )?for)"
    r"(?= (?:your|the|a few|some)\b)(?! (?:\w+ ){2,4}\w+ed\b)"
)
"""`May I begin by taking your name?`: what comes first is asked for like the rest."""
_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"[’‘]", "'"),
        (r"\s[-–—]\s(?=(?:which|what|shall|would|do|is|are|does|should|could|can)\b)", ". "),
        (r"\be-mail", "email"),
        (r"\block(?:ing|ed)? (it|that|this|you|them|everything) in\b", r"book \1"),
        (r"\ba/c\b", "account"),
        (r"(?<=\w )(?<!or )(?<!and )no(?:\.(?=\s|[?:,]|$)|(?=\?))", "number"),
        (r"(?<=\w )#(?=\W|$)", "number"),
        (r"\b(?:pls|plz)\b", "please"),
        (r"\bur\b", "your"),
        (r"\bu\b", "you"),
        (r"\bin order (that|for)\b", r"so \1"),
        (r"\bin order to\b", "to"),
        (r"\bin (?:good |proper |perfect )?order(?= ?[.,;?!]|$)", "right"),
        (r"\bwhereabouts(?= (?:is|are|do|does|did|would|will|can|in|on|shall|should|was|were|have|has)\b)", "where"),
        (r"\b(what|who|where|when|how|that|it|here|there)'?s\b(?<!its)", r"\1 is"),
        (rf"\b(?:let me|let us|let's|(?:i|we)(?:'ll| will)) (?:just )?{_BEGINNING}", "please give me"),
        (_BEGINNING, "have"),
        (r":\s*(?:_{2,}|\.{4,}|\[\s*\]|<\s*>)", "? "),
        (r"\b([a-z][a-z' -]{1,30}): ?\?", r"\1?"),
        (r"\?\s*\((\w[\w -]*)/(\w[\w -]*)\)", r": \1 or \2?"),
        (r"(?<![\w/])(?!yes/|y/|and/|he/|s/)([a-z][a-z-]{2,})/(?!no\b)([a-z][a-z-]{2,})(?=\s?\?)", r"\1 / \2"),
        (r"^([^:?\n/]{1,30}: [^?\n/]{1,40}) ?/ ?([^?\n/]{1,40}\?)", r"\1 / \2"),
        (r"(?<=\S)[ \t]+", " "),
        (
            r"(?<![\d.:/-])(\d{1,2})(?:st|nd|rd|th)? ?(?:to|till|until|-|–|—) ?(?:the )?(\d{1,2})(?:st|nd|rd|th)?"
            rf" (?:of )?({_MONTHS})\b",
            r"\1 \3 to \2 \3",
        ),
        (r"\*\*|__|`", ""),
    )
)


@once_per_text
def plain(message: str) -> str:
    """The same words without mark-up; rows of tables and lines that open in bold become items of a list."""
    text = _BETWEEN_SENTENCES.sub(". ", message.replace("\r", ""))
    text = _LINK.sub(r"\1", _SYMBOLS.sub("", text))
    lines = text.split("\n")
    bold = sum(bool(_BOLD_LINE.match(line)) for line in lines) > 1
    found: list[str] = []
    header: list[str] = []
    for line in lines:
        if line.startswith("|") and line.count("|") > 2:
            header = _row(line, header, found)
            continue
        header = []
        if _RULE.match(line.strip()):
            continue
        item = "- " if bold and _BOLD_LINE.match(line) else ""
        found.append(item + _HEADING.sub("", line))
    text = "\n".join(found)
    for pattern, instead in _REWRITES:
        text = pattern.sub(instead, text)
    text = _UNIT.sub(lambda short: _UNITS[short[1].lower()], text)
    text = _STREET.sub(lambda short: _STREETS[short[1].lower()], text)
    text = _WEEKDAY.sub(lambda short: _WEEKDAYS[short[1]], text)
    return _SHORT_FORM.sub(lambda short: _SHORT_FORMS[short[1].lower()], text).strip()


def _row(line: str, header: list[str], found: list[str]) -> list[str]:
    """Add a row of a table as an item; returns the table's header."""
    if _BETWEEN_CELLS.match(line):
        return header
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not header:
        return cells
    if len(cells) == 2:
        found.append(f"- {cells[0]}: {cells[1]}")
        return header
    first = f"{cells[0]}." if cells[0].isdigit() and len(cells[0]) <= 2 else f"- {cells[0]},"
    named = [cells[1], *(f"{name} {cell}" for name, cell in zip(header[2:], cells[2:], strict=False))]
    found.append(f"{first} {', '.join(named)}")
    return header
