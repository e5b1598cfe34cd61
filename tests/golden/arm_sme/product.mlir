// func @product(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f32
//   %zero = constant 0.0 : f32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.outerproduct
// arm_sme.store_tile_slice
// arm_sme.zero

!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_product_groups(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %zero = arith.constant dense<0.0> : vector<[4]xf32>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %length = arith.muli %vscale, %c4 : index
      scf.for %j = %c0 to %c4 step %length {
        %v = arith.subi %c4, %j : index
        scf.for %i = %c0 to %c4 step %length {
          %v_1 = arith.subi %c4, %i : index
          %bound = arith.index_cast %c0 : index to i64
          %bound_1 = arith.index_cast %v : index to i64
          %mask = llvm.intr.get.active.lane.mask %bound, %bound_1 : i64, i64 to vector<[4]xi1>
          %bound_2 = arith.index_cast %c0 : index to i64
          %bound_3 = arith.index_cast %v_1 : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %bound_2, %bound_3 : i64, i64 to vector<[4]xi1>
          %tile = arm_sme.zero : vector<[4]x[4]xf32>
          %loop = scf.for %k = %c0 to %c4 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
            %loaded = vector.maskedload %b[%k, %j], %mask, %zero : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %loaded_1 = vector.maskedload %a[%k, %i], %mask_1, %zero : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %tile_1 = arm_sme.outerproduct %loaded, %loaded_1 acc(%carried) masks(%mask, %mask_1) : vector<[4]xf32>, vector<[4]xf32>
            scf.yield %tile_1 : vector<[4]x[4]xf32>
          }
          %bound_4 = arith.index_cast %c0 : index to i64
          %bound_5 = arith.index_cast %v_1 : index to i64
          %mask_2 = llvm.intr.get.active.lane.mask %bound_4, %bound_5 : i64, i64 to vector<[4]xi1>
          %v_2 = arith.minsi %v, %length : index
          scf.for %row = %c0 to %v_2 step %c1 {
            %v_3 = arith.addi %j, %row : index
            arm_sme.store_tile_slice %loop, %row, %mask_2, %c[%v_3, %i] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
          }
        }
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_product(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    func.call @pytl_product_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f32_4_4, !f32_4_4, !f32_4_4) -> ()
    return
  }
}
