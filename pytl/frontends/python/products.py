"""`A @ B`: matrix products as `gemm`, products of a matrix and a vector as `gemv`."""

from __future__ import annotations

import ast
from typing import Any

from ...diagnostics import Label
from ...ir.operation import Operation
from ...ir.types import Extent, MemrefType, ScalarType, promote
from ...ir.values import Value
from ...ops import Alloca, Gemm, Gemv
from ...ops.updates import show_shape
from ..lang.traced import Transposed, advice_on_array, describe
from .frame import Frame
from .rules import OPERAND_TYPES, OPERATOR, VIEW_SHAPE
from .source import Positioned


def is_tensor(item: Any) -> bool:
    """Whether something is a memref, or the transpose of one."""
    return isinstance(item, Transposed) or (isinstance(item, Value) and isinstance(item.type, MemrefType))


def memref_of(item: Any) -> Value:
    """The memref of a tensor."""
    return item.matrix if isinstance(item, Transposed) else item


def shape_of(item: Any) -> tuple[Extent, ...]:
    """The shape of a tensor."""
    shape: tuple[Extent, ...] = memref_of(item).type.shape
    return shape[::-1] if isinstance(item, Transposed) else shape


class Product:
    """`A @ B` of tensors whose shapes fit."""

    def __init__(self, frame: Frame, a: Any, b: Any, node: Positioned) -> None:
        self.frame, self.node = frame, node
        self._check(a, b)
        self.operation: type[Operation] = Gemm
        self.a, self.b = a, b
        self.shape = (*shape_of(a)[:-1], *shape_of(b)[1:])
        if len(self.shape) == 1:
            self.operation = Gemv
            if len(shape_of(b)) == 2:
                # bᵀ A is Aᵀ b
                self.a, self.b = b.matrix if isinstance(b, Transposed) else Transposed(b), a
        self.element = self._element()

    def _check(self, a: Any, b: Any) -> None:
        frame, node = self.frame, self.node
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node, node)
        for item, at in ((a, left), (b, right)):
            if not is_tensor(item) or len(shape_of(item)) not in (1, 2):
                advice = advice_on_array(item, ast.unparse(at) if isinstance(at, ast.Name) else "x")
                advice = advice or "it takes matrices and vectors"
                frame.fail(OPERATOR, f"@ is not defined on {describe(item)}", at, advice)
        if len(shape_of(a)) == len(shape_of(b)) == 1:
            advice = "add the products of elements in a loop, or call hadamard and then pytl.sum"
            frame.fail(OPERATOR, "@ of two vectors is a number, and no instruction computes it", node, advice)
        columns, rows = shape_of(a)[-1], shape_of(b)[0]
        if columns != rows:
            labels = [Label(frame.location_of(at), f"this is {_shown(item)}") for item, at in ((a, left), (b, right))]
            frame.fail(
                VIEW_SHAPE,
                f"the left factor has {columns} columns, but the right one {rows} rows",
                node,
                self._transposes(a, b, left, right),
                labels,
            )

    def _transposes(self, a: Any, b: Any, left: Positioned, right: Positioned) -> str | None:
        """The help for factors that would fit if one of them were transposed."""
        texts = [ast.unparse(at) if isinstance(at, ast.expr) else "…" for at in (left, right)]
        first, second = (f"({t})" if not t.replace(".", "").isidentifier() and t[-1] != "]" else t for t in texts)
        if len(shape_of(a)) == 2 and shape_of(a)[0] == shape_of(b)[0]:
            return f"write {_transposed_text(first)} @ {second}"
        if len(shape_of(b)) == 2 and shape_of(a)[-1] == shape_of(b)[-1]:
            return f"write {first} @ {_transposed_text(second)}"
        return None

    def _element(self) -> ScalarType:
        a, b = memref_of(self.a).type.element, memref_of(self.b).type.element
        element = promote(a, b)
        if element is None:
            self.frame.fail(
                OPERAND_TYPES,
                f"@ on elements of {a} and {b}, and neither type holds all numbers of the other",
                self.node,
                "copy one of them to memory of a type that is wide enough, element by element in a foreach",
            )
        return element

    def into(self, target: Value, alpha: Any, beta: int, node: Positioned) -> None:
        """Compute `target := alpha A @ B + beta target`."""
        frame = self.frame
        parts: dict[str, Any] = {
            "alpha": frame.typed(alpha, self.element, node),
            "A": memref_of(self.a),
            "beta": frame.typed(beta, target.type.element, node),
            "B" if self.operation is Gemm else "b": memref_of(self.b),
            "C" if self.operation is Gemm else "c": target,
            "atomic": False,
        }
        transposes = ["t" if isinstance(item, Transposed) else "n" for item in (self.a, self.b)]
        if self.operation is Gemm:
            parts["transpose_a"], parts["transpose_b"] = transposes
        else:
            parts["transpose"] = transposes[0]
        frame.emit(self.operation, node, **parts)

    def temporary(self, alpha: Any = 1) -> Value:
        """The product in new temporary memory."""
        if not all(isinstance(extent, int) for extent in self.shape):
            self.frame.fail(
                VIEW_SHAPE,
                f"the product is {show_shape(self.shape)}, but temporary memory needs a static size",
                self.node,
                "assign it to a view: C[:] = A @ B",
            )
        type_ = MemrefType(self.element, self.shape).in_space("local")
        memory = self.frame.compute(Alloca, self.node, [type_])
        self.into(memory, alpha, 0, self.node)
        return memory


def product(frame: Frame, a: Any, b: Any, node: Positioned) -> Value:
    """`A @ B` in temporary memory."""
    return Product(frame, a, b, node).temporary()


def _shown(item: Any) -> str:
    return f"{show_shape(shape_of(item))}"


def _transposed_text(text: str) -> str:
    return text.removesuffix(".T") if text.endswith(".T") else f"{text}.T"
