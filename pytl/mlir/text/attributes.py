"""Attributes of a text of MLIR, with the aliases that stand for some."""

from __future__ import annotations

import math
import re
import struct
from typing import Any

from .scanner import NUMBER, WORD
from .tree import PARENT, Dense, Raw
from .type_reader import TypeReader
from .types import Complex, ScalableVector, Scalar, Tensor, Type, Vector

_FLOATS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}
_OF_DIALECTS = ("opaque", "sparse", "distinct", "loc", "dense_resource")
_ESCAPED = {"n": "\n", "t": "\t"}
_STRICT = "#xegpu."
"""Attributes of a dialect that are read to their last character; others that are not understood are kept as text."""


class AttributeReader(TypeReader):
    """Reads types and attributes."""

    def dictionary(self) -> dict[str, Any]:
        self.expect("{")
        return dict(self.read_list("}", self._entry))

    def _entry(self) -> tuple[str, Any]:
        token = self.peek()
        if not (WORD.fullmatch(token) or token.startswith('"')):
            self.fail_expected("the name of an attribute")
        name = self.next().strip('"')
        return name, self.attribute() if self.take("=") else True

    def attribute(self) -> Any:
        with self.nesting():
            return self._attribute()

    def _attribute(self) -> Any:
        token = self.peek()
        if token.startswith('"'):
            return self._typed_text()
        if token in ("true", "false"):
            self.next()
            return token == "true"
        if NUMBER.match(token):
            return self.typed_number()[0]
        if token == "[":
            self.next()
            return tuple(self.read_list("]", self.attribute))
        if token == "{":
            return self.dictionary()
        if token.startswith("@"):
            return self.symbol()
        if token.startswith("#"):
            return self._of_dialect_or_alias()
        if token == "array":
            return self._array()
        if token == "dense":
            return self._dense()
        if token == "affine_map":
            return self.enclosed(self.affine_map)
        if token == "affine_set":
            return self.enclosed(self.affine_set)
        if token == "strided":
            return self.strided()
        if token in _OF_DIALECTS:
            begin = self.position
            self.next()
            self.balanced(*("()" if token == "loc" else "<>"))
            return Raw(self.text[begin : self.last_end])
        return self.type()

    def symbol(self) -> str:
        """`@name`, or `@outer::@inner`."""
        if not self.peek().startswith("@"):
            self.fail_expected("the name of a symbol, such as @f")
        names = [self.next()]
        while self.take("::"):
            names.append(self.next())
        return "::".join(names)

    def quoted(self) -> str:
        text = self.next()[1:-1]
        return re.sub(
            r"\\([0-9A-Fa-f]{2}|.)",
            lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else _ESCAPED.get(m[1], m[1]),
            text,
            flags=re.DOTALL,
        )

    def _typed_text(self) -> str:
        text = self.quoted()
        if self.take(":"):
            self.type()
        return text

    def _of_dialect_or_alias(self) -> Any:
        begin = self.position
        name = self.next()
        if self.peek() != "<":
            if "." in name:
                return Raw(name, name)
            return self.alias(name, begin)
        at, last_end = self.position, self.last_end
        read = self._words() or (self._entries() if name.startswith(_STRICT) else self.either(self._entries))
        if read is None:
            self.position, self.last_end = at, last_end
            self.balanced()
        words, entries = read or ((), {})
        return Raw(self.expanded(begin), name, words, entries)

    def _words(self) -> tuple[tuple[str, ...], dict[str, Any]] | None:
        """`<add>` or `<dim x>`, if that is what stands here."""

        def read() -> tuple[tuple[str, ...], dict[str, Any]] | None:
            self.next()
            words = []
            while WORD.fullmatch(self.peek()):
                words.append(self.next())
            return (tuple(words), {}) if words and self.take(">") else None

        return self.either(read)

    def _entries(self) -> tuple[tuple[str, ...], dict[str, Any]]:
        """`<sg_layout = [2, 1], order = [1, 0]>`."""
        self.expect("<")
        entries: dict[str, Any] = {}
        while not self.take(">"):
            if entries:
                self.expect(",")
            if not entries and self.peek().startswith("#"):
                entries[PARENT] = self.attribute()  # `#xegpu.slice<#xegpu.layout<…>, dims = [0]>`
                continue
            name = self.word("the name of a parameter")
            self.expect("=")
            entries[name] = self.attribute()
        return (), entries

    def _array(self) -> tuple[Any, ...]:
        self.next()
        self.expect("<")
        type_ = self.type()
        if self.take(":"):
            return tuple(_deep(each, type_) for each in self.read_list(">", self._element))
        self.expect(">")
        return ()

    def typed_number(self) -> tuple[int | float, Type | None]:
        """A number, and its type if that is written behind it."""
        token = self._digits()
        type_ = self.type() if self.take(":") else None
        return number(token, type_ if isinstance(type_, Scalar) else None), type_

    def _digits(self) -> str:
        """The digits of a number that some type has."""
        begin = self.position
        token = self.checked(self.next())
        if not token.startswith("0x") and math.isinf(float(token)):
            self.fail("the number is beyond all types", begin=begin)
        return token

    def _element(self) -> Any:
        begin, token = self.position, self.peek()
        if token == "[":
            self.next()
            with self.nesting():
                return tuple(self.read_list("]", self._element))
        if token == "(":
            self.next()
            with self.nesting():
                parts = self.read_list(")", self._element)
            if len(parts) != 2 or not all(isinstance(part, (int, float, str)) for part in parts):
                self.fail("a complex number is two numbers in parentheses", begin=begin)
            return parts
        if token in ("true", "false"):
            return self.next() == "true"
        if token.startswith('"'):
            return Raw(self.next())
        if not NUMBER.match(token):
            self.fail_expected("a number")
        digits = self._digits()
        return digits if token.startswith("0x") else number(digits, None)

    def _dense(self) -> Dense:
        values = self._dense_values()
        self.expect(":")
        type_ = self.type()
        return Dense(_deep(values, _element_of(type_)), type_)

    def dense(self, type_: Type, element: Type | None) -> Dense:
        """`dense<…>` of which the type follows from elsewhere."""
        if self.peek() != "dense":
            self.fail_expected("dense<…>")
        return Dense(_deep(self._dense_values(), element), type_)

    def _dense_values(self) -> Any:
        self.next()
        self.expect("<")
        values = () if self.peek() == ">" else self._element()
        self.expect(">")
        return values


def _element_of(type_: Type) -> Type | None:
    """The type of the elements of a vector or tensor."""
    return type_.element if isinstance(type_, (Vector, ScalableVector, Tensor)) else None


def _deep(values: Any, element: Type | None) -> Any:
    """Elements of a type, of what stands for some: tuples of them, lists of the parts of one, digits of its bits."""
    if isinstance(values, tuple):
        return tuple(_deep(each, element) for each in values)
    if isinstance(values, list):
        return complex(*(_deep(part, element.part if isinstance(element, Complex) else None) for part in values))
    known = element if isinstance(element, Scalar) else None
    if isinstance(values, Raw):
        return _of_bytes(values, known)
    return number(values, known) if isinstance(values, str) else values


def _of_bytes(values: Raw, element: Scalar | None) -> Any:
    """The elements that hexadecimal digits of their bytes are; the digits as they are where these are no elements."""
    digits = values.text.strip('"').removeprefix("0x")
    size = 0 if element is None or element.bits == 1 else -(-element.bits // 8)
    if not size or not re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", digits) or len(digits) % (2 * size):
        return values
    data = bytes.fromhex(digits)
    words = [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
    if element is not None and element.is_float:
        elements: list[int | float] = [number(hex(word), element) for word in words]
    else:
        elements = [word - (1 << 8 * size) if word >> 8 * size - 1 else word for word in words]
    return tuple(elements) if len(elements) > 1 else elements[0]


def number(token: str, type_: Scalar | None) -> int | float:
    """A number; the hexadecimal digits of a float are its bits."""
    if not token.startswith("0x"):
        return float(token) if re.search(r"[.eE]", token) else int(token)
    bits = int(token, 16)
    if type_ is not None and type_.name == "bf16":
        return float(struct.unpack("<f", struct.pack("<I", (bits & 0xFFFF) << 16))[0])
    if type_ is not None and type_.name in _FLOATS:
        floating, plain = _FLOATS[type_.name]
        return float(struct.unpack(floating, struct.pack(plain, bits % (1 << 8 * struct.calcsize(plain))))[0])
    return bits
