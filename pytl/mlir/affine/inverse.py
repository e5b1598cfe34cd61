"""The inverse of affine maps, by linear algebra over fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from .expressions import Binary, Constant, Dimension, Expression, parts, substitute
from .simplify import Linear, linear

_MOST = 64
"""The most unknowns that are solved for: the time grows with their third power."""


def inverse_of(results: Sequence[Expression], dimensions: int) -> tuple[Expression, ...] | None:
    """For each dimension its value as an expression of the results, which are dimensions there; None if none is found.

    Each quotient and each remainder by a constant is an unknown, and its dividend is the divisor times the quotient
    and the remainder: an equation more. A dimension that the equations determine is a sum of results over a common
    denominator, which divides the sum wherever the results are those of the map. What is made of such dimensions alone
    is then known, too, and the rest is solved again.
    """
    found: dict[Expression, Expression] = {}
    while len(found) < dimensions:
        solved = _step(results, dimensions, found)
        if not solved:
            return None
        found.update(solved)
    return tuple(found[Dimension(n)] for n in range(dimensions))


def _step(
    results: Sequence[Expression], dimensions: int, found: Mapping[Expression, Expression]
) -> dict[Expression, Expression]:
    """The dimensions that the equations determine where some have been found, without those."""
    wanted: list[Expression] = [Dimension(n) for n in range(dimensions) if Dimension(n) not in found]
    unknowns = [*wanted]
    equations: list[tuple[dict[Expression, int], Linear]] = []  # unknowns with factors, and what their sum is

    def add(sum: Linear, value: Linear) -> bool:
        """One equation, and those of the quotients and remainders in it, which are added once."""
        row: dict[Expression, int] = {}
        known = value.plus(Linear(sum.constant), -1)
        new: list[Binary] = []
        for atoms, factor in sum.terms.items():
            if all(part in found for atom in atoms for part in parts(atom) if isinstance(part, Dimension)):
                given = substitute(Linear(0, [(atoms, factor)]).expression(), found)
                known = known.plus(linear(given), -1)
            elif len(atoms) > 1:
                return False
            else:
                row[atoms[0]] = factor
                if atoms[0] not in unknowns:
                    assert isinstance(atoms[0], Binary)
                    new.append(atoms[0])
        equations.append((row, known))
        return all(divide(atom) for atom in new if atom not in unknowns)

    def divide(atom: Binary) -> bool:
        if not isinstance(atom.right, Constant) or atom.right.value <= 0 or len(unknowns) >= _MOST:
            return False
        unknowns.append(atom)
        quotient = linear(Binary("floordiv", atom.left, atom.right))
        remainder = linear(Binary("mod", atom.left, atom.right))
        return add(linear(atom.left).plus(quotient, -atom.right.value).plus(remainder, -1), Linear())

    for n, result in enumerate(results):
        if not add(linear(result), Linear(0, [((Dimension(n),), 1)])):
            return {}
    solved = _solve([[Fraction(row.get(each, 0)) for each in unknowns] for row, _ in equations], len(wanted))
    sums = [known for _, known in equations]
    return {wanted[n]: _sum(factors, sums) for n, factors in solved.items()}


def _solve(rows: list[list[Fraction]], wanted: int) -> dict[int, list[Fraction]]:
    """For each of the first `wanted` unknowns that the equations determine, the factors of those whose sum gives it."""
    count = len(rows)
    width = len(rows[0]) if rows else 0
    table = [[*row, *(Fraction(n == m) for m in range(count))] for n, row in enumerate(rows)]
    at = 0
    # the unknowns that aren't wanted are eliminated first: what is left gives the wanted ones
    for column in [*range(wanted, width), *range(min(wanted, width))]:
        pivot = next((n for n in range(at, count) if table[n][column]), None)
        if pivot is None:
            continue
        table[at], table[pivot] = table[pivot], table[at]
        scale = table[at][column]
        table[at] = [each / scale for each in table[at]]
        for n in range(count):
            if n != at and table[n][column]:
                factor = table[n][column]
                table[n] = [a - factor * b for a, b in zip(table[n], table[at], strict=True)]
        at += 1
    determined: dict[int, list[Fraction]] = {}
    for row in table:
        places = [n for n in range(width) if row[n]]
        if len(places) == 1 and places[0] < wanted:
            determined[places[0]] = row[width:]
    return determined


def _sum(factors: Sequence[Fraction], known: Sequence[Linear]) -> Expression:
    denominator = lcm(*(each.denominator for each in factors))
    total = Linear()
    for factor, each in zip(factors, known, strict=True):
        if factor:
            total = total.plus(each, int(factor * denominator))
    whole = total.expression()
    if denominator == 1:
        return whole
    return linear(Binary("floordiv", whole, Constant(denominator))).expression()
