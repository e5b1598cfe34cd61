"""Names of operations: short ones, and those that are not read."""

from __future__ import annotations

SHORT = {"module": "builtin.module", "return": "func.return", "call": "func.call"}
"""Names that are written without their dialect."""
PRINTED = {"builtin.module": "module", "func.return": "return"}
"""Those that are printed so."""
_OF_SPARSE = (
    *("create_2to4_spmat", "create_bsr", "create_coo", "create_coo_aos", "create_csc", "create_csr"),
    *("create_dn_tensor", "destroy_dn_tensor", "destroy_sp_mat", "sddmm", "sddmm_buffer_size", "set_csr_pointers"),
    *("spgemm_copy", "spgemm_create_descr", "spgemm_destroy_descr", "spgemm_work_estimation_or_compute"),
    *("spmat_get_size", "spmm", "spmm_buffer_size", "spmv", "spmv_buffer_size"),
)
LOWERED = {
    "tosa": "mlir-opt --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg),tosa-to-arith,"
    "tosa-to-tensor,tosa-to-scf)'",
    **dict.fromkeys(("stablehlo", "chlo"), "stablehlo-opt --stablehlo-legalize-to-linalg"),
    "mhlo": "mlir-hlo-opt --hlo-legalize-to-linalg",
    "torch": "torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline",
    **dict.fromkeys(("tt", "ttx", "tts"), "triton-shared-opt --triton-to-linalg-experimental"),
    "sparse_tensor": "mlir-opt --sparsifier",
    "shape": "mlir-opt --convert-shape-to-std",
}
"""Which program makes operations that are read of those of another dialect."""
_OF_DMA = ("affine.dma_start", "affine.dma_wait", "memref.dma_start", "memref.dma_wait")
UNREAD = {
    **dict.fromkeys(("func.constant", "func.call_indirect"), "a function is called by its name, by func.call"),
    "ub.unreachable": "the language has no branch that is never taken; leave the branch out",
    **dict.fromkeys(_OF_DMA, "it copies between memories of a machine; write memref.copy, or loads and stores"),
    "memref.extract_aligned_pointer_as_index": "addresses are no numbers here; pass the memref",
    "memref.realloc": "memory keeps its size; allocate other memory, and copy",
    **dict.fromkeys(
        ("vector.vscale", "vector.scalable.extract", "vector.scalable.insert"),
        "vectors have a fixed number of elements here; write the program for a length",
    ),
    **dict.fromkeys(
        (f"linalg.winograd_{step}_transform" for step in ("filter", "input", "output")),
        "it is one step of a convolution by Winograd's transforms, which round otherwise than the convolution; write "
        "the convolution, as linalg.conv_2d_nhwc_fhwc",
    ),
    "gpu.binary": "it is a program for a device, compiled already; give the gpu.module that it was made of",
    **{f"gpu.{name}": "it is of a vendor's library of sparse matrices; write it as loops" for name in _OF_SPARSE},
}
"""What to do instead of operations that are not read."""
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""The comparisons of integers, by their numbers in the generic form."""
KINDS = (
    *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu"),
    *("minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori"),
)
"""The kinds of updates and reductions, by their numbers in the generic form."""
OF_FLOATS = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""The comparisons of floats, by their numbers in the generic form."""
IMPLIED = ("affine.yield", "scf.yield")
"""Ends of regions that no custom form has, where they give nothing."""


def instead_of(name: str) -> str | None:
    """What is read in place of an operation, as far as that is known."""
    lowered = LOWERED.get(name.partition(".")[0])
    return UNREAD.get(name) or (f"lower it before: {lowered}" if lowered else None)


_OF_FLOATS = ("addf", "mulf", "minnumf", "maxnumf", "minimumf", "maximumf")
_OF_INTEGERS = ("addi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")


def combiner(kind: str, is_float: bool) -> str | None:
    """The operation of arith by which a reduction of a kind joins numbers; None where there is none.

    >>> combiner("add", True), combiner("or", False), combiner("minui", False), combiner("or", True)
    ('arith.addf', 'arith.ori', 'arith.minui', None)
    """
    letter = "f" if is_float and kind in ("add", "mul") else "i" if kind in ("add", "mul", "and", "or", "xor") else ""
    return f"arith.{kind}{letter}" if f"{kind}{letter}" in (_OF_FLOATS if is_float else _OF_INTEGERS) else None
