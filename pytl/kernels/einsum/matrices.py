"""A contraction of two tensors as one matrix product, of permuted copies where tensors are no matrices in memory.

The rows of the product are all indices of A and C, its columns those of B and C, and it sums over those of A and B.
A tensor is a matrix where the indices of its rows follow each other in memory, and so do those of its columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Any

from ...diagnostics.words import counted
from ...ir.types import index
from ...ir.values import Function, Region, Value
from ...ops import Builtin, Fuse, Gemm, Subview
from ...ops.builder import Builder
from ...ops.index_notation import IndexMap
from ...ops.views import Slice
from ...passes.analysis.loop_over_gemm import ROUNDED, choose
from ...passes.targets.partition import even_part
from ...process.records import dataclass
from .layouts import Layout

ROWS, COLUMNS = 64, 384
"""The most rows and columns of the part of a product that a work-group computes. A part of the left factor is copied
for all of its columns, so that these are many."""
DEPTH = 256
"""The most products that are summed before those of the next part: the factors' parts stay in the second cache."""
MIN_GROUPS = 12
"""The fewest parts of a large product, so that all cores have some, and about as many."""
MIN_COLUMNS = 64
"""The columns below which a part is not divided further for it."""
UNIT = 16
"""What the rows of a part are a multiple of, so that few vectors are not whole."""


@dataclass(frozen=True)
class Matrices:
    """The order of a product's indices, and which tensors are copied for it."""

    rows: str
    columns: str
    sums: str
    shape: tuple[int, int, int]
    """The rows, columns and depth of the product."""
    copied: tuple[bool, ...]
    """Of A, B and C."""

    @classmethod
    def of(cls, names: Sequence[str], layouts: Sequence[Layout]) -> Matrices | None:
        """The choice that copies the fewest elements; None where an index is in all three, or in one alone."""
        a, b, c = names
        if any(sum(letter in n for n in names) != 2 for letter in a + b + c) or any(
            len(set(n)) < len(n) for n in names
        ):
            return None
        sizes = {name: n for each, layout in zip(names, layouts) for name, n in zip(each, layout.shape)}
        choices: list[tuple[int, Matrices]] = []
        for m, n, k in product(_orders(a, c), _orders(b, c), _orders(a, b)):
            if not (m and n and k):
                return None
            groups = ((m, k), (k, n), (m, n))
            copied = [not _is_matrix(*each) for each in zip(names, layouts, groups)]
            elements = sum(math.prod(each.shape) for each, is_copied in zip(layouts, copied) if is_copied)
            rows, columns, depth = (math.prod(sizes[name] for name in group) for group in (m, n, k))
            choices.append((elements, cls(m, n, k, (rows, columns, depth), tuple(copied))))
        return min(choices, key=lambda choice: choice[0])[1]

    def names_of(self, number: int) -> str:
        """The modes of a copy of A, B or C, from the innermost on."""
        return (self.rows + self.sums, self.sums + self.columns, self.rows + self.columns)[number]


def _orders(first: str, second: str) -> list[str]:
    """The indices that two tensors share, in the order of each."""
    return list(dict.fromkeys("".join(name for name in a if name in b) for a, b in ((first, second), (second, first))))


def _is_matrix(names: str, layout: Layout, groups: Sequence[str]) -> bool:
    """Whether groups of indices are each one mode in memory."""
    if names not in (groups[0] + groups[1], groups[1] + groups[0]):
        return False
    ends = [n * stride for n, stride in zip(layout.shape, layout.strides)]
    pairs = [(names.index(x), names.index(y)) for group in groups for x, y in pairwise(group)]
    return layout.strides[0] == 1 and all(ends[x] == layout.strides[y] for x, y in pairs)


@dataclass
class MatrixProduct:
    """A product of matrices whose modes are groups of indices, a part of the result for each work-group."""

    names: Sequence[str]
    """The indices of A, B and C."""
    layouts: Sequence[Layout]
    matrices: Matrices

    def __post_init__(self) -> None:
        self.is_transposed = self.names[2].startswith(self.matrices.columns)
        rows, columns, self.depth = self.matrices.shape
        self.shape = (columns, rows) if self.is_transposed else (rows, columns)
        self.block = _block(*self.shape)

    @property
    def key(self) -> Any:
        return (
            "product",
            tuple(self.names),
            tuple(str(layout.type) for layout in self.layouts),
            self.matrices.rows,
            self.matrices.columns,
        )

    @property
    def gemm(self) -> str:
        """The instruction with its indices, in words."""
        groups = (self.matrices.rows, self.matrices.columns, self.matrices.sums)
        return "gemm over " + ", ".join(f"({group})" if len(group) > 1 else group for group in groups)

    @property
    def text(self) -> str:
        """What work-groups have, in words."""
        (rows, columns), (height, width) = self.shape, self.block
        product = f"a product of {rows}×{self.depth} and {self.depth}×{columns}"
        return f"{product} in {counted(self.groups, 'work-group')}, each with {height}×{width}"

    def cost(self) -> float:
        """The time of the whole product, in vectors of multiply-adds."""
        return choose(IndexMap.of(*self.names), [layout.type for layout in self.layouts]).cost

    @property
    def parts(self) -> tuple[int, int]:
        """Parts along rows and columns."""
        rows, columns = (-(-size // block) for size, block in zip(self.shape, self.block))
        return rows, columns

    @property
    def groups(self) -> int:
        return math.prod(self.parts)

    def function(self) -> Function:
        """The kernel's function."""
        builder = Builder(None)
        parameters = [Value(layout.type, name, None) for layout, name in zip(self.layouts, ("A", "B", "out"))]
        group = builder.add(Builtin(None, [index], ["g"], variant="group_id")).results[0]
        parts = builder.constant(index, self.parts[0])
        block = (builder.arith("rem", group, parts), builder.arith("div", group, parts))
        begins = [builder.arith("mul", at, builder.constant(index, n)) for at, n in zip(block, self.block)]
        matrices = [self._matrix(builder, value, names) for value, names in zip(parameters, self.names)]

        def write(builder: Builder, sizes: tuple[int, ...]) -> None:
            if len(sizes) == 2:
                self._gemm(builder, matrices, begins, sizes)
                return
            mode = len(sizes)
            size, rest = self.block[mode], self.shape[mode] % self.block[mode]
            if not rest:
                write(builder, (*sizes, size))
                return
            is_last = builder.compare("eq", block[mode], builder.constant(index, self.parts[mode] - 1))

            def of_size(n: int) -> Callable[[Builder], Sequence[Value]]:
                def inside(inner: Builder) -> Sequence[Value]:
                    write(inner, (*sizes, n))
                    return ()

                return inside

            builder.branch(is_last, [], of_size(rest), of_size(size))

        write(builder, ())
        return Function("einsum", parameters, Region("collective", [], builder.operations), {}, None)

    def _matrix(self, builder: Builder, tensor: Value, names: str) -> tuple[Value, str]:
        """A tensor as a matrix, and the letters of its modes: r for rows, c for columns, k for sums."""
        letters = {self.matrices.rows: "r", self.matrices.columns: "c", self.matrices.sums: "k"}
        matrix_letters = ""
        while names:
            group = next(group for group in letters if names.startswith(group))
            first = len(matrix_letters)
            if len(group) > 1:
                fused = Fuse(None, None, tensor=tensor, first=first, last=first + len(group) - 1)
                tensor = builder.add(fused).results[0]
            matrix_letters += letters[group]
            names = names[len(group) :]
        return tensor, matrix_letters

    def _gemm(
        self, builder: Builder, matrices: Sequence[tuple[Value, str]], begins: Sequence[Value], sizes: Sequence[int]
    ) -> None:
        """A part of the product: the sum over the parts of the depth."""
        (a, a_names), (b, b_names), (c, c_names) = matrices
        if self.is_transposed:
            (a, a_names), (b, b_names) = (b, b_names), (a, a_names)
        row, column = c_names[0], c_names[1]
        element = c.type.element

        def add(inner: Builder, begin: Value | int, depth: int, beta: Value) -> None:
            slice_of = {row: Slice(begins[0], sizes[0]), column: Slice(begins[1], sizes[1]), "k": Slice(begin, depth)}

            def part(tensor: Value, names: str) -> Value:
                slices = [slice_of[name] for name in names]
                return inner.add(Subview(None, None, tensor=tensor, slices=slices)).results[0]

            inner.add(
                Gemm(
                    None,
                    transpose_a="t" if a_names[0] == "k" else "n",
                    transpose_b="t" if b_names[0] == column else "n",
                    A=part(a, a_names),
                    B=part(b, b_names),
                    C=part(c, c_names),
                    alpha=inner.one(a.type.element),
                    beta=beta,
                )
            )

        each = self.depth if element in ROUNDED else even_part(self.depth, DEPTH, UNIT)
        add(builder, 0, each, builder.zero(element))
        whole, rest = divmod(self.depth, each)
        if whole > 1:

            def next_part(inner: Builder, number: Value, carried: Sequence[Value]) -> tuple[()]:
                add(inner, inner.arith("mul", number, inner.constant(index, each)), each, inner.one(element))
                return ()

            builder.loop(builder.constant(index, whole), [], next_part, first=1)
        if rest:
            add(builder, builder.constant(index, whole * each), rest, builder.one(element))


def _block(rows: int, columns: int) -> tuple[int, int]:
    """The size of a work-group's part: about equal parts, enough of them for all cores."""
    height = next((n for n in range(ROWS, ROWS // 2, -UNIT) if rows % n == 0), even_part(rows, ROWS, UNIT))
    most = -(-columns // -(-MIN_GROUPS // -(-rows // height)))
    return height, even_part(columns, max(min(most, COLUMNS), min(MIN_COLUMNS, columns)), 1)
