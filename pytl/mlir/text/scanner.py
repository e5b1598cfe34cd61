"""The tokens of a text of MLIR, and the affine structures in it."""

from __future__ import annotations

import re

from ..affine import AffineMap, Expression, IntegerSet
from ..affine.reader import ValueNames, read_expression_of_values_within, read_map_within, read_set_within
from ..scanner import MOST_NESTED, Scanner

WORD = re.compile(r"[A-Za-z_][\w$.]*")
NUMBER = re.compile(r"-?[0-9]")
_MOST_DIGITS = 40


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
        if len(digits) > _MOST_DIGITS and not digits.startswith("0x"):
            begin = self.last_end - len(digits)
            self.fail(f"the number has more than {_MOST_DIGITS} digits", begin=begin)
        return digits

    def balanced(self, opening: str = "<", closing: str = ">") -> str:
        """The text from here to the bracket that closes the one that begins here."""
        begin, depth = self.at, 0
        while self.at < len(self.text):
            token = self.next()
            if token == opening:
                depth += 1
                if depth > MOST_NESTED:
                    self.fail(f"brackets are nested more than {MOST_NESTED} deep")
            elif token == closing:
                depth -= 1
                if depth == 0:
                    return self.text[begin : self.last_end]
        self.at = begin
        self.fail(f"`{opening}` is not closed")

    # Affine structures.

    def affine_map(self) -> AffineMap:
        """A map, with `affine_map<…>` around it or without; symbols may be factors and divisors."""
        found, end = read_map_within(self.source, self.text, self.at)
        self.go_on(end)
        return found

    def affine_set(self) -> IntegerSet:
        found, end = read_set_within(self.source, self.text, self.at)
        self.go_on(end)
        return found

    def expression_of_values(self, names: ValueNames) -> Expression:
        """`%i * 2 + symbol(%n)`; the names get those of values that are new."""
        found, end = read_expression_of_values_within(self.source, self.at, names)
        self.go_on(end)
        return found
