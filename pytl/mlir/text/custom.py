"""Custom forms: how an operation is spelled by its dialect, as a text of what stands where.

A form is a text of words that blanks separate:

- `$name` is an operand, `$name*` operands between commas, maybe none;
- `type(a,b)` is a type, of the operand groups or results (`result`) that are named; `types(a)` has a type for each
  operand of a group, and `function(a)` is `(types) -> types`;
- `=name` is an attribute, `=name:word` a bare word, `=name:symbol` a symbol, `=name:<>` a word in angle brackets,
  `=name:map` an affine map without `affine_map<…>`, `=name:list` numbers in brackets;
- `mixed:name` are numbers and operands in brackets: the numbers become the attribute `static_NAME`, or `ATTRIBUTE` of
  `mixed:name:ATTRIBUTE`, the operands the group;
- `{}` is a dictionary of attributes, or nothing, `<{}>` one in angle brackets; `~` are flags such as `fastmath<…>`;
- `[[` begins what may be left out, up to `]]`: it is there if its first word is; one bare word is a flag, an attribute;
- all else stands for itself.

An operation is read and written by the same form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from ...process.records import dataclass
from ..affine import AffineMap, IntegerSet
from ..affine.reader import ValueNames
from .form_writer import FLAGS, SEGMENTS, FormWriter, closing, split_mixed
from .reader import Read, Reader
from .scanner import NUMBER
from .tree import DYNAMIC, Broken, Operation, Raw
from .types import I1, I32, I64, INDEX, Memref, Opaque, ScalableVector, Scalar, Tensor, Type, Vector

Write = Callable[[Operation, Any], str | None]
"""Writes with a printer what stands behind an operation's name; None where the custom form can't say all of it."""
_SCALARS = {type_.name: type_ for type_ in (INDEX, I1, I32, I64)}


@dataclass
class Parts:
    """What has been read of an operation."""

    operands: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, list[Type]] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)

    def add(self, group: str, names: list[str], types: list[Type] | None = None) -> None:
        self.operands[group] = names
        if types is not None:
            self.types[group] = types

    def operation(
        self, name: str, results: list[Type], order: tuple[str, ...] = (), arranged: tuple[str, ...] = (), **more: Any
    ) -> Operation:
        """The operation. Operands without a type are indices; `order` is that of groups whose sizes vary, `arranged`
        that of others."""
        groups = order or arranged or tuple(self.operands)
        operands, types = [], []
        for group in groups:
            names = self.operands.get(group, [])
            operands += names
            group_types = self.types.get(group, [INDEX] * len(names))
            types += group_types
        if order:
            self.attributes["operandSegmentSizes"] = tuple(len(self.operands.get(group, [])) for group in order)
        return Operation(name, operands, [], types, results, self.attributes, **more)


@dataclass(frozen=True)
class Form:
    """A form, and what follows from it: the types of results where they are not written (a scalar type, the name of a
    group of operands that has it, `i1 of NAME`, `element of NAME`, `exchange of NAME`, or `NAME*` for one of each of a
    group, which has all operands), and the order of groups in the generic form, where that has their sizes, or where it
    is another one than the text's."""

    text: str
    results: str = "result"
    order: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)
    """The types of groups that no text has, by the same rules."""
    arranged: tuple[str, ...] = ()
    """The order of groups without sizes."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        begin = reader.position
        parts = Parts()
        _Form(reader, parts).read(self.text.split())
        for group, rule in self.known.items():
            if group in parts.operands:
                parts.types[group] = [_followed(rule, parts)]
        for group, names in parts.operands.items():
            if group in parts.types and len(parts.types[group]) != len(names):
                reader.fail(f"{name} has as many types as operands", begin=begin)
        return parts.operation(name, self.results_of(parts), self.order, self.arranged)

    def results_of(self, parts: Parts) -> list[Type]:
        if not self.results or self.results == "result":
            return parts.types.get("result", [])
        if self.results.endswith("*"):
            return parts.types[self.results[:-1]]
        return [_followed(rule, parts) for rule in self.results.split(", ")]

    # What is built and written.

    @cached_property
    def writer(self) -> FormWriter:
        return FormWriter(self.text, self.order, self.arranged)

    def result_types(self, operand_types: Sequence[Type]) -> list[Type]:
        """The types of results that follow from those of the operands."""
        if self.results.endswith("*"):
            return list(operand_types)
        return [
            _SCALARS[kind] if position is None else _made(kind, operand_types[position])
            for kind, position in self._rules
        ]

    @cached_property
    def same(self) -> int | None:
        """The operand whose type the only result has, if that is the rule."""
        if self.results.endswith("*"):
            return None
        return self._rules[0][1] if len(self._rules) == 1 and not self._rules[0][0] else None

    @cached_property
    def _rules(self) -> list[tuple[str, int | None]]:
        groups = list(self.writer.groups)
        rules = [rule.rpartition(" of ") for rule in self.results.split(", ") if rule]
        return [(group, None) if group in _SCALARS else (kind, groups.index(group)) for kind, _, group in rules]


@dataclass(frozen=True)
class Spelled:
    """A custom form that is read and written by a function each."""

    read: Read
    write: Write
    same: int | None = None
    """The operand whose type the result has, if it is one's."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        return self.read(reader, name)

    def result_types(self, operand_types: Sequence[Type]) -> list[Type]:
        """The types of results that follow from those of the operands."""
        return [] if self.same is None else [operand_types[self.same]]


def _followed(rule: str, parts: Parts) -> Type:
    """The type that a rule gives."""
    kind, _, group = rule.rpartition(" of ")
    return _SCALARS[group] if group in _SCALARS else _made(kind, parts.types[group][0])


def _made(kind: str, type_: Type) -> Type:
    """A type made of another one: of its elements, of truth values, of what an exchange gives, or itself."""
    if kind == "i1":
        return with_element(type_, I1)
    if kind == "exchange":
        return Opaque(f"!llvm.struct<({type_}, i1)>", attributes=(type_, I1))
    return element_of(type_) if kind == "element" else type_


def element_of(type_: Type) -> Type:
    """The type of an element of a memref, tensor or vector; other types are their own."""
    return type_.element if isinstance(type_, (Memref, Tensor, Vector, ScalableVector)) else type_


def with_element(type_: Type, element: Scalar) -> Type:
    """A type, or a vector or tensor of it like another."""
    if isinstance(type_, Tensor):
        return Tensor(type_.shape, element)
    if isinstance(type_, ScalableVector):
        return ScalableVector(type_.shape, type_.scalable, element)
    return Vector(type_.shape, element) if isinstance(type_, Vector) else element


class _Form:
    """Reads the words of a form."""

    def __init__(self, reader: Reader, parts: Parts) -> None:
        self.reader = reader
        self.parts = parts

    def read(self, words: list[str]) -> None:
        at = 0
        while at < len(words):
            word = words[at]
            if word == "[[":
                end = closing(words, at)
                inner = words[at + 1 : end]
                if self._begins(inner[0]):
                    self.read(inner)
                    if len(inner) == 1 and inner[0].isidentifier():
                        self.parts.attributes[inner[0]] = True
                at = end
            else:
                self._word(word)
            at += 1

    def _begins(self, word: str) -> bool:
        if word.startswith("$"):
            return self.reader.peek().startswith("%")
        if word.startswith("mixed:"):
            return self.reader.peek() == "["
        return self.reader.peek() == word

    def _word(self, word: str) -> None:
        reader, parts = self.reader, self.parts
        if word.startswith("$"):
            group = word[1:].rstrip("*")
            parts.operands[group] = self._operands() if word.endswith("*") else [reader.operand()]
        elif word.startswith("=") and len(word) > 1:
            self._attribute(*word[1:].partition(":")[::2])
        elif word.startswith("mixed:"):
            self._mixed(*split_mixed(word))
        elif word.endswith(")") and "(" in word:
            self._types(*word[:-1].split("("))
        elif word == "{}":
            if reader.peek() == "{":
                parts.attributes |= reader.dictionary()
        elif word == "<{}>":
            if reader.take("<"):
                parts.attributes |= reader.dictionary()
                reader.expect(">")
            if reader.peek() == "{":
                parts.attributes |= reader.dictionary()
        elif word == "~":
            flags(reader, parts.attributes)
        else:
            reader.expect(word)

    def _operands(self) -> list[str]:
        if not self.reader.peek().startswith("%"):
            return []
        return self.reader.read_separated(self.reader.operand)

    def _types(self, kind: str, groups: str) -> None:
        names = groups.split(",")
        if kind == "type":
            type_ = self.reader.type()
            for name in names:
                self.parts.types[name] = [type_]
        elif kind == "types":
            self.parts.types[names[0]] = self.reader.read_separated(self.reader.type)
        else:
            self.reader.expect("(")
            self.parts.types[names[0]] = self.reader.read_list(")", self.reader.type)
            self.reader.expect("->")
            self.parts.types["result"] = self.reader.types()

    def _attribute(self, name: str, kind: str) -> None:
        reader = self.reader
        if kind == "word":
            value: Any = reader.word("a word")
        elif kind == "symbol":
            value = reader.symbol()
        elif kind == "<>":
            reader.expect("<")
            value = reader.word("a word")
            reader.expect(">")
        elif kind == "list":
            reader.expect("[")
            value = tuple(reader.read_list("]", reader.integer))
        elif kind == "number":
            value = reader.integer()
        elif kind == "map":
            value = reader.affine_map()
        else:
            value = reader.attribute()
        self.parts.attributes[name] = value

    def _mixed(self, name: str, attribute: str) -> None:
        static, dynamic = mixed(self.reader, "[", "]")
        self.parts.attributes[attribute] = static
        self.parts.operands[name] = dynamic


def mixed(reader: Reader, opening: str, closing: str) -> tuple[tuple[int, ...], list[str]]:
    """Numbers and operands in brackets, and the operands of which `DYNAMIC` stands among the numbers."""
    reader.expect(opening)
    dynamic: list[str] = []

    def entry() -> int:
        if NUMBER.match(reader.peek()):
            return reader.integer()
        dynamic.append(reader.operand())
        return DYNAMIC

    return tuple(reader.read_list(closing, entry)), dynamic


def variable(reader: Reader) -> str:
    """The name of what a loop counts by, or carries."""
    name = reader.operand()
    reader.skip_location()
    return name


def flags(reader: Reader, attributes: dict[str, Any]) -> None:
    """`fastmath<…>`, `overflow<…>` and the like, which allow other results, and demand none."""
    while reader.peek() in FLAGS:
        name = reader.next()
        begin = reader.position
        if reader.peek() == "<":
            reader.balanced()
        attributes[name] = Raw(reader.text[begin : reader.last_end]) if reader.last_end > begin else True


def affine_indices(reader: Reader, closing: str) -> tuple[AffineMap, list[str]]:
    """Affine expressions of values up to a bracket, as `%i + 1, symbol(%n)`: their map, and its operands."""
    names = ValueNames()
    results = reader.read_list(closing, lambda: reader.expression_of_values(names))
    return names.map(results), names.operands


def map_and_operands(reader: Reader, kind: type[AffineMap] | type[IntegerSet] = AffineMap) -> tuple[Any, list[str]]:
    """A map or set with the operands that it is applied to: `#map(%i)[%n]`."""
    begin = reader.position
    map_or_set = reader.attribute()
    if not isinstance(map_or_set, (kind, Broken)):
        expected = "affine map" if kind is AffineMap else "integer set"
        reader.fail(f"expected an {expected}", begin=begin)
    reader.expect("(")
    operands = reader.read_list(")", reader.operand)
    if reader.take("["):
        operands += reader.read_list("]", reader.operand)
    return map_or_set, operands


def prefetched(reader: Reader, parts: Parts, name: str) -> Operation:
    """A prefetch from what follows its indices on: `, read, locality<3>, data : memref<4xf32>`."""
    reader.expect(",")
    parts.attributes["isWrite"] = reader.word("read or write") == "write"
    reader.expect(",")
    reader.expect("locality")
    reader.expect("<")
    parts.attributes["localityHint"] = reader.integer()
    reader.expect(">")
    reader.expect(",")
    parts.attributes["isDataCache"] = reader.word("data or instr") == "data"
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    reader.expect(":")
    parts.types["memref"] = [reader.type()]
    return parts.operation(name, [])


def write_prefetched(operation: Operation, indices: Sequence[str], printer: Any, own: Sequence[str] = ()) -> str:
    """A prefetch at places, with what `prefetched` reads behind them."""
    attributes = operation.attributes
    access = "write" if attributes["isWrite"] else "read"
    cache = "data" if attributes["isDataCache"] else "instr"
    others = write_others(operation, printer, ("isWrite", "isDataCache", "localityHint", *own))
    properties = f"{access}, locality<{attributes['localityHint']}>, {cache}{others}"
    return f" {operation.operands[0]}[{', '.join(indices)}], {properties} : {printer.type(operation.operand_types[0])}"


def branches(reader: Reader, parts: Parts, name: str) -> Operation:
    """An `if` from what follows its condition on: `-> (f32) { … } else { … }`."""
    types = reader.types() if reader.take("->") else []
    regions = [reader.region()]
    if reader.take("else"):
        regions.append(reader.region())
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    return parts.operation(name, types, regions=regions)


def write_branches(operation: Operation, printer: Any, own: Sequence[str] = ()) -> str:
    """What `branches` reads; `own` are attributes that stand elsewhere."""
    types = operation.result_types
    said = f" -> ({', '.join(map(printer.type, types))})" if types else ""
    regions = " else ".join(printer.region(each) for n, each in enumerate(operation.regions) if n == 0 or each.blocks)
    return f"{said} {regions}{write_others(operation, printer, own)}"


def write_others(operation: Operation, printer: Any, own: Sequence[str]) -> str:
    """The attributes that are not spelled elsewhere, in braces, or nothing."""
    others = {name: value for name, value in operation.attributes.items() if name not in (*own, SEGMENTS)}
    return f" {printer.dictionary(others)}" if others else ""


def write_applied(to: AffineMap | IntegerSet, operands: Sequence[str], printer: Any) -> str:
    """A map or set with the operands that it is applied to."""
    count = len(to.dimensions)
    symbols = f"[{', '.join(operands[count:])}]" if len(operands) > count else ""
    return f"{printer.attribute(to)}({', '.join(operands[:count])}){symbols}"


def in_place(reader: Reader, name: str) -> Operation:
    """An operation that is a region, with the types of what that gives: `-> f32 { … }`."""
    types = reader.types() if reader.take("->") else []
    region = reader.region()
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    return Operation(name, [], [], [], types, attributes, [region])
