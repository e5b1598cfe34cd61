"""`pytl.einsum` beside numpy.einsum: layouts, types, kinds of arrays, and what it refuses."""

from __future__ import annotations

import random
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from launch_kit import needs_sycl
from sampling import at_night

import pytl
from pytl.ir.types import f32
from pytl.kernels.einsum import calls as einsums
from pytl.kernels.einsum import copies as einsum_copies
from pytl.kernels.einsum import layouts as einsum_layouts
from pytl.kernels.einsum import leases as einsum_leases
from pytl.kernels.einsum import matrices as einsum_matrices
from pytl.kernels.einsum import memory as einsum_memory
from pytl.kernels.einsum import plan as einsum_plan
from pytl.kernels.einsum import work as einsum_work
from pytl.kernels.einsum.arrays import Array
from pytl.ops.index_notation import Indices
from pytl.ops.subscripts import Subscripts

pytestmark = pytest.mark.at_most(4)

DTYPES = (np.float32, np.float64, np.complex64, np.complex128, np.int32)


def drawn(seed: int) -> tuple[str, list[np.ndarray]]:
    """Random subscripts of one to four operands of order 0 to 7, with arrays in any layout."""
    chance, numbers = random.Random(seed), np.random.default_rng(seed)
    letters = "abcdef"[: chance.randint(1, 6)]
    size = {letter: chance.randint(1, 5) for letter in letters}
    terms = []
    for _ in range(chance.choice([1, 1, 2, 2, 2, 3, 4])):
        term = [letter for letter in letters if chance.random() < 0.55]
        chance.shuffle(term)
        if term and chance.random() < 0.15:
            term.insert(chance.randrange(len(term) + 1), chance.choice(term))
        terms.append("".join(term))
    output = [letter for letter in sorted(set("".join(terms))) if chance.random() < 0.5]
    chance.shuffle(output)
    subscripts = ",".join(terms) + ("->" + "".join(output) if chance.random() < 0.8 else "")
    dtype = chance.choice(DTYPES)
    return subscripts, [_array(chance, numbers, [size[n] for n in term], dtype) for term in terms]


def _array(chance: random.Random, numbers: np.random.Generator, shape: list[int], dtype: type) -> np.ndarray:
    """Values that are exact in every type, contiguous, strided, permuted or backwards."""
    layout = chance.choice(["C", "C", "F", "strided", "permuted", "backwards"])
    if layout == "strided":
        whole = numbers.integers(-3, 4, [2 * n + 1 for n in shape]).astype(dtype)
        return np.asarray(whole[tuple(slice(0, 2 * n, 2) for n in shape)])
    if layout == "permuted":
        order = chance.sample(range(len(shape)), len(shape))
        return numbers.integers(-3, 4, [shape[mode] for mode in order]).astype(dtype).transpose(np.argsort(order))
    array = np.array(numbers.integers(-3, 4, shape).astype(dtype), order="F" if layout == "F" else "C")
    return array[::-1] if layout == "backwards" and shape else array


def check(seed: int, backend: str) -> None:
    subscripts, arrays = drawn(seed)
    expected = np.einsum(subscripts, *arrays)
    result = pytl.einsum(subscripts, *arrays, backend=backend)
    assert np.shape(result) == np.shape(expected), subscripts
    assert np.asarray(result).dtype == np.asarray(expected).dtype
    assert np.allclose(result, expected), subscripts


@pytest.mark.parametrize("seed", [*range(40), *at_night(range(1000, 1960))])
def test_random_contractions(seed: int) -> None:
    check(seed, "reference")


@pytest.mark.at_most(1)
@pytest.mark.parametrize("seed", [*range(100, 110), *at_night(range(2000, 2040))])
@needs_sycl
def test_random_contractions_on_sycl(seed: int) -> None:
    check(seed, "sycl")


ALL_DTYPES = (*"bhilefdFD", ml_dtypes.bfloat16)


def drawn_call(seed: int) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of einsum: sizes of 1 and 0, `...`, lists, numbers, all types, an out of any layout or an operand."""
    chance, numbers = random.Random(seed), np.random.default_rng(seed)
    letters = "abcde"[: chance.randint(1, 5)]
    size = {letter: chance.choice([1, 2, 3, 4, 5, 5, *[0] * (seed % 10 == 0)]) for letter in letters}
    rest = [chance.randint(1, 4) for _ in range(chance.choice([0, 0, 1, 2]))]
    of_one = chance.choice(ALL_DTYPES)
    terms: list[list[Any]] = []
    arrays: list[Any] = []
    for _ in range(chance.choice([1, 2, 2, 2, 3])):
        term = [letter for letter in letters if chance.random() < 0.5]
        chance.shuffle(term)
        if term and chance.random() < 0.15:
            term.insert(chance.randrange(len(term) + 1), chance.choice(term))
        repeated = {letter for letter in term if chance.random() < 0.15}
        shape = [1 if letter in repeated else size[letter] for letter in term]
        if rest and chance.random() < 0.7:
            at, own = chance.randrange(len(term) + 1), rest[len(rest) - chance.randint(0, len(rest)) :]
            term.insert(at, ...)
            shape[at:at] = [1 if chance.random() < 0.2 else n for n in own]
        dtype = of_one if chance.random() < 0.7 else chance.choice([t for t in ALL_DTYPES if t is not ALL_DTYPES[-1]])
        if of_one is ALL_DTYPES[-1]:
            dtype = of_one if chance.random() < 0.7 else "f"
        terms.append(term)
        arrays.append(_array(chance, numbers, shape, np.dtype(dtype).type))
        if not shape and chance.random() < 0.3:
            arrays[-1] = arrays[-1].tolist()
    written = sorted({letter for term in terms for letter in term if letter is not ...})
    output: list[Any] = [letter for letter in written if chance.random() < 0.5]
    if any(... in term for term in terms):
        output.insert(chance.randrange(len(output) + 1), ...)
    has_output = chance.random() < 0.8
    if chance.random() < 0.3:
        lists = [[n if n is ... else ord(n) - ord("a") + 26 for n in term] for term in (*terms, output)]
        given = [item for pair in zip(arrays, lists) for item in pair]
        return given + ([lists[-1]] if has_output else []), _keywords(chance, arrays)
    texts = ["".join("..." if n is ... else n for n in term) for term in (*terms, output)]
    return [",".join(texts[:-1]) + ("->" + texts[-1] if has_output else ""), *arrays], _keywords(chance, arrays)


def _keywords(chance: random.Random, arrays: list[Any]) -> dict[str, Any]:
    """dtype, casting and what `out` is to be: its type and layout, or the number of an operand."""
    found: dict[str, Any] = {}
    if chance.random() < 0.3:
        found["casting"] = chance.choice(["no", "equiv", "safe", "same_kind", "unsafe"])
    if chance.random() < 0.25:
        found["dtype"] = chance.choice("fdD")
    if chance.random() < 0.6:
        found["out"] = chance.choice([*range(len(arrays)), *"CF", "strided", "backwards", "interleaved"])
    return found


def computed_in(operands: list[Any]) -> np.dtype:
    """The type of NumPy 2: Python's numbers have the type of the arrays where that has their kind."""
    strong = [np.asarray(x).dtype for x in operands if type(x) not in (int, float, complex)]
    weak = [x for x in operands if type(x) in (int, float, complex)]
    found = np.result_type(*(strong or weak))
    for x in weak if strong else ():
        if type(x) is complex and found.kind != "c":
            found = np.result_type(found, "D" if found.kind == "i" else "F")
        elif type(x) is float and found.kind == "i":
            found = np.dtype("d")
    return found


def _out(what: Any, shape: tuple[int, ...], dtype: np.dtype, operands: list[Any]) -> Any:
    if isinstance(what, int):
        operand = operands[what]
        fits = isinstance(operand, np.ndarray) and operand.shape == shape and operand.flags.writeable
        return operand if fits else np.zeros(shape, dtype)
    if what == "strided":
        return np.zeros([2 * n + 1 for n in shape], dtype)[(*(slice(0, 2 * n, 2) for n in shape), ...)]
    if what == "interleaved" and len(shape) == 2 and shape[0] <= 2:
        # elements of one row lie between those of the other one, and none is in both
        whole = np.zeros(3 * shape[1] + 4, dtype)
        return np.lib.stride_tricks.as_strided(whole, shape, (3 * whole.itemsize, 2 * whole.itemsize))
    array = np.zeros(shape, dtype, order="F" if what == "F" else "C")
    return array[::-1] if what == "backwards" and shape else array


def check_call(seed: int) -> bool:
    """Compare with NumPy: the result, or that both refuse. Returns whether there was a result."""
    arguments, keywords = drawn_call(seed)
    lists = not isinstance(arguments[0], str)
    operands = arguments[: len(arguments) // 2 * 2 : 2] if lists else arguments[1:]
    what = keywords.pop("out", None)
    dtype = np.dtype(keywords["dtype"]) if "dtype" in keywords else computed_in(operands)
    wide = np.dtype({"i": "q", "c": "D"}.get(dtype.kind, "d"))

    def by_numpy(change: Any) -> Any:
        if lists:
            changed = [change(x) if k % 2 == 0 and k < 2 * len(operands) else x for k, x in enumerate(arguments)]
            return np.einsum(*changed)
        return np.einsum(arguments[0], *map(change, operands))

    def widened(x: Any) -> Any:
        given = np.asarray(x) if type(x) in (int, float, complex) else x
        return given.real.astype(wide) if given.dtype.kind == "c" and wide.kind != "c" else given.astype(wide)

    try:
        expected = by_numpy(widened)
    except ValueError:
        with pytest.raises(pytl.LaunchError):
            pytl.einsum(*arguments, backend="reference", **keywords)
        return False
    shape = np.shape(expected)
    out = None
    if what is not None:
        out = keywords["out"] = _out(what, shape, dtype if seed % 3 else np.dtype("D"), operands)
    casting = keywords.get("casting", "safe")
    types = [dtype if type(x) in (int, float, complex) else x.dtype for x in operands]
    weak = [x for x in operands if type(x) in (int, float, complex)]
    casts = [(t, dtype) for t in types] + ([] if out is None else [(dtype, out.dtype)])
    if not all(np.can_cast(a, b, casting) for a, b in casts) and not weak:
        with pytest.raises(pytl.LaunchError) as caught:
            pytl.einsum(*arguments, backend="reference", **keywords)
        assert caught.value.diagnostics[0].rule.code == "PYTL-2093"
        return False
    scale = np.asarray(by_numpy(lambda x: np.abs(widened(x))), "d")
    try:
        result = pytl.einsum(*arguments, backend="reference", **keywords)
    except pytl.LaunchError as error:
        assert weak and error.diagnostics[0].rule.code == "PYTL-2093", str(error)
        return False
    assert out is None or result is out
    assert np.shape(result) == shape
    assert np.asarray(result).dtype == (dtype if out is None else out.dtype)
    if dtype.kind == "i":
        assert np.array_equal(result, expected.astype(dtype)), arguments
    else:
        epsilon = float(ml_dtypes.finfo(dtype).eps)
        assert np.all(np.abs(np.asarray(result).astype("D") - expected) <= 4 * epsilon * scale), arguments
    return True


@pytest.mark.at_most(2)
@pytest.mark.parametrize("first", [*range(0, 120, 40), *at_night(range(10_000, 14_000, 40))])
def test_calls_beside_numpy(first: int) -> None:
    assert sum(check_call(seed) for seed in range(first, first + 40)) > 20


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("...ij,...jk->...ik", [(2, 3, 4, 5), (2, 3, 5, 6)]),
        ("...k,kj", [(3, 4, 5), (5, 6)]),
        ("bhqd,bhkd->bhqk", [(2, 3, 4, 5), (2, 3, 6, 5)]),
        ("ii", [(4, 4)]),
        ("ii->i", [(4, 4)]),
        ("ij->ji", [(4, 5)]),
        ("i,i->", [(4,), (4,)]),
        ("ij,jk,kl,lm->im", [(4, 5), (5, 6), (6, 7), (7, 8)]),
        (" i k , k j -> i j ", [(4, 5), (5, 6)]),
        ("ik,kj->ij", [(3, 70), (70, 134)]),
    ],
)
def test_forms(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    numbers = np.random.default_rng(1)
    arrays = [numbers.random(shape) for shape in shapes]
    result = pytl.einsum(subscripts, *arrays, backend="reference")
    assert np.allclose(result, np.einsum(subscripts.replace(" ", ""), *arrays))


@pytest.mark.parametrize(
    ("names", "size", "items"),
    [
        ("gdab,efgc,abcdef", 12, "ef"),  # each work-group writes 83 kB without a gap
        ("efgb,gdac,abcdef", 12, "ef"),
        ("dfgb,geac,abcdef", 12, "df"),
        ("dbea,ec,abcd", 40, "d"),
    ],
)
def test_items_whose_results_share_no_cache_lines(names: str, size: int, items: str) -> None:
    operands = names.split(",")
    layouts = [einsum_layouts.Layout.packed(f32, (size,) * len(letters)) for letters in operands]
    assert items in {work.items for work in einsum_work.Work.choices(subscripts_of(operands), layouts)}
    plan = einsum_plan.Plan.of(subscripts_of(operands), [InOrder(layout) for layout in layouts])
    assert [stage.work.items for stage in plan.stages if isinstance(stage.work, einsum_work.Work)] == [items]


@dataclass
class InOrder:
    """An array in the order of memory, for a plan."""

    layout: einsum_layouts.Layout

    def __post_init__(self) -> None:
        self.element, self.shape, self.strides = self.layout.element, self.layout.shape, self.layout.strides
        self.order = range(len(self.shape))


def subscripts_of(operands: list[str]) -> Subscripts:
    *inputs, output = map(Indices.of, operands)
    return Subscripts(tuple(inputs), output)


def as_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every contraction that is a matrix product computed as one."""
    monkeypatch.setattr(einsum_plan, "MIN_SIZE", 1)
    monkeypatch.setattr(einsum_matrices.MatrixProduct, "cost", lambda _: 0.0)
    monkeypatch.setattr(einsum_copies.Copies, "cost", lambda _: 0.0)
    monkeypatch.setattr(einsum_work.Work, "cost", lambda _: 1.0)
    monkeypatch.setattr(einsum_work.Work, "is_whole", False)
    monkeypatch.setattr(einsum_matrices, "DEPTH", 8)
    monkeypatch.setattr(einsums, "_recipes", OrderedDict())
    monkeypatch.setattr(einsums, "_launches", OrderedDict())
    monkeypatch.setattr(einsum_matrices, "ROWS", 8)
    monkeypatch.setattr(einsum_matrices, "COLUMNS", 8)


@pytest.mark.at_most(2)
@pytest.mark.parametrize(
    ("subscripts", "dtype", "boxes"),
    [
        ("aebf,dfce->abcd", "f4", "the left factor in panels"),  # A and B are copied
        ("eafd,fbec->abcd", "f8", "the left factor in panels, put in order"),  # all are copied
        ("gfab,degc->abcdef", "i4", "put in order"),
        ("abcg,defg->cafbed", "F", "put in order"),  # C alone is none
        ("ab,bcd->acd", "D", ""),  # none is copied
        ("abc,dc->dab", "f2", ""),  # C has its columns first
    ],
)
@pytest.mark.parametrize("line", [1, 64])  # of 64 bytes, no part is a box
@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=needs_sycl)])
def test_matrix_products(
    subscripts: str, dtype: str, boxes: str, line: int, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of a product of permuted copies, whole ones and what is left over, and parts that are boxes."""
    as_matrices(monkeypatch)
    monkeypatch.setattr(einsum_matrices, "LINE", line)
    monkeypatch.setattr(einsum_matrices, "MIN_WIDTH", 2)
    monkeypatch.setattr(einsum_matrices, "PANEL", 64)
    numbers = np.random.default_rng(6)
    size = dict(zip("abcdefg", (5, 3, 4, 2, 3, 5, 6)))
    inputs, _ = subscripts.split("->")
    for order in "CF":
        arrays = [
            np.array(numbers.integers(-3, 4, [size[n] for n in names]).astype(dtype), order=order)  # type: ignore[call-overload]
            for names in inputs.split(",")
        ]
        expected = np.einsum(subscripts, *arrays)
        (text,) = [text for text, _ in pytl.einsum_path(subscripts, *arrays).launches if text.startswith("a product")]
        if order == "C" and line == 1:
            assert text.partition("each with ")[2].partition(", ")[2] == boxes
        for _ in range(2):  # the second call takes what the first one kept
            assert np.array_equal(pytl.einsum(subscripts, *arrays, backend=backend), expected)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=needs_sycl)])
def test_permuted_copies(seed: int, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles, whole ones and what is left over, of arrays with gaps or without, by few work-groups or by many."""
    numbers = np.random.default_rng(seed)
    monkeypatch.setattr(einsums, "_recipes", OrderedDict())
    monkeypatch.setattr(einsums, "_launches", OrderedDict())
    monkeypatch.setattr(einsum_copies, "TILE", int(numbers.choice([3, 4, 32])))
    monkeypatch.setattr(einsum_copies, "LINE", int(numbers.choice([8, 16, 64])))
    monkeypatch.setattr(einsum_copies, "MIN_GROUPS", int(numbers.choice([1, 5, 32])))
    names = "abcde"[: numbers.integers(1, 6)]
    target = "".join(numbers.permutation([*names]))
    dtype = str(numbers.choice(["f2", "f4", "f8", "i1", "i8", "F"]))
    shape = [int(numbers.integers(1, 12)) for _ in names]
    memory = numbers.integers(-50, 50, [n + int(numbers.integers(0, 2)) for n in shape]).astype(dtype)
    array = memory[tuple(slice(n) for n in shape)].transpose(numbers.permutation(len(shape)))
    found = pytl.einsum(f"{names}->{target}", array, backend=backend)
    assert np.array_equal(found, np.einsum(f"{names}->{target}", array))


@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=needs_sycl)])
def test_copies_have_the_same_bits(backend: str) -> None:
    array = np.full((18, 20), complex(np.inf, np.nan))
    array[::2], array[1] = complex(-0.0, -np.inf), complex(np.nan, -0.0)
    found = pytl.einsum("ij->ji", array, backend=backend)
    assert np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(array.T).tobytes()


def test_memory_between_launches_is_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    as_matrices(monkeypatch)
    kept: list[tuple[Any, Any]] = []
    monkeypatch.setattr(einsum_memory, "_free_arrays", kept)
    numbers = np.random.default_rng(8)
    a, b = numbers.random((5, 6, 3, 4)), numbers.random((7, 4, 8, 6))

    def check(backend: str = "reference") -> list[int]:
        found = pytl.einsum("aebf,dfce->abcd", a, b, backend=backend)
        assert np.allclose(found, np.einsum("aebf,dfce->abcd", a, b))
        return [id(array) for _, array in kept]

    first = check()
    assert first
    assert sorted(check()) == sorted(first)
    monkeypatch.setattr(einsum_memory, "MAX_BYTES", a.nbytes)
    assert len(check()) == 1
    with pytest.raises(pytl.PytlError):
        check("no such backend")
    assert not kept


@needs_sycl
def test_memory_of_a_device_is_kept_for_the_next_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from device_kit import dpt

    free: dict[Any, list[Any]] = {}
    monkeypatch.setattr(einsum_leases, "_free", free)
    given = dpt.asarray(np.arange(30.0).reshape(5, 6))

    def made() -> Any:
        found = pytl.einsum("ij->ji", given)
        assert np.array_equal(dpt.asnumpy(found), dpt.asnumpy(given).T)
        given.sycl_queue.wait()  # dpctl's copy holds its array until a task of the queue has ended
        return found

    first = made()
    address, part = first._pointer, first[1:]
    del first
    second = made()
    assert second._pointer != address  # a view uses it still
    del part
    third = made()
    assert third._pointer == address
    monkeypatch.setattr(einsum_leases, "MAX_BYTES", given.nbytes)
    arrays = [made() for _ in range(3)]
    arrays.clear()
    assert [len(each) for each in free.values()] == [1]
    monkeypatch.setattr(einsum_leases, "MAX_BYTES", given.nbytes - 1)
    free.clear()
    made()
    assert not any(free.values())


def test_paths() -> None:
    k, q, a = np.ones((56, 35)), np.ones((100, 35, 9)), np.ones((100, 9, 9))
    path = pytl.einsum_path("kl,glq,gqp->gkp", k, q, a)
    assert [(s.operands, s.subscripts, s.operations) for s in path.steps] == [
        ((1, 2), "lq,qp->pl", 2 * 100 * 35 * 9 * 9),
        ((0, 3), "kl,pl->kp", 2 * 100 * 56 * 35 * 9),
    ]
    assert str(path).splitlines()[:2] == [
        f"kl,glq,gqp->gkp: {path.operations:,} operations, {3 * 100 * 56 * 35 * 9 * 9:,} in one loop nest",
        "launch 1: 100 work-groups, one for each g",
    ]
    assert path.steps[1].becomes.startswith("gemm over k, p, l")
    matrices = pytl.einsum_path("aebf,dfce->abcd", *[np.ones((28,) * 4)] * 2)
    assert [len(steps) for _, steps in matrices.launches] == [2, 1]
    assert matrices.launches[0][0].count("a copy in tiles of ") == 2
    assert "a product of 784×784 and 784×784 in" in matrices.launches[1][0]
    assert [step.operands for step in matrices.steps] == [(0,), (1,), (2, 3)]
    assert matrices.operations == 2 * 28**6
    assert not pytl.einsum_path("ij,jk", np.ones((2, 0)), np.ones((0, 2))).launches
    with pytest.raises(pytl.LaunchError, match="PYTL-0692"):
        pytl.einsum_path("ij,jk", np.ones((2, 3)), np.ones((2, 3)))


def test_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays in C and Fortran order, the batch first or last, permuted and with gaps are used where they are."""
    monkeypatch.setattr(Array, "copied", lambda *_: pytest.fail("an array was copied"))
    numbers = np.random.default_rng(2)
    for order in "CF":
        a, b = np.array(numbers.random((6, 4, 4)), order=order), np.array(numbers.random((4, 5)), order=order)
        for wanted in ("gij", "ijg", "jgi"):
            expected = np.einsum(f"gik,kj->{wanted}", a, b)
            assert np.allclose(pytl.einsum(f"gik,kj->{wanted}", a, b, backend="reference"), expected)
            assert np.allclose(
                pytl.einsum(f"gik,kj->{wanted}", a[:, ::2], b, backend="reference"),
                expected[tuple(slice(None, None, 2) if letter == "i" else slice(None) for letter in wanted)],
            )


def test_kernels_are_made_once_and_for_all_sizes_of_the_batch() -> None:
    einsums._kernels.clear()
    b = np.ones((4, 5))
    for items in (3, 7, 3):
        pytl.einsum("gik,kj->gij", np.ones((items, 3, 4)), b, backend="reference")
    assert len(einsums._kernels) == 1
    pytl.einsum("gik,kj->gij", np.ones((3, 2, 4)), b, backend="reference")
    assert len(einsums._kernels) == 2


def test_a_second_call_with_arrays_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """It launches at once, with the same result, also into another array, and for other numbers."""
    numbers = np.random.default_rng(5)
    a, b, out = numbers.random((3, 4, 5)), numbers.random((5, 6)), np.zeros((6, 3, 4))
    for _ in range(2):
        assert np.allclose(pytl.einsum("gik,kj", a, b, backend="reference"), np.einsum("gik,kj", a, b))
        assert pytl.einsum("gik,kj->jgi", a, b, out=out, backend="reference") is out
        assert np.allclose(out, np.einsum("gik,kj->jgi", a, b))
        assert pytl.einsum("ii", a[:, :3, 0], backend="reference") == pytest.approx(np.trace(a[:, :3, 0]))
        a, b = a + 1, b * 2
        monkeypatch.setattr(einsums, "_einsum", lambda *_: pytest.fail("the subscripts were read again"))


@needs_sycl
def test_a_second_call_with_arrays_of_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """It launches at once, but where the result shares memory with an operand."""
    from device_kit import dpt

    numbers = np.random.default_rng(5)
    given = numbers.random((3, 4, 5)), numbers.random((5, 6))
    a, b = map(dpt.asarray, given)
    out, both = dpt.zeros((6, 3, 4)), dpt.asarray(numbers.random((2, 4, 4)))
    square = dpt.asnumpy(both[1])
    read = einsums._einsum
    for calls in (3, 1):
        seen: list[None] = []
        monkeypatch.setattr(einsums, "_einsum", lambda *of, seen=seen: seen.append(None) or read(*of))
        found = pytl.einsum("gik,kj", a, b)
        assert isinstance(found, dpt.usm_ndarray)
        assert np.allclose(dpt.asnumpy(found), np.einsum("gik,kj", *given))
        assert pytl.einsum("gik,kj->jgi", a, b, out=out) is out
        assert np.allclose(dpt.asnumpy(out), np.einsum("gik,kj->jgi", *given))
        pytl.einsum("ij->ji", both[1], out=both[1])
        square = square.T
        assert np.array_equal(dpt.asnumpy(both[1]), square)
        assert len(seen) == calls


def test_types_are_promoted_as_the_language_does_or_as_numpy_does() -> None:
    a, b = np.ones((2, 3), np.float32), np.ones((3, 4), np.float64)
    assert pytl.einsum("ik,kj", a, b, backend="reference").dtype == np.float64
    integers = np.ones((3, 4), np.int32)
    assert pytl.einsum("ik,kj", a, integers, backend="reference").dtype == np.result_type(np.float32, np.int32)


def test_numbers_are_cast_before_they_are_summed() -> None:
    many = np.full(100, 100, np.int8)
    for subscripts, arrays in (
        ("a,b->b", [many, np.ones(2)]),
        ("a,a,b->b", [many, many, np.ones(2)]),
        ("a,b->a", [many, np.full(9, 9e4, np.float32)]),
    ):
        expected = np.einsum(subscripts, *arrays)
        assert np.array_equal(pytl.einsum(subscripts, *arrays, backend="reference"), expected)
    total = pytl.einsum("a->", many, dtype=np.int64, backend="reference")
    assert total == 10_000 and total.dtype == np.int64


def test_subclasses_are_taken_as_plain_arrays_and_lists_as_arrays() -> None:
    matrix = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    result = pytl.einsum("ij,j", matrix, [5, 6], backend="reference")
    assert type(result) is np.ndarray and np.array_equal(result, [17, 39])
    assert pytl.einsum("ij->ji", matrix, out=matrix, backend="reference") is matrix
    assert np.array_equal(matrix, [[1, 3], [2, 4]])


def test_numbers_of_python_have_the_type_of_the_arrays() -> None:
    for number, dtype, expected in (
        (2, "f4", "f4"),
        (2.5, "f4", "f4"),
        (2.5, "i4", "f8"),
        (1j, "f4", "c8"),
        (1j, "f8", "c16"),
    ):
        result = pytl.einsum(",i->i", number, np.ones(2, dtype), backend="reference")
        assert result.dtype == expected and np.array_equal(result, [number, number])
    assert pytl.einsum(",i->i", np.float64(2.5), np.ones(2, "f4"), backend="reference").dtype == np.float64


def test_out_and_empty_arrays() -> None:
    a = np.arange(6.0).reshape(2, 3)
    out = np.full((3, 2), np.nan, order="F")
    assert pytl.einsum("ij->ji", a, out=out, backend="reference") is out
    assert np.array_equal(out, a.T)
    assert np.array_equal(pytl.einsum("ij,jk->ik", np.ones((2, 0)), np.ones((0, 3))), np.zeros((2, 3)))
    assert pytl.einsum("ij->", np.ones((0, 3))) == 0


@pytest.mark.at_night
def test_modifiers() -> None:
    numbers = np.random.default_rng(3)
    a, b = numbers.random((4, 3, 5)), numbers.random((5, 6, 7))
    expected = np.einsum("ikm,mjn->ijnk", a, b)
    for order in "CF":
        out = np.zeros(expected.shape, order=order)
        pytl.einsum("i[k]m,m(jn)->i(jn)[k]", np.array(a, order=order), np.array(b, order=order), out=out)
        assert np.allclose(out, expected)


@pytest.mark.needs_dpnp
def test_device_arrays() -> None:
    import dpnp
    from device_kit import dpt

    numbers = np.random.default_rng(4)
    a, b = numbers.random((5, 3, 4), dtype=np.float32), numbers.random((4, 6), dtype=np.float32)
    expected = np.einsum("gik,kj->gij", a, b)
    by_dpctl = pytl.einsum("gik,kj->gij", dpt.asarray(a), dpt.asarray(b))
    assert isinstance(by_dpctl, dpt.usm_ndarray) and np.allclose(dpt.asnumpy(by_dpctl), expected)
    by_dpnp = pytl.einsum("gik,kj->gij", dpnp.array(a), dpnp.array(b))
    assert isinstance(by_dpnp, dpnp.ndarray) and np.allclose(dpnp.asnumpy(by_dpnp), expected)


class Unit(np.ndarray):
    """An array whose numbers have a meaning of their own."""

    def __array_ufunc__(self, *given: Any, **more: Any) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("call", "code", "column", "message"),
    [
        ('pytl.einsum("ik,kj->ij", A, B)', "PYTL-0691", 13, "the operand has 3 modes, but 2 indices"),
        ('pytl.einsum("gik,gj->gij", A, B)', "PYTL-0692", 17, "index g has size 5 in operand 0, but 4 in operand 1"),
        ('pytl.einsum("gik,kj->giz", A, B)', "PYTL-0690", 23, "index z of the output is in no operand"),
        ('pytl.einsum("gik,kj->gii", A, B)', "PYTL-0690", 23, "index i occurs twice in the output"),
        ('pytl.einsum("gi!,kj->gij", A, B)', "PYTL-0690", 15, "`!` is no part of subscripts"),
        ('pytl.einsum("gik->g", A, B)', "PYTL-0691", 13, "the subscripts are for 1 operand, but 2 are given"),
        ('pytl.einsum("gi[k],kj->gij", A, B)', "PYTL-0621", 19, "not marked, but other operands have [k]"),
        ('pytl.einsum("i,i", np.ones(2, bool), np.ones(2))', "PYTL-2070", 0, "has elements of bool"),
        ('pytl.einsum("i,i", "text", np.ones(2))', "PYTL-2070", 0, "operand 0 is of type str, not an array"),
        ('pytl.einsum("ij", B, out=np.ones((2, 2)))', "PYTL-2070", 0, "out has the shape (2, 2)"),
        (
            'pytl.einsum("i,i", np.ones(2, ml_dtypes.bfloat16), np.ones(2, np.float16))',
            "PYTL-2070",
            0,
            "no type holds the numbers of all operands: bfloat16, float16",
        ),
        ("pytl.einsum(7, B)", "PYTL-2095", 0, "the subscripts are no string, and no list of indices follows"),
        ("pytl.einsum(A, [0, 1, 2], B, B, B)", "PYTL-2095", 0, "no list of indices follows operand 1"),
        ("pytl.einsum(B, [0, 52])", "PYTL-2095", 0, "52 is no index"),
        ('pytl.einsum(B, [0, "j"])', "PYTL-2095", 0, "'j' is no index"),
        ("pytl.einsum(B, [3, 4], B, [4, 5])", "PYTL-0692", 0, "index 4 has size 6 in operand 0, but 4 in operand 1"),
        ("pytl.einsum(B, [3, 4], [5])", "PYTL-0690", 0, "index 5 of the output is in no operand"),
        (
            'pytl.einsum("...i,...i", A, B)',
            "PYTL-0692",
            0,
            "mode 1 of operand 0 has size 3, but mode 0 of operand 1 has size 4",
        ),
        ('pytl.einsum("ii", np.ones((1, 3)))', "PYTL-0692", 14, "index i has size 1 in operand 0, but 3 in operand 0"),
        ('pytl.einsum("i(jk),(jk)", A, np.ones((1, 4)))', "PYTL-0692", 20, "index j has size 3 in operand 0, but 1"),
        ('pytl.einsum("ij", B, dtype=np.float32)', "PYTL-2093", 0, "operand 0 has elements of float64"),
        ('pytl.einsum("ij", B, out=np.ones((4, 6), "f4"))', "PYTL-2093", 0, "the result has elements of float64"),
        ('pytl.einsum("ij", B, casting="any")', "PYTL-2093", 0, "casting is 'any', not one of no, equiv, safe"),
        ('pytl.einsum("ij", B, dtype="f3")', "PYTL-2070", 0, "dtype is 'f3', which is no type of NumPy's"),
        ('pytl.einsum("ij", B, dtype=bool)', "PYTL-2070", 0, "dtype is bool, which is no type of the language"),
        ('pytl.einsum("ij", np.ma.array(B))', "PYTL-2094", 0, "operand 0 is a masked array"),
        ('pytl.einsum("ij", unit(B))', "PYTL-2094", 0, "operand 0 is of the class Unit, which defines __array_ufunc__"),
        ('pytl.einsum("ij", B, out=np.broadcast_to(1.0, (4, 6)))', "PYTL-2070", 0, "out is read-only"),
        ('pytl.einsum("i,i", B[0], B[0], out=np.float64(0))', "PYTL-2070", 0, "out is of type float64"),
        ('pytl.einsum("ij", [[1], [2, 3]])', "PYTL-2070", 0, "operand 0 is no array"),
        (
            'pytl.einsum("ij,", np.ones((2, 2), "i1"), 300)',
            "PYTL-2070",
            0,
            "operand 1 is 300, which int8 does not hold",
        ),
        ('pytl.einsum("i", np.ones(2, np.uint16))', "PYTL-2070", 0, "has elements of uint16"),
    ],
)
def test_what_is_refused(call: str, code: str, column: int, message: str, tmp_path) -> None:
    file = tmp_path / "program.py"
    file.write_text(call)
    names = {
        "pytl": pytl,
        "np": np,
        "ml_dtypes": ml_dtypes,
        "unit": lambda array: array.view(Unit),
        "A": np.ones((5, 3, 4)),
        "B": np.ones((4, 6)),
    }
    with pytest.raises(pytl.LaunchError) as caught:
        exec(compile(call, str(file), "exec"), names)
    first = caught.value.diagnostics[0]
    assert (first.rule.code, message in first.message) == (code, True), str(caught.value)
    assert first.location is not None and first.location.source.name == str(file)
    if column:
        assert first.location.column == column + 1
