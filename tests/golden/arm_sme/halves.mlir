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
    %cst = arith.constant dense<0.0> : vector<[8]xf16>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<96xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<96xi8> to memref<16xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %part_1 = memref.view %stack[%c64][] : memref<96xi8> to memref<16xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.muli %vscale, %c8 : index
      %v_2 = arith.index_cast %c0 : index to i64
      %v_3 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_2, %v_3 : i64, i64 to vector<[8]xi1>
      %v_4 = arith.index_cast %c0 : index to i64
      %v_5 = arith.index_cast %c8 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_4, %v_5 : i64, i64 to vector<[8]xi1>
      %v_6 = arith.index_cast %c0 : index to i64
      %v_7 = arith.index_cast %c4 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_6, %v_7 : i64, i64 to vector<[4]xi1>
      %v_8 = vector.maskedload %a[%c0, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_9 = arith.extf %v_8 : vector<[8]xf16> to vector<[8]xf32>
      %v_10 = vector.maskedload %a[%c1, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_11 = arith.extf %v_10 : vector<[8]xf16> to vector<[8]xf32>
      %v_12 = vector.interleave %v_8, %v_10 : vector<[8]xf16> -> vector<[16]xf16>
      %v_13 = arith.extf %v_12 : vector<[16]xf16> to vector<[16]xf32>
      %part_2 = vector.scalable.extract %v_12[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_14 = arith.extf %part_2 : vector<[8]xf16> to vector<[8]xf32>
      %part_3 = vector.scalable.extract %v_12[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_15 = arith.extf %part_3 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c0, %c0], %mask_1, %part_2 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_16 = arith.maxsi %c8, %v_1 : index
      %v_17 = arith.subi %v_16, %v_1 : index
      %v_18 = arith.index_cast %c0 : index to i64
      %v_19 = arith.index_cast %v_17 : index to i64
      %mask_3 = llvm.intr.get.active.lane.mask %v_18, %v_19 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel[%c0, %v_1], %mask_3, %part_3 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_20 = vector.maskedload %a[%c2, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_21 = arith.extf %v_20 : vector<[8]xf16> to vector<[8]xf32>
      %v_22 = vector.maskedload %a[%c3, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_23 = arith.extf %v_22 : vector<[8]xf16> to vector<[8]xf32>
      %v_24 = vector.interleave %v_20, %v_22 : vector<[8]xf16> -> vector<[16]xf16>
      %v_25 = arith.extf %v_24 : vector<[16]xf16> to vector<[16]xf32>
      %part_4 = vector.scalable.extract %v_24[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_26 = arith.extf %part_4 : vector<[8]xf16> to vector<[8]xf32>
      %part_5 = vector.scalable.extract %v_24[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_27 = arith.extf %part_5 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c1, %c0], %mask_1, %part_4 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_28 = arith.maxsi %c8, %v_1 : index
      %v_29 = arith.subi %v_28, %v_1 : index
      %v_30 = arith.index_cast %c0 : index to i64
      %v_31 = arith.index_cast %v_29 : index to i64
      %mask_4 = llvm.intr.get.active.lane.mask %v_30, %v_31 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel[%c1, %v_1], %mask_4, %part_5 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_32 = vector.maskedload %b[%c0, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_33 = arith.extf %v_32 : vector<[8]xf16> to vector<[8]xf32>
      %v_34 = vector.maskedload %b[%c1, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_35 = arith.extf %v_34 : vector<[8]xf16> to vector<[8]xf32>
      %v_36 = vector.interleave %v_32, %v_34 : vector<[8]xf16> -> vector<[16]xf16>
      %v_37 = arith.extf %v_36 : vector<[16]xf16> to vector<[16]xf32>
      %part_6 = vector.scalable.extract %v_36[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_38 = arith.extf %part_6 : vector<[8]xf16> to vector<[8]xf32>
      %part_7 = vector.scalable.extract %v_36[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_39 = arith.extf %part_7 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c0, %c0], %mask_1, %part_6 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_40 = arith.maxsi %c8, %v_1 : index
      %v_41 = arith.subi %v_40, %v_1 : index
      %v_42 = arith.index_cast %c0 : index to i64
      %v_43 = arith.index_cast %v_41 : index to i64
      %mask_5 = llvm.intr.get.active.lane.mask %v_42, %v_43 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel_1[%c0, %v_1], %mask_5, %part_7 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_44 = vector.maskedload %b[%c2, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_45 = arith.extf %v_44 : vector<[8]xf16> to vector<[8]xf32>
      %v_46 = vector.maskedload %b[%c3, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_47 = arith.extf %v_46 : vector<[8]xf16> to vector<[8]xf32>
      %v_48 = vector.interleave %v_44, %v_46 : vector<[8]xf16> -> vector<[16]xf16>
      %v_49 = arith.extf %v_48 : vector<[16]xf16> to vector<[16]xf32>
      %part_8 = vector.scalable.extract %v_48[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_50 = arith.extf %part_8 : vector<[8]xf16> to vector<[8]xf32>
      %part_9 = vector.scalable.extract %v_48[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_51 = arith.extf %part_9 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c1, %c0], %mask_1, %part_8 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_52 = arith.maxsi %c8, %v_1 : index
      %v_53 = arith.subi %v_52, %v_1 : index
      %v_54 = arith.index_cast %c0 : index to i64
      %v_55 = arith.index_cast %v_53 : index to i64
      %mask_6 = llvm.intr.get.active.lane.mask %v_54, %v_55 : i64, i64 to vector<[8]xi1>
      vector.maskedstore %panel_1[%c1, %v_1], %mask_6, %part_9 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %tile = arm_sme.zero : vector<[4]x[4]xf32>
      %v_56 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_57 = arith.extf %v_56 : vector<[8]xf16> to vector<[8]xf32>
      %v_58 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_59 = arith.extf %v_58 : vector<[8]xf16> to vector<[8]xf32>
      %tile_1 = arm_sme.fmopa_2way %v_56, %v_58 acc(%tile) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_60 = vector.maskedload %panel_1[%c1, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_61 = arith.extf %v_60 : vector<[8]xf16> to vector<[8]xf32>
      %v_62 = vector.maskedload %panel[%c1, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_63 = arith.extf %v_62 : vector<[8]xf16> to vector<[8]xf32>
      %tile_2 = arm_sme.fmopa_2way %v_60, %v_62 acc(%tile_1) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c3, %mask_2, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c2, %mask_2, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c1, %mask_2, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c0, %mask_2, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_halves(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    %c8_i64 = arith.constant 8 : i64
    %doubles = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %v = arith.cmpi eq, %doubles, %c8_i64 : i64
    scf.if %v {
      func.call @pytl_halves_512_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_4, !f16_4_4, !f32_4_4) -> ()
    } else {
      func.call @pytl_halves_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_4, !f16_4_4, !f32_4_4) -> ()
    }
    return
  }
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_halves_512_groups(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za, passthrough = [["vscale_range", "17179869188"]]} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant dense<0.0> : vector<[8]xf16>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<96xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<96xi8> to memref<16xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %part_1 = memref.view %stack[%c64][] : memref<96xi8> to memref<16xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %v = arith.index_cast %c0 : index to i64
      %v_1 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v, %v_1 : i64, i64 to vector<[8]xi1>
      %v_2 = arith.index_cast %c0 : index to i64
      %v_3 = arith.index_cast %c8 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_2, %v_3 : i64, i64 to vector<[8]xi1>
      %v_4 = arith.index_cast %c0 : index to i64
      %v_5 = arith.index_cast %c4 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_4, %v_5 : i64, i64 to vector<[4]xi1>
      %v_6 = vector.maskedload %a[%c0, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_7 = arith.extf %v_6 : vector<[8]xf16> to vector<[8]xf32>
      %v_8 = vector.maskedload %a[%c1, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_9 = arith.extf %v_8 : vector<[8]xf16> to vector<[8]xf32>
      %v_10 = vector.interleave %v_6, %v_8 : vector<[8]xf16> -> vector<[16]xf16>
      %v_11 = arith.extf %v_10 : vector<[16]xf16> to vector<[16]xf32>
      %part_2 = vector.scalable.extract %v_10[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_12 = arith.extf %part_2 : vector<[8]xf16> to vector<[8]xf32>
      %part_3 = vector.scalable.extract %v_10[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_13 = arith.extf %part_3 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c0, %c0], %mask_1, %part_2 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_14 = vector.maskedload %a[%c2, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_15 = arith.extf %v_14 : vector<[8]xf16> to vector<[8]xf32>
      %v_16 = vector.maskedload %a[%c3, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_17 = arith.extf %v_16 : vector<[8]xf16> to vector<[8]xf32>
      %v_18 = vector.interleave %v_14, %v_16 : vector<[8]xf16> -> vector<[16]xf16>
      %v_19 = arith.extf %v_18 : vector<[16]xf16> to vector<[16]xf32>
      %part_4 = vector.scalable.extract %v_18[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_20 = arith.extf %part_4 : vector<[8]xf16> to vector<[8]xf32>
      %part_5 = vector.scalable.extract %v_18[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_21 = arith.extf %part_5 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel[%c1, %c0], %mask_1, %part_4 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_22 = vector.maskedload %b[%c0, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_23 = arith.extf %v_22 : vector<[8]xf16> to vector<[8]xf32>
      %v_24 = vector.maskedload %b[%c1, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_25 = arith.extf %v_24 : vector<[8]xf16> to vector<[8]xf32>
      %v_26 = vector.interleave %v_22, %v_24 : vector<[8]xf16> -> vector<[16]xf16>
      %v_27 = arith.extf %v_26 : vector<[16]xf16> to vector<[16]xf32>
      %part_6 = vector.scalable.extract %v_26[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_28 = arith.extf %part_6 : vector<[8]xf16> to vector<[8]xf32>
      %part_7 = vector.scalable.extract %v_26[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_29 = arith.extf %part_7 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c0, %c0], %mask_1, %part_6 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %v_30 = vector.maskedload %b[%c2, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_31 = arith.extf %v_30 : vector<[8]xf16> to vector<[8]xf32>
      %v_32 = vector.maskedload %b[%c3, %c0], %mask, %cst : !f16_4_4, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_33 = arith.extf %v_32 : vector<[8]xf16> to vector<[8]xf32>
      %v_34 = vector.interleave %v_30, %v_32 : vector<[8]xf16> -> vector<[16]xf16>
      %v_35 = arith.extf %v_34 : vector<[16]xf16> to vector<[16]xf32>
      %part_8 = vector.scalable.extract %v_34[0] : vector<[8]xf16> from vector<[16]xf16>
      %v_36 = arith.extf %part_8 : vector<[8]xf16> to vector<[8]xf32>
      %part_9 = vector.scalable.extract %v_34[8] : vector<[8]xf16> from vector<[16]xf16>
      %v_37 = arith.extf %part_9 : vector<[8]xf16> to vector<[8]xf32>
      vector.maskedstore %panel_1[%c1, %c0], %mask_1, %part_8 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
      %tile = arm_sme.zero : vector<[4]x[4]xf32>
      %v_38 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_39 = arith.extf %v_38 : vector<[8]xf16> to vector<[8]xf32>
      %v_40 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_41 = arith.extf %v_40 : vector<[8]xf16> to vector<[8]xf32>
      %tile_1 = arm_sme.fmopa_2way %v_38, %v_40 acc(%tile) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      %v_42 = vector.maskedload %panel_1[%c1, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_43 = arith.extf %v_42 : vector<[8]xf16> to vector<[8]xf32>
      %v_44 = vector.maskedload %panel[%c1, %c0], %mask_1, %cst : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
      %v_45 = arith.extf %v_44 : vector<[8]xf16> to vector<[8]xf32>
      %tile_2 = arm_sme.fmopa_2way %v_42, %v_44 acc(%tile_1) masks(%mask_1, %mask_1) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c3, %mask_2, %c[%c3, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c2, %mask_2, %c[%c2, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c1, %mask_2, %c[%c1, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_2, %c0, %mask_2, %c[%c0, %c0] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    }
    return
  }
}
