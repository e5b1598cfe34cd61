"""Where to read on after a syntax error."""

from __future__ import annotations

from .scanner import Scanner


def skip_to_function(scanner: Scanner) -> None:
    while not scanner.at_end:
        word = scanner.word()
        if word == "func" and scanner.source.place(scanner.position, 0).column == 5:
            scanner.position -= len("func")
            return
        if word is None:
            scanner.position += 1


def skip_to_instruction(scanner: Scanner, start: int) -> None:
    """Skip the rest of the broken instruction with its regions.

    The next instruction begins on a line of its own, at the depth of braces the broken one began at.
    """
    text = scanner.text
    depth = 0
    broken_at = max(scanner.skip_blanks(), start)
    # a region that was opened before the error is still to be closed
    depth = text.count("{", start, broken_at) - text.count("}", start, broken_at)
    fresh_line = broken_at > start and "\n" in text[max(start, scanner.last_end) : broken_at]
    while not scanner.at_end:
        position = scanner.position
        char = text[position]
        if depth <= 0 and (char == "}" or (fresh_line and (char == "%" or char.isalpha()))):
            return
        if char in "{}":
            depth += 1 if char == "{" else -1
        scanner.position = position + 1
        if char.isalnum() or char in "%@_":
            while scanner.position < len(text) and (text[scanner.position].isalnum() or text[scanner.position] in "_."):
                scanner.position += 1
        scanner.last_end = scanner.position
        fresh_line = "\n" in text[scanner.position : scanner.skip_blanks()]
