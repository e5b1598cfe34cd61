!f32_16_16 = memref<16x16xf32, strided<[16, 1], offset: ?>>
!f32_16_8 = memref<16x8xf32, strided<[8, 1], offset: ?>>
!f32_8_16 = memref<8x16xf32, strided<[16, 1], offset: ?>>
!f32_8_8 = memref<8x8xf32, strided<[8, 1], offset: ?>>
!f32_n_16_16 = memref<?x16x16xf32, strided<[256, 16, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_fused_groups(%first: index, %last: index, %groups: index, %alpha: f32, %A: memref<?x!f32_8_16>, %B: !f32_8_8, %C: !f32_16_8, %D: !f32_n_16_16) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c8 = arith.constant 8 : index
    %cst_f32 = arith.constant 0.0 : f32
    %c256 = arith.constant 256 : index
    %stack = memref.alloca() {alignment = 64 : i64} : memref<512xi8>
    scf.for %group = %first to %last step %c1 {
      // 6: %g = builtin.group_id : index
      // 7: %tmp = alloca : memref<f32x16x8,local>
      %part = memref.view %stack[%c0][] : memref<512xi8> to memref<128xf32>
      %tmp = memref.reinterpret_cast %part to offset: [%c0], sizes: [8, 16], strides: [16, 1] : memref<128xf32> to !f32_8_16
      // 8: %0 = load %A[%g] : memref<f32x16x8>
      %item = memref.load %A[%group] : memref<?x!f32_8_16>
      // 11: gemm.n.t %1, %0, %B, %2, %tmp
      scf.for %j = %c0 to %c8 step %c1 {
        scf.for %i = %c0 to %c16 step %c1 {
          %loop = scf.for %k = %c0 to %c8 step %c1 iter_args(%carried = %cst_f32) -> (f32) {
            %v = memref.load %item[%k, %i] : !f32_8_16
            %v_1 = memref.load %B[%k, %j] : !f32_8_8
            %v_2 = arith.mulf %v, %v_1 : f32
            %v_3 = arith.addf %carried, %v_2 : f32
            scf.yield %v_3 : f32
          }
          memref.store %loop, %tmp[%j, %i] : !f32_8_16
        }
      }
      // 12: %3 = subview %D[0:16, 0:16, %g] : memref<f32x16x16>
      %D_base, %D_offset, %D_sizes:3, %D_strides:3 = memref.extract_strided_metadata %D : !f32_n_16_16 -> memref<f32>, index, index, index, index, index, index, index
      %v_4 = arith.muli %group, %c256 : index
      %v_5 = arith.addi %D_offset, %v_4 : index
      %D_view = memref.reinterpret_cast %D to offset: [%v_5], sizes: [16, 16], strides: [16, 1] : !f32_n_16_16 to !f32_16_16
      // 14: gemm.n.n %alpha, %tmp, %C, %4, %3
      scf.for %j_1 = %c0 to %c16 step %c1 {
        scf.for %i_1 = %c0 to %c16 step %c1 {
          %loop_1 = scf.for %k_1 = %c0 to %c8 step %c1 iter_args(%carried_1 = %cst_f32) -> (f32) {
            %v_6 = memref.load %tmp[%k_1, %i_1] : !f32_8_16
            %v_7 = memref.load %C[%j_1, %k_1] : !f32_16_8
            %v_8 = arith.mulf %v_6, %v_7 : f32
            %v_9 = arith.addf %carried_1, %v_8 : f32
            scf.yield %v_9 : f32
          }
          %v_10 = arith.mulf %alpha, %loop_1 : f32
          %v_11 = memref.load %D_view[%j_1, %i_1] : !f32_16_16
          %v_12 = arith.addf %v_10, %v_11 : f32
          memref.store %v_12, %D_view[%j_1, %i_1] : !f32_16_16
        }
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
