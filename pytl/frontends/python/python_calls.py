"""Python's own functions in a kernel: on what is known while tracing, and those that take values of the kernel, too."""

from __future__ import annotations

import ast
import cmath
import functools
import math
import operator
from collections.abc import Callable
from typing import Any, NoReturn

from ...ir.types import GroupType, MemrefType
from ...ir.values import Value
from ..lang import annotations as lang_annotations
from ..lang.traced import Shape, describe, is_collection, is_python
from .arithmetic import any_of, binary, extreme, fold, unary
from .closures import Partial
from .containers import new_container
from .expressions import plain, shape_entry
from .frame import Frame
from .rules import CALL_ARGUMENTS, CONSUMED, FOLDING, KNOWN, OPERATOR
from .sequences import called, hashable, is_iterator, items_of, iterate

_FOLDED: tuple[Any, ...] = (
    *(int, float, complex, bool, str, bytes, round, isinstance, issubclass, callable, divmod, pow, range, slice, type),
    *(repr, format, chr, ord, hex, bin, oct, ascii, sum, len, abs, min, max),
    *(lang_annotations.strides, lang_annotations.offset),
)
"""Functions that are called on Python constants while tracing."""
_MATH = (math.__name__, cmath.__name__, operator.__name__, "_operator")
Handler = Callable[[Frame, ast.Call], Any]


def folds(callee: Any) -> bool:
    """Whether a function is called while tracing, where its arguments are known then."""
    known = any(callee is function for function in _FOLDED)
    return known or getattr(callee, "__module__", None) in _MATH or is_ufunc(callee)


def is_math(callee: Any) -> bool:
    """Whether this is a function of math or cmath."""
    return getattr(callee, "__module__", None) in (math.__name__, cmath.__name__)


def is_ufunc(callee: Any) -> bool:
    """Whether this is one of NumPy's functions on numbers, as np.exp; the front end doesn't import NumPy for it."""
    return type(callee).__name__ == "ufunc" and type(callee).__module__.split(".")[0] == "numpy"


def python_handler(callee: Any) -> Handler | None:
    """What traces a call of one of Python's functions that runs over items; None for all other objects."""
    if is_iterator(callee):
        return _kept
    return next((handler for function, handler in _HANDLERS if callee is function), None)


def _kept(frame: Frame, node: ast.Call) -> NoReturn:
    written = ast.unparse(node)
    frame.fail(CONSUMED, f"what {ast.unparse(node.func)} gives is kept here", node, f"write a list: list({written})")


def _arguments(frame: Frame, node: ast.Call, positional: int, *names: str) -> tuple[list[ast.expr], dict[str, Any]]:
    """The pieces of the source for the first arguments, and the values of named ones."""
    name = ast.unparse(node.func)
    if len(node.args) > positional:
        frame.fail(CALL_ARGUMENTS, f"{name} takes at most {positional} arguments, not {len(node.args)}", node)
    named = {}
    for keyword in node.keywords:
        if keyword.arg not in names:
            frame.fail(CALL_ARGUMENTS, f"{name} has no parameter {keyword.arg}", keyword.value)
        named[str(keyword.arg)] = frame.known(keyword.value)
    return node.args, named


def _sum(frame: Frame, node: ast.Call) -> Any:
    """The sum from the left. Without a start, it begins with the first item, and an empty one is 0."""
    nodes, named = _arguments(frame, node, 2, "start")
    items = list(iterate(frame, _first(frame, node), is_sum=True).items)
    start = frame.known(nodes[1]) if len(nodes) == 2 else named.get("start")
    if is_python((items, start)):
        return fold(frame, node, lambda: sum(items, 0 if start is None else start))
    rest = items if start is None else [start, *items]
    return functools.reduce(lambda a, b: binary(frame, ast.Add, a, b, node), rest)


def _prod(frame: Frame, node: ast.Call) -> Any:
    _, named = _arguments(frame, node, 1, "start")
    items = items_of(frame, _first(frame, node))
    if is_python((items, tuple(named.values()))):
        return fold(frame, node, lambda: math.prod(items, **named))
    return functools.reduce(lambda a, b: binary(frame, ast.Mult, a, b, node), [*named.values(), *items])


def _first(frame: Frame, node: ast.Call) -> ast.expr:
    if not node.args:
        frame.fail(CALL_ARGUMENTS, f"{ast.unparse(node.func)} takes items, such as a tuple", node)
    return node.args[0]


def _quantifier(word: str) -> Handler:
    def handle(frame: Frame, node: ast.Call) -> Any:
        _arguments(frame, node, 1)
        first = _first(frame, node)
        return any_of(frame, word, ((item, first) for item in iterate(frame, first).items), node)

    return handle


def _extreme(callee: Any) -> Handler:
    def handle(frame: Frame, node: ast.Call) -> Any:
        name = callee.__name__
        _, named = _arguments(frame, node, len(node.args), "key", "default")
        first = _first(frame, node)
        key = named.pop("key", None)
        if len(node.args) > 1:
            items = [frame.known(each) for each in node.args]
        else:
            item = None if isinstance(first, (ast.GeneratorExp, ast.Call)) else frame.known(first)
            if isinstance(item, Value):
                advice = f"write a loop over the elements: m = {name}(m, {ast.unparse(first)}[i])"
                is_memref = isinstance(item.type, MemrefType)
                frame.fail(CALL_ARGUMENTS, f"{name} takes two or more numbers", node, advice if is_memref else None)
            items = items_of(frame, first)
        if not items and "default" in named:
            return named["default"]
        if key is not None:
            keys = _keys(frame, node, key, items)
            return items[keys.index(callee(keys))] if keys else fold(frame, node, callee, items)
        if is_python(items):
            return plain(fold(frame, node, callee, items))
        return extreme(frame, name, items, node)

    return handle


def _keys(frame: Frame, node: ast.Call, function: Any, items: list[Any]) -> list[Any]:
    keys = items if function is None else [called(frame, function, (item,), node) for item in items]
    if not is_python(keys):
        name = ast.unparse(node.func)
        advice = "compare numbers with min and max, or sort in memory"
        frame.fail(KNOWN, f"{name} orders values that are known at run time only", node, advice)
    fold(frame, node, sorted, keys)
    return keys


def _sorted(frame: Frame, node: ast.Call) -> Any:
    _, named = _arguments(frame, node, 1, "key", "reverse")
    items = items_of(frame, _first(frame, node))
    keys = _keys(frame, node, named.get("key"), items)
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(named.get("reverse", False)))
    return new_container(frame, [items[position] for position in order])


def _collection(kind: Any) -> Handler:
    def handle(frame: Frame, node: ast.Call) -> Any:
        nodes, _ = _arguments(frame, node, 1)
        items = items_of(frame, nodes[0]) if nodes else []
        if kind in (set, frozenset):
            for item in items:
                hashable(frame, item, node, "an item of the set")
        return new_container(frame, kind(items))

    return handle


def _dict(frame: Frame, node: ast.Call) -> Any:
    dictionary: dict[Any, Any] = {}
    nodes = node.args
    if len(nodes) > 1:
        frame.fail(CALL_ARGUMENTS, f"dict takes at most 1 argument, not {len(nodes)}", node)
    is_items = bool(nodes) and isinstance(nodes[0], (ast.GeneratorExp, ast.Call, ast.ListComp, ast.List, ast.Tuple))
    item = None if not nodes or is_items else frame.known(nodes[0])
    if isinstance(item, dict):
        dictionary.update(item)
    elif nodes:
        for pair in items_of(frame, nodes[0]):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                frame.fail(FOLDING, f"an item of dict(…) is {describe(pair)}, not a pair", nodes[0])
            dictionary[hashable(frame, pair[0], node, "a key of the dictionary")] = pair[1]
    for keyword in node.keywords:
        dictionary[str(keyword.arg)] = frame.evaluate(keyword.value)
    return new_container(frame, dictionary)


def _len(frame: Frame, node: ast.Call) -> Any:
    _arguments(frame, node, 1)
    item = frame.known(_first(frame, node))
    if isinstance(item, Value) and isinstance(item.type, (MemrefType, GroupType)):
        return shape_entry(frame, Shape(item), 0, node)
    if isinstance(item, Shape):
        return len(item.extents)
    if is_collection(item) or is_python(item):
        return fold(frame, node, len, item)
    frame.fail(OPERATOR, f"len is not defined on {describe(item)}", node)


def _abs(frame: Frame, node: ast.Call) -> Any:
    if len(node.args) != 1 or node.keywords:
        frame.fail(CALL_ARGUMENTS, "abs takes one argument", node)
    item = frame.known(node.args[0])
    return fold(frame, node, abs, item) if is_python(item) else unary(frame, "abs", "abs", item, node)


def _reduce(frame: Frame, node: ast.Call) -> Any:
    _arguments(frame, node, 3)
    if len(node.args) < 2:
        frame.fail(CALL_ARGUMENTS, "reduce takes a function and items", node)
    function = frame.known(node.args[0])
    items = items_of(frame, node.args[1])
    if len(node.args) == 3:
        items.insert(0, frame.known(node.args[2]))
    if not items:
        frame.fail(FOLDING, "reduce has no items, and no value to begin with", node)
    return functools.reduce(lambda a, b: called(frame, function, (a, b), node), items)


def _partial(frame: Frame, node: ast.Call) -> Any:
    function, *rest = [frame.known(each) for each in (_first(frame, node), *node.args[1:])]
    named = {str(keyword.arg): frame.known(keyword.value) for keyword in node.keywords}
    return Partial(function, tuple(rest), named)


def _operator(kind: type[ast.operator | ast.cmpop | ast.unaryop]) -> Handler:
    """What a function of Python's `operator` does, as if its operator was written."""
    count = 1 if issubclass(kind, ast.unaryop) else 2

    def handler(frame: Frame, node: ast.Call) -> Any:
        if len(node.args) != count or node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            items = "one argument" if count == 1 else "two arguments"
            frame.fail(CALL_ARGUMENTS, f"{ast.unparse(node.func)} takes {items}", node)
        written: ast.expr
        if issubclass(kind, ast.unaryop):
            written = ast.UnaryOp(kind(), node.args[0])
        elif issubclass(kind, ast.cmpop):
            written = ast.Compare(node.args[0], [kind()], [node.args[1]])
        else:
            written = ast.BinOp(node.args[0], kind(), node.args[1])
        return frame.known(ast.copy_location(written, node))

    return handler


_HANDLERS: tuple[tuple[Any, Handler], ...] = (
    (sum, _sum),
    (math.prod, _prod),
    (any, _quantifier("or")),
    (all, _quantifier("and")),
    (min, _extreme(min)),
    (max, _extreme(max)),
    (sorted, _sorted),
    (tuple, _collection(tuple)),
    (list, _collection(list)),
    (set, _collection(set)),
    (frozenset, _collection(frozenset)),
    (dict, _dict),
    (len, _len),
    (abs, _abs),
    (functools.reduce, _reduce),
    (functools.partial, _partial),
    (operator.add, _operator(ast.Add)),
    (operator.sub, _operator(ast.Sub)),
    (operator.mul, _operator(ast.Mult)),
    (operator.truediv, _operator(ast.Div)),
    (operator.floordiv, _operator(ast.FloorDiv)),
    (operator.mod, _operator(ast.Mod)),
    (operator.pow, _operator(ast.Pow)),
    (operator.matmul, _operator(ast.MatMult)),
    (operator.and_, _operator(ast.BitAnd)),
    (operator.or_, _operator(ast.BitOr)),
    (operator.xor, _operator(ast.BitXor)),
    (operator.lshift, _operator(ast.LShift)),
    (operator.rshift, _operator(ast.RShift)),
    (operator.lt, _operator(ast.Lt)),
    (operator.le, _operator(ast.LtE)),
    (operator.eq, _operator(ast.Eq)),
    (operator.ne, _operator(ast.NotEq)),
    (operator.ge, _operator(ast.GtE)),
    (operator.gt, _operator(ast.Gt)),
    (operator.neg, _operator(ast.USub)),
    (operator.pos, _operator(ast.UAdd)),
    (operator.invert, _operator(ast.Invert)),
    (operator.not_, _operator(ast.Not)),
)
