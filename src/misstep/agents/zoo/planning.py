"""A goal → the arguments of its call: from the user's words, from earlier results, by looking up, or by asking."""

from collections.abc import Sequence

from misstep.agents.zoo import talking
from misstep.agents.zoo.asking import AskError, StuckError
from misstep.agents.zoo.calling import Caller
from misstep.agents.zoo.filling import composed, replacement_in, value_in
from misstep.agents.zoo.notes import Notes, Task
from misstep.agents.zoo.offer import Capability, Parameter
from misstep.agents.zoo.records import Record, has_field, marks, narrowed, records, with_field
from misstep.core.policy import Policy
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, content_stems, split_identifier, stem, stems, words

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
            given = await self.arguments(first, task, told_only=True)
            done = (first.name, talking.told(given))
            if done in self._notes.succeeded:
                continue
            self._notes.proofs += [given[each.name] for each in first.required if not each.identifies]
            outcome = await (self._caller.look_up if first.reads else self._caller.act)(first, given)
            if outcome.state != "ok" or _says_no(outcome.content):
                raise self._second_chance(first, task, outcome.why or rule.text)
            self._notes.succeeded.add(done)
            self._notes.established.update({each.name: given[each.name] for each in first.required if each.identifies})

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
        if not parameter.required or (settled is not None and not self._speaks_of(parameter, task)):
            return settled
        found = await self._looked_up(_field_of(parameter, capability), parameter, task, depth)
        return settled if found is None else found

    def _speaks_of(self, parameter: Parameter, task: Task) -> bool:
        """Whether the goal itself names the thing, so that the one at hand need not be the one that is meant."""
        return bool(self._caller.offer.entity(parameter) & set(content_stems(task.clause)))

    def _told(self, parameter: Parameter, capability: Capability, task: Task) -> JSON | None:
        """What the user said, the words nearest to the goal first."""
        texts = [*self._notes.said, task.message, task.clause]
        if parameter.identifies and sum(each.pattern == parameter.pattern for each in capability.parameters) > 1:
            texts = [_about(parameter, text, capability) for text in texts[-2:]]
        fresh = not capability.reads or task.wants_another
        value = value_in(texts, parameter, avoiding=self._notes.ruled_out, fresh=fresh)
        if value is not None and capability.reads and value == self._meant_to_become(parameter, texts, task):
            value = None
        if value is None:
            value = self._notes.answers.get(parameter.name)
        if value is None and not capability.reads and parameter.is_free_text:
            alone = sum(each.is_free_text for each in capability.parameters if each.required) == 1
            value = composed(task.clause) or composed(task.message) if alone else None
        return value

    def _meant_to_become(self, parameter: Parameter, texts: Sequence[str], task: Task) -> JSON | None:
        """The value that the goal is to write: nothing can be found by it yet."""
        if task.capability.reads or parameter.identifies:
            return None
        written = [each for each in task.capability.parameters if each.name == parameter.name]
        return value_in(texts, written[0], fresh=True) if written else None

    def _topic(self, parameter: Parameter, capability: Capability, task: Task) -> JSON | None:
        """For a search: what is to be replaced, or the words of the goal that are no words of any tool."""
        if not capability.reads or not parameter.is_free_text:
            return None
        if task.wants_another:
            return task.settled.get(parameter.name)
        if not parameter.required:
            return None
        known = self._caller.offer.vocabulary
        runs: list[list[str]] = [[]]
        for word in words(task.clause):
            if word in STOPWORDS or stem(word) in known:
                runs.append([])
            else:
                runs[-1].append(word)
        return " ".join(max(runs, key=len)) or None

    async def _looked_up(self, field: str, parameter: Parameter, task: Task, depth: int) -> JSON | None:
        """Chain look-ups until one gives the field that the parameter is named after."""
        if depth > self._reach:
            return None
        if depth:
            return await self._given(field, task, depth)
        task.wants_another = field != parameter.name
        try:
            for reach in range(_DEEPEST):
                self._reach = reach
                value = await self._given(field, task, depth)
                if value is not None:
                    return value
        finally:
            task.wants_another = False
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
        for giver in self._caller.offer.givers(field, anchored=not task.wants_another):
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
            direct = has_field(outcome.content, field)
            record = listed[0] if direct and len(listed) == 1 else self._one(listed, field, task)
            if not task.wants_another:
                task.settle(record)
            return record.get(field)
        return None

    def _one(self, listed: Sequence[Record], field: str, task: Task) -> Record:
        allowed = [each for each in listed if self._notes.allows(each)]
        if not allowed:
            raise StuckError("I found nothing that fits what you ruled out.")
        ignored = task.capability.name_stems | self._caller.offer.kinds | self._notes.proof_marks
        left = narrowed(allowed, self._notes.wishes, against=self._notes.exclusions, ignoring=ignored)
        if len(left) == 1 and (len(listed) > 1 or task.wants_another or self._fits(left[0], task)):
            return left[0]
        question, shown = talking.choice(left, field)
        raise AskError("choice", question, field=field, options=tuple(left[: len(shown)]), shown=shown)

    def _fits(self, record: Record, task: Task) -> bool:
        """Whether the only record of a list has something of what the goal says of it."""
        told = {word for word in content_stems(task.clause) if word.isalpha()} - self._caller.offer.vocabulary
        return not told or not record.describes or bool(told & marks([str(value) for value in record.values]))

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
        either = alternatives and len(wanted) > 1
        question = (talking.plainer_question if self._notes.plainer else talking.question)(wanted, alternatives=either)
        return AskError("facts", question, parameters=tuple(wanted))

    def _ways_to(self, parameter: Parameter, field: str) -> list[Parameter]:
        """The parameter itself, then what look-ups that give it need, and what those need."""
        ways: list[Parameter] = [parameter]
        queue = [field]
        seen = {parameter.name}
        while queue:
            wanted = queue.pop(0)
            for giver in self._caller.offer.givers(wanted):
                if any(each.name == wanted for each in giver.required):
                    continue
                for each in giver.parameters:
                    if each.name in seen or each.options or each.kind != "string":
                        continue
                    seen.add(each.name)
                    if each.identifies:
                        queue.append(each.name)
                    ways.append(each)
        return sorted(ways, key=lambda each: each.identifies and each is not parameter)


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
    own = parameter.stems - {stem(word) for word in split_identifier(_field_of(parameter, capability))}
    if other and own <= set(stems(text)):
        return text
    return replacement_in(text) if other else text.removesuffix(replacement_in(text))


def _says_no(content: JSON) -> bool:
    return any(value is False for record in records(content) for value in record.fields.values())
