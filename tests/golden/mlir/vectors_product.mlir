!f32_4_16 = memref<4x16xf32, strided<[16, 1], offset: ?>>
!f32_4_n_by_n_1 = memref<4x?xf32, strided<[?, 1], offset: ?>>
!f32_n_16 = memref<?x16xf32, strided<[16, 1], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_product_groups(%first: index, %last: index, %groups: index, %A: !f32_n_16, %B: !f32_4_n_by_n_1, %C: !f32_4_16) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<0.0> : vector<16xf32>
    // 1: func @product(%A: memref<f32x16x?>, %B: memref<f32x?x4>, %C: memref<f32x16x4>) {
    scf.for %group = %first to %last step %c1 {
      // 2: vector.code {
      // 6: %mask = vector.mask %twelve : vector<16xbool>
      %mask = vector.constant_mask [12] : vector<16xi1>
      // 7: %depth = size %A[1] : index
      %depth = memref.dim %A, %c0 : !f32_n_16
      // 8: %begin = vector.load %C[%zero, %one] mask %mask : vector<16xf32>
      %begin = vector.maskedload %C[%c1, %c0], %mask, %cst : !f32_4_16, vector<16xi1>, vector<16xf32> into vector<16xf32>
      // 9: %sum = for %k = %zero, %depth init(%c=%begin) -> (vector<16xf32>) {
      %loop = scf.for %k = %c0 to %depth step %c1 iter_args(%carried = %begin) -> (vector<16xf32>) {
        // 10: vector.prefetch %A[%zero, %k] {"level"=2}
        memref.prefetch %A[%k, %c0], read, locality<2>, data : !f32_n_16
        // 12: %a = vector.load %A[%zero, %k] mask %mask : vector<16xf32>
        %a = vector.maskedload %A[%k, %c0], %mask, %cst : !f32_n_16, vector<16xi1>, vector<16xf32> into vector<16xf32>
        // 13: %b = load %B[%k, %one] : f32
        %b = memref.load %B[%c1, %k] : !f32_4_n_by_n_1
        // 14: %all = vector.splat %b : vector<16xf32>
        %all = vector.broadcast %b : f32 to vector<16xf32>
        // 15: %next = vector.fma %a, %all, %c : vector<16xf32>
        %next = vector.fma %a, %all, %carried : vector<16xf32>
        scf.yield %next : vector<16xf32>
      }
      // 18: vector.store %sum, %C[%zero, %one] mask %mask
      vector.maskedstore %C[%c1, %c0], %mask, %loop : !f32_4_16, vector<16xi1>, vector<16xf32>
    } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = true>>}
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_product(%first: index, %last: index, %groups: index, %A: !f32_n_16, %B: !f32_4_n_by_n_1, %C: !f32_4_16) attributes {llvm.emit_c_interface} {
    func.call @pytl_product_groups(%first, %last, %groups, %A, %B, %C) : (index, index, index, !f32_n_16, !f32_4_n_by_n_1, !f32_4_16) -> ()
    return
  }
}
