"""The types of a kernel's values as Python classes: for annotations, for casts, and for editors.

Each class carries the type of the IR that it stands for, `ir_type`. They are classes and not objects, so that
type checkers accept them as annotations; no instance is ever made, since a kernel's source is read and not
run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ..diagnostics import PytlError
from ..ir import types
from .rules import OUTSIDE_KERNEL

if TYPE_CHECKING:
    from typing_extensions import Self


class KernelType(type):
    """The class of the classes in this module, which tells them from other annotations."""

    ir_type: types.Type | None

    def __repr__(cls) -> str:
        return f"pytl.{cls.__name__}" if cls.__qualname__.isidentifier() else cls.__name__


def fail_outside_kernel(name: str) -> NoReturn:
    """Refuse a call that was executed as Python instead of being read as a kernel."""
    raise PytlError.single(
        OUTSIDE_KERNEL,
        f"{name} was called outside of a kernel",
        help="call it in a function that is decorated with @pytl.kernel, or in one that a kernel calls",
    )


class KernelValue(metaclass=KernelType):
    """A value in a kernel: a number, a truth value, a memref or a group."""

    ir_type: ClassVar[types.Type | None] = None

    def __init_subclass__(cls, ir_type: types.Type | None = None) -> None:
        super().__init_subclass__()
        cls.ir_type = ir_type

    def __new__(cls, value: Any) -> Self:
        fail_outside_kernel(f"{cls.__name__}(…)")

    if TYPE_CHECKING:
        # A type checker takes `Memref[f32, 16, 8]` for f32 (sizes are no types to it), so that numbers and
        # memrefs share what may be written of them here; pytl itself checks each use when it reads the
        # kernel.
        T: Any
        """The transposed matrix, as an operand of a BLAS call."""
        shape: tuple[Any, ...]
        """The size of each mode: a Python integer where it is static, else an index."""
        real: Any
        imag: Any

        def conj(self) -> Self: ...
        def __getitem__(self, indices: Any) -> Any: ...
        def __setitem__(self, indices: Any, value: Any) -> None: ...
        def __len__(self) -> int: ...
        def __add__(self, other: Any) -> Self: ...
        def __radd__(self, other: Any) -> Self: ...
        def __sub__(self, other: Any) -> Self: ...
        def __rsub__(self, other: Any) -> Self: ...
        def __mul__(self, other: Any) -> Self: ...
        def __rmul__(self, other: Any) -> Self: ...
        def __truediv__(self, other: Any) -> Self: ...
        def __rtruediv__(self, other: Any) -> Self: ...
        def __floordiv__(self, other: Any) -> Self: ...
        def __rfloordiv__(self, other: Any) -> Self: ...
        def __mod__(self, other: Any) -> Self: ...
        def __rmod__(self, other: Any) -> Self: ...
        def __lshift__(self, other: Any) -> Self: ...
        def __rlshift__(self, other: Any) -> Self: ...
        def __rshift__(self, other: Any) -> Self: ...
        def __rrshift__(self, other: Any) -> Self: ...
        def __and__(self, other: Any) -> Self: ...
        def __rand__(self, other: Any) -> Self: ...
        def __or__(self, other: Any) -> Self: ...
        def __ror__(self, other: Any) -> Self: ...
        def __xor__(self, other: Any) -> Self: ...
        def __rxor__(self, other: Any) -> Self: ...
        def __neg__(self) -> Self: ...
        def __pos__(self) -> Self: ...
        def __invert__(self) -> Self: ...
        def __abs__(self) -> Self: ...
        def __lt__(self, other: Any) -> bool: ...
        def __le__(self, other: Any) -> bool: ...
        def __gt__(self, other: Any) -> bool: ...
        def __ge__(self, other: Any) -> bool: ...
        def __index__(self) -> int: ...


class Scalar(KernelValue):
    """Base of the number types. In a kernel, calling one is a cast, `f32(x)`, or a constant, `f32(1.0)`."""


class i8(Scalar, ir_type=types.i8):
    """Integers of 8 bits, which wrap around."""


class i16(Scalar, ir_type=types.i16):
    """Integers of 16 bits, which wrap around."""


class i32(Scalar, ir_type=types.i32):
    """Integers of 32 bits, which wrap around."""


class i64(Scalar, ir_type=types.i64):
    """Integers of 64 bits, which wrap around."""


class index(Scalar, ir_type=types.index):
    """Integers as wide as the platform's pointers: what memrefs are indexed with, and sizes are given in."""


class bf16(Scalar, ir_type=types.bf16):
    """Floating point numbers with the exponent of f32 in 16 bits."""


class f16(Scalar, ir_type=types.f16):
    """Floating point numbers of 16 bits."""


class f32(Scalar, ir_type=types.f32):
    """Floating point numbers of 32 bits."""


class f64(Scalar, ir_type=types.f64):
    """Floating point numbers of 64 bits."""


class c32(Scalar, ir_type=types.c32):
    """Complex numbers of two f32."""


class c64(Scalar, ir_type=types.c64):
    """Complex numbers of two f64."""


class bool_(KernelValue, ir_type=types.bool_):
    """Truth values: what comparisons give and `if` takes. They can't be elements of a memref."""
