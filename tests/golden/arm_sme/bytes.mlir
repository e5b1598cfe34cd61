// func @bytes(%a: memref<i8x4x4>, %b: memref<i8x4x4>, %c: memref<i32x4x4>) {
//   %one = constant 1 : i8
//   %zero = constant 0 : i32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.smopa_4way

!i8_1_16 = memref<1x16xi8, strided<[16, 1], offset: ?>>
!i32_4_4 = memref<4x4xi32, strided<[4, 1], offset: ?>>
!i8_4_4 = memref<4x4xi8, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_bytes_groups(%first: index, %last: index, %groups: index, %a: !i8_4_4, %b: !i8_4_4, %c: !i32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %cst = arith.constant dense<0> : vector<[16]xi8>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<80xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<80xi8> to memref<16xi8>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [1, 16], strides: [16, 1] : memref<16xi8> to !i8_1_16
      %part_1 = memref.view %stack[%c64][] : memref<80xi8> to memref<16xi8>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [1, 16], strides: [16, 1] : memref<16xi8> to !i8_1_16
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.muli %vscale, %c16 : index
      %v_2 = arith.index_cast %c0 : index to i64
      %v_3 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_2, %v_3 : i64, i64 to vector<[16]xi1>
      %v_4 = arith.index_cast %c0 : index to i64
      %v_5 = arith.index_cast %c16 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_4, %v_5 : i64, i64 to vector<[16]xi1>
      %v_6 = arith.index_cast %c0 : index to i64
      %v_7 = arith.index_cast %c4 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_6, %v_7 : i64, i64 to vector<[4]xi1>
      %v_8 = vector.maskedload %a[%c0, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_9 = vector.maskedload %a[%c1, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_10 = vector.maskedload %a[%c2, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_11 = vector.maskedload %a[%c3, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_12 = vector.interleave %v_8, %v_10 : vector<[16]xi8> -> vector<[32]xi8>
      %part_2 = vector.scalable.extract %v_12[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_3 = vector.scalable.extract %v_12[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_13 = vector.interleave %v_9, %v_11 : vector<[16]xi8> -> vector<[32]xi8>
      %part_4 = vector.scalable.extract %v_13[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_5 = vector.scalable.extract %v_13[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_14 = vector.interleave %part_2, %part_4 : vector<[16]xi8> -> vector<[32]xi8>
      %v_15 = vector.interleave %part_3, %part_5 : vector<[16]xi8> -> vector<[32]xi8>
      %part_6 = vector.scalable.extract %v_14[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_7 = vector.scalable.extract %v_14[16] : vector<[16]xi8> from vector<[32]xi8>
      %part_8 = vector.scalable.extract %v_15[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_9 = vector.scalable.extract %v_15[16] : vector<[16]xi8> from vector<[32]xi8>
      vector.maskedstore %panel[%c0, %c0], %mask_1, %part_6 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_16 = arith.maxsi %c16, %v_1 : index
      %v_17 = arith.subi %v_16, %v_1 : index
      %v_18 = arith.index_cast %c0 : index to i64
      %v_19 = arith.index_cast %v_17 : index to i64
      %mask_3 = llvm.intr.get.active.lane.mask %v_18, %v_19 : i64, i64 to vector<[16]xi1>
      vector.maskedstore %panel[%c0, %v_1], %mask_3, %part_7 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_20 = arith.muli %v_1, %c2 : index
      %v_21 = arith.maxsi %c16, %v_20 : index
      %v_22 = arith.subi %v_21, %v_20 : index
      %v_23 = arith.index_cast %c0 : index to i64
      %v_24 = arith.index_cast %v_22 : index to i64
      %mask_4 = llvm.intr.get.active.lane.mask %v_23, %v_24 : i64, i64 to vector<[16]xi1>
      vector.maskedstore %panel[%c0, %v_20], %mask_4, %part_8 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_25 = arith.muli %v_1, %c3 : index
      %v_26 = arith.maxsi %c16, %v_25 : index
      %v_27 = arith.subi %v_26, %v_25 : index
      %v_28 = arith.index_cast %c0 : index to i64
      %v_29 = arith.index_cast %v_27 : index to i64
      %mask_5 = llvm.intr.get.active.lane.mask %v_28, %v_29 : i64, i64 to vector<[16]xi1>
      vector.maskedstore %panel[%c0, %v_25], %mask_5, %part_9 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_30 = vector.maskedload %b[%c0, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_31 = vector.maskedload %b[%c1, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_32 = vector.maskedload %b[%c2, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_33 = vector.maskedload %b[%c3, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_34 = vector.interleave %v_30, %v_32 : vector<[16]xi8> -> vector<[32]xi8>
      %part_10 = vector.scalable.extract %v_34[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_11 = vector.scalable.extract %v_34[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_35 = vector.interleave %v_31, %v_33 : vector<[16]xi8> -> vector<[32]xi8>
      %part_12 = vector.scalable.extract %v_35[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_13 = vector.scalable.extract %v_35[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_36 = vector.interleave %part_10, %part_12 : vector<[16]xi8> -> vector<[32]xi8>
      %v_37 = vector.interleave %part_11, %part_13 : vector<[16]xi8> -> vector<[32]xi8>
      %part_14 = vector.scalable.extract %v_36[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_15 = vector.scalable.extract %v_36[16] : vector<[16]xi8> from vector<[32]xi8>
      %part_16 = vector.scalable.extract %v_37[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_17 = vector.scalable.extract %v_37[16] : vector<[16]xi8> from vector<[32]xi8>
      vector.maskedstore %panel_1[%c0, %c0], %mask_1, %part_14 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_38 = arith.maxsi %c16, %v_1 : index
      %v_39 = arith.subi %v_38, %v_1 : index
      %v_40 = arith.index_cast %c0 : index to i64
      %v_41 = arith.index_cast %v_39 : index to i64
      %mask_6 = llvm.intr.get.active.lane.mask %v_40, %v_41 : i64, i64 to vector<[16]xi1>
      vector.maskedstore %panel_1[%c0, %v_1], %mask_6, %part_15 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_42 = arith.maxsi %c16, %v_20 : index
      %v_43 = arith.subi %v_42, %v_20 : index
      %v_44 = arith.index_cast %c0 : index to i64
      %v_45 = arith.index_cast %v_43 : index to i64
      %mask_7 = llvm.intr.get.active.lane.mask %v_44, %v_45 : i64, i64 to vector<[16]xi1>
      vector.maskedstore %panel_1[%c0, %v_20], %mask_7, %part_16 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_46 = arith.maxsi %c16, %v_25 : index
      %v_47 = arith.subi %v_46, %v_25 : index
      %v_48 = arith.index_cast %c0 : index to i64
      %v_49 = arith.index_cast %v_47 : index to i64
      %mask_8 = llvm.intr.get.active.lane.mask %v_48, %v_49 : i64, i64 to vector<[16]xi1>
      vector.maskedstore %panel_1[%c0, %v_25], %mask_8, %part_17 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %tile = arm_sme.zero : vector<[4]x[4]xi32>
      %v_50 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_51 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %tile_1 = arm_sme.smopa_4way %v_50, %v_51 acc(%tile) masks(%mask_1, %mask_1) : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c3, %mask_2, %c[%c3, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c2, %mask_2, %c[%c2, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c1, %mask_2, %c[%c1, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c0, %mask_2, %c[%c0, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_bytes(%first: index, %last: index, %groups: index, %a: !i8_4_4, %b: !i8_4_4, %c: !i32_4_4) attributes {llvm.emit_c_interface} {
    %c8_i64 = arith.constant 8 : i64
    %doubles = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %v = arith.cmpi eq, %doubles, %c8_i64 : i64
    scf.if %v {
      func.call @pytl_bytes_512_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !i8_4_4, !i8_4_4, !i32_4_4) -> ()
    } else {
      func.call @pytl_bytes_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !i8_4_4, !i8_4_4, !i32_4_4) -> ()
    }
    return
  }
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_bytes_512_groups(%first: index, %last: index, %groups: index, %a: !i8_4_4, %b: !i8_4_4, %c: !i32_4_4) attributes {arm_streaming, arm_new_za, passthrough = [["vscale_range", "17179869188"]]} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %cst = arith.constant dense<0> : vector<[16]xi8>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<80xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<80xi8> to memref<16xi8>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [1, 16], strides: [16, 1] : memref<16xi8> to !i8_1_16
      %part_1 = memref.view %stack[%c64][] : memref<80xi8> to memref<16xi8>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [1, 16], strides: [16, 1] : memref<16xi8> to !i8_1_16
      %v = arith.index_cast %c0 : index to i64
      %v_1 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v, %v_1 : i64, i64 to vector<[16]xi1>
      %v_2 = arith.index_cast %c0 : index to i64
      %v_3 = arith.index_cast %c16 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_2, %v_3 : i64, i64 to vector<[16]xi1>
      %v_4 = arith.index_cast %c0 : index to i64
      %v_5 = arith.index_cast %c4 : index to i64
      %mask_2 = llvm.intr.get.active.lane.mask %v_4, %v_5 : i64, i64 to vector<[4]xi1>
      %v_6 = vector.maskedload %a[%c0, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_7 = vector.maskedload %a[%c1, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_8 = vector.maskedload %a[%c2, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_9 = vector.maskedload %a[%c3, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_10 = vector.interleave %v_6, %v_8 : vector<[16]xi8> -> vector<[32]xi8>
      %part_2 = vector.scalable.extract %v_10[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_3 = vector.scalable.extract %v_10[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_11 = vector.interleave %v_7, %v_9 : vector<[16]xi8> -> vector<[32]xi8>
      %part_4 = vector.scalable.extract %v_11[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_5 = vector.scalable.extract %v_11[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_12 = vector.interleave %part_2, %part_4 : vector<[16]xi8> -> vector<[32]xi8>
      %v_13 = vector.interleave %part_3, %part_5 : vector<[16]xi8> -> vector<[32]xi8>
      %part_6 = vector.scalable.extract %v_12[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_7 = vector.scalable.extract %v_12[16] : vector<[16]xi8> from vector<[32]xi8>
      %part_8 = vector.scalable.extract %v_13[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_9 = vector.scalable.extract %v_13[16] : vector<[16]xi8> from vector<[32]xi8>
      vector.maskedstore %panel[%c0, %c0], %mask_1, %part_6 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_14 = vector.maskedload %b[%c0, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_15 = vector.maskedload %b[%c1, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_16 = vector.maskedload %b[%c2, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_17 = vector.maskedload %b[%c3, %c0], %mask, %cst : !i8_4_4, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_18 = vector.interleave %v_14, %v_16 : vector<[16]xi8> -> vector<[32]xi8>
      %part_10 = vector.scalable.extract %v_18[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_11 = vector.scalable.extract %v_18[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_19 = vector.interleave %v_15, %v_17 : vector<[16]xi8> -> vector<[32]xi8>
      %part_12 = vector.scalable.extract %v_19[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_13 = vector.scalable.extract %v_19[16] : vector<[16]xi8> from vector<[32]xi8>
      %v_20 = vector.interleave %part_10, %part_12 : vector<[16]xi8> -> vector<[32]xi8>
      %v_21 = vector.interleave %part_11, %part_13 : vector<[16]xi8> -> vector<[32]xi8>
      %part_14 = vector.scalable.extract %v_20[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_15 = vector.scalable.extract %v_20[16] : vector<[16]xi8> from vector<[32]xi8>
      %part_16 = vector.scalable.extract %v_21[0] : vector<[16]xi8> from vector<[32]xi8>
      %part_17 = vector.scalable.extract %v_21[16] : vector<[16]xi8> from vector<[32]xi8>
      vector.maskedstore %panel_1[%c0, %c0], %mask_1, %part_14 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %tile = arm_sme.zero : vector<[4]x[4]xi32>
      %v_22 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_23 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %tile_1 = arm_sme.smopa_4way %v_22, %v_23 acc(%tile) masks(%mask_1, %mask_1) : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c3, %mask_2, %c[%c3, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c2, %mask_2, %c[%c2, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c1, %mask_2, %c[%c1, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c0, %mask_2, %c[%c0, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
    }
    return
  }
}
