"""Reads the generic form. Its grammar is small, and the same for all dialects."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Any, NoReturn

from ..diagnostics import LanguageError, Rule, Source
from .tree import Block, Operation, Region
from .types import Opaque, Scalar, Type, Vector, read_type

SYNTAX = Rule(
    "PYTL-1220",
    "a text of MLIR is in the generic form",
    "MLIR",
    explanation="It is what `mlir-opt --mlir-print-op-generic` prints.",
)
_BLANK = re.compile(r"(?:\s|//[^\n]*)*")
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"'
    r"|[%^][A-Za-z0-9_$.\-]+|@[A-Za-z_][\w$.]*"
    r"|[#!][A-Za-z_][\w$.]*|#-?[0-9]+"
    r"|0x[0-9A-Fa-f]+|-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?"
    r"|[A-Za-z_][\w$.]*|->|::|.",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_][\w$.]*")
_NUMBER = re.compile(r"-?[0-9]")
_FLOATS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}
_MOST_DEPTH = 200


@dataclass(frozen=True)
class Raw:
    """An attribute of a dialect, by its text."""

    text: str


@dataclass(frozen=True)
class Dense:
    """The elements of `dense<…>`: one for all, or nested tuples."""

    values: Any
    type: Type


def read_module(text: str, name: str = "<text>") -> Operation:
    """The module of a text in the generic form, which messages call `name`.

    Raises `pytl.LanguageError` (PYTL-1220) at the first character that is not understood.

    >>> inner = '%0 = "arith.constant"() <{value = 7 : i32}> : () -> i32'
    >>> module = read_module('"builtin.module"() ({ ' + inner + " }) : () -> ()")
    >>> [(op.name, op.attributes) for op in module.walk()][1]
    ('arith.constant', {'value': 7})
    """
    return _Reader(Source(name, text)).module()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._at = 0
        self._depth = 0
        self._aliases: dict[str, tuple[int, int] | None] = {}
        self._placed: list[tuple[Operation, str]] = []
        self._skip()

    # Characters.

    def _skip(self) -> None:
        blank = _BLANK.match(self._text, self._at)
        assert blank is not None
        self._at = blank.end()

    def _peek(self) -> str:
        found = _TOKEN.match(self._text, self._at)
        return found[0] if found else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += len(token)
        self._skip()
        return token

    def _take(self, token: str) -> bool:
        if self._text.startswith(token, self._at) and self._peek() == token:
            self._next()
            return True
        return False

    def _expect(self, token: str) -> None:
        if not self._take(token):
            self._fail(f"`{token}` is expected here, not `{self._peek() or 'the end'}`")

    def _fail(self, message: str) -> NoReturn:
        place = self._source.place(self._at, self._at + max(len(self._peek()), 1))
        raise LanguageError.single(SYNTAX, message, place, "print the text with mlir-opt --mlir-print-op-generic")

    def _balanced(self, opening: str = "<", closing: str = ">") -> str:
        """The text from here to the bracket that closes the one that begins here."""
        begin, depth = self._at, 0
        while self._at < len(self._text):
            token = self._next()
            if token == opening:
                depth += 1
            elif token == closing:
                depth -= 1
                if depth == 0:
                    return self._text[begin : self._at].rstrip()
        self._at = begin
        self._fail(f"`{opening}` is not closed")

    # Structure.

    def module(self) -> Operation:
        found: list[Operation] = []
        while self._peek():
            if self._peek().startswith("#"):
                alias = self._next()
                self._expect("=")
                if self._peek() == "loc":
                    self._aliases[alias] = self._location()[1]
                else:
                    self._attribute()
            elif self._peek().startswith("!"):
                self._fail("an alias of a type is not of the generic form")
            else:
                found.append(self._operation())
        if len(found) != 1:
            self._fail(f"a text has one module, and this one has {len(found)}")
        for operation, alias in self._placed:
            operation.location = self._aliases.get(alias) or operation.location
        return found[0]

    def _operation(self) -> Operation:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            self._fail(f"regions are nested more than {_MOST_DEPTH} deep")
        begin = self._at
        results: list[str] = []
        if self._peek().startswith("%"):
            while True:
                name = self._next()
                if self._take(":"):
                    results += [f"{name}#{number}" for number in range(self._integer())]
                else:
                    results.append(name)
                if not self._take(","):
                    break
            self._expect("=")
        if not self._peek().startswith('"'):
            self._fail("the name of an operation is expected here, in quotation marks")
        name = self._next()[1:-1]
        self._expect("(")
        operands = self._listed(")", self._operand)
        successors: list[str] = []
        if self._take("["):
            successors = self._listed("]", self._next)
        attributes: dict[str, Any] = {}
        if self._take("<"):
            attributes |= self._dictionary()
            self._expect(">")
        regions: list[Region] = []
        if self._take("("):
            regions = self._listed(")", self._region)
        if self._peek() == "{":
            attributes |= self._dictionary()
        self._expect(":")
        self._expect("(")
        operand_types = self._listed(")", self.type)
        self._expect("->")
        result_types = self._listed(")", self.type) if self._take("(") else [self.type()]
        operation = Operation(name, operands, results, operand_types, result_types, attributes, regions, successors)
        if len(operands) != len(operand_types) or len(results) not in (0, len(result_types)):
            self._fail(f"{name} has as many types as operands and results")
        here = self._source.place(begin, begin)
        operation.location = here.line, here.column
        if self._peek() == "loc":
            alias, place = self._location()
            operation.location = place or operation.location
            if alias:
                self._placed.append((operation, alias))
        self._depth -= 1
        return operation

    def _operand(self) -> str:
        name = self._next()
        if not name.startswith("%"):
            self._fail("a value is expected here")
        if re.match(r"#[0-9]", self._text[self._at : self._at + 2]):
            name += self._next()
        return name

    def _listed(self, end: str, read: Any) -> list[Any]:
        found: list[Any] = []
        while not self._take(end):
            if found:
                self._expect(",")
            found.append(read())
        return found

    def _region(self) -> Region:
        self._expect("{")
        region = Region()
        while not self._take("}"):
            if self._peek().startswith("^"):
                block = Block(self._next())
                if self._take("("):
                    block.arguments = self._listed(")", self._argument)
                self._expect(":")
                region.blocks.append(block)
                continue
            if not region.blocks:
                region.blocks.append(Block(""))
            region.blocks[-1].operations.append(self._operation())
        return region

    def _argument(self) -> tuple[str, Type]:
        name = self._next()
        self._expect(":")
        type_ = self.type()
        if self._peek() == "loc":
            self._location()
        return name, type_

    def _location(self) -> tuple[str, tuple[int, int] | None]:
        """The alias of a location, or its line and column."""
        self._next()
        inner = self._balanced("(", ")")[1:-1].strip()
        if re.fullmatch(r"#[\w.]+", inner):
            return inner, None
        found = re.search(r'":([0-9]+):([0-9]+)', inner)
        return "", (int(found[1]), int(found[2])) if found else None

    # Types and attributes.

    def type(self) -> Type:
        begin = self._at
        if self._take("("):
            self._listed(")", self.type)
            self._expect("->")
            if self._take("("):
                self._listed(")", self.type)
            else:
                self.type()
            return Opaque(self._text[begin : self._at].strip())
        word = self._peek()
        if not (word.startswith("!") or _WORD.fullmatch(word)):
            self._fail("a type is expected here")
        self._next()
        if self._peek() == "<":
            self._balanced()
        return read_type(self._text[begin : self._at])

    def _dictionary(self) -> dict[str, Any]:
        self._expect("{")
        return dict(self._listed("}", self._entry))

    def _entry(self) -> tuple[str, Any]:
        name = self._next().strip('"')
        return name, self._attribute() if self._take("=") else True

    def _attribute(self) -> Any:
        token = self._peek()
        if token.startswith('"'):
            return self._quoted()
        if token in ("true", "false"):
            self._next()
            return token == "true"
        if _NUMBER.match(token):
            return self._typed_number()
        if token == "[":
            self._next()
            return tuple(self._listed("]", self._attribute))
        if token == "{":
            return self._dictionary()
        if token.startswith("@"):
            names = [self._next()]
            while self._take("::"):
                names.append(self._next())
            return "::".join(names)
        if token.startswith("#"):
            begin = self._at
            self._next()
            if self._peek() == "<":
                self._balanced()
            return Raw(self._text[begin : self._at].strip())
        if token == "array":
            self._next()
            self._expect("<")
            self.type()
            return tuple(self._listed(">", self._element)) if self._take(":") else self._nothing()
        if token == "dense":
            return self._dense()
        if token in ("affine_map", "affine_set", "opaque", "sparse", "distinct", "loc"):
            begin = self._at
            self._next()
            self._balanced(*("()" if token == "loc" else "<>"))
            return Raw(self._text[begin : self._at].strip())
        return self.type()

    def _nothing(self) -> tuple[Any, ...]:
        self._expect(">")
        return ()

    def _quoted(self) -> str:
        text = self._next()[1:-1]
        return re.sub(r"\\([0-9A-Fa-f]{2}|.)", lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], text)

    def _typed_number(self) -> int | float:
        token = self._next()
        type_ = self.type() if self._take(":") else None
        return _number(token, type_) if isinstance(type_, Scalar) else _number(token, None)

    def _integer(self) -> int:
        token = self._next()
        if not token.isdecimal():
            self._fail("a number is expected here")
        return int(token)

    def _element(self) -> Any:
        token = self._peek()
        if token == "[":
            self._next()
            return tuple(self._listed("]", self._element))
        if token in ("true", "false"):
            return self._next() == "true"
        if token.startswith('"'):
            return Raw(self._next())
        if not _NUMBER.match(token):
            self._fail("a number is expected here")
        return self._next() if token.startswith("0x") else _number(self._next(), None)

    def _dense(self) -> Dense:
        self._next()
        self._expect("<")
        values = () if self._peek() == ">" else self._element()
        self._expect(">")
        self._expect(":")
        type_ = self.type()
        element = type_.element if isinstance(type_, Vector) else None
        return Dense(_deep(values, element), type_)


def _deep(values: Any, element: Scalar | None) -> Any:
    if isinstance(values, tuple):
        return tuple(_deep(each, element) for each in values)
    return _number(values, element) if isinstance(values, str) else values


def _number(token: str, type_: Scalar | None) -> int | float:
    """A number; the hexadecimal digits of a float are its bits."""
    if not token.startswith("0x"):
        return float(token) if re.search(r"[.eE]", token) else int(token)
    bits = int(token, 16)
    if type_ is not None and type_.name == "bf16":
        return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])
    if type_ is not None and type_.name in _FLOATS:
        floating, plain = _FLOATS[type_.name]
        return float(struct.unpack(floating, struct.pack(plain, bits))[0])
    return bits
