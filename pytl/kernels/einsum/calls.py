"""`pytl.einsum` and `pytl.einsum_path`: contractions by kernels that are made once for arrays of one kind."""

from __future__ import annotations

import operator
import string
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from ...diagnostics import LanguageError, LaunchError, Location, Rule, Source, call_site
from ...ir.types import ScalarType, promotable, promote_all
from ...ir.values import Module
from ...launch.arrays.arrays import dtype_names, permuted_array
from ...ops.subscripts import ELLIPSIS, SubscriptProblem, Subscripts
from ...process import forks
from ...process.records import dataclass
from ..kernel import Kernel
from ..kernel import compile as compile_module
from .arrays import ARRAYS, Array, Cast, Casts, fail, is_apart, layouts_of, new_array
from .copies import Copies
from .matrices import MatrixProduct
from .memory import arrays_between
from .plan import Plan
from .report import EinsumPath, report_of
from .work import Work

LISTS = Rule(
    "PYTL-2095",
    "in pytl.einsum, subscripts are a string that comes first, or each operand is followed by the list of its indices, "
    "numbers from 0 to 51 or an ellipsis",
    "Contractions",
)
LETTERS = string.ascii_uppercase + string.ascii_lowercase
"""The letters of numbered indices: the order of both is the same, as in NumPy."""
Value = TypeVar("Value")
MAX_KERNELS = 256
"""Kernels that are kept: one for each subscripts, types, shapes and strides."""

_lock = forks.lock()
_kernels: OrderedDict[Any, Kernel] = OrderedDict()


def einsum(
    subscripts: Any,
    *operands: Any,
    out: Any = None,
    dtype: Any = None,
    casting: Cast = "safe",
    backend: str | None = None,
) -> Any:
    """The contraction of arrays that `numpy.einsum` computes, by a kernel that is made, compiled and kept for it.

    Parameters: `subscripts` are those of `numpy.einsum`, as `"gik,kj->gij"`, with `...`, with or without `->`; `[k]`
    and `(jn)` are as in `pytl.contract`. `operands` are arrays of NumPy, dpctl or dpnp, or what exports its memory, of
    any order and any strides: C or Fortran, the batch first or last. They are used where they are, without a copy, as
    long as their strides are positive and each mode ends before the next one begins. Numbers and lists are taken as
    NumPy's arrays; a number of Python has the type of the arrays, where that has its kind. A mode of size 1 is repeated
    where another operand has more. In place of subscripts, each operand may be followed by the list of its indices,
    numbers from 0 to 51 or `...`, and the output's list may come last: `einsum(A, [0, 1], B, [1, 2], [0, 2])`.

    `out` is the array that the result is written to; where it shares memory with an operand, the result is computed
    before. `dtype` is the type of NumPy's that is computed in: that of `numpy.result_type` without it. `casting` says
    which casts of operands to it, and of it to `out`'s, are allowed, as `numpy.can_cast` does. `backend` is that of a
    launch.

    Indices that all tensors have become the work-groups; without one, pieces of the output's outermost index.

    Returns `out`, or a new array in C order, of the kind and on the queue of the operands; a number of NumPy where the
    output has no index. Raises `pytl.LaunchError` with the place in the subscripts, where these do not fit the arrays
    (PYTL-0690 to PYTL-0693), for what is no array (PYTL-2070), masked or has a meaning of its own (PYTL-2094), for a
    cast that is not allowed (PYTL-2093), and for lists that are no indices (PYTL-2095). YATeTo's immediate language:
    Index notation.

    >>> import numpy as np
    >>> import pytl
    >>> A, B = np.arange(24.0).reshape(2, 3, 4), np.ones((4, 5))
    >>> np.array_equal(pytl.einsum("gik,kj->gij", A, B, backend="reference"), A @ B)
    True
    """
    text, shown, operands = _read(subscripts, operands)
    key = _key_of(text, operands, out, dtype, casting)
    recipe = _recipes.get(key) if key is not None else None
    if recipe is not None:
        return recipe.result(operands, out, backend)
    with _reported_at_call():
        return _einsum(_Call.of(text, shown, operands, Casts(dtype, casting)), out, backend, key)


def einsum_path(
    subscripts: Any, *operands: Any, out: Any = None, dtype: Any = None, casting: Cast = "safe"
) -> EinsumPath:
    """How `einsum` computes a contraction of these operands: the order, its operations, and what each step becomes.

    The arguments are those of `einsum`, and nothing is computed. Returns what prints as a table: of each launch its
    work-groups, and of each step in it the numbers of its operands, its subscripts, how many multiplications and
    additions it is, and the instruction that it becomes, with the reason where indices are looped over. Operands have
    numbers from 0 on, and results of steps the next ones. Indices in lists and under `...` are shown as letters.
    Raises what `einsum` raises. YATeTo's immediate language: Loop-over-GEMM.

    >>> import numpy as np
    >>> import pytl
    >>> path = pytl.einsum_path("kl,lq,qp->kp", np.ones((56, 35)), np.ones((35, 9)), np.ones((9, 9)))
    >>> [(step.operands, step.subscripts, step.operations) for step in path.steps]
    [((1, 2), 'lq,qp->pl', 5670), ((0, 3), 'kl,pl->kp', 35280)]
    """
    text, shown, operands = _read(subscripts, operands)
    with _reported_at_call():
        call = _Call.of(text, shown, operands, Casts(dtype, casting))
        target = None if out is None else _target(call, out)
        if target is None or not _is_written_in_place(call, target):
            target = call.arrays[0].new_like(call.shape, dtype_names(call.element)[0])
        if 0 in call.sizes.values():
            return report_of(call.subscripts, None, call.sizes)
        arrays = [array.in_order() for array in (*call.arrays, target)]
        return report_of(call.subscripts, Plan.of(call.subscripts, arrays), call.sizes)


def _read(subscripts: Any, operands: tuple[Any, ...]) -> tuple[str, dict[str, str | None] | None, tuple[Any, ...]]:
    """The subscripts as a string, what letters are called where they are not written, and the operands."""
    return (subscripts, None, operands) if isinstance(subscripts, str) else _of_lists((subscripts, *operands))


@contextmanager
def _reported_at_call() -> Iterator[None]:
    """Errors of subscripts, and those of the kernel that would be made, as errors of the call."""
    try:
        yield
    except SubscriptProblem as problem:
        raise LaunchError.single(problem.rule, problem.message, problem.location or call_site(), problem.help) from None
    except LanguageError as error:
        raise LaunchError(error.diagnostics) from None


def _of_lists(arguments: Sequence[Any]) -> tuple[str, dict[str, str | None], tuple[Any, ...]]:
    """Operands that are each followed by a list of indices: the subscripts, what letters are called, the operands."""
    has_output = len(arguments) % 2 == 1 and len(arguments) > 1
    lists = [*arguments[1::2], *arguments[-1:]] if has_output else list(arguments[1::2])
    wrong = next((number for number, item in enumerate(lists) if not isinstance(item, (list, tuple))), None)
    if not lists or wrong == 0:
        message = "the subscripts are no string, and no list of indices follows the first operand"
        raise fail(LISTS, message, 'write einsum("ik,kj->ij", A, B)')
    if wrong is not None:
        raise fail(LISTS, f"no list of indices follows operand {wrong}", "write einsum(A, [0, 1], B, [1, 2])")
    shown: dict[str, str | None] = {}
    terms = ["".join(_letter_of(item, shown) for item in items) for items in lists]
    text = ",".join(terms[:-1]) + "->" + terms[-1] if has_output else ",".join(terms)
    return text, shown, tuple(arguments[: len(arguments) - has_output : 2])


def _letter_of(item: Any, shown: dict[str, str | None]) -> str:
    if item is Ellipsis:
        return ELLIPSIS
    number = -1
    if not isinstance(item, (bool, str)):
        with suppress(TypeError):
            number = operator.index(item)
    if not 0 <= number < len(LETTERS):
        raise fail(LISTS, f"{item!r} is no index", "write a number from 0 to 51, or ...")
    shown[LETTERS[number]] = str(number)
    return LETTERS[number]


@dataclass(frozen=True)
class _Recipe:
    """What a call with arrays of some types, shapes and strides came to; it serves the next such call."""

    launches: _Launches
    views: Sequence[tuple[Any, tuple[int, ...]]]
    """Of each array, the output's last: what is taken of it, all where that is None, and the order of its memory."""
    shape: tuple[int, ...]
    dtype: Any

    def result(self, operands: Sequence[Any], out: Any, backend: str | None) -> Any:
        target = new_array(operands[0], self.shape, self.dtype) if out is None else out
        views = [
            permuted_array(array if taken is None else array[taken], order)
            for array, (taken, order) in zip((*operands, target), self.views)
        ]
        self.launches.run(views, backend)
        return target if out is not None else _value_of(target)


@dataclass(frozen=True)
class _Launches:
    """The kernels of a plan."""

    plan: Plan
    kernels: Sequence[Kernel]
    element: ScalarType

    @classmethod
    def of(cls, plan: Plan, element: ScalarType) -> _Launches:
        return cls(plan, [_kernel_for(stage.work) for stage in plan.stages], element)

    def run(self, views: Sequence[Any], backend: str | None) -> None:
        with arrays_between(views[0], self.plan.between, self.element) as between:
            arrays = [*views, *between]
            for kernel, stage in zip(self.kernels, self.plan.stages):
                kernel[stage.work.groups](*(arrays[number] for number in stage.arrays), backend=backend)


_recipes: OrderedDict[Any, _Recipe] = OrderedDict()
_launches: OrderedDict[Any, _Launches] = OrderedDict()


def _key_of(text: str, operands: Sequence[Any], out: Any, dtype: Any, casting: Cast) -> Any:
    """What decides a recipe; None where an array is no plain one, or out shares memory with an operand."""
    numpy = sys.modules.get("numpy")
    arrays = operands if out is None else (*operands, out)
    layouts = layouts_of(arrays)
    if numpy is None or layouts is None or (out is not None and not is_apart(out, operands)):
        return None
    if dtype is not None and not isinstance(dtype, (str, type, numpy.dtype)):
        return None
    return text, out is None, dtype, casting, layouts


@dataclass(frozen=True)
class _Call:
    """What is contracted: subscripts without modes that are repeated, and arrays that have a common type."""

    subscripts: Subscripts
    arrays: Sequence[Array]
    element: ScalarType
    sizes: Mapping[str, int]
    casts: Casts

    @classmethod
    def of(cls, text: str, shown: Mapping[str, str | None] | None, operands: Sequence[Any], casts: Casts) -> _Call:
        whole_arrays, element = casts.of_operands(operands)
        locate = _locator(text) if shown is None else lambda start, end: None
        read = Subscripts.read(text, [len(array.shape) for array in whole_arrays], locate, shown)
        shapes = [array.shape for array in whole_arrays]
        remaining, kept_modes = read.without_repeated(shapes)
        arrays = [array.keeping(modes) for array, modes in zip(whole_arrays, kept_modes)]
        if not _is_one_product(remaining) or promote_all(array.element for array in arrays) != element:
            arrays = [array.converted(element) for array in arrays]
        sizes = {name: n for i, array in zip(remaining.inputs, arrays) for name, n in zip(i.names, array.shape)}
        return cls(remaining, arrays, element, sizes, casts)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.sizes[name] for name in self.subscripts.output.names)


def _is_one_product(subscripts: Subscripts) -> bool:
    """Whether it is a product of two tensors without a sum before it, so that each number is cast where it is read."""
    names = [indices.names for indices in (*subscripts.inputs, subscripts.output)]
    counts = Counter("".join(names))
    return len(names) == 3 and all(len(set(n)) == len(n) for n in names) and min(counts.values(), default=2) > 1


def _einsum(call: _Call, out: Any, backend: str | None, key: Any) -> Any:
    shape, operands = call.shape, call.arrays
    name = dtype_names(call.element)[0]
    target = operands[0].new_like(shape, name) if out is None else _target(call, out)
    if 0 in call.sizes.values():
        target.array[...] = 0
        return _result(out, target, operands)
    written = target
    if out is not None and not _is_written_in_place(call, target):
        written = operands[0].new_like(shape, name)
    arrays = [array.in_order() for array in (*operands, written)]
    launches = _launches_for(call, arrays)
    launches.run([array.array for array in arrays], backend)
    if written is not target:
        target.assign(written)
    elif key is not None and all(array.is_view for array in arrays):
        views = [(array.taken, array.order) for array in arrays]
        _keep(_recipes, key, _Recipe(launches, views, shape, target.dtype))
    return _result(out, target, operands)


def _launches_for(call: _Call, arrays: Sequence[Array]) -> _Launches:
    """The kernels for arrays in the order of memory; the plan is made once for their types, shapes and strides."""
    operands = (*call.subscripts.inputs, call.subscripts.output)
    layouts = tuple((array.element, array.shape, array.strides, tuple(array.order)) for array in arrays)
    key = tuple(map(str, operands)), layouts
    return _cached(_launches, key, lambda: _Launches.of(Plan.of(call.subscripts, arrays), call.element))


def _target(call: _Call, out: Any) -> Array:
    """The array that is passed as out."""
    import numpy

    if isinstance(out, (list, tuple, int, float, complex, numpy.generic)):
        message = f"out is of type {type(out).__name__}, which nothing can be written to"
        raise fail(ARRAYS, message, "pass an array: numpy.empty(…)")
    array = Array.of(out, "out")
    if array.shape != call.shape:
        message = f"out has the shape {array.shape}, but the result {call.shape}"
        raise fail(ARRAYS, message, "pass an array of this shape, or leave out= out")
    if not array.is_writable or array.overlaps_itself:
        message = "out is read-only" if not array.is_writable else "elements of out overlap"
        raise fail(ARRAYS, message, "pass an array of its own memory: out.copy()")
    call.casts.check_out(call.element, array)
    return array


def _is_written_in_place(call: _Call, out: Array) -> bool:
    """Whether a kernel can write to it, with the casts that the language has."""
    has_casts = promotable(call.element, out.element)
    return has_casts and out.has_order and not any(out.may_share(array) for array in call.arrays)


def _result(out: Any, target: Array, operands: Sequence[Array]) -> Any:
    if out is not None:
        return out
    if any(array.kind == "dpnp" for array in operands):
        import dpnp

        return dpnp.asarray(target.array)
    return _value_of(target.array)


def _value_of(array: Any) -> Any:
    """A new result: a number of NumPy where it has no index."""
    return array[()] if not array.shape and not hasattr(array, "sycl_queue") else array


def _locator(text: Any) -> Any:
    """The places of characters of the subscripts: in the user's line, where they are written there."""
    site = call_site()
    source, line, first = Source("<subscripts>", str(text)), 1, 0
    if site is not None and isinstance(text, str):
        written = site.source.line(site.line)
        literals = [quote + text + quote for quote in "\"'" if quote + text + quote in written]
        if len(literals) == 1 and written.count(literals[0]) == 1:
            source, line, first = site.source, site.line, written.index(literals[0]) + 1

    def location_of(start: int, end: int) -> Location:
        return Location(
            source, line, first + start + 1, line, first + end + 1, site.function if first and site else None
        )

    return location_of


# Kernels.


def _kernel_for(work: Work | MatrixProduct | Copies) -> Kernel:
    """The kernel of what work-groups compute."""
    return _cached(_kernels, work.key, lambda: compile_module(Module([work.function()]))["einsum"])


def _cached(cache: OrderedDict[Any, Value], key: Any, make: Callable[[], Value]) -> Value:
    """The value that is kept for a key, which is the latest one then; else a new one."""
    with _lock:
        value = cache.get(key)
        if value is not None:
            cache.move_to_end(key)
            return value
    new_value = make()
    _keep(cache, key, new_value)
    return new_value


def _keep(cache: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    """Keep a value, and drop the oldest where there are too many."""
    with _lock:
        cache[key] = value
        while len(cache) > MAX_KERNELS:
            cache.popitem(last=False)
