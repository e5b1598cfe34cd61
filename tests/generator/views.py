"""Views on tensors: parts of them, modes split and joined, and their sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pytl.ir.text import parse_type
from pytl.ops.bits import real_type

from .core import Core
from .language import COMPLEX
from .values import UNIFORM, Dynamic, Extent, Number, Tensor, known_size


class Views(Core):
    def view(
        self,
        right: str,
        tensor: Tensor,
        shape: Sequence[Extent],
        strides: Sequence[int | str],
        dense: Sequence[bool],
        whole: bool,
        spread: int = UNIFORM,
    ) -> Tensor:
        strides = tuple("?" if self.chance(10) else stride for stride in strides)
        place = tensor.space, tensor.root, whole, tuple(dense), max(spread, tensor.spread)
        view = Tensor(self.fresh(), tensor.element, tuple(shape), strides, *place)
        self.line(f"{view.name} = {right} : {view.type}")
        self.scope.tensors.append(view)
        return view

    def viewable(self) -> list[Tensor]:
        """A view reads nothing: any tensor will do."""
        return self.scope.tensors

    # Parts.

    def slices(self, tensor: Tensor, slices: Sequence[tuple[str, Extent | None]]) -> Tensor:
        """A subview by the texts of its slices and the sizes that they leave, None where the mode is dropped."""
        shape, strides, dense = [], [], []
        last: int | None = None
        for mode, (_, extent) in enumerate(slices):
            if extent is None:
                continue
            shape.append(extent)
            strides.append(tensor.strides[mode])
            if last is not None:
                dense.append(last == mode - 1 and tensor.dense[last] and slices[last][1] == tensor.shape[last])
            last = mode
        right = f"subview {tensor.name}[{', '.join(text for text, _ in slices)}]"
        offsets = {text.partition(":")[0] for text, _ in slices}
        spread = max((n.spread for n in self.scope.numbers if n.name in offsets), default=UNIFORM)
        return self.view(right, tensor, shape, strides, dense, tensor.whole and tuple(shape) == tensor.shape, spread)

    def subview(self) -> None:
        tensors = self.viewable()
        if tensors:
            tensor = self.pick(tensors)
            self.slices(tensor, [self.slice_of(tensor, mode) for mode in range(len(tensor.shape))])

    def slice_of(self, tensor: Tensor, mode: int) -> tuple[str, Extent | None]:
        extent = tensor.shape[mode]
        if self.chance(40):
            offset = self.index_below(extent).name
            return offset + self.pick(("", "", ":0")), None
        size = known_size(extent)
        if size is None:
            return f"0:{self.size_of(tensor, mode)}", extent
        begin = self.index_below(extent)
        last = size - 1 if begin.high is None else begin.high
        if not self.safe and isinstance(extent, Dynamic):
            last = 0
        length = self.rng.randrange(1, size - last + 1)
        offset = begin.name if self.chance(50) else str(last)
        if self.chance(25):
            return f"{offset}:{self.run_time(length).name}", Dynamic(self.fresh(), length)
        return f"{offset}:{length}", length

    def run_time(self, size: int) -> Number:
        """A size as a value: a constant, or a number that is known to be it."""
        known = [n for n in self.scope.numbers if n.type == "index" and n.low == n.high == size]
        return self.pick(known) if known and self.chance(50) else self.constant("index", size)

    def size(self) -> None:
        tensors = [t for t in self.scope.tensors if t.shape]
        if tensors:
            tensor = self.pick(tensors)
            mode = self.rng.randrange(len(tensor.shape))
            size = known_size(tensor.shape[mode])
            known = {} if size is None else {"low": size, "high": size}
            self.define("index", f"size {tensor.name}[{mode}] : index", **known)

    # Modes split and joined.

    def expand(self) -> None:
        tensors = [t for t in self.viewable() if t.shape]
        if not tensors:
            return
        tensor = self.pick(tensors)
        mode = self.rng.randrange(len(tensor.shape))
        texts, sizes = self.factors_of(tensor, mode)
        stride = tensor.strides[mode]
        strides: list[int | str] = []
        for size in sizes:
            strides.append(stride)
            stride = stride * size if isinstance(stride, int) and isinstance(size, int) else "?"
        self.view(
            f"expand {tensor.name}[{mode} -> {' x '.join(texts)}]",
            tensor,
            (*tensor.shape[:mode], *sizes, *tensor.shape[mode + 1 :]),
            (*tensor.strides[:mode], *strides, *tensor.strides[mode + 1 :]),
            (*tensor.dense[:mode], *[True] * (len(sizes) - 1), *tensor.dense[mode:]),
            tensor.whole,
        )

    def factors_of(self, tensor: Tensor, mode: int) -> tuple[list[str], list[Extent]]:
        """What a mode is expanded to: the texts of the sizes, and the sizes."""
        extent = tensor.shape[mode]
        size = known_size(extent)
        texts: list[str] = []
        sizes: list[Extent] = []
        if size is None:
            texts, sizes = [self.size_of(tensor, mode)], [extent]
            for _ in range(self.rng.randrange(1, 3)):
                place = self.rng.randrange(len(texts) + 1)
                texts.insert(place, "1")
                sizes.insert(place, 1)
            return texts, sizes
        first = self.pick([n for n in range(1, size + 1) if size % n == 0])
        second = self.pick([n for n in range(1, size // first + 1) if size // first % n == 0])
        factors = [first, second, size // first // second] if self.chance(40) else [first, size // first]
        for factor in factors:
            dynamic = self.chance(30)
            texts.append(self.run_time(factor).name if dynamic else str(factor))
            sizes.append(Dynamic(self.fresh(), factor) if dynamic else factor)
        return texts, sizes

    def associated(self) -> None:
        """Whether a tensor is there, in plain programs."""
        if self.scope.tensors:
            self.define("bool", f"v04.associated {self.pick(self.scope.tensors).name} : bool")

    def expandc2r(self) -> None:
        """The parts of complex memory, in plain programs."""
        tensors = [tensor for tensor in self.scope.tensors if tensor.element in COMPLEX]
        if tensors:
            tensor = self.pick(tensors)
            type_ = parse_type(str(tensor.type))
            self.line(f"{self.fresh()} = v04.expandc2r {tensor.name} : {real_type(type_)}")

    def fuse(self) -> None:
        pairs = [
            (tensor, first)
            for tensor in self.viewable()
            for first in range(len(tensor.shape) - 1)
            if self.may_fuse(tensor, first)
        ]
        if not pairs:
            return
        tensor, first = self.pick(pairs)
        last = first + 1
        while last < len(tensor.shape) - 1 and self.may_fuse(tensor, last) and self.chance(60):
            last += 1
        extents = tensor.shape[first : last + 1]
        sizes = [known_size(extent) for extent in extents]
        value = math.prod(sizes) if None not in sizes else None
        static = all(isinstance(extent, int) for extent in extents)
        self.view(
            f"fuse {tensor.name}[{first}, {last}]",
            tensor,
            (*tensor.shape[:first], value if static else Dynamic(self.fresh(), value), *tensor.shape[last + 1 :]),
            (*tensor.strides[: first + 1], *tensor.strides[last + 1 :]),
            (*tensor.dense[:first], *tensor.dense[last:]),
            tensor.whole,
        )

    def may_fuse(self, tensor: Tensor, mode: int) -> bool:
        """Whether a mode and the next are contiguous in memory; in a plain program, unknown strides may be."""
        stride, extent, following = tensor.strides[mode], tensor.shape[mode], tensor.strides[mode + 1]
        if isinstance(stride, int) and isinstance(extent, int) and isinstance(following, int):
            return stride * extent == following
        return tensor.dense[mode] or not self.safe
