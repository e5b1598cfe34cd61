"""The lowering of each `cpu.kernel` to vector code, for the pass `vectorize`.

code           writing instructions, loops, and index arithmetic
access         loads and stores of lanes, contiguous or not
rows           how rows are divided into vectors, and columns into blocks
updates        what an instruction does with its target: `target := alpha value + beta target`
sums           sum and gemv
cumsums        cumsum along the contiguous mode
transposition  axpby of a transposed matrix
"""
