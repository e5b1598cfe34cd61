"""Memory: allocas and their ends, loads, and stores to any place."""

from __future__ import annotations

from collections.abc import Sequence

from .core import Core
from .language import COMPLEX, INTEGERS, SIZES, packed, type_bound
from .values import VARYING, Number, Root, Tensor


class Memory(Core):
    def alloca(self, element: str, shape: Sequence[int]) -> Tensor:
        strides, dense = packed(shape), [True] * max(0, len(shape) - 1)
        if shape and self.chance(20):
            strides = (1, *(2 * int(s) for s in strides[1:]))
            dense[:1] = [False] * min(1, len(dense))
        root = Root(True, 0.0 if element not in INTEGERS else type_bound(element), False, self.loops)
        tensor = Tensor(self.fresh(), element, tuple(shape), strides, "local", root, dense=tuple(dense))
        attributes = self.pick(["", "", f"{{alignment={self.pick((SIZES[element], 16, 128))}}}", '{"mine"=["x",{}]}'])
        self.line(f"{tensor.name} = alloca{attributes} : {tensor.type}")
        self.scope.tensors.append(tensor)
        self.scope.allocas.append(tensor)
        return tensor

    def filled_alloca(self, element: str, shape: Sequence[int]) -> Tensor:
        tensor = self.alloca(element, shape)
        if shape:
            self.fill(tensor)
        else:
            self.set_scalar(tensor)
        return tensor

    def some_alloca(self) -> None:
        shape = [self.pick((1, 2, 3, 4)) for _ in range(self.rng.randrange(4))]
        if self.chance(20):
            shape = [self.pick((2, 4, 8)), self.pick((2, 4, 8))]
        element = self.pick(self.elements)
        if self.chance(60):
            self.filled_alloca(element, shape)
        else:
            self.alloca(element, shape)

    def set_scalar(self, target: Tensor) -> None:
        """Give a scalar alloca a value: store it by the only point of a loop."""
        zero, one = self.constant("index", 0), self.constant("index", 1)
        self.line(f"foreach ({self.fresh()}) = ({zero.name}), ({one.name}) {{")
        value = self.constant(target.element)
        self.line(f"  store {value.name}, {target.name}[]")
        self.line("}")
        self.scope.numbers.remove(value)
        target.root.bound = max(target.root.bound, value.bound)
        target.root.initialised = True

    def lifetime_stop(self) -> None:
        """End an alloca of this region. What a plain program does with it then is undefined, but valid."""
        if not self.scope.allocas:
            return
        tensor = self.pick(self.scope.allocas)
        self.line(f"lifetime_stop {tensor.name}")
        if self.safe or self.chance(80):
            self.scope.allocas.remove(tensor)
            self.scope.tensors = [t for t in self.scope.tensors if t.root is not tensor.root]

    def place_in(self, tensor: Tensor, spread: int = VARYING) -> list[Number]:
        """Indices in bounds of a tensor."""
        return [self.index_below(extent, spread) for extent in tensor.shape]

    def load(self) -> None:
        if self.spmd and self.spmd.own and self.spmd.kind == "foreach" and self.chance(30):
            tensor = self.spmd.tensor
            if tensor.root.initialised or not self.safe:
                right = f"load {tensor.name}[{self.spmd.own}] : {tensor.element}"
                self.define(tensor.element, right, tensor.root.bound, spread=VARYING)
                return
        tensors = self.readable()
        if not tensors:
            return
        tensor = self.pick(tensors)
        places = self.place_in(tensor)
        self.reading(tensor)
        known = {
            "spread": max([tensor.spread, *(n.spread for n in places)]),
            # what parameters hold that nobody writes is the same in any execution
            "stable": not tensor.root.writable,
        }
        right = f"load {tensor.name}[{', '.join(n.name for n in places)}] : {tensor.element}"
        self.define(tensor.element, right, tensor.root.bound, **known)

    def store_anywhere(self) -> None:
        """A store of a plain program."""
        tensors = [t for t in self.scope.tensors if t.element in self.elements]
        if tensors:
            tensor = self.pick(tensors)
            place = ", ".join(n.name for n in self.place_in(tensor))
            value = self.number(tensor.element)
            words = ["store", "store.atomic", "store.atomic_add", "load", "store", "add", "scale_add"]
            word = self.pick(words + ["min", "max"] * (tensor.element not in COMPLEX))
            if word.startswith("store."):
                self.line(f"{word} {value.name}, {tensor.name}[{place}]")
            else:
                self.atomic(word, value, tensor, place)

    def atomic(self, word: str, value: Number, tensor: Tensor, place: str, factor: Number | None = None) -> None:
        """An atomic access of any scope, and of any order that it can have; `factor` is what scale_add has."""
        orders = {"load": ("acquire",), "store": ("release",)}.get(word, ("acquire", "release", "acquire_release"))
        order = self.pick(("", ".relaxed", ".sequentially_consistent", *(f".{each}" for each in orders)))
        scope = self.pick(("", ".subgroup", ".work_group", ".device", ".cross_device"))
        head = f"{'v03' if word == 'scale_add' else 'v04'}.atomic_{word}{scope}{order}"
        if word == "scale_add":
            wide = "f32" if tensor.element in ("bf16", "f16") else tensor.element
            factor = factor or self.number(wide)
            data = value if wide == tensor.element else self.number(wide)
            self.line(f"{self.fresh()} = {head} {factor.name}, {data.name}, {tensor.name}[{place}] : {tensor.element}")
        elif word == "store":
            self.line(f"{head} {value.name}, {tensor.name}[{place}]")
        elif word == "load":
            self.line(f"{self.fresh()} = {head} {tensor.name}[{place}] : {tensor.element}")
        else:
            self.line(f"{self.fresh()} = {head} {value.name}, {tensor.name}[{place}] : {tensor.element}")
