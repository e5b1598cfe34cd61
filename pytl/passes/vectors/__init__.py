"""The lowering of each `cpu.kernel` to vector code, for the pass `vectorize`.

code           writing instructions, loops, and index arithmetic
access         loads and stores of lanes, contiguous or not
arithmetic     products and sums of vectors, for every type that sums are kept in
rows           how rows are divided into vectors, and columns into blocks
products       gemm, and chains of gemms that pass register tiles on
prefetches     software prefetch for later work-groups, distributed over the loops of products
points         foreach, whose points are lanes
updates        what an instruction does with its target: `target := alpha value + beta target`
sums           sum and gemv
cumsums        cumsum along the contiguous mode
transposition  axpby of a transposed matrix
"""
