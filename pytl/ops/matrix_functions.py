"""Functions of the components of a sub-group's matrices, and sums and extremes of rows and columns.

The manual has none of these; the Tiny Tensor Compiler has them from its release 0.4 on, under the words behind `v04.`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics.words import counted
from ..ir.assembly import RegionArgument
from ..ir.constraints import COOPMATRIX, INDEX, MEMREF, SCALAR
from ..ir.fields import ArgumentNames, IntegerConstant, Operand, OperandList, RegionPart, Result, Variant
from ..ir.meanings import Meanings
from ..ir.operation import Check, Problem, check, written_result_type
from ..ir.registry import instruction
from ..ir.types import BoolType, CoopMatrixType, ScalarType, Type, UnknownType, component_type, i32
from ..ir.values import Value
from .control import For, If, Yield, terminator
from .coopmatrix import OfSubgroup
from .result_types import component_check, order_of_numbers_check, result_type_check
from .updates import order_check


def _component_of(value: Any) -> Type:
    """The type of a matrix's components; nothing is known of a literal in its place, which is refused later."""
    return component_type(value.type) if isinstance(value, Value) else UnknownType()


def component_arguments(parts: dict[str, Any]) -> list[RegionArgument]:
    """The arguments of the region: row and column, and a component of each matrix."""
    types: list[Type] = [i32, i32, *(_component_of(value) for value in parts["matrices"])]
    names = parts["variables"]
    padded = [*types, *[UnknownType()] * (len(names) - len(types))]
    return [(name, location, type_) for (name, location), type_ in zip(names, padded)]


APPLY = "Cooperative matrix apply"


@check("PYTL-0660", "the matrices and the result have one shape and use", APPLY, is_basic=True)
def apply_shapes(op: CooperativeMatrixApply) -> Iterator[Problem]:
    if not op.matrices:
        yield Problem("there is no matrix")
    result_type = op.result.type
    for value in op.matrices:
        if (value.type.shape, value.type.use) != (result_type.shape, result_type.use):
            yield Problem(f"a matrix is {value.type}, but the result is {result_type}", part="matrices")


@check("PYTL-0661", "the region has a row, a column, and a component of each matrix", APPLY, is_basic=True)
def apply_arguments(op: CooperativeMatrixApply) -> Iterator[Problem]:
    expected, actual = 2 + len(op.matrices), len(op.body.arguments)
    if actual != expected:
        names = ", ".join(("%i", "%j", *(f"%{letter}" for letter, _ in zip("abcdefgh", op.matrices))))
        yield Problem(f"it names {counted(actual, 'value')} for {counted(len(op.matrices), 'matrix', 'matrices')}",
                      f"write ({names}) = …")  # fmt: skip


@check("PYTL-0662", "the region ends with a yield of one component of the result", APPLY)
def apply_yield(op: CooperativeMatrixApply) -> Iterator[Problem]:
    last = terminator(op.body)
    expected = op.result.type.component
    if last is None:
        if op.body.is_complete:
            yield Problem("the region does not end with yield", f"end it with a yield of {expected}")
        return
    yielded_types = [value.type for value in last.yielded]
    if any(isinstance(type_, UnknownType) for type_ in yielded_types):
        return
    if len(yielded_types) != 1:
        yield Problem(f"the region yields {counted(len(yielded_types), 'value')}", f"yield one of {expected}")
    elif yielded_types[0] != expected:
        yield Problem(f"the region yields {yielded_types[0]}, but the components of the result are {expected}",
                      f"cast it: cast %value : {expected}")  # fmt: skip


@check("PYTL-0663", "the region computes with numbers, and touches no memory", APPLY)
def apply_computes(op: CooperativeMatrixApply) -> Iterator[Problem]:
    for inner in op.body.walk():
        computes = inner.pure and inner.kind == "mixed" and not inner.view_of
        of_numbers = all(isinstance(v.type, (ScalarType, BoolType)) for v in inner.results)
        if not (isinstance(inner, (For, If, Yield)) or (computes and of_numbers)):
            yield Problem(
                f"{inner.word} is in the region",
                "load and compute what the region needs in front of it",
                location=inner.location,
            )


@instruction
class CooperativeMatrixApply(OfSubgroup):
    """A matrix of the sub-group whose components are a function of the components of others at the same place.

    The region is executed for each component, in any order. Its arguments are the component's row and column, of type
    i32, and its value in each matrix; it yields the component of the result, whose type may be another.
    """

    mnemonic = "v04.cooperative_matrix_apply"
    section = APPLY
    variables: Any = ArgumentNames("%row, %column, %value", lambda op: op.body.arguments)
    matrices: Any = OperandList(COOPMATRIX, "the matrices, of one shape and use")
    result: Any = Result(COOPMATRIX)
    body: Any = RegionPart("mixed", "what a component is", arguments=component_arguments)
    assembly = "` (` $variables `) = ` $matrices ` -> ` $result ` ` $body"
    rules = (apply_shapes, apply_arguments, apply_yield, apply_computes)
    pure = True

    @property
    def yields(self) -> bool:
        return True

    @property
    def row(self) -> Value:
        return self.body.arguments[0]

    @property
    def column(self) -> Value:
        return self.body.arguments[1]

    @property
    def components(self) -> list[Value]:
        """The components of the matrices as the region sees them."""
        return self.body.arguments[2:]

    @property
    def yielded(self) -> Value:
        last = terminator(self.body)
        assert last is not None, "the verifier has checked it"
        return last.yielded[0]

    def captured(self) -> list[Value]:
        """What the region uses that is defined outside of it, each once."""
        own = set(self.body.arguments)
        for inner in self.body.walk():
            own.update(inner.results)
            for region in inner.regions:
                own.update(region.arguments)
        used = (value for inner in self.body.walk() for value in inner.operands)
        return list(dict.fromkeys(value for value in used if value not in own))


REDUCED = {
    "row": "each row becomes one component: the result has one column",
    "column": "each column becomes one component: the result has one row",
}


def reduced_type(type_: CoopMatrixType, variant: str) -> CoopMatrixType:
    """The type of the sums or extremes of the rows or columns of a matrix."""
    by_rows = REDUCES_ROWS[variant]
    return CoopMatrixType(type_.component, type_.rows if by_rows else 1, 1 if by_rows else type_.columns, type_.use)


REDUCES_ROWS: Meanings[str, bool] = Meanings("cooperative matrices, reduce", {"row": True, "column": False})


def _reduced_check(code: str, section: str) -> Check:
    return result_type_check(
        code, section, "the result has a component for each row, or for each column", noun="matrix"
    )


class CooperativeMatrixReduce(OfSubgroup):
    """The components of each row, or of each column, combined to one, in the order of their numbers."""

    combines: str = ""
    """The arithmetic that combines two."""
    variant: Any = Variant(REDUCED)
    a: Any = Operand(COOPMATRIX, "the matrix")
    result: Any = Result(COOPMATRIX)
    assembly = "` ` $a ` : ` $result"
    pure = True

    def infer_result_types(self) -> list[Type]:
        type_ = self.a.type
        return [reduced_type(type_, self.variant) if isinstance(type_, CoopMatrixType) else type_]


@instruction
class CooperativeMatrixReduceAdd(CooperativeMatrixReduce):
    """The sum of each row, or of each column, of a matrix; f16 and bf16 are summed in f32 and rounded once."""

    mnemonic = "v04.cooperative_matrix_reduce_add"
    section = "Cooperative matrix reduce add"
    combines = "add"
    rules = (_reduced_check("PYTL-0664", section),)


@instruction
class CooperativeMatrixReduceMax(CooperativeMatrixReduce):
    """The maximum of each row, or of each column, of a matrix."""

    mnemonic = "v04.cooperative_matrix_reduce_max"
    section = "Cooperative matrix reduce max"
    combines = "max"
    rules = (_reduced_check("PYTL-0665", section), order_of_numbers_check("PYTL-0666", section))


@instruction
class CooperativeMatrixReduceMin(CooperativeMatrixReduce):
    """The minimum of each row, or of each column, of a matrix."""

    mnemonic = "v04.cooperative_matrix_reduce_min"
    section = "Cooperative matrix reduce min"
    combines = "min"
    rules = (_reduced_check("PYTL-0667", section), order_of_numbers_check("PYTL-0668", section))


@instruction
class CooperativeMatrixConstruct(OfSubgroup):
    """A matrix of the sub-group, every component the same number, which all work-items of the sub-group have."""

    mnemonic = "v04.cooperative_matrix_construct"
    section = "Cooperative matrix construct"
    scalar: Any = Operand(SCALAR, "the number")
    result: Any = Result(COOPMATRIX)
    assembly = "` ` $scalar ` : ` $result"
    rules = (component_check("PYTL-0670", section, "result"),)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        type_ = written_result_type(parts)
        component = None if type_ is None else component_type(type_)
        return component if isinstance(component, ScalarType) else None


@check("PYTL-0673", "the sizes of what is asked for are at least 1", "Cooperative matrix prefetch")
def prefetched_sizes(op: CooperativeMatrixPrefetch) -> Iterator[Problem]:
    for size in (op.rows, op.columns):
        if size < 1:
            yield Problem(f"a size is {size}")


@check("PYTL-0674", "the level of the cache is at least 0", "Cooperative matrix prefetch")
def prefetched_level(op: CooperativeMatrixPrefetch) -> Iterator[Problem]:
    if op.level < 0:
        yield Problem(f"the level is {op.level}", "0 is the cache next to the registers")


@instruction
class CooperativeMatrixPrefetch(OfSubgroup):
    """Asks for a rectangle of a memref to be brought to the cache of a level; 0 is next to the registers.

    It may lie outside of the memref in part, and computes nothing: backends that decide by themselves what they
    prefetch leave it out.
    """

    mnemonic = "v04.cooperative_matrix_prefetch"
    section = "Cooperative matrix prefetch"
    level: Any = IntegerConstant("the cache: 0 is next to the registers")
    M: Any = Operand(MEMREF, "what is going to be loaded")
    x: Any = Operand(INDEX, "first row")
    y: Any = Operand(INDEX, "first column")
    rows: Any = IntegerConstant("how many rows")
    columns: Any = IntegerConstant("how many columns")
    assembly = "` ` $level `, ` $M `[` $x `, ` $y `]` `, ` $rows `, ` $columns"
    rules = (order_check("PYTL-0675", "Cooperative matrix prefetch", {"M": (2,)}), prefetched_sizes, prefetched_level)
