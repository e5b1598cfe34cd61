"""Intel's Xe GPUs: which blocks of memory and which products of matrices one instruction takes.

The tables are those of the processors' 2-D block messages and of DPAS, as MLIR's dialects xegpu and xevm take them. A
block has rows and columns as in memory, where columns are contiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from ...ir.types import ScalarType
from ...process.records import dataclass

Shape = tuple[int, int]


@dataclass(frozen=True)
class Chip:
    """What a processor takes."""

    name: str
    lanes: int = 16
    """Work-items of a sub-group that has blocks and products."""
    subgroup_sizes: tuple[int, ...] = (16, 32)
    most_items: int = 1024
    """Work-items of a work-group."""
    local_bytes: int = 128 << 10
    """Local memory of a work-group."""
    base_alignment: int = 64
    """Bytes that the address of a block's matrix is a multiple of."""
    least_pitch: int = 64
    pitch_unit: int = 16
    """Bytes that the distance between rows is a multiple of."""
    most_bytes: int = 1 << 24
    """The largest width, height and pitch of a block's matrix."""
    offset_unit: int = 4
    """Bytes that the first column of a block is a multiple of."""
    load_heights: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    store_heights: tuple[int, ...] = (1, 2, 4, 8)
    block_widths: Mapping[int, tuple[int, ...]] = field(
        default_factory=lambda: {1: (16, 32), 2: (16, 32), 4: (16,), 8: (8,)}
    )
    """Columns of a block, by the bytes of an element."""
    prefetch_widths: Mapping[int, int] = field(default_factory=lambda: {1: 32, 2: 16, 4: 16})
    """Columns of a block that is prefetched, by the bytes of an element; others are not prefetched."""
    transposed_widths: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: {4: (1, 2, 4, 8), 8: (4,)})
    """Columns of a block that is transposed while it is loaded, by the bytes of an element."""
    repeats: tuple[int, ...] = (2, 4, 8)
    """Rows of a product's first factor; of one row, LLVM's functions have no vectors."""
    depths: Mapping[int, int] = field(default_factory=lambda: {1: 32, 2: 16})
    """Columns of a product's first factor, by the bytes of an element."""
    products: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"f16": ("f32", "f16"), "bf16": ("f32", "bf16"), "i8": ("i32",)}
    )
    """The types of sums of products, by the factors'."""
    atomics: tuple[str, ...] = ("i32", "i64", "index", "f32", "f64")
    """The elements that are added to atomically."""

    def __str__(self) -> str:
        return self.name


CHIPS = {chip.name: chip for chip in (Chip("pvc"), Chip("bmg"))}
"""The processors by the names that MLIR's target attribute has for them."""


def pieces(extent: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """First index and size of the pieces that an extent is cut into, the largest first.

    >>> list(pieces(22, (1, 2, 4, 8)))
    [(0, 8), (8, 8), (16, 4), (20, 2)]
    """
    begin = 0
    for size in sorted(sizes, reverse=True):
        while extent - begin >= size:
            yield begin, size
            begin += size


def product_problem(chip: Chip, a: ScalarType, b: ScalarType, c: ScalarType) -> str | None:
    """Why DPAS has no product of these component types; None where it has."""
    if a != b:
        return f"its factors are {a} and {b}, which are of one type on the matrix unit"
    if a.name not in chip.products:
        return f"its factors are {a}, and those of the matrix unit are {', '.join(chip.products)}"
    if c.name not in chip.products[a.name]:
        return f"its sum is {c}, and that of {a} is {' or '.join(chip.products[a.name])} on the matrix unit"
    return None


def depth_of(chip: Chip, component: ScalarType) -> int:
    """The depth of the pieces that factors of a type are cut into; that of 16-bit types where DPAS has no such type."""
    return chip.depths.get(component.size, chip.depths[2])


def pitch_problem(chip: Chip, element: ScalarType, rows: object, columns: object, pitch: object) -> str | None:
    """Why a matrix in memory has no blocks; what is not known is no number."""
    if isinstance(pitch, int):
        distance = pitch * element.size
        if distance < chip.least_pitch or distance % chip.pitch_unit:
            return (
                f"its columns are {distance} bytes apart, which is not a multiple of {chip.pitch_unit} of at least "
                f"{chip.least_pitch}"
            )
        if distance > chip.most_bytes:
            return f"its columns are {distance} bytes apart, which is more than {chip.most_bytes}"
    if isinstance(columns, int):
        width = columns * element.size
        if width < chip.least_pitch or width % chip.offset_unit:
            return (
                f"its columns have {width} bytes, which is not a multiple of {chip.offset_unit} of at least "
                f"{chip.least_pitch}"
            )
    return None
