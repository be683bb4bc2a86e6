"""Traces that name no session, and what their prompts tell of those before them."""

import pytest

from misstep.ingestion.losses import NO_SESSION

_HELLO, _SOLD, _BEST = ("user", "Hello!"), ("user", "What do you sell?"), ("user", "Which is best?")
_LAMPS, _OIL = ("assistant", "Lamps."), ("assistant", "The oil lamp.")


@pytest.fixture
def ask(file):
    """One question to a model in a trace of its own: what was said so far, and the answer."""

    def ask(trace, *said, at, system="Sell."):
        told = {"openinference.span.kind": "LLM", "llm.output_messages.0.message.role": "assistant"}
        for number, (role, words) in enumerate([("system", system), *said[:-1]]):
            told[f"llm.input_messages.{number}.message.role"] = role
            told[f"llm.input_messages.{number}.message.content"] = words
        told["llm.output_messages.0.message.content"] = said[-1][1]
        file.span("ask", f"m-{trace}", at=(at, at + 1), told=told, trace=trace)

    return ask


def unnamed(file):
    return [(loss.lost, loss.of) for loss in file.losses if loss.what == NO_SESSION]


@pytest.mark.parametrize("reverse", [False, True])
def test_a_trace_whose_prompt_repeats_another_goes_on_with_it(file, told, ask, reverse):
    ask("t1", _SOLD, _LAMPS, at=0)
    ask("t2", _SOLD, _LAMPS, _BEST, _OIL, at=5, system="Sell, and be brief.")
    ask("t3", _HELLO, ("assistant", "Hi."), at=7)
    ask("t4", _SOLD, _LAMPS, _BEST, _OIL, ("user", "Thanks."), ("assistant", "Bye."), at=9)
    if reverse:
        file.spans.reverse()
    talk, other = sorted(file.read_all(), key=lambda trace: trace.id)
    assert [line for line in told(talk) if not line.startswith("system")] == [
        "user user: What do you sell?",
        "agent agent: Lamps.",
        "user user: Which is best?",
        "agent agent: The oil lamp.",
        "user user: Thanks.",
        "agent agent: Bye.",
    ]
    assert (talk.id, other.id) == ("t1", "t3")
    assert unnamed(file) == [(1, 2)]


def test_another_answer_to_the_same_question_is_another_conversation(file, ask):
    ask("t1", _SOLD, _LAMPS, at=0)
    ask("t2", _SOLD, ("assistant", "Candles."), _BEST, _OIL, at=5)
    assert [trace.id for trace in file.read_all()] == ["t1", "t2"]
    assert unnamed(file) == [(2, 2)]


def test_of_two_that_began_alike_neither_is_taken_for_the_one_that_goes_on(file, ask):
    ask("t1", _SOLD, _LAMPS, at=0)
    ask("t2", _SOLD, _LAMPS, at=1)
    ask("t3", _SOLD, _LAMPS, _BEST, _OIL, at=5)
    assert [trace.id for trace in file.read_all()] == ["t1", "t2", "t3"]
    assert unnamed(file) == [(3, 3)]


def test_a_conversation_that_goes_on_twice_does_so_once(file, ask):
    ask("t1", _SOLD, _LAMPS, at=0)
    ask("t2", _SOLD, _LAMPS, _BEST, _OIL, at=5)
    ask("t3", _SOLD, _LAMPS, _HELLO, ("assistant", "Hi."), at=9)
    assert [trace.id for trace in file.read_all()] == ["t1", "t3"]
    assert unnamed(file) == [(1, 2)]


def test_where_history_stays_with_the_provider_the_report_says_that_nothing_tells(file, ask):
    ask("t1", _SOLD, _LAMPS, at=0)
    ask("t2", _BEST, _OIL, at=5)
    assert len(file.read_all()) == 2
    assert unnamed(file) == [(2, 2)]


def test_code_that_its_framework_has_closed_is_the_same_code(file, ask):
    ask("t1", _SOLD, ("assistant", "<code>\nlist()"), at=0)
    ask("t2", _SOLD, ("assistant", "<code>\nlist()</code>"), _BEST, _OIL, at=5)
    assert len(file.read_all()) == 1
