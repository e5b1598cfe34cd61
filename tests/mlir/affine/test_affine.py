"""Affine maps and sets against values that are computed without pytl, and against MLIR's own reader."""

from __future__ import annotations

import itertools
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytl import LanguageError
from pytl.backends.mlir.toolchain import Toolchain, find_toolchain
from pytl.mlir.affine import (
    AffineMap,
    Binary,
    Constant,
    Dimension,
    Expression,
    IntegerSet,
    Symbol,
    evaluate,
    read_expression,
    read_map,
    read_set,
    simplify,
)
from pytl.mlir.affine.expressions import is_affine, spell

POINTS = [*itertools.product((-9, -4, -1, 0, 1, 3, 7, 12), (-5, 0, 2, 11)), (101, 64), (-128, 37)]
NAMES = (("d0", "d1"), ("s0",))


def expressions(most: int = 12) -> st.SearchStrategy[Expression]:
    leaves = st.one_of(
        st.builds(Dimension, st.integers(0, 1)), st.just(Symbol(0)), st.builds(Constant, st.integers(-12, 12))
    )

    def grown(part: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        divisor = st.builds(Constant, st.sampled_from([1, 2, 3, 4, 6, 8, 12]))
        factor = st.builds(Constant, st.integers(-8, 8))
        return st.one_of(
            st.builds(Binary, st.just("+"), part, part),
            st.builds(Binary, st.just("*"), factor, part),
            st.builds(Binary, st.sampled_from(["floordiv", "ceildiv", "mod"]), part, divisor),
        )

    return st.recursive(leaves, grown, max_leaves=most)


def python_value(text: str, names: dict[str, int]) -> int:
    """The value of a text by Python's own grammar and division, as far as pytl's spelling is concerned."""
    text = re.sub(r"\bfloordiv\b", "//", re.sub(r"\bmod\b", "%", text))
    return int(eval(text, {"__builtins__": {}}, names))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(expressions())
def test_the_canonical_form_has_the_same_values(expression: Expression) -> None:
    simple = simplify(expression)
    assert simplify(simple) == simple
    assert is_affine(simple)
    for point in POINTS:
        assert evaluate(simple, point, [5]) == evaluate(expression, point, [5])


@settings(max_examples=50, deadline=None, derandomize=True)
@given(expressions(), st.sampled_from(["2018", "today"]))
def test_what_is_spelled_reads_as_the_same(expression: Expression, spelling) -> None:
    text = spell(expression, *NAMES, spelling)
    again = read_expression(text, *NAMES)
    assert spell(again, *NAMES, spelling) == spell(read_expression(spell(again, *NAMES), *NAMES), *NAMES, spelling)
    for point in POINTS[::3]:
        value = evaluate(expression, point, [7])
        assert evaluate(again, point, [7]) == value
        if "ceildiv" not in text:
            assert python_value(text, {"d0": point[0], "d1": point[1], "s0": 7}) == value


@settings(max_examples=25, deadline=None, derandomize=True)
@given(expressions(6), expressions(6), expressions(6))
def test_composed_maps_are_applied_one_after_the_other(a: Expression, b: Expression, c: Expression) -> None:
    outer, inner = AffineMap(*NAMES, (c, a)), AffineMap(*NAMES, (a, b))
    both = outer.compose(inner)
    assert len({*both.dimensions, *both.symbols}) == 4
    for point in POINTS[::4]:
        assert both(*point, symbols=[3, 6]) == outer(*inner(*point, symbols=[6]), symbols=[3])


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("i + j - i", "j"),
        ("(8 * i + j mod 4 + 9) floordiv 4", "2 * i + (j mod 4 + 1) floordiv 4 + 2"),
        ("4 * (i floordiv 4) + i mod 4", "i"),
        ("i ceildiv 8", "(i + 7) floordiv 8"),
        ("(i floordiv 4) floordiv 8", "i floordiv 32"),
        ("(i mod 4) floordiv 4", "0"),
        ("(i mod 4) mod 8", "i mod 4"),
        ("(i mod 8) mod 4", "i mod 4"),
        ("(6 * i + 3) mod 9", "3 * ((2 * i + 1) mod 3)"),
        ("(6 * i + 4) floordiv 9", "(2 * i + 1) floordiv 3"),
        ("(128 * i + j mod 128) floordiv 128", "i"),
        ("(128 * i + j mod 128) mod 128", "j mod 128"),
        ("i mod 1 + i floordiv 1", "i"),
    ],
)
def test_canonical_forms(text: str, simple: str) -> None:
    assert spell(simplify(read_expression(text, "ij")), "ij", []) == simple


@pytest.mark.parametrize(
    "text",
    [
        "(d0, d1) -> (d1, d0)",
        "(d0, d1)[s] -> (d1 + 3 - s, -d0 + 2 * s)",
        "(d0, d1) -> (2 * d0, d0 + d1)",
        "(d0, d1) -> (d0 + d1, d0 - d1)",
        "(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)",
        "(d0, d1) -> (d1 floordiv 4, d0, d1 mod 4)",
        "(d0) -> ((d0 + 1) floordiv 3, (d0 + 1) mod 3)",
        "(d0) -> (d0 floordiv 32, (d0 floordiv 4) mod 8, d0 mod 4)",
        "(d0, d1) -> (d0, d0 + d1 floordiv 2, d1)",
        "(d0, d1) -> (d0 + d1 floordiv 2, d1)",
    ],
)
def test_inverses_undo_maps(text: str) -> None:
    each = read_map(text)
    symbols = [5] * len(each.symbols)
    back = each.inverse()
    assert back is not None
    for point in POINTS:
        indices = point[: len(each.dimensions)]
        assert back(*each(*indices, symbols=symbols), symbols=symbols) == indices


@pytest.mark.parametrize("text", ["(i, j) -> (i + j)", "(i) -> (i floordiv 2)", "(i) -> (i mod 2)", "(i) -> (0)"])
def test_maps_that_are_not_one_to_one_have_no_inverse(text: str) -> None:
    assert read_map(text).inverse() is None


@pytest.mark.parametrize(
    ("text", "sizes", "strides"),
    [
        ("(i, j) -> (i, j) size (16, 32)", None, (0, (32, 1))),
        ("(i, j) -> (j, i) size (32, 16)", None, (0, (1, 16))),
        ("(d0, d1, d2) -> (d2, d1, d0)", (7, 4, 16), (0, (1, 16, 64))),
        ("(i, j)[M, N] -> (i + 2, 3 * j + 1) size (M, N)", None, (2 * 11 + 1, (11, 3))),
        ("(i, j)[M, N] -> (M * i + j + N)", None, (11, (10, 1))),
        ("(i) -> (i floordiv 4, i mod 4) size (2, 4)", None, (0, (1,))),
        ("(i) -> (i mod 4)", None, None),
        ("(i, j) -> (i floordiv 4, j, i mod 4) size (2, 5, 4)", None, None),
        ("(i, j) -> (i, j)", None, None),  # the size of the minor mode is unknown
        ("(i, j) -> (i, j) size (4, min(5, 6))", None, None),
    ],
)
def test_layouts_that_are_strided(text: str, sizes, strides) -> None:
    each = read_map(text, semi_affine=True)
    found = each.strides(sizes)
    if strides is None:
        assert found is None
        return
    assert found is not None
    symbols = [10, 11][: len(each.symbols)]
    assert (evaluate(found[0], (), symbols), tuple(evaluate(s, (), symbols) for s in found[1])) == strides


def test_sizes_of_bounded_maps() -> None:
    each = read_map("(i, j)[N] -> (j, i) size (min(N, 16), N + 1)")
    assert each.sizes_of([20]) == (16, 21)
    assert read_map("(i) -> (i)").sizes_of() is None
    assert str(each) == "(i, j)[N] -> (j, i) size (min(N, 16), N + 1)"


def test_sets_hold_the_points_between_their_bounds() -> None:
    each = read_set("(d0, d1)[s0, s1] : d0 >= 0, -d0 + s0 - 1 >= 0, d1 - 2 * d0 == 0, 3 >= 0, d0 + 0 >= 0")
    points = {(i, j) for i in range(-3, 9) for j in range(-3, 9) if each.contains(i, j, symbols=[3, 0])}
    assert points == {(0, 0), (1, 2), (2, 4)}
    simple = each.simplified()
    assert len(simple.constraints) == 3
    assert points == {(i, j) for i in range(-3, 9) for j in range(-3, 9) if simple.contains(i, j, symbols=[3, 0])}
    assert read_set("(i) :").contains(-5)
    assert isinstance(read_set(read_set("(i) :").text("today")), IntegerSet)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("(i, j), [M, N] -> (j, i) size (M, N)", "0700", (7, 8)),  # as the document has it
        ("(i) -> i", "0700", (8, 9)),
        ("(i) -> (i +)", "0700", (12, 13)),
        ("(i) -> (i) \u00b2", "0700", (12, 13)),
        ("(i)[i] -> (i)", "0701", (5, 6)),
        ("(i) -> (k)", "0702", (9, 10)),
        ("(i) -> (0x10000000000000000)", "0703", (9, 28)),
        ("(i) -> (" + "9" * 9000 + ")", "0703", (9, 9009)),
        ("(i) -> (i mod -2)", "0704", (9, 17)),
        ("(i)[s] -> (i + s * i)", "0705", (16, 21)),
        ("(i)[s] -> (i floordiv s)", "0705", (12, 24)),
        ("(i, j) -> (i * j)", "0706", (12, 17)),
        ("(i, j) -> (i mod j)", "0706", (12, 19)),
        ("(i)[s] -> (i mod (s + 1))", "0706", (12, 25)),
        ("(i, j) -> (i, j) size (1)", "0707", (23, 26)),
        ("(i, j) -> (i) size (min(2, j))", "0708", (28, 29)),
        ("(i) -> (" + "(" * 5000 + "i", "0711", (110, 111)),
        ("(i) -> (" + "i+" * 5000 + "i", "0711", (210, 211)),
    ],
)
def test_what_the_document_refuses(text: str, code: str, place: tuple[int, int]) -> None:
    with pytest.raises(LanguageError) as refused:
        read_map(text)
    (found,) = refused.value.diagnostics
    assert found.location is not None
    assert (found.code, (found.location.column, found.location.end_column)) == (f"PYTL-{code}", place)


def test_semi_affine_maps_multiply_and_divide_by_symbols() -> None:
    each = read_map("(i, j)[s, t] -> (s * t * i + j, floordiv(i, s), j mod t)", semi_affine=True)
    assert not each.is_affine
    assert each(7, 9, symbols=[2, 4]) == (65, 3, 1)
    assert each.simplified()(7, 9, symbols=[2, 4]) == (65, 3, 1)
    with pytest.raises(LanguageError) as refused:
        each(7, 9, symbols=[0, 4])
    assert refused.value.code == "PYTL-0704"
    with pytest.raises(LanguageError) as refused:
        read_map("(i, j)[s] -> (i * j)", semi_affine=True)
    assert refused.value.code == "PYTL-0706"


MAPS = [
    "(d0, d1)[s0] -> (d0, d1 + s0, d1 - s0) size (10, 20, 30)",
    "(d0, d1)[s0] -> (d0, d0 + d1 + floordiv(s0,2)) size (10, s0)",
    "(d0, d1) -> (floordiv(d0,8), floordiv(d1,128), d0 mod 8, d1 mod 128)",
    "(d0, d1, d2, d3) [M, N] -> (128 * d0 + d2, 128 * d1 + d3) size (M, N)",
    "(i)[s0] -> (i+s0)",
    "(d0) -> (-(d0 - 4) ceildiv 3 - 2 * -d0, 0x10)",
]
SETS = ["(d0, d1)[s0, s1]\n  : d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + s1 - 1 >= 0", "(d0)[] : d0 - 2 == 0", "() :"]


@pytest.mark.tools_of("mlir")
def test_mlir_reads_the_spelling_of_today() -> None:
    attributes = [read_map(each).text("today") for each in MAPS]
    attributes += [read_map(each).simplified().text("today") for each in MAPS]
    attributes += [read_set(each).text("today") for each in SETS]
    module = "".join(f"func.func private @f{n}() attributes {{pytl.x = {each}}}\n" for n, each in enumerate(attributes))
    toolchain = find_toolchain()
    assert isinstance(toolchain, Toolchain)
    done = subprocess.run(
        [toolchain.path("mlir-opt"), "--allow-unregistered-dialect"],
        input=module,
        text=True,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("func.func") == len(attributes)


def test_maps_and_sets_of_the_document_are_printed_back() -> None:
    for each in MAPS:
        printed = str(read_map(each))
        assert str(read_map(printed)) == printed
    assert str(read_map(MAPS[0])) == MAPS[0]
    assert str(read_set(SETS[0])) == " ".join(SETS[0].split())


@pytest.mark.parametrize(
    "text",
    [
        "(" * 30 + "i" + "".join(f" + i) mod {2 * n + 3}" for n in range(30)),
        "(" * 30 + "i" + "".join(f" + i) {'mod' if n % 2 else 'floordiv'} {n + 2}" for n in range(30)),
        "i" + "".join(f" mod {200 - n}" for n in range(99)),
        "-" * 99 + "i",
    ],
)
def test_the_deepest_expressions_are_simplified(text: str) -> None:
    """Each level takes its parts apart more than once: without a cache this does not end."""
    each = read_map(f"(i) -> ({text})")
    simple = each.simplified()
    assert all(simple(i) == each(i) for i in (-1234567, -1, 0, 5, 1234567))


def test_inverses_of_too_many_quotients_are_given_up() -> None:
    assert read_map("(i) -> (i" + "".join(f" mod {200 - n}" for n in range(99)) + ")").inverse() is None
