"""SPMD regions: who writes where, and the barriers in between."""

from __future__ import annotations

from .core import Core
from .language import ATOMIC, FLOATS, INTEGERS, LIMIT
from .values import SUBGROUP, UNIFORM, VARYING, Number, Spmd, Tensor, known_size

MOST = {"i8": 127, "i16": 2**15 - 1}
"""What narrow types count to."""


class Regions(Core):
    def barrier(self) -> None:
        self.line("barrier" + self.pick(("", ".global", ".local", ".global.local")))

    # foreach

    def foreach(self) -> None:
        tensors = [t for t in self.writable() if t.shape]
        if tensors:
            self.fill(self.pick(tensors))

    def fill(self, tensor: Tensor) -> None:
        """A foreach over all or a part of a tensor, whose points write their own elements."""
        type_ = self.pick(("index", "index", "index", "i32", "i16", "i64", "i8"))
        sizes = [known_size(extent) for extent in tensor.shape]
        if any(size is None or size > MOST.get(type_, size) for size in sizes):
            type_ = "index"
        starts, ends, variables = [], [], []
        covered = tensor.whole
        for mode, extent in enumerate(tensor.shape):
            low, size = 0, known_size(extent)
            if size is not None:
                low, high = (0, size) if self.chance(80) else sorted(self.rng.randrange(size + 1) for _ in "ab")
                covered = covered and (low, high) == (0, size)
                ends.append(self.constant(type_, high).name)
                known = {"low": low, "high": max(low, high - 1)}
            else:
                ends.append(self.size_of(tensor, mode))
                known = {"low": 0, "below": extent}
            starts.append(self.constant(type_, low).name)
            variables.append(Number(self.fresh(), type_, spread=VARYING, stable=True, **known))
        if self.safe and not covered and not tensor.root.initialised:
            return
        names = ", ".join(v.name for v in variables)
        kind = f": {type_}" if type_ != "index" else self.pick(("", "", ": index"))
        self.line(f"foreach ({names}){kind} = ({', '.join(starts)}), ({', '.join(ends)}) {{")
        with self.region():
            self.scope.numbers += variables
            if type_ != "index":
                variables = [self.as_index(v) for v in variables]
                names = ", ".join(v.name for v in variables)
            self.spmd = Spmd("foreach", self.loops, tensor, names, written={tensor.root}, divergence=VARYING)
            self.body()
            if self.safe:
                self.last_store(tensor, names)
            self.spmd = None
        self.line("}")
        if covered:
            tensor.root.initialised = True

    def as_index(self, number: Number) -> Number:
        known = {"low": number.low, "high": number.high, "spread": number.spread, "stable": True}
        return self.define("index", f"cast {number.name} : index", number.bound, **known)

    def last_store(self, tensor: Tensor, place: str) -> None:
        known = [n for n in self.scope.numbers if n.type == tensor.element]
        value = self.pick(known) if known else self.constant(tensor.element)
        if tensor.element in FLOATS:
            value = self.bounded(value, max(1.0, tensor.root.bound if self.loops != tensor.root.loops else LIMIT / 4))
        if tensor.element not in INTEGERS and not self.may_hold(tensor.root, value.bound):
            value = self.constant(tensor.element, 0)
        self.line(f"store {value.name}, {tensor.name}[{place}]")

    # parallel

    def parallel(self) -> None:
        self.line("parallel {")
        with self.region():
            self.spmd = Spmd("parallel", self.loops, depth=self.depth)
            item = self.item() if self.chance(60) else None
            for phase in range(self.pick((1, 1, 2, 3))):
                if phase:
                    # the fences end what was written and read
                    self.line("barrier.global.local")
                    self.spmd = Spmd("parallel", self.loops, depth=self.depth)
                if item is not None:
                    self.take_place(item)
                self.body(self.rng.randrange(6) if self.depth == 1 else None)
            if self.chance(30):
                self.barrier()
            self.spmd = None
        self.line("}")

    def barrier_in_parallel(self) -> None:
        """A barrier that all work-items meet, which nothing depends on."""
        if self.spmd.kind != "tile" and (not self.safe or self.divergence == UNIFORM):
            self.barrier()

    def item(self) -> Number:
        """The number of the work-item in its work-group."""
        known = {"low": 0, "high": self.subgroups - 1, "spread": SUBGROUP, "stable": True}
        group = self.define("i32", "builtin.subgroup_id : i32", self.subgroups, **known)
        known = {"low": 0, "high": self.subgroup_size - 1, "spread": VARYING, "stable": True}
        lane = self.define("i32", "builtin.subgroup_local_id : i32", self.subgroup_size, **known)
        size = self.define("i32", "builtin.subgroup_size : i32", self.subgroup_size, stable=True)
        before = self.define("i32", f"arith.mul {group.name}, {size.name} : i32", spread=SUBGROUP)
        count = self.subgroups * self.subgroup_size
        known = {"low": 0, "high": count - 1, "spread": VARYING, "stable": True}
        whole = self.define("i32", f"arith.add {before.name}, {lane.name} : i32", count, **known)
        return self.define("index", f"cast {whole.name} : index", count, **known)

    def take_place(self, item: Number) -> None:
        """Choose a tensor whose slices along the first mode belong to the work-items, until the next barrier."""
        tensors = [t for t in self.writable() if t.shape and (known_size(t.shape[0]) is not None or self.safe)]
        if not tensors:
            return
        tensor = self.pick(tensors)
        size = known_size(tensor.shape[0])
        if size is None:
            end = self.define("index", f"size {tensor.name}[0] : index")
        else:
            end = self.constant("index", size)
        self.spmd.guard = self.define("bool", f"cmp.lt {item.name}, {end.name} : bool", spread=VARYING)
        rest = [self.index_below(extent).name for extent in tensor.shape[1:]]
        self.spmd.tensor, self.spmd.own = tensor, ", ".join([item.name, *rest])
        self.spmd.written.add(tensor.root)

    # foreach_tile

    def foreach_tile(self) -> None:
        """Sub-groups go through tiles of a mode; each work-item has an element of a tile of its own."""
        tensors = [t for t in self.writable() if t.shape and known_size(t.shape[0]) is not None]
        size = known_size(self.pick(tensors).shape[0]) if tensors else 8
        tensors = [t for t in tensors if known_size(t.shape[0]) == size]
        largest = self.pick((1, 2, 4, 8, 16, 32))
        start, end = self.constant("index", 0), self.constant("index", size)
        place = Number(self.fresh(), "index", spread=SUBGROUP, stable=True, low=0, high=max(size - 1, 0))
        extent = Number(self.fresh(), "index", spread=SUBGROUP, stable=True, low=1, high=largest)
        self.line(
            f"v04.foreach_tile ({place.name}) = ({start.name}), ({end.name}) as ({extent.name}) <= ({largest}) {{"
        )
        with self.region():
            self.scope.numbers += [place, extent]
            self.spmd = Spmd("tile", self.loops, depth=self.depth, divergence=SUBGROUP)
            if tensors:
                tensor = self.pick(tensors)
                known = {"low": 0, "high": self.subgroup_size - 1, "spread": VARYING, "stable": True}
                lane = self.define("i32", "builtin.subgroup_local_id : i32", self.subgroup_size, **known)
                lane = self.define("index", f"cast {lane.name} : index", self.subgroup_size, **known)
                own = self.define("index", f"arith.add {place.name}, {lane.name} : index", spread=VARYING)
                self.spmd.guard = self.define("bool", f"cmp.lt {lane.name}, {extent.name} : bool", spread=VARYING)
                rest = [self.index_below(extent).name for extent in tensor.shape[1:]]
                self.spmd.tensor, self.spmd.own = tensor, ", ".join([own.name, *rest])
                self.spmd.written.add(tensor.root)
            self.body(self.rng.randrange(6) if self.depth == 1 else None)
            self.spmd = None
        self.line("}")

    # Stores.

    def store(self) -> None:
        if not self.safe:
            self.store_anywhere()
        elif self.spmd.own and self.chance(75):
            self.store_own()
        else:
            self.add_atomically()

    def store_own(self) -> None:
        """Write the place that belongs to this work-item alone."""
        tensor = self.spmd.tensor
        value = self.number(tensor.element)
        flags = [""]
        if tensor.element in ATOMIC:
            flags += [".atomic"] + [".atomic_add"] * tensor.root.initialised
        flag = self.pick(flags)
        bound = value.bound + tensor.root.bound if flag == ".atomic_add" else value.bound
        if flag == ".atomic_add" and self.loops != self.spmd.loops and tensor.element not in INTEGERS:
            return
        if tensor.element in INTEGERS or self.may_hold(tensor.root, bound):
            factor = self.constant(tensor.element, self.pick((1, -1))) if flag == ".atomic_add" else None

            def write() -> None:
                if flag and self.chance(50):
                    words = {".atomic": ("store",), ".atomic_add": ("add", "scale_add")}[flag]
                    self.atomic(self.pick(words), value, tensor, self.spmd.own, factor)
                    return
                self.line(f"store{flag} {value.name}, {tensor.name}[{self.spmd.own}]")

            if self.spmd.guard is None:
                write()
                return
            self.line(f"if {self.spmd.guard.name} {{")
            write()
            if tensor.root.initialised and self.chance(30):
                self.line(f"  {self.fresh()} = load {tensor.name}[{self.spmd.own}] : {tensor.element}")
            self.line("}")

    def add_atomically(self) -> None:
        """Several work-items add integers to one place, which none of them reads: any order gives the same."""
        if self.spmd.added is None or self.chance(20):
            tensors = [t for t in self.writable() if t.element in ("i32", "i64") and t.root.initialised]
            tensors += [t for t in self.scope.tensors if t.root.shared]
            if not tensors:
                return
            self.spmd.added = self.pick(tensors)
            self.spmd.written.add(self.spmd.added.root)
        tensor = self.spmd.added
        place = ", ".join(self.index_below(extent).name for extent in tensor.shape)
        self.line(f"store.atomic_add {self.number(tensor.element).name}, {tensor.name}[{place}]")
