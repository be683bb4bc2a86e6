"""A model may reword a request, as long as every fact is in it and none is new."""

import asyncio
import json
from random import Random
from typing import Any

import pytest

from misstep.core.errors import InvalidTrialError
from misstep.llm import ModelSettings, model_named
from misstep.wording.requests import Act, Saying, Worded, paraphrased, worded
from misstep.wording.requests.paraphrasing import prompt

ACT = Act(
    "cancel_order",
    "Cancel a pending order for good.",
    (
        Saying("order number", "W-20417", "key"),
        Saying("name", "Maria Schulz", "key"),
        Saying("postcode", "20144", "key"),
    ),
)
SAID = worded(ACT, random=Random(1), tell=("order number", "name"))


def reworded(endpoint: Any, *texts: str) -> Worded:
    for text in texts:
        endpoint.says(json.dumps({"text": text}))
    model = model_named(ModelSettings(name=f"{endpoint.address}#tiny", retries=0))
    return asyncio.run(paraphrased(SAID, ACT, model, voice="chatty", seed=4))


def test_a_faithful_rewording_is_taken(endpoint: Any) -> None:
    text = "Maria Schulz here! I've gone off W-20417, please cancel it."
    said = reworded(endpoint, text)
    assert (said.text, said.told) == (text, SAID.told)
    assert said.skeleton == "___ here! I've gone off ___, please cancel it."


def test_the_model_is_told_the_manner_and_the_facts_that_are_to_be_told(endpoint: Any) -> None:
    reworded(endpoint, "Maria Schulz, cancel W-20417.")
    messages = endpoint.requests[0]["messages"]
    assert messages[0]["content"].startswith(prompt()[1])
    asked = json.loads(messages[1]["content"])
    assert (asked["manner"], asked["message"]) == ("chatty", SAID.text)
    assert [fact["value"] for fact in asked["facts"]] == ["W-20417", "Maria Schulz"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Cancel W-20418, Maria Schulz.", "order number"),
        ("Cancel it, says Maria Schulz.", "order number"),
        ("Maria Schulz: cancel W-20417 by 3 May.", "3 May"),
        ("Maria Schulz: cancel W-20417 within two weeks.", "two"),
        ("Maria Schulz: cancel W-20417, says Peter.", "Peter"),
        ("Maria Schulz, 20144: cancel W-20417.", "20144"),
    ],
)
def test_what_is_lost_changed_or_made_up_is_told_back_once(endpoint: Any, text: str, complaint: str) -> None:
    good = "Maria Schulz, and it's W-20417 I want cancelled."
    assert reworded(endpoint, text, good).text == good
    assert complaint in endpoint.requests[1]["messages"][-1]["content"]


def test_a_second_bad_rewording_makes_the_trial_invalid(endpoint: Any) -> None:
    with pytest.raises(InvalidTrialError, match="could not be used") as raised:
        reworded(endpoint, "Cancel it.", "Cancel it, please.")
    assert raised.value.blame == "user-simulator"


def test_a_model_that_cannot_be_reached_is_no_fault_of_the_user(endpoint: Any) -> None:
    endpoint.close()
    model = model_named(ModelSettings(name=f"{endpoint.address}#tiny", retries=0))
    with pytest.raises(InvalidTrialError) as raised:
        asyncio.run(paraphrased(SAID, ACT, model))
    assert raised.value.blame == "infrastructure"
