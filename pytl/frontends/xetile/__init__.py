"""The syntax of the document on XeTile: MLIR with its dialect xetile, and arith, scf and func around it."""
