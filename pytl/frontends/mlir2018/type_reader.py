"""Reading types, affine maps, integer sets, attributes, and the definitions that name them."""

from __future__ import annotations

import re
from typing import Any

from ...diagnostics import Source
from ...mlir.affine import AffineMap, IntegerSet
from ...mlir.scanner import Unreadable
from . import rules
from .affine_reader import LISTS, AffineReader
from .tree import Attribute, Definition, FunctionName, Number
from .type_rules import check_shaped
from .types import (
    INDEX,
    UNKNOWN,
    Dialect,
    Float,
    Function,
    Integer,
    MapUse,
    Memref,
    Size,
    Tensor,
    Type,
    Unknown,
    Vector,
)

_B = r"(?:\s|//[^\r\n]*)*"
_INTEGER = re.compile(r"i([1-9][0-9]*)(?![A-Za-z0-9_])")
_FLOAT = re.compile(r"(bf16|f16|f32|f64)(?![A-Za-z0-9_])")
_SHAPED = re.compile(r"(vector|tensor|memref)(?=\s*<)")
_SIZE = re.compile(r"(\?|\*|[0-9]+)\s*x")
_NAMED = re.compile(r"!([A-Za-z_][A-Za-z0-9_.$]*)")
_TYPE_DEFINITION = re.compile(r"![A-Za-z0-9_.$]+\s*=")
_DATA = re.compile(r'<\s*"([^"\n\f\v\r]*)"\s*>')
_MAP_RESULTS = re.compile(rf"{_B}\({_B}(-|[0-9]|\()")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BEHIND = re.compile(rf",{_B}{LISTS.pattern}")
_TYPE_WORD = re.compile(r"index|i[1-9][0-9]*|bf16|f16|f32|f64|vector|tensor|memref")


def _are_identifiers(text: str) -> bool:
    """Whether names between commas are those of dimensions, and no types."""
    names = [each.strip() for each in text.split(",")]
    return all(_IDENTIFIER.fullmatch(each) and not _TYPE_WORD.fullmatch(each) for each in names)


class TypeReader(AffineReader):
    """Reads types and attributes, and knows what the names of definitions stand for."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.aliases: dict[str, Type] = {}
        self.definitions: list[Definition] = []
        self.untyped_names: list[tuple[dict[str, Attribute], str]] = []
        """Attributes that name a function without its type."""

    # Definitions.

    def definition(self) -> None:
        """`#name = map`, `#name = set` or `!name = type type`."""
        start = self.position
        is_type = self.begins("!")
        match = self.match(_NAMED) if is_type else None
        name = match[1] if match else self.hash_name()
        location = self.location_from(start)
        known: dict[str, Any] = self.aliases if is_type else self.maps
        self.expect("=")
        value: Type | AffineMap | IntegerSet
        if is_type:
            self.expect("type")
            value = self.type()
        else:
            value = self.map_or_set()
        if name in known:
            self.report(rules.ALIAS, f"{'!' if is_type else '#'}{name} is defined twice", location)
        known[name] = value
        self.definitions.append(Definition(f"{'!' if is_type else '#'}{name}", value, location=location))

    def types_alone(self) -> list[Type]:
        """All types of a text that has types and definitions."""
        types: list[Type] = []
        while self.peek():
            if self.begins("#") or self.lookahead(_TYPE_DEFINITION):
                self.definition()
                continue
            types.append(self.type())
        return types

    # Types.

    def type(self) -> Type:
        with self.nested():
            return self._type()

    def _type(self) -> Type:
        if self.begins("("):
            return self.function_type()
        if self.begins("!"):
            return self._named_type()
        if self.take("index"):
            return INDEX
        start = self.position
        match = self.match(_INTEGER)
        if match:
            width = int(match[1]) if len(match[1]) < 10 else rules.MAX_WIDTH + 1
            if width > rules.MAX_WIDTH:
                self.report(rules.NUMBERS, f"the type has {match[1][:20]} bits", self.location_from(start))
                return UNKNOWN
            return Integer(width)
        match = self.match(_FLOAT)
        if match:
            return Float(match[1])
        match = self.match(_SHAPED)
        if not match:
            self.fail_expected("a type")
        return self._shaped(match[1], start)

    def _named_type(self) -> Type:
        start = self.position
        match = self.match(_NAMED)
        if not match:
            self.fail_expected("the name of a type, as !name")
        data = self.match(_DATA)
        if data:
            return Dialect(match[1], data[1])
        if self.begins("<"):
            self.next()
            self.fail_expected("the data of the type in quotes")
        known = self.aliases.get(match[1])
        if known is None:
            self.report(rules.ALIAS, f"!{match[1]} is not defined before", self.location_from(start))
            return Unknown()
        return type(known)(**{**vars(known), "alias": match[1]})

    def memref_type(self) -> Memref:
        """A type that has to be a memref's; its word may be missing in front of its sizes."""
        start = self.position
        if self.begins("<"):
            self.report_spelling("the word memref is missing", start)
            type_ = self._shaped("memref", start)
        else:
            type_ = self.type()
        if not isinstance(type_, Memref):
            if not isinstance(type_, Unknown):
                self.report(rules.MEMREF, f"{type_} is no memref", self.location_from(start))
            raise Unreadable([])  # it has been reported
        return type_

    def _shaped(self, word: str, start: int) -> Type:
        self.expect("<")
        sizes: list[Size] = []
        unranked = False
        while match := self.match(_SIZE):
            if match[1] == "*":
                unranked = True
                if word != "tensor" or sizes:
                    self.fail_at(match.start(), f"the rank of a {word} is known")
                break
            if match[1] == "?" and word == "vector":
                self.fail_at(match.start(), "the sizes of a vector are constants")
            sizes.append(None if match[1] == "?" else self._size(match[1], match.start()))
        if word == "vector" and not sizes:
            self.fail_expected("a size of the vector")
        element = self.type()
        type_: Type
        if word == "memref":
            type_ = self._layout(tuple(sizes), element)
        elif word == "tensor":
            type_ = Tensor(None if unranked else tuple(sizes), element)
        else:
            type_ = Vector(tuple(size or 0 for size in sizes), element)
        if self.peek() == ")":
            self.report_spelling(f"the type {type_} is not closed", start, self.last_end)
        else:
            self.expect(">")
        check_shaped(type_, self.location_from(start), self.report)
        return type_

    def _size(self, digits: str, start: int) -> int:
        value = int(digits) if len(digits) < 20 else 1 << 63
        if value >= 1 << 63:
            self.report(rules.NUMBERS, "a size has more than 63 bits", self.location_from(start))
            return 1
        return value

    def _layout(self, sizes: tuple[Size, ...], element: Type) -> Memref:
        """What follows the elements of a memref: maps, and a memory space."""
        maps: list[MapUse] = []
        space: int | str = 0
        while self.take(","):
            if self.begins("#") or self.begins("("):
                maps.append(self.map_use())
                continue
            space = self.natural("a memory space") if self.at_number else self.bare_name("a map or a memory space")
            break
        return Memref(sizes, element, tuple(maps), space)

    def layout_behind(self, type_: Memref) -> Memref:
        """A memref type that was closed too early, with the maps and the space that follow it."""
        start = self.last_end
        lists = self.lookahead(_BEHIND)
        if type_.maps or not lists or not _are_identifiers(lists[1]):
            return type_
        self.report_spelling("the type is closed before its maps", start - 1, start)
        completed = self._layout(type_.shape, type_.element)
        self.expect(">")
        check_shaped(completed, self.location_from(start), self.report)
        return completed

    def function_type(self) -> Function:
        """`(type, …) -> type`, or with parentheses around the results."""
        start = self.position
        if self.take("("):
            inputs = [] if self.peek() == ")" else self.types()
            if self.peek() == "->":
                self.report_spelling("the parenthesis is not closed", start)
            else:
                self.expect(")")
        else:
            inputs = [self.type()]
            if self.peek() == "->":
                self.report_spelling("the operands' types stand in parentheses", start)
            else:
                self.report_spelling("the type is that of a function: () ->", start)
                return Function((), tuple(inputs))
        self.expect("->")
        return Function(tuple(inputs), tuple(self.result_types()))

    def result_types(self) -> list[Type]:
        """One type, or several in parentheses; what an arrow follows is a function type."""
        if not self.take("("):
            return [self.type()]
        types = [] if self.peek() == ")" else self.types()
        self.expect(")")
        if not self.take("->"):
            return types
        with self.nested():
            return [Function(tuple(types), tuple(self.result_types()))]

    def types(self) -> list[Type]:
        """Types between commas; one at least."""
        return self.read_separated(self.type)

    # Attributes.

    def attributes(self) -> dict[str, Attribute]:
        """A dictionary in braces."""
        self.expect("{")
        attributes: dict[str, Attribute] = {}
        while not self.take("}"):
            if attributes:
                self.expect(",")
            start = self.position
            name = self.bare_name("the name of an attribute")
            location = self.location_from(start)
            self.expect(":")
            if name in attributes:
                self.report(rules.ATTRIBUTE, f"{name} is given twice", location)
            value = attributes[name] = self.attribute()
            if isinstance(value, FunctionName) and value.type is None:
                self.untyped_names.append((attributes, name))
        return attributes

    def attribute(self, typed: bool = True) -> Attribute:
        """The value of an attribute; where `typed` is false, a number's type is left to be read."""
        with self.nested():
            if self.begins('"'):
                return self.string()
            if self.begins("@"):
                return self._function(typed)
            if self.take("["):
                return tuple(self.read_list("]", self.attribute))
            for word in ("true", "false"):
                if self.take(word):
                    return word == "true"
            if self.begins("#") or (self.begins("(") and self._at_map):
                return self.map_use()
            if self.at_number:
                value = self.number()
                return Number(value, self.type() if typed and self.take(":") else None)
            return self.type()

    def _function(self, typed: bool) -> FunctionName:
        start = self.position
        name = self.function_name()
        if not typed:
            return FunctionName(name)
        if self.take(":"):
            return FunctionName(name, self.function_type())
        self.report_spelling(f"the type of @{name} is missing", start, self.last_end)
        return FunctionName(name)

    @property
    def _at_map(self) -> bool:
        """Whether the parenthesis that is next begins an affine map, and no function type."""
        lists = self.lookahead(LISTS)
        if not lists or lists[4] != "->":
            return False
        if lists[1].strip():
            return _are_identifiers(lists[1])
        return bool(lists[3]) or bool(_MAP_RESULTS.match(self.text, lists.end()))
