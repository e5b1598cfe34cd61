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
    %c4 = arith.constant 4 : index
    %columns = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %zero = arith.constant dense<0.0> : vector<[4]xf32>
    %cst_f32 = arith.constant 0.0 : f32
    scf.for %group = %first to %last step %c1 {
      // 2: gemm.t.t %alpha, %a, %b, %alpha, %c
      %panel = memref.view %columns[%c0][] : memref<256xi8> to memref<4x4xf32>
      %length = arith.muli %vscale, %c4 : index
      scf.for %i = %c0 to %c4 step %length {
        scf.for %group_1 = %c0 to %c4 step %length {
          %v = arith.subi %c4, %i : index
          %v_1 = arith.subi %c4, %group_1 : index
          %v_2 = arith.subi %c4, %group_1 : index
          %bound = arith.index_cast %c0 : index to i64
          %bound_1 = arith.index_cast %v_2 : index to i64
          %mask = llvm.intr.get.active.lane.mask %bound, %bound_1 : i64, i64 to vector<[4]xi1>
          %v_3 = arith.minsi %v, %length : index
          %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
          %loop = scf.for %row = %c0 to %v_3 step %c1 iter_args(%carried = %tile) -> (vector<[4]x[4]xf32>) {
            %v_4 = arith.addi %i, %row : index
            %loaded = vector.maskedload %a[%v_4, %group_1], %mask, %zero : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %tile_1 = arm_sme.insert_tile_slice %loaded, %carried[%row] : vector<[4]xf32> into vector<[4]x[4]xf32>
            scf.yield %tile_1 : vector<[4]x[4]xf32>
          }
          %bound_2 = arith.index_cast %c0 : index to i64
          %bound_3 = arith.index_cast %v : index to i64
          %mask_1 = llvm.intr.get.active.lane.mask %bound_2, %bound_3 : i64, i64 to vector<[4]xi1>
          %v_5 = arith.minsi %v_1, %length : index
          scf.for %column = %c0 to %v_5 step %c1 {
            %whole = arm_sme.extract_tile_slice %loop[%column] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
            %v_6 = arith.addi %group_1, %column : index
            vector.maskedstore %panel[%v_6, %i], %mask_1, %whole : memref<4x4xf32>, vector<[4]xi1>, vector<[4]xf32>
          }
        }
      }
      %all = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %all_1 = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %v_7 = arith.cmpf une, %alpha, %cst_f32 : f32
      %length_1 = arith.muli %vscale, %c4 : index
      scf.for %j = %c0 to %c4 step %length_1 {
        %v_8 = arith.subi %c4, %j : index
        scf.for %i_1 = %c0 to %c4 step %length_1 {
          %v_9 = arith.subi %c4, %i_1 : index
          %bound_4 = arith.index_cast %c0 : index to i64
          %bound_5 = arith.index_cast %v_8 : index to i64
          %mask_2 = llvm.intr.get.active.lane.mask %bound_4, %bound_5 : i64, i64 to vector<[4]xi1>
          %bound_6 = arith.index_cast %c0 : index to i64
          %bound_7 = arith.index_cast %v_9 : index to i64
          %mask_3 = llvm.intr.get.active.lane.mask %bound_6, %bound_7 : i64, i64 to vector<[4]xi1>
          %tile_2 = arm_sme.zero : vector<[4]x[4]xf32>
          %loop_1 = scf.for %k = %c0 to %c4 step %c1 iter_args(%carried_1 = %tile_2) -> (vector<[4]x[4]xf32>) {
            %loaded_1 = vector.maskedload %b[%k, %j], %mask_2, %zero : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %loaded_2 = vector.maskedload %panel[%k, %i_1], %mask_3, %zero : memref<4x4xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
            %tile_3 = arm_sme.outerproduct %loaded_1, %loaded_2 acc(%carried_1) masks(%mask_2, %mask_3) : vector<[4]xf32>, vector<[4]xf32>
            scf.yield %tile_3 : vector<[4]x[4]xf32>
          }
          %bound_8 = arith.index_cast %c0 : index to i64
          %bound_9 = arith.index_cast %v_9 : index to i64
          %mask_4 = llvm.intr.get.active.lane.mask %bound_8, %bound_9 : i64, i64 to vector<[4]xi1>
          %v_10 = arith.minsi %v_8, %length_1 : index
          scf.for %row_1 = %c0 to %v_10 step %c1 {
            %v_11 = arith.addi %j, %row_1 : index
            %slice = arm_sme.extract_tile_slice %loop_1[%row_1] : vector<[4]xf32> from vector<[4]x[4]xf32>
            %mul = arith.mulf %slice, %all : vector<[4]xf32>
            %updated = scf.if %v_7 -> (vector<[4]xf32>) {
              %loaded_3 = vector.maskedload %c[%v_11, %i_1], %mask_4, %zero : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
              %mul_1 = arith.mulf %loaded_3, %all_1 : vector<[4]xf32>
              %add = arith.addf %mul, %mul_1 : vector<[4]xf32>
              scf.yield %add : vector<[4]xf32>
            } else {
              scf.yield %mul : vector<[4]xf32>
            }
            vector.maskedstore %c[%v_11, %i_1], %mask_4, %updated : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
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
