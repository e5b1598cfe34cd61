"""The text of an MLIR module while it is written: names, lines, regions, and source locations."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ...diagnostics import Location
from ...diagnostics.quoting import mlir_comment, mlir_location, mlir_name

_STRIDED = re.compile(r"memref<[^<>]*, strided<\[[^\]]*\], offset: \?>>")
_SIZES_AND_STRIDES = re.compile(r"memref<(.*), strided<\[(.*)\], offset: \?>>")
_HEX_DIGITS = {"f16": 4, "bf16": 4, "f32": 8, "f64": 16}


@dataclass(frozen=True)
class _Line:
    depth: int
    text: str
    location: Location | None = None
    """Of an operation that is written in one line."""

    @property
    def is_comment(self) -> bool:
        return self.text.startswith("//")


class Builder:
    """Collects the operations of one function after the other.

    Names are those of the language's values where they are free. `op` returns the name of an operation's result; `line`
    writes operations without results, `block` those with a region.
    """

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._depth = 0
        self._used: set[str] = set()
        self._constants: dict[tuple[str, str], str] = {}
        self._constants_at = self._constants_depth = 0
        self._shown: tuple[str, int] | None = None
        self._location: Location | None = None

    # Names.

    def fresh(self, hint: str = "v") -> str:
        """A name for a value: `%hint`, with a number appended where it is taken."""
        name = base = mlir_name(hint)
        number = 0
        while name in self._used:
            number += 1
            name = f"{base}_{number}"
        self._used.add(name)
        return f"%{name}"

    # Operations.

    def line(self, text: str) -> None:
        """An operation without results."""
        self._lines.append(_Line(self._depth, text, self._location))

    def op(self, text: str, hint: str = "v") -> str:
        """An operation with one result; returns the result's name."""
        name = self.fresh(hint)
        self.line(f"{name} = {text}")
        return name

    def ops(self, text: str, hint: str, count: int) -> list[str]:
        """An operation with `count` results; returns their names."""
        name = self.fresh(hint)
        self.line(f"{name}:{count} = {text}")
        return [f"{name}#{number}" for number in range(count)]

    @contextmanager
    def block(self, head: str, tail: str = "") -> Iterator[None]:
        """An operation with a region: `head {`, the operations that are written inside, `} tail`."""
        self._lines.append(_Line(self._depth, f"{head} {{"))
        self._depth += 1
        yield
        self._depth -= 1
        self._lines.append(_Line(self._depth, f"}}{' ' if tail else ''}{tail}"))

    @contextmanager
    def function(
        self,
        name: str,
        parameters: Sequence[tuple[str, str]],
        keyword: str = "",
        attributes: str = "",
        results: Sequence[str] = (),
        returned: Sequence[str] = (),
    ) -> Iterator[list[str]]:
        """A function with named and typed parameters; gives the parameters' names.

        It has names and constants of its own. `results` are the types of what it returns, and `returned`, which is read
        at the end of the block, is what.
        """
        names = self._begin(parameters)
        head = f"func.func {keyword}{' ' if keyword else ''}@{name}({_listed(names, parameters)})"
        head += f" -> ({', '.join(results)})" if results else ""

        def end() -> str:
            return f"return {', '.join(returned)} : {', '.join(results)}" if results else "return"

        with self._body(f"{head} attributes {{{attributes}}}" if attributes else head, end):
            yield names

    @contextmanager
    def kernel(
        self,
        name: str,
        parameters: Sequence[tuple[str, str]],
        shared: Sequence[tuple[str, str]],
        attributes: str,
    ) -> Iterator[list[str]]:
        """A kernel of a `gpu.module`; gives the names of its parameters, and of the memory that a work-group shares."""
        names = self._begin([*parameters, *shared])
        head = f"gpu.func @{name}({_listed(names, parameters)})"
        if shared:
            listed = ", ".join(f"{n} : {type_}" for n, (_, type_) in zip(names[len(parameters) :], shared))
            head += f" workgroup({listed})"
        with self._body(f"{head} kernel attributes {{{attributes}}}", lambda: "gpu.return"):
            yield names

    def _begin(self, parameters: Sequence[tuple[str, str]]) -> list[str]:
        self._used, self._constants, self._shown, self._location = set(), {}, None, None
        return [self.fresh(hint) for hint, _ in parameters]

    @contextmanager
    def _body(self, head: str, end: Callable[[], str]) -> Iterator[None]:
        with self.block(head):
            self.settle()
            yield
            self._location = None
            self.line(end())

    def settle(self) -> None:
        """Let what is written at the function's top from now on come after what stands there."""
        self._constants_at, self._constants_depth = len(self._lines), self._depth

    def otherwise(self) -> None:
        """Begin the second region of an operation: `} else {`."""
        self._lines.append(_Line(self._depth - 1, "} else {"))

    @contextmanager
    def loop(self, start: str, stop: str, step: str, hint: str = "i") -> Iterator[str]:
        """A loop over index values that carries nothing; gives the name of its variable."""
        variable = self.fresh(hint)
        with self.block(f"scf.for {variable} = {start} to {stop} step {step}"):
            yield variable

    @contextmanager
    def carrying(
        self, start: str, stop: str, step: str, inits: Sequence[str], types: Sequence[str], hint: str = "i"
    ) -> Iterator[Carried]:
        """A loop over index values that carries values: `results` are the names of its results.

        The block ends with `carried.give(…)`, which writes the yield.
        """
        variable = self.fresh(hint)
        names = [self.fresh("carried") for _ in inits]
        result = self.fresh("loop")
        count = len(names)
        results = [result] if count == 1 else [f"{result}#{number}" for number in range(count)]
        pairs = ", ".join(f"{name} = {init}" for name, init in zip(names, inits))
        head = f"{result}{f':{count}' if count > 1 else ''} = scf.for {variable} = {start} to {stop} step {step}"
        with self.block(f"{head} iter_args({pairs}) -> ({', '.join(types)})"):
            yield Carried(self, variable, names, list(types), results)

    @contextmanager
    def carrying_while(
        self, flag: int, start: str, stop: str, inits: Sequence[str], types: Sequence[str], hint: str = "i"
    ) -> Iterator[Carried]:
        """As `carrying`, with steps of 1, but the loop ends as soon as the carried value of that number is false."""
        count, result = len(inits) + 1, self.fresh("loop")
        every = ["index", *types]
        head = [self.fresh(hint), *(self.fresh("carried") for _ in inits)]
        pairs = ", ".join(f"{name} = {init}" for name, init in zip(head, [start, *inits]))
        of = ", ".join(every)
        with self.block(f"{result}:{count} = scf.while ({pairs}) : ({of}) -> ({of})"):
            is_in_range = self.op(f"arith.cmpi slt, {head[0]}, {stop} : index")
            runs = self.op(f"arith.andi {is_in_range}, {head[1 + flag]} : i1")
            self.line(f"scf.condition({runs}) {', '.join(head)} : {of}")
            self._lines.append(_Line(self._depth - 1, "} do {"))
            variable, *names = [self.fresh(hint), *(self.fresh("carried") for _ in inits)]
            arguments = ", ".join(f"{name}: {type_}" for name, type_ in zip([variable, *names], every))
            self._lines.append(_Line(self._depth - 1, f"^bb0({arguments}):"))
            yield Carried(
                self, variable, names, list(types), [f"{result}#{number}" for number in range(1, count)], True
            )

    def constant(self, value: bool | int | float, type_: str = "index") -> str:
        """The name of a constant, which is written once, at the function's top."""
        literal = literal_of(value, type_)
        key = literal, type_
        if key not in self._constants:
            hint = f"c{value}" if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else "cst"
            hint = {"index": hint, "i1": literal}.get(type_, f"{hint}_{type_}")
            typed = literal if type_ == "i1" else f"{literal} : {type_}"
            self._constants[key] = self.at_top(f"arith.constant {typed}", hint)
        return self._constants[key]

    def once(self, text: str, hint: str = "v") -> str:
        """The result of an operation without operands, written once per hint at the function's top."""
        key = text, hint
        if key not in self._constants:
            self._constants[key] = self.at_top(text, hint)
        return self._constants[key]

    def at_top(self, text: str, hint: str) -> str:
        """An operation with one result in front of all others, except those that this method has written before."""
        name = self.fresh(hint)
        self._lines.insert(self._constants_at, _Line(self._constants_depth, f"{name} = {text}"))
        self._constants_at += 1
        return name

    # Source locations.

    def origin(self, location: Location | None) -> None:
        """Set the location of what is written from now on; the user's line is shown above it, once."""
        self._location = location
        while location is not None and location.caller is not None:
            location = location.caller
        if location is not None and (location.source.name, location.line) != self._shown:
            self._shown = (location.source.name, location.line)
            self.comment(f"{location.line}: {location.source.line(location.line).strip()}")

    def comment(self, text: str) -> None:
        self._lines.append(_Line(self._depth, mlir_comment(text)))

    def text(self, locations: bool = False) -> str:
        """All that was written; with `locations`, each operation has its location in the user's source.

        Long types get aliases, which are defined at the top.
        """
        # comments contain the user's text, in which nothing is replaced
        found = {type_ for line in self._lines if not line.is_comment for type_ in _STRIDED.findall(line.text)}
        aliases = {type_: _alias(type_) for type_ in sorted(found)}
        lines = [f"{alias} = {type_}\n" for type_, alias in aliases.items()]
        for line in self._lines:
            text = line.text if line.is_comment else _STRIDED.sub(lambda found: aliases[found[0]], line.text)
            lines.append(f"{'  ' * line.depth}{text}{_suffix(line) if locations else ''}\n")
        return "".join(lines)


def _listed(names: Sequence[str], parameters: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name}: {type_}" for name, (_, type_) in zip(names, parameters))


def _alias(type_: str) -> str:
    """The name of a strided memref type: element, sizes, and the strides, unless they leave no gaps."""
    sizes, strides = _SIZES_AND_STRIDES.fullmatch(type_).groups()  # type: ignore[union-attr]
    *extents, element = sizes.split("x")
    packed, dense = [], 1 if "?" not in extents[1:] else 0
    for extent in reversed(extents):
        packed.append(str(dense))
        dense *= int(extent) if extent != "?" else 1
    words = [element, *extents]
    if ", ".join(reversed(packed)) != strides:
        words += ["by", *strides.split(", ")]
    return "!" + "_".join(words).replace("?", "n")


@dataclass(frozen=True)
class Carried:
    """What a loop carries, inside of it."""

    builder: Builder
    variable: str
    values: list[str]
    types: list[str]
    results: list[str]
    counts: bool = False
    """Whether the loop's variable is carried, too."""

    def give(self, values: Sequence[str]) -> None:
        """Pass values on to the next iteration; this is the last operation of the loop."""
        if self.counts:
            following = self.builder.op(f"arith.addi {self.variable}, {self.builder.constant(1)} : index")
            self.builder.line(f"scf.yield {', '.join([following, *values])} : {', '.join(['index', *self.types])}")
            return
        self.builder.line(f"scf.yield {', '.join(values)} : {', '.join(self.types)}")


def literal_of(value: bool | int | float, type_: str) -> str:
    """A number as MLIR writes it, exactly."""
    if type_ == "i1":
        return str(bool(value)).lower()
    if isinstance(value, int) and type_ not in _HEX_DIGITS:
        return str(value)
    value = float(value)
    if not math.isfinite(value):
        return _bits_of(value, type_)
    shown = repr(value)  # of the double; what is exact in a narrower type is so when it is read as a double first
    mantissa, e, exponent = shown.partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"


def _bits_of(value: float, type_: str) -> str:
    if type_ == "bf16":
        bits = struct.pack(">f", value)[:2]
    else:
        bits = struct.pack({"f16": ">e", "f32": ">f", "f64": ">d"}[type_], value)
    return f"0x{bits.hex().upper()}"


def _suffix(line: _Line) -> str:
    place = line.location
    if place is None or line.is_comment:
        return ""
    return f" {mlir_location(place.source.name, place.line, place.column)}"
