"""The description of a `vector.code` for the compiler: the instruction, and the arguments of its function."""

from __future__ import annotations

from typing import Literal

from ....ir.values import Value
from ....passes.targets import vector
from ....process.records import dataclass


@dataclass(frozen=True)
class KernelArgument:
    """The arguments of the function, in order: of a memref its pointer, and its dynamic sizes and strides.

    A number is passed as it is.
    """

    value: Value
    kind: Literal["pointer", "size", "stride", "number"]
    mode: int = 0


@dataclass(frozen=True)
class VectorKernel:
    """A `vector.code`, or `vector.work_items`, that is to be compiled."""

    operation: vector.Code | vector.WorkItems
    arguments: tuple[KernelArgument, ...]
    layouts: dict[Value, tuple[tuple[int | None, ...], tuple[int | None, ...]]]
    """Sizes and strides of each memref; None for those that are arguments."""
    subgroup_size: int = 1
    """Of code of work-items."""
