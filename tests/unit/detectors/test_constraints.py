"""What limits a sentence sets."""

import pytest

from misstep.detectors.evidence.constraints import constraints


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Never close A-1.", "act"),
        ("Nothing may be deleted.", "act"),
        ("You must not write to outsiders.", "act"),
        ("Leave everything in /srv/keep alone.", "thing"),
        ("Hands off B-2.", "thing"),
        ("Use A-1, not A-2.", "thing"),
        ("Move all but the invoices.", "thing"),
        ("Tell nobody but Ines.", "only"),
        ("Pay from A-1 only.", "only"),
        ("Spend 60 euros at most.", "limit"),
        ("Don't change anything.", "everything"),
    ],
)
def test_each_form_is_read_as_its_kind(text: str, kind: str) -> None:
    assert kind in {constraint.kind for constraint in constraints(text)}


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "Don't forget to write.",
        "Don't close it if it is empty.",
        "I can't log in.",
        "Close A-1 please.",
    ],
)
def test_what_forbids_nothing_sets_no_limit(text: str) -> None:
    assert constraints(text) == ()


@pytest.mark.parametrize(
    ("text", "within", "beyond"),
    [
        ("No more than 40 euros.", 40, 41),
        ("It must be under 40 euros.", 39, 40),
        ("Add at least two guests.", 2, 1),
        ("Refunds above 100 must not be made by you.", 100, 101),
        ("Nothing before 10:00.", 600, 599),
        ("It must be before 10:00.", 599, 600),
    ],
)
def test_a_limit_knows_what_lies_beyond_it(text: str, within: float, beyond: float) -> None:
    (limit,) = (each for each in constraints(text) if each.kind == "limit")
    assert (limit.broken_by(within), limit.broken_by(beyond)) == (False, True)


def test_a_ban_until_the_user_says_so_is_one_without_asking() -> None:
    (ban,) = constraints("Don't send anything until I say so.")
    assert (ban.kind, ban.unless_asked) == ("act", True)


@pytest.mark.parametrize(
    "text",
    [
        "If I was never late, take the fines off.",
        "I have never smoked, so drop the surcharge.",
        "We were never told, please waive it.",
        "Check whether they never paid and close the account.",
        "If he did it because you never called, send him a voucher.",
    ],
)
def test_what_never_was_so_forbids_nothing(text: str) -> None:
    assert [each for each in constraints(text) if each.kind in ("act", "thing", "everything")] == []


@pytest.mark.parametrize(
    "text",
    [
        "If possible, never close A-1.",
        "If he calls, don't close A-1.",
        "You are never to close A-1.",
        "Please never close A-1, I was never late.",
        "It is never allowed to close A-1.",
    ],
)
def test_a_ban_beside_a_condition_stays_a_ban(text: str) -> None:
    assert any("a-1" in each.codes for each in constraints(text))
