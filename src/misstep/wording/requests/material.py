"""An Act made ready to be said: its deed, and each fact that is to be told with its mark, its form and its kind."""

from collections.abc import Collection
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.words import stem, words
from misstep.wording.requests.act import Act, Saying
from misstep.wording.requests.deeds import Deed, deed_of
from misstep.wording.requests.forms import Written, spoken_name, written
from misstep.wording.requests.inflection import singular
from misstep.wording.requests.slots import Kind, is_of_speaker, kind_named, kind_of, noun_of

FIRST_MARK = 0xE000
"""Facts stand for single characters of the private range until a text is finished, so that nothing can touch them."""
MOST_FACTS = 6000

_AMOUNTS = frozenset({"amount", "highest"})
_NAMES_OBJECT = frozenset({"title", "number", "query"})
_ON_DISK = frozenset("file document folder directory image script path".split())


class Spoken(Struct, frozen=True):
    """A saying that is to be told."""

    saying: Saying
    mark: str
    form: Written
    kind: str
    name: str
    noun: str
    """What it identifies: `order`."""

    @property
    def frames(self) -> Kind:
        return kind_named(self.kind)

    @property
    def inline(self) -> bool:
        """Whether it can stand in the middle of a sentence with its name."""
        return self.form.standing == "value" and "\n" not in self.form.text and len(self.form.text) <= 60

    @property
    def code(self) -> bool:
        """Whether people would take it for a reference without being told what it is."""
        text = self.form.text
        return " " not in text and any(each.isdigit() for each in text) and any(each.isalpha() for each in text)


class Material(Struct, frozen=True):
    """All that a request is made from."""

    act: Act
    deed: Deed
    told: tuple[Spoken, ...]
    mine: bool
    """Whether the speaker speaks of their own things."""
    random: Random

    @property
    def makes(self) -> bool:
        """Whether what the deed is done to is new: its verb says so, or nothing that can be said tells which one."""
        if self.deed.makes or not self.deed.indefinite or self.deed.reads:
            return self.deed.makes
        head = _head(self.deed.noun)
        return not any(
            saying.role != "content" and (_head(noun_of(saying)) == head or saying.role == "mark")
            for saying in self.act.sayings
        ) and any(saying.role == "content" for saying in self.act.sayings)

    @property
    def object_key(self) -> Spoken | None:
        """The fact that says which thing the deed is done to."""
        keys = [each for each in self.told if each.saying.role == "key" and each.inline]
        head = _head(self.deed.noun)
        named = (each for each in keys if each.noun and _head(each.noun) == head)
        bare = (each for each in keys if not each.noun and _names_object(each, self.deed.noun))
        return next(named, None) or next(bare, None) if head else None

    @property
    def contents(self) -> tuple[Spoken, ...]:
        return tuple(each for each in self.told if each.saying.role == "content")


def material_of(act: Act, tell: Collection[str], random: Random) -> Material:
    """Choose a form for each saying that is to be told."""
    told: list[Spoken] = []
    for saying in act.sayings:
        if saying.name in tell and len(told) < MOST_FACTS:
            kind = kind_of(saying)
            form = written(saying, amount=kind in _AMOUNTS, random=random)
            mark = chr(FIRST_MARK + len(told))
            told.append(Spoken(saying, mark, form, kind, spoken_name(saying.name), noun_of(saying)))
    return Material(act, deed_of(act.tool, act.description), tuple(told), _is_own(act), random)


def _names_object(spoken: Spoken, noun: str) -> bool:
    if spoken.kind == "path":
        return singular(noun.rpartition(" ")[2]) in _ON_DISK
    return spoken.kind in _NAMES_OBJECT


def _is_own(act: Act) -> bool:
    said = [act.description, *(name for saying in act.sayings for name in (saying.name, saying.argument))]
    return any(is_of_speaker(singular(word.removesuffix("'s"))) for text in said for word in words(text))


def _head(noun: str) -> str:
    return stem(singular(noun.rpartition(" ")[2].lower())) if noun else ""


def head_stem(noun: str) -> str:
    """The stem of a noun's last word: what tells whether two speak of one thing."""
    return _head(noun)


def same_value(one: Scalar, other: Scalar) -> bool:
    """Equal as people write them."""
    return str(one).strip().lower() == str(other).strip().lower()
