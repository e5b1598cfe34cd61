"""What the work-groups of `pytl.einsum` compute: a contraction of arrays as a kernel's function."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...diagnostics import Rule
from ...diagnostics.words import counted
from ...ir.types import DYNAMIC, Extent, MemrefType, index, promote_all
from ...ir.values import Function, Region, Value
from ...ops import Alloca, Builtin, Subview
from ...ops.builder import Builder
from ...ops.index_notation import IndexMap, Indices, Piece
from ...ops.subscripts import SubscriptProblem, Subscripts
from ...ops.views import Slice
from ...passes.analysis.contraction_steps import ALIGNMENT, Step, memory_for, steps_of
from ...passes.analysis.loop_over_gemm import Plan as LoopsOverGemm
from ...passes.analysis.loop_over_gemm import cheapest

FUSED = Rule(
    "PYTL-0694",
    "fused indices are next to each other in memory, in the order in which they are written",
    "Contractions",
)
LARGEST_PIECE = 64
"""The most of an index that a work-group computes, where no index is that of items."""

PER_READ = 1.0
"""What an element that a product of parts of tensors has costs, in the time of a vector of multiply-adds."""
PER_LINE = 2.0
"""What it costs where its neighbours in memory are those of other products, so that each brings a cache line."""
PER_FAR_LINE = 30.0
"""What that costs where the tensor is not in a cache."""
PER_PAGE = 8.0
"""What an element of the left factor costs whose neighbour in the product's rows is on another page."""
NEAR = 1024 * 1024
"""Bytes of a tensor that a core's caches hold."""
PAGE = 4096
"""Bytes of a page."""
KEPT = 16 * 1024
"""Bytes of what a work-group reads of a tensor that stay in the first cache, so that further products find them."""
LINE = 64
"""Bytes of a cache line."""
MIN_GROUPS = 16
"""The fewest work-groups of one index of items, so that all cores have some, and about as many."""
COPYING = 16
"""The work-groups of a copy or a sum of one tensor, where its output's outermost index has as many values."""


@dataclass
class Work:
    """A contraction as work-groups."""

    subscripts: Subscripts
    types: Sequence[MemrefType]
    items: str
    """The indices of the work-groups, from the fastest on."""
    piece: str
    """The index that work-groups have a piece of each, where there are no items."""
    piece_size: int
    sizes: Mapping[str, int]

    @classmethod
    def of(cls, subscripts: Subscripts, arrays: Sequence[Any]) -> Work:
        """Choose what a work-group computes of arrays in the order of memory."""
        return next(cls.choices(subscripts, arrays))

    @classmethod
    def choices(cls, subscripts: Subscripts, arrays: Sequence[Any]) -> Iterator[Work]:
        """What a work-group may compute, that of the largest tensors first."""
        operands = (*subscripts.inputs, subscripts.output)
        sizes = {n: size for indices, array in zip(operands, arrays) for n, size in zip(indices.names, array.shape)}
        repeated = {name for indices in operands for name in indices.names if indices.names.count(name) > 1}
        for items in [""] if repeated or len(arrays) == 2 else _items(subscripts, sizes):
            yield cls._with_items(subscripts, arrays, items, repeated, sizes)

    @classmethod
    def _with_items(
        cls, subscripts: Subscripts, arrays: Sequence[Any], items: str, repeated: Set[str], sizes: Mapping[str, int]
    ) -> Work:
        operands, output = (*subscripts.inputs, subscripts.output), subscripts.output
        free = [name for name in output.names if name not in "".join(output.fused) and name not in repeated]
        piece, size = ("", 1) if items or not free else (free[-1], _piece_size(sizes[free[-1]], len(arrays) == 2))
        types = [
            MemrefType(array.element, _extents(indices.names, array.shape, items), array.strides)
            for indices, array in zip(operands, arrays)
        ]
        return cls(subscripts, types, items, piece, size, sizes)

    @property
    def key(self) -> Any:
        operands = (*self.subscripts.inputs, self.subscripts.output)
        of_items = tuple(self.sizes[name] for name in self.items[:-1])
        return tuple(map(str, operands)), tuple(map(str, self.types)), self.items, of_items, self.piece, self.piece_size

    def cost(self) -> float:
        """The time of all work-groups of a product of two tensors, in vectors of multiply-adds."""
        choice = self._choice()
        sizes = {**self.sizes, self.piece: self.piece_size}
        products = math.prod(sizes[name] for name in choice.loops + choice.sums)
        read = 0.0
        for number, names in enumerate(self._names):
            per_element = PER_READ * (1 + LINE / self._run(number))
            if not self._reads_lines(number, choice):
                bytes_ = self.types[number].element.size * math.prod(self.sizes[name] for name in names)
                per_element = PER_LINE if bytes_ <= NEAR else PER_FAR_LINE
            if self._turns_pages(number, choice):
                per_element += PER_PAGE
            if number == 2:
                per_element += self._pages_of_columns(choice)
            inside = set(choice.m + choice.n + choice.k) & set(names)
            own = math.prod(sizes[name] for name in names if name not in self.items)
            is_kept = own * self.types[number].element.size <= KEPT
            read += per_element * (own if is_kept else products * math.prod(sizes[name] for name in inside))
        return self.groups * (choice.cost + read)

    @property
    def _names(self) -> list[str]:
        """The indices of each tensor."""
        return [indices.names for indices in (*self.subscripts.inputs, self.subscripts.output)]

    def _run(self, number: int) -> int:
        """Bytes of a tensor that follow each other in memory, and are of one work-group."""
        type_, count = self.types[number], 1
        for name, stride in zip(self._names[number], type_.strides):
            if name in self.items or stride != count:
                break
            count *= self.piece_size if name == self.piece else self.sizes[name]
            if name == self.piece:
                break
        return count * type_.element.size

    @property
    def is_whole(self) -> bool:
        """Whether each work-group has an item of a product of two tensors as it is in memory, without loops."""
        choice = self._choice()
        return (
            bool(self.items)
            and not (choice.loops or choice.sums or choice.copied)
            and all(self._reads_lines(number, choice) for number in range(3))
            and not any(self._turns_pages(number, choice) for number in range(2))
        )

    def _reads_lines(self, number: int, choice: LoopsOverGemm) -> bool:
        """Whether elements of a tensor that are neighbours in memory are of one product."""
        return self._names[number][:1] in (*choice.m, *choice.n, *choice.k) and self.types[number].strides[0] == 1

    def _choice(self) -> LoopsOverGemm:
        inside = self._inside
        return cheapest(IndexMap(inside.inputs, inside.output), self._types_inside())

    def _turns_pages(self, number: int, choice: LoopsOverGemm) -> bool:
        """Whether a tensor is the left factor of the products, and each of its rows is on other pages."""
        rows, names = choice.sides[0], self._names[number]
        if number == 2 or not rows or rows[0] not in names:
            return False
        stride = self.types[number].strides[names.index(rows[0])]
        return isinstance(stride, int) and stride * self.types[number].element.size >= PAGE

    def _pages_of_columns(self, choice: LoopsOverGemm) -> float:
        """What an element of the result costs for the pages on which its columns are."""
        (rows, columns), names, type_ = choice.sides, self._names[2], self.types[2]
        if not columns:
            return 0.0
        stride = type_.strides[names.index(columns[0])]
        is_far = isinstance(stride, int) and stride * type_.element.size >= PAGE
        return PER_PAGE / math.prod(self.sizes[name] for name in rows) if is_far else 0.0

    @property
    def shared(self) -> list[bool]:
        """Whether each operand is the same for all work-groups."""
        return [not set(indices.names) & set(self.items + self.piece) for indices in self.subscripts.inputs]

    def steps(self) -> list[Step]:
        """The steps of what a work-group computes."""
        *types, out = self._types_inside()
        return steps_of(self._inside, types, self.shared, out)

    def _types_inside(self) -> list[MemrefType]:
        """The types of what a work-group has of each tensor."""
        types = []
        for indices, type_ in zip((*self.subscripts.inputs, self.subscripts.output), self.types):
            modes = [mode for mode, name in enumerate(indices.names) if name not in self.items]
            shape = [self.piece_size if (n := indices.names[mode]) == self.piece else self.sizes[n] for mode in modes]
            types.append(MemrefType(type_.element, tuple(shape), tuple(type_.strides[mode] for mode in modes)))
        return types

    @property
    def _inside(self) -> Subscripts:
        """The subscripts of what a work-group computes."""
        return Subscripts(
            tuple(_without(indices, self.items) for indices in self.subscripts.inputs),
            _without(self.subscripts.output, self.items),
        )

    @property
    def text(self) -> str:
        """What work-groups have, in words."""
        groups = counted(self.groups, "work-group")
        if self.piece:
            return f"{groups}, each with {self.piece_size} of {self.piece}"
        return f"{groups}, one for each {self.items}" if self.items else groups

    @property
    def groups(self) -> int:
        if self.piece:
            return self.sizes[self.piece] // self.piece_size
        return math.prod(self.sizes[name] for name in self.items)

    def function(self) -> Function:
        """The kernel's function."""
        builder = Builder(None)
        names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        parameters = [
            Value(type_, names[k] if k < len(names) else f"A{k}", None) for k, type_ in enumerate(self.types[:-1])
        ]
        out = Value(self.types[-1], "out", None)
        group = builder.add(Builtin(None, [index], ["g"], variant="group_id")).results[0]
        item_indices = self._item_indices(builder, group)
        views = [
            self._view(builder, value, indices.names, item_indices)
            for value, indices in zip((*parameters, out), (*self.subscripts.inputs, self.subscripts.output))
        ]
        self._write(builder, views)
        return Function("einsum", [*parameters, out], Region("collective", [], builder.operations), {}, None)

    def _item_indices(self, builder: Builder, group: Value) -> dict[str, Value]:
        """Where each index of the items is, from the number of the work-group."""
        if self.piece:
            return {self.piece: builder.arith("mul", group, builder.constant(index, self.piece_size))}
        item_indices = {}
        for name in self.items[:-1]:
            size = builder.constant(index, self.sizes[name])
            item_indices[name] = builder.arith("rem", group, size)
            group = builder.arith("div", group, size)
        return {**item_indices, **({self.items[-1]: group} if self.items else {})}

    def _view(self, builder: Builder, tensor: Value, names: str, item_indices: Mapping[str, Value]) -> Value:
        if not set(names) & set(item_indices):
            return tensor
        slices = []
        for name, extent in zip(names, tensor.type.shape):
            size = self.piece_size if name == self.piece else None if name in item_indices else extent
            slices.append(Slice(item_indices.get(name, 0), size))
        return builder.add(Subview(None, None, tensor=tensor, slices=slices)).results[0]

    def _write(self, builder: Builder, views: Sequence[Value]) -> None:
        *tensors, out = views
        steps = self.steps()
        for number, step in enumerate(steps):
            inputs = [tensors[k] for k in step.inputs]
            element = promote_all(value.type.element for value in inputs)
            assert element is not None  # operands of one type, or of types that promote
            target = out
            if number < len(steps) - 1:
                shape = [self.piece_size if n == self.piece else self.sizes[n] for n in step.map.output.names]
                type_ = memory_for(element, shape, True)
                target = builder.add(Alloca(None, [type_], attributes={"alignment": ALIGNMENT})).results[0]
            one = builder.one(element)
            zero = builder.zero(target.type.element)
            builder.add(step.operation(None, alpha=one, beta=zero, **step.parts(inputs, target)))
            tensors.append(target)


def _items(subscripts: Subscripts, sizes: Mapping[str, int]) -> list[str]:
    """The indices that may tell items of a batch apart, from the fastest on: what is left of an item is a product.

    They are those of all tensors; else those of the same tensors that each have two more indices: of the largest
    tensors first, and as many as there can be before fewer.
    """
    operands = [indices.names for indices in (*subscripts.inputs, subscripts.output)]
    fused = "".join(group for indices in (*subscripts.inputs, subscripts.output) for group in indices.fused)
    free = [name for name in operands[-1] if name not in fused]
    of_all = "".join(name for name in free if all(name in names for names in operands))
    if of_all:
        return [of_all]
    alike: dict[tuple[bool, ...], str] = {}
    for name in free:
        owners = tuple(name in names for names in operands)
        alike[owners] = alike.get(owners, "") + name

    def elements(owners: tuple[bool, ...]) -> int:
        return sum(math.prod(sizes[n] for n in names) for names, is_one in zip(operands, owners) if is_one)

    candidates = []
    for owners in sorted(alike, key=elements, reverse=True):
        # two indices that are not those of the items stay in each of the tensors
        names = alike[owners]
        left = min(len(names) for names, is_one in zip(operands, owners) if is_one) - 2
        if len(operands) == 3:
            left = min(left, len(names) - 1)  # a product of two has rows, columns and a sum for each item
        choices = [names[-count:] for count in range(left, 0, -1)]
        candidates += [c for c in choices if len(c) == left or math.prod(sizes[name] for name in c) >= MIN_GROUPS]
    return candidates or [""]


def _piece_size(total: int, is_copied: bool) -> int:
    """The largest divisor of a size that a work-group computes of it; a copy has parts for all cores."""
    maximum = max(total // COPYING, 1) if is_copied else total
    return max(n for n in range(1, min(maximum, LARGEST_PIECE) + 1) if total % n == 0)


def ordered(indices: Indices, order: Sequence[int]) -> Indices:
    """The indices of a view whose modes are in another order. Fused ones stay together, in either order."""
    owners = [piece for piece in indices.pieces for _ in piece.names]
    letters = indices.names
    pieces: list[Piece] = []
    left = list(order)
    while left:
        piece = owners[left[0]]
        modes, left = left[: len(piece.names)], left[len(piece.names) :]
        steps = {b - a for a, b in pairwise(modes)}
        if any(owners[mode] is not piece for mode in modes) or (not steps <= {1} and not steps <= {-1}):
            message = f"the modes of {piece} are not next to each other in memory, in order"
            raise SubscriptProblem(FUSED, message, indices.location, "write the indices without ( )")
        names = "".join(letters[mode] for mode in modes)
        pieces.append(Piece(names, piece.kind, piece.locations if names == piece.names else piece.locations[::-1]))
    return Indices(tuple(pieces), indices.location)


def _without(indices: Indices, items: str) -> Indices:
    return Indices(
        tuple(piece for piece in indices.pieces if piece.names not in items or not piece.names), indices.location
    )


def _extents(names: str, shape: Sequence[int], items: str) -> tuple[Extent, ...]:
    """The sizes of a parameter's type: that of the last index of the items is open, where it is the outermost mode."""
    open_ = items[-1:] if items else ""
    return tuple(
        DYNAMIC if name == open_ and mode == len(names) - 1 else n for mode, (name, n) in enumerate(zip(names, shape))
    )
