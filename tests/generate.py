"""Random programs of the language, for properties of the core and for differential tests of backends.

`generate(rng)` gives the text of one function that the verifier accepts. Two kinds of programs come out of it:

- plain ones use every instruction, type and modifier, and whatever the verifier admits;
- safe ones (`safe=True`) are also free of undefined behaviour and of data races, so that every backend has to compute
  the same on them: indices are in bounds, nothing is divided by zero, what is read was written before, work-items and
  work-groups write apart from each other, floating numbers stay small, and no branch or index depends on a rounding.

Safe programs expect data as `pytl run` makes it: floating numbers in [-1, 1], arrays that do not overlap, as many items
in a dynamic last mode or a group as there are work-groups. Other dynamic modes may have any size from 1 on.

`programs(safe)` is the strategy for hypothesis; `generate(random.Random(seed))` works without.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

INTEGERS = ("i8", "i16", "i32", "i64", "index")
FLOATS = ("bf16", "f16", "f32", "f64")
COMPLEX = ("c32", "c64")
ELEMENTS = (*INTEGERS, *FLOATS, *COMPLEX)
SIZES = {
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "index": 8,
    "bf16": 2,
    "f16": 2,
    "f32": 4,
    "f64": 8,
    "c32": 8,
    "c64": 16,
}
COMPONENT = {"c32": "f32", "c64": "f64"}
PROMOTABLE = {
    "i8": ("i8", "i16", "i32", "i64", *FLOATS, *COMPLEX),
    "i16": ("i16", "i32", "i64", "f32", "f64", *COMPLEX),
    "i32": ("i32", "i64", "f64", "c64"),
    "i64": ("i64",),
    "index": ("index",),
    "bf16": ("bf16", "f32", "f64", *COMPLEX),
    "f16": ("f16", "f32", "f64", *COMPLEX),
    "f32": ("f32", "f64", *COMPLEX),
    "f64": ("f64", "c64"),
    "c32": COMPLEX,
    "c64": ("c64",),
}
ATOMIC = ("i32", "i64", "f32", "f64")
"""What a safe program updates atomically."""
LIMIT = 1e4
"""No floating number of a safe program is larger: it fits into f16."""
DATA = 1.0
"""What the parameters hold at most."""


@dataclass(frozen=True)
class Dynamic:
    """A size that is known at run time; two sizes with one key are equal."""

    key: str

    def __str__(self) -> str:
        return "?"


GROUPS = Dynamic("groups")
Extent = int | Dynamic


@dataclass(frozen=True)
class Number:
    """A value of bool or scalar type; for an index, the range `[low, high]` it lies in, or what it is less than."""

    name: str
    type: str
    bound: float = math.inf
    low: int | None = None
    high: int | None = None
    below: Dynamic | None = None

    def fits(self, extent: Extent) -> bool:
        if self.low is None or self.low < 0:
            return False
        return self.below == extent if isinstance(extent, Dynamic) else self.high is not None and self.high < extent


@dataclass(eq=False)
class Root:
    """The memory that tensors are views on."""

    writable: bool
    bound: float
    initialised: bool
    loops: int
    """How many loops it was allocated in: a value may grow once an iteration of these."""


@dataclass(frozen=True)
class Tensor:
    name: str
    element: str
    shape: tuple[Extent, ...]
    strides: tuple[int | str, ...]
    space: str
    root: Root
    whole: bool = True

    @property
    def type(self) -> str:
        return memref(self.element, self.shape, self.strides, self.space)


@dataclass
class Spmd:
    """A region that work-items execute: what they write, and the place that is a work-item's own."""

    root: Root | None = None
    own: str | None = None
    tensor: Tensor | None = None
    added: Root | None = None
    read: list[Root] = field(default_factory=list)


@dataclass
class Scope:
    numbers: list[Number] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)


def packed(shape: Sequence[Extent]) -> tuple[int | str, ...]:
    strides: list[int | str] = []
    step: int | str = 1
    for extent in shape:
        strides.append(step)
        step = step * extent if isinstance(step, int) and isinstance(extent, int) else "?"
    return tuple(strides)


def memref(element: str, shape: Sequence[Extent], strides: Sequence[int | str], space: str = "global") -> str:
    text = "x".join([element, *map(str, shape)])
    if tuple(strides) != packed(shape):
        text += f",strided<{','.join(map(str, strides))}>"
    return f"memref<{text}{',local' if space == 'local' else ''}>"


def type_bound(name: str) -> float:
    return 2.0 ** (8 * SIZES[name] - 1) if name in INTEGERS else math.inf


def generate(
    rng: Random, safe: bool = False, size: int = 12, name: str = "kernel", elements: Sequence[str] = ELEMENTS
) -> str:
    """The text of one function with about `size` instructions in its body; `elements` are its scalar types."""
    return _Generator(rng, safe, tuple(elements)).function(name, size)


def programs(safe: bool = False, max_size: int = 12, elements: Sequence[str] = ELEMENTS) -> st.SearchStrategy[str]:
    """Texts of one function."""

    def build(rng: Random, size: int) -> str:
        return generate(rng, safe, size, elements=elements)

    return st.builds(build, st.randoms(use_true_random=False), st.integers(0, max_size))


def modules(max_size: int = 8) -> st.SearchStrategy[str]:
    """Texts of one to three functions."""

    def build(rng: Random, sizes: list[int]) -> str:
        return "\n".join(generate(rng, size=size, name=f"f{number}") for number, size in enumerate(sizes))

    sizes = st.lists(st.integers(0, max_size), min_size=1, max_size=3)
    return st.builds(build, st.randoms(use_true_random=False), sizes)


class _Generator:
    def __init__(self, rng: Random, safe: bool, elements: tuple[str, ...]) -> None:
        self.rng = rng
        self.safe = safe
        self.elements = elements
        self.lines: list[str] = []
        self.indent = 1
        self.names = 0
        self.scope = Scope()
        self.opaque: set[str] = set()
        """The names of index values of which nothing is known before a launch."""
        self.loops = 0
        self.depth = 0
        self.spmd: Spmd | None = None

    # Choices and lines.

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def fresh(self) -> str:
        self.names += 1
        return f"%{self.names}" if self.chance(50) else f"%{self.pick('abtx')}{self.names}"

    @contextmanager
    def region(self) -> Iterator[None]:
        """Lines of a region: what is defined inside is forgotten after it."""
        outer = self.scope
        self.scope = Scope(list(outer.numbers), list(outer.tensors))
        self.indent += 1
        self.depth += 1
        yield
        self.depth -= 1
        self.indent -= 1
        self.scope = outer

    # Numbers.

    def define(self, type_: str, right: str, bound: float = math.inf, **known) -> Number:
        number = Number(self.fresh(), type_, min(bound, type_bound(type_)) if type_ != "bool" else bound, **known)
        self.line(f"{number.name} = {right}")
        self.scope.numbers.append(number)
        return number

    def literal(self, type_: str, value: complex) -> str:
        if type_ == "bool":
            return "true" if value else "false"
        if type_ in INTEGERS:
            return str(int(value.real))
        real = self.floating(float(value.real))
        return f"[{real},{self.floating(float(value.imag))}]" if type_ in COMPLEX else real

    def floating(self, value: float) -> str:
        return self.pick([repr(value), value.hex(), f"{value:e}"])

    def constant(self, type_: str, value: complex | None = None) -> Number:
        if value is None:
            values: Sequence[complex] = (0, 1, 2, 3, -1, 7) if type_ in INTEGERS else (0.0, 1.0, 0.5, -1.5, -0.0, 2.0)
            if type_ in COMPLEX:
                values = (0j, 1 + 0j, 0.5 - 1j, 1j)
            value = self.pick((True, False)) if type_ == "bool" else self.pick(values)
        right = f"constant {self.literal(type_, value)} : {type_}"
        if type_ in INTEGERS:
            return self.define(type_, right, abs(value), low=int(value.real), high=int(value.real))
        return self.define(type_, right, abs(value))

    def number(self, type_: str) -> Number:
        known = [n for n in self.scope.numbers if n.type == type_]
        return self.pick(known) if known and self.chance(75) else self.constant(type_)

    def index_below(self, extent: Extent) -> Number:
        """An index that is in bounds of a mode."""
        known = [n for n in self.scope.numbers if n.type == "index" and n.fits(extent)]
        if not self.safe and isinstance(extent, Dynamic):
            known = [n for n in self.scope.numbers if n.type == "index" and n.name in self.opaque]
        if known and self.chance(80):
            return self.pick(known)
        return self.constant("index", self.rng.randrange(extent) if isinstance(extent, int) else 0)

    def bounded(self, number: Number, limit: float) -> Number:
        """A real number that is cut to [-limit, limit] where it may lie outside."""
        if number.bound <= limit or not self.safe:
            return number
        low, high = self.constant(number.type, -limit), self.constant(number.type, limit)
        cut = self.define(number.type, f"arith.max {number.name}, {low.name} : {number.type}", math.inf)
        return self.define(number.type, f"arith.min {cut.name}, {high.name} : {number.type}", limit)

    # Memory.

    def readable(self) -> list[Tensor]:
        hidden = (self.spmd.root, self.spmd.added) if self.spmd else ()
        known = self.scope.tensors
        return [t for t in known if not self.safe or (t.root.initialised and t.root not in hidden)]

    def writable(self) -> list[Tensor]:
        return [t for t in self.scope.tensors if t.root.writable or not self.safe]

    def may_hold(self, root: Root, bound: float) -> bool:
        """Whether memory may be given numbers of this size: in a loop it must not grow."""
        if not self.safe:
            return True
        if bound > root.bound and (self.loops != root.loops or bound > LIMIT):
            return False
        root.bound = max(root.bound, bound)
        return True

    def alloca(self, element: str, shape: Sequence[int]) -> Tensor:
        strides = packed(shape)
        if shape and self.chance(20):
            strides = (1, *(2 * int(s) for s in strides[1:]))
        root = Root(True, 0.0 if element not in INTEGERS else type_bound(element), False, self.loops)
        tensor = Tensor(self.fresh(), element, tuple(shape), strides, "local", root)
        attributes = self.pick(["", "", f"{{alignment={self.pick((SIZES[element], 16, 64))}}}", '{"mine"=["x",{}]}'])
        self.line(f"{tensor.name} = alloca{attributes} : {tensor.type}")
        self.scope.tensors.append(tensor)
        return tensor

    def filled_alloca(self, element: str, shape: Sequence[int]) -> Tensor:
        tensor = self.alloca(element, shape)
        if shape:
            self.fill(tensor)
        else:
            self.axpby_into(tensor)
        return tensor

    # Functions.

    def function(self, name: str, size: int) -> str:
        parameters = self.safe_parameters() if self.safe else self.free_parameters()
        attributes = ""
        if self.chance(50):
            groups = ("[16,1]", "[32,1]", "[16,2]")
            entries = ["subgroup_size=16", f"work_group_size={self.pick(groups)}"]
            if self.chance(20):
                entries.append('"note"={"a"=true, "b"=[1,-2]}')
            attributes = f" attributes{{{', '.join(entries)}}}"
        self.body(size)
        lines = [f"func @{name}({', '.join(parameters)}){attributes} {{", *self.lines, "}"]
        return "\n".join(lines) + "\n"

    def scalar_parameters(self) -> list[str]:
        types = [self.pick((*self.elements, "bool")) for _ in range(self.rng.randrange(4))]
        numbers = [Number(f"%s{i}", t, DATA if t not in INTEGERS else type_bound(t)) for i, t in enumerate(types)]
        self.scope.numbers += numbers
        self.opaque |= {n.name for n in numbers}
        return [f"{n.name}: {n.type}" for n in numbers]

    def free_parameters(self) -> list[str]:
        texts = self.scalar_parameters()
        for number in range(self.rng.randrange(1, 4)):
            shape = [self.extent(f"P{number}.{mode}") for mode in range(self.rng.randrange(6))]
            tensor = self.parameter(f"%P{number}", self.pick(self.elements), shape, True)
            if self.chance(25):
                count, offset = self.pick(("?", "4")), self.pick(("", ", offset: ?", ", offset: 3"))
                texts.append(f"{tensor.name}: group<{tensor.type}x{count}{offset}>{self.attributes(tensor)}")
                self.load_item(tensor, self.constant("index", self.rng.randrange(4)))
            else:
                texts.append(f"{tensor.name}: {tensor.type}{self.attributes(tensor)}")
                self.scope.tensors.append(tensor)
        return texts

    def safe_parameters(self) -> list[str]:
        """Read-only tensors that all work-groups share, and tensors of which each has its own part."""
        texts = self.scalar_parameters()
        for number in range(self.rng.randrange(3)):
            shape = [self.pick((1, 2, 3, 4, 5)) for _ in range(self.rng.randrange(4))]
            tensor = self.parameter(f"%in{number}", self.pick(self.elements), shape, False)
            self.scope.tensors.append(tensor)
            texts.append(f"{tensor.name}: {tensor.type}{self.attributes(tensor)}")
        group = self.define("index", "builtin.group_id : index", low=0, below=GROUPS)
        for number in range(self.rng.randrange(1, 3)):
            shape = [self.pick((1, 2, 3, 4, 5)) for _ in range(self.rng.randrange(4))]
            if shape and self.chance(25):
                shape[self.rng.randrange(len(shape))] = Dynamic(f"out{number}")
            element = self.pick(self.elements)
            if self.chance(40):
                tensor = self.parameter(f"%out{number}", element, shape, True)
                texts.append(f"{tensor.name}: group<{tensor.type}x?>{self.attributes(tensor)}")
                self.load_item(tensor, group)
            else:
                tensor = self.parameter(f"%out{number}", element, (*shape, GROUPS), True)
                texts.append(f"{tensor.name}: {tensor.type}{self.attributes(tensor)}")
                sizes = [self.size_of(tensor, mode) for mode in range(len(shape))]
                slices = [f"0:{size}" for size in sizes] + [group.name]
                self.view(tensor, slices, tensor.shape[:-1], tensor.strides[:-1])
        return texts

    def extent(self, key: str) -> Extent:
        return Dynamic(key) if self.chance(30) else self.pick((1, 2, 3, 4, 8))

    def parameter(self, name: str, element: str, shape: Sequence[Extent], writable: bool) -> Tensor:
        strides = packed(shape)
        if len(shape) > 1 and all(isinstance(s, int) for s in strides) and self.chance(30):
            strides = (1, *(3 * int(s) for s in strides[1:]))
        elif shape and self.chance(15):
            strides = (1, *("?" for _ in strides[1:]))
        bound = type_bound(element) if element in INTEGERS else 2 * DATA if element in COMPLEX else DATA
        return Tensor(name, element, tuple(shape), strides, "global", Root(writable, bound, True, 0))

    def attributes(self, tensor: Tensor) -> str:
        entries = []
        if self.chance(20):
            entries.append(f"alignment={SIZES[tensor.element]}")
        if self.chance(20):
            entries.append(f"shape_gcd=[{','.join(str(n) if isinstance(n, int) else '1' for n in tensor.shape)}]")
        if self.chance(20):
            entries.append(f"stride_gcd=[{','.join(str(s) if isinstance(s, int) else '1' for s in tensor.strides)}]")
        return f"{{{', '.join(entries)}}}" if entries else ""

    def load_item(self, group: Tensor, item: Number) -> None:
        tensor = Tensor(self.fresh(), group.element, group.shape, group.strides, "global", group.root)
        self.line(f"{tensor.name} = load {group.name}[{item.name}] : {tensor.type}")
        self.scope.tensors.append(tensor)

    def size_of(self, tensor: Tensor, mode: int) -> str:
        extent = tensor.shape[mode]
        if isinstance(extent, int):
            return str(extent)
        return self.define("index", f"size {tensor.name}[{mode}] : index").name

    # Bodies.

    def body(self, size: int) -> None:
        """About as many statements, fewer the deeper the region lies."""
        for _ in range(size if self.depth == 0 else self.rng.randrange(1 + max(0, 4 - self.depth))):
            self.pick(self.statements())()

    def statements(self) -> list:
        found = [self.binary] * 3 + [self.unary, self.cast, self.compare, self.constant_of_any_type, self.builtin]
        found += [self.load] * 3 + [self.subview, self.size]
        if self.depth < 4:
            found += [self.loop, self.branch]
        if self.spmd is None:
            found += [self.gemm, self.axpby, self.some_alloca, self.barrier]
            found += [self.foreach] * 3 + [self.parallel]
        else:
            found += [self.store] * 3
        return found

    def constant_of_any_type(self) -> None:
        self.constant(self.pick((*self.elements, "bool")))

    def builtin(self) -> None:
        which = self.pick(("group_id", "group_size"))
        known = {"low": 0, "below": GROUPS} if which == "group_id" else {}
        self.opaque.add(self.define("index", f"builtin.{which} : index", **known).name)

    def barrier(self) -> None:
        self.line("barrier" + self.pick(("", ".global", ".local", ".global.local")))

    def size(self) -> None:
        tensors = [t for t in self.scope.tensors if t.shape]
        if tensors:
            tensor = self.pick(tensors)
            mode = self.rng.randrange(len(tensor.shape))
            self.define("index", f"size {tensor.name}[{mode}] : index")

    def operand_type(self) -> str:
        return self.pick(self.scope.numbers).type if self.scope.numbers else self.pick(self.elements)

    def binary(self) -> None:
        type_ = self.operand_type()
        a = self.number(type_)
        if type_ == "bool":
            self.define("bool", f"arith.{self.pick(('and', 'or', 'xor'))} {a.name}, {self.number('bool').name} : bool")
            return
        variants = ["add", "sub", "mul", "div"]
        if type_ in INTEGERS:
            variants += ["rem", "min", "max", "shl", "shr", "and", "or", "xor"]
        elif type_ in FLOATS:
            variants += ["min", "max"] if self.safe else ["min", "max", "rem"]
        variant = self.pick(variants)
        b = self.second_operand(variant, type_)
        bound = _bound_of(variant, type_, a.bound, b.bound)
        if self.safe and type_ not in INTEGERS and bound > LIMIT:
            return
        known = {}
        if variant == "add" and type_ == "index" and None not in (a.low, a.high, b.low, b.high):
            known = {"low": a.low + b.low, "high": a.high + b.high}
        self.define(type_, f"arith.{variant} {a.name}, {b.name} : {type_}", bound, **known)

    def second_operand(self, variant: str, type_: str) -> Number:
        if self.safe and variant in ("div", "rem"):
            divisors = (2, 3, -3, 5) if type_ in INTEGERS else (1 + 1j, 2j) if type_ in COMPLEX else (2.0, -0.5, 3.0)
            return self.constant(type_, self.pick(divisors))
        if self.safe and variant in ("shl", "shr"):
            return self.constant(type_, self.rng.randrange(8))
        return self.number(type_)

    def unary(self) -> None:
        type_ = self.operand_type()
        variants = ["not"] if type_ == "bool" else ["abs", "neg"]
        if type_ in INTEGERS:
            variants.append("not")
        elif type_ in COMPLEX:
            variants += ["conj", "im", "re"]
        variant, a = self.pick(variants), self.number(type_)
        result = COMPONENT.get(type_, type_) if variant in ("abs", "im", "re") else type_
        bound = type_bound(type_) if type_ in INTEGERS else a.bound
        self.define(result, f"arith.{variant} {a.name} : {result}", bound)

    def cast(self) -> None:
        source = self.operand_type()
        if source == "bool":
            return
        targets = [t for t in self.elements if source not in COMPLEX or t in COMPLEX]
        if self.safe and source not in INTEGERS:
            targets = [t for t in targets if t not in INTEGERS]
        a = self.number(source)
        if self.safe and a.bound > LIMIT:
            targets = [t for t in targets if t in INTEGERS]
        if not targets:
            return
        target = self.pick(targets)
        exact = target in INTEGERS and a.bound < type_bound(target)
        known = {"low": a.low, "high": a.high, "below": a.below} if exact else {}
        # rounding may enlarge a number a little
        self.define(target, f"cast {a.name} : {target}", a.bound if target in INTEGERS else a.bound * 1.01, **known)

    def compare(self) -> None:
        types = [n.type for n in self.scope.numbers if n.type in (INTEGERS if self.safe else ELEMENTS)]
        if types:
            type_ = self.pick(types)
            variant = self.pick(("eq", "ne") if type_ in COMPLEX else ("eq", "ne", "gt", "ge", "lt", "le"))
            self.define("bool", f"cmp.{variant} {self.number(type_).name}, {self.number(type_).name} : bool")

    def load(self) -> None:
        if self.spmd and self.spmd.own and self.spmd.root.initialised and self.chance(30):
            tensor, place = self.spmd.tensor, self.spmd.own
        else:
            tensors = self.readable()
            if not tensors:
                return
            tensor = self.pick(tensors)
            place = ", ".join(self.index_below(extent).name for extent in tensor.shape)
            if self.spmd:
                self.spmd.read.append(tensor.root)
        self.define(tensor.element, f"load {tensor.name}[{place}] : {tensor.element}", tensor.root.bound)

    def store(self) -> None:
        if not self.safe:
            tensors = [t for t in self.scope.tensors if t.element in self.elements]
            if tensors:
                tensor = self.pick(tensors)
                place = ", ".join(self.index_below(extent).name for extent in tensor.shape)
                value = self.number(tensor.element)
                self.line(f"store{self.pick(('', '.atomic', '.atomic_add'))} {value.name}, {tensor.name}[{place}]")
        elif self.spmd.own:
            self.store_own()
        elif self.spmd.added is None or self.chance(50):
            self.add_atomically()

    def store_own(self) -> None:
        """Write the place that belongs to this work-item alone."""
        tensor = self.spmd.tensor
        value = self.number(tensor.element)
        flags = [""]
        if tensor.element in ATOMIC:
            flags += [".atomic"] + [".atomic_add"] * tensor.root.initialised
        flag = self.pick(flags)
        bound = value.bound + tensor.root.bound if flag == ".atomic_add" else value.bound
        if tensor.element in INTEGERS or self.may_hold(tensor.root, bound):
            self.line(f"store{flag} {value.name}, {tensor.name}[{self.spmd.own}]")

    def add_atomically(self) -> None:
        """Several work-items add integers to one place, which none of them reads: any order gives the same."""
        unread = [t for t in self.readable() if t.root not in self.spmd.read]
        tensors = [t for t in unread if t.root.writable and t.element in ("i32", "i64")]
        if tensors and self.spmd.added is None:
            tensor = self.pick(tensors)
            self.spmd.added, self.spmd.tensor = tensor.root, tensor
        if self.spmd.added is not None:
            tensor = self.spmd.tensor
            place = ", ".join(self.index_below(extent).name for extent in tensor.shape)
            self.line(f"store.atomic_add {self.number(tensor.element).name}, {tensor.name}[{place}]")

    # Views.

    def view(
        self, tensor: Tensor, slices: Sequence[str], shape: Sequence[Extent], strides: Sequence[int | str]
    ) -> Tensor:
        strides = tuple("?" if self.chance(10) else stride for stride in strides)
        whole = tensor.whole and tuple(shape) == tensor.shape
        view = Tensor(self.fresh(), tensor.element, tuple(shape), strides, tensor.space, tensor.root, whole)
        self.line(f"{view.name} = subview {tensor.name}[{', '.join(slices)}] : {view.type}")
        self.scope.tensors.append(view)
        return view

    def subview(self) -> None:
        hidden = (self.spmd.root, self.spmd.added) if self.spmd and self.safe else ()
        tensors = [t for t in self.scope.tensors if t.root not in hidden]
        if not tensors:
            return
        tensor = self.pick(tensors)
        slices: list[str] = []
        shape: list[Extent] = []
        strides: list[int | str] = []
        for extent, stride in zip(tensor.shape, tensor.strides, strict=True):
            if self.chance(40):
                slices.append(self.index_below(extent).name)
                continue
            if isinstance(extent, Dynamic):
                size: Extent = extent
                offset = "0"
                text = self.size_of(tensor, tensor.shape.index(extent))
            else:
                begin = self.index_below(extent)
                last = begin.high if begin.high is not None else extent - 1
                size = self.rng.randrange(1, extent - last + 1)
                offset = begin.name if self.chance(50) else str(last)
                text = str(size)
            slices.append(f"{offset}:{text}")
            shape.append(size)
            strides.append(stride)
        self.view(tensor, slices, shape, strides)

    # Collective instructions.

    def some_alloca(self) -> None:
        shape = [self.pick((1, 2, 3, 4)) for _ in range(self.rng.randrange(4))]
        element = self.pick(self.elements)
        if self.chance(60):
            self.filled_alloca(element, shape)
        else:
            self.alloca(element, shape)

    def factors(self, element: str, product: float, target: Tensor) -> tuple[Number, Number, str] | None:
        """Alpha, beta and the atomic flag of an update that multiplies alpha with numbers up to `product`."""
        values: Sequence[complex] = (1, -1, 2) if element in INTEGERS else (1.0, -1.0, 0.5, 2.0)
        alpha = self.pick(values)
        atomic = self.chance(20) and (not self.safe or target.element in ATOMIC)
        betas = (0, 1) if atomic else (0, 1, *values)
        beta = 0 if self.safe and not target.root.initialised else self.pick(betas)
        integer = target.element in INTEGERS
        if self.safe and not integer:
            most = LIMIT / 4 if self.loops == target.root.loops else target.root.bound
            if abs(beta) * target.root.bound > most / 2:
                beta = 0
            room = most - abs(beta) * target.root.bound
            while abs(alpha) * product > room and abs(alpha) > 2**-12:
                alpha /= 2
            if not self.may_hold(target.root, abs(alpha) * product + abs(beta) * target.root.bound):
                return None
        alpha_number = self.constant(self.factor_type(element), alpha)
        beta_number = self.constant(self.factor_type(target.element), beta)
        if beta == 0 and target.whole:
            target.root.initialised = True
        return alpha_number, beta_number, ".atomic" if atomic else ""

    def factor_type(self, element: str) -> str:
        types = [t for t in self.elements if element in PROMOTABLE[t]]
        if self.safe or element in INTEGERS or self.chance(60):
            return element
        return self.pick([t for t in types if t not in INTEGERS] or [element])

    def target(self, element: str, shape: Sequence[Extent], *sources: Tensor) -> Tensor | None:
        """Something of this shape that may be written while the sources are read."""
        elements = PROMOTABLE[element] if not self.safe else (element,)
        roots = [t.root for t in sources] if self.safe else []
        known = [t for t in self.writable() if t.shape == tuple(shape) and t.element in elements]
        known = [t for t in known if t.root not in roots and (t.root.initialised or t.whole or not self.safe)]
        if known and self.chance(70):
            return self.pick(known)
        if all(isinstance(extent, int) for extent in shape):
            return self.alloca(element, [int(str(extent)) for extent in shape])
        return None

    def axpby(self) -> None:
        sources = [t for t in self.readable() if len(t.shape) <= 2]
        if not sources:
            return
        source = self.pick(sources)
        transpose = self.pick("nt")
        shape = source.shape[::-1] if transpose == "t" else source.shape
        target = self.target(source.element, shape, source)
        if target is None:
            return
        growth = 2 if source.element in COMPLEX else 1
        found = self.factors(source.element, growth * source.root.bound, target)
        if found:
            alpha, beta, atomic = found
            operands = f"{alpha.name}, {source.name}, {beta.name}, {target.name}"
            self.line(f"axpby.{transpose}{atomic} {operands}")

    def axpby_into(self, target: Tensor) -> None:
        """Give a scalar alloca a value: store it by the only point of a loop."""
        zero, one = self.constant("index", 0), self.constant("index", 1)
        self.line(f"foreach ({self.fresh()}) = ({zero.name}), ({one.name}) {{")
        value = self.constant(target.element)
        self.line(f"  store {value.name}, {target.name}[]")
        self.line("}")
        self.scope.numbers.remove(value)
        target.root.bound = max(target.root.bound, value.bound)
        target.root.initialised = True

    def gemm(self) -> None:
        matrices = [t for t in self.readable() if len(t.shape) == 2]
        if not matrices:
            return
        a = self.pick(matrices)
        ta, tb = self.pick("nt"), self.pick("nt")
        rows, inner = a.shape[::-1] if ta == "t" else a.shape
        fitting = [t for t in matrices if t.element == a.element and t.shape[tb == "t"] == inner]
        if fitting:
            b = self.pick(fitting)
        elif isinstance(inner, int):
            columns = self.pick((1, 2, 3))
            b = self.filled_alloca(a.element, (columns, inner) if tb == "t" else (inner, columns))
        else:
            return
        if self.safe and not b.root.initialised:
            return
        target = self.target(a.element, (rows, b.shape[tb == "n"]), a, b)
        if target is None:
            return
        length = inner if isinstance(inner, int) else 64
        growth = 4 if a.element in COMPLEX else 1
        found = self.factors(a.element, growth * length * a.root.bound * b.root.bound, target)
        if found:
            alpha, beta, atomic = found
            operands = f"{alpha.name}, {a.name}, {b.name}, {beta.name}, {target.name}"
            self.line(f"gemm.{ta}.{tb}{atomic} {operands}")

    def foreach(self) -> None:
        tensors = [t for t in self.writable() if t.shape]
        if tensors:
            self.fill(self.pick(tensors))

    def fill(self, tensor: Tensor) -> None:
        """A foreach over all or a part of a tensor, whose points write their own elements."""
        starts, ends, variables = [], [], []
        covered = tensor.whole
        for mode, extent in enumerate(tensor.shape):
            low = 0
            if isinstance(extent, int):
                low, high = (0, extent) if self.chance(80) else sorted(self.rng.randrange(extent + 1) for _ in "ab")
                covered = covered and (low, high) == (0, extent)
                ends.append(self.constant("index", high).name)
                known = {"low": low, "high": high - 1}
            else:
                ends.append(self.size_of(tensor, mode))
                known = {"low": 0, "below": extent}
            starts.append(self.constant("index", low).name)
            variables.append(Number(self.fresh(), "index", **known))
        if self.safe and not covered and not tensor.root.initialised:
            return
        names = ", ".join(v.name for v in variables)
        kind = self.pick(("", "", ": index"))
        self.line(f"foreach ({names}){kind} = ({', '.join(starts)}), ({', '.join(ends)}) {{")
        with self.region():
            self.scope.numbers += variables
            self.spmd = Spmd(tensor.root, names, tensor)
            self.body(4)
            if self.safe:
                self.last_store(tensor, names)
            self.spmd = None
        self.line("}")
        if covered:
            tensor.root.initialised = True

    def last_store(self, tensor: Tensor, place: str) -> None:
        known = [n for n in self.scope.numbers if n.type == tensor.element]
        value = self.pick(known) if known else self.constant(tensor.element)
        if tensor.element in FLOATS:
            value = self.bounded(value, max(1.0, tensor.root.bound if self.loops != tensor.root.loops else LIMIT / 4))
        if tensor.element not in INTEGERS and not self.may_hold(tensor.root, value.bound):
            value = self.constant(tensor.element, 0)
        self.line(f"store {value.name}, {tensor.name}[{place}]")

    def parallel(self) -> None:
        self.line("parallel {")
        with self.region():
            self.spmd = Spmd()
            self.body(4)
            if self.chance(30):
                self.barrier()
            self.spmd = None
        self.line("}")

    # Control flow.

    def carried(self) -> list[Number]:
        known = [n for n in self.scope.numbers if n.type in FLOATS or n.type in INTEGERS or n.type == "bool"]
        return [self.pick(known) for _ in range(self.rng.randrange(3))] if known else []

    def limit(self, first: Number) -> float:
        """How large a carried value may become."""
        return type_bound(first.type) if first.type in INTEGERS else max(first.bound, 8.0)

    def yields(self, firsts: Sequence[Number]) -> None:
        values = [self.number(first.type) for first in firsts]
        pairs = zip(values, firsts, strict=True)
        cut = [self.bounded(v, self.limit(f)) if f.type in FLOATS else v for v, f in pairs]
        if cut or self.chance(20):
            self.line(f"yield ({', '.join(value.name for value in cut)})")

    def results(self, firsts: Sequence[Number]) -> list[Number]:
        return [Number(self.fresh(), first.type, self.limit(first)) for first in firsts]

    def assignment(self, results: Sequence[Number]) -> str:
        return f"{', '.join(n.name for n in results)} = " if results else ""

    def loop(self) -> None:
        type_ = self.pick(("index", "index", "i32", "i16"))
        start, count, step = self.rng.randrange(3), self.rng.randrange(4), self.pick((None, 1, 2))
        stop = start + count
        bounds = [self.constant(type_, start).name, self.constant(type_, stop).name]
        if step is not None:
            bounds.append(self.constant(type_, step).name)
        firsts, variable = self.carried(), self.fresh()
        results, inside = self.results(firsts), self.results(firsts)
        annotation = f": {type_}" if type_ != "index" or self.chance(30) else ""
        carried = ""
        if firsts:
            pairs = ", ".join(f"{i.name}={f.name}" for i, f in zip(inside, firsts, strict=True))
            carried = f" init({pairs}) -> ({', '.join(f.type for f in firsts)})"
        self.line(f"{self.assignment(results)}for {variable}{annotation} = {', '.join(bounds)}{carried} {{")
        with self.region(), self.branch_of_writes():
            self.loops += 1
            known = {"low": start, "high": max(start, stop - 1)}
            self.scope.numbers += [Number(variable, type_, float(stop), **known), *inside]
            self.body(4)
            self.yields(firsts)
            self.loops -= 1
        self.line("}" + self.pick(("", "", " {unroll=true}", " {unroll=false}")))
        self.scope.numbers += results

    def branch(self) -> None:
        condition = self.number("bool")
        firsts = self.carried()
        results = self.results(firsts)
        types = f" -> ({', '.join(f.type for f in firsts)})" if firsts else ""
        self.line(f"{self.assignment(results)}if {condition.name}{types} {{")
        with self.region(), self.branch_of_writes():
            self.body(4)
            self.yields(firsts)
        if firsts or self.chance(50):
            self.line("} else {")
            with self.region(), self.branch_of_writes():
                self.body(4)
                self.yields(firsts)
        self.line("}")
        self.scope.numbers += results

    @contextmanager
    def branch_of_writes(self) -> Iterator[None]:
        """A region that may not be executed: what it initialises counts inside only."""
        before = {t.root: t.root.initialised for t in self.scope.tensors}
        yield
        for root, initialised in before.items():
            root.initialised = initialised


def _bound_of(variant: str, type_: str, a: float, b: float) -> float:
    """The largest absolute value of a result."""
    if type_ in INTEGERS:
        small = {"add": a + b, "sub": a + b, "mul": a * b, "min": max(a, b), "max": max(a, b), "div": a, "rem": b}
        bound = small.get(variant, math.inf)
        return bound if bound < type_bound(type_) else type_bound(type_)
    growth = 2 if type_ in COMPLEX else 1
    return {
        "add": a + b,
        "sub": a + b,
        "mul": growth * a * b,
        "div": growth * a / b if b else math.inf,
        "min": max(a, b),
        "max": max(a, b),
        "rem": a,
    }[variant]
