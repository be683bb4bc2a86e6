"""A Policy: the rules an agent works under, as prose for reading and as rules for checking."""

from typing import Literal

from msgspec import Struct

from misstep.core.tool import JSON, Effect

RuleKind = Literal["requires", "confirm", "only-if", "within", "once", "same", "forbids", "afterwards"]


class Rule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule, about certain tools or about every tool with certain effects.

    What `parameters` holds depends on the kind:

    - requires: `tool`, which must have succeeded earlier; `same`, argument names that must be equal in both calls.
    - confirm: nothing; the user must have agreed to this very act.
    - only-if: `record`, `field`, `values`: the named field of the record must have one of the values.
    - within: `record`, `field`, `days`: no more than so many days after that date.
    - once: `per`: at most one success for each value of that argument.
    - same: `argument`, `record`, `field`: the argument must equal that field.
    - forbids: nothing; never to be called.
    - afterwards: `tool`, which is to be called after a success, unless the user declined.
    """

    id: str
    kind: RuleKind
    text: str
    tools: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    parameters: dict[str, JSON] = {}

    def covers(self, tool: str, effect: Effect) -> bool:
        return tool in self.tools or effect in self.effects


class Policy(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an agent must and must not do."""

    text: str = ""
    rules: tuple[Rule, ...] = ()

    def of_kind(self, kind: RuleKind, tool: str, effect: Effect) -> tuple[Rule, ...]:
        """The rules of one kind that apply to a tool."""
        return tuple(rule for rule in self.rules if rule.kind == kind and rule.covers(tool, effect))
