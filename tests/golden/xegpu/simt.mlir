!f32_8_n_by_n_1 = memref<8x?xf32, strided<[?, 1], offset: ?>>
gpu.module @pytl_f_module {
  gpu.func @pytl_f(%A: memref<?x!f32_8_n_by_n_1>, %B: memref<40xf16, strided<[1]>>, %n: i64, %T: memref<4xi32, strided<[1]>>) workgroup(%stack : memref<32xi8, 3>) kernel attributes {intel_reqd_sub_group_size = 16 : i32, known_block_size = array<i32: 64, 1, 1>} {
    %c0_i8 = arith.constant 0 : i8
    %c4_i8 = arith.constant 4 : i8
    %B_pointer = memref.extract_aligned_pointer_as_index %B : memref<40xf16, strided<[1]>> -> index
    %B_address = arith.index_cast %B_pointer : index to i64
    %T_pointer = memref.extract_aligned_pointer_as_index %T : memref<4xi32, strided<[1]>> -> index
    %T_address = arith.index_cast %T_pointer : index to i64
    xegpu.alloc_nbarrier 1
    %barrier = xegpu.init_nbarrier %c0_i8, %c4_i8 : i8, i8 -> !xegpu.nbarrier
    %group = gpu.block_id x
    %c4_i64 = arith.constant 4 : i64
    %c0 = arith.constant 0 : index
    %lane = gpu.lane_id
    %subgroup = gpu.subgroup_id : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c7 = arith.constant 7 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %cst = arith.constant -16 : index
    %cst_f32 = arith.constant 0.0 : f32
    %c16 = arith.constant 16 : index
    %true = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %c64 = arith.constant 64 : index
    %item = gpu.thread_id x
    %c3_i32 = arith.constant 3 : i32
    // 3: %g = builtin.group_id : index
    // 4: %a = load %A[%g] : memref<f32x?x8>
    %a = memref.load %A[%group] : memref<?x!f32_8_n_by_n_1>
    %a_base, %a_offset, %a_sizes:2, %a_strides:2 = memref.extract_strided_metadata %a : !f32_8_n_by_n_1 -> memref<f32>, index, index, index, index, index
    %a_pointer = memref.extract_aligned_pointer_as_index %a : !f32_8_n_by_n_1 -> index
    %a_address = arith.index_cast %a_pointer : index to i64
    %v = arith.index_cast %a_offset : index to i64
    %v_1 = arith.muli %v, %c4_i64 : i64
    %address = arith.addi %a_address, %v_1 : i64
    // 5: %t = alloca : memref<f32x8,local>
    %t = memref.view %stack[%c0][] : memref<32xi8, 3> to memref<8xf32, 3>
    // 6: sum.t 1.0, %a, 0.0, %t
    %v_2 = arith.index_cast %lane : index to i32
    %v_3 = arith.extsi %v_2 : i32 to i64
    %v_4 = arith.index_cast %v_3 : i64 to index
    %v_5 = arith.index_cast %subgroup : index to i32
    %v_6 = arith.extsi %v_5 : i32 to i64
    %v_7 = arith.index_cast %v_6 : i64 to index
    %v_8 = arith.muli %v_7, %c8 : index
    scf.for %i = %v_8 to %c8 step %c32 {
      %v_9 = arith.addi %i, %c1 : index
      %v_10 = arith.minsi %v_9, %c7 : index
      %v_11 = arith.addi %i, %c2 : index
      %v_12 = arith.minsi %v_11, %c7 : index
      %v_13 = arith.addi %i, %c3 : index
      %v_14 = arith.minsi %v_13, %c7 : index
      %v_15 = arith.addi %i, %c4 : index
      %v_16 = arith.minsi %v_15, %c7 : index
      %v_17 = arith.addi %i, %c5 : index
      %v_18 = arith.minsi %v_17, %c7 : index
      %v_19 = arith.addi %i, %c6 : index
      %v_20 = arith.minsi %v_19, %c7 : index
      %v_21 = arith.addi %i, %c7 : index
      %v_22 = arith.minsi %v_21, %c7 : index
      %v_23 = arith.andi %a_sizes#1, %cst : index
      %v_24 = arith.subi %v_23, %c0 : index
      %v_25 = arith.cmpi slt, %c0, %v_23 : index
      %v_26 = arith.cmpi sgt, %c16, %c0 : index
      %v_27 = arith.andi %v_25, %v_26 : i1
      %v_28 = arith.select %v_26, %c16, %c1 : index
      %rounds = arith.ceildivui %v_24, %v_28 : index
      %rounds_1 = arith.select %v_27, %rounds, %c0 : index
      %loop:8 = scf.for %i_1 = %c0 to %rounds_1 step %c1 iter_args(%carried = %cst_f32, %carried_1 = %cst_f32, %carried_2 = %cst_f32, %carried_3 = %cst_f32, %carried_4 = %cst_f32, %carried_5 = %cst_f32, %carried_6 = %cst_f32, %carried_7 = %cst_f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        %v_29 = arith.muli %i_1, %c16 : index
        %i_2 = arith.addi %c0, %v_29 : index
        %v_30 = arith.addi %i_2, %v_4 : index
        %v_31 = arith.muli %i, %a_strides#0 : index
        %v_32 = arith.addi %v_30, %v_31 : index
        %v_33 = xegpu.load %address[%v_32], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_34 = arith.muli %v_10, %a_strides#0 : index
        %v_35 = arith.addi %v_30, %v_34 : index
        %v_36 = xegpu.load %address[%v_35], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_37 = arith.muli %v_12, %a_strides#0 : index
        %v_38 = arith.addi %v_30, %v_37 : index
        %v_39 = xegpu.load %address[%v_38], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_40 = arith.muli %v_14, %a_strides#0 : index
        %v_41 = arith.addi %v_30, %v_40 : index
        %v_42 = xegpu.load %address[%v_41], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_43 = arith.muli %v_16, %a_strides#0 : index
        %v_44 = arith.addi %v_30, %v_43 : index
        %v_45 = xegpu.load %address[%v_44], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_46 = arith.muli %v_18, %a_strides#0 : index
        %v_47 = arith.addi %v_30, %v_46 : index
        %v_48 = xegpu.load %address[%v_47], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_49 = arith.muli %v_20, %a_strides#0 : index
        %v_50 = arith.addi %v_30, %v_49 : index
        %v_51 = xegpu.load %address[%v_50], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_52 = arith.muli %v_22, %a_strides#0 : index
        %v_53 = arith.addi %v_30, %v_52 : index
        %v_54 = xegpu.load %address[%v_53], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_55 = arith.addf %carried, %v_33 : f32
        %v_56 = arith.addf %carried_1, %v_36 : f32
        %v_57 = arith.addf %carried_2, %v_39 : f32
        %v_58 = arith.addf %carried_3, %v_42 : f32
        %v_59 = arith.addf %carried_4, %v_45 : f32
        %v_60 = arith.addf %carried_5, %v_48 : f32
        %v_61 = arith.addf %carried_6, %v_51 : f32
        %v_62 = arith.addf %carried_7, %v_54 : f32
        scf.yield %v_55, %v_56, %v_57, %v_58, %v_59, %v_60, %v_61, %v_62 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %v_63 = arith.addi %v_23, %v_4 : index
      %v_64 = arith.cmpi slt, %v_63, %a_sizes#1 : index
      %chosen:8 = scf.if %v_64 -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        %v_65 = arith.muli %i, %a_strides#0 : index
        %v_66 = arith.addi %v_63, %v_65 : index
        %v_67 = xegpu.load %address[%v_66], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_68 = arith.muli %v_10, %a_strides#0 : index
        %v_69 = arith.addi %v_63, %v_68 : index
        %v_70 = xegpu.load %address[%v_69], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_71 = arith.muli %v_12, %a_strides#0 : index
        %v_72 = arith.addi %v_63, %v_71 : index
        %v_73 = xegpu.load %address[%v_72], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_74 = arith.muli %v_14, %a_strides#0 : index
        %v_75 = arith.addi %v_63, %v_74 : index
        %v_76 = xegpu.load %address[%v_75], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_77 = arith.muli %v_16, %a_strides#0 : index
        %v_78 = arith.addi %v_63, %v_77 : index
        %v_79 = xegpu.load %address[%v_78], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_80 = arith.muli %v_18, %a_strides#0 : index
        %v_81 = arith.addi %v_63, %v_80 : index
        %v_82 = xegpu.load %address[%v_81], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_83 = arith.muli %v_20, %a_strides#0 : index
        %v_84 = arith.addi %v_63, %v_83 : index
        %v_85 = xegpu.load %address[%v_84], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_86 = arith.muli %v_22, %a_strides#0 : index
        %v_87 = arith.addi %v_63, %v_86 : index
        %v_88 = xegpu.load %address[%v_87], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_89 = arith.addf %loop#0, %v_67 : f32
        %v_90 = arith.addf %loop#1, %v_70 : f32
        %v_91 = arith.addf %loop#2, %v_73 : f32
        %v_92 = arith.addf %loop#3, %v_76 : f32
        %v_93 = arith.addf %loop#4, %v_79 : f32
        %v_94 = arith.addf %loop#5, %v_82 : f32
        %v_95 = arith.addf %loop#6, %v_85 : f32
        %v_96 = arith.addf %loop#7, %v_88 : f32
        scf.yield %v_89, %v_90, %v_91, %v_92, %v_93, %v_94, %v_95, %v_96 : f32, f32, f32, f32, f32, f32, f32, f32
      } else {
        scf.yield %loop#0, %loop#1, %loop#2, %loop#3, %loop#4, %loop#5, %loop#6, %loop#7 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %other, %valid = gpu.shuffle xor %chosen#0, %c1_i32, %c16_i32 : f32
      %v_97 = arith.addf %chosen#0, %other : f32
      %other_1, %valid_1 = gpu.shuffle xor %v_97, %c2_i32, %c16_i32 : f32
      %v_98 = arith.addf %v_97, %other_1 : f32
      %other_2, %valid_2 = gpu.shuffle xor %v_98, %c4_i32, %c16_i32 : f32
      %v_99 = arith.addf %v_98, %other_2 : f32
      %other_3, %valid_3 = gpu.shuffle xor %v_99, %c8_i32, %c16_i32 : f32
      %v_100 = arith.addf %v_99, %other_3 : f32
      %other_4, %valid_4 = gpu.shuffle xor %chosen#1, %c1_i32, %c16_i32 : f32
      %v_101 = arith.addf %chosen#1, %other_4 : f32
      %other_5, %valid_5 = gpu.shuffle xor %v_101, %c2_i32, %c16_i32 : f32
      %v_102 = arith.addf %v_101, %other_5 : f32
      %other_6, %valid_6 = gpu.shuffle xor %v_102, %c4_i32, %c16_i32 : f32
      %v_103 = arith.addf %v_102, %other_6 : f32
      %other_7, %valid_7 = gpu.shuffle xor %v_103, %c8_i32, %c16_i32 : f32
      %v_104 = arith.addf %v_103, %other_7 : f32
      %other_8, %valid_8 = gpu.shuffle xor %chosen#2, %c1_i32, %c16_i32 : f32
      %v_105 = arith.addf %chosen#2, %other_8 : f32
      %other_9, %valid_9 = gpu.shuffle xor %v_105, %c2_i32, %c16_i32 : f32
      %v_106 = arith.addf %v_105, %other_9 : f32
      %other_10, %valid_10 = gpu.shuffle xor %v_106, %c4_i32, %c16_i32 : f32
      %v_107 = arith.addf %v_106, %other_10 : f32
      %other_11, %valid_11 = gpu.shuffle xor %v_107, %c8_i32, %c16_i32 : f32
      %v_108 = arith.addf %v_107, %other_11 : f32
      %other_12, %valid_12 = gpu.shuffle xor %chosen#3, %c1_i32, %c16_i32 : f32
      %v_109 = arith.addf %chosen#3, %other_12 : f32
      %other_13, %valid_13 = gpu.shuffle xor %v_109, %c2_i32, %c16_i32 : f32
      %v_110 = arith.addf %v_109, %other_13 : f32
      %other_14, %valid_14 = gpu.shuffle xor %v_110, %c4_i32, %c16_i32 : f32
      %v_111 = arith.addf %v_110, %other_14 : f32
      %other_15, %valid_15 = gpu.shuffle xor %v_111, %c8_i32, %c16_i32 : f32
      %v_112 = arith.addf %v_111, %other_15 : f32
      %other_16, %valid_16 = gpu.shuffle xor %chosen#4, %c1_i32, %c16_i32 : f32
      %v_113 = arith.addf %chosen#4, %other_16 : f32
      %other_17, %valid_17 = gpu.shuffle xor %v_113, %c2_i32, %c16_i32 : f32
      %v_114 = arith.addf %v_113, %other_17 : f32
      %other_18, %valid_18 = gpu.shuffle xor %v_114, %c4_i32, %c16_i32 : f32
      %v_115 = arith.addf %v_114, %other_18 : f32
      %other_19, %valid_19 = gpu.shuffle xor %v_115, %c8_i32, %c16_i32 : f32
      %v_116 = arith.addf %v_115, %other_19 : f32
      %other_20, %valid_20 = gpu.shuffle xor %chosen#5, %c1_i32, %c16_i32 : f32
      %v_117 = arith.addf %chosen#5, %other_20 : f32
      %other_21, %valid_21 = gpu.shuffle xor %v_117, %c2_i32, %c16_i32 : f32
      %v_118 = arith.addf %v_117, %other_21 : f32
      %other_22, %valid_22 = gpu.shuffle xor %v_118, %c4_i32, %c16_i32 : f32
      %v_119 = arith.addf %v_118, %other_22 : f32
      %other_23, %valid_23 = gpu.shuffle xor %v_119, %c8_i32, %c16_i32 : f32
      %v_120 = arith.addf %v_119, %other_23 : f32
      %other_24, %valid_24 = gpu.shuffle xor %chosen#6, %c1_i32, %c16_i32 : f32
      %v_121 = arith.addf %chosen#6, %other_24 : f32
      %other_25, %valid_25 = gpu.shuffle xor %v_121, %c2_i32, %c16_i32 : f32
      %v_122 = arith.addf %v_121, %other_25 : f32
      %other_26, %valid_26 = gpu.shuffle xor %v_122, %c4_i32, %c16_i32 : f32
      %v_123 = arith.addf %v_122, %other_26 : f32
      %other_27, %valid_27 = gpu.shuffle xor %v_123, %c8_i32, %c16_i32 : f32
      %v_124 = arith.addf %v_123, %other_27 : f32
      %other_28, %valid_28 = gpu.shuffle xor %chosen#7, %c1_i32, %c16_i32 : f32
      %v_125 = arith.addf %chosen#7, %other_28 : f32
      %other_29, %valid_29 = gpu.shuffle xor %v_125, %c2_i32, %c16_i32 : f32
      %v_126 = arith.addf %v_125, %other_29 : f32
      %other_30, %valid_30 = gpu.shuffle xor %v_126, %c4_i32, %c16_i32 : f32
      %v_127 = arith.addf %v_126, %other_30 : f32
      %other_31, %valid_31 = gpu.shuffle xor %v_127, %c8_i32, %c16_i32 : f32
      %v_128 = arith.addf %v_127, %other_31 : f32
      %v_129 = arith.cmpi eq, %v_4, %c1 : index
      %chosen_1 = scf.if %v_129 -> (f32) {
        scf.yield %v_104 : f32
      } else {
        scf.yield %v_100 : f32
      }
      %v_130 = arith.cmpi eq, %v_4, %c2 : index
      %chosen_2 = scf.if %v_130 -> (f32) {
        scf.yield %v_108 : f32
      } else {
        scf.yield %chosen_1 : f32
      }
      %v_131 = arith.cmpi eq, %v_4, %c3 : index
      %chosen_3 = scf.if %v_131 -> (f32) {
        scf.yield %v_112 : f32
      } else {
        scf.yield %chosen_2 : f32
      }
      %v_132 = arith.cmpi eq, %v_4, %c4 : index
      %chosen_4 = scf.if %v_132 -> (f32) {
        scf.yield %v_116 : f32
      } else {
        scf.yield %chosen_3 : f32
      }
      %v_133 = arith.cmpi eq, %v_4, %c5 : index
      %chosen_5 = scf.if %v_133 -> (f32) {
        scf.yield %v_120 : f32
      } else {
        scf.yield %chosen_4 : f32
      }
      %v_134 = arith.cmpi eq, %v_4, %c6 : index
      %chosen_6 = scf.if %v_134 -> (f32) {
        scf.yield %v_124 : f32
      } else {
        scf.yield %chosen_5 : f32
      }
      %v_135 = arith.cmpi eq, %v_4, %c7 : index
      %chosen_7 = scf.if %v_135 -> (f32) {
        scf.yield %v_128 : f32
      } else {
        scf.yield %chosen_6 : f32
      }
      %v_136 = arith.addi %i, %v_4 : index
      %v_137 = arith.addi %i, %c8 : index
      %v_138 = arith.minsi %v_137, %c8 : index
      %v_139 = arith.cmpi slt, %v_136, %v_138 : index
      scf.if %v_139 {
        memref.store %chosen_7, %t[%v_136] : memref<8xf32, 3>
      }
    }
    // 9: foreach (%i) = (%c0), (%c8) {
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    scf.for %point = %item to %c8 step %c64 {
      // 10: %x = load %t[%i] : f32
      %x = memref.load %t[%point] : memref<8xf32, 3>
      // 11: %y = math.exp %x : f32
      %y = math.exp %x : f32
      // 12: store %y, %a[%c0, %i]
      %v_140 = arith.muli %point, %a_strides#0 : index
      %v_141 = arith.addi %c0, %v_140 : index
      xegpu.store %y, %address[%v_141], %true <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : f32, i64, index, i1
      // 13: store.atomic_add 1, %T[%c0]
      %v_142 = vector.broadcast %c0 : index to vector<1xindex>
      %v_143 = vector.broadcast %true : i1 to vector<1xi1>
      %v_144 = vector.broadcast %c1_i32 : i32 to vector<1xi32>
      %scattered = xegpu.create_tdesc %T_address, %v_142 : i64, vector<1xindex> -> !xegpu.tensor_desc<1xi32, #xegpu.scatter_tdesc_attr<>>
      %before = xegpu.atomic_rmw addi %scattered, %v_143, %v_144 : !xegpu.tensor_desc<1xi32, #xegpu.scatter_tdesc_attr<>>, vector<1xi1>, vector<1xi32> -> vector<1xi32>
    }
    // 15: parallel {
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    // 16: %l = builtin.subgroup_local_id : i32
    %l = arith.index_cast %lane : index to i32
    // 17: %s = subgroup_add.inclusive_scan %l : i32
    %other_32, %valid_32 = gpu.shuffle up %l, %c1_i32, %c16_i32 : i32
    %v_145 = arith.addi %other_32, %l : i32
    %v_146 = arith.cmpi uge, %lane, %c1 : index
    %v_147 = arith.select %v_146, %v_145, %l : i32
    %other_33, %valid_33 = gpu.shuffle up %v_147, %c2_i32, %c16_i32 : i32
    %v_148 = arith.addi %other_33, %v_147 : i32
    %v_149 = arith.cmpi uge, %lane, %c2 : index
    %v_150 = arith.select %v_149, %v_148, %v_147 : i32
    %other_34, %valid_34 = gpu.shuffle up %v_150, %c4_i32, %c16_i32 : i32
    %v_151 = arith.addi %other_34, %v_150 : i32
    %v_152 = arith.cmpi uge, %lane, %c4 : index
    %v_153 = arith.select %v_152, %v_151, %v_150 : i32
    %other_35, %valid_35 = gpu.shuffle up %v_153, %c8_i32, %c16_i32 : i32
    %v_154 = arith.addi %other_35, %v_153 : i32
    %v_155 = arith.cmpi uge, %lane, %c8 : index
    %v_156 = arith.select %v_155, %v_154, %v_153 : i32
    // 18: %p = cast %s : index
    %v_157 = arith.extsi %v_156 : i32 to i64
    %p = arith.index_cast %v_157 : i64 to index
    // 19: %h = load %B[%p] : f16
    %h = xegpu.load %B_address[%p], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f16
    %h_1 = arith.extf %h : f16 to f32
    // 20: %r = subgroup_broadcast %h, 3 : f16
    %other_36, %valid_36 = gpu.shuffle idx %h_1, %c3_i32, %c16_i32 : f32
    // 21: barrier.global.local
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    // 22: store %r, %B[%p]
    %v_158 = arith.truncf %other_36 : f32 to f16
    xegpu.store %v_158, %B_address[%p], %true <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : f16, i64, index, i1
    gpu.return
  }
}
