"""The types of a kernel's values as Python classes, for annotations, casts and editors.

Each class carries the type of the IR that it stands for, `ir_type`. They are classes and not objects, so that
type checkers accept them as annotations; no instance is ever made, since a kernel's source is read and not
run. Outside of a kernel, calling a number type casts a number of Python or NumPy to NumPy's scalar of that type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar

from ...diagnostics import PytlError
from ...ir import types
from .rules import OUTSIDE_KERNEL

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Self


class KernelType(type):
    """The metaclass of the classes in this module, which distinguishes them from other annotations."""

    ir_type: types.Type | None
    sizes: Any
    """The named sizes: a `lang.sizes.Sizes`, None where there are none."""
    pattern: Any
    """Which entries may be other than zero, as an attribute of a parameter; None where nothing is said."""

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
    sizes: ClassVar[Any] = None
    pattern: ClassVar[Any] = None

    def __init_subclass__(cls, ir_type: types.Type | None = None, sizes: Any = None, pattern: Any = None) -> None:
        super().__init_subclass__()
        cls.ir_type = ir_type
        cls.sizes = sizes
        cls.pattern = pattern

    def __new__(cls, value: Any) -> Self:
        # a kernel's source is read and not run: this is a call outside, with a number of Python or NumPy
        type_ = cls.ir_type
        if not isinstance(type_, (types.ScalarType, types.BoolType)):
            fail_outside_kernel(f"{cls.__name__}(…)")
        from .outside import cast

        return cast(value, type_)

    if TYPE_CHECKING:
        # A type checker takes `Memref[f32, 16, 8]` for f32 (sizes are not types to it), so that numbers, memrefs,
        # groups and cooperative matrices share their attributes and operators here; pytl itself checks each use when
        # it reads the kernel.
        @property
        def T(self) -> Self:
            """The transpose of the matrix, as an operand of a BLAS call."""

        @property
        def shape(self) -> tuple[Any, ...]:
            """The size of each mode: a Python integer where it is static, else an index."""

        def __getitem__(self, indices: Indices) -> Self: ...
        def __setitem__(self, indices: Indices, value: Self | complex) -> None: ...
        def __len__(self) -> int: ...


Python = TypeVar("Python", int, float, complex)
"""The Python numbers that are literals of a number type: an int is one of a floating type, too."""


class Scalar(KernelValue, Generic[Python]):
    """Base of the number types. In a kernel, calling one is a cast, `f32(x)`, or a constant, `f32(1.0)`."""

    if TYPE_CHECKING:

        def __add__(self, other: Self | Python) -> Self: ...
        def __radd__(self, other: Python) -> Self: ...
        def __sub__(self, other: Self | Python) -> Self: ...
        def __rsub__(self, other: Python) -> Self: ...
        def __mul__(self, other: Self | Python) -> Self: ...
        def __rmul__(self, other: Python) -> Self: ...
        def __matmul__(self, other: Self) -> Self: ...
        def __pow__(self, exponent: int) -> Self: ...
        def __neg__(self) -> Self: ...
        def __pos__(self) -> Self: ...
        def __eq__(self, other: Self | Python) -> bool: ...  # type: ignore[override]
        def __ne__(self, other: Self | Python) -> bool: ...  # type: ignore[override]


class Real(Scalar[Python]):
    """Base of the number types that have an order."""

    if TYPE_CHECKING:

        def __mod__(self, other: Self | Python) -> Self: ...
        def __rmod__(self, other: Python) -> Self: ...
        def __abs__(self) -> Self: ...
        def __lt__(self, other: Self | Python) -> bool: ...
        def __le__(self, other: Self | Python) -> bool: ...
        def __gt__(self, other: Self | Python) -> bool: ...
        def __ge__(self, other: Self | Python) -> bool: ...


class Integer(Real[int]):
    """Base of the integer types."""

    if TYPE_CHECKING:

        def __floordiv__(self, other: Self | int) -> Self: ...
        def __rfloordiv__(self, other: int) -> Self: ...
        def __lshift__(self, other: Self | int) -> Self: ...
        def __rlshift__(self, other: int) -> Self: ...
        def __rshift__(self, other: Self | int) -> Self: ...
        def __rrshift__(self, other: int) -> Self: ...
        def __and__(self, other: Self | int) -> Self: ...
        def __rand__(self, other: int) -> Self: ...
        def __or__(self, other: Self | int) -> Self: ...
        def __ror__(self, other: int) -> Self: ...
        def __xor__(self, other: Self | int) -> Self: ...
        def __rxor__(self, other: int) -> Self: ...
        def __invert__(self) -> Self: ...
        def __index__(self) -> int: ...


class Floating(Real[float]):
    """Base of the floating point types."""

    if TYPE_CHECKING:

        def __truediv__(self, other: Self | float) -> Self: ...
        def __rtruediv__(self, other: float) -> Self: ...


class Complex(Scalar[complex]):
    """Base of the complex types."""

    if TYPE_CHECKING:

        def __truediv__(self, other: Self | complex) -> Self: ...
        def __rtruediv__(self, other: complex) -> Self: ...
        def conj(self) -> Self: ...


class i8(Integer, ir_type=types.i8):
    """Integers of 8 bits, which wrap around."""


class i16(Integer, ir_type=types.i16):
    """Integers of 16 bits, which wrap around."""


class i32(Integer, ir_type=types.i32):
    """Integers of 32 bits, which wrap around."""


class i64(Integer, ir_type=types.i64):
    """Integers of 64 bits, which wrap around."""


class index(Integer, ir_type=types.index):
    """Integers as wide as the platform's pointers: the type of indices and sizes of memrefs."""


class bf16(Floating, ir_type=types.bf16):
    """Floating point numbers with the exponent of f32 in 16 bits."""


class f16(Floating, ir_type=types.f16):
    """Floating point numbers of 16 bits."""


class f32(Floating, ir_type=types.f32):
    """Floating point numbers of 32 bits."""


class f64(Floating, ir_type=types.f64):
    """Floating point numbers of 64 bits."""


class c32(Complex, ir_type=types.c32):
    """Complex numbers of two f32."""

    if TYPE_CHECKING:
        real: f32
        imag: f32

        def __abs__(self) -> f32: ...


class c64(Complex, ir_type=types.c64):
    """Complex numbers of two f64."""

    if TYPE_CHECKING:
        real: f64
        imag: f64

        def __abs__(self) -> f64: ...


if TYPE_CHECKING:
    # To a type checker truth values are Python's: results of comparisons, and operands of `if`, `and`, `not`.
    bool_: TypeAlias = bool
else:

    class bool_(KernelValue, ir_type=types.bool_):
        """Truth values: results of comparisons, and conditions of `if`. They can't be elements of a memref."""


# The types in the signatures of a kernel's functions.

V = TypeVar("V", bound=KernelValue)
W = TypeVar("W", bound=KernelValue)

Tensor: TypeAlias = KernelValue
"""A memref or a group; to a type checker it has the class of its elements."""
Number: TypeAlias = "KernelValue | complex"
"""A number of the language, or a Python literal that takes its type from the other arguments."""
Bound: TypeAlias = "Integer | int"
"""An index of a memref."""
Bounds: TypeAlias = "Integer | int | tuple[Any, ...]"
"""First or last bounds of a foreach."""
Indices: TypeAlias = "Integer | int | slice[Any, Any, Any] | tuple[Integer | int | slice[Any, Any, Any], ...]"
"""What may stand between the brackets of `A[…]`."""
