// func @turned(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>, %alpha: f32) {
//   gemm.t.t %alpha, %a, %b, %alpha, %c
// }
//
// arm_sme.extract_tile_slice
// arm_sme.get_tile
// arm_sme.load_tile_slice

!f32_4_4 = memref<4x4xf32, strided<[4, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_groups(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4, %alpha: f32) attributes {arm_streaming, arm_new_za} {
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    %cst_f32 = arith.constant 0.0 : f32
    %stack = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
    // 2: gemm.t.t %alpha, %a, %b, %alpha, %c
    %part = memref.view %stack[%c0][] : memref<64xi8> to memref<16xf32>
    %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to !f32_4_4
    %v = arith.muli %vscale, %c4 : index
    %v_1 = arith.index_cast %c0 : index to i64
    %v_2 = arith.index_cast %c4 : index to i64
    %mask = llvm.intr.get.active.lane.mask %v_1, %v_2 : i64, i64 to vector<[4]xi1>
    %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
    %tile_1 = arm_sme.load_tile_slice %a[%c3, %c0], %mask, %tile, %c3 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    %tile_2 = arm_sme.load_tile_slice %a[%c2, %c0], %mask, %tile_1, %c2 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    %tile_3 = arm_sme.load_tile_slice %a[%c1, %c0], %mask, %tile_2, %c1 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    %tile_4 = arm_sme.load_tile_slice %a[%c0, %c0], %mask, %tile_3, %c0 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %tile_4, %c3, %mask, %panel[%c3, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %tile_4, %c2, %mask, %panel[%c2, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %tile_4, %c1, %mask, %panel[%c1, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %tile_4, %c0, %mask, %panel[%c0, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
    // 1: func @turned(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>, %alpha: f32) {
    scf.for %group = %first to %last step %c1 {
      // 2: gemm.t.t %alpha, %a, %b, %alpha, %c
      %v_3 = arith.muli %vscale, %c4 : index
      %v_4 = arith.index_cast %c0 : index to i64
      %v_5 = arith.index_cast %c4 : index to i64
      %mask_1 = llvm.intr.get.active.lane.mask %v_4, %v_5 : i64, i64 to vector<[4]xi1>
      %tile_5 = arm_sme.zero : vector<[4]x[4]xf32>
      %v_6 = vector.maskedload %b[%c0, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_7 = vector.maskedload %panel[%c0, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_6 = arm_sme.outerproduct %v_6, %v_7 acc(%tile_5) masks(%mask_1, %mask_1) : vector<[4]xf32>, vector<[4]xf32>
      %v_8 = vector.maskedload %b[%c1, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_9 = vector.maskedload %panel[%c1, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_7 = arm_sme.outerproduct %v_8, %v_9 acc(%tile_6) masks(%mask_1, %mask_1) : vector<[4]xf32>, vector<[4]xf32>
      %v_10 = vector.maskedload %b[%c2, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_11 = vector.maskedload %panel[%c2, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_8 = arm_sme.outerproduct %v_10, %v_11 acc(%tile_7) masks(%mask_1, %mask_1) : vector<[4]xf32>, vector<[4]xf32>
      %v_12 = vector.maskedload %b[%c3, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_13 = vector.maskedload %panel[%c3, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_9 = arm_sme.outerproduct %v_12, %v_13 acc(%tile_8) masks(%mask_1, %mask_1) : vector<[4]xf32>, vector<[4]xf32>
      %v_14 = arm_sme.extract_tile_slice %tile_9[%c3] : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_15 = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %v_16 = arith.mulf %v_15, %v_14 : vector<[4]xf32>
      %v_17 = arith.cmpf oeq, %alpha, %cst_f32 : f32
      scf.if %v_17 {
        vector.maskedstore %c[%c3, %c0], %mask_1, %v_16 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      } else {
        %v_18 = vector.maskedload %c[%c3, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_19 = vector.broadcast %alpha : f32 to vector<[4]xf32>
        %v_20 = vector.fma %v_19, %v_18, %v_16 : vector<[4]xf32>
        vector.maskedstore %c[%c3, %c0], %mask_1, %v_20 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      }
      %v_21 = arm_sme.extract_tile_slice %tile_9[%c2] : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_22 = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %v_23 = arith.mulf %v_22, %v_21 : vector<[4]xf32>
      %v_24 = arith.cmpf oeq, %alpha, %cst_f32 : f32
      scf.if %v_24 {
        vector.maskedstore %c[%c2, %c0], %mask_1, %v_23 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      } else {
        %v_25 = vector.maskedload %c[%c2, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_26 = vector.broadcast %alpha : f32 to vector<[4]xf32>
        %v_27 = vector.fma %v_26, %v_25, %v_23 : vector<[4]xf32>
        vector.maskedstore %c[%c2, %c0], %mask_1, %v_27 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      }
      %v_28 = arm_sme.extract_tile_slice %tile_9[%c1] : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_29 = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %v_30 = arith.mulf %v_29, %v_28 : vector<[4]xf32>
      %v_31 = arith.cmpf oeq, %alpha, %cst_f32 : f32
      scf.if %v_31 {
        vector.maskedstore %c[%c1, %c0], %mask_1, %v_30 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      } else {
        %v_32 = vector.maskedload %c[%c1, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_33 = vector.broadcast %alpha : f32 to vector<[4]xf32>
        %v_34 = vector.fma %v_33, %v_32, %v_30 : vector<[4]xf32>
        vector.maskedstore %c[%c1, %c0], %mask_1, %v_34 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      }
      %v_35 = arm_sme.extract_tile_slice %tile_9[%c0] : vector<[4]xf32> from vector<[4]x[4]xf32>
      %v_36 = vector.broadcast %alpha : f32 to vector<[4]xf32>
      %v_37 = arith.mulf %v_36, %v_35 : vector<[4]xf32>
      %v_38 = arith.cmpf oeq, %alpha, %cst_f32 : f32
      scf.if %v_38 {
        vector.maskedstore %c[%c0, %c0], %mask_1, %v_37 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
      } else {
        %v_39 = vector.maskedload %c[%c0, %c0], %mask_1, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
        %v_40 = vector.broadcast %alpha : f32 to vector<[4]xf32>
        %v_41 = vector.fma %v_40, %v_39, %v_37 : vector<[4]xf32>
        vector.maskedstore %c[%c0, %c0], %mask_1, %v_41 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
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
