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
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %v = arith.muli %vscale, %c4 : index
      scf.for %i = %c0 to %c4 step %v {
        scf.for %i_1 = %c0 to %c4 step %v {
          %v_1 = arith.subi %c4, %i : index
          %v_2 = arith.subi %c4, %i_1 : index
          %v_3 = arith.index_cast %c0 : index to i64
          %v_4 = arith.index_cast %v_1 : index to i64
          %mask = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[4]xi1>
          %v_5 = arith.index_cast %c0 : index to i64
          %v_6 = arith.index_cast %v_2 : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %v_5, %v_6 : i64, i64 to vector<[4]xi1>
          %tile = arm_sme.zero : vector<[4]x[4]xf32>
          %loop = scf.for %i_2 = %c0 to %c4 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
            %v_7 = vector.maskedload %b[%i_2, %i], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %v_8 = vector.maskedload %a[%i_2, %i_1], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %tile_1 = arm_sme.outerproduct %v_7, %v_8 acc(%carried) masks(%mask, %mask_1) : vector<[4]xf32>, vector<[4]xf32>
            scf.yield %tile_1 : vector<[4]x[4]xf32>
          }
          %v_9 = arith.minsi %v_1, %v : index
          scf.for %i_3 = %c0 to %v_9 step %c1 {
            %v_10 = arith.addi %i, %i_3 : index
            arm_sme.store_tile_slice %loop, %i_3, %mask_1, %c[%v_10, %i_1] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
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
