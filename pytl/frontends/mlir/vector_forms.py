"""vector: which elements the results of operations are, wherever these are: values, or memory of a work-group.

A place is a number for each dimension, or what stands for one: the name of an index, or a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from ...diagnostics import Rule
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Constant, Dimension
from ...mlir.text import Operation, Scalar, Vector
from ...mlir.text.forms.vector import order_of_mask
from ...mlir.text.names import combiner
from ...mlir.text.tree import Dense
from ...mlir.text.types import I1
from ...process.records import dataclass
from . import rules
from .tree_writer import divided

Place = Sequence[Any]
Arith = Callable[[str, Any, Any], Any]
"""Arithmetic of what places consist of, by its word: "addi"."""
Of = Callable[[Arith, Place], Place]
"""A place, for another one."""


class Unfit(Exception):
    """An operation is not as its dialect defines it."""

    def __init__(self, message: str, rule: Rule = rules.OPERANDS) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


def shape_of(type_: Any) -> tuple[int, ...]:
    """The shape of a vector; a number has none."""
    return type_.shape if isinstance(type_, Vector) else ()


def vector_at(op: Operation, number: int) -> tuple[int, ...]:
    """The shape of an operand that is a vector."""
    type_ = op.operand_types[number] if number < len(op.operand_types) else None
    if not isinstance(type_, Vector):
        raise Unfit(f"operand {number + 1} is no vector of a fixed shape")
    return type_.shape


def given(op: Operation, number: int = 0) -> tuple[int, ...]:
    """The shape of a result."""
    if number >= len(op.result_types):
        raise Unfit("it gives a vector")
    return shape_of(op.result_types[number])


def integers(op: Operation, name: str) -> list[int]:
    """An attribute that is a list of integers."""
    attribute = op.attributes.get(name)
    if isinstance(attribute, Dense):
        attribute = attribute.values if isinstance(attribute.values, tuple) else (attribute.values,)
    if not isinstance(attribute, tuple) or not all(isinstance(n, int) for n in attribute):
        raise Unfit(f"{name} is a list of integers")
    return list(attribute)


def position_in(shape: Sequence[int], position: Place, part: Sequence[int]) -> None:
    """Check that a part of a shape is at a position."""
    if len(position) > len(shape):
        raise Unfit(f"a vector with {len(shape)} dimensions has no such position")
    for size, each in zip(shape, position):
        if isinstance(each, int) and not 0 <= each < size:
            raise Unfit(f"there is no element {each} of {size}", rules.VECTOR)
    if tuple(shape[len(position) :]) != tuple(part):
        raise Unfit("what is inserted or taken out has the shape of the place")


# Elements of an operand: for a place in the result, where in the operand it is.


def _transpose(op: Operation, _: Place) -> Of:
    source, order = vector_at(op, 0), integers(op, "permutation")
    if sorted(order) != list(range(len(source))):
        raise Unfit("permutation is an order of the vector's dimensions")
    if given(op) != tuple(source[d] for d in order):
        raise Unfit(f"{op.operand_types[0]} in another order is not {op.result_types[0]}")
    return lambda _, at: [at[order.index(d)] for d in range(len(order))]


def _broadcast(op: Operation, _: Place) -> Of:
    source, shape = shape_of(op.operand_types[0]), given(op)
    lead = len(shape) - len(source)
    if lead < 0 or any(a not in (1, b) for a, b in zip(source, shape[lead:])):
        raise Unfit(f"{op.operand_types[0]} is not spread to {op.result_types[0]}")
    return lambda _, at: [0 if size == 1 else each for size, each in zip(source, at[lead:])]


def _shape_cast(op: Operation, _: Place) -> Of:
    source, shape = vector_at(op, 0), given(op)
    if prod(source) != prod(shape):
        raise Unfit(f"{op.operand_types[0]} has not as many elements as {op.result_types[0]}")

    def of(arith: Arith, at: Place) -> Place:
        number: Any = 0
        for each, size in zip(at, shape):
            number = arith("addi", arith("muli", number, size), each)
        return divided(arith, number, source)

    return of


def _extract(op: Operation, position: Place) -> Of:
    position_in(vector_at(op, 0), position, given(op))
    return lambda _, at: [*position, *at]


def _extract_slice(op: Operation, _: Place) -> Of:
    source, shape = vector_at(op, 0), given(op)
    offsets, strides = integers(op, "offsets"), integers(op, "strides")
    if len(shape) != len(source) or len(offsets) != len(strides):
        raise Unfit(f"{op.result_types[0]} is no part of {op.operand_types[0]}")
    _check_part(offsets, strides, source, shape)

    def of(arith: Arith, at: Place) -> Place:
        moved = [arith("addi", arith("muli", each, s), offset) for each, offset, s in zip(at, offsets, strides)]
        return [*moved, *at[len(offsets) :]]

    return of


def _check_part(offsets: Sequence[int], strides: Sequence[int], outer: Sequence[int], part: Sequence[int]) -> None:
    if len(offsets) > len(outer):
        raise Unfit("its offsets are not more than the vector's dimensions")
    for offset, stride, size, length in zip(offsets, strides, outer, part):
        if offset < 0 or stride < 1 or offset + (length - 1) * stride >= size:
            raise Unfit(f"a part of {length} elements from {offset} on is not within {size}", rules.VECTOR)


MOVED: Mapping[str, Callable[[Operation, Place], Of]] = {
    "vector.transpose": _transpose,
    "vector.broadcast": _broadcast,
    "vector.splat": _broadcast,
    "vector.shape_cast": _shape_cast,
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_slice,
}


# Parts put into a vector, the second operand: for a place in the part, where in the vector it is.


def _insert(op: Operation, position: Place) -> Of:
    position_in(vector_at(op, 1), position, shape_of(op.operand_types[0]))
    return lambda _, at: [*position, *at]


def _insert_slice(op: Operation, _: Place) -> Of:
    part, whole = vector_at(op, 0), vector_at(op, 1)
    offsets, lead = integers(op, "offsets"), len(whole) - len(part)
    if set(integers(op, "strides")) - {1} or len(offsets) != len(whole) or lead < 0:
        raise Unfit("the strides of a part are 1, and it has an offset for each of the vector's dimensions")
    _check_part(offsets, [1] * len(whole), whole, [*[1] * lead, *part])
    return lambda arith, at: [arith("addi", each, offset) for each, offset in zip([*[0] * lead, *at], offsets)]


PLACED: Mapping[str, Callable[[Operation, Place], Of]] = {
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_slice,
}


# Products and sums.


@dataclass(frozen=True)
class Contraction:
    """Products of operands' elements, joined over the iterations that the result has not.

    `indices` are the iterations by which each operand is indexed, and the result.
    """

    indices: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    combine: str
    """The operation of arith by which a number and the one so far are joined."""
    element: Scalar
    first: int | None
    """The operand that a sum begins with, if there is one."""

    @property
    def summed(self) -> list[int]:
        return [d for d in range(len(self.sizes)) if d not in self.indices[-1]]

    @property
    def length(self) -> int:
        """How many products are joined to an element."""
        return prod(self.sizes[d] for d in self.summed)

    def place(self, number: int, iterations: Mapping[int, Any]) -> list[Any]:
        """Where an operand's element is, or the result's for the last number."""
        return [iterations[d] for d in self.indices[number]]


def contraction(op: Operation, mask: Sequence[int] | None = None) -> Contraction:
    """What a reduction or a product of vectors computes, in a vector.mask of a shape."""
    indices = _INDICES[op.name](op)
    count, kind, type_ = len(indices) - 1, op.word_of("kind") or "add", op.result_types[0]
    first = count if len(op.operands) > count else None
    shapes = [*(shape_of(of) for of in op.operand_types[:count]), given(op)]
    if first is not None:
        shapes.append(shape_of(op.operand_types[first]))
        indices = (*indices, indices[-1])
    sizes: dict[int, int] = {}
    for own, shape in zip(indices, shapes):
        if len(own) != len(shape) or any(sizes.setdefault(d, size) != size for d, size in zip(own, shape)):
            raise Unfit("what it is of, begins with and gives have not the shapes that belong together", rules.MAP)
    if sorted(sizes) != list(range(len(sizes))):
        raise Unfit("its iterations are dimensions of its operands", rules.MAP)
    iterations = tuple(sizes[d] for d in range(len(sizes)))
    if mask is not None and tuple(mask) != iterations:
        raise Unfit(f"its mask has the shape {list(iterations)}, that of its iterations")
    element, combine = combination(kind, type_)
    return Contraction(indices[: count + 1], iterations, combine, element, first)


def combination(kind: str, type_: Any) -> tuple[Scalar, str]:
    """The element of a type, and the operation of arith by which a kind of reductions joins such numbers."""
    element = type_.element if isinstance(type_, Vector) else type_
    if not isinstance(element, Scalar):
        raise Unfit(f"{element} is no number that is joined")
    combine = combiner(kind, element.is_float)
    if combine is None or (element == I1 and kind[:3] in ("min", "max")):
        raise Unfit(f"there is no combination {kind} of {element}", rules.REDUCTION)
    return element, combine


# Transfers.


@dataclass(frozen=True)
class Transfer:
    """Where the elements of a vector are in a memref."""

    dimensions: tuple[int | None, ...]
    """The dimension of memory that each of the vector's is; None where elements are repeated."""
    unbounded: tuple[int, ...]
    """The dimensions of memory that the vector may leave."""
    of_mask: Sequence[int]
    """The dimensions of the vector that a mask has, in its order."""

    def place(self, arith: Arith, first: Place, at: Place) -> list[Any]:
        """The place of an element in memory, for that of the first one and its own in the vector."""
        found = list(first)
        for d, each in zip(self.dimensions, at):
            if d is not None:
                found[d] = arith("addi", found[d], each)
        return found

    def masked(self, at: Place) -> Place:
        """The place of an element in the mask, which has one element where the vector repeats one."""
        return [at[n] for n in self.of_mask] if self.of_mask or not at else [0]


def transfer(op: Operation, rank: int, shape: Sequence[int], mask: Sequence[int] | None = None) -> Transfer:
    """A transfer between memory and a vector, whose dimensions are the last ones of memory unless a map says which.

    `mask` is the shape of a vector.mask around it.
    """
    count = len(shape)
    names = tuple(f"d{d}" for d in range(rank))
    last = AffineMap(names, (), tuple(Dimension(d) for d in range(rank - count, rank)))
    map_, in_bounds = op.attributes.get("permutation_map", last), op.attributes.get("in_bounds", (False,) * count)
    if not isinstance(map_, AffineMap) or len(map_.dimensions) != rank or len(map_.results) != count:
        raise Unfit(f"its map is not of {rank} dimensions of memory to {count} of a vector", rules.MAP)
    if not all(isinstance(each, Dimension) or each == Constant(0) for each in map_.results):
        raise Unfit(f"{map_} gives no {count} dimensions of memory", rules.MAP)
    if not isinstance(in_bounds, tuple) or len(in_bounds) != count:
        raise Unfit("in_bounds has a truth value for each dimension of the vector")
    dimensions = tuple(each.position if isinstance(each, Dimension) else None for each in map_.results)
    unbounded = tuple(d for d, is_within in zip(dimensions, in_bounds) if d is not None and not is_within)
    of_mask = order_of_mask(map_)
    sizes = tuple(shape[n] for n in of_mask)
    if op.attributes["operandSegmentSizes"][-1] and shape_of(op.operand_types[-1]) not in (sizes, sizes or (1,)):
        raise Unfit(f"its mask is {Vector(sizes or (1,), I1)}, not {op.operand_types[-1]}")
    if mask is not None and mask not in (sizes, sizes or (1,)):
        raise Unfit(f"its mask is {Vector(sizes or (1,), I1)}, not that of vector.mask")
    return Transfer(dimensions, unbounded, of_mask)


# Masks.


@dataclass(frozen=True)
class Access:
    """An access to the elements of memory that a mask names: the numbers of its operands."""

    indices: range
    by: int | None
    """A vector that says where elements are along the last dimension."""
    mask: int
    vector: int
    """What is stored, or given where the mask is not set."""
    is_packed: bool
    """Whether elements lie behind each other, but for those that the mask leaves out."""


def access(op: Operation, outer: Sequence[int] | None = None) -> Access:
    """How an operation with a mask accesses memory, its first operand, in a vector.mask of a shape."""
    last = len(op.operands) - 1
    by = last - 2 if op.name in ("vector.gather", "vector.scatter") else None
    form = Access(range(1, last - 1 if by is None else by), by, last - 1, last, op.name in _PACKED)
    vector, mask = op.operand_types[last], op.operand_types[form.mask]
    if mask != Vector(vector_at(op, last), I1):
        raise Unfit(f"{mask} is no mask of {vector}")
    if outer is not None and mask != Vector(tuple(outer), I1):
        raise Unfit(f"vector.mask gives no mask of {vector}")
    if op.result_types and isinstance(op.result_types[0], Vector) and op.result_types[0] != vector:
        raise Unfit(f"{vector} is given where the mask is not set, and not {op.result_types[0]}")
    if by is not None:
        places = op.operand_types[by]
        of_numbers = isinstance(places, Vector) and isinstance(places.element, Scalar) and not places.element.is_float
        if not of_numbers or vector_at(op, by) != vector_at(op, last):
            raise Unfit(f"{places} does not say where the elements of {vector} are")
    return form


_PACKED = ("vector.expandload", "vector.compressstore")


def check_masked(op: Operation) -> None:
    """Check that vector.mask has at most one operation, or what became of one, and stands for lanes that it gives."""
    blocks = op.regions[0].blocks  # none where the braces are empty
    inside = {each.made_of or each.name for block in blocks for each in block.operations} - {"vector.yield"}
    if op.operand_types[0] != Vector(vector_at(op, 0), I1) or len(inside) > 1 or not inside <= MASKED:
        raise Unfit(f"it has a mask, and one operation, of {', '.join(sorted(MASKED))}")
    if len(op.operands) > 1 and not op.operand_types[1:] == op.result_types == [_like(op, op.result_types[0])]:
        raise Unfit(f"{op.operand_types[1]} does not stand for lanes of {op.operand_types[0]}")


def _like(op: Operation, type_: Any) -> Any:
    """A type with the shape of an operation's mask."""
    return Vector(vector_at(op, 0), type_.element) if isinstance(type_, Vector) else None


@dataclass(frozen=True)
class Scan:
    """What is joined along a dimension: up to each element, or up to the one before it, from a given one on."""

    dimension: int
    is_inclusive: bool
    combine: str


def scan(op: Operation) -> Scan:
    """What a scan computes."""
    shape, d, inclusive = vector_at(op, 0), op.attributes.get("reduction_dim"), op.attributes.get("inclusive")
    if not isinstance(d, int) or not 0 <= d < len(shape) or not isinstance(inclusive, bool):
        raise Unfit(f"reduction_dim is a dimension of {op.operand_types[0]}, and inclusive true or false")
    element, combine = combination(op.word_of("kind"), op.operand_types[0])
    if op.operand_types[1] != Vector((*shape[:d], *shape[d + 1 :]), element):
        raise Unfit(f"{op.operand_types[1]} is not {op.operand_types[0]} without dimension {d}")
    return Scan(d, inclusive, combine)


# Which iterations products have.

Indices = tuple[tuple[int, ...], ...]


def _of_reduction(op: Operation) -> Indices:
    rank = len(vector_at(op, 0))
    dims = integers(op, "reduction_dims") if op.name == "vector.multi_reduction" else range(rank)
    return tuple(range(rank)), tuple(d for d in range(rank) if d not in dims)


def _of_outer_product(op: Operation) -> Indices:
    left = len(vector_at(op, 0))
    whole = tuple(range(left + len(shape_of(op.operand_types[1]))))
    return whole[:left], whole[left:], whole


def _of_contraction(op: Operation) -> Indices:
    maps = op.attributes.get("indexing_maps")
    if not isinstance(maps, tuple) or len(maps) != 3 or not all(isinstance(each, AffineMap) for each in maps):
        raise Unfit("it has a map for each of its operands", rules.MAP)
    if not all(isinstance(each, Dimension) for map_ in maps for each in map_.results):
        raise Unfit("its maps are projections", rules.MAP)
    return tuple(tuple(each.position for each in map_.results) for map_ in maps)


_INDICES: Mapping[str, Callable[[Operation], Indices]] = {
    "vector.reduction": _of_reduction,
    "vector.multi_reduction": _of_reduction,
    "vector.outerproduct": _of_outer_product,
    "vector.contract": _of_contraction,
}
CONTRACTED = tuple(_INDICES)
MASKED = {*CONTRACTED, "vector.transfer_read", "vector.transfer_write", "vector.gather"}
"""What a mask says the lanes of."""
