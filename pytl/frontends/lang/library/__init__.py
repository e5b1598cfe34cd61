"""The functions that are written in the language itself: a kernel that calls one gets its body inlined.

The bodies are plain functions that a kernel may call, in modules by subject. They also run as Python, on
NumPy's scalars, which is what calls outside of kernels do. Their names are public through `elementary`.

Where a dialect of the language has an instruction for a function, the function's builder emits it, and the
body stays for the backends that lack it.

elementary    the functions as kernels call them, with signatures, documentation and bounds
declare       how a function is declared, and what it does in a kernel and outside
power_function
              `pow`, of all numbers
roots, logarithms, trigonometry, inverse_trigonometry, hyperbolic, exponentials, powers, real_powers
              the bodies, for f64 and f32
reduction     angles, less multiples of π/2
scaling       mantissas and exponents
rounding      whole numbers
polynomials   polynomials, exact sums and products
"""

from .elementary import (
    abs,
    acos,
    asin,
    atan,
    ceil,
    clamp,
    cos,
    cosh,
    erf,
    expm1,
    floor,
    log,
    log2,
    max,
    min,
    rsqrt,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from .power_function import pow

__all__ = [
    "abs",
    "acos",
    "asin",
    "atan",
    "ceil",
    "clamp",
    "cos",
    "cosh",
    "erf",
    "expm1",
    "floor",
    "log",
    "log2",
    "max",
    "min",
    "pow",
    "rsqrt",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "where",
]
