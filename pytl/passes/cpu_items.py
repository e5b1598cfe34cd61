"""cpu-items: one work-item executes several small work-groups of the language, one after the other.

A work-group's start costs a processor some thousand multiply-adds. So a work-item gets as many work-groups as make that
cost small beside what they compute. Which work-groups these are does not matter, because they are independent. A large
work-group is alone in its loop, which prefetches what the next one reads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.types import MemrefType, bool_, index
from ..ir.values import Function, Region, Value
from ..ops import Alloca, ArithBinary, Builtin, For, Foreach, Gemm, Gemv, Ger, LifetimeStop, Sum, Update
from ..ops.constants import constant_of
from ..ops.launch_defaults import IN_PARTS, NO_LOCK_STEP
from ..ops.updates import TRANSPOSES
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.accesses import all_accesses, only_written
from .analysis.early_end import continue_condition
from .analysis.uses import replace_uses
from .group_lanes import in_lanes
from .insert_barrier import is_alone
from .manager import Pass, register
from .matrix_sums import order_of_sums
from .packs import MAX_LOCAL, local_bytes
from .preconditions import distributed_loop
from .software_prefetch import copy_of, exceeds_cache, reading_in_order, with_prefetches
from .targets import cpu, vector
from .targets.cache_lines import has_lines
from .targets.cpu_attributes import IN_ORDER, LINE
from .targets.machine import DEFAULT, Machine
from .targets.strategies import STRATEGY
from .tiles import CACHE, FUSED, PREFETCHED, choose_tile, products_of, source_in
from .unroll_and_jam import (
    finds_operands,
    has_products,
    invariant_factors,
    is_unroll_and_jam_legal,
    kernels_of,
    unroll_and_jam,
)


@register
@dataclass(frozen=True)
class CpuItems(Pass):
    """Wraps what a work-group does in a `cpu.items`.

    It executes `items` work-groups, of which `interleave` are interleaved, with software prefetch `prefetch`
    work-groups ahead; where these are -1, the model chooses. Where work-groups use more than `past_caches` bytes, if
    that is not 0, they store past the caches what they only write, if it begins at multiples of `begins_at` bytes: of
    a cache line's where that is 0.
    """

    name = "cpu-items"
    machine: Machine = DEFAULT
    items: int = -1
    interleave: int = -1
    prefetch: int = -1
    past_caches: int = 0
    begins_at: int = 0

    def run(self, function: Function) -> None:
        attributes = function.attributes
        if (attributes.get(STRATEGY) != "one-item" and not takes_turns(function)) or attributes.get(IN_PARTS):
            return
        if any(isinstance(op, cpu.Items) for op in function.body.operations):
            return
        items, costs = self.items, self.machine.items
        dealt_out = distributed_loop(function)
        if items < 0:
            each = operations_of(function.body if dealt_out is None else dealt_out.body, costs.unknown)
            items = min(max(costs.operations_per_item // max(each, 1), 1), costs.max_items)
        # a large work-group is alone in its work-item, and prefetches for the next one
        is_large = items == 1 and self.items < 0 and dealt_out is None and attributes[STRATEGY] == "one-item"
        if items <= 1 and not (is_large and _has_products(function.body)):
            return
        operations, same = function.body.operations, dict[Value, Value]()
        if is_large:
            operations = [clone_operation(op, same) for op in operations]
        body = Region("collective", [Value(index, "group", function.location)], operations)
        replace_group_id(body)
        invariant = take_invariant(body, _invariant_copies(function, body))
        stop = None
        if attributes[STRATEGY] != "one-item":  # nothing is interleaved there
            attributes = {cpu.ITEMS: items}
            function.body.operations = [*invariant, cpu.Items(function.location, attributes=attributes, body=body)]
            return
        if dealt_out is not None and _is_all(body, dealt_out):
            stop = dealt_out.stop
            operations = [*body.operations[:-1], *dealt_out.body.operations]
            body = Region("collective", [dealt_out.variable], operations, function.location)
            invariant += take_invariant(body, _invariant_copies(function, body))
        line = self.machine.caches.line
        taken = local_bytes(invariant, line)
        max_factor = 1 if is_large else (MAX_LOCAL - taken) // max(local_bytes(body.walk(), line), 1)
        interleave, interleave_prefetching, cycles, computing = self._factors(body, max_factor)
        lanes = in_lanes(body, _varying(body), self.machine, taken) if self.interleave < 0 and not is_large else None
        if lanes is not None and lanes.cycles > self.machine.tiles.max_cost_in_lanes * cycles:
            lanes = None
        distance = (
            min(math.ceil(costs.prefetch_cycles / max(cycles, 1)), costs.max_distance)
            if self.prefetch < 0
            else self.prefetch
        )
        has_local = any(isinstance(op, Alloca) for op in body.operations)
        interleave_prefetching = 1 if has_local else interleave_prefetching
        distance = -(-distance // interleave_prefetching) * interleave_prefetching
        in_order = None
        if distance and interleave_prefetching == 1:
            in_order = reading_in_order(body, self.machine, computing)
        past_caches = [] if in_order is not None else self._past_caches(function)
        tests, exceeds, prefetching = self._prefetching(body, distance, stop, computing, past_caches, in_order)
        if (
            prefetching is not None
            and not past_caches
            and interleave == interleave_prefetching
            and not any(isinstance(op, cpu.Prefetch) for op in prefetching.walk())
            and (lanes is not None or self._has_equal_code(body, prefetching, interleave))
        ):
            tests, exceeds, prefetching = [], None, None  # it would be the same code
        if is_large and prefetching is None:
            return
        remainder = None
        if lanes is not None:
            items = -(-items // lanes.lanes) * lanes.lanes
            prefetching = prefetching and unroll_and_jam(prefetching, interleave_prefetching)
            body, remainder = lanes.body, body
        elif interleave > 1:
            items = -(-items // interleave) * interleave
            prefetching = prefetching and unroll_and_jam(prefetching, interleave_prefetching)
            body, remainder = unroll_and_jam(body, interleave), body
        attributes = {cpu.ITEMS: items, **({cpu.PAST_CACHES: True} if past_caches else {})}
        loop = cpu.Items(
            function.location,
            attributes=attributes,
            stop=stop,
            body=body,
            exceeds_cache=exceeds,
            prefetching=prefetching,
            remainder=remainder,
        )
        function.body.operations = [*invariant, *tests, loop]

    def _past_caches(self, function: Function) -> list[Value]:
        """The parameters that are stored past the caches: columns of them begin at lines, if they do themselves."""
        if not (self.past_caches and self.machine.stores_past_caches):
            return []
        return [each for each in only_written(function) if has_lines(each.type, self._begin)]

    @property
    def _begin(self) -> int:
        """A multiple of this many bytes is where what is stored past the caches begins."""
        return self.begins_at or self.machine.caches.line

    def _prefetching(
        self,
        body: Region,
        distance: int,
        stop: Value | None,
        computing: float,
        past_caches: Sequence[Value],
        in_order: Region | None,
    ) -> tuple[list[Operation], Value | None, Region | None]:
        """Code that computes whether software prefetch, or stores past the caches, are worth it, its result, and the
        region that has them; or the one that needs neither, as it reads what is from memory `in_order`.
        """
        costs = self.machine.prefetches
        if past_caches:
            # the launch has found that its arrays exceed the cache; the work-groups may use a part of them
            tests, exceeds = exceeds_cache(body, stop, replace(costs, cache=self.past_caches))
            for each in past_caches:
                at_line = cpu.BeginsAtLine(body.location, [bool_], attributes={LINE: self._begin}, tensor=each)
                tests.append(at_line)
                if exceeds is not None:
                    tests.append(ArithBinary(body.location, [bool_], variant="and", a=exceeds, b=at_line.result))
                exceeds = tests[-1].results[0]
            prefetching = None
            if distance:
                prefetching = with_prefetches(body, distance, stop, self.machine, computing, past_caches)
            return tests, exceeds, prefetching or copy_of(body)
        tests, exceeds = exceeds_cache(body, stop, costs) if distance else ([], None)
        prefetching = None
        if exceeds is not None:
            prefetching = in_order or with_prefetches(body, distance, stop, self.machine, computing)
        if prefetching is None:
            return [], None, None
        return [*tests, *take_invariant(prefetching)], exceeds, prefetching

    def _has_equal_code(self, body: Region, prefetching: Region, factor: int) -> bool:
        """Whether kernels get the same tiles, and read matrices in the same order, for data in caches and in memory."""
        varying, source = _varying(body), source_in(prefetching)

        def decided(op: cpu.Kernel, source: str) -> dict[str, Any] | None:
            first = op.body.operations[0]
            if isinstance(first, (Gemv, Sum)) and first.A.type.order == 2:
                return order_of_sums(op, self.machine, source != CACHE)
            if not has_products(op):
                return None
            products = products_of(op, self.machine.caches.line, source) * factor
            found = choose_tile(self.machine, products, factor, invariant_factors(op, varying))
            return None if found is None else found.attributes()

        kernels = [op for op in body.walk() if isinstance(op, cpu.Kernel)]
        if any(IN_ORDER in op.attributes for op in kernels_of(prefetching)):
            return False
        return all(decided(op, CACHE) == decided(op, source) for op in kernels)

    def _factors(self, body: Region, max_factor: int) -> tuple[int, int, float, float]:
        """How many work-groups to interleave, how many where these prefetch, and the model's cycles for one, with and
        without waiting for products.

        `max_factor` is how many there is local memory for.
        """
        machine, costs = self.machine, self.machine.items
        varying = _varying(body)
        kernels = kernels_of(body)
        products = [p for kernel in kernels for p in products_of(kernel, self.machine.caches.line)]
        are_fused = all(p.element in FUSED for p in products)
        share_right = all(invariant_factors(kernel, varying)[1] for kernel in kernels)
        max_cost = {2: costs.max_cost_of_two, 4: costs.max_cost_of_four}
        if not (are_fused and share_right):
            max_cost = dict.fromkeys(max_cost, costs.max_cost_unshared)

        # a product waits for the one before, where its work-group has no other work meanwhile
        waits = costs.between_products * max(len(products) - 1, 0)

        def cost(factor: int, source: str | None = None) -> float:
            total = waits / factor
            for op in body.operations:
                if isinstance(op, For):
                    total += operations_of(op.body, costs.unknown) / machine.register_bytes
            for kernel in kernels:
                own = products_of(kernel, self.machine.caches.line, source)
                if not own:
                    total += operations_of(kernel.body, costs.unknown) / machine.register_bytes
                    continue
                tile = choose_tile(machine, own * factor, factor, invariant_factors(kernel, varying))
                total += tile.cost if tile is not None else math.inf
            return total

        is_vector = bool(products) and all(p.columns == 1 for p in products)
        if not is_unroll_and_jam_legal(body, varying):
            choices = [1]
        elif self.interleave > 0:
            # as many as have what they hand on in registers
            factors = range(min(self.interleave, max_factor), 0, -1)
            choices = [next((factor for factor in factors if cost(factor) < math.inf), 1)]
        elif is_vector:
            choices = [1]  # nearly all loads are of the left factors, which are not shared
        else:
            choices = [1, *(factor for factor in max_cost if factor <= max_factor)]
        cycles = {factor: cost(factor) for factor in choices}
        alone = cycles.get(1, math.inf)
        worth = [factor for factor in choices if cycles[factor] <= max_cost.get(factor, 1.0) * alone]
        best = min(worth, key=cycles.__getitem__)
        is_given = 1 not in cycles
        gains = best > 1 and (
            is_given or waits > 0 or cost(best, PREFETCHED) < costs.max_cost_streaming * cost(1, PREFETCHED)
        )
        prefetching = min(best, costs.max_streams) if gains else 1
        return best, prefetching, cycles[best], cycles[best] - waits / best


def _has_products(region: Region) -> bool:
    """Whether there are kernels with products in a region or its loops."""
    return any(isinstance(op, cpu.Kernel) and has_products(op) for op in region.walk())


def _varying(body: Region) -> set[Value]:
    """The values that differ among work-groups."""
    return {*body.arguments, *(result for op in body.operations for result in op.results)}


def takes_turns(function: Function) -> bool:
    """Whether a processor executes work-groups of many work-items one after the other, each by a sub-group of its own.

    Nothing but code that passes have written tells the work-items apart.
    """
    if function.attributes.get(STRATEGY) != "many-items" or function.attributes.get(NO_LOCK_STEP):
        return False
    others = [op for op in function.body.walk() if op.kind == "spmd" and not isinstance(op, vector.WorkItems)]
    in_code = {op for code in function.body.walk() if isinstance(code, vector.WorkItems) for op in code.body.walk()}
    return is_alone(function) and in_code.issuperset(others) and not any(op.callee for op in function.body.walk())


def _is_all(body: Region, loop: For) -> bool:
    """Whether a loop that work-groups deal out is all that a work-group does.

    Then it finds operands before the loop at most, and its own number is the loop's start and nothing else.
    """
    *others, last = body.operations
    if last is not loop or loop.results or not all(map(finds_operands, others)):
        return False
    uses = [value for op in body.walk() for value in op.operands]
    return uses.count(loop.start) == 1 and loop.stop not in {result for op in others for result in op.results}


def replace_group_id(body: Region) -> None:
    """Take the work-group's number from the argument of a region."""
    replaced: dict[Value, Value] = {}
    for op in list(body.walk()):
        if isinstance(op, Builtin) and op.variant == "group_id":
            body.arguments[0].name = op.result.name or body.arguments[0].name
            replaced[op.result] = body.arguments[0]
    replace_uses(body, replaced)
    _drop(body, replaced)


def _drop(region: Region, replaced: dict[Value, Value]) -> None:
    region.operations = [op for op in region.operations if not (op.results and op.results[0] in replaced)]
    for op in region.operations:
        for inner in op.regions:
            _drop(inner, replaced)


def loop_in_step(
    function: Function,
    items: int,
    in_step: int,
    together: Callable[[Region], Region],
    tests: Sequence[Operation] = (),
    is_alone: Value | None = None,
) -> None:
    """Make a loop over work-groups of what one does, of which so many are executed in step.

    `together` makes the code for these of that for one, which is left for the remainder. Where `is_alone`, which
    `tests` compute, is true, each is executed by itself.
    """
    of_one = Region("collective", [Value(index, "group", function.location)], function.body.operations)
    replace_group_id(of_one)
    invariant = take_invariant(of_one)
    attributes = {cpu.ITEMS: -(-items // in_step) * in_step}
    alone = None if is_alone is None else copy_of(of_one)
    for loop in alone.walk() if alone is not None else ():
        if isinstance(loop, For):
            loop.attributes.setdefault("unroll", False)  # else LLVM gathers what several of them load
    loop = cpu.Items(
        function.location,
        attributes=attributes,
        body=together(of_one),
        exceeds_cache=is_alone,
        prefetching=alone,
        remainder=of_one if in_step > 1 else None,
    )
    function.body.operations = [*invariant, *tests, loop]


def take_invariant(body: Region, copies: frozenset[Operation] = frozenset()) -> list[Operation]:
    """What is invariant over the work-groups, moved out of the region: pure instructions, and `copies`."""
    varying = set(body.arguments)
    invariant: list[Operation] = []
    rest: list[Operation] = []
    for op in body.operations:
        if op in copies or (op.pure and not op.regions and not varying.intersection(op.operands)):
            invariant.append(op)
        elif not (isinstance(op, LifetimeStop) and op.tensor.owner in copies):
            # what is moved out is needed for the next work-group again
            rest.append(op)
            varying.update(op.results)
    body.operations = rest
    return invariant


def _invariant_copies(function: Function, body: Region) -> frozenset[Operation]:
    """Allocas, and the code that fills them, where the code reads only what is invariant over the work-groups.

    Views of the allocas are pure, and move with them.
    """
    written = [root for op in body.operations for root in _written_by(op)]
    inputs = set(function.parameters) - set(written)
    same = set(inputs)  # values that are the same for all work-groups
    views: dict[Value, set[Value]] = {}  # of each alloca that may be one: itself and what is known to be a view of it
    copies: set[Operation] = set()
    for op in body.operations:
        if any(each.writes and each.space == "global" for each in all_accesses(op)):
            break  # it may alias what is read after it
        if isinstance(op, Alloca):
            views[op.result] = {op.result}
        elif op.pure and not op.regions:
            others = [value for value in op.operands if value not in same]
            root = root_of(others[0]) if others else None
            known = same if root is None else views.get(root, set())
            if known.issuperset(others):
                known.update(op.results)
        elif isinstance(op, (cpu.Kernel, vector.Code)):  # a kernel of one instruction, or of a chain
            inner = list(op.body.walk())
            defined = {value for i in inner for value in (*i.results, *(v for r in i.regions for v in r.arguments))}
            targets = _written_by(op) - defined
            if len(targets) != 1:
                continue
            (target,) = targets
            alloca, own = target.owner, views.get(target, set())
            used = {value for i in inner for value in i.operands} - defined - own
            if isinstance(alloca, Alloca) and written.count(target) == 1 and same.issuperset(used):
                copies |= {op, alloca}
                same |= own  # later kernels may read it
    return frozenset(copies)


def _written_by(op: Operation) -> set[Value]:
    """The roots of the memory that an instruction writes, with what it contains."""
    inner = (inside for region in op.regions for inside in region.walk())
    return {root_of(value) for each in (op, *inner) for value in each.written_memory()}


def operations_of(region: Region, unknown: int) -> int:
    """About how many arithmetic operations a region does, with `unknown` for what is known at run time only."""
    return sum(_operations(op, unknown) for op in region.operations)


def _operations(op: Operation, unknown: int) -> int:
    if isinstance(op, Gemm):
        depth = op.A.type.shape[0 if TRANSPOSES[op.transpose_a] else 1]
        return 2 * _elements(op.C.type, unknown) * (depth if isinstance(depth, int) else unknown)
    if isinstance(op, Ger):
        return 2 * _elements(op.updated.type, unknown)
    if isinstance(op, Update):
        return 2 * max(_elements(getattr(op, name).type, unknown) for name in (*op.factors, op.target))
    if op.callee is not None:
        return operations_of(op.callee.body, unknown)
    trips = trips_of(op, unknown) if isinstance(op, (For, Foreach)) else 1
    return 1 + trips * sum(operations_of(inner, unknown) for inner in op.regions)


def trips_of(op: For | Foreach, unknown: int) -> int:
    """How often a loop's body is executed."""
    if isinstance(op, For):
        return _trips(op.start, op.stop, unknown)
    return math.prod(_trips(start, stop, unknown) for start, stop in zip(op.start, op.stop))


def counted(region: Region, times: int, unknown: int) -> Iterator[tuple[Operation, int]]:
    """The instructions of a region and what is in it, and how often they are executed, as far as is known."""
    for op in region.operations:
        yield op, times
        inner = times
        if isinstance(op, (For, Foreach)):
            trips = trips_of(op, unknown)
            ends_early = isinstance(op, For) and continue_condition(op) is not None
            inner *= min(trips, unknown) if ends_early else trips
        for part in op.regions:
            yield from counted(part, inner, unknown)


def _trips(start: Value, stop: Value, unknown: int) -> int:
    first, last = constant_of(start), constant_of(stop)
    return unknown if first is None or last is None else max(last - first, 0)


def _elements(type_: MemrefType, unknown: int) -> int:
    count = 1
    for extent in type_.shape:
        count *= extent if isinstance(extent, int) else unknown
    return count
