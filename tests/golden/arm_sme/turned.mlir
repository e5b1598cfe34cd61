// func @turned(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>, %alpha: f32) {
//   gemm.t.t %alpha, %a, %b, %alpha, %c
// }
//
// arm_sme.extract_tile_slice
// arm_sme.get_tile
// arm_sme.insert_tile_slice

!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_groups(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4, %alpha: f32) attributes {arm_streaming, arm_new_za} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    %cst_f32 = arith.constant 0.0 : f32
    %stack = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
    scf.for %group = %first to %last step %c1 {
      // 2: gemm.t.t %alpha, %a, %b, %alpha, %c
      %part = memref.view %stack[%c0][] : memref<64xi8> to memref<16xf32>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to !f32_4_4
      %v = arith.muli %vscale, %c4 : index
      scf.for %i = %c0 to %c4 step %v {
        scf.for %i_1 = %c0 to %c4 step %v {
          %v_1 = arith.subi %c4, %i : index
          %v_2 = arith.subi %c4, %i_1 : index
          %v_3 = arith.index_cast %c0 : index to i64
          %v_4 = arith.index_cast %v_2 : index to i64
          %mask = llvm.intr.get.active.lane.mask %v_3, %v_4 : i64, i64 to vector<[4]xi1>
          %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
          %v_5 = arith.minsi %v_1, %v : index
          %loop = scf.for %i_2 = %c0 to %v_5 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
            %v_6 = arith.addi %i, %i_2 : index
            %v_7 = vector.maskedload %a[%v_6, %i_1], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %tile_1 = arm_sme.insert_tile_slice %v_7, %carried[%i_2] : vector<[4]xf32> into vector<[4]x[4]xf32>
            scf.yield %tile_1 : vector<[4]x[4]xf32>
          }
          %v_8 = arith.index_cast %c0 : index to i64
          %v_9 = arith.index_cast %v_1 : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %v_8, %v_9 : i64, i64 to vector<[4]xi1>
          %v_10 = arith.minsi %v_2, %v : index
          scf.for %i_3 = %c0 to %v_10 step %c1 {
            %v_11 = arm_sme.extract_tile_slice %loop[%i_3] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
            %v_12 = arith.addi %i_1, %i_3 : index
            vector.maskedstore %panel[%v_12, %i], %mask_1, %v_11 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
          }
        }
      }
      scf.for %i_4 = %c0 to %c4 step %v {
        scf.for %i_5 = %c0 to %c4 step %v {
          %v_13 = arith.subi %c4, %i_4 : index
          %v_14 = arith.subi %c4, %i_5 : index
          %v_15 = arith.index_cast %c0 : index to i64
          %v_16 = arith.index_cast %v_13 : index to i64
          %mask_2 = llvm.intr.get.active.lane.mask %v_15, %v_16 : i64, i64 to vector<[4]xi1>
          %v_17 = arith.index_cast %c0 : index to i64
          %v_18 = arith.index_cast %v_14 : index to i64
          %mask_3 = llvm.intr.get.active.lane.mask %v_17, %v_18 : i64, i64 to vector<[4]xi1>
          %tile_2 = arm_sme.zero : vector<[4]x[4]xf32>
          %loop_1 = scf.for %i_6 = %c0 to %c4 step %c1 iter_args(%carried_1 = %tile_2) -> (vector<[4]x[4]xf32>) {
            %v_19 = vector.maskedload %b[%i_6, %i_4], %mask_2, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %v_20 = vector.maskedload %panel[%i_6, %i_5], %mask_3, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %tile_3 = arm_sme.outerproduct %v_19, %v_20 acc(%carried_1) masks(%mask_2, %mask_3) : vector<[4]xf32>, vector<[4]xf32>
            scf.yield %tile_3 : vector<[4]x[4]xf32>
          }
          %v_21 = arith.minsi %v_13, %v : index
          scf.for %i_7 = %c0 to %v_21 step %c1 {
            %v_22 = arith.addi %i_4, %i_7 : index
            %v_23 = arm_sme.extract_tile_slice %loop_1[%i_7] : vector<[4]xf32> from vector<[4]x[4]xf32>
            %v_24 = vector.broadcast %alpha : f32 to vector<[4]xf32>
            %v_25 = arith.mulf %v_24, %v_23 : vector<[4]xf32>
            %v_26 = arith.cmpf oeq, %alpha, %cst_f32 : f32
            scf.if %v_26 {
              vector.maskedstore %c[%v_22, %i_5], %mask_3, %v_25 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
            } else {
              %v_27 = vector.maskedload %c[%v_22, %i_5], %mask_3, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
              %v_28 = vector.broadcast %alpha : f32 to vector<[4]xf32>
              %v_29 = vector.fma %v_28, %v_27, %v_25 : vector<[4]xf32>
              vector.maskedstore %c[%v_22, %i_5], %mask_3, %v_29 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
            }
          }
        }
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_turned(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4, %alpha: memref<f32>) attributes {llvm.emit_c_interface} {
    %alpha_1 = memref.load %alpha[] : memref<f32>
    func.call @pytl_turned_groups(%first, %last, %groups, %a, %b, %c, %alpha_1) : (index, index, index, !f32_4_4, !f32_4_4, !f32_4_4, f32) -> ()
    return
  }
}
