"""`world:shop`: the shop's tools, state and policy behind the roles that every world fills."""

from collections.abc import Mapping, Sequence
from functools import cache

from misstep.core.policy import Policy
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.worlds.services import Held, answered
from misstep.worlds.shop.desk import Desk
from misstep.worlds.shop.mailbox import mailbox
from misstep.worlds.shop.making import pristine
from misstep.worlds.shop.policy import shop_policy
from misstep.worlds.shop.records import Tables
from misstep.worlds.shop.tools import offered, services

_policy = cache(shop_policy)


class Shop:
    """One shop, as one conversation finds and leaves it."""

    def __init__(self, seed: int) -> None:
        self._desk = Desk(pristine(seed))

    @property
    def policy(self) -> Policy:
        return _policy()

    async def tools(self) -> Sequence[Tool]:
        return offered()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return answered(services(), self._desk, tool, arguments)

    def user_tools(self) -> Held:
        return Held(mailbox(), lambda: self._desk)

    def snapshot(self) -> State:
        return self._desk.tables.as_state()

    def restore(self, state: State) -> None:
        self._desk = Desk(Tables.from_state(state))
