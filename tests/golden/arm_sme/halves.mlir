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
    %c2 = arith.constant 2 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf16>
    %cst_1 = arith.constant dense<0.0> : vector<[8]xf16>
    %stack = memref.alloca() {alignment = 64 : i64} : memref<96xi8>
    scf.for %group = %first to %last step %c1 {
      // 4: gemm.n.t %one, %a, %b, %zero, %c
      %part = memref.view %stack[%c0][] : memref<96xi8> to memref<16xf16>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %part_1 = memref.view %stack[%c64][] : memref<96xi8> to memref<16xf16>
      %panel_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<16xf16> to !f16_2_8
      %v = arith.muli %vscale, %c4 : index
      scf.for %i = %c0 to %c2 step %c1 {
        scf.for %i_1 = %c0 to %c4 step %v {
          %v_1 = arith.subi %c4, %i_1 : index
          %v_2 = arith.muli %i, %c2 : index
          %v_3 = arith.index_cast %c0 : index to i64
          %v_4 = arith.index_cast %v_1 : index to i64
          %mask = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[4]xi1>
          %v_5 = vector.maskedload %b[%v_2, %i_1], %mask, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_6 = arith.extf %v_5 : vector<[4]xf16> to vector<[4]xf32>
          %v_7 = arith.addi %v_2, %c1 : index
          %v_8 = vector.maskedload %b[%v_7, %i_1], %mask, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_9 = arith.extf %v_8 : vector<[4]xf16> to vector<[4]xf32>
          %v_10 = arith.muli %v_1, %c2 : index
          %v_11 = arith.index_cast %c0 : index to i64
          %v_12 = arith.index_cast %v_10 : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %v_11, %v_12 : i64, i64 to vector<[8]xi1>
          %v_13 = vector.interleave %v_5, %v_8 : vector<[4]xf16> -> vector<[8]xf16>
          %v_14 = arith.extf %v_13 : vector<[8]xf16> to vector<[8]xf32>
          %v_15 = arith.muli %i_1, %c2 : index
          vector.maskedstore %panel[%i, %v_15], %mask_1, %v_13 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
        }
      }
      scf.for %i_2 = %c0 to %c2 step %c1 {
        scf.for %i_3 = %c0 to %c4 step %v {
          %v_16 = arith.subi %c4, %i_3 : index
          %v_17 = arith.muli %i_2, %c2 : index
          %v_18 = arith.index_cast %c0 : index to i64
          %v_19 = arith.index_cast %v_16 : index to i64
          %mask_2 = llvm.intr.get.active.lane.mask %v_18, %v_19 : i64, i64 to vector<[4]xi1>
          %v_20 = vector.maskedload %a[%v_17, %i_3], %mask_2, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_21 = arith.extf %v_20 : vector<[4]xf16> to vector<[4]xf32>
          %v_22 = arith.addi %v_17, %c1 : index
          %v_23 = vector.maskedload %a[%v_22, %i_3], %mask_2, %cst : !f16_4_4, vector<[4]xi1>, vector<[4]xf16> into vector<[4]xf16>
          %v_24 = arith.extf %v_23 : vector<[4]xf16> to vector<[4]xf32>
          %v_25 = arith.muli %v_16, %c2 : index
          %v_26 = arith.index_cast %c0 : index to i64
          %v_27 = arith.index_cast %v_25 : index to i64
          %mask_3 = llvm.intr.get.active.lane.mask %v_26, %v_27 : i64, i64 to vector<[8]xi1>
          %v_28 = vector.interleave %v_20, %v_23 : vector<[4]xf16> -> vector<[8]xf16>
          %v_29 = arith.extf %v_28 : vector<[8]xf16> to vector<[8]xf32>
          %v_30 = arith.muli %i_3, %c2 : index
          vector.maskedstore %panel_1[%i_2, %v_30], %mask_3, %v_28 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16>
        }
      }
      scf.for %i_4 = %c0 to %c4 step %v {
        scf.for %i_5 = %c0 to %c4 step %v {
          %v_31 = arith.subi %c4, %i_4 : index
          %v_32 = arith.subi %c4, %i_5 : index
          %v_33 = arith.muli %v_31, %c2 : index
          %v_34 = arith.index_cast %c0 : index to i64
          %v_35 = arith.index_cast %v_33 : index to i64
          %mask_4 = llvm.intr.get.active.lane.mask %v_34, %v_35 : i64, i64 to vector<[8]xi1>
          %v_36 = arith.muli %i_4, %c2 : index
          %v_37 = arith.muli %v_32, %c2 : index
          %v_38 = arith.index_cast %c0 : index to i64
          %v_39 = arith.index_cast %v_37 : index to i64
          %mask_5 = llvm.intr.get.active.lane.mask %v_38, %v_39 : i64, i64 to vector<[8]xi1>
          %v_40 = arith.muli %i_5, %c2 : index
          %tile = arm_sme.zero : vector<[4]x[4]xf32>
          %loop = scf.for %i_6 = %c0 to %c2 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
            %v_41 = vector.maskedload %panel[%i_6, %v_36], %mask_4, %cst_1 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
            %v_42 = arith.extf %v_41 : vector<[8]xf16> to vector<[8]xf32>
            %v_43 = vector.maskedload %panel_1[%i_6, %v_40], %mask_5, %cst_1 : !f16_2_8, vector<[8]xi1>, vector<[8]xf16> into vector<[8]xf16>
            %v_44 = arith.extf %v_43 : vector<[8]xf16> to vector<[8]xf32>
            %tile_1 = arm_sme.fmopa_2way %v_41, %v_43 acc(%carried) masks(%mask_4, %mask_5) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
            scf.yield %tile_1 : vector<[4]x[4]xf32>
          }
          %v_45 = arith.index_cast %c0 : index to i64
          %v_46 = arith.index_cast %v_32 : index to i64
          %mask_6 = llvm.intr.get.active.lane.mask %v_45, %v_46 : i64, i64 to vector<[4]xi1>
          %v_47 = arith.minsi %v_31, %v : index
          scf.for %i_7 = %c0 to %v_47 step %c1 {
            %v_48 = arith.addi %i_4, %i_7 : index
            arm_sme.store_tile_slice %loop, %i_7, %mask_6, %c[%v_48, %i_5] : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
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
