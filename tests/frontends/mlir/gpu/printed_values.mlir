memref.global constant @a : memref<2x3x4xf32> = dense<[[[1.0,2.5,3.25,1.0e10],[4.0,5.0,6.0,-7.0e-9],[0.1,0.333333343,100000.0,1234567.0]],[[1.0,2.0,3.0,0x7F800000],[4.0,5.0,6.0,0x7FC00000],[1.0,2.0,3.0,4.0]]]>
memref.global constant @b : memref<3xi8> = dense<[65, -2, 3]>
memref.global constant @c : memref<f64> = dense<1.23456789>
memref.global constant @d : memref<2x2xbf16> = dense<1.5>
memref.global constant @h : memref<2x1xf16> = dense<0.1>
memref.global constant @n : memref<2xindex> = dense<7>
func.func @main() {
 %a = memref.get_global @a : memref<2x3x4xf32>
 %ua = memref.cast %a : memref<2x3x4xf32> to memref<*xf32>
 %s = memref.subview %a[1,1,1][1,2,2][1,1,1] : memref<2x3x4xf32> to memref<2x2xf32, strided<[4,1], offset: 17>>
 %us = memref.cast %s : memref<2x2xf32, strided<[4,1], offset: 17>> to memref<*xf32>
 %b = memref.get_global @b : memref<3xi8>
 %ub = memref.cast %b : memref<3xi8> to memref<*xi8>
 %c = memref.get_global @c : memref<f64>
 %uc = memref.cast %c : memref<f64> to memref<*xf64>
 %d = memref.get_global @d : memref<2x2xbf16>
 %ud = memref.cast %d : memref<2x2xbf16> to memref<*xbf16>
 %h = memref.get_global @h : memref<2x1xf16>
 %uh = memref.cast %h : memref<2x1xf16> to memref<*xf16>
 %n = memref.get_global @n : memref<2xindex>
 %un = memref.cast %n : memref<2xindex> to memref<*xindex>
 %f = arith.constant 0.333333343 : f32
 %g = arith.constant 1.0e22 : f64
 %i = arith.constant -5 : i64
 %vec = arith.constant dense<[[1.0, 2.5],[3.0,1.0e-3]]> : vector<2x2xf32>
 vector.print %vec : vector<2x2xf32>
 vector.print %f : f32
 vector.print %f : f32 punctuation <comma>
 vector.print %i : i64 punctuation <no_punctuation>
 vector.print punctuation <newline>
 vector.print str "hello\n"
 %t = arith.constant true
 vector.print %t : i1
 %i8 = arith.constant dense<[-1, 5]> : vector<2xi8>
 vector.print %i8 : vector<2xi8>
 %bi = arith.constant dense<[true, false]> : vector<2xi1>
 vector.print %bi : vector<2xi1>
 %ix = arith.constant 7 : index
 vector.print %ix : index
 %hf = arith.constant 0.1 : f16
 vector.print %hf : f16
 %ui = arith.constant 200 : i8
 vector.print %ui : i8
 %v0 = arith.constant dense<2.0> : vector<f32>
 vector.print %v0 : vector<f32>
 %v3 = arith.constant dense<2> : vector<2x1x2xi32>
 vector.print %v3 : vector<2x1x2xi32>
 return
}
