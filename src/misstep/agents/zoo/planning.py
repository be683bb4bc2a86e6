"""A goal → the arguments of its call: from the user's words, from earlier results, by looking up, or by asking."""

from collections.abc import Sequence

from misstep.agents.zoo import talking
from misstep.agents.zoo.calling import Caller
from misstep.agents.zoo.notes import AskError, Notes, StuckError, Task
from misstep.agents.zoo.offer import Capability, Parameter
from misstep.agents.zoo.records import Record, bearing, has_field, marks, narrowed, records, with_field
from misstep.agents.zoo.stating import Labels, stated
from misstep.agents.zoo.values import blanked, composed, replacement_in, stated_in, statements_of, value_in
from misstep.core.policy import Policy
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, content_stems, split_identifier, stem, words

_DEEPEST = 4
_MOST_ALTERNATIVES = 3


class Planner:
    """Finds values for the parameters of a task's calls."""

    def __init__(self, caller: Caller, notes: Notes, policy: Policy) -> None:
        self._caller = caller
        self._notes = notes
        self._policy = policy
        self._reach = _DEEPEST
        """How many look-ups may stand behind one another at the moment: short chains are tried first."""
        self._anchored = True
        """Whether look-ups start from a record that is known, rather than search everywhere."""
        self._stuck: StuckError | None = None
        """Why the last chain led nowhere."""

    async def arguments(self, capability: Capability, task: Task, *, told_only: bool = False) -> dict[str, JSON]:
        """All arguments of a call; asks where one is missing. `told_only`: the user must have said something for it."""
        self._stuck = None
        found, missing = await self._filled(capability, task, 0)
        if missing:
            raise self._question(missing, task)
        open_ones = [each for each in capability.parameters if not each.identifies]
        untold = bool(open_ones) and not any(each.name in found for each in open_ones)
        if len(found) < capability.least or (told_only and untold):
            raise self._question([each for each in open_ones if each.name not in found], task, alternatives=True)
        return found

    async def prepare(self, capability: Capability, task: Task) -> None:
        """Do first what the policy requires first, once for each thing that it is about."""
        for rule in self._policy.of_kind("requires", capability.name, capability.tool.effect):
            first = self._caller.offer.by_name.get(str(rule.parameters.get("tool")))
            if first is None:
                raise StuckError(f"I cannot {task.capability.spoken}: {rule.text}")
            given = await self._for_first(first, task)
            done = (first.name, talking.told(given))
            if done in self._notes.succeeded:
                continue
            self._notes.proofs += [given[each.name] for each in first.required if not each.identifies]
            outcome = await (self._caller.look_up if first.reads else self._caller.act)(first, given)
            if outcome.state != "ok" or _says_no(outcome.content):
                raise self._second_chance(first, task, outcome.why or rule.text)
            self._notes.succeeded.add(done)
            self._notes.established.update({each.name: given[each.name] for each in first.required if each.identifies})

    async def _for_first(self, first: Capability, task: Task) -> dict[str, JSON]:
        """The arguments of what comes first. An answer about them says nothing about what comes after."""
        try:
            return await self.arguments(first, task, told_only=True)
        except AskError as ask:
            both = {each.name for each in ask.parameters} & {each.name for each in task.capability.parameters}
            if ask.kind == "facts" and both and not task.capability.reads:
                ask.only_for = first.name
            raise

    def _second_chance(self, first: Capability, task: Task, why: str) -> AskError | StuckError:
        """What the user said may have been meant for something else: ask for it by itself, once."""
        open_ones = tuple(each for each in first.parameters if not each.identifies)
        if not open_ones or first.name in task.asked_again:
            return StuckError(talking.failed(task.capability, why))
        task.asked_again.add(first.name)
        question = f"I could not {first.spoken}. {talking.question(open_ones, alternatives=False)}"
        return AskError("facts", question, parameters=open_ones, only_for=first.name)

    async def _filled(self, capability: Capability, task: Task, depth: int) -> tuple[dict[str, JSON], list[Parameter]]:
        found: dict[str, JSON] = {}
        missing: list[Parameter] = []
        for parameter in capability.parameters:
            if not parameter.required and depth and capability.required:
                continue  # A filter that nobody asked for hides what is looked for.
            value = await self._value(parameter, capability, task, depth)
            if value is not None:
                found[parameter.name] = value
            elif parameter.required:
                missing.append(parameter)
        return found, missing

    async def _value(self, parameter: Parameter, capability: Capability, task: Task, depth: int) -> JSON | None:
        if parameter.name in task.chosen:
            return task.chosen[parameter.name]
        if (capability.name, parameter.name) in self._notes.answers_for:
            return self._notes.answers_for[capability.name, parameter.name]
        told = self._told(parameter, capability, task)
        if told is not None:
            return told
        if not parameter.identifies:
            return self._topic(parameter, capability, task)
        settled = task.settled.get(parameter.name, self._notes.established.get(parameter.name))
        another = not depth and settled is not None and self._takes_another(parameter, capability)
        if not parameter.required or (settled is not None and not another):
            return settled
        field = _field_of(parameter, capability)
        try:
            found = await self._looked_up(field, parameter, task, depth, another=another or field != parameter.name)
        except (AskError, StuckError) as stop:
            if not another or (isinstance(stop, AskError) and stop.kind == "choice"):
                raise
            found = None  # There is no other one: whether this one will do is for the tool to say.
        return settled if found is None else found

    def _takes_another(self, parameter: Parameter, capability: Capability) -> bool:
        """Whether a tool that acts says that it wants another one than there is: `to another shelf`."""
        said = words(capability.tool.description)
        entity = self._caller.offer.entity(parameter)
        marked = [at for at, word in enumerate(said) if word in ("another", "different")]
        return not capability.reads and any(entity & {stem(word) for word in said[at + 1 : at + 3]} for at in marked)

    def _told(self, parameter: Parameter, capability: Capability, task: Task) -> JSON | None:
        """What the user said: what was put right later first, then the words nearest to the goal."""
        said, labels = self._notes.said, self._caller.offer.labels
        texts = [*said, task.message, task.clause]
        later = said[said.index(task.message) + 1 :] if task.message in said else []
        later = [each for each in later if self._notes.said_for.get(each, capability.name) == capability.name]
        fresh = not capability.reads or task.wants_another
        value = stated_in(later, parameter, fresh=fresh, labels=labels)
        if value is None:
            value = task.answers.get(parameter.name)
        if parameter.identifies and sum(each.pattern == parameter.pattern for each in capability.parameters) > 1:
            value = stated_in(texts, parameter, fresh=fresh, labels=labels) if value is None else value
            texts = [_about(parameter, text, capability) for text in texts[-2:]]
        if value is None:
            value = value_in(texts, parameter, avoiding=self._notes.ruled_out, fresh=fresh, labels=labels)
        if value is not None and capability.reads and value == self._meant_to_become(parameter, texts, task):
            value = stated_in(texts, parameter, fresh=False, labels=labels, avoiding=[value])
        if value is None:
            value = self._notes.answers.get(parameter.name)
        if value is None and not capability.reads and parameter.is_free_text:
            value = self._dictated(parameter, capability, task)
        return value

    def _dictated(self, parameter: Parameter, capability: Capability, task: Task) -> str | None:
        """One of the texts that were given without a name, in the order in which the tool takes them."""
        labels, texts = self._caller.offer.labels, [task.message, *self._notes.said]
        free = [each for each in capability.required if each.is_free_text]
        still = [each for each in free if stated_in(texts, each, fresh=True, labels=labels) is None]
        if parameter not in still:
            return None
        dictated = (composed(each, still.index(parameter), len(still), labels) for each in (task.clause, task.message))
        return next(filter(None, dictated), None)

    def _meant_to_become(self, parameter: Parameter, texts: Sequence[str], task: Task) -> JSON | None:
        """The value that the goal is to write: nothing can be found by it yet."""
        if task.capability.reads or parameter.identifies:
            return None
        labels = self._caller.offer.labels
        open_ones = [each for each in task.capability.parameters if not each.identifies]
        written = [each for each in open_ones if each.name == parameter.name]
        changed = [each.name for each in open_ones if not each.required and _becomes(each, texts, labels)]
        if not written or (changed and parameter.name not in changed):
            return None  # What is to change was named, and it is not this.
        return value_in(texts, written[0], fresh=True, labels=labels)

    def _topic(self, parameter: Parameter, capability: Capability, task: Task) -> JSON | None:
        """What to search with: what is to be replaced, or the longest run of words that are no tool's."""
        if not capability.reads or not parameter.is_free_text:
            return None
        if task.wants_another:
            return task.settled.get(parameter.name)
        if not parameter.required or not capability.searches(parameter):
            return None
        runs: list[list[str]] = [[]]
        for word in words(task.clause):
            if word in STOPWORDS or stem(word) in self._caller.offer.vocabulary:
                runs.append([])
            else:
                runs[-1].append(word)
        return " ".join(max(runs, key=len)) or None

    async def _looked_up(
        self, field: str, parameter: Parameter, task: Task, depth: int, *, another: bool
    ) -> JSON | None:
        """Chain look-ups until one gives the field that the parameter is named after."""
        if depth > self._reach:
            return None
        if depth:
            return await self._given(field, task, depth)
        task.wants_another = another
        self._anchored = field == parameter.name
        try:
            for self._reach in range(_DEEPEST):
                value = await self._given(field, task, depth)
                if value is not None:
                    return value
        except AskError as ask:
            ask.fills = parameter.name if ask.field == field else ask.field
            raise
        finally:
            task.wants_another = False
            self._anchored = True
            self._reach = _DEEPEST
        if self._stuck is not None:
            raise self._another_way(parameter, field, task)
        return None

    def _another_way(self, parameter: Parameter, field: str, task: Task) -> AskError | StuckError:
        """Nothing came of what was told: ask for something else, once."""
        stuck = self._stuck or StuckError("")
        question = self._question([parameter], task)
        if isinstance(question, StuckError) or field in task.asked_again:
            return stuck
        task.asked_again.add(field)
        return AskError("facts", f"{stuck} {question.question}", parameters=question.parameters)

    async def _given(self, field: str, task: Task, depth: int) -> JSON | None:
        for giver in self._caller.offer.givers(field, anchored=self._anchored):
            if any(each.name == field for each in giver.required):
                continue
            found, missing = await self._filled(giver, task, depth + 1)
            if missing or (giver.parameters and not found):
                continue
            await self.prepare(giver, task)
            outcome = await self._caller.look_up(giver, found)
            listed = with_field(outcome.content, field) if outcome.state == "ok" else []
            if task.wants_another:
                listed = [each for each in listed if each.get(field) != task.settled.get(field)]
            if not listed:
                why = outcome.why if outcome.state in ("failed", "unknown") else ""
                stuck = StuckError(talking.failed(giver, why) if why else talking.nothing_found(giver, found))
                self._stuck = self._stuck or stuck
                continue
            sure = has_field(outcome.content, field) and len(listed) == 1
            record = listed[0] if sure else self._one(listed, field, task)
            if not task.wants_another:
                task.settle(record)
            return record.get(field)
        return None

    def _stated(self, task: Task) -> list[tuple[str, str]]:
        """What was said under a name about the thing that is looked for; what only proves something says nothing."""
        labels = self._caller.offer.labels
        every = [(one.label, one.value) for text in self._notes.wishes for one in stated(text, labels)]
        return [(name, value) for name, value in every if value not in self._notes.proofs]

    def _one(self, listed: Sequence[Record], field: str, task: Task) -> Record:
        allowed = [each for each in listed if self._notes.allows(each)]
        if not allowed:
            raise StuckError("I found nothing that fits what you ruled out.")
        ignored = task.capability.name_stems | self._caller.offer.kinds | self._notes.proof_marks
        borne = bearing(allowed, self._stated(task))
        against = [each.text for each in self._notes.exclusions]
        left = narrowed(borne, self._notes.wishes, against=against, ignoring=ignored)
        if len(left) == 1 and (len(listed) > 1 or task.wants_another or self._fits(left[0], task)):
            return left[0]
        question, shown = talking.choice(left, field)
        raise AskError("choice", question, field=field, options=tuple(left[: len(shown)]), shown=shown)

    def _fits(self, record: Record, task: Task) -> bool:
        """Whether the only record of a list has something of what a goal to act says of it."""
        goal = blanked(task.clause, stated(task.clause, self._caller.offer.labels))
        told = {word for word in content_stems(goal) if word.isalpha()} - self._caller.offer.vocabulary
        known = marks([str(value) for value in record.values])
        return task.capability.reads or not told or not record.describes or bool(told & known)

    def _question(
        self, missing: Sequence[Parameter], task: Task, *, alternatives: bool = False
    ) -> AskError | StuckError:
        wanted = [each for each in missing if each.name not in self._notes.lacking]
        if not alternatives and any(each.identifies for each in missing):
            first = next(each for each in missing if each.identifies)
            ways = self._ways_to(first, _field_of(first, task.capability))
            told = [each.name for each in ways if self._told(each, task.capability, task) is not None]
            wanted = [each for each in ways if each.name not in self._notes.lacking and each.name not in told]
            alternatives = True
        if not wanted:
            named = " or ".join(f"the {each.spoken}" for each in missing)
            return StuckError(f"I cannot {task.capability.spoken} without {named}.")
        wanted = wanted[:_MOST_ALTERNATIVES] if alternatives else wanted
        question = talking.question(wanted, alternatives=alternatives and len(wanted) > 1)
        return AskError("facts", question, parameters=tuple(wanted))

    def _ways_to(self, parameter: Parameter, field: str) -> list[Parameter]:
        """The parameter itself, then what look-ups that give it need, and what those need."""
        ways, queue, seen = [parameter], [field], {parameter.name}
        for wanted in queue:
            for giver in self._caller.offer.givers(wanted):
                if any(each.name == wanted for each in giver.required):
                    continue
                for each in giver.parameters:
                    if each.name not in seen and not each.options and each.kind == "string":
                        seen.add(each.name)
                        queue += [each.name] if each.identifies else []
                        ways.append(each)
        return sorted(ways, key=lambda each: each.identifies and each is not parameter)


def _becomes(parameter: Parameter, texts: Sequence[str], labels: Labels) -> bool:
    """Whether the user said what this is to become."""
    return any(one.fresh for text in texts for one in statements_of(parameter, text, labels))


def _field_of(parameter: Parameter, capability: Capability) -> str:
    """The field that a parameter's value is looked up in: its own name, or its sibling's where it is another such."""
    parts = split_identifier(parameter.name)
    for sibling in capability.parameters:
        if sibling is not parameter and split_identifier(sibling.name) in (parts[1:], parts[:-1]):
            return sibling.name
    return parameter.name


def _about(parameter: Parameter, text: str, capability: Capability) -> str:
    """A text without what it says of the other of two things, where one of a kind is to take another's place."""
    other = _field_of(parameter, capability) != parameter.name
    return replacement_in(text) if other else text.removesuffix(replacement_in(text))


def _says_no(content: JSON) -> bool:
    return any(value is False for record in records(content) for value in record.fields.values())
