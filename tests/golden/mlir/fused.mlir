!f32_16_16 = memref<16x16xf32, strided<[16, 1], offset: ?>>
!f32_16_8 = memref<16x8xf32, strided<[8, 1], offset: ?>>
!f32_8_16 = memref<8x16xf32, strided<[16, 1], offset: ?>>
!f32_8_8 = memref<8x8xf32, strided<[8, 1], offset: ?>>
!f32_n_16_16 = memref<?x16x16xf32, strided<[256, 16, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_fused_groups(%first: index, %last: index, %groups: index, %alpha: f32, %A: memref<?xi64>, %B: !f32_8_8, %C: !f32_16_8, %D: !f32_n_16_16) {
    %c1536 = arith.constant 1536 : index
    %c0 = arith.constant 0 : index
    %c1000000 = arith.constant 1000000 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %descriptor = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %c16_i64 = arith.constant 16 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant dense<0.0> : vector<8xf32>
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %cst_1 = arith.constant -1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c80 = arith.constant 80 : index
    %c96 = arith.constant 96 : index
    %c112 = arith.constant 112 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c256 = arith.constant 256 : index
    %c128 = arith.constant 128 : index
    %c144 = arith.constant 144 : index
    %c160 = arith.constant 160 : index
    %c176 = arith.constant 176 : index
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %c192 = arith.constant 192 : index
    %c208 = arith.constant 208 : index
    %c224 = arith.constant 224 : index
    %c240 = arith.constant 240 : index
    %c272 = arith.constant 272 : index
    %c11 = arith.constant 11 : index
    %c12 = arith.constant 12 : index
    %c13 = arith.constant 13 : index
    %c14 = arith.constant 14 : index
    %c15 = arith.constant 15 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<512xi8>
    %v = arith.muli %groups, %c1536 : index
    %v_1 = arith.addi %v, %c0 : index
    %v_2 = arith.cmpi sgt, %v_1, %c1000000 : index
    // 7: %tmp = alloca : memref<f32x16x8,local>
    %v_3 = arith.subi %groups, %c1 : index
    // 1: func @fused(%alpha: f32,
    scf.if %v_2 {
      scf.for %g = %first to %last step %c1 {
        // 7: %tmp = alloca : memref<f32x16x8,local>
        %there = arith.addi %g, %c4 : index
        %v_4 = arith.minsi %there, %v_3 : index
        %part = memref.view %stack[%c0][] : memref<512xi8> to memref<128xf32>
        %tmp = memref.reinterpret_cast %part to offset: [%c0], sizes: [8, 16], strides: [16, 1] : memref<128xf32> to !f32_8_16
        // 8: %0 = load %A[%g] : memref<f32x16x8>
        %item = memref.load %A[%g] : memref<?xi64>
        %place = llvm.inttoptr %item : i64 to !llvm.ptr
        %descriptor_1 = llvm.insertvalue %place, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_2 = llvm.insertvalue %place, %descriptor_1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_3 = llvm.insertvalue %c0_i64, %descriptor_2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_4 = llvm.insertvalue %c8_i64, %descriptor_3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_5 = llvm.insertvalue %c16_i64, %descriptor_4[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_6 = llvm.insertvalue %c16_i64, %descriptor_5[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_7 = llvm.insertvalue %c1_i64, %descriptor_6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %item_1 = builtin.unrealized_conversion_cast %descriptor_7 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to !f32_8_16
        %item_2 = memref.load %A[%v_4] : memref<?xi64>
        %place_1 = llvm.inttoptr %item_2 : i64 to !llvm.ptr
        %descriptor_8 = llvm.insertvalue %place_1, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_9 = llvm.insertvalue %place_1, %descriptor_8[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_10 = llvm.insertvalue %c0_i64, %descriptor_9[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_11 = llvm.insertvalue %c8_i64, %descriptor_10[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_12 = llvm.insertvalue %c16_i64, %descriptor_11[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_13 = llvm.insertvalue %c16_i64, %descriptor_12[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_14 = llvm.insertvalue %c1_i64, %descriptor_13[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %item_3 = builtin.unrealized_conversion_cast %descriptor_14 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to !f32_8_16
        // 11: gemm.n.t %1, %0, %B, %2, %tmp
        memref.prefetch %item_3[%c0, %c0], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_3[%c0, %c16], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_3[%c0, %c32], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_3[%c0, %c48], read, locality<3>, data : !f32_8_16
        %v_5 = arith.subi %c8, %c0 : index
        %v_6 = arith.cmpi slt, %c0, %c8 : index
        %v_7 = arith.cmpi sgt, %c2, %c0 : index
        %v_8 = arith.andi %v_6, %v_7 : i1
        %v_9 = arith.select %v_7, %c2, %c1 : index
        %rounds = arith.ceildivui %v_5, %v_9 : index
        %rounds_1 = arith.select %v_8, %rounds, %c0 : index
        %loop:8 = scf.for %i = %c0 to %rounds_1 step %c1 iter_args(%carried = %cst, %carried_1 = %cst, %carried_2 = %cst, %carried_3 = %cst, %carried_4 = %cst, %carried_5 = %cst, %carried_6 = %cst, %carried_7 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_10 = arith.muli %i, %c2 : index
          %i_1 = arith.addi %c0, %v_10 : index
          %v_11 = arith.cmpi eq, %c2, %c0 : index
          %v_12 = arith.cmpi eq, %c2, %cst_1 : index
          %v_13 = arith.ori %v_11, %v_12 : i1
          %v_14 = arith.select %v_13, %c1, %c2 : index
          %v_15 = arith.divsi %i_1, %v_14 : index
          %v_16 = arith.subi %c0, %i_1 : index
          %v_17 = arith.select %v_12, %v_16, %v_15 : index
          %v_18 = arith.select %v_11, %c0, %v_17 : index
          %v_19 = vector.load %item_1[%i_1, %c0] : !f32_8_16, vector<8xf32>
          %v_20 = vector.load %item_1[%i_1, %c8] : !f32_8_16, vector<8xf32>
          %v_21 = memref.load %B[%i_1, %c0] : !f32_8_8
          %v_22 = vector.broadcast %v_21 : f32 to vector<8xf32>
          %v_23 = vector.fma %v_19, %v_22, %carried : vector<8xf32>
          %v_24 = vector.fma %v_20, %v_22, %carried_1 : vector<8xf32>
          %v_25 = memref.load %B[%i_1, %c1] : !f32_8_8
          %v_26 = vector.broadcast %v_25 : f32 to vector<8xf32>
          %v_27 = vector.fma %v_19, %v_26, %carried_2 : vector<8xf32>
          %v_28 = vector.fma %v_20, %v_26, %carried_3 : vector<8xf32>
          %v_29 = memref.load %B[%i_1, %c2] : !f32_8_8
          %v_30 = vector.broadcast %v_29 : f32 to vector<8xf32>
          %v_31 = vector.fma %v_19, %v_30, %carried_4 : vector<8xf32>
          %v_32 = vector.fma %v_20, %v_30, %carried_5 : vector<8xf32>
          %v_33 = memref.load %B[%i_1, %c3] : !f32_8_8
          %v_34 = vector.broadcast %v_33 : f32 to vector<8xf32>
          %v_35 = vector.fma %v_19, %v_34, %carried_6 : vector<8xf32>
          %v_36 = vector.fma %v_20, %v_34, %carried_7 : vector<8xf32>
          %v_37 = arith.addi %i_1, %c1 : index
          %v_38 = vector.load %item_1[%v_37, %c0] : !f32_8_16, vector<8xf32>
          %v_39 = vector.load %item_1[%v_37, %c8] : !f32_8_16, vector<8xf32>
          %v_40 = memref.load %B[%v_37, %c0] : !f32_8_8
          %v_41 = vector.broadcast %v_40 : f32 to vector<8xf32>
          %v_42 = vector.fma %v_38, %v_41, %v_23 : vector<8xf32>
          %v_43 = vector.fma %v_39, %v_41, %v_24 : vector<8xf32>
          %v_44 = memref.load %B[%v_37, %c1] : !f32_8_8
          %v_45 = vector.broadcast %v_44 : f32 to vector<8xf32>
          %v_46 = vector.fma %v_38, %v_45, %v_27 : vector<8xf32>
          %v_47 = vector.fma %v_39, %v_45, %v_28 : vector<8xf32>
          %v_48 = memref.load %B[%v_37, %c2] : !f32_8_8
          %v_49 = vector.broadcast %v_48 : f32 to vector<8xf32>
          %v_50 = vector.fma %v_38, %v_49, %v_31 : vector<8xf32>
          %v_51 = vector.fma %v_39, %v_49, %v_32 : vector<8xf32>
          %v_52 = memref.load %B[%v_37, %c3] : !f32_8_8
          %v_53 = vector.broadcast %v_52 : f32 to vector<8xf32>
          %v_54 = vector.fma %v_38, %v_53, %v_35 : vector<8xf32>
          %v_55 = vector.fma %v_39, %v_53, %v_36 : vector<8xf32>
          scf.yield %v_42, %v_43, %v_46, %v_47, %v_50, %v_51, %v_54, %v_55 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        vector.store %loop#0, %tmp[%c0, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#1, %tmp[%c0, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop#2, %tmp[%c1, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#3, %tmp[%c1, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop#4, %tmp[%c2, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#5, %tmp[%c2, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop#6, %tmp[%c3, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#7, %tmp[%c3, %c8] : !f32_8_16, vector<8xf32>
        memref.prefetch %item_3[%c0, %c64], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_3[%c0, %c80], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_3[%c0, %c96], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_3[%c0, %c112], read, locality<3>, data : !f32_8_16
        %v_56 = arith.subi %c8, %c0 : index
        %v_57 = arith.cmpi slt, %c0, %c8 : index
        %v_58 = arith.cmpi sgt, %c2, %c0 : index
        %v_59 = arith.andi %v_57, %v_58 : i1
        %v_60 = arith.select %v_58, %c2, %c1 : index
        %rounds_2 = arith.ceildivui %v_56, %v_60 : index
        %rounds_3 = arith.select %v_59, %rounds_2, %c0 : index
        %loop_1:8 = scf.for %i_2 = %c0 to %rounds_3 step %c1 iter_args(%carried_8 = %cst, %carried_9 = %cst, %carried_10 = %cst, %carried_11 = %cst, %carried_12 = %cst, %carried_13 = %cst, %carried_14 = %cst, %carried_15 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_61 = arith.muli %i_2, %c2 : index
          %i_3 = arith.addi %c0, %v_61 : index
          %v_62 = arith.cmpi eq, %c2, %c0 : index
          %v_63 = arith.cmpi eq, %c2, %cst_1 : index
          %v_64 = arith.ori %v_62, %v_63 : i1
          %v_65 = arith.select %v_64, %c1, %c2 : index
          %v_66 = arith.divsi %i_3, %v_65 : index
          %v_67 = arith.subi %c0, %i_3 : index
          %v_68 = arith.select %v_63, %v_67, %v_66 : index
          %v_69 = arith.select %v_62, %c0, %v_68 : index
          %v_70 = vector.load %item_1[%i_3, %c0] : !f32_8_16, vector<8xf32>
          %v_71 = vector.load %item_1[%i_3, %c8] : !f32_8_16, vector<8xf32>
          %v_72 = memref.load %B[%i_3, %c4] : !f32_8_8
          %v_73 = vector.broadcast %v_72 : f32 to vector<8xf32>
          %v_74 = vector.fma %v_70, %v_73, %carried_8 : vector<8xf32>
          %v_75 = vector.fma %v_71, %v_73, %carried_9 : vector<8xf32>
          %v_76 = memref.load %B[%i_3, %c5] : !f32_8_8
          %v_77 = vector.broadcast %v_76 : f32 to vector<8xf32>
          %v_78 = vector.fma %v_70, %v_77, %carried_10 : vector<8xf32>
          %v_79 = vector.fma %v_71, %v_77, %carried_11 : vector<8xf32>
          %v_80 = memref.load %B[%i_3, %c6] : !f32_8_8
          %v_81 = vector.broadcast %v_80 : f32 to vector<8xf32>
          %v_82 = vector.fma %v_70, %v_81, %carried_12 : vector<8xf32>
          %v_83 = vector.fma %v_71, %v_81, %carried_13 : vector<8xf32>
          %v_84 = memref.load %B[%i_3, %c7] : !f32_8_8
          %v_85 = vector.broadcast %v_84 : f32 to vector<8xf32>
          %v_86 = vector.fma %v_70, %v_85, %carried_14 : vector<8xf32>
          %v_87 = vector.fma %v_71, %v_85, %carried_15 : vector<8xf32>
          %v_88 = arith.addi %i_3, %c1 : index
          %v_89 = vector.load %item_1[%v_88, %c0] : !f32_8_16, vector<8xf32>
          %v_90 = vector.load %item_1[%v_88, %c8] : !f32_8_16, vector<8xf32>
          %v_91 = memref.load %B[%v_88, %c4] : !f32_8_8
          %v_92 = vector.broadcast %v_91 : f32 to vector<8xf32>
          %v_93 = vector.fma %v_89, %v_92, %v_74 : vector<8xf32>
          %v_94 = vector.fma %v_90, %v_92, %v_75 : vector<8xf32>
          %v_95 = memref.load %B[%v_88, %c5] : !f32_8_8
          %v_96 = vector.broadcast %v_95 : f32 to vector<8xf32>
          %v_97 = vector.fma %v_89, %v_96, %v_78 : vector<8xf32>
          %v_98 = vector.fma %v_90, %v_96, %v_79 : vector<8xf32>
          %v_99 = memref.load %B[%v_88, %c6] : !f32_8_8
          %v_100 = vector.broadcast %v_99 : f32 to vector<8xf32>
          %v_101 = vector.fma %v_89, %v_100, %v_82 : vector<8xf32>
          %v_102 = vector.fma %v_90, %v_100, %v_83 : vector<8xf32>
          %v_103 = memref.load %B[%v_88, %c7] : !f32_8_8
          %v_104 = vector.broadcast %v_103 : f32 to vector<8xf32>
          %v_105 = vector.fma %v_89, %v_104, %v_86 : vector<8xf32>
          %v_106 = vector.fma %v_90, %v_104, %v_87 : vector<8xf32>
          scf.yield %v_93, %v_94, %v_97, %v_98, %v_101, %v_102, %v_105, %v_106 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        vector.store %loop_1#0, %tmp[%c4, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#1, %tmp[%c4, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#2, %tmp[%c5, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#3, %tmp[%c5, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#4, %tmp[%c6, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#5, %tmp[%c6, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#6, %tmp[%c7, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_1#7, %tmp[%c7, %c8] : !f32_8_16, vector<8xf32>
        // 12: %3 = subview %D[0:16, 0:16, %g] : memref<f32x16x16>
        %D_base, %D_offset, %D_sizes:3, %D_strides:3 = memref.extract_strided_metadata %D : !f32_n_16_16 -> memref<f32>, index, index, index, index, index, index, index
        %v_107 = arith.muli %g, %c256 : index
        %v_108 = arith.addi %D_offset, %v_107 : index
        %D_view = memref.reinterpret_cast %D to offset: [%v_108], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
        %D_base_1, %D_offset_1, %D_sizes_1:3, %D_strides_1:3 = memref.extract_strided_metadata %D : !f32_n_16_16 -> memref<f32>, index, index, index, index, index, index, index
        %v_109 = arith.muli %v_4, %c256 : index
        %v_110 = arith.addi %D_offset_1, %v_109 : index
        %D_view_1 = memref.reinterpret_cast %D to offset: [%v_110], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
        // 14: gemm.n.n %alpha, %tmp, %C, %4, %3
        memref.prefetch %D_view_1[%c0, %c0], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c16], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c32], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c48], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c64], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c80], read, locality<3>, data : !f32_16_16
        %v_111 = arith.subi %c8, %c0 : index
        %v_112 = arith.cmpi slt, %c0, %c8 : index
        %v_113 = arith.cmpi sgt, %c2, %c0 : index
        %v_114 = arith.andi %v_112, %v_113 : i1
        %v_115 = arith.select %v_113, %c2, %c1 : index
        %rounds_4 = arith.ceildivui %v_111, %v_115 : index
        %rounds_5 = arith.select %v_114, %rounds_4, %c0 : index
        %loop_2:12 = scf.for %i_4 = %c0 to %rounds_5 step %c1 iter_args(%carried_16 = %cst, %carried_17 = %cst, %carried_18 = %cst, %carried_19 = %cst, %carried_20 = %cst, %carried_21 = %cst, %carried_22 = %cst, %carried_23 = %cst, %carried_24 = %cst, %carried_25 = %cst, %carried_26 = %cst, %carried_27 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_116 = arith.muli %i_4, %c2 : index
          %i_5 = arith.addi %c0, %v_116 : index
          %v_117 = arith.cmpi eq, %c2, %c0 : index
          %v_118 = arith.cmpi eq, %c2, %cst_1 : index
          %v_119 = arith.ori %v_117, %v_118 : i1
          %v_120 = arith.select %v_119, %c1, %c2 : index
          %v_121 = arith.divsi %i_5, %v_120 : index
          %v_122 = arith.subi %c0, %i_5 : index
          %v_123 = arith.select %v_118, %v_122, %v_121 : index
          %v_124 = arith.select %v_117, %c0, %v_123 : index
          %v_125 = vector.load %tmp[%i_5, %c0] : !f32_8_16, vector<8xf32>
          %v_126 = vector.load %tmp[%i_5, %c8] : !f32_8_16, vector<8xf32>
          %v_127 = memref.load %C[%c0, %i_5] : !f32_16_8
          %v_128 = vector.broadcast %v_127 : f32 to vector<8xf32>
          %v_129 = vector.fma %v_125, %v_128, %carried_16 : vector<8xf32>
          %v_130 = vector.fma %v_126, %v_128, %carried_17 : vector<8xf32>
          %v_131 = memref.load %C[%c1, %i_5] : !f32_16_8
          %v_132 = vector.broadcast %v_131 : f32 to vector<8xf32>
          %v_133 = vector.fma %v_125, %v_132, %carried_18 : vector<8xf32>
          %v_134 = vector.fma %v_126, %v_132, %carried_19 : vector<8xf32>
          %v_135 = memref.load %C[%c2, %i_5] : !f32_16_8
          %v_136 = vector.broadcast %v_135 : f32 to vector<8xf32>
          %v_137 = vector.fma %v_125, %v_136, %carried_20 : vector<8xf32>
          %v_138 = vector.fma %v_126, %v_136, %carried_21 : vector<8xf32>
          %v_139 = memref.load %C[%c3, %i_5] : !f32_16_8
          %v_140 = vector.broadcast %v_139 : f32 to vector<8xf32>
          %v_141 = vector.fma %v_125, %v_140, %carried_22 : vector<8xf32>
          %v_142 = vector.fma %v_126, %v_140, %carried_23 : vector<8xf32>
          %v_143 = memref.load %C[%c4, %i_5] : !f32_16_8
          %v_144 = vector.broadcast %v_143 : f32 to vector<8xf32>
          %v_145 = vector.fma %v_125, %v_144, %carried_24 : vector<8xf32>
          %v_146 = vector.fma %v_126, %v_144, %carried_25 : vector<8xf32>
          %v_147 = memref.load %C[%c5, %i_5] : !f32_16_8
          %v_148 = vector.broadcast %v_147 : f32 to vector<8xf32>
          %v_149 = vector.fma %v_125, %v_148, %carried_26 : vector<8xf32>
          %v_150 = vector.fma %v_126, %v_148, %carried_27 : vector<8xf32>
          %v_151 = arith.addi %i_5, %c1 : index
          %v_152 = vector.load %tmp[%v_151, %c0] : !f32_8_16, vector<8xf32>
          %v_153 = vector.load %tmp[%v_151, %c8] : !f32_8_16, vector<8xf32>
          %v_154 = memref.load %C[%c0, %v_151] : !f32_16_8
          %v_155 = vector.broadcast %v_154 : f32 to vector<8xf32>
          %v_156 = vector.fma %v_152, %v_155, %v_129 : vector<8xf32>
          %v_157 = vector.fma %v_153, %v_155, %v_130 : vector<8xf32>
          %v_158 = memref.load %C[%c1, %v_151] : !f32_16_8
          %v_159 = vector.broadcast %v_158 : f32 to vector<8xf32>
          %v_160 = vector.fma %v_152, %v_159, %v_133 : vector<8xf32>
          %v_161 = vector.fma %v_153, %v_159, %v_134 : vector<8xf32>
          %v_162 = memref.load %C[%c2, %v_151] : !f32_16_8
          %v_163 = vector.broadcast %v_162 : f32 to vector<8xf32>
          %v_164 = vector.fma %v_152, %v_163, %v_137 : vector<8xf32>
          %v_165 = vector.fma %v_153, %v_163, %v_138 : vector<8xf32>
          %v_166 = memref.load %C[%c3, %v_151] : !f32_16_8
          %v_167 = vector.broadcast %v_166 : f32 to vector<8xf32>
          %v_168 = vector.fma %v_152, %v_167, %v_141 : vector<8xf32>
          %v_169 = vector.fma %v_153, %v_167, %v_142 : vector<8xf32>
          %v_170 = memref.load %C[%c4, %v_151] : !f32_16_8
          %v_171 = vector.broadcast %v_170 : f32 to vector<8xf32>
          %v_172 = vector.fma %v_152, %v_171, %v_145 : vector<8xf32>
          %v_173 = vector.fma %v_153, %v_171, %v_146 : vector<8xf32>
          %v_174 = memref.load %C[%c5, %v_151] : !f32_16_8
          %v_175 = vector.broadcast %v_174 : f32 to vector<8xf32>
          %v_176 = vector.fma %v_152, %v_175, %v_149 : vector<8xf32>
          %v_177 = vector.fma %v_153, %v_175, %v_150 : vector<8xf32>
          scf.yield %v_156, %v_157, %v_160, %v_161, %v_164, %v_165, %v_168, %v_169, %v_172, %v_173, %v_176, %v_177 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_178 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_179 = arith.mulf %loop_2#0, %v_178 : vector<8xf32>
        %v_180 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_181 = arith.mulf %loop_2#1, %v_180 : vector<8xf32>
        %v_182 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_183 = arith.mulf %loop_2#2, %v_182 : vector<8xf32>
        %v_184 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_185 = arith.mulf %loop_2#3, %v_184 : vector<8xf32>
        %v_186 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_187 = arith.mulf %loop_2#4, %v_186 : vector<8xf32>
        %v_188 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_189 = arith.mulf %loop_2#5, %v_188 : vector<8xf32>
        %v_190 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_191 = arith.mulf %loop_2#6, %v_190 : vector<8xf32>
        %v_192 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_193 = arith.mulf %loop_2#7, %v_192 : vector<8xf32>
        %v_194 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_195 = arith.mulf %loop_2#8, %v_194 : vector<8xf32>
        %v_196 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_197 = arith.mulf %loop_2#9, %v_196 : vector<8xf32>
        %v_198 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_199 = arith.mulf %loop_2#10, %v_198 : vector<8xf32>
        %v_200 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_201 = arith.mulf %loop_2#11, %v_200 : vector<8xf32>
        %v_202 = vector.load %D_view[%c0, %c0] : !f32_16_16, vector<8xf32>
        %v_203 = vector.load %D_view[%c0, %c8] : !f32_16_16, vector<8xf32>
        %v_204 = vector.load %D_view[%c1, %c0] : !f32_16_16, vector<8xf32>
        %v_205 = vector.load %D_view[%c1, %c8] : !f32_16_16, vector<8xf32>
        %v_206 = vector.load %D_view[%c2, %c0] : !f32_16_16, vector<8xf32>
        %v_207 = vector.load %D_view[%c2, %c8] : !f32_16_16, vector<8xf32>
        %v_208 = vector.load %D_view[%c3, %c0] : !f32_16_16, vector<8xf32>
        %v_209 = vector.load %D_view[%c3, %c8] : !f32_16_16, vector<8xf32>
        %v_210 = vector.load %D_view[%c4, %c0] : !f32_16_16, vector<8xf32>
        %v_211 = vector.load %D_view[%c4, %c8] : !f32_16_16, vector<8xf32>
        %v_212 = vector.load %D_view[%c5, %c0] : !f32_16_16, vector<8xf32>
        %v_213 = vector.load %D_view[%c5, %c8] : !f32_16_16, vector<8xf32>
        %v_214 = arith.addf %v_179, %v_202 : vector<8xf32>
        %v_215 = arith.addf %v_181, %v_203 : vector<8xf32>
        %v_216 = arith.addf %v_183, %v_204 : vector<8xf32>
        %v_217 = arith.addf %v_185, %v_205 : vector<8xf32>
        %v_218 = arith.addf %v_187, %v_206 : vector<8xf32>
        %v_219 = arith.addf %v_189, %v_207 : vector<8xf32>
        %v_220 = arith.addf %v_191, %v_208 : vector<8xf32>
        %v_221 = arith.addf %v_193, %v_209 : vector<8xf32>
        %v_222 = arith.addf %v_195, %v_210 : vector<8xf32>
        %v_223 = arith.addf %v_197, %v_211 : vector<8xf32>
        %v_224 = arith.addf %v_199, %v_212 : vector<8xf32>
        %v_225 = arith.addf %v_201, %v_213 : vector<8xf32>
        vector.store %v_214, %D_view[%c0, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_215, %D_view[%c0, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_216, %D_view[%c1, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_217, %D_view[%c1, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_218, %D_view[%c2, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_219, %D_view[%c2, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_220, %D_view[%c3, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_221, %D_view[%c3, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_222, %D_view[%c4, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_223, %D_view[%c4, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_224, %D_view[%c5, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_225, %D_view[%c5, %c8] : !f32_16_16, vector<8xf32>
        memref.prefetch %D_view_1[%c0, %c96], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c112], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c128], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c144], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c160], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c176], read, locality<3>, data : !f32_16_16
        %v_226 = arith.subi %c8, %c0 : index
        %v_227 = arith.cmpi slt, %c0, %c8 : index
        %v_228 = arith.cmpi sgt, %c2, %c0 : index
        %v_229 = arith.andi %v_227, %v_228 : i1
        %v_230 = arith.select %v_228, %c2, %c1 : index
        %rounds_6 = arith.ceildivui %v_226, %v_230 : index
        %rounds_7 = arith.select %v_229, %rounds_6, %c0 : index
        %loop_3:10 = scf.for %i_6 = %c0 to %rounds_7 step %c1 iter_args(%carried_28 = %cst, %carried_29 = %cst, %carried_30 = %cst, %carried_31 = %cst, %carried_32 = %cst, %carried_33 = %cst, %carried_34 = %cst, %carried_35 = %cst, %carried_36 = %cst, %carried_37 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_231 = arith.muli %i_6, %c2 : index
          %i_7 = arith.addi %c0, %v_231 : index
          %v_232 = arith.cmpi eq, %c2, %c0 : index
          %v_233 = arith.cmpi eq, %c2, %cst_1 : index
          %v_234 = arith.ori %v_232, %v_233 : i1
          %v_235 = arith.select %v_234, %c1, %c2 : index
          %v_236 = arith.divsi %i_7, %v_235 : index
          %v_237 = arith.subi %c0, %i_7 : index
          %v_238 = arith.select %v_233, %v_237, %v_236 : index
          %v_239 = arith.select %v_232, %c0, %v_238 : index
          %v_240 = vector.load %tmp[%i_7, %c0] : !f32_8_16, vector<8xf32>
          %v_241 = vector.load %tmp[%i_7, %c8] : !f32_8_16, vector<8xf32>
          %v_242 = memref.load %C[%c6, %i_7] : !f32_16_8
          %v_243 = vector.broadcast %v_242 : f32 to vector<8xf32>
          %v_244 = vector.fma %v_240, %v_243, %carried_28 : vector<8xf32>
          %v_245 = vector.fma %v_241, %v_243, %carried_29 : vector<8xf32>
          %v_246 = memref.load %C[%c7, %i_7] : !f32_16_8
          %v_247 = vector.broadcast %v_246 : f32 to vector<8xf32>
          %v_248 = vector.fma %v_240, %v_247, %carried_30 : vector<8xf32>
          %v_249 = vector.fma %v_241, %v_247, %carried_31 : vector<8xf32>
          %v_250 = memref.load %C[%c8, %i_7] : !f32_16_8
          %v_251 = vector.broadcast %v_250 : f32 to vector<8xf32>
          %v_252 = vector.fma %v_240, %v_251, %carried_32 : vector<8xf32>
          %v_253 = vector.fma %v_241, %v_251, %carried_33 : vector<8xf32>
          %v_254 = memref.load %C[%c9, %i_7] : !f32_16_8
          %v_255 = vector.broadcast %v_254 : f32 to vector<8xf32>
          %v_256 = vector.fma %v_240, %v_255, %carried_34 : vector<8xf32>
          %v_257 = vector.fma %v_241, %v_255, %carried_35 : vector<8xf32>
          %v_258 = memref.load %C[%c10, %i_7] : !f32_16_8
          %v_259 = vector.broadcast %v_258 : f32 to vector<8xf32>
          %v_260 = vector.fma %v_240, %v_259, %carried_36 : vector<8xf32>
          %v_261 = vector.fma %v_241, %v_259, %carried_37 : vector<8xf32>
          %v_262 = arith.addi %i_7, %c1 : index
          %v_263 = vector.load %tmp[%v_262, %c0] : !f32_8_16, vector<8xf32>
          %v_264 = vector.load %tmp[%v_262, %c8] : !f32_8_16, vector<8xf32>
          %v_265 = memref.load %C[%c6, %v_262] : !f32_16_8
          %v_266 = vector.broadcast %v_265 : f32 to vector<8xf32>
          %v_267 = vector.fma %v_263, %v_266, %v_244 : vector<8xf32>
          %v_268 = vector.fma %v_264, %v_266, %v_245 : vector<8xf32>
          %v_269 = memref.load %C[%c7, %v_262] : !f32_16_8
          %v_270 = vector.broadcast %v_269 : f32 to vector<8xf32>
          %v_271 = vector.fma %v_263, %v_270, %v_248 : vector<8xf32>
          %v_272 = vector.fma %v_264, %v_270, %v_249 : vector<8xf32>
          %v_273 = memref.load %C[%c8, %v_262] : !f32_16_8
          %v_274 = vector.broadcast %v_273 : f32 to vector<8xf32>
          %v_275 = vector.fma %v_263, %v_274, %v_252 : vector<8xf32>
          %v_276 = vector.fma %v_264, %v_274, %v_253 : vector<8xf32>
          %v_277 = memref.load %C[%c9, %v_262] : !f32_16_8
          %v_278 = vector.broadcast %v_277 : f32 to vector<8xf32>
          %v_279 = vector.fma %v_263, %v_278, %v_256 : vector<8xf32>
          %v_280 = vector.fma %v_264, %v_278, %v_257 : vector<8xf32>
          %v_281 = memref.load %C[%c10, %v_262] : !f32_16_8
          %v_282 = vector.broadcast %v_281 : f32 to vector<8xf32>
          %v_283 = vector.fma %v_263, %v_282, %v_260 : vector<8xf32>
          %v_284 = vector.fma %v_264, %v_282, %v_261 : vector<8xf32>
          scf.yield %v_267, %v_268, %v_271, %v_272, %v_275, %v_276, %v_279, %v_280, %v_283, %v_284 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_285 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_286 = arith.mulf %loop_3#0, %v_285 : vector<8xf32>
        %v_287 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_288 = arith.mulf %loop_3#1, %v_287 : vector<8xf32>
        %v_289 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_290 = arith.mulf %loop_3#2, %v_289 : vector<8xf32>
        %v_291 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_292 = arith.mulf %loop_3#3, %v_291 : vector<8xf32>
        %v_293 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_294 = arith.mulf %loop_3#4, %v_293 : vector<8xf32>
        %v_295 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_296 = arith.mulf %loop_3#5, %v_295 : vector<8xf32>
        %v_297 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_298 = arith.mulf %loop_3#6, %v_297 : vector<8xf32>
        %v_299 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_300 = arith.mulf %loop_3#7, %v_299 : vector<8xf32>
        %v_301 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_302 = arith.mulf %loop_3#8, %v_301 : vector<8xf32>
        %v_303 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_304 = arith.mulf %loop_3#9, %v_303 : vector<8xf32>
        %v_305 = vector.load %D_view[%c6, %c0] : !f32_16_16, vector<8xf32>
        %v_306 = vector.load %D_view[%c6, %c8] : !f32_16_16, vector<8xf32>
        %v_307 = vector.load %D_view[%c7, %c0] : !f32_16_16, vector<8xf32>
        %v_308 = vector.load %D_view[%c7, %c8] : !f32_16_16, vector<8xf32>
        %v_309 = vector.load %D_view[%c8, %c0] : !f32_16_16, vector<8xf32>
        %v_310 = vector.load %D_view[%c8, %c8] : !f32_16_16, vector<8xf32>
        %v_311 = vector.load %D_view[%c9, %c0] : !f32_16_16, vector<8xf32>
        %v_312 = vector.load %D_view[%c9, %c8] : !f32_16_16, vector<8xf32>
        %v_313 = vector.load %D_view[%c10, %c0] : !f32_16_16, vector<8xf32>
        %v_314 = vector.load %D_view[%c10, %c8] : !f32_16_16, vector<8xf32>
        %v_315 = arith.addf %v_286, %v_305 : vector<8xf32>
        %v_316 = arith.addf %v_288, %v_306 : vector<8xf32>
        %v_317 = arith.addf %v_290, %v_307 : vector<8xf32>
        %v_318 = arith.addf %v_292, %v_308 : vector<8xf32>
        %v_319 = arith.addf %v_294, %v_309 : vector<8xf32>
        %v_320 = arith.addf %v_296, %v_310 : vector<8xf32>
        %v_321 = arith.addf %v_298, %v_311 : vector<8xf32>
        %v_322 = arith.addf %v_300, %v_312 : vector<8xf32>
        %v_323 = arith.addf %v_302, %v_313 : vector<8xf32>
        %v_324 = arith.addf %v_304, %v_314 : vector<8xf32>
        vector.store %v_315, %D_view[%c6, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_316, %D_view[%c6, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_317, %D_view[%c7, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_318, %D_view[%c7, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_319, %D_view[%c8, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_320, %D_view[%c8, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_321, %D_view[%c9, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_322, %D_view[%c9, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_323, %D_view[%c10, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_324, %D_view[%c10, %c8] : !f32_16_16, vector<8xf32>
        memref.prefetch %D_view_1[%c0, %c192], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c208], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c224], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c240], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c256], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c272], read, locality<3>, data : !f32_16_16
        %v_325 = arith.subi %c8, %c0 : index
        %v_326 = arith.cmpi slt, %c0, %c8 : index
        %v_327 = arith.cmpi sgt, %c2, %c0 : index
        %v_328 = arith.andi %v_326, %v_327 : i1
        %v_329 = arith.select %v_327, %c2, %c1 : index
        %rounds_8 = arith.ceildivui %v_325, %v_329 : index
        %rounds_9 = arith.select %v_328, %rounds_8, %c0 : index
        %loop_4:10 = scf.for %i_8 = %c0 to %rounds_9 step %c1 iter_args(%carried_38 = %cst, %carried_39 = %cst, %carried_40 = %cst, %carried_41 = %cst, %carried_42 = %cst, %carried_43 = %cst, %carried_44 = %cst, %carried_45 = %cst, %carried_46 = %cst, %carried_47 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_330 = arith.muli %i_8, %c2 : index
          %i_9 = arith.addi %c0, %v_330 : index
          %v_331 = arith.cmpi eq, %c2, %c0 : index
          %v_332 = arith.cmpi eq, %c2, %cst_1 : index
          %v_333 = arith.ori %v_331, %v_332 : i1
          %v_334 = arith.select %v_333, %c1, %c2 : index
          %v_335 = arith.divsi %i_9, %v_334 : index
          %v_336 = arith.subi %c0, %i_9 : index
          %v_337 = arith.select %v_332, %v_336, %v_335 : index
          %v_338 = arith.select %v_331, %c0, %v_337 : index
          %v_339 = vector.load %tmp[%i_9, %c0] : !f32_8_16, vector<8xf32>
          %v_340 = vector.load %tmp[%i_9, %c8] : !f32_8_16, vector<8xf32>
          %v_341 = memref.load %C[%c11, %i_9] : !f32_16_8
          %v_342 = vector.broadcast %v_341 : f32 to vector<8xf32>
          %v_343 = vector.fma %v_339, %v_342, %carried_38 : vector<8xf32>
          %v_344 = vector.fma %v_340, %v_342, %carried_39 : vector<8xf32>
          %v_345 = memref.load %C[%c12, %i_9] : !f32_16_8
          %v_346 = vector.broadcast %v_345 : f32 to vector<8xf32>
          %v_347 = vector.fma %v_339, %v_346, %carried_40 : vector<8xf32>
          %v_348 = vector.fma %v_340, %v_346, %carried_41 : vector<8xf32>
          %v_349 = memref.load %C[%c13, %i_9] : !f32_16_8
          %v_350 = vector.broadcast %v_349 : f32 to vector<8xf32>
          %v_351 = vector.fma %v_339, %v_350, %carried_42 : vector<8xf32>
          %v_352 = vector.fma %v_340, %v_350, %carried_43 : vector<8xf32>
          %v_353 = memref.load %C[%c14, %i_9] : !f32_16_8
          %v_354 = vector.broadcast %v_353 : f32 to vector<8xf32>
          %v_355 = vector.fma %v_339, %v_354, %carried_44 : vector<8xf32>
          %v_356 = vector.fma %v_340, %v_354, %carried_45 : vector<8xf32>
          %v_357 = memref.load %C[%c15, %i_9] : !f32_16_8
          %v_358 = vector.broadcast %v_357 : f32 to vector<8xf32>
          %v_359 = vector.fma %v_339, %v_358, %carried_46 : vector<8xf32>
          %v_360 = vector.fma %v_340, %v_358, %carried_47 : vector<8xf32>
          %v_361 = arith.addi %i_9, %c1 : index
          %v_362 = vector.load %tmp[%v_361, %c0] : !f32_8_16, vector<8xf32>
          %v_363 = vector.load %tmp[%v_361, %c8] : !f32_8_16, vector<8xf32>
          %v_364 = memref.load %C[%c11, %v_361] : !f32_16_8
          %v_365 = vector.broadcast %v_364 : f32 to vector<8xf32>
          %v_366 = vector.fma %v_362, %v_365, %v_343 : vector<8xf32>
          %v_367 = vector.fma %v_363, %v_365, %v_344 : vector<8xf32>
          %v_368 = memref.load %C[%c12, %v_361] : !f32_16_8
          %v_369 = vector.broadcast %v_368 : f32 to vector<8xf32>
          %v_370 = vector.fma %v_362, %v_369, %v_347 : vector<8xf32>
          %v_371 = vector.fma %v_363, %v_369, %v_348 : vector<8xf32>
          %v_372 = memref.load %C[%c13, %v_361] : !f32_16_8
          %v_373 = vector.broadcast %v_372 : f32 to vector<8xf32>
          %v_374 = vector.fma %v_362, %v_373, %v_351 : vector<8xf32>
          %v_375 = vector.fma %v_363, %v_373, %v_352 : vector<8xf32>
          %v_376 = memref.load %C[%c14, %v_361] : !f32_16_8
          %v_377 = vector.broadcast %v_376 : f32 to vector<8xf32>
          %v_378 = vector.fma %v_362, %v_377, %v_355 : vector<8xf32>
          %v_379 = vector.fma %v_363, %v_377, %v_356 : vector<8xf32>
          %v_380 = memref.load %C[%c15, %v_361] : !f32_16_8
          %v_381 = vector.broadcast %v_380 : f32 to vector<8xf32>
          %v_382 = vector.fma %v_362, %v_381, %v_359 : vector<8xf32>
          %v_383 = vector.fma %v_363, %v_381, %v_360 : vector<8xf32>
          scf.yield %v_366, %v_367, %v_370, %v_371, %v_374, %v_375, %v_378, %v_379, %v_382, %v_383 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_384 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_385 = arith.mulf %loop_4#0, %v_384 : vector<8xf32>
        %v_386 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_387 = arith.mulf %loop_4#1, %v_386 : vector<8xf32>
        %v_388 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_389 = arith.mulf %loop_4#2, %v_388 : vector<8xf32>
        %v_390 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_391 = arith.mulf %loop_4#3, %v_390 : vector<8xf32>
        %v_392 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_393 = arith.mulf %loop_4#4, %v_392 : vector<8xf32>
        %v_394 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_395 = arith.mulf %loop_4#5, %v_394 : vector<8xf32>
        %v_396 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_397 = arith.mulf %loop_4#6, %v_396 : vector<8xf32>
        %v_398 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_399 = arith.mulf %loop_4#7, %v_398 : vector<8xf32>
        %v_400 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_401 = arith.mulf %loop_4#8, %v_400 : vector<8xf32>
        %v_402 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_403 = arith.mulf %loop_4#9, %v_402 : vector<8xf32>
        %v_404 = vector.load %D_view[%c11, %c0] : !f32_16_16, vector<8xf32>
        %v_405 = vector.load %D_view[%c11, %c8] : !f32_16_16, vector<8xf32>
        %v_406 = vector.load %D_view[%c12, %c0] : !f32_16_16, vector<8xf32>
        %v_407 = vector.load %D_view[%c12, %c8] : !f32_16_16, vector<8xf32>
        %v_408 = vector.load %D_view[%c13, %c0] : !f32_16_16, vector<8xf32>
        %v_409 = vector.load %D_view[%c13, %c8] : !f32_16_16, vector<8xf32>
        %v_410 = vector.load %D_view[%c14, %c0] : !f32_16_16, vector<8xf32>
        %v_411 = vector.load %D_view[%c14, %c8] : !f32_16_16, vector<8xf32>
        %v_412 = vector.load %D_view[%c15, %c0] : !f32_16_16, vector<8xf32>
        %v_413 = vector.load %D_view[%c15, %c8] : !f32_16_16, vector<8xf32>
        %v_414 = arith.addf %v_385, %v_404 : vector<8xf32>
        %v_415 = arith.addf %v_387, %v_405 : vector<8xf32>
        %v_416 = arith.addf %v_389, %v_406 : vector<8xf32>
        %v_417 = arith.addf %v_391, %v_407 : vector<8xf32>
        %v_418 = arith.addf %v_393, %v_408 : vector<8xf32>
        %v_419 = arith.addf %v_395, %v_409 : vector<8xf32>
        %v_420 = arith.addf %v_397, %v_410 : vector<8xf32>
        %v_421 = arith.addf %v_399, %v_411 : vector<8xf32>
        %v_422 = arith.addf %v_401, %v_412 : vector<8xf32>
        %v_423 = arith.addf %v_403, %v_413 : vector<8xf32>
        vector.store %v_414, %D_view[%c11, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_415, %D_view[%c11, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_416, %D_view[%c12, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_417, %D_view[%c12, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_418, %D_view[%c13, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_419, %D_view[%c13, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_420, %D_view[%c14, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_421, %D_view[%c14, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_422, %D_view[%c15, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_423, %D_view[%c15, %c8] : !f32_16_16, vector<8xf32>
      }
    } else {
      scf.for %g_1 = %first to %last step %c1 {
        // 7: %tmp = alloca : memref<f32x16x8,local>
        %part_1 = memref.view %stack[%c0][] : memref<512xi8> to memref<128xf32>
        %tmp_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [8, 16], strides: [16, 1] : memref<128xf32> to !f32_8_16
        // 8: %0 = load %A[%g] : memref<f32x16x8>
        %item_4 = memref.load %A[%g_1] : memref<?xi64>
        %place_2 = llvm.inttoptr %item_4 : i64 to !llvm.ptr
        %descriptor_15 = llvm.insertvalue %place_2, %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_16 = llvm.insertvalue %place_2, %descriptor_15[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_17 = llvm.insertvalue %c0_i64, %descriptor_16[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_18 = llvm.insertvalue %c8_i64, %descriptor_17[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_19 = llvm.insertvalue %c16_i64, %descriptor_18[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_20 = llvm.insertvalue %c16_i64, %descriptor_19[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %descriptor_21 = llvm.insertvalue %c1_i64, %descriptor_20[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        %item_5 = builtin.unrealized_conversion_cast %descriptor_21 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to !f32_8_16
        // 11: gemm.n.t %1, %0, %B, %2, %tmp
        %v_424 = arith.subi %c8, %c0 : index
        %v_425 = arith.cmpi slt, %c0, %c8 : index
        %v_426 = arith.cmpi sgt, %c2, %c0 : index
        %v_427 = arith.andi %v_425, %v_426 : i1
        %v_428 = arith.select %v_426, %c2, %c1 : index
        %rounds_10 = arith.ceildivui %v_424, %v_428 : index
        %rounds_11 = arith.select %v_427, %rounds_10, %c0 : index
        %loop_5:8 = scf.for %i_10 = %c0 to %rounds_11 step %c1 iter_args(%carried_48 = %cst, %carried_49 = %cst, %carried_50 = %cst, %carried_51 = %cst, %carried_52 = %cst, %carried_53 = %cst, %carried_54 = %cst, %carried_55 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_429 = arith.muli %i_10, %c2 : index
          %i_11 = arith.addi %c0, %v_429 : index
          %v_430 = arith.cmpi eq, %c2, %c0 : index
          %v_431 = arith.cmpi eq, %c2, %cst_1 : index
          %v_432 = arith.ori %v_430, %v_431 : i1
          %v_433 = arith.select %v_432, %c1, %c2 : index
          %v_434 = arith.divsi %i_11, %v_433 : index
          %v_435 = arith.subi %c0, %i_11 : index
          %v_436 = arith.select %v_431, %v_435, %v_434 : index
          %v_437 = arith.select %v_430, %c0, %v_436 : index
          %v_438 = vector.load %item_5[%i_11, %c0] : !f32_8_16, vector<8xf32>
          %v_439 = vector.load %item_5[%i_11, %c8] : !f32_8_16, vector<8xf32>
          %v_440 = memref.load %B[%i_11, %c0] : !f32_8_8
          %v_441 = vector.broadcast %v_440 : f32 to vector<8xf32>
          %v_442 = vector.fma %v_438, %v_441, %carried_48 : vector<8xf32>
          %v_443 = vector.fma %v_439, %v_441, %carried_49 : vector<8xf32>
          %v_444 = memref.load %B[%i_11, %c1] : !f32_8_8
          %v_445 = vector.broadcast %v_444 : f32 to vector<8xf32>
          %v_446 = vector.fma %v_438, %v_445, %carried_50 : vector<8xf32>
          %v_447 = vector.fma %v_439, %v_445, %carried_51 : vector<8xf32>
          %v_448 = memref.load %B[%i_11, %c2] : !f32_8_8
          %v_449 = vector.broadcast %v_448 : f32 to vector<8xf32>
          %v_450 = vector.fma %v_438, %v_449, %carried_52 : vector<8xf32>
          %v_451 = vector.fma %v_439, %v_449, %carried_53 : vector<8xf32>
          %v_452 = memref.load %B[%i_11, %c3] : !f32_8_8
          %v_453 = vector.broadcast %v_452 : f32 to vector<8xf32>
          %v_454 = vector.fma %v_438, %v_453, %carried_54 : vector<8xf32>
          %v_455 = vector.fma %v_439, %v_453, %carried_55 : vector<8xf32>
          %v_456 = arith.addi %i_11, %c1 : index
          %v_457 = vector.load %item_5[%v_456, %c0] : !f32_8_16, vector<8xf32>
          %v_458 = vector.load %item_5[%v_456, %c8] : !f32_8_16, vector<8xf32>
          %v_459 = memref.load %B[%v_456, %c0] : !f32_8_8
          %v_460 = vector.broadcast %v_459 : f32 to vector<8xf32>
          %v_461 = vector.fma %v_457, %v_460, %v_442 : vector<8xf32>
          %v_462 = vector.fma %v_458, %v_460, %v_443 : vector<8xf32>
          %v_463 = memref.load %B[%v_456, %c1] : !f32_8_8
          %v_464 = vector.broadcast %v_463 : f32 to vector<8xf32>
          %v_465 = vector.fma %v_457, %v_464, %v_446 : vector<8xf32>
          %v_466 = vector.fma %v_458, %v_464, %v_447 : vector<8xf32>
          %v_467 = memref.load %B[%v_456, %c2] : !f32_8_8
          %v_468 = vector.broadcast %v_467 : f32 to vector<8xf32>
          %v_469 = vector.fma %v_457, %v_468, %v_450 : vector<8xf32>
          %v_470 = vector.fma %v_458, %v_468, %v_451 : vector<8xf32>
          %v_471 = memref.load %B[%v_456, %c3] : !f32_8_8
          %v_472 = vector.broadcast %v_471 : f32 to vector<8xf32>
          %v_473 = vector.fma %v_457, %v_472, %v_454 : vector<8xf32>
          %v_474 = vector.fma %v_458, %v_472, %v_455 : vector<8xf32>
          scf.yield %v_461, %v_462, %v_465, %v_466, %v_469, %v_470, %v_473, %v_474 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        vector.store %loop_5#0, %tmp_1[%c0, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#1, %tmp_1[%c0, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#2, %tmp_1[%c1, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#3, %tmp_1[%c1, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#4, %tmp_1[%c2, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#5, %tmp_1[%c2, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#6, %tmp_1[%c3, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#7, %tmp_1[%c3, %c8] : !f32_8_16, vector<8xf32>
        %v_475 = arith.subi %c8, %c0 : index
        %v_476 = arith.cmpi slt, %c0, %c8 : index
        %v_477 = arith.cmpi sgt, %c2, %c0 : index
        %v_478 = arith.andi %v_476, %v_477 : i1
        %v_479 = arith.select %v_477, %c2, %c1 : index
        %rounds_12 = arith.ceildivui %v_475, %v_479 : index
        %rounds_13 = arith.select %v_478, %rounds_12, %c0 : index
        %loop_6:8 = scf.for %i_12 = %c0 to %rounds_13 step %c1 iter_args(%carried_56 = %cst, %carried_57 = %cst, %carried_58 = %cst, %carried_59 = %cst, %carried_60 = %cst, %carried_61 = %cst, %carried_62 = %cst, %carried_63 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_480 = arith.muli %i_12, %c2 : index
          %i_13 = arith.addi %c0, %v_480 : index
          %v_481 = arith.cmpi eq, %c2, %c0 : index
          %v_482 = arith.cmpi eq, %c2, %cst_1 : index
          %v_483 = arith.ori %v_481, %v_482 : i1
          %v_484 = arith.select %v_483, %c1, %c2 : index
          %v_485 = arith.divsi %i_13, %v_484 : index
          %v_486 = arith.subi %c0, %i_13 : index
          %v_487 = arith.select %v_482, %v_486, %v_485 : index
          %v_488 = arith.select %v_481, %c0, %v_487 : index
          %v_489 = vector.load %item_5[%i_13, %c0] : !f32_8_16, vector<8xf32>
          %v_490 = vector.load %item_5[%i_13, %c8] : !f32_8_16, vector<8xf32>
          %v_491 = memref.load %B[%i_13, %c4] : !f32_8_8
          %v_492 = vector.broadcast %v_491 : f32 to vector<8xf32>
          %v_493 = vector.fma %v_489, %v_492, %carried_56 : vector<8xf32>
          %v_494 = vector.fma %v_490, %v_492, %carried_57 : vector<8xf32>
          %v_495 = memref.load %B[%i_13, %c5] : !f32_8_8
          %v_496 = vector.broadcast %v_495 : f32 to vector<8xf32>
          %v_497 = vector.fma %v_489, %v_496, %carried_58 : vector<8xf32>
          %v_498 = vector.fma %v_490, %v_496, %carried_59 : vector<8xf32>
          %v_499 = memref.load %B[%i_13, %c6] : !f32_8_8
          %v_500 = vector.broadcast %v_499 : f32 to vector<8xf32>
          %v_501 = vector.fma %v_489, %v_500, %carried_60 : vector<8xf32>
          %v_502 = vector.fma %v_490, %v_500, %carried_61 : vector<8xf32>
          %v_503 = memref.load %B[%i_13, %c7] : !f32_8_8
          %v_504 = vector.broadcast %v_503 : f32 to vector<8xf32>
          %v_505 = vector.fma %v_489, %v_504, %carried_62 : vector<8xf32>
          %v_506 = vector.fma %v_490, %v_504, %carried_63 : vector<8xf32>
          %v_507 = arith.addi %i_13, %c1 : index
          %v_508 = vector.load %item_5[%v_507, %c0] : !f32_8_16, vector<8xf32>
          %v_509 = vector.load %item_5[%v_507, %c8] : !f32_8_16, vector<8xf32>
          %v_510 = memref.load %B[%v_507, %c4] : !f32_8_8
          %v_511 = vector.broadcast %v_510 : f32 to vector<8xf32>
          %v_512 = vector.fma %v_508, %v_511, %v_493 : vector<8xf32>
          %v_513 = vector.fma %v_509, %v_511, %v_494 : vector<8xf32>
          %v_514 = memref.load %B[%v_507, %c5] : !f32_8_8
          %v_515 = vector.broadcast %v_514 : f32 to vector<8xf32>
          %v_516 = vector.fma %v_508, %v_515, %v_497 : vector<8xf32>
          %v_517 = vector.fma %v_509, %v_515, %v_498 : vector<8xf32>
          %v_518 = memref.load %B[%v_507, %c6] : !f32_8_8
          %v_519 = vector.broadcast %v_518 : f32 to vector<8xf32>
          %v_520 = vector.fma %v_508, %v_519, %v_501 : vector<8xf32>
          %v_521 = vector.fma %v_509, %v_519, %v_502 : vector<8xf32>
          %v_522 = memref.load %B[%v_507, %c7] : !f32_8_8
          %v_523 = vector.broadcast %v_522 : f32 to vector<8xf32>
          %v_524 = vector.fma %v_508, %v_523, %v_505 : vector<8xf32>
          %v_525 = vector.fma %v_509, %v_523, %v_506 : vector<8xf32>
          scf.yield %v_512, %v_513, %v_516, %v_517, %v_520, %v_521, %v_524, %v_525 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        vector.store %loop_6#0, %tmp_1[%c4, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#1, %tmp_1[%c4, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#2, %tmp_1[%c5, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#3, %tmp_1[%c5, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#4, %tmp_1[%c6, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#5, %tmp_1[%c6, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#6, %tmp_1[%c7, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_6#7, %tmp_1[%c7, %c8] : !f32_8_16, vector<8xf32>
        // 12: %3 = subview %D[0:16, 0:16, %g] : memref<f32x16x16>
        %D_base_2, %D_offset_2, %D_sizes_2:3, %D_strides_2:3 = memref.extract_strided_metadata %D : !f32_n_16_16 -> memref<f32>, index, index, index, index, index, index, index
        %v_526 = arith.muli %g_1, %c256 : index
        %v_527 = arith.addi %D_offset_2, %v_526 : index
        %D_view_2 = memref.reinterpret_cast %D to offset: [%v_527], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
        // 14: gemm.n.n %alpha, %tmp, %C, %4, %3
        %v_528 = arith.subi %c8, %c0 : index
        %v_529 = arith.cmpi slt, %c0, %c8 : index
        %v_530 = arith.cmpi sgt, %c2, %c0 : index
        %v_531 = arith.andi %v_529, %v_530 : i1
        %v_532 = arith.select %v_530, %c2, %c1 : index
        %rounds_14 = arith.ceildivui %v_528, %v_532 : index
        %rounds_15 = arith.select %v_531, %rounds_14, %c0 : index
        %loop_7:12 = scf.for %i_14 = %c0 to %rounds_15 step %c1 iter_args(%carried_64 = %cst, %carried_65 = %cst, %carried_66 = %cst, %carried_67 = %cst, %carried_68 = %cst, %carried_69 = %cst, %carried_70 = %cst, %carried_71 = %cst, %carried_72 = %cst, %carried_73 = %cst, %carried_74 = %cst, %carried_75 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_533 = arith.muli %i_14, %c2 : index
          %i_15 = arith.addi %c0, %v_533 : index
          %v_534 = arith.cmpi eq, %c2, %c0 : index
          %v_535 = arith.cmpi eq, %c2, %cst_1 : index
          %v_536 = arith.ori %v_534, %v_535 : i1
          %v_537 = arith.select %v_536, %c1, %c2 : index
          %v_538 = arith.divsi %i_15, %v_537 : index
          %v_539 = arith.subi %c0, %i_15 : index
          %v_540 = arith.select %v_535, %v_539, %v_538 : index
          %v_541 = arith.select %v_534, %c0, %v_540 : index
          %v_542 = vector.load %tmp_1[%i_15, %c0] : !f32_8_16, vector<8xf32>
          %v_543 = vector.load %tmp_1[%i_15, %c8] : !f32_8_16, vector<8xf32>
          %v_544 = memref.load %C[%c0, %i_15] : !f32_16_8
          %v_545 = vector.broadcast %v_544 : f32 to vector<8xf32>
          %v_546 = vector.fma %v_542, %v_545, %carried_64 : vector<8xf32>
          %v_547 = vector.fma %v_543, %v_545, %carried_65 : vector<8xf32>
          %v_548 = memref.load %C[%c1, %i_15] : !f32_16_8
          %v_549 = vector.broadcast %v_548 : f32 to vector<8xf32>
          %v_550 = vector.fma %v_542, %v_549, %carried_66 : vector<8xf32>
          %v_551 = vector.fma %v_543, %v_549, %carried_67 : vector<8xf32>
          %v_552 = memref.load %C[%c2, %i_15] : !f32_16_8
          %v_553 = vector.broadcast %v_552 : f32 to vector<8xf32>
          %v_554 = vector.fma %v_542, %v_553, %carried_68 : vector<8xf32>
          %v_555 = vector.fma %v_543, %v_553, %carried_69 : vector<8xf32>
          %v_556 = memref.load %C[%c3, %i_15] : !f32_16_8
          %v_557 = vector.broadcast %v_556 : f32 to vector<8xf32>
          %v_558 = vector.fma %v_542, %v_557, %carried_70 : vector<8xf32>
          %v_559 = vector.fma %v_543, %v_557, %carried_71 : vector<8xf32>
          %v_560 = memref.load %C[%c4, %i_15] : !f32_16_8
          %v_561 = vector.broadcast %v_560 : f32 to vector<8xf32>
          %v_562 = vector.fma %v_542, %v_561, %carried_72 : vector<8xf32>
          %v_563 = vector.fma %v_543, %v_561, %carried_73 : vector<8xf32>
          %v_564 = memref.load %C[%c5, %i_15] : !f32_16_8
          %v_565 = vector.broadcast %v_564 : f32 to vector<8xf32>
          %v_566 = vector.fma %v_542, %v_565, %carried_74 : vector<8xf32>
          %v_567 = vector.fma %v_543, %v_565, %carried_75 : vector<8xf32>
          %v_568 = arith.addi %i_15, %c1 : index
          %v_569 = vector.load %tmp_1[%v_568, %c0] : !f32_8_16, vector<8xf32>
          %v_570 = vector.load %tmp_1[%v_568, %c8] : !f32_8_16, vector<8xf32>
          %v_571 = memref.load %C[%c0, %v_568] : !f32_16_8
          %v_572 = vector.broadcast %v_571 : f32 to vector<8xf32>
          %v_573 = vector.fma %v_569, %v_572, %v_546 : vector<8xf32>
          %v_574 = vector.fma %v_570, %v_572, %v_547 : vector<8xf32>
          %v_575 = memref.load %C[%c1, %v_568] : !f32_16_8
          %v_576 = vector.broadcast %v_575 : f32 to vector<8xf32>
          %v_577 = vector.fma %v_569, %v_576, %v_550 : vector<8xf32>
          %v_578 = vector.fma %v_570, %v_576, %v_551 : vector<8xf32>
          %v_579 = memref.load %C[%c2, %v_568] : !f32_16_8
          %v_580 = vector.broadcast %v_579 : f32 to vector<8xf32>
          %v_581 = vector.fma %v_569, %v_580, %v_554 : vector<8xf32>
          %v_582 = vector.fma %v_570, %v_580, %v_555 : vector<8xf32>
          %v_583 = memref.load %C[%c3, %v_568] : !f32_16_8
          %v_584 = vector.broadcast %v_583 : f32 to vector<8xf32>
          %v_585 = vector.fma %v_569, %v_584, %v_558 : vector<8xf32>
          %v_586 = vector.fma %v_570, %v_584, %v_559 : vector<8xf32>
          %v_587 = memref.load %C[%c4, %v_568] : !f32_16_8
          %v_588 = vector.broadcast %v_587 : f32 to vector<8xf32>
          %v_589 = vector.fma %v_569, %v_588, %v_562 : vector<8xf32>
          %v_590 = vector.fma %v_570, %v_588, %v_563 : vector<8xf32>
          %v_591 = memref.load %C[%c5, %v_568] : !f32_16_8
          %v_592 = vector.broadcast %v_591 : f32 to vector<8xf32>
          %v_593 = vector.fma %v_569, %v_592, %v_566 : vector<8xf32>
          %v_594 = vector.fma %v_570, %v_592, %v_567 : vector<8xf32>
          scf.yield %v_573, %v_574, %v_577, %v_578, %v_581, %v_582, %v_585, %v_586, %v_589, %v_590, %v_593, %v_594 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_595 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_596 = arith.mulf %loop_7#0, %v_595 : vector<8xf32>
        %v_597 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_598 = arith.mulf %loop_7#1, %v_597 : vector<8xf32>
        %v_599 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_600 = arith.mulf %loop_7#2, %v_599 : vector<8xf32>
        %v_601 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_602 = arith.mulf %loop_7#3, %v_601 : vector<8xf32>
        %v_603 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_604 = arith.mulf %loop_7#4, %v_603 : vector<8xf32>
        %v_605 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_606 = arith.mulf %loop_7#5, %v_605 : vector<8xf32>
        %v_607 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_608 = arith.mulf %loop_7#6, %v_607 : vector<8xf32>
        %v_609 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_610 = arith.mulf %loop_7#7, %v_609 : vector<8xf32>
        %v_611 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_612 = arith.mulf %loop_7#8, %v_611 : vector<8xf32>
        %v_613 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_614 = arith.mulf %loop_7#9, %v_613 : vector<8xf32>
        %v_615 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_616 = arith.mulf %loop_7#10, %v_615 : vector<8xf32>
        %v_617 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_618 = arith.mulf %loop_7#11, %v_617 : vector<8xf32>
        %v_619 = vector.load %D_view_2[%c0, %c0] : !f32_16_16, vector<8xf32>
        %v_620 = vector.load %D_view_2[%c0, %c8] : !f32_16_16, vector<8xf32>
        %v_621 = vector.load %D_view_2[%c1, %c0] : !f32_16_16, vector<8xf32>
        %v_622 = vector.load %D_view_2[%c1, %c8] : !f32_16_16, vector<8xf32>
        %v_623 = vector.load %D_view_2[%c2, %c0] : !f32_16_16, vector<8xf32>
        %v_624 = vector.load %D_view_2[%c2, %c8] : !f32_16_16, vector<8xf32>
        %v_625 = vector.load %D_view_2[%c3, %c0] : !f32_16_16, vector<8xf32>
        %v_626 = vector.load %D_view_2[%c3, %c8] : !f32_16_16, vector<8xf32>
        %v_627 = vector.load %D_view_2[%c4, %c0] : !f32_16_16, vector<8xf32>
        %v_628 = vector.load %D_view_2[%c4, %c8] : !f32_16_16, vector<8xf32>
        %v_629 = vector.load %D_view_2[%c5, %c0] : !f32_16_16, vector<8xf32>
        %v_630 = vector.load %D_view_2[%c5, %c8] : !f32_16_16, vector<8xf32>
        %v_631 = arith.addf %v_596, %v_619 : vector<8xf32>
        %v_632 = arith.addf %v_598, %v_620 : vector<8xf32>
        %v_633 = arith.addf %v_600, %v_621 : vector<8xf32>
        %v_634 = arith.addf %v_602, %v_622 : vector<8xf32>
        %v_635 = arith.addf %v_604, %v_623 : vector<8xf32>
        %v_636 = arith.addf %v_606, %v_624 : vector<8xf32>
        %v_637 = arith.addf %v_608, %v_625 : vector<8xf32>
        %v_638 = arith.addf %v_610, %v_626 : vector<8xf32>
        %v_639 = arith.addf %v_612, %v_627 : vector<8xf32>
        %v_640 = arith.addf %v_614, %v_628 : vector<8xf32>
        %v_641 = arith.addf %v_616, %v_629 : vector<8xf32>
        %v_642 = arith.addf %v_618, %v_630 : vector<8xf32>
        vector.store %v_631, %D_view_2[%c0, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_632, %D_view_2[%c0, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_633, %D_view_2[%c1, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_634, %D_view_2[%c1, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_635, %D_view_2[%c2, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_636, %D_view_2[%c2, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_637, %D_view_2[%c3, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_638, %D_view_2[%c3, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_639, %D_view_2[%c4, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_640, %D_view_2[%c4, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_641, %D_view_2[%c5, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_642, %D_view_2[%c5, %c8] : !f32_16_16, vector<8xf32>
        %v_643 = arith.subi %c8, %c0 : index
        %v_644 = arith.cmpi slt, %c0, %c8 : index
        %v_645 = arith.cmpi sgt, %c2, %c0 : index
        %v_646 = arith.andi %v_644, %v_645 : i1
        %v_647 = arith.select %v_645, %c2, %c1 : index
        %rounds_16 = arith.ceildivui %v_643, %v_647 : index
        %rounds_17 = arith.select %v_646, %rounds_16, %c0 : index
        %loop_8:10 = scf.for %i_16 = %c0 to %rounds_17 step %c1 iter_args(%carried_76 = %cst, %carried_77 = %cst, %carried_78 = %cst, %carried_79 = %cst, %carried_80 = %cst, %carried_81 = %cst, %carried_82 = %cst, %carried_83 = %cst, %carried_84 = %cst, %carried_85 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_648 = arith.muli %i_16, %c2 : index
          %i_17 = arith.addi %c0, %v_648 : index
          %v_649 = arith.cmpi eq, %c2, %c0 : index
          %v_650 = arith.cmpi eq, %c2, %cst_1 : index
          %v_651 = arith.ori %v_649, %v_650 : i1
          %v_652 = arith.select %v_651, %c1, %c2 : index
          %v_653 = arith.divsi %i_17, %v_652 : index
          %v_654 = arith.subi %c0, %i_17 : index
          %v_655 = arith.select %v_650, %v_654, %v_653 : index
          %v_656 = arith.select %v_649, %c0, %v_655 : index
          %v_657 = vector.load %tmp_1[%i_17, %c0] : !f32_8_16, vector<8xf32>
          %v_658 = vector.load %tmp_1[%i_17, %c8] : !f32_8_16, vector<8xf32>
          %v_659 = memref.load %C[%c6, %i_17] : !f32_16_8
          %v_660 = vector.broadcast %v_659 : f32 to vector<8xf32>
          %v_661 = vector.fma %v_657, %v_660, %carried_76 : vector<8xf32>
          %v_662 = vector.fma %v_658, %v_660, %carried_77 : vector<8xf32>
          %v_663 = memref.load %C[%c7, %i_17] : !f32_16_8
          %v_664 = vector.broadcast %v_663 : f32 to vector<8xf32>
          %v_665 = vector.fma %v_657, %v_664, %carried_78 : vector<8xf32>
          %v_666 = vector.fma %v_658, %v_664, %carried_79 : vector<8xf32>
          %v_667 = memref.load %C[%c8, %i_17] : !f32_16_8
          %v_668 = vector.broadcast %v_667 : f32 to vector<8xf32>
          %v_669 = vector.fma %v_657, %v_668, %carried_80 : vector<8xf32>
          %v_670 = vector.fma %v_658, %v_668, %carried_81 : vector<8xf32>
          %v_671 = memref.load %C[%c9, %i_17] : !f32_16_8
          %v_672 = vector.broadcast %v_671 : f32 to vector<8xf32>
          %v_673 = vector.fma %v_657, %v_672, %carried_82 : vector<8xf32>
          %v_674 = vector.fma %v_658, %v_672, %carried_83 : vector<8xf32>
          %v_675 = memref.load %C[%c10, %i_17] : !f32_16_8
          %v_676 = vector.broadcast %v_675 : f32 to vector<8xf32>
          %v_677 = vector.fma %v_657, %v_676, %carried_84 : vector<8xf32>
          %v_678 = vector.fma %v_658, %v_676, %carried_85 : vector<8xf32>
          %v_679 = arith.addi %i_17, %c1 : index
          %v_680 = vector.load %tmp_1[%v_679, %c0] : !f32_8_16, vector<8xf32>
          %v_681 = vector.load %tmp_1[%v_679, %c8] : !f32_8_16, vector<8xf32>
          %v_682 = memref.load %C[%c6, %v_679] : !f32_16_8
          %v_683 = vector.broadcast %v_682 : f32 to vector<8xf32>
          %v_684 = vector.fma %v_680, %v_683, %v_661 : vector<8xf32>
          %v_685 = vector.fma %v_681, %v_683, %v_662 : vector<8xf32>
          %v_686 = memref.load %C[%c7, %v_679] : !f32_16_8
          %v_687 = vector.broadcast %v_686 : f32 to vector<8xf32>
          %v_688 = vector.fma %v_680, %v_687, %v_665 : vector<8xf32>
          %v_689 = vector.fma %v_681, %v_687, %v_666 : vector<8xf32>
          %v_690 = memref.load %C[%c8, %v_679] : !f32_16_8
          %v_691 = vector.broadcast %v_690 : f32 to vector<8xf32>
          %v_692 = vector.fma %v_680, %v_691, %v_669 : vector<8xf32>
          %v_693 = vector.fma %v_681, %v_691, %v_670 : vector<8xf32>
          %v_694 = memref.load %C[%c9, %v_679] : !f32_16_8
          %v_695 = vector.broadcast %v_694 : f32 to vector<8xf32>
          %v_696 = vector.fma %v_680, %v_695, %v_673 : vector<8xf32>
          %v_697 = vector.fma %v_681, %v_695, %v_674 : vector<8xf32>
          %v_698 = memref.load %C[%c10, %v_679] : !f32_16_8
          %v_699 = vector.broadcast %v_698 : f32 to vector<8xf32>
          %v_700 = vector.fma %v_680, %v_699, %v_677 : vector<8xf32>
          %v_701 = vector.fma %v_681, %v_699, %v_678 : vector<8xf32>
          scf.yield %v_684, %v_685, %v_688, %v_689, %v_692, %v_693, %v_696, %v_697, %v_700, %v_701 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_702 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_703 = arith.mulf %loop_8#0, %v_702 : vector<8xf32>
        %v_704 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_705 = arith.mulf %loop_8#1, %v_704 : vector<8xf32>
        %v_706 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_707 = arith.mulf %loop_8#2, %v_706 : vector<8xf32>
        %v_708 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_709 = arith.mulf %loop_8#3, %v_708 : vector<8xf32>
        %v_710 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_711 = arith.mulf %loop_8#4, %v_710 : vector<8xf32>
        %v_712 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_713 = arith.mulf %loop_8#5, %v_712 : vector<8xf32>
        %v_714 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_715 = arith.mulf %loop_8#6, %v_714 : vector<8xf32>
        %v_716 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_717 = arith.mulf %loop_8#7, %v_716 : vector<8xf32>
        %v_718 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_719 = arith.mulf %loop_8#8, %v_718 : vector<8xf32>
        %v_720 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_721 = arith.mulf %loop_8#9, %v_720 : vector<8xf32>
        %v_722 = vector.load %D_view_2[%c6, %c0] : !f32_16_16, vector<8xf32>
        %v_723 = vector.load %D_view_2[%c6, %c8] : !f32_16_16, vector<8xf32>
        %v_724 = vector.load %D_view_2[%c7, %c0] : !f32_16_16, vector<8xf32>
        %v_725 = vector.load %D_view_2[%c7, %c8] : !f32_16_16, vector<8xf32>
        %v_726 = vector.load %D_view_2[%c8, %c0] : !f32_16_16, vector<8xf32>
        %v_727 = vector.load %D_view_2[%c8, %c8] : !f32_16_16, vector<8xf32>
        %v_728 = vector.load %D_view_2[%c9, %c0] : !f32_16_16, vector<8xf32>
        %v_729 = vector.load %D_view_2[%c9, %c8] : !f32_16_16, vector<8xf32>
        %v_730 = vector.load %D_view_2[%c10, %c0] : !f32_16_16, vector<8xf32>
        %v_731 = vector.load %D_view_2[%c10, %c8] : !f32_16_16, vector<8xf32>
        %v_732 = arith.addf %v_703, %v_722 : vector<8xf32>
        %v_733 = arith.addf %v_705, %v_723 : vector<8xf32>
        %v_734 = arith.addf %v_707, %v_724 : vector<8xf32>
        %v_735 = arith.addf %v_709, %v_725 : vector<8xf32>
        %v_736 = arith.addf %v_711, %v_726 : vector<8xf32>
        %v_737 = arith.addf %v_713, %v_727 : vector<8xf32>
        %v_738 = arith.addf %v_715, %v_728 : vector<8xf32>
        %v_739 = arith.addf %v_717, %v_729 : vector<8xf32>
        %v_740 = arith.addf %v_719, %v_730 : vector<8xf32>
        %v_741 = arith.addf %v_721, %v_731 : vector<8xf32>
        vector.store %v_732, %D_view_2[%c6, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_733, %D_view_2[%c6, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_734, %D_view_2[%c7, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_735, %D_view_2[%c7, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_736, %D_view_2[%c8, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_737, %D_view_2[%c8, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_738, %D_view_2[%c9, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_739, %D_view_2[%c9, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_740, %D_view_2[%c10, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_741, %D_view_2[%c10, %c8] : !f32_16_16, vector<8xf32>
        %v_742 = arith.subi %c8, %c0 : index
        %v_743 = arith.cmpi slt, %c0, %c8 : index
        %v_744 = arith.cmpi sgt, %c2, %c0 : index
        %v_745 = arith.andi %v_743, %v_744 : i1
        %v_746 = arith.select %v_744, %c2, %c1 : index
        %rounds_18 = arith.ceildivui %v_742, %v_746 : index
        %rounds_19 = arith.select %v_745, %rounds_18, %c0 : index
        %loop_9:10 = scf.for %i_18 = %c0 to %rounds_19 step %c1 iter_args(%carried_86 = %cst, %carried_87 = %cst, %carried_88 = %cst, %carried_89 = %cst, %carried_90 = %cst, %carried_91 = %cst, %carried_92 = %cst, %carried_93 = %cst, %carried_94 = %cst, %carried_95 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_747 = arith.muli %i_18, %c2 : index
          %i_19 = arith.addi %c0, %v_747 : index
          %v_748 = arith.cmpi eq, %c2, %c0 : index
          %v_749 = arith.cmpi eq, %c2, %cst_1 : index
          %v_750 = arith.ori %v_748, %v_749 : i1
          %v_751 = arith.select %v_750, %c1, %c2 : index
          %v_752 = arith.divsi %i_19, %v_751 : index
          %v_753 = arith.subi %c0, %i_19 : index
          %v_754 = arith.select %v_749, %v_753, %v_752 : index
          %v_755 = arith.select %v_748, %c0, %v_754 : index
          %v_756 = vector.load %tmp_1[%i_19, %c0] : !f32_8_16, vector<8xf32>
          %v_757 = vector.load %tmp_1[%i_19, %c8] : !f32_8_16, vector<8xf32>
          %v_758 = memref.load %C[%c11, %i_19] : !f32_16_8
          %v_759 = vector.broadcast %v_758 : f32 to vector<8xf32>
          %v_760 = vector.fma %v_756, %v_759, %carried_86 : vector<8xf32>
          %v_761 = vector.fma %v_757, %v_759, %carried_87 : vector<8xf32>
          %v_762 = memref.load %C[%c12, %i_19] : !f32_16_8
          %v_763 = vector.broadcast %v_762 : f32 to vector<8xf32>
          %v_764 = vector.fma %v_756, %v_763, %carried_88 : vector<8xf32>
          %v_765 = vector.fma %v_757, %v_763, %carried_89 : vector<8xf32>
          %v_766 = memref.load %C[%c13, %i_19] : !f32_16_8
          %v_767 = vector.broadcast %v_766 : f32 to vector<8xf32>
          %v_768 = vector.fma %v_756, %v_767, %carried_90 : vector<8xf32>
          %v_769 = vector.fma %v_757, %v_767, %carried_91 : vector<8xf32>
          %v_770 = memref.load %C[%c14, %i_19] : !f32_16_8
          %v_771 = vector.broadcast %v_770 : f32 to vector<8xf32>
          %v_772 = vector.fma %v_756, %v_771, %carried_92 : vector<8xf32>
          %v_773 = vector.fma %v_757, %v_771, %carried_93 : vector<8xf32>
          %v_774 = memref.load %C[%c15, %i_19] : !f32_16_8
          %v_775 = vector.broadcast %v_774 : f32 to vector<8xf32>
          %v_776 = vector.fma %v_756, %v_775, %carried_94 : vector<8xf32>
          %v_777 = vector.fma %v_757, %v_775, %carried_95 : vector<8xf32>
          %v_778 = arith.addi %i_19, %c1 : index
          %v_779 = vector.load %tmp_1[%v_778, %c0] : !f32_8_16, vector<8xf32>
          %v_780 = vector.load %tmp_1[%v_778, %c8] : !f32_8_16, vector<8xf32>
          %v_781 = memref.load %C[%c11, %v_778] : !f32_16_8
          %v_782 = vector.broadcast %v_781 : f32 to vector<8xf32>
          %v_783 = vector.fma %v_779, %v_782, %v_760 : vector<8xf32>
          %v_784 = vector.fma %v_780, %v_782, %v_761 : vector<8xf32>
          %v_785 = memref.load %C[%c12, %v_778] : !f32_16_8
          %v_786 = vector.broadcast %v_785 : f32 to vector<8xf32>
          %v_787 = vector.fma %v_779, %v_786, %v_764 : vector<8xf32>
          %v_788 = vector.fma %v_780, %v_786, %v_765 : vector<8xf32>
          %v_789 = memref.load %C[%c13, %v_778] : !f32_16_8
          %v_790 = vector.broadcast %v_789 : f32 to vector<8xf32>
          %v_791 = vector.fma %v_779, %v_790, %v_768 : vector<8xf32>
          %v_792 = vector.fma %v_780, %v_790, %v_769 : vector<8xf32>
          %v_793 = memref.load %C[%c14, %v_778] : !f32_16_8
          %v_794 = vector.broadcast %v_793 : f32 to vector<8xf32>
          %v_795 = vector.fma %v_779, %v_794, %v_772 : vector<8xf32>
          %v_796 = vector.fma %v_780, %v_794, %v_773 : vector<8xf32>
          %v_797 = memref.load %C[%c15, %v_778] : !f32_16_8
          %v_798 = vector.broadcast %v_797 : f32 to vector<8xf32>
          %v_799 = vector.fma %v_779, %v_798, %v_776 : vector<8xf32>
          %v_800 = vector.fma %v_780, %v_798, %v_777 : vector<8xf32>
          scf.yield %v_783, %v_784, %v_787, %v_788, %v_791, %v_792, %v_795, %v_796, %v_799, %v_800 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_801 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_802 = arith.mulf %loop_9#0, %v_801 : vector<8xf32>
        %v_803 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_804 = arith.mulf %loop_9#1, %v_803 : vector<8xf32>
        %v_805 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_806 = arith.mulf %loop_9#2, %v_805 : vector<8xf32>
        %v_807 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_808 = arith.mulf %loop_9#3, %v_807 : vector<8xf32>
        %v_809 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_810 = arith.mulf %loop_9#4, %v_809 : vector<8xf32>
        %v_811 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_812 = arith.mulf %loop_9#5, %v_811 : vector<8xf32>
        %v_813 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_814 = arith.mulf %loop_9#6, %v_813 : vector<8xf32>
        %v_815 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_816 = arith.mulf %loop_9#7, %v_815 : vector<8xf32>
        %v_817 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_818 = arith.mulf %loop_9#8, %v_817 : vector<8xf32>
        %v_819 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_820 = arith.mulf %loop_9#9, %v_819 : vector<8xf32>
        %v_821 = vector.load %D_view_2[%c11, %c0] : !f32_16_16, vector<8xf32>
        %v_822 = vector.load %D_view_2[%c11, %c8] : !f32_16_16, vector<8xf32>
        %v_823 = vector.load %D_view_2[%c12, %c0] : !f32_16_16, vector<8xf32>
        %v_824 = vector.load %D_view_2[%c12, %c8] : !f32_16_16, vector<8xf32>
        %v_825 = vector.load %D_view_2[%c13, %c0] : !f32_16_16, vector<8xf32>
        %v_826 = vector.load %D_view_2[%c13, %c8] : !f32_16_16, vector<8xf32>
        %v_827 = vector.load %D_view_2[%c14, %c0] : !f32_16_16, vector<8xf32>
        %v_828 = vector.load %D_view_2[%c14, %c8] : !f32_16_16, vector<8xf32>
        %v_829 = vector.load %D_view_2[%c15, %c0] : !f32_16_16, vector<8xf32>
        %v_830 = vector.load %D_view_2[%c15, %c8] : !f32_16_16, vector<8xf32>
        %v_831 = arith.addf %v_802, %v_821 : vector<8xf32>
        %v_832 = arith.addf %v_804, %v_822 : vector<8xf32>
        %v_833 = arith.addf %v_806, %v_823 : vector<8xf32>
        %v_834 = arith.addf %v_808, %v_824 : vector<8xf32>
        %v_835 = arith.addf %v_810, %v_825 : vector<8xf32>
        %v_836 = arith.addf %v_812, %v_826 : vector<8xf32>
        %v_837 = arith.addf %v_814, %v_827 : vector<8xf32>
        %v_838 = arith.addf %v_816, %v_828 : vector<8xf32>
        %v_839 = arith.addf %v_818, %v_829 : vector<8xf32>
        %v_840 = arith.addf %v_820, %v_830 : vector<8xf32>
        vector.store %v_831, %D_view_2[%c11, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_832, %D_view_2[%c11, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_833, %D_view_2[%c12, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_834, %D_view_2[%c12, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_835, %D_view_2[%c13, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_836, %D_view_2[%c13, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_837, %D_view_2[%c14, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_838, %D_view_2[%c14, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_839, %D_view_2[%c15, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_840, %D_view_2[%c15, %c8] : !f32_16_16, vector<8xf32>
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_fused(%first: index, %last: index, %groups: index, %alpha: memref<f32>, %A: memref<?xi64>, %B: !f32_8_8, %C: !f32_16_8, %D: !f32_n_16_16) attributes {llvm.emit_c_interface} {
    %alpha_1 = memref.load %alpha[] : memref<f32>
    func.call @pytl_fused_groups(%first, %last, %groups, %alpha_1, %A, %B, %C, %D) : (index, index, index, f32, memref<?xi64>, !f32_8_8, !f32_16_8, !f32_n_16_16) -> ()
    return
  }
}
