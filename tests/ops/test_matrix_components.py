"""Components that work-items hold of matrices: sizes, what they are computed with, errors, and the dialect 0.4."""

import numpy as np
import pytest
from differential.cases import STRATEGIES
from passes_kit import assert_meaning_kept
from tracing_kit import findings, function

import pytl
from pytl import Memref, c32, coop, f16, f32, i32, index, parallel, subgroup
from pytl.passes import Canonicalize, LowerCoopmatrix, WorkItemLoops

pytestmark = pytest.mark.at_most(4)

SHAPES = [(1, 1), (3, 2), (4, 3), (9, 2), (13, 1)]
LANES = 4


def kernel_of(rows, columns, subgroups=1, **options):
    """Each sub-group shifts the components of its work-items by one, through all that may stand between."""
    shape, count = (rows, columns), -(-rows // LANES) * columns
    last = count - 1

    @pytl.kernel(subgroup_size=LANES, work_group_size=(LANES * subgroups, 1), **options)
    def kernel(
        A: Memref[f32, rows, columns, subgroups], R: Memref[f32, LANES, 4, subgroups], n: index, yes: pytl.bool_
    ):
        with parallel():
            g = index(subgroup.id())
            me = index(subgroup.local_id())
            a = coop.load(A[:, :, g], 0, 0, shape, "matrix_acc")
            first = coop.extract(a, 0)
            R[me, 0, g] = first
            for _ in range(n):
                x = coop.extract(a, last)
                a = coop.insert(x + first + f32(me), a, 0)
                pytl.barrier("local")
            R[me, 1, g] = coop.extract(a, 0) + first
            if yes:
                a = coop.insert(7.0, a, last)
            else:
                a = coop.scale(2.0, a)
            R[me, 2, g] = subgroup.add.inclusive_scan(coop.extract(a, last))
            same = subgroup.broadcast(coop.extract(a, 0), 0)
            b = coop.apply(lambda v: v + same, a)
            R[me, 3, g] = coop.extract(b, last)
            coop.store(a, A[:, :, g], 0, 0)

    return kernel


def expected(A, n, yes):
    rows, columns, subgroups = A.shape
    A, R = A.astype(np.float64), np.zeros((LANES, 4, subgroups))
    count = -(-rows // LANES) * columns

    def own(matrix, number, lane):
        row = lane + number // columns * LANES
        return (row, number % columns) if row < rows else None

    def extract(matrix, number):
        places = [own(matrix, number, lane) for lane in range(LANES)]
        return np.array([matrix[place] if place else 0.0 for place in places])

    def insert(numbers, matrix, number):
        for lane in range(LANES):
            if place := own(matrix, number, lane):
                matrix[place] = numbers[lane]

    for g in range(subgroups):
        matrix = A[:, :, g]
        R[:, 0, g] = first = extract(matrix, 0)
        for _ in range(n):
            insert(extract(matrix, count - 1) + first + np.arange(LANES), matrix, 0)
        R[:, 1, g] = extract(matrix, 0) + first
        if yes:
            insert(np.full(LANES, 7.0), matrix, count - 1)
        else:
            matrix *= 2
        R[:, 2, g] = np.cumsum(extract(matrix, count - 1))
        held = extract(np.ones_like(matrix), count - 1)
        R[:, 3, g] = (extract(matrix, count - 1) + matrix[0, 0]) * held
    return A, R


@pytest.mark.at_night
@pytest.mark.parametrize("way", ["reference", "many-items", "auto", "mlir"])
def test_what_numpy_computes(way):
    for shape in SHAPES if way == "reference" else SHAPES[-3:]:
        for subgroups, yes in ((1, True), (3, False)):
            options = {"strategy": way} if way in STRATEGIES else {}
            kernel = kernel_of(*shape, subgroups, **options)
            A = np.asfortranarray(np.random.default_rng(shape[0]).integers(-3, 4, (*shape, subgroups)), np.float32)
            wanted = expected(A, 2, yes)
            R = np.zeros((LANES, 4, subgroups), np.float32, order="F")
            kernel[1](A, R, 2, yes, backend="sycl" if way in ("auto", *STRATEGIES) else way)
            np.testing.assert_array_equal(A, wanted[0])
            np.testing.assert_array_equal(R, wanted[1])


@pytest.mark.parametrize("steps", [[LowerCoopmatrix(), Canonicalize()], [WorkItemLoops()]], ids=["lanes", "loops"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_passes_keep_the_meaning(shape, steps):
    assert_meaning_kept(str(kernel_of(*shape)), *steps, groups=1)


def test_a_sub_group_of_one_has_whole_matrices():
    @pytl.kernel(subgroup_size=1, work_group_size=(1, 1))
    def kernel(A: Memref[f32, 3, 2], x: Memref[f32, 1]):
        with parallel():
            a = coop.load(A, 0, 0, (3, 2), "matrix_b")
            x[0] = coop.extract(a, 3)
            coop.store(coop.insert(9.0, a, 4), A, 0, 0)

    for backend in ("reference", "mlir"):
        A, x = np.asfortranarray(np.arange(6).reshape(3, 2), np.float32), np.zeros(1, np.float32)
        kernel[1](A, x, backend=backend)
        assert x[0] == 3 and A.tolist() == [[0, 1], [2, 3], [9, 5]]


def test_one_work_item_cannot_hold_what_several_do():
    @pytl.kernel(strategy="one-item")
    def kernel(A: Memref[f32, 16, 2]):
        with parallel():
            A[0, 0] = subgroup.broadcast(coop.extract(coop.load(A, 0, 0, (16, 2), "matrix_acc"), 0), 3)

    with pytest.raises(pytl.PytlError, match=r"_extract in line \d+ distinguishes the work-items"):
        str(kernel)


def test_the_matrix_unit_spreads_components_otherwise():
    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def kernel(A: Memref[f32, 16, 16], x: Memref[f32, 16]):
        with parallel():
            a = coop.load(A, 0, 0, (16, 16), "matrix_acc")
            x[index(subgroup.local_id())] = coop.extract(a, 3)

    with pytest.raises(pytl.PytlError, match=r"cooperative_matrix_extract has no form on the matrix unit"):
        kernel.emit("xegpu", matrices="dpas")
    assert kernel.emit("xegpu") == kernel.emit("xegpu", matrices="lanes")


def test_what_is_spread_otherwise_elsewhere_is_warned_of():
    text = """func @f(%x: memref<f16x16>) {
  parallel {
    %m = constant 1.0 : coopmatrix<f16x16x4,matrix_a>
    %r = v04.cooperative_matrix_extract %m[0] : f16
    %l = builtin.subgroup_local_id : i32
    %i = cast %l : index
    store %r, %x[%i]
  }
}"""
    alike = [text.replace("matrix_a", use) for use in ("matrix_b", "matrix_acc")]
    alike += [text.replace("f16", "f32"), text.replace("x16x4,matrix_a", "x8x1,matrix_b")]
    for given, codes in [(text, ["PYTL-0724"]), (text.replace("x16x4,matrix_a", "x8x2,matrix_b"), ["PYTL-0724"])]:
        assert [d.code for d in pytl.ir.verifier.find_problems(pytl.parse(given)).items] == codes
    for given in alike:
        assert not pytl.ir.verifier.find_problems(pytl.parse(given)).items
    x = np.zeros(16, np.float16)
    pytl.compile(text)["f"][1](x, backend="reference")
    assert (x == 1).all()


def test_wrong_attributes_are_told_once():
    text = 'func @f(%x: memref<f32>) attributes{subgroup_size="x"} {\n  parallel {\n'
    text += "    %m = constant 1.0 : coopmatrix<f32x4x4,matrix_acc>\n"
    text += "    %r = v04.cooperative_matrix_extract %m[99] : f32\n    store %r, %x[]\n  }\n}"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(text))
    assert len(caught.value.diagnostics) == 1 and "subgroup_size" in caught.value.diagnostics[0].message
    huge = text.replace('subgroup_size="x"', "subgroup_size=16").replace("[99]", f"[{10**30}]")
    with pytest.raises(pytl.LanguageError, match="PYTL-0"):
        pytl.verify(pytl.parse(huge))


MISTAKES = [
    ("coop.extract(m, 8)", "the index is 8, but a work-item of 16 holds 8 components"),
    ("coop.extract(m, -1)", "the index is -1, but a work-item of 16 holds 8 components"),
    ("coop.extract(m, n)", "index of coop.extract is index, not a Python integer"),
    ("coop.extract(x, 0)", "matrix of coop.extract is f32, not coopmatrix-type"),
    ("coop.insert(i32(x), m, 0)", "the scalar is i32, but the components are f32"),
    ("coop.insert(1j, m, 0)", "the Python complex 1j is used where an f32 is expected"),
    ("coop.insert(m, m, 0)", "scalar of coop.insert is coopmatrix<f32x8x8,matrix_acc>, not scalar-type"),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES)
def test_mistakes_in_python(call, message):
    kernel = function(f"""
        def kernel(A: Memref[f32, 8, 8], x: f32, n: index):
            with parallel():
                m = coop.full(f32, 1.0, (8, 8), "matrix_acc")
                coop.store(m, A, 0, 0)
                r = {call}
        """)
    found = findings(kernel)
    assert any(message in each.message for each in found), [each.message for each in found]


def test_work_items_come_together():
    @pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
    def kernel(A: Memref[f32, 4, 2]):
        with parallel():
            a = coop.load(A, 0, 0, (4, 2), "matrix_acc")
            if subgroup.local_id() < 2:
                A[0, 0] = coop.extract(a, 0)

    with pytest.raises(pytl.ExecutionError, match="2 of 4 work-items of sub-group 0 come here"):
        kernel[1](np.zeros((4, 2), np.float32, order="F"), backend="reference")


@pytest.mark.parametrize("type_", [f16, i32, c32])
def test_literals_take_the_type_of_the_components(type_):
    @pytl.kernel
    def kernel(A: Memref[type_, 4, 2]):
        with parallel():
            coop.store(coop.insert(2, coop.full(type_, 1, (4, 2), "matrix_acc"), 1), A, 0, 0)

    dtype = {f16: np.float16, i32: np.int32, c32: np.complex64}[type_]
    A = np.zeros((4, 2), dtype, order="F")
    kernel[1](A, backend="reference")
    assert A.real.tolist() == [[1, 2]] * 4
