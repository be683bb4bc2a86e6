"""A goal → the arguments of its call: from the user's words, from earlier results, by looking up, or by asking."""

from collections.abc import Sequence

from misstep.agents.zoo import talking
from misstep.agents.zoo.asking import AskError, StuckError
from misstep.agents.zoo.calling import Caller
from misstep.agents.zoo.filling import composed, value_in
from misstep.agents.zoo.offer import Capability, Parameter
from misstep.agents.zoo.reading import Clause
from misstep.agents.zoo.records import Record, narrowed, with_field
from misstep.core.policy import Policy
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, stem, words

_DEEPEST = 4
_MOST_ALTERNATIVES = 3


class Task:
    """One goal of the user, and what has been settled about it."""

    def __init__(self, capability: Capability, clause: str, message: str) -> None:
        self.capability = capability
        self.clause = clause
        self.message = message
        self.settled: dict[str, JSON] = {}
        """Values of identifiers: of the records chosen for this task."""
        self.chosen: dict[str, JSON] = {}
        """What the user picked from a list, by field."""
        self.agreed = False
        self.report: str | None = None


class Notes:
    """What the conversation has brought so far."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.answers: dict[str, JSON] = {}
        self.lacking: set[str] = set()
        self.restrictions: list[Clause] = []
        self.succeeded: set[tuple[str, str]] = set()

    @property
    def ruled_out(self) -> list[str]:
        """Literal values that the user wants left alone."""
        return [atom.text for clause in self.restrictions if clause.kind == "rules-out" for atom in clause.atoms]

    @property
    def limit(self) -> float | None:
        limits = [clause.limit for clause in self.restrictions if clause.limit is not None]
        return min(limits) if limits else None


class Planner:
    """Finds values for the parameters of a task's calls."""

    def __init__(self, caller: Caller, notes: Notes, policy: Policy | None) -> None:
        self._caller = caller
        self._notes = notes
        self._policy = policy or Policy()

    async def arguments(self, capability: Capability, task: Task, *, told_only: bool = False) -> dict[str, JSON]:
        """All arguments of a call; asks where one is missing. `told_only`: the user must have said something for it."""
        found, missing = await self._filled(capability, task, 0)
        if missing:
            raise self._question(missing, task)
        if told_only and not any(name in found for name in _plain_names(capability)) and _plain_names(capability):
            raise self._question(
                [each for each in capability.parameters if not each.identifies], task, alternatives=True
            )
        return found

    async def _filled(self, capability: Capability, task: Task, depth: int) -> tuple[dict[str, JSON], list[Parameter]]:
        found: dict[str, JSON] = {}
        missing: list[Parameter] = []
        for parameter in capability.parameters:
            value = await self._value(parameter, capability, task, depth)
            if value is not None:
                found[parameter.name] = value
            elif parameter.required:
                missing.append(parameter)
        return found, missing

    async def _value(self, parameter: Parameter, capability: Capability, task: Task, depth: int) -> JSON | None:
        if parameter.name in task.chosen:
            return task.chosen[parameter.name]
        told = self._told(parameter, capability, task)
        if told is not None:
            return told
        if not parameter.identifies:
            return self._topic(parameter, capability, task)
        if parameter.name in task.settled:
            return task.settled[parameter.name]
        if not parameter.required and depth == 0 and not capability.reads:
            return None
        return await self._looked_up(parameter, task, depth) if parameter.required else None

    def _told(self, parameter: Parameter, capability: Capability, task: Task) -> JSON | None:
        """What the user said, the words nearest to the goal first."""
        texts = [*self._notes.said, task.message, task.clause]
        value = value_in(texts, parameter, avoiding=self._notes.ruled_out)
        if value is None:
            value = self._notes.answers.get(parameter.name)
        if value is None and not capability.reads and _is_free_text(parameter):
            alone = sum(_is_free_text(each) for each in capability.parameters if each.required) == 1
            value = composed(task.clause) or composed(task.message) if alone else None
        return value

    def _topic(self, parameter: Parameter, capability: Capability, task: Task) -> JSON | None:
        """For a search: the words of the goal that are no words of any tool."""
        if not capability.reads or not _is_free_text(parameter) or not parameter.required:
            return None
        known = {word for each in self._caller.offer.capabilities for word in each.name_stems | each.text_stems}
        runs: list[list[str]] = [[]]
        for word in words(task.clause):
            if word in STOPWORDS or stem(word) in known:
                runs.append([])
            else:
                runs[-1].append(word)
        longest = max(runs, key=len)
        return " ".join(longest) or None

    async def _looked_up(self, parameter: Parameter, task: Task, depth: int) -> JSON | None:
        """Chain look-ups until one gives the field that the parameter is named after."""
        if depth >= _DEEPEST:
            return None
        empty: StuckError | None = None
        for giver in self._caller.offer.givers(parameter.name):
            if any(each.name == parameter.name for each in giver.required):
                continue
            found, missing = await self._filled(giver, task, depth + 1)
            if missing or (giver.parameters and not found):
                continue
            outcome = await self._caller.look_up(giver, found)
            listed = with_field(outcome.content, parameter.name) if outcome.state == "ok" else []
            if not listed:
                why = outcome.why if outcome.state in ("failed", "unknown") else ""
                empty = StuckError(talking.failed(giver, why) if why else talking.nothing_found(giver, found))
                continue
            record = self._one(listed, parameter.name, task)
            self._settle(record, task)
            return record.get(parameter.name)
        if empty is not None and depth == 0:
            raise empty
        return None

    def _one(self, listed: Sequence[Record], field: str, task: Task) -> Record:
        allowed = self._allowed(listed)
        if not allowed:
            raise StuckError("I found nothing that fits what you ruled out.")
        left = narrowed(allowed, self._notes.said, ignoring=task.capability.name_stems | task.capability.text_stems)
        if len(left) == 1:
            return left[0]
        question, shown = talking.choice(left, field)
        raise AskError("choice", question, field=field, options=tuple(left[: len(shown)]), shown=shown)

    def _allowed(self, listed: Sequence[Record]) -> list[Record]:
        limit, ruled_out = self._notes.limit, self._notes.ruled_out
        kept = [record for record in listed if not any(str(value) in ruled_out for value in record.fields.values())]
        if limit is None:
            return kept
        return [record for record in kept if not _exceeds(record, limit)]

    def _settle(self, record: Record, task: Task) -> None:
        for name, value in (record.inherited | record.fields).items():
            task.settled.setdefault(name, value)

    def _question(
        self, missing: Sequence[Parameter], task: Task, *, alternatives: bool = False
    ) -> AskError | StuckError:
        wanted = [each for each in missing if each.name not in self._notes.lacking]
        if not alternatives and any(each.identifies for each in missing):
            first = next(each for each in missing if each.identifies)
            wanted = [each for each in self._ways_to(first) if each.name not in self._notes.lacking]
            alternatives = True
        if not wanted:
            named = " or ".join(f"the {each.spoken}" for each in missing)
            return StuckError(f"I cannot {task.capability.spoken} without {named}.")
        wanted = wanted[:_MOST_ALTERNATIVES] if alternatives else wanted
        return AskError(
            "facts", talking.question(wanted, alternatives=alternatives and len(wanted) > 1), parameters=tuple(wanted)
        )

    def _ways_to(self, parameter: Parameter) -> list[Parameter]:
        """The parameter itself, then what look-ups that give it need, and what those need."""
        ways: list[Parameter] = [parameter]
        queue = [parameter]
        seen = {parameter.name}
        while queue:
            for giver in self._caller.offer.givers(queue.pop(0).name):
                for each in giver.parameters:
                    if each.name in seen or each.options or each.kind != "string":
                        continue
                    seen.add(each.name)
                    (queue if each.identifies else ways).append(each)
        return ways


def _plain_names(capability: Capability) -> list[str]:
    return [each.name for each in capability.parameters if not each.identifies]


def _is_free_text(parameter: Parameter) -> bool:
    plain = not parameter.options and not parameter.pattern and not parameter.schema.get("format")
    return parameter.kind == "string" and plain and not parameter.identifies


def _exceeds(record: Record, limit: float) -> bool:
    amounts = [value for value in record.fields.values() if isinstance(value, float)]
    return bool(amounts) and min(amounts) > limit
