"""Turns of phrase that show what a sentence does: asks, proposes, reports, refuses, promises; English grammar only."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


MORE = _any(
    r"\b(?:anything|something|what) else\b",
    r"\bany (?:other|further|more|additional)? ?(?:questions?|requests?|concerns?|help|assistance)\b",
    r"\bfurther (?:assistance|help|questions?)\b",
    r"\bany(?:thing)? (?:further|more)\b.*\b(?:help|assist|do for you)\b",
)
GREETING = _any(
    r"\bhow (?:can|may|could|might|shall) (?:i|we) (?:help|assist|be of|serve|support)\b",
    r"\bwhat (?:can|may|could|shall) (?:i|we) (?:do|help|assist)\b",
    r"\bwhat brings you\b",
    r"\bwhat (?:would you like|do you (?:want|need|wish)|are you looking)(?: for)?(?: (?:me|us))?(?: to)?(?: do| have done| help with| achieve)?(?: today| for you)?\s*\?",
    r"\bwhat (?:is|was) (?:your|the) (?:request|enquiry|inquiry|question|concern)\b",
    r"\bwhat is (?:this|it) (?:about|regarding)\b",
)
WAIT = _any(
    r"\blet (?:me|us) (?:just |quickly |first |please )*(?:check|look|see|find|pull|verify|have a look|take a look|search|get|go|dig|review|do)\b",
    r"\b(?:one|a|just a) (?:moment|second|minute|sec|min|mo|tick)\b",
    r"\bbear with (?:me|us)\b|\bhold on\b|\bhang (?:on|tight)\b|\bplease wait\b|\bstand by\b|\bwhile i (?:check|look|find|pull)\b",
    r"\b(?:i|we)(?:'ll| will| am going to|'m going to| shall) (?:just |now |quickly |first )*(?:check|look|see|find|pull|verify|search|get back|dig|review|investigate|get right on|work on|start|process|do|take care|handle)\b",
    r"\b(?:i'm|i am|we're|we are) (?:just |now |currently )*(?:checking|looking|searching|working|pulling|verifying|processing)\b",
    r"^(?:checking|looking|searching|processing|working)\b",
)
CONFIRM = _any(
    r"\b(?:shall|should|may|can|might|could) (?:i|we) (?:please |now |just |then )*(?:go ahead|proceed|continue|do (?:that|this|it|so)|carry on|move forward|submit|finali[sz]e)\b",
    r"^(?:so,? |and |then |ok,? |okay,? |alright,? )*(?:shall|should) (?:i|we)\b",
    r"\b(?:do|would|did) you (?:want|like|wish|prefer|need) (?:me|us|for me|for us)\b",
    r"\bwant me to\b|\blike me to\b|\bhappy for me to\b|\bhappy with (?:that|this)\b|\bfine by you\b",
    r"\b(?:is|are|was|does|do|did|have|has|would|will) (?:that|this|it|these|those|all of that|everything|i|we|the above|what i)\b.{0,40}\b(?:correct|right|ok|okay|fine|alright|all right|accurate|acceptable|agreeable|good|work|suit|understood|in order)\b",
    r"\b(?:do|can|could|would|will) you (?:please |kindly )?(?:confirm|agree|approve|consent|authori[sz]e|accept)\s*(?:\?|this\b|that\b|it\b|with\b|to\b|$)",
    r"\bare you (?:sure|certain|ok|okay|happy|comfortable|in agreement|good)\b",
    r"\b(?:ok|okay|fine|good|safe|ready|all set|alright|happy|permission|cleared) (?:for me )?(?:to|with|if)\b.*\?",
    r"(?:,|-|–|—|;|\.\.\.|…|^|\s)\s*(?:right|correct|yes|ok|okay|alright|all right|yeah|yep|agreed|deal|sound good|sounds good|is it not|isn't it|is that so|good to go|y/n|yes or no|yes/no|proceed|go ahead|confirm|continue)\s*\?",
    r"\(?\b(?:yes ?/ ?no|y ?/ ?n)\b\)?",
    r"\b(?:reply|say|answer|type|respond|enter|write|press)(?: with| back)? (?:'|\"|“)?(?:yes|y|ok|okay|confirm|no)\b",
    r"\b(?:say the word|give (?:me|us) (?:the|a|your) (?:green light|nod|go-ahead|go ahead|ok|okay|approval|consent|permission|thumbs up)|with your (?:approval|consent|permission|blessing|ok))\b",
    r"\b(?:need|require|await|awaiting|waiting for) your (?:approval|consent|confirmation|permission|go-ahead|go ahead|ok|okay|blessing|agreement|authori[sz]ation)\b",
    r"\blet (?:me|us) know (?:if|whether) (?:that|this|it|you (?:agree|approve|are|want me|would like me|'d like me)|i (?:should|may|can|have|got)|we (?:should|may))\b",
    r"\bunless you (?:object|say otherwise|tell me|disagree)\b|\bif (?:you agree|that is (?:ok|okay|fine|right|correct)|that's (?:ok|okay|fine|right|correct)|you have no objections?)\b",
    r"\bany objections?\b|\bobjections\?|\bcould you confirm that\b|\b(?:please|kindly|can you|could you|to) confirm that\b",
    r"\b(?:do|have|did) i (?:have|got|get|understand|understood) (?:that|this|it|you|everything)? ?(?:right|correctly|correct)\b",
)
OFFER = _any(
    r"\b(?:would|do|did) you (?:like|want|prefer|care|wish|fancy|rather)\b", r"\bhow about\b|\bwhat about\b",
    r"\bcan i (?:offer|interest)\b|\binterested in\b|\bmay i (?:offer|suggest)\b",
)  # fmt: skip
INSTEAD = _any(r"\binstead\b|\balternative(?:ly)?\b|\brather than\b|\bas well\b|\balso\b")
ASK = _any(
    r"\b(?:tell|give|send|show|remind|inform|advise|furnish) (?:me|us)\b|\blet (?:me|us) (?:know|have)\b",
    r"\b(?:provide|share|supply|specify|state|indicate|mention|enter|type in|type|submit|clarify|describe|name|spell|quote|input|fill in|drop|confirm|double-check|double check|recheck|re-check|verify|repeat)\b(?! (?:that )?(?:you|i|we) (?:are|have|will)\b)",
    r"\b(?:i|we)(?:'ll|'d| will| would| do| still| just| also| shall)* (?:\w+ly )?(?:need|require|want to know|like to (?:know|have)|love to (?:know|have)|appreciate|be needing|be missing|lack|must (?:have|know|ask)|have to (?:ask|know|have))\b",
    r"\b(?:need|needs|required|requires|require|missing|lacking|necessary|mandatory)\b",
    r"\b(?:may|can|could|might|shall) (?:i|we) (?:please |kindly |also |just |quickly )*(?:have|get|ask|know|take|grab|borrow|see|trouble|request|bother|note)\b",
    r"\b(?:do|would|might|could|can) you (?:happen to |still |please |perhaps |maybe |also |by any chance )*(?:have|know|remember|recall|got|give|look up|find|check|read)\b|\bhave you got\b|\bmind (?:telling|giving|sharing|sending|providing|letting|if i ask|me asking)\b",
    r"\bhelp(?:s|ful)? (?:me |us )?(?:a lot |greatly |enormously )?(?:to know|to have|if you|if i (?:knew|had))\b|\bhelp(?:ful)? if\b|\buseful to know\b|\bgood to know\b",
    r"\b(?:without|until i (?:have|know|get)|once (?:i|we) (?:have|know|get)|as soon as (?:i|we) (?:have|know|get)|if (?:i|we) (?:had|knew|have|could have)|if you (?:could|can|would)|with (?:your|the) \w+(?: \w+)? (?:i|we) (?:can|could))\b",
    r"\b(?:don't|do not|didn't|haven't|have not) (?:yet |currently |seem to )*(?:have|know|see|got|get|caught?|catch) (?:your|the|a|any)\b.*\b(?:yet|on file|here)\b",
    r"\b(?:i wonder|i'm wondering|i am wondering|wondering|curious|i'd ask|i must ask|may i ask|remains? to know|all i need|waiting (?:for|on)|looking for)\b",
    r"\bplease\W*$|\bpls\W*$|:\s*$",
)
REQUEST_VERB = _any(r"^(?:please |kindly |now |then |just |and |so )*(?:confirm|verify|double-check|check)\b")
CONFIRM_WHAT = _any(
    r"(?<!let me )(?<!let us )(?<!i'll )(?<!i will )(?<!we'll )\b(?:confirm|verify|double-check|double check|check)\s+(?P<what>.+)"
)
REFUSAL = _any(
    r"\b(?:unfortunately|regrettably|i'm afraid|i am afraid|apologi[sz]e|apologies)\b",
    r"\b(?:can't|cannot|can not|couldn't|could not|unable|won't|not able|not possible|impossible|not allowed|not permitted|not eligible|isn't|aren't|not found|no longer|failed|don't have|do not have|didn't|did not|against (?:our|the) (?:policy|rules))\b",
)
DONE = _any(
    r"\b(?:i|we)(?:'ve| have| just| already)+ \w+", r"\b(?:has|have) (?:now |just |already |successfully )*been\b",
    r"\b(?:is|are) now\b|\bsuccessfully\b|\ball (?:set|done|sorted)\b|\bdone\b|\bcomplete[d]?\b|\bfinished\b",
    r"\byou(?:'ll| will| should) (?:receive|get|see|find|hear)\b|\b(?:was|were) \w+ed\b|\b(?:i|we) (?!need)\w+ed\b",
)  # fmt: skip
WH = _any(
    r"^(?:and |so |but |or |then |ok |okay |also |now |for \w+ |on |at |in |to |from |under |by |with |of |about |until )*(?:what|which|who|whom|whose|when|where|why|how)\b"
)
POLAR = _any(
    r"^(?:and |so |but |or |then |ok |okay |also |now )*(?:is|are|was|were|am|do|does|did|has|have|had|will|would|can|could|should|isn't|aren't|doesn't|don't|didn't|wasn't|haven't|hasn't)\b"
)
WHICH = _any(
    r"\bwhich\b|\bchoose\b|\bselect\b|\bpick\b|\bprefer\b|\b(?:do|did) you mean\b|\byour choice\b|\bdecide\b",
    r"\bwhat(?:'s| is| would be) your (?:choice|preference|pick)\b|\bdoes (?:any|one) of\b|\bany of (?:these|those|them)\b|\bone of (?:these|those|them|the following)\b",
)
PURPOSE = _any(
    r"^(?:to|so that|so|in order|before|since|as|because|given|after|now that|thanks|thank|while|if|once|for|sure|great|ok|okay)\b"
)
TRAILING = re.compile(
    r"\b(?:so (?:that )?(?:i|we|it)|in order to|because|for (?:our|my|security|verification|the record)|which is|as (?:it|that)|and (?:i'll|i will|then))\b|,? (?:i can|i could|i'll|we can|we'll)\b",
    re.IGNORECASE,
)
JOINT = re.compile(
    r"\s*(?:[,;+&]|\s/\s|\band\b|\bor\b|\bplus\b|\bas well as\b|\balong with\b|\btogether with\b|\balso\b)\s*",
    re.IGNORECASE,
)
EITHER = re.compile(r"\bor\b", re.IGNORECASE)
SHORT_ACT = re.compile(r"^\W*(?:[a-z]+)\b", re.IGNORECASE)
