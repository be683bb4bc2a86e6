"""What an agent says to the user → whether it lets on that something did not work, or asks."""

import re
from collections.abc import Collection

from misstep.core.once import once_per_text
from misstep.core.words import content_stems, sentences

_READING = re.IGNORECASE | re.VERBOSE

_REASSURANCE = re.compile(
    r"""
    \b (?: no | not \s any? | without (?: \s any | \s a )? | any | free \s of | zero ) \s (?: further | more
      | other )? \s?
       (?: problems? | issues? | errors? | trouble | difficult(?:y|ies) | hiccups? | worries | concerns? ) \b
    | \b (?: error | trouble | problem ) [-\s] free \b
    | \b not \s only \b | \b (?: don't | do \s not ) \s (?: hesitate | worry ) \b | \b can't \s wait \b
    | \b (?: will | would | won't | wouldn't ) (?: \s not )? \s (?: need | have ) \s to \b
    | \b (?: no | not ) \s (?: longer \s )? need \b | \b you \s (?: will \s not | won't ) \b
    | \b no \s (?: \w+ \s )? (?: actions? | steps? | changes? | charges? | fees? | costs? ) \b
    | \b i (?: 've | \s have ) \s (?: \w+ \s )? (?: declined | refused | rejected | denied | blocked | prevented ) \b
    | \b if \s (?: not | you | there | anything | something ) \b [^.,;!?]*
    """,
    _READING,
)
_TROUBLE = re.compile(
    r"""
    \b (?:
      un (?: able | fortunately | available | successful (?:ly)? | expected (?:ly)? | sure | reachable )
    | cannot | (?: ca | could | was | were | did | does | is | are | has | have | had | do ) n't
    | won't \s (?: work | go | let | accept )
    | (?: could | was | were | did | does | do | is | are | has | have | had | can | am | 'm | been | yet | may
      | might ) \s not
    | not \s (?: \w+ \s )? (?: able | possible | found | find | available | eligible | allowed | permitted | valid
      | go | gone
        | work (?:ing)? | completed? | successful | accepted | confirmed | certain | sure | done | sent | made | exist )
    | fail (?: s | ed | ing | ures? )? | errors? | problems? | trouble | difficult (?:y|ies) | hiccup | glitch | snag
    | (?: an? | the | some | this | that | technical | system ) \s issues?
    | declin (?:ed|es|ing) | refus (?:ed|es|al) | reject (?:ed|s|ion) | den (?:ied|ies) | block (?:ed|s)
      | prevent (?:ed|s)
    | invalid | incomplete | insufficient | tim (?:ed?|ing) [-\s]? out | timeouts?
    | sorry | apolog\w+ | regret\w* | afraid | however | nothing \s (?: was | is | has | came )
    | no \s (?: such | match\w* | record\w* | result\w* | answer | response | luck
        | \w+ \s (?: was | were | is | are | could \s be | matching | found | exists? | available | under | with
          | for ) )
    | try \s (?: \w+ \s )? (?: again | later | once \s more ) | retry\w* | tried | (?: went | going | go ) \s wrong
      | stuck
    | (?: is | are | was | currently ) \s (?: down | offline )
    | nicht | leider | fehler | désolé | malheureusement | impossible | erreur | impossibile | errore | lamentablemente
    | no \s pude
    ) \b
    """,
    _READING,
)
_COURTESY = re.compile(
    r"""
    \b (?: anything | something | what ) \s else \b | \b any (?:thing)? \s (?: other | further | more ) \b
    | \b further \s (?: help | assist\w* | questions? ) \b | \b how \s (?: else \s )? (?: can
      | may ) \s i \s (?: help | assist ) \b
    | \b help \s you \s with \s (?: today | next ) \b
    """,
    _READING,
)
_REQUEST = re.compile(
    r"""
    \b (?: please | kindly ) \s (?: \w+ \s ){0,2}
       (?: provide | confirm | share | send | tell | give | check | specify | clarify | supply | let \s me | verify
         | choose ) \b
    | \b (?: could | can | would ) \s you \b | \b let \s me \s know \s (?: which | what | how | whether | your
      | the ) \b
    | \b i (?: 'll | \s will )? \s need \s (?: your | the | a | to \s know | you ) \b
    """,
    _READING,
)
_OFFER = re.compile(r"\b(?:would you like|do you want|shall i|should i|can i|may i)\b", re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?:which|what|when|where|who|how (?:many|much|long)) (?:\w+ ){0,3}(?:shall|should|can|may|do)\b", re.IGNORECASE
)
"""Who asks that cannot go on without the answer, and does not merely offer more."""
_CLAIM = re.compile(
    r"""
    \b (?: done | all \s set | success\w* | completed? | sorted
    | (?: i | we ) (?: 've | \s have ) \s (?: \w+ly \s | now \s | just \s | already \s )? \w{3,} (?: ed | en | t )
    | (?: has | have ) \s (?: now \s | just \s | already \s )? been \s \w+
    | (?: is | are ) \s (?: now \s | just \s | already \s )? (?: \w+ly \s )? \w{2,} ed ) \b
    """,
    _READING,
)


@once_per_text
def tells_of_trouble(text: str) -> bool:
    """In plain English for what failed, was refused or is not there; the usual reassurances aside."""
    return bool(_TROUBLE.search(_REASSURANCE.sub(" ", text.replace("’", "'"))))


@once_per_text
def asks(text: str) -> bool:
    """A question or a request, other than the courtesy at the end or an offer of more after a claim of success."""
    content = bool(_CLAIM.search(text))
    for sentence in sentences(text):
        offers = content and _OFFER.search(sentence) and not _WHICH.search(sentence)
        if _COURTESY.search(sentence) or offers:
            continue
        if "?" in sentence or _REQUEST.search(sentence):
            return True
    return False


def echoes(text: str, special: Collection[str]) -> bool:
    """Whether a text repeats the words that only an error had used."""
    if not special:
        return False
    shared = set(special) & set(content_stems(text))
    return len(shared) >= 3 or len(shared) / len(special) >= 0.5
