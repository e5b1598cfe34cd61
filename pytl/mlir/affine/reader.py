"""Reading affine maps, integer sets and expressions: the syntax of MLIR's document of 2018, and today's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ...diagnostics import Source
from ..scanner import Scanner
from .expressions import Binary, Constant, Dimension, Expression, Operator, Symbol, is_symbolic
from .maps import AffineMap, Constraint, IntegerSet, Size
from .rules import COMPLEXITY, DIVISOR, LITERAL, NOT_AFFINE, SEMI_AFFINE, SIZE_OPERANDS, SIZES, SYNTAX, UNIQUE, UNKNOWN
from .simplify import linear

_DIVISIONS: tuple[Operator, ...] = ("floordiv", "ceildiv", "mod")
_MAX_OPERATIONS = 100
_INTEGER_LIMIT = 1 << 63


def read_map(text: str, name: str = "<text>", *, semi_affine: bool = False) -> AffineMap:
    """The affine map of a text; with `semi_affine`, symbols may be factors and divisors, as in layout maps.

    Raises `pytl.LanguageError` (PYTL-0700 to PYTL-0708, PYTL-0711) at the place in the text, which diagnostics call
    `name`.

    >>> print(read_map("affine_map<(d0, d1)[s0] -> (d0, d1 * 2 - s0)>"))
    (d0, d1)[s0] -> (d0, d1 * 2 - s0)
    """
    return _whole(_Reader(Source(name, text), semi_affine), _Reader.map)


def read_set(text: str, name: str = "<text>") -> IntegerSet:
    """The integer set of a text. Raises `pytl.LanguageError` as `read_map` does.

    >>> print(read_set("(d0)[N] : d0 >= 0, -d0 + N - 1 >= 0"))
    (d0)[N] : d0 >= 0, -d0 + N - 1 >= 0
    """
    return _whole(_Reader(Source(name, text), False), _Reader.set)


def read_map_within(source: Source, text: str, position: int) -> tuple[AffineMap, int]:
    """The semi-affine map that begins at a position of a source, and where it ends.

    `text` is what is read in the place of the source's text; it is as long. Raises `pytl.LanguageError` as `read_map`.
    """
    reader = _Reader(source, True, text, position)
    return reader.map(), reader.last_end


def read_set_within(source: Source, text: str, position: int) -> tuple[IntegerSet, int]:
    """The integer set that begins at a position of a source, and where it ends, as `read_map_within`."""
    reader = _Reader(source, False, text, position)
    return reader.set(), reader.last_end


_NAME_OF_VALUE = re.compile(r"%[A-Za-z0-9_$.\-]+(?:#[0-9]+)?")


@dataclass
class ValueNames:
    """The values that expressions are of, each with its place among the dimensions or symbols."""

    dimensions: dict[str, Dimension] = field(default_factory=dict)
    symbols: dict[str, Symbol] = field(default_factory=dict)

    def map(self, results: Sequence[Expression]) -> AffineMap:
        """The map whose operands are the dimensions, then the symbols."""
        dimensions = tuple(f"d{n}" for n in range(len(self.dimensions)))
        symbols = tuple(f"s{n}" for n in range(len(self.symbols)))
        return AffineMap(dimensions, symbols, tuple(results))

    @property
    def operands(self) -> list[str]:
        return [*self.dimensions, *self.symbols]


def read_expression_of_values_within(source: Source, position: int, names: ValueNames) -> tuple[Expression, int]:
    """The expression of values, such as `%i * 2 + symbol(%n)`, that begins at a position, and where it ends.

    Values that are new are added to the names. Raises `pytl.LanguageError` as `read_map`.
    """
    reader = _OfValues(source, False, None, position)
    reader.values = names
    return reader.whole_expression(), reader.last_end


def read_expression(
    text: str,
    dimensions: Sequence[str],
    symbols: Sequence[str] = (),
    name: str = "<text>",
    *,
    semi_affine: bool = False,
) -> Expression:
    """The affine expression of a text in these dimensions and symbols. Raises `pytl.LanguageError` as `read_map`."""
    reader = _Reader(Source(name, text), semi_affine)
    reader.names = {each: Symbol(n) for n, each in enumerate(symbols)}
    reader.names.update({each: Dimension(n) for n, each in enumerate(dimensions)})
    expression = reader.whole_expression()
    reader.end()
    return expression


_Lists = TypeVar("_Lists", AffineMap, IntegerSet)


def _whole(reader: _Reader, read: Callable[[_Reader], _Lists]) -> _Lists:
    """What a text has, which has nothing else."""
    parsed = read(reader)
    reader.end()
    return parsed


class _Reader(Scanner):
    """Reads affine structures of one text."""

    token = re.compile(r"0x[0-9a-fA-F]+|[0-9]+|[A-Za-z][A-Za-z0-9_]*|->|>=|==|.", re.DOTALL)
    syntax = SYNTAX

    def __init__(self, source: Source, semi_affine: bool, text: str | None = None, at: int = 0) -> None:
        super().__init__(source, text, at)
        self.semi_affine = semi_affine
        self.names: dict[str, Expression] = {}
        self.operations = 0

    def end(self) -> None:
        if self.peek():
            self.fail_expected("the end of the text")

    # maps and sets

    def map(self) -> AffineMap:
        start, today = self._opened("affine_map")
        dimensions, symbols = self._lists("->")
        self.expect("->")
        results = self._results()
        sizes: tuple[Size, ...] | None = None
        if not today and self.take("size"):
            at = self.position
            self.expect("(")
            sizes = tuple(self.read_separated(self._size))
            self.expect(")")
            if len(sizes) != len(results):
                self.fail(f"the map has {len(results)} results and {len(sizes)} sizes", SIZES, at)
        self._closed(today)
        return AffineMap(dimensions, symbols, results, sizes, location=self.location_from(start))

    def set(self) -> IntegerSet:
        start, today = self._opened("affine_set")
        dimensions, symbols = self._lists(":")
        self.expect(":")
        parenthesized = today and self.take("(")
        constraints: list[Constraint] = []
        if self.peek() not in ("", ")", ">"):
            constraints = self.read_separated(self._constraint)
        if parenthesized:
            self.expect(")")
        self._closed(today)
        return IntegerSet(dimensions, symbols, tuple(constraints), location=self.location_from(start))

    def _opened(self, word: str) -> tuple[int, bool]:
        start = self.position
        today = self.take(word)
        if today:
            self.expect("<")
        return start, today

    def _closed(self, today: bool) -> None:
        if today:
            self.expect(">")

    def _lists(self, behind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        self.expect("(")
        dimensions = self._identifiers(")")
        for n, each in enumerate(dimensions):
            self.names[each] = Dimension(n)
        if self.peek() == ",":
            self.expect(behind, help="leave out the comma: symbols stand right behind the dimensions, as in (i, j)[M]")
        symbols = self._identifiers("]") if self.take("[") else ()
        for n, each in enumerate(symbols):
            self.names[each] = Symbol(n)
        return dimensions, symbols

    def _identifiers(self, closing: str) -> tuple[str, ...]:
        names: list[str] = []
        while not self.take(closing):
            if names:
                self.expect(",")
            at, word = self.position, self.next()
            if not word[:1].isalpha() or not word.isascii():
                self.fail("expected the name of a dimension or symbol", begin=at)
            if word in names or word in self.names:
                self.fail(f"`{word}` is listed twice", UNIQUE, at)
            names.append(word)
        return tuple(names)

    def _results(self) -> tuple[Expression, ...]:
        self.expect("(")
        if self.take(")"):
            return ()
        expressions = self.read_separated(self.whole_expression)
        self.expect(")")
        return tuple(expressions)

    def _size(self) -> Size:
        if not self.take("min"):
            return (self._symbolic(),)
        self.expect("(")
        first = self._symbolic()
        self.expect(",")
        others = self.read_separated(self._symbolic)
        self.expect(")")
        return first, *others

    def _symbolic(self) -> Expression:
        start = self.position
        expression = self.whole_expression()
        if not is_symbolic(expression):
            self.fail("a size has a dimension in it", SIZE_OPERANDS, start)
        return expression

    def _constraint(self) -> Constraint:
        expression = self.whole_expression()
        is_equality = self.take("==")
        if not is_equality:
            self.expect(">=")
        at = self.position
        if self.next() != "0":
            self.fail("a constraint compares with 0", begin=at, help="bring all terms to the left side")
        return Constraint(expression, is_equality)

    # expressions

    def whole_expression(self) -> Expression:
        self.operations = 0
        return self._sum()

    def _count(self) -> None:
        self.operations += 1
        if self.operations > _MAX_OPERATIONS:
            self.fail(f"the expression has more than {_MAX_OPERATIONS} operations and parentheses", COMPLEXITY)

    def _sum(self) -> Expression:
        expression = self._product()
        while self.peek() in ("+", "-"):
            self._count()
            sign = self.next()
            right = self._product()
            expression = Binary("+", expression, right if sign == "+" else _negative(right))
        return expression

    def _product(self) -> Expression:
        start = self.position
        expression = self._unary()
        while self.peek() == "*" or self.peek() in _DIVISIONS:
            self._count()
            operator = self.next()
            expression = self._checked(operator, expression, self._unary(), start)
        return expression

    def _unary(self) -> Expression:
        if self.peek() == "-":
            self._count()
            self.next()
            return _negative(self._unary())
        token, start = self.peek(), self.position
        if token in _DIVISIONS and token not in self.names:
            self._count()
            self.next()
            self.expect("(")
            left = self._sum()
            self.expect(",")
            right = self._sum()
            self.expect(")")
            return self._checked(token, left, right, start)
        if self.take("("):
            self._count()
            expression = self._sum()
            self.expect(")")
            return expression
        if token[:1].isdigit() and token.isascii():
            return self._literal()
        if token[:1].isalpha() and token.isascii():
            self.next()
            if token not in self.names:
                self.fail(f"`{token}` is no dimension and no symbol here", UNKNOWN, start)
            return self.names[token]
        self.fail_expected("an affine expression")

    def _literal(self) -> Expression:
        at, digits = self.position, self.next()
        value = int(digits, 0 if digits.startswith("0x") else 10) if len(digits) < 40 else _INTEGER_LIMIT
        if value >= _INTEGER_LIMIT:
            self.fail("the integer has more than 64 bits", LITERAL, at)
        return Constant(value)

    def _checked(self, word: str, left: Expression, right: Expression, start: int) -> Expression:
        """An operation other than a sum, if the document allows its operands here."""
        operator: Operator = next(each for each in ("*", *_DIVISIONS) if each == word)
        values = [linear(each) for each in (left, right)]
        constant = [not value.terms for value in values]
        if operator == "*":
            if not any(constant):
                self._refuse_unless_semi_affine(_is_of_symbols(left) or _is_of_symbols(right), "a product", start)
        elif not constant[1]:
            self._refuse_unless_semi_affine(isinstance(right, Symbol), f"the divisor of {operator}", start)
        elif values[1].constant <= 0:
            self.fail(f"the second operand of {operator} is {values[1].constant}", DIVISOR, start)
        operands = [
            Constant(value.constant) if each else part
            for part, value, each in zip((left, right), values, constant, strict=True)
        ]
        return Binary(operator, operands[0], operands[1])

    def _refuse_unless_semi_affine(self, has_symbol: bool, what: str, start: int) -> None:
        if not has_symbol:
            self.fail(f"{what} has no constant and no symbol in it", NOT_AFFINE, start)
        if not self.semi_affine:
            self.fail(f"{what} has a symbol where a constant stands in an affine expression", SEMI_AFFINE, start)


class _OfValues(_Reader):
    """Reads expressions in which names of values stand for dimensions, and `symbol(%n)` for symbols."""

    values: ValueNames

    def _unary(self) -> Expression:
        if self.take("symbol"):
            self.expect("(")
            name = self._value()
            self.expect(")")
            return self.values.symbols.setdefault(name, Symbol(len(self.values.symbols)))
        if self.peek() == "%":
            name = self._value()
            known = self.values.symbols.get(name)
            return known or self.values.dimensions.setdefault(name, Dimension(len(self.values.dimensions)))
        return super()._unary()

    def _value(self) -> str:
        match = self.match(_NAME_OF_VALUE)
        if match is None:
            self.fail_expected("the name of a value")
        return match.group()


def _is_of_symbols(expression: Expression) -> bool:
    """Whether this is a symbol or a product of symbols, which is a factor like each of them."""
    if isinstance(expression, Binary) and expression.operator == "*":
        return _is_of_symbols(expression.left) and _is_of_symbols(expression.right)
    return isinstance(expression, Symbol)


def _negative(expression: Expression) -> Expression:
    if isinstance(expression, Constant):
        return Constant(-expression.value)
    return Binary("*", Constant(-1), expression)
