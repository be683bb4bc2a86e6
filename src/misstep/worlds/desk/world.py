"""`world:desk`: the desk's tools, state and policy behind the roles that every world fills."""

from collections.abc import Mapping, Sequence
from functools import cache

from misstep.core.policy import Policy
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.worlds.desk.belongings import Belongings
from misstep.worlds.desk.making import pristine
from misstep.worlds.desk.phone import phone
from misstep.worlds.desk.policy import desk_policy
from misstep.worlds.desk.records import Tables
from misstep.worlds.desk.tools import offered, services
from misstep.worlds.services import Held, answered

_policy = cache(desk_policy)


class Desk:
    """One person's desk, as one conversation finds and leaves it."""

    def __init__(self, seed: int) -> None:
        self._belongings = Belongings(pristine(seed))

    @property
    def policy(self) -> Policy:
        return _policy()

    async def tools(self) -> Sequence[Tool]:
        return offered()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        before = self._belongings.tables
        answer = answered(services(), self._belongings, tool, arguments)
        if answer.is_error:
            self._belongings.tables = before
        return answer

    def user_tools(self) -> Held:
        return Held(phone(), lambda: self._belongings)

    def snapshot(self) -> State:
        return self._belongings.tables.as_state()

    def restore(self, state: State) -> None:
        self._belongings = Belongings(Tables.from_state(state))
