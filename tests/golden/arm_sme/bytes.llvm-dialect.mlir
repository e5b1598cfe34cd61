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
    %25 = llvm.mlir.constant(48 : index) : i64
    %26 = llvm.mlir.constant(32 : index) : i64
    %27 = llvm.mlir.constant(16 : i64) : i64
    %28 = llvm.mlir.constant(4 : i64) : i64
    %29 = llvm.mlir.constant(0 : i64) : i64
    %30 = llvm.mlir.constant(3 : index) : i64
    %31 = llvm.mlir.constant(2 : index) : i64
    %32 = llvm.mlir.constant(dense<0> : vector<[16]xi8>) : vector<[16]xi8>
    %33 = llvm.mlir.constant(16 : index) : i64
    %34 = llvm.mlir.constant(1 : index) : i64
    %35 = llvm.mlir.constant(0 : index) : i64
    %36 = llvm.mlir.constant(64 : index) : i64
    %37 = llvm.mlir.constant(4 : index) : i64
    %38 = llvm.mlir.constant(3 : i32) : i32
    %39 = llvm.mlir.constant(2 : i32) : i32
    %40 = llvm.mlir.constant(1 : i32) : i32
    %41 = llvm.mlir.constant(0 : i32) : i32
    %42 = "llvm.intr.vscale"() : () -> i64
    %43 = llvm.mlir.constant(80 : index) : i64
    %44 = llvm.mlir.constant(1 : index) : i64
    %45 = llvm.alloca %43 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %46 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %47 = llvm.insertvalue %45, %46[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %48 = llvm.insertvalue %45, %47[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %49 = llvm.mlir.constant(0 : index) : i64
    %50 = llvm.insertvalue %49, %48[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %51 = llvm.insertvalue %43, %50[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %52 = llvm.insertvalue %44, %51[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    llvm.br ^bb1(%arg0 : i64)
  ^bb1(%53: i64):  // 2 preds: ^bb0, ^bb2
    %54 = llvm.icmp "slt" %53, %arg1 : i64
    llvm.cond_br %54, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %55 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %56 = llvm.extractvalue %52[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %57 = llvm.insertvalue %56, %55[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %58 = llvm.extractvalue %52[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %59 = llvm.getelementptr %58[%35] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %60 = llvm.insertvalue %59, %57[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %61 = llvm.mlir.constant(0 : index) : i64
    %62 = llvm.insertvalue %61, %60[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %63 = llvm.mlir.constant(16 : index) : i64
    %64 = llvm.insertvalue %63, %62[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %65 = llvm.mlir.constant(1 : index) : i64
    %66 = llvm.insertvalue %65, %64[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %67 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %68 = llvm.extractvalue %66[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %69 = llvm.extractvalue %66[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %70 = llvm.insertvalue %68, %67[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %71 = llvm.insertvalue %69, %70[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %72 = llvm.mlir.constant(0 : index) : i64
    %73 = llvm.insertvalue %72, %71[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %74 = llvm.mlir.constant(1 : index) : i64
    %75 = llvm.insertvalue %74, %73[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %76 = llvm.mlir.constant(16 : index) : i64
    %77 = llvm.insertvalue %76, %75[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %78 = llvm.mlir.constant(16 : index) : i64
    %79 = llvm.insertvalue %78, %77[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %80 = llvm.mlir.constant(1 : index) : i64
    %81 = llvm.insertvalue %80, %79[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %82 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %83 = llvm.extractvalue %52[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %84 = llvm.insertvalue %83, %82[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %85 = llvm.extractvalue %52[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %86 = llvm.getelementptr %85[%36] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %87 = llvm.insertvalue %86, %84[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %88 = llvm.mlir.constant(0 : index) : i64
    %89 = llvm.insertvalue %88, %87[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %90 = llvm.mlir.constant(16 : index) : i64
    %91 = llvm.insertvalue %90, %89[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %92 = llvm.mlir.constant(1 : index) : i64
    %93 = llvm.insertvalue %92, %91[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %94 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %95 = llvm.extractvalue %93[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %96 = llvm.extractvalue %93[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %97 = llvm.insertvalue %95, %94[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %98 = llvm.insertvalue %96, %97[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %99 = llvm.mlir.constant(0 : index) : i64
    %100 = llvm.insertvalue %99, %98[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %101 = llvm.mlir.constant(1 : index) : i64
    %102 = llvm.insertvalue %101, %100[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %103 = llvm.mlir.constant(16 : index) : i64
    %104 = llvm.insertvalue %103, %102[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %105 = llvm.mlir.constant(16 : index) : i64
    %106 = llvm.insertvalue %105, %104[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %107 = llvm.mlir.constant(1 : index) : i64
    %108 = llvm.insertvalue %107, %106[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %109 = llvm.mul %42, %33 : i64
    %110 = llvm.intr.get.active.lane.mask %29, %28 : i64, i64 to vector<[16]xi1>
    %111 = llvm.intr.get.active.lane.mask %29, %27 : i64, i64 to vector<[16]xi1>
    %112 = llvm.intr.get.active.lane.mask %29, %28 : i64, i64 to vector<[4]xi1>
    %113 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %114 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %115 = llvm.getelementptr %113[%114] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %116 = llvm.mul %35, %37 : i64
    %117 = llvm.add %116, %35 : i64
    %118 = llvm.getelementptr %115[%117] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %119 = llvm.intr.masked.load %118, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %120 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %121 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %122 = llvm.getelementptr %120[%121] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %123 = llvm.mul %34, %37 : i64
    %124 = llvm.add %123, %35 : i64
    %125 = llvm.getelementptr %122[%124] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %126 = llvm.intr.masked.load %125, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %127 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %128 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %129 = llvm.getelementptr %127[%128] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %130 = llvm.mul %31, %37 : i64
    %131 = llvm.add %130, %35 : i64
    %132 = llvm.getelementptr %129[%131] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %133 = llvm.intr.masked.load %132, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %134 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %135 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %136 = llvm.getelementptr %134[%135] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %137 = llvm.mul %30, %37 : i64
    %138 = llvm.add %137, %35 : i64
    %139 = llvm.getelementptr %136[%138] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %140 = llvm.intr.masked.load %139, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %141 = "llvm.intr.vector.interleave2"(%119, %133) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %142 = llvm.intr.vector.extract %141[0] : vector<[16]xi8> from vector<[32]xi8>
    %143 = llvm.intr.vector.extract %141[16] : vector<[16]xi8> from vector<[32]xi8>
    %144 = "llvm.intr.vector.interleave2"(%126, %140) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %145 = llvm.intr.vector.extract %144[0] : vector<[16]xi8> from vector<[32]xi8>
    %146 = llvm.intr.vector.extract %144[16] : vector<[16]xi8> from vector<[32]xi8>
    %147 = "llvm.intr.vector.interleave2"(%142, %145) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %148 = "llvm.intr.vector.interleave2"(%143, %146) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %149 = llvm.intr.vector.extract %147[0] : vector<[16]xi8> from vector<[32]xi8>
    %150 = llvm.intr.vector.extract %147[16] : vector<[16]xi8> from vector<[32]xi8>
    %151 = llvm.intr.vector.extract %148[0] : vector<[16]xi8> from vector<[32]xi8>
    %152 = llvm.intr.vector.extract %148[16] : vector<[16]xi8> from vector<[32]xi8>
    %153 = llvm.extractvalue %81[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %154 = llvm.mul %35, %24 : i64
    %155 = llvm.add %154, %35 : i64
    %156 = llvm.getelementptr %153[%155] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %149, %156, %111 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %157 = llvm.icmp "sgt" %109, %33 : i64
    %158 = llvm.select %157, %109, %33 : i1, i64
    %159 = llvm.sub %158, %109 : i64
    %160 = llvm.intr.get.active.lane.mask %29, %159 : i64, i64 to vector<[16]xi1>
    %161 = llvm.extractvalue %81[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %162 = llvm.mul %35, %24 : i64
    %163 = llvm.add %162, %109 : i64
    %164 = llvm.getelementptr %161[%163] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %150, %164, %160 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %165 = llvm.mul %42, %26 : i64
    %166 = llvm.icmp "sgt" %165, %33 : i64
    %167 = llvm.select %166, %165, %33 : i1, i64
    %168 = llvm.sub %167, %165 : i64
    %169 = llvm.intr.get.active.lane.mask %29, %168 : i64, i64 to vector<[16]xi1>
    %170 = llvm.extractvalue %81[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %171 = llvm.mul %35, %24 : i64
    %172 = llvm.add %171, %165 : i64
    %173 = llvm.getelementptr %170[%172] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %151, %173, %169 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %174 = llvm.mul %42, %25 : i64
    %175 = llvm.icmp "sgt" %174, %33 : i64
    %176 = llvm.select %175, %174, %33 : i1, i64
    %177 = llvm.sub %176, %174 : i64
    %178 = llvm.intr.get.active.lane.mask %29, %177 : i64, i64 to vector<[16]xi1>
    %179 = llvm.extractvalue %81[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %180 = llvm.mul %35, %24 : i64
    %181 = llvm.add %180, %174 : i64
    %182 = llvm.getelementptr %179[%181] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %152, %182, %178 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %183 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %184 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %185 = llvm.getelementptr %183[%184] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %186 = llvm.mul %35, %37 : i64
    %187 = llvm.add %186, %35 : i64
    %188 = llvm.getelementptr %185[%187] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %189 = llvm.intr.masked.load %188, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %190 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %191 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %192 = llvm.getelementptr %190[%191] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %193 = llvm.mul %34, %37 : i64
    %194 = llvm.add %193, %35 : i64
    %195 = llvm.getelementptr %192[%194] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %196 = llvm.intr.masked.load %195, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %197 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %198 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %199 = llvm.getelementptr %197[%198] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %200 = llvm.mul %31, %37 : i64
    %201 = llvm.add %200, %35 : i64
    %202 = llvm.getelementptr %199[%201] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %203 = llvm.intr.masked.load %202, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %204 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %205 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %206 = llvm.getelementptr %204[%205] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %207 = llvm.mul %30, %37 : i64
    %208 = llvm.add %207, %35 : i64
    %209 = llvm.getelementptr %206[%208] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %210 = llvm.intr.masked.load %209, %110, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %211 = "llvm.intr.vector.interleave2"(%189, %203) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %212 = llvm.intr.vector.extract %211[0] : vector<[16]xi8> from vector<[32]xi8>
    %213 = llvm.intr.vector.extract %211[16] : vector<[16]xi8> from vector<[32]xi8>
    %214 = "llvm.intr.vector.interleave2"(%196, %210) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %215 = llvm.intr.vector.extract %214[0] : vector<[16]xi8> from vector<[32]xi8>
    %216 = llvm.intr.vector.extract %214[16] : vector<[16]xi8> from vector<[32]xi8>
    %217 = "llvm.intr.vector.interleave2"(%212, %215) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %218 = "llvm.intr.vector.interleave2"(%213, %216) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %219 = llvm.intr.vector.extract %217[0] : vector<[16]xi8> from vector<[32]xi8>
    %220 = llvm.intr.vector.extract %217[16] : vector<[16]xi8> from vector<[32]xi8>
    %221 = llvm.intr.vector.extract %218[0] : vector<[16]xi8> from vector<[32]xi8>
    %222 = llvm.intr.vector.extract %218[16] : vector<[16]xi8> from vector<[32]xi8>
    %223 = llvm.extractvalue %108[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %224 = llvm.mul %35, %24 : i64
    %225 = llvm.add %224, %35 : i64
    %226 = llvm.getelementptr %223[%225] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %219, %226, %111 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %227 = llvm.extractvalue %108[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %228 = llvm.mul %35, %24 : i64
    %229 = llvm.add %228, %109 : i64
    %230 = llvm.getelementptr %227[%229] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %220, %230, %160 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %231 = llvm.extractvalue %108[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %232 = llvm.mul %35, %24 : i64
    %233 = llvm.add %232, %165 : i64
    %234 = llvm.getelementptr %231[%233] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %221, %234, %169 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %235 = llvm.extractvalue %108[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %236 = llvm.mul %35, %24 : i64
    %237 = llvm.add %236, %174 : i64
    %238 = llvm.getelementptr %235[%237] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %222, %238, %178 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    "arm_sme.intr.zero"() <{tile_mask = 17 : i32}> : () -> ()
    %239 = llvm.extractvalue %108[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %240 = llvm.mul %35, %24 : i64
    %241 = llvm.add %240, %35 : i64
    %242 = llvm.getelementptr %239[%241] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %243 = llvm.intr.masked.load %242, %111, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %244 = llvm.extractvalue %81[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %245 = llvm.mul %35, %24 : i64
    %246 = llvm.add %245, %35 : i64
    %247 = llvm.getelementptr %244[%246] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %248 = llvm.intr.masked.load %247, %111, %32 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    "arm_sme.intr.smopa.wide"(%111, %111, %243, %248) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
    %249 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %250 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %251 = llvm.getelementptr %249[%250] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %252 = llvm.mul %30, %37 : i64
    %253 = llvm.add %252, %35 : i64
    %254 = llvm.getelementptr %251[%253] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%112, %254, %38) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %255 = llvm.mul %31, %37 : i64
    %256 = llvm.add %255, %35 : i64
    %257 = llvm.getelementptr %251[%256] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%112, %257, %39) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %258 = llvm.mul %34, %37 : i64
    %259 = llvm.add %258, %35 : i64
    %260 = llvm.getelementptr %251[%259] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%112, %260, %40) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %261 = llvm.mul %35, %37 : i64
    %262 = llvm.add %261, %35 : i64
    %263 = llvm.getelementptr %251[%262] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%112, %263, %41) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %264 = llvm.add %53, %34 : i64
    llvm.br ^bb1(%264 : i64)
  ^bb3:  // pred: ^bb1
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
    llvm.call @pytl_bytes_512_groups(%arg0, %arg1, %arg2, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
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
    llvm.call @pytl_bytes_groups(%arg0, %arg1, %arg2, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> ()
    llvm.br ^bb3
  ^bb3:  // 2 preds: ^bb1, ^bb2
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
  llvm.func @pytl_bytes_512_groups(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: !llvm.ptr, %arg18: !llvm.ptr, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: i64) attributes {arm_new_za, arm_streaming, passthrough = [["vscale_range", "17179869188"]], sym_visibility = "private"} {
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
    %25 = llvm.mlir.constant(16 : i64) : i64
    %26 = llvm.mlir.constant(4 : i64) : i64
    %27 = llvm.mlir.constant(0 : i64) : i64
    %28 = llvm.mlir.constant(1 : index) : i64
    %29 = llvm.mlir.constant(0 : index) : i64
    %30 = llvm.mlir.constant(64 : index) : i64
    %31 = llvm.mlir.constant(dense<0> : vector<[16]xi8>) : vector<[16]xi8>
    %32 = llvm.mlir.constant(2 : index) : i64
    %33 = llvm.mlir.constant(3 : index) : i64
    %34 = llvm.mlir.constant(4 : index) : i64
    %35 = llvm.mlir.constant(3 : i32) : i32
    %36 = llvm.mlir.constant(2 : i32) : i32
    %37 = llvm.mlir.constant(1 : i32) : i32
    %38 = llvm.mlir.constant(0 : i32) : i32
    %39 = llvm.mlir.constant(80 : index) : i64
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
    %70 = llvm.mlir.constant(1 : index) : i64
    %71 = llvm.insertvalue %70, %69[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %72 = llvm.mlir.constant(16 : index) : i64
    %73 = llvm.insertvalue %72, %71[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %74 = llvm.mlir.constant(16 : index) : i64
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
    %97 = llvm.mlir.constant(1 : index) : i64
    %98 = llvm.insertvalue %97, %96[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %99 = llvm.mlir.constant(16 : index) : i64
    %100 = llvm.insertvalue %99, %98[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %101 = llvm.mlir.constant(16 : index) : i64
    %102 = llvm.insertvalue %101, %100[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %103 = llvm.mlir.constant(1 : index) : i64
    %104 = llvm.insertvalue %103, %102[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %105 = llvm.intr.get.active.lane.mask %27, %26 : i64, i64 to vector<[16]xi1>
    %106 = llvm.intr.get.active.lane.mask %27, %25 : i64, i64 to vector<[16]xi1>
    %107 = llvm.intr.get.active.lane.mask %27, %26 : i64, i64 to vector<[4]xi1>
    %108 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %109 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %110 = llvm.getelementptr %108[%109] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %111 = llvm.mul %29, %34 : i64
    %112 = llvm.add %111, %29 : i64
    %113 = llvm.getelementptr %110[%112] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %114 = llvm.intr.masked.load %113, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %115 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %116 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %117 = llvm.getelementptr %115[%116] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %118 = llvm.mul %28, %34 : i64
    %119 = llvm.add %118, %29 : i64
    %120 = llvm.getelementptr %117[%119] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %121 = llvm.intr.masked.load %120, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %122 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %123 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %124 = llvm.getelementptr %122[%123] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %125 = llvm.mul %32, %34 : i64
    %126 = llvm.add %125, %29 : i64
    %127 = llvm.getelementptr %124[%126] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %128 = llvm.intr.masked.load %127, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %129 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %130 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %131 = llvm.getelementptr %129[%130] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %132 = llvm.mul %33, %34 : i64
    %133 = llvm.add %132, %29 : i64
    %134 = llvm.getelementptr %131[%133] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %135 = llvm.intr.masked.load %134, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %136 = "llvm.intr.vector.interleave2"(%114, %128) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %137 = llvm.intr.vector.extract %136[0] : vector<[16]xi8> from vector<[32]xi8>
    %138 = "llvm.intr.vector.interleave2"(%121, %135) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %139 = llvm.intr.vector.extract %138[0] : vector<[16]xi8> from vector<[32]xi8>
    %140 = "llvm.intr.vector.interleave2"(%137, %139) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %141 = llvm.intr.vector.extract %140[0] : vector<[16]xi8> from vector<[32]xi8>
    %142 = llvm.extractvalue %77[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %143 = llvm.mul %29, %24 : i64
    %144 = llvm.add %143, %29 : i64
    %145 = llvm.getelementptr %142[%144] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %141, %145, %106 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    %146 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %147 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %148 = llvm.getelementptr %146[%147] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %149 = llvm.mul %29, %34 : i64
    %150 = llvm.add %149, %29 : i64
    %151 = llvm.getelementptr %148[%150] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %152 = llvm.intr.masked.load %151, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %153 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %154 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %155 = llvm.getelementptr %153[%154] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %156 = llvm.mul %28, %34 : i64
    %157 = llvm.add %156, %29 : i64
    %158 = llvm.getelementptr %155[%157] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %159 = llvm.intr.masked.load %158, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %160 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %161 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %162 = llvm.getelementptr %160[%161] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %163 = llvm.mul %32, %34 : i64
    %164 = llvm.add %163, %29 : i64
    %165 = llvm.getelementptr %162[%164] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %166 = llvm.intr.masked.load %165, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %167 = llvm.extractvalue %15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %168 = llvm.extractvalue %15[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %169 = llvm.getelementptr %167[%168] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %170 = llvm.mul %33, %34 : i64
    %171 = llvm.add %170, %29 : i64
    %172 = llvm.getelementptr %169[%171] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %173 = llvm.intr.masked.load %172, %105, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %174 = "llvm.intr.vector.interleave2"(%152, %166) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %175 = llvm.intr.vector.extract %174[0] : vector<[16]xi8> from vector<[32]xi8>
    %176 = "llvm.intr.vector.interleave2"(%159, %173) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %177 = llvm.intr.vector.extract %176[0] : vector<[16]xi8> from vector<[32]xi8>
    %178 = "llvm.intr.vector.interleave2"(%175, %177) : (vector<[16]xi8>, vector<[16]xi8>) -> vector<[32]xi8>
    %179 = llvm.intr.vector.extract %178[0] : vector<[16]xi8> from vector<[32]xi8>
    %180 = llvm.extractvalue %104[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %181 = llvm.mul %29, %24 : i64
    %182 = llvm.add %181, %29 : i64
    %183 = llvm.getelementptr %180[%182] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.intr.masked.store %179, %183, %106 {alignment = 1 : i32} : vector<[16]xi8>, vector<[16]xi1> into !llvm.ptr
    "arm_sme.intr.zero"() <{tile_mask = 17 : i32}> : () -> ()
    %184 = llvm.extractvalue %104[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %185 = llvm.mul %29, %24 : i64
    %186 = llvm.add %185, %29 : i64
    %187 = llvm.getelementptr %184[%186] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %188 = llvm.intr.masked.load %187, %106, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    %189 = llvm.extractvalue %77[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %190 = llvm.mul %29, %24 : i64
    %191 = llvm.add %190, %29 : i64
    %192 = llvm.getelementptr %189[%191] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %193 = llvm.intr.masked.load %192, %106, %31 {alignment = 1 : i32} : (!llvm.ptr, vector<[16]xi1>, vector<[16]xi8>) -> vector<[16]xi8>
    "arm_sme.intr.smopa.wide"(%106, %106, %188, %193) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
    %194 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %195 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %196 = llvm.getelementptr %194[%195] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %197 = llvm.mul %33, %34 : i64
    %198 = llvm.add %197, %29 : i64
    %199 = llvm.getelementptr %196[%198] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%107, %199, %35) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %200 = llvm.mul %32, %34 : i64
    %201 = llvm.add %200, %29 : i64
    %202 = llvm.getelementptr %196[%201] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%107, %202, %36) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %203 = llvm.mul %28, %34 : i64
    %204 = llvm.add %203, %29 : i64
    %205 = llvm.getelementptr %196[%204] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%107, %205, %37) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %206 = llvm.mul %29, %34 : i64
    %207 = llvm.add %206, %29 : i64
    %208 = llvm.getelementptr %196[%207] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    "arm_sme.intr.st1w.horiz"(%107, %208, %38) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
    %209 = llvm.add %49, %28 : i64
    llvm.br ^bb1(%209 : i64)
  ^bb3:  // pred: ^bb1
    llvm.return
  }
}

