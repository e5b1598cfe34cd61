// func @bytes(%a: memref<i8x4x4>, %b: memref<i8x4x4>, %c: memref<i32x4x4>) {
//   %one = constant 1 : i8
//   %zero = constant 0 : i32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.smopa_4way

!i32_4_4 = memref<4x4xi32, strided<[4, 1], offset: ?>>
!i8_4_4 = memref<4x4xi8, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_bytes_groups(%first: index, %last: index, %groups: index, %a: !i8_4_4, %b: !i8_4_4, %c: !i32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %zero = arith.constant dense<0> : vector<[4]xi8>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %columns = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
    %zero_1 = arith.constant dense<0> : vector<[16]xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %v = arith.ceildivsi %c4, %c4 : index
      %panel = memref.view %rows[%c0][] : memref<256xi8> to memref<1x16xi8>
      scf.for %group_1 = %c0 to %v step %c1 {
        %v_1 = arith.muli %group_1, %c4 : index
        %length = arith.muli %vscale, %c4 : index
        scf.for %i = %c0 to %c4 step %length {
          %v_2 = arith.subi %c4, %i : index
          %bound = arith.index_cast %c0 : index to i64
          %bound_1 = arith.index_cast %v_2 : index to i64
          %mask = llvm.intr.get.active.lane.mask %bound, %bound_1 : i64, i64 to vector<[4]xi1>
          %loaded = vector.maskedload %b[%v_1, %i], %mask, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_3 = arith.addi %v_1, %c1 : index
          %is_step = arith.cmpi slt, %v_3, %c4 : index
          %there = arith.select %is_step, %v_2, %c0 : index
          %bound_2 = arith.index_cast %c0 : index to i64
          %bound_3 = arith.index_cast %there : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %bound_2, %bound_3 : i64, i64 to vector<[4]xi1>
          %loaded_1 = vector.maskedload %b[%v_3, %i], %mask_1, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_4 = arith.addi %v_1, %c2 : index
          %is_step_1 = arith.cmpi slt, %v_4, %c4 : index
          %there_1 = arith.select %is_step_1, %v_2, %c0 : index
          %bound_4 = arith.index_cast %c0 : index to i64
          %bound_5 = arith.index_cast %there_1 : index to i64
          %mask_2 = llvm.intr.get.active.lane.mask %bound_4, %bound_5 : i64, i64 to vector<[4]xi1>
          %loaded_2 = vector.maskedload %b[%v_4, %i], %mask_2, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_5 = arith.addi %v_1, %c3 : index
          %is_step_2 = arith.cmpi slt, %v_5, %c4 : index
          %there_2 = arith.select %is_step_2, %v_2, %c0 : index
          %bound_6 = arith.index_cast %c0 : index to i64
          %bound_7 = arith.index_cast %there_2 : index to i64
          %mask_3 = llvm.intr.get.active.lane.mask %bound_6, %bound_7 : i64, i64 to vector<[4]xi1>
          %loaded_3 = vector.maskedload %b[%v_5, %i], %mask_3, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_6 = arith.muli %v_2, %c4 : index
          %bound_8 = arith.index_cast %c0 : index to i64
          %bound_9 = arith.index_cast %v_6 : index to i64
          %mask_4 = llvm.intr.get.active.lane.mask %bound_8, %bound_9 : i64, i64 to vector<[16]xi1>
          %group_2 = vector.interleave %loaded, %loaded_2 : vector<[4]xi8> -> vector<[8]xi8>
          %group_3 = vector.interleave %loaded_1, %loaded_3 : vector<[4]xi8> -> vector<[8]xi8>
          %group_4 = vector.interleave %group_2, %group_3 : vector<[8]xi8> -> vector<[16]xi8>
          %v_7 = arith.muli %i, %c4 : index
          vector.maskedstore %panel[%group_1, %v_7], %mask_4, %group_4 : memref<1x16xi8>, vector<[16]xi1>, vector<[16]xi8>
        }
      }
      %v_8 = arith.ceildivsi %c4, %c4 : index
      %panel_1 = memref.view %columns[%c0][] : memref<256xi8> to memref<1x16xi8>
      scf.for %group_5 = %c0 to %v_8 step %c1 {
        %v_9 = arith.muli %group_5, %c4 : index
        %length_1 = arith.muli %vscale, %c4 : index
        scf.for %i_1 = %c0 to %c4 step %length_1 {
          %v_10 = arith.subi %c4, %i_1 : index
          %bound_10 = arith.index_cast %c0 : index to i64
          %bound_11 = arith.index_cast %v_10 : index to i64
          %mask_5 = llvm.intr.get.active.lane.mask %bound_10, %bound_11 : i64, i64 to vector<[4]xi1>
          %loaded_4 = vector.maskedload %a[%v_9, %i_1], %mask_5, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_11 = arith.addi %v_9, %c1 : index
          %is_step_3 = arith.cmpi slt, %v_11, %c4 : index
          %there_3 = arith.select %is_step_3, %v_10, %c0 : index
          %bound_12 = arith.index_cast %c0 : index to i64
          %bound_13 = arith.index_cast %there_3 : index to i64
          %mask_6 = llvm.intr.get.active.lane.mask %bound_12, %bound_13 : i64, i64 to vector<[4]xi1>
          %loaded_5 = vector.maskedload %a[%v_11, %i_1], %mask_6, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_12 = arith.addi %v_9, %c2 : index
          %is_step_4 = arith.cmpi slt, %v_12, %c4 : index
          %there_4 = arith.select %is_step_4, %v_10, %c0 : index
          %bound_14 = arith.index_cast %c0 : index to i64
          %bound_15 = arith.index_cast %there_4 : index to i64
          %mask_7 = llvm.intr.get.active.lane.mask %bound_14, %bound_15 : i64, i64 to vector<[4]xi1>
          %loaded_6 = vector.maskedload %a[%v_12, %i_1], %mask_7, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_13 = arith.addi %v_9, %c3 : index
          %is_step_5 = arith.cmpi slt, %v_13, %c4 : index
          %there_5 = arith.select %is_step_5, %v_10, %c0 : index
          %bound_16 = arith.index_cast %c0 : index to i64
          %bound_17 = arith.index_cast %there_5 : index to i64
          %mask_8 = llvm.intr.get.active.lane.mask %bound_16, %bound_17 : i64, i64 to vector<[4]xi1>
          %loaded_7 = vector.maskedload %a[%v_13, %i_1], %mask_8, %zero : !i8_4_4, vector<[4]xi1>, vector<[4]xi8> into vector<[4]xi8>
          %v_14 = arith.muli %v_10, %c4 : index
          %bound_18 = arith.index_cast %c0 : index to i64
          %bound_19 = arith.index_cast %v_14 : index to i64
          %mask_9 = llvm.intr.get.active.lane.mask %bound_18, %bound_19 : i64, i64 to vector<[16]xi1>
          %group_6 = vector.interleave %loaded_4, %loaded_6 : vector<[4]xi8> -> vector<[8]xi8>
          %group_7 = vector.interleave %loaded_5, %loaded_7 : vector<[4]xi8> -> vector<[8]xi8>
          %group_8 = vector.interleave %group_6, %group_7 : vector<[8]xi8> -> vector<[16]xi8>
          %v_15 = arith.muli %i_1, %c4 : index
          vector.maskedstore %panel_1[%group_5, %v_15], %mask_9, %group_8 : memref<1x16xi8>, vector<[16]xi1>, vector<[16]xi8>
        }
      }
      %length_2 = arith.muli %vscale, %c4 : index
      scf.for %j = %c0 to %c4 step %length_2 {
        %v_16 = arith.subi %c4, %j : index
        scf.for %i_2 = %c0 to %c4 step %length_2 {
          %v_17 = arith.subi %c4, %i_2 : index
          %v_18 = arith.muli %v_16, %c4 : index
          %bound_20 = arith.index_cast %c0 : index to i64
          %bound_21 = arith.index_cast %v_18 : index to i64
          %mask_10 = llvm.intr.get.active.lane.mask %bound_20, %bound_21 : i64, i64 to vector<[16]xi1>
          %v_19 = arith.muli %j, %c4 : index
          %v_20 = arith.muli %v_17, %c4 : index
          %bound_22 = arith.index_cast %c0 : index to i64
          %bound_23 = arith.index_cast %v_20 : index to i64
          %mask_11 = llvm.intr.get.active.lane.mask %bound_22, %bound_23 : i64, i64 to vector<[16]xi1>
          %v_21 = arith.muli %i_2, %c4 : index
          %tile = arm_sme.zero : vector<[4]x[4]xi32>
          %loop = scf.for %k = %c0 to %v step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xi32>) {
            %loaded_8 = vector.maskedload %panel[%k, %v_19], %mask_10, %zero_1 : memref<1x16xi8>, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
            %loaded_9 = vector.maskedload %panel_1[%k, %v_21], %mask_11, %zero_1 : memref<1x16xi8>, vector<[16]xi1>, vector<[16]xi8> into vector<[16]xi8>
            %tile_1 = arm_sme.smopa_4way %loaded_8, %loaded_9 acc(%carried) masks(%mask_10, %mask_11) : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
            scf.yield %tile_1 : vector<[4]x[4]xi32>
          }
          %bound_24 = arith.index_cast %c0 : index to i64
          %bound_25 = arith.index_cast %v_17 : index to i64
          %mask_12 = llvm.intr.get.active.lane.mask %bound_24, %bound_25 : i64, i64 to vector<[4]xi1>
          %v_22 = arith.minsi %v_16, %length_2 : index
          scf.for %row = %c0 to %v_22 step %c1 {
            %v_23 = arith.addi %j, %row : index
            arm_sme.store_tile_slice %loop, %row, %mask_12, %c[%v_23, %i_2] : !i32_4_4, vector<[4]xi1>, vector<[4]x[4]xi32>
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
