"""Which conversation a span belongs to: by the name that somebody gave to the session, or else by its trace."""

from collections.abc import Iterable, Mapping, Sequence

from misstep.core.tool import JSON
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.tree import Node
from misstep.ingestion.spans.values import fields, text

_SESSIONS = (
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "gen_ai.session.id",
    "mlflow.trace.session",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.conversation_id",
    "traceloop.association.properties.thread_id",
    "traceloop.association.properties.chat_id",
    "gcp.vertex.agent.session_id",
    "ai.telemetry.metadata.sessionId",
    "ai.telemetry.metadata.session_id",
    "ai.telemetry.metadata.chatId",
    "langsmith.metadata.thread_id",
    "langsmith.trace.session_id",
)
_USERS = (
    "user.id",
    "enduser.id",
    "langfuse.user.id",
    "mlflow.trace.user",
    "traceloop.association.properties.user_id",
    "ai.telemetry.metadata.userId",
)
_NAMING_SESSIONS, _NAMING_USERS = frozenset(_SESSIONS), frozenset(_USERS)
_WITHIN = ("session_id", "thread_id", "conversation_id", "sessionId", "threadId")


def session_of(span: Span) -> str:
    """The session that a span names; empty where it names none."""
    if not _NAMING_SESSIONS.isdisjoint(span.attributes) and (found := _first(span.attributes, _SESSIONS)):
        return found
    metadata = span.attributes.get("metadata")
    if isinstance(metadata, str) and not any(name in metadata for name in _WITHIN):
        return ""
    return _first(fields(metadata), _WITHIN) if metadata is not None else ""


def user_of(span: Span) -> str:
    return "" if _NAMING_USERS.isdisjoint(span.attributes) else _first(span.attributes, _USERS)


def _first(attributes: Mapping[str, JSON], names: Iterable[str]) -> str:
    for name in names:
        value = attributes.get(name)
        if isinstance(value, (str, int)) and value != "" and not isinstance(value, bool):
            return text(value).strip('"')
    return ""


def outer_sessions(spans: Sequence[Span]) -> set[str]:
    """The sessions that spans of one trace name, but for those within another."""
    parents = {span.span_id: span.parent_id for span in spans}
    named = {span.span_id: session for span in spans if (session := session_of(span))}
    inner = {span: _is_inside(parents.get(span, ""), parents, named) for span in named}
    return {session for span, session in named.items() if not inner[span]}


def _is_inside(span: str, parents: Mapping[str, str], named: Mapping[str, str]) -> bool:
    """Whether this span, or one around it, names a session; the way there ends at the first that does."""
    passed: set[str] = set()
    while span and span not in passed:
        if span in named:
            return True
        passed.add(span)
        span = parents.get(span, "")
    return False


def split(nodes: Sequence[Node]) -> list[tuple[str, list[Node]]]:
    """The conversations of one trace that holds several side by side, each with its nodes in the order of the tree.

    What an agent does is one conversation, whatever the sessions of those that it calls. What belongs to none goes
    with the first.
    """
    inside = _sessions_inside(nodes)
    of: dict[int, str] = {}
    groups: dict[str, list[Node]] = {}
    shared: list[Node] = []
    for node in nodes:
        above = of.get(node.parent.enter, "") if node.parent is not None else ""
        own = above or session_of(node.span) or (inside[node.enter] if node.step.kind == "agent" else "")
        if own:
            of[node.enter] = own
            groups.setdefault(own, []).append(node)
        else:
            shared.append(node)
    if not groups:
        return [("", shared)]
    return [
        (session, [*shared, *members] if number == 0 else members)
        for number, (session, members) in enumerate(groups.items())
    ]


def _sessions_inside(nodes: Sequence[Node]) -> dict[int, str]:
    """The first session that a span, or one inside it, names."""
    found = {node.enter: session_of(node.span) for node in nodes}
    for node in reversed(nodes):
        if node.parent is not None and found[node.enter]:
            found[node.parent.enter] = session_of(node.parent.span) or found[node.enter]
    return found
