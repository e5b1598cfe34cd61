// func @product(%a: memref<f32x4x16>, %b: memref<f32x4x16>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f32
//   %zero = constant 0.0 : f32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.outerproduct
// arm_sme.store_tile_slice
// arm_sme.zero

!f32_16_4 = memref<16x4xf32, strided<[4, 1], offset: ?>>
!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_product_groups(%first: index, %last: index, %groups: index, %a: !f32_16_4, %b: !f32_16_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.index_cast %c0 : index to i64
      %v_2 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_1, %v_2 : i64, i64 to vector<[4]xi1>
      %tile = arm_sme.zero : vector<[4]x[4]xf32>
      %v_3 = arith.subi %c16, %c0 : index
      %v_4 = arith.cmpi slt, %c0, %c16 : index
      %v_5 = arith.cmpi sgt, %c4, %c0 : index
      %v_6 = arith.andi %v_4, %v_5 : i1
      %v_7 = arith.select %v_5, %c4, %c1 : index
      %rounds = arith.ceildivui %v_3, %v_7 : index
      %rounds_1 = arith.select %v_6, %rounds, %c0 : index
      %loop = scf.for %i = %c0 to %rounds_1 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
        %v_8 = arith.muli %i, %c4 : index
        %i_1 = arith.addi %c0, %v_8 : index
        %v_9 = vector.maskedload %b[%i_1, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_10 = vector.maskedload %a[%i_1, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_1 = arm_sme.outerproduct %v_9, %v_10 acc(%carried) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_11 = arith.addi %i_1, %c1 : index
        %v_12 = vector.maskedload %b[%v_11, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_13 = vector.maskedload %a[%v_11, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_2 = arm_sme.outerproduct %v_12, %v_13 acc(%tile_1) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_14 = arith.addi %i_1, %c2 : index
        %v_15 = vector.maskedload %b[%v_14, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_16 = vector.maskedload %a[%v_14, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_3 = arm_sme.outerproduct %v_15, %v_16 acc(%tile_2) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_17 = arith.addi %i_1, %c3 : index
        %v_18 = vector.maskedload %b[%v_17, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_19 = vector.maskedload %a[%v_17, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_4 = arm_sme.outerproduct %v_18, %v_19 acc(%tile_3) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        scf.yield %tile_4 : vector<[4]x[4]xf32>
      }
      arm_sme.store_tile_slice %loop, %c3, %mask, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %loop, %c2, %mask, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %loop, %c1, %mask, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %loop, %c0, %mask, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_product(%first: index, %last: index, %groups: index, %a: !f32_16_4, %b: !f32_16_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    %c8_i64 = arith.constant 8 : i64
    %doubles = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %v = arith.cmpi eq, %doubles, %c8_i64 : i64
    scf.if %v {
      func.call @pytl_product_512_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f32_16_4, !f32_16_4, !f32_4_4) -> ()
    } else {
      func.call @pytl_product_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f32_16_4, !f32_16_4, !f32_4_4) -> ()
    }
    return
  }
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_product_512_groups(%first: index, %last: index, %groups: index, %a: !f32_16_4, %b: !f32_16_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za, passthrough = [["vscale_range", "17179869188"]]} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %v = arith.index_cast %c0 : index to i64
      %v_1 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v, %v_1 : i64, i64 to vector<[4]xi1>
      %tile = arm_sme.zero : vector<[4]x[4]xf32>
      %v_2 = arith.subi %c16, %c0 : index
      %v_3 = arith.cmpi slt, %c0, %c16 : index
      %v_4 = arith.cmpi sgt, %c8, %c0 : index
      %v_5 = arith.andi %v_3, %v_4 : i1
      %v_6 = arith.select %v_4, %c8, %c1 : index
      %rounds = arith.ceildivui %v_2, %v_6 : index
      %rounds_1 = arith.select %v_5, %rounds, %c0 : index
      %loop = scf.for %i = %c0 to %rounds_1 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
        %v_7 = arith.muli %i, %c8 : index
        %i_1 = arith.addi %c0, %v_7 : index
        %v_8 = vector.maskedload %b[%i_1, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_9 = vector.maskedload %a[%i_1, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_1 = arm_sme.outerproduct %v_8, %v_9 acc(%carried) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_10 = arith.addi %i_1, %c1 : index
        %v_11 = vector.maskedload %b[%v_10, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_12 = vector.maskedload %a[%v_10, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_2 = arm_sme.outerproduct %v_11, %v_12 acc(%tile_1) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_13 = arith.addi %i_1, %c2 : index
        %v_14 = vector.maskedload %b[%v_13, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_15 = vector.maskedload %a[%v_13, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_3 = arm_sme.outerproduct %v_14, %v_15 acc(%tile_2) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_16 = arith.addi %i_1, %c3 : index
        %v_17 = vector.maskedload %b[%v_16, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_18 = vector.maskedload %a[%v_16, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_4 = arm_sme.outerproduct %v_17, %v_18 acc(%tile_3) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_19 = arith.addi %i_1, %c4 : index
        %v_20 = vector.maskedload %b[%v_19, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_21 = vector.maskedload %a[%v_19, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_5 = arm_sme.outerproduct %v_20, %v_21 acc(%tile_4) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_22 = arith.addi %i_1, %c5 : index
        %v_23 = vector.maskedload %b[%v_22, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_24 = vector.maskedload %a[%v_22, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_6 = arm_sme.outerproduct %v_23, %v_24 acc(%tile_5) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_25 = arith.addi %i_1, %c6 : index
        %v_26 = vector.maskedload %b[%v_25, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_27 = vector.maskedload %a[%v_25, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_7 = arm_sme.outerproduct %v_26, %v_27 acc(%tile_6) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        %v_28 = arith.addi %i_1, %c7 : index
        %v_29 = vector.maskedload %b[%v_28, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_30 = vector.maskedload %a[%v_28, %c0], %mask, %cst : !f32_16_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %tile_8 = arm_sme.outerproduct %v_29, %v_30 acc(%tile_7) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
        scf.yield %tile_8 : vector<[4]x[4]xf32>
      }
      arm_sme.store_tile_slice %loop, %c3, %mask, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %loop, %c2, %mask, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %loop, %c1, %mask, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %loop, %c0, %mask, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
}
