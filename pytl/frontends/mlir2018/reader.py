"""Reading modules: definitions, functions and blocks."""

from __future__ import annotations

import re

from ...diagnostics import Diagnostics, Source
from ...mlir.scanner import Unreadable
from . import rules
from .instruction_reader import InstructionReader
from .tree import Block, Function, FunctionName, Module, Value
from .types import UNKNOWN, Type
from .types import Function as FunctionType


def read_text(text: str, name: str = "<text>") -> tuple[Module, Diagnostics]:
    """The tree of a text, which messages call `name`, and all that its syntax gives to say.

    Names are resolved, and rules checked, by `check.check_module`.

    >>> module, diagnostics = read_text("func @twice(%x: i64) -> (i64, i64) { return %x, %x: i64, i64 }")
    >>> module.functions[0].name, diagnostics.items
    ('twice', [])
    """
    from .operations import FORMS

    reader = ModuleReader(Source(name, text), FORMS)
    return reader.module(), reader.diagnostics


_DEFINITION = re.compile(r"^[ \t]*[#!][^\s=]+\s*=", re.MULTILINE)
_FUNCTION = re.compile(r"func(?=[\s@(])")


def _type_of(function: Function) -> FunctionType:
    return FunctionType(tuple(function.inputs), tuple(function.results))


class ModuleReader(InstructionReader):
    """Reads one text."""

    def module(self) -> Module:
        module = Module(self.definitions)
        while self.peek():
            start = self.position
            try:
                if self.begins("#") or self.begins("!"):
                    self.definition()
                    if module.functions:
                        self.report_spelling("definitions stand at the top of the text", start)
                elif self.peek() == "func":
                    module.functions.append(self._function_definition())
                else:
                    self.fail_expected("`func`, or the definition of a map, a set or a type")
            except Unreadable as problem:
                self.diagnostics.extend(problem.diagnostics)
                self._skip_to_top()
        self._give_types(module)
        return module

    def _give_types(self, module: Module) -> None:
        """Give what names a function without a type that of the function."""
        functions = {function.name: function for function in module.functions}
        for attributes, key in self.untyped_names:
            named = attributes[key]
            assert isinstance(named, FunctionName)
            if named.name in functions:
                attributes[key] = FunctionName(named.name, _type_of(functions[named.name]))
        for call in self.untyped_calls:
            callee = call.attributes["callee"]
            assert isinstance(callee, FunctionName)
            function = functions.get(callee.name)
            if function is None or len(function.inputs) != len(call.operands):
                continue
            call.operand_types, call.result_types = list(function.inputs), list(function.results)
            call.attributes["callee"] = FunctionName(callee.name, _type_of(function))
            if call.result is not None:
                call.result.types = list(function.results)

    def _skip_to_top(self) -> None:
        """Go on at the next function, or the next definition that begins a line."""
        definition = _DEFINITION.search(self.text, self.position + 1)
        end = definition.start() if definition else len(self.text)
        while self.position < end and not self.lookahead(_FUNCTION):
            self.next()

    # Functions.

    def _function_definition(self) -> Function:
        self.expect("func")
        start = self.position
        name = self.function_name()
        location = self.location_from(start)
        arguments, inputs = self._signature()
        results = self.result_types() if self.take("->") else []
        attributes = self.attributes() if self.take("attributes") else {}
        function = Function(name, inputs, results, arguments, attributes, None, location=location)
        if self.peek() == "{":
            self.is_closed = True
            function.blocks = self._blocks()
            function.is_closed = self.is_closed
            function.end = self.source.location(self.last_end - 1, self.last_end)
        return function

    def _signature(self) -> tuple[list[Value], list[Type]]:
        """The arguments that have names, and the types of all."""
        self.expect("(")
        arguments: list[Value] = []
        untyped: list[Value] = []
        inputs: list[Type] = []
        while not self.take(")"):
            if inputs or untyped:
                self.expect(",")
            is_named = self.begins("%")
            if (arguments and not is_named) or (inputs and not arguments and is_named):
                self.fail("all arguments have names, or none has", rules.SYNTAX)
            if not is_named:
                inputs.append(self.type())
                continue
            argument = self._argument()
            arguments.append(argument)
            inputs += argument.types
            untyped += [] if argument.types else [argument]
        if untyped:
            inputs += self._types_behind(untyped)
        return arguments, inputs

    def _argument(self) -> Value:
        name, location = self.defined_name()
        return Value(name, [self.type()] if self.take(":") else [], location=location)

    def _types_behind(self, untyped: list[Value]) -> list[Type]:
        """The types of arguments, which stand behind all of them."""
        start = self.position
        if not self.take(":"):
            self.fail("the arguments have no types", rules.SYNTAX)
        self.report_spelling("the types of the arguments stand behind their names", start)
        self.expect("(")
        types = self.types()
        self.expect(")")
        if len(types) != len(untyped):
            message = f"{len(untyped)} arguments have {len(types)} types"
            self.report(rules.ARGUMENTS, message, self.location_from(start))
        for number, argument in enumerate(untyped):
            argument.types = [types[number] if number < len(types) else UNKNOWN]
        return [argument.types[0] for argument in untyped]

    def _blocks(self) -> list[Block]:
        start = self.position
        self.expect("{")
        opening = self.location_from(start)
        blocks: list[Block] = []
        while True:
            if self.begins("^"):
                begin = self.position
                try:
                    blocks.append(self._label())
                except Unreadable as problem:
                    self.diagnostics.extend(problem.diagnostics)
                    self.skip_operation(begin)
                    blocks.append(Block(None, [], [], location=self.here()))
            elif not blocks:
                blocks.append(Block(None, [], [], location=opening))
            self.instructions(blocks[-1].instructions, opening)
            if not self.begins("^"):
                return blocks

    def _label(self) -> Block:
        start = self.position
        label = self.label()
        location = self.location_from(start)
        arguments = self.read_list(")", self._block_argument) if self.take("(") else []
        self.expect(":")
        return Block(label, arguments, [], location=location)

    def _block_argument(self) -> Value:
        name, location = self.defined_name()
        self.expect(":")
        return Value(name, [self.type()], location=location)
