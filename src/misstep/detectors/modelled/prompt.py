"""A mode → what a model is told to decide, from its file, and the version that every word of it has a part in."""

import hashlib
import re
from functools import cache
from importlib import resources

from msgspec import Struct

from misstep.core.errors import UsageError, suggestion

MODES = ("goal-drift", "literal-not-intended", "reward-hacking", "goal-misgeneralisation", "sycophancy")
"""Those for which there is a prompt."""

_DECLARED = re.compile(r"version: (\d+)\n\n")
_A_MILLION = 1_000_000


class Prompt(Struct, frozen=True):
    """What a model is told, and under which version its answers go."""

    version: int
    text: str


@cache
def prompt_for(mode: str) -> Prompt:
    """The version is the declared one followed by six digits of a digest: a changed word is a new version."""
    if mode not in MODES:
        raise UsageError(f"No model is asked about {mode!r}.{suggestion(mode, MODES)}")
    written, rules = _file(mode), _file("rules")
    head = _DECLARED.match(written)
    assert head is not None, f"the prompt for {mode} does not open with its version"
    text = f"{written[head.end() :].strip()}\n\n{rules.strip()}"
    digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    return Prompt(int(head[1]) * _A_MILLION + digest % _A_MILLION, text)


def _file(name: str) -> str:
    return resources.files("misstep.detectors.modelled").joinpath(f"prompts/{name}.md").read_text("utf-8")
