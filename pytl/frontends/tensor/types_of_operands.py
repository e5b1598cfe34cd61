"""Parts of the textual forms of the dialect 0.3: the types of operands, and what follows from them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ...diagnostics import Location
from ...ir.assembly import RegionArgument
from ...ir.constraints import BOOL, INTEGER, MEMREF
from ...ir.fields import Operand, OperandList, Result, SyntaxPart
from ...ir.text.instructions import TYPES
from ...ir.types import (
    GroupType,
    MemrefType,
    ScalarType,
    Type,
    UnknownType,
    bool_,
    index,
    promotable,
    promote,
    promote_all,
)
from ...ir.values import Value
from ...ops import Alloca, ArithBinary, Axpby, Cast, Constant, Size
from ...ops.control import CARRIED
from ...ops.reshape import ExpandShape
from ...ops.views import Slice, Slices
from . import rules


def _without_space(type_: Type) -> Type:
    return type_.in_space("global") if isinstance(type_, MemrefType) else type_


def _check(parser: Any, name: str, value: Any, type_: Type, location: Location) -> None:
    """Report a type that is not the operand's; literals take it."""
    if not isinstance(value, Value) or isinstance(value.type, UnknownType):
        return
    actual = value.type
    if isinstance(actual, GroupType) and isinstance(type_, GroupType) and type_.offset == 0:
        actual = replace(actual, offset=0)  # the release lets the offset be left out
    if _without_space(actual) != _without_space(type_):
        message = f"{name} is {value.type}, but {type_} is written here"
        parser.diagnostics.report(rules.OPERAND_TYPE, message, location, f"write {_without_space(value.type)}")


def _read_for(parser: Any, parts: dict[str, Any], names: tuple[str, ...]) -> None:
    start = parser.scanner.skip_blanks()
    type_ = parser.type()
    location = parser.scanner.location_from(start)
    for name in names:
        _check(parser, name, parts.get(name), type_, location)
        parts.setdefault(TYPES, {})[name] = type_


class TypeOf(SyntaxPart):
    """The type that operands share."""

    def __init__(self, *operands: str) -> None:
        super().__init__()
        self.operands = operands

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        _read_for(parser, parts, self.operands)

    def print(self, printer: Any, operation: Any) -> None:
        printer.type(getattr(operation, self.operands[0]).type)


class TypesOf(TypeOf):
    """The types of several operands, one after the other."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        for number, name in enumerate(self.operands):
            if number:
                parser.expect(",")
            _read_for(parser, parts, (name,))

    def print(self, printer: Any, operation: Any) -> None:
        printer.separated(self.operands, lambda name: printer.type(getattr(operation, name).type))


class TypesOfUpdate(TypesOf):
    """The types of an update's operands: alpha, the factors, beta, and the target.

    The release multiplies in the target's type, and takes any alpha and beta; the manual wants alpha promotable to the
    product, and beta to the target. So a factor is copied to local memory in alpha's type where it is narrower, which
    is exact, and an integer before numbers with a point is cast, as C does.
    """

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        super().parse(parser, parts)
        *factors, _, target = (parts[name] for name in self.operands[1:])
        tensors = [each.type for each in (*factors, target) if isinstance(each, Value)]
        if not all(isinstance(type_, MemrefType) for type_ in tensors) or len(tensors) < len(self.operands) - 2:
            return  # what is no tensor is refused
        product = promote_all(type_.element for type_ in tensors[:-1])
        if product is None:
            return
        self._cast(parser, parts, "beta", tensors[-1].element)
        alpha = self._cast(parser, parts, "alpha", product)
        if not isinstance(alpha, ScalarType):
            return
        wide = promote(alpha, tensors[0].element)
        if wide is None or promotable(alpha, product) or not promotable(wide, tensors[-1].element):
            return
        if tensors[0].has_static_shape:
            parts[self.operands[1]] = _widened(parser, factors[0], wide)

    @staticmethod
    def _cast(parser: Any, parts: dict[str, Any], name: str, element: ScalarType) -> Type:
        """The type of a scalar operand, which is cast where it is an integer and the other numbers have a point."""
        operand = parts[name]
        type_: Type = operand.type if isinstance(operand, Value) else parts[TYPES][name]
        if not isinstance(type_, ScalarType) or not type_.is_integer or not element.is_floating:
            return type_
        if promotable(type_, element):
            return type_
        if isinstance(operand, Value):
            parts[name] = _put(parser, Cast(parser.scanner.here(), [element], operand=operand))
        elif isinstance(operand.value, int):
            parts[TYPES][name] = element
        else:
            return type_  # a literal with a point is refused
        return element


def _widened(parser: Any, tensor: Value, element: ScalarType) -> Value:
    """A copy of a tensor in local memory, whose elements are of a type that has all of the tensor's."""
    location = parser.scanner.here()
    one = _put(parser, Constant(location, [tensor.type.element], literal=1 if tensor.type.element.is_integer else 1.0))
    zero = _put(parser, Constant(location, [element], literal=0 if element.is_integer else 0.0))
    copy = _put(parser, Alloca(location, [MemrefType(element, tensor.type.shape).in_space("local")]))
    parser.insert(Axpby(location, transpose="n", alpha=one, A=tensor, beta=zero, B=copy))
    return copy


class TypesOfAll(TypeOf):
    """The types of a list of operands."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        (name,) = self.operands
        values = parts[name]
        types: list[Type] = []
        for number, value in enumerate(values):
            if number:
                parser.expect(",")
            start = parser.scanner.skip_blanks()
            types.append(parser.type())
            _check(parser, f"value {number + 1}", value, types[-1], parser.scanner.location_from(start))
        parts.setdefault(TYPES, {})[name] = types

    def print(self, printer: Any, operation: Any) -> None:
        values = getattr(operation, self.operands[0])
        printer.write(" " if values else "")
        printer.separated(values, lambda value: printer.type(value.type))


class Yielded(OperandList):
    """The values in front of a colon, of which there may be none."""

    def __init__(self) -> None:
        super().__init__(CARRIED)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.comma_separated(parser.operand, closing=":")

    def print(self, printer: Any, operation: Any) -> None:
        super().print(printer, operation)
        printer.write(" " if operation.yielded else "")


class LocalType(Result):
    """The type of an alloca, which is local by itself."""

    def __init__(self) -> None:
        super().__init__(MEMREF)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        type_ = parser.type()
        parts["result_types"] = [type_.in_space("local") if isinstance(type_, MemrefType) else type_]
        return None


class LoopType(SyntaxPart):
    """The type of a loop's variable and bounds, index where none is written."""

    def __init__(self, *bounds: str) -> None:
        super().__init__()
        self.bounds = bounds

    def present(self, operation: Any) -> bool:
        return True

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.integer_type()

    def print(self, printer: Any, operation: Any) -> None:
        printer.type(operation.body.arguments[0].type)


def loop_argument(parts: dict[str, Any]) -> RegionArgument:
    """The variable of a loop, whose literal bounds take its type."""
    type_ = parts.get("loop_type", index)
    parts.setdefault(TYPES, {}).update(dict.fromkeys(("start", "stop", "step"), type_))
    name, location = parts["loop_variable"] if "loop_variable" in parts else parts["loop_variables"]
    return name, location, type_


class Condition(Operand):
    """A truth value, which may be a literal."""

    def __init__(self) -> None:
        super().__init__(BOOL)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        parts.setdefault(TYPES, {})[self.name] = bool_
        return super().parse(parser, parts)


class OneOperand(OperandList):
    """The bound of a loop over one mode."""

    def __init__(self) -> None:
        super().__init__(INTEGER)

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return [parser.operand()]


def _size(parser: Any, tensor: Any, mode: int, location: Location) -> Any:
    """The size of a mode: a number, or a value that is computed in front; 1 of what is no tensor, which is refused."""
    shape = tensor.type.shape if isinstance(tensor, Value) and isinstance(tensor.type, MemrefType) else ()
    if mode >= len(shape):
        return 1
    if isinstance(shape[mode], int):
        return shape[mode]
    return _put(parser, Size(location, [index], tensor=tensor, mode=mode))


def _put(parser: Any, operation: Any) -> Value:
    parser.insert(operation)
    value: Value = operation.results[0]
    return value


def _value(parser: Any, bound: Any, location: Location) -> Value:
    return bound if isinstance(bound, Value) else _put(parser, Constant(location, [index], literal=bound))


def _arith(parser: Any, variant: str, a: Any, b: Any, location: Location) -> Value:
    a, b = _value(parser, a, location), _value(parser, b, location)
    return _put(parser, ArithBinary(location, [index], variant=variant, a=a, b=b))


class InferredSlices(Slices):
    """Indices and slices; `offset:?` is what the mode has from the offset on, and `:` the whole mode."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        slices: list[Slice] = []

        def bound() -> Any:
            return parser.value() if parser.at("%") else parser.integer()

        def entry() -> Slice:
            start = parser.scanner.skip_blanks()
            whole = parser.accept(":")
            offset = 0 if whole else bound()
            slice_ = Slice(offset)
            if whole or parser.accept(":"):
                rest = whole or parser.accept("?")
                size = (
                    self._rest(parser, parts, len(slices), offset, parser.scanner.location_from(start))
                    if rest
                    else bound()
                )
                slice_ = Slice(offset, size)
            slices.append(slice_)
            return slice_

        return parser.comma_separated(entry, closing="]")

    def _rest(self, parser: Any, parts: dict[str, Any], mode: int, offset: Any, location: Location) -> Any:
        extent = _size(parser, parts["tensor"], mode, location)
        if isinstance(offset, int) and isinstance(extent, int):
            return extent - offset
        return extent if offset == 0 else _arith(parser, "sub", extent, offset, location)

    def print(self, printer: Any, operation: Any) -> None:
        super().print(printer, operation)


class InferredSizes(ExpandShape):
    """The sizes that a mode is expanded to, one of which may be `?`: what the others leave."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        start = parser.scanner.skip_blanks()

        def bound() -> Any:
            if parser.accept("?"):
                return None
            return parser.value() if parser.at("%") else parser.integer_before_times()

        bounds = [bound()]
        while parser.accept_times():
            bounds.append(bound())
        if len(bounds) < 2 or bounds.count(None) > 1:
            parser.fail("a mode is expanded to two modes or more, at most one of them `?`")
        if None in bounds:
            location = parser.scanner.location_from(start)
            bounds[bounds.index(None)] = self._left(parser, parts, [b for b in bounds if b is not None], location)
        return bounds

    def _left(self, parser: Any, parts: dict[str, Any], others: list[Any], location: Location) -> Any:
        extent = _size(parser, parts["tensor"], parts["mode"], location)
        if isinstance(extent, int) and all(isinstance(other, int) for other in others):
            return extent // (math.prod(others) or 1)
        for other in others:
            extent = _arith(parser, "div", extent, other, location)
        return extent
