!i64_1 = memref<1xi64, strided<[1], offset: ?>>
!f32_2_2_2 = memref<2x2x2xf32, strided<[4, 2, 1], offset: ?>>
!f32_2_4 = memref<2x4xf32, strided<[4, 1], offset: ?>>
!f16_8_by_3 = memref<8xf16, strided<[3], offset: ?>>
module {
  // Executes the work-groups from %first to below %last, of so many %groups.
  func.func private @pytl_turned_groups(%first: index, %last: index, %groups: index, %A: !f32_2_2_2, %i: !i64_1, %s: !f16_8_by_3) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c0_f32 = arith.constant 0.0 : f32
    // 1: func @turned(%A: memref<c32x2x2>, %i: memref<indexx1>, %s: memref<f16x8,strided<3>>) {
    scf.for %group = %first to %last step %c1 {
      // 2: vector.code {
      // 5: %n = load %i[%zero] : index
      %n = memref.load %i[%c0] : !i64_1
      %n_1 = arith.index_cast %n : i64 to index
      // 6: %a = vector.load %A[%zero, %zero] : vector<2xc32>
      %pairs = memref.collapse_shape %A [[0], [1, 2]] : !f32_2_2_2 into !f32_2_4
      %a = vector.load %pairs[%c0, %c0] : !f32_2_4, vector<4xf32>
      %a_re, %a_im = vector.deinterleave %a : vector<4xf32> -> vector<2xf32>
      // 7: %b = vector.load %A[%zero, %one] : vector<2xc32>
      %pairs_1 = memref.collapse_shape %A [[0], [1, 2]] : !f32_2_2_2 into !f32_2_4
      %b = vector.load %pairs_1[%c1, %c0] : !f32_2_4, vector<4xf32>
      %b_re, %b_im = vector.deinterleave %b : vector<4xf32> -> vector<2xf32>
      // 8: %c, %d = vector.transpose %a, %b : (vector<2xc32>, vector<2xc32>)
      %v = vector.shuffle %a_re, %b_re[0, 2] : vector<2xf32>, vector<2xf32>
      %v_1 = vector.shuffle %a_im, %b_im[0, 2] : vector<2xf32>, vector<2xf32>
      %v_2 = vector.shuffle %a_re, %b_re[1, 3] : vector<2xf32>, vector<2xf32>
      %v_3 = vector.shuffle %a_im, %b_im[1, 3] : vector<2xf32>, vector<2xf32>
      // 9: vector.store %c, %A[%zero, %zero]
      %pairs_2 = vector.interleave %v, %v_1 : vector<2xf32> -> vector<4xf32>
      %pairs_3 = memref.collapse_shape %A [[0], [1, 2]] : !f32_2_2_2 into !f32_2_4
      vector.store %pairs_2, %pairs_3[%c0, %c0] : !f32_2_4, vector<4xf32>
      // 10: vector.store %d, %A[%zero, %one]
      %pairs_4 = vector.interleave %v_2, %v_3 : vector<2xf32> -> vector<4xf32>
      %pairs_5 = memref.collapse_shape %A [[0], [1, 2]] : !f32_2_2_2 into !f32_2_4
      vector.store %pairs_4, %pairs_5[%c1, %c0] : !f32_2_4, vector<4xf32>
      // 11: %few = vector.mask %n : vector<2xbool>
      %mask = vector.create_mask %n_1 : vector<2xi1>
      // 12: %h = vector.load %s[%one] mask %few : vector<2xf16>
      %active = vector.extract %mask[0] : i1 from vector<2xi1>
      %v_4 = scf.if %active -> (f32) {
        %v_5 = memref.load %s[%c1] : !f16_8_by_3
        %v_6 = arith.extf %v_5 : f16 to f32
        scf.yield %v_6 : f32
      } else {
        scf.yield %c0_f32 : f32
      }
      %active_1 = vector.extract %mask[1] : i1 from vector<2xi1>
      %v_7 = scf.if %active_1 -> (f32) {
        %v_8 = memref.load %s[%c2] : !f16_8_by_3
        %v_9 = arith.extf %v_8 : f16 to f32
        scf.yield %v_9 : f32
      } else {
        scf.yield %c0_f32 : f32
      }
      %h = vector.from_elements %v_4, %v_7 : vector<2xf32>
      // 13: %t = vector.reduce.add %h : f16
      %t = vector.reduction <add>, %h : vector<2xf32> into f32
      %v_10 = arith.truncf %t : f32 to f16
      %v_11 = arith.extf %v_10 : f16 to f32
      // 14: store %t, %s[%zero]
      memref.store %v_10, %s[%c0] : !f16_8_by_3
    }
    return
  }
  // Called from outside: numbers lie in memory.
  func.func @pytl_turned(%first: index, %last: index, %groups: index, %A: !f32_2_2_2, %i: !i64_1, %s: !f16_8_by_3) attributes {llvm.emit_c_interface} {
    func.call @pytl_turned_groups(%first, %last, %groups, %A, %i, %s) : (index, index, index, !f32_2_2_2, !i64_1, !f16_8_by_3) -> ()
    return
  }
}
