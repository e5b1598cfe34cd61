"""Vector code for `cpu.kernel`: its instructions as LLVM, for one work-item that executes a work-group.

    program        a `cpu.kernel` with its arguments, known without LLVM
    kernel         its function of the device library
    context        where code is emitted; memrefs, index arithmetic, loops
    lanes          vectors of elements in memory and in registers
    prefetch       software prefetch
    scheduled_prefetch  prefetching for later work-groups, distributed over the loops of kernels
    numbers        the language's arithmetic, on scalars and on vectors
    access         loads and stores of lanes, contiguous or not
    views          views on memrefs
    arithmetic     products and sums of vectors, for every type that sums are kept in
    rows           how rows are divided into vectors
    products       gemm, and chains of gemms that pass register tiles on
    points         foreach, whose points are lanes

Only `program` is imported before a kernel is compiled.
"""

from .program import KernelArgument, VectorKernel

__all__ = ["KernelArgument", "VectorKernel"]
