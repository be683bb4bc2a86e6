"""What is read once for a text."""

from misstep.core.once import once_per_text


def test_a_text_is_read_once_however_many_ask() -> None:
    read: list[str] = []

    @once_per_text
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    for text in ("short", "long " * 1000, "short", "long " * 1000):
        assert length(text) == len(text)
    assert len(read) == 2


def test_long_texts_are_forgotten_again() -> None:
    read: list[int] = []

    @once_per_text
    def length(text: str) -> int:
        read.append(len(text))
        return len(text)

    first = "a" * 600_000
    for text in (first, "b" * 600_000, "c" * 600_000, "d" * 600_000, first):
        length(text)
    assert len(read) == 5


def test_a_text_longer_than_all_that_is_kept_is_read_all_the_same() -> None:
    length = once_per_text(len)
    assert length("a" * 3_000_000) == 3_000_000
