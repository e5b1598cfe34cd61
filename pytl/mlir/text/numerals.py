"""Numbers as MLIR writes them."""

from __future__ import annotations

import math
import struct

from .types import I1, Type

_FLOATS = ("f16", "bf16", "f32", "f64")


def literal_of(value: bool | int | float, type_: Type) -> str:
    """A number of a type, exactly.

    >>> from pytl.mlir.text.types import Scalar
    >>> literal_of(1e-5, Scalar("f64")), literal_of(float("inf"), Scalar("f16"))
    ('1.0e-05', '0x7C00')
    """
    if type_ == I1:
        return str(bool(value)).lower()
    name = str(type_)
    if isinstance(value, int) and name not in _FLOATS:
        return str(value)
    value = float(value)
    if not math.isfinite(value):
        return _bits_of(value, name)
    return float_text(value)  # of the double; what is exact in a narrower type is so when it is read as a double first


def float_text(value: float) -> str:
    """A finite float as MLIR reads it, which has a point."""
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"


def _bits_of(value: float, type_: str) -> str:
    if type_ == "bf16":
        bits = struct.pack(">f", value)[:2]
    else:
        bits = struct.pack({"f16": ">e", "f32": ">f", "f64": ">d"}[type_], value)
    return f"0x{bits.hex().upper()}"
