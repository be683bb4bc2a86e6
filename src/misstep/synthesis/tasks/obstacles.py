"""Calls that are refused for what a record is, though no field tells why → tasks in which it is right to say so."""

import re
from collections import Counter

from misstep.core.tool import JSON
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.acting import Loss, Trying, Win
from misstep.synthesis.tasks.already import so_already
from misstep.synthesis.tasks.declining import asked, refusal
from misstep.synthesis.tasks.doing import named_in
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import garbage, in_words, is_code, is_date, is_plain, is_scalar
from misstep.synthesis.tasks.needing import calls_before, shape_of
from misstep.synthesis.tasks.planning import Planner
from misstep.synthesis.tasks.refusals import all_there, around, reasons
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from
from misstep.synthesis.tasks.surveying import text
from misstep.tools.checked import problem

_BROKEN = re.compile(
    r"^(?:Type|Key|Attribute|Index|Name|Assertion|Recursion|ZeroDivision|Unicode\w*|UnboundLocal|NotImplemented)Error\b"
    r"|^What it did cannot be seen"
)
"""What code says that was not meant to be called so: no rule."""
_SAYS_WHAT_TO_DO = re.compile(
    r"\b(?:first|before|instead|please|must|should|use|choose|try|check)\b|[.;!] \w", re.IGNORECASE
)
"""Who is told how it can be done may do that, or ask: to say no is not the one right thing."""
_COMPARED = 4
_PROBED = 8
_EACH = 2
_MOST = 4


class Obstacles:
    """What stands in the way of one act, as far as refusals show it."""

    def __init__(self, known: Knowledge, trying: Trying) -> None:
        self._known, self._trying = known, trying
        self._absent: set[str] | None = None
        self._naming: set[Path] = set()
        self._used: set[bytes] = set()
        self._made: Counter[str] = Counter()

    async def found(self) -> list[Loss]:
        """Refused calls that name what is there and work for another record: a few of each kind, one at a time."""
        await self._learn()
        explained = {_kind(reason.shape) for reason in reasons(self._known, self._trying)}
        silent = [Loss(idle.call, idle.values, idle.before, idle.answer) for idle in self._trying.silent]
        new: dict[str, Loss] = {}
        for loss in (*self._trying.losses, *silent):
            kind = _kind(loss.shape)
            if loss.call.text in self._used or kind in new or kind in explained or self._made[kind] >= _EACH:
                continue
            if self._made.total() + len(new) >= _MOST:
                break
            self._used.add(loss.call.text)
            if await self._stands_in_the_way(loss):
                new[kind] = loss
        self._made.update(new.keys())
        return list(new.values())

    async def _learn(self) -> None:
        if self._absent is None:
            self._absent = await self._shapes_of_nonsense()
            await self._probe()

    async def _shapes_of_nonsense(self) -> set[str]:
        """What is said where a name or number is nobody's; the slots that this is said of name something."""
        trying, shapes = self._trying, set[str]()
        for win in trying.wins[:2]:
            for slot in trying.filler.slots:
                value = win.values.get(slot.path)
                if slot.choices or not isinstance(value, (str, int)) or isinstance(value, bool):
                    continue
                for _ in range(2):
                    values = {**win.values, slot.path: garbage(value, self._known.random)}
                    played = await self._known.bench.play(*win.before, Call(trying.tool.name, arguments_from(values)))
                    if played.last.is_error or (not played.changes and not played.last.content):
                        shapes.add(shape_of(played.last))
                        self._naming.add(slot.path)
        return shapes

    async def _probe(self) -> None:
        """What hangs on a day or a name is refused for days and names that stand in records around: try these."""
        trying = self._trying
        by_record = {str([value for _, value, _ in named_in(trying, win)]): win for win in trying.wins}
        for win in list(by_record.values())[:_PROBED]:
            rows = [each for _, _, own in named_in(trying, win) for row in own for each in around(self._known, row)]
            for slot in trying.filler.slots:
                value = win.values.get(slot.path)
                if slot.choices or not is_date(value):
                    continue
                held = dict.fromkeys(each for row in rows for _, each in row.leaves if is_date(each) and each != value)
                for each in list(held)[:_PROBED]:
                    await trying.attempt_with({**win.values, slot.path: each})

    async def _stands_in_the_way(self, loss: Loss) -> bool:
        told = loss.told
        silent = not loss.answer.is_error
        if not silent and (loss.shape in (self._absent or ()) or _BROKEN.search(told) or _SAYS_WHAT_TO_DO.search(told)):
            return False
        if not all_there(self._trying, loss) or not all(map(is_plain, loss.values.values())):
            return False
        if not self.belongs_together(loss) or not (await self._known.bench.play(*loss.before)).worked:
            return False
        if any(self._is_odd(slot, loss.values.get(slot.path)) for slot in self._trying.filler.slots):
            return False
        return await self.hangs_on_a_record(loss) and not await self._hangs_on_a_number(loss)

    def belongs_together(self, loss: Loss) -> bool:
        """Records that have to do with each other in every call that worked do so in this one: nobody would ask for
        the order of another customer."""
        linked = [_links(self._trying, win) for win in self._trying.wins[-_PROBED:]]
        return set[tuple[Path, Path]].intersection(*linked) <= _links(self._trying, loss)

    def _is_odd(self, slot: Slot, value: JSON) -> bool:
        """A code that stands nowhere, or the key of a record where none is meant."""
        if not is_scalar(value) or isinstance(value, bool):
            return False
        named = self._known.survey.named_by(value)
        if is_code(value) and not named and not self._known.survey.holders(value):
            return True
        meant = slot.path in self._naming or bool(self._trying.referred.get(slot.path))
        return isinstance(value, str) and bool(named) and not meant

    async def hangs_on_a_record(self, loss: Loss) -> bool:
        """With all else the same, it works when what names records is taken from a call that worked."""
        await self._learn()
        trying = self._trying
        if _is_bare(loss, trying) and not any(_is_bare(win, trying) for win in trying.wins):
            return False
        naming = {*self._naming, *trying.referred}
        for win in (*trying.wins[:_COMPARED], *trying.wins[-_COMPARED:]):
            values = {
                path: win.values.get(path, value) if path in naming else value for path, value in loss.values.items()
            }
            if await self._works(values, loss):
                return True
        return False

    async def _hangs_on_a_number(self, loss: Loss) -> bool:
        """With another amount it would work: who is told so may take that."""
        numbers = [
            (path, value)
            for path, value in loss.values.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and path not in self._naming
        ]
        for path, value in numbers:
            for other in (1, value / 4, value / 2, *(win.values.get(path) for win in self._trying.wins[:_COMPARED])):
                if other is not None and await self._works({**loss.values, path: other}, loss):
                    return True
        return False

    async def _works(self, values: dict[Path, JSON], loss: Loss) -> bool:
        call = Call(self._trying.tool.name, arguments_from(values))
        if problem(self._trying.tool, call.arguments):
            return False
        before = calls_before(self._trying.needs, values, self._known.survey)
        played = await self._known.bench.play(*(before if before is not None else loss.before), call)
        return not played.last.is_error and bool(played.changes or played.last.content)


def _links(trying: Trying, call: Loss | Win) -> set[tuple[Path, Path]]:
    """The slots whose records name each other, or have a code in common."""
    named = [(slot.path, row) for slot in trying.filler.slots for row in trying.meant(slot, call.values.get(slot.path))]
    codes = {path: {text(value) for _, value in row.leaves if is_code(value)} | {row.key} for path, row in named}
    return {(one, other) for one in codes for other in codes if one != other and codes[one] & codes[other]}


def _kind(shape: str) -> str:
    """A refusal without the names in it."""
    return re.sub(r"(?<=\w )[A-Z]\w*(?: [A-Z]\w*)*", "#", shape)


def _is_bare(call: Loss | Win, trying: Trying) -> bool:
    """Nothing optional is said: there may be nothing to be done."""
    needed = {slot.path for slot in trying.filler.needed}
    return needed.issuperset(call.values)


async def obstacle_task(known: Knowledge, trying: Trying, loss: Loss, name: str) -> Task | None:
    """The person asks for what is refused."""
    subjects = {change.table for change in trying.wins[0].changes if change.before is not None}
    way = await asked(known, trying, loss, subjects=subjects)
    if way is None:
        return None
    _say_what_only_seems_known(way.planner, trying, loss)
    so = so_already(trying, loss)
    if so and any(_kind(each.shape) == _kind(loss.shape) and not so_already(trying, each) for each in trying.losses):
        return None  # it is so, and refused for another reason: who is told either has been told the truth
    return await refusal(name, way, others=trying.wins, so_already=so)


def _say_what_only_seems_known(planner: Planner, trying: Trying, loss: Loss) -> None:
    """Where a record holds already what it is to get, a look at it shows that, and not that it is wanted."""
    for slot in trying.filler.slots:
        value = loss.values.get(slot.path)
        said = any(text(item.value) == str(value) for item in planner.now.items)
        if not is_scalar(value) or said:
            continue
        rows = trying.meant(slot, value)
        if not any(seen.row is row for seen in planner.now.seen for row in rows):
            argument = slot.argument if slot.whole else ""
            planner.say(in_words(slot.said), value, "key" if rows else "content", argument)
