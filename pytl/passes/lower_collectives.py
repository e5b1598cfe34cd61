"""lower-collectives: collective instructions that compute, as `foreach` over scalars.

One point of a `foreach` computes each element of the target; sums are a `for` in it that carries the sum. As
everywhere, operands are promoted to the target's element type, in which the computation is done; f16 and bf16 are
computed in f32 and rounded once, when the element is stored. An atomic update stores, or adds, each element atomically.

A factor that the target may overlap is copied first, also for instructions that are not lowered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from ..diagnostics import PytlError
from ..ir.meanings import Meanings
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum, Update
from ..ops.builder import Builder
from ..ops.contraction import Contraction
from ..process.records import dataclass
from .element_loops import ElementLoops, Indices
from .manager import UNKNOWN_PASS, Pass, register
from .separate import separated
from .targets.sme import OPTIONAL, has_streaming_code
from .targets.strategies import STRATEGY
from .targets.vector_forms import has_register_tiles, has_subgroup_blocks, has_subgroup_sums, has_vector_code

AnyUpdate = TypeVar("AnyUpdate", bound=Update)

_lowerings: Meanings[type[Operation], Callable[[Any], None]] = Meanings("lower-collectives", {})


@register
@dataclass(frozen=True)
class LowerCollectives(Pass):
    """Replaces gemm, gemv, ger, axpby, hadamard, sum and cumsum with loops over scalars; `only` names some of them.

    With `vectors`, instructions stay as they are that have better vector code on a processor, where one work-item
    executes them; with `blocks`, those that sub-groups compute by blocks, where many do; with `streaming`, those that
    Arm's matrix extension has code for. `without` names factor types for which it has no outer product.
    """

    name = "lower-collectives"
    of_called = True
    only: tuple[str, ...] = ()
    vectors: bool = False
    blocks: bool = False
    streaming: bool = False
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = sorted(cls.mnemonic for cls in _lowerings)
        for word in self.only:
            if word not in known:
                raise PytlError.single(
                    UNKNOWN_PASS, f"{self.name} lowers no `{word}`", help=f"it lowers {', '.join(known)}"
                )
        check_without(self.name, self.without)

    def run(self, function: Function) -> None:
        strategy = function.attributes.get(STRATEGY)
        has_other_code: Callable[[Any], bool] = _never
        if self.streaming:
            has_other_code = partial(has_streaming_code, without=self.without)
        if self.vectors and strategy == "one-item":
            has_other_code = _has_vectors
        elif self.blocks and strategy == "many-items":
            has_other_code = _has_subgroups
        self._lower(function.body, has_other_code)

    def _lower(self, region: Region, has_other_code: Callable[[Any], bool]) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            for inner in op.regions:
                self._lower(inner, has_other_code)
            if not isinstance(op, Update) or isinstance(op, Contraction):
                operations.append(op)
                continue
            *copying, op = separated(op)
            operations += copying
            is_meant = not self.only or op.mnemonic in self.only
            operations += lowered(op) if is_meant and not has_other_code(op) else [op]
        region.operations = operations


def check_without(pass_name: str, without: Sequence[str]) -> None:
    """Raise where a pass is to do without what no product has."""
    for word in without:
        if word not in OPTIONAL:
            message = f"{pass_name} has no products of `{word}` to do without"
            raise PytlError.single(UNKNOWN_PASS, message, help=f"it can do without {', '.join(OPTIONAL)}")


def lowered(op: Any) -> list[Operation]:
    """An update as a `foreach` over the elements of its target, which comes last."""
    return _Lowered(op).operations


def _has_vectors(op: Update) -> bool:
    return has_register_tiles(op) if isinstance(op, Gemm) else has_vector_code(op)


def _has_subgroups(op: Update) -> bool:
    return has_subgroup_blocks(op) or has_subgroup_sums(op)


def _never(_: Update) -> bool:
    return False


class _Lowered(ElementLoops):
    """The instructions for an update."""

    def __init__(self, op: Any) -> None:
        super().__init__(op)
        _lowerings[type(op)](self)


def _lowers(cls: type[Update]) -> Callable[[Callable[[_Lowered], None]], Callable[[_Lowered], None]]:
    def enter(lowering: Callable[[_Lowered], None]) -> Callable[[_Lowered], None]:
        _lowerings[cls] = lowering
        return lowering

    return enter


@_lowers(Axpby)
def _axpby(to: _Lowered) -> None:
    to.for_each_element(lambda at, points: to.operand(at, "A", *points))


@_lowers(Gemm)
def _gemm(to: _Lowered) -> None:
    def element(builder: Builder, points: Indices) -> Value:
        i, j = points
        return to.total(
            builder,
            to.columns("A"),
            lambda inner, k: inner.arith("mul", to.operand(inner, "A", i, k), to.operand(inner, "B", k, j)),
        )

    to.for_each_element(element)


@_lowers(Gemv)
def _gemv(to: _Lowered) -> None:
    def element(builder: Builder, points: Indices) -> Value:
        return to.total(
            builder,
            to.columns("A"),
            lambda inner, k: inner.arith("mul", to.operand(inner, "A", points[0], k), to.operand(inner, "b", k)),
        )

    to.for_each_element(element)


@_lowers(Ger)
def _ger(to: _Lowered) -> None:
    to.for_each_element(
        lambda at, points: at.arith("mul", to.operand(at, "a", points[0]), to.operand(at, "b", points[1]))
    )


@_lowers(Hadamard)
def _hadamard(to: _Lowered) -> None:
    to.for_each_element(lambda at, points: at.arith("mul", to.operand(at, "A", *points), to.operand(at, "B", *points)))


@_lowers(Sum)
def _sum(to: _Lowered) -> None:
    to.for_each_element(
        lambda at, points: to.total(at, to.columns("A"), lambda inner, k: to.operand(inner, "A", *points, k))
    )


@_lowers(Cumsum)
def _cumsum(to: _Lowered) -> None:
    mode = to.op.mode
    builder, target = to.builder, to.target
    others = [other for other in range(target.type.order) if other != mode]
    zero = builder.zero(to.wide)

    def line(at: Builder, points: Indices) -> None:
        def step(inner: Builder, k: Value, carried: list[Value]) -> list[Value]:
            indices = [*points[:mode], k, *points[mode : len(others)]]
            total = inner.arith("add", carried[0], to.operand(inner, "A", *indices))
            to.update(inner, indices, total)
            return [total]

        at.loop(builder.size(target, mode), [zero], step)

    builder.foreach([builder.size(target, other) for other in others], line)
