"""Options that a person takes → what is said, and what is known from then on."""

from collections.abc import Sequence

from misstep.users.contradicting import Pick
from misstep.users.moves import Move
from misstep.users.speaking import Speaker
from misstep.wording.options import Option
from misstep.wording.values import spot


class Picker:
    """What one person has chosen so far."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self.picks: list[Pick] = []

    def one(self, chosen: Option, options: Sequence[Option]) -> Move:
        text, named = self._speaker.option(chosen, options)
        self._keep((chosen,), options, named)
        return Move(f"picks {chosen.at}", text)

    def together(self, chosen: Sequence[Option], options: Sequence[Option]) -> Move:
        text, named = self._speaker.options(chosen, options)
        self._keep(chosen, options, named)
        return Move(f"picks {[option.at for option in chosen]}", text)

    def _keep(self, chosen: Sequence[Option], options: Sequence[Option], named: str) -> None:
        whole = spot(" ".join(option.text for option in chosen))
        others = spot(" ".join(option.text for option in options if option.at not in {each.at for each in chosen}))
        self._speaker.compare(whole)
        self.picks.append(Pick(whole, others, named))
