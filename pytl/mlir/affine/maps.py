"""Affine maps and integer sets: application, composition, inversion, strides, and their spelling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import count

from ...diagnostics import LanguageError, Location
from ...process.records import dataclass
from .expressions import (
    Binary,
    Constant,
    Dimension,
    Expression,
    Spelling,
    Symbol,
    evaluate,
    is_affine,
    spell,
    substitute,
)
from .rules import CONFORMANT, OPERANDS
from .simplify import Linear, linear, simplify

Size = tuple[Expression, ...]
"""The size of a dimension: the least of these."""


@dataclass(frozen=True)
class _Lists:
    """What maps and sets share: the dimensions and symbols that their expressions are of."""

    dimensions: tuple[str, ...]
    symbols: tuple[str, ...]

    def _check(self, dimensions: Sequence[int], symbols: Sequence[int]) -> None:
        for values, names, kind in ((dimensions, self.dimensions, "dimensions"), (symbols, self.symbols, "symbols")):
            if len(values) != len(names):
                raise LanguageError.single(OPERANDS, f"{len(values)} values are given for {len(names)} {kind}")

    def _spelled(self, expressions: Iterable[Expression], spelling: Spelling) -> list[str]:
        return [spell(each, self.dimensions, self.symbols, spelling) for each in expressions]

    @property
    def _head(self) -> str:
        symbols = f"[{', '.join(self.symbols)}]" if self.symbols else ""
        return f"({', '.join(self.dimensions)}){symbols}"


@dataclass(frozen=True)
class AffineMap(_Lists):
    """A map from indices to indices, with symbols that are bound where the map is used.

    `sizes` are those of the results, which the document's bounded maps have. Two maps are equal when they are written
    alike; `simplified` maps that are equal have the same values.

    >>> from pytl.mlir.affine import read_map
    >>> swapped = read_map("(i, j)[s] -> (j + s, i)")
    >>> swapped(2, 3, symbols=[10])
    (13, 2)
    >>> print(swapped.compose(swapped))
    (i, j)[s, s0] -> (i + s, j + s0)
    >>> print(swapped.inverse())
    (d0, d1)[s] -> (d1, d0 - s)
    """

    results: tuple[Expression, ...]
    sizes: tuple[Size, ...] | None = None
    location: Location | None = field(default=None, compare=False)

    def __call__(self, *indices: int, symbols: Sequence[int] = ()) -> tuple[int, ...]:
        """The results for these indices. Raises `pytl.LanguageError` (PYTL-0704, PYTL-0709)."""
        self._check(indices, symbols)
        return tuple(evaluate(result, indices, symbols) for result in self.results)

    @property
    def is_affine(self) -> bool:
        """Whether no symbol is a factor or a divisor; such a map is only semi-affine."""
        return all(is_affine(result) for result in self.results)

    def sizes_of(self, symbols: Sequence[int] = ()) -> tuple[int, ...] | None:
        """The sizes of a bounded map for these symbols, and None of an unbounded map."""
        self._check([0] * len(self.dimensions), symbols)
        if self.sizes is None:
            return None
        return tuple(min(evaluate(each, (), symbols) for each in size) for size in self.sizes)

    def simplified(self) -> AffineMap:
        """The map in canonical form."""
        sizes = None if self.sizes is None else tuple(tuple(map(simplify, size)) for size in self.sizes)
        return AffineMap(
            self.dimensions, self.symbols, tuple(map(simplify, self.results)), sizes, location=self.location
        )

    def compose(self, inner: AffineMap) -> AffineMap:
        """The map that applies `inner` first; its symbols follow this map's.

        Raises `pytl.LanguageError` (PYTL-0710) where `inner` has not one result for each dimension of this map.
        """
        if len(inner.results) != len(self.dimensions):
            raise LanguageError.single(
                CONFORMANT,
                f"the first map has {len(inner.results)} results, the next has {len(self.dimensions)} dimensions",
                self.location,
            )
        shift = len(self.symbols)
        shifted: dict[Expression, Expression] = {Symbol(n): Symbol(n + shift) for n in range(len(inner.symbols))}
        replacements: dict[Expression, Expression] = {
            Dimension(n): substitute(result, shifted) for n, result in enumerate(inner.results)
        }
        results = tuple(simplify(substitute(result, replacements)) for result in self.results)
        symbols = (*self.symbols, *inner.symbols)
        taken = {*inner.dimensions}
        if len({*symbols, *taken}) < len(symbols) + len(taken):
            symbols = _unused_names(symbols, taken)
        return AffineMap(inner.dimensions, symbols, results, self.sizes, location=self.location)

    def inverse(self) -> AffineMap | None:
        """The map from results back to indices, where linear algebra finds one: it is right on all results.

        Quotients and remainders by constants are taken as unknowns that make up their dividend, so that tilings are
        inverted. None where the map is not one-to-one, is semi-affine in its dimensions, or is beyond this method.
        """
        from .inverse import inverse_of

        inverse = inverse_of(self.results, len(self.dimensions))
        if inverse is None:
            return None
        names = _unused_names([f"d{n}" for n in range(len(self.results))], {*self.symbols})
        return AffineMap(names, self.symbols, inverse)

    def strides(self, sizes: Sequence[int] | None = None) -> tuple[Expression, tuple[Expression, ...]] | None:
        """The offset and the stride of each dimension in elements, or None where the map isn't strided.

        The results index an array in row-major order, of the map's own sizes unless `sizes` gives those. None also
        where the sizes that count are unknown (all but the first). Strides are expressions of the symbols.

        >>> from pytl.mlir.affine import read_map
        >>> offset, strides = read_map("(i, j)[M, N] -> (j, i) size (N, M)").strides()
        >>> offset, strides  # a column-major matrix: its columns are M apart
        (Constant(value=0), (Constant(value=1), Symbol(position=0)))
        """
        position = self.linearized(sizes)
        if position is None:
            return None
        offset = Linear(position.constant)
        strides = [Linear() for _ in self.dimensions]
        for atoms, factor in position.terms.items():
            at = [n for n, atom in enumerate(atoms) if isinstance(atom, Dimension)]
            rest = [atom for n, atom in enumerate(atoms) if n not in at]
            if len(at) > 1 or any(_has_dimension(atom) for atom in rest):
                return None
            into = offset
            if at:
                dimension = atoms[at[0]]
                assert isinstance(dimension, Dimension)
                into = strides[dimension.position]
            if rest:
                into.add(tuple(rest), factor)
            else:
                into.constant += factor
        return offset.expression(), tuple(each.expression() for each in strides)

    def linearized(self, sizes: Sequence[int] | None = None) -> Linear | None:
        """The position in memory, in elements: the results as indices of an array in row-major order."""
        each: list[Size] | None = None
        if sizes is not None:
            each = [(Constant(size),) for size in sizes]
        elif self.sizes is not None:
            each = list(self.sizes)
        total = Linear()
        for n, result in enumerate(self.results):
            if n:
                if each is None or len(each) != len(self.results) or len(each[n]) != 1:
                    return None
                total = total.times(linear(each[n][0]))
            total = total.plus(linear(result))
        return linear(total.expression())

    def text(self, spelling: Spelling = "2018") -> str:
        """The map as the document writes it, or as `affine_map<…>` of today's MLIR, which has no sizes.

        >>> from pytl.mlir.affine import read_map
        >>> read_map("(i)[s] -> (i floordiv 2 + 4 * i) size (s)").text("today")
        'affine_map<(i)[s] -> (i floordiv 2 + i * 4)>'
        """
        results = f"{self._head} -> ({', '.join(self._spelled(self.results, spelling))})"
        if spelling == "today":
            return f"affine_map<{results}>"
        if self.sizes is None:
            return results
        sizes = [self._spelled(size, spelling) for size in self.sizes]
        written = [size[0] if len(size) == 1 else f"min({', '.join(size)})" for size in sizes]
        return f"{results} size ({', '.join(written)})"

    def of_values(self, operands: Sequence[str]) -> list[str]:
        """The results as expressions of the values that the map is applied to, as accesses of today's MLIR have them.

        >>> from pytl.mlir.affine import read_map
        >>> read_map("(i)[s] -> (i + s, 2)").of_values(["%a", "%n"])
        ['%a + symbol(%n)', '2']
        """
        count = len(self.dimensions)
        symbols = [f"symbol({name})" for name in operands[count:]]
        return [spell(each, operands[:count], symbols, "today") for each in self.results]

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Constraint:
    """An expression that is at least zero, or that equals zero."""

    expression: Expression
    is_equality: bool = False


@dataclass(frozen=True)
class IntegerSet(_Lists):
    """The indices that keep all constraints; without constraints, all indices.

    >>> from pytl.mlir.affine import read_set
    >>> below = read_set("(d0)[s0] : d0 >= 0, -d0 + s0 - 1 >= 0")
    >>> below.contains(3, symbols=[4]), below.contains(4, symbols=[4])
    (True, False)
    """

    constraints: tuple[Constraint, ...]
    location: Location | None = field(default=None, compare=False)

    def contains(self, *indices: int, symbols: Sequence[int] = ()) -> bool:
        """Whether the indices keep all constraints. Raises `pytl.LanguageError` (PYTL-0704, PYTL-0709)."""
        self._check(indices, symbols)
        values = [(evaluate(each.expression, indices, symbols), each) for each in self.constraints]
        return all(value == 0 if each.is_equality else value >= 0 for value, each in values)

    def simplified(self) -> IntegerSet:
        """The set with constraints in canonical form, each once, and without those that always hold."""
        constraints: dict[Constraint, None] = {}
        for each in self.constraints:
            simple = simplify(each.expression)
            holds = isinstance(simple, Constant) and (simple.value == 0 if each.is_equality else simple.value >= 0)
            if not holds:
                constraints[Constraint(simple, each.is_equality)] = None
        return IntegerSet(self.dimensions, self.symbols, tuple(constraints), location=self.location)

    def text(self, spelling: Spelling = "2018") -> str:
        """The set as the document writes it, or as `affine_set<…>` of today's MLIR.

        Today's MLIR has no set without a constraint: there it is written with `0 == 0`.
        """
        signs = ["==" if each.is_equality else ">=" for each in self.constraints]
        written = self._spelled((each.expression for each in self.constraints), spelling)
        whole = [f"{text} {sign} 0" for text, sign in zip(written, signs, strict=True)]
        if spelling == "today":
            return f"affine_set<{self._head} : ({', '.join(whole or ['0 == 0'])})>"
        return f"{self._head} : {', '.join(whole)}".rstrip()

    def __str__(self) -> str:
        return self.text()


def _has_dimension(expression: Expression) -> bool:
    if isinstance(expression, Binary):
        return _has_dimension(expression.left) or _has_dimension(expression.right)
    return isinstance(expression, Dimension)


def _unused_names(names: Sequence[str], taken: set[str]) -> tuple[str, ...]:
    """The names, with free ones (s0, s1, …) in the place of those that are taken or given twice."""
    unused: list[str] = []
    used = {*names, *taken}
    for name in names:
        if name in taken or name in unused:
            name = next(each for each in map("s{}".format, count()) if each not in used)
            used.add(name)
        unused.append(name)
    return tuple(unused)
