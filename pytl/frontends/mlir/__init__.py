"""MLIR as a language of texts: modules of func, arith, math, scf, affine, memref, vector and linalg."""
