"""A model, a mode and a trace → findings: the model is asked, and what it answers is checked before it is believed."""

import asyncio
import hashlib
import threading
from collections.abc import Coroutine
from typing import cast

from misstep.core.errors import MisstepError
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.detectors.modelled.prompt import Prompt
from misstep.detectors.modelled.transcript import Transcript, transcript
from misstep.llm import Model, Said

_ANSWER: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "present": {"type": "boolean"},
        "event": {"type": ["integer", "null"]},
        "because": {"type": "string"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["present", "event", "because", "confidence"],
    "additionalProperties": False,
}
_ATTEMPTS = 2
_LONGEST_REASON = 400
_SUREST = 0.7
"""What a model says of its own sureness is not measured: no claim of one counts for more."""


class UnfitAnswerError(MisstepError):
    """A model answered, and what it said cannot be used."""


async def judged(model: Model, mode: str, prompt: Prompt, trace: Trace) -> tuple[Finding, ...]:
    """What the model finds: nothing, or one event. Raises ModelError or UnfitAnswerError where it is of no use."""
    if not trace.events:
        return ()
    record = transcript(trace)
    question = f"{record.text}\n\nThat was the record. Decide now, by the rules that were given before it."
    messages = [Said("system", prompt.text), Said("user", question)]
    wrong = ""
    for _ in range(_ATTEMPTS):
        reply = await model.complete(messages, schema=_ANSWER, seed=_seed(mode, record))
        wrong = reply.refusal or reply.unfit or _wrong(cast("dict[str, JSON]", reply.data), record)
        if not wrong:
            return _findings(cast("dict[str, JSON]", reply.data), mode, model.name)
        messages += [Said("assistant", reply.text), Said("user", f"{wrong} Answer again.")]
    raise UnfitAnswerError(f"The model {model.name!r} was asked about {mode} and gave no usable answer. {wrong}")


def _wrong(data: dict[str, JSON], record: Transcript) -> str:
    """Why an answer cannot be used; empty where it can."""
    if not data["present"]:
        return ""
    if data["event"] not in record.shown:
        return f"There is no event [{data['event']}] in the record."
    return "" if str(data["because"]).strip() else "The reason is missing."


def _findings(data: dict[str, JSON], mode: str, model: str) -> tuple[Finding, ...]:
    if not data["present"]:
        return ()
    because = " ".join("".join(sign if sign.isprintable() else " " for sign in str(data["because"])).split())
    told = because if len(because) <= _LONGEST_REASON else f"{because[:_LONGEST_REASON]}…"
    sure = min(float(cast("float", data["confidence"])), _SUREST)
    at = int(cast("int", data["event"]))
    return (Finding(mode=mode, events=(at,), because=f"{told} (as {model} sees it)", confidence=sure),)


def _seed(mode: str, record: Transcript) -> int:
    digest = hashlib.blake2b(f"{mode}\n{record.text}".encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def finished(work: Coroutine[None, None, tuple[Finding, ...]]) -> tuple[Finding, ...]:
    """Wait for it, also where an event loop is already at work: detectors are called from both."""
    try:
        _ = asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[tuple[Finding, ...] | BaseException] = []

    def work_apart() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 (it is raised again where it was asked for)
            outcome.append(error)

    apart = threading.Thread(target=work_apart)
    apart.start()
    apart.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
