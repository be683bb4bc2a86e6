"""A scenario and a seed → a Trial: one conversation between a fresh agent, a user and tools, judged."""

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache
from typing import cast

import msgspec
from msgspec import Struct, structs

from misstep.agents.calling import Calling, MakeAgent
from misstep.agents.chat import ChatAgent
from misstep.core.blame import Blame
from misstep.core.errors import BudgetSpentError, InvalidTrialError
from misstep.core.event import Message, ToolResult
from misstep.core.finding import Verdict
from misstep.core.objective import Limits
from misstep.core.policy import Policy
from misstep.core.roles import Agent, Observant, Stateful, Toolbox, User
from misstep.core.scenario import Scenario
from misstep.core.state import Change, State, difference
from misstep.core.tape import Tape
from misstep.core.tool import Tool
from misstep.core.trace import End, Origin, Trace
from misstep.llm import Model
from misstep.simulation.judging import Held, judged
from misstep.simulation.out_of_reach import is_out_of_reach
from misstep.simulation.pen import Pen
from misstep.simulation.surroundings import Attended, TrialOver, restricted, set_scene, told
from misstep.simulation.users_tools import UsersTools, users_tools
from misstep.simulation.watch import AGENT, NOBODY, TOOL, Hung, Watch
from misstep.store.trial import Trial
from misstep.tools.assembly import assemble
from misstep.tools.plain import clean
from misstep.users import ModelledUser, manner_of, user_for, uses_tools

__all__ = ["Ending", "MakeToolbox", "Trial", "hold_trial", "run_trial", "trial_seed"]

MakeToolbox = Callable[[int], Toolbox]
"""A fresh toolbox, with the state that a seed gives it."""

LONGEST_TEXT = 1_000_000
_NOBODY_KNOWS = Origin()

_encoder = msgspec.json.Encoder()
_tools = msgspec.json.Decoder(tuple[Tool, ...])


class Ending(Struct, frozen=True):
    """How a conversation ended, and by whose error where it was not regular."""

    end: End
    error: str | None = None
    blame: Blame | None = None


class _Stage(Struct, frozen=True):
    """What a conversation is held on."""

    tape: Tape
    tools: Attended
    """As the agent sees them."""
    offered: tuple[Tool, ...]
    policy: Policy | None
    limits: Limits
    stateful: Stateful | None
    """The toolbox as it was made, where it has a state."""
    before: State | None
    users: UsersTools | None = None
    """The tools that the user holds, where the scenario has a use for them."""


async def run_trial(
    scenario: Scenario,
    trial: int,
    *,
    seed: int,
    make_agent: MakeAgent,
    make_toolbox: MakeToolbox,
    origin: Origin = _NOBODY_KNOWS,
    user_model: Model | None = None,
    watch: Watch | None = None,
) -> Trial:
    """Trial number `trial` of a run with this seed; `origin` names the agent and the tools, for the trace only."""
    watch = watch or Watch()
    held = await hold_trial(
        scenario,
        trial,
        seed=seed,
        make_agent=make_agent,
        make_toolbox=make_toolbox,
        origin=origin,
        user_model=user_model,
        watch=watch,
    )
    try:
        with watch.short(NOBODY):
            return judged(held)
    except Hung:
        reason = f"Judging the trial took more than {watch.timeout_s:g} seconds."
        return held.with_verdict(Verdict(outcome="invalid", blame="infrastructure", reasons=(reason,)))


async def hold_trial(
    scenario: Scenario,
    trial: int,
    *,
    seed: int,
    make_agent: MakeAgent,
    make_toolbox: MakeToolbox,
    origin: Origin = _NOBODY_KNOWS,
    user_model: Model | None = None,
    watch: Watch,
) -> Held:
    """The conversation alone, for whoever judges it otherwise than a run does."""
    own_seed = trial_seed(seed, scenario.name, trial)
    tape = Tape()
    stage: _Stage | None = None
    user: User | None = None
    manner = "modelled" if user_model is not None and not scenario.user.script else manner_of(scenario.user, trial)
    try:
        stage = await _watched_stage(scenario, make_toolbox, tape, own_seed, watch)
        user = user_for(scenario.user, seed=own_seed, manner=manner, model=user_model, tools=stage.users)
        ending = await _hold(user, stage, make_agent, own_seed, watch)
        changes = _changes(stage)
    except InvalidTrialError as error:
        ending, changes = Ending("simulator", clean(error.reason), error.blame), None
    trace = Trace(
        id=f"{scenario.name}#{trial}",
        events=tape.frozen(),
        tools=_as_observed(stage) if stage else (),
        policy=stage.policy if stage else scenario.policy,
        changes=changes,
        usage=tape.usage,
        origin=structs.replace(origin, scenario=scenario.name, seed=seed, trial=trial, user=manner),
        end=ending.end,
        error=ending.error,
    )
    return Held(
        scenario=scenario,
        trial=trial,
        seed=seed,
        trace=trace,
        blame=ending.blame,
        strained=bool(getattr(user, "strained", False)),
        stood_in=tuple(user.stood_in) if isinstance(user, ModelledUser) else (),
    )


def trial_seed(seed: int, scenario: str, trial: int) -> int:
    """One number from three, the same on every machine, and without likeness between neighbours."""
    text = f"{seed}\n{scenario}\n{trial}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest(), "big")


async def _watched_stage(
    scenario: Scenario, make_toolbox: MakeToolbox, tape: Tape, seed: int, watch: Watch
) -> "_Stage":
    """What makes the tools may be anybody's code, and never comes under the agent's name."""
    try:
        with watch.short(TOOL):
            return await _set_stage(scenario, make_toolbox, tape, seed, watch)
    except InvalidTrialError:
        raise
    except BaseException as error:
        if watch.spares(error):
            raise
        if watch.struck:
            because = f"The tools were not set up within {watch.timeout_s:g} seconds."
        else:
            because = f"The tools could not be set up: {told(error)}"
        raise InvalidTrialError("tool", because) from None
    finally:
        await watch.settle()


async def _set_stage(scenario: Scenario, make_toolbox: MakeToolbox, tape: Tape, seed: int, watch: Watch) -> _Stage:
    toolbox = make_toolbox(scenario.seed)
    stateful = cast("Stateful", toolbox) if _has_state(type(toolbox)) else None
    await set_scene(toolbox, scenario.given)
    limits = scenario.objective.limits if scenario.objective else Limits()
    offered = restricted(toolbox, scenario.tools) if scenario.tools else toolbox
    assembled = assemble(offered, tape=tape, faults=scenario.faults, seed=seed, limits=limits)
    return _Stage(
        tape=tape,
        tools=Attended(assembled, watch),
        offered=_as_shown(_encoder.encode(await assembled.tools())),
        policy=scenario.policy or policy_of(toolbox),
        limits=limits,
        stateful=stateful,
        before=stateful.snapshot() if stateful else None,
        users=users_tools(toolbox, tape) if uses_tools(scenario.user) else None,
    )


@lru_cache(maxsize=64)
def _as_shown(listed: bytes) -> tuple[Tool, ...]:
    """Tools for the trace: another copy than the agent's, who may edit its own; one for all trials with the same."""
    return _tools.decode(listed)


def _as_observed(stage: _Stage) -> tuple[Tool, ...]:
    """What was on offer. What a call is known to have done counts for more than what its tool's name makes of it."""
    if not isinstance(stage.stateful, Observant) or not (known := stage.stateful.observed()):
        return stage.offered
    return tuple(
        structs.replace(tool, effect=known[tool.name]) if tool.name in known else tool for tool in stage.offered
    )


def _changes(stage: _Stage) -> tuple[Change, ...] | None:
    if stage.stateful is None or stage.before is None:
        return None
    try:
        return difference(stage.before, stage.stateful.snapshot())
    except Exception as error:  # noqa: BLE001 - foreign code, where the toolbox is somebody's own
        raise InvalidTrialError("tool", f"What the tools have changed cannot be seen: {told(error)}") from None


def policy_of(toolbox: Toolbox) -> Policy | None:
    """What a Governed toolbox comes with. Asked of every trial's, so not by the slow check against the role."""
    policy: object = getattr(toolbox, "policy", None)
    return policy if isinstance(policy, Policy) else None


@cache
def _has_state(kind: type) -> bool:
    return issubclass(kind, Stateful)


async def _hold(user: User, stage: _Stage, make_agent: MakeAgent, seed: int, watch: Watch) -> Ending:
    """Let the user and the agent talk until one of them is done, or can't go on."""
    agent = await _made(make_agent, stage, seed, watch)
    if isinstance(agent, Ending):
        return agent
    try:
        return await _talked(user, agent, stage, watch)
    finally:
        await _closed(agent)


async def _talked(user: User, agent: Agent, stage: _Stage, watch: Watch) -> Ending:
    while True:
        said = await _said(user, stage.tape, watch)
        if said is None:
            return Ending("gave-up" if getattr(user, "gave_up", False) else "finished")
        if stage.tape.turns >= stage.limits.turns:
            return Ending("turns", str(BudgetSpentError("turns", stage.limits.turns)), "agent")
        stage.tape.append(Message(actor="user", role="user", text=said))
        ending = await _answered(agent, said, stage, watch)
        if ending is not None:
            return ending


async def _closed(agent: Agent) -> None:
    """End what one of our own ways to reach an agent has started: a process, a server."""
    close = getattr(agent, "close", None) if _is_ours(agent) else None
    if close is not None:
        await close()


def _is_ours(agent: Agent) -> bool:
    return not isinstance(agent, Calling) and type(agent).__module__.startswith("misstep.agents.")


async def _said(user: User, tape: Tape, watch: Watch) -> str | None:
    try:
        with watch.unhurried():
            return await user.say(tape.view)
    except InvalidTrialError:
        raise
    except Exception as error:
        raise InvalidTrialError("user-simulator", f"The simulated user broke: {told(error)}") from error


async def _made(make_agent: MakeAgent, stage: _Stage, seed: int, watch: Watch) -> Agent | Ending:
    """A fresh agent, or what its own code made of it instead."""
    try:
        with watch.short(AGENT):
            return make_agent(policy=stage.policy, tape=Pen(stage.tape), seed=seed)
    except BaseException as error:
        if watch.spares(error):
            raise
        return _hung(stage, watch) if watch.struck else _raised(error, stage, watch)
    finally:
        await watch.settle()


async def _answered(agent: Agent, said: str, stage: _Stage, watch: Watch) -> Ending | None:
    """The agent's turn; None where the conversation goes on."""
    try:
        with watch:
            # The role says text; what comes from other people's code may be anything.
            answer = cast("object", await agent.respond(said, stage.tools))
    except BaseException as error:
        if watch.spares(error):
            raise
        if isinstance(error, InvalidTrialError) and _is_ours(agent):
            _stopped(stage)
            raise  # The way to the agent broke, not the agent.
        over = watch.struck or isinstance(error, (Hung, TrialOver))
        return _stopped(stage) or (_hung(stage, watch, agent) if over else _raised(error, stage, watch))
    finally:
        await watch.settle()
    stopped = _stopped(stage)
    if not issubclass(type(answer), str):
        return stopped or Ending(
            "agent-nonsense", f"The agent answered with {type(answer).__name__}, which is no text.", "agent"
        )
    whole = str.__str__(cast("str", answer))  # a text of the agent's own kind may have methods of its own
    stage.tape.append(Message(actor="agent", role="agent", text=clean(whole[:LONGEST_TEXT])))
    return stopped or _nonsense(whole)


def _raised(error: BaseException, stage: _Stage, watch: Watch) -> Ending:
    try:
        with watch.short(AGENT):
            text = told(error)
    except Hung:  # even its text takes for ever
        text = type(error).__name__
    if is_out_of_reach(error) and not _was_refused(stage.tape):
        raise InvalidTrialError("infrastructure", f"The agent could not reach something that it needs: {text}")
    return Ending("agent-raised", text, "agent")


def _was_refused(tape: Tape) -> bool:
    """An agent may raise what a tool told it in its own words: that it is no match for it is its failure."""
    return any(isinstance(event, ToolResult) and event.is_error for event in tape.view)


def _nonsense(answer: str) -> Ending | None:
    if not answer.strip():
        return Ending("agent-nonsense", "The agent answered with an empty text.", "agent")
    if len(answer) > LONGEST_TEXT:
        text = f"The agent answered with {len(answer)} characters; the first {LONGEST_TEXT} are kept."
        return Ending("agent-nonsense", text, "agent")
    return None


def _stopped(stage: _Stage) -> Ending | None:
    """What ended the calls ends the conversation, whatever the agent made of it."""
    error = stage.tools.stopped
    if isinstance(error, InvalidTrialError):
        simulated = error.blame == "tool" and stage.stateful is not None
        raise InvalidTrialError("tool-simulator" if simulated else error.blame, error.reason)
    if error is not None:
        return Ending("calls" if error.what == "calls" else "seconds", str(error), "agent")
    return None


def _hung(stage: _Stage, watch: Watch, agent: Agent | None = None) -> Ending:
    if stage.tools.hung is not None:
        raise InvalidTrialError("tool", f"{stage.tools.hung} did not answer within {watch.timeout_s:g} seconds.")
    if isinstance(agent, ChatAgent) and agent.unheard:
        waited = f"The agent's model did not answer within {watch.timeout_s:g} seconds."
        raise InvalidTrialError("infrastructure", f"{waited} Is it running? A slow one needs more with --timeout.")
    return Ending("agent-hung", f"The agent did not answer within {watch.timeout_s:g} seconds.", "agent")
