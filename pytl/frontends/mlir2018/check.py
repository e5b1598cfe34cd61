"""Checks the tree of a text by the document's rules; all problems are reported at once."""

from __future__ import annotations

from collections.abc import Sequence

from ...diagnostics import Diagnostics, Location
from ...diagnostics.words import counted
from ...mlir.affine import AffineMap, IntegerSet
from ...mlir.affine.rules import OPERANDS, SEMI_AFFINE
from . import rules
from .findings import Findings
from .names import resolve
from .operations import FORMS
from .operations.arithmetic import problem_of_value
from .tree import (
    Attribute,
    Block,
    Bound,
    For,
    Function,
    If,
    Instruction,
    Module,
    Number,
    Operation,
    Successor,
    Use,
    bodies,
)
from .types import INDEX, Type, Unknown, same


def check_module(module: Module, diagnostics: Diagnostics) -> None:
    """Resolve the names of a module, and report what breaks a rule.

    >>> from pytl.frontends.mlir2018.reader import read_text
    >>> module, diagnostics = read_text("func @f(%x: i64) -> i32 { return %x : i64 }")
    >>> check_module(module, diagnostics)
    >>> [each.message for each in diagnostics.items]
    ['%x is returned as i64, but @f gives i32']
    """
    functions: dict[str, Function] = {}
    for function in module.functions:
        if function.name in functions:
            diagnostics.report(rules.FUNCTION_NAME, f"@{function.name} is defined twice", function.location)
        functions.setdefault(function.name, function)
    for function in module.functions:
        resolve(function, diagnostics)
        Checker(function, functions, diagnostics).run()


class Checker(Findings):
    """Checks one function whose names are resolved."""

    def __init__(self, function: Function, functions: dict[str, Function], diagnostics: Diagnostics) -> None:
        super().__init__(function, functions, diagnostics)
        self.blocks = {block.label: block for block in reversed(function.blocks or []) if block.label is not None}

    def run(self) -> None:
        blocks = self.function.blocks
        for value in self.function.attributes.values():
            self._attribute(value, self.function.location)
        if blocks is None:
            return
        self._check_signature(blocks[0])
        labels: set[str] = set()
        for block in blocks:
            if block.label in labels:
                self.report(rules.SUCCESSOR, f"there are two blocks ^{block.label}", block.location)
            if block.label is not None:
                labels.add(block.label)
            if self.function.is_closed:
                self._check_end(block)
            for each in block.instructions:
                self._instruction(each)

    # Functions and blocks.

    def _check_signature(self, entry: Block) -> None:
        function = self.function
        if function.arguments and entry.arguments:
            message = f"the arguments of @{function.name} have names in its signature and in its first block"
            self.report(rules.ARGUMENTS, message, entry.location)
            return
        types = [each.types[0] for each in function.entry_arguments]
        if len(types) != len(function.inputs):
            names = counted(len(types), "name")
            message = f"@{function.name} has {counted(len(function.inputs), 'argument')}, and {names} for them"
            self.report(rules.ARGUMENTS, message, function.location)
        for value, type_ in zip(entry.arguments, function.inputs):
            if not same(value.types[0], type_):
                message = f"%{value.name} is {value.types[0]}, and {type_} in the signature"
                self.report(rules.ARGUMENTS, message, value.location)

    def _check_end(self, block: Block) -> None:
        """The last instruction, and no other, is a terminator."""
        last = block.instructions[-1] if block.instructions else None
        for each in block.instructions[:-1]:
            if _is_terminator(each):
                self.report(rules.TERMINATOR, "the terminator is not the block's last instruction", each.location)
        if not (isinstance(last, Operation) and (_is_terminator(last) or last.successors or last.name == "...")):
            name = f"^{block.label}" if block.label is not None else "the first block"
            location = self.function.end if last is None else last.location
            self.report(rules.TERMINATOR, f"{name} does not end with br, cond_br or return", location)
        for each in block.instructions:
            self._check_inside(each)

    def _check_inside(self, instruction: Instruction) -> None:
        for body in bodies(instruction):
            for each in body:
                if _is_terminator(each):
                    self.report(rules.TERMINATOR, "a terminator stands within for or if", each.location)
                self._check_inside(each)

    def _check_successor(self, successor: Successor) -> None:
        self._check_uses(successor.uses, successor.types)
        block = self.blocks.get(successor.label)
        assert self.function.blocks
        if block is None:
            message = f"@{self.function.name} has no block ^{successor.label}"
            self.report(rules.SUCCESSOR, message, successor.location)
            return
        if block is self.function.blocks[0]:
            self.report(rules.SUCCESSOR, f"^{successor.label} is the first block", successor.location)
        types = [each.types[0] for each in block.arguments]
        if len(types) != len(successor.types):
            message = f"^{successor.label} has {counted(len(types), 'argument')}, and {len(successor.types)} are passed"
            self.report(rules.PASSED, message, successor.location)
        for use, type_, of in zip(successor.uses, successor.types, block.arguments):
            if not same(type_, of.types[0]):
                message = f"{use} is passed as {type_}, but %{of.name} is {of.types[0]}"
                self.report(rules.PASSED, message, use.location)

    # Instructions.

    def _instruction(self, instruction: Instruction) -> None:
        if isinstance(instruction, For):
            self._check_bound(instruction.lower, "max")
            self._check_bound(instruction.upper, "min")
        elif isinstance(instruction, If):
            for condition, _ in instruction.clauses:
                set_ = condition.set.set
                self._check_applied(set_, condition.dimensions, condition.symbols, condition.location)
        else:
            self._operation(instruction)
        for body in bodies(instruction):
            for each in body:
                self._instruction(each)

    def _attribute(self, value: Attribute, location: Location | None) -> None:
        """A number with a type is one of it."""
        if isinstance(value, tuple):
            for each in value:
                self._attribute(each, location)
        elif isinstance(value, Number) and value.type is not None:
            wrong = problem_of_value(value, value.type)
            if wrong:
                self.report(rules.CONSTANT, wrong, location)

    def _operation(self, operation: Operation) -> None:
        for value in operation.attributes.values():
            self._attribute(value, operation.location)
        if operation.result and not operation.result_types:
            message = f"{operation.name} gives no value, but is assigned to %{operation.result.name}"
            self.report(rules.COUNT, message, operation.location)
        self._check_uses(operation.operands, operation.operand_types)
        for successor in operation.successors:
            self._check_successor(successor)
        form = FORMS.get(operation.name)
        if operation.successors and not (form and form.is_terminator):
            message = f'"{operation.name}" has successors, and is no terminator that is known'
            self.report(rules.TERMINATOR, message, operation.location)
        if form is None or not self._has_counts(operation):
            return
        missing = [name for name in form.attributes if name not in operation.attributes]
        if missing:
            self.report(rules.ATTRIBUTE, f"{operation.name} has no attribute {missing[0]}", operation.location)
            return
        form.check(operation, self)
        if form.is_affine:
            map_, dimensions, symbols = form.affine_operands(operation)
            types = dict(zip(map(id, operation.operands), operation.operand_types))
            if map_ is None:
                self._check_bindings(dimensions, symbols, types)
            else:
                self._check_applied(map_.map, dimensions, symbols, operation.location, types)

    def _has_counts(self, operation: Operation) -> bool:
        form = FORMS[operation.name]
        is_right = True
        for expected, actual, what in zip(
            form.counts(operation), (len(operation.operands), len(operation.result_types)), ("operand", "result")
        ):
            if expected is not None and actual != expected:
                message = f"{operation.name} has {counted(actual, what)}, not {expected}"
                self.report(rules.COUNT, message, operation.location)
                is_right = False
        return is_right

    def _check_uses(self, uses: Sequence[Use], types: Sequence[Type]) -> None:
        for use, type_ in zip(uses, types):
            if use.type is not None and not same(use.type, type_):
                self.report(rules.TYPES, f"{use} is {use.type}, and is used as {type_}", use.location)

    # Affine constructs.

    def _check_bound(self, bound: Bound, word: str) -> None:
        map_ = bound.map.map
        if not bound.has_word and len(map_.results) > 1:
            message = f"the map has {len(map_.results)} results"
            self.report(rules.BOUND, message, bound.location, f"write {word} in front of it")
        self._check_applied(map_, bound.dimensions, bound.symbols, bound.location)

    def _check_applied(
        self,
        to: AffineMap | IntegerSet,
        dimensions: Sequence[Use],
        symbols: Sequence[Use],
        location: Location | None,
        types: dict[int, Type] | None = None,
    ) -> None:
        """What a map or set is applied to."""
        for uses, names, what in ((dimensions, to.dimensions, "dimension"), (symbols, to.symbols, "symbol")):
            if len(uses) != len(names):
                message = f"{counted(len(uses), 'value')} for {counted(len(names), what)}"
                self.report(OPERANDS, message, location)
        if isinstance(to, AffineMap) and not to.is_affine:
            self.report(SEMI_AFFINE, "the map multiplies or divides by a symbol", location)
        self._check_bindings(dimensions, symbols, types or {})

    def _check_bindings(self, dimensions: Sequence[Use], symbols: Sequence[Use], types: dict[int, Type]) -> None:
        for uses, rule, what in ((dimensions, rules.DIMENSION, "dimension"), (symbols, rules.SYMBOL, "symbol")):
            for use in uses:
                if use.value is None or use.type is None:
                    continue
                if not same(use.type, INDEX):
                    if types.get(id(use)) != INDEX:  # else it is told that the type is another one
                        self.report(rule, f"{use} is {use.type}, and not index", use.location)
                elif isinstance(use.type, Unknown):
                    continue
                elif not (use.value.is_dimension if what == "dimension" else use.value.is_symbol):
                    self.report(rule, f"{use} is no value that a {what} may be bound to", use.location)


def _is_terminator(instruction: Instruction | None) -> bool:
    return isinstance(instruction, Operation) and instruction.name in FORMS and FORMS[instruction.name].is_terminator
