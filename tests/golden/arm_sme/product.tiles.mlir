// func @product(%a: memref<f32x4x16>, %b: memref<f32x4x16>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f32
//   %zero = constant 0.0 : f32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.copy_tile

module {
  func.func private @pytl_product_groups(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<16x4xf32, strided<[4, 1], offset: ?>>, %arg4: memref<16x4xf32, strided<[4, 1], offset: ?>>, %arg5: memref<4x4xf32, strided<[4, 1], offset: ?>>) attributes {arm_new_za, arm_streaming} {
    %c4_i64 = arith.constant 4 : i64
    %c0_i64 = arith.constant 0 : i64
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant dense<0.000000e+00> : vector<[4]xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    cf.br ^bb1(%arg0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb5
    %1 = arith.cmpi slt, %0, %arg1 : index
    cf.cond_br %1, ^bb2, ^bb6
  ^bb2:  // pred: ^bb1
    %2 = llvm.intr.get.active.lane.mask %c0_i64, %c4_i64 : i64, i64 to vector<[4]xi1>
    %3 = arm_sme.zero : vector<[4]x[4]xf32>
    %4 = arm_sme.copy_tile %3 : vector<[4]x[4]xf32>
    cf.br ^bb3(%c0, %4 : index, vector<[4]x[4]xf32>)
  ^bb3(%5: index, %6: vector<[4]x[4]xf32>):  // 2 preds: ^bb2, ^bb4
    %7 = arith.cmpi slt, %5, %c4 : index
    cf.cond_br %7, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    %8 = arith.muli %5, %c4 : index
    %9 = vector.maskedload %arg4[%8, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %10 = vector.maskedload %arg3[%8, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %11 = arm_sme.outerproduct %9, %10 acc(%6) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %12 = arith.addi %8, %c1 : index
    %13 = vector.maskedload %arg4[%12, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %14 = vector.maskedload %arg3[%12, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %15 = arm_sme.outerproduct %13, %14 acc(%11) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %16 = arith.addi %8, %c2 : index
    %17 = vector.maskedload %arg4[%16, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %18 = vector.maskedload %arg3[%16, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %19 = arm_sme.outerproduct %17, %18 acc(%15) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %20 = arith.addi %8, %c3 : index
    %21 = vector.maskedload %arg4[%20, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %22 = vector.maskedload %arg3[%20, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %23 = arm_sme.outerproduct %21, %22 acc(%19) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %24 = arith.addi %5, %c1 : index
    %25 = arm_sme.copy_tile %23 : vector<[4]x[4]xf32>
    cf.br ^bb3(%24, %25 : index, vector<[4]x[4]xf32>)
  ^bb5:  // pred: ^bb3
    arm_sme.store_tile_slice %6, %c3, %2, %arg5[%c3, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %6, %c2, %2, %arg5[%c2, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %6, %c1, %2, %arg5[%c1, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %6, %c0, %2, %arg5[%c0, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    %26 = arith.addi %0, %c1 : index
    cf.br ^bb1(%26 : index)
  ^bb6:  // pred: ^bb1
    return
  }
  func.func @pytl_product(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<16x4xf32, strided<[4, 1], offset: ?>>, %arg4: memref<16x4xf32, strided<[4, 1], offset: ?>>, %arg5: memref<4x4xf32, strided<[4, 1], offset: ?>>) attributes {llvm.emit_c_interface} {
    %c8_i64 = arith.constant 8 : i64
    %0 = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %1 = arith.cmpi eq, %0, %c8_i64 : i64
    cf.cond_br %1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    call @pytl_product_512_groups(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (index, index, index, memref<16x4xf32, strided<[4, 1], offset: ?>>, memref<16x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>) -> ()
    cf.br ^bb3
  ^bb2:  // pred: ^bb0
    call @pytl_product_groups(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (index, index, index, memref<16x4xf32, strided<[4, 1], offset: ?>>, memref<16x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>) -> ()
    cf.br ^bb3
  ^bb3:  // 2 preds: ^bb1, ^bb2
    return
  }
  func.func private @pytl_product_512_groups(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<16x4xf32, strided<[4, 1], offset: ?>>, %arg4: memref<16x4xf32, strided<[4, 1], offset: ?>>, %arg5: memref<4x4xf32, strided<[4, 1], offset: ?>>) attributes {arm_new_za, arm_streaming, passthrough = [["vscale_range", "17179869188"]]} {
    %c4_i64 = arith.constant 4 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant dense<0.000000e+00> : vector<[4]xf32>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    cf.br ^bb1(%arg0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb5
    %1 = arith.cmpi slt, %0, %arg1 : index
    cf.cond_br %1, ^bb2, ^bb6
  ^bb2:  // pred: ^bb1
    %2 = llvm.intr.get.active.lane.mask %c0_i64, %c4_i64 : i64, i64 to vector<[4]xi1>
    %3 = arm_sme.zero : vector<[4]x[4]xf32>
    %4 = arm_sme.copy_tile %3 : vector<[4]x[4]xf32>
    cf.br ^bb3(%c0, %4 : index, vector<[4]x[4]xf32>)
  ^bb3(%5: index, %6: vector<[4]x[4]xf32>):  // 2 preds: ^bb2, ^bb4
    %7 = arith.cmpi slt, %5, %c2 : index
    cf.cond_br %7, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    %8 = arith.muli %5, %c8 : index
    %9 = vector.maskedload %arg4[%8, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %10 = vector.maskedload %arg3[%8, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %11 = arm_sme.outerproduct %9, %10 acc(%6) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %12 = arith.addi %8, %c1 : index
    %13 = vector.maskedload %arg4[%12, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %14 = vector.maskedload %arg3[%12, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %15 = arm_sme.outerproduct %13, %14 acc(%11) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %16 = arith.addi %8, %c2 : index
    %17 = vector.maskedload %arg4[%16, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %18 = vector.maskedload %arg3[%16, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %19 = arm_sme.outerproduct %17, %18 acc(%15) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %20 = arith.addi %8, %c3 : index
    %21 = vector.maskedload %arg4[%20, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %22 = vector.maskedload %arg3[%20, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %23 = arm_sme.outerproduct %21, %22 acc(%19) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %24 = arith.addi %8, %c4 : index
    %25 = vector.maskedload %arg4[%24, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %26 = vector.maskedload %arg3[%24, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %27 = arm_sme.outerproduct %25, %26 acc(%23) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %28 = arith.addi %8, %c5 : index
    %29 = vector.maskedload %arg4[%28, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %30 = vector.maskedload %arg3[%28, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %31 = arm_sme.outerproduct %29, %30 acc(%27) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %32 = arith.addi %8, %c6 : index
    %33 = vector.maskedload %arg4[%32, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %34 = vector.maskedload %arg3[%32, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %35 = arm_sme.outerproduct %33, %34 acc(%31) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %36 = arith.addi %8, %c7 : index
    %37 = vector.maskedload %arg4[%36, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %38 = vector.maskedload %arg3[%36, %c0], %2, %cst : memref<16x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %39 = arm_sme.outerproduct %37, %38 acc(%35) masks(%2, %2) : vector<[4]xf32>, vector<[4]xf32>
    %40 = arith.addi %5, %c1 : index
    %41 = arm_sme.copy_tile %39 : vector<[4]x[4]xf32>
    cf.br ^bb3(%40, %41 : index, vector<[4]x[4]xf32>)
  ^bb5:  // pred: ^bb3
    arm_sme.store_tile_slice %6, %c3, %2, %arg5[%c3, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %6, %c2, %2, %arg5[%c2, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %6, %c1, %2, %arg5[%c1, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    arm_sme.store_tile_slice %6, %c0, %2, %arg5[%c0, %c0] : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]x[4]xf32>
    %42 = arith.addi %0, %c1 : index
    cf.br ^bb1(%42 : index)
  ^bb6:  // pred: ^bb1
    return
  }
}

