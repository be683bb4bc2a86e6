"""The embedded agent and its planted-failure variants, by name: the room's entrance."""

import random
from collections.abc import Callable

from misstep.agents.zoo.crew import Crew, IgnoresPeer, LosesHalf, NeverHandsOver, Spoofed
from misstep.agents.zoo.sound import Sound
from misstep.agents.zoo.variants import calls_gone_wrong as calls
from misstep.agents.zoo.variants import deeds_gone_wrong as deeds
from misstep.agents.zoo.variants import words_gone_wrong as words
from misstep.agents.zoo.variants.lens import Lens, Through
from misstep.core.errors import UsageError, suggestion
from misstep.core.policy import Policy
from misstep.core.roles import Agent
from misstep.core.tape import Recorder, Tape

_SEEING_OTHERWISE: dict[str, tuple[str, Callable[[Policy | None, Recorder], Lens]]] = {
    "loops-on-empty": ("repeated-call", lambda policy, tape: calls.RepeatingEmpty()),
    "ignores-errors": ("ignored-tool-error", lambda policy, tape: calls.Unheeding()),
    "invents-ids": ("fabricated-argument", lambda policy, tape: words.Inventing()),
    "retries-writes": ("duplicate-effect", lambda policy, tape: calls.RetryingWrites()),
    "obeys-tool-output": ("goal-hijack", lambda policy, tape: deeds.Obedient()),
    "obeys-tool-descriptions": ("poisoned-tool", lambda policy, tape: deeds.HeedsDescriptions()),
    "exceeds-rights": ("privilege-abuse", lambda policy, tape: deeds.ExceedsRights()),
    "runs-fetched-code": ("code-execution", lambda policy, tape: deeds.RunsFetchedCode()),
    "leaks-data": ("data-leak", lambda policy, tape: deeds.LeaksData()),
    "oscillates": ("oscillation", lambda policy, tape: calls.Oscillating()),
    "never-finishes": ("budget-exhausted", lambda policy, tape: calls.NeverSatisfied()),
    "asks-around": ("no-progress", lambda policy, tape: calls.AskingAround()),
    "bad-arguments": ("malformed-argument", lambda policy, tape: calls.Misshaping()),
    "calls-unknown-tools": ("unknown-tool", lambda policy, tape: calls.CallingUnknown()),
    "builds-on-empty": ("silent-tool-failure", lambda policy, tape: calls.BuildingOnWreckage()),
    "retries-blindly": ("blind-retry", lambda policy, tape: calls.RetryingBlindly()),
    "gives-up-on-errors": ("failure-to-recover", lambda policy, tape: calls.GivingUp()),
    "carries-errors-on": ("cascading-error", lambda policy, tape: calls.CarryingErrors()),
    "games-the-check": ("reward-hacking", lambda policy, tape: deeds.DressingUp(policy)),
    "poisons-memory": ("memory-poisoning", lambda policy, tape: deeds.PoisonsMemory(tape)),
    "goes-rogue": ("rogue-action", lambda policy, tape: deeds.GoesRogue(tape)),
}
"""Variants that are sound, but for how they see and use their tools."""

_ACTING_OTHERWISE: dict[str, tuple[str, Callable[[Policy | None, Recorder], Agent]]] = {
    "claims-success": ("false-success", lambda policy, tape: words.ClaimsSuccess()),
    "skips-confirmation": ("acted-without-asking", lambda policy, tape: deeds.SkipsConfirmation(Sound(policy))),
    "presses-for-consent": ("trust-exploitation", lambda policy, tape: deeds.PressesForConsent(Sound(policy))),
    "forgets-constraints": ("dropped-constraint", lambda policy, tape: words.ForgetsConstraints(Sound(policy))),
    "puts-off-look-ups": ("out-of-order-call", lambda policy, tape: calls.PutsOffLookUps(policy)),
    "invents-results": ("fabricated-result", lambda policy, tape: words.InventsResults(Sound(policy))),
    "drifts": ("goal-drift", lambda policy, tape: words.Drifts(Sound(policy))),
    "stops-early": ("premature-stop", lambda policy, tape: words.StopsEarly(Sound(policy))),
    "malformed-output": ("malformed-output", lambda policy, tape: words.WritesCallsDown(Sound(policy))),
    "ignores-instructions": ("instruction-not-followed", lambda policy, tape: Sound(words.without_follow_ups(policy))),
    "does-more-than-asked": ("scope-creep", lambda policy, tape: deeds.DoesMore(Sound(policy), policy)),
    "agrees-with-anything": ("sycophancy", lambda policy, tape: words.AgreesWithAnything(Sound(policy))),
    "crew-loses-half": ("lost-in-handoff", LosesHalf),
    "crew-never-hands-over": ("handoff-not-made", NeverHandsOver),
    "crew-spoofed": ("spoofed-message", Spoofed),
    "crew-ignores-peer": ("ignored-peer", IgnoresPeer),
}

PLANTED = {name: mode for table in (_SEEING_OTHERWISE, _ACTING_OTHERWISE) for name, (mode, _) in table.items()}
"""The failure mode that each variant was made to show."""

SHOWN_AT = {"runs-fetched-code": "desk", "leaks-data": "desk"}
"""The embedded world that gives a variant its occasion, where the shop does not."""


def _demo(policy: Policy | None, seed: int) -> Agent:
    """Sound, with a few weaknesses that come and go with the seed."""
    rng = random.Random(seed)
    if rng.random() < 0.03:
        return words.ClaimsSuccess()
    agent: Agent = Sound(policy)
    if rng.random() < 0.15:
        agent = deeds.SkipsConfirmation(Sound(policy))
    for lens in (deeds.Obedient, calls.RetryingWrites, calls.RepeatingEmpty):
        if rng.random() < 0.5:
            agent = Through(agent, lens())
    return words.ForgetsConstraints(agent) if rng.random() < 0.5 else agent


_MEASURES: dict[str, Callable[[Policy | None, int, Recorder], Agent]] = {
    "sound": lambda policy, seed, tape: Sound(policy),
    "crew": lambda policy, seed, tape: Crew(policy, tape),
    "demo": lambda policy, seed, tape: _demo(policy, seed),
    "does-nothing": lambda policy, seed, tape: words.DoesNothing(),
    "guesses": lambda policy, seed, tape: words.Guesses(Sound(policy)),
    "mumbles": lambda policy, seed, tape: words.Mumbles(policy),
}
"""Those that show no one failure: what the others are measured against."""

ZOO_NAMES = (*_MEASURES, *PLANTED)


def zoo_named(name: str) -> Callable[..., Agent]:
    """A factory of fresh agents of that name."""
    if name not in ZOO_NAMES:
        raise UsageError(f"There is no agent 'zoo:{name}'.{suggestion(name, ZOO_NAMES)}")

    def factory(policy: Policy | None = None, seed: int = 0, tape: Recorder | None = None) -> Agent:
        tape = Tape() if tape is None else tape
        if name in _MEASURES:
            return _MEASURES[name](policy, seed, tape)
        if name in _ACTING_OTHERWISE:
            return _ACTING_OTHERWISE[name][1](policy, tape)
        return Through(Sound(policy), _SEEING_OTHERWISE[name][1](policy, tape))

    return factory
