"""transform: schedules that say how a compiler rewrites functions, and compute nothing. What is in one is skipped."""

from __future__ import annotations

from ..reader import Read, Reader
from ..tree import Operation

_PAIRS = {"(": ")", "{": "}", "[": "]"}


def _schedule(reader: Reader, name: str) -> Operation:
    """The head, with its arguments and attributes, and a region."""
    before = ""
    while reader.peek() != "{" or before == "attributes":
        before = reader.peek()
        _skip(reader)
    _skip(reader)
    return Operation(name, [], [], [], [], {})


def _skip(reader: Reader) -> None:
    """Pass over a token, or over all that is in a pair of brackets."""
    open_: list[str] = []
    while True:
        token = reader.peek()
        if not token or (open_ and token in _PAIRS.values() and token != open_[-1]):
            reader.fail("the schedule is not closed")
        reader.next()
        if token in _PAIRS:
            open_.append(_PAIRS[token])
        elif open_ and token == open_[-1]:
            open_.pop()
        if not open_:
            return


FORMS: dict[str, Read] = {"transform.named_sequence": _schedule, "transform.sequence": _schedule}
