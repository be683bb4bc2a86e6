"""The tape of one conversation while it is written: moments of spans → events."""

from collections import defaultdict
from collections.abc import Mapping, Set

from misstep.core.event import Handoff, Memory
from misstep.core.tool import JSON
from misstep.ingestion.spans.listening import Listening
from misstep.ingestion.spans.pairing import Pairs, asked
from misstep.ingestion.spans.runs import Run
from misstep.ingestion.spans.said import Call, Reasoning, Result, Text
from misstep.ingestion.spans.tree import Node
from misstep.ingestion.spans.trouble import failed, kind_of_trouble, trouble
from misstep.ingestion.spans.writing import ENVIRONMENT, Moment, Writing


class Tape:
    """Feed it moments in order of time."""

    def __init__(self, runs: Mapping[int, Run], pairs: Pairs, began_ns: int, modelled: Set[int] = frozenset()) -> None:
        """`modelled`: the places of runs in which a model's span is."""
        self.writing = Writing(began_ns)
        self._runs = runs
        self._modelled = modelled
        self._pairs = pairs
        self._listening = Listening(self.writing, runs)
        self._told: set[int] = set()
        """Spans whose error is on the tape, and those around them."""
        self._open: defaultdict[int, list[str]] = defaultdict(list)
        """Calls that nobody was seen to carry out, by the round in which a model asked for them."""
        self._acted: set[int] = set()
        """Rounds in which a model asked for calls."""
        self._last_run: dict[tuple[int, str], Run] = {}

    def begin(self, node: Node) -> None:
        match node.step.kind:
            case "agent":
                self._begin_run(node)
            case "model":
                self._listening.hear(node, node.step.heard, node.start_ns)
            case "tool":
                self._call(node)
            case _:
                pass

    def end(self, node: Node) -> None:
        match node.step.kind:
            case "model":
                self._say(node)
            case "tool":
                self._answer(node)
            case "round":
                self._end_round(node)
            case "agent":
                self._end_run(node)
            case "chain":
                self._fail(node)
            case "memory":
                self._remember(node)
            case _:
                pass

    def _begin_run(self, node: Node) -> None:
        run = self._runs[node.enter]
        siblings = (node.parent.enter if node.parent is not None else 0, node.span.trace_id)
        before = self._last_run.get(siblings)
        self._last_run[siblings] = run
        giver = run.outer
        if giver is None and before is not None and before.node.end_ns <= node.start_ns:
            giver = before
        if giver is not None and giver.name != run.name:
            self.writing.events.append(
                Handoff(
                    actor=giver.name,
                    at_s=self.writing.at_s(node.start_ns),
                    source=node.span.span_id,
                    raw=_told_of(node),
                    to=run.name,
                    text=run.task,
                )
            )
        if run.outer is None and before is None:
            self._listening.hear(node, node.step.heard, node.start_ns)
        elif run.task:
            self.writing.heard.note_text("agent", run.task, run.name)

    def _end_run(self, node: Node) -> None:
        """What an agent gives back, unless it has just been said."""
        run = self._runs[node.enter]
        if node.enter not in self._modelled:
            self._listening.hear(node, node.step.transcript, node.end_ns)
        final = "\n".join(said.text for said in node.step.said).strip()
        last = self.writing.last_said
        repeated = last is not None and last.actor == run.name and last.text.strip() == final
        if final and not repeated and (run.outer is None or not self.writing.heard.is_retold(final, run.name)):
            to = run.outer.name if run.outer is not None else None
            self.writing.message(Moment(node, node.end_ns, _told_of(node)), "agent", run.name, final, to=to)
        self._fail(node)

    def _say(self, node: Node) -> None:
        actor = self._listening.actor(node)
        raw = _told_of(node)
        if failed(node.span):
            raw["error"] = kind_of_trouble(node.span)
            self._mark_told(node)
        at = Moment(node, node.end_ns, raw)
        silent = True
        for said in node.step.said:
            for part in said.joined:
                if isinstance(part, (Text, Reasoning)) and part.text.strip():
                    silent = False
                    if isinstance(part, Text):
                        self.writing.message(at, "agent", actor, part.text)
                    else:
                        self.writing.thought(at, actor, part.text)
        announced = self._announce(at, actor)
        for part in (part for said in node.step.said for part in said.parts if isinstance(part, Result)):
            # What a provider's own tool gave, in the middle of the model's answer.
            self.writing.result(at, part.id, part.content, failed=part.is_error, to=actor, tool=part.name)
        if silent and not announced and (node.step.answered or failed(node.span)):
            self.writing.message(at, "agent", actor, "")

    def _announce(self, at: Moment, actor: str) -> bool:
        """Calls that no span carries out are made here; whether there were any."""
        around = _round(at.node)
        number = -1
        for number, call in asked(at.node):
            self.writing.heard.note_call(call, actor)
            if (at.node.enter, number) not in self._pairs.executor:
                call_id = call.id or f"{at.node.span.span_id}/{number + 1}"
                self.writing.call(at, actor, call, call_id)
                if around is not None:
                    self._open[around.enter].append(call_id)
        if number >= 0 and around is not None:
            self._acted.add(around.enter)
        return number >= 0

    def _call(self, node: Node) -> None:
        call = node.step.call
        if call is None:
            return
        model, announced = self._pairs.announcer.get(node.enter, (None, None))
        if model is None or announced is None:
            actor = self._listening.actor(node)
            self.writing.heard.note_call(call, actor)
            self.writing.call(Moment(node, node.start_ns, _told_of(node)), actor, call, self._id(node))
            return
        raw: dict[str, JSON] = _place(model) | node.step.extra
        raw |= {"announced_by": model.span.span_id, "executed_by": node.span.span_id}
        # The arguments are those that the model wrote: what is carried out may be mended on the way.
        told = announced if announced.arguments or announced.malformed is not None else call
        made = Call(announced.name, announced.id, told.arguments, told.malformed)
        self.writing.call(Moment(model, node.start_ns, raw), self._listening.actor(model), made, self._id(node))

    def _id(self, node: Node) -> str:
        _, announced = self._pairs.announcer.get(node.enter, (None, None))
        own = node.step.call.id if node.step.call is not None else ""
        return (announced.id if announced is not None else "") or own or node.span.span_id

    def _answer(self, node: Node) -> None:
        step = node.step
        if step.call is None:
            return
        wrong = failed(node.span) or step.is_error
        raw = _place(node)
        if failed(node.span):
            raw["error"] = kind_of_trouble(node.span)
            self._mark_told(node)
        content = step.result if step.answered else trouble(node.span) if wrong else None
        self._give(Moment(node, node.end_ns, raw), self._id(node), content, failed=wrong)
        if step.answered:  # be it with nothing
            self.writing.untold.discard(self._id(node))

    def _end_round(self, node: Node) -> None:
        """What became of what a model wrote in this round: its code has run, or could not."""
        wrong = failed(node.span)
        content = node.step.result if node.step.answered else trouble(node.span) if wrong else None
        if content is None or any(child.step.kind == "model" and failed(child.span) for child in node.children):
            return
        raw = _place(node)
        if wrong:
            raw["error"] = kind_of_trouble(node.span)
            self._mark_told(node)
        at = Moment(node, node.end_ns, raw)
        unanswered = [call_id for call_id in self._open[node.enter] if call_id not in self.writing.answered]
        for call_id in unanswered or ([""] if node.enter not in self._acted else []):
            self._give(at, call_id, content, failed=wrong)
        if node.enter in self._acted and not unanswered:
            # Its tools have answered in their own words; the next prompt will tell it in these.
            self.writing.heard.note_result("", content, self._listening.actor(node))

    def _fail(self, node: Node) -> None:
        """An error of a framework, unless it is only one from further inside on its way up."""
        if failed(node.span) and node.enter not in self._told:
            self._mark_told(node)
            raw = _place(node) | {"error": kind_of_trouble(node.span)}
            self._give(Moment(node, node.end_ns, raw), "", trouble(node.span), failed=True)

    def _give(self, at: Moment, call_id: str, content: JSON, *, failed: bool) -> None:
        to = self._listening.actor(at.node)
        self.writing.result(at, call_id, content, failed=failed, to=to, tool=ENVIRONMENT)

    def _mark_told(self, node: Node) -> None:
        at: Node | None = node
        while at is not None and at.enter not in self._told:
            self._told.add(at.enter)
            at = at.parent

    def _remember(self, node: Node) -> None:
        call = node.step.call or Call("")
        self.writing.events.append(
            Memory(
                actor=self._listening.actor(node),
                at_s=self.writing.at_s(node.start_ns),
                source=node.span.span_id,
                raw=_told_of(node),
                action=node.step.action,
                key=call.id or call.name or node.span.name,
                content=node.step.result if node.step.answered else call.arguments or None,
            )
        )


def _place(node: Node) -> dict[str, JSON]:
    place: dict[str, JSON] = {"span_name": node.span.name}
    if node.parent is not None:
        return place | {"parent": node.parent.span.span_id, "parent_name": node.parent.span.name}
    return place | {"parent": node.span.parent_id} if node.span.parent_id else place


def _told_of(node: Node) -> dict[str, JSON]:
    """Its place, and the attributes that no field of an event holds."""
    return node.step.extra | _place(node)


def _round(node: Node) -> Node | None:
    for above in node.ancestors():
        if above.step.kind == "round":
            return above
        if above.step.kind == "agent":
            return None
    return None
