func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}
func.func private @printMemrefBF16(memref<*xbf16>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF16(memref<*xf16>) attributes {llvm.emit_c_interface}
func.func private @printMemrefShapeF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefInd(memref<*xindex>) attributes {llvm.emit_c_interface}
func.func private @printMemrefC32(memref<*xcomplex<f32>>) attributes {llvm.emit_c_interface}
func.func private @printMemrefC64(memref<*xcomplex<f64>>) attributes {llvm.emit_c_interface}
func.func private @printMemref2dF32(memref<?x?xf32>) attributes {llvm.emit_c_interface}
func.func private @verifyMemRefC32(memref<*xcomplex<f32>>, memref<*xcomplex<f32>>) -> i64 attributes {llvm.emit_c_interface}
memref.global constant @z : memref<2x2xcomplex<f32>> = dense<[[(1.0, 2.5), (-0.5, 0.0)], [(3.0, -4.0), (1.0e10, 0.1)]]>
memref.global constant @w : memref<1xcomplex<f64>> = dense<[(0.333333343, -7.0)]>
func.func private @printF32(f32)
func.func private @printF64(f64)
func.func private @printI64(i64)
func.func private @printU64(i64)
func.func private @printNewline()
func.func private @printComma()
func.func private @printOpen()
func.func private @printClose()
func.func private @verifyMemRefF32(memref<*xf32>, memref<*xf32>) -> i64 attributes {llvm.emit_c_interface}
memref.global constant @a : memref<2x3x4xf32> = dense<[[[1.0,2.5,3.25,1.0e10],[4.0,5.0,6.0,-7.0e-9],[0.1,0.333333343,100000.0,1234567.0]],[[1.0,2.0,3.0,0x7F800000],[4.0,5.0,6.0,0x7FC00000],[1.0,2.0,3.0,4.0]]]>
memref.global constant @c : memref<f64> = dense<1.23456789>
memref.global constant @d : memref<2x2xbf16> = dense<1.5>
memref.global constant @h : memref<2x1xf16> = dense<0.1>
memref.global constant @n : memref<2xindex> = dense<7>
func.func @main() {
 %a = memref.get_global @a : memref<2x3x4xf32>
 %ua = memref.cast %a : memref<2x3x4xf32> to memref<*xf32>
 call @printMemrefF32(%ua) : (memref<*xf32>) -> ()
 call @printMemrefShapeF32(%ua) : (memref<*xf32>) -> ()
 %s = memref.subview %a[1,1,1][1,2,2][1,1,1] : memref<2x3x4xf32> to memref<2x2xf32, strided<[4,1], offset: 17>>
 %us = memref.cast %s : memref<2x2xf32, strided<[4,1], offset: 17>> to memref<*xf32>
 call @printMemrefF32(%us) : (memref<*xf32>) -> ()
 %c = memref.get_global @c : memref<f64>
 %uc = memref.cast %c : memref<f64> to memref<*xf64>
 call @printMemrefF64(%uc) : (memref<*xf64>) -> ()
 %d = memref.get_global @d : memref<2x2xbf16>
 %ud = memref.cast %d : memref<2x2xbf16> to memref<*xbf16>
 call @printMemrefBF16(%ud) : (memref<*xbf16>) -> ()
 %h = memref.get_global @h : memref<2x1xf16>
 %uh = memref.cast %h : memref<2x1xf16> to memref<*xf16>
 call @printMemrefF16(%uh) : (memref<*xf16>) -> ()
 %n = memref.get_global @n : memref<2xindex>
 %un = memref.cast %n : memref<2xindex> to memref<*xindex>
 call @printMemrefInd(%un) : (memref<*xindex>) -> ()
 %z = memref.get_global @z : memref<2x2xcomplex<f32>>
 %uz = memref.cast %z : memref<2x2xcomplex<f32>> to memref<*xcomplex<f32>>
 call @printMemrefC32(%uz) : (memref<*xcomplex<f32>>) -> ()
 %w = memref.get_global @w : memref<1xcomplex<f64>>
 %uw = memref.cast %w : memref<1xcomplex<f64>> to memref<*xcomplex<f64>>
 call @printMemrefC64(%uw) : (memref<*xcomplex<f64>>) -> ()
 %k = call @verifyMemRefC32(%uz, %uz) : (memref<*xcomplex<f32>>, memref<*xcomplex<f32>>) -> i64
 call @printI64(%k) : (i64) -> ()
 call @printNewline() : () -> ()
 %rt = memref.alloc() : memref<2x2xf32>
 memref.copy %s, %rt : memref<2x2xf32, strided<[4,1], offset: 17>> to memref<2x2xf32>
 %ru = memref.cast %rt : memref<2x2xf32> to memref<?x?xf32>
 call @printMemref2dF32(%ru) : (memref<?x?xf32>) -> ()
 %f = arith.constant 0.333333343 : f32
 %g = arith.constant 1.0e22 : f64
 %i = arith.constant -5 : i64
 call @printF32(%f) : (f32) -> ()
 call @printComma() : () -> ()
 call @printF64(%g) : (f64) -> ()
 call @printNewline() : () -> ()
 call @printOpen() : () -> ()
 call @printI64(%i) : (i64) -> ()
 call @printComma() : () -> ()
 call @printU64(%i) : (i64) -> ()
 call @printClose() : () -> ()
 call @printNewline() : () -> ()
 %v = call @verifyMemRefF32(%ua, %ua) : (memref<*xf32>, memref<*xf32>) -> i64
 call @printI64(%v) : (i64) -> ()
 call @printNewline() : () -> ()
 %vec = arith.constant dense<[[1.0, 2.5],[3.0,1.0e-3]]> : vector<2x2xf32>
 %t = arith.constant true
 %i8 = arith.constant dense<[-1, 5]> : vector<2xi8>
 %bi = arith.constant dense<[true, false]> : vector<2xi1>
 %ix = arith.constant 7 : index
 %hf = arith.constant 0.1 : f16
 %ui = arith.constant 200 : i8
 %v0 = arith.constant dense<2.0> : vector<f32>
 %v3 = arith.constant dense<2> : vector<2x1x2xi32>
 return
}
