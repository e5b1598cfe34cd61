"""Converts a checked tree: modules, functions, blocks, loops and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Operation, Region
from ....mlir.text.types import INDEX
from .. import rules
from ..tree import For, Function, If, Instruction, Module, walk
from ..tree import Operation as Given
from ..types import Dialect, Memref, Tensor, Type, Vector
from ..types import Function as FunctionType
from .builder import Builder, NoCounterpart
from .layouts import layout_of
from .operations import REGISTERED, attribute_today, convert_operation
from .types import function_type, today_type


def to_operations(module: Module, diagnostics: Diagnostics) -> Operation:
    """The module as operations of today's MLIR, in the form in which `pytl.mlir.text` reads texts.

    The tree has been checked, and has no errors. What has no counterpart is reported (PYTL-1450), and left out; places
    are those of the document's text.

    >>> from pytl.frontends.mlir2018.reader import read_text
    >>> from pytl.frontends.mlir2018.check import check_module
    >>> module, diagnostics = read_text("func @twice(%x: i64) -> (i64, i64) { return %x, %x: i64, i64 }")
    >>> check_module(module, diagnostics)
    >>> [each.name for each in to_operations(module, diagnostics).walk()]
    ['builtin.module', 'func.func', 'func.return']
    """
    block = Block("")
    for function in module.functions:
        block.operations.append(to_function(function, diagnostics))
    return Operation("builtin.module", [], [], [], [], {}, [Region([block])], [])


def to_function(function: Function, diagnostics: Diagnostics, is_executed: bool = False) -> Operation:
    """One function of a module, as `to_operations` has it.

    One that `is_executed` has what a kernel can do: blocks become conditions, and transfers loops.
    """
    return _Converter(function, diagnostics, is_executed).function()


class _Converter:
    """Converts one function."""

    def __init__(self, function: Function, diagnostics: Diagnostics, is_executed: bool) -> None:
        self.tree = function
        self.builder = Builder(_names(function), diagnostics, is_executed)

    def function(self) -> Operation:
        function, builder = self.tree, self.builder
        builder.location = function.location
        for type_ in (*function.inputs, *function.results):
            self._check_type(type_)
        attributes = {
            "sym_name": function.name,
            "function_type": function_type(function.inputs, function.results),
            **{key: attribute_today(value) for key, value in function.attributes.items()},
        }
        region = Region()
        if function.blocks is None:
            attributes["sym_visibility"] = "private"
        for number, block in enumerate(function.blocks or []):
            values = function.entry_arguments if number == 0 else block.arguments
            arguments = [(f"%{value.name}", today_type(value.types[0])) for value in values]
            operations = self._body(block.instructions)
            region.blocks.append(Block(f"^{block.label}" if number else "", arguments, operations))
        builder.location = function.location
        return builder.add("func.func", attributes=attributes, regions=[region])

    def _check_type(self, type_: Type) -> None:
        """Report what of a type has no counterpart, or is not all there."""
        if isinstance(type_, FunctionType):
            for each in (*type_.inputs, *type_.results):
                self._check_type(each)
        elif isinstance(type_, Vector) and 0 in type_.shape:
            self.builder.refuse(f"{type_} has no elements")
        elif isinstance(type_, (Tensor, Memref)) and isinstance(type_.element, Vector):
            self._check_type(type_.element)
        elif isinstance(type_, Dialect) and type_.namespace in REGISTERED and type_.namespace != "llvm":
            self.builder.refuse(f"{type_.namespace} is a dialect of today's MLIR, which has no type {type_}")
        elif isinstance(type_, Dialect) and type_.namespace == "llvm" and not type_.data.endswith("*"):
            self.builder.refuse(f"{type_} has no counterpart: LLVM's pointers do")
        elif isinstance(type_, Dialect) and type_.namespace != "llvm":
            self.builder.note(rules.UNREGISTERED, f"{type_} is a type of the dialect {type_.namespace}")
        if isinstance(type_, Memref):
            layout = layout_of(type_)
            if layout is None:
                self.builder.refuse("the maps of the memref make too large a map")
            elif layout.loses_sizes:
                self.builder.note(rules.SIZES_LOST, f"the sizes in {type_} are left out")

    def _body(self, instructions: Sequence[Instruction]) -> list[Operation]:
        outer, self.builder.into = self.builder.into, []
        for each in instructions:
            self.builder.location = each.location
            try:
                self._instruction(each)
            except NoCounterpart:
                continue
        operations, self.builder.into = self.builder.into, outer
        return operations

    def _instruction(self, instruction: Instruction) -> None:
        if isinstance(instruction, For):
            self._for(instruction)
        elif isinstance(instruction, If):
            self._if(instruction, 0)
        else:
            for type_ in (*instruction.operand_types, *instruction.result_types):
                self._check_type(type_)
            convert_operation(instruction, self.builder)

    def _for(self, loop: For) -> None:
        lower, upper = (self.builder.names_of([*b.dimensions, *b.symbols]) for b in (loop.lower, loop.upper))
        body = self._region(loop.body, [(f"%{loop.variable.name}", INDEX)])
        self.builder.location = loop.location
        attributes = {
            "lowerBoundMap": replace(loop.lower.map.map, sizes=None),
            "upperBoundMap": replace(loop.upper.map.map, sizes=None),
            "step": loop.step,
            "operandSegmentSizes": (len(lower), len(upper), 0),
        }
        operands = [*lower, *upper]
        self.builder.add("affine.for", operands, [INDEX] * len(operands), (), (), attributes, [body])

    def _if(self, conditional: If, number: int) -> None:
        """The conditions from one of them on; those that follow stand in the else of it."""
        condition, body = conditional.clauses[number]
        regions = [self._region(body)]
        if number + 1 < len(conditional.clauses):
            outer, self.builder.into = self.builder.into, []
            self.builder.location = conditional.location
            self._if(conditional, number + 1)
            self.builder.add("affine.yield")
            inner, self.builder.into = self.builder.into, outer
            regions.append(Region([Block("", [], inner)]))
        else:
            regions.append(Region() if conditional.otherwise is None else self._region(conditional.otherwise))
        self.builder.location = conditional.location
        operands = self.builder.names_of([*condition.dimensions, *condition.symbols])
        attributes = {"condition": condition.set.set}
        self.builder.add("affine.if", operands, [INDEX] * len(operands), (), (), attributes, regions)

    def _region(self, instructions: Sequence[Instruction], arguments: Sequence[tuple[str, object]] = ()) -> Region:
        operations = self._body(instructions)
        outer, self.builder.into = self.builder.into, operations
        self.builder.add("affine.yield")
        self.builder.into = outer
        return Region([Block("", list(arguments), operations)])  # type: ignore[arg-type]


def _names(function: Function) -> set[str]:
    """All names of the function's values."""
    names = {value.name for value in function.arguments}
    for block in function.blocks or []:
        names |= {value.name for value in block.arguments}
        for each in walk(block.instructions):
            if isinstance(each, For):
                names.add(each.variable.name)
            elif isinstance(each, Given) and each.result:
                names.add(each.result.name)
    return names
