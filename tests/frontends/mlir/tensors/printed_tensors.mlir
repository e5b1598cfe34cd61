// What a main on tensors prints.
func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"})
func.func private @printMemrefI64(memref<*xi64>)
func.func private @filled(%n: index, %f: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 0.5 : f32
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %z = arith.constant dense<0.0> : tensor<3x3xf32>
  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>] ins(%a, %a : tensor<3x2xf32>, tensor<3x2xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %u = tensor.cast %p : tensor<3x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  %f = call @filled(%c3, %half) : (index, f32) -> tensor<?xf32>
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %f) -> tensor<?xf32> {
    %e = tensor.extract %x[%i] : tensor<?xf32>
    %d = tensor.extract %p[%i, %i] : tensor<3x3xf32>
    %t = arith.addf %e, %d : f32
    %y = tensor.insert %t into %x[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  %v = tensor.cast %s : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%v) : (tensor<*xf32>) -> ()
  %w = tensor.extract_slice %p[1, 0] [1, 2] [1, 2] : tensor<3x3xf32> to tensor<2xf32>
  %i = arith.fptosi %w : tensor<2xf32> to tensor<2xi64>
  %m = bufferization.to_buffer %i : tensor<2xi64> to memref<2xi64>
  %n = memref.cast %m : memref<2xi64> to memref<*xi64>
  call @printMemrefI64(%n) : (memref<*xi64>) -> ()
  %q = vector.transfer_read %p[%c0, %c0], %half : tensor<3x3xf32>, vector<3xf32>
  vector.print %q : vector<3xf32>
  return
}
