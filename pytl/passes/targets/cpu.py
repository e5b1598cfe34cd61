"""What a backend decides about execution on processors, as instructions of the namespace `cpu`.

Passes write them, so that every decision can be printed, checked and tested; users' texts can't have them. Each
means what its region means without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...ir.assembly import RegionArgument
from ...ir.constraints import BOOL, FLOATING, INDEX, MEMREF
from ...ir.fields import Attributes, Operand, RegionPart, Result, SyntaxPart
from ...ir.operation import Operation, Problem, check
from ...ir.registry import instruction
from ...ir.types import f32, f64, index
from ...ir.values import Value
from ...ops.blas import Gemm
from ...ops.memory import LocalMemref, local_alloca, static_alloca
from ...ops.regions import Foreach
from ...ops.updates import TRANSPOSES
from ..analysis.uniformity import variation_of
from .cpu_attributes import (
    APART,
    INTERLEAVE,
    LANES,
    LINE,
    OF_KERNEL,
    OF_PREFETCH,
    ONWARDS,
    PER_ITERATION,
    TURNED,
    UNROLL_TILES,
    has_line,
    prefetch_attributes,
    products_accumulate,
    tile_attributes,
    tiles_of,
)
from .turned_blocks import Blocks
from .vector_forms import (
    has_register_tiles,
    has_vector_code,
    has_vector_points,
    is_epilogue,
    multiply_one_matrix,
    written_by,
)

SECTION = "Collective instructions"


class AttributesBeforeRegion(Attributes):
    """Attributes in front of a region, which begins with a brace, too."""

    def begins(self, parser: Any) -> bool:
        start = parser.scanner.skip_blanks()
        return _ATTRIBUTES.match(parser.scanner.text, start) is not None


_ATTRIBUTES = re.compile(r'\{\s*(?:"|[a-z_]+\s*=)')


@check("PYTL-3005", "a kernel's instructions are the same for each interleaved work-group", "Passes")
def same_interleaved(op: Kernel) -> Iterator[Problem]:
    words = [inner.word for inner in op.body.operations]
    if op.interleave < 1 or len(words) % op.interleave or words != words[: len(words) // op.interleave] * op.interleave:
        yield Problem(f"its {len(words)} instructions are not {op.interleave} times the same")


@check(
    "PYTL-3006",
    "a kernel has registers, products with their epilogues, and prefetches, in this order, or a single instruction "
    "that has vector code of its own, with prefetches where its loops go by blocks, or some that sum the columns of "
    "one matrix, multiplied by a vector each",
    "Passes",
)
def admitted(op: Kernel) -> Iterator[Problem]:
    inner = op.body.operations
    if not any(isinstance(each, Gemm) for each in inner):
        prefetches = [each for each in inner[1:] if isinstance(each, Prefetch) and TURNED in op.attributes]
        alone = inner[0] if len(inner) == 1 + len(prefetches) or multiply_one_matrix(inner) else None
        if isinstance(alone, Foreach):
            fits = has_vector_points(alone, variation_of(alone))
        else:
            fits = alone is not None and has_vector_code(alone)
        if not fits:
            words = ", ".join(each.word for each in inner) or "nothing"
            yield Problem(f"it has {words}, which has no vector code")
        return
    for group in range(max(op.interleave, 1)):
        count = len(inner) // max(op.interleave, 1)
        yield from _problems_of_products(inner[group * count : (group + 1) * count], APART in op.attributes)


def _problems_of_products(operations: Sequence[Operation], are_apart: bool) -> Iterator[Problem]:
    """What is wrong with the instructions of one work-group in a kernel with products."""
    order: tuple[Any, ...] = (Registers, (Gemm, Foreach), Prefetch)
    positions = [next((n for n, cls in enumerate(order) if isinstance(each, cls)), None) for each in operations]
    for position, before, each in zip(positions, [0, *positions], operations):
        if position is None:
            yield Problem(f"{each.word} has no vector code in a kernel with products")
        elif before is not None and position < before:
            yield Problem(f"{each.word} comes after instructions that it precedes")
    stored: set[Value] = set()
    held = {each.result for each in operations if isinstance(each, Registers)}
    last: Gemm | None = None
    for each in operations:
        if isinstance(each, Gemm):
            if not has_register_tiles(each):
                yield Problem(f"the rows of a product's result, {each.C.type}, are not contiguous, or it is atomic")
            if each.B in held or (each.A in held and (each.A not in stored or TRANSPOSES[each.transpose_a])):
                yield Problem(
                    "registers hold the left factor, not transposed, of a product after the one that computes it"
                )
            stored.add(each.C)
            last = each
        elif isinstance(each, Foreach):
            if last is None or not is_epilogue(each, last):
                yield Problem("a foreach is not an epilogue of the product before it")
            elif not are_apart and any(value is not last.C for value in written_by(each)):
                yield Problem(f"an epilogue writes other results, and the kernel does not say that they are {APART}")


@check("PYTL-3073", "the prefetches of a kernel are scheduled with its loops", "Passes")
def prefetches_are_scheduled(op: Kernel) -> Iterator[Problem]:
    inner = [each for each in op.body.operations if isinstance(each, Prefetch)]
    if UNROLL_TILES not in op.attributes:
        if any(LINE in each.attributes for each in inner):
            yield Problem("its loops have no schedule, and a prefetch has one")
        return
    if not inner:
        return
    first = op.body.operations[0]
    if isinstance(first, Foreach):
        kinds, of_what = len(Blocks.of(first, op.attributes[LANES]).of_loop), "loops by blocks"
    else:
        tiles, of_what = tiles_of(op), "kinds of tiles"
        if tiles is None:
            yield Problem("it prefetches, and the number of its register tiles is not known")
            return
        kinds = sum(len(each.kinds) for each in tiles)
    for each in inner:
        counts = each.attributes.get(PER_ITERATION)
        if not isinstance(counts, list) or len(counts) != kinds:
            yield Problem(f"{PER_ITERATION} of a prefetch is {counts}, and no number for each of {kinds} {of_what}")


@instruction
class Kernel(Operation):
    """Executes its instructions, in order, as one piece of vector code.

    The rows of the results are divided into tiles of some vectors. All instructions are executed for one tile before
    the next tile begins. Results that are passed on in `cpu.registers` stay in registers. Several sums of the columns
    of one matrix read it once.
    """

    mnemonic = "cpu.kernel"
    kind = "collective"
    section = SECTION
    attributes: Any = AttributesBeforeRegion(OF_KERNEL)
    body: Any = RegionPart("collective")
    assembly = "(` ` $attributes)? ` ` $body"
    rules = (same_interleaved, admitted, tile_attributes, products_accumulate, prefetches_are_scheduled)

    @property
    def interleave(self) -> int:
        return int(self.attributes.get(INTERLEAVE, 1))


@instruction
class Registers(Operation):
    """A tensor of a `cpu.kernel` that is never in memory: its elements are lanes of registers."""

    mnemonic = "cpu.registers"
    kind = "collective"
    section = SECTION
    result: Any = LocalMemref(MEMREF)
    assembly = "` : ` $result"
    allowed_parents = ("cpu.kernel", "cpu.lanes")
    rules = (static_alloca, local_alloca)


class RegionArguments(SyntaxPart):
    """The arguments of a region."""

    def __init__(self, region: str) -> None:
        super().__init__()
        self.region = region

    @property
    def grammar(self) -> str:
        return "%variable, …"

    def present(self, operation: Any) -> bool:
        return getattr(operation, self.region) is not None

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.comma_separated(parser.local_name, closing="{")

    def print(self, printer: Any, operation: Any) -> None:
        printer.separated(getattr(operation, self.region).arguments, printer.value)


def numbers_of(names: str) -> Callable[[dict[str, Any]], list[RegionArgument]]:
    """The arguments of a region whose names were read before: numbers of work-groups."""
    return lambda parts: [(name, location, index) for name, location in parts[names]]


ITEMS = "items"
"""Of a cpu.items: the most work-groups that a work-item executes."""
PAST_CACHES = "past_caches"
"""Of a cpu.items: whether `prefetching` stores past the caches what it only writes, where that begins at lines."""
DISTANCE = "distance"
"""Of a cpu.later: how many work-groups it looks ahead."""


@check("PYTL-3008", "the regions of cpu.items execute each work-group once", "Passes")
def executes_all(op: Items) -> Iterator[Problem]:
    items = op.attributes.get(ITEMS)
    if not isinstance(items, int) or items < 1:
        yield Problem(f"{ITEMS} is {items}, and no number from 1 on")
    regions = {"body": op.body, "prefetching": op.prefetching, "remainder": op.remainder}
    present = {name: region for name, region in regions.items() if region is not None}
    for name, region in present.items():
        if not region.arguments or any(argument.type != index for argument in region.arguments):
            yield Problem(f"{name} has no numbers of work-groups as its arguments")
    if (op.exceeds_cache is None) != (op.prefetching is None):
        yield Problem("a region that prefetches needs a condition under which it is executed, and the other way round")
    if op.attributes.get(PAST_CACHES) and op.prefetching is None:
        yield Problem("nothing is stored past the caches without a region that prefetches")
    interleaved = max((len(present[name].arguments) for name in ("body", "prefetching") if name in present), default=1)
    if interleaved > 1 and op.remainder is None:
        yield Problem(f"{interleaved} work-groups are interleaved, and no region executes those of the remainder")
    if op.remainder is not None and len(op.remainder.arguments) != 1:
        yield Problem("the remainder is executed one work-group at a time")


@instruction
class Items(Operation):
    """Executes its region for each work-group that the work-item executes.

    The region's argument is the number of the work-group. A `body` with several arguments interleaves so many
    work-groups (unroll-and-jam), and `remainder` executes one that is left over. Where `exceeds_cache` is true,
    `prefetching` is executed in place of `body`: it does the same, with software prefetch of what later ones use.

    With `stop`, the work-groups deal out the numbers below it among them: each executes its own number, and then those
    that follow by the number of work-groups. Work-groups are independent, so a work-item executes the first number of
    all its work-groups before their second ones.
    """

    mnemonic = "cpu.items"
    kind = "collective"
    section = SECTION
    attributes: Any = Attributes({ITEMS: "integer", PAST_CACHES: "boolean"})
    groups: Any = RegionArguments("body")
    stop: Any = Operand(INDEX, "where the numbers that work-groups deal out end", optional=True)
    body: Any = RegionPart("collective", arguments=numbers_of("groups"))
    exceeds_cache: Any = Operand(BOOL, "whether all work-groups use more than a cache holds", optional=True)
    groups_prefetching: Any = RegionArguments("prefetching")
    prefetching: Any = RegionPart("collective", arguments=numbers_of("groups_prefetching"))
    group_of_remainder: Any = RegionArguments("remainder")
    remainder: Any = RegionPart("collective", arguments=numbers_of("group_of_remainder"))
    allowed_parents = ("func",)
    rules = (executes_all,)
    assembly = (
        "(` ` $attributes)? ` ` $groups (` to ` $stop)? ` ` $body"
        " (` prefetching if ` $exceeds_cache ` ` $groups_prefetching ` ` $prefetching)?"
        " (` remainder ` $group_of_remainder ` ` $remainder)?"
    )

    @property
    def items(self) -> int:
        return int(self.attributes[ITEMS])

    @property
    def interleave(self) -> int:
        """How many work-groups the body interleaves."""
        return len(self.body.arguments)


@instruction
class BeginsAtLine(Operation):
    """Whether the memory of a tensor begins at a cache line of so many bytes, or at a multiple of them."""

    mnemonic = "cpu.begins_at_line"
    kind = "collective"
    pure = True
    section = SECTION
    attributes: Any = Attributes({LINE: "integer"})
    tensor: Any = Operand(MEMREF, "the tensor")
    result: Any = Result(BOOL)
    rules = (has_line,)
    assembly = "` ` $tensor ` ` $attributes ` : ` $result"


@check("PYTL-3130", "a processor has an instruction for the roots of f32 and f64", "Passes")
def has_root(op: Sqrt) -> Iterator[Problem]:
    if op.a.type not in (f32, f64) or op.result.type != op.a.type:
        yield Problem(f"the types are {op.a.type} and {op.result.type}")


@instruction
class Sqrt(Operation):
    """The square root of a number, rounded correctly, by the processor's instruction: the language has none."""

    mnemonic = "cpu.sqrt"
    pure = True
    section = SECTION
    variant = "sqrt"
    a: Any = Operand(FLOATING, "argument")
    result: Any = Result(FLOATING, like="a")
    rules = (has_root,)
    assembly = "` ` $a ` : ` $result"


@check("PYTL-3074", "cpu.later looks at least one work-group ahead", "Passes")
def has_later_prefetch(op: Later) -> Iterator[Problem]:
    distance = op.attributes.get(DISTANCE)
    if not isinstance(distance, int) or distance < 1:
        yield Problem(f"{DISTANCE} is {distance}, and no number from 1 on")


@instruction
class Later(Operation):
    """What the work-item executes some work-groups later, in the order of `cpu.items`; at most the last number."""

    mnemonic = "cpu.later"
    kind = "collective"
    pure = True
    section = SECTION
    attributes: Any = Attributes({DISTANCE: "integer"})
    group: Any = Operand(INDEX, "what it executes now")
    last: Any = Operand(INDEX, "the last number")
    result: Any = Result(INDEX)
    allowed_parents = ("cpu.items",)
    rules = (has_later_prefetch,)
    assembly = "(` ` $attributes)? ` ` $group `, ` $last ` : ` $result"


@check("PYTL-3129", "what is prefetched behind the last rows of a tensor is like it", "Passes")
def prefetch_of_next(op: Prefetch) -> Iterator[Problem]:
    if op.next is not None and not op.attributes.get(ONWARDS):
        yield Problem(f"it says what is behind the last rows, and has not the attribute {ONWARDS}")
    elif op.next is not None and op.next.type != op.tensor.type:
        yield Problem(f"the types are {op.tensor.type} and {op.next.type}")


@instruction
class Prefetch(Operation):
    """Software prefetch of a tensor, which may lie anywhere.

    In a `cpu.kernel`, the prefetches of its cache lines are distributed over the kernel's loops. Of a left factor, a
    register tile prefetches the rows of the next tile, if it says so, and the last one the first rows of `next`.
    """

    mnemonic = "cpu.prefetch"
    kind = "collective"
    section = SECTION
    tensor: Any = Operand(MEMREF, "what will be used")
    next: Any = Operand(MEMREF, "what will be used behind its last rows", optional=True)
    attributes: Any = Attributes(OF_PREFETCH)
    rules = (prefetch_attributes, prefetch_of_next)
    assembly = "` ` $tensor (` then ` $next)? (` ` $attributes)?"
