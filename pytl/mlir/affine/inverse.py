"""The inverse of affine maps, by linear algebra over fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from .expressions import Binary, Constant, Dimension, Expression, parts, substitute
from .simplify import Linear, linear

_MAX_UNKNOWNS = 64
"""The most unknowns that are solved for: the time grows with their third power."""


def inverse_of(results: Sequence[Expression], dimensions: int) -> tuple[Expression, ...] | None:
    """For each dimension its value as an expression of the results, which are dimensions there; None if none is found.

    Each quotient and each remainder by a constant is an unknown, and its dividend is the divisor times the quotient
    and the remainder: an equation more. A dimension that the equations determine is a sum of results over a common
    denominator, which divides the sum wherever the results are those of the map. What is made of such dimensions alone
    is then known, too, and the rest is solved again.
    """
    solutions: dict[Expression, Expression] = {}
    while len(solutions) < dimensions:
        solved = _solve_step(results, dimensions, solutions)
        if not solved:
            return None
        solutions.update(solved)
    return tuple(solutions[Dimension(n)] for n in range(dimensions))


def _solve_step(
    results: Sequence[Expression], dimensions: int, solutions: Mapping[Expression, Expression]
) -> dict[Expression, Expression]:
    """The dimensions that the equations determine where some have been found, without those."""
    unsolved: list[Expression] = [Dimension(n) for n in range(dimensions) if Dimension(n) not in solutions]
    unknowns = [*unsolved]
    equations: list[tuple[dict[Expression, int], Linear]] = []  # unknowns with factors, and what their sum is

    def add(sum: Linear, value: Linear) -> bool:
        """One equation, and those of the quotients and remainders in it, which are added once."""
        row: dict[Expression, int] = {}
        known = value.plus(Linear(sum.constant), -1)
        new: list[Binary] = []
        for atoms, factor in sum.terms.items():
            if all(part in solutions for atom in atoms for part in parts(atom) if isinstance(part, Dimension)):
                term = substitute(Linear(0, [(atoms, factor)]).expression(), solutions)
                known = known.plus(linear(term), -1)
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
        if not isinstance(atom.right, Constant) or atom.right.value <= 0 or len(unknowns) >= _MAX_UNKNOWNS:
            return False
        unknowns.append(atom)
        quotient = linear(Binary("floordiv", atom.left, atom.right))
        remainder = linear(Binary("mod", atom.left, atom.right))
        return add(linear(atom.left).plus(quotient, -atom.right.value).plus(remainder, -1), Linear())

    for n, result in enumerate(results):
        if not add(linear(result), Linear(0, [((Dimension(n),), 1)])):
            return {}
    solved = _solve([[Fraction(row.get(each, 0)) for each in unknowns] for row, _ in equations], len(unsolved))
    sums = [known for _, known in equations]
    return {unsolved[n]: _sum(factors, sums) for n, factors in solved.items()}


def _solve(rows: list[list[Fraction]], unsolved_count: int) -> dict[int, list[Fraction]]:
    """For each of the first unknowns that the equations determine, the factors of those whose sum gives it."""
    count = len(rows)
    width = len(rows[0]) if rows else 0
    table = [[*row, *(Fraction(n == m) for m in range(count))] for n, row in enumerate(rows)]
    rank = 0
    # the unknowns that aren't wanted are eliminated first: what is left gives the wanted ones
    for column in [*range(unsolved_count, width), *range(min(unsolved_count, width))]:
        pivot = next((n for n in range(rank, count) if table[n][column]), None)
        if pivot is None:
            continue
        table[rank], table[pivot] = table[pivot], table[rank]
        scale = table[rank][column]
        table[rank] = [each / scale for each in table[rank]]
        for n in range(count):
            if n != rank and table[n][column]:
                factor = table[n][column]
                table[n] = [a - factor * b for a, b in zip(table[n], table[rank], strict=True)]
        rank += 1
    determined: dict[int, list[Fraction]] = {}
    for row in table:
        nonzero = [n for n in range(width) if row[n]]
        if len(nonzero) == 1 and nonzero[0] < unsolved_count:
            determined[nonzero[0]] = row[width:]
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
