"""Tensors of MLIR: a function on tensors becomes one on memrefs."""
