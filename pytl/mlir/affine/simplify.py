"""The canonical form of affine expressions: a sum of terms, in which equal parts are one part.

A term is an integer times an atom: a dimension, a symbol, a product of atoms, or a division or remainder of a
canonical expression. `ceildiv` becomes `floordiv`. Divisors that divide terms are divided out, and a quotient and its
remainder are put together again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd

from .expressions import Binary, Constant, Dimension, Expression, Operator, Symbol

Atoms = tuple[Expression, ...]  # the factors of a term, in order
_ORDER = {"mod": 3, "floordiv": 2, "*": 4, "ceildiv": 5, "+": 6}


class Linear:
    """A sum: a constant and integer coefficients of products of atoms."""

    def __init__(self, constant: int = 0, terms: Iterable[tuple[Atoms, int]] = ()) -> None:
        self.constant = constant
        self.terms: dict[Atoms, int] = {}
        for atoms, factor in terms:
            self.add(atoms, factor)

    def add(self, atoms: Atoms, factor: int) -> None:
        total = self.terms.pop(atoms, 0) + factor
        if total:
            self.terms[atoms] = total

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        scaled = [(atoms, factor * each) for atoms, each in other.terms.items()]
        return Linear(self.constant + factor * other.constant, [*self.terms.items(), *scaled])

    def times(self, other: Linear) -> Linear:
        ours, theirs = ([((), each.constant), *each.terms.items()] for each in (self, other))
        products = Linear()
        for left, a in ours:
            for right, b in theirs:
                products.add(tuple(sorted((*left, *right), key=_key)), a * b)
        return Linear(products.terms.pop((), 0), products.terms.items())

    def expression(self) -> Expression:
        """The sum as a tree, its terms in a fixed order."""
        parts: list[Expression] = []
        for atoms in sorted(self.terms, key=lambda atoms: (len(atoms), [_key(atom) for atom in atoms])):
            product = atoms[0]
            for atom in atoms[1:]:
                product = Binary("*", product, atom)
            factor = self.terms[atoms]
            parts.append(product if factor == 1 else Binary("*", Constant(factor), product))
        if self.constant or not parts:
            parts.append(Constant(self.constant))
        total = parts[0]
        for part in parts[1:]:
            total = Binary("+", total, part)
        return total


@lru_cache(maxsize=4096)
def simplify(expression: Expression) -> Expression:
    """The canonical form of an expression, which has the same value everywhere.

    >>> from pytl.mlir.affine import read_expression
    >>> from pytl.mlir.affine.expressions import spell
    >>> spell(simplify(read_expression("(8 * i + j mod 4 + 9) floordiv 4", ["i", "j"])), ["i", "j"], [])
    '2 * i + (j mod 4 + 1) floordiv 4 + 2'
    """
    return linear(expression).expression()


@lru_cache(maxsize=4096)
def linear(expression: Expression) -> Linear:
    """The canonical form of an expression as a sum of terms, which is shared: nobody changes it.

    Quotients and remainders take their parts apart more than once, which without the cache takes time that doubles
    with each level.
    """
    if isinstance(expression, Constant):
        return Linear(expression.value)
    if not isinstance(expression, Binary):
        return Linear(0, [((expression,), 1)])
    left, right = linear(expression.left), linear(expression.right)
    if expression.operator == "+":
        return _rejoined(left.plus(right))
    if expression.operator == "*":
        return _rejoined(left.times(right))
    if right.terms or right.constant <= 0:  # by a symbol; by what evaluating refuses
        return Linear(0, [((Binary(expression.operator, left.expression(), right.expression()),), 1)])
    divisor = right.constant
    if expression.operator == "mod":
        return _rejoined(_remainder(left, divisor))
    if expression.operator == "ceildiv":
        left = left.plus(Linear(divisor - 1))
    return _rejoined(_quotient(left, divisor))


def _quotient(dividend: Linear, divisor: int) -> Linear:
    """`dividend floordiv divisor`."""
    whole = Linear(dividend.constant // divisor)
    rest = Linear(dividend.constant % divisor)
    for atoms, factor in dividend.terms.items():
        into = whole if factor % divisor == 0 else rest
        into.add(atoms, factor // divisor if into is whole else factor)
    common = gcd(divisor, *rest.terms.values())
    if common > 1:
        rest = Linear(rest.constant // common, [(atoms, each // common) for atoms, each in rest.terms.items()])
        divisor //= common
    bounds = _range(rest)
    if bounds and bounds[0] // divisor == bounds[1] // divisor:
        return whole.plus(Linear(bounds[0] // divisor))
    inner = _single(rest)
    if inner is not None and inner.operator == "floordiv" and isinstance(inner.right, Constant):
        first = inner.right.value
        if first > 0:
            return whole.plus(_quotient(linear(inner.left).plus(Linear(first * rest.constant)), first * divisor))
    atom = Binary("floordiv", rest.expression(), Constant(divisor))
    return whole.plus(Linear(0, [((atom,), 1)]))


def _remainder(dividend: Linear, divisor: int) -> Linear:
    """`dividend mod divisor`."""
    rest = Linear(dividend.constant)
    for atoms, factor in dividend.terms.items():
        inner = atoms[0]
        if len(atoms) == 1 and isinstance(inner, Binary) and _modulus(inner) % divisor == 0 < _modulus(inner):
            rest = rest.plus(linear(inner.left), factor)
            continue
        rest.add(atoms, factor)
    rest = Linear(rest.constant % divisor, [(atoms, each % divisor) for atoms, each in rest.terms.items()])
    common = gcd(divisor, *rest.terms.values())
    apart = rest.constant % common
    rest = Linear(rest.constant // common, [(atoms, each // common) for atoms, each in rest.terms.items()])
    divisor //= common
    bounds = _range(rest)
    if bounds and bounds[0] // divisor == bounds[1] // divisor:
        return Linear(apart - common * divisor * (bounds[0] // divisor)).plus(rest, common)
    atom = Binary("mod", rest.expression(), Constant(divisor))
    return Linear(apart, [((atom,), common)])


def _range(sum: Linear) -> tuple[int, int] | None:
    """The least and the greatest value of a sum of remainders, or None."""
    low = high = sum.constant
    for atoms, factor in sum.terms.items():
        atom = atoms[0]
        if len(atoms) > 1 or not isinstance(atom, Binary) or atom.operator != "mod":
            return None
        if not isinstance(atom.right, Constant) or atom.right.value <= 0:
            return None
        greatest = factor * (atom.right.value - 1)
        low, high = low + min(greatest, 0), high + max(greatest, 0)
    return low, high


def _modulus(atom: Binary) -> int:
    """The constant that an atom is the remainder by, or 0 where it is another operation or divides by a symbol."""
    return max(atom.right.value, 0) if atom.operator == "mod" and isinstance(atom.right, Constant) else 0


def _single(sum: Linear) -> Binary | None:
    """The operation that is the only term, with the factor 1."""
    if len(sum.terms) != 1:
        return None
    (atoms, factor), *_ = sum.terms.items()
    return atoms[0] if factor == 1 and len(atoms) == 1 and isinstance(atoms[0], Binary) else None


def _rejoined(sum: Linear) -> Linear:
    """Where a sum has a quotient `divisor` times as often as its remainder, the dividend in their place."""
    for atoms, factor in list(sum.terms.items()):
        atom = atoms[0]
        if len(atoms) > 1 or not isinstance(atom, Binary) or atom.operator != "mod":
            continue
        if not isinstance(atom.right, Constant) or atom.right.value <= 0:
            continue
        quotient = _quotient(linear(atom.left), atom.right.value)
        if not quotient.terms or any(
            sum.terms.get(each, 0) != factor * atom.right.value * of for each, of in quotient.terms.items()
        ):
            continue
        without = sum.plus(quotient, -factor * atom.right.value).plus(Linear(0, [(atoms, factor)]), -1)
        return _rejoined(without.plus(linear(atom.left), factor))
    return sum


def _key(expression: Expression) -> tuple[object, ...]:
    """Orders expressions: dimensions, symbols, then operations."""
    if isinstance(expression, Dimension):
        return 0, expression.position
    if isinstance(expression, Symbol):
        return 1, expression.position
    if isinstance(expression, Constant):
        return 2, expression.value
    operator: Operator = expression.operator
    return _ORDER[operator] + 1, *_flat(expression.left), *_flat(expression.right)


def _flat(expression: Expression) -> tuple[object, ...]:
    return (*_key(expression), -1)
