"""MLIR's text: operations, regions, blocks, types, attributes and locations.

`read_module` reads the generic form of any dialect, which `mlir-opt --mlir-print-op-generic --mlir-print-debuginfo`
makes of each text that MLIR understands. `read_text` reads the custom forms of the dialects in `forms`, too, to the
same tree. `builder.Builder` builds such trees, and `printer.print_operation` writes them.
"""

from .reader import read_module
from .texts import read_text, read_type
from .tree import Block, Operation, Region
from .types import Complex, Function, Memref, Opaque, ScalableVector, Scalar, Tensor, Type, Vector

__all__ = [
    "Block",
    "Complex",
    "Function",
    "Memref",
    "Opaque",
    "Operation",
    "Region",
    "ScalableVector",
    "Scalar",
    "Tensor",
    "Type",
    "Vector",
    "read_module",
    "read_text",
    "read_type",
]
