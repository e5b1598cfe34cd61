"""Where to read on after a syntax error."""

from __future__ import annotations

import re

from .scanner import COMMENT, Scanner

_TOKEN = re.compile(r'"[^"\r\n]*"|[%@]?[A-Za-z0-9_.]+|.', re.DOTALL)
_BETWEEN = re.compile(rf'{COMMENT}|"[^"\r\n]*"')
_LINE_END = re.compile(r"[\r\n]")


def skip_to_function(scanner: Scanner, keyword: str) -> None:
    """Skip to the next function, as `func @`."""
    function = re.compile(rf"{re.escape(keyword)}(?=[\s@(])")
    while not scanner.at_end:
        if function.match(scanner.text, scanner.position):
            return
        _skip_token(scanner)


def skip_to_instruction(scanner: Scanner, start: int) -> None:
    """Skip the rest of the broken instruction, which began at `start`, with its regions.

    The next instruction begins on a line of its own, at the depth of braces the broken one began at, with a letter or
    with the sign of a value or of a compile-time variable.
    """
    text = scanner.text
    broken_at = max(scanner.skip_blanks(), start)
    # a region that was opened before the error is still to be closed
    read = _BETWEEN.sub("", text[start:broken_at])
    depth = read.count("{") - read.count("}")
    fresh_line = broken_at > start and _LINE_END.search(text, max(start, scanner.last_end), broken_at)
    while not scanner.at_end:
        char = text[scanner.position]
        begins = fresh_line and (char in "%$" or char.isalpha()) and not scanner.at("else")
        if depth <= 0 and (char == "}" or begins):
            return
        if char in "{}":
            depth += 1 if char == "{" else -1
        _skip_token(scanner)
        fresh_line = _LINE_END.search(text, scanner.position, scanner.skip_blanks())


def _skip_token(scanner: Scanner) -> None:
    match = _TOKEN.match(scanner.text, scanner.position)
    assert match is not None, "there is a token before the end"
    scanner.position = scanner.last_end = match.end()
