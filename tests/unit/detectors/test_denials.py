"""A tool's own words that it did not do what it was called for, and words that only sound like it."""

import pytest

from misstep.core.tool import JSON
from misstep.detectors.evidence.denials import denies


@pytest.mark.parametrize(
    "answer",
    [
        "The mailbox is full, the message was not delivered",
        "Could not be stored: the disk is full",
        "0 rows updated",
        "access denied",
        "The transfer was rejected",
        "upload.sh exited with code 3",
        {"message": "No changes were made"},
        {"rows_affected": 0},
    ],
)
def test_words_that_nothing_happened_are_a_denial(answer: JSON) -> None:
    assert denies(answer, "send_letter")


@pytest.mark.parametrize(
    "answer",
    [
        "ok",
        "The account has been closed. It cannot be reopened.",
        "Cancelled; nothing was charged.",
        "Query OK, 0 rows affected",
        "Deleted 3 files, 0 failed",
        'Posted: "the train was not delayed"',
        {"cancelled": True, "message": "The fee was not refunded"},
        {"rows_affected": 2},
    ],
)
def test_what_was_done_is_no_denial_whatever_else_is_said(answer: JSON) -> None:
    assert not denies(answer, "send_letter")


def test_what_a_program_prints_is_no_word_on_the_call() -> None:
    assert not denies("The file was not found", "run_python")
    assert denies("pushing\nerror: failed to push some refs", "bash")
