"""Many arrays at once: the items of a group, read in columns, and `pytl.group`, which keeps the columns.

Of each attribute of the arrays there is one pass, in C: types, data types, shapes with strides, flags, addresses. What
has to be checked is then as many layouts as occur, most often one. Arrays that are not all of one kind are described
one by one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NoReturn

from ...backends import rules
from ...backends.base import ArrayView, ItemViews
from ...devices.usm import LIBRARIES
from ...diagnostics import LaunchError, call_site
from ...process.records import dataclass
from .arrays import Described, describe
from .foreign import ExportRefused
from .parameters import what

_HEADER = object.__basicsize__
"""Bytes of an object before its own fields."""
_FIRST = 8
"""The least address that `_memory` reads."""


@dataclass(frozen=True)
class Columns:
    """Arrays of one data type and one queue."""

    views: ItemViews
    dtype: str
    writable: bool
    byte_strides: Sequence[tuple[int, ...]]
    """For each layout of the views."""
    alignment: int
    """The greatest power of two that divides all addresses."""

    def described(self) -> Iterator[Described]:
        """An array for each layout, at an address that is aligned as all are."""
        for number, (shape, strides) in enumerate(self.views.layouts):
            first = 0 if self.views.numbers is None else int((self.views.numbers == number).argmax())
            array = self.views.arrays[first]
            view = ArrayView(array, self.alignment, shape, strides, self.views.item_size, self.views.queue)
            yield Described(view, self.dtype, self.writable, self.byte_strides[number], self.views.item_size)


def gather(arrays: Sequence[Any]) -> Columns | None:
    """The arrays in columns; None where they are of different kinds, data types or queues, or no arrays."""
    kinds = set(map(type, arrays))
    kind = next(iter(kinds)) if len(kinds) == 1 else None
    if kind is not None and kind is getattr(sys.modules.get("dpnp"), "ndarray", None):
        arrays = [array.get_array() for array in arrays]
        kind = type(arrays[0])
    if kind is not None and kind is getattr(sys.modules.get("numpy"), "ndarray", None):
        layouts = list(map(attrgetter("shape", "strides"), arrays))
        return _columns(arrays, layouts, 1, all(map(attrgetter("flags.writeable"), arrays)), _numpy_addresses, None)
    if kind is not None and kind in [getattr(sys.modules.get(name), "usm_ndarray", None) for name in LIBRARIES]:
        queues = list({id(queue): queue for queue in map(attrgetter("sycl_queue"), arrays)}.values())
        if any(queue != queues[0] for queue in queues):
            return None
        layouts = list(map(attrgetter("shape", "strides"), arrays))
        writable = all(map(attrgetter("flags.writable"), arrays))
        return _columns(arrays, layouts, arrays[0].itemsize, writable, _usm_addresses, queues[0])
    return None


def _columns(
    arrays: Sequence[Any], layouts: list[Any], unit: int, writable: bool, addresses_of: Any, queue: Any
) -> Columns | None:
    """Of arrays whose strides count `unit` bytes."""
    import numpy as np

    if len(set(map(attrgetter("dtype"), arrays))) != 1:
        return None
    size = max(arrays[0].itemsize, 1)  # an empty record has no size
    known = {layout: number for number, layout in enumerate(dict.fromkeys(layouts))}
    numbers = None
    if len(known) > 1:
        numbers = np.fromiter(map(known.__getitem__, layouts), np.int64, len(layouts))
    byte_strides = [tuple(stride * unit for stride in strides) for _, strides in known]
    in_elements = [
        (tuple(shape), tuple(stride // size for stride in in_bytes))
        for (shape, _), in_bytes in zip(known, byte_strides)
    ]
    addresses = addresses_of(arrays)
    address_bits = int(np.bitwise_or.reduce(addresses))
    views = ItemViews(arrays, addresses, in_elements, numbers, arrays[0].itemsize, queue)
    return Columns(views, str(arrays[0].dtype), writable, byte_strides, _power_of_two(address_bits))


def _power_of_two(number: int) -> int:
    """The greatest power of two that divides a number; for 0, a multiple of every alignment."""
    return number & -number if number else 1 << 32


def _usm_addresses(arrays: Sequence[Any]) -> Any:
    import numpy as np

    return np.fromiter(map(attrgetter("_pointer"), arrays), np.int64, len(arrays))


def _numpy_addresses(arrays: Sequence[Any]) -> Any:
    """Where the elements of NumPy arrays begin.

    NumPy says that in `__array_interface__`, which takes 2 µs. The address is the first field of PyArrayObject, where
    programs that are compiled against NumPy read it, and where it is read here for all arrays at once.
    """
    import numpy as np

    memory = _memory()
    if memory is None:
        return np.fromiter((array.ctypes.data for array in arrays), np.int64, len(arrays))
    objects = np.fromiter(map(id, arrays), np.int64, len(arrays))
    return memory[(objects + (_HEADER - _FIRST)) >> 3]


def numpy_address(array: Any) -> int:
    """Where the elements of a NumPy array begin, whose type is no subclass."""
    words = words_of_memory()
    return int(array.ctypes.data) if words is None else words[(id(array) + (_HEADER - _FIRST)) >> 3]


def place_of_address(array: str) -> str:
    """The expression of Python for the place in `words_of_memory` of the address of an array with this name."""
    return f"id({array}) + {_HEADER - _FIRST} >> 3"


@cache
def words_of_memory() -> Any:
    """The words of the process's memory: Python's integers take half the time of NumPy's. None where they can't be had.

    Only the words of live objects are read.
    """
    memory = _memory()
    return None if memory is None else memoryview(memory)


class _AllMemory:
    """The words of the process's memory, from the second on; only the words of live objects are read."""

    __array_interface__ = {"data": (_FIRST, True), "shape": (1 << 59,), "typestr": "<i8", "version": 3}


@cache
def _memory() -> Any:
    """The memory that holds objects, as an array; None where an object's address or its fields are elsewhere."""
    import numpy as np

    if sys.implementation.name != "cpython" or sys.maxsize < 1 << 62 or sys.byteorder != "little":
        return None
    memory = np.asarray(_AllMemory())
    whole = np.zeros((5, 7))
    for array in (whole, whole[2:, 3:], np.arange(3, dtype=np.int8)[1:]):
        if int(memory[(id(array) + _HEADER - _FIRST) >> 3]) != array.ctypes.data:
            return None
    return memory


class ArrayGroup:
    """The arrays of a group, read once: see `pytl.group`."""

    def __init__(self, columns: Columns | None) -> None:
        self.columns = columns
        """None without arrays."""
        self.views: Sequence[ArrayView] = () if columns is None else columns.views
        self.arrays: Sequence[Any] = () if columns is None else columns.views.arrays
        self.bound: dict[Any, Any] = {}
        """Bound arguments by the requirements of parameters."""
        self.key: Any = None
        """The part of a plan's key: groups whose items differ in shape have different plans."""
        self.address = 0
        if columns is not None:
            views = columns.views
            layout = views.layouts[0] if views.numbers is None else object()
            self.key = (columns.dtype, layout, len(views), columns.alignment, columns.writable, views.queue)
            self.address = int(views.addresses[0])

    def __len__(self) -> int:
        return len(self.arrays)

    def __getitem__(self, item: int) -> Any:
        return self.arrays[item]

    def __repr__(self) -> str:
        if self.columns is None:
            return "<pytl.ArrayGroup of 0 arrays>"
        layouts = self.columns.views.layouts
        shape = "x".join(map(str, layouts[0][0])) if len(layouts) == 1 else f"{len(layouts)} layouts"
        return f"<pytl.ArrayGroup of {len(self)} arrays of {self.columns.dtype}, {shape}>"

    def __reduce__(self) -> NoReturn:
        raise LaunchError.single(
            rules.OF_THIS_PROCESS,
            "a pytl.ArrayGroup holds addresses of this process, and cannot be pickled",
            call_site(),
            "pickle the arrays, and make a group of them where they are read",
        )


def group(arrays: Any) -> ArrayGroup:
    """The arrays of a group, read once: their addresses and shapes, for any number of launches.

    Parameters: `arrays`, a list or tuple of arrays of NumPy, dpctl or dpnp, all of one data type, with any shapes, and
    on one queue. The result is passed wherever a group's list of arrays is. A list is read at each launch that it is
    passed to; this is not, and its table of addresses is kept on the device. It keeps the arrays alive. What is
    written to the arrays is seen by launches; arrays that are moved, as by `ndarray.resize`, need a new group.

    Raises `pytl.LaunchError` for anything but a list of such arrays (PYTL-2064). Manual: Group type.

    >>> import numpy as np
    >>> import pytl
    >>> from pytl import Group, Memref, f32
    >>> @pytl.kernel
    ... def total(G: Group[f32, 4], y: Memref[f32, 4, ...]):
    ...     g = pytl.group_id()
    ...     pytl.axpby(1.0, G[g], 1.0, y[:, g])
    >>> items = pytl.group([np.full(4, n, np.float32) for n in range(3)])
    >>> items
    <pytl.ArrayGroup of 3 arrays of float32, 4>
    >>> y = np.zeros((4, 3), np.float32, order="F")
    >>> total[...](items, y, backend="reference")
    >>> y[0].tolist()
    [0.0, 1.0, 2.0]
    """
    if isinstance(arrays, ArrayGroup):
        return arrays
    if not isinstance(arrays, (list, tuple)):
        array = "one array is passed as it is: its last mode counts the items" if hasattr(arrays, "shape") else None
        raise _refused(f"group is passed {what(arrays)}", array or "pass a list of arrays")
    arrays = list(arrays)  # the caller's list may change
    columns = gather(arrays) if arrays else None
    return ArrayGroup(columns or _one_by_one(arrays) if arrays else None)


def _one_by_one(arrays: list[Any]) -> Columns:
    """Of arrays of several kinds."""
    import numpy as np

    members: list[Described] = []
    for position, array in enumerate(arrays):
        try:
            described = describe(array)
        except ExportRefused as refused:
            raise _refused(f"array {position} {refused.message}", refused.help) from None
        if described is None:
            raise _refused(f"array {position} is {what(array)}", "pass arrays of NumPy, dpctl or dpnp")
        members.append(described)
    first = members[0]
    for position, each in enumerate(members):
        if each.dtype != first.dtype:
            message = f"array {position} has the data type {each.dtype}, but array 0 has {first.dtype}"
            raise _refused(message, "pass arrays of one data type")
        if each.view.queue != first.view.queue:
            raise _refused(f"array {position} and array 0 are on different queues", "pass arrays on one queue")
    layouts = [(each.view.shape, each.view.strides, each.byte_strides) for each in members]
    known = {layout: number for number, layout in enumerate(dict.fromkeys(layouts))}
    numbers = np.array([known[layout] for layout in layouts], np.int64) if len(known) > 1 else None
    addresses = np.array([each.view.address for each in members], np.int64)
    address_bits = int(np.bitwise_or.reduce(addresses))
    views = ItemViews(
        [each.view.array for each in members],
        addresses,
        [(shape, strides) for shape, strides, _ in known],
        numbers,
        first.item_size,
        first.view.queue,
    )
    writable = all(each.writable for each in members)
    return Columns(views, first.dtype, writable, [in_bytes for *_, in_bytes in known], _power_of_two(address_bits))


def _refused(message: str, help: str) -> LaunchError:
    refused = LaunchError.single(rules.GROUP_OF, message, call_site(), help)
    assert isinstance(refused, LaunchError)
    return refused
