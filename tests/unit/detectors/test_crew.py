"""Who says what to whom where there are several agents."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors.evidence.crew import crew

Read = Callable[..., Trace]


def test_one_agent_alone_has_nobody_to_talk_to(read: Read) -> None:
    assert crew(read("user: Hi.\nagent: Hello.\nuser: Bye.")).words == ()


def test_handoffs_and_messages_are_words_in_order(read: Read) -> None:
    team = crew(read("user: Hi.\n@lead => clerk: Greet.\n@clerk: Hello.\nuser: Bye."))
    assert [(each.at, each.actor, each.hands_over) for each in team.words] == [(1, "lead", True), (2, "clerk", False)]
    assert team.agents == {"lead", "clerk"}


def test_a_turn_lies_between_two_messages_of_the_user(read: Read) -> None:
    team = crew(read("@lead: Hm.\nuser: Hi.\n@lead => clerk: Greet.\nuser: Bye.\n@clerk: Bye."))
    assert [team.turn(at) for at in (0, 2, 4)] == [(-1, 1), (1, 3), (3, None)]
    assert [each.at for each in team.between(1, 3)] == [2]
