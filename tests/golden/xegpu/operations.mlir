module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<128x128xbf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<128x128xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<?x?xbf16>, %arg1: index, %arg2: index, %arg3: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0, shape : [%arg1, %arg2], strides : [%arg3, 1] : memref<?x?xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: index, %arg2: index, %arg3: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0, shape : [%arg1, %arg2], strides : [%arg3, 1] : i64 -> !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<128x128xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<128x128xbf16> -> !xegpu.tensor_desc<64x64xbf16>
      %1 = xegpu.load_nd %0[%arg1, %arg2]  : !xegpu.tensor_desc<64x64xbf16> -> vector<64x64xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<128x128xbf16>, %arg1: vector<64x64xbf16>, %arg2: index, %arg3: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<128x128xbf16> -> !xegpu.tensor_desc<64x64xbf16>
      xegpu.store_nd %arg1, %0[%arg2, %arg3]  : vector<64x64xbf16>, !xegpu.tensor_desc<64x64xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<128x128xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<128x128xbf16> -> !xegpu.tensor_desc<16x32xbf16>
      xegpu.prefetch_nd %0[%arg1, %arg2]  : !xegpu.tensor_desc<16x32xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<128x128xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0[%arg1, %arg2] : memref<128x128xbf16> -> !xegpu.tensor_desc<64x64xbf16>
      %1 = xegpu.update_nd_offset %0, [0, 64] : !xegpu.tensor_desc<64x64xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: vector<8x16xbf16>, %arg1: vector<16x16xbf16>, %arg2: vector<8x16xf32>) kernel {
      %0 = xegpu.dpas %arg0, %arg1, %arg2 : vector<8x16xbf16>, vector<16x16xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: vector<8x16xbf16>, %arg1: vector<16x16xbf16>) kernel {
      %0 = xegpu.dpas %arg0, %arg1 : vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<128x128xf32>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<128x128xf32> -> !xegpu.tensor_desc<16x8xf32>
      %1 = xegpu.load_nd %0[%arg1, %arg2] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: vector<8x16xbf16>, %arg1: vector<8x16xi1>) kernel {
      %cst = arith.constant dense<1.000000e+00> : vector<8x16xbf16>
      %0 = arith.select %arg1, %arg0, %cst : vector<8x16xi1>, vector<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xf16> -> !xegpu.tensor_desc<128x128xf16, #xegpu.layout<sg_layout = [2, 1], sg_data = [64, 128]>>
      %1 = xegpu.load_nd %0[%arg1, %arg2]  : !xegpu.tensor_desc<128x128xf16, #xegpu.layout<sg_layout = [2, 1], sg_data = [64, 128]>> -> vector<128x128xf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 2]>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xf16> -> !xegpu.tensor_desc<128x128xf16, #xegpu.layout<sg_layout = [4, 1], sg_data = [32, 128], lane_layout = [2, 8], lane_data = [1, 2]>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xf16> -> !xegpu.tensor_desc<128x128xf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: index, %arg2: index, %arg3: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0, shape : [%arg1, %arg2], strides : [%arg3, 1] : i64 -> !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0[%arg1, %arg2] : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024xbf16, 3>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0[0] : memref<1024xbf16, 3> -> !xegpu.tensor_desc<16xbf16, #xegpu.block_tdesc_attr<memory_space =  slm, boundary_check = false>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %1 = xegpu.load_nd %0[%arg1, %arg2] <{l1_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: vector<8x16xbf16>, %arg1: vector<8x16x2xbf16>, %arg2: vector<8x16xf32>) kernel {
      %0 = xegpu.dpas %arg0, %arg1, %arg2 : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: vector<8xbf16>, %arg1: vector<16xbf16>, %arg2: vector<8xf32>) kernel {
      %0 = xegpu.dpas %arg0, %arg1, %arg2 : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: vector<8x16xbf16>, %arg2: index, %arg3: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      xegpu.store_nd %arg1, %0[%arg2, %arg3]  : vector<8x16xbf16>, !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      xegpu.prefetch_nd %0[%arg1, %arg2]  : !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0[0, 0] : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %1 = xegpu.update_nd_offset %0, [%arg1, %arg2] : !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16xi8, #xegpu.scatter_tdesc_attr<>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: index, %arg2: i1) kernel {
      %0 = xegpu.load %arg0[%arg1], %arg2  : i64, index, i1 -> f32
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: index, %arg2: i1, %arg3: f32) kernel {
      xegpu.store %arg3, %arg0[%arg1], %arg2  : f32, i64, index, i1
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16xi8, #xegpu.scatter_tdesc_attr<>>
      xegpu.prefetch %0  : !xegpu.tensor_desc<16xi8, #xegpu.scatter_tdesc_attr<>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16xi16, #xegpu.scatter_tdesc_attr<>>
      %1 = xegpu.update_offset %0, %arg1 : !xegpu.tensor_desc<16xi16, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>, %arg2: vector<16xi1>, %arg3: vector<16xf32>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
      %1 = xegpu.atomic_rmw addf %0, %arg2, %arg3 : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f() kernel {
      xegpu.alloc_nbarrier 1
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i8, %arg1: i8) kernel {
      %0 = xegpu.init_nbarrier %arg0, %arg1 : i8, i8 -> !xegpu.nbarrier
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i8, %arg1: i8) kernel {
      %0 = xegpu.init_nbarrier %arg0, %arg1 : i8, i8 -> !xegpu.nbarrier
      xegpu.nbarrier_arrive %0 : !xegpu.nbarrier
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i8, %arg1: i8) kernel {
      %0 = xegpu.init_nbarrier %arg0, %arg1 : i8, i8 -> !xegpu.nbarrier
      xegpu.nbarrier_wait %0 : !xegpu.nbarrier
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f() kernel {
      xegpu.fence memory_kind = global, fence_scope = workgroup
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16, #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 2]>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %1 = xegpu.load_nd %0[%arg1, %arg2]  : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %2 = xegpu.load_nd %0[%arg1, %arg2]  : !xegpu.tensor_desc<8x16xbf16> -> vector<8xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024xf32, 3>, %arg1: vector<16xindex>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : memref<1024xf32, 3>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<memory_space =  slm>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16, #xegpu.block_tdesc_attr<boundary_check = false>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: vector<8x16xbf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %1 = xegpu.load_nd %0[0, 0] <{l1_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %2 = xegpu.load_nd %0[0, 0] <{l1_hint = #xegpu.cache_hint<read_invalidate>}> : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %3 = xegpu.load_nd %0[0, 0] <{l1_hint = #xegpu.cache_hint<uncached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      xegpu.store_nd %arg1, %0[0, 0] <{l1_hint = #xegpu.cache_hint<write_through>, l3_hint = #xegpu.cache_hint<write_back>}> : vector<8x16xbf16>, !xegpu.tensor_desc<8x16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xf32>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xf32> -> !xegpu.tensor_desc<16x8xf32>
      %1 = xegpu.load_nd %0[%arg1, %arg2] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>, %arg1: index, %arg2: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<16x16xbf16>
      %1 = xegpu.load_nd %0[%arg1, %arg2] <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index) kernel {
      %0 = xegpu.create_nd_tdesc %arg0, shape : [%arg1, %arg2], strides : [%arg3, 1] : i64 -> !xegpu.tensor_desc<16x8xi32>
      %1 = xegpu.load_nd %0[%arg4, %arg5] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xi32> -> vector<8xi32>
      %2 = vector.bitcast %1 : vector<8xi32> to vector<16xbf16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>, %arg2: vector<16xi1>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16x8xi16, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>>
      %1 = xegpu.load %0, %arg2  : !xegpu.tensor_desc<16x8xi16, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>>, vector<16xi1> -> vector<16x8xi16>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16xi8, #xegpu.scatter_tdesc_attr<>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i8, %arg1: i8) kernel {
      %0 = xegpu.init_nbarrier %arg0, %arg1 : i8, i8 -> !xegpu.nbarrier
      xegpu.nbarrier_arrive %0 : !xegpu.nbarrier
      xegpu.nbarrier_wait %0 : !xegpu.nbarrier
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f() kernel {
      xegpu.fence memory_kind = slm, fence_scope = workgroup
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f() kernel {
      xegpu.fence memory_kind = global, fence_scope = gpu
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f() kernel {
      xegpu.fence memory_kind = global, fence_scope = workgroup
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i64, %arg1: vector<16xindex>, %arg2: vector<16xi1>, %arg3: vector<16xi32>) kernel {
      %0 = xegpu.create_tdesc %arg0, %arg1 : i64, vector<16xindex> -> !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>
      %1 = xegpu.atomic_rmw maxs %0, %arg2, %arg3 : !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xi32> -> vector<16xi32>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: memref<1024x1024xbf16>) kernel {
      %0 = xegpu.create_nd_tdesc %arg0 : memref<1024x1024xbf16> -> !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
      gpu.return
    }
  }
}

// -----
module {
  gpu.module @example {
    gpu.func @f(%arg0: i8, %arg1: i8) kernel {
      %0 = xegpu.init_nbarrier %arg0, %arg1 : i8, i8 -> !xegpu.nbarrier
      gpu.return
    }
  }
}

