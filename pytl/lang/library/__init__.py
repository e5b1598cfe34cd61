"""The functions that are written in the language itself: a kernel that calls one gets its body inlined.

elementary    sqrt rsqrt floor ceil sign clamp where pow min max abs
The bodies are plain functions of what a kernel may contain, in modules by their subject. They run as Python, too, on
NumPy's scalars, which is what calls outside of kernels do.
"""

from .elementary import abs, ceil, clamp, floor, max, min, rsqrt, sign, sqrt, where

__all__ = ["abs", "ceil", "clamp", "floor", "max", "min", "rsqrt", "sign", "sqrt", "where"]
