"""The embedded agent: it knows the tools, the policy and the conversation, and works by reading them."""

from misstep.agents.zoo import talking
from misstep.agents.zoo.calling import Caller, Outcome
from misstep.agents.zoo.choosing import LEAST_FIT, Choice
from misstep.agents.zoo.english import agreement, lacks, puzzled, quotes
from misstep.agents.zoo.notes import AskError, Notes, StuckError, Task
from misstep.agents.zoo.offer import Capability
from misstep.agents.zoo.planning import Planner
from misstep.agents.zoo.records import meant_of, pointed_at
from misstep.agents.zoo.values import value_in
from misstep.core.policy import Policy, Rule
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON
from misstep.core.words import content_stems, sentences

_MOST_QUESTIONS = 6


class Sound:
    """Reads a request, chains look-ups, asks when in doubt, confirms what destroys, and says what it did."""

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy or Policy()
        self._caller = Caller()
        self._notes = Notes()
        self._planner = Planner(self._caller, self._notes, self._policy)
        self._tasks: list[Task] = []
        self.pending: AskError | None = None
        """The question that the last reply asked."""
        self._asked = 0
        self._asked_in_vain = False

    async def respond(self, message: str, tools: Toolbox) -> str:
        await self._caller.attend(tools)
        self._notes.hear(message)
        if not (self.pending and self._take(message, self.pending)):
            self._tasks += self._wanted(message)
        self.pending = None
        return await self._worked()

    async def _worked(self) -> str:
        """Work on what is open, in order, until a question comes up or all is told."""
        if not self._tasks:
            first = len(self._notes.said) == 1
            return "How can I help you?" if first else "Is there anything else that I can do for you?"
        reports: list[str] = []
        while self._tasks:
            try:
                reports.append(await self._perform(self._tasks[0]))
            except AskError as ask:
                self.pending = ask
                self._asked += 1
                return " ".join([*reports, ask.question])
            except StuckError as stuck:
                reports.append(str(stuck))
            self._tasks.pop(0)
        return " ".join(reports)

    def _wanted(self, message: str) -> list[Task]:
        """The goals in a message."""
        preliminary = {str(rule.parameters.get("tool")) for rule in self._policy.rules if rule.kind == "requires"}
        return Choice(message, self._caller.offer, preliminary).tasks()

    def _take(self, message: str, ask: AskError) -> bool:
        """Use a message as the answer to a question; false where it is none."""
        task = self._tasks[0]
        if ask.kind == "facts":
            self._note_answers(message, ask)
            return True
        if ask.kind == "choice":
            self._note_choice(message, ask, task)
            return True
        agreed = agreement(message)
        if agreed is False:
            self._tasks.pop(0)
            return not self._wanted(message)
        task.agreed = bool(agreed)
        return bool(agreed) or self._asked < _MOST_QUESTIONS

    def _note_choice(self, message: str, ask: AskError, task: Task) -> None:
        only = len(ask.options) == 1 and agreement(message)
        meant = list(ask.options) if only else pointed_at(message, ask.options, ask.shown)
        if len(meant) == 1:
            task.chosen[ask.fills] = meant[0].get(ask.field)
            task.settle(meant[0])
        elif (named := self._named(message, ask.field, task)) is not None:
            task.chosen[ask.fills] = named
        elif agreement(message) is False or self._asked > _MOST_QUESTIONS:
            self._tasks.pop(0)

    def _named(self, message: str, field: str, task: Task) -> JSON | None:
        """What an answer names outright, though it was not among the options."""
        wanted = [each for each in task.capability.parameters if each.name == field]
        return value_in([message], wanted[0], avoiding=self._notes.ruled_out) if wanted else None

    def _note_answers(self, message: str, ask: AskError) -> None:
        """What an answer says of what was asked for; what it does not say is lacking, unless it asks back, once."""
        if puzzled(message) and not self._asked_in_vain:
            self._asked_in_vain = True
            return
        self._asked_in_vain = False
        labels = self._caller.offer.labels
        found = {
            each.name: value
            for each in ask.parameters
            if (value := value_in([message], each, fresh=True, labels=labels)) is not None
        }
        open_ended = [each for each in ask.parameters if each.is_free_text]
        if not found and len(open_ended) == 1 and not lacks(message) and len(sentences(message)) == 1:
            quoted = quotes(message)
            found = {open_ended[0].name: quoted[0].text if quoted else message.strip().rstrip(".!")}
        if ask.only_for is not None:
            self._notes.said_for[message] = ask.only_for
            self._notes.answers_for.update({(ask.only_for, name): value for name, value in found.items()})
            return
        self._notes.answers.update(found)
        self._tasks[0].answers.update(found)
        if not found:
            self._notes.lacking.update(each.name for each in ask.parameters)

    async def _perform(self, task: Task) -> str:
        """Do what a goal wants, with all that has to come before and after; what came of it, in words."""
        capability = task.capability
        arguments = await self._planner.arguments(capability, task)
        task.settled.update(arguments)
        if not capability.reads:
            self._refuse_what_is_ruled_out(capability, arguments)
        await self._planner.prepare(capability, task)
        if capability.reads:
            return self._told(capability, arguments, await self._caller.look_up(capability, arguments), task)
        if self._needs_consent(capability) and not task.agreed:
            raise AskError("confirm", talking.confirmation(capability, arguments))
        outcome = await self._caller.act(capability, arguments)
        if outcome.state == "unknown":
            outcome = await self._caller.made_sure(capability, arguments, task.settled, outcome)
        reports = [talking.reported(capability, arguments, outcome)]
        if outcome.state == "ok":
            task.chosen.update(arguments)  # What follows is about the same things.
            rules = self._policy.of_kind("afterwards", capability.name, capability.tool.effect)
            reports += [await self._follow_up(rule, task) for rule in rules]
        return " ".join(filter(None, reports))

    def _told(self, capability: Capability, arguments: dict[str, JSON], outcome: Outcome, task: Task) -> str:
        if outcome.state in ("failed", "unknown"):
            return talking.failed(capability, outcome.why)
        if outcome.state == "empty":
            return talking.nothing_found(capability, arguments)
        plain = capability.name_stems | self._caller.offer.kinds | self._notes.proof_marks
        meant = meant_of(outcome.content, self._notes.wishes, ignoring=plain)
        return talking.found(meant, frozenset(content_stems(task.clause)))

    def _needs_consent(self, capability: Capability) -> bool:
        effect = capability.tool.effect
        return effect == "destroys" or bool(self._policy.of_kind("confirm", capability.name, effect))

    def _refuse_what_is_ruled_out(self, capability: Capability, arguments: dict[str, JSON]) -> None:
        if any(str(value) in self._notes.ruled_out for value in arguments.values()):
            raise StuckError(f"I did not {capability.spoken}, because you asked me to leave that alone.")
        limit = self._notes.limit
        if limit is not None and any(isinstance(value, float) and value > limit for value in arguments.values()):
            raise StuckError(f"I did not {capability.spoken}, because that is more than {limit:g}.")
        if self._declined(capability):
            raise StuckError(f"I did not {capability.spoken}, because you asked me not to.")

    def _declined(self, capability: Capability, *, broadly: bool = False) -> bool:
        """Whether something that the user ruled out is what this tool does; `broadly`: or anything like it."""
        offer = self._caller.offer
        for clause in self._notes.exclusions:
            if any(atom.kind == "code" for atom in clause.atoms):
                continue  # It names a certain thing, and is about that thing only.
            ranked = offer.ranked(clause.stems, reads=False)
            nearest = bool(ranked) and ranked[0][1] is capability and ranked[0][0] >= LEAST_FIT
            if nearest or offer.names_act(capability, clause.stems):
                return True
            if broadly and offer.touches(capability, clause.stems):
                return True
        return False

    async def _follow_up(self, rule: Rule, task: Task) -> str:
        """Do afterwards what a rule wants done afterwards, unless the user declined it."""
        after = self._caller.offer.by_name.get(str(rule.parameters.get("tool")))
        if after is None or self._declined(after, broadly=True):
            return ""
        try:
            arguments = await self._planner.arguments(after, task)
        except (AskError, StuckError):
            return ""
        return talking.reported(after, arguments, await self._caller.act(after, arguments))
