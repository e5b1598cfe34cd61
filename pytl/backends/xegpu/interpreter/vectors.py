"""The dialect vector: arrays whose first dimension are the work-items, and vectors in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ....frontends.mlir.vector_forms import Unfit, check_masked
from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Constant, Dimension
from ....mlir.text import Operation, Vector
from . import numbers, spelled
from .machine import SubGroup, Wait, controls
from .machine import executes as _of
from .memrefs import element_addresses
from .values import MemrefValue, dtype_of

Array = np.ndarray
_KINDS = {
    "add": "add",
    "mul": "mul",
    **{name: name for name in ("minnumf", "maxnumf", "minimumf", "maximumf", "minsi", "maxsi", "minui", "maxui")},
    "and": "andi",
    "or": "ori",
    "xor": "xori",
}
"""What a reduction does, as arith calls it; of additions and products the type says more."""


def operation_of(kind: str, dtype: np.dtype) -> Callable[[Array, Array], Array]:
    """What combines two elements. Raises `KeyError` where no such thing is known."""
    name = _KINDS[kind]
    if name in ("add", "mul"):
        name += "i" if dtype.kind in "biu" else "f"
    return numbers.BINARY[f"arith.{name}"]


def reduced(
    kind: str, values: Array, axes: Sequence[int], initial: Array | None = None, mask: Array | None = None
) -> Array:
    """Elements along some axes combined, one after the other in their order; those alone for which a mask is set."""
    rest = [axis for axis in range(values.ndim) if axis not in axes]
    order, shape = [*rest, *axes], [*(values.shape[axis] for axis in rest), -1]
    moved = values.transpose(order).reshape(shape)
    combine = operation_of(kind, values.dtype)
    if mask is not None:
        chosen = np.broadcast_to(mask, values.shape).transpose(order).reshape(shape)
        if initial is None:
            initial = np.broadcast_to(_neutral(kind, values.dtype), moved.shape[:-1])
        for at in range(moved.shape[-1]):
            initial = np.where(chosen[..., at], combine(initial, moved[..., at]), initial)
        return initial
    if kind in ("add", "mul") and values.dtype.kind == "f" and moved.shape[-1] and values.dtype.itemsize >= 4:
        first = moved if initial is None else np.concatenate([initial[..., None].astype(values.dtype), moved], -1)
        ufunc = np.add if kind == "add" else np.multiply
        return ufunc.accumulate(first, -1)[..., -1]
    if initial is None:
        initial, moved = moved[..., 0], moved[..., 1:]
    for at in range(moved.shape[-1]):
        initial = combine(initial, moved[..., at])
    return initial


def _shape(op: Operation, number: int = 0) -> tuple[int, ...]:
    """The shape of a result; () of a number."""
    type_ = op.result_types[number]
    return type_.shape if isinstance(type_, Vector) else ()


Handler = TypeVar("Handler", bound=Callable[..., Any])


def _alike(name: str) -> Callable[[Handler], Handler]:
    """An operation that does the same with what each work-item has."""

    def add(handler: Handler) -> Handler:
        numbers.VECTORS[name] = handler
        return handler

    return add


@_alike("vector.broadcast")
def _broadcast(op: Operation, operands: list[Any]) -> Array:
    """Dimensions in front, and those of one element, are repeated."""
    lanes, own, shape = operands[0].shape[0], operands[0].shape[1:], _shape(op)
    spread = operands[0].reshape(lanes, *(1,) * (len(shape) - len(own)), *own)
    return np.broadcast_to(spread, (lanes, *shape))


numbers.VECTORS["vector.splat"] = _broadcast


@_alike("vector.from_elements")
def _from_elements(op: Operation, operands: list[Any]) -> Array:
    lanes = max(each.shape[0] for each in operands)
    return np.stack([np.broadcast_to(each, (lanes,)) for each in operands], axis=1).reshape(lanes, *_shape(op))


@_alike("vector.to_elements")
def _to_elements(op: Operation, operands: list[Any]) -> list[Array]:
    flat = operands[0].reshape(operands[0].shape[0], -1)
    return [flat[:, at] for at in range(flat.shape[1])]


@_alike("vector.shape_cast")
def _shape_cast(op: Operation, operands: list[Any]) -> Array:
    return operands[0].reshape(operands[0].shape[0], *_shape(op))


@_alike("vector.bitcast")
def _bitcast(op: Operation, operands: list[Any]) -> Array:
    dtype = dtype_of(op.result_types[0])
    assert dtype is not None
    source = np.ascontiguousarray(operands[0])
    if dtype == np.bool_ or source.dtype == np.bool_:
        return source.astype(dtype) if dtype == source.dtype else _unknown_bits()
    return source.view(dtype).reshape(source.shape[0], *_shape(op))


def _unknown_bits() -> Array:
    raise ValueError("truth values have no bits of their own here")


@_alike("vector.transpose")
def _transpose(op: Operation, operands: list[Any]) -> Array:
    return operands[0].transpose(0, *(mode + 1 for mode in op.attributes["permutation"]))


def _cuts(op: Operation, shape: Sequence[int]) -> tuple[slice, ...]:
    offsets, strides = op.attributes["offsets"], op.attributes.get("strides", ())
    steps = [*strides, *(1,) * (len(offsets) - len(strides))]
    sizes = op.attributes.get("sizes", shape)
    return tuple(slice(at, at + (size - 1) * step + 1, step) for at, size, step in zip(offsets, sizes, steps))


@_alike("vector.extract_strided_slice")
def _slice(op: Operation, operands: list[Any]) -> Array:
    return operands[0][(slice(None), *_cuts(op, ()))]


@_alike("vector.insert_strided_slice")
def _insert_slice(op: Operation, operands: list[Any]) -> Array:
    part, whole = operands
    result = whole.copy()
    lead = whole.ndim - part.ndim
    offsets = op.attributes["offsets"]
    inner = zip(offsets[lead:], part.shape[1:], op.attributes["strides"])
    cuts = [slice(at, at + (size - 1) * step + 1, step) for at, size, step in inner]
    result[(slice(None), *offsets[:lead], *cuts)] = part
    return result


def _place(op: Operation, vector: Array, rest: list[Any]) -> tuple[Any, ...]:
    position = spelled.mixed(spelled.sizes(op, "position"), rest)
    for index, size in zip(position, vector.shape[1:]):
        if ((np.asarray(index) < 0) | (np.asarray(index) >= size)).any():
            raise IndexError(f"a position is not within a size of {size}")
    if not any(isinstance(index, np.ndarray) for index in position):
        return (slice(None), *position)
    return (np.arange(vector.shape[0]), *position)


@_alike("vector.extract")
def _extract(op: Operation, operands: list[Any]) -> Array:
    return operands[0][_place(op, operands[0], operands[1:])]


@_alike("vector.insert")
def _insert(op: Operation, operands: list[Any]) -> Array:
    result = operands[1].copy()
    result[_place(op, result, operands[2:])] = operands[0]
    return result


@_alike("vector.shuffle")
def _shuffle(op: Operation, operands: list[Any]) -> Array:
    both = np.concatenate([each.reshape(each.shape[0], -1) if each.ndim == 1 else each for each in operands], axis=1)
    mask = np.array(op.attributes["mask"])
    if ((mask < -1) | (mask >= both.shape[1])).any():
        raise IndexError("the mask names an element that there is not")
    return both[:, mask]


@_alike("vector.interleave")
def _interleave(op: Operation, operands: list[Any]) -> Array:
    return np.stack(operands, -1).reshape(operands[0].shape[0], *_shape(op))


@_alike("vector.deinterleave")
def _deinterleave(op: Operation, operands: list[Any]) -> list[Array]:
    return [operands[0][..., 0::2], operands[0][..., 1::2]]


@_alike("vector.reduction")
def _reduction(op: Operation, operands: list[Any], mask: Array | None = None) -> Array:
    axes = list(range(1, operands[0].ndim))
    return reduced(op.word_of("kind"), operands[0], axes, operands[1] if len(operands) > 1 else None, mask)


@_alike("vector.multi_reduction")
def _multi_reduction(op: Operation, operands: list[Any], mask: Array | None = None) -> Array:
    axes = [mode + 1 for mode in op.attributes["reduction_dims"]]
    return reduced(op.word_of("kind"), operands[0], axes, operands[1], mask)


@_alike("vector.scan")
def _scan(op: Operation, operands: list[Any]) -> list[Array]:
    source, initial = operands
    axis, combine = int(op.attributes["reduction_dim"]) + 1, operation_of(op.word_of("kind"), source.dtype)
    inclusive = op.attributes.get("inclusive") is True
    result = np.empty_like(source)
    for at in range(source.shape[axis]):
        own = (slice(None),) * axis + (at,)
        before = initial
        initial = combine(initial, source[own])
        if inclusive and at == 0:
            initial = source[own]
        result[own] = initial if inclusive else before
    return [result, result[(slice(None),) * axis + (-1,)]]


@_alike("vector.outerproduct")
def _outer(op: Operation, operands: list[Any], mask: Array | None = None) -> Array:
    left, right = operands[:2]
    product = left[:, :, None] * right[:, None, :] if right.ndim > 1 else left * right[:, None]
    if mask is None and len(operands) < 3:
        return product
    kind = op.word_of("kind") or "add"
    initial = operands[2] if len(operands) > 2 else np.broadcast_to(_neutral(kind, product.dtype), product.shape)
    total = operation_of(kind, product.dtype)(initial, product)
    return total if mask is None else np.where(mask, total, initial)


@_alike("vector.contract")
def _contract(op: Operation, operands: list[Any], mask: Array | None = None) -> Array:
    """Products, combined over the indices that the result has not; in the type of the sum."""
    maps = op.attributes["indexing_maps"]
    terms = []
    for map_ in maps:
        if not isinstance(map_, AffineMap) or not all(isinstance(each, Dimension) for each in map_.results):
            raise ValueError("the maps are projections")
        terms.append([each.position for each in map_.results if isinstance(each, Dimension)])
    left, right, initial = operands[:3]
    kind = op.word_of("kind") or "add"
    dtype = initial.dtype
    wide = np.float64 if dtype.kind == "f" and dtype.itemsize > 4 else np.float32 if dtype.kind not in "iu" else dtype
    letters = [[0, *(each + 1 for each in term)] for term in terms]
    if kind == "add" and mask is None:
        total = np.einsum(left.astype(wide), letters[0], right.astype(wide), letters[1], letters[2])
        return (initial.astype(wide) + total).astype(dtype)
    every = [0, *range(1, len(maps[0].dimensions) + 1)]
    product = np.einsum(left.astype(wide), letters[0], right.astype(wide), letters[1], every)
    summed = [each for each in every if each not in letters[2]]
    rest = [each for each in every if each in letters[2]]
    order = [rest.index(each) for each in letters[2]]
    whole = reduced(kind, product, summed, None, mask).transpose(order)
    return operation_of(kind, dtype)(initial, whole.astype(dtype))


@_of("vector.step")
def _step(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    (count,) = _shape(op)
    return np.broadcast_to(np.arange(count), (self.lanes, count))


@_of("vector.create_mask")
def _create_mask(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return _mask(self, _shape(op), operands)


@_of("vector.constant_mask")
def _constant_mask(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    sizes = op.attributes["mask_dim_sizes"]
    return _mask(self, _shape(op), [np.full(self.lanes, size) for size in sizes])


def _mask(self: SubGroup, shape: tuple[int, ...], sizes: Sequence[Array]) -> Array:
    if not shape:
        return np.asarray(sizes[0] > 0)
    mask = np.ones((self.lanes, *shape), np.bool_)
    for mode, (size, bound) in enumerate(zip(shape, sizes)):
        own = np.arange(size) < bound[:, None]
        mask &= own.reshape(self.lanes, *(size if m == mode else 1 for m in range(len(shape))))
    return mask


# Memory.


def _line(self: SubGroup, op: Operation, memref: Any, indices: list[Array], shape: tuple[int, ...]) -> list[Array]:
    """The indices of a vector's elements, whose dimensions are the last ones of a memref."""
    if not isinstance(memref, MemrefValue) or len(indices) != len(memref.sizes) or len(shape) > len(indices):
        self.unknown(op)
    results: list[Array] = []
    lead = len(indices) - len(shape)
    for mode, index in enumerate(indices):
        at = np.broadcast_to(index, self.lanes).reshape(-1, *(1,) * len(shape))
        if mode >= lead:
            m = mode - lead
            at = at + np.arange(shape[m]).reshape([-1 if each == m else 1 for each in range(len(shape))])
        results.append(np.broadcast_to(at, (self.lanes, *shape)))
    return results


def _inside(memref: MemrefValue, indices: Sequence[Array]) -> Array:
    shape = indices[0].shape if indices else memref.address.shape
    deep, inside = len(shape) - 1, np.ones(shape, np.bool_)
    for index, size in zip(indices, memref.sizes):
        inside &= (index >= 0) & (index < size.reshape(-1, *(1,) * deep))
    return inside


def _lanes(self: SubGroup, mask: Array | None, shape: tuple[int, ...]) -> Array:
    """Which elements of which work-items are accessed."""
    own = self.mask.reshape(-1, *(1,) * len(shape))
    return np.broadcast_to(own if mask is None else own & mask, (self.lanes, *shape))


@_of("vector.load")
def _load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices = operands
    shape = _shape(op)
    at = _line(self, op, memref, indices, shape)
    mask = _lanes(self, None, shape)
    return self.read(op, element_addresses(self, op, memref, at, mask), memref.element, mask)


@_of("vector.store")
def _store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, memref, *indices = operands
    shape = value.shape[1:]
    at = _line(self, op, memref, indices, shape)
    mask = _lanes(self, None, shape)
    self.write(op, element_addresses(self, op, memref, at, mask), value, mask)


@_of("vector.maskedload")
def _masked_load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices, chosen, other = operands
    shape = _shape(op)
    at, mask = _line(self, op, memref, indices, shape), _lanes(self, chosen, shape)
    read = self.read(op, element_addresses(self, op, memref, at, mask), memref.element, mask)
    return np.where(chosen, read, other)


@_of("vector.maskedstore")
def _masked_store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices, chosen, value = operands
    shape = value.shape[1:]
    at, mask = _line(self, op, memref, indices, shape), _lanes(self, chosen, shape)
    self.write(op, element_addresses(self, op, memref, at, mask), value, mask)


def _scattered(self: SubGroup, op: Operation, memref: MemrefValue, indices: list[Array], by: Array) -> list[Array]:
    """The indices of elements that a vector says, along the last dimension."""
    at = [np.broadcast_to(index.reshape(-1, *(1,) * (by.ndim - 1)), by.shape) for index in indices]
    return [*at[:-1], at[-1] + by]


@_of("vector.gather")
def _gather(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices, by, chosen, other = operands
    at, mask = _scattered(self, op, memref, indices, by), _lanes(self, chosen, by.shape[1:])
    read = self.read(op, element_addresses(self, op, memref, at, mask, last_is_free=True), memref.element, mask)
    return np.where(chosen, read, other)


@_of("vector.scatter")
def _scatter(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices, by, chosen, value = operands
    at, mask = _scattered(self, op, memref, indices, by), _lanes(self, chosen, by.shape[1:])
    self.write(op, element_addresses(self, op, memref, at, mask, last_is_free=True), value, mask)


def _packed(chosen: Array) -> Array:
    """How many elements of a mask are in front of each."""
    return np.cumsum(chosen, -1) - chosen


@_of("vector.expandload")
def _expand(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices, chosen, other = operands
    at, mask = _scattered(self, op, memref, indices, _packed(chosen)), _lanes(self, chosen, _shape(op))
    return np.where(chosen, self.read(op, element_addresses(self, op, memref, at, mask), memref.element, mask), other)


@_of("vector.compressstore")
def _compress(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices, chosen, value = operands
    at, mask = _scattered(self, op, memref, indices, _packed(chosen)), _lanes(self, chosen, value.shape[1:])
    self.write(op, element_addresses(self, op, memref, at, mask), value, mask)


def _transferred(
    self: SubGroup, op: Operation, memref: Any, indices: list[Array], shape: tuple[int, ...]
) -> tuple[list[Array], Array]:
    """The indices of the elements of a transfer, and which of them are in the memref."""
    if not isinstance(memref, MemrefValue) or len(indices) != len(memref.sizes):
        self.unknown(op)
    map_ = op.attributes.get("permutation_map")
    results = list(map_.results) if isinstance(map_, AffineMap) else []
    if map_ is None or not shape:
        lead = len(indices) - len(shape)
        results = [Dimension(lead + mode) for mode in range(len(shape))]
    if len(results) != len(shape):
        raise ValueError("the permutation map has other results than the vector dimensions")
    at = [np.broadcast_to(i.reshape(-1, *(1,) * len(shape)), (self.lanes, *shape)) for i in indices]
    for mode, result in enumerate(results):
        if isinstance(result, Constant):
            continue
        if not isinstance(result, Dimension):
            raise ValueError("the permutation map is of dimensions and zeros")
        along = np.arange(shape[mode]).reshape([-1 if each == mode else 1 for each in range(len(shape))])
        at[result.position] = at[result.position] + along
    return at, _inside(memref, at)


@_of("vector.transfer_read")
def _transfer_read(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    (memref,), indices, (padding,), chosen = spelled.segments(op, operands, 4)
    shape = _shape(op)
    at, inside = _transferred(self, op, memref, indices, shape)
    if chosen:
        inside = inside & _as_vector(op, chosen[0], shape)
    mask = _lanes(self, inside, shape)
    read = self.read(op, element_addresses(self, op, memref, _safe(at, inside), mask), memref.element, mask)
    return np.where(inside, read, padding.reshape(-1, *(1,) * len(shape)))


@_of("vector.transfer_write")
def _transfer_write(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    (value,), (memref,), indices, chosen = spelled.segments(op, operands, 4)
    shape = value.shape[1:]
    at, inside = _transferred(self, op, memref, indices, shape)
    if chosen:
        inside = inside & _as_vector(op, chosen[0], shape)
    mask = _lanes(self, inside, shape)
    self.write(op, element_addresses(self, op, memref, _safe(at, inside), mask), value, mask)


def _as_vector(op: Operation, mask: Array, shape: tuple[int, ...]) -> Array:
    """The mask of a transfer, which is of the memory's dimensions, as one of the vector's."""
    map_ = op.attributes.get("permutation_map")
    if not isinstance(map_, AffineMap) or len(shape) != mask.ndim - 1:
        return mask
    order = [each.position for each in map_.results if isinstance(each, Dimension)]
    if len(order) != len(shape):
        return mask
    of_memory = sorted(order)
    return mask.transpose(0, *(of_memory.index(each) + 1 for each in order))


def _safe(indices: Sequence[Array], inside: Array) -> list[Array]:
    return [np.where(inside, index, 0) for index in indices]


@_of("vector.type_cast")
def _type_cast(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return replace(operands[0])


@controls("vector.mask")
def _masked(self: SubGroup, op: Operation) -> Iterator[Wait]:
    """One operation, with other elements where the mask is false."""
    mask, *other = self.operands(op)
    try:
        check_masked(op)
    except Unfit as problem:
        self.unknown(op, f"vector.mask: {problem.message}")
    *inside, end = self.only_block(op).operations
    for inner in inside:
        operands = self.operands(inner)
        if inner.name in _CONTRACTIONS:
            result = _CONTRACTIONS[inner.name](inner, operands, mask)
        else:
            result = self.execute(*_with_mask(inner, operands, mask))
        self.values.update(zip(inner.results, [result]))
    results = self.operands(end)
    if other:
        results = [np.where(mask, results[0], other[0])]
    self.values.update(zip(op.results, results))
    yield from ()


_CONTRACTIONS: dict[str, Callable[[Operation, list[Any], Array], Array]] = {
    "vector.reduction": _reduction,
    "vector.multi_reduction": _multi_reduction,
    "vector.outerproduct": _outer,
    "vector.contract": _contract,
}


def _with_mask(op: Operation, operands: list[Any], mask: Array) -> tuple[Operation, list[Any]]:
    """A transfer, or a gather, for the lanes of one more mask."""
    if op.name == "vector.gather":
        return op, [*operands[:-2], operands[-2] & mask, operands[-1]]
    counts = op.attributes["operandSegmentSizes"]
    if counts[-1]:
        return op, [*operands[:-1], operands[-1] & mask]
    return replace(op, attributes={**op.attributes, "operandSegmentSizes": (*counts[:-1], 1)}), [*operands, mask]


def _neutral(kind: str, dtype: np.dtype) -> Any:
    """The element that changes nothing."""
    whole = np.iinfo(dtype) if dtype.kind in "iu" else None
    table: dict[str, Any] = {
        "add": 0,
        "or": 0,
        "xor": 0,
        "mul": 1,
        "and": -1,
        "minui": -1,
        "maxui": 0,
        "minsi": whole.max if whole else 0,
        "maxsi": whole.min if whole else 0,
        **dict.fromkeys(("minnumf", "minimumf"), np.inf),
        **dict.fromkeys(("maxnumf", "maximumf"), -np.inf),
    }
    return np.asarray(table[kind]).astype(dtype)
