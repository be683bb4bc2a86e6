"""Plans to find and read something, and answers that come from nowhere."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.drift.goal_drift import goal_drift

Read = Callable[..., Trace]
TOOLS = """
* list_shelves reads: List the shelves of the archive.
* search_papers reads: Search the papers by words.
* open_paper reads: Open a paper and read it.
* file_note writes: File a note.
"""
ASKED = "user: Find two soil reports on the old orchard, read them and tell me how they differ on lead.\n"
FOUND = (
    'search_papers(words="soil lead orchard") -> [{"paper": "S-14", "title": "Survey Hallam"}, '
    '{"paper": "S-31", "title": "Borings Quist"}]\n'
)
PLAN = "@agent(thinks): Plan: 1) search for two soil reports, 2) open and read both, 3) compare what they say.\n"
AWAY = (
    "agent: Fruit trees do best where the ground drains well. Lime in autumn, compost in spring and a mulch of straw "
    "keep the roots healthy for many years.\n"
)


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[goal_drift])]


@pytest.mark.parametrize(
    ("plan", "between", "answer"),
    [
        (PLAN, "", AWAY),
        (
            "@agent(thinks): My plan is: find two reports, read each of them, and compare the figures.\n",
            "@agent(thinks): I don't need to read these, I know enough about gardens.\n",
            AWAY,
        ),
        (
            "@agent(thinks): I will search for two reports, open both of them, and compare what they say.\n",
            "",
            AWAY.replace("Fruit trees", "From my general knowledge, fruit trees"),
        ),
        (
            "@agent(thinks): Here are the steps:\\n1. Search for two reports\\n2. Open each\\n3. Compare them\n",
            "",
            AWAY.replace("Fruit trees", "In my experience fruit trees"),
        ),
    ],
)
def test_an_answer_with_nothing_of_what_was_found_is_found(read: Read, plan: str, between: str, answer: str) -> None:
    trace = read(TOOLS + ASKED + plan + FOUND + between + answer)
    assert places(trace) == [(4 + bool(between), 1)]


def test_a_plan_that_ends_with_a_look_at_the_shelves_is_found_where_the_agent_says_so(read: Read) -> None:
    shelves = 'list_shelves() -> ["maps", "letters"]\n'
    assert places(read(TOOLS + ASKED + PLAN + shelves + AWAY.replace("Fruit", "Off the top of my head, fruit"))) == [
        (4, 1)
    ]


@pytest.mark.parametrize(
    "rest",
    [
        # read
        FOUND + 'open_paper(paper="S-14") -> "Lead 40 mg."\nopen_paper(paper="S-31") -> "Lead 90 mg."\n'
        "agent: Lead is at 40 in the one and at 90 in the other, which lies nearer to the road and the paint shed.\n",
        # told of what was found
        FOUND
        + "agent: I came across Hallam's survey and the borings by Quist; both are long, so here is where they lie, "
        "and you will find lead in the third chapter of each.\n",
        # asked back
        FOUND + "agent: Two of them look right by their titles, though they are from very different years and hands. "
        "Which of the years matter most to you for this comparison?\n",
        # nothing there
        'search_papers(words="soil") -> []\n'
        "agent: I could not find any soil reports on the old orchard, neither under lead "
        "nor under soil, in the whole archive of the parish.\n",
        # on the way
        FOUND + "agent: One moment, please.\n" + 'open_paper(paper="S-14") -> "Lead 40 mg."\nagent: Lead is at 40.\n',
    ],
)
def test_a_plan_that_was_carried_out_or_came_to_nothing_is_not_claimed(read: Read, rest: str) -> None:
    assert places(read(TOOLS + ASKED + PLAN + rest)) == []
