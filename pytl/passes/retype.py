"""Other types for the parameters of a function, and for the views that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.operation import Operation
from ..ir.types import DYNAMIC, Type
from ..ir.values import Function, Region, Value
from ..ops import Expand, Expandc2r, Fuse, Load, Slice, Subview, Update
from ..ops.builder import Builder
from ..ops.constants import constant_bound


def retype(function: Function, types: Mapping[Value, Type]) -> None:
    """Give parameters other types, and views of them the types that follow. Nothing is folded."""
    for parameter, type_ in types.items():
        parameter.type = type_
    while derive(function):
        pass
    if unify(function.body):
        while derive(function):
            pass


def derive(function: Function) -> bool:
    """Give views the types that follow from their operands; returns whether something changed."""
    changed = False
    for op in function.walk():
        if isinstance(op, Subview):
            op.slices = [Slice(piece.offset, _static(piece.size)) for piece in op.slices]
        elif isinstance(op, Expand):
            op.expand_shape = [_static(bound) for bound in op.expand_shape]
        elif not isinstance(op, (Expandc2r, Fuse, Load)):
            continue
        (type_,) = op.infer_result_types()
        if type_ != op.results[0].type:
            op.results[0].type = type_
            changed = True
    return changed


def _static(bound: Any) -> Any:
    """A size as an integer, where it is known and a valid size."""
    known = constant_bound(bound)
    return known if isinstance(bound, Value) and known is not None and known > 0 else bound


def unify(region: Region) -> bool:
    """Give operands of a collective instruction static modes where another operand has them."""
    operations: list[Operation] = []
    changed = False
    for op in region.operations:
        if isinstance(op, Update):
            views = _views(op)
            changed = changed or bool(views)
            operations += views
        operations.append(op)
        for inner in op.regions:
            changed = unify(inner) or changed
    region.operations = operations
    return changed


def _views(op: Update) -> list[Operation]:
    """Put views in front of an instruction, which uses them from now on."""
    static_sizes: dict[str, dict[int, int]] = {}
    for modes in op.equal_modes():
        sizes = {getattr(op, name).type.shape[mode] for name, mode in modes}
        static = [size for size in sizes if isinstance(size, int)]
        if DYNAMIC in sizes and static:
            for name, mode in modes:
                if getattr(op, name).type.shape[mode] is DYNAMIC:
                    static_sizes.setdefault(name, {})[mode] = static[0]
    builder = Builder(op.location)
    for name, sizes_of in static_sizes.items():
        tensor = getattr(op, name)
        slices = [
            Slice(0, sizes_of.get(mode, extent if isinstance(extent, int) else builder.size(tensor, mode)))
            for mode, extent in enumerate(tensor.type.shape)
        ]
        setattr(op, name, builder.add(Subview(op.location, tensor=tensor, slices=slices)).results[0])
    return builder.operations
