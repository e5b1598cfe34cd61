"""Reads types of MLIR, token by token up to their last one, so that each mistake has its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from ...diagnostics import LanguageError
from ...process.records import dataclass
from ..affine import AffineMap
from ..scanner import Unreadable
from .scanner import WORD, TextScanner
from .tree import Broken
from .types import Complex, Function, Memref, Opaque, ScalableVector, Scalar, Strided, Tensor, Type, Vector, contiguous

_SCALAR = re.compile(r"index|(?:si|ui|i)[0-9]+|bf16|tf32|f[0-9]+[A-Z0-9]*")
_SIZE = re.compile(r"(\?|[0-9]+)\s*x")
_UNRANKED = re.compile(r"\*\s*x")
_ALIAS = re.compile(r"[!#][A-Za-z_][\w$]*(?![\w$.<])")
_SHAPED_OF_DIALECTS = ("!xegpu.tensor_desc", "!xegpu.mem_desc", "!gpu.mma_matrix")
_MAX_WIDTH = 1 << 24
_MAX_EXPANDED = 20_000
"""How long the text of a type may become by the aliases in it."""
_Read = TypeVar("_Read")


@dataclass(frozen=True)
class Alias:
    """What a name such as `#map` or `!row` stands for, and its text with all aliases in it replaced."""

    value: Any
    text: str


class TypeReader(TextScanner):
    """Reads types."""

    aliases: dict[str, Alias]

    def attribute(self) -> Any:
        """An attribute, which some types have in them."""
        raise NotImplementedError

    def type(self) -> Type:
        with self.nesting():
            return self._type()

    def types(self) -> list[Type]:
        """A type, or types in parentheses."""
        return self.read_list(")", self.type) if self.take("(") else [self.type()]

    def _type(self) -> Type:
        begin = self.position
        if self.take("("):
            inputs = self.read_list(")", self.type)
            self.expect("->")
            return Function(tuple(inputs), tuple(self.types()))
        word = self.peek()
        if word.startswith("!") and word != "!":
            return self._of_dialect()
        if not WORD.fullmatch(word):
            self.fail_expected("a type")
        self.next()
        if _SCALAR.fullmatch(word):
            return self._scalar(word, begin)
        if self.peek() == "<":
            if word in ("complex", "vector", "tensor", "memref"):
                self.next()
                type_: Type = getattr(self, f"_{word}")(begin)
                return type_
            self.balanced()
        return Opaque(self.expanded(begin))

    def _scalar(self, word: str, begin: int) -> Scalar:
        digits = word.lstrip("sui")
        if word[0] in "sui" and digits.isdigit() and (len(digits) > 8 or not 0 < int(digits) <= _MAX_WIDTH):
            self.fail(f"an integer has 1 to {_MAX_WIDTH} bits", begin=begin)
        return Scalar(word)

    def _complex(self, begin: int) -> Type:
        at = self.position
        part = self.type()
        self.expect(">")
        if not isinstance(part, Scalar) or part.name == "index":
            self.fail("the parts of a complex number are floats or integers", begin=at)
        return Complex(part)

    def _vector(self, begin: int) -> Type:
        shape: list[int | None] = []
        scalable: list[bool] = []
        while True:
            shape += self.sizes()
            scalable += [False] * (len(shape) - len(scalable))
            if not self.take("["):
                break
            shape.append(self._count())
            self.expect("]")
            scalable.append(True)
            if not re.match(r"\s*x", self.text[self.position :]):
                self.fail_expected("`x`")
            self.advance(self.position + 1)
        at = self.position
        element = self.type()
        self.expect(">")
        fixed = tuple(size for size in shape if size is not None)
        if len(fixed) < len(shape):
            self.fail("the sizes of a vector are known", begin=begin)
        if not isinstance(element, Scalar):
            if not isinstance(element, Opaque):
                self.fail(f"a vector has no elements of type {element}", begin=at)
            return Opaque(self.expanded(begin))
        return ScalableVector(fixed, tuple(scalable), element) if any(scalable) else Vector(fixed, element)

    def _tensor(self, begin: int) -> Type:
        shape = None if self._unranked() else tuple(self.sizes())
        element = self.type()
        encoding = ""
        if self.take(","):
            at = self.position
            self.attribute()
            encoding = self.expanded(at)
        self.expect(">")
        return Tensor(shape, element, encoding)

    def _memref(self, begin: int) -> Type:
        unranked = self._unranked()
        shape = () if unranked else tuple(self.sizes())
        element = self.type()
        layout: AffineMap | Strided | None = None
        space = ""
        while self.take(","):
            at = self.position
            value = self.attribute()
            if isinstance(value, (AffineMap, Strided)):
                if layout is not None or space or unranked:
                    self.fail("a memref has one layout, in front of its memory space", begin=at)
                layout = value
                self._check_layout(value, len(shape), at)
            elif isinstance(value, Broken):
                pass
            elif space:
                self.fail("a memref has one memory space", begin=at)
            else:
                space = self.expanded(at)
        self.expect(">")
        if unranked:
            return Opaque(self.expanded(begin))
        if isinstance(layout, Strided):
            return Memref(shape, element, layout.strides, layout.offset, space, has_explicit_strides=True)
        return Memref(shape, element, contiguous(shape), 0, space, layout)

    def _check_layout(self, layout: AffineMap | Strided, rank: int, begin: int) -> None:
        if isinstance(layout, Strided) and len(layout.strides) != rank:
            self.fail(f"the layout has {len(layout.strides)} strides, and the memref {rank} dimensions", begin=begin)
        if isinstance(layout, AffineMap) and len(layout.dimensions) != rank:
            message = f"the layout is of {len(layout.dimensions)} dimensions, and the memref has {rank}"
            self.fail(message, begin=begin)

    def _of_dialect(self) -> Type:
        begin = self.position
        name = self.next()
        if self.peek() == "<" and name in _SHAPED_OF_DIALECTS:
            self.next()
            shape = tuple(self.sizes())
            element = self.type()
            attributes = []
            while self.take(","):
                attributes.append(self.attribute())
            self.expect(">")
            return Opaque(self.expanded(begin), shape, element, tuple(attributes))
        if self.peek() == "<":
            members = self.either(self._members) if name == "!llvm.struct" else None
            if members is not None:
                return Opaque(self.expanded(begin), attributes=members)
            self.balanced()
        elif "." not in name:
            aliased = self.alias(name, begin)
            if isinstance(aliased, Broken):
                return Opaque(name)
            type_: Type = aliased
            return type_
        return Opaque(self.expanded(begin))

    # Pieces.

    def _members(self) -> tuple[Type, ...]:
        """The types of a structure without a name: `<(i32, i1)>`."""
        self.expect("<")
        self.expect("(")
        members = tuple(self.read_list(")", self._member))
        self.expect(">")
        return members

    def _member(self) -> Type:
        """A type in one of llvm, where llvm's own have not the dialect's name in front."""
        begin = self.position
        if self.take("ptr"):
            if self.peek() == "<":
                self.balanced()
            return Opaque(f"!llvm.{self.expanded(begin)}")
        if not self.take("array"):
            return self.type()
        self.expect("<")
        with self.nesting():
            shape, element = tuple(self.sizes()), self._member()
        self.expect(">")
        return Opaque(f"!llvm.{self.expanded(begin)}", shape, element)

    def strided(self) -> Strided:
        """`strided<[4, 1], offset: ?>`."""
        self.expect("strided")
        self.expect("<")
        self.expect("[")
        strides = tuple(self.read_list("]", self._size))
        offset: int | None = 0
        if self.take(","):
            self.expect("offset")
            self.expect(":")
            offset = self._size()
        self.expect(">")
        return Strided(strides, offset)

    def _size(self) -> int | None:
        return None if self.take("?") else self._count(negative=True)

    def _count(self, negative: bool = False) -> int:
        begin = self.position
        count = self.integer()
        if not -(1 << 63) < count < 1 << 63 or (count < 0 and not negative):
            self.fail("it has at most 63 bits" if negative else "a size has at most 63 bits, and no sign", begin=begin)
        return count

    def sizes(self) -> list[int | None]:
        """The sizes in front of an element, each with an `x` behind it."""
        sizes: list[int | None] = []
        while size := self.lookahead(_SIZE):
            if len(size[1]) > 20 or (size[1] != "?" and int(size[1]) >= 1 << 63):
                self.fail("the size has more than 63 bits")
            sizes.append(None if size[1] == "?" else int(size[1]))
            self.advance(size.end())
        return sizes

    def _unranked(self) -> bool:
        return self.match(_UNRANKED) is not None

    def enclosed(self, read: Callable[[], _Read]) -> _Read | Broken:
        """What a function reads of `word<…>`; where it can't, that is noted, and `Broken` stands for the whole."""
        begin = self.position
        try:
            return read()
        except Unreadable as problem:
            self.position = begin
            self.next()
            self.balanced()
            self.note(problem)
            return Broken()

    def note(self, problem: LanguageError) -> None:
        """Say what is wrong, and go on."""
        raise problem

    # Aliases.

    def alias(self, name: str, begin: int) -> Any:
        """What a name stands for."""
        alias = self.aliases.get(name)
        if alias is None:
            self.fail(f"no alias is called {name}", begin=begin, help="an alias is defined in front of the module")
        return alias.value

    def expanded(self, begin: int) -> str:
        """The text from a place on, with that which aliases stand for in their place."""
        text = self.text[begin : self.last_end]
        if not self.aliases or ("!" not in text and "#" not in text):
            return text
        expanded = _ALIAS.sub(lambda match: self.aliases[match[0]].text if match[0] in self.aliases else match[0], text)
        if len(expanded) > _MAX_EXPANDED:
            message = f"the aliases in it make a text of more than {_MAX_EXPANDED} characters"
            self.fail(message, begin=begin)
        return expanded

    def either(self, read: Callable[[], _Read | None]) -> _Read | None:
        """What a function reads; None, and nothing is read, where it can't."""
        at, last_end = self.position, self.last_end
        try:
            result = read()
        except Unreadable:
            result = None
        if result is None:
            self.position, self.last_end = at, last_end
        return result
