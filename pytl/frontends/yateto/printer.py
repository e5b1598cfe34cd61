"""IR to the text of the immediate language, where a module has a form in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...diagnostics import Diagnostics, LanguageError
from ...ir.operation import Operation
from ...ir.values import UNSIGNED, Function, Module, Region, Value
from ...ops import (
    Alloca,
    ArithBinary,
    Axpby,
    Barrier,
    Builtin,
    Cast,
    Constant,
    For,
    Gemm,
    Gemv,
    Ger,
    Hadamard,
    LifetimeStop,
    Subview,
    Sum,
    Update,
)
from ...ops.constants import constant_bound, constant_of, is_constant
from ...ops.contraction import Contraction
from ...ops.updates import TRANSPOSES
from ...ops.views import Slice
from . import rules
from .recognise import NoForm, Recognised, refuse
from .types import Scalar, is_unsigned


def print_module(module: Module) -> str:
    """The functions' texts with a blank line between two; raises `pytl.LanguageError` with all that has no form."""
    diagnostics = Diagnostics()
    texts = [_FunctionPrinter(function, diagnostics).text() for function in module.functions]
    if diagnostics.errors:
        raise LanguageError(diagnostics.in_order())
    return "\n\n".join(texts)


def _turned(letters: str, transpose: str) -> str:
    return letters[::-1] if TRANSPOSES[transpose] else letters


_MAPS: dict[type[Update], Callable[[Any], tuple[str, str]]] = {
    Axpby: lambda op: ("axpby", f"{{{_turned(_of_order(op.A), op.transpose)} to {_of_order(op.B)}}}"),
    Gemm: lambda op: ("log", f"{{{_turned('ik', op.transpose_a)}, {_turned('kj', op.transpose_b)} to ij}}"),
    Gemv: lambda op: ("log", f"{{{_turned('ik', op.transpose)}, k to i}}"),
    Ger: lambda op: ("product", "{i, j to ij}"),
    Hadamard: lambda op: ("product", f"{{{', '.join([_of_order(op.A)] * 2)} to {_of_order(op.C)}}}"),
    Sum: lambda op: ("sum", f"{{{_turned('ik', op.transpose)} to i}}" if op.A.type.order == 2 else "{k to _}"),
}
"""The word and the index map of instructions of the tensor language."""


def _of_order(tensor: Value) -> str:
    return "ij"[: tensor.type.order] or "_"


class _FunctionPrinter:
    """Writes one function, and reports what has no form."""

    def __init__(self, function: Function, diagnostics: Diagnostics) -> None:
        self.function = function
        self.diagnostics = diagnostics
        self.recognised = Recognised(function)
        self.lines: list[str] = []
        self.names: dict[Value, str] = {}
        self.visible: set[str] = set()
        self.count = 0
        self.indent = 0

    def text(self) -> str:
        head = f"define @{self.function.name}("
        parameters = []
        for parameter in self.function.parameters:
            self.define(parameter)
            parameters.append(self.attempt(parameter, partial(self.parameter, parameter)))
        if self.function.attributes:
            self.report(NoForm(f"@{self.function.name} has attributes", self.function.location))
        if not self.function.is_kernel:
            self.report(NoForm(f"@{self.function.name} is a function that is called", self.function.location))
        separator = ",\n" + " " * len(head)
        self.lines.append(f"{head}{separator.join(filter(None, parameters))}) {{")
        self.region(self.function.body)
        self.lines.append("}")
        return "\n".join(self.lines)

    def parameter(self, parameter: Value) -> str:
        if set(parameter.attributes) - {UNSIGNED}:
            names = ", ".join(sorted(set(parameter.attributes) - {UNSIGNED}))
            refuse(f"{self.names[parameter]} has the attributes {names}", parameter.location)
        return f"{self.names[parameter]}: {self.recognised.type_of(parameter)}"

    def attempt(self, item: Any, write: Callable[[], str | None]) -> str | None:
        """What is written of something; None where that has no form, which is reported."""
        try:
            return write()
        except NoForm as problem:
            problem.location = problem.location or item.location
            self.report(problem)
            return None

    def report(self, problem: NoForm) -> None:
        self.diagnostics.report(rules.NOT_EXPRESSED, problem.message, problem.location, problem.help)

    # Names.

    def define(self, value: Value) -> str:
        """Give a value the name that it wishes for, or a number; returns the name."""
        name = value.name
        if name is None:
            name = str(self.count)
            self.count += 1
        suffix = 0
        while (free := f"{name}_{suffix}" if suffix else name) in self.visible:
            suffix += 1
        self.visible.add(free)
        self.names[value] = f"%{free}"
        return self.names[value]

    def name(self, value: Value) -> str:
        if value not in self.names:
            refuse("a value is computed that the immediate language has no instruction for", value.location)
        return self.names[value]

    # Instructions.

    def region(self, region: Region) -> None:
        outside = set(self.visible)
        self.indent += 1
        for op in region.operations:
            self.attempt(op, partial(self.instruction, op))
        self.indent -= 1
        self.visible = outside

    def write(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def instruction(self, op: Operation) -> None:
        if op in self.recognised.helpers or isinstance(op, (Constant, Builtin, Cast, ArithBinary)):
            return  # what uses them tells whether they have a form
        if op in self.recognised.items:
            group, offset = self.recognised.items[op]
            behind = "" if offset is None else f", {self.offset_text(offset)}"
            type_, name = self.recognised.type_of(group), self.name(group)
            self.write(f"{self.define(op.results[0])} = get_work_item {name}{behind} : {type_}")
        elif isinstance(op, Alloca):
            if set(op.attributes) - {UNSIGNED}:
                refuse(f"alloca has the attributes {', '.join(sorted(set(op.attributes) - {UNSIGNED}))}")
            type_ = self.recognised.type_of(op.result)
            self.write(f"{self.define(op.result)} = alloca : {type_}")
        elif isinstance(op, Subview):
            self.subview(op)
        elif isinstance(op, (Contraction, *_MAPS)):
            self.tensor_operation(op)
        elif isinstance(op, For):
            self.loop(op)
        elif isinstance(op, LifetimeStop):
            self.write(f"lifetime_stop {self.name(op.tensor)}")
        elif isinstance(op, Barrier) and op.global_fence and op.local_fence:
            self.write("barrier")
        else:
            refuse(f"{op.display_name} has no form in the immediate language")

    def offset_text(self, offset: Value) -> str:
        if constant_of(offset) is not None:
            refuse("the offset of an item is a constant", offset.location)
        return self.recognised.index_text(offset, self.name)

    def subview(self, op: Subview) -> None:
        if op.tensor in self.recognised.groups:
            refuse(f"{self.name(op.tensor)} is used otherwise than as a group of which each work-group takes its item")
        pieces = ", ".join(map(self.slice_text, op.slices))
        types = f"{self.recognised.type_of(op.tensor)} to {self.recognised.type_of(op.result)}"
        tensor = self.name(op.tensor)
        self.write(f"{self.define(op.result)} = subview {tensor}[{pieces}] : {types}")

    def slice_text(self, piece: Slice) -> str:
        if not piece.keeps_mode:
            offset = piece.offset
            return str(offset) if isinstance(offset, int) else self.recognised.index_text(offset, self.name)
        begin = constant_bound(piece.offset)
        size = constant_bound(piece.size)
        if begin is None or size is None:
            refuse("a slice begins or ends at a number that is known at run time only")
        return f"{begin}:{begin + size}"

    def loop(self, op: For) -> None:
        first, last = constant_of(op.start), constant_of(op.stop)
        if first is None or last is None:
            refuse("the range of a loop is known at run time only")
        if op.inits or not (op.step is None or is_constant(op.step, 1)):
            refuse("a loop has carried values, or a step other than 1")
        if set(op.attributes) - {UNSIGNED}:
            refuse(f"for has the attributes {', '.join(sorted(set(op.attributes) - {UNSIGNED}))}")
        type_ = self.recognised.type_of(op.variable)
        outside = set(self.visible)
        self.write(f"for {type_} {self.define(op.variable)} = {first} to {last} {{")
        self.region(op.body)
        self.visible = outside
        self.write("}")

    def tensor_operation(self, op: Any) -> None:
        if op.atomic:
            refuse(f"{op.display_name} updates atomically")
        if isinstance(op, Contraction):
            word, indices = op.mnemonic.partition(".")[2], str(op.map)
            self.check_once(op)
        else:
            word, indices = _MAPS[type(op)](op)
        tensors = [*(getattr(op, name) for name in op.factors), op.updated]
        names = [self.name(tensor) for tensor in tensors]
        types = [self.recognised.type_of(tensor) for tensor in tensors]
        unsigned = any(map(is_unsigned, types))
        alpha, beta = (
            self.factor(factor_name, getattr(op, factor_name), unsigned) for factor_name in ("alpha", "beta")
        )
        *factors, target = names
        operands = ", ".join([alpha, *factors, beta, target])
        *of_factors, of_target = (str(type_) for type_ in types)
        self.write(f"{word} {indices}, {operands} : {', '.join(of_factors)} to {of_target}")

    def check_once(self, op: Contraction) -> None:
        for indices in op.map.inputs:
            if len(set(indices.names)) < len(indices.names):
                refuse(f"{op.display_name} takes a diagonal: {indices} has an index twice")

    def factor(self, factor_name: str, value: Value, unsigned: bool) -> str:
        """A factor as a floating constant that is read as the same number."""
        number = constant_of(value)
        if number is None:
            help = "the factors of the immediate language are constants"
            refuse(f"{factor_name} is known at run time only", help=help)
        if isinstance(number, int):
            bits = Scalar(value.type, True)
            number = number % (bits.range[1] + 1) if unsigned else number
            if int(float(number)) != number:
                refuse(f"{factor_name} is {number}, which is no floating constant")
            return f"{number}.0"
        if isinstance(number, complex):
            refuse(f"{factor_name} is complex")
        return repr(number)
