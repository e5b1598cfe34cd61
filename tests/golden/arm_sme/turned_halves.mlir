// func @turned_halves(%a: memref<f16x4x4>, %b: memref<f16x4x4>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f16
//   %zero = constant 0.0 : f32
//   gemm.t.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.insert_tile_slice

!f16_2_8 = memref<2x8xf16, strided<[8, 1], offset: ?>>
!f16_4_4 = memref<4x4xf16, strided<[4, 1], offset: ?>>
!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_halves_groups(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant dense<0.0> : vector<[8]xf16>
    %c2 = arith.constant 2 : index
    %cst_1 = arith.constant dense<0.0> : vector<[4]xf16>
    %stack = memref.alloca() {alignment = 64 : i64} : memref<96xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.t.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<96xi8> to memref<16xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %part_1 = memref.view %stack[%c64][] : memref<96xi8> to memref<16xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.index_cast %c0 : index to i64
      %v_2 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_1, %v_2 : i64, i64 to vector<[8]xi1>
      %v_3 = arith.index_cast %c0 : index to i64
      %v_4 = arith.index_cast %c8 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[8]xi1>
      %v_5 = arith.index_cast %c0 : index to i64
      %v_6 = arith.index_cast %c4 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_5, %v_6 : i64, i64 to vector<[4]xi1>
      %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
      %v_7 = vector.maskedload %a[%c3, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_8 = arith.extf %v_7 : vector<[8]xf16> to vector<[8]xf32>
      %v_9 = vector.bitcast %v_7 : vector<[8]xf16> to vector<[4]xf32>
      %tile_1 = arm_sme.insert_tile_slice %v_9, %tile[%c3] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_10 = vector.maskedload %a[%c2, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_11 = arith.extf %v_10 : vector<[8]xf16> to vector<[8]xf32>
      %v_12 = vector.bitcast %v_10 : vector<[8]xf16> to vector<[4]xf32>
      %tile_2 = arm_sme.insert_tile_slice %v_12, %tile_1[%c2] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_13 = vector.maskedload %a[%c1, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_14 = arith.extf %v_13 : vector<[8]xf16> to vector<[8]xf32>
      %v_15 = vector.bitcast %v_13 : vector<[8]xf16> to vector<[4]xf32>
      %tile_3 = arm_sme.insert_tile_slice %v_15, %tile_2[%c1] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_16 = vector.maskedload %a[%c0, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_17 = arith.extf %v_16 : vector<[8]xf16> to vector<[8]xf32>
      %v_18 = vector.bitcast %v_16 : vector<[8]xf16> to vector<[4]xf32>
      %tile_4 = arm_sme.insert_tile_slice %v_18, %tile_3[%c0] : vector<[4]xf32> into vector<[4]x[4]xf32>
      %v_19 = arm_sme.extract_tile_slice %tile_4[%c1] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_20 = vector.bitcast %v_19 : vector<[4]xf32> to vector<[8]xf16>
      %v_21 = arith.extf %v_20 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c1, %c0], %mask_1, %v_20 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_22 = arm_sme.extract_tile_slice %tile_4[%c0] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_23 = vector.bitcast %v_22 : vector<[4]xf32> to vector<[8]xf16>
      %v_24 = arith.extf %v_23 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c0, %c0], %mask_1, %v_23 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      scf.for %i = %c0 to %c2 step %c1 {
        %v_25 = arith.muli %i, %c2 : index
        %v_26 = vector.maskedload %b[%v_25, %c0], %mask_2, %cst_1 : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
        %v_27 = arith.extf %v_26 : vector<[4]xf16> to vector<[4]xf32>
        %v_28 = arith.addi %v_25, %c1 : index
        %v_29 = vector.maskedload %b[%v_28, %c0], %mask_2, %cst_1 : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
        %v_30 = arith.extf %v_29 : vector<[4]xf16> to vector<[4]xf32>
        %v_31 = vector.interleave %v_26, %v_29 : vector<[4]xf16> -> vector<[8]xf16>
        %v_32 = arith.extf %v_31 : vector<[8]xf16> to vector<[8]xf32>
        vector.maskedstore %panel_1[%i, %c0], %mask_1, %v_31 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      }
      %tile_5 = arm_sme.zero : vector<[4]x[4]xf32>
      %v_33 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_34 = arith.extf %v_33 : vector<[8]xf16> to vector<[8]xf32>
      %v_35 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_36 = arith.extf %v_35 : vector<[8]xf16> to vector<[8]xf32>
      %tile_6 = arm_sme.fmopa_2way %v_33, %v_35 acc(%tile_5) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_37 = vector.maskedload %panel_1[%c1, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_38 = arith.extf %v_37 : vector<[8]xf16> to vector<[8]xf32>
      %v_39 = vector.maskedload %panel[%c1, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_40 = arith.extf %v_39 : vector<[8]xf16> to vector<[8]xf32>
      %tile_7 = arm_sme.fmopa_2way %v_37, %v_39 acc(%tile_6) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_7, %c3, %mask_2, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_7, %c2, %mask_2, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_7, %c1, %mask_2, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_7, %c0, %mask_2, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_turned_halves(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    func.call @pytl_turned_halves_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_4, !f16_4_4, !f32_4_4) -> ()
    return
  }
}
