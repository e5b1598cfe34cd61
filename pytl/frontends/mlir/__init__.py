"""MLIR as a language of texts: modules of func, arith, math, scf, cf, affine, memref, vector and linalg."""
