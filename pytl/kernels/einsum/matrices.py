"""A contraction of two tensors as one matrix product, of permuted copies where tensors are no matrices in memory.

The rows of the product are all indices of A and C, its columns those of B and C, and it sums over those of A and B.
A tensor is a matrix where the indices of its rows follow each other in memory, and so do those of its columns.

Where a part of the rows or columns has whole indices and a part of one more, it is a box of the tensor. Then a copy of
the left factor has the rows of each part as a panel, whose columns follow each other; and a result that is no matrix is
computed in local memory, part by part, and put in order from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise, product
from typing import Any

from ...diagnostics.words import counted
from ...ir.types import index
from ...ir.values import Function, Region, Value
from ...ops import Alloca, Builtin, Fuse, Gemm, Subview
from ...ops.builder import Builder
from ...ops.index_notation import IndexMap
from ...ops.views import Slice
from ...passes.analysis.contraction_steps import ALIGNMENT, memory_for
from ...passes.analysis.loop_over_gemm import ROUNDED, choose
from ...passes.targets.partition import even_part
from ...process.records import dataclass
from .copies import PARTS, PER_BYTE, PermutedCopy
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
LINE = 64
"""Bytes of a cache line, whose elements the rows of a box are a multiple of."""
PANEL = 128 * 1024
"""Bytes of a panel that are multiplied at once: they stay in the second cache. Panels are lower where that is all of
one, so that no part of the result is loaded again."""
MIN_PIECES = 4
"""The fewest pieces of a panel that is multiplied piece by piece, so that these are a loop: without one, products that
are added to one result share their registers, and a panel is not in the cache until it is used again.
"""
MIN_LINES = 3
"""The fewest lines of a panel's column, where there is a choice: as many vectors are a tile of registers."""
MIN_WIDTH = 16
"""The fewest columns of a part of a result that is put in order."""
MAX_LOCAL = 32 * 1024
"""Bytes of local memory that every device has, for a part of the result."""


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
        """The choice that copies the fewest elements; None where an index is in all three, or in one alone.

        Among those that copy as many, rows and columns are in the order of C.
        """
        a, b, c = names
        if any(sum(letter in n for n in names) != 2 for letter in a + b + c) or any(
            len(set(n)) < len(n) for n in names
        ):
            return None
        sizes = {name: n for each, layout in zip(names, layouts) for name, n in zip(each, layout.shape)}
        choices: list[tuple[int, Matrices]] = []
        for m, n, k in product(_orders(c, a), _orders(c, b), _orders(a, b)):
            if not (m and n and k):
                return None
            groups = ((m, k), (k, n), (m, n))
            copied = [not _is_matrix(*each) for each in zip(names, layouts, groups)]
            elements = sum(math.prod(each.shape) for each, is_copied in zip(layouts, copied) if is_copied)
            rows, columns, depth = (math.prod(sizes[name] for name in group) for group in (m, n, k))
            choices.append((elements, cls(m, n, k, (rows, columns, depth), tuple(copied))))
        return min(choices, key=lambda choice: choice[0])[1]


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


@dataclass(frozen=True)
class Cut:
    """Indices in equal parts: a part has the first of them whole, some of the next one, and none of the others."""

    names: str
    sizes: tuple[int, ...]
    part: int

    @classmethod
    def up_to(cls, most: int, names: str, sizes: Sequence[int]) -> Iterator[Cut]:
        """Each with parts of more than one and of at most so many, from the smallest on."""
        whole = 1
        for size in sizes:
            for n in range(2, min(size, most // whole) + 1):
                if size % n == 0:
                    yield cls(names, tuple(sizes), whole * n)
            whole *= size

    @property
    def inside(self) -> dict[str, int]:
        """How much of each index is in a part, where that is more than one of it."""
        left, found = self.part, {}
        for name, size in zip(self.names, self.sizes):
            if left > 1:
                found[name] = min(size, left)
                left //= found[name]
        return found

    @property
    def outside(self) -> dict[str, int]:
        """How many parts there are along each index, or one of `PARTS`, where it is in one part only in part."""
        inside = self.inside
        counts = {name: size // inside.get(name, 1) for name, size in zip(self.names, self.sizes)}
        return {PARTS if name in inside else name: n for name, n in counts.items() if n > 1 or name not in inside}

    def slices(self, builder: Builder, number: Value) -> dict[str, Slice]:
        """What a part has of each index."""
        inside, found = self.inside, {}
        for name, size in zip(self.names, self.sizes):
            n = inside.get(name, 1)
            if n == size:
                found[name] = Slice(0, n)
                continue
            count = builder.constant(index, size // n)
            begin = builder.arith("mul", builder.arith("rem", number, count), builder.constant(index, n))
            number = builder.arith("div", number, count)
            found[name] = Slice(begin, n if name in inside else None)
        return found


@dataclass
class MatrixProduct:
    """A product of matrices whose modes are groups of indices, a part of the result for each work-group."""

    names: Sequence[str]
    """The indices of A, B and C."""
    layouts: Sequence[Layout]
    matrices: Matrices

    def __post_init__(self) -> None:
        rows, columns, self.depth = self.matrices.shape
        self.sizes = {name: n for names, of in zip(self.names, self.layouts) for name, n in zip(names, of.shape)}
        # the innermost index of the result is one of the left factor
        self.is_transposed = self.names[2][0] in self.matrices.columns
        self.shape = (columns, rows) if self.is_transposed else (rows, columns)
        self.block = _block(*self.shape)
        left = 1 if self.is_transposed else 0
        heights = self._heights() if self.matrices.copied[left] or self.matrices.copied[2] else None
        widths = self._widths(heights) if heights and self.matrices.copied[2] and self._has_lines(heights) else None
        self.is_in_order = not self.matrices.copied[2] or bool(widths)
        """Whether no copy of the result is left."""
        self.cuts = [heights, widths] if heights and widths else []
        """The parts of a result that is put in order, along its rows and columns."""
        self.panels = heights if self.matrices.copied[left] else None
        """The parts of the rows that a copy of the left factor has."""
        if self.cuts or self.panels:
            assert heights is not None
            self.block = (heights.part, _block(*self.shape, heights.part)[1] if widths is None else widths.part)
        self.used = [self._used(number) for number in range(3)]
        """The indices and layouts of A, B and C, or of their copies."""

    def _group(self, letters: str) -> tuple[str, tuple[int, ...]]:
        return letters, tuple(self.sizes[name] for name in letters)

    @property
    def _sides(self) -> tuple[str, str]:
        """The indices of the rows and columns of the result as it is computed."""
        sides = (self.matrices.rows, self.matrices.columns)
        return sides[::-1] if self.is_transposed else sides

    def _heights(self) -> Cut | None:
        """Parts of the rows that are boxes."""
        size = self.layouts[2].element.size
        unit = max(LINE // size, 1)

        def rank(cut: Cut) -> tuple[bool, int, int]:
            is_odd = not MIN_LINES * unit <= cut.part <= ROWS
            return is_odd, -(-self.depth * cut.part * size // PANEL), -cut.part

        fit = [cut for cut in Cut.up_to(2 * ROWS, *self._group(self._sides[0])) if cut.part % unit == 0]
        return min(fit, key=rank, default=None)

    def _has_lines(self, heights: Cut) -> bool:
        """Whether a column of a part begins with elements that are neighbours in the result, a cache line at least."""
        of = self.layouts[2]
        return of.strides[0] == 1 and heights.inside.get(self.names[2][0], 1) * of.element.size >= LINE

    def _widths(self, heights: Cut) -> Cut | None:
        """Parts of the columns that are boxes, which fit into local memory with so many rows."""
        most = min(_block(*self.shape, heights.part)[1], MAX_LOCAL // (heights.part * self.layouts[2].element.size))
        fit = [cut for cut in Cut.up_to(most, *self._group(self._sides[1])) if cut.part >= MIN_WIDTH]
        return fit[-1] if fit else None

    def _copy_names(self, number: int) -> str:
        """The modes of a matrix that is a copy of A, B or C: a column of the right factor is for one of the result."""
        (rows, columns), sums = self._sides, self.matrices.sums
        if number == 2:
            return rows + columns
        return rows + sums if number == self.is_transposed else sums + columns

    def _used(self, number: int) -> tuple[str, Layout]:
        """The indices of a tensor and its layout, or those of its copy."""
        if not self.matrices.copied[number] or (number == 2 and self.is_in_order):
            return self.names[number], self.layouts[number]
        modes = {name: self.sizes[name] for name in self._copy_names(number)}
        if number == self.is_transposed and self.panels is not None:
            sums = {name: self.sizes[name] for name in self.matrices.sums}
            modes = {**self.panels.inside, **sums, **self.panels.outside}
        return "".join(modes), Layout.packed(self.layouts[number].element, tuple(modes.values()))

    @property
    def key(self) -> Any:
        return (
            "product",
            tuple((names, str(layout.type)) for names, layout in self.used),
            (self.matrices.rows, self.matrices.columns),
            (self.block, bool(self.cuts)),
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
        panels = ", the left factor in panels" if self.panels else ""
        order = ", put in order" if self.cuts else ""
        return f"{product} in {counted(self.groups, 'work-group')}, each with {height}×{width}{panels}{order}"

    def cost(self) -> float:
        """The time of the whole product, in vectors of multiply-adds."""
        names, types = list(self.names), [layout.type for layout in self.layouts]
        for number, is_copied in enumerate(self.matrices.copied):
            if is_copied:
                names[number] = self._copy_names(number)
                shape = tuple(self.sizes[name] for name in names[number])
                types[number] = Layout.packed(self.layouts[number].element, shape).type
        in_order = PER_BYTE / 2 * self.layouts[2].element.size * math.prod(self.shape) if self.cuts else 0.0
        return choose(IndexMap.of(*names), types).cost + in_order

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
        parameters = [Value(layout.type, name, None) for (_, layout), name in zip(self.used, ("A", "B", "out"))]
        group = builder.add(Builtin(None, [index], ["g"], variant="group_id")).results[0]
        parts = builder.constant(index, self.parts[0])
        block = (builder.arith("rem", group, parts), builder.arith("div", group, parts))
        *factors, out = zip(parameters, self.used)
        matrices = [self._matrix(builder, value, names) for value, (names, _) in factors]
        begins: dict[str, Value | int] = {"p": block[0]}
        for letter, at, n in zip("rc", block, self.block):
            begins[letter] = builder.arith("mul", at, builder.constant(index, n))
        if self.cuts:
            inside = {name: n for cut in self.cuts for name, n in cut.inside.items()}
            type_ = memory_for(self.layouts[2].element, list(inside.values()), False)
            local = builder.add(Alloca(None, [type_], attributes={"alignment": ALIGNMENT})).results[0]
            matrices.append(self._matrix(builder, local, "".join(inside)))
            self._gemm(builder, matrices, begins, self.block)
            self._put_in_order(builder, local, out[0], block)
            return Function("einsum", parameters, Region("collective", [], builder.operations), {}, None)
        matrices.append(self._matrix(builder, out[0], out[1][0]))

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

    def _put_in_order(self, builder: Builder, local: Value, out: Value, block: Sequence[Value]) -> None:
        """Copy a part of the result from local memory."""
        slices = {name: s for cut, number in zip(self.cuts, block) for name, s in cut.slices(builder, number).items()}
        names, layout = self.names[2], self.layouts[2]
        subview = Subview(None, None, tensor=out, slices=[slices[name] for name in names])
        view = builder.add(subview).results[0]
        inside = {name: n for cut in self.cuts for name, n in cut.inside.items()}
        modes = [(name, inside[name], stride) for name, stride in zip(names, layout.strides) if name in inside]
        kept, shape, strides = zip(*modes)
        source = "".join(inside), Layout.packed(layout.element, tuple(inside.values()))
        copy = PermutedCopy.of(source, ("".join(kept), Layout(layout.element, shape, strides)))
        copy.write(builder, [local, view])

    def _matrix(self, builder: Builder, tensor: Value, names: str) -> tuple[Value, str]:
        """A tensor as a matrix, and the letters of its modes: r for rows, c for columns, k for sums, p for panels."""
        rows, columns = self._sides
        letters = dict.fromkeys(rows, "r") | dict.fromkeys(columns, "c") | dict.fromkeys(self.matrices.sums, "k")
        if self.panels is not None and names == self.used[self.is_transposed][0]:
            letters |= dict.fromkeys(self.panels.outside, "p")
        matrix_letters = ""
        for letter, modes in groupby(names, key=letters.__getitem__):
            count, first = len(list(modes)), len(matrix_letters)
            if count > 1:
                fused = Fuse(None, None, tensor=tensor, first=first, last=first + count - 1)
                tensor = builder.add(fused).results[0]
            matrix_letters += letter
        return tensor, matrix_letters

    def _gemm(
        self,
        builder: Builder,
        matrices: Sequence[tuple[Value, str]],
        begins: Mapping[str, Value | int],
        sizes: Sequence[int],
    ) -> None:
        """A part of the product: the sum over the parts of the depth."""
        factors = matrices[1::-1] if self.is_transposed else matrices[:2]
        (a, a_names), (b, b_names), (c, c_names) = *factors, matrices[2]
        element = c.type.element

        def add(inner: Builder, begin: Value | int, depth: int, beta: Value) -> None:
            slices = {
                "r": Slice(begins["r"], sizes[0]),
                "c": Slice(begins["c"], sizes[1]),
                "k": Slice(begin, depth),
                "p": Slice(begins["p"]),
            }

            def part(tensor: Value, names: str) -> Value:
                own = {**slices, "r": Slice(0, sizes[0])} if "p" in names else slices
                return inner.add(Subview(None, None, tensor=tensor, slices=[own[name] for name in names])).results[0]

            inner.add(
                Gemm(
                    None,
                    transpose_a="t" if a_names[0] == "k" else "n",
                    transpose_b="t" if b_names[0] == "c" else "n",
                    A=part(a, a_names),
                    B=part(b, b_names),
                    C=c if self.cuts else part(c, c_names),
                    alpha=inner.one(a.type.element),
                    beta=beta,
                )
            )

        most = DEPTH
        if self.panels:
            fitting = PANEL // (self.block[0] * a.type.element.size)
            most = fitting if self.depth <= fitting else min(fitting, -(-self.depth // MIN_PIECES))
        each = self.depth if element in ROUNDED else even_part(self.depth, most, UNIT)
        add(builder, 0, each, builder.zero(element))
        whole, rest = divmod(self.depth, each)
        if whole > 1:

            def next_part(inner: Builder, number: Value, carried: Sequence[Value]) -> tuple[()]:
                add(inner, inner.arith("mul", number, inner.constant(index, each)), each, inner.one(element))
                return ()

            builder.loop(builder.constant(index, whole), [], next_part, first=1)
        if rest:
            add(builder, builder.constant(index, whole * each), rest, builder.one(element))


def _block(rows: int, columns: int, height: int | None = None) -> tuple[int, int]:
    """The size of a work-group's part: about equal parts, enough of them for all cores."""
    if height is None:
        height = next((n for n in range(ROWS, ROWS // 2, -UNIT) if rows % n == 0), even_part(rows, ROWS, UNIT))
    most = -(-columns // -(-MIN_GROUPS // -(-rows // height)))
    return height, even_part(columns, max(min(most, COLUMNS), min(MIN_COLUMNS, columns)), 1)
