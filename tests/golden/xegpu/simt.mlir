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
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %item = gpu.thread_id x
    %cst_f32 = arith.constant 0.0 : f32
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %lane = gpu.lane_id
    %c16_i32 = arith.constant 16 : i32
    %c2_i32 = arith.constant 2 : i32
    %c2 = arith.constant 2 : index
    %c4_i32 = arith.constant 4 : i32
    %c4 = arith.constant 4 : index
    %c8_i32 = arith.constant 8 : i32
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
    scf.for %point = %item to %c8 step %c64 {
      %loop = scf.for %k = %c0 to %a_sizes#1 step %c1 iter_args(%carried = %cst_f32) -> (f32) {
        %v_2 = arith.muli %point, %a_strides#0 : index
        %v_3 = arith.addi %k, %v_2 : index
        %v_4 = xegpu.load %address[%v_3], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f32
        %v_5 = arith.addf %carried, %v_4 : f32
        scf.yield %v_5 : f32
      }
      memref.store %loop, %t[%point] : memref<8xf32, 3>
    }
    // 9: foreach (%i) = (%c0), (%c8) {
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    scf.for %point_1 = %item to %c8 step %c64 {
      // 10: %x = load %t[%i] : f32
      %x = memref.load %t[%point_1] : memref<8xf32, 3>
      // 11: %y = math.exp %x : f32
      %y = math.exp %x : f32
      // 12: store %y, %a[%c0, %i]
      %v_6 = arith.muli %point_1, %a_strides#0 : index
      %v_7 = arith.addi %c0, %v_6 : index
      xegpu.store %y, %address[%v_7], %true <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : f32, i64, index, i1
      // 13: store.atomic_add 1, %T[%c0]
      %v_8 = vector.broadcast %c0 : index to vector<1xindex>
      %v_9 = vector.broadcast %true : i1 to vector<1xi1>
      %v_10 = vector.broadcast %c1_i32 : i32 to vector<1xi32>
      %scattered = xegpu.create_tdesc %T_address, %v_8 : i64, vector<1xindex> -> !xegpu.tensor_desc<1xi32, #xegpu.scatter_tdesc_attr<>>
      %before = xegpu.atomic_rmw addi %scattered, %v_9, %v_10 : !xegpu.tensor_desc<1xi32, #xegpu.scatter_tdesc_attr<>>, vector<1xi1>, vector<1xi32> -> vector<1xi32>
    }
    // 15: parallel {
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    // 16: %l = builtin.subgroup_local_id : i32
    %l = arith.index_cast %lane : index to i32
    // 17: %s = subgroup_add.inclusive_scan %l : i32
    %other, %valid = gpu.shuffle up %l, %c1_i32, %c16_i32 : i32
    %v_11 = arith.addi %other, %l : i32
    %v_12 = arith.cmpi uge, %lane, %c1 : index
    %v_13 = arith.select %v_12, %v_11, %l : i32
    %other_1, %valid_1 = gpu.shuffle up %v_13, %c2_i32, %c16_i32 : i32
    %v_14 = arith.addi %other_1, %v_13 : i32
    %v_15 = arith.cmpi uge, %lane, %c2 : index
    %v_16 = arith.select %v_15, %v_14, %v_13 : i32
    %other_2, %valid_2 = gpu.shuffle up %v_16, %c4_i32, %c16_i32 : i32
    %v_17 = arith.addi %other_2, %v_16 : i32
    %v_18 = arith.cmpi uge, %lane, %c4 : index
    %v_19 = arith.select %v_18, %v_17, %v_16 : i32
    %other_3, %valid_3 = gpu.shuffle up %v_19, %c8_i32, %c16_i32 : i32
    %v_20 = arith.addi %other_3, %v_19 : i32
    %v_21 = arith.cmpi uge, %lane, %c8 : index
    %v_22 = arith.select %v_21, %v_20, %v_19 : i32
    // 18: %p = cast %s : index
    %v_23 = arith.extsi %v_22 : i32 to i64
    %p = arith.index_cast %v_23 : i64 to index
    // 19: %h = load %B[%p] : f16
    %h = xegpu.load %B_address[%p], %true <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : i64, index, i1 -> f16
    %h_1 = arith.extf %h : f16 to f32
    // 20: %r = subgroup_broadcast %h, 3 : f16
    %other_4, %valid_4 = gpu.shuffle idx %h_1, %c3_i32, %c16_i32 : f32
    // 21: barrier.global.local
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
    xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
    // 22: store %r, %B[%p]
    %v_24 = arith.truncf %other_4 : f32 to f16
    xegpu.store %v_24, %B_address[%p], %true <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : f16, i64, index, i1
    gpu.return
  }
}
