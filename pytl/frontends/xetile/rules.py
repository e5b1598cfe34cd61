"""What is demanded of texts of XeTile, beside what they have in common with the tensor language's."""

from __future__ import annotations

from ...diagnostics import Rule

_SECTION = "Document on XeTile"
_XEGPU = "Document on XeGPU"
LANE_COUNTS = (1, 2, 4, 8, 16, 32)
CHUNKS = (1, 2, 3, 4, 8)

OPERATION = Rule(
    "PYTL-1230",
    "an operation is one of xetile's and xegpu's, or one of arith, scf, gpu, math, memref, vector and func that pytl "
    "reads beside them",
    _SECTION,
)
TYPE = Rule(
    "PYTL-1231",
    "a type is a number's, memref, tile, tensor_desc or vector, the latter three with static sizes",
    _SECTION,
    explanation="The document's `float` is f32. A memref has its rows together, unless it is strided.",
)
ANNOTATED = Rule("PYTL-1232", "the types that an operation names are those of its operands and results", _SECTION)
BASE = Rule(
    "PYTL-1233",
    "the base matrix is a memref, or memory whose rows are contiguous, with a shape and strides of its own",
    _SECTION,
    explanation="The memory is a memref whose rows lie one behind the other, or an address: a parameter of an integer "
    "type, for which a launch takes an array of one mode. The innermost stride is the constant 1. The base matrix ends "
    "where the memory ends.",
)
LAYOUT = Rule(
    "PYTL-1234",
    "a layout is a wg_map of sg_layout and sg_data, a sg_map of wi_layout and wi_data, a xe_map of both, or the name "
    "of one",
    _SECTION,
)
SPELLING = Rule(
    "PYTL-1235",
    "a text is spelled as the document's grammar has it",
    _SECTION,
    severity="note",
    explanation="Samples of the document are not. What can be meant in one way only is read with this note.",
)
STORED = Rule("PYTL-1236", "store_tile has no attributes: transpose and padding are those of loads", _SECTION)
MODE = Rule(
    "PYTL-1237",
    "an operation in the mode vc has descriptors without a sg_map",
    _XEGPU,
    explanation="A sg_map says which elements a work-item has; in the mode vc a vector is that of a sub-group.",
)
DIMENSIONS = Rule(
    "PYTL-1238",
    "a descriptor of n dimensions has n offsets, n sizes and n strides of the base matrix",
    _XEGPU,
)
LINE = Rule(
    "PYTL-1239",
    "a descriptor of one dimension has boundary_check = false, and a sg_map whose outer sizes are 1",
    _XEGPU,
)
HINT = Rule(
    "PYTL-1240",
    "a cache hint of a load is uncached, cached, streaming or read_invalidate, one of a store uncached, write_through, "
    "write_back or streaming",
    _XEGPU,
)
VNNI = Rule(
    "PYTL-1241",
    "vnni_axis is 0 or 1, for elements of one or two bytes, of which as many as fill 32 bits lie along the axis",
    _XEGPU,
    explanation="The size along the axis is a multiple of that number, and so is wi_data of a sg_map.",
)
FRAGMENT = Rule(
    "PYTL-1242",
    "a vector has the shape of what is loaded, stored or multiplied, or as many elements as a work-item has of it",
    _XEGPU,
)
FACTOR = Rule(
    "PYTL-1243",
    "factors of less than 32 bits are in the VNNI form: the second one split along axis 0",
    _XEGPU,
)
LANES = Rule("PYTL-1244", "a scattered descriptor is of 1, 2, 4, 8, 16 or 32 work-items", _XEGPU)
CHUNK = Rule(
    "PYTL-1245",
    "chunk_size_per_lane is 1, 2, 3, 4 or 8, is the descriptor's second size, and belongs to the mode vc",
    _XEGPU,
)
MASK = Rule("PYTL-1246", "a mask has one truth value for each work-item of the descriptor", _XEGPU)
ATOMIC = Rule(
    "PYTL-1247",
    "an atomic update adds, or keeps the minimum or the maximum, of numbers of the elements' type",
    _XEGPU,
    explanation="The language has no other atomic update. "
    "The minimum and the maximum of a nan and a number are the number.",
)
NBARRIER = Rule(
    "PYTL-1248",
    "a named barrier is allocated, has a constant role of 0, 1 or 2, and is one of all sub-groups of the work-group",
    _XEGPU,
    explanation="It becomes the barrier of the work-group. The role 0 is producer and consumer, 1 producer, 2 "
    "consumer. The attribute known_block_size of the function gives the work-items of a work-group, 16 of which "
    "are a sub-group.",
)
FENCE = Rule(
    "PYTL-1249",
    "mfence has memory_kind ugm, ugml, tgm or slm, fence_op none, evict, invalidate, discard, clean or flushl3, and "
    "fence_scope group, local, tile, gpu, gpus, system or sysacq",
    _XEGPU,
)
COMPILER = Rule("PYTL-1250", "the hint of compile_hint is schedule_barrier", _XEGPU)
SCOPE = Rule(
    "PYTL-1251",
    "memory_scope is global, or slm where the base is a memref of memory space 3",
    _XEGPU,
    explanation="memref.alloca gives one. An address in local memory has no meaning outside of the work-group.",
)
ATTRIBUTE = Rule("PYTL-1252", "an attribute is one that the operation has", _XEGPU)
TURNED = Rule("PYTL-1253", "transpose is [1, 0] or [0, 1]", _XEGPU)
BLOCK_SIZE = Rule(
    "PYTL-1254",
    "known_block_size is a multiple of the 16 work-items of a sub-group",
    _XEGPU,
)
