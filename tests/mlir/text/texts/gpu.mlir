module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<16xf32>, %t: memref<?xi8, #gpu.address_space<workgroup>>) kernel {
 %i = gpu.thread_id x upper_bound 16
 %l = gpu.lane_id upper_bound 16
 %x = memref.load %a[%i] : memref<16xf32>
 %r = gpu.all_reduce add %x {} : (f32) -> f32
 %r2 = gpu.all_reduce %x uniform { ^bb(%p : f32, %q : f32): %s = arith.addf %p, %q : f32 
  "gpu.yield"(%s) : (f32) -> () } : (f32) -> f32
 %r3 = gpu.subgroup_reduce maxnumf %x uniform cluster(size = 4, stride = 2) : (f32) -> f32
 %b = gpu.subgroup_broadcast %x, first_active_lane : f32
 %c3 = arith.constant 3 : i32
 %b2 = gpu.subgroup_broadcast %x, specific_lane %c3 : f32
 %ro, %v = gpu.rotate %x, 3, 16 : f32
 %w = arith.constant 16 : i32
 %sh, %ok = gpu.shuffle up %x, %c3, %w : f32
 gpu.printf "hi %f\n", %x : f32
 %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
 %g = gpu.subgroup_size : index
 %g2 = gpu.subgroup_id upper_bound 3 : index
 gpu.barrier
 gpu.return }
}
func.func @main(%n : index, %m : memref<16xf32>) {
 %t0 = gpu.wait async
 %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32>
 %aa = gpu.alloc host_shared () : memref<16xf32>
 %c0 = arith.constant 0 : i32
 %b = memref.alloc(%n) : memref<?xi8, #gpu.address_space<workgroup>>
 %f = arith.constant 0.0 : f32
 %t2 = gpu.memset async [%t1] %a, %f : memref<?xf32>, f32
 gpu.memcpy %aa, %m : memref<16xf32>, memref<16xf32>
 %t3 = gpu.launch_func async [%t2] @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %c0 args(%aa : memref<16xf32>, %b : memref<?xi8, #gpu.address_space<workgroup>>)
 gpu.launch_func @m::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%aa : memref<16xf32>, %b : memref<?xi8, #gpu.address_space<workgroup>>)
 %behind = arith.constant 1 : i64
 gpu.launch_func @m::@k blocks in (%behind, %behind, %behind) threads in (%behind, %behind, %behind) : i64 args(%aa : memref<16xf32>, %b : memref<?xi8, #gpu.address_space<workgroup>>)
 gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) dynamic_shared_memory_size %c0 workgroup(%ww : memref<4xf32, 3>) private(%pp : memref<1xf32, 5>) {
   gpu.terminator
 }
 gpu.dealloc %aa : memref<16xf32>
 gpu.wait [%t3]
 %u = memref.cast %m : memref<16xf32> to memref<*xf32>
 gpu.host_register %u : memref<*xf32>
 return
}
}
