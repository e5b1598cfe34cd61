"""The text of a tree, by the document's grammar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...mlir.affine import AffineMap, Constant, IntegerSet, Symbol
from .operations import FORMS
from .operations.arithmetic import attribute_text
from .operations.form import bound, listed, target
from .tree import Attribute, Block, Bound, Definition, For, Function, If, Instruction, Module, Operation, Value
from .types import Function as FunctionType
from .types import Type, results_text


def print_module(module: Module) -> str:
    """The text of a module, which reads as the same tree.

    Definitions stand at the top. What a text of the document spells in another way is printed as its grammar has it.

    >>> from pytl.frontends.mlir2018.reader import read_text
    >>> print(print_module(read_text("func @f(%A: memref<4x4xf32>) { dealloc %A:memref<4x4xf32> return }")[0]))
    func @f(%A: memref<4x4xf32>) {
      dealloc %A : memref<4x4xf32>
      return
    }
    """
    definitions = "\n".join(map(_definition, module.definitions))
    return "\n\n".join(part for part in (definitions, *map(_function, module.functions)) if part)


def _definition(definition: Definition) -> str:
    if isinstance(definition.value, (AffineMap, IntegerSet)):
        return f"{definition.name} = {definition.value}"
    return f"{definition.name} = type {definition.value if definition.value.alias else definition.value.text()}"


def _function(function: Function) -> str:
    named = [f"%{each.name}: {each.types[0]}" for each in function.arguments]
    head = f"func @{function.name}({', '.join(named or map(str, function.inputs))})"
    if function.results:
        head += f" -> {results_text(tuple(function.results))}"
    if function.attributes:
        head += f" attributes {dictionary(function.attributes)}"
    if function.blocks is None:
        return head
    lines = [f"{head} {{"]
    for block in function.blocks:
        lines += _block(block)
    return "\n".join([*lines, "}"])


def dictionary(attributes: Mapping[str, Attribute]) -> str:
    """Attributes in braces."""
    return "{" + ", ".join(f"{name}: {attribute_text(value)}" for name, value in attributes.items()) + "}"


def _block(block: Block) -> Iterator[str]:
    if block.label is not None:
        arguments = ", ".join(f"%{each.name}: {each.types[0]}" for each in block.arguments)
        yield f"^{block.label}{f'({arguments})' if arguments else ''}:"
    yield from _lines(block.instructions, 1)


def _lines(instructions: Sequence[Instruction], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for each in instructions:
        if isinstance(each, For):
            step = f" step {each.step}" if each.step != 1 else ""
            bounds = f"{_bound(each.lower, 'max')} to {_bound(each.upper, 'min')}"
            yield f"{indent}for %{each.variable.name} = {bounds}{step} {{"
            yield from _lines(each.body, depth + 1)
            yield f"{indent}}}"
        elif isinstance(each, If):
            yield from _conditions(each, depth)
        else:
            yield f"{indent}{_result(each.result)}{operation_text(each)}"


def _conditions(conditional: If, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for number, (condition, body) in enumerate(conditional.clauses):
        head = f"if {condition.set}{bound(condition.dimensions, condition.symbols)} {{"
        yield f"{indent}{'} else ' if number else ''}{head}"
        yield from _lines(body, depth + 1)
    if conditional.otherwise is not None:
        yield f"{indent}}} else {{"
        yield from _lines(conditional.otherwise, depth + 1)
    yield f"{indent}}}"


def _bound(loop_bound: Bound, word: str) -> str:
    """A bound, in the short form where it has one."""
    map_ = loop_bound.map.map
    if loop_bound.map.name is None and not loop_bound.has_word:
        if (
            map_.results == (Symbol(0),)
            and len(map_.symbols) == 1
            and not map_.dimensions
            and len(loop_bound.symbols) == 1
        ):
            return str(loop_bound.symbols[0])
        is_closed = not (loop_bound.dimensions or loop_bound.symbols or map_.dimensions or map_.symbols)
        if is_closed and len(map_.results) == 1 and isinstance(map_.results[0], Constant):
            return str(map_.results[0].value)
    return (
        f"{f'{word} ' if loop_bound.has_word else ''}{loop_bound.map}{bound(loop_bound.dimensions, loop_bound.symbols)}"
    )


def _result(result: Value | None) -> str:
    return f"%{result.name} = " if result else ""


def operation_text(operation: Operation) -> str:
    """An operation without its result, in the form that it was written in."""
    if operation.name == "...":
        return "..."
    if operation.name in FORMS and not operation.is_generic:
        return FORMS[operation.name].write(operation)
    return generic_text(operation)


def generic_text(operation: Operation) -> str:
    """An operation in the generic form."""
    successors = f"[{', '.join(map(target, operation.successors))}]" if operation.successors else ""
    attributes = dictionary(operation.attributes) if operation.attributes else ""
    type_: Type = FunctionType(tuple(operation.operand_types), tuple(operation.result_types))
    return f'"{operation.name}"({listed(operation.operands)}){successors}{attributes} : {type_}'
