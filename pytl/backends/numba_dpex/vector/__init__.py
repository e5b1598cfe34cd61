"""LLVM of each `vector.code`, for one work-item that executes a work-group.

    program   a `vector.code` with its arguments, known without LLVM
    kernel    its function of the device library
    context   where code is emitted; memrefs, index arithmetic, loops
    emit      one function for each instruction
    numbers   the language's arithmetic, on scalars and on vectors
    lanes     vectors of contiguous elements in memory and in registers
    access    loads and stores of lanes that are not contiguous
    views     views on memrefs
    prefetch  software prefetch

Only `program` is imported before a kernel is compiled.
"""

from .program import KernelArgument, VectorKernel

__all__ = ["KernelArgument", "VectorKernel"]
