"""What an agent says → whether it asks to be told something, by its mood or by what it says is missing."""

import re
from functools import lru_cache

from misstep.core.words import sentences, words
from misstep.objectives.vocabulary import meaning

_CLAUSE = re.compile(r"[,;:!…–—→]|\.\.+| - |\b(?:and|so|then)\b")
_LEAD = (
    r"\W*(?:(?:please|pls|kindly|just|simply|now|then|so|do|and|but|also|first|next|finally|ok|okay|oops|sorry|well"
    r"|great|thanks|be so (?:kind|good) as to|feel free to|go on"
    r"|(?:i|we) (?:must |have to |would )?(?:ask|beg|need|want|like) you to"
    r"|you (?:need|have|may want|will (?:need|have)) to)\W+)*"
)
# What may be told to anybody, so that it matters to whom; what is given can only be meant for the one who asks.
_TELL = r"(?:tell|inform|remind|advise|notify|show|ask)"
_GIVE = (
    r"(?:give|gimme|provide|supply|furnish|send|share|state|specify|indicate|name|enter|type|write|fill|choose|pick"
    r"|select|point|drop|pop|put|submit|quote|spell|spill|say|shout|reply|respond|answer|list|describe|explain|clarify"
    r"|confirm|complete|add|attach|make your|take your)"
)
_NO_BID = r"(?:let|excuse|pardon|trust|forgive|believe|allow|thank|leave|to|with|for|from|about)"
_BIDS = re.compile(
    rf"{_LEAD}(?:{_GIVE}|{_TELL} (?:me|us|your|the|which|what|who|where)|(?!{_NO_BID} )\w+ (?:me|us)"
    r"|let (?:me|us) (?:know|have|hear)|mind (?:\w+ing)|(?:how|what) about)(?!\w)",
    re.IGNORECASE,
)
_SOMEBODY_ELSE = re.compile(
    rf"{_LEAD}{_TELL} (?:your|the) (?:\w+ )?"
    r"(?:neighbou?r|friend|family|wife|husband|partner|driver|bank|doctor|colleague)",
    re.IGNORECASE,
)
# "I would like to know" wants to be told; "I would like to help" does not.
_TO_BE_TOLD = (
    r"(?! (?:\w+ )?to (?!know|have|hear|ask|learn|be (?:told|informed)|see|get)"
    r"| (?:a|some|one|another) (?:\w+ )?(?:moment|minute|while))"
)
_SAID = (
    r"(?:sa(?:y|id)|tell|told|giv\w+|gave|mention\w*|stat\w+|specif\w+|indicat\w+|nam\w+|provid\w+|suppl\w+|ch[ou]o?s\w+"
    r"|enter\w*)"
)
_NOT = r"(?: ?not|n't|n’t)"
_NEEDS = re.compile(
    # I need it,
    r"\b(?:i|we)(?:'d|'ll|'m|'re)?(?: \w+){0,3}? (?:need|require|want|lack|await|hope for|hoping for"
    r"|missing(?! nothing)|waiting for|in need of|curious|unsure|not sure|wonder (?:about|wh\w+|if))\b"
    rf"{_TO_BE_TOLD}"
    r"|\b(?:i|we)(?:'d| would| should| could) (?:\w+ )?"
    rf"(?:like|love|appreciate|do with|use|be (?:\w+ )?(?:grateful|obliged|glad|happy))\b{_TO_BE_TOLD}"
    r"|^\W*(?:still |also |just |only )?(?:need|missing|require|awaiting|lacking|wanted|required|waiting for)\b"
    rf"{_TO_BE_TOLD}"
    r"|\b(?:may|might|can|could|must|let|have to|need to) (?:i |we |me )?ask (?:you )?for\b"
    r"|\b(?:helps?|helpful|useful|good|great|nice|handy|kind) (?:me |us )?(?:to|if) (?:\w+ )?"
    r"(?:know|learn|have|hear|had)\b"
    # I do not have it,
    rf"|\b(?:i|we) (?:do|did|can|could|have){_NOT} (?:\w+ )?"
    r"(?:have|know|catch|caught|got|get|tell (?:which|who|what))\b"
    # it is missing,
    r"|\b(?:all|the (?:only|last|one) thing) (?:\w+ )?(?:i|we|that|left|still|missing|needed)\b"
    r"|(?<!\byou)(?<!\bas)(?<!\bthey)(?<!\bwas)(?<!\bwere)(?<!\bbeen) (?:missing|needed|required|requested|wanted"
    r"|outstanding|lacking|absent|sought|(?:still|left|is) (?:empty|blank))\b"
    r"|\b(?:remains?|still (?:has|have|needs?)) to be\b"
    rf"|\b(?:must|needs? to|has to) (?:\w+ )?be (?:known|{_SAID})\b"
    # nothing goes on without it,
    r"|\b(?:not|cannot|n't|n’t|unable|nothing|little|no)\b.{0,80} without (?:a|an|your|the|that|it|some|knowing)\b"
    r"|^\W*without (?:a|an|your|the|some)\b.*\b(?:not|cannot|n't|n’t|unable|nothing|little|no)\b"
    r"|\b(?:depends?|hinges?) on\b"
    # you have not said it,
    rf"|\byou (?:do|did|have){_NOT} (?:\w+ )?{_SAID}\b|\byou have yet to\b"
    rf"|\bno \w+ (?:\w+ )?(?:has been |was |is |were )?{_SAID}\b"
    # it is yours to say.
    r"|\b(?:up to you|yours? to (?:say|choose|decide|pick))\b"
    r"|\byour (?:call|choice|pick|decision|selection|preference)\b"
    r"|\byou (?:can|could|may|might) (?:choose|pick|select|elect)\b",
    re.IGNORECASE,
)
_NEEDS_NOT = re.compile(
    r"\bno need\b|\bneed(?: not|n't|n’t)\b|\b(?:do|does|did|will|would|is|are|be)(?: not|n't|n’t) "
    r"(?:\w+ )?(?:need|needed|require|required|want|necessary|missing)\b"
    r"|\bno (?:\w+ )?(?:\w+ )?(?:is|are|will be) (?:needed|required|necessary)\b"
    r"|\bnothing (?:\w+ )?(?:is |else is )?missing\b"
    r"|\b(?:was|were|had been) (?:missing|empty|unknown|needed|required)\b|\bcan(?:not|'t|’t) tell you\b"
    r"|\bwithout (?:further|trouble|delay|problems?|ado|charge)\b"
    r"|\bneed (?:a |some |another |just )*(?:\w+ )?(?:moment|minute|second|time|while)\b",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"\b(?:anything|something) (?:else|more|further|i can)\b|\bhelp you with\b"
    r"|\bfurther (?:questions?|assistance|help)\b|\bany other\b"
    r"|\bhow (?:else )?(?:can|may|could) (?:i|we) (?:help|assist)\b|\bwhat (?:else )?can i do for you\b",
    re.IGNORECASE,
)
_VERBS = frozenset(
    "is are was were am be been has have had do does did will would can could shall should may might must it's that's "
    "i'm i've i'll you've you're there's isn't aren't wasn't hasn't".split()
)
_FRAGMENT = 5
# What a question may be made of that speaks of nothing new, but of what was said just before.
_POINTS = frozenset(
    meaning(
        "one mean right choose pick select specify say tell know state give name indicate ask like want prefer wish "
        "supply provide option choice selection preference take make need go help reply answer send intend kindly "
        "correct apply use await sort other two three either both poison"
    )
)


def is_question(sentence: str) -> bool:
    return sentence.rstrip("\"')* ").endswith("?")


@lru_cache(maxsize=4096)
def requests(sentence: str) -> bool:
    """A sentence of an agent that asks to be told something without a question mark: a bid, or what is missing."""
    if _NEEDS_NOT.search(sentence) or _SOMEBODY_ELSE.match(sentence):
        return False
    return _NEEDS.search(sentence) is not None or any(_BIDS.match(clause) for clause in _CLAUSE.split(sentence))


@lru_cache(maxsize=4096)
def asking_parts(text: str) -> tuple[str, ...]:
    """The sentences of an agent's message that want to be told something; "Anything else?" is about nothing."""
    return tuple(part for part in sentences(text) if (is_question(part) or requests(part)) and not _CLOSES.search(part))


@lru_cache(maxsize=4096)
def points_back(sentence: str) -> bool:
    """It has no subject of its own: "Which one?", "Choose.", "Please specify."."""
    return _POINTS.issuperset(meaning(sentence))


@lru_cache(maxsize=4096)
def is_fragment(sentence: str) -> bool:
    """A few words without a verb, or a colon with nothing behind it: "Email, please.", "The reason goes here:"."""
    said = words(sentence)
    return sentence.endswith(":") or (len(said) <= _FRAGMENT and _VERBS.isdisjoint(said))
