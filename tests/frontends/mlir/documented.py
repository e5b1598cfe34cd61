"""The operations of MLIR 22's dialects that are neither of tensors nor of GPUs, as `libMLIR` has them."""

from __future__ import annotations

OPERATIONS = {
    "func": """
call call_indirect constant func return
""".split(),
    "ub": """
poison unreachable
""".split(),
    "cf": """
assert br cond_br switch
""".split(),
    "scf": """
condition execute_region for forall forall.in_parallel if index_switch parallel reduce reduce.return while yield
""".split(),
    "affine": """
apply delinearize_index dma_start dma_wait for if linearize_index load max min parallel prefetch store vector_load
vector_store yield
""".split(),
    "arith": """
addf addi addui_extended andi bitcast ceildivsi ceildivui cmpf cmpi constant divf divsi divui extf extsi extui
floordivsi fptosi fptoui index_cast index_castui maximumf maxnumf maxsi maxui minimumf minnumf minsi minui mulf muli
mulsi_extended mului_extended negf ori remf remsi remui scaling_extf scaling_truncf select shli shrsi shrui sitofp
subf subi truncf trunci uitofp xori
""".split(),
    "math": """
absf absi acos acosh asin asinh atan atan2 atanh cbrt ceil clampf copysign cos cosh ctlz ctpop cttz erf erfc exp exp2
expm1 floor fma fpowi ipowi isfinite isinf isnan isnormal log log10 log1p log2 powf round roundeven rsqrt sin sincos
sinh sqrt tan tanh trunc
""".split(),
    "complex": """
abs add angle atan2 bitcast conj constant cos create div eq exp expm1 im log log1p mul neg neq pow powi re rsqrt sign
sin sqrt sub tan tanh
""".split(),
    "index": """
add and bool.constant casts castu ceildivs ceildivu cmp constant divs divu floordivs maxs maxu mins minu mul or rems
remu shl shrs shru sizeof sub xor
""".split(),
    "memref": """
alloc alloca alloca_scope alloca_scope.return assume_alignment atomic_rmw atomic_yield cast collapse_shape copy
dealloc dim distinct_objects dma_start dma_wait expand_shape extract_aligned_pointer_as_index extract_strided_metadata
generic_atomic_rmw get_global global load memory_space_cast prefetch rank realloc reinterpret_cast reshape store
subview transpose view
""".split(),
    "vector": """
bitcast broadcast compressstore constant_mask contract create_mask deinterleave expandload extract
extract_strided_slice fma from_elements gather insert insert_strided_slice interleave load mask maskedload maskedstore
multi_reduction outerproduct print reduction scalable.extract scalable.insert scan scatter shape_cast shuffle step
store to_elements transfer_read transfer_write transpose type_cast vscale yield
""".split(),
}
OLDER = {
    "vector.splat",
    "bufferization.to_memref",
    *(f"linalg.{batch}matmul_transpose_{factor}" for batch in ("", "batch_") for factor in "ab"),
}
"""Operations of older releases, which are read, too."""
