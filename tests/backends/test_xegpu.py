"""The backend xegpu: its text, which mlir-opt verifies, what is demanded of kernels for it, and the stages after it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

import numpy as np
import pytest
from forms.rows import Row
from forms.table import all_rows
from sampling import at_night

import pytl
from pytl import Memref, bf16, coop, f16, f32, i8, i32, parallel
from pytl.backends.xegpu.lowering import pipeline
from pytl.diagnostics.examples import example_of

pytestmark = pytest.mark.at_most(4)

tools = pytest.mark.tools_of("mlir")


def verified(text: str, *passes: str) -> str:
    """What mlir-opt prints for a text, which may have several parts."""
    done = subprocess.run(
        ["mlir-opt-22", "-split-input-file", *passes], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def operations(text: str, name: str) -> list[str]:
    """The operations of a name in a text, without their results' names."""
    return [line.partition(" = ")[2] or line.strip() for line in text.splitlines() if f"xegpu.{name} " in line]


def gemm(inputs, sums, shape=(32, 16, 32), turned="nn"):
    """A product on one sub-group, k-sliced: `shape` is that of a piece."""
    m, n, k = shape

    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def product(A: Memref[inputs, 128, 128], B: Memref[inputs, 128, 128], C: Memref[sums, 128, 128]):
        with parallel():
            total = coop.full(sums, 0, shape=(m, n), use="matrix_acc")
            for step in range(0, 128, k):
                if turned[0] == "t":
                    a = coop.load(A, step, 0, shape=(m, k), use="matrix_a", transpose=True)
                else:
                    a = coop.load(A, 0, step, shape=(m, k), use="matrix_a")
                b = coop.load(B, step, 0, shape=(k, n), use="matrix_b", transpose=turned[1] == "t")
                total = coop.mul_add(a, b, total)
            coop.store(total, C, 0, 0)

    return product


def test_the_text_of_a_product(golden) -> None:
    golden("xegpu/product.mlir", pytl.compile(str(gemm(bf16, f32)))["product"].emit("xegpu"))


@pytest.mark.parametrize(
    ("inputs", "sums", "depth"),
    [(f16, f32, 16), (f16, f16, 16), (bf16, f32, 16), (bf16, bf16, 16), (i8, i32, 32)],
    ids=str,
)
def test_a_product_has_pieces_of_the_hardwares_sizes(inputs, sums, depth: int) -> None:
    text = gemm(inputs, sums).emit("xegpu")
    element, sum_ = inputs.__name__, sums.__name__
    per = depth // 16
    products = operations(text, "dpas")
    types = f"vector<{8 * per}x{element}>, vector<{depth}x{element}>, vector<8x{sum_}> -> vector<8x{sum_}>"
    assert [op.partition(" : ")[2] for op in products] == [types] * (2 * 2 * (32 // depth))
    packed = [op for op in operations(text, "load_nd") if "packed" in op]
    plain = [op for op in operations(text, "load_nd") if "packed" not in op]
    # pieces above each other are loaded together where a lane has 16 numbers of them
    high = 16 // per
    assert len(packed) == 2 * (32 // depth)
    assert all(f"tensor_desc<{depth}x16x{element}> -> vector<{depth}x{element}>" in op for op in packed)
    assert len(plain) == 2
    assert all(f"tensor_desc<{high}x{depth}x{element}> -> vector<{high * per}x{element}>" in op for op in plain)
    stores = operations(text, "store_nd")
    assert len(stores) == 4
    assert all(f"vector<8x{sum_}>, !xegpu.tensor_desc<8x16x{sum_}>" in op for op in stores)


def test_a_transposed_factor_is_packed_by_a_transposition_of_words() -> None:
    text = gemm(bf16, f32, turned="tn").emit("xegpu")
    loads = [op for op in operations(text, "load_nd") if "transpose = array<i64: 1, 0>" in op]
    assert len(loads) == 4
    assert all("!xegpu.tensor_desc<16x8xi32> -> vector<8xi32>" in op for op in loads)
    assert text.count("vector.bitcast") == 4
    assert "vector<8xi32> to vector<16xbf16>" in text


@pytest.mark.at_most(1)
@tools
@pytest.mark.parametrize("chip", ["pvc", "bmg"])
@pytest.mark.parametrize("inputs, sums", [(bf16, f32), (i8, i32)], ids=str)
@pytest.mark.parametrize("turned", ["nn", "tn"])
def test_products_are_verified_and_lowered(chip: str, inputs, sums, turned: str) -> None:
    kernel = gemm(inputs, sums, turned=turned)
    verified(kernel.emit("xegpu", chip=chip))
    xevm = kernel.emit("xegpu", chip=chip, stage="xevm")
    assert ("#xevm.target>" if chip == "bmg" else '#xevm.target<chip = "pvc">') in xevm.replace("[", "").replace(
        "]", ">"
    )
    assert xevm.count("xevm.mma") == kernel.emit("xegpu").count("xegpu.dpas")
    assert "xegpu." not in xevm
    llvm = kernel.emit("xegpu", chip=chip, stage="llvm")
    assert "define spir_kernel void @pytl_product" in llvm
    assert "_matrix_mad_k" in llvm
    spirv = kernel.emit("xegpu", chip=chip, stage="spirv")
    assert "OpEntryPoint Kernel" in spirv
    assert "SubgroupSize 16" in spirv


ROWS = all_rows()
"""All forms of the language."""


def texts_of(rows: Sequence[Row], **options) -> list[str]:
    """The texts of rows that the hardware takes; others break a rule of it, and nothing else."""
    found = []
    for number, row in enumerate(rows):
        kernel = pytl.compile(row.module_text)["f"]
        kernel.function.attributes.setdefault("subgroup_size", 16)
        kernel = pytl.compile(str(kernel))["f"]
        barriers = "named" if number % 2 else "group"
        try:
            found.append(kernel.emit("xegpu", barriers=barriers, blocks="preferred", **options))
        except pytl.PytlError as error:
            codes = {told.rule.code for told in error.diagnostics} - {"PYTL-0671"}  # the unit has no functions
            assert all("PYTL-3201" <= code <= "PYTL-3219" for code in codes)
            if options.get("matrices") == "lanes":
                assert {told.rule.code for told in error.diagnostics} == {"PYTL-3201"}
    return found


@pytest.mark.at_night
@tools
@pytest.mark.parametrize("matrices", ["dpas", "lanes"])
@pytest.mark.parametrize("rows", [ROWS[::23], *at_night([ROWS])], ids=lambda rows: f"{len(rows)} rows")
def test_forms_of_the_language_are_verified(rows: Sequence[Row], matrices: str) -> None:
    texts = texts_of(rows, matrices=matrices)
    assert len(texts) > len(rows) // 3
    verified("\n// -----\n".join(texts))


SIMT = """func @f(%A: group<memref<f32x?x8>x?>, %B: memref<f16x40>, %n: i64, %T: memref<i32x4>)
    attributes{"work_group_size"=[32,2], "subgroup_size"=16} {
  %g = builtin.group_id : index
  %a = load %A[%g] : memref<f32x?x8>
  %t = alloca : memref<f32x8,local>
  sum.t 1.0, %a, 0.0, %t
  %c0 = constant 0 : index
  %c8 = constant 8 : index
  foreach (%i) = (%c0), (%c8) {
    %x = load %t[%i] : f32
    %y = math.exp %x : f32
    store %y, %a[%c0, %i]
    store.atomic_add 1, %T[%c0]
  }
  parallel {
    %l = builtin.subgroup_local_id : i32
    %s = subgroup_add.inclusive_scan %l : i32
    %p = cast %s : index
    %h = load %B[%p] : f16
    %r = subgroup_broadcast %h, 3 : f16
    barrier.global.local
    store %r, %B[%p]
  }
}"""


def test_the_text_of_ordinary_code(golden) -> None:
    kernel = pytl.compile(SIMT)["f"]
    golden("xegpu/simt.mlir", kernel.emit("xegpu", barriers="named"))


MESSAGES = {
    "PYTL-3200": "pytl has no way to run a kernel on an Intel GPU by the text of xegpu",
    "PYTL-3201": "the sub-groups of @f have 8 work-items, and those of pvc have 16 or 32",
    "PYTL-3202": "a work-group of @f has 2048 work-items, and pvc holds 1024",
    "PYTL-3203": "@f needs 262144 bytes of local memory, and pvc has 131072",
    "PYTL-3204": "subgroup_add.reduce is in a foreach, whose points are dealt out to the work-items",
    "PYTL-3205": "cooperative_matrix_mul_add: its factors are f32, and those of the matrix unit are f16, bf16, i8",
    "PYTL-3206": "cooperative_matrix_load: coopmatrix<f32x24x8,matrix_acc> has 24 rows, which 16 lanes do not divide",
    "PYTL-3207": "cooperative_matrix_load: the inner size of coopmatrix<f16x16x8,matrix_a> is 8, and DPAS sums 16 f16 "
    "at once",
    "PYTL-3208": "cooperative_matrix_load: the components of coopmatrix<c32x16x8,matrix_acc> are complex",
    "PYTL-3209": "a lane has 2 columns of coopmatrix<i8x32x8,matrix_b> next to each other, and 1 of "
    "coopmatrix<f16x32x8,matrix_b>",
    "PYTL-3210": "cooperative_matrix_load: %C is memref<f32x65x64>: its columns are 260 bytes apart, which is not a "
    "multiple of 16 of at least 64",
    "PYTL-3211": "cooperative_matrix_load: the rows of %C are 2 elements apart",
    "PYTL-3212": "cooperative_matrix_load: %s begins 16 bytes into %C, which is not a multiple of 64",
    "PYTL-3213": "cooperative_matrix_load: the first row is 1, 2 bytes into its column",
    "PYTL-3214": "cooperative_matrix_load: coopmatrix<f16x16x8,matrix_b> is loaded transposed",
    "PYTL-3215": "cooperative_matrix_load: the components are f64, and the lanes have no blocks of 8 bytes",
    "PYTL-3216": "cooperative_matrix_store is of f16, and pvc has atomic updates of i32, i64, index, f32, f64",
    "PYTL-3218": "cooperative_matrix_load: coopmatrix<f32x16x7,matrix_acc> has 7 columns, which is not a multiple of 2",
    "PYTL-3219": "constant: a lane would hold 1,048,576 components of coopmatrix<f32x4096x4096,matrix_acc>",
    "PYTL-3217": "the stage `llvm` needs MLIR's tools: mlir-opt, mlir-translate, llc of LLVM 22 (or 21, 20, 19) "
    "(PYTL_MLIR_TOOLS is /nowhere) are not installed",
}


@pytest.mark.parametrize("code", MESSAGES)
def test_what_the_hardware_does_not_take_is_told(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    example = example_of(code)
    assert example is not None
    with pytest.raises(pytl.PytlError) as caught:
        if example.form == "python":
            monkeypatch.setenv("PYTL_MLIR_TOOLS", "")  # which is put back afterwards
            exec(example.text, {})
        else:
            kernel = pytl.compile(example.text.partition("<<END\n")[2].rpartition("END")[0])["f"]
            kernel.emit("xegpu", **dict(re.findall(r"-o (\w+)=(\w+)", example.text)))
    first = caught.value.diagnostics[0]
    assert (first.rule.code, first.message) == (code, MESSAGES[code])
    assert first.help
    assert code == "PYTL-3200" or example.form == "python" or first.location is not None


@tools
def test_what_blocks_do_not_take_is_done_by_elements() -> None:
    text = example_of("PYTL-3210").text.partition("<<END\n")[2].rpartition("END")[0]
    printed = pytl.compile(text)["f"].emit("xegpu")
    assert "load_nd" not in printed
    assert printed.count("xegpu.load ") == printed.count("xegpu.store ") == 8
    verified(printed)


TURNED = """func @f(%A: memref<f32x64x64>, %B: memref<f32x64x64>) {
  parallel {
    %0 = constant 0 : index
    %m = cooperative_matrix_load.n %A[%0, %0] : coopmatrix<f32x16x8,matrix_acc>
    v04.cooperative_matrix_store.t.rows_checked %m, %B[%0, %0]
  }
}"""


@tools
def test_no_block_is_stored_transposed() -> None:
    kernel = pytl.compile(TURNED)["f"]
    with pytest.raises(pytl.PytlError) as caught:
        kernel.emit("xegpu", blocks="required")
    (found,) = caught.value.diagnostics
    said = "v04.cooperative_matrix_store.t: coopmatrix<f32x16x8,matrix_acc> is stored transposed"
    assert (found.code, found.message) == ("PYTL-3214", said)
    printed = kernel.emit("xegpu")
    assert "store_nd" not in printed and printed.count("xegpu.store ") == 8
    verified(printed)
    A, B = np.asfortranarray(np.arange(4096, dtype=np.float32).reshape(64, 64)), np.zeros((64, 64), np.float32, "F")
    kernel[1, {"interpreted": True}](A, B, backend="xegpu")
    np.testing.assert_array_equal(B[:8, :16], A[:16, :8].T)
    assert not B[8:].any() and not B[:, 16:].any()


@tools
def test_products_of_other_types_are_computed_by_lanes() -> None:
    text = example_of("PYTL-3205").text.partition("<<END\n")[2].rpartition("END")[0]
    printed = pytl.compile(text)["f"].emit("xegpu")
    assert "dpas" not in printed
    assert "gpu.shuffle idx" in printed
    verified(printed, f"--pass-pipeline={pipeline('llvm', 'bmg')}")


@tools
def test_positions_are_those_of_moved_descriptors_on_request() -> None:
    kernel = gemm(bf16, f32, turned="tn")
    moved = kernel.emit("xegpu", offsets="update")
    accesses = sum(len(operations(moved, name)) for name in ("load_nd", "store_nd"))
    assert len(operations(moved, "update_nd_offset")) == accesses
    verified(moved)
    assert kernel.emit("xegpu", offsets="update", stage="llvm") == kernel.emit("xegpu", stage="llvm")


def test_atomic_additions_are_of_descriptors() -> None:
    kernel = pytl.compile("func @f(%A: memref<f32x40>, %B: memref<f32x40>) { axpby.n.atomic 1.0, %A, 1.0, %B }")["f"]
    text = kernel.emit("xegpu")
    assert len(operations(text, "atomic_rmw")) == len(operations(text, "create_tdesc")) == 1
    assert "xegpu.atomic_rmw addf" in text


UPDATES = """
func @f(%A: memref<{type}x64>, %B: memref<{type}x64>) attributes {{subgroup_size=16, work_group_size=[16,1]}} {{
  parallel {{
    %i = builtin.subgroup_local_id : i32
    %x = cast %i : index
    %v = load %B[%x] : {type}
    %l = v04.atomic_load{order} %A[%x] : {type}
    %a = v04.atomic_add{scope} %v, %A[%x] : {type}
    %b = v04.atomic_min %l, %A[%x] : {type}
    %c = v04.atomic_max %a, %A[%x] : {type}
    v04.atomic_store %b, %B[%x]
    store %c, %A[%x]
  }}
}}
"""


def kinds(text: str) -> list[str]:
    return re.findall(r"atomic_?rmw (\w+)", text)


@pytest.mark.at_most(1)
@tools
@pytest.mark.parametrize(
    ("type_", "described", "lowered"),
    [
        ("i32", ["addi", "addi", "mins", "maxs"], ["add", "add", "min", "max"]),
        ("f64", ["addf", "addf", "minnumf", "maxnumf"], ["fadd", "fadd", "fmin", "fmax"]),
    ],
)
def test_atomic_updates_give_the_element_before(type_: str, described: list[str], lowered: list[str]) -> None:
    kernel = pytl.compile(UPDATES.format(type=type_, order="", scope=".device"))["f"]
    text = kernel.emit("xegpu")
    assert kinds(text) == described
    assert "xegpu.fence" not in text
    verified(text)
    assert kinds(kernel.emit("xegpu", stage="llvm")) == lowered


@tools
@pytest.mark.parametrize(
    ("order", "scope", "fences"),
    [
        (".acquire", "", [("addi", "workgroup")]),
        (".device.sequentially_consistent", "", [("", "gpu"), ("addi", "gpu")]),
        ("", ".device.release", [("addi", "gpu")]),
        (".subgroup.acquire", ".device.acquire_release", [("addi", "workgroup"), ("addi", "gpu"), ("addi", "gpu")]),
    ],
)
def test_the_order_of_an_atomic_access_is_fences(order: str, scope: str, fences: list[tuple[str, str]]) -> None:
    text = pytl.compile(UPDATES.format(type="i32", order=order, scope=scope))["f"].emit("xegpu")
    verified(text)
    last, found = "", []
    for kind, fence in re.findall(r"atomic_rmw (\w+)|fence_scope = (\w+)", text):
        last = kind or last
        found += [(last, fence)] if fence else []
    assert found == fences


@tools
@pytest.mark.parametrize("type_", ["i32", "f64"])
def test_what_other_devices_see_is_of_llvms_scope(type_: str) -> None:
    text = pytl.compile(UPDATES.format(type=type_, order="", scope=".cross_device"))["f"].emit("xegpu")
    assert text.count("xegpu.atomic_rmw") == 3
    assert ("llvm.atomicrmw add" if type_ == "i32" else "llvm.cmpxchg") in text
    verified(text)


def test_a_chip_and_options_are_checked() -> None:
    kernel = gemm(f16, f32)
    with pytest.raises(pytl.PlatformError, match="the option chip is 'xe3'"):
        kernel.emit("xegpu", chip="xe3")
    with pytest.raises(pytl.PlatformError, match="has no stage `asm`"):
        kernel.emit("xegpu", stage="asm")
    with pytest.raises(pytl.PlatformError, match="PYTL-3200"):
        kernel[1](*(np.zeros((128, 128), t, order="F") for t in ("f2", "f2", "f4")), backend="xegpu")
