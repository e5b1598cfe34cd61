"""The document's modules in MLIR of today: as operations of `pytl.mlir.text`, and as text."""

from .convert import to_operations
from .text import print_today

__all__ = ["print_today", "to_operations"]
