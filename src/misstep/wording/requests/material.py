"""An Act made ready to be said: its deed, and each fact that is to be told with its mark, its form and its kind."""

import re
from collections.abc import Collection, Sequence
from random import Random

from msgspec import Struct, structs

from misstep.core.words import sentences, stem, words
from misstep.wording.requests.act import Act, Saying
from misstep.wording.requests.deeds import Deed, deed_of
from misstep.wording.requests.descriptions import first_words, hanging, owner_in, preposition_before
from misstep.wording.requests.forms import (
    Kind,
    Written,
    is_of_speaker,
    kind_named,
    kind_of,
    noun_of,
    spoken_name,
    written,
)
from misstep.wording.requests.inflection import is_plural, plural, singular
from misstep.wording.requests.synonyms import meaning_of

FIRST_MARK = 0xE000
"""Facts stand for single characters of the private range until a text is finished, so that nothing can touch them."""
MOST_FACTS = 6000

_AMOUNTS = frozenset({"amount", "highest"})
_NAMES_OBJECT = frozenset({"title", "number", "query"})
ABOUT_PEOPLE = frozenset({"email", "phone", "postcode", "city", "street", "name"})
DAYS = frozenset({"date", "new_date", "time", "new_time", "start", "end"})
_TWO_THINGS = re.compile(r"\b(?:to|of|from|into|for|about)\s+(?:an?|the|another)\s+\w", re.IGNORECASE)
_ON_DISK = frozenset("file document folder directory image script path".split())
_ON_OR_OFF = re.compile(r"\bon(?: or |/)off\b", re.IGNORECASE)
_ON = {"on": True, "off": False, "enabled": True, "switched on": True, "turned on": True}
_FOLDERS = frozenset("folder directory".split())


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
        head = _head(self.deed.noun)
        if head in map(_head, self.act.there) and head not in map(_head, self.act.new):
            return False
        if self.deed.makes or self.deed.reads or any(_tells_which(each, head) for each in self.act.sayings):
            return self.deed.makes
        finding = [saying for saying in self.act.sayings if saying.role != "content"]
        if head in map(_head, self.act.new):
            return True
        if not self.deed.indefinite:
            return False
        return len(finding) < len(self.act.sayings) and all(_is_of_another(each, self.deed.noun) for each in finding)

    @property
    def thing(self) -> str:
        """What the deed is done to, in the singular; in the plural where all of them are meant."""
        return self.in_number(self.deed.noun)

    def in_number(self, noun: str) -> str:
        """In the plural where all of them are meant."""
        one = singular(noun)
        return plural(one) if one and self.act.several and self.object_key is None else one

    @property
    def object_key(self) -> Spoken | None:
        """The fact that says which thing the deed is done to."""
        return self.key_of(self.deed.noun)

    def key_of(self, noun: str) -> Spoken | None:
        """The fact that says which thing of a kind is meant."""
        keys = [each for each in self.told if each.saying.role == "key" and each.inline]
        head = _head(noun)
        named = (each for each in keys if head in (_head(each.noun), _head(each.name) if each.code else ""))
        bare = (each for each in keys if not each.noun and _names_object(each, self.deed, self.act.description))
        return next(named, None) or next(bare, None) if head else None

    @property
    def contents(self) -> tuple[Spoken, ...]:
        return tuple(each for each in self.told if each.saying.role == "content")


def material_of(act: Act, tell: Collection[str], random: Random) -> Material:
    """Choose a form for each saying that is to be told."""
    told: list[Spoken] = []
    own = _is_own(act)
    act = _with_owner_named(act, _deed(act, own))
    for saying in act.sayings:
        if saying.name in tell and len(told) < MOST_FACTS:
            form = written(saying, amount=kind_of(saying) in _AMOUNTS, random=random)
            kind, name = _known_as(saying, act, own)
            told.append(Spoken(saying, chr(FIRST_MARK + len(told)), form, kind, name, noun_of(saying)))
    return _of_all(Material(act, _switched(_deed(act, own), act, told), tuple(told), own, random))


def _of_all(material: Material) -> Material:
    """With the thing in the plural, where all of them are meant and none is told by its number."""
    noun = material.deed.noun
    if not material.act.several or not noun or is_plural(noun) or material.makes or material.object_key is not None:
        return material
    return structs.replace(material, deed=structs.replace(material.deed, noun=plural(noun)))


def _with_owner_named(act: Act, deed: Deed) -> Act:
    """The id of the person in `Change the email of a person` says whose it is, also where nothing has shown that."""
    owner = _head(owner_in(first_words(act.description)))
    if not owner or deed.meaning is None or deed.meaning is not meaning_of("update"):
        return act
    sayings = tuple(
        structs.replace(each, role="key") if each.role == "content" and _head(noun_of(each)) == owner else each
        for each in act.sayings
    )
    return structs.replace(act, sayings=sayings) if any(each.role == "content" for each in sayings) else act


def _switched(deed: Deed, act: Act, told: Sequence[Spoken]) -> Deed:
    """`turn the lamp on`, where that is told; else `turn the lamp on or off`, as the description says."""
    deed = _put_into(deed, act)
    if deed.link == "whether":
        return _marked(deed, act, told)
    if not _ON_OR_OFF.search((sentences(act.description) or [""])[0]) or deed.reads or deed.link:
        return deed
    state = next((each.saying for each in told if each.name in _ON and isinstance(each.saying.value, bool)), None)
    tail = "on or off" if state is None else "on" if state.value == _ON[spoken_name(state.name)] else "off"
    return structs.replace(deed, tail=tail, fixed=True)


def _put_into(deed: Deed, act: Act) -> Deed:
    """`Put an account on stop or lift it`, where a flag of that name says which: whether the account is on stop."""
    flags = [each for each in act.sayings if each.role == "content" and isinstance(each.value, bool)]
    found = hanging(first_words(act.description))
    if len(flags) != 1 or found is None or found[1] != spoken_name(flags[0].name).removeprefix("new "):
        return deed
    return structs.replace(deed, verb="set", noun=found[0], link="whether", tail=f"is {found[1]}", fixed=True)


def _marked(deed: Deed, act: Act, told: Sequence[Spoken]) -> Deed:
    """`mark the lamp as on loan`, where it is told; else `set whether the lamp is on loan`."""
    flags = [saying for saying in act.sayings if saying.role == "content" and isinstance(saying.value, bool)]
    if len(flags) != 1 or flags[0] not in [each.saying for each in told]:
        return deed
    so = deed.tail.partition(" ")[2]
    return structs.replace(deed, verb="mark", link="", tail=f"as {so}" if flags[0].value else f"as not {so}")


def _deed(act: Act, own: bool) -> Deed:
    """What the tool does, read with what it is told in mind. Nobody wants their account checked in."""
    keys = (noun_of(saying) for saying in act.sayings if saying.role == "key")
    given = next((noun for noun in keys if noun and not is_of_speaker(noun)), "")
    names = {word for saying in act.sayings for word in words(f"{spoken_name(saying.name)} {saying.argument}")}
    on_disk = _ON_DISK if any(kind_of(saying) == "path" for saying in act.sayings) else frozenset[str]()
    deed = deed_of(act.tool, act.description, given, frozenset(names) | on_disk)
    if act.writes and deed.reads:  # `open_account`: no other word for looking is one for this
        deed = structs.replace(deed, reads=False, fixed=True)
    if deed.verb in ("move", "shift") and any(kind_of(each) in DAYS for each in act.sayings if each.role == "content"):
        deed = structs.replace(deed, sense="reschedule")
    speaks_of_self = deed.fixed and deed.link and own and is_of_speaker(deed.noun)
    return structs.replace(deed, noun=given, indefinite=False) if speaks_of_self else deed


def _known_as(saying: Saying, act: Act, own: bool) -> tuple[str, str]:
    """A saying's kind and name; of several of one kind each has to be told by its name, or they get mixed up."""
    kind, name = kind_of(saying), spoken_name(saying.name)
    if saying.role == "content" and (led := _led(kind, name, act)):
        return led, name
    if kind == "lasting":
        return kind, name.removeprefix("new ")
    if kind == "joined" and not own:
        return "happened", name
    if kind in DAYS and [kind_of(each) for each in act.sayings].count(kind) > 1:
        return "other_content" if saying.role == "content" else "other", name
    if (
        kind not in ABOUT_PEOPLE | {"colour", "size", "title"}
        or [kind_of(each) for each in act.sayings].count(kind) < 2
    ):
        return kind, name
    if saying.role == "content":
        return "other_content", f"new {name.removeprefix('new ')}"
    if own and kind in ABOUT_PEOPLE and name.startswith("other "):
        return "other", f"{name.removeprefix('other ')} on my account"
    replaced = any(each.role == "content" and kind_of(each) == kind for each in act.sayings)
    return "other", f"current {name}" if replaced and not name.startswith("other ") else name


def _led(kind: str, name: str, act: Act) -> str:
    """The kind of a place that something goes to and of a day until which it lasts, as far as the tool says so."""
    if kind == "place" and preposition_before(name, act.description) in ("to", "into"):
        return "going_to"
    days = [each for each in act.sayings if kind_of(each) in DAYS]
    lasts_longer = meaning_of(deed_of(act.tool, act.description).verb) is meaning_of("extend")
    return "new_until" if kind == "new_date" and len(days) == 1 and lasts_longer else ""


def _tells_which(saying: Saying, head: str) -> bool:
    """Whether it names the thing itself: `band` or `band number` of a band."""
    return bool(head) and head in (_head(noun_of(saying)), _head(spoken_name(saying.name)))


def _is_of_another(saying: Saying, noun: str) -> bool:
    """A key that finds another thing than the noun: `append a line` is told the path of a file."""
    found = noun_of(saying)
    return _head(found) != _head(noun) if found else kind_of(saying) == "path" and _head(noun) not in _ON_DISK


def _names_object(spoken: Spoken, deed: Deed, description: str) -> bool:
    if spoken.kind == "path":
        noun = singular(deed.noun.rpartition(" ")[2])
        # Where it lies says nothing of which one it is.
        return noun in _ON_DISK and (spoken.name.rpartition(" ")[2] in _FOLDERS) == (noun in _FOLDERS)
    if spoken.kind == "title" and _TWO_THINGS.search((sentences(description) or [""])[0]):
        return False
    return spoken.kind in _NAMES_OBJECT


def _is_own(act: Act) -> bool:
    said = [act.description, *(name for saying in act.sayings for name in (saying.name, saying.argument))]
    return any(is_of_speaker(singular(word.removesuffix("'s"))) for text in said for word in words(text))


def _head(noun: str) -> str:
    return stem(singular(noun.rpartition(" ")[2].lower())) if noun else ""


def head_stem(noun: str) -> str:
    """The stem of a noun's last word: what tells whether two speak of one thing."""
    return _head(noun)
