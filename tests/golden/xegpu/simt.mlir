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
    %v_9 = arith.subi %c8, %v_8 : index
    %v_10 = arith.cmpi slt, %v_8, %c8 : index
    %v_11 = arith.cmpi sgt, %c32, %c0 : index
    %v_12 = arith.andi %v_10, %v_11 : i1
    %v_13 = arith.select %v_11, %c32, %c1 : index
    %rounds = arith.ceildivui %v_9, %v_13 : index
    %rounds_1 = arith.select %v_12, %rounds, %c0 : index
    scf.for %i = %c0 to %rounds_1 step %c1 {
      %v_14 = arith.muli %i, %c32 : index
      %i_1 = arith.addi %v_8, %v_14 : index
      %v_15 = arith.addi %i_1, %c1 : index
      %v_16 = arith.minsi %v_15, %c7 : index
      %v_17 = arith.addi %i_1, %c2 : index
      %v_18 = arith.minsi %v_17, %c7 : index
      %v_19 = arith.addi %i_1, %c3 : index
      %v_20 = arith.minsi %v_19, %c7 : index
      %v_21 = arith.addi %i_1, %c4 : index
      %v_22 = arith.minsi %v_21, %c7 : index
      %v_23 = arith.addi %i_1, %c5 : index
      %v_24 = arith.minsi %v_23, %c7 : index
      %v_25 = arith.addi %i_1, %c6 : index
      %v_26 = arith.minsi %v_25, %c7 : index
      %v_27 = arith.addi %i_1, %c7 : index
      %v_28 = arith.minsi %v_27, %c7 : index
      %v_29 = arith.andi %a_sizes#1, %cst : index
      %v_30 = arith.subi %v_29, %c0 : index
      %v_31 = arith.cmpi slt, %c0, %v_29 : index
      %v_32 = arith.cmpi sgt, %c16, %c0 : index
      %v_33 = arith.andi %v_31, %v_32 : i1
      %v_34 = arith.select %v_32, %c16, %c1 : index
      %rounds_2 = arith.ceildivui %v_30, %v_34 : index
      %rounds_3 = arith.select %v_33, %rounds_2, %c0 : index
      %loop:8 = scf.for %i_2 = %c0 to %rounds_3 step %c1 iter_args(%carried = %cst_f32, %carried_1 = %cst_f32, %carried_2 = %cst_f32, %carried_3 = %cst_f32, %carried_4 = %cst_f32, %carried_5 = %cst_f32, %carried_6 = %cst_f32, %carried_7 = %cst_f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        %v_35 = arith.muli %i_2, %c16 : index
        %i_3 = arith.addi %c0, %v_35 : index
        %v_36 = arith.addi %i_3, %v_4 : index
        %v_37 = arith.muli %i_1, %a_strides#0 : index
        %v_38 = arith.addi %v_36, %v_37 : index
        %v_39 = xegpu.load %address[%v_38], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_40 = arith.muli %v_16, %a_strides#0 : index
        %v_41 = arith.addi %v_36, %v_40 : index
        %v_42 = xegpu.load %address[%v_41], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_43 = arith.muli %v_18, %a_strides#0 : index
        %v_44 = arith.addi %v_36, %v_43 : index
        %v_45 = xegpu.load %address[%v_44], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_46 = arith.muli %v_20, %a_strides#0 : index
        %v_47 = arith.addi %v_36, %v_46 : index
        %v_48 = xegpu.load %address[%v_47], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_49 = arith.muli %v_22, %a_strides#0 : index
        %v_50 = arith.addi %v_36, %v_49 : index
        %v_51 = xegpu.load %address[%v_50], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_52 = arith.muli %v_24, %a_strides#0 : index
        %v_53 = arith.addi %v_36, %v_52 : index
        %v_54 = xegpu.load %address[%v_53], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_55 = arith.muli %v_26, %a_strides#0 : index
        %v_56 = arith.addi %v_36, %v_55 : index
        %v_57 = xegpu.load %address[%v_56], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_58 = arith.muli %v_28, %a_strides#0 : index
        %v_59 = arith.addi %v_36, %v_58 : index
        %v_60 = xegpu.load %address[%v_59], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_61 = arith.addf %carried, %v_39 : f32
        %v_62 = arith.addf %carried_1, %v_42 : f32
        %v_63 = arith.addf %carried_2, %v_45 : f32
        %v_64 = arith.addf %carried_3, %v_48 : f32
        %v_65 = arith.addf %carried_4, %v_51 : f32
        %v_66 = arith.addf %carried_5, %v_54 : f32
        %v_67 = arith.addf %carried_6, %v_57 : f32
        %v_68 = arith.addf %carried_7, %v_60 : f32
        scf.yield %v_61, %v_62, %v_63, %v_64, %v_65, %v_66, %v_67, %v_68 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %v_69 = arith.addi %v_29, %v_4 : index
      %v_70 = arith.cmpi slt, %v_69, %a_sizes#1 : index
      %chosen:8 = scf.if %v_70 -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        %v_71 = arith.muli %i_1, %a_strides#0 : index
        %v_72 = arith.addi %v_69, %v_71 : index
        %v_73 = xegpu.load %address[%v_72], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_74 = arith.muli %v_16, %a_strides#0 : index
        %v_75 = arith.addi %v_69, %v_74 : index
        %v_76 = xegpu.load %address[%v_75], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_77 = arith.muli %v_18, %a_strides#0 : index
        %v_78 = arith.addi %v_69, %v_77 : index
        %v_79 = xegpu.load %address[%v_78], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_80 = arith.muli %v_20, %a_strides#0 : index
        %v_81 = arith.addi %v_69, %v_80 : index
        %v_82 = xegpu.load %address[%v_81], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_83 = arith.muli %v_22, %a_strides#0 : index
        %v_84 = arith.addi %v_69, %v_83 : index
        %v_85 = xegpu.load %address[%v_84], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_86 = arith.muli %v_24, %a_strides#0 : index
        %v_87 = arith.addi %v_69, %v_86 : index
        %v_88 = xegpu.load %address[%v_87], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_89 = arith.muli %v_26, %a_strides#0 : index
        %v_90 = arith.addi %v_69, %v_89 : index
        %v_91 = xegpu.load %address[%v_90], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_92 = arith.muli %v_28, %a_strides#0 : index
        %v_93 = arith.addi %v_69, %v_92 : index
        %v_94 = xegpu.load %address[%v_93], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_95 = arith.addf %loop#0, %v_73 : f32
        %v_96 = arith.addf %loop#1, %v_76 : f32
        %v_97 = arith.addf %loop#2, %v_79 : f32
        %v_98 = arith.addf %loop#3, %v_82 : f32
        %v_99 = arith.addf %loop#4, %v_85 : f32
        %v_100 = arith.addf %loop#5, %v_88 : f32
        %v_101 = arith.addf %loop#6, %v_91 : f32
        %v_102 = arith.addf %loop#7, %v_94 : f32
        scf.yield %v_95, %v_96, %v_97, %v_98, %v_99, %v_100, %v_101, %v_102 : f32, f32, f32, f32, f32, f32, f32, f32
      } else {
        scf.yield %loop#0, %loop#1, %loop#2, %loop#3, %loop#4, %loop#5, %loop#6, %loop#7 : f32, f32, f32, f32, f32, f32, f32, f32
      }
      %v_103 = arith.andi %v_4, %c1 : index
      %v_104 = arith.cmpi ne, %v_103, %c0 : index
      %chosen_1 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#1 : f32
      } else {
        scf.yield %chosen#0 : f32
      }
      %chosen_2 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#3 : f32
      } else {
        scf.yield %chosen#2 : f32
      }
      %chosen_3 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#5 : f32
      } else {
        scf.yield %chosen#4 : f32
      }
      %chosen_4 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#7 : f32
      } else {
        scf.yield %chosen#6 : f32
      }
      %chosen_5 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#0 : f32
      } else {
        scf.yield %chosen#1 : f32
      }
      %chosen_6 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#2 : f32
      } else {
        scf.yield %chosen#3 : f32
      }
      %chosen_7 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#4 : f32
      } else {
        scf.yield %chosen#5 : f32
      }
      %chosen_8 = scf.if %v_104 -> (f32) {
        scf.yield %chosen#6 : f32
      } else {
        scf.yield %chosen#7 : f32
      }
      %other, %valid = gpu.shuffle xor %chosen_5, %c1_i32, %c16_i32 : f32
      %v_105 = arith.addf %chosen_1, %other : f32
      %other_1, %valid_1 = gpu.shuffle xor %chosen_6, %c1_i32, %c16_i32 : f32
      %v_106 = arith.addf %chosen_2, %other_1 : f32
      %other_2, %valid_2 = gpu.shuffle xor %chosen_7, %c1_i32, %c16_i32 : f32
      %v_107 = arith.addf %chosen_3, %other_2 : f32
      %other_3, %valid_3 = gpu.shuffle xor %chosen_8, %c1_i32, %c16_i32 : f32
      %v_108 = arith.addf %chosen_4, %other_3 : f32
      %v_109 = arith.andi %v_4, %c2 : index
      %v_110 = arith.cmpi ne, %v_109, %c0 : index
      %chosen_9 = scf.if %v_110 -> (f32) {
        scf.yield %v_106 : f32
      } else {
        scf.yield %v_105 : f32
      }
      %chosen_10 = scf.if %v_110 -> (f32) {
        scf.yield %v_108 : f32
      } else {
        scf.yield %v_107 : f32
      }
      %chosen_11 = scf.if %v_110 -> (f32) {
        scf.yield %v_105 : f32
      } else {
        scf.yield %v_106 : f32
      }
      %chosen_12 = scf.if %v_110 -> (f32) {
        scf.yield %v_107 : f32
      } else {
        scf.yield %v_108 : f32
      }
      %other_4, %valid_4 = gpu.shuffle xor %chosen_11, %c2_i32, %c16_i32 : f32
      %v_111 = arith.addf %chosen_9, %other_4 : f32
      %other_5, %valid_5 = gpu.shuffle xor %chosen_12, %c2_i32, %c16_i32 : f32
      %v_112 = arith.addf %chosen_10, %other_5 : f32
      %v_113 = arith.andi %v_4, %c4 : index
      %v_114 = arith.cmpi ne, %v_113, %c0 : index
      %chosen_13 = scf.if %v_114 -> (f32) {
        scf.yield %v_112 : f32
      } else {
        scf.yield %v_111 : f32
      }
      %chosen_14 = scf.if %v_114 -> (f32) {
        scf.yield %v_111 : f32
      } else {
        scf.yield %v_112 : f32
      }
      %other_6, %valid_6 = gpu.shuffle xor %chosen_14, %c4_i32, %c16_i32 : f32
      %v_115 = arith.addf %chosen_13, %other_6 : f32
      %v_116 = arith.andi %v_4, %c8 : index
      %v_117 = arith.cmpi ne, %v_116, %c0 : index
      %other_7, %valid_7 = gpu.shuffle xor %v_115, %c8_i32, %c16_i32 : f32
      %v_118 = arith.addf %v_115, %other_7 : f32
      %v_119 = arith.addi %i_1, %v_4 : index
      %v_120 = arith.addi %i_1, %c8 : index
      %v_121 = arith.minsi %v_120, %c8 : index
      %v_122 = arith.cmpi slt, %v_119, %v_121 : index
      scf.if %v_122 {
        memref.store %v_118, %t[%v_119] : memref<8xf32, 3>
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
      %v_123 = arith.muli %point, %a_strides#0 : index
      %v_124 = arith.addi %c0, %v_123 : index
      xegpu.store %y, %address[%v_124], %true <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : f32, i64, index, i1
      // 13: store.atomic_add 1, %T[%c0]
      %v_125 = vector.broadcast %c0 : index to vector<1xindex>
      %v_126 = vector.broadcast %true : i1 to vector<1xi1>
      %v_127 = vector.broadcast %c1_i32 : i32 to vector<1xi32>
      %scattered = xegpu.create_tdesc %T_address, %v_125 : i64, vector<1xindex> -> !xegpu.tensor_desc<1xi32, #xegpu.scatter_tdesc_attr<>>
      %before = xegpu.atomic_rmw addi %scattered, %v_126, %v_127 : !xegpu.tensor_desc<1xi32, #xegpu.scatter_tdesc_attr<>>, vector<1xi1>, vector<1xi32> -> vector<1xi32>
    }
    // 15: parallel {
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    // 16: %l = builtin.subgroup_local_id : i32
    %l = arith.index_cast %lane : index to i32
    // 17: %s = subgroup_add.inclusive_scan %l : i32
    %other_8, %valid_8 = gpu.shuffle up %l, %c1_i32, %c16_i32 : i32
    %v_128 = arith.addi %other_8, %l : i32
    %v_129 = arith.cmpi uge, %lane, %c1 : index
    %v_130 = arith.select %v_129, %v_128, %l : i32
    %other_9, %valid_9 = gpu.shuffle up %v_130, %c2_i32, %c16_i32 : i32
    %v_131 = arith.addi %other_9, %v_130 : i32
    %v_132 = arith.cmpi uge, %lane, %c2 : index
    %v_133 = arith.select %v_132, %v_131, %v_130 : i32
    %other_10, %valid_10 = gpu.shuffle up %v_133, %c4_i32, %c16_i32 : i32
    %v_134 = arith.addi %other_10, %v_133 : i32
    %v_135 = arith.cmpi uge, %lane, %c4 : index
    %v_136 = arith.select %v_135, %v_134, %v_133 : i32
    %other_11, %valid_11 = gpu.shuffle up %v_136, %c8_i32, %c16_i32 : i32
    %v_137 = arith.addi %other_11, %v_136 : i32
    %v_138 = arith.cmpi uge, %lane, %c8 : index
    %v_139 = arith.select %v_138, %v_137, %v_136 : i32
    // 18: %p = cast %s : index
    %v_140 = arith.extsi %v_139 : i32 to i64
    %p = arith.index_cast %v_140 : i64 to index
    // 19: %h = load %B[%p] : f16
    %h = xegpu.load %B_address[%p], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f16
    %h_1 = arith.extf %h : f16 to f32
    // 20: %r = subgroup_broadcast %h, 3 : f16
    %other_12, %valid_12 = gpu.shuffle idx %h_1, %c3_i32, %c16_i32 : f32
    // 21: barrier.global.local
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    // 22: store %r, %B[%p]
    %v_141 = arith.truncf %other_12 : f32 to f16
    xegpu.store %v_141, %B_address[%p], %true <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : f16, i64, index, i1
    gpu.return
  }
}
