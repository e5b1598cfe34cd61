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
      scf.for %i = %c0 to %c4 step %v {
        %v_1 = arith.subi %c4, %i : index
        %v_2 = arith.index_cast %c0 : index to i64
        %v_3 = arith.index_cast %v_1 : index to i64
        %mask = llvm.intr.get.active.lane.mask %v_2, %v_3 : i64, i64 to vector<[4]xi1>
        %v_4 = vector.maskedload %b[%c0, %i], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_5 = vector.maskedload %b[%c1, %i], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_6 = vector.maskedload %b[%c2, %i], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_7 = vector.maskedload %b[%c3, %i], %mask, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_8 = arith.muli %v_1, %c4 : index
        %v_9 = arith.index_cast %c0 : index to i64
        %v_10 = arith.index_cast %v_8 : index to i64
        %mask_1 = llvm.intr.get.active.lane.mask %v_9, %v_10 : i64, i64 to vector<[16]xi1>
        %v_11 = vector.interleave %v_4, %v_6 : vector<[4]xi8> -> vector<[8]xi8>
        %v_12 = vector.interleave %v_5, %v_7 : vector<[4]xi8> -> vector<[8]xi8>
        %v_13 = vector.interleave %v_11, %v_12 : vector<[8]xi8> -> vector<[16]xi8>
        %v_14 = arith.muli %i, %c4 : index
        vector.maskedstore %panel[%c0, %v_14], %mask_1, %v_13 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      }
      scf.for %i_1 = %c0 to %c4 step %v {
        %v_15 = arith.subi %c4, %i_1 : index
        %v_16 = arith.index_cast %c0 : index to i64
        %v_17 = arith.index_cast %v_15 : index to i64
        %mask_2 = llvm.intr.get.active.lane.mask %v_16, %v_17 : i64, i64 to vector<[4]xi1>
        %v_18 = vector.maskedload %a[%c0, %i_1], %mask_2, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_19 = vector.maskedload %a[%c1, %i_1], %mask_2, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_20 = vector.maskedload %a[%c2, %i_1], %mask_2, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_21 = vector.maskedload %a[%c3, %i_1], %mask_2, %cst : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
        %v_22 = arith.muli %v_15, %c4 : index
        %v_23 = arith.index_cast %c0 : index to i64
        %v_24 = arith.index_cast %v_22 : index to i64
        %mask_3 = llvm.intr.get.active.lane.mask %v_23, %v_24 : i64, i64 to vector<[16]xi1>
        %v_25 = vector.interleave %v_18, %v_20 : vector<[4]xi8> -> vector<[8]xi8>
        %v_26 = vector.interleave %v_19, %v_21 : vector<[4]xi8> -> vector<[8]xi8>
        %v_27 = vector.interleave %v_25, %v_26 : vector<[8]xi8> -> vector<[16]xi8>
        %v_28 = arith.muli %i_1, %c4 : index
        vector.maskedstore %panel_1[%c0, %v_28], %mask_3, %v_27 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8>
      }
      scf.for %i_2 = %c0 to %c4 step %v {
        scf.for %i_3 = %c0 to %c4 step %v {
          %v_29 = arith.subi %c4, %i_2 : index
          %v_30 = arith.subi %c4, %i_3 : index
          %v_31 = arith.muli %v_29, %c4 : index
          %v_32 = arith.index_cast %c0 : index to i64
          %v_33 = arith.index_cast %v_31 : index to i64
          %mask_4 = llvm.intr.get.active.lane.mask %v_32, %v_33 : i64, i64 to vector<[16]xi1>
          %v_34 = arith.muli %i_2, %c4 : index
          %v_35 = arith.muli %v_30, %c4 : index
          %v_36 = arith.index_cast %c0 : index to i64
          %v_37 = arith.index_cast %v_35 : index to i64
          %mask_5 = llvm.intr.get.active.lane.mask %v_36, %v_37 : i64, i64 to vector<[16]xi1>
          %v_38 = arith.muli %i_3, %c4 : index
          %tile = arm_sme.zero : vector<[4]x[4]xi32>
          %v_39 = vector.maskedload %panel[%c0, %v_34], %mask_4, %cst_1 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
          %v_40 = vector.maskedload %panel_1[%c0, %v_38], %mask_5, %cst_1 : !i8_1_16, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
          %tile_1 = arm_sme.smopa_4way %v_39, %v_40 acc(%tile) masks(%mask_4, %mask_5) : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
          %v_41 = arith.index_cast %c0 : index to i64
          %v_42 = arith.index_cast %v_30 : index to i64
          %mask_6 = llvm.intr.get.active.lane.mask %v_41, %v_42 : i64, i64 to vector<[4]xi1>
          %v_43 = arith.minsi %v_29, %v : index
          scf.for %i_4 = %c0 to %v_43 step %c1 {
            %v_44 = arith.addi %i_2, %i_4 : index
            arm_sme.store_tile_slice %tile_1, %i_4, %mask_6, %c[%v_44, %i_3] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
          }
        }
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_bytes(%first: index, %last: index, %groups: index, %a: !i8_4_4, %b: !i8_4_4, %c: !i32_4_4) attributes {llvm.emit_c_interface} {
    func.call @pytl_bytes_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !i8_4_4, !i8_4_4, !i32_4_4) -> ()
    return
  }
}
