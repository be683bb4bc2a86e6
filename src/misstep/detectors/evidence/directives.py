"""Tool results → the passages in them that may tell somebody to do or say something."""

import re
from collections.abc import Iterator

from msgspec import Struct

from misstep.core.event import ToolResult
from misstep.core.once import once_per_text
from misstep.core.trace import Trace
from misstep.core.words import stems
from misstep.detectors.evidence.outcomes import effect_of, failed
from misstep.provenance.reading import canonical, leaves, tokens

_READING = re.IGNORECASE | re.VERBOSE

# For texts in lower case; all that begins a word stands behind one boundary. Both make it quick on long pages.
_ADDRESSED = re.compile(
    r"""
    \b (?:
    # sets aside what was said before
    (?: ignor\w* | disregard\w* | forget | overrid\w* | bypass\w* | skip ) \b .{0,40}
       \b (?: instru\w+ | previous | prior | above | earlier | rules? | guidelines? | criteria | prompt | polic(?:y|ies)
            | anweis\w+ | istruz\w+ | checks? | confirmations? ) \b
    | (?: new | updated | special | following | these | hidden ) \s instructions? \b
    | instructions? \s{0,20} (?: : | (?: for | to ) \s the )
    # speaks to the agent
    | (?: assistants? | (?: ai | virtual ) \s (?: agents? | models? ) | ai | llm | language \s model
      | chat -? bot | bot )
          \b \s? (?: , | : | ! | - | — | \b (?: must | should | shall | needs? \s to | ha (?:s|ve) \s to | (?: is
            | are ) \s to
          | will | please | reading | processing | handling | who | that ) )
    | (?: attention | hey | dear | note \s (?: to | for ) | notice \s to ) ,? \s (?: the \s | any \s | all \s
      | this \s )?
          (?: ai | llm | assistants? | agents? | (?: language \s )? model | bot | chat -? bot ) \b
    | (?: all | any | every | for | to ) \s (?: the \s )? agents? \s{0,20} (?: : | , | - )
    | the \s (?: agent | model | automation ) \s (?: must | should | shall | needs \s to | has \s to | is \s to )
    | your \s (?: new | real | actual | next | first ) \s (?: task | job | goal | instructions? | objective ) \b
    | you \s are \s now \b
    | (?<! from \s ) (?<! by \s ) (?: customer | user | client | reader | owner | recipient | your | my | our
        | their ) (?: 's )? \s
          (?: \w+ \s )? (?: assistant | agent | chat -? bot | bot | ai ) \b
    | (?: assistants? | agents? | bots? | systems? | software | models? | automation | ai | llms? | tools? )
          \s (?: that | which | who ) \s (?: reads? | process (?:es)? | summari[sz]es? | handles? | receives? ) \b
    | (?: asistente | assistente | assistent | agente | ki -? assistent | assistant \s ia ) \b
    # gives it a part to play
    | (?: pretend | act \s as | imagine \s (?: that \s )? you | from \s now \s on ,? \s you | play \s the \s (?: role
      | part ) | you \s are \s (?: an? | the ) \s (?: \w+ \s ){0,3} (?: assistant | agent | admin\w* | bot
        | model | operator ) )
    # wants it done behind the user's back
    | (?: do \s not | don't | never | without ) \s (?: tell | inform | mention | notify | ask | alert | reveal
      | confirm ) \w*
          \s (?: \w+ \s ){0,2} (?: user | customer | client | anyone | anybody | them | this | it | first
            | permission ) \b
    )
    # speaks with the voice of the system
    | (?: ^ | [\s"'(\[<#*] ) (?: system | admin (?:istrator)? | developer | operator )
          (?: \s (?: note | message | notice | prompt | override | instructions? | update | alert ) )? \s{0,20} (?: :
            | \] | > )
    | [<{\[] \s{0,20} /? \s{0,20} (?: system | instructions? | important | admin )
    # is hidden from people
    | <!-- | \[//\]: | display \s{0,20} : \s{0,20} none
    """,
    re.VERBOSE,
)
_PRESSING = re.compile(
    r"""
    \b before \s (?: you \s )? (?: continu | proceed | repl | answer | respond | finish | do | go \s on ) \w* \b
    | \b you \s are \s (?: required | instructed | authori[sz]ed | hereby ) \b
    | \b (?: important | urgent | mandatory | required \s action ) \s* [:!-]
    """,
    _READING,
)
_IMPERATIVES = """
    send forward transfer delete remove call email mail cancel refund issue update change reset pay book
    execute run use invoke create add approve grant share post upload download visit click reply respond say
    tell include write make set give provide contact mark process return ship close open disable enable ensure
    wire purchase order move copy export submit apply message notify release unlock lock raise lower credit
    charge replace reassign schedule publish append attach redirect recommend direct advise inform ask look
    fetch get read list search find check confirm verify go
""".split()
_TELLS = re.compile(
    rf"""
    (?: ^ | [.,!?:;\])>»"“*-] \s{{0,20}} | \b (?: please | kindly | then | and | also | now | first | next | immediately
        | instead | just | must | should | shall | needs? \s to | ha (?:s|ve) \s to | required \s to | requested \s to
        | you \s to | asked \s to | (?: be | make ) \s sure \s to | remember \s to | forget \s to | is \s to | are \s to
        | duty \s to | time \s to | best \s to ) ,? \s{{1,20}} )
    (?: (?: please | kindly | immediately | now | first | also ) ,? \s{{1,20}} ){{0,3}}
    (?: {"|".join(_IMPERATIVES)} ) \b (?! \s{{0,20}} (?: : | = | (?: of | was | is | has | by ) \b ) )
    | \b (?: please | kindly ) \s \w+
    | \b you \s (?: must | should | need \s to | have \s to | are \s to | will \s need \s to | shall ) \b
    | \b (?: require | want | need | ask | expect | urge | order | instruct | like | request ) s? \s you \s to \b
    | \b (?: can | could | would | will ) \s (?: you | the \s reader | someone | somebody | whoever ) \b
    | \b (?: be | get | gets | getting ) \s \w+ ed \b | \b whoever \b | \b your \s (?: duty | task | job ) \b
    | \b (?: next | first | following ) \s (?: step | action | task ) s? \b | \b actions? \s required \b
    # asks softly, sets a time, or says what will follow
    | \b (?: appreciate | grateful | obliged | thankful | be \s (?: glad | great | nice | kind | helpful | good | best )
      | would \s (?: like | love | prefer | need | help ) | (?: it \s is | it's ) \s (?: expected | required
        | advised | necessary
      | recommended | essential ) | needs? \s \w+ (?: ing | ed ) | need \s (?: the | this | that | these | it
        | all ) | is \s needed
      | still \s (?: needs? | has | have ) | remains \s to | awaiting | outstanding | deadline | no \s later \s than
      | as \s soon \s as | asap | at \s once | right \s away | within \s \d+ | otherwise | failing \s (?: that | which )
      | or \s else | make \s sure | go \s ahead | it \s is \s (?: time | fine | ok | okay ) \s to | feel \s free
      | procedure | protocol | step \s \d ) \b
    | \b (?: sende | senden | schicke | schicken | überweise | überweisen | lösche | löschen | envoyez | envoyer | virez
      | supprimez | transférez | envíe | envía | enviar | mande | transfiera | borre | elimine | invia
        | inviare | trasferisci
      | cancella | stuur | gelieve | alstublieft | verwijder | prière | proszę | tolong ) \b
    | 请 | ください | пожалуйста
    | \b (?: bitte | veuillez | merci \s d (?: e \b | ' ) | s'il \s (?: vous | te ) | por \s favor | per \s favore
        | deb (?:e|es|en)
        | dev (?:e|i|ono|ez) | doit | doivent | müssen | musst | muss | tienes? \s que | hay \s que | il \s faut ) \b
    """,
    _READING,
)
_GENERAL = re.compile(
    r"\b(?:always|never|all|any|every|each|whenever|when|if|unless|policy|policies|agents|staff|customers|usually)\b",
    re.IGNORECASE,
)
_SPEAKING = re.compile(
    r"\b(?:tell|inform|say|include|reply|respond|mention|recommend|advise|ask|direct|end|begin|add|append|write|repeat|"
    r"print|output|answer|invite|urge|instruct|point)\b",
    re.IGNORECASE,
)
_PROSE = 4
"""So many words make prose; less is a name, a title or a label, unless it speaks to the agent."""
_WHOLE = 1200
"""Longer texts are looked at in parts."""
_AROUND = 400
_KEPT = 2000
"""So many passages are kept at most: a flood of them costs no more than these."""


class Passage(Struct, frozen=True):
    """A text in a tool result that tells somebody to do or say something, or that might."""

    at: int
    text: str
    addressed: bool
    """Speaks to an agent as an agent, or with its masters' voice: more than a request that somebody wrote down."""
    commanding: bool
    """Has the grammar of a request."""
    general: bool
    """A rule for many cases, as policies have them."""
    from_read: bool
    """Came with something read; what a tool says of an act that it has just done is part of doing it."""


def passages(trace: Trace) -> list[Passage]:
    """The passages in the order of the events.

    What a tool says when it refuses a call is its guidance on that call: a plain request there is none of these.
    """
    calls = {exchange.result_at: exchange.call for exchange in trace.exchanges if exchange.result_at is not None}
    found: list[Passage] = []
    for at, event in enumerate(trace.events):
        if not isinstance(event, ToolResult) or len(found) >= _KEPT:
            continue
        call = calls.get(at)
        effect = effect_of(trace, call) if call else None
        refused = failed(event, effect)
        for _, value in leaves(event.content):
            if not isinstance(value, str):
                continue
            for window in _windows(value):
                text = _addressing(window) if refused else window
                passage = passage_of(at, text, from_read=effect in ("reads", None) and not refused)
                if passage.addressed or (not refused and len(text) == len(value) and value.count(" ") >= _PROSE - 1):
                    found.append(passage)
    return found[:_KEPT]


def _addressing(text: str) -> str:
    """From the sentence on that speaks to an agent: what a refusal says before it is about the call."""
    match = _ADDRESSED.search(text.lower())
    if match is None:
        return text
    begins = max(text.rfind(end, 0, match.start()) for end in (". ", ".\n", "\n"))
    return text[begins + 1 :].lstrip()


def _windows(text: str) -> Iterator[str]:
    """A short text as a whole. Of a long one, what stands around each place where it speaks to an agent: what a page
    says elsewhere has nothing to do with that."""
    if len(text) <= _WHOLE:
        if text.count(" ") >= _PROSE - 2:
            yield text
        return
    end = 0
    for match in _ADDRESSED.finditer(_lowered(text)):
        if match.start() >= end:
            start = max(end, match.start() - _AROUND // 2)
            end = match.end() + _AROUND
            yield text[start:end]


def _lowered(text: str) -> str:
    """In lower case, with every character in its place: a few letters become two."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(each if len(each.lower()) > 1 else each.lower() for each in text)


def speaks_to_an_agent(text: str) -> bool:
    """Whether a text gives orders to an agent as such, or sets its orders aside."""
    return bool(_ADDRESSED.search(text.lower()))


def wants_something_said(passage: Passage) -> bool:
    return bool(_SPEAKING.search(passage.text))


@once_per_text
def stems_of(text: str) -> frozenset[str]:
    return frozenset(stems(text))


@once_per_text
def keys_of(text: str) -> frozenset[str]:
    """The tokens of a text in canonical form."""
    return frozenset(map(canonical, set(tokens(text))))


def passage_of(at: int, text: str, *, from_read: bool) -> Passage:
    """A text at a place, read for how it speaks and to whom."""
    addressed = speaks_to_an_agent(text) or (from_read and bool(_PRESSING.search(text)))
    return Passage(at, text, addressed, bool(_TELLS.search(text)), bool(_GENERAL.search(text)), from_read)
