"""`pytl.einsum` beside numpy.einsum: layouts, types, kinds of arrays, and what it refuses."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np
import pytest
from launch_kit import needs_sycl
from sampling import at_night

import pytl
from pytl import einsums

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


@pytest.mark.parametrize("seed", [*range(100, 110), *at_night(range(2000, 2040))])
@needs_sycl
def test_random_contractions_on_sycl(seed: int) -> None:
    check(seed, "sycl")


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


def test_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays in C and Fortran order, the batch first or last, permuted and with gaps are used where they are."""
    monkeypatch.setattr(einsums, "_copy", lambda *_: pytest.fail("an array was copied"))
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


def test_types_are_promoted_as_the_language_does_or_as_numpy_does() -> None:
    a, b = np.ones((2, 3), np.float32), np.ones((3, 4), np.float64)
    assert pytl.einsum("ik,kj", a, b, backend="reference").dtype == np.float64
    integers = np.ones((3, 4), np.int32)
    assert pytl.einsum("ik,kj", a, integers, backend="reference").dtype == np.result_type(np.float32, np.int32)


def test_out_and_empty_arrays() -> None:
    a = np.arange(6.0).reshape(2, 3)
    out = np.full((3, 2), np.nan, order="F")
    assert pytl.einsum("ij->ji", a, out=out, backend="reference") is out
    assert np.array_equal(out, a.T)
    assert np.array_equal(pytl.einsum("ij,jk->ik", np.ones((2, 0)), np.ones((0, 3))), np.zeros((2, 3)))
    assert pytl.einsum("ij->", np.ones((0, 3))) == 0


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
        ("pytl.einsum(7, B)", "PYTL-2070", 0, "the subscripts are 7, not a string"),
    ],
)
def test_what_is_refused(call: str, code: str, column: int, message: str, tmp_path) -> None:
    file = tmp_path / "program.py"
    file.write_text(call)
    names = {"pytl": pytl, "np": np, "ml_dtypes": ml_dtypes, "A": np.ones((5, 3, 4)), "B": np.ones((4, 6))}
    with pytest.raises(pytl.LaunchError) as caught:
        exec(compile(call, str(file), "exec"), names)
    first = caught.value.diagnostics[0]
    assert (first.rule.code, message in first.message) == (code, True), str(caught.value)
    assert first.location is not None and first.location.source.name == str(file)
    if column:
        assert first.location.column == column + 1
