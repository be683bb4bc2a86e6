"""What has been said in a conversation so far, by whom and where first."""

import re

from misstep.core.event import Blocked, Event, Handoff, Memory, Message, ToolResult
from misstep.core.tool import JSON
from misstep.provenance.reading import Day, Index, Place, canonical, index_of, leaves, names_in, tokens

# What must be reckoned out from a day: a bare duration ("a week off") must not.
_PARTIAL_DATE = re.compile(
    r"\b(?:[Tt]oday|[Tt]onight|[Tt]omorrow|[Yy]esterday|weekend|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
    r"|(?:[Nn]ext|[Tt]his|[Ll]ast|coming|following|past|previous|[Ii]n|[Ww]ithin|[Ee]very|[Ee]ach|of)\s+(?:the\s+|a\s+)?"
    r"(?:\w+\s+)?(?:weeks?|fortnight|months?|days?|years?|quarter)"
    r"|(?:days?|weeks?|months?|years?|fortnight) (?:from|ago|later|earlier|after|before|ahead)"
    r"|immediately|right away|straight away|asap|as soon as possible|at once|effective now|now"
    r"|\d{1,2}(?:st|nd|rd|th)|Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July"
    r"|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Christmas|Easter|New Year)\b"
)
_REFUSAL = re.compile(r"\s*(?:no|nope|don't|do not|stop|wait|not|never|that's (?:wrong|not))\b(?! problem)", re.I)


class Known:
    """Grows event by event."""

    def __init__(self, policy: str) -> None:
        self.said = Index()
        self.policy = index_of(policy)
        self.invented: set[str] = set()
        """Values from nowhere that the agent used, and that nobody has named since."""
        self.dates_implied = False
        """The user spoke of dates that must be reckoned out: tomorrow, next week, in May."""
        self.totals: dict[float, Place] = {}
        """Each field of a result added up over its records."""
        self._proposed: list[tuple[int, str]] = []
        self._unread: list[tuple[int, str]] = []
        self._agreed = Index()

    def see(self, at: int, event: Event) -> None:
        match event:
            case Message(role="user", text=text):
                self._hear(at, text)
            case Message(role="system", text=text) | Blocked(reason=text):
                self.said.read(text, ("policy", at))
            case Message(text=text) | Handoff(text=text):
                self._proposed.append((at, text))
            case ToolResult(content=content) | Memory(action="read", content=content):
                self._receive(at, content)
            case _:
                pass

    def _hear(self, at: int, text: str) -> None:
        if self.invented:
            self.invented.difference_update(canonical(token) for token in tokens(text))
        self.said.read(text, ("user", at))
        self.dates_implied = self.dates_implied or bool(_PARTIAL_DATE.search(text))
        if not _REFUSAL.match(text):
            self._unread.extend(self._proposed)
        self._proposed = []

    def _receive(self, at: int, content: JSON) -> None:
        place: Place = ("tool", at)
        fields: dict[str, float] = {}
        for path, value in leaves(content):
            if isinstance(value, str):
                self.said.read(value, place, self.invented)
            elif isinstance(value, (int, float)) and not isinstance(value, bool) and str(value) not in self.invented:
                self.said.read_number(value, place)
                field = path.rpartition(".")[2].partition("[")[0]
                fields[field] = fields.get(field, 0.0) + value
            for name in names_in(path):
                if name not in self.invented:
                    self.said.keys.setdefault(name, place)
        for total in fields.values():
            self.totals.setdefault(round(total, 2), place)

    @property
    def agreed(self) -> Index:
        """What the agent said and the user let stand; read only when asked for, most values have a better source."""
        for at, text in self._unread:
            self._agreed.read(text, ("agent", at), self.invented)
        self._unread.clear()
        return self._agreed

    def place(self, key: str) -> Place | None:
        return self.said.keys.get(key) or self.policy.keys.get(key) or self.agreed.keys.get(key)

    def number(self, number: float) -> Place | None:
        return self.said.numbers.get(number) or self.policy.numbers.get(number) or self.agreed.numbers.get(number)

    def day(self, day: Day) -> Place | None:
        yearless = (None, day[1], day[2])
        for index in (self.said, self.policy, self.agreed):
            if found := index.days.get(day) or index.days.get(yearless):
                return found
        return None
