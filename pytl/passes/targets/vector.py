"""Vector code: what one work-item of a processor executes in vectors of registers, as instructions of the namespace
`vector`.

Passes make it of each `cpu.kernel`, and an emitter has one function for each instruction, for every target. What is
the same for all lanes stays in the language's own instructions, and so do loops and branches, which carry vectors.

A vector has the elements of the language. f16 and bf16 are computed in f32 and rounded after each instruction, as
everywhere; a complex number is one lane, but `vector.load` and `vector.store` may take its parts as two. Arithmetic
never fails: a lane whose result the language leaves undefined, as a division by zero, has any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, TypeAlias, TypeVar

from ...diagnostics import Diagnostics, Rule
from ...diagnostics.words import counted
from ...ir.assembly import read_template
from ...ir.constraints import BOOL, INDEX, INTEGER, MASK, MEMREF, SCALAR, VECTOR
from ...ir.fields import Attributes, IntegerConstant, Operand, OperandList, RegionPart, Result, ResultList, Variant
from ...ir.operation import Check, Operation, Problem, check
from ...ir.registry import instruction
from ...ir.types import (
    DYNAMIC,
    BoolType,
    ScalarType,
    Type,
    VectorType,
    bf16,
    component_type,
    compute_type,
    f32,
    f64,
    i16,
    i32,
    index,
)
from ...ir.values import Function, Value
from ...ir.verifier import function_check
from ...ops.arith import (
    BINARY,
    COMPARISONS,
    UNARY,
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    admits_binary,
    admits_cast,
    admits_unary,
    unary_result,
)
from ...ops.constants import Constant
from ...ops.control import For, If, Yield
from ...ops.launch_defaults import known_subgroup_grid
from ...ops.math import FUNCTIONS, SINCE_04, Math
from ...ops.memory import Load as ScalarLoad
from ...ops.memory import Store as ScalarStore
from ...ops.memory import index_problems
from ...ops.reshape import Expand, Fuse
from ...ops.subgroup import SubgroupBroadcast, SubgroupBuiltin, SubgroupOperation
from ...ops.views import Size, Subview
from .cpu import ITEMS, AttributesBeforeRegion, RegionArguments, numbers_of
from .cpu_attributes import LEVEL, LEVELS, LINE, OUTLINED, has_line
from .matrix_units import MATRIX_COLUMNS, MATRIX_ITEMS, matrix_share, matrix_steps, matrix_sums

SECTION = "Vector code"
APART = "apart"
"""Of a load of several registers: whether the address of each is computed by itself, so that a loop over lines adds to
few numbers, which are in registers."""
MODE = "mode"
"""Of a load or store: the mode of the tensor along which the lanes lie, where that is not the first."""
SCALE = "scale"
"""Of vector code: how many times their types' lanes scalable vectors have, where the code is for one length."""
NON_TEMPORAL = "non_temporal"
"""Of a store past the caches: of what number of bytes its address is a multiple, a cache line or what is stored."""
USED = "used"
"""Of a load: the lanes that are used, where others are loaded because they lie between these."""
LANES = "lanes"
"""Of a shuffle: the lane of each lane of the result, counted through both vectors."""

AnyVector = TypeVar("AnyVector")
"""What an emitter has for a vector."""
Shuffled: TypeAlias = Callable[[AnyVector, AnyVector, list[int]], AnyVector]

_SCALARS = (
    *(ArithBinary, ArithUnary, Cast, Compare, Constant, Expand, For, Fuse, If, Math, ScalarLoad, ScalarStore, Size),
    *(Subview, Yield),
)
_OF_SUBGROUPS = (SubgroupOperation, SubgroupBroadcast, SubgroupBuiltin)


@check("PYTL-3100", "vector code has vector instructions, and the language's own on numbers and views", "Passes")
def has_vector_instructions(op: Code | WorkItems) -> Iterator[Problem]:
    admitted = (*_ADMITTED, *_OF_SUBGROUPS) if isinstance(op, WorkItems) else _ADMITTED
    if all(issubclass(cls, admitted) for cls in set(map(type, op.body.walk()))):
        return
    words = {inner.word for inner in op.body.walk() if not isinstance(inner, admitted)}
    for word in sorted(words):
        yield Problem(f"it has {word}, which has no vector code")


class VectorInstruction(Operation):
    """An instruction of vector code. One that accesses no memory is pure, unless it says otherwise.

    Unless it has a textual form of its own, that lists its operands and its constants, and the type of its result.
    """

    section = SECTION
    rules_of_types = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "pure" not in vars(cls):
            cls.pure = not (cls.reads or cls.writes)
        if cls.mnemonic and not cls.assembly:
            listed = [f"${name}" for name, part in cls.parts.items() if isinstance(part, (Operand, IntegerConstant))]
            cls.assembly = f"` ` {' `, ` '.join(listed)} ` : ` $result"
            cls.template = read_template(cls.assembly)


_ADMITTED = (VectorInstruction, *_SCALARS)


@instruction
class Code(Operation):
    """Executes its instructions as one piece of vector code.

    With `outlined`, its code is a function of its own, which has a register allocation of its own. With `scale`, it is
    right only where scalable vectors have so many times the lanes of their types.
    """

    mnemonic = "vector.code"
    kind = "collective"
    section = SECTION
    attributes: Any = Attributes({OUTLINED: "boolean", SCALE: "integer"})
    body: Any = RegionPart("collective")
    assembly = "` ` $body (` ` $attributes)?"
    rules = (has_vector_instructions,)


ROWS, COLUMNS, UNROLL = "rows", "columns", "unroll"
"""Of code of work-items: the block that a sub-group computes at a time, as rows of each work-item and columns, and how
many steps of the sum are an iteration."""


@instruction
class WorkItems(Operation):
    """Executes its instructions by each work-item of a work-group, as one piece of code.

    The lanes of a vector are the work-items of a sub-group here, so that it has the instructions on numbers only.
    """

    mnemonic = "vector.work_items"
    kind = "spmd"
    section = SECTION
    attributes: Any = Attributes(dict.fromkeys((ROWS, COLUMNS, UNROLL), "integer"))
    body: Any = RegionPart("spmd")
    assembly = "` ` $body (` ` $attributes)?"
    rules = (has_vector_instructions,)


@instruction
class SideBySide(Operation):
    """Executes its region once for so many work-groups of the language, by the work-items of one.

    The arguments are the number of the first of them, and how many work-groups there are at all. The code of work-items
    says which of them has which work-group; there may be fewer left than it has room for.
    """

    mnemonic = "vector.side_by_side"
    kind = "collective"
    section = SECTION
    attributes: Any = AttributesBeforeRegion({ITEMS: "integer"})
    numbers: Any = RegionArguments("body")
    body: Any = RegionPart("collective", arguments=numbers_of("numbers"))
    allowed_parents = ("func",)
    assembly = "` ` $attributes ` ` $numbers ` ` $body"

    @property
    def items(self) -> int:
        """How many work-groups of the language are executed together."""
        return int(self.attributes[ITEMS])


@instruction
class SubgroupBarrier(Operation):
    """What work-items have written before, those of the same sub-group see behind it. A work-group has one there."""

    mnemonic = "vector.subgroup_barrier"
    kind = "collective"
    section = SECTION


@instruction
class Fence(Operation):
    """What was stored past the caches before is in memory when other threads see what this one stores behind it."""

    mnemonic = "vector.fence"
    kind = "collective"
    section = SECTION


ALONE = Rule("PYTL-3119", "where the work-items of a sub-group wait for each other alone, it is a work-group", "Passes")


@function_check
def _check_barriers(function: Function, diagnostics: Diagnostics) -> None:
    if known_subgroup_grid(function) == (1, 1):
        return
    for op in function.walk():
        if isinstance(op, SubgroupBarrier):
            diagnostics.report(ALONE, f"@{function.name} has several sub-groups", op.location)


# Rules that instructions have in common.


def _vectors_of(op: Operation) -> list[VectorType]:
    return [value.type for value in (*op.operands, *op.results) if isinstance(value.type, VectorType)]


@check("PYTL-3101", "the vectors of an instruction have equally many lanes", "Passes", is_basic=True)
def same_lanes(op: Operation) -> Iterator[Problem]:
    if len({(type_.lanes, type_.is_scalable) for type_ in _vectors_of(op)}) > 1:
        listed = ", ".join(dict.fromkeys(str(type_) for type_ in _vectors_of(op)))
        yield Problem(f"its vectors are {listed}")


@check("PYTL-3102", "the vectors of an instruction have the type of its result", "Passes", is_basic=True)
def same_vectors(op: Any) -> Iterator[Problem]:
    result = op.result.type
    for value in op.operands:
        if value.type is not result and isinstance(value.type, VectorType) and value.type != result:
            yield Problem(f"an operand is {value.type}, but the result is {result}")


@check("PYTL-3103", "the operation is defined on the vectors' elements", "Passes")
def admits_elements(op: Any) -> Iterator[Problem]:
    if not op.admits():
        listed = ", ".join(dict.fromkeys(str(type_) for type_ in _vectors_of(op)))
        yield Problem(f"not defined on {listed}")


@check("PYTL-3104", "a vector in memory has the tensor's elements, or the parts of complex ones", "Passes")
def fits_tensor(op: Any) -> Iterator[Problem]:
    tensor, vector = op.tensor.type, op.in_register
    if vector.element is not tensor.element and vector.element != tensor.element:
        has_parts = tensor.element.is_complex and vector.element == tensor.element.component and vector.lanes % 2 == 0
        if not (has_parts and op.may_have_parts):
            yield Problem(f"the tensor is {tensor}, and the vector {vector}", part="tensor")
    yield from index_problems(op)
    mode = getattr(op, "attributes", {}).get(MODE, 0)
    if not (isinstance(mode, int) and 0 <= mode < max(tensor.order, 1)):
        yield Problem(f"{MODE} is {mode}, and the tensor has {counted(tensor.order, 'mode')}", part="tensor")


@check("PYTL-3126", "what is stored past the caches is whole vectors along the first mode", "Passes")
def non_temporal_is_whole(op: Store) -> Iterator[Problem]:
    if op.attributes.get(NON_TEMPORAL) and (op.mask is not None or op.mode != 0 or op.tensor.type.strides[:1] != (1,)):
        yield Problem("its lanes are masked, or elements that do not follow each other")


# Values.


@instruction
class Splat(VectorInstruction):
    """A number in all lanes."""

    mnemonic = "vector.splat"
    scalar: Any = Operand(BOOL | SCALAR, "the number")
    result: Any = Result(VECTOR)

    def admits(self) -> bool:
        return bool(self.scalar.type == self.result.type.element)

    rules = (admits_elements,)


@instruction
class Step(VectorInstruction):
    """A number, and those that follow it, lane by lane."""

    mnemonic = "vector.step"
    first: Any = Operand(INTEGER, "the number of the first lane")
    result: Any = Result(VECTOR)

    def admits(self) -> bool:
        return bool(self.first.type == self.result.type.element)

    rules = (admits_elements,)


@instruction
class HiddenZero(VectorInstruction):
    """Zero, which compilers do not know: what was stored to memory is loaded from a view that begins there."""

    mnemonic = "vector.hidden_zero"
    pure = False
    result: Any = Result(INDEX)
    assembly = "` : ` $result"


@instruction
class Mask(VectorInstruction):
    """Whether a lane's number is below a count."""

    mnemonic = "vector.mask"
    count: Any = Operand(INDEX, "how many lanes are true; none if it is negative")
    result: Any = Result(MASK)


@instruction
class Scale(VectorInstruction):
    """How many times the lanes of its type a scalable vector has."""

    mnemonic = "vector.scale"
    result: Any = Result(INDEX)
    assembly = "` : ` $result"

    def infer_result_types(self) -> list[Type]:
        return [index]


@instruction
class FromElements(VectorInstruction):
    """A vector of numbers."""

    mnemonic = "vector.from_elements"
    elements: Any = OperandList(BOOL | SCALAR, "the number of each lane")
    result: Any = Result(VECTOR)

    def admits(self) -> bool:
        type_: VectorType = self.result.type
        is_complete = len(self.elements) == type_.lanes and not type_.is_scalable
        return is_complete and all(value.type == type_.element for value in self.elements)

    rules = (admits_elements,)


@check("PYTL-3105", "a lane is one that the vector has", "Passes")
def has_lane(op: Extract) -> Iterator[Problem]:
    type_: VectorType = op.vector.type
    if not 0 <= op.lane < type_.lanes:
        yield Problem(f"lane {op.lane} of {type_}", part="vector")
    if op.result.type != type_.element:
        yield Problem(f"the vector is {type_}, but the result is {op.result.type}", part="vector")


@instruction
class Extract(VectorInstruction):
    """The number of a lane."""

    mnemonic = "vector.extract"
    vector: Any = Operand(VECTOR, "the vector")
    lane: Any = IntegerConstant("the lane's number")
    result: Any = Result(BOOL | SCALAR)
    assembly = "` ` $vector `[` $lane `]` ` : ` $result"
    rules = (has_lane,)

    def infer_result_types(self) -> list[Type]:
        return [self.vector.type.element]


# Arithmetic, lane by lane.


@instruction
class VectorBinary(VectorInstruction):
    """Binary arithmetic, lane by lane."""

    mnemonic = "vector.arith"
    variant: Any = Variant(BINARY)
    a: Any = Operand(VECTOR, "first operand")
    b: Any = Operand(VECTOR, "second operand")
    result: Any = Result(VECTOR, like="a")

    def admits(self) -> bool:
        return admits_binary(self.variant, self.a.type.element)

    rules = (same_vectors, admits_elements)


@instruction
class VectorUnary(VectorInstruction):
    """Unary arithmetic, lane by lane."""

    mnemonic = "vector.arith"
    variant: Any = Variant(UNARY)
    a: Any = Operand(VECTOR, "operand")
    result: Any = Result(VECTOR)

    def admits(self) -> bool:
        element = self.a.type.element
        return admits_unary(self.variant, element) and self.result.type.element == unary_result(self.variant, element)

    def infer_result_types(self) -> list[Type]:
        type_: VectorType = self.a.type
        element: Any = unary_result(self.variant, type_.element)
        return [type_.of(element)]

    rules = (same_lanes, admits_elements)


OF_VECTORS = {
    "sqrt": "square root of f64, rounded correctly, or of f32",
    "floor": "the whole number at or below an f64 or f32",
}
"""Functions that are an instruction of processors, and none of the language."""


@instruction
class VectorMath(VectorInstruction):
    """A mathematical function, lane by lane."""

    mnemonic = "vector.math"
    variant: Any = Variant({**FUNCTIONS, **SINCE_04, **OF_VECTORS})
    a: Any = Operand(VECTOR, "argument")
    result: Any = Result(VECTOR, like="a")

    def admits(self) -> bool:
        element = self.a.type.element
        if not isinstance(element, ScalarType) or element.is_integer:
            return False
        return self.variant not in OF_VECTORS or element in (f32, f64)

    rules = (same_vectors, admits_elements)


@instruction
class Fma(VectorInstruction):
    """`a b + c` of numbers, or lane by lane, of floats rounded once where the machine has an instruction for it."""

    mnemonic = "vector.fma"
    a: Any = Operand(SCALAR | VECTOR, "first factor")
    b: Any = Operand(SCALAR | VECTOR, "second factor")
    c: Any = Operand(SCALAR | VECTOR, "summand")
    result: Any = Result(SCALAR | VECTOR, like="a")

    def admits(self) -> bool:
        element = component_type(self.a.type)
        is_same = self.a.type == self.b.type == self.c.type == self.result.type
        return is_same and isinstance(element, ScalarType) and compute_type(element) == element

    rules = (same_vectors, admits_elements)


SEGMENT = 128
"""Bits of a segment of a vector: of each segment of a factor, an instruction takes a lane of the same number."""


@check("PYTL-3118", "the lane of a segment is one that 128 bits have, and vectors have whole segments", "Passes")
def has_segment_lane(op: FmaLane) -> Iterator[Problem]:
    type_: VectorType = op.a.type
    lanes = _lanes_of_segment(type_)
    if not 0 <= op.lane < lanes or type_.lanes % lanes:
        yield Problem(f"lane {op.lane} of the segments of {type_}", part="b")


def _lanes_of_segment(type_: VectorType) -> int:
    return SEGMENT // (8 * type_.element.size) if isinstance(type_.element, ScalarType) else 1


@instruction
class FmaLane(VectorInstruction):
    """`a b + c` of floats, where the lanes of a segment of 128 bits are multiplied by one lane of that segment of `b`.

    Arm's processors have an instruction for it, which needs no vector with a number in all lanes.
    """

    mnemonic = "vector.fma_lane"
    a: Any = Operand(VECTOR, "first factor")
    b: Any = Operand(VECTOR, "second factor")
    lane: Any = IntegerConstant("the number of the lane in each segment of the second factor")
    c: Any = Operand(VECTOR, "summand")
    result: Any = Result(VECTOR, like="a")
    assembly = "` ` $a `, ` $b `[` $lane `]` `, ` $c ` : ` $result"

    def admits(self) -> bool:
        element = self.a.type.element
        return isinstance(element, ScalarType) and element.is_floating and compute_type(element) == element

    def chosen(self) -> list[int]:
        """The lane of `b` that each lane is multiplied by."""
        lanes = _lanes_of_segment(self.a.type)
        return [first + self.lane for first in range(0, self.a.type.lanes, lanes) for _ in range(lanes)]

    rules = (same_vectors, admits_elements, has_segment_lane)


def fills_register(type_: VectorType) -> bool:
    """Whether a vector of f32 or of f64 is one of those that x86's registers hold."""
    return not type_.is_scalable and type_.element in (f32, f64) and type_.lanes * type_.element.size in (16, 32, 64)


@instruction
class ScaleByPower(VectorInstruction):
    """`a` times two to the power of `exponent`, a whole number, rounded once."""

    mnemonic = "vector.scale_by_power"
    a: Any = Operand(VECTOR, "what is multiplied")
    exponent: Any = Operand(VECTOR, "the exponents, as floats")
    result: Any = Result(VECTOR, like="a")

    def admits(self) -> bool:
        return fills_register(self.a.type) and self.exponent.type == self.a.type

    rules = (admits_elements,)


DOT_LANES = (4, 8, 16)
"""How many sums a processor's instruction has that adds products of pairs."""


@instruction
class Dot(VectorInstruction):
    """Adds two products to each number of `c`: lanes of `a` and `b` have the bits of two i16 each, or of two bf16.

    Sums of integers wrap around. Of bf16, numbers below 2^-126 may be zero.
    """

    mnemonic = "vector.dot"
    a: Any = Operand(VECTOR, "the first factors")
    b: Any = Operand(VECTOR, "the second factors")
    c: Any = Operand(VECTOR, "the sums")
    result: Any = Result(VECTOR, like="c")

    def admits(self) -> bool:
        words, sums = {self.a.type, self.b.type}, self.c.type
        return words == {sums.of(i32)} and sums.element in (i32, f32) and sums.lanes in DOT_LANES

    rules = (admits_elements,)


@instruction
class DotLoaded(VectorInstruction):
    """The same with the pair that lies at a place in memory as the second factor of all lanes."""

    mnemonic = "vector.dot_loaded"
    may_have_parts = False
    a: Any = Operand(VECTOR, "the first factors")
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the first element of the pair, which lies along the first mode")
    c: Any = Operand(VECTOR, "the sums")
    result: Any = Result(VECTOR, like="c")
    assembly = "` ` $a `, ` $tensor `[` $indices `]` `, ` $c ` : ` $result"
    reads = ("tensor",)

    @property
    def in_register(self) -> VectorType:
        """The type of the pair."""
        return VectorType(self.tensor.type.element, 2)

    def admits(self) -> bool:
        sums, pairs = self.c.type, {i32: i16, f32: bf16}
        is_pair = self.tensor.type.element == pairs.get(sums.element) and self.tensor.type.strides[:1] == (1,)
        return is_pair and self.a.type == sums.of(i32) and sums.lanes in DOT_LANES

    rules = (admits_elements, fits_tensor)


@instruction
class VectorCast(VectorInstruction):
    """Numbers in another type, lane by lane, as `cast` has them."""

    mnemonic = "vector.cast"
    operand: Any = Operand(VECTOR, "what is cast")
    result: Any = Result(VECTOR)

    def admits(self) -> bool:
        return admits_cast(self.operand.type.element, self.result.type.element)

    rules = (same_lanes, admits_elements)


@instruction
class VectorCompare(VectorInstruction):
    """Compares numbers, lane by lane."""

    mnemonic = "vector.cmp"
    variant: Any = Variant(COMPARISONS)
    a: Any = Operand(VECTOR, "first operand")
    b: Any = Operand(VECTOR, "second operand")
    result: Any = Result(MASK)

    def admits(self) -> bool:
        element = self.a.type.element
        if self.a.type != self.b.type or not isinstance(element, ScalarType):
            return False
        return self.variant in ("eq", "ne") or not element.is_complex

    def infer_result_types(self) -> list[Type]:
        type_: VectorType = self.a.type
        return [type_.of(BoolType())]

    rules = (same_lanes, admits_elements)


@instruction
class Select(VectorInstruction):
    """Of two vectors, lane by lane, the first where a mask is true."""

    mnemonic = "vector.select"
    condition: Any = Operand(MASK, "where the first one is taken")
    a: Any = Operand(VECTOR, "where the mask is true")
    b: Any = Operand(VECTOR, "elsewhere")
    result: Any = Result(VECTOR, like="a")

    def admits(self) -> bool:
        return bool(self.a.type == self.b.type == self.result.type)

    rules = (same_lanes, admits_elements)


# Lanes.


@check("PYTL-3106", "a shuffle names a lane of its two vectors for each lane of its result", "Passes")
def shuffled_lanes(op: Shuffle) -> Iterator[Problem]:
    lanes, result = op.attributes.get(LANES), op.result.type
    types = [op.a.type, op.b.type, result]
    if any(type_.is_scalable for type_ in types) or op.a.type != op.b.type or result.element != op.a.type.element:
        yield Problem(f"its vectors are {', '.join(map(str, types))}")
    elif not isinstance(lanes, list) or len(lanes) != result.lanes:
        yield Problem(f"{LANES} is {lanes}, and the result {result}")
    elif not all(0 <= lane < 2 * op.a.type.lanes for lane in lanes):
        yield Problem(f"{LANES} is {lanes}, and there are {2 * op.a.type.lanes}")


@instruction
class Shuffle(VectorInstruction):
    """Lanes of two vectors of a fixed length."""

    mnemonic = "vector.shuffle"
    a: Any = Operand(VECTOR, "first vector")
    b: Any = Operand(VECTOR, "second vector")
    attributes: Any = Attributes({LANES: "integers"})
    result: Any = Result(VECTOR)
    assembly = "` ` $a `, ` $b ` ` $attributes ` : ` $result"
    rules = (shuffled_lanes,)

    def infer_result_types(self) -> list[Type]:
        type_: VectorType = self.a.type
        return [VectorType(type_.element, len(self.attributes[LANES]))]


@check("PYTL-3107", "as many vectors are transposed as each has lanes", "Passes")
def is_square(op: Transpose) -> Iterator[Problem]:
    types = {value.type for value in (*op.vectors, *op.results)}
    if len(types) != 1 or {len(op.vectors), len(op.results)} != {next(iter(types)).lanes}:
        listed = ", ".join(sorted(map(str, types))) or "nothing"
        yield Problem(f"{counted(len(op.vectors), 'vector')} of {listed} become {len(op.results)}")


@instruction
class Transpose(VectorInstruction):
    """Vectors of a fixed length as the rows of a square matrix, whose columns are given."""

    mnemonic = "vector.transpose"
    vectors: Any = OperandList(VECTOR, "the rows")
    columns: Any = ResultList(VECTOR, like="vectors")
    assembly = "` ` $vectors ` : (` $columns `)`"
    rules = (is_square,)

    @property
    def element_bytes(self) -> int:
        """The bytes of a lane."""
        return int(getattr(self.vectors[0].type.element, "size", 1))


def transposed(vectors: Sequence[AnyVector], shuffled: Shuffled[AnyVector], element_bytes: int = 4) -> list[AnyVector]:
    """The columns of a square matrix, given its rows, by shuffles `shuffled(a, b, lanes)` of two at a time.

    There are as many rows as each has lanes, a power of two. In vectors of up to 512 bits, each shuffle is one
    instruction of x86 without a vector of indices: whole segments of 128 bits change places first, then the numbers
    within segments.

    >>> transposed(["abcd", "efgh", "ijkl", "mnop"], lambda a, b, lanes: "".join((a + b)[lane] for lane in lanes))
    ['aeim', 'bfjn', 'cgko', 'dhlp']
    """
    result, width = list(vectors), len(vectors)
    segment = min(max(SEGMENT // 8 // element_bytes, 1), width)
    step = width // 2
    while step >= 4 * segment:
        # off-diagonal blocks of several registers change places
        low = [k if not k & step else width + k - step for k in range(width)]
        for k in (k for k in range(width) if not k & step):
            a, b = result[k], result[k + step]
            result[k], result[k + step] = shuffled(a, b, low), shuffled(a, b, [lane + step for lane in low])
        step //= 2
    block = min(width, 4 * segment)

    def both(a: AnyVector, b: AnyVector, lanes: Sequence[int], onwards: int) -> list[AnyVector]:
        """In each block of two rows some lanes, which are numbered through both, and those so far behind them."""
        chosen = [at + lane % block + lane // block * width for at in range(0, width, block) for lane in lanes]
        return [shuffled(a, b, chosen), shuffled(a, b, [lane + onwards for lane in chosen])]

    def segments(rows: Sequence[AnyVector]) -> list[AnyVector]:
        """The columns of a matrix whose elements are the segments of rows."""
        if len(rows) == 1:
            return list(rows)
        half = [at + n for at in (0, block) for n in range(block // 2)]
        even = [at + n for at in range(0, 2 * block, 2 * segment) for n in range(segment)]
        halves = [both(a, b, half, block // 2) for a, b in zip(rows[::2], rows[1::2])]
        if len(rows) == 2:
            return halves[0]
        return [row for a, b in zip(*halves) for row in both(a, b, even, segment)]

    zipped = [at + n + of for at in range(0, block, segment) for n in range(segment // 2) for of in (0, block)]
    columns: list[AnyVector] = []
    for first in range(0, width, block):
        for rows in zip(*(segments(result[k : first + block : segment]) for k in range(first, first + segment))):
            for _ in range(segment.bit_length() - 1):
                pairs = zip(rows[: segment // 2], rows[segment // 2 :])
                rows = tuple(row for a, b in pairs for row in both(a, b, zipped, segment // 2))
            columns += rows
    return columns


@check(
    "PYTL-3108", "complex numbers become twice as many parts, the real part of each first, and the reverse", "Passes"
)
def as_parts(op: Parts) -> Iterator[Problem]:
    source, target = op.operand.type, op.result.type
    wide, narrow = (source, target) if _is_complex(source) else (target, source)
    if not _is_complex(wide) or narrow != VectorType(wide.element.component, 2 * wide.lanes, wide.is_scalable):
        yield Problem(f"{source} does not become {target}", part="operand")


def _is_complex(type_: VectorType) -> bool:
    return isinstance(type_.element, ScalarType) and type_.element.is_complex


@instruction
class Parts(VectorInstruction):
    """Complex numbers as their parts, which are two lanes each, or the reverse."""

    mnemonic = "vector.parts"
    operand: Any = Operand(VECTOR, "the vector")
    result: Any = Result(VECTOR)
    rules = (as_parts,)

    def infer_result_types(self) -> list[Type]:
        type_: VectorType = self.operand.type
        element: Any = type_.element
        return [VectorType(element.component, 2 * type_.lanes, type_.is_scalable)]


@check("PYTL-3114", "a part of a vector begins at a multiple of its length, and the vector has its lanes", "Passes")
def is_part(op: Part) -> Iterator[Problem]:
    whole, part = op.vector.type, op.result.type
    has_lanes = op.first % part.lanes == 0 and 0 <= op.first <= whole.lanes - part.lanes
    if not has_lanes or part != VectorType(whole.element, part.lanes, whole.is_scalable):
        yield Problem(f"{part} from lane {op.first} of {whole}", part="vector")


@instruction
class Part(VectorInstruction):
    """Lanes of a vector that follow each other. Lanes of a scalable vector are counted as its type has them."""

    mnemonic = "vector.part"
    vector: Any = Operand(VECTOR, "the vector")
    first: Any = IntegerConstant("the first lane's number")
    result: Any = Result(VECTOR)
    assembly = "` ` $vector `[` $first `]` ` : ` $result"
    rules = (is_part,)


@check("PYTL-3115", "lanes of two vectors in turn are twice as many", "Passes")
def twice_the_lanes(op: Interleave) -> Iterator[Problem]:
    a, result = op.a.type, op.result.type
    if op.b.type != a or result != VectorType(a.element, 2 * a.lanes, a.is_scalable):
        yield Problem(f"{a} and {op.b.type} become {result}", part="a")


@instruction
class Interleave(VectorInstruction):
    """Lanes of two vectors in turn."""

    mnemonic = "vector.interleave"
    a: Any = Operand(VECTOR, "what becomes the even lanes")
    b: Any = Operand(VECTOR, "what becomes the odd lanes")
    result: Any = Result(VECTOR)
    rules = (twice_the_lanes,)

    def infer_result_types(self) -> list[Type]:
        type_: VectorType = self.a.type
        return [VectorType(type_.element, 2 * type_.lanes, type_.is_scalable)]


@check("PYTL-3116", "the bits of a vector are lanes of another real type that has as many bits", "Passes")
def same_bits(op: Bits) -> Iterator[Problem]:
    types = (op.vector.type, op.result.type)
    sizes = {(_bits(type_), type_.is_scalable) for type_ in types}
    if len(sizes) != 1 or not all(_bits(type_) for type_ in types):
        yield Problem(f"{types[0]} does not become {types[1]}", part="vector")


def _bits(type_: VectorType) -> int:
    """The bits of a vector of real numbers in memory; 0 of others."""
    element = type_.element
    return 8 * type_.lanes * element.size if isinstance(element, ScalarType) and not element.is_complex else 0


@instruction
class Bits(VectorInstruction):
    """A vector with the same bits, as memory has them."""

    mnemonic = "vector.bitcast"
    vector: Any = Operand(VECTOR, "the vector")
    result: Any = Result(VECTOR)
    rules = (same_bits,)


@instruction
class Exchange(VectorInstruction):
    """The number that another work-item of the sub-group has: whose local id differs from this one's in these bits."""

    mnemonic = "vector.exchange"
    a: Any = Operand(SCALAR, "the number that the work-item gives")
    bits: Any = IntegerConstant("the bits in which local ids differ, which the sub-group's size has room for")
    result: Any = Result(SCALAR, like="a")


@check("PYTL-3120", f"a sub-group of {MATRIX_ITEMS} multiplies f16 or bf16, and sums f32, or i8 and i32", "Passes")
def is_matrix_product(op: MatrixFma) -> Iterator[Problem]:
    factors, sums = {value.type for value in (*op.left, *op.right)}, {value.type for value in (*op.sums, *op.totals)}
    (element, *others) = factors or {f32}
    if others or matrix_sums(element) is None or sums != {matrix_sums(element)}:
        yield Problem(f"its numbers are {', '.join(sorted(map(str, factors | sums)))}")
        return
    columns, left = divmod(len(op.right), matrix_share(element))
    if len(op.left) != matrix_steps(element) or columns not in MATRIX_COLUMNS or left:
        yield Problem(f"a work-item has {len(op.left)} steps, and {counted(len(op.right), 'number')} of columns")
    elif not columns == len(op.sums) == len(op.totals):
        yield Problem(f"{counted(columns, 'column')} have {counted(len(op.sums), 'sum')}")


@instruction
class MatrixFma(VectorInstruction):
    """The product of two matrices, which a sub-group has in registers, is added to sums by its matrix unit.

    A work-item has a row of the left factor, and the sums of this row. Of each column of the right factor it has one
    number, in the row whose number is its local id; of i8 two, in the row of twice this number and the next.
    """

    mnemonic = "vector.matrix_fma"
    left: Any = OperandList(SCALAR, "the row of the left factor")
    right: Any = OperandList(SCALAR, "the numbers of each column of the right factor")
    sums: Any = OperandList(SCALAR, "the sum for each column")
    totals: Any = ResultList(SCALAR, like="sums")
    assembly = "` (` $left `), (` $right `), (` $sums `)` ` : (` $totals `)`"
    rules = (is_matrix_product,)


REDUCTIONS = {
    "add": "sum, in any order",
    "min": "minimum",
    "max": "maximum",
    "and": "whether all are true, or bitwise and",
    "or": "whether one is true, or bitwise or",
}


@instruction
class Reduce(VectorInstruction):
    """What the numbers of all lanes give together."""

    mnemonic = "vector.reduce"
    variant: Any = Variant(REDUCTIONS)
    vector: Any = Operand(VECTOR, "the vector")
    result: Any = Result(BOOL | SCALAR)

    def admits(self) -> bool:
        element = self.vector.type.element
        return bool(admits_binary(self.variant, element) and self.result.type == element)

    def infer_result_types(self) -> list[Type]:
        return [self.vector.type.element]

    rules = (admits_elements,)


# Memory.


class OnMemory(VectorInstruction):
    """A load or store of elements that follow each other along one mode, in the active lanes."""

    vector: Any
    may_have_parts = True
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the element of the first lane")
    attributes: Any = Attributes({MODE: "integer"})
    mask: Any = Operand(MASK, "the active lanes; all, if there is none", optional=True)
    rules: ClassVar[tuple[Check, ...]] = (same_lanes, fits_tensor)

    @property
    def in_register(self) -> VectorType:
        """The type of the vector that is loaded or stored."""
        return self.vector.type

    @property
    def per_lane(self) -> int:
        """How many lanes of that have one lane of the mask."""
        return 1

    @property
    def mode(self) -> int:
        """The mode along which the lanes lie."""
        return int(self.attributes.get(MODE, 0))

    @property
    def has_parts(self) -> bool:
        """Whether the parts of complex elements are lanes of their own."""
        return bool(self.in_register.element != self.tensor.type.element)

    @property
    def has_complex_lanes(self) -> bool:
        """Whether each lane is a complex element, with both parts."""
        return bool(self.tensor.type.element.is_complex and not self.has_parts)


@check("PYTL-3128", "what is used of a load is lanes of a vector of a fixed length, one for each element", "Passes")
def used_lanes(op: Load) -> Iterator[Problem]:
    type_ = op.in_register
    if op.used is None:
        return
    if type_.is_scalable or op.has_parts:
        yield Problem(f"it loads {type_}")
    elif not all(0 <= lane < type_.lanes for lane in op.used):
        yield Problem(f"they are {op.used} of {type_}")


@instruction
class Load(OnMemory):
    """Loads elements that follow each other along a mode. Inactive lanes are 0, and their memory is not read.

    Lanes that are not used may be any number, though their memory is read.
    """

    mnemonic = "vector.load"
    result: Any = Result(VECTOR)
    attributes: Any = Attributes({APART: "boolean", MODE: "integer", USED: "integers"})
    assembly = "` ` $tensor `[` $indices `]` (` ` $attributes)? (` mask ` $mask)? ` : ` $result"
    reads = ("tensor",)
    rules = (*OnMemory.rules, used_lanes)

    @property
    def vector(self) -> Value:
        return self.result

    @property
    def used(self) -> list[int] | None:
        """The lanes that are used; None where all are."""
        return self.attributes.get(USED)


@instruction
class Store(OnMemory):
    """Stores elements that follow each other along a mode. The memory of inactive lanes keeps its value."""

    mnemonic = "vector.store"
    vector: Any = Operand(VECTOR, "what is stored")
    assembly = "` ` $vector `, ` $tensor `[` $indices `]` (` ` $attributes)? (` mask ` $mask)?"
    attributes: Any = Attributes({MODE: "integer", NON_TEMPORAL: "integer"})
    writes = ("tensor",)
    rules = (*OnMemory.rules, non_temporal_is_whole)


class _Scattered(VectorInstruction):
    """A load or store of elements anywhere in a tensor, in the active lanes."""

    may_have_parts = False
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX | VECTOR, "for each mode the index of all lanes, or a vector of each lane's")
    mask: Any = Operand(MASK, "the active lanes; all, if there is none", optional=True)

    @property
    def in_register(self) -> VectorType:
        """The type of the vector that is loaded or stored."""
        return self.vector.type  # type: ignore[attr-defined]

    def admits(self) -> bool:
        """Whether some indices are vectors, and all are of type index."""
        types = [value.type for value in self.indices]
        return VectorType in map(type, types) and all(getattr(type_, "element", type_) == index for type_ in types)

    rules: ClassVar[tuple[Check, ...]] = (same_lanes, fits_tensor, admits_elements)


@instruction
class Gather(_Scattered):
    """Loads the element of each active lane. Inactive lanes have any number."""

    mnemonic = "vector.gather"
    result: Any = Result(VECTOR)
    assembly = "` ` $tensor `[` $indices `]` (` mask ` $mask)? ` : ` $result"
    reads = ("tensor",)

    @property
    def vector(self) -> Value:
        return self.result


@instruction
class Scatter(_Scattered):
    """Stores the element of each active lane; of lanes that name the same element, the last one's stays."""

    mnemonic = "vector.scatter"
    vector: Any = Operand(VECTOR, "what is stored")
    assembly = "` ` $vector `, ` $tensor `[` $indices `]` (` mask ` $mask)?"
    writes = ("tensor",)


@check("PYTL-3117", "memory of the heap is local, and has a size for each mode that its type leaves open", "Passes")
def sizes_of_buffer(op: Buffer) -> Iterator[Problem]:
    type_ = op.result.type
    if type_.space != "local" or len(op.sizes) != sum(extent is DYNAMIC for extent in type_.shape):
        yield Problem(f"{counted(len(op.sizes), 'size')} for {type_}")


@instruction
class Buffer(VectorInstruction):
    """Memory whose size is known at run time only, or is large. Its content is undefined."""

    mnemonic = "vector.buffer"
    pure = False
    sizes: Any = OperandList(INDEX, "the sizes that the type leaves open")
    attributes: Any = Attributes({"alignment": "integer"})
    result: Any = Result(MEMREF)
    assembly = "`(` $sizes `)` (` ` $attributes)? ` : ` $result"
    rules = (sizes_of_buffer,)


@instruction
class Release(VectorInstruction):
    """Ends the lifetime of memory that `vector.buffer` gave."""

    mnemonic = "vector.release"
    buffer: Any = Operand(MEMREF, "the memory")
    assembly = "` ` $buffer"
    writes = ("buffer",)


@check("PYTL-3109", "a software prefetch names a level of the cache", "Passes")
def has_level(op: Prefetch) -> Iterator[Problem]:
    level = op.attributes.get(LEVEL)
    if level not in LEVELS:
        yield Problem(f"{LEVEL} is {level}, and not from {LEVELS[0]} to {LEVELS[-1]}")
    yield from index_problems(op)


@instruction
class Prefetch(VectorInstruction):
    """Software prefetch of the cache line of an element, which may lie anywhere."""

    mnemonic = "vector.prefetch"
    pure = False
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the element")
    attributes: Any = Attributes({LEVEL: "integer"})
    rules = (has_level,)
    assembly = "` ` $tensor `[` $indices `]` ` ` $attributes"

    @property
    def locality(self) -> int:
        """LLVM's hint: 3 for the first level of the cache, 2 for the second, 1 for the third."""
        return 4 - int(self.attributes[LEVEL])


@instruction
class ToLine(VectorInstruction):
    """How many elements of the first mode lie between one and the next cache line; any number below those of a line is
    right.
    """

    mnemonic = "vector.to_line"
    pure = False
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the element")
    attributes: Any = Attributes({LINE: "integer"})
    result: Any = Result(INDEX)
    rules = (has_line,)
    assembly = "` ` $tensor `[` $indices `]` ` ` $attributes ` : ` $result"

    def infer_result_types(self) -> list[Type]:
        return [index]
