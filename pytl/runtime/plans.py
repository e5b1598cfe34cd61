"""The fast path of repeated launches: arguments like ones that were checked before are not checked again.

A launch is known by its *key*: for each array its library, data type, shape, strides, queue and whether it is
writable. What was decided for a key (the queue, the lowered function, each argument's layout) is kept in a *plan*; a
launch with the same key only takes the addresses of its arrays. Lists of arrays and unknown kinds of arrays have
no key: they go the whole way each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..backends.base import Argument, ArrayView, Backend, GroupArgument, Lowered, MemrefArgument
from .aliasing import Reach, may_overlap
from .arguments import bind
from .parameters import Parameter

PLAIN = (float, int, complex, bool)
MOST_PLANS = 256
"""Plans that a kernel keeps; launches with ever new shapes do not grow it without end."""


@dataclass(frozen=True)
class Plan:
    """What was decided for launches of one key.

    A rebind gives the argument for a new value, None if it must be checked.
    """

    backend: Backend
    lowered: Lowered
    options: dict[str, Any]
    queue: Any
    rebinds: tuple[Callable[[Any], Argument | None], ...]
    reaches: tuple[Reach, ...]

    def arguments(self, given: Sequence[Any]) -> list[Argument] | None:
        """The arguments for new values of the same key, None where one of them has to be looked at."""
        bound: list[Argument] = []
        for rebind, value in zip(self.rebinds, given):
            argument = rebind(value)
            if argument is None:
                return None
            bound.append(argument)
        return None if self.reaches and may_overlap(self.reaches, bound) else bound


def key_of(given: Sequence[Any]) -> tuple[Any, ...] | None:
    """What has to be the same for two launches to have the same plan; None where there is no telling."""
    numpy, tensor = sys.modules.get("numpy"), sys.modules.get("dpctl.tensor")
    dpnp = sys.modules.get("dpnp")
    # another thread may be in the middle of importing them
    ndarray = getattr(numpy, "ndarray", None)
    usm_ndarray = getattr(tensor, "usm_ndarray", None)
    dpnp_ndarray = getattr(dpnp, "ndarray", None)
    key: list[Any] = []
    for value in given:
        kind = type(value)
        if kind in PLAIN:
            key.append(kind)
        elif kind is ndarray:
            key.append((kind, value.dtype, value.shape, value.strides, value.flags.writeable))
        elif kind is usm_ndarray or kind is dpnp_ndarray:
            array = value if kind is usm_ndarray else value.get_array()
            key.append((kind, array.dtype, array.shape, array.strides, array.sycl_queue, array.flags.writable))
        else:
            return None
    return tuple(key)


def rebind_for(parameter: Parameter, argument: Argument) -> Callable[[Any], Argument | None]:
    """How to bind further values of the same key as the one that `argument` was made of."""
    if isinstance(argument, (MemrefArgument, GroupArgument)):
        return _rebind_array(parameter, argument)
    return lambda value: _rebind_scalar(parameter, value)


def _rebind_scalar(parameter: Parameter, value: Any) -> Argument | None:
    problems: list[Any] = []
    bound = bind(parameter, value, lambda *finding: problems.append(finding))
    return None if problems else bound


def _rebind_array(parameter: Parameter, argument: MemrefArgument | GroupArgument) -> Callable[[Any], Argument | None]:
    asserted = parameter.attributes.get("alignment", 1)
    template: MemrefArgument | GroupArgument
    if isinstance(argument, MemrefArgument):
        template, old = replace(argument, view=_FORGOTTEN), argument.view
    elif not argument.strided:
        return lambda value: None  # a list of arrays, which has no key
    else:
        template, old = replace(argument, views=()), argument.views[0]
    # a plan must not keep the arrays of its first launch alive
    shape, strides, item_size, queue = old.shape, old.strides, old.item_size, old.queue
    alignment = max(asserted, old.array.dtype.alignment)

    def rebind(value: Any) -> Argument | None:
        if queue is None:
            array, address = value, value.__array_interface__["data"][0]
        else:
            array = value.get_array() if hasattr(value, "get_array") else value
            address = array._pointer
        if address % alignment:
            return None
        view = ArrayView(array, address, shape, strides, item_size, queue)
        if isinstance(template, MemrefArgument):
            return MemrefArgument(view, template.shape, template.strides, template.written)
        return replace(template, views=(view,))

    return rebind


_FORGOTTEN = ArrayView(None, 0, (), (), 1)
