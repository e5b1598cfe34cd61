"""Types and attributes of a text of MLIR, with the aliases that stand for some."""

from __future__ import annotations

import math
import re
import struct
from typing import Any

from .scanner import NUMBER, WORD, Scanner
from .tree import Dense, Raw
from .types import Opaque, Scalar, Type, Vector, read_type

_FLOATS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}
_ALIAS = re.compile(r"[!#][A-Za-z_][\w$]*(?![\w$.<])")
_MOST_EXPANDED = 20_000
"""How long the text of a type may become by the aliases in it."""
_OF_DIALECTS = ("affine_map", "affine_set", "opaque", "sparse", "distinct", "loc", "strided", "dense_resource")


class AttributeReader(Scanner):
    """Reads types and attributes."""

    aliases: dict[str, str]
    """The texts that names stand for, such as `#map` and `!row`."""

    # Types.

    def type(self) -> Type:
        begin = self.at
        with self.deeper():
            if self.take("("):
                self.listed(")", self.type)
                self.expect("->")
                if self.take("("):
                    self.listed(")", self.type)
                else:
                    self.type()
                return Opaque(self.text[begin : self.last_end])
        word = self.peek()
        if not (word.startswith("!") or WORD.fullmatch(word)):
            self.fail("a type is expected here")
        self.next()
        if self.peek() == "<":
            self.balanced()
        return self._read_type(begin)

    def _read_type(self, begin: int) -> Type:
        text = self.expanded(self.text[begin : self.last_end])
        if re.search(r"[0-9]{20}", text):
            self.fail("the type has a number of more than 64 bits", begin=begin)
        return read_type(text)

    def expanded(self, text: str) -> str:
        """The text with that which aliases stand for in their place."""
        if not self.aliases or ("!" not in text and "#" not in text):
            return text
        expanded = _ALIAS.sub(lambda found: self.aliases.get(found[0], found[0]), text)
        if len(expanded) > _MOST_EXPANDED:
            self.fail(f"the aliases in it make a text of more than {_MOST_EXPANDED} characters")
        return expanded

    def types(self) -> list[Type]:
        """A type, or types in parentheses."""
        return self.listed(")", self.type) if self.take("(") else [self.type()]

    # Attributes.

    def dictionary(self) -> dict[str, Any]:
        self.expect("{")
        return dict(self.listed("}", self._entry))

    def _entry(self) -> tuple[str, Any]:
        name = self.next().strip('"')
        return name, self.attribute() if self.take("=") else True

    def attribute(self) -> Any:
        with self.deeper():
            return self._attribute()

    def _attribute(self) -> Any:
        token = self.peek()
        if token.startswith('"'):
            return self.quoted()
        if token in ("true", "false"):
            self.next()
            return token == "true"
        if NUMBER.match(token):
            return self._typed_number()
        if token == "[":
            self.next()
            return tuple(self.listed("]", self.attribute))
        if token == "{":
            return self.dictionary()
        if token.startswith("@"):
            return self.symbol()
        if token.startswith("#"):
            return self._of_dialect()
        if token == "array":
            return self._array()
        if token == "dense":
            return self._dense()
        if token in _OF_DIALECTS:
            begin = self.at
            self.next()
            self.balanced(*("()" if token == "loc" else "<>"))
            return Raw(self.text[begin : self.last_end])
        return self.type()

    def symbol(self) -> str:
        """`@name`, or `@outer::@inner`."""
        if not self.peek().startswith("@"):
            self.fail("the name of a symbol, such as @f, is expected here")
        names = [self.next()]
        while self.take("::"):
            names.append(self.next())
        return "::".join(names)

    def quoted(self) -> str:
        text = self.next()[1:-1]
        return re.sub(
            r"\\([0-9A-Fa-f]{2}|.)", lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], text, flags=re.DOTALL
        )

    def _of_dialect(self) -> Any:
        begin = self.at
        self.next()
        if self.peek() == "<":
            self.balanced()
        text = self.text[begin : self.last_end]
        return Raw(self.aliases.get(text, text))

    def _array(self) -> tuple[Any, ...]:
        self.next()
        self.expect("<")
        self.type()
        if self.take(":"):
            return tuple(self.listed(">", self._element))
        self.expect(">")
        return ()

    def _typed_number(self) -> int | float:
        token = self.checked(self.next())
        if not token.startswith("0x") and math.isinf(float(token)):
            self.at -= 1
            self.fail("the number is beyond all types")
        type_ = self.type() if self.take(":") else None
        return number(token, type_ if isinstance(type_, Scalar) else None)

    def _element(self) -> Any:
        token = self.peek()
        if token == "[":
            self.next()
            with self.deeper():
                return tuple(self.listed("]", self._element))
        if token == "(":
            self.next()
            with self.deeper():
                return complex(*self.listed(")", self._element))
        if token in ("true", "false"):
            return self.next() == "true"
        if token.startswith('"'):
            return Raw(self.next())
        if not NUMBER.match(token):
            self.fail("a number is expected here")
        return self.next() if token.startswith("0x") else number(self.checked(self.next()), None)

    def _dense(self) -> Dense:
        values = self._dense_values()
        self.expect(":")
        type_ = self.type()
        return Dense(_deep(values, _element_of(type_)), type_)

    def dense(self, type_: Type, element: Scalar | None) -> Dense:
        """`dense<…>` of which the type follows from elsewhere."""
        if self.peek() != "dense":
            self.fail("dense<…> is expected here")
        return Dense(_deep(self._dense_values(), element), type_)

    def _dense_values(self) -> Any:
        self.next()
        self.expect("<")
        values = () if self.peek() == ">" else self._element()
        self.expect(">")
        return values


def _element_of(type_: Type) -> Scalar | None:
    """The type of the elements of a vector or tensor."""
    if isinstance(type_, Vector):
        return type_.element
    found = re.fullmatch(r"tensor<(?:[0-9]+x)*(\w+)>", type_.text) if isinstance(type_, Opaque) else None
    return Scalar(found[1]) if found else None


def _deep(values: Any, element: Scalar | None) -> Any:
    if isinstance(values, tuple):
        return tuple(_deep(each, element) for each in values)
    if isinstance(values, Raw):
        return _of_bytes(values, element)
    return number(values, element) if isinstance(values, str) else values


def _of_bytes(values: Raw, element: Scalar | None) -> Any:
    """The elements that hexadecimal digits of their bytes are; the digits as they are where these are no elements."""
    digits = values.text.strip('"').removeprefix("0x")
    name = "" if element is None else element.name
    size = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8}.get(name)
    if size is None or not re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", digits) or len(digits) % (2 * size):
        return values
    data = bytes.fromhex(digits)
    words = [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
    if "f" in name:
        found: list[int | float] = [number(hex(word), element) for word in words]
    else:
        found = [word - (1 << 8 * size) if word >> 8 * size - 1 else word for word in words]
    return tuple(found) if len(found) > 1 else found[0]


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
