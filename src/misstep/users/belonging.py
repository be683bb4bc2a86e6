"""A clause and the facts that it may ask for → whether what is asked for belongs to something else."""

import re
from collections.abc import Sequence

from misstep.core.words import STOPWORDS, stem, words
from misstep.users.ledger import Ledger
from misstep.users.nouns import core, ends_in_kind
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import Topic, meets, topic_of

_OWNED = re.compile(
    r"\b(?P<whose>(?!it|that|what|who|where|there|here|let|today)\w+)'s (?P<what>(?:[\w-]+ ?){1,3})", re.IGNORECASE
)
_NAME_OF = re.compile(
    r"\bnames? (?:is |are )?(?:of|on) (?:the |your |a |an )?(?P<whose>(?:[\w-]+ ?){1,3})", re.IGNORECASE
)
_NAME_OF_IT = re.compile(
    r"^(?!.*\byour?\b).*(?:\bnames? .*\b(?:it|she|he|they)(?:'s| is| are| was| goes?)\b|\bis (?:it|she|he) called\b)",
    re.IGNORECASE,
)
"""`the name under which she is registered`: not that of whom is spoken to."""
_OTHER = re.compile(r"\b(?:other|second|another|additional|next)\b", re.IGNORECASE)
_FOR_WHOM = re.compile(r"\bwho\b.*\bfor\W*$|\bfor whom\b", re.IGNORECASE)
_WHOSE = re.compile(r"\bwhose (?P<what>[\w-]+)", re.IGNORECASE)
_OF = re.compile(r"\bof\b", re.IGNORECASE)
_SORT = re.compile(r"\b(?:sort|type)s?\b(?= of\b)", re.IGNORECASE)
_SOURCE = re.compile(r"\b(?:from|by|through|via) (?:your|the) (?P<whose>(?:[\w-]+ ?){1,3})", re.IGNORECASE)
_ACRONYM = re.compile(r"\b[A-Z]{3,6}\b")


def of_another(part: str, chosen: Sequence[Entry], ledger: Ledger) -> bool:
    """`Recipient's phone number`, `the name of your landlord`: it belongs to something, and that decides.

    A fact that is only the owner is not meant, nor one of the kind whose owner nobody has named; nor is `IBAN` any
    number that goes by another name."""
    if owned := _OWNED.search(core(part)):
        titled = words(owned["what"])[:1] == ["name"] and not _OTHER.search(part)
        called = titled and any(_is_called(entry, owned["whose"]) for entry in chosen)
        if not called and not any(names(entry, owned["what"]) for entry in chosen):
            return True
        book = lexicon()
        bare = len(words(owned["what"])) == 1 and all(entry.kinds <= book.vague for entry in chosen)
        known = ledger.own_stems.union(book.things, book.kinds, book.roles, ("he", "she"))
        if bare and not called and not any(names(entry, owned["whose"]) for entry in chosen):
            return not any(meets(stem(owned["whose"].lower()), other) for other in known)
    if _is_name_of_another(part, chosen, ledger):
        return True
    coded = [word for word in _ACRONYM.findall(part) if stem(word.lower()) not in lexicon().idle]
    return any(not any(names(entry, word) for entry in chosen) for word in coded)


def _is_name_of_another(part: str, chosen: Sequence[Entry], ledger: Ledger) -> bool:
    named = _NAME_OF.search(part)
    if named is None or any(names(entry, named["whose"]) for entry in chosen):
        return False
    roots = set(topic_of(named["whose"]).loose) - lexicon().plain
    return any(not any(meets(root, other) for other in ledger.own_stems) for root in roots)


def is_whose(part: str, chosen: Sequence[Entry], ledger: Ledger) -> bool:
    """`whose desk`: of something that nobody has spoken of, and that the fact has nothing to do with."""
    owned = _WHOSE.search(part)
    if owned is not None and _is_name_of_another(part, chosen, ledger):
        return True
    if owned is None or any(names(entry, owned["what"]) for entry in chosen):
        return False
    if not topic_of(owned["what"]).things.isdisjoint(thing for entry in ledger.entries for thing in entry.things):
        return False  # `Whose order is it?`
    about = {stem(word) for word in words(owned["what"])}
    return not any(meets(root, other) for root in about for other in ledger.own_stems)


def names(entry: Entry, noun: str) -> bool:
    said = {stem(word) for word in words(noun) if word not in STOPWORDS}
    kinds = topic_of(noun).kinds.keys()
    return shares_a_word(entry, said) or bool(entry.kinds & kinds)


def shares_a_word(entry: Entry, said: set[str]) -> bool:
    return any(meets(root, other) for sense in entry.senses for root in sense.stems for other in said)


def _is_called(entry: Entry, owner: str) -> bool:
    """`the passenger's name`, asked of one who knows the passenger."""
    return shares_a_word(entry, {stem(owner.lower())}) and "proper" in entry.sorts and not entry.numbered


def _is_name_of_it(part: str, chosen: Sequence[Entry]) -> bool:
    """`What is it called?`, asked of one who knows only what they are called themselves."""
    return _NAME_OF_IT.search(part) is not None and any(words(entry.name) == ["name"] for entry in chosen)


def is_only_a_name(part: str, topic: Topic, chosen: Sequence[Entry], ledger: Ledger) -> bool:
    """`Who referred you?`: somebody's name answers only where a name is asked for, or whoever the fact is about."""
    if _is_name_of_it(part, chosen):
        return True
    if topic.own or ("name" in topic.kinds and not topic.hinted):
        return False
    said = {stem(word) for word in words(part)}
    if _FOR_WHOM.search(part) and not said.isdisjoint(ledger.own_stems):
        return False  # `Who is the prescription for?`
    named = [
        entry for entry in chosen if "name" in entry.kinds and "name" in (words(entry.name)[0], words(entry.name)[-1])
    ]
    return bool(named) and not any(shares_a_word(entry, said) for entry in named)


def is_other_noun(noun: str, part: str, entry: Entry) -> bool:
    """`the type of engine` is no `type of property`, and `the number from your school` is not the school."""
    kinds = topic_of(noun).kinds.keys()
    own, asked = (_OF.split(_SORT.sub("kind", text), maxsplit=1) for text in (entry.name, noun))
    if len(own) == len(asked) == 2:
        alike = [_share_a_word(mine, theirs) for mine, theirs in zip(own, asked, strict=True)]
        return any(alike) and not all(alike) and not entry.kinds & kinds
    source = _SOURCE.search(part)
    return (
        source is not None
        and ends_in_kind(noun)
        and not entry.kinds & kinds
        and not _share_a_word(entry.name, noun)
        and _share_a_word(entry.name, source["whose"])
    )


def _share_a_word(one: str, other: str) -> bool:
    theirs = [stem(word) for word in words(other) if word not in STOPWORDS]
    return any(meets(stem(word), root) for word in words(one) if word not in STOPWORDS for root in theirs)


def own_name(topic: Topic, ledger: Ledger) -> Entry | None:
    """`your full name`, asked of one who knows a member name: what the person is called in the matter at hand."""
    if not topic.own or "name" not in topic.kinds or topic.loose:
        return None
    titled = [words(entry.name) for entry in ledger.entries]
    roles = [each for each in titled if len(each) == 2 and each[1] == "name" and stem(each[0]) in lexicon().roles]
    found = [entry for entry in ledger.entries if words(entry.name) in roles and entry.fact.reveal != "never"]
    plainly = any(each == ["name"] for each in titled)
    return found[0] if len(found) == 1 and not plainly else None
