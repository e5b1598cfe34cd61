"""Prints operations: in the custom form of their dialect where `forms` has it, in the generic form otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from ...diagnostics.quoting import mlir_comment, mlir_location
from ..affine import AffineMap, IntegerSet
from .custom import Form, Spelled, Write
from .forms import FORMS
from .names import IMPLIED, PRINTED
from .numerals import float_text, literal_of
from .tree import Dense, Operation, Raw, Region
from .types import Function, Memref, Scalar, Type, sizes_text

_TYPED = {"alignment": "i64", "intel_reqd_sub_group_size": "i32", "workgroup_attributions": "i64"}
"""The types of attributes that are numbers, by their names."""
_ARRAYS = {"known_block_size": "i32", "operandSegmentSizes": "i32", "op_bundle_sizes": "i32"}
"""The types of the elements of attributes that are arrays of numbers, by their names; of others see `_is_array`."""


_TRUTHS = ("inclusive", "isDataCache", "isWrite", "nontemporal")
"""Attributes that are truth values; of others it counts whether they are there."""


def print_operation(operation: Operation, locations: bool = False) -> str:
    """The text of an operation, such as a module, with an end of line behind it.

    With `locations`, operations have that of what they were made from. Strided types of memrefs, which are long, have
    aliases in front of a module; another operation has none.

    >>> from pytl.mlir.text import read_text
    >>> module, _ = read_text("func.func @f(%a: i32) { %b = arith.addi %a,%a : i32  return }")
    >>> print(print_operation(module), end="")
    module {
      func.func @f(%a: i32) {
        %b = arith.addi %a, %a : i32
        return
      }
    }
    """
    printer = Printer(locations, operation.name == "builtin.module" or operation.name == "gpu.module")
    text = printer.operation(operation)
    return f"{printer.aliases()}{text}\n"


class Printer:
    """Prints one text. What writes a form calls it for the types, attributes and regions in it."""

    def __init__(
        self, locations: bool = False, has_aliases: bool = False, more: Mapping[str, Write] | None = None
    ) -> None:
        """`more` writes operations whose custom forms are not read."""
        self._more = more or {}
        self._locations = locations
        self._has_aliases = has_aliases
        self._indent = ""
        self.texts: dict[int, str] = {}
        """Of types, by their identity: operations keep them alive."""
        self._aliases: dict[str, str] = {}

    def aliases(self) -> str:
        """The definitions of the aliases that were used."""
        return "".join(f"{alias} = {type_}\n" for type_, alias in sorted(self._aliases.items()))

    # Operations.

    def operation(self, operation: Operation) -> str:
        name = operation.name
        write, printed = _writer(name)
        if write is None:
            write = self._more.get(name)
        behind = None if write is None else write(operation, self)
        text = self._generic(operation) if behind is None else printed + behind
        results = operation.results
        if results:
            text = f"{results[0] if len(results) == 1 else _results(results)} = {text}"
        if self._locations and operation.location is not None:
            location = operation.location
            text += f" {mlir_location(location.source.name, location.line, location.column)}"
        return text

    def _generic(self, operation: Operation) -> str:
        text = f'"{_escaped(operation.name)}"({", ".join(operation.operands)})'
        if operation.successors:
            text += f"[{', '.join(operation.successors)}]"
        if operation.regions:
            text += f" ({', '.join([self.region(region, labels=True) for region in operation.regions])})"
        if operation.attributes:
            text += f" {self.dictionary(operation.attributes)}"
        return f"{text} : {self.function(operation.operand_types, operation.result_types)}"

    def region(self, region: Region, labels: bool = False) -> str:
        """A region in braces. Arguments of its first block stand in front of it, or with `labels` behind a label."""
        outer = self._indent
        lines = ["{\n"]
        for number, block in enumerate(region.blocks):
            label = block.label
            if number == 0:
                label = (label or "^bb0") if labels and block.arguments else ""
            if label:
                taken = ", ".join([f"{name}: {self.type(type_)}" for name, type_ in block.arguments])
                lines.append(f"{outer}{label}{f'({taken})' if taken else ''}:\n")
            inner = self._indent = outer + "  "
            for operation in block.operations:
                if operation.comments:
                    lines += [f"{inner}{mlir_comment(comment)}\n" for comment in operation.comments]
                elif not operation.operands and operation.name in IMPLIED:
                    continue
                lines.append(f"{inner}{self.operation(operation)}\n")
            lines += [f"{inner}{mlir_comment(comment)}\n" for comment in block.comments]
            self._indent = outer
        lines.append(outer + "}")
        return "".join(lines)

    # Types.

    def type(self, type_: Type) -> str:
        """A type that an operation has."""
        text = self.texts.get(id(type_))
        if text is None:
            text = self.texts[id(type_)] = self._type_text(type_)
        return text

    def function(self, inputs: Sequence[Type], results: Sequence[Type]) -> str:
        """The type of a function."""
        return Function(tuple(inputs), tuple(results)).text(self.type)

    def _type_text(self, type_: Type) -> str:
        if isinstance(type_, Memref):
            text = str(type_)
            if not isinstance(type_.element, Scalar):
                text = f"memref<{sizes_text(type_.shape)}{self.type(type_.element)}{type_.tail}>"
            if self._has_aliases and type_.tail and type_.offset is None and type_.layout is None and not type_.space:
                return self._aliases.setdefault(text, _alias(type_))
            return text
        if isinstance(type_, Function):
            return type_.text(self._type_text)
        return str(type_)

    # Attributes.

    def dictionary(self, attributes: Mapping[str, Any]) -> str:
        """Attributes in braces."""
        return f"{{{', '.join([self._entry(name, value) for name, value in attributes.items()])}}}"

    def _entry(self, name: str, value: Any) -> str:
        if value is True and name not in _TRUTHS:
            return name
        if isinstance(value, tuple) and _is_array(name, value):
            numbers = f": {', '.join(map(str, value))}" if value else ""
            return f"{name} = array<{_ARRAYS.get(name, 'i64')}{numbers}>"
        return f"{name} = {self.attribute(value)}{f' : {_TYPED[name]}' if name in _TYPED else ''}"

    def attribute(self, value: Any) -> str:
        """An attribute, without a type behind its numbers."""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, Raw):
            return value.text
        if isinstance(value, (AffineMap, IntegerSet)):
            return value.text("today")
        if isinstance(value, str):
            return value if value.startswith("@") else f'"{_escaped(value)}"'
        if isinstance(value, tuple):
            return f"[{', '.join(map(self.attribute, value))}]"
        if isinstance(value, Mapping):
            return self.dictionary(value)
        if isinstance(value, Dense):
            return f"dense<{_elements(value.values, value.type)}> : {self._type_text(value.type)}"
        if isinstance(value, float):
            return float_text(value)
        return str(value) if isinstance(value, int) else self._type_text(value)


@cache
def _writer(name: str) -> tuple[Write | None, str]:
    """What writes the custom form of an operation behind its name, and the name."""
    form = FORMS.get(name)
    printed = PRINTED.get(name, name)
    if isinstance(form, Form):
        return form.writer.write, printed
    return (form.write if isinstance(form, Spelled) else None), printed


def _is_array(name: str, value: tuple[Any, ...]) -> bool:
    """Whether a list of numbers is an `array<…>`."""
    return name in _ARRAYS or name.startswith(("static_", "const_")) or name in ("position", "transpose")


def _elements(values: Any, type_: Any) -> str:
    if isinstance(values, tuple):
        return f"[{', '.join([_elements(each, type_) for each in values])}]"
    return literal_of(values, type_.element)


def _results(names: Sequence[str]) -> str:
    """`%a, %b:2` for `%a`, `%b#0` and `%b#1`."""
    texts = []
    for first, group in groupby(names, lambda name: name.partition("#")[0]):
        each = list(group)
        texts.append(f"{first}:{len(each)}" if "#" in each[0] else first)
    return ", ".join(texts)


def _escaped(text: str) -> str:
    """A text in the quotes of MLIR, which takes a backslash for the beginning of a byte."""
    plain = text.encode("utf-8")
    return "".join(chr(each) if 32 <= each < 127 and each not in b'"\\' else f"\\{each:02X}" for each in plain)


@lru_cache(maxsize=1024)
def _alias(type_: Memref) -> str:
    """The name of a strided memref type: element, sizes, and the strides, unless they leave no gaps."""
    dense: list[int | None] = []
    step = 1 if None not in type_.shape[1:] else 0
    for extent in reversed(type_.shape):
        dense.append(step)
        step *= 1 if extent is None else extent
    words = [str(type_.element), *map(_size, type_.shape)]
    if dense[::-1] != list(type_.strides):
        words += ["by", *map(_size, type_.strides)]
    return "!" + "_".join(words)


def _size(size: int | None) -> str:
    return "n" if size is None else str(size)
