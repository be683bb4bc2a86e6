"""Something to agree to → what the person objects to in it, if anything."""

import re
from collections.abc import Collection, Sequence

from misstep.core.words import content_stems, sentences, stem, words
from misstep.users.claims import counter_offer, slip
from misstep.users.contradicting import Objection, Pick, contradiction, wrong_member
from misstep.users.hinting import reports_an_act
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry, said
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import is_span
from misstep.wording.topics import actions_in
from misstep.wording.understanding import Ask, Confirm, Reading
from misstep.wording.values import form, holds, spot

_NEGATED = re.compile(r"\b(?:don't|do not|no longer|not|never)\s+(?:want|need|wish|like)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:no|not|without|never|instead of|rather than)\b", re.IGNORECASE)
_NOTHING_SAID = """go ahead proceed continue like want need wish correct right fine confirm sure instead first now
    help accept agree prefer"""
_EMPTY = frozenset(stem(word) for word in _NOTHING_SAID.split())
_UNDOES = frozenset(("cancel", "delete", "refund", "return", "pause", "block"))
_BUILDS = frozenset(("change", "create", "book", "exchange"))
_REPLACES = re.compile(r"\b(?:instead of|rather than|in place of) (?P<what>[^.,;?!]{1,40})", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:to|for|from|with|at|by|under)\s*\?$", re.IGNORECASE)
"""`Deliver to?` asks for the rest of it."""
_REACH = 4
_SHORT = 4


def objection(confirm: Confirm, ledger: Ledger, picks: Sequence[Pick] = ()) -> Objection | None:
    """The first thing that speaks against a yes."""
    if turned_down(confirm.text, ledger) or _in_place_of(confirm.text, ledger):
        return Objection("declined")
    if (misspoken := _as_first_said(confirm.text, ledger)) is not None:
        return Objection("wrong", misspoken)
    if (refused := counter_offer(confirm.text, confirm.sentence, ledger)) is not None:
        return Objection("declined", refused)
    if (wrong := contradiction(confirm.text, ledger, picks)) is not None:
        return wrong if wrong.kind == "other" else _weighed(wrong, confirm, ledger)
    slipped, act = slip(confirm.text, ledger), _other_act(confirm, ledger)
    if slipped is None or (act is not None and act.kind != "unclear" and not slipped.sure):
        # what is surely not wanted comes before what is only doubted
        return act if act is None else _weighed(act, confirm, ledger)
    return _weighed(Objection("wrong" if slipped.sure else "doubtful", slipped.entry), confirm, ledger)


def _weighed(against: Objection, confirm: Confirm, ledger: Ledger) -> Objection:
    """A flat no needs a value that can be compared, or an act that undoes; what may be said otherwise is doubted."""
    named = proposed(confirm).difference(*(actions_in(entry.value) for entry in ledger.entries))
    if against.kind == "other" and not named & _UNDOES and _shows_a_value(confirm.text, ledger):
        return Objection("unclear")
    if against.kind == "wrong" and against.entry is not None and not _is_comparable(against.entry):
        return Objection("doubtful", against.entry)
    return against


def _is_comparable(entry: Entry) -> bool:
    """A literal, a name or a member of a closed set; `two adults and three children` can be said in many ways."""
    said = words(entry.value)
    listed = any(stem(word) in lexicon().values for word in said)
    return not entry.value.islower() or bool(entry.atoms) or listed or len(said) == 1 or is_span(entry.value)


def supported(confirm: Confirm, ledger: Ledger) -> bool:
    """A yes needs an act, a word or a value of the person's in what is proposed, or a question that names nothing."""
    said = set(content_stems(confirm.text)) - _EMPTY - lexicon().assent
    if not said or _shows_a_value(confirm.text, ledger) or actions_in(confirm.text) & ledger.actions:
        return True
    return not _is_foreign(confirm, ledger)


def is_idle(confirm: Confirm, ledger: Ledger) -> bool:
    """`Changing plans, are we?`: a question that puts nothing forward and shows no value."""
    return not cues().proposal.search(confirm.sentence) and not _shows_a_value(confirm.text, ledger)


def sums_up(ask: Ask, ledger: Ledger) -> bool:
    """`TT-904, amber. Defrock?`: values before a few words that ask for none."""
    seen = spot(ask.before)
    shown = sum(any(holds(seen, each) for each in entry.forms) for entry in ledger.entries)
    wished = not ledger.wants.isdisjoint(content_stems(ask.text)) or bool(actions_in(ask.text) & ledger.actions)
    if _OPEN.search(ask.text):
        return False
    return len(ask.text.split()) <= _SHORT and (shown > 1 or (shown == 1 and wished))


def presupposed(ask: Ask, entries: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """`Was it not five packets?`: the fact that is asked for, with another value in the question itself."""
    if len(ask.parts) > 1:
        return None
    text = f"{ask.before} {ask.text}" if cues().pronoun.search(ask.text) else ask.text
    against = objection(Confirm(ask.text, text), ledger)
    return against.entry if against is not None and against.entry in entries else None


def doubted(reading: Reading, ledger: Ledger, picks: Sequence[Pick]) -> Objection | None:
    """`… on 20 March. Do you concur?`: what went before a question for yes or no that is not understood by itself."""
    for ask in reading.asks:
        against = objection(Confirm(ask.text, reading.text), ledger, picks) if ask.polar else None
        if against is not None and against.entry is not None:
            return Objection("doubtful", against.entry)
    return None


def statement_objection(text: str, ledger: Ledger) -> Objection | None:
    """What speaks against something that is put forward without a question."""
    if cues().offers_to.search(text) is None:
        return None
    if (turned_down(text, ledger) and not cues().either.search(text)) or _in_place_of(text, ledger):
        return Objection("declined")
    refused = counter_offer(text, "", ledger)
    return None if refused is None else Objection("declined", refused)


def _as_first_said(text: str, ledger: Ledger) -> Entry | None:
    """A fact in the form in which the person told it by mistake."""
    seen = spot(text)
    for entry in ledger.entries:
        first = entry.fact.at_first
        if first is None or any(holds(seen, each) for each in entry.forms):
            continue
        if holds(seen, form(said(first))):
            return entry
    return None


def misreport(sentence: str, ledger: Ledger, picks: Sequence[Pick] = ()) -> Objection | None:
    """The fact that a report gets wrong."""
    if (misspoken := _as_first_said(sentence, ledger)) is not None:
        return Objection("wrong", misspoken)
    wrong = contradiction(sentence, ledger, picks)
    if wrong is not None:
        return wrong if wrong.kind == "wrong" else None
    slipped = slip(sentence, ledger, reported=True)
    return Objection("wrong" if slipped.sure else "doubtful", slipped.entry) if slipped else None


def misreported(
    stated: Sequence[str], ledger: Ledger, picks: Sequence[Pick], corrected: Collection[str]
) -> Objection | None:
    """The first fact that a report gets wrong and that was not put right before."""
    told = [each for each in stated if not cues().refusal.search(each)]
    settled = [reports_an_act(each, ledger) for each in told]
    for sentence, reports_it in zip(told, settled, strict=True) if any(settled) else ():
        member = None if reports_it else wrong_member(sentence, ledger)
        against = misreport(sentence, ledger, picks) if reports_it else Objection("wrong", member) if member else None
        if against is None or against.entry is None or against.entry.name in corrected:
            continue
        if "code" in against.entry.sorts and cues().arrived.search(sentence):
            continue  # what is on its way may have a number of its own
        return against
    return None


def turned_down(text: str, ledger: Ledger) -> bool:
    """Something that the person does not want is spoken of, and not ruled out."""
    for sentence in sentences(text) if ledger.declines else ():
        said = frozenset(stem(lexicon().irregular.get(word, word)) for word in words(sentence))
        if any(turned and turned <= said and not _ruled_out(turned, sentence) for turned in ledger.declines):
            return True
    return False


def is_declined_offer(ask: Ask, ledger: Ledger) -> bool:
    """`I could put it through as unpaid leave?`: an offer in the dress of a question."""
    return not cues().wh.search(ask.text) and not ask.either and turned_down(ask.text, ledger)


def _in_place_of(text: str, ledger: Ledger) -> bool:
    """`a voucher instead of a new kettle`, said to one who wants the kettle."""
    for found in _REPLACES.finditer(text):
        said = frozenset(content_stems(found["what"]))
        if not said.isdisjoint(ledger.wants) or _shows_a_value(found["what"], ledger):
            return True
    return False


def _ruled_out(turned: frozenset[str], sentence: str) -> bool:
    """A `not` or a `without` stands a few words before what is turned down."""
    listed = words(sentence)
    first = next((at for at, word in enumerate(listed) if stem(word) in turned), 0)
    return bool(_WITHOUT.search(" ".join(listed[max(0, first - _REACH) : first])))


def _other_act(confirm: Confirm, ledger: Ledger) -> Objection | None:
    named = proposed(confirm)
    if confirm.offer and cues().besides.search(confirm.sentence) and not _asked_for(confirm, ledger):
        return Objection("declined")
    if _NEGATED.search(confirm.sentence) and named & ledger.actions:
        return Objection("other")
    if confirm.instead and not _shows_a_value(confirm.text, ledger) and not named:
        return Objection("declined")
    if named & _UNDOES and not ledger.actions and not _asked_for(confirm, ledger):
        return Objection("other")
    if named and ledger.actions:
        goes_with = lexicon().goes_with
        fine = ledger.actions if _UNDOES & ledger.actions else ledger.actions | _BUILDS
        if not confirm.instead:
            fine = fine.union(*(goes_with[action] for action in ledger.actions))
        if named & fine or _asked_for(confirm, ledger):
            return None
        added = cues().besides.search(confirm.text)
        if added or confirm.offer or confirm.instead or _UNDOES & named or _UNDOES & ledger.actions:
            return Objection("other")
        return None if _shows_a_value(confirm.text, ledger) else Objection("unclear")
    if not _bare(confirm.sentence) and _is_foreign(confirm, ledger):
        return Objection("declined" if confirm.offer or confirm.instead else "unclear")
    return None


def _shows_a_value(sentence: str, ledger: Ledger) -> bool:
    seen = spot(sentence)
    return any(holds(seen, each) for entry in ledger.entries for each in entry.forms)


def _asked_for(confirm: Confirm, ledger: Ledger) -> bool:
    said = set(content_stems(confirm.sentence))
    goals = (set(content_stems(goal.ask)) - _EMPTY for goal in ledger.person.goals)
    return any(len(goal & said) >= min(2, len(goal)) for goal in goals)


def _is_foreign(confirm: Confirm, ledger: Ledger) -> bool:
    """Not a word of what is proposed is a word of what the person wants or knows."""
    known = ledger.own_stems.union(*(content_stems(f"{each.name} {each.value}") for each in ledger.entries))
    said = set(content_stems(confirm.text)) - _EMPTY
    return bool(said) and said.isdisjoint(known - _EMPTY)


def proposed(confirm: Confirm) -> frozenset[str]:
    """The acts that are put forward, as against those that are only spoken of."""
    for sentence in reversed(sentences(confirm.text) if _bare(confirm.sentence) else [confirm.sentence]):
        if match_ := cues().proposal.search(sentence):
            if named := actions_in(sentence[match_.end() :]):
                return named
        elif (first := words(sentence)[:1]) and (named := actions_in(first[0])):
            return named
    return frozenset()


def _bare(sentence: str) -> bool:
    """`Shall I go ahead?` names nothing: what it is about stands before it."""
    return set(content_stems(sentence)) <= _EMPTY | lexicon().assent
