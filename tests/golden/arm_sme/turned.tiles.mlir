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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
    %vscale = vector.vscale
    cf.br ^bb1(%arg0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb30
    %1 = arith.cmpi slt, %0, %arg1 : index
    cf.cond_br %1, ^bb2, ^bb31
  ^bb2:  // pred: ^bb1
    %view = memref.view %alloca[%c0][] : memref<256xi8> to memref<4x4xf32>
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
    %10 = arith.minsi %6, %c4_vscale : index
    %11 = arm_sme.get_tile : vector<[4]x[4]xf32>
    %12 = arm_sme.copy_tile %11 : vector<[4]x[4]xf32>
    cf.br ^bb7(%c0, %12 : index, vector<[4]x[4]xf32>)
  ^bb7(%13: index, %14: vector<[4]x[4]xf32>):  // 2 preds: ^bb6, ^bb8
    %15 = arith.cmpi slt, %13, %10 : index
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
    vector.maskedstore %view[%27, %2], %22, %26 : memref<4x4xf32>, vector<[4]xi1>, vector<[4]xf32>
    %28 = arith.addi %24, %c1 : index
    cf.br ^bb10(%28 : index)
  ^bb12:  // pred: ^bb10
    %29 = arith.addi %4, %c4_vscale : index
    cf.br ^bb5(%29 : index)
  ^bb13:  // pred: ^bb5
    %30 = arith.addi %2, %c4_vscale : index
    cf.br ^bb3(%30 : index)
  ^bb14:  // pred: ^bb3
    %31 = vector.broadcast %arg6 : f32 to vector<[4]xf32>
    %32 = arith.cmpf une, %arg6, %cst : f32
    cf.br ^bb15(%c0 : index)
  ^bb15(%33: index):  // 2 preds: ^bb14, ^bb29
    %34 = arith.cmpi slt, %33, %c4 : index
    cf.cond_br %34, ^bb16, ^bb30
  ^bb16:  // pred: ^bb15
    %35 = arith.subi %c4, %33 : index
    cf.br ^bb17(%c0 : index)
  ^bb17(%36: index):  // 2 preds: ^bb16, ^bb28
    %37 = arith.cmpi slt, %36, %c4 : index
    cf.cond_br %37, ^bb18, ^bb29
  ^bb18:  // pred: ^bb17
    %38 = arith.subi %c4, %36 : index
    %39 = arith.index_cast %35 : index to i64
    %40 = llvm.intr.get.active.lane.mask %c0_i64, %39 : i64, i64 to vector<[4]xi1>
    %41 = arith.index_cast %38 : index to i64
    %42 = llvm.intr.get.active.lane.mask %c0_i64, %41 : i64, i64 to vector<[4]xi1>
    %43 = arm_sme.zero : vector<[4]x[4]xf32>
    %44 = arm_sme.copy_tile %43 : vector<[4]x[4]xf32>
    cf.br ^bb19(%c0, %44 : index, vector<[4]x[4]xf32>)
  ^bb19(%45: index, %46: vector<[4]x[4]xf32>):  // 2 preds: ^bb18, ^bb20
    %47 = arith.cmpi slt, %45, %c4 : index
    cf.cond_br %47, ^bb20, ^bb21
  ^bb20:  // pred: ^bb19
    %48 = vector.maskedload %arg4[%45, %33], %40, %cst_0 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %49 = vector.maskedload %view[%45, %36], %42, %cst_0 : memref<4x4xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %50 = arm_sme.outerproduct %48, %49 acc(%46) masks(%40, %42) : vector<[4]xf32>, vector<[4]xf32>
    %51 = arith.addi %45, %c1 : index
    %52 = arm_sme.copy_tile %50 : vector<[4]x[4]xf32>
    cf.br ^bb19(%51, %52 : index, vector<[4]x[4]xf32>)
  ^bb21:  // pred: ^bb19
    %53 = arith.minsi %35, %c4_vscale : index
    cf.br ^bb22(%c0 : index)
  ^bb22(%54: index):  // 2 preds: ^bb21, ^bb27
    %55 = arith.cmpi slt, %54, %53 : index
    cf.cond_br %55, ^bb23, ^bb28
  ^bb23:  // pred: ^bb22
    %56 = arith.addi %33, %54 : index
    %57 = arm_sme.extract_tile_slice %46[%54] : vector<[4]xf32> from vector<[4]x[4]xf32>
    %58 = arith.mulf %57, %31 : vector<[4]xf32>
    cf.cond_br %32, ^bb24, ^bb25
  ^bb24:  // pred: ^bb23
    %59 = vector.maskedload %arg5[%56, %36], %42, %cst_0 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %60 = arith.mulf %59, %31 : vector<[4]xf32>
    %61 = arith.addf %58, %60 : vector<[4]xf32>
    cf.br ^bb26(%61 : vector<[4]xf32>)
  ^bb25:  // pred: ^bb23
    cf.br ^bb26(%58 : vector<[4]xf32>)
  ^bb26(%62: vector<[4]xf32>):  // 2 preds: ^bb24, ^bb25
    cf.br ^bb27
  ^bb27:  // pred: ^bb26
    vector.maskedstore %arg5[%56, %36], %42, %62 : memref<4x4xf32, strided<[4, 1], offset: ?>>, vector<[4]xi1>, vector<[4]xf32>
    %63 = arith.addi %54, %c1 : index
    cf.br ^bb22(%63 : index)
  ^bb28:  // pred: ^bb22
    %64 = arith.addi %36, %c4_vscale : index
    cf.br ^bb17(%64 : index)
  ^bb29:  // pred: ^bb17
    %65 = arith.addi %33, %c4_vscale : index
    cf.br ^bb15(%65 : index)
  ^bb30:  // pred: ^bb15
    %66 = arith.addi %0, %c1 : index
    cf.br ^bb1(%66 : index)
  ^bb31:  // pred: ^bb1
    return
  }
  func.func @pytl_turned(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg4: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg5: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg6: memref<f32>) attributes {llvm.emit_c_interface} {
    %0 = memref.load %arg6[] : memref<f32>
    call @pytl_turned_groups(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %0) : (index, index, index, memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1], offset: ?>>, f32) -> ()
    return
  }
}

