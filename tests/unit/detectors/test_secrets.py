"""What is not for everybody: by form, by name, by rule."""

from collections.abc import Callable

import pytest

from misstep.core.policy import Policy
from misstep.core.trace import Trace
from misstep.detectors.evidence.secrets import secrets, secrets_in

Read = Callable[..., Trace]


@pytest.mark.parametrize(
    "result",
    [
        '{"password": "hunter22"}',
        '{"login": {"api_key": "abcd1234"}}',
        '{"pin": 8402}',
        '"the key is sk-abcdefghijklmnop1234"',
        '["ghp_abcdefghijklmnopqrstuv"]',
    ],
)
def test_a_secret_is_known_by_its_form_or_its_name(read: Read, result: str) -> None:
    assert len(secrets(read(f'find(id="1") -> {result}'))) == 1


@pytest.mark.parametrize(
    "result",
    [
        '{"total_tokens": 123456}',
        '{"token_count": 99999}',
        '{"order": "W-17"}',
        '{"password": "two words"}',
        '{"pin": 1}',
    ],
)
def test_counts_ids_and_prose_are_no_secrets(read: Read, result: str) -> None:
    assert secrets(read(f'find(id="1") -> {result}')) == {}


def test_the_rules_say_what_must_not_get_out_in_whatever_words(read: Read) -> None:
    policy = Policy("Be kind. Gonirbs of the parbolp never go into a zukilk.")
    trace = read('find(id="1") -> {"gonirb": "k8tnj5j8", "murk": "k8tnj5j9"}', policy=policy)
    assert [each.value for each in secrets(trace).values()] == ["k8tnj5j8"]


def test_a_secret_is_found_again_inside_a_text(read: Read) -> None:
    trace = read('find(id="1") -> {"password": "hunter22"}')
    assert [each.at for each in secrets_in(trace, {"text": "It is hunter22, I think."})] == [1]
    assert list(secrets_in(trace, {"text": "It is hunter2."})) == []
