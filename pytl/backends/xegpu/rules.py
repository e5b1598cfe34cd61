"""What the hardware takes: the rules whose breach is told before anything is emitted."""

from __future__ import annotations

from ...diagnostics import Rule

_SECTION = "XeGPU"

NO_LAUNCH = Rule("PYTL-3200", "a kernel is launched by a backend that has a device", _SECTION)
SUBGROUP = Rule("PYTL-3201", "a sub-group has as many work-items as the processor has lanes for", _SECTION)
WORK_GROUP = Rule("PYTL-3202", "a work-group has at most as many work-items as the processor can hold", _SECTION)
LOCAL_MEMORY = Rule("PYTL-3203", "a work-group's local memory fits the processor's", _SECTION)
TOGETHER = Rule(
    "PYTL-3204",
    "what work-items do together is not in a foreach",
    _SECTION,
    explanation="The points of a foreach are dealt out to the work-items, some of which may have none.",
)
PRODUCT_TYPES = Rule(
    "PYTL-3205",
    "the matrix unit multiplies f16, bf16 or i8, and adds in f32, i32, or the factors' type",
    _SECTION,
)
COLUMNS = Rule(
    "PYTL-3206",
    "the rows of a matrix are a multiple of the lanes where the lanes hold rows",
    _SECTION,
    explanation="The language's memory is column-major and the processor's blocks are row-major. The rows of a "
    "matrix_a and a matrix_acc are the columns of blocks, which the lanes of a sub-group hold.",
)
ROWS = Rule(
    "PYTL-3218",
    "the columns of a matrix are a multiple of the least block's rows where blocks are above each other",
    _SECTION,
    explanation="The columns of a matrix_b and a matrix_acc are the rows of blocks. A DPAS takes 2, 4 or 8 of them.",
)
MAX_NUMBERS = 4096
"""The largest number of components of a matrix that a lane holds."""
SIZE = Rule(
    "PYTL-3219",
    f"a lane holds at most {MAX_NUMBERS:,} components of a matrix",
    _SECTION,
    explanation="The registers of a sub-group hold fewer, and each block of a matrix is written out.",
)
DEPTH = Rule(
    "PYTL-3207",
    "the inner size of a product is a multiple of what one DPAS sums",
    _SECTION,
)
COMPONENTS = Rule("PYTL-3208", "the components of a matrix are real numbers", _SECTION)
CONVERSION = Rule(
    "PYTL-3209",
    "a factor is cast to a type of the same size where lanes hold several of its columns",
    _SECTION,
)
PITCH = Rule(
    "PYTL-3210",
    "a memref that blocks are read from has columns whose size and distance the block messages take",
    _SECTION,
)
STRIDE = Rule("PYTL-3211", "a memref that blocks are read from has contiguous columns", _SECTION)
ALIGNMENT = Rule(
    "PYTL-3212",
    "the memory that blocks are read from begins at a multiple of a cache line",
    _SECTION,
)
OFFSET = Rule("PYTL-3213", "the first row of a block is at a multiple of four bytes", _SECTION)
TRANSPOSED = Rule(
    "PYTL-3214",
    "a block is transposed while it is loaded where its elements have four bytes, or are packed into four",
    _SECTION,
    explanation="No block is transposed while it is stored.",
)
ELEMENT = Rule("PYTL-3215", "the processor has blocks of the elements' size", _SECTION)
ATOMIC = Rule(
    "PYTL-3216",
    "matrices of the matrix unit update 32-bit and 64-bit numbers atomically, for the work-items of the device",
    _SECTION,
)
FUNCTION = Rule(
    "PYTL-0671",
    "functions of components, single ones, and functions of rows and columns are computed by the work-items",
    _SECTION,
    explanation="A lane has some of the components of a matrix in its registers, in an order of the hardware's.",
)
TOOL = Rule("PYTL-3217", "a stage of what is emitted for XeGPU is shown where there are the tools for it", _SECTION)
