"""A word of an instruction means nothing by default: what a backend or pass has no entry for is reported by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from forms.rows import Row
from forms.table import all_rows
from passes_kit import sycl_passes
from properties.execution import execute

import pytl
from pytl.backends.registry import find_backend
from pytl.ir.fields import Modifier
from pytl.ir.meanings import NoMeaning
from pytl.ir.operation import Operation
from pytl.ir.types import SCALAR_TYPES, BoolType, CoopMatrixType, ScalarType, Type, bool_
from pytl.launch.lowering import lowered_by
from pytl.ops import ArithBinary, ArithUnary, Compare, Constant, Gemm, Math, scalars
from pytl.ops.admitted import admits
from pytl.ops.arith import BINARY, COMPARISONS, UNARY
from pytl.ops.math import FUNCTIONS
from pytl.passes import Pipeline
from pytl.passes.fold import fold

pytestmark = pytest.mark.at_most(4)

TOY = "toy"


def places(module: pytl.ir.values.Module) -> list[tuple[Operation, str]]:
    """The instructions that have words, with the parts that hold them."""
    walked = module.functions[0].walk()
    return [(op, name) for op in walked for name, part in op.parts.items() if isinstance(part, Modifier)]


@cache
def rows_with_words() -> list[tuple[Row, int, str]]:
    """A row for each part of an instruction that holds a word, and for each type of its first operand."""
    seen, found = set(), []
    for row in all_rows():
        for number, (op, name) in enumerate(places(pytl.parse(row.module_text))):
            key = (type(op), name, *(str(value.type) for value in op.operands[:1]))
            if key not in seen:
                seen.add(key)
                found.append((row, number, f"{op.mnemonic}, {name}"))
    return found


def give_meaning(backend: str, module: Any, row: Row) -> None:
    """Execute a module, or generate its source."""
    if backend == "reference":
        execute(module, list(row.arguments().values()), row.groups)
        return
    found = find_backend(backend)
    options = {name: option.default for name, option in found.options.items()}
    found.emit(lowered_by(found, options, module.functions[0]), options)


@pytest.mark.at_night
@pytest.mark.additions
@pytest.mark.parametrize("backend", ["reference", "numba_dpex", "mlir", "arm_sme"])
def test_every_word_of_every_instruction(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # as if the new word stood in the instruction's table, and its rules allowed it
    monkeypatch.setattr(Operation, "verify", lambda *_: None)
    silent = []
    tried = 0
    for row, number, what in rows_with_words():
        module = pytl.parse(row.module_text)
        op, name = places(module)[number]
        setattr(op, name, TOY)
        has_matrix = any(isinstance(value.type, CoopMatrixType) for value in op.operands)
        is_read_later = (op.mnemonic, name) == ("gemm", "transpose_b") or (has_matrix and "arith" in op.mnemonic)
        if backend == "numba_dpex" and is_read_later:
            continue  # by vector code: see below
        tried += 1
        try:
            give_meaning(backend, module, row)
        except NoMeaning as error:
            if TOY not in str(error):
                silent.append(f"{row.name}: {error}")
        except pytl.PytlError as error:
            if "has no form" not in str(error) and "does not compile" not in str(error):
                silent.append(f"{row.name}: {error}")
        else:
            silent.append(f"{row.name}, {what}")
    assert tried > 300
    assert not silent


def test_vector_code_reads_both_transposes() -> None:
    *deciding, vectorize = sycl_passes(items=1)
    tensors = ", ".join(f"%{name}: memref<f32x8x8>" for name in "abc")
    for factor in ("transpose_a", "transpose_b"):
        module = Pipeline(deciding).run(pytl.parse(f"func @f({tensors}) {{ gemm.n.n 1.0, %a, %b, 0.0, %c }}"))
        (product,) = (op for op in module.functions[0].walk() if isinstance(op, Gemm))
        setattr(product, factor, TOY)
        with pytest.raises(NoMeaning, match=TOY):
            vectorize.run(module.functions[0])


def operations() -> Iterator[tuple[type[Operation], str, Type]]:
    """Every variant of what computes scalars, with each type that the rules admit for it."""
    types: tuple[Type, ...] = (*SCALAR_TYPES.values(), bool_)
    for cls, words in ((ArithBinary, BINARY), (ArithUnary, UNARY), (Math, FUNCTIONS), (Compare, COMPARISONS)):
        operands = [name for name in ("a", "b") if name in cls.parts]
        for word in words:
            for type_ in types:
                if admits(cls, None, variant=word, **dict.fromkeys(operands, type_)):
                    yield cls, word, type_


def literal(type_: Type, number: int) -> Any:
    if isinstance(type_, BoolType):
        return bool(number)
    assert isinstance(type_, ScalarType)
    return number if type_.is_integer else complex(number, 1) if type_.is_complex else float(number)


def of_constants(cls: type[Operation], word: str, type_: Type) -> Operation:
    names = [name for name in ("a", "b") if name in cls.parts]
    values = [Constant(None, [type_], literal=literal(type_, 2 + n)).results[0] for n in range(len(names))]
    made = cls(None, [type_], variant=word, **dict(zip(names, values)))
    return cls(None, made.infer_result_types(), variant=word, **dict(zip(names, values)))


@pytest.mark.additions
def test_folding_knows_every_variant_of_every_type() -> None:
    folded = 0
    for cls, word, type_ in operations():
        folded += fold(of_constants(cls, word, type_)) is not None
    assert folded > 150


@pytest.mark.parametrize("cls", [ArithBinary, ArithUnary, Math, Compare])
def test_folding_has_no_default(cls: type[Operation]) -> None:
    word = {ArithBinary: "add", ArithUnary: "neg", Math: "exp", Compare: "eq"}[cls]
    for type_ in (pytl.ir.types.f32, pytl.ir.types.c64, *([] if cls is Math else [pytl.ir.types.i16])):
        op = of_constants(cls, word, type_)
        op.variant = TOY  # type: ignore[attr-defined]
        with pytest.raises(NoMeaning, match=TOY):
            fold(op)


@pytest.mark.additions
def test_vector_code_knows_every_variant_of_every_type() -> None:
    from llvmlite import ir

    from pytl.backends.numba_dpex.vector import numbers

    def written(cls: type[Operation], word: str, type_: Type) -> ir.Value:
        module = ir.Module()
        builder = ir.IRBuilder(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "f").append_basic_block())
        a, b = (numbers.spread(builder, numbers.literal(literal(type_, n), type_), 4) for n in (2, 3))
        if cls is ArithBinary:
            return numbers.binary(builder, word, a, b, type_)
        if cls is ArithUnary:
            return numbers.unary(builder, word, a)
        assert isinstance(type_, ScalarType)
        if cls is Math:
            return numbers.math(builder, word, a, type_)
        return numbers.compare(builder, word, a, b, type_)

    count = 0
    for cls, word, type_ in operations():
        assert written(cls, word, type_) is not None
        with pytest.raises(NoMeaning, match=TOY):
            written(cls, TOY, type_)
        count += 1
    assert count > 200


def test_numpys_form_has_no_default() -> None:
    type_ = pytl.ir.types.f64
    numbers = np.ones(2)
    for compute in (
        lambda: scalars.binary(TOY, numbers, numbers, type_),
        lambda: scalars.unary(TOY, numbers, type_, type_),
        lambda: scalars.compare(TOY, numbers, numbers, type_),
        lambda: scalars.math(TOY, numbers, type_),
    ):
        with pytest.raises(NoMeaning, match=TOY):
            compute()


def test_the_verifier_has_no_default() -> None:
    for cls in (ArithBinary, ArithUnary):
        with pytest.raises(NoMeaning, match=TOY):
            admits(cls, None, variant=TOY, **{name: pytl.ir.types.i32 for name in ("a", "b") if name in cls.parts})
