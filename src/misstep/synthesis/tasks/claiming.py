"""A refused call → the words of one who claims all the same that it was done: none of them tells why it was not."""

from collections.abc import Iterable, Iterator, Sequence

from misstep.core.event import Message
from misstep.core.objective import ExpectedFact
from misstep.core.words import STOPWORDS, sentences, split_identifier, words
from misstep.objectives.facts import told
from misstep.synthesis.task import SO, Item
from misstep.synthesis.tasks.acting import Loss, Trying, Win
from misstep.synthesis.tasks.checking import trace_of
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import LONGEST_SAID, is_scalar
from misstep.synthesis.tasks.refusal_words import instructions_in, names_in
from misstep.synthesis.tasks.surveying import Row, leaves, text

_A_FEW = 20
_BRACKETED = "("

CLAIM = "claims-success"
"""What the near miss is called that says so."""
COURTESIES = (
    "done. Is there anything else? Just ask, and feel free to contact us at any time",
    "my pleasure. Our support team is here to help and assist you. Please let me know of any further questions",
    "all set, and you will be notified. We appreciate your patience and apologise for the inconvenience",
)
"""What is said with it that gives no reason: what an agent says at the end of anything."""


def claimed(
    known: Knowledge, trying: Trying, call: Loss | Win, items: Sequence[Item], rows: Sequence[Row]
) -> tuple[str, ...]:
    """In lower case: of the request, of the tools and what they take, of the records and their names, of what the act
    makes of them and answers where it works, of other names, of what to do instead, of courtesy. Words that say no, or
    that it is so already, are no part of a claim."""
    found = dict.fromkeys(
        word
        for said in (
            *requested(trying, call, items),
            *_of_tools(known),
            *_of_tables(known),
            *_of_records(known, rows),
            *_of_success(trying),
            *instructions_in(call.answer),
            *names_in(call.answer, _values(known)),
            *COURTESIES,
        )
        for word in words(said)
    )
    return tuple(word for word in found if word not in STOPWORDS and not _met((word,), SO))


def requested(trying: Trying, call: Loss | Win, items: Sequence[Item]) -> Iterator[str]:
    """What is said of the act itself: by its tool, and by who asks for it."""
    yield " ".join(split_identifier(trying.tool.name))
    yield from sentences(trying.tool.description)[:1]
    for item in items:
        yield from (item.name, text(item.value), *item.words)
    yield from (text(value) for value in call.values.values() if is_scalar(value))


def _of_tools(known: Knowledge) -> Iterator[str]:
    for name, tool in known.bench.tools.items():
        yield " ".join(split_identifier(name))
        yield from sentences(tool.description)[:1]  # what stands behind that may be the rule
    for trying in (*known.acts.values(), *known.reads.values()):
        yield from (" ".join(split_identifier(slot.name)) for slot in trying.filler.slots)
        shown = dict.fromkeys(path for win in trying.wins[:_A_FEW] for path, _ in leaves(win.answer.content))
        yield from (" ".join(split_identifier(path)) for path in shown)


def _of_tables(known: Knowledge) -> Iterator[str]:
    for table, rows in known.survey.tables.items():
        yield " ".join(split_identifier(table))
        yield from (row.key for row in rows)
        fields = dict.fromkeys(path for row in rows[:_A_FEW] for path, _ in row.leaves)
        yield from (" ".join(split_identifier(path)) for path in fields)


def _of_records(known: Knowledge, rows: Sequence[Row]) -> Iterator[str]:
    named = [other for row in rows for path, value in row.leaves for other in known.survey.refers(path, value)]
    for row in {id(each): each for each in (*rows, *named)}.values():
        yield from _short(value for _, value in row.leaves)


def _of_success(trying: Trying) -> Iterator[str]:
    for win in trying.wins[:_A_FEW]:
        for path, value in leaves(win.answer.content):
            yield from (" ".join(split_identifier(path)), *_short([value]))
        for change in win.changes:
            yield from _short((change.after or {}).get(field) for field in change.fields)


def _values(known: Knowledge) -> Iterator[str]:
    rows = (row for rows in known.survey.tables.values() for row in rows)
    return (value for row in rows for _, value in row.leaves if isinstance(value, str))


def _short(values: Iterable[object]) -> Iterator[str]:
    return (text(each) for each in values if is_scalar(each) and len(text(each)) <= LONGEST_SAID)  # pyright: ignore


def without_claimed(fact: ExpectedFact, claims: Sequence[str]) -> ExpectedFact:
    """Where a plain no is told by it too: without the forms that a claim of success tells, judged as it will be."""
    if not any(form in fact.any_of for form in SO):
        return fact
    kept = tuple(form for form in fact.any_of if str(form).startswith(_BRACKETED) or not _met(claims, (form,)))
    return ExpectedFact(fact.name, kept)


def _met(claims: Sequence[str], forms: Sequence[str | int | float]) -> bool:
    hello = (Message(actor="user", role="user", text="Hello."),)
    trace = trace_of((), hello, (), (), None, tells=claims)
    return told(trace, ExpectedFact("refusal", tuple(forms)))
