"""Operations of the dialect llvm that atomic accesses are written with. A pointer is an address, of any space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....mlir.text import Operation
from . import rules
from .machine import SubGroup
from .machine import executes as _of
from .memory import Unmapped
from .values import dtype_of, garbage

_BINARY = ("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min")
"""The updates of integers, in the order of LLVM's enumeration."""
_COMBINE: dict[str, Callable[[Any, Any], Any]] = {"add": np.add, "max": np.maximum, "min": np.minimum}


def _same(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return operands[0]


for _name in ("llvm.inttoptr", "llvm.ptrtoint"):
    _of(_name)(_same)


@_of("llvm.extractvalue")
def _member(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    (position,) = op.attributes["position"]
    return operands[0][position]


@_of("llvm.load")
def _load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    dtype = dtype_of(op.result_types[0])
    if dtype is None:
        self.unknown(op)
    values = garbage((self.lanes,), dtype)
    for lane in np.flatnonzero(self.mask):
        values[lane] = _read(self, op, int(operands[0][lane]), dtype)
    return values


@_of("llvm.store")
def _store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, addresses = operands
    for lane in np.flatnonzero(self.mask):
        _write(self, op, int(addresses[lane]), value[lane])


@_of("llvm.cmpxchg")
def _exchange(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """Work-items exchange one after the other."""
    addresses, compared, values = operands
    before, done = compared.copy(), np.zeros(self.lanes, np.bool_)
    for lane in np.flatnonzero(self.mask):
        before[lane] = _read(self, op, int(addresses[lane]), compared.dtype)
        done[lane] = before[lane] == compared[lane]
        if done[lane]:
            _write(self, op, int(addresses[lane]), values[lane])
    return before, done


@_of("llvm.atomicrmw")
def _update(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    addresses, values = operands
    combine = _COMBINE.get(op.word_of("bin_op", _BINARY))
    if combine is None:
        self.unknown(op)
    before = values.copy()
    for lane in np.flatnonzero(self.mask):
        before[lane] = _read(self, op, int(addresses[lane]), values.dtype)
        _write(self, op, int(addresses[lane]), combine(before[lane], values[lane]))
    return before


def _read(self: SubGroup, op: Operation, address: int, dtype: np.dtype) -> Any:
    here = _bytes(self, op, address, dtype.itemsize)
    return np.concatenate([here, np.zeros(dtype.itemsize - len(here), np.uint8)]).view(dtype)[0]


def _write(self: SubGroup, op: Operation, address: int, value: Any) -> None:
    here = _bytes(self, op, address, value.dtype.itemsize)
    here[:] = np.asarray(value).reshape(1).view(np.uint8)[: len(here)]


def _bytes(self: SubGroup, op: Operation, address: int, size: int) -> np.ndarray:
    """The bytes of a number. The last word of an array may reach beyond it, where the hardware has memory, too."""
    try:
        return self.memory.bytes_at(address, size if address % size else 1)[:size]
    except Unmapped as error:
        self.fail(op, rules.MEMORY, f"{op.name}: {error}")
