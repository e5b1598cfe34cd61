!f32_16_16 = memref<16x16xf32, strided<[16, 1], offset: ?>>
!f32_16_8 = memref<16x8xf32, strided<[8, 1], offset: ?>>
!f32_8_16 = memref<8x16xf32, strided<[16, 1], offset: ?>>
!f32_8_8 = memref<8x8xf32, strided<[8, 1], offset: ?>>
!f32_n_16_16 = memref<?x16x16xf32, strided<[256, 16, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_fused_groups(%first: index, %last: index, %groups: index, %alpha: f32, %A: memref<?xi64>, %B: !f32_8_8, %C: !f32_16_8, %D: !f32_n_16_16) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %descriptor = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %c16_i64 = arith.constant 16 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant dense<0.0> : vector<8xf32>
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %cst_1 = arith.constant -1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c256 = arith.constant 256 : index
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %c11 = arith.constant 11 : index
    %c12 = arith.constant 12 : index
    %c13 = arith.constant 13 : index
    %c14 = arith.constant 14 : index
    %c15 = arith.constant 15 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<512xi8>
    // 1: func @fused(%alpha: f32,
    scf.for %g = %first to %last step %c1 {
      // 7: %tmp = alloca : memref<f32x16x8,local>
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
      // 11: gemm.n.t %1, %0, %B, %2, %tmp
      %v = arith.subi %c8, %c0 : index
      %v_1 = arith.cmpi slt, %c0, %c8 : index
      %v_2 = arith.cmpi sgt, %c2, %c0 : index
      %v_3 = arith.andi %v_1, %v_2 : i1
      %v_4 = arith.select %v_2, %c2, %c1 : index
      %rounds = arith.ceildivui %v, %v_4 : index
      %rounds_1 = arith.select %v_3, %rounds, %c0 : index
      %loop:8 = scf.for %i = %c0 to %rounds_1 step %c1 iter_args(%carried = %cst, %carried_1 = %cst, %carried_2 = %cst, %carried_3 = %cst, %carried_4 = %cst, %carried_5 = %cst, %carried_6 = %cst, %carried_7 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %v_5 = arith.muli %i, %c2 : index
        %i_1 = arith.addi %c0, %v_5 : index
        %v_6 = arith.cmpi eq, %c2, %c0 : index
        %v_7 = arith.cmpi eq, %c2, %cst_1 : index
        %v_8 = arith.ori %v_6, %v_7 : i1
        %v_9 = arith.select %v_8, %c1, %c2 : index
        %v_10 = arith.divsi %i_1, %v_9 : index
        %v_11 = arith.subi %c0, %i_1 : index
        %v_12 = arith.select %v_7, %v_11, %v_10 : index
        %v_13 = arith.select %v_6, %c0, %v_12 : index
        %v_14 = vector.load %item_1[%i_1, %c0] : !f32_8_16, vector<8xf32>
        %v_15 = vector.load %item_1[%i_1, %c8] : !f32_8_16, vector<8xf32>
        %v_16 = memref.load %B[%i_1, %c0] : !f32_8_8
        %v_17 = vector.broadcast %v_16 : f32 to vector<8xf32>
        %v_18 = vector.fma %v_14, %v_17, %carried : vector<8xf32>
        %v_19 = vector.fma %v_15, %v_17, %carried_1 : vector<8xf32>
        %v_20 = memref.load %B[%i_1, %c1] : !f32_8_8
        %v_21 = vector.broadcast %v_20 : f32 to vector<8xf32>
        %v_22 = vector.fma %v_14, %v_21, %carried_2 : vector<8xf32>
        %v_23 = vector.fma %v_15, %v_21, %carried_3 : vector<8xf32>
        %v_24 = memref.load %B[%i_1, %c2] : !f32_8_8
        %v_25 = vector.broadcast %v_24 : f32 to vector<8xf32>
        %v_26 = vector.fma %v_14, %v_25, %carried_4 : vector<8xf32>
        %v_27 = vector.fma %v_15, %v_25, %carried_5 : vector<8xf32>
        %v_28 = memref.load %B[%i_1, %c3] : !f32_8_8
        %v_29 = vector.broadcast %v_28 : f32 to vector<8xf32>
        %v_30 = vector.fma %v_14, %v_29, %carried_6 : vector<8xf32>
        %v_31 = vector.fma %v_15, %v_29, %carried_7 : vector<8xf32>
        %v_32 = arith.addi %i_1, %c1 : index
        %v_33 = vector.load %item_1[%v_32, %c0] : !f32_8_16, vector<8xf32>
        %v_34 = vector.load %item_1[%v_32, %c8] : !f32_8_16, vector<8xf32>
        %v_35 = memref.load %B[%v_32, %c0] : !f32_8_8
        %v_36 = vector.broadcast %v_35 : f32 to vector<8xf32>
        %v_37 = vector.fma %v_33, %v_36, %v_18 : vector<8xf32>
        %v_38 = vector.fma %v_34, %v_36, %v_19 : vector<8xf32>
        %v_39 = memref.load %B[%v_32, %c1] : !f32_8_8
        %v_40 = vector.broadcast %v_39 : f32 to vector<8xf32>
        %v_41 = vector.fma %v_33, %v_40, %v_22 : vector<8xf32>
        %v_42 = vector.fma %v_34, %v_40, %v_23 : vector<8xf32>
        %v_43 = memref.load %B[%v_32, %c2] : !f32_8_8
        %v_44 = vector.broadcast %v_43 : f32 to vector<8xf32>
        %v_45 = vector.fma %v_33, %v_44, %v_26 : vector<8xf32>
        %v_46 = vector.fma %v_34, %v_44, %v_27 : vector<8xf32>
        %v_47 = memref.load %B[%v_32, %c3] : !f32_8_8
        %v_48 = vector.broadcast %v_47 : f32 to vector<8xf32>
        %v_49 = vector.fma %v_33, %v_48, %v_30 : vector<8xf32>
        %v_50 = vector.fma %v_34, %v_48, %v_31 : vector<8xf32>
        scf.yield %v_37, %v_38, %v_41, %v_42, %v_45, %v_46, %v_49, %v_50 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      vector.store %loop#0, %tmp[%c0, %c0] : !f32_8_16, vector<8xf32>
      vector.store %loop#1, %tmp[%c0, %c8] : !f32_8_16, vector<8xf32>
      vector.store %loop#2, %tmp[%c1, %c0] : !f32_8_16, vector<8xf32>
      vector.store %loop#3, %tmp[%c1, %c8] : !f32_8_16, vector<8xf32>
      vector.store %loop#4, %tmp[%c2, %c0] : !f32_8_16, vector<8xf32>
      vector.store %loop#5, %tmp[%c2, %c8] : !f32_8_16, vector<8xf32>
      vector.store %loop#6, %tmp[%c3, %c0] : !f32_8_16, vector<8xf32>
      vector.store %loop#7, %tmp[%c3, %c8] : !f32_8_16, vector<8xf32>
      %v_51 = arith.subi %c8, %c0 : index
      %v_52 = arith.cmpi slt, %c0, %c8 : index
      %v_53 = arith.cmpi sgt, %c2, %c0 : index
      %v_54 = arith.andi %v_52, %v_53 : i1
      %v_55 = arith.select %v_53, %c2, %c1 : index
      %rounds_2 = arith.ceildivui %v_51, %v_55 : index
      %rounds_3 = arith.select %v_54, %rounds_2, %c0 : index
      %loop_1:8 = scf.for %i_2 = %c0 to %rounds_3 step %c1 iter_args(%carried_8 = %cst, %carried_9 = %cst, %carried_10 = %cst, %carried_11 = %cst, %carried_12 = %cst, %carried_13 = %cst, %carried_14 = %cst, %carried_15 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %v_56 = arith.muli %i_2, %c2 : index
        %i_3 = arith.addi %c0, %v_56 : index
        %v_57 = arith.cmpi eq, %c2, %c0 : index
        %v_58 = arith.cmpi eq, %c2, %cst_1 : index
        %v_59 = arith.ori %v_57, %v_58 : i1
        %v_60 = arith.select %v_59, %c1, %c2 : index
        %v_61 = arith.divsi %i_3, %v_60 : index
        %v_62 = arith.subi %c0, %i_3 : index
        %v_63 = arith.select %v_58, %v_62, %v_61 : index
        %v_64 = arith.select %v_57, %c0, %v_63 : index
        %v_65 = vector.load %item_1[%i_3, %c0] : !f32_8_16, vector<8xf32>
        %v_66 = vector.load %item_1[%i_3, %c8] : !f32_8_16, vector<8xf32>
        %v_67 = memref.load %B[%i_3, %c4] : !f32_8_8
        %v_68 = vector.broadcast %v_67 : f32 to vector<8xf32>
        %v_69 = vector.fma %v_65, %v_68, %carried_8 : vector<8xf32>
        %v_70 = vector.fma %v_66, %v_68, %carried_9 : vector<8xf32>
        %v_71 = memref.load %B[%i_3, %c5] : !f32_8_8
        %v_72 = vector.broadcast %v_71 : f32 to vector<8xf32>
        %v_73 = vector.fma %v_65, %v_72, %carried_10 : vector<8xf32>
        %v_74 = vector.fma %v_66, %v_72, %carried_11 : vector<8xf32>
        %v_75 = memref.load %B[%i_3, %c6] : !f32_8_8
        %v_76 = vector.broadcast %v_75 : f32 to vector<8xf32>
        %v_77 = vector.fma %v_65, %v_76, %carried_12 : vector<8xf32>
        %v_78 = vector.fma %v_66, %v_76, %carried_13 : vector<8xf32>
        %v_79 = memref.load %B[%i_3, %c7] : !f32_8_8
        %v_80 = vector.broadcast %v_79 : f32 to vector<8xf32>
        %v_81 = vector.fma %v_65, %v_80, %carried_14 : vector<8xf32>
        %v_82 = vector.fma %v_66, %v_80, %carried_15 : vector<8xf32>
        %v_83 = arith.addi %i_3, %c1 : index
        %v_84 = vector.load %item_1[%v_83, %c0] : !f32_8_16, vector<8xf32>
        %v_85 = vector.load %item_1[%v_83, %c8] : !f32_8_16, vector<8xf32>
        %v_86 = memref.load %B[%v_83, %c4] : !f32_8_8
        %v_87 = vector.broadcast %v_86 : f32 to vector<8xf32>
        %v_88 = vector.fma %v_84, %v_87, %v_69 : vector<8xf32>
        %v_89 = vector.fma %v_85, %v_87, %v_70 : vector<8xf32>
        %v_90 = memref.load %B[%v_83, %c5] : !f32_8_8
        %v_91 = vector.broadcast %v_90 : f32 to vector<8xf32>
        %v_92 = vector.fma %v_84, %v_91, %v_73 : vector<8xf32>
        %v_93 = vector.fma %v_85, %v_91, %v_74 : vector<8xf32>
        %v_94 = memref.load %B[%v_83, %c6] : !f32_8_8
        %v_95 = vector.broadcast %v_94 : f32 to vector<8xf32>
        %v_96 = vector.fma %v_84, %v_95, %v_77 : vector<8xf32>
        %v_97 = vector.fma %v_85, %v_95, %v_78 : vector<8xf32>
        %v_98 = memref.load %B[%v_83, %c7] : !f32_8_8
        %v_99 = vector.broadcast %v_98 : f32 to vector<8xf32>
        %v_100 = vector.fma %v_84, %v_99, %v_81 : vector<8xf32>
        %v_101 = vector.fma %v_85, %v_99, %v_82 : vector<8xf32>
        scf.yield %v_88, %v_89, %v_92, %v_93, %v_96, %v_97, %v_100, %v_101 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
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
      %v_102 = arith.muli %g, %c256 : index
      %v_103 = arith.addi %D_offset, %v_102 : index
      %D_view = memref.reinterpret_cast %D to offset: [%v_103], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
      // 14: gemm.n.n %alpha, %tmp, %C, %4, %3
      %v_104 = arith.subi %c8, %c0 : index
      %v_105 = arith.cmpi slt, %c0, %c8 : index
      %v_106 = arith.cmpi sgt, %c2, %c0 : index
      %v_107 = arith.andi %v_105, %v_106 : i1
      %v_108 = arith.select %v_106, %c2, %c1 : index
      %rounds_4 = arith.ceildivui %v_104, %v_108 : index
      %rounds_5 = arith.select %v_107, %rounds_4, %c0 : index
      %loop_2:12 = scf.for %i_4 = %c0 to %rounds_5 step %c1 iter_args(%carried_16 = %cst, %carried_17 = %cst, %carried_18 = %cst, %carried_19 = %cst, %carried_20 = %cst, %carried_21 = %cst, %carried_22 = %cst, %carried_23 = %cst, %carried_24 = %cst, %carried_25 = %cst, %carried_26 = %cst, %carried_27 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %v_109 = arith.muli %i_4, %c2 : index
        %i_5 = arith.addi %c0, %v_109 : index
        %v_110 = arith.cmpi eq, %c2, %c0 : index
        %v_111 = arith.cmpi eq, %c2, %cst_1 : index
        %v_112 = arith.ori %v_110, %v_111 : i1
        %v_113 = arith.select %v_112, %c1, %c2 : index
        %v_114 = arith.divsi %i_5, %v_113 : index
        %v_115 = arith.subi %c0, %i_5 : index
        %v_116 = arith.select %v_111, %v_115, %v_114 : index
        %v_117 = arith.select %v_110, %c0, %v_116 : index
        %v_118 = vector.load %tmp[%i_5, %c0] : !f32_8_16, vector<8xf32>
        %v_119 = vector.load %tmp[%i_5, %c8] : !f32_8_16, vector<8xf32>
        %v_120 = memref.load %C[%c0, %i_5] : !f32_16_8
        %v_121 = vector.broadcast %v_120 : f32 to vector<8xf32>
        %v_122 = vector.fma %v_118, %v_121, %carried_16 : vector<8xf32>
        %v_123 = vector.fma %v_119, %v_121, %carried_17 : vector<8xf32>
        %v_124 = memref.load %C[%c1, %i_5] : !f32_16_8
        %v_125 = vector.broadcast %v_124 : f32 to vector<8xf32>
        %v_126 = vector.fma %v_118, %v_125, %carried_18 : vector<8xf32>
        %v_127 = vector.fma %v_119, %v_125, %carried_19 : vector<8xf32>
        %v_128 = memref.load %C[%c2, %i_5] : !f32_16_8
        %v_129 = vector.broadcast %v_128 : f32 to vector<8xf32>
        %v_130 = vector.fma %v_118, %v_129, %carried_20 : vector<8xf32>
        %v_131 = vector.fma %v_119, %v_129, %carried_21 : vector<8xf32>
        %v_132 = memref.load %C[%c3, %i_5] : !f32_16_8
        %v_133 = vector.broadcast %v_132 : f32 to vector<8xf32>
        %v_134 = vector.fma %v_118, %v_133, %carried_22 : vector<8xf32>
        %v_135 = vector.fma %v_119, %v_133, %carried_23 : vector<8xf32>
        %v_136 = memref.load %C[%c4, %i_5] : !f32_16_8
        %v_137 = vector.broadcast %v_136 : f32 to vector<8xf32>
        %v_138 = vector.fma %v_118, %v_137, %carried_24 : vector<8xf32>
        %v_139 = vector.fma %v_119, %v_137, %carried_25 : vector<8xf32>
        %v_140 = memref.load %C[%c5, %i_5] : !f32_16_8
        %v_141 = vector.broadcast %v_140 : f32 to vector<8xf32>
        %v_142 = vector.fma %v_118, %v_141, %carried_26 : vector<8xf32>
        %v_143 = vector.fma %v_119, %v_141, %carried_27 : vector<8xf32>
        %v_144 = arith.addi %i_5, %c1 : index
        %v_145 = vector.load %tmp[%v_144, %c0] : !f32_8_16, vector<8xf32>
        %v_146 = vector.load %tmp[%v_144, %c8] : !f32_8_16, vector<8xf32>
        %v_147 = memref.load %C[%c0, %v_144] : !f32_16_8
        %v_148 = vector.broadcast %v_147 : f32 to vector<8xf32>
        %v_149 = vector.fma %v_145, %v_148, %v_122 : vector<8xf32>
        %v_150 = vector.fma %v_146, %v_148, %v_123 : vector<8xf32>
        %v_151 = memref.load %C[%c1, %v_144] : !f32_16_8
        %v_152 = vector.broadcast %v_151 : f32 to vector<8xf32>
        %v_153 = vector.fma %v_145, %v_152, %v_126 : vector<8xf32>
        %v_154 = vector.fma %v_146, %v_152, %v_127 : vector<8xf32>
        %v_155 = memref.load %C[%c2, %v_144] : !f32_16_8
        %v_156 = vector.broadcast %v_155 : f32 to vector<8xf32>
        %v_157 = vector.fma %v_145, %v_156, %v_130 : vector<8xf32>
        %v_158 = vector.fma %v_146, %v_156, %v_131 : vector<8xf32>
        %v_159 = memref.load %C[%c3, %v_144] : !f32_16_8
        %v_160 = vector.broadcast %v_159 : f32 to vector<8xf32>
        %v_161 = vector.fma %v_145, %v_160, %v_134 : vector<8xf32>
        %v_162 = vector.fma %v_146, %v_160, %v_135 : vector<8xf32>
        %v_163 = memref.load %C[%c4, %v_144] : !f32_16_8
        %v_164 = vector.broadcast %v_163 : f32 to vector<8xf32>
        %v_165 = vector.fma %v_145, %v_164, %v_138 : vector<8xf32>
        %v_166 = vector.fma %v_146, %v_164, %v_139 : vector<8xf32>
        %v_167 = memref.load %C[%c5, %v_144] : !f32_16_8
        %v_168 = vector.broadcast %v_167 : f32 to vector<8xf32>
        %v_169 = vector.fma %v_145, %v_168, %v_142 : vector<8xf32>
        %v_170 = vector.fma %v_146, %v_168, %v_143 : vector<8xf32>
        scf.yield %v_149, %v_150, %v_153, %v_154, %v_157, %v_158, %v_161, %v_162, %v_165, %v_166, %v_169, %v_170 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      %v_171 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_172 = arith.mulf %loop_2#0, %v_171 : vector<8xf32>
      %v_173 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_174 = arith.mulf %loop_2#1, %v_173 : vector<8xf32>
      %v_175 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_176 = arith.mulf %loop_2#2, %v_175 : vector<8xf32>
      %v_177 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_178 = arith.mulf %loop_2#3, %v_177 : vector<8xf32>
      %v_179 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_180 = arith.mulf %loop_2#4, %v_179 : vector<8xf32>
      %v_181 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_182 = arith.mulf %loop_2#5, %v_181 : vector<8xf32>
      %v_183 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_184 = arith.mulf %loop_2#6, %v_183 : vector<8xf32>
      %v_185 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_186 = arith.mulf %loop_2#7, %v_185 : vector<8xf32>
      %v_187 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_188 = arith.mulf %loop_2#8, %v_187 : vector<8xf32>
      %v_189 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_190 = arith.mulf %loop_2#9, %v_189 : vector<8xf32>
      %v_191 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_192 = arith.mulf %loop_2#10, %v_191 : vector<8xf32>
      %v_193 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_194 = arith.mulf %loop_2#11, %v_193 : vector<8xf32>
      %v_195 = vector.load %D_view[%c0, %c0] : !f32_16_16, vector<8xf32>
      %v_196 = vector.load %D_view[%c0, %c8] : !f32_16_16, vector<8xf32>
      %v_197 = vector.load %D_view[%c1, %c0] : !f32_16_16, vector<8xf32>
      %v_198 = vector.load %D_view[%c1, %c8] : !f32_16_16, vector<8xf32>
      %v_199 = vector.load %D_view[%c2, %c0] : !f32_16_16, vector<8xf32>
      %v_200 = vector.load %D_view[%c2, %c8] : !f32_16_16, vector<8xf32>
      %v_201 = vector.load %D_view[%c3, %c0] : !f32_16_16, vector<8xf32>
      %v_202 = vector.load %D_view[%c3, %c8] : !f32_16_16, vector<8xf32>
      %v_203 = vector.load %D_view[%c4, %c0] : !f32_16_16, vector<8xf32>
      %v_204 = vector.load %D_view[%c4, %c8] : !f32_16_16, vector<8xf32>
      %v_205 = vector.load %D_view[%c5, %c0] : !f32_16_16, vector<8xf32>
      %v_206 = vector.load %D_view[%c5, %c8] : !f32_16_16, vector<8xf32>
      %v_207 = arith.addf %v_172, %v_195 : vector<8xf32>
      %v_208 = arith.addf %v_174, %v_196 : vector<8xf32>
      %v_209 = arith.addf %v_176, %v_197 : vector<8xf32>
      %v_210 = arith.addf %v_178, %v_198 : vector<8xf32>
      %v_211 = arith.addf %v_180, %v_199 : vector<8xf32>
      %v_212 = arith.addf %v_182, %v_200 : vector<8xf32>
      %v_213 = arith.addf %v_184, %v_201 : vector<8xf32>
      %v_214 = arith.addf %v_186, %v_202 : vector<8xf32>
      %v_215 = arith.addf %v_188, %v_203 : vector<8xf32>
      %v_216 = arith.addf %v_190, %v_204 : vector<8xf32>
      %v_217 = arith.addf %v_192, %v_205 : vector<8xf32>
      %v_218 = arith.addf %v_194, %v_206 : vector<8xf32>
      vector.store %v_207, %D_view[%c0, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_208, %D_view[%c0, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_209, %D_view[%c1, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_210, %D_view[%c1, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_211, %D_view[%c2, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_212, %D_view[%c2, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_213, %D_view[%c3, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_214, %D_view[%c3, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_215, %D_view[%c4, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_216, %D_view[%c4, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_217, %D_view[%c5, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_218, %D_view[%c5, %c8] : !f32_16_16, vector<8xf32>
      %v_219 = arith.subi %c8, %c0 : index
      %v_220 = arith.cmpi slt, %c0, %c8 : index
      %v_221 = arith.cmpi sgt, %c2, %c0 : index
      %v_222 = arith.andi %v_220, %v_221 : i1
      %v_223 = arith.select %v_221, %c2, %c1 : index
      %rounds_6 = arith.ceildivui %v_219, %v_223 : index
      %rounds_7 = arith.select %v_222, %rounds_6, %c0 : index
      %loop_3:10 = scf.for %i_6 = %c0 to %rounds_7 step %c1 iter_args(%carried_28 = %cst, %carried_29 = %cst, %carried_30 = %cst, %carried_31 = %cst, %carried_32 = %cst, %carried_33 = %cst, %carried_34 = %cst, %carried_35 = %cst, %carried_36 = %cst, %carried_37 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %v_224 = arith.muli %i_6, %c2 : index
        %i_7 = arith.addi %c0, %v_224 : index
        %v_225 = arith.cmpi eq, %c2, %c0 : index
        %v_226 = arith.cmpi eq, %c2, %cst_1 : index
        %v_227 = arith.ori %v_225, %v_226 : i1
        %v_228 = arith.select %v_227, %c1, %c2 : index
        %v_229 = arith.divsi %i_7, %v_228 : index
        %v_230 = arith.subi %c0, %i_7 : index
        %v_231 = arith.select %v_226, %v_230, %v_229 : index
        %v_232 = arith.select %v_225, %c0, %v_231 : index
        %v_233 = vector.load %tmp[%i_7, %c0] : !f32_8_16, vector<8xf32>
        %v_234 = vector.load %tmp[%i_7, %c8] : !f32_8_16, vector<8xf32>
        %v_235 = memref.load %C[%c6, %i_7] : !f32_16_8
        %v_236 = vector.broadcast %v_235 : f32 to vector<8xf32>
        %v_237 = vector.fma %v_233, %v_236, %carried_28 : vector<8xf32>
        %v_238 = vector.fma %v_234, %v_236, %carried_29 : vector<8xf32>
        %v_239 = memref.load %C[%c7, %i_7] : !f32_16_8
        %v_240 = vector.broadcast %v_239 : f32 to vector<8xf32>
        %v_241 = vector.fma %v_233, %v_240, %carried_30 : vector<8xf32>
        %v_242 = vector.fma %v_234, %v_240, %carried_31 : vector<8xf32>
        %v_243 = memref.load %C[%c8, %i_7] : !f32_16_8
        %v_244 = vector.broadcast %v_243 : f32 to vector<8xf32>
        %v_245 = vector.fma %v_233, %v_244, %carried_32 : vector<8xf32>
        %v_246 = vector.fma %v_234, %v_244, %carried_33 : vector<8xf32>
        %v_247 = memref.load %C[%c9, %i_7] : !f32_16_8
        %v_248 = vector.broadcast %v_247 : f32 to vector<8xf32>
        %v_249 = vector.fma %v_233, %v_248, %carried_34 : vector<8xf32>
        %v_250 = vector.fma %v_234, %v_248, %carried_35 : vector<8xf32>
        %v_251 = memref.load %C[%c10, %i_7] : !f32_16_8
        %v_252 = vector.broadcast %v_251 : f32 to vector<8xf32>
        %v_253 = vector.fma %v_233, %v_252, %carried_36 : vector<8xf32>
        %v_254 = vector.fma %v_234, %v_252, %carried_37 : vector<8xf32>
        %v_255 = arith.addi %i_7, %c1 : index
        %v_256 = vector.load %tmp[%v_255, %c0] : !f32_8_16, vector<8xf32>
        %v_257 = vector.load %tmp[%v_255, %c8] : !f32_8_16, vector<8xf32>
        %v_258 = memref.load %C[%c6, %v_255] : !f32_16_8
        %v_259 = vector.broadcast %v_258 : f32 to vector<8xf32>
        %v_260 = vector.fma %v_256, %v_259, %v_237 : vector<8xf32>
        %v_261 = vector.fma %v_257, %v_259, %v_238 : vector<8xf32>
        %v_262 = memref.load %C[%c7, %v_255] : !f32_16_8
        %v_263 = vector.broadcast %v_262 : f32 to vector<8xf32>
        %v_264 = vector.fma %v_256, %v_263, %v_241 : vector<8xf32>
        %v_265 = vector.fma %v_257, %v_263, %v_242 : vector<8xf32>
        %v_266 = memref.load %C[%c8, %v_255] : !f32_16_8
        %v_267 = vector.broadcast %v_266 : f32 to vector<8xf32>
        %v_268 = vector.fma %v_256, %v_267, %v_245 : vector<8xf32>
        %v_269 = vector.fma %v_257, %v_267, %v_246 : vector<8xf32>
        %v_270 = memref.load %C[%c9, %v_255] : !f32_16_8
        %v_271 = vector.broadcast %v_270 : f32 to vector<8xf32>
        %v_272 = vector.fma %v_256, %v_271, %v_249 : vector<8xf32>
        %v_273 = vector.fma %v_257, %v_271, %v_250 : vector<8xf32>
        %v_274 = memref.load %C[%c10, %v_255] : !f32_16_8
        %v_275 = vector.broadcast %v_274 : f32 to vector<8xf32>
        %v_276 = vector.fma %v_256, %v_275, %v_253 : vector<8xf32>
        %v_277 = vector.fma %v_257, %v_275, %v_254 : vector<8xf32>
        scf.yield %v_260, %v_261, %v_264, %v_265, %v_268, %v_269, %v_272, %v_273, %v_276, %v_277 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      %v_278 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_279 = arith.mulf %loop_3#0, %v_278 : vector<8xf32>
      %v_280 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_281 = arith.mulf %loop_3#1, %v_280 : vector<8xf32>
      %v_282 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_283 = arith.mulf %loop_3#2, %v_282 : vector<8xf32>
      %v_284 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_285 = arith.mulf %loop_3#3, %v_284 : vector<8xf32>
      %v_286 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_287 = arith.mulf %loop_3#4, %v_286 : vector<8xf32>
      %v_288 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_289 = arith.mulf %loop_3#5, %v_288 : vector<8xf32>
      %v_290 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_291 = arith.mulf %loop_3#6, %v_290 : vector<8xf32>
      %v_292 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_293 = arith.mulf %loop_3#7, %v_292 : vector<8xf32>
      %v_294 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_295 = arith.mulf %loop_3#8, %v_294 : vector<8xf32>
      %v_296 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_297 = arith.mulf %loop_3#9, %v_296 : vector<8xf32>
      %v_298 = vector.load %D_view[%c6, %c0] : !f32_16_16, vector<8xf32>
      %v_299 = vector.load %D_view[%c6, %c8] : !f32_16_16, vector<8xf32>
      %v_300 = vector.load %D_view[%c7, %c0] : !f32_16_16, vector<8xf32>
      %v_301 = vector.load %D_view[%c7, %c8] : !f32_16_16, vector<8xf32>
      %v_302 = vector.load %D_view[%c8, %c0] : !f32_16_16, vector<8xf32>
      %v_303 = vector.load %D_view[%c8, %c8] : !f32_16_16, vector<8xf32>
      %v_304 = vector.load %D_view[%c9, %c0] : !f32_16_16, vector<8xf32>
      %v_305 = vector.load %D_view[%c9, %c8] : !f32_16_16, vector<8xf32>
      %v_306 = vector.load %D_view[%c10, %c0] : !f32_16_16, vector<8xf32>
      %v_307 = vector.load %D_view[%c10, %c8] : !f32_16_16, vector<8xf32>
      %v_308 = arith.addf %v_279, %v_298 : vector<8xf32>
      %v_309 = arith.addf %v_281, %v_299 : vector<8xf32>
      %v_310 = arith.addf %v_283, %v_300 : vector<8xf32>
      %v_311 = arith.addf %v_285, %v_301 : vector<8xf32>
      %v_312 = arith.addf %v_287, %v_302 : vector<8xf32>
      %v_313 = arith.addf %v_289, %v_303 : vector<8xf32>
      %v_314 = arith.addf %v_291, %v_304 : vector<8xf32>
      %v_315 = arith.addf %v_293, %v_305 : vector<8xf32>
      %v_316 = arith.addf %v_295, %v_306 : vector<8xf32>
      %v_317 = arith.addf %v_297, %v_307 : vector<8xf32>
      vector.store %v_308, %D_view[%c6, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_309, %D_view[%c6, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_310, %D_view[%c7, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_311, %D_view[%c7, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_312, %D_view[%c8, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_313, %D_view[%c8, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_314, %D_view[%c9, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_315, %D_view[%c9, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_316, %D_view[%c10, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_317, %D_view[%c10, %c8] : !f32_16_16, vector<8xf32>
      %v_318 = arith.subi %c8, %c0 : index
      %v_319 = arith.cmpi slt, %c0, %c8 : index
      %v_320 = arith.cmpi sgt, %c2, %c0 : index
      %v_321 = arith.andi %v_319, %v_320 : i1
      %v_322 = arith.select %v_320, %c2, %c1 : index
      %rounds_8 = arith.ceildivui %v_318, %v_322 : index
      %rounds_9 = arith.select %v_321, %rounds_8, %c0 : index
      %loop_4:10 = scf.for %i_8 = %c0 to %rounds_9 step %c1 iter_args(%carried_38 = %cst, %carried_39 = %cst, %carried_40 = %cst, %carried_41 = %cst, %carried_42 = %cst, %carried_43 = %cst, %carried_44 = %cst, %carried_45 = %cst, %carried_46 = %cst, %carried_47 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
        %v_323 = arith.muli %i_8, %c2 : index
        %i_9 = arith.addi %c0, %v_323 : index
        %v_324 = arith.cmpi eq, %c2, %c0 : index
        %v_325 = arith.cmpi eq, %c2, %cst_1 : index
        %v_326 = arith.ori %v_324, %v_325 : i1
        %v_327 = arith.select %v_326, %c1, %c2 : index
        %v_328 = arith.divsi %i_9, %v_327 : index
        %v_329 = arith.subi %c0, %i_9 : index
        %v_330 = arith.select %v_325, %v_329, %v_328 : index
        %v_331 = arith.select %v_324, %c0, %v_330 : index
        %v_332 = vector.load %tmp[%i_9, %c0] : !f32_8_16, vector<8xf32>
        %v_333 = vector.load %tmp[%i_9, %c8] : !f32_8_16, vector<8xf32>
        %v_334 = memref.load %C[%c11, %i_9] : !f32_16_8
        %v_335 = vector.broadcast %v_334 : f32 to vector<8xf32>
        %v_336 = vector.fma %v_332, %v_335, %carried_38 : vector<8xf32>
        %v_337 = vector.fma %v_333, %v_335, %carried_39 : vector<8xf32>
        %v_338 = memref.load %C[%c12, %i_9] : !f32_16_8
        %v_339 = vector.broadcast %v_338 : f32 to vector<8xf32>
        %v_340 = vector.fma %v_332, %v_339, %carried_40 : vector<8xf32>
        %v_341 = vector.fma %v_333, %v_339, %carried_41 : vector<8xf32>
        %v_342 = memref.load %C[%c13, %i_9] : !f32_16_8
        %v_343 = vector.broadcast %v_342 : f32 to vector<8xf32>
        %v_344 = vector.fma %v_332, %v_343, %carried_42 : vector<8xf32>
        %v_345 = vector.fma %v_333, %v_343, %carried_43 : vector<8xf32>
        %v_346 = memref.load %C[%c14, %i_9] : !f32_16_8
        %v_347 = vector.broadcast %v_346 : f32 to vector<8xf32>
        %v_348 = vector.fma %v_332, %v_347, %carried_44 : vector<8xf32>
        %v_349 = vector.fma %v_333, %v_347, %carried_45 : vector<8xf32>
        %v_350 = memref.load %C[%c15, %i_9] : !f32_16_8
        %v_351 = vector.broadcast %v_350 : f32 to vector<8xf32>
        %v_352 = vector.fma %v_332, %v_351, %carried_46 : vector<8xf32>
        %v_353 = vector.fma %v_333, %v_351, %carried_47 : vector<8xf32>
        %v_354 = arith.addi %i_9, %c1 : index
        %v_355 = vector.load %tmp[%v_354, %c0] : !f32_8_16, vector<8xf32>
        %v_356 = vector.load %tmp[%v_354, %c8] : !f32_8_16, vector<8xf32>
        %v_357 = memref.load %C[%c11, %v_354] : !f32_16_8
        %v_358 = vector.broadcast %v_357 : f32 to vector<8xf32>
        %v_359 = vector.fma %v_355, %v_358, %v_336 : vector<8xf32>
        %v_360 = vector.fma %v_356, %v_358, %v_337 : vector<8xf32>
        %v_361 = memref.load %C[%c12, %v_354] : !f32_16_8
        %v_362 = vector.broadcast %v_361 : f32 to vector<8xf32>
        %v_363 = vector.fma %v_355, %v_362, %v_340 : vector<8xf32>
        %v_364 = vector.fma %v_356, %v_362, %v_341 : vector<8xf32>
        %v_365 = memref.load %C[%c13, %v_354] : !f32_16_8
        %v_366 = vector.broadcast %v_365 : f32 to vector<8xf32>
        %v_367 = vector.fma %v_355, %v_366, %v_344 : vector<8xf32>
        %v_368 = vector.fma %v_356, %v_366, %v_345 : vector<8xf32>
        %v_369 = memref.load %C[%c14, %v_354] : !f32_16_8
        %v_370 = vector.broadcast %v_369 : f32 to vector<8xf32>
        %v_371 = vector.fma %v_355, %v_370, %v_348 : vector<8xf32>
        %v_372 = vector.fma %v_356, %v_370, %v_349 : vector<8xf32>
        %v_373 = memref.load %C[%c15, %v_354] : !f32_16_8
        %v_374 = vector.broadcast %v_373 : f32 to vector<8xf32>
        %v_375 = vector.fma %v_355, %v_374, %v_352 : vector<8xf32>
        %v_376 = vector.fma %v_356, %v_374, %v_353 : vector<8xf32>
        scf.yield %v_359, %v_360, %v_363, %v_364, %v_367, %v_368, %v_371, %v_372, %v_375, %v_376 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
      }
      %v_377 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_378 = arith.mulf %loop_4#0, %v_377 : vector<8xf32>
      %v_379 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_380 = arith.mulf %loop_4#1, %v_379 : vector<8xf32>
      %v_381 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_382 = arith.mulf %loop_4#2, %v_381 : vector<8xf32>
      %v_383 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_384 = arith.mulf %loop_4#3, %v_383 : vector<8xf32>
      %v_385 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_386 = arith.mulf %loop_4#4, %v_385 : vector<8xf32>
      %v_387 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_388 = arith.mulf %loop_4#5, %v_387 : vector<8xf32>
      %v_389 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_390 = arith.mulf %loop_4#6, %v_389 : vector<8xf32>
      %v_391 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_392 = arith.mulf %loop_4#7, %v_391 : vector<8xf32>
      %v_393 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_394 = arith.mulf %loop_4#8, %v_393 : vector<8xf32>
      %v_395 = vector.broadcast %alpha : f32 to vector<8xf32>
      %v_396 = arith.mulf %loop_4#9, %v_395 : vector<8xf32>
      %v_397 = vector.load %D_view[%c11, %c0] : !f32_16_16, vector<8xf32>
      %v_398 = vector.load %D_view[%c11, %c8] : !f32_16_16, vector<8xf32>
      %v_399 = vector.load %D_view[%c12, %c0] : !f32_16_16, vector<8xf32>
      %v_400 = vector.load %D_view[%c12, %c8] : !f32_16_16, vector<8xf32>
      %v_401 = vector.load %D_view[%c13, %c0] : !f32_16_16, vector<8xf32>
      %v_402 = vector.load %D_view[%c13, %c8] : !f32_16_16, vector<8xf32>
      %v_403 = vector.load %D_view[%c14, %c0] : !f32_16_16, vector<8xf32>
      %v_404 = vector.load %D_view[%c14, %c8] : !f32_16_16, vector<8xf32>
      %v_405 = vector.load %D_view[%c15, %c0] : !f32_16_16, vector<8xf32>
      %v_406 = vector.load %D_view[%c15, %c8] : !f32_16_16, vector<8xf32>
      %v_407 = arith.addf %v_378, %v_397 : vector<8xf32>
      %v_408 = arith.addf %v_380, %v_398 : vector<8xf32>
      %v_409 = arith.addf %v_382, %v_399 : vector<8xf32>
      %v_410 = arith.addf %v_384, %v_400 : vector<8xf32>
      %v_411 = arith.addf %v_386, %v_401 : vector<8xf32>
      %v_412 = arith.addf %v_388, %v_402 : vector<8xf32>
      %v_413 = arith.addf %v_390, %v_403 : vector<8xf32>
      %v_414 = arith.addf %v_392, %v_404 : vector<8xf32>
      %v_415 = arith.addf %v_394, %v_405 : vector<8xf32>
      %v_416 = arith.addf %v_396, %v_406 : vector<8xf32>
      vector.store %v_407, %D_view[%c11, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_408, %D_view[%c11, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_409, %D_view[%c12, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_410, %D_view[%c12, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_411, %D_view[%c13, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_412, %D_view[%c13, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_413, %D_view[%c14, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_414, %D_view[%c14, %c8] : !f32_16_16, vector<8xf32>
      vector.store %v_415, %D_view[%c15, %c0] : !f32_16_16, vector<8xf32>
      vector.store %v_416, %D_view[%c15, %c8] : !f32_16_16, vector<8xf32>
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
