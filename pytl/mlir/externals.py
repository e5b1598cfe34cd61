"""Functions of libraries for tests that texts of MLIR declare and call: MLIR's own, and those of Intel's extensions.

What they do is in the interpreter of XeGPU (`backends/xegpu/interpreter/printing.py`), which has one for each name.
"""

from __future__ import annotations

FLOATS = ("F16", "BF16", "F32")
ELEMENTS = (*FLOATS, "F64", "C32", "C64", "I8", "I16", "I32", "I64", "Ind")
"""How names of functions call elements."""
OF_ELEMENTS = {
    "printMemref": ELEMENTS,
    "printMemrefShape": ELEMENTS,
    "verifyMemRef": ELEMENTS,
    "printMemref1d": ELEMENTS,
    **{f"printMemref{rank}d": ("F32",) for rank in (0, 2, 3, 4)},
    "printAllclose": FLOATS,
    "allclose": FLOATS,
    "printMaxError": FLOATS,
    "fillResource1D": FLOATS,
    "fillResource1DRandom": FLOATS,
}
"""Functions of memrefs, and for which elements there are such."""
PRODUCTS = (("F16F16", "F32"), ("F16F16", "F16"), ("BF16BF16", "F32"))
"""The factors and the result of `gemmF16F16F32` and its like."""
WORDS = {"printNewline": "\n", "printComma": ", ", "printOpen": "( ", "printClose": " )"}
NUMBERS = ("printI64", "printU64", "printF16", "printBF16", "printF32", "printF64")
OF_C = ("hypot", "hypotf")
"""Functions of C's library, which kernels may call, too."""
OTHERS = ("rtclock", "nanoTime", "_mlir_ciface_nanoTime", "printFlops", "rtsrand", "rtrand")

NAMES = frozenset(
    (
        *(prefix + name for prefix, names in OF_ELEMENTS.items() for name in names),
        *(f"gemm{factors}{result}" for factors, result in PRODUCTS),
        *WORDS,
        *NUMBERS,
        *OF_C,
        *OTHERS,
    )
)
"""All of them."""
