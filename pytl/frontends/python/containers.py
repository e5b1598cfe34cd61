"""Lists, dictionaries and sets while a kernel is traced: displays, items, operators and methods."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from types import BuiltinMethodType
from typing import Any

from ..lang.traced import describe, is_collection, is_python, is_unknown
from .arithmetic import fold
from .expressions import plain
from .frame import Failed, Frame, expression
from .mutations import KINDS
from .rules import CHANGED, INDEX, KNOWN, OPERATOR
from .sequences import hashable, items_of
from .source import Positioned

_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_OWNERS: tuple[Any, ...] = (str, bytes, bool, int, float, complex, tuple, range, slice, frozenset, *KINDS, *_VIEWS)
"""The types whose methods have no effect but on their own object."""
_CHANGING: dict[Any, set[str]] = {
    list: {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"},
    dict: {"pop", "popitem", "clear", "update", "setdefault"},
    set: {"add", "discard", "remove", "pop", "clear", "update"}
    | {"difference_update", "intersection_update", "symmetric_difference_update"},
}
_COMPARING = {"remove", "index", "count", "sort"}
"""Methods that compare items, which must be known then."""
_COPYING = {"copy", "union", "intersection", "difference", "symmetric_difference", "split", "rsplit", "splitlines"}
_KEYED = {"get", "pop", "setdefault", "add", "discard", "fromkeys"}
"""Methods whose first argument is a key."""


def new_container(frame: Frame, item: Any) -> Any:
    """A new object of the kernel's; returns it."""
    return frame.builder.containers.remember(item, frame.builder.operations)


def change(frame: Frame, item: Any, node: Positioned, shown: str) -> None:
    """Permit a change of an object, which is about to be made, or say why it would be wrong."""
    reason = frame.builder.containers.refusal(item, frame.builder.operations)
    if reason is None:
        frame.builder.containers.before_mutation(item)
        return
    if reason == "unsaid":
        raise Failed
    kind = type(item).__name__
    if type(item) not in KINDS:
        frame.fail(CHANGED, f"a Python {kind} can't be changed", node)
    if reason == "foreign":
        advice = f"copy it first: {kind}({shown})" if shown.isidentifier() else f"copy it first, with {kind}(…)"
        frame.fail(CHANGED, f"the kernel has not made this {kind}", node, advice)
    frame.builder.require_static()
    frame.fail(
        CHANGED,
        f"the {kind} was made outside of this branch or loop, which is executed at run time",
        node,
        "write a loop over static_range(n), or keep the values in an alloca",
    )


# Displays.


@expression(ast.List)
def _list(frame: Frame, node: ast.List) -> Any:
    return new_container(frame, _entries(frame, node.elts))


@expression(ast.Tuple)
def _tuple(frame: Frame, node: ast.Tuple) -> Any:
    return tuple(_entries(frame, node.elts))


@expression(ast.Set)
def _set(frame: Frame, node: ast.Set) -> Any:
    items = _entries(frame, node.elts)
    if is_unknown(tuple(items)):
        raise Failed
    return new_container(frame, {hashable(frame, item, node, "an item of the set") for item in items})


def _entries(frame: Frame, nodes: Sequence[ast.expr]) -> list[Any]:
    items: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            items += items_of(frame, node.value)
        else:
            items.append(frame.evaluate(node))
    return items


@expression(ast.Dict)
def _dict(frame: Frame, node: ast.Dict) -> Any:
    dictionary: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            other = frame.known(value)
            if not isinstance(other, dict):
                frame.fail(KNOWN, f"** takes a dictionary, not {describe(other)}", value)
            dictionary.update(other)
        else:
            dictionary[hashable(frame, frame.known(key), key, "a key of the dictionary")] = frame.evaluate(value)
    return new_container(frame, dictionary)


# Items.


def container_of(frame: Frame, node: ast.Subscript) -> Any:
    """The collection an item of which is assigned to or deleted; None where it is another object, as a memref."""
    if isinstance(node.value, ast.Name):
        binding = frame.bound(node.value.id)
        item = binding.value if binding is not None else None
        if binding is None and node.value.id not in frame.names:
            item = frame.evaluate(node.value)
        return item if is_collection(item) else None
    state = frame.state()
    item = frame.evaluate(node.value)
    if is_collection(item):
        return item
    frame.restore(state)
    return None


def _key(frame: Frame, container: Any, node: ast.Subscript) -> Any:
    key = frame.known(node.slice)
    if not is_python(key):
        frame.builder.require_static()
        frame.fail(
            INDEX,
            f"a Python {type(container).__name__} can't be indexed with {describe(key)}",
            node,
            "the index must be known while the kernel is traced; a loop over unroll(range(n)) has such an index",
        )
    return key


def item_at(frame: Frame, container: Any, node: ast.Subscript) -> Any:
    """The item that a subscript names, to be changed."""
    key = _key(frame, container, node)
    return plain(fold(frame, node, lambda: container[key]))


def set_item(frame: Frame, container: Any, node: ast.Subscript, item: Any) -> None:
    """`xs[0] = …`, `d["k"] = …`, `xs[1:3] = …`."""
    key = _key(frame, container, node)
    change(frame, container, node, ast.unparse(node.value))
    if isinstance(key, slice):
        item = list(item) if is_collection(item) else item
    fold(frame, node, operator.setitem, container, key, item)


def delete_item(frame: Frame, container: Any, node: ast.Subscript) -> None:
    """`del xs[0]`."""
    key = _key(frame, container, node)
    change(frame, container, node, ast.unparse(node.value))
    fold(frame, node, operator.delitem, container, key)


# Operators.

_IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.Mult: operator.imul,
    ast.BitOr: operator.ior,
    ast.BitAnd: operator.iand,
    ast.BitXor: operator.ixor,
    ast.Sub: operator.isub,
}


def updated(frame: Frame, kind: type[ast.operator], old: Any, new: Any, node: ast.AugAssign) -> Any:
    """`xs += ys` of a list, dictionary or set, which changes it."""
    if is_unknown(new) or kind not in _IN_PLACE:
        return fold(frame, node, lambda: operator.iadd(old, None)) if not is_unknown(new) else new
    if not is_collection(new) and not is_python(new):
        frame.fail(OPERATOR, f"this operator is not defined on {describe(old)} and {describe(new)}", node)
    change(frame, old, node, ast.unparse(node.target))
    return fold(frame, node, _IN_PLACE[kind], old, new)


# Methods.


def is_method(callee: Any) -> bool:
    """Whether something is a method of an object that is known while tracing, as `xs.append` or `text.upper`."""
    return isinstance(callee, BuiltinMethodType) and type(callee.__self__) in _OWNERS


def call_method(frame: Frame, callee: Any, node: ast.Call, arguments: Sequence[Any], named: dict[str, Any]) -> Any:
    """Call a method of a list, dictionary, set, text or number."""
    owner, name = callee.__self__, callee.__name__
    if name in _COMPARING and not is_python((owner if isinstance(owner, (list, tuple)) else (), *arguments)):
        frame.fail(KNOWN, f"{name} compares items that are known at run time only", node, "name their places instead")
    if name in _KEYED and arguments and isinstance(owner, (dict, set)):
        hashable(frame, arguments[0], node, f"the key of {name}")
    if isinstance(owner, (str, bytes, set, frozenset)) or name in ("insert",):
        for item in arguments[:1]:
            hashable(frame, item, node, f"an argument of {name}") if not isinstance(item, list) else None
        if not is_python(arguments[:1]):
            frame.fail(KNOWN, f"an argument of {name} is known at run time only", node)
    if "key" in named and named["key"] is not None:
        frame.fail(KNOWN, f"{name} takes no key= in a kernel", node, "write xs[:] = sorted(xs, key=…)")
    if name in _CHANGING.get(type(owner), ()):
        container_node = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        change(frame, owner, node, ast.unparse(container_node))
    result = plain(fold(frame, node, lambda: callee(*arguments, **named)))
    return new_container(frame, result) if name in _COPYING else result
