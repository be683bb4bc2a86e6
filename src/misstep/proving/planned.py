"""An agent that has a scenario's plan and only has to talk: it asks, proposes, acts and reports in a voice.

It reads literally. A value is told once it stands in a message, and leave is given by a message that begins with a yes;
what does not come in a few tries it does without, says so, and stops.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import cast

from msgspec import Struct, field

from misstep.core.roles import Toolbox
from misstep.core.scenario import Fact, Goal, Scalar, Scenario
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import STOPWORDS, content_stems, split_identifier, words
from misstep.objectives.values import says
from misstep.proving.agent_voice import Pair, Speaker, Voice, shown, tidy
from misstep.synthesis.merging import Errand, Plan
from misstep.synthesis.task import Step

_TRIES = 3
_CALLS = 4
_MOST_CHOICES = 8
_SHORT = 60
_PLAIN = (str, int, float)
_ENOUGH = 0.6
"""Of the words of a goal, so many bring it up."""
_PATIENT = 8
"""Turns that a person must have to be bothered with what need not be asked."""
_THANKS = 3
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure|certainly|of course|ok|okay|go ahead|please do|correct)\b", re.IGNORECASE
)
_FINDS = ("look-up", "need")


class _Open(Struct):
    """An errand, and how far it has come."""

    at: int
    errand: Errand
    facts: tuple[Fact, ...]
    """What the person can say of it."""
    done: int = 0
    """So many of its steps."""
    agreed: set[str] = field(default_factory=set[str])
    """Tools that may be called."""
    chose: bool = False
    """The person was asked which is meant."""
    repeated: bool = False


class Planned:
    """Made anew for each conversation."""

    def __init__(self, scenario: Scenario, plan: Plan, voice: Voice, *, seed: int) -> None:
        self._scenario = scenario
        self._speaker = Speaker(voice, seed)
        self._voice = voice
        self._at_once = self._speaker.random.random() < 0.5
        """Asks for all that is missing, for whatever it is."""
        facts = scenario.user.facts
        self._later = [
            _Open(at, errand, tuple(each for each in facts if not each.goals or at in each.goals))
            for at, errand in enumerate(plan.errands)
        ]
        self._open: list[_Open] = []
        self._finished: list[_Open] = []
        calls = scenario.objective.calls if scenario.objective else ()
        self._confirmed = {call.tool for call in calls if call.confirmed}
        self._heard: list[str] = []
        self._names: dict[str, str] = {}
        self._tools: Mapping[str, Tool] = {}
        self._answers: list[JSON] = []
        self._called: list[Step] = []
        self._asked: dict[tuple[str, ...], int] = {}
        self._proposed: tuple[_Open, str] | None = None
        self._stopped: Sequence[str] = ()
        self._started = False

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._heard.append(message)
        if not self._tools:
            self._tools = {tool.name: tool for tool in await tools.tools()}
        if self._stopped:
            return self._speaker.ask("stop", self._stopped)
        self._bring_up(message)
        if not self._open:
            return self._beside(message)
        if self._proposed is not None and _YES.match(message):
            task, tool = self._proposed
            task.agreed.add(tool)
        self._proposed = None
        parts: list[str] = []
        while self._open:
            wanted = await self._advance(self._open[0], tools)
            if wanted:
                greeting = "" if self._started else self._speaker.say("start")
                self._started = True
                return tidy([*parts, "\n\n" if parts else "", greeting, wanted])
            self._finished.append(self._open.pop(0))
            parts.append(self._report(self._finished[-1]))
        return tidy([*parts, self._speaker.say("close")])

    def _bring_up(self, message: str) -> None:
        """What was said first, and then goal by goal."""
        if len(self._heard) == 1:
            while self._later and not self._goal(self._later[0]).after:
                self._open.append(self._later.pop(0))
        elif self._later:
            near = self._nearness(message, self._later[0], again=False)
            others = [self._nearness(message, task) for task in (*self._finished, *self._open)]
            if near >= max([_ENOUGH, *others]):
                self._open.append(self._later.pop(0))

    def _beside(self, message: str) -> str:
        """Nothing new is to be done: what was asked before is answered once more; then small talk, and thanks."""
        again = [task for task in self._finished if self._nearness(message, task) >= _ENOUGH]
        if again:
            return tidy([*map(self._report, again), self._speaker.say("close")])
        if any(aside in message for aside in self._scenario.user.asides):
            return self._speaker.say("chat")
        if self._finished and self._finished[-1].errand.kind == "refusal" and len(words(message)) > _THANKS:
            return tidy([self._report(self._finished[-1])])
        return self._speaker.say("bye" if self._finished else "listen")

    def _goal(self, task: _Open) -> Goal:
        return self._scenario.user.goals[task.at]

    def _nearness(self, message: str, task: _Open, *, again: bool = True) -> float:
        """How much of a goal stands in a message, as it is first brought up, or said again."""
        said, goal = set(content_stems(message)), self._goal(task)
        wanted = [set(content_stems(each)) for each in ((goal.ask, goal.wish) if again else (goal.ask,))]
        return max((len(each & said) / len(each) for each in wanted if each), default=0.0)

    async def _advance(self, task: _Open, tools: Toolbox) -> str | None:
        """Do what can be done; what is to be said where the person has to say something first."""
        steps = task.errand.steps
        wanted = self._asks_for_values(task)
        if wanted:
            return wanted
        while task.done < len(steps) and steps[task.done].role in _FINDS:
            await self._call(steps[task.done], task, tools)
            task.done += 1
        wanted = self._asks_which(task)
        if wanted:
            return wanted
        while task.done < len(steps):
            step = steps[task.done]
            if self._needs_leave(step, task):
                return self._proposal(step, task)
            await self._call(step, task, tools)
            task.done += 1
        return None

    # What is asked

    def _asks_for_values(self, task: _Open) -> str | None:
        among = self._open if self._at_once else [task]
        wanted = list(dict.fromkeys(fact.name for each in among for fact in self._missing(each)))
        if wanted:
            return self._ask("ask", wanted, task)
        told = [fact for fact in task.facts if self._is_told(fact)]
        hurried = self._scenario.user.patience < _PATIENT
        repeated = hurried or any(each.repeated for each in (*self._finished, *self._open))
        if self._voice.asks_again and told and not repeated:
            task.repeated = True
            return self._speaker.ask("again", [self._name(self._speaker.random.choice(told), task)])
        wrong = [fact for fact in task.facts if self._is_mistaken(fact)]
        if wrong and not self._shown_in_a_proposal(wrong, task):
            thing, value = self._name(wrong[0], task), shown(wrong[0].at_first)
            return self._tried((wrong[0].name, "recheck"), task) or self._speaker.say(
                "recheck", thing=self._speaker.things([thing]), value=value
            )
        return None

    def _missing(self, task: _Open) -> list[Fact]:
        """Not told yet; where there will be something to choose from, what tells which is left for that."""
        missing = [fact for fact in task.facts if not self._is_told(fact) and not self._is_mistaken(fact)]
        if self._voice.offers and any(step.role in _FINDS for step in task.errand.steps) and not task.done:
            return [fact for fact in missing if _is_passed_on(fact, task.errand.steps)]
        return missing

    def _asks_which(self, task: _Open) -> str | None:
        """Which of several is meant, where that was not said or must be asked."""
        marks = [fact for fact in task.facts if not self._is_told(fact) and not self._is_mistaken(fact)]
        must = [each for each in task.errand.questions if not task.chose]
        target, choices = self._choices(task)
        if (not marks and not must) or (target and not must and says(" ".join(self._heard), target)):
            return None
        task.chose = True
        about = self._name(marks[0], task) if marks else must[0].about[0] if must else ""
        again = self._tried(tuple(fact.name for fact in marks) or ("which",), task)
        if again or (not must and not (self._voice.offers and choices)):
            return again or self._ask("ask", [fact.name for fact in marks], task)
        thing = self._speaker.things([about])
        if self._voice.offers and choices:
            return self._speaker.say("offer", thing=thing, choices=self._speaker.choices(choices))
        return self._speaker.say("which", thing=thing)

    def _ask(self, kind: str, names: Sequence[str], task: _Open) -> str:
        stopped = self._tried(tuple(names), task)
        if stopped:
            return stopped
        facts = {fact.name: fact for fact in self._scenario.user.facts}
        kind = "still" if self._asked[tuple(names)] > 1 else kind
        for each in self._open:
            about = {word for question in each.errand.questions for word in question.about}
            words_of = (word for name in names for word in (name, *facts[name].words))
            each.chose = each.chose or not about.isdisjoint(words_of)
        own = task.errand.kind == "act" and {fact.name for fact in task.facts}.issuperset(names)
        act = _act(task.errand.tool) if own else ""
        return self._speaker.ask(kind, [self._name(facts[name], task) for name in names], act=act)

    def _tried(self, what: tuple[str, ...], task: _Open) -> str | None:
        """Once more; what is said where that is too often."""
        self._asked[what] = self._asked.get(what, 0) + 1
        if self._asked[what] <= _TRIES:
            return None
        facts = [fact for fact in task.facts if fact.name in what]
        self._stopped = [self._name(fact, task) for fact in facts] or ["confirmation"]
        return self._speaker.ask("stop", self._stopped)

    def _name(self, fact: Fact, task: _Open) -> str:
        """What the agent calls it: after the argument that it is for, or as the person would."""
        if fact.name not in self._names:
            called = [
                " ".join(split_identifier(name))
                for step in task.errand.steps
                for name, value in step.arguments.items()
                if value == fact.value
            ]
            taken = {each.name for each in self._scenario.user.facts} | set(self._names.values())
            known = set(words(" ".join((fact.name, *fact.words))))
            fitting = [each for each in called if each not in taken and not known.isdisjoint(words(each))]
            name = fitting[0] if fitting and self._speaker.random.random() < 0.5 else fact.name
            name = re.sub(r"\bid$", self._speaker.random.choice(("ID", "number", "id")), name)
            self._names[fact.name] = re.sub(r" on$", " date", name)
        return self._names[fact.name]

    def _is_told(self, fact: Fact) -> bool:
        if isinstance(fact.value, bool):
            return fact.reveal == "opening" or any(fact.name in each for each in self._asked)
        forms: tuple[Scalar, ...] = (fact.value, *fact.says)
        return any(_stands_in(text, form) for text in self._heard for form in forms)

    def _is_mistaken(self, fact: Fact) -> bool:
        """A wrong value was told, and the right one not yet."""
        wrong = fact.at_first
        return wrong is not None and not self._is_told(fact) and any(_stands_in(text, wrong) for text in self._heard)

    # What is shown

    def _choices(self, task: _Open) -> tuple[str, dict[str, list[Pair]]]:
        """What a look-up showed beside the one that is meant: that one's number, and each one's number with more."""
        known = {shown(fact.value) for fact in task.facts}
        for step in task.errand.steps[task.done :]:
            for value in step.arguments.values():
                if not isinstance(value, (str, int)) or shown(value) in known:
                    continue
                for rows in reversed(list(_lists_in(self._answers))):
                    key = next((key for row in rows for key, held in row.items() if held == value), None)
                    if key is None or not all(key in row for row in rows):
                        continue
                    choices = {shown(row[key]): _short_fields(row, key) for row in rows[:_MOST_CHOICES]}
                    if shown(value) in choices and len(choices) > 1:
                        return shown(value), choices
        return "", {}

    def _needs_leave(self, step: Step, task: _Open) -> bool:
        if step.role != "act" or step.tool in task.agreed:
            return False
        patient = self._scenario.user.patience >= _PATIENT + 2 * len(self._scenario.user.goals)
        return step.tool in self._confirmed or (self._voice.confirms and task.errand.kind == "act" and patient)

    def _shown_in_a_proposal(self, wrong: Sequence[Fact], task: _Open) -> bool:
        """The person will see what they said."""
        found = [step for step in task.errand.steps if step.role in _FINDS]
        if any(_is_passed_on(fact, found) for fact in wrong):
            return False
        acts = [step for step in task.errand.steps if self._needs_leave(step, task)]
        return all(_is_passed_on(fact, acts) for fact in wrong)

    def _proposal(self, step: Step, task: _Open) -> str:
        stopped = self._tried((step.tool, "yes", str(task.at)), task)
        if stopped:
            return stopped
        self._proposed = (task, step.tool)
        alike = [each for each in task.errand.steps[task.done :] if (each.tool, each.role) == (step.tool, "act")]
        inner = {shown(value) for each in task.errand.steps if each.role in _FINDS for value in each.arguments.values()}
        told = {shown(fact.value) for fact in task.facts}
        pairs = [
            (" ".join(split_identifier(name)), value)
            for each in alike
            for name, value in self._arguments(each, task).items()
            if shown(value) not in inner or shown(value) in told
        ]
        pairs = pairs or [(" ".join(split_identifier(name)), value) for name, value in step.arguments.items()]
        return self._speaker.say("propose", act=_act(step.tool), pairs=self._speaker.pairs(list(dict.fromkeys(pairs))))

    def _report(self, task: _Open) -> str:
        errand, act = task.errand, _act(task.errand.tool)
        forms = [fact.any_of[0] for fact in errand.told]
        said: list[str] = []
        if errand.kind == "act" and any(step.role == "act" for step in errand.steps):
            said.append(self._speaker.say("done", act=act))
        if "already" in forms or "(already)" in forms:
            said.append(self._speaker.say("already"))
        elif errand.kind == "refusal":
            said.append(self._speaker.say("refuse", act=act))
        said.extend(
            f"{'There is' if form.startswith('(no ') else 'It was'} {form[1:-1]}."
            for form in forms
            if isinstance(form, str) and form.startswith(("(no ", "(already "))
        )
        pairs = [(fact.name, fact.any_of[0]) for fact in errand.told if not _is_in_any_words(fact.any_of[0])]
        if pairs:
            said.append(self._speaker.say("tell", pairs=self._speaker.pairs(pairs)))
        return " ".join(said) or self._speaker.say("none")

    # What is done

    async def _call(self, step: Step, task: _Open, tools: Toolbox) -> None:
        """What was found out already is not asked for again; what fails is tried a few times."""
        known = any((each.tool, each.arguments) == (step.tool, step.arguments) for each in self._called)
        if step.role in _FINDS and known:
            return
        arguments = self._arguments(step, task)
        answer = Answer(None, is_error=True)
        for _ in range(_CALLS):
            answer = await tools.call(step.tool, arguments)
            if not answer.is_error:
                break
        self._answers.append(answer.content)
        if not answer.is_error:
            self._called.append(step)

    def _arguments(self, step: Step, task: _Open) -> dict[str, JSON]:
        """With what the person has said wrong, as long as they have."""
        wrong = {fact.value: fact.at_first for fact in task.facts if self._is_mistaken(fact)}
        return {
            name: wrong.get(value, value) if isinstance(value, (str, int, float)) else value
            for name, value in step.arguments.items()
        }


def _act(tool: str) -> str:
    """`reply_to_mail` as one would say it: reply to the mail."""
    verb, *rest = split_identifier(tool)
    link = list(takewhile(STOPWORDS.__contains__, rest))
    thing = rest[len(link) :]
    return " ".join([verb, *link, *(["the", *thing] if thing else [])])


def _is_in_any_words(form: str | int | float) -> bool:
    return form == "already" or (isinstance(form, str) and form.startswith("("))


def _stands_in(text: str, value: Scalar) -> bool:
    """Word for word; what has digits in it, in any usual form."""
    if not isinstance(value, str) or any(character.isdigit() for character in value):
        return says(text, value.rstrip(".!? ") if isinstance(value, str) else value)
    return f" {' '.join(words(value))} " in f" {' '.join(words(text))} "


def _is_passed_on(fact: Fact, steps: Sequence[Step]) -> bool:
    return any(value == fact.value for step in steps for value in step.arguments.values())


def _lists_in(value: object) -> Iterator[list[dict[str, JSON]]]:
    """Lists of records, however deep they lie."""
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        inner = cast("dict[str, object]", value).values()
    elif isinstance(value, list):
        inner = cast("list[object]", value)
        if inner and all(isinstance(each, dict) for each in inner):
            yield cast("list[dict[str, JSON]]", value)
    for each in inner:
        yield from _lists_in(each)


def _short_fields(row: Mapping[str, JSON], key: str) -> list[Pair]:
    pairs: Iterator[Pair] = ((name, value) for name, value in row.items() if name != key)
    return [pair for pair in pairs if isinstance(pair[1], _PLAIN) and len(shown(pair[1])) <= _SHORT][:3]
