"""The tokens of a text of MLIR, and the affine structures in it."""

from __future__ import annotations

import re
from typing import ClassVar

from ...diagnostics import Source
from ..affine import AffineMap, Expression, IntegerSet
from ..affine.reader import ValueNames, read_expression_of_values_within, read_map_within, read_set_within
from ..scanner import MAX_NESTED, Scanner

WORD = re.compile(r"[A-Za-z_][\w$.]*")
NUMBER = re.compile(r"-?[0-9]")
_MAX_DIGITS = 40
_CONTINUING = ("else", "ins", "outs", "do", "args", "blocks", "threads")
"""Words that begin a line within an operation."""


class TextScanner(Scanner):
    """A position in a text of operations."""

    token = re.compile(
        r'"(?:[^"\\\n]|\\.)*"'
        r"|[%^][A-Za-z0-9_$.\-]+|@[A-Za-z_][\w$.]*|@\"(?:[^\"\\\n]|\\.)*\""
        r"|[#!][A-Za-z_][\w$.]*|#-?[0-9]+"
        r"|0x[0-9A-Fa-f]+|-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?"
        r"|[A-Za-z_][\w$.]*|->|>=|==|::|.",
        re.DOTALL,
    )
    first: ClassVar[re.Pattern[str]] = re.compile(r'[%"^A-Za-z_]')
    """What an operation, or a block, begins with."""
    opening: ClassVar[str] = "([{"
    closing: ClassVar[str] = ")]}"
    """The brackets that operations have in them, with further lines maybe."""
    outermost: ClassVar[str] = ""
    """The word that begins what stands in no bracket, if there is one: what is open in front of it is never closed."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._open_from = -1
        """The begin of an operation from which on brackets are opened that nothing closes."""

    def skip_operation(self, begin: int) -> None:
        """Go on behind an operation that can't be read further: at the next line that may begin one.

        That line is outside of all brackets that were opened since the operation's begin. Where there is none, because
        brackets stay open, there is none for what is around it either.
        """
        failed, depth, is_open = self.position, 0, True
        self.position = begin
        self.next()
        while self.position < len(self.text):
            token = self.peek()
            if token == self.outermost and self.position >= failed and self._begins_line:
                return
            if depth and self.position == self._open_from:
                self.position = len(self.text)
                break
            if token in self.opening:
                depth += 1
            elif token in self.closing:
                if depth == 0 and token == "}":
                    return
                is_open = is_open and depth > 0
                depth = max(depth - 1, 0)
            elif depth == 0 and self.position >= failed and self._is_first(token):
                return
            self.next()
        if is_open:
            self._open_from = begin

    def _is_first(self, token: str) -> bool:
        """Whether a token begins a line, and may begin an operation."""
        return self._begins_line and self.first.match(token) is not None and token not in _CONTINUING

    @property
    def _begins_line(self) -> bool:
        return "\n" in self.text[self.last_end : self.position]

    def word(self, what: str) -> str:
        if not WORD.fullmatch(self.peek()):
            self.fail_expected(what)
        return self.next()

    def integer(self) -> int:
        token = self.peek()
        if not re.fullmatch(r"-?[0-9]+", token):
            self.fail_expected("a number")
        return int(self.checked(self.next()))

    def checked(self, digits: str) -> str:
        """The digits of the number that was read, which are not more than any number has."""
        if len(digits) > _MAX_DIGITS and not digits.startswith("0x"):
            begin = self.last_end - len(digits)
            self.fail(f"the number has more than {_MAX_DIGITS} digits", begin=begin)
        return digits

    def balanced(self, opening: str = "<", closing: str = ">") -> str:
        """The text from here to the bracket that closes the one that begins here."""
        begin, depth = self.position, 0
        while self.position < len(self.text):
            token = self.next()
            if token == opening:
                depth += 1
                if depth > MAX_NESTED:
                    self.fail(f"brackets are nested more than {MAX_NESTED} deep")
            elif token == closing:
                depth -= 1
                if depth == 0:
                    return self.text[begin : self.last_end]
        self.position = begin
        self.fail(f"`{opening}` is not closed")

    # Affine structures.

    def affine_map(self) -> AffineMap:
        """A map, with `affine_map<…>` around it or without; symbols may be factors and divisors."""
        map_, end = read_map_within(self.source, self.text, self.position)
        self.advance(end)
        return map_

    def affine_set(self) -> IntegerSet:
        set_, end = read_set_within(self.source, self.text, self.position)
        self.advance(end)
        return set_

    def expression_of_values(self, names: ValueNames) -> Expression:
        """`%i * 2 + symbol(%n)`; the names get those of values that are new."""
        expression, end = read_expression_of_values_within(self.source, self.position, names)
        self.advance(end)
        return expression
