"""What is demanded of modules of MLIR, beside their spelling."""

from __future__ import annotations

from ...diagnostics import Rule

_SECTION = "MLIR"

OPERATION = Rule(
    "PYTL-1302",
    "an operation is one of func, arith, math, complex, scf, cf, affine, memref, vector, linalg, tensor and "
    "bufferization that pytl has a meaning for",
    _SECTION,
    explanation="The guide to MLIR in has the list.",
)
TYPE = Rule(
    "PYTL-1303",
    "numbers are integers of up to 64 bits, index, f16, bf16, f32, f64 or floats of fewer bits, or complex ones of f32 "
    "or f64; vectors have a fixed shape, memrefs a rank",
    _SECTION,
    explanation="Floats of 8, 6 and 4 bits are bytes in memory, and f32 where they are computed with. A scalable "
    "vector, such as vector<[4]xf32>, is as long as the processor has it, and a vector here is so many numbers. A "
    "memref without a rank is an argument, read as the elements of one line.",
)
TENSOR = Rule(
    "PYTL-1304",
    "a tensor has a rank and elements, and is made by an operation that pytl gives memory",
    _SECTION,
    explanation="docs/mlir-operations.md lists the operations.",
)
OPERANDS = Rule("PYTL-1305", "an operation has operands, results and attributes as its dialect defines them", _SECTION)
MAP = Rule(
    "PYTL-1306",
    "an affine map or integer set is well formed, and is applied to as many operands as it has dimensions and symbols",
    _SECTION,
)
LAYOUT = Rule(
    "PYTL-1307",
    "the layout of an argument is strided, or an affine map without symbols",
    _SECTION,
    explanation="Strided layouts, with memory in any order of the dimensions, take arrays of the memref's shape. Of "
    "other maps, an argument is an array of the map's results, as after `mlir-opt --normalize-memrefs`.",
)
FUNCTION = Rule(
    "PYTL-1308",
    "a function that becomes a kernel has a body; its arguments are numbers, tensors and memrefs, and it gives numbers "
    "and tensors",
    _SECTION,
    explanation="Functions that others call are inlined where they are private, or give values.",
)
UNDEFINED = Rule("PYTL-1309", "a value is defined before it is used", _SECTION)
STRUCTURE = Rule(
    "PYTL-1310",
    "the regions of an operation have blocks that end with a terminator; they branch forwards, and in loops that are "
    "entered at one block, go back to it from one, and are left from one of these two",
    _SECTION,
)
SIZE = Rule(
    "PYTL-1311",
    "memory that a kernel allocates has a size that is known when the text is read, and a tensor one that follows from "
    "the arguments",
    _SECTION,
    explanation="The host executes functions on tensors whose sizes elements say, or iterations: this is a note then.",
)
VECTOR = Rule(
    "PYTL-1312",
    "a vector has at most 4096 elements, and its accesses are at places that are known to be in it",
    _SECTION,
)
CALL = Rule("PYTL-1313", "a function that is called is defined in the text, and calls end; they are inlined", _SECTION)
ADDRESS = Rule(
    "PYTL-1314",
    "a view of memory by an offset, sizes and strides lies in the memory along its strides",
    _SECTION,
    explanation="What extract_strided_metadata gives is for reinterpret_cast: strides that only a launch knows are "
    "no numbers of a kernel.",
)
REDUCTION = Rule("PYTL-1315", "a reduction of a loop is one that pytl has a meaning for", _SECTION)
LENGTH = Rule("PYTL-1316", "a module has at most 100000 operations once its calls are inlined", _SECTION)
REDEFINED = Rule("PYTL-1317", "a name is given to one value", _SECTION)
WHILE = Rule(
    "PYTL-1319",
    "the number of iterations of scf.while is bounded by a number that each of them changes by a constant",
    _SECTION,
    explanation="The language has no loop whose end is found on the way: its loops are counted when they begin. So its "
    "condition is, or demands among others, that a carried number stands so to one that stays the same; the carried "
    "number goes on by a constant, or is multiplied, divided or shifted by one. The host executes functions with other "
    "loops: this is a note then. Kernels of gpu with such loops are refused where a backend is to compile them.",
)
ATOMIC = Rule(
    "PYTL-1320",
    "where iterations are executed at the same time, an atomic update is a sum, a minimum or a maximum of numbers of "
    "the memory's type",
    _SECTION,
    explanation="These the language has. Where one work-item executes all of the function, any update is a load and a "
    "store.",
)
GLOBAL = Rule(
    "PYTL-1321",
    "memory of a module is constant, has values and at most 4096 elements",
    _SECTION,
    explanation="Each work-group has a copy of it. What launches keep is in arguments.",
)
GPU = Rule(
    "PYTL-1341",
    "a kernel of gpu that is launched on a device has vectors of whole sub-groups, or numbers of work-items",
    _SECTION,
    explanation="Vectors of a sub-group or of a work-group become memory of the work-group. So do numbers of "
    "work-items that are exchanged (gpu.shuffle, rotate, subgroup_broadcast, subgroup_reduce, all_reduce), or are "
    "needed behind a barrier; how many work-items there are must be known, and all of them reach exchanges and "
    "barriers. The interpreter (backend reference) executes vectors of single work-items, too.",
)
