"""What every model does for those who ask: schemas, attempts, budgets, the cache, recordings."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from misstep.core.errors import FormatError, UsageError
from misstep.llm import Asking, ModelSettings, demand_answer, model_named
from misstep.llm.budget import Budget, Budgeted, Prices
from misstep.llm.errors import ModelError, Trouble
from misstep.llm.exchange import Reply, Request, Said, Tokens
from misstep.llm.retrying import Retrying

ASK = (Said("user", "How many?"),)
COUNT: dict[str, object] = {
    "type": "object",
    "properties": {"count": {"type": "integer"}},
    "required": ["count"],
}


class Scripted:
    """A source that answers by a list: texts, replies and errors."""

    def __init__(self, *script: str | Reply | ModelError) -> None:
        self.asked: list[Request] = []
        self._script = list(script)

    async def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        answer = self._script.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        return Reply(text=answer) if isinstance(answer, str) else answer


def completed(source: Any, messages: tuple[Said, ...] = ASK, **more: Any) -> Reply:
    return asyncio.run(Asking(source, "m").complete(messages, **more))


@pytest.mark.parametrize(
    "text", ['{"count": 3}', '```json\n{"count": 3}\n```', 'Sure: {"count": 3}. Anything else?', ' {"count": 3}\n']
)
def test_an_answer_that_fits_the_schema_is_data(text: str) -> None:
    assert completed(Scripted(text), schema=COUNT).data == {"count": 3}


@pytest.mark.parametrize(
    ("text", "why"), [("three", "is no JSON"), ("", "it is empty"), ('{"count": "3"}', "/count"), ("[]", "the top")]
)
def test_an_answer_that_does_not_fit_says_why(text: str, why: str) -> None:
    reply = completed(Scripted(text), schema=COUNT)
    assert reply.data is None
    assert why in str(reply.unfit)


@pytest.mark.parametrize("messages", [ASK, (Said("system", "Be brief."), *ASK)])
def test_the_schema_is_demanded_in_what_the_system_says(messages: tuple[Said, ...]) -> None:
    source = Scripted("{}")
    completed(source, messages, schema=COUNT)
    [asked] = source.asked
    assert [each.role for each in asked.messages] == ["system", "user"]
    assert '"count"' in asked.messages[0].text


@pytest.mark.parametrize("sent", [False, True])
def test_the_schema_is_sent_apart_only_where_the_settings_say_so(endpoint: Any, sent: bool) -> None:
    endpoint.says('{"count": 3}')
    model = model_named(ModelSettings(name=f"{endpoint.address}#m", retries=0, json_schema=sent))
    assert asyncio.run(model.complete(ASK, schema=COUNT)).data == {"count": 3}
    form = endpoint.requests[0].get("response_format")
    assert (form["json_schema"]["schema"] if form else None) == (COUNT if sent else None)


def test_a_schema_that_is_none_is_our_own_error() -> None:
    with pytest.raises(UsageError, match="no JSON Schema"):
        completed(Scripted("{}"), schema={"type": "nonsense"})


def retried(script: list[str | ModelError], retries: int = 3) -> tuple[Reply, list[float]]:
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    return completed(Retrying(Scripted(*script), retries=retries, wait=wait)), waits


def test_passing_troubles_are_waited_out_always_in_the_same_way() -> None:
    troubles: tuple[Trouble, ...] = ("server", "unreachable", "timeout")
    reply, waits = retried([*(ModelError(each, "no") for each in troubles), "yes"])
    assert reply.text == "yes"
    assert waits == [0.5, 1.0, 2.0]


def test_the_wait_that_the_other_side_asks_for_is_kept_within_reason() -> None:
    _, waits = retried([ModelError("rate", "no", wait_s=7), ModelError("rate", "no", wait_s=86400), "yes"])
    assert waits == [7, 30.0]


@pytest.mark.parametrize("kind", ["key", "refused", "too-long", "garbage", "not-found", "budget"])
def test_troubles_that_stay_are_not_asked_about_again(kind: Trouble) -> None:
    source = Scripted(ModelError(kind, "no"), "yes")
    with pytest.raises(ModelError):
        completed(Retrying(source))
    assert len(source.asked) == 1


def test_the_last_attempt_fails_with_what_was_wrong() -> None:
    with pytest.raises(ModelError, match="third"):
        retried([ModelError("server", each) for each in ("first", "second", "third")], retries=2)


def spend(budget: Budget, times: int, reply: Reply) -> None:
    source = Budgeted(Scripted(*[reply] * times), budget)
    for _ in range(times):
        completed(source)


PAID = Reply(text="x", usage=Tokens(1000, 100))


@pytest.mark.parametrize(
    ("budget", "what"),
    [
        (lambda: Budget(calls=2), "2 calls"),
        (lambda: Budget(tokens=2200), "2200 tokens"),
        (lambda: Budget(money=0.003, prices=Prices(1.0, 5.0)), "0.003 in money"),
    ],
)
def test_a_spent_budget_stops_the_next_call(budget: Callable[[], Budget], what: str) -> None:
    spend(budget(), 2, PAID)
    with pytest.raises(ModelError, match=f"budget of {what} is spent") as caught:
        spend(budget(), 3, PAID)
    assert caught.value.trouble == "budget"


def test_tokens_that_nobody_counted_are_estimated() -> None:
    budget = Budget(tokens=1000)
    spend(budget, 1, Reply(text="a" * 300))
    assert budget.usage == Tokens(3, 100)


def test_failed_calls_are_counted_too() -> None:
    budget = Budget(calls=5)
    with pytest.raises(ModelError):
        completed(Budgeted(Scripted(ModelError("server", "no")), budget))
    assert budget.calls == 1


def test_money_without_a_price_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="prices = "):
        model_named(ModelSettings(name="http://127.0.0.1:1/v1#m", money=1.0))


def named(endpoint: Any, folder: Path, **settings: Any) -> Asking:
    return model_named(ModelSettings(name=f"{endpoint.address}#m", retries=0, **settings), folder=folder)


def test_the_cache_answers_the_same_question_once_paid(endpoint: Any, tmp_path: Path) -> None:
    endpoint.says("one")
    endpoint.says("two")
    for seed, text in ((0, "one"), (0, "one"), (1, "two")):
        model = named(endpoint, tmp_path, cache="kept", calls=1)
        assert asyncio.run(model.complete(ASK, seed=seed)).text == text
    assert len(endpoint.requests) == 2


def test_a_cache_entry_that_cannot_be_read_is_replaced(endpoint: Any, tmp_path: Path) -> None:
    endpoint.says("one")
    endpoint.says("two")
    model = named(endpoint, tmp_path, cache="kept")
    asyncio.run(model.complete(ASK))
    [file] = (tmp_path / "kept").rglob("*.json")
    file.write_bytes(b"{broken")
    assert asyncio.run(model.complete(ASK)).text == "two"
    assert asyncio.run(model.complete(ASK)).text == "two"


def test_parameters_are_part_of_the_question(endpoint: Any, tmp_path: Path) -> None:
    endpoint.says("cold")
    endpoint.says("warm")
    cold = named(endpoint, tmp_path, cache="kept", parameters={"temperature": 0})
    warm = named(endpoint, tmp_path, cache="kept", parameters={"temperature": 1})
    assert asyncio.run(cold.complete(ASK)).text == "cold"
    assert asyncio.run(warm.complete(ASK)).text == "warm"


def test_what_was_recorded_is_replayed_without_the_model(endpoint: Any, tmp_path: Path) -> None:
    endpoint.says("one")
    endpoint.calls(("look", {"x": 1}))
    recording = named(endpoint, tmp_path, record="said.jsonl")
    first = [asyncio.run(recording.complete(ASK)) for _ in range(2)]
    replaying = named(endpoint, tmp_path, replay="said.jsonl")
    assert [asyncio.run(replaying.complete(ASK)) for _ in range(3)] == [*first, first[-1]]
    assert len(endpoint.requests) == 2


def test_a_miss_shows_the_nearest_recording_and_the_difference(endpoint: Any, tmp_path: Path) -> None:
    endpoint.says("one")
    endpoint.says("two")
    recording = named(endpoint, tmp_path, record="said.jsonl")
    asyncio.run(recording.complete([Said("user", "Something else entirely"), Said("user", "and more")]))
    asyncio.run(recording.complete([Said("system", "Count."), Said("user", "How many pens?")]))
    replaying = named(endpoint, tmp_path, replay="said.jsonl")
    with pytest.raises(ModelError) as caught:
        asyncio.run(replaying.complete([Said("system", "Count."), Said("user", "How many ink pots?")]))
    assert caught.value.trouble == "replay"
    assert '-   "text": "How many pens?"' in str(caught.value)
    assert '+   "text": "How many ink pots?"' in str(caught.value)


def test_a_recording_that_is_not_there_or_not_one_is_told(endpoint: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Record one first"):
        named(endpoint, tmp_path, replay="nowhere.jsonl")
    (tmp_path / "other.jsonl").write_text('{"format": "misstep.trace/1"}\n')
    with pytest.raises(FormatError, match=r"other.jsonl, line 1"):
        named(endpoint, tmp_path, replay="other.jsonl")


def test_an_empty_recording_misses_and_says_so(endpoint: Any, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(ModelError, match="it is empty"):
        asyncio.run(named(endpoint, tmp_path, replay="none.jsonl").complete(ASK))


def test_recording_and_replaying_at_once_is_refused(endpoint: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at once"):
        named(endpoint, tmp_path, record="a", replay="b")


def test_an_address_without_a_model_says_how_to_name_one() -> None:
    with pytest.raises(UsageError, match="#MODEL"):
        model_named(ModelSettings(name="http://127.0.0.1:8000/v1"))


def test_whether_a_model_answers_at_all_is_asked_past_the_cache(endpoint: Any, tmp_path: Path) -> None:
    settings = ModelSettings(name=f"{endpoint.address}#m", retries=0, cache=str(tmp_path), calls=0)
    endpoint.says("yes")
    asyncio.run(demand_answer(settings))
    with pytest.raises(ModelError, match="500"):
        asyncio.run(demand_answer(settings))


def test_a_recording_needs_nobody_to_answer(tmp_path: Path) -> None:
    asyncio.run(demand_answer(ModelSettings(name="http://127.0.0.1:1/v1#m", replay=str(tmp_path / "said.jsonl"))))
