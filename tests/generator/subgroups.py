"""What the work-items of a sub-group do together."""

from __future__ import annotations

from .core import Core
from .language import COMPLEX, FLOATS, LIMIT
from .values import SUBGROUP, VARYING


class Subgroups(Core):
    def whole_subgroup(self) -> bool:
        """Whether all work-items of a sub-group are here; a foreach promises nothing of the kind."""
        return not self.safe or (self.spmd.kind in ("parallel", "tile") and self.divergence <= SUBGROUP)

    def subgroup_builtin(self) -> None:
        if self.safe and self.spmd.kind == "foreach":
            return
        if self.chance(50):
            known = {"low": 0, "high": self.subgroups - 1, "spread": SUBGROUP, "stable": True}
            self.define("i32", "builtin.subgroup_id : i32", self.subgroups, **known)
        else:
            known = {"low": 0, "high": self.subgroup_size - 1, "spread": VARYING, "stable": True}
            self.define("i32", "builtin.subgroup_local_id : i32", self.subgroup_size, **known)

    def broadcast(self) -> None:
        type_ = self.operand_type()
        if not self.whole_subgroup() or type_ == "bool":
            return
        a = self.number(type_)
        lanes = [n for n in self.scope.numbers if n.type == "i32" and n.low is not None and n.high is not None]
        lanes = [n for n in lanes if 0 <= n.low and n.high < self.subgroup_size and n.spread <= SUBGROUP]
        is_known = lanes and self.chance(50)
        lane = self.pick(lanes) if is_known else self.constant("i32", self.rng.randrange(self.subgroup_size))
        known = {"spread": min(a.spread, SUBGROUP), "stable": a.stable}
        self.define(type_, f"subgroup_broadcast {a.name}, {lane.name} : {type_}", a.bound, **known)

    def subgroup_operation(self) -> None:
        type_ = self.operand_type()
        if not self.whole_subgroup() or type_ == "bool":
            return
        which = self.pick(("add", "add") if type_ in COMPLEX else ("add", "max", "min"))
        form = self.pick(("reduce", "inclusive_scan", "exclusive_scan"))
        a = self.number(type_)
        bound = a.bound * self.subgroup_size if which == "add" else a.bound
        if self.safe and type_ in (*FLOATS, *COMPLEX) and bound > LIMIT:
            return
        spread = min(a.spread, SUBGROUP) if form == "reduce" else VARYING
        right = f"subgroup_{which}.{form} {a.name} : {type_}"
        if which != "add" and form == "exclusive_scan" and type_ in FLOATS:
            # the first work-item is given an infinity
            self.bounded(self.define(type_, right, spread=spread, stable=a.stable), max(a.bound, 1.0))
        else:
            self.define(type_, right, bound, spread=spread, stable=a.stable and which != "add")
