// C = op(A) B by linalg, and the schedule that makes outer products of it: tiles of scalable size, masked, with one
// step of the sum at a time. In it, N is the size, T the size of a tile for each 128 bits, and MAPS those of op.
module attributes {transform.with_named_sequence} {
  func.func @pytl_f_groups(%A: tensor<NxNxf32>, %B: tensor<NxNxf32>, %C: tensor<NxNxf32>) -> tensor<NxNxf32> {
    %zero = arith.constant 0.0 : f32
    %empty = linalg.fill ins(%zero : f32) outs(%C : tensor<NxNxf32>) -> tensor<NxNxf32>
    %D = linalg.matmul MAPS ins(%A, %B : tensor<NxNxf32>, tensor<NxNxf32>) outs(%empty : tensor<NxNxf32>)
        -> tensor<NxNxf32>
    return %D : tensor<NxNxf32>
  }

  func.func @pytl_f(%first: index, %last: index, %groups: index,
               %A: tensor<NxNxf32>, %B: tensor<NxNxf32>, %C: tensor<NxNxf32>) attributes {llvm.emit_c_interface} {
    %D = func.call @pytl_f_groups(%A, %B, %C) : (tensor<NxNxf32>, tensor<NxNxf32>, tensor<NxNxf32>) -> tensor<NxNxf32>
    return
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %filled, %fill_loops:2 = transform.structured.tile_using_for %fill tile_sizes [[T], [T]]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %filled vector_sizes [[T], [T]] : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [[T], [T], 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %tiled vector_sizes [[T], [T], 1] : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module
        {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %functions = transform.structured.match ops{["func.func"]} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.sink_ops
    } : !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_masks
      transform.apply_patterns.vector.rank_reducing_subview_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %hoisted = transform.structured.hoist_redundant_vector_transfers %functions : (!transform.any_op) -> !transform.any_op
    %all = transform.structured.match interface{LoopLikeInterface} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %all : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %all : !transform.any_op
    transform.yield
  }
}
