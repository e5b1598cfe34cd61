func.func @f(%a: vector<8x16xf32>, %m: memref<8x16xf32>, %i: index, %x: f32, %b : vector<16xi1>, %ind: vector<16xi32>) {
 %c0 = arith.constant 0 : index
 %acc = arith.constant dense<0.0> : vector<16xf32>
 %bb = arith.constant dense<0.0> : vector<16x8xf32>
 %cc = arith.constant dense<0.0> : vector<8x8xf32>
 %s = vector.step : vector<4xindex>
 %t = vector.transfer_read %m[%c0, %c0], %x {in_bounds=[true,true], permutation_map = affine_map<(d0,d1)->(d1,d0)>} : memref<8x16xf32>, vector<16x8xf32>
 vector.transfer_write %a, %m[%c0, %c0] {in_bounds=[true,true]} : vector<8x16xf32>, memref<8x16xf32>
 vector.print %a : vector<8x16xf32>
 vector.print %x : f32 punctuation <no_punctuation>
 vector.print str "hello"
 vector.print punctuation <newline>

 %p = vector.extract %a[%i, 3] : f32 from vector<8x16xf32>
 %q = vector.insert %p, %a[%i, 3] : f32 into vector<8x16xf32>
 %r = vector.multi_reduction <add>, %a, %x [0, 1] : vector<8x16xf32> to f32
 %es = vector.extract_strided_slice %a {offsets=[0,0], sizes=[4,8], strides=[1,1]} : vector<8x16xf32> to vector<4x8xf32>
 %is = vector.insert_strided_slice %es, %a {offsets=[0,0], strides=[1,1]} : vector<4x8xf32> into vector<8x16xf32>
 %sc, %sc2 = vector.scan <add>, %a, %acc {inclusive = true, reduction_dim = 0 : i64} : vector<8x16xf32>, vector<16xf32>
 %row = vector.extract %a[0] : vector<16xf32> from vector<8x16xf32>
 %g = vector.gather %m[%c0, %c0] [%ind], %b, %row : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
 vector.scatter %m[%c0, %c0] [%ind], %b, %row : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
 %el:4 = vector.to_elements %s : vector<4xindex>
 %mk = vector.mask %b { vector.reduction <add>, %row : vector<16xf32> into f32 } : vector<16xi1> -> f32
 %ex = vector.expandload %m[%c0, %c0], %b, %row : memref<8x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
 vector.compressstore %m[%c0, %c0], %b, %row : memref<8x16xf32>, vector<16xi1>, vector<16xf32>
 %sh = vector.shuffle %row, %row [0, 17] : vector<16xf32>, vector<16xf32>
 %tc = vector.type_cast %m : memref<8x16xf32> to memref<vector<8x16xf32>>
 %ac = vector.contract {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>], iterator_types=["parallel","parallel","reduction"], kind = #vector.kind<add>} %a, %bb, %cc : vector<8x16xf32>, vector<16x8xf32> into vector<8x8xf32>
 %z = arith.mulf %a, %a : vector<8x16xf32>
 %rd = vector.reduction <maxnumf>, %row, %x : vector<16xf32> into f32
 %ix = index.castu %i : index to i32
 %ixc = index.constant 4
 %ixa = index.add %ixc, %i
 %ixq = index.cmp slt(%ixc, %i)
 return
}
