"""Numbers → the words that the terminal and the page share for them."""


def percent(rate: float | None, digits: int = 0) -> str:
    """Never rounds to all or nothing what is neither."""
    if rate is None:
        return "–"
    if 0 < rate < 1:
        least = 10**-digits / 2
        if rate * 100 < least:
            return f"<{10**-digits:g}%"
        if rate * 100 > 100 - least:
            return f">{100 - 10**-digits:g}%"
        return f"{rate * 100:.{digits}f}%"
    return f"{rate:.0%}"


def counted(number: int, noun: str = "", plural: str = "") -> str:
    """`1,234`, `1 trial`, `5 trials`."""
    if not noun:
        return f"{number:,}"
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
