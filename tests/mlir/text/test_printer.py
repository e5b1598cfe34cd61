"""What is printed is read to the same operations, in the form that people write."""

from __future__ import annotations

import pytest

from pytl.mlir.affine import read_map
from pytl.mlir.text import Operation, Region, Scalar, Vector, read_module, read_text
from pytl.mlir.text.builder import Builder
from pytl.mlir.text.printer import print_operation
from pytl.mlir.text.tree import Block, Dense, of_dialect
from pytl.mlir.text.types import INDEX, Function, Memref

F32 = Scalar("f32")
CUSTOM = """module {
  func.func private @g(memref<4xf32>, index) -> (f32, i1)
  func.func private @h(memref<4xf32, strided<[2], offset: ?>>, f64) attributes {llvm.emit_c_interface, n = 3}
  func.func @f(%a: memref<4x?xf32>, %i: index, %m: memref<?x?xf32, strided<[?, 1]>>, %p: i1) -> f32 {
    %c = arith.constant 1.0e-05 : f32
    %inf = arith.constant 0x7F800000 : f32
    %true = arith.constant true
    %dense = arith.constant dense<[1.0, -0.0]> : vector<2xf32>
    %ones = arith.constant dense<1> : vector<[4]xi32>
    %x = memref.load %a[%i, %i] : memref<4x?xf32>
    memref.store %x, %a[%i, %i] {nontemporal = true, unit, words = ["a", "b\\22"]} : memref<4x?xf32>
    %y = arith.addf %x, %c fastmath<fast> : f32
    %z = arith.cmpf olt, %x, %y : f32
    %s = arith.select %z, %x, %y : f32
    %r:2 = scf.for %k = %i to %i step %i iter_args(%u = %x, %w = %p) -> (f32, i1) {
      scf.yield %u, %w : f32, i1
    }
    scf.for unsigned %k = %i to %i step %i {
    }
    %q = scf.if %p -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %r#0 : f32
    }
    %e:2 = scf.while (%u = %x, %w = %i) : (f32, index) -> (f32, index) {
      scf.condition(%p) %u, %w : f32, index
    } do {
    ^bb0(%u: f32, %w: index):
      scf.yield %u, %w : f32, index
    }
    %buffer = memref.alloc(%i)[%i] {alignment = 64 : i64} : memref<?xf32>
    %view = memref.reinterpret_cast %buffer to offset: [%i], sizes: [4, %i], strides: [%i, 1] : memref<?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    %typed = memref.view %bytes[%i][] : memref<64xi8> to memref<16xf32>
    %part = memref.subview %a[0, %i] [2, 2] [1, 1] : memref<4x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
    %old = memref.atomic_rmw addf %x, %a[%i, %i] : (f32, memref<4x?xf32>) -> f32
    %v = vector.transfer_read %a[%i, %i], %x, %mask {in_bounds = [true]} : memref<4x?xf32>, vector<4xf32>
    %sum = vector.reduction <add>, %v, %x : vector<4xf32> into f32
    %t = vector.extract %v[1] : f32 from vector<4xf32>
    %l = vector.maskedload %a[%i, %i], %mask, %v : memref<4x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %gathered = vector.gather %a[%i, %i] [%at], %mask, %v {alignment = 4 : i64} : memref<4x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.scatter %a[%i, %i] [%at], %mask, %v : memref<4x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %scattered = vector.scatter %tensor[%i] [%at], %mask, %v : tensor<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<4xf32>
    %expanded = vector.expandload %a[%i, %i], %mask, %v : memref<4x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.compressstore %a[%i, %i], %mask, %v : memref<4x?xf32>, vector<4xi1>, vector<4xf32>
    %small = arith.scaling_truncf %x, %c to_nearest_even fastmath<fast> : f32, f32 to f4E2M1FN
    %scaled = arith.scaling_extf %small, %c : f4E2M1FN, f32 to f32
    %lanes = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
    %passed = vector.mask %mask, %v { vector.transfer_read %a[%i, %i], %x : memref<4x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    vector.mask %mask { vector.transfer_write %v, %a[%i, %i] : vector<4xf32>, memref<4x?xf32> } : vector<4xi1>
    %kept = vector.mask %mask { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    %elements:4 = vector.to_elements %v : vector<4xf32>
    %far_sum:2 = vector.scan <add>, %v, %point {inclusive = true, reduction_dim = 0} : vector<4xf32>, vector<f32>
    %shuffled = vector.shuffle %v, %v[0, 5] : vector<4xf32>, vector<4xf32>
    %pointer = llvm.inttoptr %n : i64 to !llvm.ptr
    %loaded = llvm.load %pointer atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
    %plain = llvm.load %pointer : !llvm.ptr -> i32
    %pair = llvm.cmpxchg %pointer, %loaded, %plain acq_rel acquire : !llvm.ptr, i32
    %done = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %empty = llvm.mlir.poison : !llvm.struct<(ptr, array<2 x i64>)>
    %begun = llvm.insertvalue %pointer, %empty[0] : !llvm.struct<(ptr, array<2 x i64>)>
    %filled = llvm.insertvalue %n, %begun[1, 1] : !llvm.struct<(ptr, array<2 x i64>)>
    %sized = llvm.extractvalue %filled[1, 0] : !llvm.struct<(ptr, array<2 x i64>)>
    %again = arith.addi %sized, %n : i64
    %mask4 = llvm.intr.get.active.lane.mask %n, %n : i64, i64 to vector<[4]xi1>
    %tile = arm_sme.zero : vector<[4]x[4]xf32>
    %next = arm_sme.outerproduct %sv, %sv acc(%tile) masks(%mask4, %mask4) : vector<[4]xf32>, vector<[4]xf32>
    %bare = arm_sme.outerproduct %sv, %sv : vector<[4]xf32>, vector<[4]xf32>
    %row = arm_sme.extract_tile_slice %next[%i] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
    %re, %im = vector.deinterleave %row : vector<[4]xf32> -> vector<[2]xf32>
    func.call @h(%x, %i) : (f32, index) -> ()
    affine.for %k = 0 to %i step 2 {
      affine.store %x, %a[%k + 1, symbol(%i)] : memref<4x?xf32>
      %far = affine.load %a[%k mod 4, 3] : memref<4x?xf32>
    }
    %last = affine.for %k = max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%i] to 8 iter_args(%u = %x) -> (f32) {
      affine.yield %u : f32
    }
    %lane = affine.vector_load %a[%i, 0] : memref<4x?xf32>, vector<4xf32>
    affine.if affine_set<(d0) : (d0 >= 0)>(%i) {
    } else {
      affine.prefetch %a[%i, 0], read, locality<3>, data : memref<4x?xf32>
      memref.prefetch %a[%i, %i], write, locality<0>, instr : memref<4x?xf32>
    }
    %applied = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%i]
    return %q : f32
  }
  func.func @blocks(%p: i1, %x: f32) {
    cf.cond_br %p, ^one(%x : f32), ^two
  ^one(%y: f32):
    cf.switch %n : i32, [default: ^two, 4: ^one(%x : f32), -5: ^two]
  ^two:
    return
  }
}
"""  # noqa: E501
GPU = """gpu.module @m {
  gpu.func @k(%A: memref<64x64xf32>) workgroup(%stack : memref<64xi8, 3>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, intel_reqd_sub_group_size = 16 : i32} {
    %item = gpu.thread_id x
    %lane = gpu.lane_id
    %group = gpu.subgroup_id : index
    %other, %valid = gpu.shuffle xor %x, %one, %width : f32
    %blocks = xegpu.create_nd_tdesc %address[0, 0], shape: [%n, 64], strides: [%n, 1] : i64 -> !xegpu.tensor_desc<8x16xf32>
    %moving = xegpu.create_nd_tdesc %address, shape: [64, 64], strides: [64, 1] : i64 -> !xegpu.tensor_desc<8x16xf32>
    %block = xegpu.update_nd_offset %blocks, [%n, 8] : !xegpu.tensor_desc<8x16xf32>
    %loaded = xegpu.load_nd %moving[%n, 0] <{packed, l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    %whole = xegpu.load_nd %block <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    xegpu.store_nd %loaded, %block : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.alloc_nbarrier 1
    gpu.barrier
    gpu.return
  }
}
"""  # noqa: E501


@pytest.mark.parametrize("text", [CUSTOM, GPU], ids=["host", "gpu"])
def test_a_text_is_printed_as_it_was(text: str) -> None:
    module, problems = read_text(text)
    assert not problems.items
    if text is GPU:
        (module,) = module.regions[0].blocks[0].operations
    printed = print_operation(module)
    lines = [line for line in printed.splitlines() if not line.startswith("!")]
    for alias, type_ in [line.split(" = ", 1) for line in reversed(printed.splitlines()) if line.startswith("!")]:
        lines = [line.replace(alias, type_) for line in lines]
    assert lines == text.splitlines()


def test_members_of_structures_have_the_types_that_these_say() -> None:
    members = {}
    for each in read_text(CUSTOM)[0].walk():
        if each.name in ("llvm.insertvalue", "llvm.extractvalue"):
            members[each.results[0]] = str((each.operand_types[1:] or each.result_types)[0])
    assert members == {"%done": "i1", "%begun": "!llvm.ptr", "%filled": "i64", "%sized": "i64"}


BUNDLED = (
    '"llvm.call_intrinsic"(%n) {intrin = "llvm.x", op_bundle_sizes = array<i32: 1>, '
    "operandSegmentSizes = array<i32: 0, 1>} : (i64) -> i64"
)


@pytest.mark.parametrize(
    "generic, printed",
    [
        (
            '"llvm.insertvalue"(%s, %n) {position = array<i64: 0>} : (!llvm.struct<(i64)>, i64) -> !llvm.struct<(i64)>',
            "llvm.insertvalue %n, %s[0] : !llvm.struct<(i64)>",
        ),
        (
            BUNDLED.replace("<i32: 1>", "<i32>").replace("0, 1", "1, 0"),
            'llvm.call_intrinsic "llvm.x"(%n) : (i64) -> i64',
        ),
        (BUNDLED, BUNDLED),
        (
            '"llvm.getelementptr"(%p, %n) {elem_type = f32, noWrapFlags = 0 : i32, '
            "rawConstantIndices = array<i32: -2147483648>} : (!llvm.ptr, i64) -> !llvm.ptr",
            "llvm.getelementptr %p[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32",
        ),
    ],
)
def test_what_llvm_spells_in_another_order_or_not_at_all(generic: str, printed: str) -> None:
    arguments = "^bb0(%s: !llvm.struct<(i64)>, %n: i64, %p: !llvm.ptr):"
    module = read_module(f'"builtin.module"() ({{{arguments}\n%r = {generic}\n}}) : () -> ()')
    assert f"%r = {printed}\n" in print_operation(module)


def test_groups_without_sizes_in_another_order_than_the_texts() -> None:
    types = "memref<?x?xi32>, vector<[4]xi1>, vector<[4]x[4]xi32>"
    said = f"%r = arm_sme.load_tile_slice %a[%i, %j], %m, %t, %n : {types}"
    parameters = "%a: memref<?x?xi32>, %m: vector<[4]xi1>, %t: vector<[4]x[4]xi32>, %i: index, %j: index, %n: index"
    module, problems = read_text(f"func.func @f({parameters}) {{\n{said}\nreturn\n}}")
    assert not problems.items
    load = next(each for each in module.walk() if each.name == "arm_sme.load_tile_slice")
    assert list(load.operands) == ["%a", "%m", "%t", "%i", "%j", "%n"], "as in the generic form"
    assert f"{said}\n" in print_operation(module)


def test_what_has_no_custom_form_is_generic() -> None:
    inner = Operation("test.inner", ["%x"], [], [F32], [], {})
    region = Region([Block("", [("%x", F32)], [inner]), Block("^end", [], [])])
    made = Operation(
        'test."odd', ["%a"], ["%r#0", "%r#1"], [INDEX], [F32, Function((F32,), ())],
        {"static_sizes": (1, 2), "map": read_map("(d0) -> (d0 + 1)"), "kind": of_dialect("vector.kind", "add"),
         "nested": {"deep": (1.5, "@name", False)}, "type": Vector((4,), F32)},
        [region], ["^next"],
    )  # fmt: skip
    assert print_operation(made) == (
        '%r:2 = "test.\\22odd"(%a)[^next] ({\n'
        "^bb0(%x: f32):\n"
        '  "test.inner"(%x) : (f32) -> ()\n'
        "^end:\n"
        "}) {static_sizes = array<i64: 1, 2>, map = affine_map<(d0) -> (d0 + 1)>, kind = #vector.kind<add>, "
        "nested = {deep = [1.5, @name, false]}, type = vector<4xf32>} : (index) -> (f32, (f32) -> ())\n"
    )


def test_constants_stand_in_front_and_once() -> None:
    to = Builder()
    with to.function("f", [("a", INDEX)]) as (a,):
        to.op("arith.addi", a, to.constant(1))
        to.close_prologue()
        to.op("arith.addi", a, to.constant(1))
        assert to.constant(-0.0, F32) is not to.constant(0.0, F32)
        assert to.constant(0, Vector((2,), F32)) is to.constant(0.0, Vector((2,), F32))
        assert to.once("gpu.lane_id", hint="lane") is to.once("gpu.lane_id", hint="lane")
    operations = to.module().regions[0].blocks[0].operations[0].regions[0].blocks[0].operations
    assert [list(each.results) for each in operations] == [
        *(["%c1"], ["%v"], ["%cst_f32"], ["%cst_f32_1"], ["%cst"], ["%lane"], ["%v_1"], []),
    ]
    assert operations[4].attributes == {"value": Dense(0.0, Vector((2,), F32))}


def test_comments_and_ends_of_blocks() -> None:
    to = Builder()
    with to.function("f", [("p", Scalar("i1"))]) as (p,):
        to.comment("above\nboth")
        with to.branch(p) as branch:
            to.comment("nothing follows")
        with branch.otherwise():
            to.do("gpu.barrier")
    assert print_operation(to.module()) == (
        "module {\n  func.func @f(%p: i1) {\n"
        "    // above\\nboth\n"
        "    scf.if %p {\n      // nothing follows\n    } else {\n      gpu.barrier\n    }\n"
        "    return\n  }\n}\n"
    )


def test_long_types_have_aliases_in_modules_alone() -> None:
    strided = Memref((4, 8), F32, (8, 1), None, "")
    to = Builder()
    with to.function("f", [("a", Memref((None,), strided, (1,), 0, ""))]):
        pass
    module = to.module()
    assert print_operation(module).splitlines()[0] == "!f32_4_8 = memref<4x8xf32, strided<[8, 1], offset: ?>>"
    assert "%a: memref<?x!f32_4_8>" in print_operation(module)
    (function,) = module.regions[0].blocks[0].operations
    assert print_operation(function).startswith(
        "func.func @f(%a: memref<?xmemref<4x8xf32, strided<[8, 1], offset: ?>>>)"
    )
