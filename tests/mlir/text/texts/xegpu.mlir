#l = #xegpu.layout<sg_layout = [2,2], sg_data = [8, 16]>
gpu.module @m {
gpu.func @k(%a: memref<64x64xf16>, %s: memref<8192xi8, 3>, %p : i64, %b1: memref<64xf32>) {
 %c0 = arith.constant 0 : index
 %m = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>
 %m2 = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64], block = [16, 16]>>
 %v = xegpu.load_matrix %m[%c0, 8] : !xegpu.mem_desc<64x64xf16>, index -> vector<8x16xf16>
 %v1 = xegpu.load_matrix %m2[%c0, 8] <{subgroup_block_io}> {layout = #l} : !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64], block = [16, 16]>>, index -> vector<16x32xf16>
 xegpu.store_matrix %v, %m[%c0, 8] : vector<8x16xf16>, !xegpu.mem_desc<64x64xf16>, index
 %cl = xegpu.convert_layout %v <{input_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : vector<8x16xf16>
 %of = arith.constant dense<0> : vector<16xindex>
 %mask = arith.constant dense<1> : vector<16xi1>
 %ld = xegpu.load %b1[%of], %mask <{chunk_size = 2, l1_hint = #xegpu.cache_hint<cached>}> : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16x2xf32>
 xegpu.prefetch %b1[%of] : memref<64xf32>, vector<16xindex>
 xegpu.prefetch %p[%of] <{offset_align_byte = 4}> : i64, vector<16xindex>
 %t = xegpu.create_tdesc %p, %of : i64, vector<16xindex> -> !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
 %l2 = xegpu.load %t, %mask : !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<16xi1> -> vector<16x2xf32>
 %nd = xegpu.create_nd_tdesc %a[%c0, 4] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2, boundary_check = false, memory_space = global>>
 xegpu.fence memory_kind = global, fence_scope = workgroup
 %lw = xegpu.load_nd %nd[%c0, 0] {layout = #l} : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2, boundary_check = false, memory_space = global>> -> vector<2x8x16xf16>
 %slice = arith.constant {layout_result_0 = #xegpu.slice<#xegpu.layout<sg_layout = [2, 2]>, dims = [0]>} dense<0.0> : vector<16xf32>
 gpu.return
}
}
