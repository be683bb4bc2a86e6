"""Words take their other forms."""

import pytest

from misstep.wording.requests.inflection import gerund, participle, plural, singular, with_article


@pytest.mark.parametrize(
    ("verb", "doing", "done"),
    [
        ("cancel", "cancelling", "cancelled"),
        ("refund", "refunding", "refunded"),
        ("move", "moving", "moved"),
        ("send", "sending", "sent"),
        ("reply", "replying", "replied"),
        ("ship", "shipping", "shipped"),
        ("open", "opening", "opened"),
        ("show", "showing", "shown"),
        ("free", "freeing", "freed"),
        ("tie", "tying", "tied"),
        ("play", "playing", "played"),
        ("submit", "submitting", "submitted"),
        ("fimim", "fimiming", "fimimed"),
        ("fix", "fixing", "fixed"),
        ("x", "xing", "xed"),
    ],
)
def test_a_verb_is_said_of_what_goes_on_and_of_what_is_done(verb: str, doing: str, done: str) -> None:
    assert gerund(verb) == doing
    assert participle(verb) == done


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("order", "orders"),
        ("address", "addresses"),
        ("entry", "entries"),
        ("day", "days"),
        ("branch", "branches"),
        ("person", "people"),
        ("pull request", "pull requests"),
        ("status", "statuses"),
    ],
)
def test_a_noun_has_a_plural_and_comes_back_from_it(one: str, many: str) -> None:
    assert plural(one) == many
    assert plural(many) == many
    assert singular(many) == one
    assert singular(one) == one


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("order", "an order"),
        ("note", "a note"),
        ("user", "a user"),
        ("hour", "an hour"),
        ("unused key", "an unused key"),
        ("orders", "orders"),
        ("weather", "some weather"),
    ],
)
def test_a_noun_gets_the_article_that_fits(noun: str, said: str) -> None:
    assert with_article(noun) == said
