// func @bytes(%a: memref<i8x4x4>, %b: memref<i8x4x4>, %c: memref<i32x4x4>) {
//   %one = constant 1 : i8
//   %zero = constant 0 : i32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.intr.smopa.wide

module {
  llvm.func @pytl_bytes_groups(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: !llvm.ptr, %arg18: !llvm.ptr, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: i64) attributes {arm_new_za, arm_streaming, sym_visibility = "private"} {
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %1 = llvm.insertvalue %arg17, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %2 = llvm.insertvalue %arg18, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %3 = llvm.insertvalue %arg19, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %4 = llvm.insertvalue %arg20, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %5 = llvm.insertvalue %arg22, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %6 = llvm.insertvalue %arg21, %5[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %7 = llvm.insertvalue %arg23, %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %9 = llvm.insertvalue %arg10, %8[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %10 = llvm.insertvalue %arg11, %9[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %11 = llvm.insertvalue %arg12, %10[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %12 = llvm.insertvalue %arg13, %11[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %13 = llvm.insertvalue %arg15, %12[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %14 = llvm.insertvalue %arg14, %13[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %15 = llvm.insertvalue %arg16, %14[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %16 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %17 = llvm.insertvalue %arg3, %16[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %18 = llvm.insertvalue %arg4, %17[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %19 = llvm.insertvalue %arg5, %18[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %20 = llvm.insertvalue %arg6, %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %21 = llvm.insertvalue %arg8, %20[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %22 = llvm.insertvalue %arg7, %21[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %23 = llvm.insertvalue %arg9, %22[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %24 = llvm.mlir.constant(16 : index) : i64
    %25 = llvm.mlir.constant(0 : i64) : i64
    %26 = llvm.mlir.constant(dense<0> : vector<[16]xi8>) : vector<[16]xi8>
    %27 = llvm.mlir.constant(3 : index) : i64
    %28 = llvm.mlir.constant(2 : index) : i64
    %29 = llvm.mlir.constant(dense<0> : vector<[4]xi8>) : vector<[4]xi8>
    %30 = llvm.mlir.constant(4 : index) : i64
    %31 = llvm.mlir.constant(1 : index) : i64
    %32 = llvm.mlir.constant(0 : index) : i64
    %33 = llvm.mlir.constant(64 : index) : i64
    %34 = llvm.mlir.constant(4 : index) : i64
    %35 = "llvm.intr.vscale"() : () -> i64
    %36 = llvm.mlir.constant(80 : index) : i64
    %37 = llvm.mlir.constant(1 : index) : i64
    %38 = llvm.alloca %36 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %39 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %40 = llvm.insertvalue %38, %39[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %41 = llvm.insertvalue %38, %40[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %42 = llvm.mlir.constant(0 : index) : i64
    %43 = llvm.insertvalue %42, %41[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %44 = llvm.insertvalue %36, %43[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %45 = llvm.insertvalue %37, %44[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    llvm.br ^bb1(%arg0 : i64)
  ^bb1(%46: i64):  // 2 preds: ^bb0, ^bb14
    %47 = llvm.icmp "slt" %46, %arg1 : i64
    llvm.cond_br %47, ^bb2, ^bb15
  ^bb2:  // pred: ^bb1
    %48 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %49 = llvm.extractvalue %45[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %50 = llvm.insertvalue %49, %48[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %51 = llvm.extractvalue %45[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %52 = llvm.getelementptr %51[%32] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %53 = llvm.insertvalue %52, %50[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %54 = llvm.mlir.constant(0 : index) : i64
    %55 = llvm.insertvalue %54, %53[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %56 = llvm.mlir.constant(16 : index) : i64
    %57 = llvm.insertvalue %56, %55[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %58 = llvm.mlir.constant(1 : index) : i64
    %59 = llvm.insertvalue %58, %57[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %60 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %61 = llvm.extractvalue %59[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %62 = llvm.extractvalue %59[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %63 = llvm.insertvalue %61, %60[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %64 = llvm.insertvalue %62, %63[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %65 = llvm.mlir.constant(0 : index) : i64
    %66 = llvm.insertvalue %65, %64[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %67 = llvm.mlir.constant(1 : index) : i64
    %68 = llvm.insertvalue %67, %66[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %69 = llvm.mlir.constant(16 : index) : i64
    %70 = llvm.insertvalue %69, %68[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %71 = llvm.mlir.constant(16 : index) : i64
    %72 = llvm.insertvalue %71, %70[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %73 = llvm.mlir.constant(1 : index) : i64
    %74 = llvm.insertvalue %73, %72[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %75 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %76 = llvm.extractvalue %45[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %77 = llvm.insertvalue %76, %75[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %78 = llvm.extractvalue %45[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %79 = llvm.getelementptr %78[%33] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %80 = llvm.insertvalue %79, %77[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %81 = llvm.mlir.constant(0 : index) : i64
    %82 = llvm.insertvalue %81, %80[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %83 = llvm.mlir.constant(16 : index) : i64
    %84 = llvm.insertvalue %83, %82[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %85 = llvm.mlir.constant(1 : index) : i64
    %86 = llvm.insertvalue %85, %84[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %87 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %88 = llvm.extractvalue %86[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %89 = llvm.extractvalue %86[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %90 = llvm.insertvalue %88, %87[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %91 = llvm.insertvalue %89, %90[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %92 = llvm.mlir.constant(0 : index) : i64
    %93 = llvm.insertvalue %92, %91[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %94 = llvm.mlir.constant(1 : index) : i64
    %95 = llvm.insertvalue %94, %93[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %96 = llvm.mlir.constant(16 : index) : i64
    %97 = llvm.insertvalue %96, %95[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %98 = llvm.mlir.constant(16 : index) : i64
    %99 = llvm.insertvalue %98, %97[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %100 = llvm.mlir.constant(1 : index) : i64
    %101 = llvm.insertvalue %100, %99[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %102 = llvm.mul %35, %30 : i64
    llvm.br ^bb3(%32 : i64)
  ^bb3(%103: i64):  // 2 preds: ^bb2, ^bb4
    %104 = llvm.icmp "slt" %103, %30 : i64
    llvm.cond_br %104, ^bb4, ^bb5(%32 : i64)
  ^bb4:  // pred: ^bb3
    %105 = llvm.sub %30, %103 : i64
    %106 = llvm.intr.get.active.lane.mask %25, %105 : i64, i64 to vector<[4]xi1>
    %107 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %108 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %109 = llvm.getelementptr %107[%108] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %110 = llvm.mul %32, %34 : i64
    %111 = llvm.add %110, %103 : i64
    %112 = llvm.getelementptr %109[%111] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %113 = llvm.intr.masked.load %112, %106, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %114 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %115 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %116 = llvm.getelementptr %114[%115] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %117 = llvm.mul %31, %34 : i64
    %118 = llvm.add %117, %103 : i64
    %119 = llvm.getelementptr %116[%118] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %120 = llvm.intr.masked.load %119, %106, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %121 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %122 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %123 = llvm.getelementptr %121[%122] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %124 = llvm.mul %28, %34 : i64
    %125 = llvm.add %124, %103 : i64
    %126 = llvm.getelementptr %123[%125] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %127 = llvm.intr.masked.load %126, %106, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %128 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %129 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %130 = llvm.getelementptr %128[%129] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %131 = llvm.mul %27, %34 : i64
    %132 = llvm.add %131, %103 : i64
    %133 = llvm.getelementptr %130[%132] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %134 = llvm.intr.masked.load %133, %106, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %135 = llvm.mul %105, %30 : i64
    %136 = llvm.intr.get.active.lane.mask %25, %135 : i64, i64 to vector<[16]xi1>
    %137 = "llvm.intr.vector.interleave2"(%113, %127) : (vector<[4]xi8>, vector<[4]xi8>) -> vector<[8]xi8>
    %138 = "llvm.intr.vector.interleave2"(%120, %134) : (vector<[4]xi8>, vector<[4]xi8>) -> vector<[8]xi8>
    %139 = "llvm.intr.vector.interleave2"(%137, %138) : (vector<[8]xi8>, vector<[8]xi8>) -> vector<[16]xi8>
    %140 = llvm.mul %103, %30 : i64
    %141 = llvm.extractvalue %74[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %142 = llvm.mul %32, %24 : i64
    %143 = llvm.add %142, %140 : i64
    %144 = llvm.getelementptr %141[%143] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %139, %144, %136 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %145 = llvm.add %103, %102 : i64
    llvm.br ^bb3(%145 : i64)
  ^bb5(%146: i64):  // 2 preds: ^bb3, ^bb6
    %147 = llvm.icmp "slt" %146, %30 : i64
    llvm.cond_br %147, ^bb6, ^bb7(%32 : i64)
  ^bb6:  // pred: ^bb5
    %148 = llvm.sub %30, %146 : i64
    %149 = llvm.intr.get.active.lane.mask %25, %148 : i64, i64 to vector<[4]xi1>
    %150 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %151 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %152 = llvm.getelementptr %150[%151] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %153 = llvm.mul %32, %34 : i64
    %154 = llvm.add %153, %146 : i64
    %155 = llvm.getelementptr %152[%154] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %156 = llvm.intr.masked.load %155, %149, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %157 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %158 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %159 = llvm.getelementptr %157[%158] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %160 = llvm.mul %31, %34 : i64
    %161 = llvm.add %160, %146 : i64
    %162 = llvm.getelementptr %159[%161] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %163 = llvm.intr.masked.load %162, %149, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %164 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %165 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %166 = llvm.getelementptr %164[%165] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %167 = llvm.mul %28, %34 : i64
    %168 = llvm.add %167, %146 : i64
    %169 = llvm.getelementptr %166[%168] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %170 = llvm.intr.masked.load %169, %149, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %171 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %172 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %173 = llvm.getelementptr %171[%172] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %174 = llvm.mul %27, %34 : i64
    %175 = llvm.add %174, %146 : i64
    %176 = llvm.getelementptr %173[%175] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %177 = llvm.intr.masked.load %176, %149, %29 {alignment = 1 : i32} : (!llvm.ptr, vector<[4]xi1>, vector<[4]xi8>) -> vector<[4]xi8>
    %178 = llvm.mul %148, %30 : i64
    %179 = llvm.intr.get.active.lane.mask %25, %178 : i64, i64 to vector<[16]xi1>
    %180 = "llvm.intr.vector.interleave2"(%156, %170) : (vector<[4]xi8>, vector<[4]xi8>) -> vector<[8]xi8>
    %181 = "llvm.intr.vector.interleave2"(%163, %177) : (vector<[4]xi8>, vector<[4]xi8>) -> vector<[8]xi8>
    %182 = "llvm.intr.vector.interleave2"(%180, %181) : (vector<[8]xi8>, vector<[8]xi8>) -> vector<[16]xi8>
    %183 = llvm.mul %146, %30 : i64
    %184 = llvm.extractvalue %101[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %185 = llvm.mul %32, %24 : i64
    %186 = llvm.add %185, %183 : i64
    %187 = llvm.getelementptr %184[%186] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %182, %187, %179 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %188 = llvm.add %146, %102 : i64
    llvm.br ^bb5(%188 : i64)
  ^bb7(%189: i64):  // 2 preds: ^bb5, ^bb13
    %190 = llvm.icmp "slt" %189, %30 : i64
    llvm.cond_br %190, ^bb8(%32 : i64), ^bb14
  ^bb8(%191: i64):  // 2 preds: ^bb7, ^bb12
    %192 = llvm.icmp "slt" %191, %30 : i64
    llvm.cond_br %192, ^bb9, ^bb13
  ^bb9:  // pred: ^bb8
    %193 = llvm.sub %30, %189 : i64
    %194 = llvm.sub %30, %191 : i64
    %195 = llvm.mul %193, %30 : i64
    %196 = llvm.intr.get.active.lane.mask %25, %195 : i64, i64 to vector<[16]xi1>
    %197 = llvm.mul %189, %30 : i64
    %198 = llvm.mul %194, %30 : i64
    %199 = llvm.intr.get.active.lane.mask %25, %198 : i64, i64 to vector<[16]xi1>
    %200 = llvm.mul %191, %30 : i64
    "arm_sme.intr.zero"() <{tile_mask = 17 : i32}> : () -> ()
    %201 = llvm.extractvalue %74[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %202 = llvm.mul %32, %24 : i64
    %203 = llvm.add %202, %197 : i64
    %204 = llvm.getelementptr %201[%203] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %205 = llvm.intr.masked.load %204, %196, %26 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %206 = llvm.extractvalue %101[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %207 = llvm.mul %32, %24 : i64
    %208 = llvm.add %207, %200 : i64
    %209 = llvm.getelementptr %206[%208] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %210 = llvm.intr.masked.load %209, %199, %26 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    "arm_sme.intr.smopa.wide"(%196, %199, %205, %210) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
    %211 = llvm.intr.get.active.lane.mask %25, %194 : i64, i64 to vector<[4]xi1>
    %212 = llvm.icmp "slt" %193, %102 : i64
    %213 = llvm.select %212, %193, %102 : i1, i64
    llvm.br ^bb10(%32 : i64)
  ^bb10(%214: i64):  // 2 preds: ^bb9, ^bb11
    %215 = llvm.icmp "slt" %214, %213 : i64
    llvm.cond_br %215, ^bb11, ^bb12
  ^bb11:  // pred: ^bb10
    %216 = llvm.add %189, %214 : i64
    %217 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %218 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %219 = llvm.getelementptr %217[%218] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %220 = llvm.mul %216, %34 : i64
    %221 = llvm.add %220, %191 : i64
    %222 = llvm.getelementptr %219[%221] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %223 = llvm.trunc %214 : i64 to i32
    "arm_sme.intr.st1w.horiz"(%211, %222, %223) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %224 = llvm.add %214, %31 : i64
    llvm.br ^bb10(%224 : i64)
  ^bb12:  // pred: ^bb10
    %225 = llvm.add %191, %102 : i64
    llvm.br ^bb8(%225 : i64)
  ^bb13:  // pred: ^bb8
    %226 = llvm.add %189, %102 : i64
    llvm.br ^bb7(%226 : i64)
  ^bb14:  // pred: ^bb7
    %227 = llvm.add %46, %31 : i64
    llvm.br ^bb1(%227 : i64)
  ^bb15:  // pred: ^bb1
    llvm.return
  }
  llvm.func @pytl_bytes(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: !llvm.ptr, %arg18: !llvm.ptr, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: i64) attributes {llvm.emit_c_interface} {
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %1 = llvm.insertvalue %arg17, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %2 = llvm.insertvalue %arg18, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %3 = llvm.insertvalue %arg19, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %4 = llvm.insertvalue %arg20, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %5 = llvm.insertvalue %arg22, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %6 = llvm.insertvalue %arg21, %5[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %7 = llvm.insertvalue %arg23, %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %9 = llvm.insertvalue %arg10, %8[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %10 = llvm.insertvalue %arg11, %9[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %11 = llvm.insertvalue %arg12, %10[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %12 = llvm.insertvalue %arg13, %11[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %13 = llvm.insertvalue %arg15, %12[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %14 = llvm.insertvalue %arg14, %13[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %15 = llvm.insertvalue %arg16, %14[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %16 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %17 = llvm.insertvalue %arg3, %16[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %18 = llvm.insertvalue %arg4, %17[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %19 = llvm.insertvalue %arg5, %18[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %20 = llvm.insertvalue %arg6, %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %21 = llvm.insertvalue %arg8, %20[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %22 = llvm.insertvalue %arg7, %21[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %23 = llvm.insertvalue %arg9, %22[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %24 = llvm.extractvalue %23[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %25 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %26 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %27 = llvm.extractvalue %23[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %28 = llvm.extractvalue %23[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %29 = llvm.extractvalue %23[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %30 = llvm.extractvalue %23[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %31 = llvm.extractvalue %15[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %32 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %33 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %34 = llvm.extractvalue %15[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %35 = llvm.extractvalue %15[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %36 = llvm.extractvalue %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %37 = llvm.extractvalue %15[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %38 = llvm.extractvalue %7[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %39 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %40 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %41 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %42 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %43 = llvm.extractvalue %7[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %44 = llvm.extractvalue %7[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    llvm.call @pytl_bytes_groups(%arg0, %arg1, %arg2, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
    llvm.return
  }
  llvm.func @_mlir_ciface_pytl_bytes(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: !llvm.ptr) attributes {llvm.emit_c_interface} {
    %0 = llvm.load %arg3 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %1 = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %2 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %3 = llvm.extractvalue %0[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %4 = llvm.extractvalue %0[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %5 = llvm.extractvalue %0[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %6 = llvm.extractvalue %0[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %7 = llvm.extractvalue %0[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %8 = llvm.load %arg4 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %9 = llvm.extractvalue %8[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %10 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %11 = llvm.extractvalue %8[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %12 = llvm.extractvalue %8[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %13 = llvm.extractvalue %8[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %14 = llvm.extractvalue %8[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %15 = llvm.extractvalue %8[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %16 = llvm.load %arg5 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %17 = llvm.extractvalue %16[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %18 = llvm.extractvalue %16[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %19 = llvm.extractvalue %16[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %20 = llvm.extractvalue %16[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %21 = llvm.extractvalue %16[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %22 = llvm.extractvalue %16[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %23 = llvm.extractvalue %16[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    llvm.call @pytl_bytes(%arg0, %arg1, %arg2, %1, %2, %3, %4, %5, %6, %7, %9, %10, %11, %12, %13, %14, %15, %17, %18, %19, %20, %21, %22, %23) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
    llvm.return
  }
}

