"""Long bodies of scalar instructions: every type, casts between all of them, loops in loops, branches.

Other safe programs keep the ranges of numbers by rule, and so seldom cast what a loop or a branch gives. Here ranges
are kept by instructions: numbers are cut by `min` and `max` in front of a cast to a type that may not have them.
Nothing is rounded in more than one way, so that all bits of the results are equal on all backends, but for the payload
of nan: there are no sums of the work-group, no functions, and no products of complex numbers. Which of two zeros `min`
and `max` give is open, so that zero is added to what they give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from .language import COMPLEX, COMPONENT, ELEMENTS, FLOATS, INTEGERS, SIZES

POINTS = 16
GROUPS = "?"
SMALL = 100
"""No number is larger when it is cast to an integer: it fits into i8."""
DEPTH = 3
Value = tuple[str, str]
"""A name and a type."""


def bodies(rng: Random, size: int = 40, name: str = "kernel", elements: Sequence[str] = ELEMENTS) -> str:
    """The text of a function with about `size` instructions for each point of a foreach, most of them in regions."""
    return _Body(rng, tuple(elements)).function(name, size)


class _Body:
    def __init__(self, rng: Random, elements: tuple[str, ...]) -> None:
        self.rng = rng
        self.elements = elements
        self.lines: list[str] = []
        self.names = 0
        self.depth = 1
        self.left = 0
        self.known: list[Value] = []

    def function(self, name: str, size: int) -> str:
        inputs = [self.rng.choice(self.elements) for _ in range(3)]
        outputs = [self.rng.choice(self.elements) for _ in range(3)]
        parameters = [f"%in{k}: memref<{type_}x{POINTS}>" for k, type_ in enumerate(inputs)]
        parameters += [f"%out{k}: memref<{type_}x{POINTS}x{GROUPS}>" for k, type_ in enumerate(outputs)]
        group = self.define("builtin.group_id", "index")
        begin, end = self.constant("index", "0"), self.constant("index", str(POINTS))
        self.line(f"foreach (%point) = ({begin}), ({end}) {{")
        with self.region():
            self.known.append(("%point", "index"))
            for k, type_ in enumerate(inputs):
                self.define(f"load %in{k}[%point]", type_)
            self.left = size
            while self.left > 0:
                self.statement()
            for k, type_ in enumerate(outputs):
                self.line(f"store {self.as_type(self.latest(), type_)}, %out{k}[%point, {group}]")
        self.line("}")
        return f"func @{name}({', '.join(parameters)}) {{\n" + "\n".join(self.lines) + "\n}\n"

    # Lines and names.

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def fresh(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def define(self, right: str, type_: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {right} : {type_}")
        self.known.append((name, type_))
        return name

    def constant(self, type_: str, text: str) -> str:
        name = self.fresh()
        self.line(f"{name} = constant {text} : {type_}")
        return name

    @contextmanager
    def region(self) -> Iterator[None]:
        known = list(self.known)
        self.depth += 1
        yield
        self.depth -= 1
        self.known = known

    # Values.

    def latest(self) -> Value:
        """A value at hand, of the last ones more often."""
        return self.rng.choice(self.known[-8:] if self.rng.random() < 0.7 else self.known)

    def literal(self, type_: str) -> str:
        if type_ in INTEGERS:
            most = 2 ** (8 * SIZES[type_] - 1) - 1
            return str(self.rng.choice([0, 1, -1, 2, -3, 7, SMALL, most, -most]))
        real = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 100.0, 2.0**-14, 2.0**-24]
        if type_ in COMPLEX:
            return f"[{self.rng.choice(real)!r}, {self.rng.choice(real)!r}]"
        return repr(self.rng.choice(real))

    def of_type(self, type_: str) -> str:
        """A value of a type: one at hand, a literal, or a cast."""
        here = [name for name, known in self.known if known == type_]
        if here and self.rng.random() < 0.6:
            return self.rng.choice(here[-5:])
        if self.rng.random() < 0.4:
            return self.constant(type_, self.literal(type_))
        return self.as_type(self.latest(), type_)

    def as_type(self, value: Value, type_: str) -> str:
        """A value as another type, by casts that are defined."""
        name, source = value
        if source == type_:
            return name
        if source == "bool":
            return self.chosen(name, type_)
        if source in COMPLEX and type_ not in COMPLEX:
            part = COMPONENT[source]
            return self.as_type((self.define(f"arith.{self.rng.choice(['re', 'im'])} {name}", part), part), type_)
        if type_ in INTEGERS and source in FLOATS:
            name = self.cut(name, source)
        return self.define(f"cast {name}", type_)

    def chosen(self, condition: str, type_: str) -> str:
        """One of two literals by a truth value; of integers often the -1 and 0 that an optimizer makes of it."""
        texts = [self.literal(type_), self.literal(type_)]
        if type_ in INTEGERS and self.rng.random() < 0.7:
            texts = self.rng.choice([["-1", "0"], ["0", "-1"], ["1", "0"]])
        name, (yes, no) = self.fresh(), (self.constant(type_, text) for text in texts)
        self.line(f"{name} = if {condition} -> ({type_}) {{ yield ({yes}) }} else {{ yield ({no}) }}")
        self.known.append((name, type_))
        return name

    def truth_as_number(self) -> None:
        """A truth value as an integer, and that in a floating type."""
        integers = [e for e in self.elements if e in INTEGERS]
        floats = [e for e in self.elements if e not in INTEGERS]
        if integers and floats:
            type_ = self.rng.choice(integers)
            self.as_type((self.chosen(self.truth(), type_), type_), self.rng.choice(floats))

    def cut(self, name: str, type_: str) -> str:
        """A number between -SMALL and SMALL; of nan, the larger end."""
        ends = (str(-SMALL), str(SMALL)) if type_ in INTEGERS else (f"-{SMALL}.0", f"{SMALL}.0")
        for variant, end in zip(("min", "max"), reversed(ends), strict=True):
            name = self.define(f"arith.{variant} {name}, {self.constant(type_, end)}", type_)
        return name

    def truth(self) -> str:
        here = [name for name, type_ in self.known if type_ == "bool"]
        if here and self.rng.random() < 0.5:
            return self.rng.choice(here)
        type_ = self.rng.choice(self.elements)
        variants = ("eq", "ne") if type_ in COMPLEX else ("eq", "ne", "lt", "le", "gt", "ge")
        a, b = self.of_type(type_), self.of_type(type_)
        return self.define(f"cmp.{self.rng.choice(variants)} {a}, {b}", "bool")

    # Statements.

    def statement(self) -> None:
        self.left -= 1
        choices = [self.binary] * 5 + [
            self.unary,
            self.cast,
            self.cast,
            self.cast,
            self.narrowed,
            self.choice,
            self.truth_as_number,
        ]
        if self.depth <= DEPTH:
            choices += [self.loop, self.loop, self.branch, self.branch]
        self.rng.choice(choices)()

    def binary(self) -> None:
        type_ = self.rng.choice(self.elements)
        a, b = self.of_type(type_), self.of_type(type_)
        if type_ in COMPLEX:
            self.define(f"arith.{self.rng.choice(['add', 'sub'])} {a}, {b}", type_)
        elif type_ in FLOATS:
            variant = self.rng.choice(["add", "sub", "mul", "div", "rem", "min", "max"])
            name = self.define(f"arith.{variant} {a}, {b}", type_)
            if variant in ("min", "max"):
                self.define(f"arith.add {name}, {self.constant(type_, '0.0')}", type_)
                self.known.remove((name, type_))
        else:
            self.of_integers(type_, a, b)

    def of_integers(self, type_: str, a: str, b: str) -> None:
        variants = ["add", "sub", "mul", "div", "rem", "min", "max", "shl", "shr", "and", "or", "xor"]
        variant = self.rng.choice(variants)
        if variant in ("div", "rem"):
            b = self.define(f"arith.or {b}, {self.constant(type_, '1')}", type_)
        elif variant in ("shl", "shr"):
            b = self.define(f"arith.and {b}, {self.constant(type_, str(8 * SIZES[type_] - 1))}", type_)
        self.define(f"arith.{variant} {a}, {b}", type_)

    def unary(self) -> None:
        type_ = self.rng.choice(self.elements)
        variants = (
            ["neg", "abs", "not"] if type_ in INTEGERS else ["neg", "conj"] if type_ in COMPLEX else ["neg", "abs"]
        )
        self.define(f"arith.{self.rng.choice(variants)} {self.of_type(type_)}", type_)

    def cast(self) -> None:
        self.as_type(self.latest(), self.rng.choice(self.elements))

    def narrowed(self) -> None:
        """A few bits of an integer, or a number between two others: what an optimizer knows the range of."""
        type_ = self.rng.choice([e for e in self.elements if e not in COMPLEX] or ["i32"])
        name = self.of_type(type_)
        if type_ in INTEGERS and self.rng.random() < 0.5:
            self.define(f"arith.and {name}, {self.constant(type_, self.rng.choice(['1', '3', '7']))}", type_)
        else:
            self.cut(name, type_)

    def choice(self) -> None:
        self.chosen(self.truth(), self.rng.choice(self.elements))

    def carried(self) -> list[Value]:
        """What a loop or a branch gives: values of any types."""
        types = [self.rng.choice((*self.elements, "bool")) for _ in range(self.rng.randrange(1, 4))]
        return [(self.truth() if type_ == "bool" else self.of_type(type_), type_) for type_ in types]

    def inside(self, types: Sequence[str]) -> None:
        for _ in range(self.rng.randrange(1, 6)):
            self.statement()
        given = [self.truth() if type_ == "bool" else self.of_type(type_) for type_ in types]
        self.line(f"yield ({', '.join(given)})")

    def loop(self) -> None:
        kind = self.rng.choice(INTEGERS)
        first = self.rng.randrange(0 if kind == "index" else -3, 3)
        count, step = self.rng.randrange(5), self.rng.choice((None, 1, 2, 3))
        bounds = [self.constant(kind, str(first)), self.constant(kind, str(first + count))]
        if step is not None:
            bounds.append(self.constant(kind, str(step)))
        initial = self.carried()
        inner, outer = ([self.fresh() for _ in initial] for _ in range(2))
        variable = self.fresh()
        pairs = ", ".join(f"{a}={value}" for a, (value, _) in zip(inner, initial, strict=True))
        types = [type_ for _, type_ in initial]
        head = f"{', '.join(outer)} = for {variable} : {kind} = {', '.join(bounds)} init({pairs})"
        self.line(f"{head} -> ({', '.join(types)}) {{")
        with self.region():
            self.known += [(variable, kind), *zip(inner, types, strict=True)]
            self.inside(types)
        self.line(f"}}{self.rng.choice(['', '', ' {unroll=true}', ' {unroll=false}'])}")
        self.known += zip(outer, types, strict=True)

    def branch(self) -> None:
        condition = self.truth()
        types = [type_ for _, type_ in self.carried()]
        names = [self.fresh() for _ in types]
        self.line(f"{', '.join(names)} = if {condition} -> ({', '.join(types)}) {{")
        for number in range(2):
            if number:
                self.line("} else {")
            with self.region():
                self.inside(types)
        self.line("}")
        self.known += zip(names, types, strict=True)
