// func @turned(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>, %alpha: f32) {
//   gemm.t.t %alpha, %a, %b, %alpha, %c
// }
//
// arm_sme.copy_tile

module {
  func.func private @pytl_turned_groups(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg4: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg5: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg6: f32) attributes {arm_new_za, arm_streaming} {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : vector<[4]xf32>
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %vscale = vector.vscale
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
    cf.br ^bb1(%arg0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb29
    %1 = arith.cmpi slt, %0, %arg1 : index
    cf.cond_br %1, ^bb2, ^bb30
  ^bb2:  // pred: ^bb1
    %view = memref.view %alloca[%c0][] : memref<64xi8> to memref<16xf32>
    %reinterpret_cast = memref.reinterpret_cast %view to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to memref<4x4xf32, strided<[4, 1]>>
    %c4_vscale = arith.muli %vscale, %c4 : index
    cf.br ^bb3(%c0 : index)
  ^bb3(%2: index):  // 2 preds: ^bb2, ^bb13
    %3 = arith.cmpi slt, %2, %c4 : index
    cf.cond_br %3, ^bb4, ^bb14
  ^bb4:  // pred: ^bb3
    cf.br ^bb5(%c0 : index)
  ^bb5(%4: index):  // 2 preds: ^bb4, ^bb12
    %5 = arith.cmpi slt, %4, %c4 : index
    cf.cond_br %5, ^bb6, ^bb13
  ^bb6:  // pred: ^bb5
    %6 = arith.subi %c4, %2 : index
    %7 = arith.subi %c4, %4 : index
    %8 = arith.index_cast %7 : index to i64
    %9 = llvm.intr.get.active.lane.mask %c0_i64, %8 : i64, i64 to vector<[4]xi1>
    %10 = arm_sme.get_tile : vector<[4]x[4]xf32>
    %11 = arith.minsi %6, %c4_vscale : index
    %12 = arm_sme.copy_tile %10 : vector<[4]x[4]xf32>
    cf.br ^bb7(%c0, %12 : index, vector<[4]x[4]xf32>)
  ^bb7(%13: index, %14: vector<[4]x[4]xf32>):  // 2 preds: ^bb6, ^bb8
    %15 = arith.cmpi slt, %13, %11 : index
    cf.cond_br %15, ^bb8, ^bb9
  ^bb8:  // pred: ^bb7
    %16 = arith.addi %2, %13 : index
    %17 = vector.maskedload %arg3[%16, %4], %9, %cst_0 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %18 = arm_sme.insert_tile_slice %17, %14[%13] : vector<[4]xf32> into vector<[4]x[4]xf32>
    %19 = arith.addi %13, %c1 : index
    %20 = arm_sme.copy_tile %18 : vector<[4]x[4]xf32>
    cf.br ^bb7(%19, %20 : index, vector<[4]x[4]xf32>)
  ^bb9:  // pred: ^bb7
    %21 = arith.index_cast %6 : index to i64
    %22 = llvm.intr.get.active.lane.mask %c0_i64, %21 : i64, i64 to vector<[4]xi1>
    %23 = arith.minsi %7, %c4_vscale : index
    cf.br ^bb10(%c0 : index)
  ^bb10(%24: index):  // 2 preds: ^bb9, ^bb11
    %25 = arith.cmpi slt, %24, %23 : index
    cf.cond_br %25, ^bb11, ^bb12
  ^bb11:  // pred: ^bb10
    %26 = arm_sme.extract_tile_slice %14[%24] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
    %27 = arith.addi %4, %24 : index
    vector.maskedstore %reinterpret_cast[%27, %2], %22, %26 : memref<4x4xf32, strided<[4, 1]>>, vector<[4]xi1>, vector<[4]xf32>
    %28 = arith.addi %24, %c1 : index
    cf.br ^bb10(%28 : index)
  ^bb12:  // pred: ^bb10
    %29 = arith.addi %4, %c4_vscale : index
    cf.br ^bb5(%29 : index)
  ^bb13:  // pred: ^bb5
    %30 = arith.addi %2, %c4_vscale : index
    cf.br ^bb3(%30 : index)
  ^bb14:  // pred: ^bb3
    cf.br ^bb15(%c0 : index)
  ^bb15(%31: index):  // 2 preds: ^bb14, ^bb28
    %32 = arith.cmpi slt, %31, %c4 : index
    cf.cond_br %32, ^bb16, ^bb29
  ^bb16:  // pred: ^bb15
    cf.br ^bb17(%c0 : index)
  ^bb17(%33: index):  // 2 preds: ^bb16, ^bb27
    %34 = arith.cmpi slt, %33, %c4 : index
    cf.cond_br %34, ^bb18, ^bb28
  ^bb18:  // pred: ^bb17
    %35 = arith.subi %c4, %31 : index
    %36 = arith.subi %c4, %33 : index
    %37 = arith.index_cast %35 : index to i64
    %38 = llvm.intr.get.active.lane.mask %c0_i64, %37 : i64, i64 to vector<[4]xi1>
    %39 = arith.index_cast %36 : index to i64
    %40 = llvm.intr.get.active.lane.mask %c0_i64, %39 : i64, i64 to vector<[4]xi1>
    %41 = arm_sme.zero : vector<[4]x[4]xf32>
    %42 = arm_sme.copy_tile %41 : vector<[4]x[4]xf32>
    cf.br ^bb19(%c0, %42 : index, vector<[4]x[4]xf32>)
  ^bb19(%43: index, %44: vector<[4]x[4]xf32>):  // 2 preds: ^bb18, ^bb20
    %45 = arith.cmpi slt, %43, %c4 : index
    cf.cond_br %45, ^bb20, ^bb21
  ^bb20:  // pred: ^bb19
    %46 = vector.maskedload %arg4[%43, %31], %38, %cst_0 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %47 = vector.maskedload %reinterpret_cast[%43, %33], %40, %cst_0 : memref<4x4xf32, strided<[4, 1]>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %48 = arm_sme.outerproduct %46, %47 acc(%44) masks(%38, %40) : vector<[4]xf32>, vector<[4]xf32>
    %49 = arith.addi %43, %c1 : index
    %50 = arm_sme.copy_tile %48 : vector<[4]x[4]xf32>
    cf.br ^bb19(%49, %50 : index, vector<[4]x[4]xf32>)
  ^bb21:  // pred: ^bb19
    %51 = arith.minsi %35, %c4_vscale : index
    cf.br ^bb22(%c0 : index)
  ^bb22(%52: index):  // 2 preds: ^bb21, ^bb26
    %53 = arith.cmpi slt, %52, %51 : index
    cf.cond_br %53, ^bb23, ^bb27
  ^bb23:  // pred: ^bb22
    %54 = arith.addi %31, %52 : index
    %55 = arm_sme.extract_tile_slice %44[%52] : vector<[4]xf32> from vector<[4]x[4]xf32>
    %56 = vector.broadcast %arg6 : f32 to vector<[4]xf32>
    %57 = arith.mulf %56, %55 : vector<[4]xf32>
    %58 = arith.cmpf oeq, %arg6, %cst : f32
    cf.cond_br %58, ^bb24, ^bb25
  ^bb24:  // pred: ^bb23
    vector.maskedstore %arg5[%54, %33], %40, %57 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32>
    cf.br ^bb26
  ^bb25:  // pred: ^bb23
    %59 = vector.maskedload %arg5[%54, %33], %40, %cst_0 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %60 = vector.fma %56, %59, %57 : vector<[4]xf32>
    vector.maskedstore %arg5[%54, %33], %40, %60 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32>
    cf.br ^bb26
  ^bb26:  // 2 preds: ^bb24, ^bb25
    %61 = arith.addi %52, %c1 : index
    cf.br ^bb22(%61 : index)
  ^bb27:  // pred: ^bb22
    %62 = arith.addi %33, %c4_vscale : index
    cf.br ^bb17(%62 : index)
  ^bb28:  // pred: ^bb17
    %63 = arith.addi %31, %c4_vscale : index
    cf.br ^bb15(%63 : index)
  ^bb29:  // pred: ^bb15
    %64 = arith.addi %0, %c1 : index
    cf.br ^bb1(%64 : index)
  ^bb30:  // pred: ^bb1
    return
  }
  func.func @pytl_turned(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg4: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg5: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg6: memref<f32>) attributes {llvm.emit_c_interface} {
    %0 = memref.load %arg6[] : memref<f32>
    call @pytl_turned_groups(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %0) : (index, index, index, memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>, f32) -> ()
    return
  }
}

