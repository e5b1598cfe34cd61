"""Loops and branches, and the values that they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .core import Core
from .language import FLOATS, INTEGERS, type_bound
from .values import SUBGROUP, UNIFORM, VARYING, Matrix, Number

Carried = Number | Matrix


class Control(Core):
    def carried(self) -> list[Carried]:
        """Initial values of what a loop or branch gives."""
        known: list[Carried] = list(self.scope.numbers)
        if not self.safe or self.divergence <= SUBGROUP:
            known += self.scope.matrices
        return [self.pick(known) for _ in range(self.rng.randrange(4))] if known else []

    def limit(self, first: Carried) -> float:
        """How large a carried value may become."""
        type_ = first.component if isinstance(first, Matrix) else first.type
        return type_bound(type_) if type_ in INTEGERS else max(first.bound, 8.0)

    def results(self, firsts: Sequence[Carried], spreads: Sequence[int]) -> list[Carried]:
        """Values of the types of others: of their size, but for integers of unknown range."""
        given: list[Carried] = []
        for first, spread in zip(firsts, spreads, strict=True):
            name, bound = self.fresh(), self.limit(first)
            if isinstance(first, Matrix):
                given.append(replace(first, name=name, bound=bound))
            else:
                given.append(Number(name, first.type, bound, spread=spread))
        return given

    def add(self, values: Sequence[Carried]) -> None:
        self.scope.numbers += [v for v in values if isinstance(v, Number)]
        self.scope.matrices += [v for v in values if isinstance(v, Matrix)]

    def yields(self, firsts: Sequence[Carried], spreads: Sequence[int]) -> None:
        values = [self.yielded(first, spread) for first, spread in zip(firsts, spreads, strict=True)]
        if values or self.chance(20):
            self.line(f"yield ({', '.join(value.name for value in values)})")

    def yielded(self, first: Carried, spread: int) -> Carried:
        if isinstance(first, Matrix):
            return self.matrix_like(first, self.limit(first))
        if first.type in FLOATS:
            return self.bounded(self.number(first.type, spread), self.limit(first))
        return self.small_number(first.type, self.limit(first), spread)

    def assignment(self, results: Sequence[Carried]) -> str:
        return f"{', '.join(n.name for n in results)} = " if results else ""

    # for

    def loop(self) -> None:
        type_ = self.pick((*INTEGERS, "index"))
        start = self.constant(type_, self.rng.randrange(3) - (self.chance(20) and type_ != "index"))
        stop = self.loop_end(type_, int(start.low))
        bounds = [start.name, stop.name]
        step = self.pick((None, 1, 2))
        if step is not None:
            bounds.append(self.constant(type_, step).name)
        firsts, variable = self.carried(), self.fresh()
        spreads = [self.carried_spread(first, stop.spread) for first in firsts]
        inside = self.results(firsts, spreads)
        # those who leave the loop late have other values than those who leave it early
        results = self.results(firsts, [max(spread, stop.spread) for spread in spreads])
        annotation = f": {type_}" if type_ != "index" or self.chance(30) else ""
        carried = ""
        if firsts:
            pairs = ", ".join(f"{i.name}={f.name}" for i, f in zip(inside, firsts, strict=True))
            carried = f" init({pairs}) -> ({', '.join(f.type for f in firsts)})"
        self.line(f"{self.assignment(results)}for {variable}{annotation} = {', '.join(bounds)}{carried} {{")
        with self.region(), self.branch_of_writes(), self.diverging(stop.spread):
            self.loops += 1
            known = {"low": start.low, "high": max(start.low, stop.high - 1)}
            counter = Number(variable, type_, float(max(abs(start.low), stop.high)), stable=True, **known)
            self.scope.numbers.append(counter)
            self.add(inside)
            self.body()
            self.yields(firsts, spreads)
            self.loops -= 1
        unroll = self.pick(("", "", "{unroll=true}", "{unroll=false}", '{unroll=true, "why"={"a"=[1,"b"]}}'))
        self.line(f"}} {unroll}".rstrip())
        self.add(results)

    def loop_end(self, type_: str, start: int) -> Number:
        """The end of a loop's range: few iterations, where it is known."""
        known = [n for n in self.scope.numbers if n.type == type_ and n.low is not None and n.high is not None]
        known = [n for n in known if n.high <= start + 4 and (self.safe or n.spread == UNIFORM)]
        if known and self.chance(30):
            return self.pick(known)
        return self.constant(type_, start + self.rng.randrange(4))

    def carried_spread(self, first: Carried, spread: int) -> int:
        """Who shall hold a carried number alike in the loop."""
        if self.spmd is None or isinstance(first, Matrix):
            return UNIFORM
        # in a loop that ends at different times, what is yielded is uniform among those who still run
        return self.pick([s for s in (UNIFORM, SUBGROUP, VARYING) if s >= first.spread])

    # if

    def branch(self) -> None:
        condition = self.number("bool")
        firsts = self.carried()
        if condition.spread == VARYING and self.safe:
            firsts = [first for first in firsts if isinstance(first, Number)]
        spreads = [self.carried_spread(first, condition.spread) for first in firsts]
        results = self.results(firsts, [max(spread, condition.spread) for spread in spreads])
        types = f" -> ({', '.join(f.type for f in firsts)})" if firsts else ""
        self.line(f"{self.assignment(results)}if {condition.name}{types} {{")
        with self.region(), self.branch_of_writes(), self.diverging(condition.spread):
            self.body()
            self.yields(firsts, spreads)
        if firsts or self.chance(50):
            self.line("} else {")
            with self.region(), self.branch_of_writes(), self.diverging(condition.spread):
                self.body()
                self.yields(firsts, spreads)
        self.line("}")
        self.add(results)
