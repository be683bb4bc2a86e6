"""What a reader answers to an output → whether it says that it could not read it."""

import re

_WHAT = (
    r"(?:json|yaml|xml|output|response|reply|answer|format|code|snippet|message|tool calls?|function calls?|actions?)"
)
_UNREADABLE = re.compile(
    rf"\b(?:could ?n[o']t|can ?no[t]|can't|unable to|failed to|fail(?:ed|ure) (?:in|while|when)|error (?:in|while"
    rf"|when|during)|problem) "
    rf"(?:be )?(?:pars(?:e|ed|ing)|decod(?:e|ed|ing)|deseriali[sz](?:e|ed|ing)|extract(?:ed|ing)? (?:the |any "
    rf"|a )?(?:json|code|action|tool call))\b"
    rf"|\b(?:output|response|code|json|format)[ -]?pars(?:ing|er?)[ -](?:error|failed|failure|exception)\b"
    rf"|\bpars(?:ing|e)[ -]?(?:error|failed|failure|exception)\b|\b(?:JSONDecodeError|OutputParserException"
    rf"|ParserError)\b"
    rf"|\bcode pars(?:ing|e) (?:error|failed)\b"
    rf"|\b(?:invalid|malformed|unparse?able|unreadable|broken|ill-formed) (?:\w+ ){{0,2}}?{_WHAT}\b"
    rf"|\b{_WHAT} (?:\w+ ){{0,4}}?(?:is|was|were|are) (?:\w+ )?(?:invalid|malformed|unparse?able|ill-formed"
    rf"|not valid|no valid)\b"
    rf"|\bnot (?:a )?valid (?:json|yaml|xml|python|code|format)\b|\bno valid (?:json|code|action|tool call)\b"
    rf"|\b(?:regex )?pattern\b.{{0,80}}\bwas not found\b|\bdoes(?: not|n't) (?:match|follow|fit"
    rf"|conform to) the (?:required|expected|requested|specified)"
    rf"? ?(?:format|schema|pattern|template)\b"
    rf"|\bmissing ['\"`]?(?:action|action input|thought|code|final answer)\b['\"`]?",
    re.IGNORECASE,
)
# Said of something else than what the agent wrote: a page, a file, a reply of a service.
_OF_ANOTHER = re.compile(
    r"\b(?:file|page|website|url|pdf|csv|server|api|upstream|document|html|image|attachment|date|number|id|address"
    r"|email"
    r"|phone|cells?|rows?|columns?|datetime|encoding)\b",
    re.IGNORECASE,
)
_OF_THE_OUTPUT = re.compile(
    r"\b(?:your|you|the agent's|assistant|model|llm|generated)\b|\bcode (?:snippet|pars|block)|\btool call\b",
    re.IGNORECASE,
)
_SYNTAX = re.compile(
    r"\b(?:SyntaxError|IndentationError|TabError|unexpected EOF|unterminated (?:string|triple)|invalid syntax"
    r"|unexpected token"
    r"|parse error near)\b",
    re.IGNORECASE,
)
# One of these is in all that says so, and is quickly looked for.
_SIGNS = (
    "pars", "decod", "deseriali", "extract", "invalid", "malformed", "unreadable", "broken", "ill-formed", "valid",
    "pattern", " match the ", " follow the ", " fit the ", " conform to the ", "missing",
)  # fmt: skip
_READ = 1500


def says_unreadable(text: str, *, by_person: bool = False) -> bool:
    """A reader says that what the agent wrote could not be parsed."""
    said = text[:_READ]
    low = said.lower()
    match = _UNREADABLE.search(said) if any(map(low.__contains__, _SIGNS)) else None
    if match is None:
        return False
    around = said[max(0, match.start() - 120) : match.end() + 120]
    if by_person:
        return _OF_THE_OUTPUT.search(around) is not None or not _OF_ANOTHER.search(around)
    return _OF_THE_OUTPUT.search(around) is not None


def says_syntax(text: str) -> bool:
    """Whoever was to run a piece of code says that it is none."""
    return _SYNTAX.search(text[:_READ]) is not None
