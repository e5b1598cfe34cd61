"""Translates messages of the language's rules, which are written for its text, into the words of Python."""

from __future__ import annotations

import re
from dataclasses import replace

from ...diagnostics import Diagnostic

_SPELLINGS = [
    (re.compile(r"cast %\w+ : (\w+)"), r"\1(…)"),
    (re.compile(r"cast (it|one of them) to (\w+)$"), r"cast \1: \2(…)"),
    (re.compile(r"load %group\[%index\] : .*"), "A[g]"),
    (re.compile(r"\S+ fits \(in Python: (.*)\)"), r"\1"),
    (re.compile(r"leave out what lies outside: \.(\w+)_checked"), r'leave out what lies outside: checked="\1"'),
    (re.compile(r"by group_id instead of foreach"), "by group_id() instead of foreach"),
    (re.compile(r"put it into a parallel region"), "put it into a parallel region: with parallel():"),
]
_SIGIL = re.compile(r"[%@](?=[A-Za-z])")
"""The character before a name in the language's text."""
_ADVICE = {
    "PYTL-0421": "where another operand gave the literal its type, cast that one to a wider type first",
    "PYTL-0422": "take a wider type; an infinity is math.inf",
}
"""Help that the rules of the text lack, since a text names the type of each constant."""


def in_python(diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic in the words of a kernel's source.

    >>> from pytl.frontends.python.wording import in_python
    >>> from pytl.diagnostics import Diagnostic, find
    >>> in_python(Diagnostic(find("0530"), "…", help="cast it: cast %value : f16")).help
    'cast it: f16(…)'
    """
    message = _SIGIL.sub("", diagnostic.message)
    help = diagnostic.help or _ADVICE.get(diagnostic.code)
    if help is not None:
        for pattern, spelling in _SPELLINGS:
            help = pattern.sub(spelling, help)
    return replace(diagnostic, message=message, help=help)
