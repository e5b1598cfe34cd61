"""What is decided about products into tiles of Arm's matrix extension: the instruction `cpu.outer_products`.

`sme-products` writes it, and `vectorize` makes vector code of it, which decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...ir.fields import RegionPart
from ...ir.operation import Operation, Problem, check
from ...ir.registry import instruction
from ...ops.blas import Gemm, Ger
from ...ops.constants import constant_of
from ...ops.updates import Update
from .cpu import SECTION, AttributesBeforeRegion
from .sme import PRODUCTS, Product, has_unit_stride, is_along_sum

FACTORS = "factors"
"""The name of the outer product, which says the types of its vectors and sums."""
BLOCK = "block"
"""How many tiles of a block are below each other and beside each other: rows and columns of tiles. A tile's rows are
columns of the result."""
STEPS = "steps"
"""How many steps of the sum are an iteration."""
SLICES = "slices"
"""How many rows or columns of a tile an iteration moves."""
UNROLL_SLICES = "unroll_slices"
"""So many rows or columns, or fewer, are moved without a loop, where their number is known."""
TURNED = "turned"
"""How many tiles side by side, and below each other, a factor is turned in that does not lie as it is read."""
ONCE = "once"
"""The factors, by their positions, that are packed once for all work-groups that are executed one after the other."""
APART = "apart"
"""Whether the addresses of vectors side by side are computed apart from each other."""
BLOCKED = "blocked"
"""The factors, by their positions, whose panels have the rows of each block of vectors one behind the other, so that an
instruction loads those of several steps. The numbers of vectors and of steps are known, and leave no remainder."""
IN_BLOCKS = "in_blocks"
"""How many vectors a row of such a block has: one, so that four steps are loaded, or two."""
GROUPED = "grouped"
"""How many vectors an instruction loads at most, of those that lie side by side; one where it is left out."""
SCALED = "scaled"
"""The position of the factor that is multiplied by alpha, in a list, in place of the sums."""
HELD = "held"
"""The factors, by their positions, whose panels lie in memory of the heap that is allocated once for all of these."""
PIECES = "pieces"
"""How many groups of steps of the factors that are packed are packed at a time, for each block of tiles, where the size
of a panel is not known in front of the work-groups. Nothing is shared then, and there is no memory of the heap."""
VARYING = "varying"
"""Of these, the factors whose sizes differ from work-group to work-group: the memory serves the largest."""
STACK_BYTES = 1 << 16
"""Larger panels, and those of a size that is known at run time only, are on the heap, or packed piecewise."""

ALPHA_RANGE = (2.0**-16, 2.0**16)
"""The least and the largest magnitude of an alpha that a factor is multiplied by: beyond, it may overflow where the
sum does not, or lose digits."""
_NUMBERS = (STEPS, SLICES, UNROLL_SLICES, TURNED)
_GROUPS = (2, 4)
"""The numbers of vectors that SME2's instructions load."""
_MOST = 64
"""The largest number that an attribute may be."""


@check("PYTL-3075", "the attributes of a product by outer products say which tiles compute it", "Passes", is_basic=True)
def says_tiles(op: OuterProducts) -> Iterator[Problem]:
    inner = op.body.operations
    update = inner[0] if inner else None
    if not isinstance(update, (Gemm, Ger)) or update.atomic or not has_unit_stride(update.updated.type):
        words = ", ".join(each.word for each in inner) or "nothing"
        yield Problem(f"it has {words}, which is no product into contiguous lines")
        return
    kinds = {(each.word, *(value.type for value in each.operands)) for each in inner}
    if len(kinds) > 1:
        yield Problem(f"its {len(inner)} products are not of the same matrices' sizes")
    product = PRODUCTS.get(op.attributes.get(FACTORS))
    if product is None:
        yield Problem(f"{FACTORS} is {op.attributes.get(FACTORS)}, and none of {', '.join(PRODUCTS)}")
        return
    for name in _NUMBERS:
        number = op.attributes.get(name)
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= _MOST:
            yield Problem(f"{name} is {number}, and not from 1 to {_MOST}")
    block = op.attributes.get(BLOCK)
    tiles = tiles_of(update, product) // len(inner)
    if not isinstance(block, list) or len(block) != 2 or min(block) < 1 or block[0] * block[1] > tiles:
        yield Problem(f"{BLOCK} is {block}, and not of 1 to {tiles} tiles")
    in_blocks = op.attributes.get(IN_BLOCKS)
    if (in_blocks is not None or BLOCKED in op.attributes) and in_blocks not in (1, 2):
        yield Problem(f"{IN_BLOCKS} is {in_blocks}, and neither 1 nor 2")
    grouped = op.attributes.get(GROUPED)
    if grouped is not None and grouped not in _GROUPS:
        yield Problem(f"{GROUPED} is {grouped}, and none of {', '.join(map(str, _GROUPS))}")
    pieces = op.attributes.get(PIECES, 1)
    if type(pieces) is not int or not 1 <= pieces <= _MOST or (PIECES in op.attributes and len(inner) > 1):
        yield Problem(f"{PIECES} is {pieces}, and not from 1 to {_MOST} for a single product")
    scaled = op.attributes.get(SCALED, [])
    if scaled not in ([], [0], [1]) or (scaled and not may_scale(update, product)):
        yield Problem(f"{SCALED} is {scaled}, and not the position of a factor that alpha may be multiplied by")
    for name in (BLOCKED, ONCE, HELD, VARYING):
        factors = op.attributes.get(name, [])
        if not isinstance(factors, list) or not all(
            isinstance(number, int) and number in range(2) and is_packed(update, update.factors[number], product)
            for number in factors
        ):
            yield Problem(f"{name} is {factors}, and not the positions of factors that are packed")


@instruction
class OuterProducts(Operation):
    """Executes its product by outer products into blocks of tiles.

    Several products, of as many work-groups, are executed in step, each in tiles of its own, which are one block.
    """

    mnemonic = "cpu.outer_products"
    kind = "collective"
    section = SECTION
    attributes: Any = AttributesBeforeRegion(
        {
            FACTORS: "text",
            APART: "boolean",
            **dict.fromkeys((BLOCK, BLOCKED, SCALED, ONCE, HELD, VARYING), "integers"),
            **dict.fromkeys((*_NUMBERS, GROUPED, IN_BLOCKS, PIECES), "integer"),
        }
    )
    body: Any = RegionPart("collective")
    assembly = "` ` $attributes ` ` $body"
    rules = (says_tiles,)

    @property
    def updates(self) -> list[Update]:
        """The gemms or the gers."""
        updates: list[Update] = self.body.operations
        return updates

    @property
    def update(self) -> Update:
        """The first of them."""
        return self.updates[0]

    @property
    def slices(self) -> tuple[int, int]:
        """How many slices an iteration moves, and up to how many there is no loop."""
        return self.attributes[SLICES], self.attributes[UNROLL_SLICES]

    @property
    def product(self) -> Product:
        return PRODUCTS[self.attributes[FACTORS]]


def tiles_of(op: Update, product: Product) -> int:
    """How many tiles of sums there are: ZA has as many as a sum has bytes, and complex numbers are in two."""
    return product.sum.size // (2 if op.updated.type.element.is_complex else 1)


def is_packed(op: Update, name: str, product: Product) -> bool:
    """Whether a factor of a gemm or ger does not lie in memory as outer products read it."""
    type_ = getattr(op, name).type
    is_along = type_.order == 1 or not is_along_sum(op, name)
    lies_so = is_along and product.ways == 1 and has_unit_stride(type_) and type_.element == product.factor
    return not lies_so or op.updated.type.element.is_complex


def may_scale(op: Any, product: Product) -> bool:
    """Whether alpha may be multiplied by a factor of a gemm or ger, in place of the sums.

    Factors and sums have one type, so that no result has another bound on its error. What is known at run time only may
    turn out not to be in the range. The sums are then multiplied by it, which tiles that begin with the target allow
    only where these may begin with +0.
    """
    element, alpha, beta = op.updated.type.element, constant_of(op.alpha), constant_of(op.beta)
    if product.factor != product.sum or product.sum.is_integer or element.is_complex:
        return False
    if alpha is None:
        return element == product.sum and (beta == 0 or (beta == 1 and isinstance(op, Gemm)))
    return alpha != 1 and ALPHA_RANGE[0] <= abs(alpha) <= ALPHA_RANGE[1]


def panel_sizes(op: OuterProducts) -> dict[int, int | None]:
    """The bytes of the panels of factors that are packed, by the factors' positions; None where that is not known."""
    update: Any = op.update
    names = enumerate(update.factors)
    return {n: _panel_bytes(update, name, op.product) for n, name in names if is_packed(update, name, op.product)}


def _panel_bytes(op: Update, name: str, product: Product) -> int | None:
    """The bytes of a factor's panel; None where its size is known at run time only."""
    shape = getattr(op, name).type.shape
    if not all(isinstance(extent, int) for extent in shape):
        return None
    free, steps = (shape[0], 1) if len(shape) == 1 else shape[::-1] if is_along_sum(op, name) else shape
    parts = 1 if not op.updated.type.element.is_complex else 4 if name == op.factors[0] else 2
    groups = -(-steps // product.ways)
    return int(free * groups * product.ways * parts * product.factor.size)
