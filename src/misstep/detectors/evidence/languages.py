"""A text → which of a few languages it is written in, told by its small words."""

from misstep.core.words import words

_SMALL_WORDS = {
    "english": "the and of to is that it for was with you are this be have on at by from not but your which will can",
    "german": "der die das und ist nicht ein eine sie ich mit für auf zu den dem von es wir ihr im auch sich wird",
    "french": "le la les et est une des du dans pour que qui vous pas sur avec ce il je nous au par sont être votre",
    "spanish": "el los las y es una que en para con por del no se su al como más está lo usted pero sus este son",
    "italian": "il gli e è una che di per con non del della sono si da al alla come più anche ha questo nel le suo",
    "portuguese": "o os as e é uma que em para com por do da não se seu ao como mais está você mas dos são um",
    "dutch": "de het en is een van dat niet voor met op te zijn u ik er aan door naar om ook wij kan wordt bij",
}
_LISTED = {language: frozenset(listed.split()) for language, listed in _SMALL_WORDS.items()}
_FEWEST = 12
_READ = 4000


def written_in(text: str) -> str | None:
    """The language, where there are enough words and one language's small words stand out by far."""
    said = words(text[:_READ])
    if len(said) < _FEWEST:
        return None
    counts = {language: sum(word in listed for word in said) for language, listed in _LISTED.items()}
    best, second = sorted(counts, key=lambda language: (-counts[language], language))[:2]
    enough = counts[best] >= max(4, len(said) // 8) and counts[best] >= 2 * counts[second]
    return best if enough else None
