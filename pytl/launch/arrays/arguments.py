"""Checks arguments against parameter types, and describes them for the backends.

`bind` reports everything that is wrong with an argument at once, in the words of the user's array: which strides
came, which are needed, and how to get them. It never copies and never changes an array.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...backends import rules
from ...backends.base import Argument, GroupArgument, MemrefArgument
from ...diagnostics import LaunchError, call_site
from ...diagnostics.words import counted
from ...ir.types import DYNAMIC, GroupType, MemrefType
from ...process.records import dataclass
from .arrays import Described, describe, with_permuted_modes
from .foreign import ExportRefused
from .groups import ArrayGroup, gather
from .layouts import LayoutCheck, array_help, packed_strides
from .parameters import Parameter, Report, what
from .scalars import bind_scalar

MAX_KEPT = 32
"""The largest number of parameter kinds for which an ArrayGroup keeps its bound argument."""


@dataclass(frozen=True)
class Pointers:
    """Arrays for a group whose type has a dynamic offset: see `pytl.pointers`."""

    arrays: Any
    offset: int = 0


def pointers(arrays: Any, offset: int = 0) -> Pointers:
    """The argument for a group with a dynamic offset: the arrays, and the offset in elements.

    Parameters: `arrays`, a list of arrays (one pointer each) or one array whose last mode counts the items;
    `offset`, the number of elements added to each pointer. Manual: Group type.

    >>> import numpy
    >>> import pytl
    >>> pytl.pointers([numpy.zeros(20)], offset=4).offset
    4
    """
    try:
        return Pointers(arrays, operator.index(offset))
    except TypeError:
        shown = repr(offset) if isinstance(offset, (str, float)) else what(offset)
        raise LaunchError.single(
            rules.GROUP, f"the offset is {shown}", call_site(), "pass a whole number of elements, such as offset=4"
        ) from None


def argument_of(parameter: Parameter, argument: Any, report: Report) -> Argument | None:
    """The bound argument of a parameter; None where it does not fit, which has been reported then."""
    type_ = parameter.type
    try:
        if isinstance(type_, MemrefType):
            return _bind_memref(parameter, type_, argument, report)
        if isinstance(type_, GroupType):
            return _bind_group(parameter, type_, argument, report)
    except ExportRefused as refused:
        report(rules.FOREIGN, f"{parameter.name} {refused.message}", refused.help)
        return None
    return bind_scalar(parameter, type_, argument, report)


# Memrefs.


def _bind_memref(parameter: Parameter, type_: MemrefType, argument: Any, report: Report) -> MemrefArgument | None:
    array = describe(argument)
    if array is None:
        report(
            rules.KIND,
            f"{parameter.name} is {what(argument)}, but the parameter is {type_}",
            array_help(parameter.name, type_, argument),
        )
        return None
    if parameter.modes is not None and len(array.view.shape) == type_.order:
        array = with_permuted_modes(array, parameter.modes)
    checker = LayoutCheck(parameter, parameter.name, report)
    strides = checker.check(array, type_)
    if strides is None:
        return None
    return MemrefArgument(array.view, array.view.shape, strides, parameter.written)


# Groups.


def _bind_group(parameter: Parameter, type_: GroupType, argument: Any, report: Report) -> GroupArgument | None:
    offset = type_.offset
    if isinstance(argument, Pointers):
        if isinstance(offset, int) and offset != argument.offset:
            report(
                rules.GROUP,
                f"{parameter.name} is passed with offset {argument.offset}, but its type says {offset}",
                "omit the offset of pointers(…), or declare it as offset(...)",
            )
            return None
        offset, argument = argument.offset, argument.arrays
    if offset is DYNAMIC:
        report(
            rules.GROUP,
            f"{parameter.name} has a dynamic offset, but none is passed",
            f"pass pytl.pointers({parameter.name}, offset=…)",
        )
        return None
    if offset < 0:
        report(
            rules.GROUP,
            f"the offset {offset} of {parameter.name} is negative",
            "pass views that begin earlier",
        )
        return None
    if isinstance(argument, (ArrayGroup, list, tuple)):
        bound = _bind_columns(parameter, type_, offset, argument)
        if bound is not None:
            return bound
        if isinstance(argument, ArrayGroup):
            argument = list(argument.arrays)  # to say what is wrong with which
    array = describe(argument)
    if array is not None:
        return _bind_strided_group(parameter, type_, offset, array, report)
    if isinstance(argument, (list, tuple)):
        return _bind_listed_group(parameter, type_, offset, argument, report)
    report(
        rules.KIND,
        f"{parameter.name} is {what(argument)}, but the parameter is {type_}",
        "pass a list of arrays, or one array whose last mode counts the items",
    )
    return None


def _check_count(parameter: Parameter, type_: GroupType, count: int, report: Report) -> bool:
    if isinstance(type_.count, int) and count != type_.count:
        report(
            rules.GROUP,
            f"{parameter.name} has {count} items, but {type_} has {type_.count}",
            "pass as many, or declare the group without a count",
        )
        return False
    return True


def _bind_strided_group(
    parameter: Parameter, type_: GroupType, offset: int, array: Described, report: Report
) -> GroupArgument | None:
    """A group in one array, whose last mode counts the items."""
    memref = type_.memref
    order = 1 if offset else memref.order
    if len(array.view.shape) != order + 1:
        form = "a mode of memory" if offset else f"the modes of {memref}"
        form += " and a last one that counts the items"
        report(
            rules.ORDER,
            f"{parameter.name} has {counted(len(array.view.shape), 'mode')}, but {type_} has {order + 1}",
            f"pass a list of arrays, or one array with {form}",
        )
        return None
    count, step = array.view.shape[-1], array.view.strides[-1]
    if not _check_count(parameter, type_, count, report):
        return None
    checker = LayoutCheck(parameter, parameter.name, report, counts=True)
    item = _first_item(array, memref)
    placed = _check_item(checker, item, memref, offset)
    if placed is None:
        return None
    shape, strides = placed
    if count > 1 and step < 1:
        report(
            rules.LAYOUT,
            f"the items of {parameter.name} are {step} elements apart, but must follow one another",
            "pass a list of the items, which may be anywhere in memory",
        )
        return None
    alignment = parameter.attributes.get("alignment")
    if alignment and count > 1 and step * array.item_size % alignment:
        report(
            rules.ALIGNED,
            f"the items of {parameter.name} are {step * array.item_size} bytes apart, "
            f"but the parameter asserts an alignment of {alignment}",
            "leave space between the items, or assert less",
        )
        return None
    return GroupArgument(
        [array.view],
        True,
        count,
        step * array.item_size,
        offset,
        [shape],
        [strides],
        parameter.written,
    )


def _first_item(array: Described, memref: MemrefType) -> Described:
    """The array without the mode that counts the items. Without items any strides are accepted."""
    shape, strides, byte_strides = array.view.shape[:-1], array.view.strides[:-1], array.byte_strides[:-1]
    if array.view.shape[-1] == 0 and len(shape) == memref.order:
        strides = packed_strides(shape, memref)
        byte_strides = tuple(stride * array.item_size for stride in strides)
    return replace(array, view=replace(array.view, shape=shape, strides=strides), byte_strides=byte_strides)


def _bind_columns(
    parameter: Parameter, type_: GroupType, offset: int, arrays: ArrayGroup | Sequence[Any]
) -> GroupArgument | None:
    """A group whose arrays can be read in columns; None where they have errors."""
    group = arrays if isinstance(arrays, ArrayGroup) else None
    key = (str(type_), offset, repr(sorted(parameter.attributes.items())), parameter.written)
    if group is not None and key in group.bound:
        argument: GroupArgument = group.bound[key]
        return argument
    columns = group.columns if group is not None else gather(arrays) if arrays else None  # type: ignore[arg-type]
    if columns is None or (isinstance(type_.count, int) and type_.count != len(columns.views)):
        return None
    problems: list[Any] = []
    placed = []
    for array in columns.described():
        checker = LayoutCheck(parameter, parameter.name, lambda *finding: problems.append(finding))
        layout = _check_item(checker, array, type_.memref, offset)
        if layout is None:
            return None
        placed.append(layout)
    shapes, strides = [shape for shape, _ in placed], [strides for _, strides in placed]
    if len(set(placed)) == 1:
        shapes, strides = shapes[:1], strides[:1]
    else:
        numbers = columns.views.numbers.tolist()
        shapes, strides = [shapes[number] for number in numbers], [strides[number] for number in numbers]
    views = columns.views
    bound = GroupArgument(views, False, len(views), 0, offset, shapes, strides, parameter.written)
    if group is not None and len(group.bound) < MAX_KEPT:
        group.bound[key] = bound
    return bound


def _bind_listed_group(
    parameter: Parameter, type_: GroupType, offset: int, arrays: Sequence[Any], report: Report
) -> GroupArgument | None:
    """A group of arrays of their own, one pointer each."""
    if not _check_count(parameter, type_, len(arrays), report):
        return None
    views, shapes, strides = [], [], []
    failures = 0
    for position, entry in enumerate(arrays):
        item = _bind_item(parameter, type_, offset, f"{parameter.name}[{position}]", entry, report)
        if item is None:
            failures += 1
            if failures == 3:
                return None  # a thousand arrays of the wrong kind are one mistake
            continue
        views.append(item.view)
        shapes.append(item.shape)
        strides.append(item.strides)
    if failures:
        return None
    if len(set(shapes)) <= 1 and len(set(strides)) <= 1:
        shapes, strides = shapes[:1], strides[:1]
    return GroupArgument(views, False, len(arrays), 0, offset, shapes, strides, parameter.written)


def _bind_item(
    parameter: Parameter, type_: GroupType, offset: int, name: str, entry: Any, report: Report
) -> MemrefArgument | None:
    try:
        array = describe(entry)
    except ExportRefused as refused:
        report(rules.FOREIGN, f"{name} {refused.message}", refused.help)
        return None
    if array is None:
        report(
            rules.KIND,
            f"{name} is {what(entry)}, but {type_.memref} is expected",
            array_help(name, type_.memref, entry),
        )
        return None
    placed = _check_item(LayoutCheck(parameter, name, report), array, type_.memref, offset)
    return None if placed is None else MemrefArgument(array.view, *placed, parameter.written)


def _check_item(
    checker: LayoutCheck, array: Described, memref: MemrefType, offset: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Shape and strides of a group's item. With an offset, the array is plain memory that contains the memref."""
    if not offset:
        strides = checker.check(array, memref)
        return None if strides is None else (array.view.shape, strides)
    checker.check_element(array, memref.element)
    checker.check_writable(array)
    if checker.failed:
        return None
    if not memref.is_static:
        checker.report(
            rules.GROUP,
            f"{memref} has dynamic modes, whose sizes are unknown in the memory of {checker.name} with an offset",
            "give the memref static modes, or pass the shifted views themselves, without an offset",
        )
        return None
    if len(array.view.shape) != 1 or array.view.strides != (1,):
        checker.report(
            rules.GROUP,
            f"{checker.name} is not one-dimensional and contiguous, as an array with an offset must be",
            "pass its memory as one mode: array.reshape(-1, order='A')",
        )
        return None
    if array.view.shape[0] < offset + memref.span:
        checker.report(
            rules.GROUP,
            f"{checker.name} has {array.view.shape[0]} elements, but {memref} at offset {offset} ends at "
            f"{offset + memref.span}",
            "pass longer arrays, or a smaller offset",
        )
        return None
    return memref.shape, memref.strides  # type: ignore[return-value]
