"""Reading instructions: loops, conditions, operations in both forms, and uses of values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from ...diagnostics import Label, Location, Source
from ...diagnostics.words import counted
from ...mlir.affine import AffineMap, Constant, Symbol
from ...mlir.scanner import Unreadable
from . import rules
from .tokens import LABEL
from .tree import Bound, Condition, For, If, Instruction, Number, Operation, Successor, Use, Value
from .type_reader import TypeReader
from .types import INDEX, UNKNOWN, Float, MapUse, Type

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DEFINED = re.compile(r"%[A-Za-z0-9$._-]+\s*=")
_MARKUP = re.compile(r"</?[a-z]+>")


class InstructionReader(TypeReader):
    """Reads instructions; `forms` are the standard operations by name."""

    def __init__(self, source: Source, forms: Mapping[str, Any]) -> None:
        super().__init__(source)
        self._forms = forms
        self._pending: list[tuple[Use, Number]] = []
        """Literals that stand where values do, of the operation that is read."""
        self._made = 0
        self.untyped_calls: list[Operation] = []
        """Calls that are written without the type of the function."""
        self._unclosed_at = -1
        self.is_closed = True
        """Whether all braces of the function that is read are closed."""

    def instructions(self, into: list[Instruction], opening: Location) -> None:
        """Instructions up to the closing brace, or to the label of a block of the function."""
        while not self.take("}"):
            if self.lookahead(LABEL) and self.depth == 0:
                return
            if not self.peek() or self.peek() == "func":
                if self._unclosed_at != self.position:
                    self._unclosed_at = self.position
                    labels = [Label(opening, "opened here")]
                    message = "the brace is not closed"
                    self.diagnostics.report(rules.SYNTAX, message, self.here(), "add the missing `}`", labels)
                self.is_closed = False
                return
            self._instruction(into)

    def _instruction(self, into: list[Instruction]) -> None:
        start = self.position
        result: Value | None = None
        self._pending = []
        try:
            if self.begins("#") or self.begins("!"):
                self.definition()
                self.report_spelling("definitions stand at the top of the text", start)
                return
            if self.begins("%"):
                name, location = self.defined_name()
                result = Value(name, [], location=location)
                self.expect("=")
            read = self._loop_or_operation(result, start)
        except Unreadable as problem:
            self.diagnostics.extend(problem.diagnostics)
            if result:
                result.types = [UNKNOWN]
            into.append(Operation("...", result=result, result_types=[UNKNOWN]))
            self.skip_operation(start)
            return
        if isinstance(read, Operation):
            into += self._constants(read)
        into.append(read)

    def _loop_or_operation(self, result: Value | None, start: int) -> Instruction:
        if result is None and self.take("for"):
            return self._for(start)
        if result is None and self.take("if"):
            return self._if(start)
        operation = self._generic(start) if self.begins('"') else self._custom(start)
        operation.location = self.location_from(start)
        if result is not None:
            result.types = list(operation.result_types)
            operation.result = result
        return operation

    def body(self) -> list[Instruction]:
        """Instructions in braces."""
        start = self.position
        self.expect("{")
        instructions: list[Instruction] = []
        with self.nested():
            self.instructions(instructions, self.location_from(start))
        return instructions

    def _for(self, start: int) -> For:
        name, location = self.defined_name()
        self.expect("=")
        lower = self._bound("max")
        self.expect("to")
        upper = self._bound("min")
        step = 1
        if self.take("step"):
            at = self.position
            value = self.number()
            if isinstance(value, float):
                self.position = at
                self.fail_expected("an integer")
            step = value
            if not 0 < step < 1 << 63:
                self.report(
                    rules.STEP,
                    f"the step is {step if abs(step) < 1 << 63 else 'greater than 63 bits'}",
                    self.location_from(at),
                )
        head = self.location_from(start)
        return For(Value(name, [INDEX], location=location), lower, upper, step, self.body(), location=head)

    def _bound(self, word: str) -> Bound:
        start = self.position
        if self.begins("%"):
            single = AffineMap((), ("s",), (Symbol(0),))
            return Bound(MapUse(single), [], [self.use()], location=self.location_from(start))
        if self.at_number:
            value = self.number()
            if isinstance(value, float) or abs(value) >= 1 << 63:
                self.fail_at(start, "a bound is an integer of 64 bits")
            constant = AffineMap((), (), (Constant(int(value)),))
            return Bound(MapUse(constant), location=self.location_from(start))
        has_word = self.take(word)
        map_ = self.map_use()
        dimensions, symbols = self.dimensions_and_symbols()
        return Bound(map_, dimensions, symbols, has_word, location=self.location_from(start))

    def _if(self, start: int) -> If:
        clauses = [(self._condition(), self.body())]
        otherwise = None
        with ExitStack() as inside:
            while otherwise is None and self.take("else"):
                if self.take("if"):
                    inside.enter_context(self.nested())  # as it is within the else of the condition before
                    clauses.append((self._condition(), self.body()))
                else:
                    otherwise = self.body()
        return If(clauses, otherwise, location=clauses[0][0].location)

    def _condition(self) -> Condition:
        start = self.position
        set_ = self.set_use()
        dimensions, symbols = self.dimensions_and_symbols()
        return Condition(set_, dimensions, symbols, location=self.location_from(start))

    # Operations.

    def _custom(self, start: int) -> Operation:
        if self.take("..."):
            self.report_spelling("`...` stands for what is left out", start)
            return Operation("...", result_types=[UNKNOWN])
        while match := self.match(_MARKUP):
            self.report_spelling("this is markup", match.start(), match.end())
        match = self.match(_WORD)
        if not match:
            self.fail_expected("an instruction")
        word = match[0]
        while match := self.match(_MARKUP):
            self.report_spelling("this is markup", match.start(), match.end())
        if word == "br_cond":
            self.report_spelling("br_cond is read as cond_br", start, start + len(word))
            word = "cond_br"
        if word not in self._forms:
            message = f"`{word}` is no standard operation"
            help = f'an operation of a dialect has its name in quotes: "{word}"(…) : (…) -> …'
            self.fail(message, rules.OPERATION, start, help)
        operation: Operation = self._forms[word].read(self)
        return operation

    def _generic(self, start: int) -> Operation:
        name = self.string()
        if name == "br_cond":
            self.report_spelling("br_cond is read as cond_br", start, self.last_end)
            name = "cond_br"
        self.expect("(")
        operands = self.read_list(")", self.operand)
        successors: list[Successor] = self.read_list("]", self.successor) if self.take("[") else []
        attributes = self.attributes() if self.peek() == "{" else {}
        self.expect(":")
        at = self.position
        type_ = self.function_type()
        location = self.location_from(at)
        if len(type_.inputs) != len(operands):
            types = counted(len(type_.inputs), "type of an operand", "types of operands")
            message = f'"{name}" has {counted(len(operands), "operand")}, and {types}'
            self.report(rules.COUNT, message, location)
        inputs = [*type_.inputs, *[UNKNOWN] * len(operands)][: len(operands)]
        operation = Operation(
            name, operands, inputs, None, list(type_.results), attributes, successors, is_generic=True
        )
        if name in self._forms:
            operation.groups = self._forms[name].groups_of(operation)
        return operation

    def successor(self) -> Successor:
        """A block, and what is passed to it."""
        start = self.position
        made = Successor(self.label())
        if self.take("("):
            made.uses, made.types = self.typed_uses()
            self.expect(")")
        made.location = self.location_from(start)
        return made

    @property
    def at_use(self) -> bool:
        """Whether a value is used next, and not defined."""
        return self.begins("%") and self.lookahead(_DEFINED) is None

    def typed_uses(self) -> tuple[list[Use], list[Type]]:
        """`%x, %y : i32, i64`."""
        uses = self.read_separated(self.use)
        self.expect(":")
        at = self.position
        types = self.types()
        if len(types) != len(uses):
            message = f"{counted(len(uses), 'value')} and {counted(len(types), 'type')}"
            self.report(rules.COUNT, message, self.location_from(at))
        return uses, [*types, *[UNKNOWN] * len(uses)][: len(uses)]

    # Uses of values.

    def use(self) -> Use:
        name, number, location = self.use_name()
        return Use(name, number, location=location)

    def operand(self) -> Use:
        """A use, or a literal in its place, of which a constant is made."""
        start = self.position
        if not self.at_number:
            return self.use()
        value = self.number()
        self.report_spelling("a literal stands where a value does", start, self.last_end)
        while re.search(rf"%literal{self._made}\b", self.text):
            self._made += 1
        made = Use(f"literal{self._made}", location=self.location_from(start))
        self._made += 1
        self._pending.append((made, Number(value)))
        return made

    def indices(self) -> list[Use]:
        """Uses in brackets."""
        self.expect("[")
        return self.read_list("]", self.operand)

    def dimensions_and_symbols(self) -> tuple[list[Use], list[Use]]:
        """Uses in parentheses, and those in brackets where there are any."""
        self.expect("(")
        dimensions = self.read_list(")", self.use)
        return dimensions, self.read_list("]", self.use) if self.take("[") else []

    def _constants(self, operation: Operation) -> list[Instruction]:
        """Constants of the literals that stand in an operation."""
        made: list[Instruction] = []
        for use, number in self._pending:
            types = [type_ for each, type_ in zip(operation.operands, operation.operand_types) if each is use]
            type_ = types[0] if types else UNKNOWN
            value = float(number.value) if isinstance(type_, Float) else number.value
            result = Value(use.name, [type_], location=use.location)
            made.append(Operation("constant", [], [], result, [type_], {"value": Number(value)}, location=use.location))
        self._pending = []
        return made
