"""`pytl.einsum`: a contraction of arrays by a kernel that is made for it, compiled once for arrays of one kind."""

from __future__ import annotations

import math
import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from . import forks
from .analysis.contraction_steps import ALIGNMENT, memory_for, steps_of
from .diagnostics import LanguageError, LaunchError, Location, Rule, Source, call_site
from .ir.types import DYNAMIC, SCALAR_TYPES, Extent, MemrefType, ScalarType, index, promote
from .ir.values import Function, Module, Region, Value
from .kernel import Kernel
from .kernel import compile as compile_module
from .ops import Alloca, Builtin, Subview
from .ops.builder import Builder
from .ops.index_notation import Indices, Piece
from .ops.subscripts import SubscriptProblem, Subscripts
from .ops.views import Slice
from .runtime.arrays import Described, describe, dtype_names
from .runtime.foreign import ExportRefused

ARRAYS = Rule(
    "PYTL-2070",
    "pytl.einsum takes arrays whose elements have a type of the language, all of the host or all of one queue",
    "Contractions",
)
FUSED = Rule(
    "PYTL-0694",
    "fused indices are next to each other in memory, in the order in which they are written",
    "Contractions",
)
MOST_KERNELS = 256
"""Kernels that are kept: one for each subscripts, types, shapes and strides."""
LARGEST_PIECE = 64
"""The most of an index that a work-group computes, where no index is that of items."""

_lock = forks.lock()
_kernels: OrderedDict[Any, tuple[Kernel, int]] = OrderedDict()


def einsum(subscripts: str, *operands: Any, out: Any = None, backend: str | None = None) -> Any:
    """The contraction of arrays that `numpy.einsum` computes, by a kernel that is made, compiled and kept for it.

    Parameters: `subscripts` are those of `numpy.einsum`, as `"gik,kj->gij"`, with `...`, with or without `->`; `[k]`
    and `(jn)` are as in `pytl.contract`. `operands` are arrays of NumPy, dpctl or dpnp, or what exports its memory, of
    any order and any strides: C or Fortran, the batch first or last. They are used where they are, without a copy, as
    long as their strides are positive and each mode ends before the next one begins. `out` is the array that the result
    is written to. `backend` is that of a launch.

    Indices that all tensors have become the work-groups; without one, pieces of the output's outermost index. Operands
    of different types are computed in the type that holds both, or, where none of the language does, in that of
    `numpy.result_type`.

    Returns `out`, or a new array in C order, of the kind and on the queue of the operands; a number of NumPy where the
    output has no index. Raises `pytl.LaunchError` with the place in the subscripts, where these do not fit the arrays
    (PYTL-0690 to PYTL-0693), and for what is no array (PYTL-2070). YATeTo's immediate language: Index notation.

    >>> import numpy as np
    >>> import pytl
    >>> A, B = np.arange(24.0).reshape(2, 3, 4), np.ones((4, 5))
    >>> np.array_equal(pytl.einsum("gik,kj->gij", A, B, backend="reference"), A @ B)
    True
    """
    if not isinstance(subscripts, str):
        raise LaunchError.single(ARRAYS, f"the subscripts are {subscripts!r}, not a string", call_site())
    key = _key_of(subscripts, operands, out)
    recipe = _recipes.get(key) if key is not None else None
    if recipe is not None:
        return recipe.result(operands, out, backend)
    given = [_Array.of(operand, f"operand {number}") for number, operand in enumerate(operands)]
    try:
        return _einsum(subscripts, given, out, backend, key)
    except SubscriptProblem as problem:
        raise LaunchError.single(problem.rule, problem.message, problem.place or call_site(), problem.help) from None
    except LanguageError as error:  # of the kernel that would be made
        raise LaunchError(error.diagnostics) from None


@dataclass(frozen=True)
class _Recipe:
    """What a call with NumPy arrays of some types, shapes and strides came to; it serves the next such call."""

    kernel: Kernel
    groups: int
    orders: Sequence[tuple[int, ...]]
    """The order of memory of each array, the output's last."""
    shape: tuple[int, ...]
    dtype: Any

    def result(self, operands: Sequence[Any], out: Any, backend: str | None) -> Any:
        import numpy

        target = numpy.empty(self.shape, self.dtype) if out is None else out
        views = [array.transpose(order) for array, order in zip((*operands, target), self.orders)]
        self.kernel[self.groups](*views, backend=backend)
        return target[()] if out is None and not self.shape else target


_recipes: OrderedDict[Any, _Recipe] = OrderedDict()


def _key_of(subscripts: str, operands: Sequence[Any], out: Any) -> Any:
    """What decides a recipe; None where an array is not NumPy's own."""
    numpy = sys.modules.get("numpy")
    arrays = operands if out is None else (*operands, out)
    if numpy is None or any(type(array) is not numpy.ndarray for array in arrays):
        return None
    return subscripts, out is None, tuple((array.dtype, array.shape, array.strides) for array in arrays)


def _einsum(subscripts: str, given: list[_Array], out: Any, backend: str | None, key: Any) -> Any:
    read = Subscripts.read(subscripts, [len(array.shape) for array in given], _places(subscripts))
    read.check_sizes([array.shape for array in given])
    sizes = {name: n for i, array in zip(read.inputs, given) for name, n in zip(i.names, array.shape)}
    before = given
    given, dtype = _of_one_type(given)
    shape = tuple(sizes[name] for name in read.output.names)
    target = _Array.of(_new_like(given[0], shape, dtype) if out is None else out, "out")
    if target.shape != shape:
        message = f"out has the shape {target.shape}, but the result {shape}"
        raise LaunchError.single(ARRAYS, message, call_site(), "pass an array of this shape, or leave out= out")
    if 0 in sizes.values():
        target.array[...] = 0
        return _result(out, target, given)
    arrays = [_in_order(array) for array in (*given, target)]
    if not arrays[-1].is_view:
        message = "the elements of out overlap, or lie in memory backwards"
        raise LaunchError.single(ARRAYS, message, call_site(), "pass an array with positive strides")
    kernel, groups = _kernel_for(read, arrays)
    kernel[groups](*(array.array for array in arrays), backend=backend)
    if key is not None and given is before and all(array.is_view for array in arrays):
        orders = [array.order for array in arrays]
        with _lock:
            _recipes[key] = _Recipe(kernel, groups, orders, shape, target.array.dtype)
            while len(_recipes) > MOST_KERNELS:
                _recipes.popitem(last=False)
    return _result(out, target, given)


def _places(text: Any) -> Any:
    """The places of characters of the subscripts: in the user's line, where they are written there."""
    site = call_site()
    source, line, first = Source("<subscripts>", str(text)), 1, 0
    if site is not None and isinstance(text, str):
        written = site.source.line(site.line)
        found = [quote + text + quote for quote in "\"'" if quote + text + quote in written]
        if len(found) == 1 and written.count(found[0]) == 1:
            source, line, first = site.source, site.line, written.index(found[0]) + 1

    def place(start: int, end: int) -> Location:
        return Location(
            source, line, first + start + 1, line, first + end + 1, site.function if first and site else None
        )

    return place


# Arrays.


@dataclass(frozen=True)
class _Array:
    """An array of NumPy or dpctl with its strides in elements."""

    array: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: ScalarType
    order: tuple[int, ...] = ()
    """Its modes of the original array, from the innermost on, where it is a view in the order of memory."""
    is_view: bool = True
    kind: str = "numpy"

    @classmethod
    def of(cls, given: Any, what: str) -> _Array:
        import numpy

        try:
            found = describe(numpy.asarray(given) if isinstance(given, (int, float, complex, numpy.generic)) else given)
        except ExportRefused as refused:
            raise LaunchError.single(ARRAYS, f"{what} {refused.message}", call_site(), refused.help) from None
        if found is None:
            message = f"{what} is of type {type(given).__name__}, not an array"
            raise LaunchError.single(ARRAYS, message, call_site(), "pass arrays of NumPy, dpctl or dpnp")
        element = _elements().get(_dtype_of(found))
        if element is None:
            message = f"{what} has elements of {_dtype_of(found)}, which is no type of the language"
            raise LaunchError.single(ARRAYS, message, call_site(), "convert it: array.astype(…)")
        view = found.view
        return cls(view.array, tuple(view.shape), tuple(view.strides), element, kind=_kind(given))

    @property
    def queue(self) -> Any:
        return getattr(self.array, "sycl_queue", None)

    def _with(self, **changes: Any) -> _Array:
        return replace(self, **changes)


def _kind(given: Any) -> str:
    module = type(given).__module__.split(".")[0]
    return module if module in ("dpnp", "dpctl") else "numpy"


def _dtype_of(found: Described) -> str:
    return str(found.view.array.dtype)


def _elements() -> Mapping[str, ScalarType]:
    return {name: type_ for type_ in SCALAR_TYPES.values() if type_ is not index for name in dtype_names(type_)}


def _of_one_type(given: list[_Array]) -> tuple[list[_Array], Any]:
    """The arrays, converted where no type of the language holds two of theirs; and the type of the result."""
    import numpy

    element = given[0].element
    for array in given[1:]:
        both = promote(element, array.element)
        if both is None:
            dtype = numpy.result_type(*(str(array.array.dtype) for array in given))
            return [_converted(array, dtype) for array in given], dtype
        element = both
    return given, dtype_names(element)[0]


def _converted(array: _Array, dtype: Any) -> _Array:
    return _Array.of(_copy(array, dtype), "an operand")


def _copy(array: _Array, dtype: Any = None) -> Any:
    """A contiguous copy."""
    if array.queue is None:
        return array.array.astype(dtype or array.array.dtype, order="C", copy=True)
    import dpctl.tensor

    return dpctl.tensor.astype(array.array, dtype or array.array.dtype, order="C", copy=True)


def _new_like(array: _Array, shape: tuple[int, ...], dtype: Any) -> Any:
    """A new array of the kind and on the queue of another one."""
    import numpy

    if array.queue is None:
        if dtype == "bfloat16":
            import ml_dtypes

            return numpy.empty(shape, ml_dtypes.bfloat16)
        return numpy.empty(shape, dtype)
    import dpctl.tensor

    return dpctl.tensor.empty(shape, dtype=str(dtype), sycl_queue=array.queue)


def _in_order(array: _Array) -> _Array:
    """A view whose strides rise, as the language has them; of a copy, where there is no such view."""
    order = sorted(range(len(array.shape)), key=lambda mode: (array.strides[mode], array.shape[mode] != 1, -mode))
    end = 1
    strides: list[int] = []
    for mode in order:
        n, stride = array.shape[mode], array.strides[mode]
        if n == 1:
            stride = end
        if stride < (end if strides else 1):
            copied = _Array.of(_copy(array), "an operand")
            return _in_order(copied)._with(is_view=False)
        strides.append(stride)
        end = stride * n
    return array._with(
        array=_permuted(array.array, order),
        shape=tuple(array.shape[mode] for mode in order),
        strides=tuple(strides),
        order=tuple(order),
    )


def _permuted(array: Any, order: Sequence[int]) -> Any:
    if not hasattr(array, "sycl_queue"):
        return array.transpose(order)
    import dpctl.tensor

    return dpctl.tensor.permute_dims(array, tuple(order)) if order else array


def _result(out: Any, target: _Array, given: Sequence[_Array]) -> Any:
    if out is not None:
        return out
    if any(array.kind == "dpnp" for array in given):
        import dpnp

        return dpnp.asarray(target.array)
    return target.array[()] if not target.shape and target.queue is None else target.array


# Kernels.


def _kernel_for(subscripts: Subscripts, arrays: Sequence[_Array]) -> tuple[Kernel, int]:
    """The kernel of a contraction, and its number of work-groups."""
    work = _Work.of(subscripts, arrays)
    with _lock:
        found = _kernels.get(work.key)
        if found is not None:
            _kernels.move_to_end(work.key)
            return found[0], work.groups
    made = compile_module(Module([work.function()]))["einsum"]
    with _lock:
        _kernels[work.key] = (made, work.groups)
        while len(_kernels) > MOST_KERNELS:
            _kernels.popitem(last=False)
    return made, work.groups


@dataclass
class _Work:
    """A contraction as work-groups."""

    subscripts: Subscripts
    types: Sequence[MemrefType]
    items: str
    """The indices of the work-groups, from the fastest on."""
    piece: str
    """The index that work-groups have a piece of each, where there are no items."""
    piece_size: int
    sizes: Mapping[str, int]

    @classmethod
    def of(cls, subscripts: Subscripts, arrays: Sequence[_Array]) -> _Work:
        """Choose what a work-group computes."""
        operands = [*subscripts.inputs, subscripts.output]
        ordered = [_ordered(indices, array.order) for indices, array in zip(operands, arrays)]
        read = Subscripts(tuple(ordered[:-1]), ordered[-1])
        sizes = {n: size for indices, array in zip(ordered, arrays) for n, size in zip(indices.names, array.shape)}
        repeated = {name for indices in ordered for name in indices.names if indices.names.count(name) > 1}
        items = "" if repeated or len(arrays) == 2 else _items(read, sizes)
        free = [name for name in ordered[-1].names if name not in "".join(ordered[-1].fused) and name not in repeated]
        piece, size = ("", 1) if items or not free else (free[-1], _piece_size(sizes[free[-1]]))
        types = [
            MemrefType(array.element, _extents(indices.names, array.shape, items), array.strides)
            for indices, array in zip(ordered, arrays)
        ]
        return cls(read, types, items, piece, size, sizes)

    @property
    def key(self) -> Any:
        operands = (*self.subscripts.inputs, self.subscripts.output)
        of_items = tuple(self.sizes[name] for name in self.items[:-1])
        return tuple(map(str, operands)), tuple(map(str, self.types)), self.items, of_items, self.piece, self.piece_size

    @property
    def groups(self) -> int:
        if self.piece:
            return self.sizes[self.piece] // self.piece_size
        return math.prod(self.sizes[name] for name in self.items)

    def function(self) -> Function:
        """The kernel's function."""
        builder = Builder(None)
        names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        parameters = [
            Value(type_, names[k] if k < len(names) else f"A{k}", None) for k, type_ in enumerate(self.types[:-1])
        ]
        out = Value(self.types[-1], "out", None)
        group = builder.add(Builtin(None, [index], ["g"], variant="group_id")).results[0]
        places = self._places(builder, group)
        views = [
            self._view(builder, value, indices.names, places)
            for value, indices in zip((*parameters, out), (*self.subscripts.inputs, self.subscripts.output))
        ]
        inside = Subscripts(
            tuple(_without(indices, self.items) for indices in self.subscripts.inputs),
            _without(self.subscripts.output, self.items),
        )
        shared = [not set(indices.names) & set(self.items + self.piece) for indices in self.subscripts.inputs]
        self._write(builder, inside, views, shared)
        return Function("einsum", [*parameters, out], Region("collective", [], builder.operations), {}, None)

    def _places(self, builder: Builder, group: Value) -> dict[str, Value]:
        """Where each index of the items is, from the number of the work-group."""
        if self.piece:
            return {self.piece: builder.arith("mul", group, builder.constant(index, self.piece_size))}
        places = {}
        for name in self.items[:-1]:
            size = builder.constant(index, self.sizes[name])
            places[name] = builder.arith("rem", group, size)
            group = builder.arith("div", group, size)
        return {**places, **({self.items[-1]: group} if self.items else {})}

    def _view(self, builder: Builder, tensor: Value, names: str, places: Mapping[str, Value]) -> Value:
        if not set(names) & set(places):
            return tensor
        slices = []
        for name, extent in zip(names, tensor.type.shape):
            size = self.piece_size if name == self.piece else None if name in places else extent
            slices.append(Slice(places.get(name, 0), size))
        return builder.add(Subview(None, None, tensor=tensor, slices=slices)).results[0]

    def _write(self, builder: Builder, inside: Subscripts, views: Sequence[Value], shared: Sequence[bool]) -> None:
        *tensors, out = views
        steps = steps_of(inside, [value.type for value in tensors], shared, out.type)
        for number, step in enumerate(steps):
            inputs = [tensors[k] for k in step.inputs]
            element = inputs[0].type.element
            for value in inputs[1:]:
                both = promote(element, value.type.element)
                assert both is not None  # operands of one type, or of types that promote
                element = both
            target = out
            if number < len(steps) - 1:
                shape = [self.piece_size if n == self.piece else self.sizes[n] for n in step.map.output.names]
                type_ = memory_for(element, shape, True)
                target = builder.add(Alloca(None, [type_], attributes={"alignment": ALIGNMENT})).results[0]
            one = builder.constant(element, _one(element))
            zero = builder.zero(target.type.element)
            builder.add(step.operation(None, alpha=one, beta=zero, **step.parts(inputs, target)))
            tensors.append(target)


def _items(subscripts: Subscripts, sizes: Mapping[str, int]) -> str:
    """The indices that tell items of a batch apart, from the fastest on: what is left of an item is a product.

    They are those of all tensors; else those of the same tensors that each have two more indices, the largest tensors.
    """
    operands = [indices.names for indices in (*subscripts.inputs, subscripts.output)]
    fused = "".join(group for indices in (*subscripts.inputs, subscripts.output) for group in indices.fused)
    free = [name for name in operands[-1] if name not in fused]
    of_all = "".join(name for name in free if all(name in names for names in operands))
    if of_all:
        return of_all
    alike: dict[tuple[bool, ...], str] = {}
    for name in free:
        owners = tuple(name in names for names in operands)
        alike[owners] = alike.get(owners, "") + name

    def elements(owners: tuple[bool, ...]) -> int:
        return sum(math.prod(sizes[n] for n in names) for names, is_one in zip(operands, owners) if is_one)

    for owners in sorted(alike, key=elements, reverse=True):
        # two indices that are not those of the items stay in each of the tensors
        found = alike[owners]
        left = min(len(names) for names, is_one in zip(operands, owners) if is_one) - 2
        if left > 0:
            return found[-left:]
    return ""


def _piece_size(total: int) -> int:
    """The largest divisor of a size that a work-group computes of it."""
    return max(n for n in range(1, min(total, LARGEST_PIECE) + 1) if total % n == 0)


def _one(element: ScalarType) -> Any:
    return 1 if element.is_integer else complex(1) if element.is_complex else 1.0


def _ordered(indices: Indices, order: Sequence[int]) -> Indices:
    """The indices of a view whose modes are in another order. Fused ones stay together, in either order."""
    owners = [piece for piece in indices.pieces for _ in piece.names]
    letters = indices.names
    pieces: list[Piece] = []
    left = list(order)
    while left:
        piece = owners[left[0]]
        modes, left = left[: len(piece.names)], left[len(piece.names) :]
        steps = {b - a for a, b in pairwise(modes)}
        if any(owners[mode] is not piece for mode in modes) or (not steps <= {1} and not steps <= {-1}):
            message = f"the modes of {piece} are not next to each other in memory, in order"
            raise SubscriptProblem(FUSED, message, indices.place, "write the indices without ( )")
        names = "".join(letters[mode] for mode in modes)
        pieces.append(Piece(names, piece.kind, piece.places if names == piece.names else piece.places[::-1]))
    return Indices(tuple(pieces), indices.place)


def _without(indices: Indices, items: str) -> Indices:
    return Indices(
        tuple(piece for piece in indices.pieces if piece.names not in items or not piece.names), indices.place
    )


def _extents(names: str, shape: Sequence[int], items: str) -> tuple[Extent, ...]:
    """The sizes of a parameter's type: that of the last index of the items is open, where it is the outermost mode."""
    open_ = items[-1:] if items else ""
    return tuple(
        DYNAMIC if name == open_ and mode == len(names) - 1 else n for mode, (name, n) in enumerate(zip(names, shape))
    )
