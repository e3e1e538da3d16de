"""Text of others as a terminal may show it."""


def printable(text: str) -> str:
    """The text with control and direction characters escaped: a terminal would obey them."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
