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
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    %cst_f32 = arith.constant 0.0 : f32
    %stack = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
    scf.for %group = %first to %last step %c1 {
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
      %tile_5 = arm_sme.zero : vector<[4]x[4]xf32>
      %v_3 = vector.maskedload %b[%c0, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_4 = vector.maskedload %panel[%c0, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_6 = arm_sme.outerproduct %v_3, %v_4 acc(%tile_5) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      %v_5 = vector.maskedload %b[%c1, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_6 = vector.maskedload %panel[%c1, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_7 = arm_sme.outerproduct %v_5, %v_6 acc(%tile_6) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      %v_7 = vector.maskedload %b[%c2, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_8 = vector.maskedload %panel[%c2, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_8 = arm_sme.outerproduct %v_7, %v_8 acc(%tile_7) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      %v_9 = vector.maskedload %b[%c3, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_10 = vector.maskedload %panel[%c3, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_9 = arm_sme.outerproduct %v_9, %v_10 acc(%tile_8) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        %v_11 = arm_sme.extract_tile_slice %tile_9[%i] : vector<[4]xf32> from vector<[4]x[4]xf32>
        %v_12 = vector.broadcast %alpha : f32 to vector<[4]xf32>
        %v_13 = arith.mulf %v_12, %v_11 : vector<[4]xf32>
        %v_14 = arith.cmpf oeq, %alpha, %cst_f32 : f32
        scf.if %v_14 {
          vector.maskedstore %c[%i, %c0], %mask, %v_13 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
        } else {
          %v_15 = vector.maskedload %c[%i, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
          %v_16 = vector.broadcast %alpha : f32 to vector<[4]xf32>
          %v_17 = vector.fma %v_16, %v_15, %v_13 : vector<[4]xf32>
          vector.maskedstore %c[%i, %c0], %mask, %v_17 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
        }
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_turned(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4, %alpha: memref<f32>) attributes {llvm.emit_c_interface} {
    %c8_i64 = arith.constant 8 : i64
    %alpha_1 = memref.load %alpha[] : memref<f32>
    %doubles = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %v = arith.cmpi eq, %doubles, %c8_i64 : i64
    scf.if %v {
      func.call @pytl_turned_512_groups(%first, %last, %groups, %a, %b, %c, %alpha_1) : (index, index, index, !f32_4_4, !f32_4_4, !f32_4_4, f32) -> ()
    } else {
      func.call @pytl_turned_groups(%first, %last, %groups, %a, %b, %c, %alpha_1) : (index, index, index, !f32_4_4, !f32_4_4, !f32_4_4, f32) -> ()
    }
    return
  }
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_512_groups(%first: index, %last: index, %groups: index, %a: !f32_4_4, %b: !f32_4_4, %c: !f32_4_4, %alpha: f32) attributes {arm_streaming, arm_new_za, passthrough = [["vscale_range", "17179869188"]]} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant dense<0.0> : vector<[4]xf32>
    %cst_f32 = arith.constant 0.0 : f32
    %stack = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
    scf.for %group = %first to %last step %c1 {
      // 2: gemm.t.t %alpha, %a, %b, %alpha, %c
      %part = memref.view %stack[%c0][] : memref<64xi8> to memref<16xf32>
      %panel = memref.reinterpret_cast %part to offset: [%c0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to !f32_4_4
      %v = arith.index_cast %c0 : index to i64
      %v_1 = arith.index_cast %c4 : index to i64
      %mask = llvm.intr.get.active.lane.mask %v, %v_1 : i64, i64 to vector<[4]xi1>
      %tile = arm_sme.get_tile : vector<[4]x[4]xf32>
      %tile_1 = arm_sme.load_tile_slice %a[%c3, %c0], %mask, %tile, %c3 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      %tile_2 = arm_sme.load_tile_slice %a[%c2, %c0], %mask, %tile_1, %c2 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      %tile_3 = arm_sme.load_tile_slice %a[%c1, %c0], %mask, %tile_2, %c1 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      %tile_4 = arm_sme.load_tile_slice %a[%c0, %c0], %mask, %tile_3, %c0 : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_4, %c3, %mask, %panel[%c3, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_4, %c2, %mask, %panel[%c2, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_4, %c1, %mask, %panel[%c1, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      arm_sme.store_tile_slice %tile_4, %c0, %mask, %panel[%c0, %c0] layout<vertical> : !f32_4_4, vector<[4]xi1>, vector<[4]x[4]xf32>
      %tile_5 = arm_sme.zero : vector<[4]x[4]xf32>
      %v_2 = vector.maskedload %b[%c0, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_3 = vector.maskedload %panel[%c0, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_6 = arm_sme.outerproduct %v_2, %v_3 acc(%tile_5) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      %v_4 = vector.maskedload %b[%c1, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_5 = vector.maskedload %panel[%c1, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_7 = arm_sme.outerproduct %v_4, %v_5 acc(%tile_6) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      %v_6 = vector.maskedload %b[%c2, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_7 = vector.maskedload %panel[%c2, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_8 = arm_sme.outerproduct %v_6, %v_7 acc(%tile_7) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      %v_8 = vector.maskedload %b[%c3, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %v_9 = vector.maskedload %panel[%c3, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
      %tile_9 = arm_sme.outerproduct %v_8, %v_9 acc(%tile_8) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        %v_10 = arm_sme.extract_tile_slice %tile_9[%i] : vector<[4]xf32> from vector<[4]x[4]xf32>
        %v_11 = vector.broadcast %alpha : f32 to vector<[4]xf32>
        %v_12 = arith.mulf %v_11, %v_10 : vector<[4]xf32>
        %v_13 = arith.cmpf oeq, %alpha, %cst_f32 : f32
        scf.if %v_13 {
          vector.maskedstore %c[%i, %c0], %mask, %v_12 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
        } else {
          %v_14 = vector.maskedload %c[%i, %c0], %mask, %cst : !f32_4_4, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
          %v_15 = vector.broadcast %alpha : f32 to vector<[4]xf32>
          %v_16 = vector.fma %v_15, %v_14, %v_12 : vector<[4]xf32>
          vector.maskedstore %c[%i, %c0], %mask, %v_16 : !f32_4_4, vector<[4]xi1>, vector<[4]xf32>
        }
      }
    }
    return
  }
}
