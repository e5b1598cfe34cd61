// func @halves(%a: memref<f16x4x4>, %b: memref<f16x4x4>, %c: memref<f32x4x4>) {
//   %one = constant 1.0 : f16
//   %zero = constant 0.0 : f32
//   gemm.n.t %one, %a, %b, %zero, %c
// }
//
// arm_sme.intr.mopa.wide

module {
  llvm.func @pytl_halves_groups(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: !llvm.ptr, %arg18: !llvm.ptr, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: i64) attributes {arm_new_za, arm_streaming, sym_visibility = "private"} {
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
    %24 = llvm.mlir.constant(8 : index) : i64
    %25 = llvm.mlir.constant(8 : i64) : i64
    %26 = llvm.mlir.constant(4 : i64) : i64
    %27 = llvm.mlir.constant(0 : i64) : i64
    %28 = llvm.mlir.constant(3 : index) : i64
    %29 = llvm.mlir.constant(2 : index) : i64
    %30 = llvm.mlir.constant(dense<0.000000e+00> : vector<[8]xf16>) : vector<[8]xf16>
    %31 = llvm.mlir.constant(8 : index) : i64
    %32 = llvm.mlir.constant(1 : index) : i64
    %33 = llvm.mlir.constant(0 : index) : i64
    %34 = llvm.mlir.constant(64 : index) : i64
    %35 = llvm.mlir.constant(4 : index) : i64
    %36 = llvm.mlir.constant(3 : i32) : i32
    %37 = llvm.mlir.constant(2 : i32) : i32
    %38 = llvm.mlir.constant(1 : i32) : i32
    %39 = llvm.mlir.constant(0 : i32) : i32
    %40 = "llvm.intr.vscale"() : () -> i64
    %41 = llvm.mlir.constant(96 : index) : i64
    %42 = llvm.mlir.constant(1 : index) : i64
    %43 = llvm.alloca %41 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %44 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %45 = llvm.insertvalue %43, %44[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %46 = llvm.insertvalue %43, %45[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %47 = llvm.mlir.constant(0 : index) : i64
    %48 = llvm.insertvalue %47, %46[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %49 = llvm.insertvalue %41, %48[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %50 = llvm.insertvalue %42, %49[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    llvm.br ^bb1(%arg0 : i64)
  ^bb1(%51: i64):  // 2 preds: ^bb0, ^bb2
    %52 = llvm.icmp "slt" %51, %arg1 : i64
    llvm.cond_br %52, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %53 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %54 = llvm.extractvalue %50[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %55 = llvm.insertvalue %54, %53[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %56 = llvm.extractvalue %50[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %57 = llvm.getelementptr %56[%33] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %58 = llvm.insertvalue %57, %55[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %59 = llvm.mlir.constant(0 : index) : i64
    %60 = llvm.insertvalue %59, %58[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %61 = llvm.mlir.constant(16 : index) : i64
    %62 = llvm.insertvalue %61, %60[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %63 = llvm.mlir.constant(1 : index) : i64
    %64 = llvm.insertvalue %63, %62[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %65 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %66 = llvm.extractvalue %64[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %67 = llvm.extractvalue %64[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %68 = llvm.insertvalue %66, %65[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %69 = llvm.insertvalue %67, %68[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %70 = llvm.mlir.constant(0 : index) : i64
    %71 = llvm.insertvalue %70, %69[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %72 = llvm.mlir.constant(2 : index) : i64
    %73 = llvm.insertvalue %72, %71[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %74 = llvm.mlir.constant(8 : index) : i64
    %75 = llvm.insertvalue %74, %73[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %76 = llvm.mlir.constant(8 : index) : i64
    %77 = llvm.insertvalue %76, %75[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %78 = llvm.mlir.constant(1 : index) : i64
    %79 = llvm.insertvalue %78, %77[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %80 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %81 = llvm.extractvalue %50[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %82 = llvm.insertvalue %81, %80[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %83 = llvm.extractvalue %50[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %84 = llvm.getelementptr %83[%34] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %85 = llvm.insertvalue %84, %82[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %86 = llvm.mlir.constant(0 : index) : i64
    %87 = llvm.insertvalue %86, %85[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %88 = llvm.mlir.constant(16 : index) : i64
    %89 = llvm.insertvalue %88, %87[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %90 = llvm.mlir.constant(1 : index) : i64
    %91 = llvm.insertvalue %90, %89[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %92 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %93 = llvm.extractvalue %91[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %94 = llvm.extractvalue %91[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %95 = llvm.insertvalue %93, %92[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %96 = llvm.insertvalue %94, %95[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %97 = llvm.mlir.constant(0 : index) : i64
    %98 = llvm.insertvalue %97, %96[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %99 = llvm.mlir.constant(2 : index) : i64
    %100 = llvm.insertvalue %99, %98[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %101 = llvm.mlir.constant(8 : index) : i64
    %102 = llvm.insertvalue %101, %100[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %103 = llvm.mlir.constant(8 : index) : i64
    %104 = llvm.insertvalue %103, %102[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %105 = llvm.mlir.constant(1 : index) : i64
    %106 = llvm.insertvalue %105, %104[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %107 = llvm.mul %40, %31 : i64
    %108 = llvm.intr.get.active.lane.mask %27, %26 : i64, i64 to vector<[8]xi1>
    %109 = llvm.intr.get.active.lane.mask %27, %25 : i64, i64 to vector<[8]xi1>
    %110 = llvm.intr.get.active.lane.mask %27, %26 : i64, i64 to vector<[4]xi1>
    %111 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %112 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %113 = llvm.getelementptr %111[%112] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %114 = llvm.mul %33, %35 : i64
    %115 = llvm.add %114, %33 : i64
    %116 = llvm.getelementptr %113[%115] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %117 = llvm.intr.masked.load %116, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %118 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %119 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %120 = llvm.getelementptr %118[%119] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %121 = llvm.mul %32, %35 : i64
    %122 = llvm.add %121, %33 : i64
    %123 = llvm.getelementptr %120[%122] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %124 = llvm.intr.masked.load %123, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %125 = "llvm.intr.vector.interleave2"(%117, %124) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %126 = llvm.intr.vector.extract %125[0] : vector<[8]xf16> from vector<[16]xf16>
    %127 = llvm.intr.vector.extract %125[8] : vector<[8]xf16> from vector<[16]xf16>
    %128 = llvm.extractvalue %79[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %129 = llvm.mul %33, %24 : i64
    %130 = llvm.add %129, %33 : i64
    %131 = llvm.getelementptr %128[%130] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %126, %131, %109 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %132 = llvm.icmp "sgt" %107, %31 : i64
    %133 = llvm.select %132, %107, %31 : i1, i64
    %134 = llvm.sub %133, %107 : i64
    %135 = llvm.intr.get.active.lane.mask %27, %134 : i64, i64 to vector<[8]xi1>
    %136 = llvm.extractvalue %79[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %137 = llvm.mul %33, %24 : i64
    %138 = llvm.add %137, %107 : i64
    %139 = llvm.getelementptr %136[%138] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %127, %139, %135 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %140 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %141 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %142 = llvm.getelementptr %140[%141] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %143 = llvm.mul %29, %35 : i64
    %144 = llvm.add %143, %33 : i64
    %145 = llvm.getelementptr %142[%144] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %146 = llvm.intr.masked.load %145, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %147 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %148 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %149 = llvm.getelementptr %147[%148] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %150 = llvm.mul %28, %35 : i64
    %151 = llvm.add %150, %33 : i64
    %152 = llvm.getelementptr %149[%151] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %153 = llvm.intr.masked.load %152, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %154 = "llvm.intr.vector.interleave2"(%146, %153) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %155 = llvm.intr.vector.extract %154[0] : vector<[8]xf16> from vector<[16]xf16>
    %156 = llvm.intr.vector.extract %154[8] : vector<[8]xf16> from vector<[16]xf16>
    %157 = llvm.extractvalue %79[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %158 = llvm.mul %32, %24 : i64
    %159 = llvm.add %158, %33 : i64
    %160 = llvm.getelementptr %157[%159] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %155, %160, %109 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %161 = llvm.extractvalue %79[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %162 = llvm.mul %32, %24 : i64
    %163 = llvm.add %162, %107 : i64
    %164 = llvm.getelementptr %161[%163] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %156, %164, %135 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %165 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %166 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %167 = llvm.getelementptr %165[%166] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %168 = llvm.mul %33, %35 : i64
    %169 = llvm.add %168, %33 : i64
    %170 = llvm.getelementptr %167[%169] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %171 = llvm.intr.masked.load %170, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %172 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %173 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %174 = llvm.getelementptr %172[%173] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %175 = llvm.mul %32, %35 : i64
    %176 = llvm.add %175, %33 : i64
    %177 = llvm.getelementptr %174[%176] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %178 = llvm.intr.masked.load %177, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %179 = "llvm.intr.vector.interleave2"(%171, %178) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %180 = llvm.intr.vector.extract %179[0] : vector<[8]xf16> from vector<[16]xf16>
    %181 = llvm.intr.vector.extract %179[8] : vector<[8]xf16> from vector<[16]xf16>
    %182 = llvm.extractvalue %106[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %183 = llvm.mul %33, %24 : i64
    %184 = llvm.add %183, %33 : i64
    %185 = llvm.getelementptr %182[%184] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %180, %185, %109 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %186 = llvm.extractvalue %106[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %187 = llvm.mul %33, %24 : i64
    %188 = llvm.add %187, %107 : i64
    %189 = llvm.getelementptr %186[%188] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %181, %189, %135 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %190 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %191 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %192 = llvm.getelementptr %190[%191] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %193 = llvm.mul %29, %35 : i64
    %194 = llvm.add %193, %33 : i64
    %195 = llvm.getelementptr %192[%194] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %196 = llvm.intr.masked.load %195, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %197 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %198 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %199 = llvm.getelementptr %197[%198] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %200 = llvm.mul %28, %35 : i64
    %201 = llvm.add %200, %33 : i64
    %202 = llvm.getelementptr %199[%201] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %203 = llvm.intr.masked.load %202, %108, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %204 = "llvm.intr.vector.interleave2"(%196, %203) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %205 = llvm.intr.vector.extract %204[0] : vector<[8]xf16> from vector<[16]xf16>
    %206 = llvm.intr.vector.extract %204[8] : vector<[8]xf16> from vector<[16]xf16>
    %207 = llvm.extractvalue %106[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %208 = llvm.mul %32, %24 : i64
    %209 = llvm.add %208, %33 : i64
    %210 = llvm.getelementptr %207[%209] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %205, %210, %109 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %211 = llvm.extractvalue %106[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %212 = llvm.mul %32, %24 : i64
    %213 = llvm.add %212, %107 : i64
    %214 = llvm.getelementptr %211[%213] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %206, %214, %135 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    "arm_sme.intr.zero"() <{tile_mask = 17 : i32}> : () -> ()
    %215 = llvm.extractvalue %106[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %216 = llvm.mul %33, %24 : i64
    %217 = llvm.add %216, %33 : i64
    %218 = llvm.getelementptr %215[%217] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %219 = llvm.intr.masked.load %218, %109, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %220 = llvm.extractvalue %79[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %221 = llvm.mul %33, %24 : i64
    %222 = llvm.add %221, %33 : i64
    %223 = llvm.getelementptr %220[%222] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %224 = llvm.intr.masked.load %223, %109, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    "arm_sme.intr.mopa.wide"(%109, %109, %219, %224) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xf16>, vector<[8]xf16>) -> ()
    %225 = llvm.extractvalue %106[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %226 = llvm.mul %32, %24 : i64
    %227 = llvm.add %226, %33 : i64
    %228 = llvm.getelementptr %225[%227] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %229 = llvm.intr.masked.load %228, %109, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %230 = llvm.extractvalue %79[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %231 = llvm.mul %32, %24 : i64
    %232 = llvm.add %231, %33 : i64
    %233 = llvm.getelementptr %230[%232] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %234 = llvm.intr.masked.load %233, %109, %30 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    "arm_sme.intr.mopa.wide"(%109, %109, %229, %234) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xf16>, vector<[8]xf16>) -> ()
    %235 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %236 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %237 = llvm.getelementptr %235[%236] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %238 = llvm.mul %28, %35 : i64
    %239 = llvm.add %238, %33 : i64
    %240 = llvm.getelementptr %237[%239] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%110, %240, %36) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %241 = llvm.mul %29, %35 : i64
    %242 = llvm.add %241, %33 : i64
    %243 = llvm.getelementptr %237[%242] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%110, %243, %37) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %244 = llvm.mul %32, %35 : i64
    %245 = llvm.add %244, %33 : i64
    %246 = llvm.getelementptr %237[%245] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%110, %246, %38) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %247 = llvm.mul %33, %35 : i64
    %248 = llvm.add %247, %33 : i64
    %249 = llvm.getelementptr %237[%248] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%110, %249, %39) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %250 = llvm.add %51, %32 : i64
    llvm.br ^bb1(%250 : i64)
  ^bb3:  // pred: ^bb1
    llvm.return
  }
  llvm.func @pytl_halves(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: !llvm.ptr, %arg18: !llvm.ptr, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: i64) attributes {llvm.emit_c_interface} {
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
    %24 = llvm.mlir.constant(8 : i64) : i64
    %25 = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"() : () -> i64
    %26 = llvm.icmp "eq" %25, %24 : i64
    llvm.cond_br %26, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %27 = llvm.extractvalue %23[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %28 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %29 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %30 = llvm.extractvalue %23[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %31 = llvm.extractvalue %23[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %32 = llvm.extractvalue %23[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %33 = llvm.extractvalue %23[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %34 = llvm.extractvalue %15[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %35 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %36 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %37 = llvm.extractvalue %15[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %38 = llvm.extractvalue %15[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %39 = llvm.extractvalue %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %40 = llvm.extractvalue %15[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %41 = llvm.extractvalue %7[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %42 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %43 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %44 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %45 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %46 = llvm.extractvalue %7[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %47 = llvm.extractvalue %7[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    llvm.call @pytl_halves_512_groups(%arg0, %arg1, %arg2, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
    llvm.br ^bb3
  ^bb2:  // pred: ^bb0
    %48 = llvm.extractvalue %23[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %49 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %50 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %51 = llvm.extractvalue %23[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %52 = llvm.extractvalue %23[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %53 = llvm.extractvalue %23[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %54 = llvm.extractvalue %23[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %55 = llvm.extractvalue %15[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %56 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %57 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %58 = llvm.extractvalue %15[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %59 = llvm.extractvalue %15[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %60 = llvm.extractvalue %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %61 = llvm.extractvalue %15[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %62 = llvm.extractvalue %7[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %63 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %64 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %65 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %66 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %67 = llvm.extractvalue %7[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %68 = llvm.extractvalue %7[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    llvm.call @pytl_halves_groups(%arg0, %arg1, %arg2, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
    llvm.br ^bb3
  ^bb3:  // 2 preds: ^bb1, ^bb2
    llvm.return
  }
  llvm.func @_mlir_ciface_pytl_halves(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: !llvm.ptr) attributes {llvm.emit_c_interface} {
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
    llvm.call @pytl_halves(%arg0, %arg1, %arg2, %1, %2, %3, %4, %5, %6, %7, %9, %10, %11, %12, %13, %14, %15, %17, %18, %19, %20, %21, %22, %23) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
    llvm.return
  }
  llvm.func @pytl_halves_512_groups(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: !llvm.ptr, %arg18: !llvm.ptr, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: i64) attributes {arm_new_za, arm_streaming, passthrough = [["vscale_range", "17179869188"]], sym_visibility = "private"} {
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
    %24 = llvm.mlir.constant(8 : index) : i64
    %25 = llvm.mlir.constant(8 : i64) : i64
    %26 = llvm.mlir.constant(4 : i64) : i64
    %27 = llvm.mlir.constant(0 : i64) : i64
    %28 = llvm.mlir.constant(1 : index) : i64
    %29 = llvm.mlir.constant(0 : index) : i64
    %30 = llvm.mlir.constant(64 : index) : i64
    %31 = llvm.mlir.constant(dense<0.000000e+00> : vector<[8]xf16>) : vector<[8]xf16>
    %32 = llvm.mlir.constant(2 : index) : i64
    %33 = llvm.mlir.constant(3 : index) : i64
    %34 = llvm.mlir.constant(4 : index) : i64
    %35 = llvm.mlir.constant(3 : i32) : i32
    %36 = llvm.mlir.constant(2 : i32) : i32
    %37 = llvm.mlir.constant(1 : i32) : i32
    %38 = llvm.mlir.constant(0 : i32) : i32
    %39 = llvm.mlir.constant(96 : index) : i64
    %40 = llvm.mlir.constant(1 : index) : i64
    %41 = llvm.alloca %39 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %42 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %43 = llvm.insertvalue %41, %42[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %44 = llvm.insertvalue %41, %43[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %45 = llvm.mlir.constant(0 : index) : i64
    %46 = llvm.insertvalue %45, %44[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %47 = llvm.insertvalue %39, %46[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %48 = llvm.insertvalue %40, %47[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    llvm.br ^bb1(%arg0 : i64)
  ^bb1(%49: i64):  // 2 preds: ^bb0, ^bb2
    %50 = llvm.icmp "slt" %49, %arg1 : i64
    llvm.cond_br %50, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %51 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %52 = llvm.extractvalue %48[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %53 = llvm.insertvalue %52, %51[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %54 = llvm.extractvalue %48[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %55 = llvm.getelementptr %54[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %56 = llvm.insertvalue %55, %53[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %57 = llvm.mlir.constant(0 : index) : i64
    %58 = llvm.insertvalue %57, %56[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %59 = llvm.mlir.constant(16 : index) : i64
    %60 = llvm.insertvalue %59, %58[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %61 = llvm.mlir.constant(1 : index) : i64
    %62 = llvm.insertvalue %61, %60[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %63 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %64 = llvm.extractvalue %62[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %65 = llvm.extractvalue %62[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %66 = llvm.insertvalue %64, %63[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %67 = llvm.insertvalue %65, %66[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %68 = llvm.mlir.constant(0 : index) : i64
    %69 = llvm.insertvalue %68, %67[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %70 = llvm.mlir.constant(2 : index) : i64
    %71 = llvm.insertvalue %70, %69[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %72 = llvm.mlir.constant(8 : index) : i64
    %73 = llvm.insertvalue %72, %71[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %74 = llvm.mlir.constant(8 : index) : i64
    %75 = llvm.insertvalue %74, %73[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %76 = llvm.mlir.constant(1 : index) : i64
    %77 = llvm.insertvalue %76, %75[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %78 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %79 = llvm.extractvalue %48[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %80 = llvm.insertvalue %79, %78[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %81 = llvm.extractvalue %48[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %82 = llvm.getelementptr %81[%30] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %83 = llvm.insertvalue %82, %80[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %84 = llvm.mlir.constant(0 : index) : i64
    %85 = llvm.insertvalue %84, %83[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %86 = llvm.mlir.constant(16 : index) : i64
    %87 = llvm.insertvalue %86, %85[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %88 = llvm.mlir.constant(1 : index) : i64
    %89 = llvm.insertvalue %88, %87[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %90 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %91 = llvm.extractvalue %89[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %92 = llvm.extractvalue %89[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %93 = llvm.insertvalue %91, %90[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %94 = llvm.insertvalue %92, %93[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %95 = llvm.mlir.constant(0 : index) : i64
    %96 = llvm.insertvalue %95, %94[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %97 = llvm.mlir.constant(2 : index) : i64
    %98 = llvm.insertvalue %97, %96[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %99 = llvm.mlir.constant(8 : index) : i64
    %100 = llvm.insertvalue %99, %98[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %101 = llvm.mlir.constant(8 : index) : i64
    %102 = llvm.insertvalue %101, %100[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %103 = llvm.mlir.constant(1 : index) : i64
    %104 = llvm.insertvalue %103, %102[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %105 = llvm.intr.get.active.lane.mask %27, %26 : i64, i64 to vector<[8]xi1>
    %106 = llvm.intr.get.active.lane.mask %27, %25 : i64, i64 to vector<[8]xi1>
    %107 = llvm.intr.get.active.lane.mask %27, %26 : i64, i64 to vector<[4]xi1>
    %108 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %109 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %110 = llvm.getelementptr %108[%109] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %111 = llvm.mul %29, %34 : i64
    %112 = llvm.add %111, %29 : i64
    %113 = llvm.getelementptr %110[%112] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %114 = llvm.intr.masked.load %113, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %115 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %116 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %117 = llvm.getelementptr %115[%116] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %118 = llvm.mul %28, %34 : i64
    %119 = llvm.add %118, %29 : i64
    %120 = llvm.getelementptr %117[%119] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %121 = llvm.intr.masked.load %120, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %122 = "llvm.intr.vector.interleave2"(%114, %121) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %123 = llvm.intr.vector.extract %122[0] : vector<[8]xf16> from vector<[16]xf16>
    %124 = llvm.extractvalue %77[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %125 = llvm.mul %29, %24 : i64
    %126 = llvm.add %125, %29 : i64
    %127 = llvm.getelementptr %124[%126] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %123, %127, %106 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %128 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %129 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %130 = llvm.getelementptr %128[%129] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %131 = llvm.mul %32, %34 : i64
    %132 = llvm.add %131, %29 : i64
    %133 = llvm.getelementptr %130[%132] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %134 = llvm.intr.masked.load %133, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %135 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %136 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %137 = llvm.getelementptr %135[%136] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %138 = llvm.mul %33, %34 : i64
    %139 = llvm.add %138, %29 : i64
    %140 = llvm.getelementptr %137[%139] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %141 = llvm.intr.masked.load %140, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %142 = "llvm.intr.vector.interleave2"(%134, %141) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %143 = llvm.intr.vector.extract %142[0] : vector<[8]xf16> from vector<[16]xf16>
    %144 = llvm.extractvalue %77[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %145 = llvm.mul %28, %24 : i64
    %146 = llvm.add %145, %29 : i64
    %147 = llvm.getelementptr %144[%146] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %143, %147, %106 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %148 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %149 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %150 = llvm.getelementptr %148[%149] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %151 = llvm.mul %29, %34 : i64
    %152 = llvm.add %151, %29 : i64
    %153 = llvm.getelementptr %150[%152] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %154 = llvm.intr.masked.load %153, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %155 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %156 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %157 = llvm.getelementptr %155[%156] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %158 = llvm.mul %28, %34 : i64
    %159 = llvm.add %158, %29 : i64
    %160 = llvm.getelementptr %157[%159] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %161 = llvm.intr.masked.load %160, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %162 = "llvm.intr.vector.interleave2"(%154, %161) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %163 = llvm.intr.vector.extract %162[0] : vector<[8]xf16> from vector<[16]xf16>
    %164 = llvm.extractvalue %104[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %165 = llvm.mul %29, %24 : i64
    %166 = llvm.add %165, %29 : i64
    %167 = llvm.getelementptr %164[%166] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %163, %167, %106 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    %168 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %169 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %170 = llvm.getelementptr %168[%169] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %171 = llvm.mul %32, %34 : i64
    %172 = llvm.add %171, %29 : i64
    %173 = llvm.getelementptr %170[%172] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %174 = llvm.intr.masked.load %173, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %175 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %176 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %177 = llvm.getelementptr %175[%176] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %178 = llvm.mul %33, %34 : i64
    %179 = llvm.add %178, %29 : i64
    %180 = llvm.getelementptr %177[%179] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %181 = llvm.intr.masked.load %180, %105, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %182 = "llvm.intr.vector.interleave2"(%174, %181) : (vector<[8]xf16>, vector<[8]xf16>) -> vector<[16]xf16>
    %183 = llvm.intr.vector.extract %182[0] : vector<[8]xf16> from vector<[16]xf16>
    %184 = llvm.extractvalue %104[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %185 = llvm.mul %28, %24 : i64
    %186 = llvm.add %185, %29 : i64
    %187 = llvm.getelementptr %184[%186] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %183, %187, %106 {alignment = 2 : i32} : vector<[8]xf16>, vector<[8]xi1> into !llvm.ptr
    "arm_sme.intr.zero"() <{tile_mask = 17 : i32}> : () -> ()
    %188 = llvm.extractvalue %104[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %189 = llvm.mul %29, %24 : i64
    %190 = llvm.add %189, %29 : i64
    %191 = llvm.getelementptr %188[%190] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %192 = llvm.intr.masked.load %191, %106, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %193 = llvm.extractvalue %77[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %194 = llvm.mul %29, %24 : i64
    %195 = llvm.add %194, %29 : i64
    %196 = llvm.getelementptr %193[%195] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %197 = llvm.intr.masked.load %196, %106, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    "arm_sme.intr.mopa.wide"(%106, %106, %192, %197) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xf16>, vector<[8]xf16>) -> ()
    %198 = llvm.extractvalue %104[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %199 = llvm.mul %28, %24 : i64
    %200 = llvm.add %199, %29 : i64
    %201 = llvm.getelementptr %198[%200] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %202 = llvm.intr.masked.load %201, %106, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    %203 = llvm.extractvalue %77[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %204 = llvm.mul %28, %24 : i64
    %205 = llvm.add %204, %29 : i64
    %206 = llvm.getelementptr %203[%205] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %207 = llvm.intr.masked.load %206, %106, %31 {alignment = 2 : i32} : (!llvm.ptr, vector<[8]xi1>, vector<[8]xf16>) -> vector<[8]xf16>
    "arm_sme.intr.mopa.wide"(%106, %106, %202, %207) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xf16>, vector<[8]xf16>) -> ()
    %208 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %209 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %210 = llvm.getelementptr %208[%209] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %211 = llvm.mul %33, %34 : i64
    %212 = llvm.add %211, %29 : i64
    %213 = llvm.getelementptr %210[%212] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%107, %213, %35) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %214 = llvm.mul %32, %34 : i64
    %215 = llvm.add %214, %29 : i64
    %216 = llvm.getelementptr %210[%215] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%107, %216, %36) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %217 = llvm.mul %28, %34 : i64
    %218 = llvm.add %217, %29 : i64
    %219 = llvm.getelementptr %210[%218] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%107, %219, %37) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %220 = llvm.mul %29, %34 : i64
    %221 = llvm.add %220, %29 : i64
    %222 = llvm.getelementptr %210[%221] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "arm_sme.intr.st1w.horiz"(%107, %222, %38) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %223 = llvm.add %49, %28 : i64
    llvm.br ^bb1(%223 : i64)
  ^bb3:  // pred: ^bb1
    llvm.return
  }
}

