"""Checks an argument against a parameter's type, and describes it for the backends.

`bind` reports everything that is wrong with an argument at once, in the words of the user's array: which strides
came, which are needed, and how to get them. It never copies and never changes an array.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..backends import rules
from ..backends.base import Argument, GroupArgument, MemrefArgument
from ..diagnostics import Rule
from ..ir.types import DYNAMIC, BoolType, Extent, GroupType, MemrefType, ScalarType, Type
from ..ops.constants import integer_bounds
from .arrays import Described, describe, dtype_names

Report = Callable[[Rule, str, "str | None"], None]


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
    return Pointers(arrays, operator.index(offset))


@dataclass(frozen=True)
class Parameter:
    """What a launch needs to know of one parameter."""

    name: str
    type: Type
    attributes: dict[str, Any]
    written: bool


def bind(parameter: Parameter, given: Any, report: Report) -> Argument | None:
    """The argument for a parameter; None where it does not fit, which has been reported then."""
    type_ = parameter.type
    if isinstance(type_, MemrefType):
        return _bind_memref(parameter, type_, given, report)
    if isinstance(type_, GroupType):
        return _bind_group(parameter, type_, given, report)
    return _bind_scalar(parameter, type_, given, report)


# Scalars.


# Numbers from here on would be rounded to infinity.
_BEYOND = {
    "f16": 65520.0,
    "bf16": 3.3961775292304957e38,
    "f32": 3.4028235677973366e38,
    "c32": 3.4028235677973366e38,
}
# Digits, and the exponent of the least number. Types of 16 bits travel as f32, rounded here as the language does.
_NARROW = {"f16": (11, -24), "bf16": (8, -133)}


def _bind_scalar(parameter: Parameter, type_: Type, given: Any, report: Report) -> Argument | None:
    name = parameter.name
    given = _python_number(given)
    if isinstance(type_, BoolType):
        if isinstance(given, bool):
            return given
        report(rules.KIND, f"{name} is {what(given)}, but the parameter is bool", "pass True or False")
        return None
    assert isinstance(type_, ScalarType)
    if isinstance(given, bool) or not isinstance(given, (int, float, complex)):
        kind = "an integer" if type_.is_integer else "a number"
        report(rules.KIND, f"{name} is {what(given)}, but the parameter is {type_}", f"pass {kind} of Python or NumPy")
        return None
    if type_.is_integer:
        return _bind_integer(name, type_, given, report)
    if isinstance(given, complex) and not type_.is_complex:
        report(
            rules.SCALAR,
            f"{name} is the complex number {given}, but the parameter is {type_}",
            f"pass a part of it: {name}.real or {name}.imag",
        )
        return None
    try:
        number = complex(given)
    except OverflowError:  # an integer beyond f64
        number = complex(math.inf)
    beyond = _BEYOND.get(type_.name, math.inf)
    # an infinity is a number of the type, unless it stands for an integer that is too large
    finite = [abs(part) for part in (number.real, number.imag) if math.isfinite(part) or isinstance(given, int)]
    if any(part >= beyond for part in finite):
        wider = {"f32": "f64", "c32": "c64"}.get(type_.name, "f32")
        report(
            rules.SCALAR,
            f"{name} is {_shown(given)}, which is beyond the range of {type_}",
            "pass a smaller number" if beyond == math.inf else f"pass a smaller number, or declare {name} as {wider}",
        )
        return None
    if type_.name in _NARROW:
        return _rounded(number.real, *_NARROW[type_.name])
    return number if type_.is_complex else number.real


def _rounded(number: float, digits: int, least: int) -> float:
    """A number rounded once, to nearest even, to a floating type with so many digits."""
    if not math.isfinite(number):
        return number
    unit = math.ldexp(1.0, max(math.frexp(number)[1] - digits, least))
    return math.copysign(round(number / unit) * unit, number)


def _python_number(given: Any) -> Any:
    """A scalar of NumPy, or an array of no modes, as a Python number; everything else as it is."""
    if type(given) in (float, int, complex, bool):
        return given
    import numpy

    if isinstance(given, numpy.ndarray) and given.ndim == 0 and not isinstance(given, numpy.ma.MaskedArray):
        given = given[()]
    if not isinstance(given, numpy.generic):
        return given
    # item() would leave long doubles and bfloat16 as they are, and make integers of durations
    convert = {"b": bool, "i": int, "u": int, "f": float, "c": complex}.get(given.dtype.kind)
    if str(given.dtype) == "bfloat16":
        convert = float
    return convert(given) if convert is not None else given


def _shown(given: Any) -> Any:
    """A number as messages show it; Python refuses to write integers of thousands of digits."""
    return "an integer of many digits" if isinstance(given, int) and abs(given) >= 10**40 else given


def _bind_integer(name: str, type_: ScalarType, given: Any, report: Report) -> int | None:
    if not isinstance(given, int):
        report(
            rules.SCALAR,
            f"{name} is {what(given)} {given}, but the parameter is {type_}",
            "pass an integer: int(…) drops the fraction",
        )
        return None
    least, most = integer_bounds(type_)
    least = -most - 1
    if not least <= given <= most:
        wider = "declare a wider type" if type_.size < 8 else "no type of the language is wider"
        report(
            rules.SCALAR,
            f"{name} is {_shown(given)}, but {type_} holds {least} … {most}",
            f"pass a number in this range; {wider}",
        )
        return None
    return given


# Memrefs.


def _bind_memref(parameter: Parameter, type_: MemrefType, given: Any, report: Report) -> MemrefArgument | None:
    array = describe(given)
    if array is None:
        report(
            rules.KIND,
            f"{parameter.name} is {what(given)}, but the parameter is {type_}",
            _array_help(parameter.name, type_, given),
        )
        return None
    checker = _LayoutCheck(parameter, parameter.name, report)
    strides = checker.check(array, type_)
    if strides is None:
        return None
    return MemrefArgument(array.view, array.view.shape, strides, parameter.written)


class _LayoutCheck:
    """Compares an array with a memref type; remembers whether anything was reported.

    Where the last mode of the array `counts` the items of a group, what is compared is an item of it.
    """

    def __init__(self, parameter: Parameter, name: str, report: Report, counts: bool = False) -> None:
        self.parameter = parameter
        self.array = name
        self.counts = counts
        self.name = f"{name}[..., i]" if counts else name
        self._report = report
        self.failed = False

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
                f"{self.name} has {_modes(len(shape))}, its shape is {shape}, but {type_} has {type_.order}",
                "pass a view with these modes, as reshape, indices and slices give it",
            )
            return None
        if any(isinstance(n, int) and n != m for n, m in zip(type_.shape, shape)):
            wanted = "x".join(map(str, type_.shape))
            came = "x".join(map(str, shape))
            self.report(
                rules.SHAPE,
                f"{self.name} has the shape {came}, but {type_} needs {wanted}",
                self._shape_help(shape, type_),
            )
            return None
        if self.failed:
            return None
        strides = self._strides(array, type_)
        if strides is not None:
            self.check_attributes(array, shape, strides)
        return None if self.failed else strides

    def _shape_help(self, shape: Sequence[int], type_: MemrefType) -> str:
        if self.counts and len(shape) > 1:
            return f"the last mode of {self.array} counts the items: move that mode to the end, in memory, too"
        return "pass an array of this shape, or declare sizes that vary as ..."

    def check_element(self, array: Described, element: ScalarType) -> None:
        if array.dtype not in dtype_names(element):
            wanted = dtype_names(element)[0]
            library = "ml_dtypes." if wanted == "bfloat16" else "numpy."
            converted = f"{self.array}.astype({library}{wanted})"
            if array.view.queue is not None:
                # dpctl knows no bfloat16, so that its bits come as integers
                wanted = dtype_names(element)[-1]
                converted = f'dpctl.tensor.astype({self.array}, "{wanted}")'
            self.report(
                rules.DTYPE,
                f"{self.name} has the data type {array.dtype}, but the elements are {element}",
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
        came = array.view.strides
        needed = _needed_strides(array.view.shape, came, type_)
        empty = 0 in array.view.shape
        if empty or (array.has_whole_strides and needed is not None):
            return needed if needed is not None else came
        shown = ", ".join(map(str, came))
        layout = ", ".join(map(str, _layout_wanted(array.view.shape, type_)))
        unit = "elements"
        if not array.has_whole_strides:
            shown, unit = (
                ", ".join(map(str, array.byte_strides)),
                f"bytes of items of {array.item_size} bytes",
            )
        self.report(
            rules.LAYOUT,
            f"{self.name} has the strides ({shown}) in {unit}, but {type_} needs ({layout})",
            self._layout_help(array, type_),
        )
        return None

    def _layout_help(self, array: Described, type_: MemrefType) -> str:
        library = "numpy" if array.view.queue is None else "dpctl.tensor"
        convert = (
            f"numpy.asfortranarray({self.array})"
            if array.view.queue is None
            else f'dpctl.tensor.copy({self.array}, order="F")'
        )
        rank = len(array.view.shape)
        c_order = rank > 1 and array.view.strides == tuple(
            math.prod(array.view.shape[mode + 1 :]) for mode in range(rank)
        )
        if type_.is_packed:
            first = "the array is in C order: " if c_order else ""
            # what the kernel writes to a copy that nobody holds is lost
            act = f"write {self.array} = {convert} before the launch" if self.parameter.written else f"pass {convert}"
            return f'{first}{act}, or create it with {library}.empty(…, order="F")'
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
                "allocate it so, as dpctl.tensor does for 64 bytes, or assert less",
            )
        for name, numbers, what in (("shape_gcd", shape, "size"), ("stride_gcd", strides, "stride")):
            for mode, (divisor, number) in enumerate(zip(attributes.get(name, ()), numbers)):
                if number % divisor:
                    self.report(
                        rules.DIVISIBLE,
                        f"{what} {number} of mode {mode} of {self.name} is no multiple of {divisor}, "
                        f"which the parameter asserts",
                        "pass an array that fits, or leave the assertion out",
                    )


def _needed_strides(shape: Sequence[int], came: Sequence[int], type_: MemrefType) -> tuple[int, ...] | None:
    """The strides that the kernel will use, if the array's memory has them.

    The stride of a mode with one entry is never used, so any will do: it is what the layout says, or the least that
    the language allows.
    """
    found: list[int] = []
    least = 1
    for extent, stride, wanted in zip(shape, came, type_.strides):
        if extent <= 1:
            stride = wanted if isinstance(wanted, int) else max(stride, least)
        if stride < least or (isinstance(wanted, int) and stride != wanted):
            return None
        found.append(stride)
        least = stride * max(extent, 1)
    return tuple(found)


def least_strides(shape: Sequence[int], type_: MemrefType) -> tuple[int, ...]:
    """The type's strides for a shape, with dynamic ones as small as the language allows."""
    found: list[int] = []
    least = 1
    for extent, stride in zip(shape, type_.strides):
        found.append(stride if isinstance(stride, int) else least)
        least = found[-1] * max(extent, 1)
    return tuple(found)


def _layout_wanted(shape: Sequence[int], type_: MemrefType) -> list[Extent | str]:
    wanted: list[Extent | str] = []
    least = 1
    for extent, stride in zip(shape, type_.strides):
        wanted.append(stride if isinstance(stride, int) else f"≥ {least}")
        least = (stride if isinstance(stride, int) else least) * max(extent, 1)
    return wanted


def _alignment_of(address: int) -> int:
    return address & -address


# Groups.


def _bind_group(parameter: Parameter, type_: GroupType, given: Any, report: Report) -> GroupArgument | None:
    offset = type_.offset
    if isinstance(given, Pointers):
        if isinstance(offset, int) and offset != given.offset:
            report(
                rules.GROUP,
                f"{parameter.name} is passed with offset {given.offset}, but its type says {offset}",
                "leave the offset out of pointers(…), or declare it as offset(...)",
            )
            return None
        offset, given = given.offset, given.arrays
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
            "pass views that begin further back",
        )
        return None
    array = describe(given)
    if array is not None:
        return _bind_strided_group(parameter, type_, offset, array, report)
    if isinstance(given, (list, tuple)):
        return _bind_listed_group(parameter, type_, offset, given, report)
    report(
        rules.KIND,
        f"{parameter.name} is {what(given)}, but the parameter is {type_}",
        "pass a list of arrays, or one array whose last mode counts the items",
    )
    return None


def _check_count(parameter: Parameter, type_: GroupType, count: int, report: Report) -> bool:
    if isinstance(type_.count, int) and count != type_.count:
        report(
            rules.GROUP,
            f"{parameter.name} has {count} items, but {type_} has {type_.count}",
            "pass as many, or declare the group without a number",
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
            f"{parameter.name} has {_modes(len(array.view.shape))}, but {type_} has {order + 1}",
            f"pass a list of arrays, or one array with {form}",
        )
        return None
    count, step = array.view.shape[-1], array.view.strides[-1]
    if not _check_count(parameter, type_, count, report):
        return None
    checker = _LayoutCheck(parameter, parameter.name, report, counts=True)
    item = _first_item(array, memref)
    placed = _check_item(checker, item, memref, offset)
    if placed is None:
        return None
    shape, strides = placed
    if count > 1 and step < 1:
        report(
            rules.LAYOUT,
            f"the items of {parameter.name} are {step} elements apart, but must follow one another",
            "pass a list of the items, which may lie anywhere",
        )
        return None
    alignment = parameter.attributes.get("alignment")
    if alignment and count > 1 and step * array.item_size % alignment:
        report(
            rules.ALIGNED,
            f"the items of {parameter.name} are {step * array.item_size} bytes apart, "
            f"but the parameter asserts an alignment of {alignment}",
            "leave room between the items, or assert less",
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
    """The array without the mode that counts the items. Without items its strides say nothing: any will do."""
    shape, strides, byte_strides = array.view.shape[:-1], array.view.strides[:-1], array.byte_strides[:-1]
    if array.view.shape[-1] == 0 and len(shape) == memref.order:
        strides = least_strides(shape, memref)
        byte_strides = tuple(stride * array.item_size for stride in strides)
    return replace(array, view=replace(array.view, shape=shape, strides=strides), byte_strides=byte_strides)


def _bind_listed_group(
    parameter: Parameter, type_: GroupType, offset: int, given: Sequence[Any], report: Report
) -> GroupArgument | None:
    """A group of arrays of their own, one pointer each."""
    if not _check_count(parameter, type_, len(given), report):
        return None
    views, shapes, strides = [], [], []
    failures = 0
    for position, entry in enumerate(given):
        name = f"{parameter.name}[{position}]"
        array = describe(entry)
        if array is None:
            report(
                rules.KIND,
                f"{name} is {what(entry)}, but {type_.memref} is wanted",
                _array_help(name, type_.memref, entry),
            )
            placed = None
        else:
            placed = _check_item(_LayoutCheck(parameter, name, report), array, type_.memref, offset)
        if array is None or placed is None:
            failures += 1
            if failures == 3:
                return None  # a thousand arrays of the wrong kind are one mistake
            continue
        views.append(array.view)
        shapes.append(placed[0])
        strides.append(placed[1])
    if failures:
        return None
    if len(set(shapes)) <= 1 and len(set(strides)) <= 1:
        shapes, strides = shapes[:1], strides[:1]
    return GroupArgument(views, False, len(given), 0, offset, shapes, strides, parameter.written)


def _check_item(
    checker: _LayoutCheck, array: Described, memref: MemrefType, offset: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Shape and strides of a group's item. With an offset, the array is plain memory that the memref lies in."""
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
            f"{memref} has dynamic modes, which the memory of {checker.name} behind an offset does not tell",
            "give the memref static modes, or pass the shifted views themselves, without an offset",
        )
        return None
    if len(array.view.shape) != 1 or array.view.strides != (1,):
        checker.report(
            rules.GROUP,
            f"{checker.name} is not one-dimensional and contiguous, as memory that an offset counts in must be",
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


def _modes(count: int) -> str:
    return "1 mode" if count == 1 else f"{count} modes"


def what(given: Any) -> str:
    """What kind of object something is, as a message says it."""
    if given is None:
        return "None"
    kind = type(given).__name__
    return f"{'an' if kind[0] in 'aeio' or kind == 'ndarray' else 'a'} {kind}"


def _array_help(name: str, type_: MemrefType, given: Any) -> str:
    if type(given).__name__ == "MaskedArray":
        return f"a kernel sees no masks: pass {name}.filled(…), or {name}.data"
    dtype = dtype_names(type_.element)[0]
    return f"pass an array of NumPy, dpctl or dpnp with the data type {dtype}"
