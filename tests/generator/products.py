"""Random programs of products and what stands between them: what passes make kernels of that are interleaved.

They are free of undefined behaviour and of races, as the safe programs of `generate` are, and need data as these do.
"""

from __future__ import annotations

from random import Random

from .language import INTEGERS

SIZES = (1, 2, 3, 5, 8, 9, 16, 17, 33)
"""Around the lengths of vectors."""


def products(rng: Random, elements: tuple[str, ...] = ("f64", "f32", "i32", "i16", "c32", "f16")) -> str:
    """The text of one function: three to five products, sums of arrays and foreach on matrices of two sizes."""
    return _Products(rng, rng.choice(elements)).text()


class _Products:
    """All matrices have two sizes as rows and columns, so that there are factors for every result."""

    def __init__(self, rng: Random, element: str) -> None:
        self.rng = rng
        self.element = element
        self.sizes = rng.sample(SIZES, 2)
        self.parameters: list[str] = []
        self.lines: list[str] = []
        self.matrices: dict[tuple[int, int], list[str]] = {(m, n): [] for m in self.sizes for n in self.sizes}
        self.targets: list[tuple[str, tuple[int, int]]] = []
        self.last: tuple[str, tuple[int, int]] | None = None
        self.inputs: set[str] = set()
        self.count = 0

    def text(self) -> str:
        for shape in self.matrices:
            self._shared(shape)
            self._own(shape, self.rng.random() < 0.7)
        for _ in range(self.rng.randrange(3, 6)):
            self._product()
            if self.rng.random() < 0.4:
                self._points()
        self._kept()
        body = "\n".join(f"  {line}" for line in ["%g = builtin.group_id : index", *self.lines])
        return f"func @kernel({', '.join(self.parameters)}) {{\n{body}\n}}"

    def _name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def _type(self, shape: tuple[int, int], more: str = "") -> str:
        return f"memref<{self.element}x{shape[0]}x{shape[1]}{more}>"

    # Parameters.

    def _shared(self, shape: tuple[int, int]) -> None:
        """A matrix that all work-groups read."""
        name = self._name("b")
        self.parameters.append(f"%{name}: {self._type(shape)}")
        self.matrices[shape].append(name)
        self.inputs.add(name)

    def _own(self, shape: tuple[int, int], is_item: bool) -> None:
        """A matrix of a work-group's own: an item of a group, or a part of a tensor."""
        whole, name = self._name("w"), self._name("x")
        if is_item:
            self.parameters.append(f"%{whole}: group<{self._type(shape)}x?>")
            self.lines.append(f"%{name} = load %{whole}[%g] : {self._type(shape)}")
        else:
            self.parameters.append(f"%{whole}: {self._type(shape, 'x?')}")
            self.lines.append(f"%{name} = subview %{whole}[0:{shape[0]}, 0:{shape[1]}, %g] : {self._type(shape)}")
        self.matrices[shape].append(name)
        self.targets.append((name, shape))

    # Instructions.

    def _number(self, *choices: int) -> str:
        number = self.rng.choice(choices)
        if self.element in INTEGERS:
            return str(number)
        return f"[{number}.0, 0.0]" if self.element.startswith("c") else f"{number}.0"

    def _product(self) -> None:
        rng = self.rng
        is_local = rng.random() < 0.6
        # a chain is one whose left factor was just computed
        continue_condition = self.last is not None and rng.random() < 0.7
        name, shape = rng.choice(self.targets)
        if continue_condition and self.last is not None:
            rows, depth = self.last[1]
            shape = (rows, rng.choice(self.sizes))
            name = next(name for name, other in self.targets if other == shape)
        if is_local:
            shape = shape if continue_condition else (rng.choice(self.sizes), rng.choice(self.sizes))
            name = self._name("t")
            self.lines.append(f"%{name} = alloca : {self._type(shape, ',local')}")
        depth = self.last[1][1] if continue_condition and self.last is not None else rng.choice(self.sizes)
        first, second = rng.choice("nnt"), rng.choice("nt")
        left = rng.choice(self.matrices[(depth, shape[0]) if first == "t" else (shape[0], depth)])
        if continue_condition and self.last is not None:
            first, left = "n", self.last[0]
        right = rng.choice(self.matrices[(shape[1], depth) if second == "t" else (depth, shape[1])])
        alpha, beta = self._number(1, 1, 2), self._number(0) if is_local else self._number(0, 1, 1, -1)
        self.lines.append(f"gemm.{first}.{second} {alpha}, %{left}, %{right}, {beta}, %{name}")
        if is_local:
            self.matrices[shape].append(name)
        self.last = (name, shape) if is_local else None
        self.result = (name, shape)

    def _points(self) -> None:
        """A foreach over the result of the last product, or over a part of it."""
        name, (m, n) = self.result
        zero, rows, columns, i, j, x, y, z = (self._name(prefix) for prefix in ("o", "m", "n", "i", "j", "v", "y", "z"))
        other = self.rng.choice([name, *(n for n in self.matrices[m, n] if n in self.inputs)])
        at = f"%{i}, %{j}"
        m -= 1 if m > 1 and self.rng.random() < 0.2 else 0
        self.lines += [
            f"%{zero} = constant 0 : index",
            f"%{rows} = constant {m} : index",
            f"%{columns} = constant {n} : index",
            f"foreach (%{i}, %{j}) = (%{zero}, %{zero}), (%{rows}, %{columns}) {{",
            f"  %{x} = load %{name}[{at}] : {self.element}",
            f"  %{y} = load %{other}[{at}] : {self.element}",
            f"  %{z} = arith.add %{x}, %{y} : {self.element}",
            f"  store %{z}, %{name}[{at}]",
            "}",
        ]

    def _kept(self) -> None:
        """What is computed last gets to memory."""
        name, shape = self.result
        own = next(target for target, other in self.targets if other == shape)
        if own != name:
            self.lines.append(f"axpby.n {self._number(1)}, %{name}, {self._number(1)}, %{own}")
