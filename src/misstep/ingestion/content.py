"""The content of a message, a text or a list of parts → its text, its reasoning, and what is in it beside these."""

from collections.abc import Mapping
from typing import cast

from misstep.core.tool import JSON
from misstep.ingestion.fields import rows, table, tables, text

_TEXTS = frozenset("text input_text output_text refusal summary_text reasoning_text".split())
_REASONINGS = frozenset("thinking redacted_thinking reasoning".split())


def text_of(content: JSON) -> str:
    """The texts of a content, a line each; what is no text is not in it."""
    if isinstance(content, str):
        return content
    if not content:
        return ""
    parts: list[JSON] = [cast(JSON, content)] if isinstance(content, dict) else rows(content)
    return "\n".join(found for found in map(_text, parts) if found)


def _text(part: JSON) -> str:
    if isinstance(part, str):
        return part
    held = table(part)
    kind = held.get("type")
    if kind is not None and not (isinstance(kind, str) and kind in _TEXTS):
        return ""
    for key in ("text", "refusal", "content"):
        found = held.get(key)
        if isinstance(found, str):
            return found
        if isinstance(found, dict):  # some wrap it once more
            return text(table(cast(JSON, found)).get("value"))
    return ""


def reasoning_of(content: JSON) -> str:
    """What the model thought, where parts of its message say so; what it kept to itself is not in it."""
    if not rows(content):
        return ""
    return "\n".join(
        found
        for part in tables(content)
        if part.get("type") in ("thinking", "reasoning")
        for found in (
            text_of(part.get("thinking") or part.get("reasoning") or part.get("text") or part.get("content")),
            text_of(part.get("summary")),
        )
        if found
    )


def other_parts(content: JSON) -> list[JSON]:
    """The kinds of parts that are neither text nor reasoning, such as images."""
    if not rows(content):
        return []
    kinds = [part.get("type") for part in tables(content)]
    return [kind for kind in kinds if isinstance(kind, str) and kind not in _TEXTS and kind not in _REASONINGS]


def result_of(content: JSON) -> JSON:
    """A tool's answer: the text of a list of parts that are all of the kind of text, and anything else as it is.

    A list of records, or of names, is an answer of its own: only what says that it is text, or is nothing else, is.
    """
    parts = rows(content)
    if parts and all(_is_text(table(part)) for part in parts):
        return "\n".join(map(_text, parts))
    return content


def _is_text(part: Mapping[str, JSON]) -> bool:
    kind = part.get("type")
    return set(part) == {"text"} if kind is None else isinstance(kind, str) and kind in _TEXTS
