"""The only door to language models: `model_named` opens it, and nobody reaches the network unless one is named."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.core.tool import JSON
from misstep.llm.budget import Budget, Budgeted, Prices
from misstep.llm.cached import Cached
from misstep.llm.completions import Completions
from misstep.llm.errors import ModelError
from misstep.llm.exchange import Function, Model, Reply, Request, Said, Source, Tokens, ToolRequest
from misstep.llm.provider import Provider
from misstep.llm.recorded import Recording, Replayed
from misstep.llm.retrying import Retrying
from misstep.llm.structured import asked_for, read

__all__ = [
    "Asking",
    "Budget",
    "Function",
    "Model",
    "ModelError",
    "ModelSettings",
    "Reply",
    "Said",
    "Tokens",
    "ToolRequest",
    "budget_of",
    "demand_answer",
    "model_named",
]


class ModelSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What a table about a model in `misstep.toml` may say."""

    name: str = ""
    """`PROVIDER:MODEL`, or `http://HOST:PORT/v1#MODEL`."""
    key: str | None = None
    """For an address: the environment variable that holds its key. Providers have their own."""
    timeout: float = 60.0
    """Seconds for one answer; no other limit of a run cuts a model short."""
    retries: int = 3
    seed: bool = True
    """Is the seed sent along? Some models refuse it."""
    json_schema: bool = False
    """For an address: is the form of an answer sent along as `response_format` too? Many servers hold a model to it."""
    parameters: dict[str, JSON] = {}
    """Passed on with each request: temperature, max_tokens …"""
    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    prices: Prices | None = None
    cache: str | None = None
    record: str | None = None
    replay: str | None = None


class Asking:
    """A source of replies as a Model: the one way in which questions are put."""

    def __init__(
        self, source: Source, name: str, parameters: dict[str, JSON] | None = None, *, json_schema: bool = False
    ) -> None:
        self.name = name
        self._source = source
        self._parameters = parameters or {}
        self._json_schema = json_schema

    async def complete(
        self,
        messages: Sequence[Said],
        *,
        schema: dict[str, JSON] | None = None,
        tools: Sequence[Function] = (),
        seed: int = 0,
    ) -> Reply:
        asked = tuple(messages) if schema is None else asked_for(messages, schema)
        request = Request(
            model=self.name,
            messages=asked,
            tools=tuple(tools),
            seed=seed,
            parameters=self._parameters,
            schema=schema if self._json_schema else None,
        )
        reply = await self._source.reply(request)
        return reply if schema is None else read(reply, schema)


def model_named(settings: ModelSettings, *, budget: Budget | None = None, folder: Path | None = None) -> Asking:
    """A model as the settings have it. Relative files are looked for in the folder, or where Misstep runs.

    The one place with the order: what is replayed or cached is neither paid for nor asked again, each attempt is paid
    for, and what was recorded is what came in the end. Raises UsageError for what can be known to be wrong.
    """
    if not settings.name:
        raise UsageError("No model is named. Give its table in misstep.toml a `name`, such as 'openai:gpt-5-mini'.")
    folder = folder or Path()
    budget = budget or budget_of(settings)
    if settings.replay is not None:
        if settings.record is not None:
            raise UsageError("A model cannot be recorded and replayed at once: leave out `record` or `replay`.")
        return _asking(Replayed(folder / settings.replay), settings)
    source: Source = Retrying(Budgeted(_source(settings), budget), retries=settings.retries)
    if settings.record is not None:
        source = Recording(source, folder / settings.record)
    if settings.cache is not None:
        source = Cached(source, folder / settings.cache)
    return _asking(source, settings)


async def demand_answer(settings: ModelSettings) -> None:
    """Ask a model something short, past its cache and its budget. Raises ModelError where it does not answer."""
    if settings.replay is None:
        source = Retrying(_source(settings), retries=settings.retries)
        await _asking(source, settings).complete([Said("user", "Are you there?")])


def budget_of(settings: ModelSettings) -> Budget:
    """What may be spent on a model; to be shared by all that ask it in one process."""
    return Budget(calls=settings.calls, tokens=settings.tokens, money=settings.money, prices=settings.prices)


def _asking(source: Source, settings: ModelSettings) -> Asking:
    return Asking(source, settings.name, settings.parameters, json_schema=settings.json_schema)


def _source(settings: ModelSettings) -> Source:
    if not settings.name.startswith(("http://", "https://")):
        if settings.json_schema:
            raise UsageError(f"`json_schema` is for addresses; leave it out for {settings.name!r}.")
        if settings.key is not None:
            raise UsageError(
                f"`key` is for addresses; {settings.name!r} finds its key in the variable that its provider has for it."
            )
        return Provider(settings.name, timeout_s=settings.timeout, with_seed=settings.seed)
    address, _, model = settings.name.partition("#")
    if not model:
        raise UsageError(
            f"{settings.name!r} does not say which model to ask for there. Add it after a #: '{settings.name}#MODEL'."
        )
    return Completions(address, key_variable=settings.key, timeout_s=settings.timeout, with_seed=settings.seed)
