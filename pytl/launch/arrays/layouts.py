"""Compares arrays with memref types: element type, shape, strides, and what the parameter asserts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...backends import rules
from ...devices.usm import shown_library
from ...diagnostics import Rule
from ...diagnostics.words import counted
from ...ir.types import Extent, MemrefType, ScalarType
from .arrays import Described, dtype_names
from .parameters import Parameter, Report


class LayoutCheck:
    """Compares an array with a memref type; remembers whether anything was reported.

    Where the last mode of the array `counts` the items of a group, one item is compared.
    """

    def __init__(self, parameter: Parameter, name: str, report: Report, counts: bool = False) -> None:
        self.parameter = parameter
        self.array = name
        self.counts = counts
        self.name = f"{name}[..., i]" if counts else name
        self._report = report
        self.failed = False

    def own(self, numbers: Sequence[Any]) -> tuple[Any, ...]:
        """Numbers of the memref's modes in the order of the array's."""
        modes = self.parameter.modes
        if modes is None or len(modes) != len(numbers):
            return tuple(numbers)
        return tuple(numbers[modes.index(mode)] for mode in range(len(modes)))

    def report(self, rule: Rule, message: str, help: str | None = None) -> None:
        self.failed = True
        self._report(rule, message, help)

    def check(self, array: Described, type_: MemrefType) -> tuple[int, ...] | None:
        """The strides that the kernel uses, or None where the array does not fit."""
        self.check_element(array, type_.element)
        self.check_writable(array)
        shape = array.view.shape
        if len(shape) != type_.order:
            self.report(
                rules.ORDER,
                f"{self.name} has {counted(len(shape), 'mode')}, its shape is {shape}, "
                f"but {self._shown(type_)} has {type_.order}",
                "pass a view with these modes, as reshape, indices and slices give it",
            )
            return None
        if any(isinstance(n, int) and n != m for n, m in zip(type_.shape, shape)):
            expected_text = "x".join(map(str, self.own(type_.shape)))
            actual_text = "x".join(map(str, self.own(shape)))
            self.report(
                rules.SHAPE,
                f"{self.name} has the shape {actual_text}, but {self._shown(type_)} needs {expected_text}",
                self._shape_help(array, type_),
            )
            return None
        if self.failed:
            return None
        strides = self._strides(array, type_)
        if strides is not None:
            self.check_attributes(array, shape, strides)
        return None if self.failed else strides

    def _shape_help(self, array: Described, type_: MemrefType) -> str:
        shape = array.view.shape
        if self.counts and len(shape) > 1:
            return f"the last mode of {self.array} counts the items: move that mode to the end, in memory, too"
        if (
            self.parameter.modes is None
            and array.has_whole_strides
            and _fits(shape[::-1], array.view.strides[::-1], type_)
        ):
            modes = ", ".join(map(str, reversed(range(len(shape)))))
            by_function = array.library.endswith(".tensor") and len(shape) > 2  # whose .T is of matrices alone
            permuted = f"{array.library}.permute_dims({self.array}, ({modes}))" if by_function else f"{self.array}.T"
            return (
                f"pass {permuted}, a view that fits: the language is column-major, so that the rows of an array "
                "in C order are columns there"
            )
        return "pass an array of this shape, or declare sizes that vary as ..."

    def check_element(self, array: Described, element: ScalarType) -> None:
        names = dtype_names(element, self.parameter.unsigned)
        if array.dtype not in names:
            expected = names[0]
            library = "ml_dtypes." if expected == "bfloat16" else "numpy."
            converted = f"{self.array}.astype({library}{expected})"
            if array.view.queue is not None:
                # dpctl has no bfloat16, so its bits come as integers
                expected = names[-1]
                converted = f'{array.library}.astype({self.array}, "{expected}")'
            self.report(
                rules.DTYPE,
                f"{self.name} has the data type {array.dtype}, but the elements are {_shown(element, self)}",
                f"convert it once with {converted}, or create it with that dtype",
            )
        elif array.view.span and array.view.address % array.natural_alignment:
            self.report(
                rules.ALIGNED,
                f"the memory of {self.name} begins at a multiple of {_alignment_of(array.view.address)} bytes, "
                f"but elements of {element} need {array.natural_alignment}",
                f"pass a copy: {self.array}.copy()",
            )

    def check_writable(self, array: Described) -> None:
        if self.parameter.written and not array.writable:
            flag = "writeable" if array.view.queue is None else "writable"
            self.report(
                rules.READ_ONLY,
                f"{self.name} is read-only, but the kernel writes it",
                f"pass a copy, or set {self.array}.flags.{flag} = True where you own the memory",
            )

    def _strides(self, array: Described, type_: MemrefType) -> tuple[int, ...] | None:
        actual = array.view.strides
        used_strides = _needed_strides(array.view.shape, actual, type_)
        empty = 0 in array.view.shape
        if empty or (array.has_whole_strides and used_strides is not None):
            return used_strides if used_strides is not None else actual
        expected = _expected_strides(array.view.shape, type_)
        is_layout_right = array.has_whole_strides and tuple(expected) == tuple(actual)
        overlap = _overlap(array.view.shape, actual) if is_layout_right else None
        if overlap is not None:
            size, inner, outer = overlap
            self.report(
                rules.LAYOUT,
                f"the elements of {self.name} overlap: {self._shown(type_)} has the stride {outer} for a mode, and "
                f"{size} elements with the stride {inner} in front of it reach over {size * inner}",
                f"take at most {outer // inner} elements, or declare a stride of at least {size * inner}",
            )
            return None
        shown = ", ".join(map(str, self.own(actual)))
        layout = ", ".join(map(str, self.own(expected)))
        unit = "elements"
        if not array.has_whole_strides:
            shown, unit = (
                ", ".join(map(str, self.own(array.byte_strides))),
                f"bytes of items of {array.item_size} bytes",
            )
        self.report(
            rules.LAYOUT,
            f"{self.name} has the strides ({shown}) in {unit}, but {self._shown(type_)} needs ({layout})",
            self._layout_help(array, type_),
        )
        return None

    def _shown(self, type_: MemrefType) -> str:
        """A type as a message shows it."""
        return str(type_) if self.parameter.modes is None else f"{type_} with the modes {self.parameter.modes}"

    def _layout_help(self, array: Described, type_: MemrefType) -> str:
        library = array.library
        order, function = ("F", "asfortranarray") if self.parameter.modes is None else ("C", "ascontiguousarray")
        convert = (
            f'{library}.copy({self.array}, order="{order}")'
            if library.endswith(".tensor")
            else f"{library}.{function}({self.array})"
        )
        rank = len(array.view.shape)
        c_order = rank > 1 and array.view.strides == tuple(
            math.prod(array.view.shape[mode + 1 :]) for mode in range(rank)
        )
        if type_.is_packed and (order == "F" or self.own(range(rank)) == tuple(reversed(range(rank)))):
            first = "the array is in C order: " if c_order and order == "F" else ""
            # the results in a copy without a name would be lost
            act = f"write {self.array} = {convert} before the launch" if self.parameter.written else f"pass {convert}"
            return f'{first}{act}, or create it with {library}.empty(…, order="{order}")'
        return (
            "pass an array with these strides, or declare the parameter with the array's own: strides(…), "
            "... where they vary"
        )

    def check_attributes(self, array: Described, shape: Sequence[int], strides: Sequence[int]) -> None:
        attributes = self.parameter.attributes
        alignment = attributes.get("alignment")
        if alignment and array.view.span and array.view.address % alignment:
            self.report(
                rules.ALIGNED,
                f"the memory of {self.name} begins at a multiple of {_alignment_of(array.view.address)} bytes, "
                f"but the parameter asserts {alignment}",
                f"allocate it with this alignment, as {shown_library()} does for 64 bytes, or assert less",
            )
        for name, numbers, what in (("shape_gcd", shape, "size"), ("stride_gcd", strides, "stride")):
            for mode, (divisor, number) in enumerate(zip(attributes.get(name, ()), numbers)):
                if number % divisor:
                    self.report(
                        rules.DIVISIBLE,
                        f"{what} {number} of mode {mode} of {self.name} is not a multiple of {divisor}, "
                        f"which the parameter asserts",
                        "pass an array that fits, or omit the assertion",
                    )


def _fits(shape: Sequence[int], strides: Sequence[int], type_: MemrefType) -> bool:
    """Whether an array with such a shape and strides is one of the type."""
    sizes_fit = all(not isinstance(expected, int) or expected == size for expected, size in zip(type_.shape, shape))
    return sizes_fit and _needed_strides(shape, strides, type_) is not None


def _shown(element: ScalarType, checker: LayoutCheck) -> str:
    """An element type as a message shows it."""
    return f"u{element.name[1:]}" if checker.parameter.unsigned and element.is_integer else str(element)


def _needed_strides(shape: Sequence[int], actual: Sequence[int], type_: MemrefType) -> tuple[int, ...] | None:
    """The strides that the kernel will use, if they fit the array's memory.

    The stride of a mode with one entry is never used, so any will do, as none is used in an empty array. It is what
    the layout says, else the array's own, else the least that the language allows: libraries fill in what they like.
    """
    needed = _strides_with(shape, actual, type_, keeps_own=True)
    if needed is None:
        needed = packed_strides(shape, type_) if 0 in shape else _strides_with(shape, actual, type_, keeps_own=False)
    return needed


def _strides_with(
    shape: Sequence[int], actual: Sequence[int], type_: MemrefType, keeps_own: bool
) -> tuple[int, ...] | None:
    strides: list[int] = []
    minimum = 1
    for extent, stride, expected in zip(shape, actual, type_.strides):
        if extent <= 1:
            stride = expected if isinstance(expected, int) else max(stride, minimum) if keeps_own else minimum
        if stride < minimum or (isinstance(expected, int) and stride != expected):
            return None
        strides.append(stride)
        minimum = stride * max(extent, 1)
    return tuple(strides)


def packed_strides(shape: Sequence[int], type_: MemrefType) -> tuple[int, ...]:
    """The type's strides for a shape, with dynamic ones as small as the language allows."""
    strides: list[int] = []
    minimum = 1
    for extent, stride in zip(shape, type_.strides):
        strides.append(stride if isinstance(stride, int) else minimum)
        minimum = strides[-1] * max(extent, 1)
    return tuple(strides)


def _overlap(shape: Sequence[int], strides: Sequence[int | str]) -> tuple[int, int, int] | None:
    """Size and stride of a mode, and the stride of the next one, which is too short for them."""
    for size, inner, outer in zip(shape, strides, strides[1:]):
        if isinstance(inner, int) and isinstance(outer, int) and 0 < outer < size * inner:
            return size, inner, outer
    return None


def _expected_strides(shape: Sequence[int], type_: MemrefType) -> list[Extent | str]:
    strides: list[Extent | str] = []
    minimum = 1
    for extent, stride in zip(shape, type_.strides):
        strides.append(stride if isinstance(stride, int) else f"≥ {minimum}")
        minimum = (stride if isinstance(stride, int) else minimum) * max(extent, 1)
    return strides


def _alignment_of(address: int) -> int:
    return address & -address


def array_help(name: str, type_: MemrefType, argument: Any) -> str:
    if type(argument).__name__ == "MaskedArray":
        return f"a kernel sees no masks: pass {name}.filled(…), or {name}.data"
    dtype = dtype_names(type_.element)[0]
    return f"pass an array of NumPy, dpctl or dpnp with the data type {dtype}"
