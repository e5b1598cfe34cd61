gpu.module @pytl_product_module {
  gpu.func @pytl_product(%A: memref<128x128xbf16, strided<[128, 1]>>, %B: memref<128x128xbf16, strided<[128, 1]>>, %C: memref<128x128xf32, strided<[128, 1]>>) kernel attributes {intel_reqd_sub_group_size = 16 : i32, known_block_size = array<i32: 16, 1, 1>} {
    %A_pointer = memref.extract_aligned_pointer_as_index %A : memref<128x128xbf16, strided<[128, 1]>> -> index
    %A_address = arith.index_cast %A_pointer : index to i64
    %B_pointer = memref.extract_aligned_pointer_as_index %B : memref<128x128xbf16, strided<[128, 1]>> -> index
    %B_address = arith.index_cast %B_pointer : index to i64
    %C_pointer = memref.extract_aligned_pointer_as_index %C : memref<128x128xf32, strided<[128, 1]>> -> index
    %C_address = arith.index_cast %C_pointer : index to i64
    %cst = arith.constant dense<0.0> : vector<8xf32>
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %blocks = xegpu.create_nd_tdesc %A_address, shape: [128, 128], strides: [128, 1] : i64 -> !xegpu.tensor_desc<16x16xbf16>
    %c16 = arith.constant 16 : index
    %blocks_1 = xegpu.create_nd_tdesc %B_address, shape: [128, 128], strides: [128, 1] : i64 -> !xegpu.tensor_desc<16x16xbf16>
    %blocks_2 = xegpu.create_nd_tdesc %C_address, shape: [128, 128], strides: [128, 1] : i64 -> !xegpu.tensor_desc<8x16xf32>
    %c8 = arith.constant 8 : index
    // 4: parallel {
    // 9: %total_1 = for %step = %0, %1, %2 init(%total_1=%total) -> (coopmatrix<f32x32x16,matrix_acc>) {
    %v = arith.subi %c128, %c0 : index
    %v_1 = arith.cmpi slt, %c0, %c128 : index
    %v_2 = arith.cmpi sgt, %c32, %c0 : index
    %v_3 = arith.andi %v_1, %v_2 : i1
    %v_4 = arith.select %v_2, %c32, %c1 : index
    %rounds = arith.ceildivui %v, %v_4 : index
    %rounds_1 = arith.select %v_3, %rounds, %c0 : index
    %loop:4 = scf.for %step = %c0 to %rounds_1 step %c1 iter_args(%carried = %cst, %carried_1 = %cst, %carried_2 = %cst, %carried_3 = %cst) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
      %v_5 = arith.muli %step, %c32 : index
      %step_1 = arith.addi %c0, %v_5 : index
      // 11: %a = cooperative_matrix_load.n %A[%3, %step] : coopmatrix<bf16x32x32,matrix_a>
      %a = xegpu.load_nd %blocks[%step_1, %c0] <{packed, l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
      %v_6 = arith.addi %step_1, %c16 : index
      %a_1 = xegpu.load_nd %blocks[%v_6, %c0] <{packed, l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
      %v_7 = arith.addi %c0, %c16 : index
      %a_2 = xegpu.load_nd %blocks[%step_1, %v_7] <{packed, l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
      %v_8 = arith.addi %step_1, %c16 : index
      %v_9 = arith.addi %c0, %c16 : index
      %a_3 = xegpu.load_nd %blocks[%v_8, %v_9] <{packed, l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
      // 13: %b = cooperative_matrix_load.n %B[%step, %4] : coopmatrix<bf16x32x16,matrix_b>
      %b = xegpu.load_nd %blocks_1[%c0, %step_1] <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
      %b_1 = vector.extract_strided_slice %b {offsets = [0], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
      %b_2 = vector.extract_strided_slice %b {offsets = [8], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
      %v_10 = arith.addi %step_1, %c16 : index
      %b_3 = xegpu.load_nd %blocks_1[%c0, %v_10] <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
      %b_4 = vector.extract_strided_slice %b_3 {offsets = [0], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
      %b_5 = vector.extract_strided_slice %b_3 {offsets = [8], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
      // 14: %total_2 = cooperative_matrix_mul_add %a, %b, %total_1 : coopmatrix<f32x32x16,matrix_acc>
      %sum = xegpu.dpas %b_1, %a, %carried : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_1 = xegpu.dpas %b_4, %a_1, %sum : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_2 = xegpu.dpas %b_1, %a_2, %carried_1 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_3 = xegpu.dpas %b_4, %a_3, %sum_2 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_4 = xegpu.dpas %b_2, %a, %carried_2 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_5 = xegpu.dpas %b_5, %a_1, %sum_4 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_6 = xegpu.dpas %b_2, %a_2, %carried_3 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      %sum_7 = xegpu.dpas %b_5, %a_3, %sum_6 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      scf.yield %sum_1, %sum_3, %sum_5, %sum_7 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
    }
    // 19: cooperative_matrix_store %total_1, %C[%5, %6]
    xegpu.store_nd %loop#0, %blocks_2[%c0, %c0] <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    %v_11 = arith.addi %c0, %c16 : index
    xegpu.store_nd %loop#1, %blocks_2[%c0, %v_11] <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    %v_12 = arith.addi %c0, %c8 : index
    xegpu.store_nd %loop#2, %blocks_2[%v_12, %c0] <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    %v_13 = arith.addi %c0, %c8 : index
    %v_14 = arith.addi %c0, %c16 : index
    xegpu.store_nd %loop#3, %blocks_2[%v_13, %v_14] <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}> : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
