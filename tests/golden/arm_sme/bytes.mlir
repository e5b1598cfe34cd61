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
    %cst = arith.constant dense<0> : vector<[4]xi8>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst_1 = arith.constant dense<0> : vector<[16]xi8>
    %stack = memref.alloca() {alignment = 64 : i64} : memref<80xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<80xi8> to memref<16xi8>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [1, 16], strides: [16, 1] : memref<16xi8> to !i8_1_16
      %part_1 = memref.view %stack[%c64][] : memref<80xi8> to memref<16xi8>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [1, 16], strides: [16, 1] : memref<16xi8> to !i8_1_16
      %v = arith.muli %vscale, %c4 : index
      %v_1 = arith.index_cast %c0 : index to i64
      %v_2 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v_1, %v_2 : i64, i64 to vector<[4]xi1>
      %v_3 = arith.index_cast %c0 : index to i64
      %v_4 = arith.index_cast %c16 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[16]xi1>
      %v_5 = vector.maskedload %a[%c0, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_6 = vector.maskedload %a[%c1, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_7 = vector.maskedload %a[%c2, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_8 = vector.maskedload %a[%c3, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_9 = vector.interleave %v_5, %v_7 : vector<[4]xi8> -> vector<[8]xi8>
      %v_10 = vector.interleave %v_6, %v_8 : vector<[4]xi8> -> vector<[8]xi8>
      %v_11 = vector.interleave %v_9, %v_10 : vector<[8]xi8> -> vector<[16]xi8>
      vector.maskedstore %panel[%c0, %c0], %mask_1, %v_11 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %v_12 = vector.maskedload %b[%c0, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_13 = vector.maskedload %b[%c1, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_14 = vector.maskedload %b[%c2, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_15 = vector.maskedload %b[%c3, %c0], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
      %v_16 = vector.interleave %v_12, %v_14 : vector<[4]xi8> -> vector<[8]xi8>
      %v_17 = vector.interleave %v_13, %v_15 : vector<[4]xi8> -> vector<[8]xi8>
      %v_18 = vector.interleave %v_16, %v_17 : vector<[8]xi8> -> vector<[16]xi8>
      vector.maskedstore %panel_1[%c0, %c0], %mask_1, %v_18 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      %tile = arm_sme.zero : vector<[4]x[4]xi32>
      %v_19 = vector.maskedload %panel_1[%c0, %c0], %mask_1, %cst_1 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %v_20 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst_1 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
      %tile_1 = arm_sme.smopa_4way %v_19, %v_20 acc(%tile) masks(%mask_1, %mask_1) : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c3, %mask, %c[%c3, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c2, %mask, %c[%c2, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c1, %mask, %c[%c1, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
      arm_sme.store_tile_slice %tile_1, %c0, %mask, %c[%c0, %c0] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_bytes(%first: index, %last: index, %groups: index, %a: !i8_4_4, %b: !i8_4_4, %c: !i32_4_4) attributes {llvm.emit_c_interface} {
    func.call @pytl_bytes_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !i8_4_4, !i8_4_4, !i32_4_4) -> ()
    return
  }
}
