"""Kernels as MLIR: the text, the tools that compile it, and its execution on the host."""
