"""MLIR's text in the generic form: operations, regions, blocks, types, attributes and locations, of any dialect.

`mlir-opt --mlir-print-op-generic --mlir-print-debuginfo` makes it of each text that MLIR understands.
"""

from .reader import read_module
from .tree import Block, Operation, Region
from .types import Memref, Opaque, Scalar, Type, Vector, read_type

__all__ = ["Block", "Memref", "Opaque", "Operation", "Region", "Scalar", "Type", "Vector", "read_module", "read_type"]
