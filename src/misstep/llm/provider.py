"""A provider's model by its name, such as `anthropic:…` → a source of replies, through Pydantic AI."""

import asyncio
import importlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from misstep.core.errors import UsageError
from misstep.llm.errors import ModelError, Trouble
from misstep.llm.exchange import Reply, Request, Said, Tokens, ToolRequest

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model as ProvidersModel
    from pydantic_ai.models import ModelRequestParameters

_TROUBLES: tuple[tuple[str, Trouble], ...] = (
    ("ModelAuthenticationError", "key"),
    ("ModelNotFoundError", "not-found"),
    ("ModelContextWindowExceededError", "too-long"),
    ("ModelQuotaExceededError", "refused"),
    ("ModelRateLimitError", "rate"),
    ("ModelTimeoutError", "timeout"),
    ("ModelRequestTimeout", "timeout"),
    ("ModelConnectionError", "unreachable"),
    ("ModelUnavailableError", "server"),
    ("ModelServerError", "server"),
    ("ContentFilterError", "refused"),
    ("UnexpectedModelBehavior", "garbage"),
)
"""The first that an error is an instance of."""


class Provider:
    """Made only where a model is named: that the name, the packages and the key are there is known before any trial."""

    def __init__(self, name: str, *, timeout_s: float = 60.0, with_seed: bool = True) -> None:
        self._name = name
        self._timeout_s = timeout_s
        self._with_seed = with_seed
        _made(name)

    async def reply(self, request: Request) -> Reply:
        direct: Any = _opened("pydantic_ai.direct")
        exceptions: Any = _opened("pydantic_ai.exceptions")
        settings = {**request.parameters, "max_retries": 0, "request_timeout": self._timeout_s}
        if self._with_seed:
            settings["seed"] = request.seed
        try:
            # A model of its own for each request: its connections belong to this event loop, and are closed with it.
            async with asyncio.timeout(self._timeout_s), _made(self._name) as model:
                response = await direct.model_request(
                    model,
                    _messages(request.messages),
                    model_settings=settings,
                    model_request_parameters=_offer(request),
                    instrument=False,
                )
        except TimeoutError:
            raise ModelError("timeout", f"{self._name} did not answer within {self._timeout_s:g} seconds.") from None
        except exceptions.UserError as error:
            raise ModelError("refused", f"{self._name} cannot be asked this: {error}") from None
        except exceptions.AgentRunError as error:
            raise _trouble(error, self._name) from None
        return _reply(response)


def _trouble(error: Exception, name: str) -> ModelError:
    exceptions: Any = _opened("pydantic_ai.exceptions")
    trouble: Trouble = "refused"
    for kind, called in _TROUBLES:
        if isinstance(error, getattr(exceptions, kind)):
            trouble = called
            break
    return ModelError(trouble, f"{name} gave no answer: {error}", wait_s=getattr(error, "retry_after", None))


def _opened(module: str) -> object:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "pydantic_ai":
            raise UsageError(
                "Models of providers need an extra that is not installed. Install it: uv add 'misstep[llm]'"
            ) from None
        raise


def _made(name: str) -> "ProvidersModel":
    models: Any = _opened("pydantic_ai.models")
    exceptions: Any = _opened("pydantic_ai.exceptions")
    if ":" not in name:
        raise UsageError(
            f"{name!r} does not say whose model it is. Write 'openai:{name}', 'anthropic:{name}' or the like; or, for "
            f"an address of your own, 'http://HOST:PORT/v1#{name}'."
        )
    try:
        return models.infer_model(name)
    except exceptions.UserError as error:
        raise UsageError(f"The model {name!r} cannot be used: {error}") from None
    except ImportError:
        provider = name.partition(":")[0]
        raise UsageError(
            f"The model {name!r} needs the packages of its provider. "
            f"Install them: uv add 'pydantic-ai-slim[{provider}]'"
        ) from None


def _offer(request: Request) -> "ModelRequestParameters":
    models: Any = _opened("pydantic_ai.models")
    tools: Any = _opened("pydantic_ai.tools")
    definitions = [
        tools.ToolDefinition(
            name=each.name,
            description=each.description,
            parameters_json_schema={"type": "object", "properties": {}, **each.schema},
            strict=False,
        )
        for each in request.tools
    ]
    return models.ModelRequestParameters(function_tools=definitions)


def _messages(messages: Iterable[Said]) -> "list[ModelMessage]":
    """Runs of what was said to the model, and between them what it said."""
    types: Any = _opened("pydantic_ai.messages")
    converted: list[Any] = []
    names: dict[str, str] = {}
    for said in messages:
        if said.role == "assistant":
            names |= {call.id: call.name for call in said.tool_calls}
            parts = [types.TextPart(content=said.text)] if said.text else []
            parts += [types.ToolCallPart(call.name, call.arguments, call.id) for call in said.tool_calls]
            converted.append(types.ModelResponse(parts=parts))
            continue
        if said.role == "tool":
            part = types.ToolReturnPart(names.get(said.call_id or "", ""), said.text, said.call_id)
        else:
            kind = types.SystemPromptPart if said.role == "system" else types.UserPromptPart
            part = kind(content=said.text)
        if converted and isinstance(converted[-1], types.ModelRequest):
            converted[-1].parts.append(part)
        else:
            converted.append(types.ModelRequest(parts=[part]))
    return cast("list[ModelMessage]", converted)


def _reply(response: "ModelResponse") -> Reply:
    types: Any = _opened("pydantic_ai.messages")
    parts: list[Any] = list(response.parts)
    calls = tuple(
        ToolRequest(each.tool_call_id, each.tool_name, _written(each.args))
        for each in parts
        if isinstance(each, types.ToolCallPart)
    )
    return Reply(
        text="".join(each.content for each in parts if isinstance(each, types.TextPart)),
        tool_calls=calls,
        usage=Tokens(response.usage.input_tokens, response.usage.output_tokens),
        refusal="The provider's filter stopped the answer." if response.finish_reason == "content_filter" else None,
        thought="".join(each.content for each in parts if isinstance(each, types.ThinkingPart)),
    )


def _written(arguments: object) -> str:
    """The text that the model wrote, where it is still to be had."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {})
