"""A word → what a tool does that is described by it: the vocabulary from which effects are told."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from misstep.core.tool import Effect

ORDER: tuple[Effect, ...] = ("destroys", "reaches-outside", "writes", "reads")
"""The gravest first."""

# Words that say what a tool does wherever they stand in its name. What cannot be taken back destroys: so does money
# that has left, and so does code that can do anything.
ALWAYS: dict[Effect, frozenset[str]] = {
    "destroys": frozenset(
        """delete remove erase purge wipe destroy truncate drop clear discard overwrite unlink rm rmdir del kill
        terminate uninstall revoke cancel deactivate disable shutdown shred evict expel flush rollback revert reset
        execute exec eval shell bash sudo sql transfer withdraw pay purchase buy nuke reboot restart""".split()
    ),
    "reaches-outside": frozenset(
        """send publish broadcast tweet notify upload download browse navigate crawl scrape forward invite
        url urls http https web webpage website internet webhook""".split()
    ),
    "writes": frozenset(
        """create add insert update upsert write edit modify append rename save put patch set assign unassign enable
        register replace toggle deploy trigger""".split()
    ),
    "reads": frozenset(),
}

# Words that are as often nouns: they count only where a verb stands, first or after a joining word.
_AS_VERB: dict[Effect, frozenset[str]] = {
    "destroys": frozenset("run refund charge format burn close reject void suspend ban block".split()),
    "reaches-outside": frozenset(
        "email mail post message text sms call dial fax share reply submit ping connect request push".split()
    ),
    "writes": frozenset(
        """change move copy store book reserve schedule reschedule mark tag label comment note log record
        exchange return approve accept complete open start begin stop pause resume merge commit apply attach link
        import make build generate draft upgrade extend adjust correct claim issue grant release restore subscribe
        lock unlock confirm""".split()
    ),
    "reads": frozenset(
        """get list find search look lookup read show view describe count check query fetch retrieve inspect is has can
        compare calculate compute estimate validate verify preview summarise summarize explain convert parse translate
        diff stat head tail tree ls grep peek scan history help info status think recall echo
        which what who when where""".split()
    ),
}

SHOWN = frozenset("log logs diff status history tree head tail help info stats version summary overview".split())
"""What is shown rather than done, after the name of a thing: `git_log`. By themselves such words prove nothing."""

ONLY_VERBS = frozenset("get find fetch retrieve describe lookup".split())
"""Of those that read, the ones that are no nouns, and believed after whatever word: `acme_get_leads`."""

THINGS = frozenset(
    """git github gitlab slack jira crm db database sql table file files directory dir folder fs disk repo repository
    branch tag note notes order orders user users account project task server system cluster network service audit
    access event events memory knowledge graph page node nodes time date name address none""".split()
)
"""Words that stand before a verb, or beside another thing, and are surely no verbs themselves."""

OPENED = frozenset("node nodes entity entities file files document documents note notes folder folders".split())
"""What is opened to be read; an account or a ticket that is opened was not there before."""

PHRASES = frozenset(
    {("check", "in"), ("check", "out"), ("check", "off"), ("get", "rid"), ("get", "lock"), ("for", "sale")}
)
"""Two words that do something, though the first alone only looks."""

JOINING = frozenset({"and", "or", "then"})


def gravest(said: Collection[Effect | None]) -> Effect | None:
    return next((effect for effect in ORDER if effect in said), None)


def as_verb(word: str) -> Effect | None:
    said: list[Effect] = [effect for effect in ORDER if word in ALWAYS[effect] or word in _AS_VERB[effect]]
    return said[0] if said else None


def infinitive(word: str) -> str:
    """`cancels` → cancel, `searches` → search, `copies` → copy."""
    if not re.search(r"[^s]s$", word):
        return word
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending) and as_verb(bare := word.removesuffix(ending) + instead):
            return bare
    return word


_NO_VERBS = frozenset(
    "rm rmdir del sql url urls http https web webpage website internet webhook set shell bash".split()
)
_IRREGULAR: dict[str, Effect] = {
    "sent": "reaches-outside",
    "written": "writes",
    "overwritten": "destroys",
    "paid": "destroys",
    "bought": "destroys",
    "withdrawn": "destroys",
}


def _forms(ending: str, more: Iterable[tuple[Effect, str]]) -> dict[str, Effect]:
    known: Iterator[tuple[Effect, str]] = ((effect, word) for effect in ORDER for word in ALWAYS[effect] - _NO_VERBS)
    found: dict[str, Effect] = {}
    for effect, word in chain(known, more):
        for base in (word, word.removesuffix("e"), word + word[-1], re.sub("y$", "i", word)):
            found[f"{base}{ending}"] = effect
    return found


PARTICIPLES = _forms("ed", [("writes", "mark")]) | _IRREGULAR
"""`deleted` → destroys; misspellings are in it too, and do no harm."""

GERUNDS = _forms(
    "ing",
    [
        *(("destroys", word) for word in "run close charge refund ban suspend reject".split()),
        *(("reaches-outside", word) for word in "email mail post share reply submit push".split()),
        *(("writes", word) for word in "mark book reserve move copy merge commit approve".split()),
    ],
)
