"""`if`, loops, and SPMD regions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from ...diagnostics import Label
from ...diagnostics.words import counted
from ...ir.types import Type
from ...ir.values import Region, Value
from ...ops import Foreach, ForeachTile, Parallel
from ..lang.collective import foreach, foreach_tile, parallel
from ..lang.loops import unroll
from ..lang.traced import Shape, describe, is_unknown
from .expressions import entries
from .frame import Binding, Failed, Frame, Names_, Unbound, statement
from .loops import bound_type, for_range, forget, typed_bound, unrolled
from .merge import Branch, Joint, join
from .names import Names, bound_names, identifier
from .rules import CALL_ARGUMENTS, LOOP, REBOUND_IN_SPMD, STATEMENT
from .sequences import iterate
from .static_loops import known_range, or_static, static_loop
from .unsupported import refuse_jump


@statement(ast.If)
def _if(frame: Frame, node: ast.If, live: Names) -> None:
    condition = frame.condition(node.test)
    if isinstance(condition, bool):
        frame.execute(node.body if condition else node.orelse, live)
        return
    before = dict(frame.names)
    then, then_names = _branch(frame, node.body, live, before)
    otherwise, otherwise_names = _branch(frame, node.orelse, live, before)
    frame.names = before
    joints = []
    for name in bound_names([*node.body, *node.orelse]):
        a, b = then_names.get(name), otherwise_names.get(name)
        if isinstance(a, Binding) and isinstance(b, Binding):
            if name in live:
                joints.append(Joint(name, a.value, a.location, b.value, b.location))
            else:
                frame.names.pop(name, None)
        elif a is not None or b is not None:
            frame.names[name] = _bound_once(name, a, b)
    values = join(frame, node.test, condition, Branch(then, otherwise), joints)
    for joint, value in zip(joints, values, strict=True):
        assert joint.name is not None
        frame.names[joint.name] = Binding(value, joint.then_location)


def _branch(frame: Frame, body: Sequence[ast.stmt], live: Names, before: Names_) -> tuple[Region, Names_]:
    region = Region("mixed")
    frame.names = dict(before)
    with frame.builder.into(region.operations):
        frame.execute(body, live)
    return region, frame.names


def _bound_once(name: str, a: Binding | Unbound | None, b: Binding | Unbound | None) -> Unbound:
    bound = next(x for x in (a, b) if x is not None)
    if isinstance(bound, Unbound) and not any(isinstance(x, Binding) for x in (a, b)):
        return bound
    location = next(x for x in (a, b) if isinstance(x, Binding)).location
    return Unbound("is bound in one branch of an if only", f"give {name} a value before the if", location)


@statement(ast.For)
def _for(frame: Frame, node: ast.For, live: Names) -> None:
    try:
        _loop(frame, node, live)
    except Failed:
        frame.diagnose(node.body, bound_names([node]))
        raise


def _loop(frame: Frame, node: ast.For, live: Names) -> None:
    call = node.iter
    callee = frame.known(call.func) if isinstance(call, ast.Call) else None
    if isinstance(call, ast.Call) and callee is unroll:
        _unrolled(frame, node, call, live)
    elif isinstance(call, ast.Call) and (callee is range or (callee is reversed and _is_range(frame, call))):
        for_range(frame, node, call, live, {})
    elif isinstance(call, ast.Call) and callee is foreach:
        _foreach(frame, node, call)
    elif isinstance(call, ast.Call) and callee is foreach_tile:
        _foreach_tile(frame, node, call)
    else:
        static_loop(frame, node, iterate(frame, call), live)


def _is_range(frame: Frame, call: ast.Call) -> bool:
    """Whether `reversed(…)` is around a range."""
    inner = call.args[0] if len(call.args) == 1 else None
    return isinstance(inner, ast.Call) and frame.known(inner.func) is range


def _unrolled(frame: Frame, node: ast.For, call: ast.Call, live: Names) -> None:
    call, attributes = unrolled(frame, call)
    backwards = frame.known(call.func) is reversed
    bounds = call.args[0].args if backwards and call.args and isinstance(call.args[0], ast.Call) else call.args
    state = frame.state()
    items = known_range([frame.evaluate(bound) for bound in bounds], backwards) if attributes["unroll"] else None
    frame.restore(state)  # the loop evaluates its bounds itself
    or_static(frame, node, items, live, lambda: for_range(frame, node, call, live, attributes))


# SPMD regions.


def _foreach(frame: Frame, node: ast.For, call: ast.Call) -> None:
    if call.keywords or not 1 <= len(call.args) <= 2:
        frame.fail(CALL_ARGUMENTS, "foreach takes one or two arguments: start, stop", call)
    lists, nodes = _lists(frame, call, 2)
    targets = _names_of(node.target)
    if not len(targets) == len(lists[0]) == len(lists[1]):
        frame.report(
            LOOP,
            f"foreach has {len(targets)} variables, {len(lists[0])} first and {len(lists[1])} last bounds",
            call,
            "write for i, j in foreach((0, 0), (m, n))",
        )
        raise Failed
    # a mode of literals alone is counted as the others are
    types = [bound_type([first, last, *lists[0], *lists[1]]) for first, last in zip(*lists)]
    start, stop = (
        [typed_bound(frame, item, type_, argument_node) for item, type_ in zip(items, types)]
        for items, argument_node in zip(lists, nodes, strict=True)
    )
    names = {}
    for position, target in enumerate(targets):
        variable, binding = _variable(frame, target, types[position])
        frame.builder.learn_range(binding.value, start[position], stop[position])
        names[variable] = binding
    region = Region("spmd", [binding.value for binding in names.values()])
    _spmd(frame, node, region, names, "the foreach")
    frame.emit(Foreach, node.iter, start=start, stop=stop, body=region)


def _lists(frame: Frame, call: ast.Call, count: int) -> tuple[list[tuple[Any, ...]], list[ast.expr]]:
    """So many arguments of a loop over ranges, by mode, with their places; where the first is left out, it is 0."""
    nodes = list(call.args)
    values = [frame.evaluate(argument) for argument in nodes]
    if any(isinstance(item, Value) and is_unknown(item) for item in values):
        raise Failed
    lists = [
        entries(frame, item, argument_node) if isinstance(item, (tuple, Shape)) else (item,)
        for item, argument_node in zip(values, nodes, strict=True)
    ]
    if len(lists) < count:
        lists.insert(0, (0,) * len(lists[0]))
        nodes.insert(0, nodes[0])
    return lists, nodes


def _names_of(target: ast.expr) -> list[ast.expr]:
    return list(target.elts) if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _variable(frame: Frame, target: ast.expr, type_: Type) -> tuple[str, Binding]:
    """A loop's variable of a type, by its name."""
    if not isinstance(target, ast.Name):
        frame.fail(LOOP, "a loop's variable is a name", target)
    location = frame.location_of(target)
    return target.id, Binding(Value(type_, identifier(target.id), location), location)


_TILES = "write for (i, j), (p, q) in foreach_tile((0, 0), (m, n), (32, 16)), or for i, p in foreach_tile(n, 32)"


def _foreach_tile(frame: Frame, node: ast.For, call: ast.Call) -> None:
    if call.keywords or not 2 <= len(call.args) <= 3:
        frame.fail(CALL_ARGUMENTS, "foreach_tile takes two or three arguments: start, stop, size", call, _TILES)
    lists, nodes = _lists(frame, call, 3)
    if len({len(items) for items in lists}) > 1:
        kinds = ("first bounds", "last bounds", "sizes")
        counts = ", ".join(f"{len(items)} {kind}" for items, kind in zip(lists, kinds))
        frame.fail(LOOP, f"foreach_tile has {counts}", call, _TILES)
    for size in lists[2]:
        if isinstance(size, bool) or not isinstance(size, int):
            frame.fail(LOOP, f"a size of a tile is {describe(size)}, not a Python integer", nodes[2])
    types = [bound_type(pair) for pair in zip(*lists[:2])]
    start, stop = (
        [typed_bound(frame, item, type_, argument_node) for item, type_ in zip(items, types)]
        for items, argument_node in zip(lists[:2], nodes)
    )
    targets = _names_of(node.target)
    if len(targets) != 2:
        frame.fail(LOOP, "a loop over tiles has a place and a size", node.target, _TILES)
    names: dict[str, Binding] = {}
    arguments: list[Value] = []
    for target in targets:
        for name, binding, values in _of_modes(frame, target, types):
            if name in names and name != "_":
                frame.fail(LOOP, f"two variables of foreach_tile are called {name}", target)
            names[name] = binding
            arguments += values
    for variable, first, end in zip(arguments, start, stop):
        frame.builder.learn_range(variable, first, end)
    region = Region("spmd", arguments)
    _spmd(frame, node, region, names, "the foreach_tile")
    spans = {
        part: frame.location_of(argument_node) for part, argument_node in zip(("start", "stop", "tile_shape"), nodes)
    }
    frame.emit(ForeachTile, node.iter, None, spans, start=start, stop=stop, tile_shape=list(lists[2]), body=region)


def _of_modes(
    frame: Frame, target: ast.expr, types: Sequence[Type]
) -> Iterator[tuple[str, Binding, tuple[Value, ...]]]:
    """The place or size of a tile: names, one for each mode or one for all, with the values of the modes."""
    nodes = _names_of(target)
    if len(types) > 1 and isinstance(target, ast.Name):
        values = tuple(Value(type_, None, frame.location_of(target)) for type_ in types)
        yield target.id, Binding(values, frame.location_of(target)), values
        return
    if len(nodes) != len(types):
        message = f"a tile has {counted(len(types), 'mode')}, but {counted(len(nodes), 'name')} are here"
        frame.fail(LOOP, message, target, _TILES)
    for each, type_ in zip(nodes, types):
        name, binding = _variable(frame, each, type_)
        yield name, binding, (binding.value,)


@statement(ast.With)
def _with(frame: Frame, node: ast.With, live: Names) -> None:
    item = node.items[0]
    head = item.context_expr
    callee = frame.evaluate(head.func) if isinstance(head, ast.Call) else None
    if not isinstance(head, ast.Call) or callee is not parallel or len(node.items) > 1 or item.optional_vars:
        if not is_unknown(callee):
            frame.report(STATEMENT, "with is used with parallel() only", head, "write with parallel():")
        frame.diagnose(node.body, bound_names(node.body))
        raise Failed
    if head.args or head.keywords:
        frame.report(CALL_ARGUMENTS, "parallel takes no arguments", head, "write with parallel():")
    region = Region("spmd")
    _spmd(frame, node, region, {}, "the parallel region")
    frame.emit(Parallel, head, body=region)


def _spmd(
    frame: Frame, node: ast.For | ast.With, region: Region, variables: dict[str, Binding], region_name: str
) -> None:
    early_exits = frame.early_exits.get(node)
    if early_exits:
        for jump in early_exits.jumps:
            refuse_jump(frame, jump, region_name)
        raise Failed
    bound = bound_names([node])
    for name, binding_node in bound.items():
        outer = frame.bound(name)
        if outer is not None:
            frame.report(
                REBOUND_IN_SPMD,
                f"{name} is bound again inside {region_name}",
                binding_node,  # type: ignore[arg-type]
                "use another name; store values that later code needs in memory",
                [Label(outer.location, "bound here")],
            )
    before = frame.names
    frame.names = {**before, **variables}
    outside, frame.builder.is_spmd = frame.builder.is_spmd, True
    with frame.builder.into(region.operations):
        frame.execute(node.body, frozenset())
    frame.builder.is_spmd = outside
    after, frame.names = frame.names, before
    new_names = [name for name in bound if frame.bound(name) is None]
    forget(frame, new_names, after, region_name, "store the computed values in memory")
