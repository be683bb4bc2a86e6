"""Prompts → what is new in them, on the tape: whose words they are is not always what the prompt says."""

from collections.abc import Mapping

from misstep.ingestion.spans.hearing import Prompt
from misstep.ingestion.spans.runs import Run
from misstep.ingestion.spans.said import Call, Result, Said, Text
from misstep.ingestion.spans.tree import Node
from misstep.ingestion.spans.values import text
from misstep.ingestion.spans.writing import ENVIRONMENT, Moment, Writing

_QUOTED = 200
"""So much of what an agent said, in what a prompt has it say, is no chance: frameworks wrap plans in other words."""
_AROUND = 60
"""A text that has at most so much around a request is that request told again; one with more is a prompt."""


class Listening:
    """Hears prompts for a tape."""

    def __init__(self, writing: Writing, runs: Mapping[int, Run]) -> None:
        self._writing = writing
        self._heard = writing.heard
        self._runs = runs

    def actor(self, node: Node) -> str:
        """The agent behind a span: the one that it names, or the innermost whose run it is in."""
        run = self._runs.get(node.enter)
        own = node.step.agent if node.step.kind != "agent" else ""
        return own or (run.name if run is not None else "agent")

    def hear(self, node: Node, heard: tuple[Said, ...], at_ns: int) -> None:
        prompt = Prompt()
        at = Moment(node, at_ns)
        # A prompt that tells nothing again holds what is said in this turn alone.
        fresh = not any(said.by == "agent" for said in heard)
        task_at = self._task_at(node, heard)
        for index, said in enumerate(heard):
            for part in said.joined:
                if isinstance(part, Text):
                    if not self._is_old(node, said, part.text, prompt, fresh=fresh):
                        self._hear_text(at, said, part.text, prompt, in_history=index < task_at)
                elif isinstance(part, Call):
                    self._hear_call(at, part, prompt)
                elif isinstance(part, Result):
                    self._hear_result(at, part, prompt)

    def _task_at(self, node: Node, heard: tuple[Said, ...]) -> int:
        """Where a prompt has the task of its run: what the user says before it is history."""
        run = self._runs.get(node.enter)
        if run is None or not run.task:
            return len(heard)
        tasks = (at for at, said in enumerate(heard) if said.by == "user" and said.text.strip() == run.task)
        return max(tasks, default=0)

    def _is_old(self, node: Node, said: Said, words: str, prompt: Prompt, *, fresh: bool) -> bool:
        if not self._heard.is_old_text(prompt, said.by, words):
            return not words.strip()
        other_turn = self._heard.last_turn("user", words) not in ("", node.span.trace_id)
        return not (said.by == "user" and fresh and other_turn)

    def _hear_text(self, at: Moment, said: Said, words: str, prompt: Prompt, *, in_history: bool) -> None:
        actor = self.actor(at.node)
        if said.by == "system":
            self._writing.message(at, "system", "system", words, to=actor)
        elif said.by != "agent":
            self._hear_user(at, words, prompt, in_history=in_history)
        elif self._heard.is_retold(words, actor, within=_QUOTED):
            self._heard.skip_text(prompt, said.by, words)
        else:
            self._writing.message(_replayed(at), "agent", said.name or actor, words, by=actor)

    def _hear_user(self, at: Moment, words: str, prompt: Prompt, *, in_history: bool) -> None:
        """What stands in a prompt as the user's: their words, a prompt around them, or another agent's words."""
        node = at.node
        run, actor = self._runs.get(node.enter), self.actor(node)
        task = run.task if run is not None else ""
        if run is not None and run.node is node:
            self._writing.message(at, "user", "user", words, to=actor)
            return
        request = task if task and task in words else self._heard.request_within(words)
        if request is not None:
            if len(words.strip()) - len(request) > _AROUND:
                self._writing.message(at, "system", "system", words, to=actor)
            else:
                self._heard.skip_text(prompt, "user", words)
        elif run is not None and run.outer is not None:
            # Nobody but its caller and its framework speaks to an agent that serves another.
            role, by = ("system", "system") if task else ("agent", run.outer.name)
            self._writing.message(at, role, by, words, to=actor)
        elif task and not in_history:
            self._writing.message(at, "system", "system", words, to=actor)
        else:
            self._writing.message(at, "user", "user", words, to=actor if actor != "agent" else None)

    def _hear_call(self, at: Moment, call: Call, prompt: Prompt) -> None:
        if not self._heard.is_old_call(prompt, call):
            actor = self.actor(at.node)
            self._heard.note_call(call, actor)
            call_id = call.id or f"{at.node.span.span_id}/{len(self._writing.events)}"
            self._writing.call(_replayed(at), actor, call, call_id)

    def _hear_result(self, at: Moment, result: Result, prompt: Prompt) -> None:
        if self._heard.is_old_result(prompt, result):
            self._writing.complete(result.id, result.content, failed=result.is_error)
            return
        told, actor = text(result.content), self.actor(at.node)
        if not self._writing.is_call(result.id) and self._heard.is_retold(told, actor):
            self._heard.skip_text(prompt, "tool", told)
            return
        tool = result.name or ("" if self._writing.is_call(result.id) else ENVIRONMENT)
        self._writing.result(at, result.id, result.content, failed=result.is_error, to=actor, tool=tool)


def _replayed(at: Moment) -> Moment:
    """Marked as known only from a later telling of it."""
    return Moment(at.node, at.at_ns, {"replayed": True})
