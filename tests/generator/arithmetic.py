"""Numbers: constants, arithmetic, casts, comparisons, functions, and what is built in."""

from __future__ import annotations

import math

from .core import Core
from .language import COMPLEX, COMPONENT, ELEMENTS, FLOATS, INTEGERS, LIMIT, SIZES, bound_of, type_bound
from .values import GROUPS, Number

EXPONENT = 4.0
"""The largest argument that a safe program gives to exp."""


class Arithmetic(Core):
    def constant_of_any_type(self) -> None:
        type_ = self.pick((*self.elements, "bool"))
        if not self.safe and type_ not in (*INTEGERS, "bool") and self.chance(20):
            word, other = self.pick(("inf", "-inf", "nan")), self.pick(("inf", "-inf", "nan", "0.5"))
            self.define(type_, f"constant {f'[{word},{other}]' if type_ in COMPLEX else word} : {type_}")
            return
        self.constant(type_)

    def bitcast(self) -> None:
        """Another number of the same bits, in plain programs."""
        number = self.number(self.pick([t for t in self.elements if t != "index"] or ["i32"]))
        target = self.pick([t for t in ELEMENTS if t != "index" and SIZES[t] == SIZES[number.type]])
        self.define(target, f"v04.bitcast {number.name} : {target}", spread=number.spread)

    def builtin(self) -> None:
        if self.chance(40):
            which, size = self.pick((("num_subgroups", self.subgroups), ("subgroup_size", self.subgroup_size)))
            self.define("i32", f"builtin.{which} : i32", size, low=size, high=size, stable=True)
            return
        if not self.safe and self.chance(30):
            word = f"v04.{self.pick(('group_id', 'num_groups'))}.{self.pick(('y', 'z'))}"
            self.opaque.add(self.define("index", f"{word} : index").name)
            return
        which = self.pick(("group_id", "group_size"))
        known = {"low": 0, "below": GROUPS} if which == "group_id" else {}
        self.opaque.add(self.define("index", f"builtin.{which} : index", **known).name)

    def binary(self) -> None:
        type_ = self.operand_type()
        a = self.number(type_)
        if type_ == "bool":
            b = self.number("bool")
            which = self.pick(("and", "or", "xor"))
            self.define("bool", f"arith.{which} {a.name}, {b.name} : bool", spread=max(a.spread, b.spread))
            return
        variants = ["add", "sub", "mul", "div"]
        if type_ in INTEGERS:
            variants += ["rem", "min", "max", "shl", "shr", "and", "or", "xor"]
        elif type_ in FLOATS:
            variants += ["min", "max"] if self.safe else ["min", "max", "rem"]
        variant = self.pick(variants)
        b = self.second_operand(variant, type_)
        bound = bound_of(variant, type_, a.bound, b.bound)
        if self.safe and type_ not in INTEGERS and bound > LIMIT:
            return
        known = {"spread": max(a.spread, b.spread)}
        if variant == "add" and type_ == "index" and None not in (a.low, a.high, b.low, b.high):
            known |= {"low": a.low + b.low, "high": a.high + b.high}
        if variant in ("min", "max"):
            known["stable"] = a.stable and b.stable
        self.define(type_, f"arith.{variant} {a.name}, {b.name} : {type_}", bound, **known)

    def second_operand(self, variant: str, type_: str) -> Number:
        if self.safe and variant in ("div", "rem"):
            divisors = (2, 3, -3, 5) if type_ in INTEGERS else (1 + 1j, 2j) if type_ in COMPLEX else (2.0, -0.5, 3.0)
            return self.constant(type_, self.pick(divisors))
        if self.safe and variant in ("shl", "shr"):
            return self.constant(type_, self.rng.randrange(8))
        return self.number(type_)

    def unary(self) -> None:
        type_ = self.operand_type()
        variants = ["not"] if type_ == "bool" else ["abs", "neg"]
        if type_ in INTEGERS:
            variants.append("not")
        elif type_ in COMPLEX:
            variants += 3 * ["conj", "im", "re"]
        variant, a = self.pick(variants), self.number(type_)
        result = COMPONENT.get(type_, type_) if variant in ("abs", "im", "re") else type_
        bound = type_bound(type_) if type_ in INTEGERS else a.bound
        stable = a.stable and not (variant == "abs" and type_ in COMPLEX)
        self.define(result, f"arith.{variant} {a.name} : {result}", bound, spread=a.spread, stable=stable)

    def narrowed(self) -> None:
        """A few bits of an integer: what a loop or a branch gave may be cast to any type then."""
        numbers = [n for n in self.scope.numbers if n.type in INTEGERS]
        if not numbers:
            return
        a, mask = self.pick(numbers), self.pick((1, 3, 7))
        bits = self.constant(a.type, mask)
        known = {"low": 0, "high": mask, "spread": a.spread, "stable": True}
        self.define(a.type, f"arith.and {a.name}, {bits.name} : {a.type}", mask, **known)

    def truth(self) -> None:
        """One of two small integers by a truth value, such as the -1 and 0 that an optimizer makes of it."""
        integers = [e for e in self.elements if e in INTEGERS]
        if not integers:
            return
        condition, type_ = self.number("bool"), self.pick(integers)
        yes, no = (self.constant(type_, value) for value in self.pick(((-1, 0), (1, 0), (0, 1), (2, -3))))
        low, high = sorted((int(yes.low), int(no.low)))
        known = {"low": low, "high": high, "spread": condition.spread, "stable": True}
        right = f"if {condition.name} -> ({type_}) {{ yield ({yes.name}) }} else {{ yield ({no.name}) }}"
        self.define(type_, right, max(abs(low), abs(high)), **known)

    def castable(self, source: str, bound: float, stable: bool) -> list[str]:
        """The types that numbers of a type and size may be cast to."""
        targets = [t for t in self.elements if source not in COMPLEX or t in COMPLEX]
        if self.safe and source not in INTEGERS and not stable:
            targets = [t for t in targets if t not in INTEGERS]
        if self.safe and source not in INTEGERS:
            targets = [t for t in targets if t not in INTEGERS or bound < type_bound(t)]
        if self.safe and bound > LIMIT:
            targets = [t for t in targets if t in INTEGERS]
        return targets

    def cast(self) -> None:
        source = self.operand_type()
        if source == "bool":
            return
        a = self.number(source)
        targets = self.castable(source, a.bound, a.stable)
        if not targets:
            return
        target = self.pick(targets)
        exact = target in INTEGERS and source in INTEGERS and a.bound < type_bound(target)
        known = {"low": a.low, "high": a.high, "below": a.below} if exact else {}
        # rounding may enlarge a number a little
        bound = a.bound if target in INTEGERS else a.bound * 1.01
        self.define(target, f"cast {a.name} : {target}", bound, spread=a.spread, stable=a.stable, **known)

    def compare(self) -> None:
        numbers = [n for n in self.scope.numbers if n.type in INTEGERS or (n.type in ELEMENTS and not self.safe)]
        numbers += [n for n in self.scope.numbers if self.safe and n.type in FLOATS and n.stable]
        if not numbers:
            return
        a = self.pick(numbers)
        twins = [n for n in numbers if n.type == a.type]
        b = self.pick(twins) if self.chance(75) else self.constant(a.type)
        variant = self.pick(("eq", "ne") if a.type in COMPLEX else ("eq", "ne", "gt", "ge", "lt", "le"))
        self.define("bool", f"cmp.{variant} {a.name}, {b.name} : bool", spread=max(a.spread, b.spread))

    def function(self) -> None:
        """exp, of what is small enough."""
        type_ = self.operand_type()
        if type_ not in (*FLOATS, *COMPLEX):
            return
        a = self.number(type_)
        if self.safe and type_ in FLOATS:
            a = self.bounded(a, EXPONENT)
        if self.safe and a.bound > EXPONENT:
            return
        which = self.pick(("exp", "native_exp"))
        bound = math.exp(a.bound) * 1.01 if a.bound < 100 else math.inf
        self.define(type_, f"math.{which} {a.name} : {type_}", bound, spread=a.spread)
