"""Types of the document, and how they are written."""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache

from ...mlir.affine import AffineMap, Dimension, IntegerSet
from ...process.records import dataclass

Size = int | None
"""A size; None is known at run time only, and written `?`."""


@dataclass(frozen=True)
class MapUse:
    """An affine map where it is used: inline, or by the name of its definition."""

    map: AffineMap
    name: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"#{self.name}" if self.name else str(self.map)


@dataclass(frozen=True)
class SetUse:
    """An integer set where it is used: inline, or by the name of its definition."""

    set: IntegerSet
    name: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"#{self.name}" if self.name else str(self.set)


@dataclass(frozen=True)
class Type:
    """A type; `alias` is the name that it was written by."""

    alias: str | None = field(default=None, compare=False, kw_only=True)

    def __str__(self) -> str:
        return f"!{self.alias}" if self.alias else self.text()

    def text(self) -> str:
        """The type without its alias."""
        raise NotImplementedError


@dataclass(frozen=True)
class Unknown(Type):
    """The type of what the text leaves out, or of what has been reported already: it fits everywhere."""

    def text(self) -> str:
        return "..."


@dataclass(frozen=True)
class Index(Type):
    """`index`, the integer of the affine constructs."""

    def text(self) -> str:
        return "index"


@dataclass(frozen=True)
class Integer(Type):
    """`i32`: an integer without a sign of its own."""

    width: int

    def text(self) -> str:
        return f"i{self.width}"


@dataclass(frozen=True)
class Float(Type):
    """`f16`, `bf16`, `f32` or `f64`."""

    name: str

    def text(self) -> str:
        return self.name


@dataclass(frozen=True)
class Vector(Type):
    """A vector of static sizes."""

    shape: tuple[int, ...]
    element: Type

    def text(self) -> str:
        return f"vector<{_sizes(self.shape)}{self.element}>"


@dataclass(frozen=True)
class Tensor(Type):
    """A tensor; without a shape its rank is unknown."""

    shape: tuple[Size, ...] | None
    element: Type

    def text(self) -> str:
        return f"tensor<{'*x' if self.shape is None else _sizes(self.shape)}{self.element}>"


@dataclass(frozen=True)
class Memref(Type):
    """A memref: a shape, index maps that a layout map follows, and a memory space by its number or name."""

    shape: tuple[Size, ...]
    element: Type
    maps: tuple[MapUse, ...] = ()
    space: int | str = 0

    def text(self) -> str:
        space = [str(self.space)] if self.space != 0 else []
        inside = [f"{_sizes(self.shape)}{self.element}", *map(str, self.maps), *space]
        return f"memref<{', '.join(inside)}>"

    @property
    def symbols(self) -> int:
        """How many symbols its maps have."""
        return sum(len(each.map.symbols) for each in self.maps)


@dataclass(frozen=True)
class Function(Type):
    """The type of a function, or of an operation's operands and results."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def text(self) -> str:
        return f"({', '.join(map(str, self.inputs))}) -> {results_text(self.results)}"


@dataclass(frozen=True)
class Dialect(Type):
    """`!llvm<"i32*">`: a type of a dialect, whose data only the dialect understands."""

    namespace: str
    data: str

    def text(self) -> str:
        return f'!{self.namespace}<"{self.data}">'


INDEX = Index()
I1 = Integer(1)
UNKNOWN = Unknown()


def results_text(types: tuple[Type, ...]) -> str:
    """Types of results: one stands without parentheses, also where it is a function's."""
    if len(types) == 1:
        return str(types[0])
    return f"({', '.join(map(str, types))})"


def _sizes(shape: tuple[Size, ...]) -> str:
    return "".join(f"{'?' if size is None else size}x" for size in shape)


def element_of(type_: Type) -> Type:
    """The elements of a vector, tensor or memref; of any other type itself."""
    return type_.element if isinstance(type_, (Vector, Tensor, Memref)) else type_


def shaped_like(type_: Type, element: Type) -> Type:
    """A type of the same shape with other elements; the element where the type has no shape."""
    if isinstance(type_, Vector):
        return Vector(type_.shape, element)
    if isinstance(type_, Tensor):
        return Tensor(type_.shape, element)
    return type_ if isinstance(type_, Unknown) else element


def same(left: Type, right: Type) -> bool:
    """Whether two types are one: names of aliases, dimensions and symbols aside, and what is unknown fits."""
    return left == right or canonical(left) == canonical(right) or UNKNOWN in (left, right)


@lru_cache(maxsize=4096)
def canonical(type_: Type) -> Type:
    """The type with layouts in canonical form; a memref without maps has the identity."""
    if isinstance(type_, (Vector, Tensor)):
        return replace(type_, element=canonical(type_.element))
    if isinstance(type_, Function):
        return Function(tuple(map(canonical, type_.inputs)), tuple(map(canonical, type_.results)))
    if not isinstance(type_, Memref):
        return type_
    maps = [_canonical_map(each.map) for each in type_.maps]
    kept = [each for each in maps if not is_identity(each) or each.sizes is not None]
    return Memref(type_.shape, canonical(type_.element), tuple(map(MapUse, kept)), type_.space)


def _canonical_map(map_: AffineMap) -> AffineMap:
    simple = map_.simplified()
    dimensions = tuple(f"d{n}" for n in range(len(map_.dimensions)))
    return AffineMap(dimensions, tuple(f"s{n}" for n in range(len(map_.symbols))), simple.results, simple.sizes)


def is_identity(map_: AffineMap) -> bool:
    """Whether the results are the dimensions, in their order."""
    return map_.simplified().results == tuple(Dimension(n) for n in range(len(map_.dimensions)))
