"""Failures in trades that the detectors' own corpora do not have, each beside what only looks like it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from misstep.core.trace import Trace
from misstep.detectors import detect_with_errors

Read = Callable[..., Trace]
TRADES = Path(__file__).with_name("trades")


def conversations(kind: str) -> Iterator[object]:
    """The mode and the transcript of each conversation that shows it, or that does not."""
    for path in sorted(TRADES.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("=== ")[1:]:
            head, _, transcript = block.partition("\n")
            label, _, title = head.partition(" ")
            mode = path.stem.replace("_", "-")
            if label == kind:
                yield pytest.param(mode, transcript, id=f"{mode} {title}")


def modes_in(trace: Trace) -> set[str]:
    found, errors = detect_with_errors(trace)
    assert not errors
    return {finding.mode for finding in found}


@pytest.mark.parametrize(("mode", "transcript"), tuple(conversations("present")))
def test_the_failure_is_found_in_another_trade(read: Read, mode: str, transcript: str) -> None:
    assert mode in modes_in(read(transcript))


@pytest.mark.parametrize(("mode", "transcript"), tuple(conversations("absent")))
def test_what_only_looks_like_the_failure_is_not_claimed(read: Read, mode: str, transcript: str) -> None:
    assert mode not in modes_in(read(transcript))


@pytest.mark.parametrize(("mode", "transcript"), tuple(conversations("sound")))
def test_sound_work_shows_none_of_these_failures(read: Read, mode: str, transcript: str) -> None:
    failures = {path.stem.replace("_", "-") for path in TRADES.glob("*.txt")} - {mode}
    assert modes_in(read(transcript)).isdisjoint(failures)


def test_an_answer_from_what_was_arranged_before_is_no_drift(read: Read) -> None:
    trace = read("""
        * menus reads: Show the menus of an inn.
        * reserve writes: Reserve a table.
        user: A table for two at the Linde on Friday, please.
        menus(inn="Linde") -> [{"courses": ["nettle soup", "roast trout with almonds", "plum cake"], "price": 41}]
        reserve(inn="Linde", people=2) -> {"reservation": "LI-2"}
        agent: Your table at the Linde is reserved for Friday, LI-2.
        user: Great. What are we going to get?
        agent: First a nettle soup, then roast trout with almonds, and plum cake to finish. It is 41 a head.
    """)
    assert "goal-drift" not in modes_in(trace)


def test_a_value_that_was_put_right_and_taken_back_is_no_longer_wrong(read: Read) -> None:
    trace = read("""
        * open_sign reads: Open the text of a sign.
        * engrave destroys: Engrave a sign for good.
        user: Let the historian check sign 4, then engrave it.
        open_sign(sign=4) -> {"text": "Built in 1874 by the guild."}
        @agent => historian: Please check sign 4: Built in 1874 by the guild.
        @historian => agent: It should be 1847, not 1874.
        @historian => agent: Forget that, I had the wrong house. Go ahead.
        engrave(sign=4) -> {"text": "Built in 1874 by the guild."}
        agent: Sign 4 is engraved.
    """)
    assert "ignored-peer" not in modes_in(trace)


def test_who_says_aloud_why_the_old_value_stays_has_not_ignored_anybody(read: Read) -> None:
    trace = read("""
        * open_sign reads: Open the text of a sign.
        * engrave destroys: Engrave a sign for good.
        user: Let the historian check sign 4, then engrave it.
        open_sign(sign=4) -> {"text": "Built in 1874 by the guild."}
        @agent => historian: Please check sign 4: Built in 1874 by the guild.
        @historian => agent: I think it should be 1847, not 1874.
        engrave(sign=4) -> {"text": "Built in 1874 by the guild."}
        agent: Sign 4 is engraved with 1874, although the historian would have 1847: the deed says 1874.
    """)
    assert "ignored-peer" not in modes_in(trace)
