"""Arrays of the host in place of memrefs: parameters whose values are part of the kernel, and that launches pass."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ...diagnostics.words import counted
from ...ir.patterns import PATTERN, VALUES, ZERO, lines_of, pattern_of
from ...ir.types import SCALAR_TYPES, MemrefType
from ...ir.values import Value
from ..lang.traced import ELEMENTS
from .names import identifier
from .rules import CONSTANT_ARRAY

if TYPE_CHECKING:
    from .frame import Frame
    from .source import Positioned

MOST = 16384
"""Elements of an array that is part of a kernel."""


def is_array(item: Any) -> bool:
    """Whether a Python object is an array of NumPy's."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(item, numpy.ndarray)


def as_parameter(frame: Frame, array: Any, node: Positioned) -> Value:
    """The parameter of an array; the same one for equal arrays."""
    element = SCALAR_TYPES.get(ELEMENTS.get(str(array.dtype), ""))
    problem = help = None
    if element is None or element.is_complex:
        problem, help = f"it is an array of {array.dtype}", "convert it: ….astype(np.float32)"
    elif not array.ndim or not 0 < array.size <= MOST:
        problem = f"it is an array of {counted(array.ndim, 'mode')} and {counted(array.size, 'element')}"
        help = "pass it as a parameter of the kernel"
    elif frame.builder.parameters is None:
        problem, help = "this function is called, and has no arrays of its own", "pass the array to it"
    if problem is not None:
        frame.fail(CONSTANT_ARRAY, problem, node, help)
    assert element is not None and frame.builder.parameters is not None
    parameters = frame.builder.parameters
    attributes: dict[str, Any] = {VALUES: lines_of(array)}
    pattern = pattern_of(array)
    if any(ZERO in line for line in pattern):
        attributes[PATTERN] = pattern
    type_ = MemrefType(element, array.shape)
    for known in parameters:
        if known.type == type_ and known.attributes == attributes:
            return known
    value = Value(type_, _name(frame, node, parameters), frame.location_of(node), attributes)
    parameters.append(value)
    return value


def _name(frame: Frame, node: Positioned, parameters: list[Value]) -> str:
    """A name that no parameter has: that of the array, where it has one."""
    name = identifier(getattr(node, "id", "")) or "constant"
    taken = {parameter.name for parameter in parameters}
    return next(each for each in (name, *(f"{name}_{n}" for n in range(1, len(taken) + 2))) if each not in taken)
