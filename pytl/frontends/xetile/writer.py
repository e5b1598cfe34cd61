"""Operations of the document's texts to IR: functions, names and regions.

A body is executed by each work-group's one sub-group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NoReturn

from ...diagnostics import Diagnostics, Location, Rule
from ...diagnostics.words import counted
from ...ir.operation import Operation as Instruction
from ...ir.text import rules as text_rules
from ...ir.text.scopes import Scopes
from ...ir.types import ScalarType, UnknownType, index
from ...ir.values import Function, Module, Region, Value
from ...mlir.text import Operation
from ...mlir.text import types as mlir
from ...mlir.text.custom import INDEX
from ...ops import Parallel
from ...ops.builder import Builder
from . import rules
from .reader import IS_SIMT
from .types import LANES, matches, shown
from .values import Compound, Lowered, Results

_BLOCK_SIZES = ("known_block_size", "gpu.known_block_size")
_OF_FUNCTIONS = ("sym_name", "sym_visibility", "function_type", "arg_attrs", IS_SIMT, *_BLOCK_SIZES)
_NAME = re.compile(r"[0-9]+|[A-Za-z][A-Za-z0-9_]*")
ENDS = ("func.return", "gpu.return")


Handler = Callable[["Writer", Operation], Lowered]
"""Writes what an operation means."""


class Refused(Exception):
    """An operation can't be written, which has been reported."""


def write_module(module: Operation, handlers: Mapping[str, Handler], diagnostics: Diagnostics) -> Module:
    """The functions of a text that could be read."""
    written = Module()
    seen: set[str] = set()
    for op in module.regions[0].blocks[0].operations:
        if op.is_broken:
            continue
        try:
            function = Writer(op, handlers, diagnostics).function()
        except Refused:
            continue
        if function.name in seen:
            diagnostics.report(text_rules.SAME_FUNCTION, f"@{function.name} is defined twice", function.location)
        seen.add(function.name)
        written.functions.append(function)
    if not written.functions and not diagnostics.errors:
        diagnostics.report(text_rules.EMPTY_PROGRAM, "there is no function in the text", module.location)
    return written


class Writer:
    """Writes one function."""

    def __init__(self, op: Operation, handlers: Mapping[str, Handler], diagnostics: Diagnostics) -> None:
        self.op = op
        self.diagnostics = diagnostics
        self.names = Scopes[Value](diagnostics, text_rules.UNDEFINED, text_rules.REDEFINED, sign="")
        self._handlers = handlers
        self._region = Region()
        self.items = LANES
        """The work-items of a work-group."""
        self.is_simt = bool(op.attributes.get(IS_SIMT))
        """Whether vectors of the function are those of work-items."""
        self.addresses: set[Value] = set()
        """The parameters that were written as integers and are memory."""
        self.allocated: list[Instruction] = []
        """The local memory of the function."""
        self.extents: dict[Value, tuple[Value, str, int]] = {}
        """The values that are a size or a stride of a memref, and of which mode."""
        self.yielded: list[Value] = []
        """What the last region that was written gives."""
        self.barriers: int | None = None
        """How many named barriers there are; None before they are allocated."""

    # Functions.

    def function(self) -> Function:
        op, attributes = self.op, self.op.attributes
        name, type_ = str(attributes["sym_name"]), attributes["function_type"]
        if not _NAME.fullmatch(name):
            self.fail(
                text_rules.SYNTAX, f"@{name} is no name of a kernel, which is of letters, digits and _", op.location
            )
        if type_.results:
            self.fail(text_rules.SYNTAX, f"@{name} gives values, and is no kernel", op.location)
        for each in attributes:
            if each not in _OF_FUNCTIONS:
                self.diagnostics.report(rules.ATTRIBUTE, f"there is no attribute {each} here", op.location)
        self._block_size()
        block = op.regions[0].blocks[0]
        parameters = [
            self.define(argument, location, of) for (argument, of), location in zip(block.arguments, block.locations)
        ]
        inner = self.region(op, 0, "spmd", ())
        around = [*self.allocated, Parallel(op.location, [], body=inner)]
        body = Region("collective", [], around, inner.location)
        body.is_complete = inner.is_complete
        sizes = {"work_group_size": [LANES, self.items // LANES], "subgroup_size": LANES}
        return Function(name, parameters, body, sizes, op.location)

    def _block_size(self) -> None:
        """`attributes {known_block_size = array<i32: 32, 1, 1>}`: the work-items of a work-group."""
        sizes = next((self.op.attributes[key] for key in _BLOCK_SIZES if key in self.op.attributes), None)
        if sizes is None:
            return
        items = prod(sizes) if isinstance(sizes, tuple) and all(isinstance(each, int) for each in sizes) else 0
        if items < 1 or items % LANES:
            self.diagnostics.report(rules.BLOCK_SIZE, f"a work-group has {items} work-items", self.op.location)
            return
        self.items = items

    # Reports.

    def fail(self, rule: Rule, message: str, location: Location | None, help: str | None = None) -> NoReturn:
        """Report a problem, and leave the operation."""
        self.diagnostics.report(rule, message, location, help)
        raise Refused

    # Names.

    def is_parameter(self, value: Value) -> bool:
        return any(value is each for each in self.names.outermost())

    def value(self, name: str, location: Location | None) -> Value:
        """The value of a name."""
        value = self.names.find(name)
        if value is not None:
            return value
        first, sign, number = name.partition("#")
        if sign:
            self.fail(rules.ANNOTATED, f"{first} has no result {number}", location)
        self.names.report_undefined(name, location)
        return Value(UnknownType(), _name_hint(name), location)

    def values(self, op: Operation) -> list[Value]:
        """The operands of an operation."""
        return [self.value(name, op.location_of(name)) for name in op.operands]

    def define(self, name: str, location: Location | None, type_: Any) -> Value:
        """A parameter, or an argument of a region; of a value that several stand for, those of a value like it."""
        if not name:
            self.fail(text_rules.SYNTAX, "an argument has no name", location)
        if isinstance(type_, Compound):
            value: Value = type_.with_parts([Value(part.type, _name_hint(name), location) for part in type_.parts])
            value.location = location
        else:
            value = Value(type_, _name_hint(name), location)
        self.names.define(name, value, location)
        return value

    # Regions and operations.

    def region(self, op: Operation, number: int, kind: Any, arguments: Sequence[tuple[str, Any]]) -> Region:
        """A region of an operation, whose arguments are visible in it."""
        outer = self._region
        region = self._region = Region(kind, location=op.location)
        blocks = op.regions[number].blocks
        with self.names.inner():
            region.arguments = [self.define(name, op.location, like) for name, like in arguments]
            if len(blocks) > 1:
                self.diagnostics.report(text_rules.SYNTAX, f"a region of {op.name} has several blocks", op.location)
            for each in blocks[0].operations if blocks else ():
                self._write(each)
        self._region = outer
        return region

    def insert(self, instruction: Instruction) -> None:
        """Put an instruction before what is being written."""
        self._region.operations.append(instruction)

    def insert_all(self, written: Builder) -> None:
        """Put what a builder has before what is being written."""
        self._region.operations += written.operations

    def emit(self, instruction: Any) -> Value:
        """The value of an instruction that is put in front."""
        self.insert(instruction)
        value: Value = instruction.results[0]
        return value

    def _write(self, op: Operation) -> None:
        if op.name in ENDS:
            return
        try:
            if op.is_broken:
                raise Refused
            handler = self._handlers.get(op.name)
            if handler is None:
                self.fail(rules.OPERATION, f"`{op.name}` is no operation of a body", op.location)
            read = handler(self, op)
        except Refused:
            self._region.is_complete = False
            for name in op.results:
                self.names.assume(name, Value(UnknownType(), _name_hint(name), op.location), op.location)
            return
        self._assign(op, read)
        if not isinstance(read, Results):
            self._region.operations.append(read)

    def _assign(self, op: Operation, read: Lowered) -> None:
        """Give the results of an operation their names."""
        names, results = op.results, list(read.results)
        is_optional = not results or bool(read.regions) or (isinstance(read, Results) and read.may_be_unnamed)
        if len(names) != len(results) and (names or not is_optional):
            values = counted(len(results), "value")
            if any("#" in name for name in names):
                message = f"{op.name} gives {len(results)} values, not {len(names)}"
                self.diagnostics.report(rules.ANNOTATED, message, op.location)
            elif names:
                message = f"{op.name} gives {values}, but is assigned to {counted(len(names), 'name')}"
                self.diagnostics.report(text_rules.ASSIGNED, message, op.location)
            else:
                message = f"the value of {op.name} is not assigned"
                self.diagnostics.report(text_rules.ASSIGNED, message, op.location, "write %name = in front of it")
        for number, name in enumerate(names):
            value = results[number] if number < len(results) else Value(UnknownType())
            if value.name is None:  # it is no value that has one, which the operation passes on
                value.name, value.location = _name_hint(name), op.location
            self.names.define(name, value, op.location)

    # Types that are written again.

    def fits(self, value: Value, written: Any) -> bool:
        """Whether the type of a value may be written like this."""
        if value in self.addresses and isinstance(written, ScalarType):
            return True
        return isinstance(value.type, UnknownType) or matches(value.type, written)

    def check_written(self, value: Value, written: Any, location: Location | None) -> None:
        """Report a type that is written and is not that of a value."""
        if not self.fits(value, written):
            name = f"%{value.name}" if value.name else "the operand"
            message = f"{name} is {shown(value.type)}, but {shown(written)} is written here"
            self.diagnostics.report(rules.ANNOTATED, message, location, f"write {shown(value.type)}")

    def operands(self, op: Operation) -> list[Value]:
        """The operands of an operation whose types are written."""
        values = self.values(op)
        for name, value, written in zip(op.operands, values, op.operand_types):
            if not isinstance(written, mlir.Scalar):  # which follows from the form, and is not written
                self.check_written(value, written, op.location_of(name))
        return values


def type_or_index(type_: Any) -> Any:
    """A type of the language; an index where none is written."""
    return index if type_ == INDEX else type_


def _name_hint(name: str) -> str | None:
    short = name[1:]
    return short if short.isascii() and short.isidentifier() else None
