"""An answer that must fit a JSON Schema: how a model is asked for one, and how its text is read."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache

import jsonschema_rs
import msgspec
from msgspec import structs

from misstep.core.errors import UsageError
from misstep.core.tool import JSON
from misstep.llm.exchange import Reply, Said

_FENCE = re.compile(r"```(?:json)?\s{0,20}\n(.*?)\n?\s{0,20}```", re.DOTALL | re.IGNORECASE)
_MOST = 3
_DEMAND = (
    "Answer with one JSON value that fits this JSON Schema, and with nothing else: no explanation, no code fence.\n"
)


def asked_for(messages: Sequence[Said], schema: dict[str, JSON]) -> tuple[Said, ...]:
    """The messages, with the schema demanded at the end of what the system says.

    In words, because not every address knows how to be told in any other way.
    """
    demand = _DEMAND + json.dumps(schema, ensure_ascii=False, sort_keys=True)
    if messages and messages[0].role == "system":
        first = structs.replace(messages[0], text=f"{messages[0].text}\n\n{demand}")
        return (first, *messages[1:])
    return (Said("system", demand), *messages)


def read(reply: Reply, schema: dict[str, JSON]) -> Reply:
    """The reply with its text as data, or with the reason why it has none."""
    try:
        data = _parsed(reply.text)
    except ValueError as error:
        return structs.replace(reply, unfit=f"The answer is no JSON: {error}.")
    validator = _compiled(json.dumps(schema, sort_keys=True))
    if validator.is_valid(data):
        return structs.replace(reply, data=data)
    errors = sorted(validator.iter_errors(data), key=lambda error: (str(error.instance_path), error.message))
    told = " ".join(f"At {_place(each)}: {each.message}." for each in errors[:_MOST])
    return structs.replace(reply, unfit=f"The answer does not fit the schema. {told}")


def _parsed(text: str) -> JSON:
    """JSON, also where a model put it into a fence or a few words around it."""
    candidates = [text.strip(), *_FENCE.findall(text)]
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        candidates.append(text[start : end + 1])
    trouble = "it is empty"
    for candidate in candidates:
        try:
            return msgspec.json.decode(candidate)
        except (msgspec.DecodeError, RecursionError) as error:
            trouble = str(error) if candidate else trouble
    raise ValueError(trouble)


@lru_cache(maxsize=512)
def _compiled(schema: str) -> jsonschema_rs.Validator:
    try:
        return jsonschema_rs.validator_for(json.loads(schema), offline=True)
    except ValueError as error:
        raise UsageError(f"An answer was asked for in a form that is no JSON Schema: {error}") from None


def _place(error: jsonschema_rs.ValidationError) -> str:
    return "".join(f"/{part}" for part in error.instance_path) or "the top"
