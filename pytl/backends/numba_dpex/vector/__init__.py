"""Vector code for `cpu.kernel`: its instructions as LLVM, for one work-item that executes a work-group.

    program        a `cpu.kernel` with its arguments, known without LLVM
    kernel         its function of the device library
    context        what code is written into; memrefs, index arithmetic, loops
    lanes          vectors of elements in memory and in registers
    prefetch       software prefetch
    ahead          what kernels ask for of later work-groups, spread over their loops
    numbers        the language's arithmetic, on numbers and on vectors
    access         what lanes load and store, neighbours or not
    views          views on memrefs
    arithmetic     products and sums of vectors, for every type that sums are kept in
    rows           how rows are cut into vectors
    products       gemm, and chains of them that hand on tiles in registers
    points         foreach, whose points are lanes
    updates        how collective instructions end: `target := alpha value + beta target`
    sums           sum and gemv
    cumsums        cumsum along the contiguous mode
    transposition  axpby of a transposed matrix

Of these, the first alone is imported before a kernel is compiled.
"""

from .program import KernelArgument, VectorKernel

__all__ = ["KernelArgument", "VectorKernel"]
