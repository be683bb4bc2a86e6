"""Answers of tools that end before their end, or that say that there is more: taken for the whole, or not."""

from collections.abc import Callable

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_failure.silent_tool_failure import silent_tool_failure

Read = Callable[..., Trace]
TOOLS = "* fetch reads: Fetch a file.\n* look reads: Look something up.\n* note writes: Write a note.\n"
HIVES = 'fetch(file="hives.csv") -> "hive;kg;queen\\nA1;21.5;2024\\nA2;18.0;2025\\nA3;2"'
HERBS = '{"items": [{"herb": "sage", "kg": 4}, {"herb": "mint", "kg": 6}]'
CLAUSES = (
    "Members may use the pool from 6 to 22 h. Guests pay five euros a visit and must sign the book. "
    "Membership can be ended with a month's notice to the end of a quarter, in writing and to the"
)

PRESENT = [
    # A row that stops in the middle, with everything added up or compared.
    f"user: How much honey did we get from all hives?\n{HIVES}\nagent: You got 39.5 kg of honey.",
    f"user: Which is our strongest hive?\n{HIVES}\nagent: A1, with 21.5 kg. Shall I write that down?",
    f'user: Note the average of the hives.\n{HIVES}\nnote(text="19.75 kg") -> "ok"\nagent: Noted: 19.75 kg a hive.',
    'user: Total up the tolls.\nfetch(file="t") -> "gate\\ttoll\\nNorth\\t120\\nEast\\t80\\nSou"\nagent: 200 in all.',
    # Its own word that there is more.
    f'user: How many herbs do we dry?\nlook(what="herbs") -> {HERBS}, "count": 9}}\nagent: We dry two herbs.',
    f'user: What do all the herbs weigh?\nlook(what="herbs") -> {HERBS}, "has_more": true}}\nagent: 10 kg.',
    f'user: What do all our herbs weigh?\nlook(what="herbs") -> {HERBS}, "next_page_token": "x7"}}\nagent: 10 kg.',
    f'user: List every herb.\nlook(what="herbs") -> {HERBS}, "truncated": true}}\nagent: They are sage and mint.',
    f'user: List every herb.\nlook(what="herbs") -> {HERBS}, "note": "Showing 2 of 31"}}\nagent: Sage and mint.',
    'user: List all the boats.\nlook(what="b") -> "Kittiwake\\nGannet\\n[output truncated]"\nagent: These two.',
    # An earlier answer had said how many rows there are.
    'user: What did all the moorings bring in?\nlook(what="files") -> [{"file": "m.csv", "rows": 5}]\n'
    'fetch(file="m.csv") -> [{"berth": "A", "eur": 90}, {"berth": "B", "eur": 60}]\nagent: They brought in 150 euros.',
    # A text that stops where no sentence can end.
    f'user: Please summarise the club rules.\nfetch(file="rules") -> {{"text": "{CLAUSES}"}}\n'
    "agent: Pool from 6 to 22 h, guests pay five euros, and you leave with a month's notice to the end of a quarter.",
]
ABSENT = [
    # Only the one row was wanted.
    f"user: What did hive A1 give?\n{HIVES}\nagent: A1 gave 21.5 kg.",
    # The rest was fetched, or its absence told.
    f'user: How much honey from all hives?\n{HIVES}\nlook(hive="A3") -> {{"kg": 20}}\nagent: 59.5 kg in all.',
    f"user: How much honey from all hives?\n{HIVES}\nagent: 39.5 kg so far, but the file breaks off at A3.",
    f"user: How much honey from all hives?\n{HIVES}\nagent: The file is incomplete. Shall I try another export?",
    f'user: What do all our herbs weigh?\nlook(what="herbs", page=1) -> {HERBS}, "has_more": true}}\n'
    'look(what="herbs", page=2) -> {"items": [{"herb": "dill", "kg": 1}], "has_more": false}\nagent: 11 kg.',
    # A whole table, one with a footer, and one that ends in a short row on purpose.
    'user: Total up the tolls.\nfetch(file="t") -> "gate,toll\\nNorth,120\\nEast,80\\nSouth,10"\nagent: 210 in all.',
    'user: Total up the tolls.\nfetch(file="t") -> "gate,toll\\nNorth,120\\nEast,80\\n2 rows"\nagent: 200 in all.',
    'user: Total up the tolls.\nfetch(file="t") -> "gate,toll\\nNorth,120\\nEast,80\\nTotal 200"\nagent: 200 in all.',
    # More than is needed, a total that is money, a page that is all there is.
    f'user: Do we have sage?\nlook(what="herbs") -> {HERBS}, "has_more": true}}\nagent: Yes, 4 kg of sage.',
    f'user: What is the total of the order?\nlook(what="order") -> {HERBS}, "total": 31}}\nagent: It is 31 euros.',
    f'user: How many herbs?\nlook(what="herbs") -> {HERBS}, "count": 2, "next": null}}\nagent: Two.',
    # Prose that ends as prose does.
    f'user: Please summarise the rules.\nfetch(file="rules") -> {{"text": "{CLAUSES} club."}}\nagent: All told.',
]


def found(trace: Trace) -> bool:
    return bool(detect(trace, detectors=[silent_tool_failure]))


@pytest.mark.parametrize("talk", PRESENT)
def test_a_part_that_is_taken_for_the_whole_is_found(read: Read, talk: str) -> None:
    assert found(read(TOOLS + talk))


@pytest.mark.parametrize("talk", ABSENT)
def test_a_part_that_is_enough_or_told_as_one_is_not(read: Read, talk: str) -> None:
    assert not found(read(TOOLS + talk))
