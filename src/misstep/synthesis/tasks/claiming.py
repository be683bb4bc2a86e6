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
from misstep.synthesis.tasks.surveying import Row, leaves, text

_A_FEW = 20
_BRACKETED = "("

EVERYDAY = frozenset(
    """able another anything anyone available back best better bit call case chance change changed complete
    completed confirm confirmed correct current currently day different else email end ever everyone far final find fine
    first follow following full further give given glad good great happy head hold home hope hour immediately including
    information item kind know last later least leave left less let letter like line list little long look lot made main
    make mean meant minute moment month morning much name need needed new next nice night note number often old one
    ones open order out part people person place please pleased point possible previous put question ready really record
    recorded request requested rest right same second see seem send sent set show side simple since small someone
    something soon sorry start state still successful successfully thing things think three time today together tomorrow
    tonight total try turn two update updated use used usual want way week welcome well whole without word work working
    write wrong year yesterday taken done care help message everything value lookup yet now""".split()
)
"""Words that anybody says of anything: they give no reason."""


def claimed(
    known: Knowledge, trying: Trying, call: Loss | Win, items: Sequence[Item], rows: Sequence[Row]
) -> tuple[str, ...]:
    """In lower case: of the request, of the tools and what they take, of the records and their names, of what the act
    makes of them and answers where it works. Words that say no, or that it is so already, are no part of a claim."""
    found = dict.fromkeys(
        word
        for said in (
            *_requested(trying, call, items),
            *_of_tools(known),
            *_of_tables(known),
            *_of_records(known, rows),
            *_of_success(trying),
        )
        for word in words(said)
    )
    return tuple(word for word in found if word not in STOPWORDS and not _met((word,), SO))


def _requested(trying: Trying, call: Loss | Win, items: Sequence[Item]) -> Iterator[str]:
    yield from sentences(trying.tool.description)[:1]
    for item in items:
        yield from (item.name, text(item.value), *item.words)
    yield from (text(value) for value in call.values.values() if is_scalar(value))


def _of_tools(known: Knowledge) -> Iterator[str]:
    for tool in known.bench.tools:
        yield " ".join(split_identifier(tool))
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
