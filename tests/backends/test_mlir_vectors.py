"""Vector code as the backend `mlir` compiles it: every instruction gives what it does on the oracle."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from mlir_kit import assert_is_read_back
from passes_kit import DIGITS

import pytl
from pytl.backends.mlir.vectors import VectorEmitter
from pytl.ir.text import parse_text
from pytl.ir.types import SCALAR_TYPES, ScalarType, bool_
from pytl.ir.verifier import find_problems
from pytl.ops.arith import BINARY, COMPARISONS, UNARY, admits_binary, admits_cast, admits_unary
from pytl.ops.math import FUNCTIONS, SINCE_04
from pytl.ops.scalars import dtype_of
from pytl.passes.targets import vector
from pytl.passes.targets.host import host_machine
from pytl.passes.targets.vector import REDUCTIONS

pytestmark = pytest.mark.at_most(6)

LANES = 8
ELEMENTS = list(SCALAR_TYPES.values())


def kernel_of(text: str) -> pytl.Kernel:
    """The kernel of a text that has vector code."""
    parsed = parse_text(text, internal=True)
    assert not parsed.diagnostics.errors, (text, parsed.diagnostics.errors)
    assert not find_problems(parsed.module).errors, (text, find_problems(parsed.module).errors)
    return pytl.Kernel(module=parsed.module)


def whole_numbers(element: ScalarType, seed: int, *shape: int) -> np.ndarray:
    """Whole numbers, of which sums and products of some are exact, and none is 0."""
    random = np.random.default_rng(seed)

    def some() -> np.ndarray:
        return random.choice([-4, -3, -2, -1, 1, 2, 3, 4], shape)

    values = some() + 1j * some() if element.is_complex else some()
    return np.asfortranarray(values.astype(dtype_of(element)))


def _math(element: ScalarType) -> Iterator[str]:
    if not element.is_integer:
        words = {**FUNCTIONS, **SINCE_04} if element.is_floating else FUNCTIONS
        for word in words:
            if "log" in word:
                yield f"%t = vector.arith.abs %a : V\n%r = vector.math.{word} %t : V"
            else:
                yield f"%r = vector.math.{word} %a : V"


def _unary(element: ScalarType) -> Iterator[str]:
    for word in UNARY:
        if admits_unary(word, element):
            if element.is_complex and word in ("abs", "im", "re"):
                yield f"%t = vector.arith.{word} %a : vector<8x{element.component}>\n%r = vector.cast %t : V"
            else:
                yield f"%r = vector.arith.{word} %a : V"


def _casts(element: ScalarType) -> Iterator[str]:
    for other in ELEMENTS:
        if other != element and admits_cast(element, other):
            there = f"%t = vector.cast %a : vector<8x{other}>\n"
            if admits_cast(other, element):
                yield f"{there}%r = vector.cast %t : V"
            else:
                component = other.component
                back = "%r = vector.cast %t_2 : V" if component != element else "%r = vector.select %m, %t_2, %a : V"
                yield f"{there}%t_2 = vector.arith.re %t : vector<8x{component}>\n{back}"


def values(element: ScalarType) -> Iterator[str]:
    """Instructions that give vectors, for all that an element admits."""
    has_fma = element not in (SCALAR_TYPES["f16"], SCALAR_TYPES["bf16"])
    yield "%r = vector.splat %x : V"
    yield from (["%r = vector.step %x : V"] if element.is_integer else [])
    yield "%r = vector.from_elements %x, %y, %x, %y, %y, %y, %x, %x : V"
    yield "%t = vector.extract %a[3] : E\n%r = vector.splat %t : V"
    for word in (word for word in BINARY if admits_binary(word, element)):
        if word in ("shl", "shr"):  # by no negative number
            yield f"%t = vector.arith.abs %b : V\n%r = vector.arith.{word} %a, %t : V"
        else:
            yield f"%r = vector.arith.{word} %a, %b : V"
    yield from _unary(element)
    yield from _math(element)
    yield from (["%r = vector.fma %a, %b, %c : V"] if has_fma else [])
    if element in (SCALAR_TYPES["f32"], SCALAR_TYPES["f64"]):
        yield "%r = vector.fma_lane %a, %b[1], %c : V"
        if host_machine().scales_by_powers:
            whole = "%t = vector.cast %a : vector<8xi32>\n%t_2 = vector.cast %t : V"
            yield f"{whole}\n%r = vector.scale_by_power %b, %t_2 : V"
    if element == SCALAR_TYPES["i32"]:
        yield "%r = vector.dot %a, %b, %c : V"
    yield from _casts(element)
    for word in COMPARISONS:
        if not element.is_complex or word in ("eq", "ne"):
            yield f"%t = vector.cmp.{word} %a, %b : M\n%r = vector.select %t, %a, %c : V"
    for word in (word for word in BINARY if admits_binary(word, bool_)):
        yield (
            f"%t = vector.cmp.eq %a, %b : M\n%t_2 = vector.arith.{word} %t, %m : M\n"
            "%t_3 = vector.arith.not %t_2 : M\n%r = vector.select %t_3, %a, %c : V"
        )
    yield "%r = vector.select %some, %a, %b : V"
    half = f"vector<4x{element}>"
    yield f"%t = vector.part %a[4] : {half}\n%t_2 = vector.part %b[0] : {half}\n%r = vector.interleave %t, %t_2 : V"
    if not element.is_complex:
        yield f"%t = vector.bitcast %a : vector<{8 * element.size}xi8>\n%r = vector.bitcast %t : V"
    yield '%r = vector.shuffle %a, %b {"lanes"=[15,0,3,3,8,9,1,2]} : V'
    yield (
        '%t = vector.shuffle %a, %b {"lanes"=[9,1]} : vector<2xE>\n'
        '%r = vector.shuffle %t, %t {"lanes"=[0,1,2,3,3,2,1,0]} : V'
    )
    yield (
        "%t, %t_2, %t_3, %t_4, %t_5, %t_6, %t_7, %t_8 = vector.transpose %a, %b, %c, %a, %c, %b, %b, %a "
        f": ({', '.join('V' * 8)})\n%t_9 = vector.select %m, %t_3, %t_8 : V\n%r = vector.select %some, %t_5, %t_9 : V"
    )
    if element.is_complex:
        yield (
            "%t = vector.parts %a : vector<16xP>\n"
            '%t_2 = vector.shuffle %t, %t {"lanes"=[1,0,3,2,5,4,7,6,9,8,11,10,13,12,15,14]} : vector<16xP>\n'
            "%r = vector.parts %t_2 : V"
        )
    for word in (word for word in REDUCTIONS if admits_binary(word, element)):
        yield f"%t = vector.reduce.{word} %a : E\n%r = vector.splat %t : V"
    for word in (word for word in REDUCTIONS if admits_binary(word, bool_)):
        yield (
            f"%t = vector.cmp.eq %a, %b : M\n%t_2 = vector.reduce.{word} %t : bool\n"
            "%r = if %t_2 -> (V) {\nyield (%a)\n} else {\nyield (%b)\n}"
        )
    yield (
        "%r, %t = for %i = %zero, %five init(%t_2=%a, %t_3=%b) -> (V, V) {\n%t_4 = vector.arith.add %t_2, %b : V\n"
        "yield (%t_3, %t_4)\n}"
    )


PLACES = [
    *(f"%{tensor}[%one, %two]{mode}" for tensor in "DS" for mode in ("", ' {"mode"=1}')),
    '%T[%zero, %two] {"mode"=1}',
]
"""Tensors with a place and a mode: contiguous, with gaps, and of one row."""
MASKS = ("", " mask %m", " mask %some", " mask %none")


def loads(element: ScalarType) -> Iterator[str]:
    """Instructions that load vectors: contiguous ones and others, whole and masked."""
    if element == SCALAR_TYPES["i16"]:
        words = "%t = vector.bitcast %a : vector<4xi32>\n%t_2 = vector.bitcast %b : vector<4xi32>"
        for place in ("%A[%one, %two]", "%D[%five, %n]"):
            yield f"{words}\n%t_3 = vector.dot_loaded %t, {place}, %t_2 : vector<4xi32>\n%r = vector.bitcast %t_3 : V"
    for place in PLACES:
        yield from (f"%r = vector.load {place}{mask} : V" for mask in MASKS)
        for mask in ("", " mask %wide") if element.is_complex else ():
            yield f"%t = vector.load {place}{mask} : vector<16xP>\n%r = vector.parts %t : V"
    for mask in MASKS:
        active = mask.removeprefix(" mask ") or "%every"  # another lane has any number
        for indices in ("%places, %two", "%two, %places", "%places, %steps"):
            yield f"%t = vector.gather %S[{indices}]{mask} : V\n%r = vector.select {active}, %t, %a : V"


def stores(element: ScalarType) -> Iterator[str]:
    """Instructions that store vectors, and load what is there then."""
    for place in PLACES:
        for mask in MASKS:
            yield f"vector.store %a, {place}{mask}\n%r = vector.load {place} : V"
        hidden = "%t = vector.hidden_zero : index\n%t_2 = arith.add %one, %t : index"
        again = place.replace("%one", "%t_2")
        yield f"vector.store %a, {place}\n{hidden}\n%r = vector.load {again} : V"
        for mask in ("", " mask %wide") if element.is_complex else ():
            yield f"%t = vector.parts %b : vector<16xP>\nvector.store %t, {place}{mask}\n%r = vector.load {place} : V"
    for mask in MASKS:
        yield f"vector.scatter %a, %S[%places, %two]{mask}\n%r = vector.load %S[%zero, %two] : V"
        yield f'vector.scatter %b, %S[%two, %twice]{mask}\n%r = vector.load %S[%two, %zero] {{"mode"=1}} : V'


SIZE = 12
HEAD = """func @f(%A: memref<Ex8x3>, %D: memref<Ex12x12>, %S: memref<Ex12x12,strided<2,24>>,
        %T: memref<Ex1x12>, %N: memref<indexx8x3>, %R: memref<Ex8x?>) {
vector.code {
  %zero = constant 0 : index
  %one = constant 1 : index
  %two = constant 2 : index
  %five = constant 5 : index
  %n = load %N[%zero, %two] : index
  %a = vector.load %A[%zero, %zero] : V
  %b = vector.load %A[%zero, %one] : V
  %c = vector.load %A[%zero, %two] : V
  %x = load %A[%one, %one] : E
  %y = load %A[%two, %two] : E
  %places = vector.load %N[%zero, %zero] : vector<8xindex>
  %twice = vector.load %N[%zero, %one] : vector<8xindex>
  %steps = vector.step %one : vector<8xindex>
  %m = vector.mask %five : M
  %some = vector.mask %n : M
  %none = vector.mask %zero : M
  %every = vector.cmp.eq %steps, %steps : M
  %wide = vector.shuffle %some, %m {"lanes"=[0,0,3,3,1,1,7,7,13,13,14,14,8,8,5,5]} : vector<16xbool>
BODY
}
}
"""


def program(cases: list[str], element: ScalarType) -> str:
    """A function that executes instructions, and stores the result of each in a column of %R."""
    lines = []
    for number, case in enumerate(cases):
        own = re.sub(r"%(t(?:_\d)?|r|i)\b", rf"%\1_of_{number}", case)
        lines += [own, f"%k_{number} = constant {number} : index"]
        lines.append(f"vector.store %r_of_{number}, %R[%zero, %k_{number}]")
    text = HEAD.replace("BODY", "\n".join(f"  {line}" for line in "\n".join(lines).splitlines()))
    text = re.sub(r"\bV\b", f"vector<8x{element}>", text)
    text = re.sub(r"\bM\b", "vector<8xbool>", text)
    text = text.replace("<E", f"<{element}").replace("xE>", f"x{element}>").replace(": E\n", f": {element}\n")
    return text.replace("xP>", f"x{element.component}>")


def data_for(element: ScalarType, columns: int) -> list[np.ndarray]:
    indices = np.zeros((8, 3), np.int64, "F")
    indices[:, 0] = [3, 0, 7, 1, 9, 4, 11, 2]
    indices[:, 1] = [3, 0, 3, 3, 9, 0, 11, 9]
    indices[:, 2] = 3
    spaced = np.zeros((24, 12), dtype_of(element), "F")[::2]
    spaced[...] = whole_numbers(element, 2, SIZE, SIZE)
    return [
        whole_numbers(element, 0, LANES, 3),
        whole_numbers(element, 1, SIZE, SIZE),
        spaced,
        whole_numbers(element, 3, 1, SIZE),
        indices,
        np.zeros((LANES, columns), dtype_of(element), "F"),
    ]


def executed(text: str, element: ScalarType, columns: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """All memory after execution by the oracle, and by the backend."""
    kernel, results = kernel_of(text), []
    for backend in ("reference", "mlir"):
        data = data_for(element, columns)
        kernel[1](*data, backend=backend)
        results.append(data)
    return results[0], results[1]


def bits(array: np.ndarray) -> np.ndarray:
    """An array with the same bits for equal numbers."""
    return array.astype(np.complex128) + 0.0 if array.dtype.kind not in "iu" else array


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_values(element: ScalarType) -> None:
    cases = list(values(element))
    expected, actual = executed(program(cases, element), element, len(cases))
    for number, case in enumerate(cases):
        pair = bits(actual[-1][:, number]), bits(expected[-1][:, number])
        is_rounded = "math." in case or "div" in case or "abs" in case
        bound = DIGITS.get(expected[-1].dtype.name, 0) if is_rounded else 0
        np.testing.assert_allclose(*pair, rtol=bound, atol=bound, err_msg=case)


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_loads(element: ScalarType) -> None:
    cases = list(loads(element))
    expected, actual = executed(program(cases, element), element, len(cases))
    for number, case in enumerate(cases):
        np.testing.assert_array_equal(bits(actual[-1][:, number]), bits(expected[-1][:, number]), err_msg=case)


@pytest.mark.at_night
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_stores(element: ScalarType) -> None:
    cases = list(stores(element))
    expected, actual = executed(program(cases, element), element, len(cases))
    for number, case in enumerate(cases):
        np.testing.assert_array_equal(bits(actual[-1][:, number]), bits(expected[-1][:, number]), err_msg=case)
    for one, other in zip(actual, expected):
        np.testing.assert_array_equal(bits(one), bits(other))


def test_every_instruction_is_tried() -> None:
    tried = set()
    for element in map(SCALAR_TYPES.__getitem__, ("i16", "i32", "f32", "c32")):
        cases = [*values(element), *loads(element), *stores(element)]
        kernel = kernel_of(program(cases, element))
        codes = (op for op in kernel.module.functions[0].walk() if isinstance(op, vector.Code))
        tried |= {type(op) for code in codes for op in code.body.walk()}
    instructions = {each for each in vars(vector).values() if isinstance(each, type) and hasattr(each, "mnemonic")}
    untried = {each for each in instructions if each.__module__ == vector.__name__ and each.mnemonic} - tried
    # which have no effect of their own, and what is tried with tiles
    none = {vector.Code, vector.Fence, vector.Prefetch, vector.ToLine, vector.Buffer, vector.Release, vector.Scale}
    # which no function of MLIR has
    of_work_items = {vector.WorkItems, vector.SideBySide, vector.SubgroupBarrier, vector.Exchange, vector.MatrixFma}
    not_here = set() if host_machine().scales_by_powers else {vector.ScaleByPower}
    assert untried == none | of_work_items | not_here


PRODUCT = """func @product(%A: memref<f32x16x?>, %B: memref<f32x?x4>, %C: memref<f32x16x4>) {
  vector.code {
    %zero = constant 0 : index
    %one = constant 1 : index
    %twelve = constant 12 : index
    %mask = vector.mask %twelve : vector<16xbool>
    %depth = size %A[1] : index
    %begin = vector.load %C[%zero, %one] mask %mask : vector<16xf32>
    %sum = for %k = %zero, %depth init(%c=%begin) -> (vector<16xf32>) {
      vector.prefetch %A[%zero, %k] {"level"=2}
      %behind = vector.to_line %A[%zero, %k] {"line"=64} : index
      %a = vector.load %A[%zero, %k] mask %mask : vector<16xf32>
      %b = load %B[%k, %one] : f32
      %all = vector.splat %b : vector<16xf32>
      %next = vector.fma %a, %all, %c : vector<16xf32>
      yield (%next)
    }
    vector.store %sum, %C[%zero, %one] mask %mask
  }
}
"""
TURNED = """func @turned(%A: memref<c32x2x2>, %i: memref<indexx1>, %s: memref<f16x8,strided<3>>) {
  vector.code {
    %zero = constant 0 : index
    %one = constant 1 : index
    %n = load %i[%zero] : index
    %a = vector.load %A[%zero, %zero] : vector<2xc32>
    %b = vector.load %A[%zero, %one] : vector<2xc32>
    %c, %d = vector.transpose %a, %b : (vector<2xc32>, vector<2xc32>)
    vector.store %c, %A[%zero, %zero]
    vector.store %d, %A[%zero, %one]
    %few = vector.mask %n : vector<2xbool>
    %h = vector.load %s[%one] mask %few : vector<2xf16>
    %t = vector.reduce.add %h : f16
    store %t, %s[%zero]
  }
}
"""


@pytest.mark.parametrize("text", [PRODUCT, TURNED], ids=["product", "turned"])
def test_text(golden, text: str) -> None:
    kernel = kernel_of(text)
    golden(f"mlir/vectors_{kernel.name}.mlir", kernel.emit("mlir"))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("element", ["i32", "bf16", "c64"])
def test_text_is_read_back(element: str) -> None:
    type_ = SCALAR_TYPES[element]
    cases = [*values(type_), *loads(type_), *stores(type_)]
    function = kernel_of(program(cases, type_)).module.functions[0]
    assert_is_read_back(VectorEmitter(function).run())
