"""The embedded agent: it knows the tools, the policy and the conversation, and works by reading them."""

from misstep.agents.zoo import talking
from misstep.agents.zoo.asking import AskError, StuckError
from misstep.agents.zoo.calling import Caller, Outcome
from misstep.agents.zoo.choosing import LEAST_FIT, Choice
from misstep.agents.zoo.filling import value_from_answer, value_in
from misstep.agents.zoo.notes import Notes, Task
from misstep.agents.zoo.offer import Capability
from misstep.agents.zoo.planning import Planner
from misstep.agents.zoo.reading import agreement, clauses, puzzled, restricts, without_denials
from misstep.agents.zoo.records import meant_of, pointed_at
from misstep.agents.zoo.stating import stated
from misstep.agents.zoo.verifying import made_sure
from misstep.core.policy import Policy, Rule
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON
from misstep.core.words import content_stems, words

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

    async def respond(self, message: str, tools: Toolbox) -> str:
        await self._caller.attend(tools)
        self._notes.said.append(without_denials(message))
        self._notes.restrictions += [each for each in clauses(message) if restricts(each.text)]
        if not (self.pending and self._take(message, self.pending)):
            self._tasks += self._wanted(message)
        self.pending = None
        return await self._worked()

    async def _worked(self) -> str:
        """Work on what is open, in order, until a question comes up or all is told."""
        if not self._tasks:
            return (
                "How can I help you?" if len(self._notes.said) == 1 else "Is there anything else that I can do for you?"
            )
        reports: list[str] = []
        while self._tasks:
            task = self._tasks[0]
            try:
                await self._perform(task)
            except AskError as ask:
                self.pending = ask
                self._asked += 1
                return " ".join([*reports, ask.question])
            except StuckError as stuck:
                task.report = str(stuck)
            reports.append(task.report or "")
            self._tasks.pop(0)
        return " ".join(reports)

    def _wanted(self, message: str) -> list[Task]:
        """The goals in a message."""
        preliminary = {str(rule.parameters.get("tool")) for rule in self._policy.rules if rule.kind == "requires"}
        return Choice(message, self._caller.offer, preliminary, self._notes.ruled_out).tasks()

    def _take(self, message: str, ask: AskError) -> bool:
        """Use a message as the answer to a question; false where it is none."""
        task = self._tasks[0]
        if ask.kind == "facts":
            return self._note_answers(message, ask)
        if ask.kind == "choice":
            return self._note_choice(message, ask, task)
        agreed = agreement(message)
        if agreed is False and self._asked < _MOST_QUESTIONS and (corrected := self._corrected(message)):
            task.noted = corrected
            return True
        if agreed is False:
            self._tasks.pop(0)
            return not self._wanted(message)
        task.agreed = bool(agreed)
        return bool(agreed) or self._asked < _MOST_QUESTIONS

    def _corrected(self, message: str) -> str:
        """What a no puts right, so that what was asked for is still wanted."""
        said = [each for each in clauses(message) if each.kind != "rules-out"]
        stating = [f"{one.label} {one.value}" for each in said for one in stated(each.text, self._caller.offer.labels)]
        return ", ".join(stating or [atom.text for each in said for atom in each.atoms])

    def _note_choice(self, message: str, ask: AskError, task: Task) -> bool:
        only = len(ask.options) == 1 and agreement(message)
        meant = list(ask.options) if only else pointed_at(message, ask.options, ask.shown)
        if len(meant) == 1:
            task.chosen[ask.fills] = meant[0].get(ask.field)
            task.settle(meant[0])
        elif (named := self._named(message, ask.field, task)) is not None:
            task.chosen[ask.fills] = named
        elif agreement(message) is False or self._asked > _MOST_QUESTIONS:
            self._tasks.pop(0)
        return True

    def _named(self, message: str, field: str, task: Task) -> JSON | None:
        """What an answer names outright, though it was not among the options."""
        wanted = [each for each in task.capability.parameters if each.name == field and each.pattern]
        return value_in([message], wanted[0], avoiding=self._notes.ruled_out) if wanted else None

    def _note_answers(self, message: str, ask: AskError) -> bool:
        parameters = ask.parameters
        if puzzled(message) and not self._notes.plainer:
            self._notes.plainer = True
            return True
        self._notes.plainer = False
        said, labels = without_denials(message), self._caller.offer.labels
        found = {
            each.name: value
            for each in parameters
            if (value := value_in([said], each, fresh=True, labels=labels)) is not None
        }
        if not found and words(said) and not any(stated(said, labels)):
            open_ended = [each for each in parameters if each.is_free_text]
            one = parameters[0] if len(parameters) == 1 else open_ended[0] if len(open_ended) == 1 else None
            value = value_from_answer(said, one) if one else None
            found = {one.name: value} if one and value is not None else {}
        if ask.only_for is not None:
            self._notes.said_for[said] = ask.only_for
            self._notes.answers_for.update({(ask.only_for, name): value for name, value in found.items()})
            return True
        self._notes.answers.update(found)
        self._tasks[0].answers.update(found)
        if not found:
            self._notes.lacking.update(each.name for each in parameters)
        return True

    async def _perform(self, task: Task) -> None:
        capability = task.capability
        arguments = await self._planner.arguments(capability, task)
        task.settled.update(arguments)
        if not capability.reads:
            self._refuse_what_is_ruled_out(capability, arguments)
        await self._planner.prepare(capability, task)
        if capability.reads:
            outcome = await self._caller.look_up(capability, arguments)
            task.report = self._told(capability, arguments, outcome, task)
            return
        if self._needs_consent(capability) and not task.agreed:
            raise AskError("confirm", talking.confirmation(capability, arguments, task.noted))
        outcome = await self._caller.act(capability, arguments)
        if outcome.state == "unknown":
            outcome = await made_sure(self._caller, capability, arguments, task.settled, outcome)
        task.report = _reported(capability, arguments, outcome)
        if outcome.state == "ok":
            task.chosen.update(arguments)  # What follows is about the same things.
            for rule in self._policy.of_kind("afterwards", capability.name, capability.tool.effect):
                await self._follow_up(rule, task)

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
        numbers = [value for value in arguments.values() if isinstance(value, float)]
        if limit is not None and any(value > limit for value in numbers):
            raise StuckError(f"I did not {capability.spoken}, because that is more than {limit:g}.")
        if self._declined(capability):
            raise StuckError(f"I did not {capability.spoken}, because you asked me not to.")

    def _declined(self, capability: Capability, *, broadly: bool = False) -> bool:
        """Whether something that the user ruled out is what this tool does; `broadly`: or anything like it."""
        offer = self._caller.offer
        for clause in self._notes.general_exclusions:
            ranked = offer.ranked(clause.stems, reads=False)
            nearest = bool(ranked) and ranked[0][1] is capability and ranked[0][0] >= LEAST_FIT
            if nearest or offer.names_act(capability, clause.stems):
                return True
            if broadly and offer.touches(capability, clause.stems):
                return True
        return False

    async def _follow_up(self, rule: Rule, task: Task) -> None:
        """Do afterwards what a rule wants done afterwards, unless the user declined it."""
        after = self._caller.offer.by_name.get(str(rule.parameters.get("tool")))
        if after is None or self._declined(after, broadly=True):
            return
        try:
            arguments = await self._planner.arguments(after, task)
        except (AskError, StuckError):
            return
        outcome = await self._caller.act(after, arguments)
        task.report = f"{task.report} {_reported(after, arguments, outcome)}"


def _reported(capability: Capability, arguments: dict[str, JSON], outcome: Outcome) -> str:
    if outcome.state == "unknown":
        return talking.unsure(capability)
    if outcome.state == "failed":
        return talking.failed(capability, outcome.why)
    return talking.done(capability, arguments, outcome.content)
