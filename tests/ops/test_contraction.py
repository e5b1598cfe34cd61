"""Operations in index notation: they print and parse, their rules point at a character, and the reference backend
computes what loops over the indices compute."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import pytl
from pytl.ir.types import SCALAR_TYPES, MemrefType
from pytl.ops import IndexedAxpby, IndexedProduct, LoopOverGemm
from pytl.ops.index_notation import IndexMap
from pytl.ops.preconditions import preconditions_of
from pytl.ops.scalars import dtype_of
from pytl.passes.analysis.uses import written_roots

pytestmark = pytest.mark.at_most(12)

WORDS = {"axpby": 1, "sum": 1, "product": 2, "log": 2}


def text_of(word: str, map: str, types: list[str], scalar: str) -> str:
    """A function with one instruction, whose tensors have these types."""
    names = ["A", "B", "C"][: len(types)]
    parameters = ", ".join(f"%{name}: {type_}" for name, type_ in zip(names, types))
    *factors, target = (f"%{name}" for name in names)
    head = f"func @f({parameters}, %alpha: {scalar}, %beta: {scalar}) {{\n"
    return f"{head}  yateto.{word} {map}, %alpha, {', '.join(factors)}, %beta, {target}\n}}"


def packed(sizes: dict[str, int], names: str, element: str, dynamic: str = "") -> str:
    return f"memref<{'x'.join([element, *('?' if name in dynamic else str(sizes[name]) for name in names)])}>"


def by_loops(map: IndexMap, alpha: Any, factors: list[np.ndarray], beta: Any, target: np.ndarray) -> np.ndarray:
    """What an operation leaves in its target, by a loop over all indices."""
    sizes = {
        name: size
        for indices, array in zip(map.operands, [*factors, target])
        for name, size in zip(indices.names, array.shape)
    }
    wide = target.dtype if target.dtype.kind in "iu" else np.result_type(target.dtype, np.float64)
    total = np.zeros(target.shape, wide)
    for point in itertools.product(*(range(sizes[name]) for name in map.names)):
        at = dict(zip(map.names, point))
        term = np.prod([array[tuple(at[n] for n in i.names)].astype(wide) for i, array in zip(map.inputs, factors)])
        total[tuple(at[n] for n in map.output.names)] += term.astype(wide)
    before = 0 if beta == 0 else beta * target.astype(wide)
    return (alpha * total + before).astype(target.dtype)


CASES = [
    ("axpby", "{ji to ij}"),
    ("axpby", "{_ to _}"),
    ("axpby", "{ijkl to klij}"),
    ("axpby", "{ii to i}"),
    ("sum", "{ijk to j}"),
    ("sum", "{ij to _}"),
    ("sum", "{ij to ji}"),
    ("sum", "{ii to _}"),
    ("sum", "{iij to ji}"),
    ("product", "{i, j to ji}"),
    ("product", "{ij, ji to ij}"),
    ("product", "{_, ijk to kji}"),
    ("product", "{ij, jk to kij}"),
    ("log", "{ik, kj to ij}"),
    ("log", "{i[k]m, m(jn) to i(jn)[k]}"),
    ("log", "{bik, bkj to bij}"),
    ("log", "{i[l]k, [l]kj to ij}"),
    ("log", "{i, i to _}"),
    ("log", "{i, j to ij}"),
    ("log", "{ik, k to i}"),
    ("log", "{_, _ to _}"),
    ("log", "{ijkl, lkm to mji}"),
]
SIZES = {"i": 3, "j": 2, "k": 4, "l": 2, "m": 3, "n": 3, "b": 2}


@pytest.mark.parametrize(("word", "map"), CASES)
@pytest.mark.parametrize("element", ["i8", "u", "f32", "f64", "c32", "c64", "bf16"])
def test_the_reference_backend_computes_what_loops_compute(word: str, map: str, element: str) -> None:
    dynamic, element = ("kb", "i64") if element == "u" else ("", element)
    index_map = IndexMap.parse(map)
    types = [packed(SIZES, indices.names, element, dynamic) for indices in index_map.operands]
    text = text_of(word, map, types, element)
    module = pytl.parse(text)
    assert str(pytl.parse(str(module))) == str(module) and map in str(module)
    (kernel,) = pytl.compile(text).values()
    rng = np.random.default_rng(len(map))
    dtype = dtype_of(SCALAR_TYPES[element])

    def numbers(indices: Any) -> np.ndarray:
        values: Any = rng.integers(-3, 4, tuple(SIZES[name] for name in indices.names))
        values = values + 1j * rng.integers(-3, 4, values.shape) if dtype.kind == "c" else values
        return np.asarray(values).astype(dtype, order="F")

    *factors, target = map_arrays = [numbers(indices) for indices in index_map.operands]
    for alpha, beta in ((2, 1), (-1, 0), (1, -2)):
        wanted = by_loops(index_map, alpha, factors, beta, target)
        kernel[1](*map_arrays, alpha, beta, backend="reference")
        np.testing.assert_array_equal(target, wanted)


def test_more_indices_than_einsum_of_numpy_takes() -> None:
    common, m, n, k = "ab", "cdefghijkl", "mnopqrstuv", "wxyzABCDEFGHIJ"
    sizes = {name: 2 if name in "aflmuwJ" else 1 for name in common + m + n + k}
    operands = (k[::-1] + m + common, common + n + k, n + common + m[::-1])
    types = [packed(sizes, names, "f64") for names in operands]
    (kernel,) = pytl.compile(
        text_of("log", f"{{{operands[0]}, {operands[1]} to {operands[2]}}}", types, "f64")
    ).values()
    rng = np.random.default_rng(2)
    arrays = [
        np.asfortranarray(rng.integers(-3, 4, tuple(sizes[name] for name in names)).astype(float)) for names in operands
    ]
    short = ["".join(name for name in names if sizes[name] == 2) for names in operands]
    a, b, c = (array.reshape((2,) * len(names), order="F") for array, names in zip(arrays, short))
    wanted = 2 * np.einsum(f"{short[0]},{short[1]}->{short[2]}", a, b) + 3 * c
    kernel[1](*arrays, 2.0, 3.0, backend="reference")
    np.testing.assert_array_equal(arrays[2].reshape(wanted.shape, order="F"), wanted)


def test_numbers_wrap_as_the_element_type_does() -> None:
    (kernel,) = pytl.compile(
        text_of("log", "{i, i to _}", ["memref<i8x2>", "memref<i8x2>", "memref<i8>"], "i8")
    ).values()
    c = np.zeros((), np.int8)
    kernel[1](np.array([100, 100], np.int8), np.array([2, 1], np.int8), c, 1, 0, backend="reference")
    assert c == np.int64(300).astype(np.int8)


def test_a_target_is_not_read_where_beta_is_zero() -> None:
    text = text_of("log", "{ik, kj to ij}", ["memref<f32x2x2>"] * 3, "f32")
    (kernel,) = pytl.compile(
        text.replace(", %beta: f32", "").replace("  yateto", "  %beta = constant 0.0 : f32\n  yateto")
    ).values()
    a, c = np.eye(2, dtype=np.float32, order="F"), np.full((2, 2), np.nan, np.float32, order="F")
    kernel[1](a, a.copy(order="F"), c, 1.0, backend="reference")
    np.testing.assert_array_equal(c, a)
    op = next(op for op in kernel.function.walk() if isinstance(op, LoopOverGemm))
    assert not op.reads_target and op.reads == ("A", "B", "C") and op.writes == ("C",)
    assert {value.name for value in written_roots(kernel.function)} == {"C"}


def test_strided_tensors() -> None:
    types = ["memref<f64x2x3,strided<2,8>>", "memref<f64x3x2,strided<1,?>>", "memref<f64x2x2,strided<3,7>>"]
    (kernel,) = pytl.compile(text_of("log", "{ik, kj to ij}", types, "f64")).values()
    memory = [np.arange(30.0) for _ in range(3)]
    views = [
        np.lib.stride_tricks.as_strided(buffer, shape, tuple(8 * stride for stride in strides))
        for buffer, shape, strides in zip(memory, ((2, 3), (3, 2), (2, 2)), ((2, 8), (1, 5), (3, 7)))
    ]
    wanted = 2 * views[0] @ views[1] + views[2]
    kernel[1](*views, 2.0, 1.0, backend="reference")
    np.testing.assert_array_equal(views[2], wanted)


def test_what_may_be_computed_in_place() -> None:
    tensor = pytl.ir.values.Value(MemrefType(SCALAR_TYPES["f32"], (2, 2)))

    def made(cls: type, text: str) -> Any:
        return cls(
            map=IndexMap.parse(text),
            A=tensor,
            B=tensor,
            alpha=tensor,
            beta=tensor,
            **({} if cls is IndexedAxpby else {"C": tensor}),
        )

    assert made(IndexedAxpby, "{ij to ij}").allows_in_place("A")
    assert not made(IndexedAxpby, "{ij to ji}").allows_in_place("A")
    product = made(IndexedProduct, "{ij, ji to ij}")
    assert product.allows_in_place("A") and not product.allows_in_place("B")
    assert not made(LoopOverGemm, "{ij, jk to ik}").allows_in_place("A")


# Rules.

F = "memref<f32x{}>"
MISTAKES = [
    ("axpby", "{ij, j to ji}", ["4x8", "8x4"], "0601", "{", "the index map has 2 inputs, but there are 1 factor"),
    ("log", "{ij to ji}", ["4x8", "8x4", "4"], "0601", "{", "the index map has 1 input, but there are 2 factors"),
    (
        "sum",
        "{ij to ijk}",
        ["4x8", "4"],
        "0602",
        "ijk",
        "B has 3 indices in the index map, but is memref<f32x4>, of order 1",
    ),
    (
        "product",
        "{[i], i to i}",
        ["4", "4", "4"],
        "0603",
        "i]",
        "A has [i] in the index map, which says how a loop-over-GEMM is computed",
    ),
    ("log", "{ii, ij to ij}", ["4x4", "4x4", "4x4"], "0604", "i, ij", "index i occurs twice in A"),
    ("product", "{i, jj to ij}", ["4", "4x4", "4x4"], "0604", "j to", "index j occurs twice in B"),
    ("axpby", "{i to ii}", ["4", "4x4"], "0605", "i}", "index i occurs twice in B"),
    ("axpby", "{ij to ji}", ["4x8", "4x8"], "0606", "ji}", "index j has size 8 in A, but 4 in B"),
    ("axpby", "{ij to ji}", ["4x?", "8x4"], "0606", "ji}", "index j has size ? in A, but 8 in B"),
    ("sum", "{ii to _}", ["4x8", ""], "0606", "i to", "index i has size 4 in A, but 8 in A"),
    ("axpby", "{ik to ij}", ["4x8", "4x8"], "0610", "j}", "B has index j, which A has not"),
    ("axpby", "{ij to i}", ["4x8", "4"], "0610", "j to", "A has index j, which B has not: yateto.sum sums over it"),
    ("sum", "{i to ij}", ["4", "4x8"], "0613", "j}", "B has index j, which A has not"),
    (
        "product",
        "{ik, kj to ij}",
        ["4x8", "8x4", "4x4"],
        "0616",
        "k,",
        "A has index k, which C has not: yateto.log sums over indices of A and B",
    ),
    ("product", "{i, j to ijk}", ["4", "8", "4x8x2"], "0616", "k}", "C has index k, which neither A nor B has"),
    (
        "log",
        "{ikl, kj to ij}",
        ["4x8x2", "8x4", "4x4"],
        "0620",
        "l,",
        "A alone has index l: sum over it first with yateto.sum",
    ),
    ("log", "{ik, kj to ijl}", ["4x8", "8x4", "4x4x2"], "0620", "l}", "C alone has index l"),
    (
        "log",
        "{i[k], kj to ij}",
        ["4x8", "8x4", "4x4"],
        "0621",
        "kj",
        "index k of B is not marked, but other operands have [k]",
    ),
    ("log", "{i(kl), lkj to ij}", ["4x8x2", "2x8x4", "4x4"], "0622", "lkj", "B has lkj, but another operand has (kl)"),
    (
        "log",
        "{ik, k(jl) to i(jl)}",
        ["4x8", "8x4x2,strided<1,8,64>", "4x4x2"],
        "0623",
        "l) to",
        "index j of B ends after 32 elements, but the stride of l is 64",
    ),
]


@pytest.mark.parametrize(("word", "map", "shapes", "code", "at", "message"), MISTAKES)
def test_rules_point_at_the_character(word: str, map: str, shapes: list[str], code: str, at: str, message: str) -> None:
    types = [F.format(shape).replace("x>", ">") for shape in shapes]
    text = text_of(word, map, types, "f32")
    with pytest.raises(pytl.LanguageError) as raised:
        pytl.verify(pytl.parse(text))
    found = next(each for each in raised.value.diagnostics if each.message == f"yateto.{word}: {message}")
    assert found.code == f"PYTL-{code}"
    assert found.location is not None
    line = text.splitlines()[1]
    assert found.location.line == 2
    first = line.index("{") + (0 if at == "{" else 1)
    assert line.startswith(at, found.location.column - 1) and found.location.column > first


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(("name", "type_"), [("alpha", "f64"), ("beta", "f64"), ("alpha", "c32")])
def test_factors_are_promotable(word: str, name: str, type_: str) -> None:
    count = WORDS[word] + 1
    map = "{i to i}" if count == 2 else "{i, i to i}"
    text = text_of(word, map, ["memref<f32x4>"] * count, "f32").replace(f"%{name}: f32", f"%{name}: {type_}")
    with pytest.raises(pytl.LanguageError, match=f"{name} is {type_}, which is not promotable to f32"):
        pytl.verify(pytl.parse(text))


def test_sizes_that_are_known_at_the_launch() -> None:
    text = text_of("log", "{ik, kj to ij}", ["memref<f32x2x?>", "memref<f32x?x2>", "memref<f32x2x2>"], "f32")
    (kernel,) = pytl.compile(text).values()
    (op,) = kernel.function.walk()
    assert [precondition.test for precondition in preconditions_of(op)] == ["equal"] * 3
    a, b, c = (np.ones(shape, np.float32, order="F") for shape in ((2, 3), (4, 2), (2, 2)))
    with pytest.raises(pytl.PytlError, match=r"mode 1 of A.* mode 0 of B|index k in A = 3, but .* index k in B = 4"):
        kernel[1](a, b, c, 1.0, 0.0, backend="reference")


def test_fused_indices_that_are_not_contiguous_at_run_time() -> None:
    types = ["memref<f32x2x2x3,strided<1,2,?>>", "memref<f32x2x2>", "memref<f32x2x2x3,strided<1,2,?>>"]
    (kernel,) = pytl.compile(text_of("log", "{m(jn), im to i(jn)}", types, "f32")).values()
    base = np.ones((2, 2, 4), np.float32, order="F")
    wide = np.ones((2, 4, 3), np.float32, order="F")[:, :2, :]
    kernel[1](
        base[:, :, :3],
        np.eye(2, dtype=np.float32, order="F"),
        np.zeros((2, 2, 3), np.float32, order="F"),
        1.0,
        0.0,
        backend="reference",
    )
    with pytest.raises(pytl.PytlError, match="stride"):
        kernel[1](
            wide,
            np.eye(2, dtype=np.float32, order="F"),
            np.zeros((2, 2, 3), np.float32, order="F"),
            1.0,
            0.0,
            backend="reference",
        )
