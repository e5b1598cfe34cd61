// func @halves(%a: memref<f16x4x4>, %b: memref<f16x4x4>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f16
//   %zero = constant 0.0 : f32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.fmopa_2way

!f16_2_8 = memref<2x8xf16, strided<[8, 1], offset: ?>>
!f16_4_4 = memref<4x4xf16, strided<[4, 1], offset: ?>>
!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_halves_groups(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf16>
    %cst_1 = arith.constant dense<0.0> : vector<[8]xf16>
    %c3 = arith.constant 3 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<96xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<96xi8> to memref<16xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %part_1 = memref.view %stack[%c64][] : memref<96xi8> to memref<16xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.index_cast %c0 : index to i64
      %v_2 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_1, %v_2 : i64, i64 to vector<[4]xi1>
      %v_3 = arith.index_cast %c0 : index to i64
      %v_4 = arith.index_cast %c8 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[8]xi1>
      scf.for %i = %c0 to %c2 step %c1 {
        %v_5 = arith.muli %i, %c2 : index
        %v_6 = vector.maskedload %a[%v_5, %c0], %mask, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
        %v_7 = arith.extf %v_6 : vector<[4]xf16> to vector<[4]xf32>
        %v_8 = arith.addi %v_5, %c1 : index
        %v_9 = vector.maskedload %a[%v_8, %c0], %mask, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
        %v_10 = arith.extf %v_9 : vector<[4]xf16> to vector<[4]xf32>
        %v_11 = vector.interleave %v_6, %v_9 : vector<[4]xf16> -> vector<[8]xf16>
        %v_12 = arith.extf %v_11 : vector<[8]xf16> to vector<[8]xf32>
        vector.maskedstore %panel[%i, %c0], %mask_1, %v_11 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      }
      scf.for %i_1 = %c0 to %c2 step %c1 {
        %v_13 = arith.muli %i_1, %c2 : index
        %v_14 = vector.maskedload %b[%v_13, %c0], %mask, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
        %v_15 = arith.extf %v_14 : vector<[4]xf16> to vector<[4]xf32>
        %v_16 = arith.addi %v_13, %c1 : index
        %v_17 = vector.maskedload %b[%v_16, %c0], %mask, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
        %v_18 = arith.extf %v_17 : vector<[4]xf16> to vector<[4]xf32>
        %v_19 = vector.interleave %v_14, %v_17 : vector<[4]xf16> -> vector<[8]xf16>
        %v_20 = arith.extf %v_19 : vector<[8]xf16> to vector<[8]xf32>
        vector.maskedstore %panel_1[%i_1, %c0], %mask_1, %v_19 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      }
      %tile = arm_sme.zero : vector<[4]x[4]xf32>
      %v_21 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst_1 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_22 = arith.extf %v_21 : vector<[8]xf16> to vector<[8]xf32>
      %v_23 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst_1 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_24 = arith.extf %v_23 : vector<[8]xf16> to vector<[8]xf32>
      %tile_1 = arm_sme.fmopa_2way %v_21, %v_23 acc(%tile) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_25 = vector.maskedload %panel_1[%c1, %c0], %mask_1, %cst_1 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_26 = arith.extf %v_25 : vector<[8]xf16> to vector<[8]xf32>
      %v_27 = vector.maskedload %panel[%c1, %c0], %mask_1, %cst_1 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_28 = arith.extf %v_27 : vector<[8]xf16> to vector<[8]xf32>
      %tile_2 = arm_sme.fmopa_2way %v_25, %v_27 acc(%tile_1) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c3, %mask, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c2, %mask, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c1, %mask, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c0, %mask, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_halves(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    func.call @pytl_halves_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_4, !f16_4_4, !f32_4_4) -> ()
    return
  }
}
