"""More programs with kernels of gpu: what work-items do with numbers, vectors and memory of their own, as test suites and
exporters write it. Reduced, and written anew."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from frontends.mlir.gpu.programs import PROGRAMS as OF_SUBGROUPS
from frontends.mlir.gpu.programs import Program

_LOCAL = "#gpu.address_space<workgroup>"
_C = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 4, 8, 16, 32, 64))
_I = _C + "%t = gpu.thread_id x\n%g = gpu.block_id x\n%i = gpu.global_id x\n"


def _tree(x: np.ndarray) -> np.ndarray:
    return x.reshape(2, 32).sum(1)


def _scanned(x: np.ndarray) -> np.ndarray:
    return np.cumsum(x.reshape(-1, 16), 1, dtype=x.dtype).ravel()


def _histogram(x: np.ndarray) -> np.ndarray:
    return np.bincount(x.astype(int) & 7, minlength=8).astype(np.int32)


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(1, keepdims=True))
    return (e / e.sum(1, keepdims=True)).astype(np.float32)


def _stencil(x: np.ndarray) -> np.ndarray:
    padded = np.pad(x, 1)
    return (padded[:-2] + padded[1:-1] * 2 + padded[2:]).astype(np.float32)


def _collatz(x: np.ndarray) -> np.ndarray:
    steps = []
    for n in x.tolist():
        count = 0
        while n > 1:
            n, count = (3 * n + 1 if n % 2 else n // 2), count + 1
        steps.append(count)
    return np.array(steps, np.int32)


def _argmax(x: np.ndarray) -> np.ndarray:
    return x.argmax(1).astype(np.int32)


_RANDOM = np.random.default_rng(11)
PROGRAMS = [
    *OF_SUBGROUPS,
    Program(
        "halves of a work-group are added",
        "GPU/CUDA/all-reduce-op",
        "%x: memref<64xf32>, %y: memref<2xf32>",
        f"""{_I}%v = memref.load %x[%i] : memref<64xf32>
memref.store %v, %w[%t] : memref<32xf32, {_LOCAL}>
gpu.barrier
%c5 = arith.constant 5 : index
scf.for %n = %c0 to %c5 step %c1 {{
  %stride = arith.shrui %c16, %n : index
  %here = arith.cmpi ult, %t, %stride : index
  scf.if %here {{
    %p = arith.addi %t, %stride : index
    %a = memref.load %w[%t] : memref<32xf32, {_LOCAL}>
    %b = memref.load %w[%p] : memref<32xf32, {_LOCAL}>
    %s = arith.addf %a, %b : f32
    memref.store %s, %w[%t] : memref<32xf32, {_LOCAL}>
  }}
  gpu.barrier
}}
%first = arith.cmpi eq, %t, %c0 : index
scf.if %first {{
  %s = memref.load %w[%c0] : memref<32xf32, {_LOCAL}>
  memref.store %s, %y[%g] : memref<2xf32>
}}""",
        lambda x, y: {1: _tree(x)},
        grid=(2, 1, 1),
        block=(32, 1, 1),
        of_kernel=f"workgroup(%w: memref<32xf32, {_LOCAL}>)",
        is_whole=True,
    ),
    Program(
        "sums up to each work-item, in two memories by turns",
        "GPU/CUDA/multiple-all-reduce",
        "%x: memref<32xi32>, %y: memref<32xi32>",
        f"""{_I}%v = memref.load %x[%i] : memref<32xi32>
%r = scf.for %n = %c0 to %c4 step %c1 iter_args(%a = %v) -> (i32) {{
  memref.store %a, %w[%t] : memref<16xi32, {_LOCAL}>
  gpu.barrier
  %d = arith.shli %c1, %n : index
  %has = arith.cmpi uge, %t, %d : index
  %s = scf.if %has -> i32 {{
    %p = arith.subi %t, %d : index
    %b = memref.load %w[%p] : memref<16xi32, {_LOCAL}>
    %c = arith.addi %a, %b : i32
    scf.yield %c : i32
  }} else {{
    scf.yield %a : i32
  }}
  gpu.barrier
  scf.yield %s : i32
}}
memref.store %r, %y[%i] : memref<32xi32>""",
        lambda x, y: {1: _scanned(x)},
        grid=(2, 1, 1),
        of_kernel=f"workgroup(%w: memref<16xi32, {_LOCAL}>)",
        is_whole=True,
    ),
    Program(
        "numbers are counted in local memory",
        "Dialect/GPU/ops",
        "%x: memref<64xi32>, %y: memref<8xi32>",
        f"""{_I}%one = arith.constant 1 : i32
%zero = arith.constant 0 : i32
%seven = arith.constant 7 : i32
%own = arith.cmpi ult, %t, %c8 : index
scf.if %own {{
  memref.store %zero, %w[%t] : memref<8xi32, {_LOCAL}>
}}
gpu.barrier
%v = memref.load %x[%i] : memref<64xi32>
%k = arith.andi %v, %seven : i32
%at = arith.index_cast %k : i32 to index
%old = memref.atomic_rmw addi %one, %w[%at] : (i32, memref<8xi32, {_LOCAL}>) -> i32
gpu.barrier
scf.if %own {{
  %s = memref.load %w[%t] : memref<8xi32, {_LOCAL}>
  %before = memref.atomic_rmw addi %s, %y[%t] : (i32, memref<8xi32>) -> i32
}}""",
        lambda x, y: {1: y + _histogram(x)},
        grid=(4, 1, 1),
        of_kernel=f"workgroup(%w: memref<8xi32, {_LOCAL}>)",
        is_whole=True,
    ),
    Program(
        "a matrix turned in local memory that is wider than it",
        "iree transpose pipeline",
        "%x: memref<8x16xf16>, %y: memref<16x8xf16>",
        """%c8 = arith.constant 8 : index
%tx = gpu.thread_id x
%ty = gpu.thread_id y
%v = memref.load %x[%ty, %tx] : memref<8x16xf16>
memref.store %v, %w[%ty, %tx] : memref<8x17xf16, 3>
gpu.barrier
%block = gpu.block_dim x
%row = arith.muli %ty, %block : index
%n = arith.addi %row, %tx : index
%j = arith.remui %n, %c8 : index
%i = arith.divui %n, %c8 : index
%u = memref.load %w[%j, %i] : memref<8x17xf16, 3>
memref.store %u, %y[%i, %j] : memref<16x8xf16>""",
        lambda x, y: {1: x.T},
        block=(16, 8, 1),
        of_kernel="workgroup(%w: memref<8x17xf16, 3>)",
        is_whole=True,
    ),
    Program(
        "a product by tiles in local memory",
        "Conversion/GPUToNVVM tiles",
        "%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>",
        f"""%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%c32 = arith.constant 32 : index
%zero = arith.constant 0.0 : f32
%tx = gpu.thread_id x
%ty = gpu.thread_id y
%i = gpu.global_id y
%j = gpu.global_id x
%sum = scf.for %k = %c0 to %c32 step %c8 iter_args(%acc = %zero) -> (f32) {{
  %ka = arith.addi %k, %tx : index
  %kb = arith.addi %k, %ty : index
  %va = memref.load %a[%i, %ka] : memref<16x32xf32>
  %vb = memref.load %b[%kb, %j] : memref<32x16xf32>
  memref.store %va, %wa[%ty, %tx] : memref<8x8xf32, {_LOCAL}>
  memref.store %vb, %wb[%ty, %tx] : memref<8x8xf32, {_LOCAL}>
  gpu.barrier
  %inner = scf.for %q = %c0 to %c8 step %c1 iter_args(%s = %acc) -> (f32) {{
    %p = memref.load %wa[%ty, %q] : memref<8x8xf32, {_LOCAL}>
    %r = memref.load %wb[%q, %tx] : memref<8x8xf32, {_LOCAL}>
    %f = math.fma %p, %r, %s : f32
    scf.yield %f : f32
  }}
  gpu.barrier
  scf.yield %inner : f32
}}
memref.store %sum, %c[%i, %j] : memref<16x16xf32>""",
        lambda a, b, c: {2: a @ b},
        grid=(2, 2, 1),
        block=(8, 8, 1),
        of_kernel=f"workgroup(%wa: memref<8x8xf32, {_LOCAL}>, %wb: memref<8x8xf32, {_LOCAL}>)",
        is_whole=True,
    ),
    Program(
        "a row's softmax, by shuffles of a sub-group",
        "iree softmax",
        "%x: memref<4x16xf32>, %y: memref<4x16xf32>",
        """%c16 = arith.constant 16 : i32
%t = gpu.thread_id x
%g = gpu.block_id x
%v = memref.load %x[%g, %t] : memref<4x16xf32>
%m = gpu.subgroup_reduce maximumf %v uniform : (f32) -> f32
%d = arith.subf %v, %m : f32
%e = math.exp %d : f32
%o1 = arith.constant 1 : i32
%o2 = arith.constant 2 : i32
%o4 = arith.constant 4 : i32
%o8 = arith.constant 8 : i32
%p1, %v1 = gpu.shuffle xor %e, %o1, %c16 : f32
%s1 = arith.addf %e, %p1 : f32
%p2, %v2 = gpu.shuffle xor %s1, %o2, %c16 : f32
%s2 = arith.addf %s1, %p2 : f32
%p4, %v4 = gpu.shuffle xor %s2, %o4, %c16 : f32
%s4 = arith.addf %s2, %p4 : f32
%p8, %v8 = gpu.shuffle xor %s4, %o8, %c16 : f32
%s8 = arith.addf %s4, %p8 : f32
%q = arith.divf %e, %s8 : f32
memref.store %q, %y[%g, %t] : memref<4x16xf32>""",
        lambda x, y: {1: _softmax(x)},
        grid=(4, 1, 1),
        is_whole=True,
        tolerance=2e-6,
    ),
    Program(
        "neighbours beyond the borders are zeros",
        "iree convolution pipelines",
        "%x: memref<40xf32>, %y: memref<40xf32>",
        f"""{_I}%zero = arith.constant 0.0 : f32
%c40 = arith.constant 40 : index
%c15 = arith.constant 15 : index
%c17 = arith.constant 17 : index
%in = arith.cmpi ult, %i, %c40 : index
%v = scf.if %in -> f32 {{
  %a = memref.load %x[%i] : memref<40xf32>
  scf.yield %a : f32
}} else {{
  scf.yield %zero : f32
}}
%at = arith.addi %t, %c1 : index
memref.store %v, %w[%at] : memref<18xf32, {_LOCAL}>
%is_first = arith.cmpi eq, %t, %c0 : index
scf.if %is_first {{
  %q = arith.subi %i, %c1 : index
  %has = arith.cmpi sge, %q, %c0 : index
  %a = scf.if %has -> f32 {{
    %b = memref.load %x[%q] : memref<40xf32>
    scf.yield %b : f32
  }} else {{
    scf.yield %zero : f32
  }}
  memref.store %a, %w[%c0] : memref<18xf32, {_LOCAL}>
}}
%is_last = arith.cmpi eq, %t, %c15 : index
scf.if %is_last {{
  %q = arith.addi %i, %c1 : index
  %has = arith.cmpi ult, %q, %c40 : index
  %a = scf.if %has -> f32 {{
    %b = memref.load %x[%q] : memref<40xf32>
    scf.yield %b : f32
  }} else {{
    scf.yield %zero : f32
  }}
  memref.store %a, %w[%c17] : memref<18xf32, {_LOCAL}>
}}
gpu.barrier
scf.if %in {{
  %r = arith.addi %t, %c2 : index
  %a = memref.load %w[%t] : memref<18xf32, {_LOCAL}>
  %b = memref.load %w[%at] : memref<18xf32, {_LOCAL}>
  %c = memref.load %w[%r] : memref<18xf32, {_LOCAL}>
  %s = arith.addf %a, %c : f32
  %d = arith.addf %b, %b : f32
  %e = arith.addf %s, %d : f32
  memref.store %e, %y[%i] : memref<40xf32>
}}""",
        lambda x, y: {1: _stencil(x)},
        grid=(3, 1, 1),
        of_kernel=f"workgroup(%w: memref<18xf32, {_LOCAL}>)",
        is_whole=True,
    ),
    Program(
        "vectors of work-items, the last one beyond the end",
        "GPU/ROCM/vector-transferops",
        "%x: memref<60xf16>, %y: memref<60xf32>, %n: index",
        f"""{_I}%p = ub.poison : f16
%b = arith.muli %i, %c4 : index
%rest = arith.subi %n, %b : index
%m = vector.create_mask %rest : vector<4xi1>
%v = vector.transfer_read %x[%b], %p, %m : memref<60xf16>, vector<4xf16>
%w = arith.extf %v : vector<4xf16> to vector<4xf32>
%s = math.fma %w, %w, %w : vector<4xf32>
vector.transfer_write %s, %y[%b], %m : vector<4xf32>, memref<60xf32>""",
        lambda x, y, n: {1: np.where(np.arange(60) < n, x.astype(np.float32) * x + x, y)},
        given={2: 57},
        is_whole=True,
    ),
    Program(
        "a column for each work-item, read in rows of memory that are repeated",
        "LLVMGPU/vector_lowering",
        "%x: memref<8x16xf32>, %y: memref<16x2x8xf32>",
        f"""{_I}%z = arith.constant 0.0 : f32
%v = vector.transfer_read %x[%c0, %t], %z {{in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d0)>}}
  : memref<8x16xf32>, vector<2x8xf32>
vector.transfer_write %v, %y[%t, %c0, %c0] {{in_bounds = [true, true]}} : vector<2x8xf32>, memref<16x2x8xf32>""",
        lambda x, y: {1: np.repeat(x.T[:, None], 2, 1)},
        is_whole=True,
    ),
    Program(
        "vectors put together element by element",
        "GPU/Vulkan/vector-interleave",
        "%x: memref<16x2xi32>, %y: memref<16x2xi32>, %z: memref<16x4xi32>",
        f"""{_I}%zeros = arith.constant dense<0> : vector<2xi32>
%a0 = memref.load %x[%t, %c0] : memref<16x2xi32>
%a1 = memref.load %x[%t, %c1] : memref<16x2xi32>
%b0 = memref.load %y[%t, %c0] : memref<16x2xi32>
%b1 = memref.load %y[%t, %c1] : memref<16x2xi32>
%u0 = vector.insert %a0, %zeros [%c0] : i32 into vector<2xi32>
%u = vector.insert %a1, %u0 [%c1] : i32 into vector<2xi32>
%w = vector.from_elements %b0, %b1 : vector<2xi32>
%r = vector.interleave %u, %w : vector<2xi32> -> vector<4xi32>
%odd = arith.remui %t, %c2 : index
%e = vector.extract %r[%odd] : i32 from vector<4xi32>
%q = vector.insert %e, %r [3] : i32 into vector<4xi32>
vector.store %q, %z[%t, %c0] : memref<16x4xi32>, vector<4xi32>""",
        lambda x, y, z: {2: _interleaved(x, y)},
        is_whole=True,
    ),
    Program(
        "wide sums and products of integers",
        "GPU/Vulkan/addui_extended",
        "%x: memref<32xi32>, %y: memref<32xi32>, %z: memref<3x32xi32>",
        f"""{_I}%b = arith.muli %t, %c2 : index
%u = vector.load %x[%b] : memref<32xi32>, vector<2xi32>
%v = vector.load %y[%b] : memref<32xi32>, vector<2xi32>
%s, %carry = arith.addui_extended %u, %v : vector<2xi32>, vector<2xi1>
%low, %high = arith.mulsi_extended %u, %v : vector<2xi32>
%c = arith.extui %carry : vector<2xi1> to vector<2xi32>
vector.store %s, %z[%c0, %b] : memref<3x32xi32>, vector<2xi32>
vector.store %c, %z[%c1, %b] : memref<3x32xi32>, vector<2xi32>
vector.store %high, %z[%c2, %b] : memref<3x32xi32>, vector<2xi32>""",
        lambda x, y, z: {2: _wide(x, y)},
        given={
            0: _RANDOM.integers(-(1 << 31), 1 << 31, 32).astype(np.int32),
            1: _RANDOM.integers(-(1 << 31), 1 << 31, 32).astype(np.int32),
        },
        is_whole=True,
    ),
    Program(
        "memory of a work-item has a histogram of its row",
        "Dialect/GPU/promotion",
        "%x: memref<16x32xi32>, %y: memref<16x8xi32>",
        f"""{_I}%one = arith.constant 1 : i32
%seven = arith.constant 7 : i32
%zero = arith.constant dense<0> : vector<8xi32>
%own = memref.alloca() : memref<8xi32, #gpu.address_space<private>>
vector.store %zero, %own[%c0] : memref<8xi32, #gpu.address_space<private>>, vector<8xi32>
scf.for %j = %c0 to %c32 step %c1 {{
  %v = memref.load %x[%t, %j] : memref<16x32xi32>
  %k = arith.andi %v, %seven : i32
  %at = arith.index_cast %k : i32 to index
  %old = memref.load %own[%at] : memref<8xi32, #gpu.address_space<private>>
  %new = arith.addi %old, %one : i32
  memref.store %new, %own[%at] : memref<8xi32, #gpu.address_space<private>>
}}
%z = arith.constant 0 : i32
%r = vector.transfer_read %own[%c0], %z {{in_bounds = [true]}} : memref<8xi32, #gpu.address_space<private>>, vector<8xi32>
vector.store %r, %y[%t, %c0] : memref<16x8xi32>, vector<8xi32>""",
        lambda x, y: {1: np.stack([_histogram(row) for row in x])},
        is_whole=True,
    ),
    Program(
        "private memory behind a barrier",
        "Dialect/GPU/ops attributions",
        "%x: memref<32xf32>, %y: memref<32xf32>",
        f"""{_I}%b = arith.muli %t, %c2 : index
%v = vector.load %x[%b] : memref<32xf32>, vector<2xf32>
vector.store %v, %p[%c0] : memref<2xf32, #gpu.address_space<private>>, vector<2xf32>
gpu.barrier
%r = memref.load %p[%c1] : memref<2xf32, #gpu.address_space<private>>
%s = memref.load %p[%c0] : memref<2xf32, #gpu.address_space<private>>
%w = vector.from_elements %r, %s : vector<2xf32>
vector.store %w, %y[%b] : memref<32xf32>, vector<2xf32>""",
        lambda x, y: {1: x.reshape(-1, 2)[:, ::-1].ravel()},
        of_kernel="private(%p: memref<2xf32, #gpu.address_space<private>>)",
        is_whole=True,
    ),
    Program(
        "affine maps of numbers of work-items",
        "Dialect/GPU/mapping",
        "%x: memref<?x?xf32>, %y: memref<?x?xf32>",
        """%t = gpu.thread_id x
%g = gpu.block_id x
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.dim %x, %c0 : memref<?x?xf32>
%n = memref.dim %x, %c1 : memref<?x?xf32>
%i = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 16)>(%t)[%g]
%j = affine.min affine_map<(d0)[s0] -> (d0 mod 5, s0 - 1)>(%t)[%n]
%ok = arith.cmpi slt, %i, %m : index
scf.if %ok {
  %v = affine.load %x[symbol(%i), symbol(%j)] : memref<?x?xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %y[%i, %j] : memref<?x?xf32>
}""",
        lambda x, y: {1: _by_map(x, y)},
        grid=(2, 1, 1),
        given={
            0: _RANDOM.integers(-3, 4, (20, 4)).astype(np.float32),
            1: _RANDOM.integers(-3, 4, (20, 4)).astype(np.float32),
        },
        is_whole=True,
    ),
    Program(
        "steps until one, of each work-item",
        "iree collatz",
        "%x: memref<16xi32>, %y: memref<16xi32>",
        f"""{_I}%one = arith.constant 1 : i32
%two = arith.constant 2 : i32
%three = arith.constant 3 : i32
%zero = arith.constant 0 : i32
%v = memref.load %x[%i] : memref<16xi32>
%r:2 = scf.while (%a = %v, %n = %zero) : (i32, i32) -> (i32, i32) {{
  %go = arith.cmpi sgt, %a, %one : i32
  scf.condition(%go) %a, %n : i32, i32
}} do {{
^bb0(%a: i32, %n: i32):
  %odd = arith.remsi %a, %two : i32
  %is_odd = arith.cmpi eq, %odd, %one : i32
  %h = arith.divsi %a, %two : i32
  %m = arith.muli %a, %three : i32
  %p = arith.addi %m, %one : i32
  %next = arith.select %is_odd, %p, %h : i32
  %k = arith.addi %n, %one : i32
  scf.yield %next, %k : i32, i32
}}
memref.store %r#1, %y[%i] : memref<16xi32>""",
        lambda x, y: {1: _collatz(x)},
        given={0: np.arange(1, 17, dtype=np.int32)},
    ),
    Program(
        "the place of the largest of each row, by shuffles of pairs",
        "triton argmax",
        "%x: memref<4x16xf32>, %y: memref<4xi32>",
        f"""{_I}%w = arith.constant 16 : i32
%v = memref.load %x[%g, %t] : memref<4x16xf32>
%k = arith.index_cast %t : index to i32
%r:2 = scf.for %n = %c0 to %c4 step %c1 iter_args(%a = %v, %p = %k) -> (f32, i32) {{
  %d = arith.shli %c1, %n : index
  %o = arith.index_cast %d : index to i32
  %b, %s0 = gpu.shuffle xor %a, %o, %w : f32
  %q, %s1 = gpu.shuffle xor %p, %o, %w : i32
  %more = arith.cmpf ogt, %b, %a : f32
  %same = arith.cmpf oeq, %b, %a : f32
  %below = arith.cmpi slt, %q, %p : i32
  %tie = arith.andi %same, %below : i1
  %take = arith.ori %more, %tie : i1
  %na = arith.select %take, %b, %a : f32
  %np = arith.select %take, %q, %p : i32
  scf.yield %na, %np : f32, i32
}}
%first = arith.cmpi eq, %t, %c0 : index
scf.if %first {{
  memref.store %r#1, %y[%g] : memref<4xi32>
}}""",
        lambda x, y: {1: _argmax(x)},
        grid=(4, 1, 1),
        is_whole=True,
    ),
    Program(
        "sums of vectors of a sub-group",
        "Dialect/GPU/subgroup-reduce-lowering",
        "%x: memref<16x5xbf16>, %y: memref<16x5xbf16>",
        f"""{_I}%v = vector.load %x[%t, %c0] : memref<16x5xbf16>, vector<5xbf16>
%s = gpu.subgroup_reduce add %v : (vector<5xbf16>) -> vector<5xbf16>
%h = gpu.subgroup_reduce mul %v cluster(size = 2) : (vector<5xbf16>) -> vector<5xbf16>
%r = arith.subf %s, %h : vector<5xbf16>
vector.store %r, %y[%t, %c0] : memref<16x5xbf16>, vector<5xbf16>""",
        lambda x, y: {1: _of_vectors(x)},
        is_whole=True,
        tolerance=1e-2,
    ),
    Program(
        "a part of memory for each work-item",
        "iree vector distribution",
        "%x: memref<8x64xf32>, %y: memref<8xf32>",
        f"""{_I}%zero = arith.constant 0.0 : f32
%row = memref.subview %x[%t, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
%none = arith.constant dense<0.0> : vector<4xf32>
%s = scf.for %j = %c0 to %c64 step %c4 iter_args(%a = %none) -> (vector<4xf32>) {{
  %v = vector.load %row[%j] : memref<64xf32, strided<[1], offset: ?>>, vector<4xf32>
  %b = arith.addf %a, %v : vector<4xf32>
  scf.yield %b : vector<4xf32>
}}
%r = vector.reduction <add>, %s : vector<4xf32> into f32
memref.store %r, %y[%t] : memref<8xf32>""",
        lambda x, y: {1: x.sum(1)},
        block=(8, 1, 1),
        is_whole=True,
    ),
    Program(
        "memory of the module that work-items share",
        "GPU/CUDA/sm90 tiles",
        "%x: memref<16xf32>, %y: memref<16xf32>",
        f"""{_I}%c15 = arith.constant 15 : index
%v = memref.load %x[%t] : memref<16xf32>
%w = memref.alloc() : memref<16xf32, 3>
memref.store %v, %w[%t] : memref<16xf32, 3>
gpu.barrier
%q = arith.subi %c15, %t : index
%u = memref.load %w[%q] : memref<16xf32, 3>
cf.assert %true, "it holds"
memref.store %u, %y[%t] : memref<16xf32>
memref.dealloc %w : memref<16xf32, 3>""".replace("cf.assert", "%true = arith.constant true\ncf.assert"),
        lambda x, y: {1: x[::-1]},
        is_whole=True,
    ),
    Program(
        "a product of a sub-group, as vectors of all",
        "Conversion/VectorToGPU",
        "%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf16>",
        """%c0 = arith.constant 0 : index
%p = ub.poison : f16
%va = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
%vb = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
%vc = vector.transfer_read %c[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
%r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
  affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
  %va, %vb, %vc : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf16>
vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<16x16xf16>""",
        lambda a, b, c: {2: c + a @ b},
        is_whole=True,
    ),
    Program(
        "a function of the module, called twice",
        "Dialect/GPU/outlining",
        "%x: memref<16xf32>, %y: memref<16xf32>",
        f"""{_I}%v = memref.load %x[%t] : memref<16xf32>
%w = func.call @positive(%v) : (f32) -> f32
%u = arith.addf %w, %v : f32
%r = func.call @positive(%u) : (f32) -> f32
memref.store %r, %y[%t] : memref<16xf32>""",
        lambda x, y: {1: np.maximum(np.maximum(x, 0) + x, 0)},
        functions="""    func.func private @positive(%x: f32) -> f32 {
      %v = arith.constant 0.0 : f32
      %c = arith.cmpf ogt, %x, %v : f32
      cf.cond_br %c, ^given(%x : f32), ^given(%v : f32)
    ^given(%r: f32):
      return %r : f32
    }
""",
        is_whole=True,
    ),
    Program(
        "cases of work-items, and indices of a shape",
        "Conversion/AffineToStandard delinearize",
        "%x: memref<4x4xf32>, %y: memref<4x4xf32>",
        f"""{_C}%t = gpu.thread_id x
%c3 = arith.constant 3 : index
%p:2 = affine.delinearize_index %t into (4, 4) : index, index
%q = arith.remui %t, %c3 : index
%v = memref.load %x[%p#0, %p#1] : memref<4x4xf32>
%r = scf.index_switch %q -> f32
case 0 {{
  %a = arith.addf %v, %v : f32
  scf.yield %a : f32
}}
case 1 {{
  %a = arith.negf %v : f32
  scf.yield %a : f32
}}
default {{
  scf.yield %v : f32
}}
%l = affine.linearize_index [%p#1, %p#0] by (4, 4) : index
%z = memref.collapse_shape %y [[0, 1]] : memref<4x4xf32> into memref<16xf32>
memref.prefetch %z[%l], write, locality<3>, data : memref<16xf32>
memref.store %r, %z[%l] : memref<16xf32>""",
        lambda x, y: {1: (x * np.take([2, -1, 1], np.arange(16) % 3).reshape(4, 4)).T},
        is_whole=True,
    ),
    Program(
        "memory without a rank, seen from an offset on",
        "triton-shared pointers",
        "%x: memref<*xf32>, %y: memref<16xf32>",
        f"""{_I}%r = memref.reinterpret_cast %x to offset: [%c8], sizes: [16], strides: [1]
  : memref<*xf32> to memref<16xf32, strided<[1], offset: ?>>
%v = memref.load %r[%t] : memref<16xf32, strided<[1], offset: ?>>
memref.store %v, %y[%t] : memref<16xf32>""",
        lambda x, y: {1: x[8:24]},
        given={0: np.arange(32, dtype=np.float32)},
        is_whole=True,
    ),
    Program(
        "complex numbers of work-items",
        "Conversion/ComplexToROCDL",
        "%x: memref<16xcomplex<f32>>, %y: memref<16xcomplex<f32>>",
        f"""{_I}%v = memref.load %x[%t] : memref<16xcomplex<f32>>
%w = complex.mul %v, %v : complex<f32>
memref.store %w, %y[%t] : memref<16xcomplex<f32>>""",
        lambda x, y: {1: x * x},
        given={0: (np.arange(16) - 3j).astype(np.complex64), 1: np.zeros(16, np.complex64)},
        is_whole=True,
    ),
    Program(
        "the bits of halves as words, of all work-items alike",
        "Dialect/Vector/bitcast",
        "%x: memref<2x8xf16>, %y: memref<2x4xi32>, %z: memref<2x8xf16>",
        f"""{_C}%v = vector.load %x[%c0, %c0] : memref<2x8xf16>, vector<2x8xf16>
%w = vector.bitcast %v : vector<2x8xf16> to vector<2x4xi32>
vector.store %w, %y[%c0, %c0] : memref<2x4xi32>, vector<2x4xi32>
%u = vector.bitcast %w : vector<2x4xi32> to vector<2x8xf16>
vector.store %u, %z[%c0, %c0] : memref<2x8xf16>, vector<2x8xf16>""",
        lambda x, y, z: {1: x.view(np.int32), 2: x},
        is_whole=True,
    ),
    Program(
        "a row turned in memory of the work-item, by affine maps",
        "Dialect/Affine/scalrep",
        "%x: memref<16x8xf32>, %y: memref<16x8xf32>",
        f"""{_I}%p = memref.alloca() : memref<8xf32, 5>
affine.for %j = 0 to 8 {{
  %v = affine.load %x[symbol(%t), %j] : memref<16x8xf32>
  affine.store %v, %p[7 - %j] : memref<8xf32, 5>
}}
affine.for %j = 0 to 8 {{
  %v = affine.load %p[%j] : memref<8xf32, 5>
  affine.store %v, %y[symbol(%t), %j] : memref<16x8xf32>
}}""",
        lambda x, y: {1: x[:, ::-1]},
        is_whole=True,
    ),
    Program(
        "parts of memory that work-items copy",
        "Dialect/GPU/promotion copies",
        "%x: memref<16x8xf32>, %y: memref<16x8xf32>",
        f"""{_I}%a = memref.subview %x[%t, 0] [1, 8] [1, 1] : memref<16x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
%b = memref.subview %y[%t, 0] [1, 8] [1, 1] : memref<16x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
memref.copy %a, %b : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, strided<[8, 1], offset: ?>>""",
        lambda x, y: {1: x},
    ),
    Program(
        "elements by numbers, of work-items with masks",
        "triton gather",
        "%x: memref<100xf32>, %k: memref<64xi32>, %y: memref<64xf32>",
        f"""{_I}%b = arith.muli %t, %c4 : index
%none = arith.constant dense<-1.0> : vector<4xf32>
%zero = arith.constant dense<0> : vector<4xi32>
%at = vector.load %k[%b] : memref<64xi32>, vector<4xi32>
%m = arith.cmpi sge, %at, %zero : vector<4xi32>
%v = vector.gather %x[%c0] [%at], %m, %none : memref<100xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
gpu.barrier
vector.store %v, %y[%b] : memref<64xf32>, vector<4xf32>""",
        lambda x, k, y: {2: np.where(k >= 0, x[np.maximum(k, 0)], -1)},
        given={1: np.where(np.arange(64) % 3 == 0, -(10**9), _RANDOM.integers(0, 100, 64)).astype(np.int32)},
        is_whole=True,
    ),
]


def _interleaved(x: np.ndarray, y: np.ndarray) -> Any:
    made = np.stack([x, y], -1).reshape(16, 4)
    made[:, 3] = made[np.arange(16), np.arange(16) % 2]
    return made


def _wide(x: np.ndarray, y: np.ndarray) -> Any:
    a, b = x.astype(np.int64), y.astype(np.int64)
    unsigned = (a & 0xFFFFFFFF) + (b & 0xFFFFFFFF)
    return np.stack([unsigned.astype(np.int32), unsigned >> 32, a * b >> 32]).astype(np.int32)


def _by_map(x: np.ndarray, y: np.ndarray) -> Any:
    made = y.copy()
    for n in range(20):
        j = min(n % 16 % 5, 3)
        made[n, j] = 2 * x[n, j]
    return made


def _of_vectors(x: np.ndarray) -> Any:
    wide = x.astype(np.float32)
    pairs = wide.reshape(8, 2, 5).prod(1).repeat(2, 0)
    return (wide.sum(0) - pairs).astype(ml_dtypes.bfloat16)
