"""MLIR's text: operations, regions, blocks, types, attributes and locations.

`read_module` reads the generic form of any dialect, which `mlir-opt --mlir-print-op-generic --mlir-print-debuginfo`
makes of each text that MLIR understands. `read_text` reads the custom forms of the dialects in `forms`, too, to the
same tree.
"""

from .reader import read_module, read_text
from .tree import Block, Operation, Region
from .types import Memref, Opaque, Scalar, Type, Vector, read_type

__all__ = [
    "Block",
    "Memref",
    "Opaque",
    "Operation",
    "Region",
    "Scalar",
    "Type",
    "Vector",
    "read_module",
    "read_text",
    "read_type",
]
