"""Collective instructions that compute: `c := alpha … + beta c`."""

from __future__ import annotations

from collections.abc import Sequence

from .core import Core
from .language import ATOMIC, COMPLEX, INTEGERS, LIMIT, PROMOTABLE, promote
from .values import Dynamic, Extent, Number, Tensor, known_size

LONGEST = 64
"""More than any sum of a safe program has terms of dynamic number."""


class Collectives(Core):
    def update(
        self,
        head: str,
        sources: Sequence[Tensor],
        shape: Sequence[Extent],
        terms: int,
        middle: str = "",
        in_place: bool = False,
    ) -> None:
        """An instruction on sources whose result has a shape and is a sum of so many terms each.

        `in_place` says that a source may be the target, too.
        """
        element = sources[0].element if len(sources) == 1 else promote(sources[0].element, sources[1].element)
        if element is None:
            return
        target = self.target(element, shape, sources, in_place)
        if target is None:
            return
        product = float(terms)
        for source in sources:
            product *= source.root.bound
        if target.element in COMPLEX:
            product *= 4
        found = self.factors(element, product, target)
        if found is not None:
            alpha, beta, atomic = found
            operands = ", ".join(source.name for source in sources)
            self.line(f"{head}{atomic} {alpha.name}, {operands},{middle} {beta.name}, {target.name}")

    def target(self, element: str, shape: Sequence[Extent], sources: Sequence[Tensor], in_place: bool) -> Tensor | None:
        """Something of this shape that may be written while the sources are read."""
        elements = [e for e in PROMOTABLE[element] if e in self.elements]
        known = [t for t in self.writable() if t.element in elements and same_shape(t.shape, shape, self.safe)]
        if in_place:
            own = [t for t in sources if all(other is t or other.root is not t.root for other in sources)]
            if found := [t for t in own if t in known]:
                return self.pick(found)
        if self.safe:
            # a factor of dynamic size must not be overwritten
            roots = [t.root for t in sources if not t.is_static]
            known = [t for t in known if t.root not in roots and (t.root.initialised or t.whole)]
            shared = [t for t in self.scope.tensors if t.root.shared and t.element in elements]
            known += [t for t in shared if same_shape(t.shape, shape, True)]
        if known and self.chance(70):
            return self.pick(known)
        if all(isinstance(extent, int) for extent in shape):
            return self.alloca(self.pick(elements or [element]), [int(str(extent)) for extent in shape])
        return None

    def factors(self, element: str, product: float, target: Tensor) -> tuple[Number, Number, str] | None:
        """Alpha, beta and the atomic flags of an update that multiplies alpha with numbers up to `product`."""
        if self.safe and target.root.shared:
            # all work-groups add to it
            beta_type = self.factor_type(target.element)
            return self.constant(self.factor_type(element), 1), self.constant(beta_type, 1), ".atomic"
        alpha_type, beta_type = self.factor_type(element), self.factor_type(target.element)
        alpha = self.pick((1, -1, 2) if alpha_type in INTEGERS else (1.0, -1.0, 0.5, 2.0))
        atomic = self.chance(20) and (not self.safe or target.element in ATOMIC)
        any_beta = not atomic or self.chance(50)
        betas = (0, 1) if not any_beta else (0, 1, -1, 2) if beta_type in INTEGERS else (0, 1, 1.0, -1.0, 0.5, 2.0)
        beta = 0 if self.safe and not target.root.initialised else self.pick(betas)
        if self.safe and target.element not in INTEGERS:
            most = LIMIT / 4 if self.loops == target.root.loops else target.root.bound
            if abs(beta) * target.root.bound > most / 2:
                beta = 0
            room = most - abs(beta) * target.root.bound
            while alpha_type not in INTEGERS and abs(alpha) * product > room and abs(alpha) > 2**-12:
                alpha /= 2
            if not self.may_hold(target.root, abs(alpha) * product + abs(beta) * target.root.bound):
                return None
        alpha_number = self.factor(alpha_type, alpha)
        initialised = target.root.initialised
        is_known = not any_beta or not initialised
        beta_number = self.constant(beta_type, beta) if is_known else self.factor(beta_type, beta)
        if beta == 0 and target.whole:
            target.root.initialised = True
        return alpha_number, beta_number, (".atomic.v03" if any_beta else ".atomic") if atomic else ""

    def factor(self, type_: str, value: complex) -> Number:
        """A constant, or a number that is not larger."""
        limit = abs(value)
        known = [n for n in self.scope.numbers if n.type == type_ and (n.bound <= limit or not self.safe)]
        return self.pick(known) if known and self.chance(20) else self.constant(type_, value)

    def factor_type(self, element: str) -> str:
        """A type that alpha or beta may have."""
        types = [t for t in self.elements if element in PROMOTABLE[t]]
        if element in INTEGERS or self.chance(60) or not types:
            return element
        return self.pick(types)

    # The instructions.

    def tensors_of(self, orders: Sequence[int]) -> list[Tensor]:
        return [t for t in self.readable() if len(t.shape) in orders]

    def partner(self, a: Tensor, shape: Sequence[Extent]) -> Tensor | None:
        """A second factor of this shape for `a`."""
        known = [t for t in self.readable() if same_shape(t.shape, shape, self.safe)]
        known = [t for t in known if promote(t.element, a.element)]
        if known:
            return self.pick(known)
        if all(isinstance(extent, int) for extent in shape):
            b = self.filled_alloca(a.element, [int(str(extent)) for extent in shape])
            return b if b.root.initialised or not self.safe else None
        return None

    def axpby(self) -> None:
        sources = self.tensors_of((0, 1, 2))
        if sources:
            source, transpose = self.pick(sources), self.pick("nt")
            shape = source.shape[::-1] if transpose == "t" else source.shape
            in_place = (transpose == "n" or len(shape) < 2) and self.chance(25)
            self.update(f"axpby.{transpose}", [source], shape, 1, in_place=in_place)

    def gemm(self) -> None:
        matrices = self.tensors_of((2,))
        if not matrices:
            return
        a = self.pick(matrices)
        ta, tb = self.pick("nt"), self.pick("nt")
        rows, inner = a.shape[::-1] if ta == "t" else a.shape
        fitting = [t for t in matrices if same_shape((t.shape[tb == "t"],), (inner,), self.safe)]
        columns = self.pick(fitting).shape[tb == "n"] if fitting else self.pick((1, 2, 3))
        b = self.partner(a, (columns, inner) if tb == "t" else (inner, columns))
        if b is not None:
            self.update(f"gemm.{ta}.{tb}", [a, b], (rows, b.shape[tb == "n"]), terms_of(inner))

    def gemv(self) -> None:
        matrices = self.tensors_of((2,))
        if matrices:
            a, transpose = self.pick(matrices), self.pick("nt")
            rows, inner = a.shape[::-1] if transpose == "t" else a.shape
            b = self.partner(a, (inner,))
            if b is not None:
                self.update(f"gemv.{transpose}", [a, b], (rows,), terms_of(inner))

    def ger(self) -> None:
        vectors = self.tensors_of((1,))
        if vectors:
            a, b = self.pick(vectors), self.pick(vectors)
            self.update("ger", [a, b], (a.shape[0], b.shape[0]), 1)

    def hadamard(self) -> None:
        tensors = self.tensors_of((1, 2))
        if tensors:
            a = self.pick(tensors)
            b = self.partner(a, a.shape)
            if b is not None:
                self.update("hadamard", [a, b], a.shape, 1, in_place=self.chance(25))

    def sum(self) -> None:
        tensors = self.tensors_of((1, 2))
        if tensors:
            a, transpose = self.pick(tensors), self.pick("nt")
            shape = a.shape[::-1] if transpose == "t" else a.shape
            self.update(f"sum.{transpose}", [a], shape[:-1], terms_of(shape[-1]))

    def cumsum(self) -> None:
        tensors = [t for t in self.readable() if t.shape]
        if tensors:
            a = self.pick(tensors)
            mode = self.rng.randrange(len(a.shape))
            self.update("cumsum", [a], a.shape, terms_of(a.shape[mode]), f" {mode},")


def terms_of(extent: Extent) -> int:
    size = known_size(extent)
    return LONGEST if size is None else size


def same_shape(a: Sequence[Extent], b: Sequence[Extent], safe: bool) -> bool:
    """Whether two shapes agree: in a safe program at run time, too."""
    if safe:
        return tuple(a) == tuple(b)
    return len(a) == len(b) and all(
        m == n or (isinstance(m, Dynamic) and isinstance(n, Dynamic)) for m, n in zip(a, b, strict=True)
    )
