"""The shorter way of launches that differ from an earlier one in addresses and numbers only."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any

import numpy as np

from ...devices.usm import library_of
from ...process import forks
from ..base import Argument, GroupArgument, MemrefArgument
from ..overlap import views_of
from . import events, keep_alive, launch, queues
from .builds import Built
from .memory import Transfer, upload, uses_host_memory

MAX_ADDRESSES = 1 << 16
"""Items up to which a group's addresses are kept; for more, writing them again costs little compared to the kernel."""


def is_repeatable(arguments: Sequence[Argument], queue: Any) -> bool:
    """Whether all memory is used in place, and few other arguments have to be passed."""
    in_place = uses_host_memory(queue) or all(view.queue is not None for view, _ in views_of(arguments))
    return in_place and all(
        not isinstance(a, GroupArgument) or not a.strided or a.count <= MAX_ADDRESSES for a in arguments
    )


class RepeatedLaunch:
    """Launches of a kernel on a queue; holds the arguments that all launches share, and no array of the user's."""

    def __init__(
        self,
        built: Built,
        arguments: Sequence[Argument],
        queue: Any,
        refused: Callable[[Exception], Exception],
    ) -> None:
        self._refused = refused
        self._queue = queue
        # see SyclBackend.launch; a kernel without arrays has nothing that others could be working on
        self._waits_before = not queue.is_in_order and bool(views_of(arguments))
        self._built = built
        self._prepared = launch.PreparedLaunch(built.kernel, queue, built.interface.items, is_repeated=True)
        self._units = queue.sycl_device.max_compute_units
        self._wait, self._delete = self._prepared.wait, self._prepared.delete
        self._lock = queues.lock_of(queue)  # nor does another thread write arguments meanwhile
        self._tables: list[_Addresses] = []
        self._varying: list[tuple[int, Callable[[Any], None]]] = []
        self._listed: list[tuple[int, Callable[[Any], None]]] = []
        """The places of groups of arrays of their own, which have their tables of addresses with them."""
        transfer = Transfer(queue, arguments)
        self._write_groups: list[Callable[[int], None]] = []
        self._write_share: list[Callable[[int], None]] = []
        for parameter, write in zip(built.interface.parameters, self._prepared.write):
            if parameter.source in ("group_count", "share"):
                (self._write_share if parameter.source == "share" else self._write_groups).append(write)
                continue
            argument = arguments[parameter.parameter]
            if parameter.source == "addresses":
                assert isinstance(argument, GroupArgument)
                if not argument.strided:
                    self._listed.append((parameter.parameter, write))
                    continue
                write = _Addresses(argument, queue, write)
                self._tables.append(write)
            elif parameter.source not in ("value", "data"):
                write(transfer.value(parameter))
                continue
            self._varying.append((parameter.parameter, write))
        self._constant = transfer.kept
        self._written: Sequence[Any] | None = None
        """The addresses and numbers that were written last."""
        self._places = [number for number, each in enumerate(arguments) if isinstance(each, MemrefArgument)]
        self._passed: list[tuple[int, Callable[[], Any]]] | None = None
        """What the driver knows the memory of, by the last launch that was waited for: see `_references`. None where
        something was written since."""
        self._launched = 0
        """The work-groups of that launch which the device counts."""

    def __call__(
        self, arguments: Sequence[Any], values: Sequence[Any], groups: int, depends: Sequence[Any], wait: bool
    ) -> Any:
        me = get_ident()
        try:
            forks.inside[me] = True
            if forks.closed:
                forks.begin_again()
            with self._lock:
                if values is not self._written or self._listed:
                    self._write(arguments, values, groups)
                self._built.launches += 1
                if wait:
                    if self._waits_before or not self._launched:
                        self._queue.wait()
                    if not self._launched:
                        return None
                    passed = self._passed
                    is_known = passed is not None and _are_there(passed, arguments)
                    self._prepared.are_alike = is_known
                    event = self._prepared.submit(self._launched, is_awaited=True)
                    if not is_known:
                        self._passed = _references(arguments, self._places)
                else:
                    depends = [*depends, *queues.begun(self._queue)]
                    event = self._prepared.submit(self._launched, depends)
                    tables = [table.held for table in self._tables] if self._tables else None
            if wait:
                self._wait(event)
                self._delete(event)
                return None
            if arguments:
                keep_alive.keep_alive_until(events.copy_of(event), (arguments, tables, self._constant))
            return events.python_event(event)
        except BaseException as error:
            # Ctrl-C comes between any two steps, even before the event has a name, and the arrays may be freed once the
            # caller has the exception. So this waits for the queue in its first step: Python checks for another signal
            # between steps, and here there is none.
            self._queue.wait()
            if isinstance(error, RuntimeError):
                raise self._refused(error) from None
            raise
        finally:
            forks.inside.pop(me, None)

    def _write(self, arguments: Sequence[Any], values: Sequence[Any], groups: int) -> None:
        """Write what differs from launch to launch."""
        self._written = self._passed = None
        for position, write in self._varying:
            write(values[position])
        for position, write in self._listed:
            write(arguments[position].views.placed(self._queue, upload)[1])
        self._launched = groups
        if self._write_share:
            share = self._built.interface.share(groups, self._units)
            self._write_share[0](share)
            self._write_groups[0](groups)
            self._launched = -(-groups // share)
        self._written = values

    def bound(self, arguments: Sequence[Any], values: Sequence[Any], groups: int) -> Callable[[], None]:
        """Launches that differ in nothing, and wait. Nothing else is to be launched through this object then, and the
        caller keeps the arrays."""
        self._write(arguments, values, groups)
        launch_again = self._launching(self._launched, lambda: True)

        def launch() -> None:
            launch_again()
            self._prepared.are_alike = True

        return launch

    def again(
        self, arguments: Sequence[Any], values: Sequence[Any], groups: int, passed: Sequence[Any]
    ) -> Callable[[Sequence[Any]], bool] | None:
        """What launches again where a call passes the same arrays of devices, as they were, and the same numbers as it
        `passed` now, and says whether it did. None where the driver does not know these arrays, or others are passed.

        Of such an array, its shape and whether it may be written are all that can change.
        """
        known = self._passed
        if values is not self._written or known is None or not _are_there(known, arguments) or not self._launched:
            return None
        arrays: list[tuple[int, Callable[[], Any], Any, bool]] = []
        numbers: list[tuple[int, Any]] = []
        for place, each in enumerate(passed):
            if library_of(each) is not None:
                arrays.append((place, weakref.ref(each), each.shape, bool(each.flags.writable)))
            elif type(each) in (bool, int, float, complex):
                numbers.append((place, each))
            else:
                return None
        count = len(passed)

        def is_written() -> bool:
            self._prepared.are_alike = values is self._written and known is self._passed
            return self._prepared.are_alike

        launch_again = self._launching(self._launched, is_written)

        def launch_same(call: Sequence[Any]) -> bool:
            if len(call) != count:
                return False
            for place, number in numbers:
                if call[place] is not number:
                    return False
            for place, refer, shape, is_writable in arrays:
                array = call[place]
                is_same = refer() is array and array.shape == shape and bool(array.flags.writable) is is_writable
                if not is_same:
                    return False
            return launch_again()

        return launch_same

    def _launching(self, launched: int, is_written: Callable[[], bool]) -> Callable[[], bool]:
        """What launches, and waits, if all is written still for its arguments. Returns whether it is."""
        submit, wait, delete = self._prepared.submit, self._wait, self._delete
        queue, lock, built, waits_before = self._queue, self._lock, self._built, self._waits_before or not launched

        def launch_again() -> bool:
            me = get_ident()
            try:
                forks.inside[me] = True
                if forks.closed:
                    forks.begin_again()
                with lock:
                    if not is_written():
                        return False
                    if waits_before:
                        queue.wait()
                    event = submit(launched, is_awaited=True) if launched else None
                    built.launches += 1
                if launched:
                    wait(event)
                    delete(event)
                return True
            except BaseException as error:
                queue.wait()  # as in __call__
                if isinstance(error, RuntimeError):
                    raise self._refused(error) from None
                raise
            finally:
                forks.inside.pop(me, None)

        return launch_again


def _references(arguments: Sequence[Any], places: Sequence[int]) -> list[tuple[int, Callable[[], Any]]] | None:
    """The places of arrays of devices, and what gives these as long as somebody else holds them, and their memory is
    there. Of NumPy's own memory the driver knows nothing. None if there is an array of which neither can be said.
    """
    try:
        return [(place, weakref.ref(arguments[place])) for place in places if not _is_numpys(arguments[place])]
    except TypeError:
        return None


def _are_there(references: Sequence[tuple[int, Callable[[], Any]]], arguments: Sequence[Any]) -> bool:
    """Whether these are the arrays that are referred to."""
    return all(refer() is arguments[place] for place, refer in references)


def _is_numpys(array: Any) -> bool:
    """Whether an array is in memory that NumPy has allocated. Raises TypeError for one of NumPy's in other memory.

    To an array of NumPy's there is no reference, as `resize` refuses one that has some.
    """
    if not isinstance(array, np.ndarray):
        return False
    while isinstance(array, np.ndarray):
        array = array.base
    if array is not None:
        raise TypeError("memory of others may be a device's")
    return True


class _Addresses:
    """The addresses of a group's items in one array, written again where the array's address has changed."""

    def __init__(self, group: GroupArgument, queue: Any, write: Callable[[int], None]) -> None:
        self._steps = group.step * np.arange(group.count, dtype=np.int64)
        self._queue, self._write = queue, write
        self._base: int | None = None
        self.held: Any = None

    def __call__(self, base: int) -> None:
        if base != self._base:
            # a launch that has not ended may still read the old ones
            self.held, address = upload(base + self._steps, self._queue)
            self._write(address)
            self._base = base  # the last step: an interrupted launch writes the table anew
