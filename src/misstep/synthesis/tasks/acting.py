"""A tool and records → calls of it that work and calls that are refused, with what must come before them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.state import Change
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.tasks.answering import said_in, told_in
from misstep.synthesis.tasks.executing import Bench, Call
from misstep.synthesis.tasks.filling import Filler, Filling
from misstep.synthesis.tasks.keying import key_field, rows_called
from misstep.synthesis.tasks.looks import garbage, is_path, is_plain, is_scalar, looks_like_one_of
from misstep.synthesis.tasks.needing import Need, calls_before, search_needs, shape_of
from misstep.synthesis.tasks.sighting import sight
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from
from misstep.synthesis.tasks.surveying import Field, Row, Survey, leaves, text
from misstep.tools.checked import problem

_BLIND = 14
"""So many refusals in a row before it is asked whether something must come first."""
_SEARCHED = 5
_ENOUGH = 4
_IDLE = 40
_LOOKED = 3
_PATIENCE = 120
_STALE = 60
"""After so many calls in a row that had been tried before, there is hardly another."""
_LAST_TRIES = 6


class Win(Struct, frozen=True):
    """A call that worked."""

    call: Call
    values: dict[Path, JSON]
    before: tuple[Call, ...]
    """What had to come first."""
    answer: Answer
    changes: tuple[Change, ...]
    """What it changed itself."""


class Loss(Struct, frozen=True):
    """A call that was refused, though what must come first had come."""

    call: Call
    values: dict[Path, JSON]
    before: tuple[Call, ...]
    answer: Answer

    @property
    def shape(self) -> str:
        return shape_of(self.answer)

    @property
    def told(self) -> str:
        """What the refusal says."""
        return " ".join(text(value) for _, value in leaves(self.answer.content) if not isinstance(value, bool))


class Trying:
    """Tries one tool with what the records offer, and keeps what came of it."""

    def __init__(self, bench: Bench, survey: Survey, tool: Tool, random: Random, *, reads: bool = False) -> None:
        self.tool = tool
        self.needs: tuple[Need, ...] = ()
        self.wins: list[Win] = []
        self.losses: list[Loss] = []
        self.referred: dict[Path, set[str]] = {}
        """The tables whose records a slot names: nonsense is refused there, or it is that record that changes."""
        self.called: dict[Path, Field] = {}
        """The field by whose numbers a slot names records, under a name that does not say so."""
        self.open = False
        """Other ways lead to the same end."""
        self.misfits = 0
        """How many calls the schema itself forbids."""
        self.idle: list[Win] = []
        """Calls that worked and changed nothing."""
        self._bench, self._survey, self._random, self._reads = bench, survey, random, reads
        self.filler = Filler(survey, tool, random, reads=reads)
        self._seen: set[bytes] = set()
        self._stale = 0
        """How many calls in a row had been tried before."""

    async def learn(self, known: Sequence[Need] = ()) -> None:
        """Try until a few calls have worked, looking for what must come first when none does."""
        for attempt in range(_PATIENCE):
            await self.attempt()
            if self._has_enough or (len(self.idle) >= _IDLE and not self.wins):
                break
            if attempt == _BLIND and not self.wins and not self.idle:
                await self._look_for_need(known)
                self.filler.widen()
        for _ in range(_PATIENCE * 2):  # What changes nothing with most records may change something with a few.
            if self.wins or not self.idle or self._stale >= _STALE or self.only_looks:
                break
            await self.attempt(at_random=True)
        for _ in range(_BLIND if self.losses and not self.wins and not self._reads else 0):
            await self.attempt(novel=True)
        if not self.wins and self.losses:
            await self._look_for_need(known, writers=True)
            for _ in range(_PATIENCE if self.needs else 0):
                await self.attempt()
        for win in self.wins[:_ENOUGH]:
            await self._note_references(win)

    @property
    def _has_enough(self) -> bool:
        """A few that worked; of what only looks, a few that were answered differently."""
        kinds = {str(win.answer.content) for win in self.wins} if self._reads else self.wins
        return len(kinds) >= _ENOUGH or (bool(self.wins) and not self.filler.slots)

    @property
    def only_looks(self) -> bool:
        """It was called often enough for it to have changed something, if it ever did; what is not there cannot be."""
        again = not self.filler.slots or self._stale >= _STALE  # there is nothing else that it could be called with
        enough = 1 if again else _LOOKED
        return not self.wins and len(self.idle) >= enough and len(self.idle) > self._refused_there()

    def _refused_there(self) -> int:
        """How many calls were refused for records that are there, of the kinds that it was called with and worked."""
        kinds: dict[Path, set[str]] = {}
        for idle in self.idle:
            for path, tables in self.filler.tables_named(idle.values).items():
                kinds.setdefault(path, set()).update(tables)
        return sum(
            all(tables & (kinds.get(path) or tables) for path, tables in self.filler.tables_named(loss.values).items())
            for loss in self.losses
        )

    async def attempt(self, *, at_random: bool = False, novel: bool = False) -> Win | None:
        """One more call that has not been tried."""
        filling = self.filler.fill(at_random=at_random, novel=novel)
        if filling is None:
            return None
        call = Call(self.tool.name, filling.arguments)
        if call.text in self._seen:
            self._stale += 1
            return None
        self._stale = 0
        self._seen.add(call.text)
        if problem(self.tool, call.arguments):
            self.filler.learn(filling, False)
            self.misfits += 1
            return None
        before = calls_before(self.needs, filling.values, self._survey)
        return None if before is None else await self._tried(call, filling, before)

    async def attempt_with(self, values: dict[Path, JSON]) -> None:
        """A call with these values, unless it was tried."""
        call = Call(self.tool.name, arguments_from(values))
        before = calls_before(self.needs, values, self._survey)
        if call.text not in self._seen and before is not None and not problem(self.tool, call.arguments):
            self._seen.add(call.text)
            await self._tried(call, Filling(values, {}), before)

    @property
    def silent(self) -> list[Win]:
        """Calls that changed nothing and answered False or nothing, which none that worked did: a no without a word."""
        if any(win.answer.content is None or win.answer.content is False for win in self.wins):
            return []
        return [idle for idle in self.idle if idle.answer.content is None or idle.answer.content is False]

    async def win(self, tries: int) -> Win | None:
        """One more call that works."""
        for _ in range(tries if self._stale < _STALE else _LAST_TRIES):
            found = await self.attempt()
            if found is not None:
                return found
        return None

    async def _tried(self, call: Call, filling: Filling, before: tuple[Call, ...]) -> Win | None:
        played = await self._bench.play(*before, call)
        if played.last.is_error:
            self.losses.append(Loss(call, filling.values, before, played.last))
            self.filler.learn(filling, False)
            self.filler.heed(filling, said_in(played.last.content))
            return None
        win = await self._worked(call, filling.values, before)
        self.filler.learn(filling, win is not None, idle=win is None)
        if win is None:
            self.idle.append(Win(call, filling.values, before, played.last, ()))
        else:
            self.wins.append(win)
        return win

    async def _worked(self, call: Call, values: dict[Path, JSON], before: tuple[Call, ...]) -> Win | None:
        """The call with what it changed itself; None where that is nothing, though something was to be changed."""
        played = await self._bench.play(*before, call)
        already = set[tuple[str, str, str]]()
        if before:
            already = {(each.table, each.key, str(each.after)) for each in (await self._bench.play(*before)).changes}
        own = tuple(each for each in played.changes if (each.table, each.key, str(each.after)) not in already)
        told = not self._reads or bool(told_in(played.last.content))
        if not played.worked or not told or not (own or self._reads or not self._bench.stateful):
            return None
        return Win(call, values, before, played.last, own)

    async def polished(self, win: Win) -> Win | None:
        """The same with something that a person may say, where what was borrowed is no such thing and this will do;
        None where nobody could tell what else to say."""
        for slot in self._unfit(win.values):
            alike = self._alike([win], slot)
            value = win.values[slot.path]
            if looks_like_one_of(value, alike) and not self._survey.named_by(value):
                continue
            made = self.filler.sensible(slot, alike)
            better = await self._with(win, slot, made) if made is not None else None
            if better is None and not await self._is_owed(win, slot):
                return None
            win = better or win
        return win

    async def polished_loss(self, loss: Loss) -> Loss | None:
        """The same of a call that is refused for the same reason all the while."""
        for slot in self._unfit(loss.values):
            alike = self._alike(self.wins[:_ENOUGH], slot)
            if self.referred.get(slot.path) or looks_like_one_of(loss.values[slot.path], alike):
                continue
            made = self.filler.sensible(slot, alike)
            values = {**loss.values, slot.path: made}
            call = Call(self.tool.name, arguments_from(values))
            if made is None or problem(self.tool, call.arguments):
                return None
            played = await self._bench.play(*loss.before, call)
            other = Loss(call, values, loss.before, played.last)
            if (played.last.is_error, other.shape) != (loss.answer.is_error, loss.shape):
                return None
            loss = other
        return loss

    def _unfit(self, values: Mapping[Path, JSON]) -> list[Slot]:
        """What nobody would say: a key of a record that is not meant, a long text, what nothing says goes there."""
        return [
            slot
            for slot in self.filler.slots
            if isinstance(value := values.get(slot.path), str)
            and not (slot.choices or is_path(value))
            and not self.meant(slot, value)
            and (self._survey.named_by(value) or not is_plain(value) or not self.filler.is_told(slot, value))
        ]

    def _alike(self, wins: Sequence[Win], slot: Slot) -> list[Scalar]:
        """What stands in other records where the value goes; their keys, where it is that of a new one."""
        places: set[tuple[str, str]] = set()
        taken: set[JSON] = set()
        for win in wins:
            if not isinstance(value := win.values.get(slot.path), str):
                continue
            taken.add(value)
            for change in win.changes:
                old = set(leaves(change.before or {}))
                places |= {
                    (change.table, path)
                    for path, held in leaves(change.after or {})
                    if held == value and (path, held) not in old
                }
                if change.before is None and change.key == value:
                    places.add((change.table, ""))
        found = [each for place in sorted(places) for each in self._survey.values(Field(*place))]
        return [each for each in found if each not in taken]

    async def _with(self, win: Win, slot: Slot, value: JSON) -> Win | None:
        values = {**win.values, slot.path: value}
        call = Call(self.tool.name, arguments_from(values))
        before = calls_before(self.needs, values, self._survey)
        if before is None or problem(self.tool, call.arguments):
            return None
        return await self._worked(call, values, before)

    async def _is_owed(self, win: Win, slot: Slot) -> bool:
        """What goes there is told, or the tool takes no nonsense there: what it has taken makes sense."""
        value = win.values[slot.path]
        if self.filler.is_told(slot, value):
            return True
        nonsense = garbage(value, self._random) if isinstance(value, str) else value
        other = Call(self.tool.name, arguments_from({**win.values, slot.path: nonsense}))
        return (await self._bench.play(*win.before, other)).last.is_error

    async def lean(self, win: Win) -> Win:
        """The same without each optional argument that changes nothing: nobody would say it, and nobody miss it."""
        for argument in dict.fromkeys(slot.argument for slot in self.filler.slots if slot.optional):
            values = {path: value for path, value in win.values.items() if path[0] != argument}
            if len(values) == len(win.values) or (before := calls_before(self.needs, values, self._survey)) is None:
                continue
            less = await self._worked(Call(self.tool.name, arguments_from(values)), values, before)
            if less is not None and less.changes == win.changes:
                win = less
        return win

    async def bare(self, win: Win) -> Win:
        """The same without what is optional, where the answer is the same without it."""
        needed = {slot.path for slot in self.filler.needed}
        values = {path: value for path, value in win.values.items() if path in needed}
        if len(values) == len(win.values):
            return win
        made = await self._worked(Call(self.tool.name, arguments_from(values)), values, win.before)
        return made if made is not None and made.answer.content == win.answer.content else win

    def meant(self, slot: Slot, value: JSON) -> list[Row]:
        """The records that a value in a slot stands for; none where it is what a record is to get."""
        if (field := self.called.get(slot.path)) is not None:
            return rows_called(self._survey, field, value)
        tables = self.referred.get(slot.path, ())
        return [row for row in self._survey.named_by(value) if row.table in tables]

    def elsewhere(self, win: Win) -> Call | None:
        """The same call for another record of the same table."""
        for slot in self.filler.slots:
            for row in self.meant(slot, win.values.get(slot.path)):
                others = [each for each in self._survey.tables[row.table] if each is not row]
                if others:
                    other, field = self._random.choice(others), self.called.get(slot.path)
                    value = other.at(field.path)[0] if field is not None else self._survey.key_of(other)
                    return Call(self.tool.name, arguments_from({**win.values, slot.path: value}))
        return None

    def for_others(self, win: Win) -> Iterator[Call]:
        """The same call for each other record of the same table, one record exchanged at a time."""
        for slot in self.filler.slots:
            for row in self.meant(slot, win.values.get(slot.path)):
                for other in self._survey.tables[row.table]:
                    if other is not row:
                        value = self._survey.key_of(other)
                        yield Call(self.tool.name, arguments_from({**win.values, slot.path: value}))

    async def _note_references(self, win: Win) -> None:
        for slot in self.filler.slots:
            value = win.values.get(slot.path)
            rows = self._survey.refers(slot.name, value) if is_scalar(value) else []
            if not rows:
                await self._note_number(win, slot)
            if not rows or not is_scalar(value) or list(win.values.values()).count(value) > 1:
                continue  # Of two that name the same record, either may be the one that is changed by it.
            own = {row.table for row in rows if any(_is_of(change, row) for change in win.changes)}
            if (
                own and isinstance(value, str) and not value.isdigit()
            ):  # Small numbers are keys of everything, texts of one thing.
                own = {row.table for row in rows}
            if not own:
                nonsense = Call(self.tool.name, arguments_from({**win.values, slot.path: garbage(value, self._random)}))
                played = await self._bench.play(*win.before, nonsense)
                fewer = not self._reads and len(played.changes) < len(win.changes)
                refused = not played.worked or fewer
                own = {
                    row.table
                    for row in rows
                    if refused
                    or self.filler.borrows_keys(slot)
                    or self._survey.says(slot.name, row.table)
                    or (self._reads and sight(win.answer.content, row) and not sight(played.last.content, row))
                }
            self.referred.setdefault(slot.path, set()).update(own)

    async def _note_number(self, win: Win, slot: Slot) -> None:
        """A number under a name that no table has: it names the record that changes with it."""

        async def changed_with(number: Scalar) -> Sequence[Change]:
            arguments = arguments_from({**win.values, slot.path: number})
            played = await self._bench.play(*win.before, Call(self.tool.name, arguments))
            return () if played.last.is_error else played.changes

        if slot.path not in self.called and not self._reads:
            field = await key_field(self._survey, win.values.get(slot.path), win.changes, changed_with)
            if field is not None:
                self.called[slot.path] = field
                self.referred.setdefault(slot.path, set()).add(field.table)

    async def _look_for_need(self, known: Sequence[Need], *, writers: bool = False) -> None:
        """Adopt what makes a call work, or else what most often changes the reason for refusing it."""
        votes: Counter[Need] = Counter()
        for loss in self._spread():
            found = await search_needs(self._bench, self._survey, loss.call, loss.values, loss.before, writers=writers)
            for need, worked in found:
                votes[need] += (3 if worked else 1) + (need in known)
        if votes:
            self._adopt(votes.most_common(1)[0][0])

    def _spread(self) -> list[Loss]:
        """A few refusals, of different reasons first."""
        by_shape: dict[str, list[Loss]] = {}
        for loss in self.losses:
            by_shape.setdefault(loss.shape, []).append(loss)
        mixed = [group[at] for at in range(_SEARCHED) for group in by_shape.values() if at < len(group)]
        return mixed[:_SEARCHED]

    def _adopt(self, need: Need) -> None:
        """From now on it comes first; what was refused without it says nothing."""
        self.needs = (*self.needs, need)
        self.losses.clear()
        self._seen.clear()


def _is_of(change: Change, row: Row) -> bool:
    return change.before is not None and (change.table, change.key) == row.kept
