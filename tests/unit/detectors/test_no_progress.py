"""Stretches that lead nowhere, though the calls differ."""

from collections.abc import Callable

from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.loops.no_progress import no_progress

Read = Callable[..., Trace]
TOOLS = "* look reads: Look.\n* change writes: Change.\n"


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[no_progress])]


def looks(count: int, answer: str = "[]") -> str:
    return "".join(f'look(a="w{at}") -> {answer}\n' for at in range(count))


def test_six_different_looks_in_vain_are_a_stretch_and_five_are_not(read: Read) -> None:
    assert places(read(TOOLS + looks(6))) == [(0, 2, 4, 6, 8, 10)]
    assert places(read(TOOLS + looks(5))) == []


def test_a_find_in_between_begins_anew(read: Read) -> None:
    assert places(read(TOOLS + looks(4) + 'look(a="x") -> ["found"]\n' + looks(4))) == []


def test_what_is_told_in_other_words_for_the_eighth_time_is_no_news(read: Read) -> None:
    known = 'look(a="all") -> {"name": "Ann", "age": 30}\n'
    assert len(places(read(TOOLS + known + looks(8, '{"name": "ann"}')))) == 1
    assert places(read(TOOLS + known + looks(7, '{"name": "ann"}'))) == []


def test_a_change_is_progress(read: Read) -> None:
    assert places(read(TOOLS + looks(4) + 'change(a=1) -> "ok"\n' + looks(4))) == []


def test_tools_of_which_nothing_is_known_may_work_in_silence(read: Read) -> None:
    assert places(read("".join(f'frob(a="w{at}") -> null\n' for at in range(8)))) == []
    assert len(places(read("".join(f'frob(a="w{at}") !! "no"\n' for at in range(8))))) == 1


def test_one_call_over_and_over_is_another_mode(read: Read) -> None:
    assert places(read(TOOLS + 'look(a="x") -> []\n' * 9)) == []


def test_two_calls_in_turn_are_another_mode(read: Read) -> None:
    assert places(read(TOOLS + ('look(a="x") -> []\nlook(a="y") -> []\n' * 4))) == []


def test_a_question_that_is_asked_three_times_is_found(read: Read) -> None:
    turn = "agent: Which day suits you best?\nuser: Any day.\n"
    assert places(read(turn * 3)) == [(2, 4)]
    assert places(read(turn * 2)) == []


def test_a_question_repeated_within_one_turn_or_after_a_call_is_not(read: Read) -> None:
    assert places(read("agent: Which day suits you best?\n" * 4)) == []
    turn = 'agent: Which day suits you best?\nuser: May.\nlook(a="May") -> ["x"]\n'
    assert places(read(TOOLS + turn * 3)) == []


def searched(worded: list[str], answer: str) -> str:
    return "".join(f'look(words="{each}") -> {answer.replace("WORDS", each)}\n' for each in worded)


WORDINGS = ["leaking tap", "dripping mixer", "worn washer", "water under sink", "loose faucet", "kitchen pipe"]


def test_an_answer_that_only_repeats_the_question_tells_nothing(read: Read) -> None:
    for answer in (
        '{"query": "WORDS", "hits": 0, "results": []}',
        '{"request": {"words": "WORDS", "page": 1}, "total": 0, "items": [], "took_ms": 7}',
        '{"status": "ok", "matches": 0, "message": "No guides found for WORDS."}',
        "\"No entries match 'WORDS'.\"",
        '{"searched_for": "WORDS", "best": null, "others": []}',
    ):
        assert len(places(read(TOOLS + "user: How do I mend it?\n" + searched(WORDINGS, answer)))) == 1, answer


def test_an_answer_that_says_anything_else_is_news(read: Read) -> None:
    for answer in (
        '{"query": "WORDS", "hits": 0, "results": [], "try": "WORDS manuals"}',
        '{"query": "WORDS", "results": [{"title": "WORDS"}], "left": 0, "seen": "WORDS 1"}',
        '{"query": "WORDS", "on_loan": 0, "shelf": "WORDS-A"}',
    ):
        assert places(read(TOOLS + "user: How do I mend it?\n" + searched(WORDINGS, answer))) == [], answer


def test_going_through_what_was_named_is_no_search_in_the_dark(read: Read) -> None:
    asked = f"user: Are there any complaints about {', '.join(WORDINGS)}?\n"
    assert places(read(TOOLS + asked + searched(WORDINGS, '{"about": "WORDS", "count": 0, "complaints": []}'))) == []
    listed = f"look(all=1) -> {WORDINGS!r}\n".replace("'", '"')
    assert places(read(TOOLS + listed + searched(WORDINGS, '{"about": "WORDS", "complaints": []}'))) == []
    names = ["Ulm", "Bad Ems", "Kiel", "Trier", "Celle", "Hof"]
    assert places(read(TOOLS + searched(names, '{"branch": "WORDS", "free": 0, "lots": []}'))) == []
    days = [f"2026-03-1{day}" for day in range(6)]
    assert places(read(TOOLS + searched(days, '{"day": "WORDS", "free": 0, "slots": []}'))) == []


def test_a_stock_of_none_is_an_answer(read: Read) -> None:
    assert places(read(TOOLS + searched(WORDINGS, '{"branch": "WORDS", "in_stock": 0}'))) == []


def test_a_change_that_repeats_what_it_was_given_is_a_change(read: Read) -> None:
    done = "".join(f'change(a="{each}") -> {{"a": "{each}", "warnings": []}}\n' for each in WORDINGS)
    assert places(read(TOOLS + done)) == []


def test_a_question_that_was_answered_each_time_is_found_whatever_courtesy_it_is_wrapped_in(read: Read) -> None:
    for question, answers, courtesies in (
        (
            "What colour should the frame have?",
            ("Racing green, please.", "Green. The racing one.", "Still green!"),
            ("A fine choice of bike.", "We'll make it a beauty.", "Splendid."),
        ),
        (
            "How many of you will be at dinner?",
            ("There'll be six of us", "six, two of them kids", "6"),
            ("Welcome!", "How nice that you are coming.", "Wonderful."),
        ),
        (
            "When would you like the piano to be collected?",
            ("Friday morning", "On Friday, before noon", "Friday!"),
            ("Happy to help.", "Great.", "Thanks for your patience."),
        ),
        (
            "Shall I send the quote to the landlord as well?",
            ("Yes please", "yes, do that", "yes!"),
            ("Good.", "Understood.", "Noted."),
        ),
    ):
        asked = "".join(
            f"agent: {courtesy} {question}\nuser: {answer}\n"
            for courtesy, answer in zip(courtesies, answers, strict=True)
        )
        assert places(read(TOOLS + "user: Hello there.\n" + asked)) == [(3, 5)], question


def test_a_question_that_stays_open_or_comes_with_news_may_be_asked_again(read: Read) -> None:
    for turns in (
        (  # the user does not say
            ("Welcome. Which day suits you for the fitting?", "I'm not sure yet, what do you have?"),
            ("No hurry. Which day suits you for the fitting?", "let me look at the calendar"),
            ("Of course. Which day suits you for the fitting?", "Thursday"),
        ),
        (  # each time with something new
            ("A fern likes shade. Which plant shall we look at next?", "The cactus in the hall"),
            (
                "A cactus wants water once in three weeks, full sun and sandy soil, and no draught in winter. "
                "Which plant shall we look at next?",
                "the hall palm",
            ),
            (
                "A palm wants 18 degrees, a big pot and a splash each week. Which plant shall we look at next?",
                "none, thanks",
            ),
        ),
        (  # what identifies it is lacking
            ("Sure. What is your booking number?", "It's the cabin by the lake"),
            ("I see. What is your booking number?", "the lake cabin, under Moss"),
            ("Right. What is your booking number?", "It starts with a K I think"),
        ),
    ):
        said = "".join(f"agent: {question}\nuser: {answer}\n" for question, answer in turns)
        assert places(read(TOOLS + "user: Hello there.\n" + said)) == [], turns
