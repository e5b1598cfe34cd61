"""Reading modules: definitions, functions and blocks."""

from __future__ import annotations

import re

from ...diagnostics import Diagnostics, Source
from ...ir.text.reader import SyntaxProblem
from ...ir.text.recovery import skip_to_function, skip_to_instruction
from . import rules
from .instruction_reader import BEGINS, InstructionReader
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


def _type_of(function: Function) -> FunctionType:
    return FunctionType(tuple(function.inputs), tuple(function.results))


class ModuleReader(InstructionReader):
    """Reads one text."""

    def module(self) -> Module:
        module = Module(self.definitions)
        while not self.scanner.at_end:
            start = self.scanner.skip_blanks()
            try:
                if self.at("#") or self.at("!"):
                    self.definition()
                    if module.functions:
                        self.slip("definitions stand at the top of the text", start)
                elif self.at("func"):
                    module.functions.append(self._function_definition())
                else:
                    self.fail_syntax("`func`, or the definition of a map, a set or a type")
            except SyntaxProblem:
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
        start = self.scanner.position
        definition = re.compile(r"^[ \t]*[#!][^\s=]+\s*=", re.MULTILINE).search(self.scanner.text, start + 1)
        skip_to_function(self.scanner, "func")
        if definition and definition.start() < self.scanner.position:
            self.scanner.position = definition.start()

    # Functions.

    def _function_definition(self) -> Function:
        self.expect("func")
        start = self.scanner.skip_blanks()
        name = self.function_name()
        place = self.scanner.place(start)
        arguments, inputs = self._signature()
        results = self.result_types() if self.accept("->") else []
        attributes = self.attributes() if self.accept("attributes") else {}
        function = Function(name, inputs, results, arguments, attributes, None, location=place)
        if self.at("{"):
            self.is_closed = True
            function.blocks = self._blocks()
            function.is_closed = self.is_closed
            function.end = self.scanner.source.place(self.scanner.last_end - 1, self.scanner.last_end)
        return function

    def _signature(self) -> tuple[list[Value], list[Type]]:
        """The arguments that have names, and the types of all."""
        self.expect("(")
        arguments: list[Value] = []
        untyped: list[Value] = []
        inputs: list[Type] = []
        while not self.accept(")"):
            if inputs or untyped:
                self.expect(",")
            is_named = self.at("%")
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
        name, place = self.defined_name()
        return Value(name, [self.type()] if self.accept(":") else [], location=place)

    def _types_behind(self, untyped: list[Value]) -> list[Type]:
        """The types of arguments, which stand behind all of them."""
        start = self.scanner.skip_blanks()
        if not self.accept(":"):
            self.fail("the arguments have no types", rules.SYNTAX)
        self.slip("the types of the arguments stand behind their names", start)
        self.expect("(")
        types = self.types()
        self.expect(")")
        if len(types) != len(untyped):
            message = f"{len(untyped)} arguments have {len(types)} types"
            self.report(rules.ARGUMENTS, message, self.scanner.place(start))
        for number, argument in enumerate(untyped):
            argument.types = [types[number] if number < len(types) else UNKNOWN]
        return [argument.types[0] for argument in untyped]

    def _blocks(self) -> list[Block]:
        start = self.scanner.skip_blanks()
        self.expect("{")
        opening = self.scanner.place(start)
        blocks: list[Block] = []
        while True:
            if self.at("^"):
                try:
                    blocks.append(self._label())
                except SyntaxProblem:
                    skip_to_instruction(self.scanner, self.scanner.position, BEGINS)
                    blocks.append(Block(None, [], [], location=self.scanner.here()))
            elif not blocks:
                blocks.append(Block(None, [], [], location=opening))
            self.instructions(blocks[-1].instructions, opening)
            if not self.at("^"):
                return blocks

    def _label(self) -> Block:
        start = self.scanner.skip_blanks()
        label = self.label()
        place = self.scanner.place(start)
        arguments: list[Value] = []
        if self.accept("("):
            while not self.accept(")"):
                if arguments:
                    self.expect(",")
                name, at = self.defined_name()
                self.expect(":")
                arguments.append(Value(name, [self.type()], location=at))
        self.expect(":")
        return Block(label, arguments, [], location=place)
