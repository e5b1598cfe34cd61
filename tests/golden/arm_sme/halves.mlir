// func @halves(%a: memref<f16x4x4>, %b: memref<f16x4x4>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f16
//   %zero = constant 0.0 : f32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.fmopa_2way

!f16_4_4 = memref<4x4xf16, strided<[4, 1], offset: ?>>
!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_halves_groups(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %rows = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %zero = arith.constant dense<0.0> : vector<[4]xf16>
    %columns = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
    %zero_1 = arith.constant dense<0.0> : vector<[8]xf16>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %v = arith.ceildivsi %c4, %c2 : index
      %panel = memref.view %rows[%c0][] : memref<256xi8> to memref<2x8xf16>
      scf.for %group_1 = %c0 to %v step %c1 {
        %v_1 = arith.muli %group_1, %c2 : index
        %length = arith.muli %vscale, %c4 : index
        scf.for %i = %c0 to %c4 step %length {
          %v_2 = arith.subi %c4, %i : index
          %bound = arith.index_cast %c0 : index to i64
          %bound_1 = arith.index_cast %v_2 : index to i64
          %mask = llvm.intr.get.active.lane.mask %bound, %bound_1 : i64, i64 to vector<[4]xi1>
          %loaded = vector.maskedload %b[%v_1, %i], %mask, %zero : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_3 = arith.addi %v_1, %c1 : index
          %is_step = arith.cmpi slt, %v_3, %c4 : index
          %there = arith.select %is_step, %v_2, %c0 : index
          %bound_2 = arith.index_cast %c0 : index to i64
          %bound_3 = arith.index_cast %there : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %bound_2, %bound_3 : i64, i64 to vector<[4]xi1>
          %loaded_1 = vector.maskedload %b[%v_3, %i], %mask_1, %zero : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_4 = arith.muli %v_2, %c2 : index
          %bound_4 = arith.index_cast %c0 : index to i64
          %bound_5 = arith.index_cast %v_4 : index to i64
          %mask_2 = llvm.intr.get.active.lane.mask %bound_4, %bound_5 : i64, i64 to vector<[8]xi1>
          %group_2 = vector.interleave %loaded, %loaded_1 : vector<[4]xf16> -> vector<[8]xf16>
          %v_5 = arith.muli %i, %c2 : index
          vector.maskedstore %panel[%group_1, %v_5], %mask_2, %group_2 : memref<2x8xf16>, vector<[8]xi1>, vector<[8]xf16>
        }
      }
      %v_6 = arith.ceildivsi %c4, %c2 : index
      %panel_1 = memref.view %columns[%c0][] : memref<256xi8> to memref<2x8xf16>
      scf.for %group_3 = %c0 to %v_6 step %c1 {
        %v_7 = arith.muli %group_3, %c2 : index
        %length_1 = arith.muli %vscale, %c4 : index
        scf.for %i_1 = %c0 to %c4 step %length_1 {
          %v_8 = arith.subi %c4, %i_1 : index
          %bound_6 = arith.index_cast %c0 : index to i64
          %bound_7 = arith.index_cast %v_8 : index to i64
          %mask_3 = llvm.intr.get.active.lane.mask %bound_6, %bound_7 : i64, i64 to vector<[4]xi1>
          %loaded_2 = vector.maskedload %a[%v_7, %i_1], %mask_3, %zero : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_9 = arith.addi %v_7, %c1 : index
          %is_step_1 = arith.cmpi slt, %v_9, %c4 : index
          %there_1 = arith.select %is_step_1, %v_8, %c0 : index
          %bound_8 = arith.index_cast %c0 : index to i64
          %bound_9 = arith.index_cast %there_1 : index to i64
          %mask_4 = llvm.intr.get.active.lane.mask %bound_8, %bound_9 : i64, i64 to vector<[4]xi1>
          %loaded_3 = vector.maskedload %a[%v_9, %i_1], %mask_4, %zero : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_10 = arith.muli %v_8, %c2 : index
          %bound_10 = arith.index_cast %c0 : index to i64
          %bound_11 = arith.index_cast %v_10 : index to i64
          %mask_5 = llvm.intr.get.active.lane.mask %bound_10, %bound_11 : i64, i64 to vector<[8]xi1>
          %group_4 = vector.interleave %loaded_2, %loaded_3 : vector<[4]xf16> -> vector<[8]xf16>
          %v_11 = arith.muli %i_1, %c2 : index
          vector.maskedstore %panel_1[%group_3, %v_11], %mask_5, %group_4 : memref<2x8xf16>, vector<[8]xi1>, vector<[8]xf16>
        }
      }
      %length_2 = arith.muli %vscale, %c4 : index
      scf.for %j = %c0 to %c4 step %length_2 {
        %v_12 = arith.subi %c4, %j : index
        scf.for %i_2 = %c0 to %c4 step %length_2 {
          %v_13 = arith.subi %c4, %i_2 : index
          %v_14 = arith.muli %v_12, %c2 : index
          %bound_12 = arith.index_cast %c0 : index to i64
          %bound_13 = arith.index_cast %v_14 : index to i64
          %mask_6 = llvm.intr.get.active.lane.mask %bound_12, %bound_13 : i64, i64 to vector<[8]xi1>
          %v_15 = arith.muli %j, %c2 : index
          %v_16 = arith.muli %v_13, %c2 : index
          %bound_14 = arith.index_cast %c0 : index to i64
          %bound_15 = arith.index_cast %v_16 : index to i64
          %mask_7 = llvm.intr.get.active.lane.mask %bound_14, %bound_15 : i64, i64 to vector<[8]xi1>
          %v_17 = arith.muli %i_2, %c2 : index
          %tile = arm_sme.zero : vector<[4]x[4]xf32>
          %loop = scf.for %k = %c0 to %v step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
            %loaded_4 = vector.maskedload %panel[%k, %v_15], %mask_6, %zero_1 : memref<2x8xf16>, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
            %loaded_5 = vector.maskedload %panel_1[%k, %v_17], %mask_7, %zero_1 : memref<2x8xf16>, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
            %tile_1 = arm_sme.fmopa_2way %loaded_4, %loaded_5 acc(%carried) masks(%mask_6, %mask_7) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
            scf.yield %tile_1 : vector<[4]x[4]xf32>
          }
          %bound_16 = arith.index_cast %c0 : index to i64
          %bound_17 = arith.index_cast %v_13 : index to i64
          %mask_8 = llvm.intr.get.active.lane.mask %bound_16, %bound_17 : i64, i64 to vector<[4]xi1>
          %v_18 = arith.minsi %v_12, %length_2 : index
          scf.for %row = %c0 to %v_18 step %c1 {
            %v_19 = arith.addi %j, %row : index
            arm_sme.store_tile_slice %loop, %row, %mask_8, %c[%v_19, %i_2] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
          }
        }
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_halves(%first: index, %last: index, %groups: index, %a: !f16_4_4, %b: !f16_4_4, %c: !f32_4_4) attributes {llvm.emit_c_interface} {
    func.call @pytl_halves_groups(%first, %last, %groups, %a, %b, %c) : (index, index, index, !f16_4_4, !f16_4_4, !f32_4_4) -> ()
    return
  }
}
