"""What is run over while tracing: tuples, lists, shapes, ranges, zip, enumerate, map, generators and comprehensions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...diagnostics import Location
from ...diagnostics.words import listed
from ...ir.types import MemrefType
from ...ir.values import Value
from ...process.records import dataclass
from ..lang.loops import static_range
from ..lang.traced import Shape, describe, is_python, is_unknown
from .arithmetic import fold
from .expressions import entries, plain
from .frame import STATEMENTS, Failed, Frame, expression
from .names import Names, target_names
from .rules import CONSUMED, KNOWN, LENGTHS, LOOP, STATIC
from .source import Positioned

NONE: Names = frozenset()
NO_NAMES: Mapping[str, Any] = MappingProxyType({})
MAX_ITEMS = 4096
"""The largest number of iterations that are unrolled: a longer loop is a mistake, or takes minutes to compile."""
_PRODUCTS: tuple[Any, ...] = (
    *(itertools.product, itertools.permutations, itertools.combinations, itertools.combinations_with_replacement),
    *(itertools.chain, itertools.islice, itertools.repeat, itertools.zip_longest),
)
_ITERATORS: tuple[Any, ...] = (zip, enumerate, reversed, map, filter, *_PRODUCTS)
"""The functions that give their items once."""


_SEQUENCES: tuple[Any, ...] = (tuple, list, range, str, dict, set, frozenset)
_SEQUENCES += (type({}.keys()), type({}.values()), type({}.items()))


@dataclass(frozen=True)
class Items:
    """Items, which are made one after the other, and their number where it is known before."""

    items: Iterator[Any]
    count: int | None = None


def is_iterator(callee: Any) -> bool:
    """Whether this is a function that gives its items once, such as zip."""
    return any(callee is function for function in _ITERATORS)


def items_of(frame: Frame, node: ast.expr) -> list[Any]:
    """All items of what is run over."""
    return list(iterate(frame, node).items)


def iterate(frame: Frame, node: ast.expr, is_sum: bool = False) -> Items:
    """The items of what is run over, in a loop, a comprehension or a call that uses it up."""
    if isinstance(node, ast.GeneratorExp):
        return Items(_limited(frame, _generated(frame, node.generators, lambda scope: scope.evaluate(node.elt)), node))
    if isinstance(node, ast.Call):
        callee = frame.known(node.func)
        if callee is range or callee is static_range:
            items = _bounded(frame, range_of_call(frame, node, ast.unparse(node.func)), node)
            return Items(iter(items), len(items))
        if is_iterator(callee):
            return _of_call(frame, node, callee)
    return _of_item(frame, frame.known(node), node, is_sum)


def _of_item(frame: Frame, item: Any, node: ast.expr, is_sum: bool) -> Items:
    if is_unknown(item) and not isinstance(item, (tuple, list, dict)):
        raise Failed
    if isinstance(item, Shape):
        item = entries(frame, item, node)
    if isinstance(item, range):
        item = _bounded(frame, item, node)
    if isinstance(item, _SEQUENCES):
        return Items(_unchanged(frame, item, node), len(item))
    advice = "write for i in range(n), for i, j in foreach((0, 0), (m, n)), or a tuple: for A in (B, C)"
    if isinstance(item, Value) and isinstance(item.type, MemrefType):
        advice = f"write for i in range({ast.unparse(node)}.shape[0]), and take {ast.unparse(node)}[i]"
        advice += "; of a whole tensor: pytl.sum(alpha, A, beta, b)" if is_sum else ""
    frame.fail(LOOP, f"{ast.unparse(node)} can't be looped over", node, advice)


def _unchanged(frame: Frame, item: Any, node: ast.expr) -> Iterator[Any]:
    """The items, each as it is when its turn comes; it is an error to add or remove some in between."""
    size = len(item)
    try:
        for each in item:
            yield plain(each)
            if len(item) != size:
                frame.fail(LOOP, f"a loop over the {type(item).__name__} changes its length", node, "loop over a copy")
    except RuntimeError as error:  # Python's own word on dictionaries and sets
        frame.fail(LOOP, f"{error}", node, "loop over a copy")


def _limited(frame: Frame, items: Iterator[Any], node: ast.expr) -> Iterator[Any]:
    for number, item in enumerate(items):
        if number >= MAX_ITEMS:
            frame.fail(STATIC, f"more than {MAX_ITEMS} items are made while tracing", node, "write a loop at run time")
        yield item


def _of_call(frame: Frame, node: ast.Call, callee: Any) -> Items:
    name = ast.unparse(node.func)
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if callee is zip:
        is_strict = frame.known(named.pop("strict")) if "strict" in named else True
        sequences = [iterate(frame, argument) for argument in _positional(frame, node, named)]
        return _zipped(frame, node, sequences, bool(is_strict))
    if callee is map or callee is filter:
        return _mapped(frame, node, callee, _positional(frame, node, named))
    if any(callee is function for function in _PRODUCTS):
        return _product(frame, node, callee, named)
    start = frame.known(named.pop("start")) if callee is enumerate and "start" in named else 0
    first, *more = _positional(frame, node, named)
    if callee is enumerate and len(more) == 1:
        start, more = frame.known(more[0]), []
    if more:
        frame.fail(LOOP, f"{name} takes one sequence", node)
    if isinstance(start, bool) or not isinstance(start, int):
        frame.fail(STATIC, f"enumerate starts at {describe(start)}", node, "it starts at a Python integer")
    sequence = iterate(frame, first)
    if callee is enumerate:
        return Items(enumerate(sequence.items, start), sequence.count)
    items = list(sequence.items)
    return Items(reversed(items), len(items))


def _positional(frame: Frame, node: ast.Call, named: dict[str | None, ast.expr]) -> list[ast.expr]:
    name = ast.unparse(node.func)
    if named or not node.args:
        words = ", ".join(str(word) for word in named)
        what = f"has no parameter {words}" if named else "takes a sequence, such as a tuple"
        frame.fail(LOOP, f"{name} {what}", node)
    return unstarred(frame, node.args)


def unstarred(frame: Frame, nodes: Sequence[ast.expr]) -> list[ast.expr]:
    """The arguments of a call, with a name for each item of those that have a star."""
    arguments: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            written = ast.unparse(node.value)
            arguments += [
                frame.named(f"{written}[{position}]", item, node)
                for position, item in enumerate(items_of(frame, node.value))
            ]
        else:
            arguments.append(node)
    return arguments


def _zipped(frame: Frame, node: ast.Call, sequences: Sequence[Items], is_strict: bool) -> Items:
    lengths = [each.count for each in sequences]
    if None not in lengths:
        if is_strict and len(set(lengths)) > 1:
            _differ(frame, node, [length for length in lengths if length is not None])
        return Items(zip(*(each.items for each in sequences)), min(n for n in lengths if n is not None))
    lists = [list(each.items) for each in sequences]
    if is_strict and len({*map(len, lists)}) > 1:
        _differ(frame, node, [*map(len, lists)])
    return Items(zip(*lists))


def _differ(frame: Frame, node: ast.Call, lengths: Sequence[int]) -> None:
    advice = "give them the same length, or write zip(…, strict=False) to end with the shortest"
    frame.fail(LENGTHS, f"the sequences of zip have {listed(lengths)} items", node, advice)


def _mapped(frame: Frame, node: ast.Call, callee: Any, nodes: Sequence[ast.expr]) -> Items:
    head, *rest = nodes
    if not rest:
        frame.fail(LOOP, f"{ast.unparse(node.func)} takes a function and a sequence", node)
    function = frame.known(head)
    sequences = [iterate(frame, each) for each in rest]
    if callee is map:
        counts = [each.count for each in sequences]
        count = None if None in counts else min(n for n in counts if n is not None)
        groups = zip(*(each.items for each in sequences))
        return Items((called(frame, function, group, node) for group in groups), count)
    return Items(item for item in sequences[0].items if _keeps(frame, function, item, node))


def _keeps(frame: Frame, function: Any, item: Any, node: ast.Call) -> bool:
    kept = item if function is None else called(frame, function, (item,), node)
    return _decided(frame, frame.as_condition(kept, node), node, "filter")


def _decided(frame: Frame, condition: Any, node: ast.expr, what: str) -> bool:
    if isinstance(condition, bool):
        return condition
    if is_unknown(condition):
        raise Failed
    advice = "take each item, or another in its place: x if c else 0.0"
    frame.fail(KNOWN, f"what {what} keeps depends on a value of the kernel", node, advice)


def _product(frame: Frame, node: ast.Call, callee: Any, named: dict[str | None, ast.expr]) -> Items:
    """One of the functions of itertools, on items that are known to be there."""
    arguments = [argument_items(frame, each) for each in unstarred(frame, node.args)]
    words = {str(word): frame.known(value) for word, value in named.items()}
    if not is_python(tuple(words.values())):
        frame.fail(KNOWN, f"an argument of {ast.unparse(node.func)} is known at run time only", node)
    try:
        items = list(itertools.islice(callee(*arguments, **words), MAX_ITEMS + 1))
    except (TypeError, ValueError) as error:
        frame.fail(LOOP, f"{ast.unparse(node.func)}: {error}", node)
    return Items(_limited(frame, iter(items), node), len(items))


def argument_items(frame: Frame, node: ast.expr) -> Any:
    """An argument: the items where these are used up, else the object."""
    if isinstance(node, ast.GeneratorExp):
        return items_of(frame, node)
    if isinstance(node, ast.Call):
        callee = frame.known(node.func)
        if is_iterator(callee) or callee is range:
            return items_of(frame, node)
    item = frame.known(node)
    return items_of(frame, node) if isinstance(item, Shape) else item


def called(
    frame: Frame, function: Any, arguments: Sequence[Any], node: Positioned, named: Mapping[str, Any] = NO_NAMES
) -> Any:
    """The result of a function on objects, as if the call was written at a place."""
    before = dict(frame.names)
    written = ast.unparse(node.func) if isinstance(node, ast.Call) else "the function"
    names: list[ast.expr] = [frame.named(f"{written} {number}", item, node) for number, item in enumerate(arguments)]
    words = [ast.keyword(word, frame.named(f"{written} {word}", item, node)) for word, item in named.items()]
    call: ast.expr = ast.Call(frame.named(f"function of {written}", function, node), names, words)
    if not isinstance(node, Location):
        call = ast.copy_location(call, node)
    result = frame.known(call)
    for name in [name for name in frame.names if name not in before and not name.isidentifier()]:
        del frame.names[name]
    return result


def range_of_call(frame: Frame, node: ast.Call, name: str) -> range:
    """The range of a call on Python integers."""
    bounds = [frame.known(argument) for argument in unstarred(frame, node.args)]
    if node.keywords or not 1 <= len(bounds) <= 3:
        frame.fail(LOOP, f"{name} takes one to three arguments: start, stop, step", node)
    for bound, at in zip(bounds, node.args):
        if isinstance(bound, bool) or not isinstance(bound, int):
            advice = "a loop at run time is for i in range(n)"
            frame.fail(STATIC, f"a bound of {name} is {describe(bound)}, not a Python integer", at, advice)
    if len(bounds) == 3 and bounds[2] == 0:
        frame.fail(LOOP, "the step is zero", node.args[-1])
    return range(*bounds)


def _bounded(frame: Frame, items: range, node: ast.expr) -> range:
    if len(items) > MAX_ITEMS:
        message = f"the range has {len(items)} numbers, and at most {MAX_ITEMS} iterations are unrolled while tracing"
        frame.fail(STATIC, message, node, "write for i in range(n), which is a loop at run time")
    return items


# Comprehensions.


class Scope(Frame):
    """A comprehension: its variables are its own, and all else is that of the function around it."""

    def __init__(self, frame: Frame, variables: Names) -> None:
        super().__init__(frame.builder, frame.source, frame.caller, frame.depth, frame, variables)
        self.outer = frame

    def location_of(self, node: Positioned) -> Location:
        return self.outer.location_of(node)

    @property
    def binder(self) -> Frame:
        return self.outer.binder


def _generated(frame: Frame, generators: Sequence[ast.comprehension], give: Callable[[Frame], Any]) -> Iterator[Any]:
    """What a comprehension gives, item by item."""
    scope = Scope(frame, frozenset(name for each in generators for name in target_names(each.target)))

    def run(position: int) -> Iterator[Any]:
        if position == len(generators):
            yield give(scope)
            return
        clause = generators[position]
        if clause.is_async:
            frame.fail(LOOP, "there is no async for", clause.iter, "leave async out")
        for item in iterate(scope if position else frame, clause.iter).items:
            source = scope.named(f"an item of {ast.unparse(clause.iter)}", item, clause.iter)
            STATEMENTS[ast.Assign](scope, ast.copy_location(ast.Assign([clause.target], source), clause.target), NONE)
            if all(_decided(scope, scope.condition(test), test, "the comprehension") for test in clause.ifs):
                yield from run(position + 1)

    return run(0)


@expression(ast.ListComp)
def _list(frame: Frame, node: ast.ListComp) -> Any:
    items = _limited(frame, _generated(frame, node.generators, lambda scope: scope.evaluate(node.elt)), node)
    return frame.builder.containers.remember(list(items), frame.builder.operations)


@expression(ast.SetComp)
def _set(frame: Frame, node: ast.SetComp) -> Any:
    def item(scope: Frame) -> Any:
        return hashable(scope, scope.known(node.elt), node.elt, "an item of the set")

    items = _limited(frame, _generated(frame, node.generators, item), node)
    return frame.builder.containers.remember(set(items), frame.builder.operations)


@expression(ast.DictComp)
def _dict(frame: Frame, node: ast.DictComp) -> Any:
    def item(scope: Frame) -> Any:
        key = hashable(scope, scope.known(node.key), node.key, "a key of the dictionary")
        return key, scope.evaluate(node.value)

    items = _limited(frame, _generated(frame, node.generators, item), node)
    return frame.builder.containers.remember(dict(items), frame.builder.operations)


def hashable(frame: Frame, key: Any, node: Positioned, what: str) -> Any:
    """A key of a dictionary or an item of a set."""
    if not is_python(key):
        advice = "give it a number that is known while tracing, or write a list"
        frame.fail(KNOWN, f"{what} is {describe(key)}, which is known at run time only", node, advice)
    fold(frame, node, hash, key)
    return key


@expression(ast.GeneratorExp)
def _generator(frame: Frame, node: ast.GeneratorExp) -> Any:
    frame.fail(CONSUMED, "a generator expression is kept here", node, f"write a list: [{ast.unparse(node)[1:-1]}]")
