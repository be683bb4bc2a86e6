"""Personas: named combinations of levels with a voice, out of `personas.toml`."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.core.scenario import Scalar
from misstep.core.words import joined


class Persona(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of person."""

    name: str = ""
    about: str
    """Who it is, in a sentence."""
    voice: str = "plain"
    given: dict[str, tuple[Scalar, ...]] = msgspec.field(name="levels")

    @property
    def levels(self) -> dict[str, tuple[Scalar, ...]]:
        """Of the factors, the voice among them."""
        return {"register": (self.voice,), **self.given}


@lru_cache(maxsize=1)
def personas() -> Mapping[str, Persona]:
    """All that there are, by name; read at the first use."""
    text = files("misstep.synthesis").joinpath("personas.toml").read_text(encoding="utf-8")
    read = msgspec.convert(tomllib.loads(text), dict[str, Persona])
    return {name: msgspec.structs.replace(persona, name=name) for name, persona in read.items()}


def persona_named(name: str) -> Persona:
    """A name that is nobody's raises UsageError."""
    found = personas().get(name)
    if found is None:
        raise UsageError(f"There is no persona {name!r}. Choose {joined(personas(), 'or')}.")
    return found
