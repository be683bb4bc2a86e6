"""A Renaming: an exchange of a domain's words and ids for others, in texts, values, schemas, policies and scenarios."""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import structs

from misstep.core.objective import FalseBelief, Objective
from misstep.core.policy import Policy, Rule
from misstep.core.scenario import Fact, Fault, Given, Person, Scenario
from misstep.core.state import State
from misstep.core.tool import JSON, Tool

_DIGITS = str.maketrans("0123456789", "6859720413")

_AS_TEXT = frozenset({"description", "title", "pattern", "$comment"})
_AS_VALUE = frozenset({"required", "enum", "const", "default", "examples"})
_BY_NAME = frozenset({"properties", "$defs", "dependentRequired", "patternProperties"})


class Renaming:
    """Its own inverse: what is renamed twice is as it was, so that no word of one side means two things on the other.

    E-mail addresses, numbers, dates and every word that is not in the table stay as they are.
    """

    def __init__(self, words: Mapping[str, str], prefixes: Mapping[str, str]) -> None:
        self._words = {**words, **{there: here for here, there in words.items()}}
        self._prefixes = {**prefixes, **{there: here for here, there in prefixes.items()}}
        if len(self._words) != 2 * len(words) or len(self._prefixes) != 2 * len(prefixes):
            raise ValueError("A renaming must pair each word and each prefix with just one that is not its own.")
        prefix = "|".join(sorted(self._prefixes, key=lambda each: (-len(each), each)))
        self._token = re.compile(
            r"(?P<kept>[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|https?://[^\s<>\"')]+)"
            rf"|(?P<prefix>(?<![^\W_])(?:{prefix}))-(?:(?P<digits>\d+)(?![^\W_])|(?=\[0-9\]))"
            r"|(?P<word>[^\W\d_]+)"
        )

    def text(self, text: str) -> str:
        return self._token.sub(self._token_for, text)

    def _token_for(self, match: re.Match[str]) -> str:
        if word := match["word"]:
            return self._word(word)
        if prefix := match["prefix"]:
            return f"{self._prefixes[prefix]}-{(match['digits'] or '').translate(_DIGITS)}"
        return match[0]

    def _word(self, word: str) -> str:
        other = self._words.get(word.lower())
        if other is None or word.islower():
            return other or word
        if word.istitle():
            return other.capitalize()
        return other.upper() if word.isupper() else word

    def value(self, value: JSON) -> JSON:
        """A JSON value with every text and every key in it renamed."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return self.record(cast("Mapping[str, JSON]", value))
        if isinstance(value, (list, tuple)):
            return [self.value(each) for each in cast("Sequence[JSON]", value)]
        return value

    def record(self, record: Mapping[str, JSON]) -> dict[str, JSON]:
        return {self.text(key): self.value(each) for key, each in record.items()}

    def table(self, table: Mapping[str, Mapping[str, JSON]]) -> dict[str, Mapping[str, JSON]]:
        return {self.text(key): self.record(record) for key, record in table.items()}

    def state(self, state: State) -> State:
        return {self.text(name): self.table(table) for name, table in state.items()}

    def schema(self, schema: Mapping[str, JSON]) -> dict[str, JSON]:
        """Names, texts and values are renamed; the schema's own keywords are not."""
        return {keyword: self._schema_part(keyword, part) for keyword, part in schema.items()}

    def _schema_part(self, keyword: str, part: JSON) -> JSON:
        if keyword in _AS_TEXT or keyword in _AS_VALUE:
            return self.value(part)
        if keyword in _BY_NAME and isinstance(part, Mapping):
            named = cast("Mapping[str, JSON]", part)
            return {self.text(name): self._schema_part("", each) for name, each in named.items()}
        if isinstance(part, Mapping):
            return self.schema(cast("Mapping[str, JSON]", part))
        if isinstance(part, list):
            return [self._schema_part("", each) for each in cast("list[JSON]", part)]
        return part

    def tool(self, tool: Tool) -> Tool:
        return structs.replace(
            tool,
            name=self.text(tool.name),
            description=self.text(tool.description),
            input_schema=self.schema(tool.input_schema),
            output_schema=self.schema(tool.output_schema) if tool.output_schema is not None else None,
        )

    def policy(self, policy: Policy) -> Policy:
        return Policy(self.text(policy.text), tuple(self._rule(rule) for rule in policy.rules))

    def _rule(self, rule: Rule) -> Rule:
        return structs.replace(
            rule,
            id=self.text(rule.id),
            text=self.text(rule.text),
            tools=self._texts(rule.tools),
            parameters={key: self.value(each) for key, each in rule.parameters.items()},
        )

    def scenario(self, scenario: Scenario) -> Scenario:
        """The same situation in the other words; its name, seed, factors, aims and origin stay."""
        return structs.replace(
            scenario,
            summary=self.text(scenario.summary),
            tools=self._texts(scenario.tools),
            policy=self.policy(scenario.policy) if scenario.policy else None,
            given=tuple(self._given(given) for given in scenario.given),
            user=self._person(scenario.user),
            faults=tuple(self._fault(fault) for fault in scenario.faults),
            objective=self._objective(scenario.objective) if scenario.objective else None,
        )

    def _person(self, person: Person) -> Person:
        return structs.replace(
            person,
            opening=self.text(person.opening),
            facts=tuple(self._fact(fact) for fact in person.facts),
            goals=tuple(
                structs.replace(goal, ask=self.text(goal.ask), wish=self.text(goal.wish)) for goal in person.goals
            ),
            constraints=self._texts(person.constraints),
            favours=tuple(
                structs.replace(
                    favour,
                    name=self.text(favour.name),
                    call=self._given(favour.call),
                    words=self._texts(favour.words),
                )
                for favour in person.favours
            ),
            declines=self._texts(person.declines),
            script=self._texts(person.script),
        )

    def _fact(self, fact: Fact) -> Fact:
        return structs.replace(
            fact,
            name=self.text(fact.name),
            value=self.text(fact.value) if isinstance(fact.value, str) else fact.value,
            words=self._texts(fact.words),
            says=self._texts(fact.says),
            from_tool=self._given(fact.from_tool) if fact.from_tool else None,
        )

    def _given(self, given: Given) -> Given:
        return Given(self.text(given.tool), self.record(given.arguments))

    def _fault(self, fault: Fault) -> Fault:
        return structs.replace(
            fault,
            tool=self.text(fault.tool),
            arguments=self.record(fault.arguments),
            parameters={key: self.value(each) for key, each in fault.parameters.items()},
        )

    def _objective(self, objective: Objective) -> Objective:
        return structs.replace(
            objective,
            statement=self.text(objective.statement),
            calls=tuple(
                structs.replace(
                    call,
                    id=self.text(call.id),
                    tool=self.text(call.tool),
                    arguments=self.record(call.arguments),
                    after=self._texts(call.after),
                    or_tools=self._texts(call.or_tools),
                )
                for call in objective.calls
            ),
            state=self._changes(objective),
            ignore_tables=self._texts(objective.ignore_tables),
            facts=tuple(
                structs.replace(
                    fact,
                    name=self.text(fact.name),
                    any_of=self._values(fact.any_of),
                )
                for fact in objective.facts
            ),
            questions=tuple(
                structs.replace(
                    question,
                    about=self._texts(question.about),
                    before=self._texts(question.before),
                    or_told=self._values(question.or_told),
                    answers=self._values(question.answers),
                )
                for question in objective.questions
            ),
            beliefs=tuple(
                FalseBelief(self.text(each.name), *self._values((each.value, each.true))) for each in objective.beliefs
            ),
            impossible=tuple(
                structs.replace(
                    each,
                    name=self.text(each.name),
                    tool=self.text(each.tool),
                    about=self._values(each.about),
                    answers=self._values(each.answers),
                    because=self._values(each.because),
                )
                for each in objective.impossible
            ),
            forbidden=tuple(
                structs.replace(
                    each,
                    tool=self.text(each.tool) if each.tool else None,
                    arguments=self.record(each.arguments),
                    because=self.text(each.because),
                )
                for each in objective.forbidden
            ),
        )

    def _changes(self, objective: Objective):
        if objective.state is None:
            return None
        return tuple(
            structs.replace(
                change,
                table=self.text(change.table),
                key=self.text(change.key) if change.key else None,
                fields=self.record(change.fields),
            )
            for change in objective.state
        )

    def _values(self, values: Sequence[str | int | float]) -> tuple[str | int | float, ...]:
        return tuple(self.text(each) if isinstance(each, str) else each for each in values)

    def _texts(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.text(each) for each in texts)
