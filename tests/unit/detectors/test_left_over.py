"""Several things asked for in one breath, of which one is forgotten without a word."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.drift.premature_stop import premature_stop

Read = Callable[..., Trace]

TOOLS = (
    "* find_page reads: Find a page of the menu.\n* edit_page writes: Edit a page of the menu.\n"
    "* count_covers reads: Count the covers of an evening.\n* print_labels writes: Print labels for jars.\n"
)


def found(trace: Trace) -> list[tuple[int, ...]]:
    return [each.events for each in detect(trace, detectors=(premature_stop,))]


@pytest.mark.parametrize(
    "talk",
    [
        "user: Put the soup on lunch.md, take the fish off dinner.md and then thank the cook.\n"
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on lunch.md now.',
        "user: pls put the soup on lunch.md, then count the covers of tonight\n"
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on lunch.md now.',
        "user: Could you put the soup on lunch.md and print the labels for the plum jam?\n"
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on lunch.md now.\n'
        'user: How many pages are there?\nfind_page(path="*") -> "3"\nagent: Three.',
        "user: Move table R-4 to the window, and move R-9 to the door.\n"
        'edit_page(table="R-4", place="window") -> "saved"\nagent: Table R-4 is at the window.',
    ],
)
def test_what_is_neither_tried_nor_spoken_of_is_found(read: Read, talk: str) -> None:
    trace = read(TOOLS + talk)
    assert found(trace) == [(len(trace.events) - 1,)]


@pytest.mark.parametrize(
    "talk",
    [
        # Done, spoken of, asked about, or stood in the way.
        'edit_page(path="lunch.md", text="soup") -> "saved"\nedit_page(path="dinner.md", text="no fish") -> "saved"\n'
        "agent: The soup is on lunch.md, and the fish is gone.",
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on lunch.md. I left the fish for you.',
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on it. Which dinner page do you mean?',
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on it; the rest is locked, sorry.',
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: Both pages are as you want them.',
        # Nothing was done at all: that is another failure.
        "agent: Good evening.",
        'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on it.\n'
        "user: Never mind the rest.\nagent: Fine.",
    ],
)
def test_what_was_done_or_spoken_of_is_not_forgotten(read: Read, talk: str) -> None:
    asked = "user: Put the soup on lunch.md and take the fish off dinner.md.\n"
    assert found(read(f"{TOOLS}{asked}{talk}")) == []


@pytest.mark.parametrize(
    "asked",
    [
        "Put the soup on lunch.md, and if there is fish take it off dinner.md.",
        "Put the soup on lunch.md and have a nice evening.",
        "Put the soup on lunch.md and water the plants.",
        "Put the soup on lunch.md or take the fish off dinner.md.",
    ],
)
def test_what_hangs_on_something_or_cannot_be_done_here_may_be_left(read: Read, asked: str) -> None:
    done = 'edit_page(path="lunch.md", text="soup") -> "saved"\nagent: The soup is on lunch.md now.'
    assert found(read(f"{TOOLS}user: {asked}\n{done}")) == []
