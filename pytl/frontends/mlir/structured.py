"""linalg: what its operations say: operands with maps, iterations, and a function of elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.values import Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Dimension, Expression
from ...mlir.affine.simplify import linear
from ...mlir.text import Block, Complex, Memref, Operation, Scalar
from ...mlir.text import Type as MlirType
from ...mlir.text.custom import element_of
from ...mlir.text.named import NAMED, Body
from ...mlir.text.tree import Dense, Raw
from ...mlir.text.types import INDEX
from . import affine_values, rules
from .context import Context
from .tree_writer import TreeWriter
from .values import Size, View

_ELEMENTWISE: dict[str, tuple[str | None, ...]] = {
    "add": ("arith.addf", "arith.addi", "complex.add"),
    "sub": ("arith.subf", "arith.subi", "complex.sub"),
    "mul": ("arith.mulf", "arith.muli", "complex.mul"),
    "div": ("arith.divf", "arith.divsi", "complex.div"),
    "div_unsigned": (None, "arith.divui"),
    "max": ("arith.maximumf", "arith.maxsi"),
    "min": ("arith.minimumf", "arith.minsi"),
    "max_signed": ("arith.maximumf", "arith.maxsi"),
    "min_signed": ("arith.minimumf", "arith.minsi"),
    "max_unsigned": (None, "arith.maxui"),
    "min_unsigned": (None, "arith.minui"),
    "powf": ("math.powf", None),
    "exp": ("math.exp", None, "complex.exp"),
    "log": ("math.log", None, "complex.log"),
    "abs": ("math.absf", "math.absi"),
    "ceil": ("math.ceil", None),
    "floor": ("math.floor", None),
    "negf": ("arith.negf", None),
    "sqrt": ("math.sqrt", None),
    "rsqrt": ("math.rsqrt", None),
    "tanh": ("math.tanh", None),
    "round": ("math.round", None),
    "erf": ("math.erf", None),
}
"""Of each element-wise operation the one on floating point numbers, on integers, and on complex numbers."""
Input = View | Value


@dataclass
class Structured:
    """A structured operation. `maps` are those of the inputs, then of the outputs."""

    op: Operation
    inputs: list[Input]
    outputs: list[View]
    maps: list[AffineMap]
    iterators: list[str]
    sizes: list[Size]
    block: Block
    numbers: list[tuple[Value | None, int | None]]
    """Of each iteration of the operation as it is written, where it begins, and its number here."""
    captured: Sequence[View] = ()
    """Memory that the function of elements reads in places of its own."""

    @property
    def operands(self) -> list[Input]:
        return [*self.inputs, *self.outputs]

    def places(self, ctx: Context, indices: Mapping[int, Value]) -> list[Value]:
        """Where each iteration of the operation as it is written is, for indices of those here."""
        found = []
        for start, number in self.numbers:
            own = None if number is None else indices[number]
            both = [each for each in (start, own) if each is not None]
            found.append(both[0] if len(both) == 1 else affine_values.arith(ctx, "+", *both))
        return found

    def dimensions(self, number: int) -> list[int] | None:
        """The iterations that are the indices of an operand; None where an index is another expression."""
        results = self.maps[number].results
        if not all(isinstance(each, Dimension) for each in results):
            return None
        return [each.position for each in results if isinstance(each, Dimension)]

    def accumulates(self, number: int) -> bool:
        """Whether the function of elements reads what an output has."""
        name = self.block.arguments[len(self.inputs) + number][0]
        return any(name in inner.operands for op in self.block.operations for inner in op.walk())


def structured(ctx: Context, op: Operation) -> Structured:
    """What an operation says, of named and generic ones alike."""
    inputs, outputs = _operands(ctx, op)
    word = op.name.partition(".")[2]
    ranks = [len(each.sizes) if isinstance(each, View) else 0 for each in (*inputs, *outputs)]
    maps, iterators = _iterations(ctx, op, word, ranks)
    if len(maps) != len(ranks):
        ctx.fail(op, rules.OPERANDS, f"it has {len(maps)} maps for {len(ranks)} operands")
    for map_, rank in zip(maps, ranks):
        if len(map_.results) != rank or len(map_.dimensions) != len(iterators) or map_.symbols:
            ctx.fail(op, rules.MAP, f"the map {map_} is not of {len(iterators)} iterations to {rank} indices")
    block = ctx.block(op) if op.regions and op.regions[0].blocks else function_of_elements(ctx, op)
    if word == "map" and len(block.arguments) == len(inputs):
        # older texts have no argument for the output, which is not read
        block = Block("", [*block.arguments, ("", element_of(op.operand_types[-1]))], block.operations)
    if len(block.arguments) != len(ranks):
        ctx.fail(op, rules.STRUCTURE, "its region has an argument for each operand")
    sizes = _sizes(ctx, op, maps, [*inputs, *outputs], len(iterators))
    numbers: list[tuple[Value | None, int | None]] = [(None, d) for d in range(len(iterators))]
    return Structured(op, inputs, outputs, maps, iterators, sizes, block, numbers, _captured(ctx, block))


def _captured(ctx: Context, block: Block) -> list[View]:
    found = (
        ctx.names.find(name)
        for op in block.operations
        for inner in op.walk()
        for name, type_ in zip(inner.operands, inner.operand_types)
        if isinstance(type_, Memref)
    )
    return [each for each in found if isinstance(each, View)]


def _operands(ctx: Context, op: Operation) -> tuple[list[Input], list[View]]:
    inputs: list[Input] = []
    if "operandSegmentSizes" in op.attributes:
        groups = ctx.segments(op, ("inputs", "outputs"))
    else:
        count = len(op.operands)
        groups = {"inputs": range(count - 1), "outputs": range(count - 1, count)}
    for number in groups["inputs"]:
        operand = ctx.operand(op, number)
        inputs.append(operand if isinstance(operand, Value) else ctx.view(op, number))
    outputs = [ctx.view(op, number) for number in groups["outputs"]]
    if not outputs and not inputs:
        ctx.fail(op, rules.OPERANDS, "it has no operands")
    if not outputs and op.name != "linalg.generic":
        ctx.fail(op, rules.OPERANDS, "it has no output")
    return inputs, outputs


# Iterations.


def _iterations(ctx: Context, op: Operation, word: str, ranks: Sequence[int]) -> tuple[list[AffineMap], list[str]]:
    if "iterator_types" in op.attributes:
        iterator_types = op.attributes["iterator_types"]
        names = [_iterator(ctx, op, each) for each in iterator_types] if isinstance(iterator_types, tuple) else []
        return _maps(ctx, op), names
    if word in NAMED:
        named = NAMED[word]
        if op.attributes.get("indexing_maps"):
            maps = _maps(ctx, op)
            return maps, _iterators_of(maps)
        steps = (_steps(ctx, op, name, named.moving) for name in ("strides", "dilations"))
        return named.maps(*steps), named.iterators
    if word == "contract":
        maps = _maps(ctx, op)
        return maps, _iterators_of(maps)
    if word in ("transpose", "broadcast", "reduce"):
        return _of_dimensions(ctx, op, word, ranks)
    rank = ranks[-1]
    if op.attributes.get("indexing_maps"):
        return _maps(ctx, op), ["parallel"] * rank
    identity = _map(rank, range(rank))
    # a number, or memory without a mode, is the same for all elements
    maps = [_map(rank, range(rank if each == rank else 0)) for each in ranks]
    if any(each not in (0, rank) for each in ranks):
        ctx.fail(op, rules.OPERANDS, "its operands have different numbers of dimensions")
    return [*maps[:-1], identity], ["parallel"] * rank


def _iterators_of(maps: Sequence[AffineMap]) -> list[str]:
    """Those that the output is indexed by are parallel."""
    kept = {each.position for each in maps[-1].results if isinstance(each, Dimension)} if maps else set()
    return ["parallel" if d in kept else "reduction" for d in range(len(maps[0].dimensions) if maps else 0)]


def _steps(ctx: Context, op: Operation, name: str, count: int) -> tuple[int, ...]:
    """The strides or dilations of a window's dimensions."""
    value = op.attributes.get(name, 1)
    value = value.values if isinstance(value, Dense) else value
    steps = value if isinstance(value, tuple) else (value,) * count
    if len(steps) != count or any(not isinstance(each, int) or each < 1 for each in steps):
        ctx.fail(op, rules.OPERANDS, f"{name} are {count} positive numbers")
    return steps


def _iterator(ctx: Context, op: Operation, iterator_type: Any) -> str:
    word = " ".join(iterator_type.words) if isinstance(iterator_type, Raw) else iterator_type
    if word in ("parallel", "reduction"):
        return str(word)
    ctx.fail(op, rules.OPERANDS, "an iterator type is parallel or reduction")


def _maps(ctx: Context, op: Operation) -> list[AffineMap]:
    maps = op.attributes.get("indexing_maps")
    if not isinstance(maps, tuple):
        ctx.fail(op, rules.MAP, "it has no indexing_maps")
    return [ctx.map(op, each) for each in maps]


def _map(count: int, results: Sequence[int]) -> AffineMap:
    return AffineMap(tuple(f"d{d}" for d in range(count)), (), tuple(Dimension(d) for d in results))


def _of_dimensions(ctx: Context, op: Operation, word: str, ranks: Sequence[int]) -> tuple[list[AffineMap], list[str]]:
    name = "permutation" if word == "transpose" else "dimensions"
    dimensions = op.attributes.get(name)
    dimensions = dimensions.values if isinstance(dimensions, Dense) else dimensions
    wide = ranks[0] if word == "reduce" else ranks[-1]
    chosen = list(dimensions) if isinstance(dimensions, tuple) else [dimensions]
    if any(not isinstance(d, int) or not 0 <= d < wide for d in chosen) or len(set(chosen)) != len(chosen):
        ctx.fail(op, rules.OPERANDS, f"{name} are no dimensions of {wide}")
    rest = [d for d in range(wide) if d not in chosen]
    if word == "transpose":
        if len(chosen) != wide:
            ctx.fail(op, rules.OPERANDS, f"{name} is no order of {wide} dimensions")
        return [_map(wide, [chosen.index(d) for d in range(wide)]), _map(wide, range(wide))], ["parallel"] * wide
    if word == "broadcast":
        return [_map(wide, rest), _map(wide, range(wide))], ["parallel"] * wide
    iterators = ["reduction" if d in chosen else "parallel" for d in range(wide)]
    half = len(ranks) // 2
    return [_map(wide, range(wide))] * half + [_map(wide, rest)] * half, iterators


def _sizes(ctx: Context, op: Operation, maps: Sequence[AffineMap], operands: Sequence[Input], count: int) -> list[Size]:
    """The number of each iteration's steps: the size of a dimension that it indexes; the smallest of those that are not
    known, so that no access leaves an array that is too short."""
    candidates: list[list[Size]] = [[] for _ in range(count)]
    for map_, operand in zip(maps, operands):
        for position, each in enumerate(map_.results):
            if isinstance(each, Dimension) and isinstance(operand, View):
                size = operand.sizes[position]
                if size not in candidates[each.position]:
                    candidates[each.position].append(size)
    return [_agreed(ctx, op, number, sizes) for number, sizes in enumerate(candidates)]


def _agreed(ctx: Context, op: Operation, number: int, sizes: Sequence[Size]) -> Size:
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) > 1:
        ctx.fail(op, rules.OPERANDS, f"iteration d{number} has the sizes {known[0]} and {known[1]}")
    if not sizes:
        ctx.fail(op, rules.MAP, f"nothing says how often iteration d{number} is done")
    return known[0] if known else affine_values.extreme(ctx, "min", [size for size in sizes if isinstance(size, Value)])


def factors_of(expression: Expression) -> dict[int, int] | None:
    """The factor of each iteration; None where an expression is not linear."""
    factors: dict[int, int] = {}
    for atoms, factor in linear(expression).terms.items():
        if len(atoms) > 1 or not isinstance(atoms[0], Dimension):
            return None
        factors[atoms[0].position] = factor
    return factors


# The function of elements. Its values have names with a blank, which no text has.


def _is_float(type_: MlirType) -> bool:
    return isinstance(type_, Scalar) and type_.is_float


def _named_for(names: tuple[str | None, ...], type_: MlirType) -> str | None:
    """The operation of a row for a type."""
    column = 2 if isinstance(type_, Complex) else 0 if _is_float(type_) else 1
    return names[column] if column < len(names) else None


def function_of_elements(ctx: Context, op: Operation) -> Block:
    """What a named operation does with elements."""
    word, types = op.name.partition(".")[2], [element_of(type_) for type_ in op.operand_types]
    count = op.attributes.get("operandSegmentSizes", (len(types) - 1, 1))[0]
    arguments = [(f"% in{n}" if n < count else f"% out{n - count}", type_) for n, type_ in enumerate(types)]
    writer = _Elements(ctx, op)
    value = writer.value(op.word_of("kind") if word == "elementwise" else word, arguments[:count], arguments[-1])
    writer.emit("linalg.yield", [value], types[-1:])
    return Block("", arguments, writer.out)


Number = tuple[str, MlirType]


class _Elements(TreeWriter):
    """Writes what an operation does with elements."""

    def __init__(self, ctx: Context, op: Operation) -> None:
        super().__init__(op)
        self.ctx = ctx

    def new_name(self) -> str:
        return f"% {len(self.out)}"

    def value(self, word: str, inputs: Sequence[Number], out: Number) -> str:
        """The element of the output."""
        result = out[1]
        if word in ("fill", "copy", "transpose", "broadcast"):
            return self.cast(*inputs[0], result)
        if word == "fill_rng_2d":
            return self.random(inputs, result)
        if word in NAMED or word == "contract":
            return self.accumulated(NAMED[word].body if word in NAMED else "product", inputs, out)
        if word == "select":
            return self.emit("arith.select", [name for name, _ in inputs], [of for _, of in inputs], [result])
        if word == "square":
            word, inputs = "mul", [*inputs, *inputs]
        if word == "reciprocal":
            word, inputs = "div", [(self.constant(1.0, result), result), *inputs]
        return self.applied(word, [self.cast(*each, result) for each in inputs], result)

    def constant(self, value: float, type_: MlirType) -> str:
        return self.emit("arith.constant", [], [], [type_], {"value": value})

    def applied(self, word: str, names: Sequence[str], type_: MlirType) -> str:
        name = _named_for(_ELEMENTWISE.get(word, ()), type_)
        if name is None:
            self.ctx.fail(self.op, rules.OPERATION, f"{word} of {type_} has no meaning here")
        return self.same(name, names, type_)

    def accumulated(self, body: Body, inputs: Sequence[Number], out: Number) -> str:
        """The output so far joined with what the inputs make, such as their product, in the type of the output."""
        name, result = out
        # the shape of a window is all that is read of it
        factors = [self.cast(*each, result) for each in (inputs if body in ("product", "quantized") else inputs[:1])]
        if body == "quantized":
            a, b, *zeros = factors
            factors = [self.applied("sub", pair, result) for pair in zip((a, b), zeros)]
        value = self.applied("mul", factors, result) if len(factors) > 1 else factors[0]
        return self.applied("add" if body in ("product", "quantized", "sum") else body, [name, value], result)

    def random(self, inputs: Sequence[Number], result: MlirType) -> str:
        """A number between two, by a linear congruential generator that each index makes one step of."""
        i32, f64 = Scalar("i32"), Scalar("f64")
        if [type_ for _, type_ in inputs] != [f64, f64, i32] or not _is_float(result):
            message = "its inputs are f64, f64 and i32, and it gives floating point numbers"
            self.ctx.fail(self.op, rules.OPERANDS, message)
        low, high, number = (name for name, _ in inputs)
        factor, more = (self.constant(each, i32) for each in (1103515245, 12345))
        for d in range(2):
            index = self.emit("linalg.index", [], [], [INDEX], {"dim": d})
            place = self.emit("arith.index_cast", [index], [INDEX], [i32])
            number = self.applied("mul", [self.applied("add", [place, number], i32), factor], i32)
            number = self.applied("add", [number, more], i32)
        offset, scale = (self.constant(each, f64) for each in (2147483647.0, 2.3283063999999999e-10))
        shifted = self.applied("add", [self.emit("arith.sitofp", [number], [i32], [f64]), offset], f64)
        width = self.applied("mul", [self.applied("sub", [high, low], f64), scale], f64)
        value = self.applied("add", [self.applied("mul", [shifted, width], f64), low], f64)
        return self.cast(value, f64, result)

    def cast(self, name: str, source: MlirType, target: MlirType) -> str:
        """A value in the type of the result, as the operation's `cast` says."""
        if source == target:
            return name
        if not isinstance(source, Scalar) or not isinstance(target, Scalar):
            self.ctx.fail(self.op, rules.TYPE, f"elements of {source} are not cast to {target}")
        is_wider = source.bits < target.bits
        sign = "u" if getattr(self.op.attributes.get("cast"), "words", ()) == ("cast_unsigned",) else "s"
        if source.is_float:
            word = ("extf" if is_wider else "truncf") if target.is_float else f"fpto{sign}i"
        elif target.is_float:
            word = f"{sign}itofp"
        else:
            word = f"ext{sign}i" if source.bits <= target.bits else "trunci"
        return self.emit(f"arith.{word}", [name], [source], [target])
