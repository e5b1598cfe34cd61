!f32_16_16 = memref<16x16xf32, strided<[16, 1], offset: ?>>
!f32_16_8 = memref<16x8xf32, strided<[8, 1], offset: ?>>
!f32_8_16 = memref<8x16xf32, strided<[16, 1], offset: ?>>
!f32_8_8 = memref<8x8xf32, strided<[8, 1], offset: ?>>
!f32_n_16_16 = memref<?x16x16xf32, strided<[256, 16, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_fused_groups(%first: index, %last: index, %groups: index, %alpha: f32, %A: memref<?x!f32_8_16>, %B: !f32_8_8, %C: !f32_16_8, %D: !f32_n_16_16) {
    %c1536 = arith.constant 1536 : index
    %c0 = arith.constant 0 : index
    %c1000000 = arith.constant 1000000 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
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
        %item = memref.load %A[%g] : memref<?x!f32_8_16>
        %item_1 = memref.load %A[%v_4] : memref<?x!f32_8_16>
        // 11: gemm.n.t %1, %0, %B, %2, %tmp
        memref.prefetch %item_1[%c0, %c0], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_1[%c0, %c16], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_1[%c0, %c32], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_1[%c0, %c48], read, locality<3>, data : !f32_8_16
        %loop:8 = scf.for %i = %c0 to %c8 step %c2 iter_args(%carried = %cst, %carried_1 = %cst, %carried_2 = %cst, %carried_3 = %cst, %carried_4 = %cst, %carried_5 = %cst, %carried_6 = %cst, %carried_7 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_5 = arith.cmpi eq, %c2, %c0 : index
          %v_6 = arith.cmpi eq, %c2, %cst_1 : index
          %v_7 = arith.ori %v_5, %v_6 : i1
          %v_8 = arith.select %v_7, %c1, %c2 : index
          %v_9 = arith.divsi %i, %v_8 : index
          %v_10 = arith.subi %c0, %i : index
          %v_11 = arith.select %v_6, %v_10, %v_9 : index
          %v_12 = arith.select %v_5, %c0, %v_11 : index
          %v_13 = vector.load %item[%i, %c0] : !f32_8_16, vector<8xf32>
          %v_14 = vector.load %item[%i, %c8] : !f32_8_16, vector<8xf32>
          %v_15 = memref.load %B[%i, %c0] : !f32_8_8
          %v_16 = vector.broadcast %v_15 : f32 to vector<8xf32>
          %v_17 = vector.fma %v_13, %v_16, %carried : vector<8xf32>
          %v_18 = vector.fma %v_14, %v_16, %carried_1 : vector<8xf32>
          %v_19 = memref.load %B[%i, %c1] : !f32_8_8
          %v_20 = vector.broadcast %v_19 : f32 to vector<8xf32>
          %v_21 = vector.fma %v_13, %v_20, %carried_2 : vector<8xf32>
          %v_22 = vector.fma %v_14, %v_20, %carried_3 : vector<8xf32>
          %v_23 = memref.load %B[%i, %c2] : !f32_8_8
          %v_24 = vector.broadcast %v_23 : f32 to vector<8xf32>
          %v_25 = vector.fma %v_13, %v_24, %carried_4 : vector<8xf32>
          %v_26 = vector.fma %v_14, %v_24, %carried_5 : vector<8xf32>
          %v_27 = memref.load %B[%i, %c3] : !f32_8_8
          %v_28 = vector.broadcast %v_27 : f32 to vector<8xf32>
          %v_29 = vector.fma %v_13, %v_28, %carried_6 : vector<8xf32>
          %v_30 = vector.fma %v_14, %v_28, %carried_7 : vector<8xf32>
          %v_31 = arith.addi %i, %c1 : index
          %v_32 = vector.load %item[%v_31, %c0] : !f32_8_16, vector<8xf32>
          %v_33 = vector.load %item[%v_31, %c8] : !f32_8_16, vector<8xf32>
          %v_34 = memref.load %B[%v_31, %c0] : !f32_8_8
          %v_35 = vector.broadcast %v_34 : f32 to vector<8xf32>
          %v_36 = vector.fma %v_32, %v_35, %v_17 : vector<8xf32>
          %v_37 = vector.fma %v_33, %v_35, %v_18 : vector<8xf32>
          %v_38 = memref.load %B[%v_31, %c1] : !f32_8_8
          %v_39 = vector.broadcast %v_38 : f32 to vector<8xf32>
          %v_40 = vector.fma %v_32, %v_39, %v_21 : vector<8xf32>
          %v_41 = vector.fma %v_33, %v_39, %v_22 : vector<8xf32>
          %v_42 = memref.load %B[%v_31, %c2] : !f32_8_8
          %v_43 = vector.broadcast %v_42 : f32 to vector<8xf32>
          %v_44 = vector.fma %v_32, %v_43, %v_25 : vector<8xf32>
          %v_45 = vector.fma %v_33, %v_43, %v_26 : vector<8xf32>
          %v_46 = memref.load %B[%v_31, %c3] : !f32_8_8
          %v_47 = vector.broadcast %v_46 : f32 to vector<8xf32>
          %v_48 = vector.fma %v_32, %v_47, %v_29 : vector<8xf32>
          %v_49 = vector.fma %v_33, %v_47, %v_30 : vector<8xf32>
          scf.yield %v_36, %v_37, %v_40, %v_41, %v_44, %v_45, %v_48, %v_49 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        vector.store %loop#0, %tmp[%c0, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#1, %tmp[%c0, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop#2, %tmp[%c1, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#3, %tmp[%c1, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop#4, %tmp[%c2, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#5, %tmp[%c2, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop#6, %tmp[%c3, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop#7, %tmp[%c3, %c8] : !f32_8_16, vector<8xf32>
        memref.prefetch %item_1[%c0, %c64], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_1[%c0, %c80], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_1[%c0, %c96], read, locality<3>, data : !f32_8_16
        memref.prefetch %item_1[%c0, %c112], read, locality<3>, data : !f32_8_16
        %loop_1:8 = scf.for %i_1 = %c0 to %c8 step %c2 iter_args(%carried_8 = %cst, %carried_9 = %cst, %carried_10 = %cst, %carried_11 = %cst, %carried_12 = %cst, %carried_13 = %cst, %carried_14 = %cst, %carried_15 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_50 = arith.cmpi eq, %c2, %c0 : index
          %v_51 = arith.cmpi eq, %c2, %cst_1 : index
          %v_52 = arith.ori %v_50, %v_51 : i1
          %v_53 = arith.select %v_52, %c1, %c2 : index
          %v_54 = arith.divsi %i_1, %v_53 : index
          %v_55 = arith.subi %c0, %i_1 : index
          %v_56 = arith.select %v_51, %v_55, %v_54 : index
          %v_57 = arith.select %v_50, %c0, %v_56 : index
          %v_58 = vector.load %item[%i_1, %c0] : !f32_8_16, vector<8xf32>
          %v_59 = vector.load %item[%i_1, %c8] : !f32_8_16, vector<8xf32>
          %v_60 = memref.load %B[%i_1, %c4] : !f32_8_8
          %v_61 = vector.broadcast %v_60 : f32 to vector<8xf32>
          %v_62 = vector.fma %v_58, %v_61, %carried_8 : vector<8xf32>
          %v_63 = vector.fma %v_59, %v_61, %carried_9 : vector<8xf32>
          %v_64 = memref.load %B[%i_1, %c5] : !f32_8_8
          %v_65 = vector.broadcast %v_64 : f32 to vector<8xf32>
          %v_66 = vector.fma %v_58, %v_65, %carried_10 : vector<8xf32>
          %v_67 = vector.fma %v_59, %v_65, %carried_11 : vector<8xf32>
          %v_68 = memref.load %B[%i_1, %c6] : !f32_8_8
          %v_69 = vector.broadcast %v_68 : f32 to vector<8xf32>
          %v_70 = vector.fma %v_58, %v_69, %carried_12 : vector<8xf32>
          %v_71 = vector.fma %v_59, %v_69, %carried_13 : vector<8xf32>
          %v_72 = memref.load %B[%i_1, %c7] : !f32_8_8
          %v_73 = vector.broadcast %v_72 : f32 to vector<8xf32>
          %v_74 = vector.fma %v_58, %v_73, %carried_14 : vector<8xf32>
          %v_75 = vector.fma %v_59, %v_73, %carried_15 : vector<8xf32>
          %v_76 = arith.addi %i_1, %c1 : index
          %v_77 = vector.load %item[%v_76, %c0] : !f32_8_16, vector<8xf32>
          %v_78 = vector.load %item[%v_76, %c8] : !f32_8_16, vector<8xf32>
          %v_79 = memref.load %B[%v_76, %c4] : !f32_8_8
          %v_80 = vector.broadcast %v_79 : f32 to vector<8xf32>
          %v_81 = vector.fma %v_77, %v_80, %v_62 : vector<8xf32>
          %v_82 = vector.fma %v_78, %v_80, %v_63 : vector<8xf32>
          %v_83 = memref.load %B[%v_76, %c5] : !f32_8_8
          %v_84 = vector.broadcast %v_83 : f32 to vector<8xf32>
          %v_85 = vector.fma %v_77, %v_84, %v_66 : vector<8xf32>
          %v_86 = vector.fma %v_78, %v_84, %v_67 : vector<8xf32>
          %v_87 = memref.load %B[%v_76, %c6] : !f32_8_8
          %v_88 = vector.broadcast %v_87 : f32 to vector<8xf32>
          %v_89 = vector.fma %v_77, %v_88, %v_70 : vector<8xf32>
          %v_90 = vector.fma %v_78, %v_88, %v_71 : vector<8xf32>
          %v_91 = memref.load %B[%v_76, %c7] : !f32_8_8
          %v_92 = vector.broadcast %v_91 : f32 to vector<8xf32>
          %v_93 = vector.fma %v_77, %v_92, %v_74 : vector<8xf32>
          %v_94 = vector.fma %v_78, %v_92, %v_75 : vector<8xf32>
          scf.yield %v_81, %v_82, %v_85, %v_86, %v_89, %v_90, %v_93, %v_94 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
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
        %v_95 = arith.muli %g, %c256 : index
        %v_96 = arith.addi %D_offset, %v_95 : index
        %D_view = memref.reinterpret_cast %D to offset: [%v_96], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
        %D_base_1, %D_offset_1, %D_sizes_1:3, %D_strides_1:3 = memref.extract_strided_metadata %D : !f32_n_16_16 -> memref<f32>, index, index, index, index, index, index, index
        %v_97 = arith.muli %v_4, %c256 : index
        %v_98 = arith.addi %D_offset_1, %v_97 : index
        %D_view_1 = memref.reinterpret_cast %D to offset: [%v_98], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
        // 14: gemm.n.n %alpha, %tmp, %C, %4, %3
        memref.prefetch %D_view_1[%c0, %c0], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c16], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c32], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c48], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c64], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c80], read, locality<3>, data : !f32_16_16
        %loop_2:12 = scf.for %i_2 = %c0 to %c8 step %c2 iter_args(%carried_16 = %cst, %carried_17 = %cst, %carried_18 = %cst, %carried_19 = %cst, %carried_20 = %cst, %carried_21 = %cst, %carried_22 = %cst, %carried_23 = %cst, %carried_24 = %cst, %carried_25 = %cst, %carried_26 = %cst, %carried_27 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_99 = arith.cmpi eq, %c2, %c0 : index
          %v_100 = arith.cmpi eq, %c2, %cst_1 : index
          %v_101 = arith.ori %v_99, %v_100 : i1
          %v_102 = arith.select %v_101, %c1, %c2 : index
          %v_103 = arith.divsi %i_2, %v_102 : index
          %v_104 = arith.subi %c0, %i_2 : index
          %v_105 = arith.select %v_100, %v_104, %v_103 : index
          %v_106 = arith.select %v_99, %c0, %v_105 : index
          %v_107 = vector.load %tmp[%i_2, %c0] : !f32_8_16, vector<8xf32>
          %v_108 = vector.load %tmp[%i_2, %c8] : !f32_8_16, vector<8xf32>
          %v_109 = memref.load %C[%c0, %i_2] : !f32_16_8
          %v_110 = vector.broadcast %v_109 : f32 to vector<8xf32>
          %v_111 = vector.fma %v_107, %v_110, %carried_16 : vector<8xf32>
          %v_112 = vector.fma %v_108, %v_110, %carried_17 : vector<8xf32>
          %v_113 = memref.load %C[%c1, %i_2] : !f32_16_8
          %v_114 = vector.broadcast %v_113 : f32 to vector<8xf32>
          %v_115 = vector.fma %v_107, %v_114, %carried_18 : vector<8xf32>
          %v_116 = vector.fma %v_108, %v_114, %carried_19 : vector<8xf32>
          %v_117 = memref.load %C[%c2, %i_2] : !f32_16_8
          %v_118 = vector.broadcast %v_117 : f32 to vector<8xf32>
          %v_119 = vector.fma %v_107, %v_118, %carried_20 : vector<8xf32>
          %v_120 = vector.fma %v_108, %v_118, %carried_21 : vector<8xf32>
          %v_121 = memref.load %C[%c3, %i_2] : !f32_16_8
          %v_122 = vector.broadcast %v_121 : f32 to vector<8xf32>
          %v_123 = vector.fma %v_107, %v_122, %carried_22 : vector<8xf32>
          %v_124 = vector.fma %v_108, %v_122, %carried_23 : vector<8xf32>
          %v_125 = memref.load %C[%c4, %i_2] : !f32_16_8
          %v_126 = vector.broadcast %v_125 : f32 to vector<8xf32>
          %v_127 = vector.fma %v_107, %v_126, %carried_24 : vector<8xf32>
          %v_128 = vector.fma %v_108, %v_126, %carried_25 : vector<8xf32>
          %v_129 = memref.load %C[%c5, %i_2] : !f32_16_8
          %v_130 = vector.broadcast %v_129 : f32 to vector<8xf32>
          %v_131 = vector.fma %v_107, %v_130, %carried_26 : vector<8xf32>
          %v_132 = vector.fma %v_108, %v_130, %carried_27 : vector<8xf32>
          %v_133 = arith.addi %i_2, %c1 : index
          %v_134 = vector.load %tmp[%v_133, %c0] : !f32_8_16, vector<8xf32>
          %v_135 = vector.load %tmp[%v_133, %c8] : !f32_8_16, vector<8xf32>
          %v_136 = memref.load %C[%c0, %v_133] : !f32_16_8
          %v_137 = vector.broadcast %v_136 : f32 to vector<8xf32>
          %v_138 = vector.fma %v_134, %v_137, %v_111 : vector<8xf32>
          %v_139 = vector.fma %v_135, %v_137, %v_112 : vector<8xf32>
          %v_140 = memref.load %C[%c1, %v_133] : !f32_16_8
          %v_141 = vector.broadcast %v_140 : f32 to vector<8xf32>
          %v_142 = vector.fma %v_134, %v_141, %v_115 : vector<8xf32>
          %v_143 = vector.fma %v_135, %v_141, %v_116 : vector<8xf32>
          %v_144 = memref.load %C[%c2, %v_133] : !f32_16_8
          %v_145 = vector.broadcast %v_144 : f32 to vector<8xf32>
          %v_146 = vector.fma %v_134, %v_145, %v_119 : vector<8xf32>
          %v_147 = vector.fma %v_135, %v_145, %v_120 : vector<8xf32>
          %v_148 = memref.load %C[%c3, %v_133] : !f32_16_8
          %v_149 = vector.broadcast %v_148 : f32 to vector<8xf32>
          %v_150 = vector.fma %v_134, %v_149, %v_123 : vector<8xf32>
          %v_151 = vector.fma %v_135, %v_149, %v_124 : vector<8xf32>
          %v_152 = memref.load %C[%c4, %v_133] : !f32_16_8
          %v_153 = vector.broadcast %v_152 : f32 to vector<8xf32>
          %v_154 = vector.fma %v_134, %v_153, %v_127 : vector<8xf32>
          %v_155 = vector.fma %v_135, %v_153, %v_128 : vector<8xf32>
          %v_156 = memref.load %C[%c5, %v_133] : !f32_16_8
          %v_157 = vector.broadcast %v_156 : f32 to vector<8xf32>
          %v_158 = vector.fma %v_134, %v_157, %v_131 : vector<8xf32>
          %v_159 = vector.fma %v_135, %v_157, %v_132 : vector<8xf32>
          scf.yield %v_138, %v_139, %v_142, %v_143, %v_146, %v_147, %v_150, %v_151, %v_154, %v_155, %v_158, %v_159 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_160 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_161 = arith.mulf %loop_2#0, %v_160 : vector<8xf32>
        %v_162 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_163 = arith.mulf %loop_2#1, %v_162 : vector<8xf32>
        %v_164 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_165 = arith.mulf %loop_2#2, %v_164 : vector<8xf32>
        %v_166 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_167 = arith.mulf %loop_2#3, %v_166 : vector<8xf32>
        %v_168 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_169 = arith.mulf %loop_2#4, %v_168 : vector<8xf32>
        %v_170 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_171 = arith.mulf %loop_2#5, %v_170 : vector<8xf32>
        %v_172 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_173 = arith.mulf %loop_2#6, %v_172 : vector<8xf32>
        %v_174 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_175 = arith.mulf %loop_2#7, %v_174 : vector<8xf32>
        %v_176 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_177 = arith.mulf %loop_2#8, %v_176 : vector<8xf32>
        %v_178 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_179 = arith.mulf %loop_2#9, %v_178 : vector<8xf32>
        %v_180 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_181 = arith.mulf %loop_2#10, %v_180 : vector<8xf32>
        %v_182 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_183 = arith.mulf %loop_2#11, %v_182 : vector<8xf32>
        %v_184 = vector.load %D_view[%c0, %c0] : !f32_16_16, vector<8xf32>
        %v_185 = vector.load %D_view[%c0, %c8] : !f32_16_16, vector<8xf32>
        %v_186 = vector.load %D_view[%c1, %c0] : !f32_16_16, vector<8xf32>
        %v_187 = vector.load %D_view[%c1, %c8] : !f32_16_16, vector<8xf32>
        %v_188 = vector.load %D_view[%c2, %c0] : !f32_16_16, vector<8xf32>
        %v_189 = vector.load %D_view[%c2, %c8] : !f32_16_16, vector<8xf32>
        %v_190 = vector.load %D_view[%c3, %c0] : !f32_16_16, vector<8xf32>
        %v_191 = vector.load %D_view[%c3, %c8] : !f32_16_16, vector<8xf32>
        %v_192 = vector.load %D_view[%c4, %c0] : !f32_16_16, vector<8xf32>
        %v_193 = vector.load %D_view[%c4, %c8] : !f32_16_16, vector<8xf32>
        %v_194 = vector.load %D_view[%c5, %c0] : !f32_16_16, vector<8xf32>
        %v_195 = vector.load %D_view[%c5, %c8] : !f32_16_16, vector<8xf32>
        %v_196 = arith.addf %v_161, %v_184 : vector<8xf32>
        %v_197 = arith.addf %v_163, %v_185 : vector<8xf32>
        %v_198 = arith.addf %v_165, %v_186 : vector<8xf32>
        %v_199 = arith.addf %v_167, %v_187 : vector<8xf32>
        %v_200 = arith.addf %v_169, %v_188 : vector<8xf32>
        %v_201 = arith.addf %v_171, %v_189 : vector<8xf32>
        %v_202 = arith.addf %v_173, %v_190 : vector<8xf32>
        %v_203 = arith.addf %v_175, %v_191 : vector<8xf32>
        %v_204 = arith.addf %v_177, %v_192 : vector<8xf32>
        %v_205 = arith.addf %v_179, %v_193 : vector<8xf32>
        %v_206 = arith.addf %v_181, %v_194 : vector<8xf32>
        %v_207 = arith.addf %v_183, %v_195 : vector<8xf32>
        vector.store %v_196, %D_view[%c0, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_197, %D_view[%c0, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_198, %D_view[%c1, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_199, %D_view[%c1, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_200, %D_view[%c2, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_201, %D_view[%c2, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_202, %D_view[%c3, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_203, %D_view[%c3, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_204, %D_view[%c4, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_205, %D_view[%c4, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_206, %D_view[%c5, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_207, %D_view[%c5, %c8] : !f32_16_16, vector<8xf32>
        memref.prefetch %D_view_1[%c0, %c96], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c112], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c128], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c144], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c160], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c176], read, locality<3>, data : !f32_16_16
        %loop_3:10 = scf.for %i_3 = %c0 to %c8 step %c2 iter_args(%carried_28 = %cst, %carried_29 = %cst, %carried_30 = %cst, %carried_31 = %cst, %carried_32 = %cst, %carried_33 = %cst, %carried_34 = %cst, %carried_35 = %cst, %carried_36 = %cst, %carried_37 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_208 = arith.cmpi eq, %c2, %c0 : index
          %v_209 = arith.cmpi eq, %c2, %cst_1 : index
          %v_210 = arith.ori %v_208, %v_209 : i1
          %v_211 = arith.select %v_210, %c1, %c2 : index
          %v_212 = arith.divsi %i_3, %v_211 : index
          %v_213 = arith.subi %c0, %i_3 : index
          %v_214 = arith.select %v_209, %v_213, %v_212 : index
          %v_215 = arith.select %v_208, %c0, %v_214 : index
          %v_216 = vector.load %tmp[%i_3, %c0] : !f32_8_16, vector<8xf32>
          %v_217 = vector.load %tmp[%i_3, %c8] : !f32_8_16, vector<8xf32>
          %v_218 = memref.load %C[%c6, %i_3] : !f32_16_8
          %v_219 = vector.broadcast %v_218 : f32 to vector<8xf32>
          %v_220 = vector.fma %v_216, %v_219, %carried_28 : vector<8xf32>
          %v_221 = vector.fma %v_217, %v_219, %carried_29 : vector<8xf32>
          %v_222 = memref.load %C[%c7, %i_3] : !f32_16_8
          %v_223 = vector.broadcast %v_222 : f32 to vector<8xf32>
          %v_224 = vector.fma %v_216, %v_223, %carried_30 : vector<8xf32>
          %v_225 = vector.fma %v_217, %v_223, %carried_31 : vector<8xf32>
          %v_226 = memref.load %C[%c8, %i_3] : !f32_16_8
          %v_227 = vector.broadcast %v_226 : f32 to vector<8xf32>
          %v_228 = vector.fma %v_216, %v_227, %carried_32 : vector<8xf32>
          %v_229 = vector.fma %v_217, %v_227, %carried_33 : vector<8xf32>
          %v_230 = memref.load %C[%c9, %i_3] : !f32_16_8
          %v_231 = vector.broadcast %v_230 : f32 to vector<8xf32>
          %v_232 = vector.fma %v_216, %v_231, %carried_34 : vector<8xf32>
          %v_233 = vector.fma %v_217, %v_231, %carried_35 : vector<8xf32>
          %v_234 = memref.load %C[%c10, %i_3] : !f32_16_8
          %v_235 = vector.broadcast %v_234 : f32 to vector<8xf32>
          %v_236 = vector.fma %v_216, %v_235, %carried_36 : vector<8xf32>
          %v_237 = vector.fma %v_217, %v_235, %carried_37 : vector<8xf32>
          %v_238 = arith.addi %i_3, %c1 : index
          %v_239 = vector.load %tmp[%v_238, %c0] : !f32_8_16, vector<8xf32>
          %v_240 = vector.load %tmp[%v_238, %c8] : !f32_8_16, vector<8xf32>
          %v_241 = memref.load %C[%c6, %v_238] : !f32_16_8
          %v_242 = vector.broadcast %v_241 : f32 to vector<8xf32>
          %v_243 = vector.fma %v_239, %v_242, %v_220 : vector<8xf32>
          %v_244 = vector.fma %v_240, %v_242, %v_221 : vector<8xf32>
          %v_245 = memref.load %C[%c7, %v_238] : !f32_16_8
          %v_246 = vector.broadcast %v_245 : f32 to vector<8xf32>
          %v_247 = vector.fma %v_239, %v_246, %v_224 : vector<8xf32>
          %v_248 = vector.fma %v_240, %v_246, %v_225 : vector<8xf32>
          %v_249 = memref.load %C[%c8, %v_238] : !f32_16_8
          %v_250 = vector.broadcast %v_249 : f32 to vector<8xf32>
          %v_251 = vector.fma %v_239, %v_250, %v_228 : vector<8xf32>
          %v_252 = vector.fma %v_240, %v_250, %v_229 : vector<8xf32>
          %v_253 = memref.load %C[%c9, %v_238] : !f32_16_8
          %v_254 = vector.broadcast %v_253 : f32 to vector<8xf32>
          %v_255 = vector.fma %v_239, %v_254, %v_232 : vector<8xf32>
          %v_256 = vector.fma %v_240, %v_254, %v_233 : vector<8xf32>
          %v_257 = memref.load %C[%c10, %v_238] : !f32_16_8
          %v_258 = vector.broadcast %v_257 : f32 to vector<8xf32>
          %v_259 = vector.fma %v_239, %v_258, %v_236 : vector<8xf32>
          %v_260 = vector.fma %v_240, %v_258, %v_237 : vector<8xf32>
          scf.yield %v_243, %v_244, %v_247, %v_248, %v_251, %v_252, %v_255, %v_256, %v_259, %v_260 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_261 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_262 = arith.mulf %loop_3#0, %v_261 : vector<8xf32>
        %v_263 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_264 = arith.mulf %loop_3#1, %v_263 : vector<8xf32>
        %v_265 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_266 = arith.mulf %loop_3#2, %v_265 : vector<8xf32>
        %v_267 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_268 = arith.mulf %loop_3#3, %v_267 : vector<8xf32>
        %v_269 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_270 = arith.mulf %loop_3#4, %v_269 : vector<8xf32>
        %v_271 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_272 = arith.mulf %loop_3#5, %v_271 : vector<8xf32>
        %v_273 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_274 = arith.mulf %loop_3#6, %v_273 : vector<8xf32>
        %v_275 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_276 = arith.mulf %loop_3#7, %v_275 : vector<8xf32>
        %v_277 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_278 = arith.mulf %loop_3#8, %v_277 : vector<8xf32>
        %v_279 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_280 = arith.mulf %loop_3#9, %v_279 : vector<8xf32>
        %v_281 = vector.load %D_view[%c6, %c0] : !f32_16_16, vector<8xf32>
        %v_282 = vector.load %D_view[%c6, %c8] : !f32_16_16, vector<8xf32>
        %v_283 = vector.load %D_view[%c7, %c0] : !f32_16_16, vector<8xf32>
        %v_284 = vector.load %D_view[%c7, %c8] : !f32_16_16, vector<8xf32>
        %v_285 = vector.load %D_view[%c8, %c0] : !f32_16_16, vector<8xf32>
        %v_286 = vector.load %D_view[%c8, %c8] : !f32_16_16, vector<8xf32>
        %v_287 = vector.load %D_view[%c9, %c0] : !f32_16_16, vector<8xf32>
        %v_288 = vector.load %D_view[%c9, %c8] : !f32_16_16, vector<8xf32>
        %v_289 = vector.load %D_view[%c10, %c0] : !f32_16_16, vector<8xf32>
        %v_290 = vector.load %D_view[%c10, %c8] : !f32_16_16, vector<8xf32>
        %v_291 = arith.addf %v_262, %v_281 : vector<8xf32>
        %v_292 = arith.addf %v_264, %v_282 : vector<8xf32>
        %v_293 = arith.addf %v_266, %v_283 : vector<8xf32>
        %v_294 = arith.addf %v_268, %v_284 : vector<8xf32>
        %v_295 = arith.addf %v_270, %v_285 : vector<8xf32>
        %v_296 = arith.addf %v_272, %v_286 : vector<8xf32>
        %v_297 = arith.addf %v_274, %v_287 : vector<8xf32>
        %v_298 = arith.addf %v_276, %v_288 : vector<8xf32>
        %v_299 = arith.addf %v_278, %v_289 : vector<8xf32>
        %v_300 = arith.addf %v_280, %v_290 : vector<8xf32>
        vector.store %v_291, %D_view[%c6, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_292, %D_view[%c6, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_293, %D_view[%c7, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_294, %D_view[%c7, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_295, %D_view[%c8, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_296, %D_view[%c8, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_297, %D_view[%c9, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_298, %D_view[%c9, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_299, %D_view[%c10, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_300, %D_view[%c10, %c8] : !f32_16_16, vector<8xf32>
        memref.prefetch %D_view_1[%c0, %c192], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c208], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c224], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c240], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c256], read, locality<3>, data : !f32_16_16
        memref.prefetch %D_view_1[%c0, %c272], read, locality<3>, data : !f32_16_16
        %loop_4:10 = scf.for %i_4 = %c0 to %c8 step %c2 iter_args(%carried_38 = %cst, %carried_39 = %cst, %carried_40 = %cst, %carried_41 = %cst, %carried_42 = %cst, %carried_43 = %cst, %carried_44 = %cst, %carried_45 = %cst, %carried_46 = %cst, %carried_47 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_301 = arith.cmpi eq, %c2, %c0 : index
          %v_302 = arith.cmpi eq, %c2, %cst_1 : index
          %v_303 = arith.ori %v_301, %v_302 : i1
          %v_304 = arith.select %v_303, %c1, %c2 : index
          %v_305 = arith.divsi %i_4, %v_304 : index
          %v_306 = arith.subi %c0, %i_4 : index
          %v_307 = arith.select %v_302, %v_306, %v_305 : index
          %v_308 = arith.select %v_301, %c0, %v_307 : index
          %v_309 = vector.load %tmp[%i_4, %c0] : !f32_8_16, vector<8xf32>
          %v_310 = vector.load %tmp[%i_4, %c8] : !f32_8_16, vector<8xf32>
          %v_311 = memref.load %C[%c11, %i_4] : !f32_16_8
          %v_312 = vector.broadcast %v_311 : f32 to vector<8xf32>
          %v_313 = vector.fma %v_309, %v_312, %carried_38 : vector<8xf32>
          %v_314 = vector.fma %v_310, %v_312, %carried_39 : vector<8xf32>
          %v_315 = memref.load %C[%c12, %i_4] : !f32_16_8
          %v_316 = vector.broadcast %v_315 : f32 to vector<8xf32>
          %v_317 = vector.fma %v_309, %v_316, %carried_40 : vector<8xf32>
          %v_318 = vector.fma %v_310, %v_316, %carried_41 : vector<8xf32>
          %v_319 = memref.load %C[%c13, %i_4] : !f32_16_8
          %v_320 = vector.broadcast %v_319 : f32 to vector<8xf32>
          %v_321 = vector.fma %v_309, %v_320, %carried_42 : vector<8xf32>
          %v_322 = vector.fma %v_310, %v_320, %carried_43 : vector<8xf32>
          %v_323 = memref.load %C[%c14, %i_4] : !f32_16_8
          %v_324 = vector.broadcast %v_323 : f32 to vector<8xf32>
          %v_325 = vector.fma %v_309, %v_324, %carried_44 : vector<8xf32>
          %v_326 = vector.fma %v_310, %v_324, %carried_45 : vector<8xf32>
          %v_327 = memref.load %C[%c15, %i_4] : !f32_16_8
          %v_328 = vector.broadcast %v_327 : f32 to vector<8xf32>
          %v_329 = vector.fma %v_309, %v_328, %carried_46 : vector<8xf32>
          %v_330 = vector.fma %v_310, %v_328, %carried_47 : vector<8xf32>
          %v_331 = arith.addi %i_4, %c1 : index
          %v_332 = vector.load %tmp[%v_331, %c0] : !f32_8_16, vector<8xf32>
          %v_333 = vector.load %tmp[%v_331, %c8] : !f32_8_16, vector<8xf32>
          %v_334 = memref.load %C[%c11, %v_331] : !f32_16_8
          %v_335 = vector.broadcast %v_334 : f32 to vector<8xf32>
          %v_336 = vector.fma %v_332, %v_335, %v_313 : vector<8xf32>
          %v_337 = vector.fma %v_333, %v_335, %v_314 : vector<8xf32>
          %v_338 = memref.load %C[%c12, %v_331] : !f32_16_8
          %v_339 = vector.broadcast %v_338 : f32 to vector<8xf32>
          %v_340 = vector.fma %v_332, %v_339, %v_317 : vector<8xf32>
          %v_341 = vector.fma %v_333, %v_339, %v_318 : vector<8xf32>
          %v_342 = memref.load %C[%c13, %v_331] : !f32_16_8
          %v_343 = vector.broadcast %v_342 : f32 to vector<8xf32>
          %v_344 = vector.fma %v_332, %v_343, %v_321 : vector<8xf32>
          %v_345 = vector.fma %v_333, %v_343, %v_322 : vector<8xf32>
          %v_346 = memref.load %C[%c14, %v_331] : !f32_16_8
          %v_347 = vector.broadcast %v_346 : f32 to vector<8xf32>
          %v_348 = vector.fma %v_332, %v_347, %v_325 : vector<8xf32>
          %v_349 = vector.fma %v_333, %v_347, %v_326 : vector<8xf32>
          %v_350 = memref.load %C[%c15, %v_331] : !f32_16_8
          %v_351 = vector.broadcast %v_350 : f32 to vector<8xf32>
          %v_352 = vector.fma %v_332, %v_351, %v_329 : vector<8xf32>
          %v_353 = vector.fma %v_333, %v_351, %v_330 : vector<8xf32>
          scf.yield %v_336, %v_337, %v_340, %v_341, %v_344, %v_345, %v_348, %v_349, %v_352, %v_353 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_354 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_355 = arith.mulf %loop_4#0, %v_354 : vector<8xf32>
        %v_356 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_357 = arith.mulf %loop_4#1, %v_356 : vector<8xf32>
        %v_358 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_359 = arith.mulf %loop_4#2, %v_358 : vector<8xf32>
        %v_360 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_361 = arith.mulf %loop_4#3, %v_360 : vector<8xf32>
        %v_362 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_363 = arith.mulf %loop_4#4, %v_362 : vector<8xf32>
        %v_364 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_365 = arith.mulf %loop_4#5, %v_364 : vector<8xf32>
        %v_366 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_367 = arith.mulf %loop_4#6, %v_366 : vector<8xf32>
        %v_368 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_369 = arith.mulf %loop_4#7, %v_368 : vector<8xf32>
        %v_370 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_371 = arith.mulf %loop_4#8, %v_370 : vector<8xf32>
        %v_372 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_373 = arith.mulf %loop_4#9, %v_372 : vector<8xf32>
        %v_374 = vector.load %D_view[%c11, %c0] : !f32_16_16, vector<8xf32>
        %v_375 = vector.load %D_view[%c11, %c8] : !f32_16_16, vector<8xf32>
        %v_376 = vector.load %D_view[%c12, %c0] : !f32_16_16, vector<8xf32>
        %v_377 = vector.load %D_view[%c12, %c8] : !f32_16_16, vector<8xf32>
        %v_378 = vector.load %D_view[%c13, %c0] : !f32_16_16, vector<8xf32>
        %v_379 = vector.load %D_view[%c13, %c8] : !f32_16_16, vector<8xf32>
        %v_380 = vector.load %D_view[%c14, %c0] : !f32_16_16, vector<8xf32>
        %v_381 = vector.load %D_view[%c14, %c8] : !f32_16_16, vector<8xf32>
        %v_382 = vector.load %D_view[%c15, %c0] : !f32_16_16, vector<8xf32>
        %v_383 = vector.load %D_view[%c15, %c8] : !f32_16_16, vector<8xf32>
        %v_384 = arith.addf %v_355, %v_374 : vector<8xf32>
        %v_385 = arith.addf %v_357, %v_375 : vector<8xf32>
        %v_386 = arith.addf %v_359, %v_376 : vector<8xf32>
        %v_387 = arith.addf %v_361, %v_377 : vector<8xf32>
        %v_388 = arith.addf %v_363, %v_378 : vector<8xf32>
        %v_389 = arith.addf %v_365, %v_379 : vector<8xf32>
        %v_390 = arith.addf %v_367, %v_380 : vector<8xf32>
        %v_391 = arith.addf %v_369, %v_381 : vector<8xf32>
        %v_392 = arith.addf %v_371, %v_382 : vector<8xf32>
        %v_393 = arith.addf %v_373, %v_383 : vector<8xf32>
        vector.store %v_384, %D_view[%c11, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_385, %D_view[%c11, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_386, %D_view[%c12, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_387, %D_view[%c12, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_388, %D_view[%c13, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_389, %D_view[%c13, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_390, %D_view[%c14, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_391, %D_view[%c14, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_392, %D_view[%c15, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_393, %D_view[%c15, %c8] : !f32_16_16, vector<8xf32>
      }
    } else {
      scf.for %g_1 = %first to %last step %c1 {
        // 7: %tmp = alloca : memref<f32x16x8,local>
        %part_1 = memref.view %stack[%c0][] : memref<512xi8> to memref<128xf32>
        %tmp_1 = memref.reinterpret_cast %part_1 to offset: [%c0], sizes: [8, 16], strides: [16, 1] : memref<128xf32> to !f32_8_16
        // 8: %0 = load %A[%g] : memref<f32x16x8>
        %item_2 = memref.load %A[%g_1] : memref<?x!f32_8_16>
        // 11: gemm.n.t %1, %0, %B, %2, %tmp
        %loop_5:8 = scf.for %i_5 = %c0 to %c8 step %c2 iter_args(%carried_48 = %cst, %carried_49 = %cst, %carried_50 = %cst, %carried_51 = %cst, %carried_52 = %cst, %carried_53 = %cst, %carried_54 = %cst, %carried_55 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_394 = arith.cmpi eq, %c2, %c0 : index
          %v_395 = arith.cmpi eq, %c2, %cst_1 : index
          %v_396 = arith.ori %v_394, %v_395 : i1
          %v_397 = arith.select %v_396, %c1, %c2 : index
          %v_398 = arith.divsi %i_5, %v_397 : index
          %v_399 = arith.subi %c0, %i_5 : index
          %v_400 = arith.select %v_395, %v_399, %v_398 : index
          %v_401 = arith.select %v_394, %c0, %v_400 : index
          %v_402 = vector.load %item_2[%i_5, %c0] : !f32_8_16, vector<8xf32>
          %v_403 = vector.load %item_2[%i_5, %c8] : !f32_8_16, vector<8xf32>
          %v_404 = memref.load %B[%i_5, %c0] : !f32_8_8
          %v_405 = vector.broadcast %v_404 : f32 to vector<8xf32>
          %v_406 = vector.fma %v_402, %v_405, %carried_48 : vector<8xf32>
          %v_407 = vector.fma %v_403, %v_405, %carried_49 : vector<8xf32>
          %v_408 = memref.load %B[%i_5, %c1] : !f32_8_8
          %v_409 = vector.broadcast %v_408 : f32 to vector<8xf32>
          %v_410 = vector.fma %v_402, %v_409, %carried_50 : vector<8xf32>
          %v_411 = vector.fma %v_403, %v_409, %carried_51 : vector<8xf32>
          %v_412 = memref.load %B[%i_5, %c2] : !f32_8_8
          %v_413 = vector.broadcast %v_412 : f32 to vector<8xf32>
          %v_414 = vector.fma %v_402, %v_413, %carried_52 : vector<8xf32>
          %v_415 = vector.fma %v_403, %v_413, %carried_53 : vector<8xf32>
          %v_416 = memref.load %B[%i_5, %c3] : !f32_8_8
          %v_417 = vector.broadcast %v_416 : f32 to vector<8xf32>
          %v_418 = vector.fma %v_402, %v_417, %carried_54 : vector<8xf32>
          %v_419 = vector.fma %v_403, %v_417, %carried_55 : vector<8xf32>
          %v_420 = arith.addi %i_5, %c1 : index
          %v_421 = vector.load %item_2[%v_420, %c0] : !f32_8_16, vector<8xf32>
          %v_422 = vector.load %item_2[%v_420, %c8] : !f32_8_16, vector<8xf32>
          %v_423 = memref.load %B[%v_420, %c0] : !f32_8_8
          %v_424 = vector.broadcast %v_423 : f32 to vector<8xf32>
          %v_425 = vector.fma %v_421, %v_424, %v_406 : vector<8xf32>
          %v_426 = vector.fma %v_422, %v_424, %v_407 : vector<8xf32>
          %v_427 = memref.load %B[%v_420, %c1] : !f32_8_8
          %v_428 = vector.broadcast %v_427 : f32 to vector<8xf32>
          %v_429 = vector.fma %v_421, %v_428, %v_410 : vector<8xf32>
          %v_430 = vector.fma %v_422, %v_428, %v_411 : vector<8xf32>
          %v_431 = memref.load %B[%v_420, %c2] : !f32_8_8
          %v_432 = vector.broadcast %v_431 : f32 to vector<8xf32>
          %v_433 = vector.fma %v_421, %v_432, %v_414 : vector<8xf32>
          %v_434 = vector.fma %v_422, %v_432, %v_415 : vector<8xf32>
          %v_435 = memref.load %B[%v_420, %c3] : !f32_8_8
          %v_436 = vector.broadcast %v_435 : f32 to vector<8xf32>
          %v_437 = vector.fma %v_421, %v_436, %v_418 : vector<8xf32>
          %v_438 = vector.fma %v_422, %v_436, %v_419 : vector<8xf32>
          scf.yield %v_425, %v_426, %v_429, %v_430, %v_433, %v_434, %v_437, %v_438 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        vector.store %loop_5#0, %tmp_1[%c0, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#1, %tmp_1[%c0, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#2, %tmp_1[%c1, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#3, %tmp_1[%c1, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#4, %tmp_1[%c2, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#5, %tmp_1[%c2, %c8] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#6, %tmp_1[%c3, %c0] : !f32_8_16, vector<8xf32>
        vector.store %loop_5#7, %tmp_1[%c3, %c8] : !f32_8_16, vector<8xf32>
        %loop_6:8 = scf.for %i_6 = %c0 to %c8 step %c2 iter_args(%carried_56 = %cst, %carried_57 = %cst, %carried_58 = %cst, %carried_59 = %cst, %carried_60 = %cst, %carried_61 = %cst, %carried_62 = %cst, %carried_63 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_439 = arith.cmpi eq, %c2, %c0 : index
          %v_440 = arith.cmpi eq, %c2, %cst_1 : index
          %v_441 = arith.ori %v_439, %v_440 : i1
          %v_442 = arith.select %v_441, %c1, %c2 : index
          %v_443 = arith.divsi %i_6, %v_442 : index
          %v_444 = arith.subi %c0, %i_6 : index
          %v_445 = arith.select %v_440, %v_444, %v_443 : index
          %v_446 = arith.select %v_439, %c0, %v_445 : index
          %v_447 = vector.load %item_2[%i_6, %c0] : !f32_8_16, vector<8xf32>
          %v_448 = vector.load %item_2[%i_6, %c8] : !f32_8_16, vector<8xf32>
          %v_449 = memref.load %B[%i_6, %c4] : !f32_8_8
          %v_450 = vector.broadcast %v_449 : f32 to vector<8xf32>
          %v_451 = vector.fma %v_447, %v_450, %carried_56 : vector<8xf32>
          %v_452 = vector.fma %v_448, %v_450, %carried_57 : vector<8xf32>
          %v_453 = memref.load %B[%i_6, %c5] : !f32_8_8
          %v_454 = vector.broadcast %v_453 : f32 to vector<8xf32>
          %v_455 = vector.fma %v_447, %v_454, %carried_58 : vector<8xf32>
          %v_456 = vector.fma %v_448, %v_454, %carried_59 : vector<8xf32>
          %v_457 = memref.load %B[%i_6, %c6] : !f32_8_8
          %v_458 = vector.broadcast %v_457 : f32 to vector<8xf32>
          %v_459 = vector.fma %v_447, %v_458, %carried_60 : vector<8xf32>
          %v_460 = vector.fma %v_448, %v_458, %carried_61 : vector<8xf32>
          %v_461 = memref.load %B[%i_6, %c7] : !f32_8_8
          %v_462 = vector.broadcast %v_461 : f32 to vector<8xf32>
          %v_463 = vector.fma %v_447, %v_462, %carried_62 : vector<8xf32>
          %v_464 = vector.fma %v_448, %v_462, %carried_63 : vector<8xf32>
          %v_465 = arith.addi %i_6, %c1 : index
          %v_466 = vector.load %item_2[%v_465, %c0] : !f32_8_16, vector<8xf32>
          %v_467 = vector.load %item_2[%v_465, %c8] : !f32_8_16, vector<8xf32>
          %v_468 = memref.load %B[%v_465, %c4] : !f32_8_8
          %v_469 = vector.broadcast %v_468 : f32 to vector<8xf32>
          %v_470 = vector.fma %v_466, %v_469, %v_451 : vector<8xf32>
          %v_471 = vector.fma %v_467, %v_469, %v_452 : vector<8xf32>
          %v_472 = memref.load %B[%v_465, %c5] : !f32_8_8
          %v_473 = vector.broadcast %v_472 : f32 to vector<8xf32>
          %v_474 = vector.fma %v_466, %v_473, %v_455 : vector<8xf32>
          %v_475 = vector.fma %v_467, %v_473, %v_456 : vector<8xf32>
          %v_476 = memref.load %B[%v_465, %c6] : !f32_8_8
          %v_477 = vector.broadcast %v_476 : f32 to vector<8xf32>
          %v_478 = vector.fma %v_466, %v_477, %v_459 : vector<8xf32>
          %v_479 = vector.fma %v_467, %v_477, %v_460 : vector<8xf32>
          %v_480 = memref.load %B[%v_465, %c7] : !f32_8_8
          %v_481 = vector.broadcast %v_480 : f32 to vector<8xf32>
          %v_482 = vector.fma %v_466, %v_481, %v_463 : vector<8xf32>
          %v_483 = vector.fma %v_467, %v_481, %v_464 : vector<8xf32>
          scf.yield %v_470, %v_471, %v_474, %v_475, %v_478, %v_479, %v_482, %v_483 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
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
        %v_484 = arith.muli %g_1, %c256 : index
        %v_485 = arith.addi %D_offset_2, %v_484 : index
        %D_view_2 = memref.reinterpret_cast %D to offset: [%v_485], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
        // 14: gemm.n.n %alpha, %tmp, %C, %4, %3
        %loop_7:12 = scf.for %i_7 = %c0 to %c8 step %c2 iter_args(%carried_64 = %cst, %carried_65 = %cst, %carried_66 = %cst, %carried_67 = %cst, %carried_68 = %cst, %carried_69 = %cst, %carried_70 = %cst, %carried_71 = %cst, %carried_72 = %cst, %carried_73 = %cst, %carried_74 = %cst, %carried_75 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_486 = arith.cmpi eq, %c2, %c0 : index
          %v_487 = arith.cmpi eq, %c2, %cst_1 : index
          %v_488 = arith.ori %v_486, %v_487 : i1
          %v_489 = arith.select %v_488, %c1, %c2 : index
          %v_490 = arith.divsi %i_7, %v_489 : index
          %v_491 = arith.subi %c0, %i_7 : index
          %v_492 = arith.select %v_487, %v_491, %v_490 : index
          %v_493 = arith.select %v_486, %c0, %v_492 : index
          %v_494 = vector.load %tmp_1[%i_7, %c0] : !f32_8_16, vector<8xf32>
          %v_495 = vector.load %tmp_1[%i_7, %c8] : !f32_8_16, vector<8xf32>
          %v_496 = memref.load %C[%c0, %i_7] : !f32_16_8
          %v_497 = vector.broadcast %v_496 : f32 to vector<8xf32>
          %v_498 = vector.fma %v_494, %v_497, %carried_64 : vector<8xf32>
          %v_499 = vector.fma %v_495, %v_497, %carried_65 : vector<8xf32>
          %v_500 = memref.load %C[%c1, %i_7] : !f32_16_8
          %v_501 = vector.broadcast %v_500 : f32 to vector<8xf32>
          %v_502 = vector.fma %v_494, %v_501, %carried_66 : vector<8xf32>
          %v_503 = vector.fma %v_495, %v_501, %carried_67 : vector<8xf32>
          %v_504 = memref.load %C[%c2, %i_7] : !f32_16_8
          %v_505 = vector.broadcast %v_504 : f32 to vector<8xf32>
          %v_506 = vector.fma %v_494, %v_505, %carried_68 : vector<8xf32>
          %v_507 = vector.fma %v_495, %v_505, %carried_69 : vector<8xf32>
          %v_508 = memref.load %C[%c3, %i_7] : !f32_16_8
          %v_509 = vector.broadcast %v_508 : f32 to vector<8xf32>
          %v_510 = vector.fma %v_494, %v_509, %carried_70 : vector<8xf32>
          %v_511 = vector.fma %v_495, %v_509, %carried_71 : vector<8xf32>
          %v_512 = memref.load %C[%c4, %i_7] : !f32_16_8
          %v_513 = vector.broadcast %v_512 : f32 to vector<8xf32>
          %v_514 = vector.fma %v_494, %v_513, %carried_72 : vector<8xf32>
          %v_515 = vector.fma %v_495, %v_513, %carried_73 : vector<8xf32>
          %v_516 = memref.load %C[%c5, %i_7] : !f32_16_8
          %v_517 = vector.broadcast %v_516 : f32 to vector<8xf32>
          %v_518 = vector.fma %v_494, %v_517, %carried_74 : vector<8xf32>
          %v_519 = vector.fma %v_495, %v_517, %carried_75 : vector<8xf32>
          %v_520 = arith.addi %i_7, %c1 : index
          %v_521 = vector.load %tmp_1[%v_520, %c0] : !f32_8_16, vector<8xf32>
          %v_522 = vector.load %tmp_1[%v_520, %c8] : !f32_8_16, vector<8xf32>
          %v_523 = memref.load %C[%c0, %v_520] : !f32_16_8
          %v_524 = vector.broadcast %v_523 : f32 to vector<8xf32>
          %v_525 = vector.fma %v_521, %v_524, %v_498 : vector<8xf32>
          %v_526 = vector.fma %v_522, %v_524, %v_499 : vector<8xf32>
          %v_527 = memref.load %C[%c1, %v_520] : !f32_16_8
          %v_528 = vector.broadcast %v_527 : f32 to vector<8xf32>
          %v_529 = vector.fma %v_521, %v_528, %v_502 : vector<8xf32>
          %v_530 = vector.fma %v_522, %v_528, %v_503 : vector<8xf32>
          %v_531 = memref.load %C[%c2, %v_520] : !f32_16_8
          %v_532 = vector.broadcast %v_531 : f32 to vector<8xf32>
          %v_533 = vector.fma %v_521, %v_532, %v_506 : vector<8xf32>
          %v_534 = vector.fma %v_522, %v_532, %v_507 : vector<8xf32>
          %v_535 = memref.load %C[%c3, %v_520] : !f32_16_8
          %v_536 = vector.broadcast %v_535 : f32 to vector<8xf32>
          %v_537 = vector.fma %v_521, %v_536, %v_510 : vector<8xf32>
          %v_538 = vector.fma %v_522, %v_536, %v_511 : vector<8xf32>
          %v_539 = memref.load %C[%c4, %v_520] : !f32_16_8
          %v_540 = vector.broadcast %v_539 : f32 to vector<8xf32>
          %v_541 = vector.fma %v_521, %v_540, %v_514 : vector<8xf32>
          %v_542 = vector.fma %v_522, %v_540, %v_515 : vector<8xf32>
          %v_543 = memref.load %C[%c5, %v_520] : !f32_16_8
          %v_544 = vector.broadcast %v_543 : f32 to vector<8xf32>
          %v_545 = vector.fma %v_521, %v_544, %v_518 : vector<8xf32>
          %v_546 = vector.fma %v_522, %v_544, %v_519 : vector<8xf32>
          scf.yield %v_525, %v_526, %v_529, %v_530, %v_533, %v_534, %v_537, %v_538, %v_541, %v_542, %v_545, %v_546 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_547 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_548 = arith.mulf %loop_7#0, %v_547 : vector<8xf32>
        %v_549 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_550 = arith.mulf %loop_7#1, %v_549 : vector<8xf32>
        %v_551 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_552 = arith.mulf %loop_7#2, %v_551 : vector<8xf32>
        %v_553 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_554 = arith.mulf %loop_7#3, %v_553 : vector<8xf32>
        %v_555 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_556 = arith.mulf %loop_7#4, %v_555 : vector<8xf32>
        %v_557 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_558 = arith.mulf %loop_7#5, %v_557 : vector<8xf32>
        %v_559 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_560 = arith.mulf %loop_7#6, %v_559 : vector<8xf32>
        %v_561 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_562 = arith.mulf %loop_7#7, %v_561 : vector<8xf32>
        %v_563 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_564 = arith.mulf %loop_7#8, %v_563 : vector<8xf32>
        %v_565 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_566 = arith.mulf %loop_7#9, %v_565 : vector<8xf32>
        %v_567 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_568 = arith.mulf %loop_7#10, %v_567 : vector<8xf32>
        %v_569 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_570 = arith.mulf %loop_7#11, %v_569 : vector<8xf32>
        %v_571 = vector.load %D_view_2[%c0, %c0] : !f32_16_16, vector<8xf32>
        %v_572 = vector.load %D_view_2[%c0, %c8] : !f32_16_16, vector<8xf32>
        %v_573 = vector.load %D_view_2[%c1, %c0] : !f32_16_16, vector<8xf32>
        %v_574 = vector.load %D_view_2[%c1, %c8] : !f32_16_16, vector<8xf32>
        %v_575 = vector.load %D_view_2[%c2, %c0] : !f32_16_16, vector<8xf32>
        %v_576 = vector.load %D_view_2[%c2, %c8] : !f32_16_16, vector<8xf32>
        %v_577 = vector.load %D_view_2[%c3, %c0] : !f32_16_16, vector<8xf32>
        %v_578 = vector.load %D_view_2[%c3, %c8] : !f32_16_16, vector<8xf32>
        %v_579 = vector.load %D_view_2[%c4, %c0] : !f32_16_16, vector<8xf32>
        %v_580 = vector.load %D_view_2[%c4, %c8] : !f32_16_16, vector<8xf32>
        %v_581 = vector.load %D_view_2[%c5, %c0] : !f32_16_16, vector<8xf32>
        %v_582 = vector.load %D_view_2[%c5, %c8] : !f32_16_16, vector<8xf32>
        %v_583 = arith.addf %v_548, %v_571 : vector<8xf32>
        %v_584 = arith.addf %v_550, %v_572 : vector<8xf32>
        %v_585 = arith.addf %v_552, %v_573 : vector<8xf32>
        %v_586 = arith.addf %v_554, %v_574 : vector<8xf32>
        %v_587 = arith.addf %v_556, %v_575 : vector<8xf32>
        %v_588 = arith.addf %v_558, %v_576 : vector<8xf32>
        %v_589 = arith.addf %v_560, %v_577 : vector<8xf32>
        %v_590 = arith.addf %v_562, %v_578 : vector<8xf32>
        %v_591 = arith.addf %v_564, %v_579 : vector<8xf32>
        %v_592 = arith.addf %v_566, %v_580 : vector<8xf32>
        %v_593 = arith.addf %v_568, %v_581 : vector<8xf32>
        %v_594 = arith.addf %v_570, %v_582 : vector<8xf32>
        vector.store %v_583, %D_view_2[%c0, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_584, %D_view_2[%c0, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_585, %D_view_2[%c1, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_586, %D_view_2[%c1, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_587, %D_view_2[%c2, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_588, %D_view_2[%c2, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_589, %D_view_2[%c3, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_590, %D_view_2[%c3, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_591, %D_view_2[%c4, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_592, %D_view_2[%c4, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_593, %D_view_2[%c5, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_594, %D_view_2[%c5, %c8] : !f32_16_16, vector<8xf32>
        %loop_8:10 = scf.for %i_8 = %c0 to %c8 step %c2 iter_args(%carried_76 = %cst, %carried_77 = %cst, %carried_78 = %cst, %carried_79 = %cst, %carried_80 = %cst, %carried_81 = %cst, %carried_82 = %cst, %carried_83 = %cst, %carried_84 = %cst, %carried_85 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_595 = arith.cmpi eq, %c2, %c0 : index
          %v_596 = arith.cmpi eq, %c2, %cst_1 : index
          %v_597 = arith.ori %v_595, %v_596 : i1
          %v_598 = arith.select %v_597, %c1, %c2 : index
          %v_599 = arith.divsi %i_8, %v_598 : index
          %v_600 = arith.subi %c0, %i_8 : index
          %v_601 = arith.select %v_596, %v_600, %v_599 : index
          %v_602 = arith.select %v_595, %c0, %v_601 : index
          %v_603 = vector.load %tmp_1[%i_8, %c0] : !f32_8_16, vector<8xf32>
          %v_604 = vector.load %tmp_1[%i_8, %c8] : !f32_8_16, vector<8xf32>
          %v_605 = memref.load %C[%c6, %i_8] : !f32_16_8
          %v_606 = vector.broadcast %v_605 : f32 to vector<8xf32>
          %v_607 = vector.fma %v_603, %v_606, %carried_76 : vector<8xf32>
          %v_608 = vector.fma %v_604, %v_606, %carried_77 : vector<8xf32>
          %v_609 = memref.load %C[%c7, %i_8] : !f32_16_8
          %v_610 = vector.broadcast %v_609 : f32 to vector<8xf32>
          %v_611 = vector.fma %v_603, %v_610, %carried_78 : vector<8xf32>
          %v_612 = vector.fma %v_604, %v_610, %carried_79 : vector<8xf32>
          %v_613 = memref.load %C[%c8, %i_8] : !f32_16_8
          %v_614 = vector.broadcast %v_613 : f32 to vector<8xf32>
          %v_615 = vector.fma %v_603, %v_614, %carried_80 : vector<8xf32>
          %v_616 = vector.fma %v_604, %v_614, %carried_81 : vector<8xf32>
          %v_617 = memref.load %C[%c9, %i_8] : !f32_16_8
          %v_618 = vector.broadcast %v_617 : f32 to vector<8xf32>
          %v_619 = vector.fma %v_603, %v_618, %carried_82 : vector<8xf32>
          %v_620 = vector.fma %v_604, %v_618, %carried_83 : vector<8xf32>
          %v_621 = memref.load %C[%c10, %i_8] : !f32_16_8
          %v_622 = vector.broadcast %v_621 : f32 to vector<8xf32>
          %v_623 = vector.fma %v_603, %v_622, %carried_84 : vector<8xf32>
          %v_624 = vector.fma %v_604, %v_622, %carried_85 : vector<8xf32>
          %v_625 = arith.addi %i_8, %c1 : index
          %v_626 = vector.load %tmp_1[%v_625, %c0] : !f32_8_16, vector<8xf32>
          %v_627 = vector.load %tmp_1[%v_625, %c8] : !f32_8_16, vector<8xf32>
          %v_628 = memref.load %C[%c6, %v_625] : !f32_16_8
          %v_629 = vector.broadcast %v_628 : f32 to vector<8xf32>
          %v_630 = vector.fma %v_626, %v_629, %v_607 : vector<8xf32>
          %v_631 = vector.fma %v_627, %v_629, %v_608 : vector<8xf32>
          %v_632 = memref.load %C[%c7, %v_625] : !f32_16_8
          %v_633 = vector.broadcast %v_632 : f32 to vector<8xf32>
          %v_634 = vector.fma %v_626, %v_633, %v_611 : vector<8xf32>
          %v_635 = vector.fma %v_627, %v_633, %v_612 : vector<8xf32>
          %v_636 = memref.load %C[%c8, %v_625] : !f32_16_8
          %v_637 = vector.broadcast %v_636 : f32 to vector<8xf32>
          %v_638 = vector.fma %v_626, %v_637, %v_615 : vector<8xf32>
          %v_639 = vector.fma %v_627, %v_637, %v_616 : vector<8xf32>
          %v_640 = memref.load %C[%c9, %v_625] : !f32_16_8
          %v_641 = vector.broadcast %v_640 : f32 to vector<8xf32>
          %v_642 = vector.fma %v_626, %v_641, %v_619 : vector<8xf32>
          %v_643 = vector.fma %v_627, %v_641, %v_620 : vector<8xf32>
          %v_644 = memref.load %C[%c10, %v_625] : !f32_16_8
          %v_645 = vector.broadcast %v_644 : f32 to vector<8xf32>
          %v_646 = vector.fma %v_626, %v_645, %v_623 : vector<8xf32>
          %v_647 = vector.fma %v_627, %v_645, %v_624 : vector<8xf32>
          scf.yield %v_630, %v_631, %v_634, %v_635, %v_638, %v_639, %v_642, %v_643, %v_646, %v_647 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_648 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_649 = arith.mulf %loop_8#0, %v_648 : vector<8xf32>
        %v_650 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_651 = arith.mulf %loop_8#1, %v_650 : vector<8xf32>
        %v_652 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_653 = arith.mulf %loop_8#2, %v_652 : vector<8xf32>
        %v_654 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_655 = arith.mulf %loop_8#3, %v_654 : vector<8xf32>
        %v_656 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_657 = arith.mulf %loop_8#4, %v_656 : vector<8xf32>
        %v_658 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_659 = arith.mulf %loop_8#5, %v_658 : vector<8xf32>
        %v_660 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_661 = arith.mulf %loop_8#6, %v_660 : vector<8xf32>
        %v_662 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_663 = arith.mulf %loop_8#7, %v_662 : vector<8xf32>
        %v_664 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_665 = arith.mulf %loop_8#8, %v_664 : vector<8xf32>
        %v_666 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_667 = arith.mulf %loop_8#9, %v_666 : vector<8xf32>
        %v_668 = vector.load %D_view_2[%c6, %c0] : !f32_16_16, vector<8xf32>
        %v_669 = vector.load %D_view_2[%c6, %c8] : !f32_16_16, vector<8xf32>
        %v_670 = vector.load %D_view_2[%c7, %c0] : !f32_16_16, vector<8xf32>
        %v_671 = vector.load %D_view_2[%c7, %c8] : !f32_16_16, vector<8xf32>
        %v_672 = vector.load %D_view_2[%c8, %c0] : !f32_16_16, vector<8xf32>
        %v_673 = vector.load %D_view_2[%c8, %c8] : !f32_16_16, vector<8xf32>
        %v_674 = vector.load %D_view_2[%c9, %c0] : !f32_16_16, vector<8xf32>
        %v_675 = vector.load %D_view_2[%c9, %c8] : !f32_16_16, vector<8xf32>
        %v_676 = vector.load %D_view_2[%c10, %c0] : !f32_16_16, vector<8xf32>
        %v_677 = vector.load %D_view_2[%c10, %c8] : !f32_16_16, vector<8xf32>
        %v_678 = arith.addf %v_649, %v_668 : vector<8xf32>
        %v_679 = arith.addf %v_651, %v_669 : vector<8xf32>
        %v_680 = arith.addf %v_653, %v_670 : vector<8xf32>
        %v_681 = arith.addf %v_655, %v_671 : vector<8xf32>
        %v_682 = arith.addf %v_657, %v_672 : vector<8xf32>
        %v_683 = arith.addf %v_659, %v_673 : vector<8xf32>
        %v_684 = arith.addf %v_661, %v_674 : vector<8xf32>
        %v_685 = arith.addf %v_663, %v_675 : vector<8xf32>
        %v_686 = arith.addf %v_665, %v_676 : vector<8xf32>
        %v_687 = arith.addf %v_667, %v_677 : vector<8xf32>
        vector.store %v_678, %D_view_2[%c6, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_679, %D_view_2[%c6, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_680, %D_view_2[%c7, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_681, %D_view_2[%c7, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_682, %D_view_2[%c8, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_683, %D_view_2[%c8, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_684, %D_view_2[%c9, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_685, %D_view_2[%c9, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_686, %D_view_2[%c10, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_687, %D_view_2[%c10, %c8] : !f32_16_16, vector<8xf32>
        %loop_9:10 = scf.for %i_9 = %c0 to %c8 step %c2 iter_args(%carried_86 = %cst, %carried_87 = %cst, %carried_88 = %cst, %carried_89 = %cst, %carried_90 = %cst, %carried_91 = %cst, %carried_92 = %cst, %carried_93 = %cst, %carried_94 = %cst, %carried_95 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %v_688 = arith.cmpi eq, %c2, %c0 : index
          %v_689 = arith.cmpi eq, %c2, %cst_1 : index
          %v_690 = arith.ori %v_688, %v_689 : i1
          %v_691 = arith.select %v_690, %c1, %c2 : index
          %v_692 = arith.divsi %i_9, %v_691 : index
          %v_693 = arith.subi %c0, %i_9 : index
          %v_694 = arith.select %v_689, %v_693, %v_692 : index
          %v_695 = arith.select %v_688, %c0, %v_694 : index
          %v_696 = vector.load %tmp_1[%i_9, %c0] : !f32_8_16, vector<8xf32>
          %v_697 = vector.load %tmp_1[%i_9, %c8] : !f32_8_16, vector<8xf32>
          %v_698 = memref.load %C[%c11, %i_9] : !f32_16_8
          %v_699 = vector.broadcast %v_698 : f32 to vector<8xf32>
          %v_700 = vector.fma %v_696, %v_699, %carried_86 : vector<8xf32>
          %v_701 = vector.fma %v_697, %v_699, %carried_87 : vector<8xf32>
          %v_702 = memref.load %C[%c12, %i_9] : !f32_16_8
          %v_703 = vector.broadcast %v_702 : f32 to vector<8xf32>
          %v_704 = vector.fma %v_696, %v_703, %carried_88 : vector<8xf32>
          %v_705 = vector.fma %v_697, %v_703, %carried_89 : vector<8xf32>
          %v_706 = memref.load %C[%c13, %i_9] : !f32_16_8
          %v_707 = vector.broadcast %v_706 : f32 to vector<8xf32>
          %v_708 = vector.fma %v_696, %v_707, %carried_90 : vector<8xf32>
          %v_709 = vector.fma %v_697, %v_707, %carried_91 : vector<8xf32>
          %v_710 = memref.load %C[%c14, %i_9] : !f32_16_8
          %v_711 = vector.broadcast %v_710 : f32 to vector<8xf32>
          %v_712 = vector.fma %v_696, %v_711, %carried_92 : vector<8xf32>
          %v_713 = vector.fma %v_697, %v_711, %carried_93 : vector<8xf32>
          %v_714 = memref.load %C[%c15, %i_9] : !f32_16_8
          %v_715 = vector.broadcast %v_714 : f32 to vector<8xf32>
          %v_716 = vector.fma %v_696, %v_715, %carried_94 : vector<8xf32>
          %v_717 = vector.fma %v_697, %v_715, %carried_95 : vector<8xf32>
          %v_718 = arith.addi %i_9, %c1 : index
          %v_719 = vector.load %tmp_1[%v_718, %c0] : !f32_8_16, vector<8xf32>
          %v_720 = vector.load %tmp_1[%v_718, %c8] : !f32_8_16, vector<8xf32>
          %v_721 = memref.load %C[%c11, %v_718] : !f32_16_8
          %v_722 = vector.broadcast %v_721 : f32 to vector<8xf32>
          %v_723 = vector.fma %v_719, %v_722, %v_700 : vector<8xf32>
          %v_724 = vector.fma %v_720, %v_722, %v_701 : vector<8xf32>
          %v_725 = memref.load %C[%c12, %v_718] : !f32_16_8
          %v_726 = vector.broadcast %v_725 : f32 to vector<8xf32>
          %v_727 = vector.fma %v_719, %v_726, %v_704 : vector<8xf32>
          %v_728 = vector.fma %v_720, %v_726, %v_705 : vector<8xf32>
          %v_729 = memref.load %C[%c13, %v_718] : !f32_16_8
          %v_730 = vector.broadcast %v_729 : f32 to vector<8xf32>
          %v_731 = vector.fma %v_719, %v_730, %v_708 : vector<8xf32>
          %v_732 = vector.fma %v_720, %v_730, %v_709 : vector<8xf32>
          %v_733 = memref.load %C[%c14, %v_718] : !f32_16_8
          %v_734 = vector.broadcast %v_733 : f32 to vector<8xf32>
          %v_735 = vector.fma %v_719, %v_734, %v_712 : vector<8xf32>
          %v_736 = vector.fma %v_720, %v_734, %v_713 : vector<8xf32>
          %v_737 = memref.load %C[%c15, %v_718] : !f32_16_8
          %v_738 = vector.broadcast %v_737 : f32 to vector<8xf32>
          %v_739 = vector.fma %v_719, %v_738, %v_716 : vector<8xf32>
          %v_740 = vector.fma %v_720, %v_738, %v_717 : vector<8xf32>
          scf.yield %v_723, %v_724, %v_727, %v_728, %v_731, %v_732, %v_735, %v_736, %v_739, %v_740 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        %v_741 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_742 = arith.mulf %loop_9#0, %v_741 : vector<8xf32>
        %v_743 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_744 = arith.mulf %loop_9#1, %v_743 : vector<8xf32>
        %v_745 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_746 = arith.mulf %loop_9#2, %v_745 : vector<8xf32>
        %v_747 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_748 = arith.mulf %loop_9#3, %v_747 : vector<8xf32>
        %v_749 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_750 = arith.mulf %loop_9#4, %v_749 : vector<8xf32>
        %v_751 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_752 = arith.mulf %loop_9#5, %v_751 : vector<8xf32>
        %v_753 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_754 = arith.mulf %loop_9#6, %v_753 : vector<8xf32>
        %v_755 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_756 = arith.mulf %loop_9#7, %v_755 : vector<8xf32>
        %v_757 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_758 = arith.mulf %loop_9#8, %v_757 : vector<8xf32>
        %v_759 = vector.broadcast %alpha : f32 to vector<8xf32>
        %v_760 = arith.mulf %loop_9#9, %v_759 : vector<8xf32>
        %v_761 = vector.load %D_view_2[%c11, %c0] : !f32_16_16, vector<8xf32>
        %v_762 = vector.load %D_view_2[%c11, %c8] : !f32_16_16, vector<8xf32>
        %v_763 = vector.load %D_view_2[%c12, %c0] : !f32_16_16, vector<8xf32>
        %v_764 = vector.load %D_view_2[%c12, %c8] : !f32_16_16, vector<8xf32>
        %v_765 = vector.load %D_view_2[%c13, %c0] : !f32_16_16, vector<8xf32>
        %v_766 = vector.load %D_view_2[%c13, %c8] : !f32_16_16, vector<8xf32>
        %v_767 = vector.load %D_view_2[%c14, %c0] : !f32_16_16, vector<8xf32>
        %v_768 = vector.load %D_view_2[%c14, %c8] : !f32_16_16, vector<8xf32>
        %v_769 = vector.load %D_view_2[%c15, %c0] : !f32_16_16, vector<8xf32>
        %v_770 = vector.load %D_view_2[%c15, %c8] : !f32_16_16, vector<8xf32>
        %v_771 = arith.addf %v_742, %v_761 : vector<8xf32>
        %v_772 = arith.addf %v_744, %v_762 : vector<8xf32>
        %v_773 = arith.addf %v_746, %v_763 : vector<8xf32>
        %v_774 = arith.addf %v_748, %v_764 : vector<8xf32>
        %v_775 = arith.addf %v_750, %v_765 : vector<8xf32>
        %v_776 = arith.addf %v_752, %v_766 : vector<8xf32>
        %v_777 = arith.addf %v_754, %v_767 : vector<8xf32>
        %v_778 = arith.addf %v_756, %v_768 : vector<8xf32>
        %v_779 = arith.addf %v_758, %v_769 : vector<8xf32>
        %v_780 = arith.addf %v_760, %v_770 : vector<8xf32>
        vector.store %v_771, %D_view_2[%c11, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_772, %D_view_2[%c11, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_773, %D_view_2[%c12, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_774, %D_view_2[%c12, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_775, %D_view_2[%c13, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_776, %D_view_2[%c13, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_777, %D_view_2[%c14, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_778, %D_view_2[%c14, %c8] : !f32_16_16, vector<8xf32>
        vector.store %v_779, %D_view_2[%c15, %c0] : !f32_16_16, vector<8xf32>
        vector.store %v_780, %D_view_2[%c15, %c8] : !f32_16_16, vector<8xf32>
      }
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_fused(%first: index, %last: index, %groups: index, %alpha: memref<f32>, %A: memref<?x!f32_8_16>, %B: !f32_8_8, %C: !f32_16_8, %D: !f32_n_16_16) attributes {llvm.emit_c_interface} {
    %alpha_1 = memref.load %alpha[] : memref<f32>
    func.call @pytl_fused_groups(%first, %last, %groups, %alpha_1, %A, %B, %C, %D) : (index, index, index, f32, memref<?x!f32_8_16>, !f32_8_8, !f32_16_8, !f32_n_16_16) -> ()
    return
  }
}
