"""Execution of vector code, by a single agent: the lanes of a vector are the entries of an array.

A scalable vector has as many times the lanes of its type as `execute` is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np

from ...ir.types import MemrefType, VectorType
from ...ops import scalars
from ...ops.scalars import dtype_of
from ...passes.targets import vector
from .accesses import check_bounds, reached
from .machine import Lanes, Machine, Results, executes
from .races import make_shadow
from .views import Memory, View, by_lane, gather, scatter


def lanes_of(machine: Machine, type_: VectorType) -> int:
    """The entries of a vector's array."""
    return type_.lanes * (machine.program.vector_scale if type_.is_scalable else 1)


@executes(vector.Splat)
def splat(machine: Machine, op: vector.Splat) -> Results:
    return (by_lane(machine[op.scalar], lanes_of(machine, op.result.type)),)


@executes(vector.Step)
def step(machine: Machine, op: vector.Step) -> Results:
    dtype = dtype_of(op.result.type.element)
    return (machine[op.first] + np.arange(lanes_of(machine, op.result.type)).astype(dtype),)


@executes(vector.HiddenZero)
def hidden_zero(machine: Machine, op: vector.HiddenZero) -> Results:
    return (np.zeros(1, dtype_of(op.result.type)),)


@executes(vector.Mask)
def mask(machine: Machine, op: vector.Mask) -> Results:
    return (np.arange(lanes_of(machine, op.result.type)) < machine[op.count],)


@executes(vector.Scale)
def scale(machine: Machine, op: vector.Scale) -> Results:
    return (np.array([machine.program.vector_scale], np.int64),)


@executes(vector.FromElements)
def from_elements(machine: Machine, op: vector.FromElements) -> Results:
    return (np.concatenate(machine.all_of(op.elements)),)


@executes(vector.Extract)
def extract(machine: Machine, op: vector.Extract) -> Results:
    return (machine[op.vector][op.lane : op.lane + 1],)


@executes(vector.VectorBinary)
def binary(machine: Machine, op: vector.VectorBinary) -> Results:
    return (scalars.binary(op.variant, machine[op.a], machine[op.b], op.a.type.element),)


@executes(vector.Fma)
def fma(machine: Machine, op: vector.Fma) -> Results:
    return (fused(*machine.all_of((op.a, op.b, op.c))),)


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """`a b + c`, rounded once where the product of two numbers is exact in a wider type."""
    if a.dtype == np.float32:  # the product of two is exact in double precision
        return (a.astype(np.float64) * b + c).astype(np.float32)
    product = scalars.product(a, b)
    if a.dtype != np.float64:
        return product + c
    # with the errors of the product and of the sum, where both are numbers
    total = product + c
    rest = _error_of_product(a, b, product) + _error_of_sum(product, c, total)
    return np.where(np.isfinite(rest), total + rest, total)


def _error_of_product(a: np.ndarray, b: np.ndarray, product: np.ndarray) -> np.ndarray:
    """What a product of f64 was rounded by, by products of halves, which are exact."""
    (a_head, a_tail), (b_head, b_tail) = map(_halves, (a, b))
    return ((a_head * b_head - product) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail


def _halves(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scaled = (2.0**27 + 1) * a
    head = scaled - (scaled - a)
    return head, a - head


def _error_of_sum(a: np.ndarray, b: np.ndarray, total: np.ndarray) -> np.ndarray:
    part = total - a
    return (a - (total - part)) + (b - part)


@executes(vector.FmaLane)
def fma_lane(machine: Machine, op: vector.FmaLane) -> Results:
    a, b, c = machine.all_of((op.a, op.b, op.c))
    lanes = op.chosen()
    chosen = b[np.concatenate([np.asarray(lanes) + first for first in range(0, len(b), len(lanes))])]
    return (fused(a, chosen, c),)


@executes(vector.ScaleByPower)
def scale_by_power(machine: Machine, op: vector.ScaleByPower) -> Results:
    a, exponent = machine.all_of((op.a, op.exponent))
    known = np.isfinite(exponent)
    return (np.where(known, np.ldexp(a, np.where(known, exponent, 0).astype(np.int32)), a * exponent),)


@executes(vector.Dot)
def dot(machine: Machine, op: vector.Dot) -> Results:
    return (_dots(*machine.all_of((op.a, op.b, op.c))),)


@executes(vector.DotLoaded)
def dot_loaded(machine: Machine, op: vector.DotLoaded) -> Results:
    first, *others = machine.all_of(op.indices)
    both = np.ones(2, np.bool_)
    view, positions = reached_lanes(machine, op, both, (first + np.arange(2), *others), "read")
    word = loaded(view, positions, both).view(np.int32)
    a, c = machine.all_of((op.a, op.c))
    return (_dots(a, np.repeat(word, c.size), c),)


def _dots(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Sums with the products of pairs added: of i16, or of bf16 where the sums are floats."""
    a, b, c = map(np.ascontiguousarray, (a, b, c))
    if c.dtype == np.float32:
        words = [each.view(np.uint32) for each in (a, b)]
        for of_bf16 in ([each << 16 for each in words], [each & np.uint32(0xFFFF0000) for each in words]):
            x, y = (bits.view(np.float32) for bits in of_bf16)
            c = fused(x, y, c)
        return c
    factors = [each.view(np.int16).reshape(-1, 2).astype(np.int64) for each in (a, b)]
    sums: np.ndarray = ((factors[0] * factors[1]).sum(axis=1) + c).astype(c.dtype)
    return sums


@executes(vector.VectorCast)
def cast(machine: Machine, op: vector.VectorCast) -> Results:
    return (scalars.cast(machine[op.operand], op.operand.type.element, op.result.type.element),)


@executes(vector.Select)
def select(machine: Machine, op: vector.Select) -> Results:
    return (np.where(*machine.all_of((op.condition, op.a, op.b))),)


@executes(vector.Shuffle)
def shuffle(machine: Machine, op: vector.Shuffle) -> Results:
    return (np.concatenate(machine.all_of((op.a, op.b)))[op.attributes[vector.LANES]],)


@executes(vector.Transpose)
def transpose(machine: Machine, op: vector.Transpose) -> Results:
    return tuple(np.stack(machine.all_of(op.vectors)).T)


@executes(vector.Parts)
def parts(machine: Machine, op: vector.Parts) -> Results:
    return (np.ascontiguousarray(machine[op.operand]).view(dtype_of(op.result.type.element)),)


@executes(vector.Part)
def part(machine: Machine, op: vector.Part) -> Results:
    count = lanes_of(machine, op.result.type)
    first = op.first // op.result.type.lanes * count
    return (machine[op.vector][first : first + count],)


@executes(vector.Interleave)
def interleave(machine: Machine, op: vector.Interleave) -> Results:
    return (np.stack(machine.all_of((op.a, op.b)), axis=1).reshape(-1),)


@executes(vector.Bits)
def bits(machine: Machine, op: vector.Bits) -> Results:
    return (np.ascontiguousarray(machine[op.vector]).view(dtype_of(op.result.type.element)),)


@executes(vector.Reduce)
def reduce(machine: Machine, op: vector.Reduce) -> Results:
    values, element = machine[op.vector], op.vector.type.element
    total = values[:1]
    for lane in range(1, len(values)):
        total = scalars.binary(op.variant, total, values[lane : lane + 1], element)
    return (total,)


# Memory.


def _mask(machine: Machine, op: Any, count: int) -> np.ndarray:
    return np.ones(count, np.bool_) if op.mask is None else by_lane(machine[op.mask], count)


def reached_lanes(machine: Machine, op: Any, mask: np.ndarray, indices: tuple[Any, ...], access: Any) -> Any:
    """The view and the places of the active lanes' elements, after all that is checked of them."""
    with _active(machine, mask):
        return reached(machine, op, access, access == "read", indices)


@contextmanager
def _active(machine: Machine, mask: np.ndarray) -> Iterator[None]:
    """What is executed by the active lanes of a vector."""
    around = machine.lanes
    machine.lanes = Lanes(around.role, mask)
    try:
        yield
    finally:
        machine.lanes = around


def elements(machine: Machine, op: vector.OnMemory) -> tuple[int, np.ndarray, tuple[Any, ...]]:
    """How many elements a vector has in memory, which are active, and their indices."""
    count = lanes_of(machine, op.in_register)
    mask = np.repeat(_mask(machine, op, count // op.per_lane), op.per_lane)
    if op.has_parts:  # each has two lanes
        count //= 2
        mask = mask[::2]
    indices = list(machine.all_of(op.indices))
    indices[op.mode] = indices[op.mode] + np.arange(count)
    return count, mask, tuple(indices)


@executes(vector.Load)
def load(machine: Machine, op: vector.Load) -> Results:
    _, mask, indices = elements(machine, op)
    if op.used is not None:
        with _active(machine, mask):  # what lies between is memory of the tensor, too
            check_bounds(machine, op, op.tensor, machine[op.tensor], op.indices, indices)
        mask = mask & np.isin(np.arange(mask.size), op.used)
    view, positions = reached_lanes(machine, op, mask, indices, "read")
    return (loaded(view, positions, mask).view(dtype_of(op.result.type.element)),)


def loaded(view: View, positions: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The active elements at some positions, and 0 in other lanes."""
    found = np.zeros(mask.size, view.memory.data.dtype)
    active = np.flatnonzero(mask)
    found[active] = gather(view, positions, active, mask.size)[active]
    return found


@executes(vector.Store)
def store(machine: Machine, op: vector.Store) -> Results:
    count, mask, indices = elements(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "write")
    values = np.ascontiguousarray(machine[op.vector]).view(view.memory.data.dtype)
    scatter(view, positions, values, np.flatnonzero(mask), count)
    return ()


@executes(vector.Gather)
def gather_(machine: Machine, op: vector.Gather) -> Results:
    count = lanes_of(machine, op.result.type)
    mask = _mask(machine, op, count)
    view, positions = reached_lanes(machine, op, mask, machine.all_of(op.indices), "read")
    return (gather(view, positions, np.flatnonzero(mask), count),)


@executes(vector.Scatter)
def scatter_(machine: Machine, op: vector.Scatter) -> Results:
    count = lanes_of(machine, op.vector.type)
    mask = _mask(machine, op, count)
    view, positions = reached_lanes(machine, op, mask, machine.all_of(op.indices), "write")
    scatter(view, positions, machine[op.vector], np.flatnonzero(mask), count)
    return ()


@executes(vector.Buffer)
def buffer(machine: Machine, op: vector.Buffer) -> Results:
    type_ = op.result.type
    sizes = iter(machine.all_of(op.sizes))
    shape = tuple(extent if isinstance(extent, int) else int(next(sizes)[0]) for extent in type_.shape)
    known = MemrefType(type_.element, shape, space=type_.space)
    strides = tuple(prod(shape[:mode]) for mode in range(len(shape)))
    memory = Memory.local(known, op.result.location)
    if machine.history is not None:
        memory.shadow = make_shadow(machine.history, known)
    return (View((memory,), 0, shape, strides),)


@executes(vector.Release)
def release(machine: Machine, op: vector.Release) -> Results:
    machine[op.buffer].memory.stopped = op.location
    return ()
