"""What a safe program leaves behind at its end: numbers, local memory and matrices go to parameters of their own."""

from __future__ import annotations

from .core import Core
from .language import memref, packed
from .values import GROUPS, Matrix, Number, Tensor


class Witnesses(Core):
    def witnesses(self, group: Number) -> list[str]:
        """Write what would be lost, for a part of what there is; returns the parameters that take it."""
        self.found: list[str] = []
        numbers = [n for n in self.scope.numbers if n.low is None or n.low != n.high]
        for type_ in sorted({n.type for n in numbers}):
            self.keep_numbers(group.name, type_, [n for n in numbers if n.type == type_][-6:])
        local = [t for t in self.scope.tensors if t.space == "local" and t.root.initialised]
        for tensor in local[-3:]:
            self.keep_tensor(group.name, tensor)
        for matrix in self.scope.matrices[-2:]:
            self.keep_matrix(group.name, matrix)
        return self.found

    def parameter_for(self, element: str, shape: tuple[int, ...]) -> str:
        """A tensor of which each work-group has an item."""
        name = f"%seen{len(self.found)}"
        self.found.append(f"{name}: {memref(element, (*shape, GROUPS), packed((*shape, GROUPS)))}")
        return name

    def point(self, lines: list[str]) -> None:
        """Lines that a single work-item executes."""
        zero, one = self.constant("index", 0), self.constant("index", 1)
        self.line(f"foreach ({self.fresh()}) = ({zero.name}), ({one.name}) {{")
        for line in lines:
            self.line(f"  {line}")
        self.line("}")

    def keep_numbers(self, group: str, type_: str, numbers: list[Number]) -> None:
        element = "i8" if type_ == "bool" else type_
        name = self.parameter_for(element, (len(numbers),))
        if type_ == "bool":
            yes, no = self.constant("i8", 1), self.constant("i8", 2)
        lines = []
        for place, number in enumerate(numbers):
            where = f"{name}[{self.constant('index', place).name}, {group}]"
            if type_ == "bool":
                lines.append(f"if {number.name} {{ store {yes.name}, {where} }} else {{ store {no.name}, {where} }}")
            else:
                lines.append(f"store {number.name}, {where}")
        self.point(lines)

    def keep_tensor(self, group: str, tensor: Tensor) -> None:
        sizes = [extent for extent in tensor.shape if isinstance(extent, int)]
        if len(sizes) < len(tensor.shape):
            return
        name = self.parameter_for(tensor.element, tuple(sizes))
        value = self.fresh()
        if not tensor.shape:
            load = f"{value} = load {tensor.name}[] : {tensor.element}"
            self.point([load, f"store {value}, {name}[{group}]"])
            return
        variables = ", ".join(self.fresh() for _ in sizes)
        starts = ", ".join(self.constant("index", 0).name for _ in sizes)
        ends = ", ".join(self.constant("index", size).name for size in sizes)
        self.line(f"foreach ({variables}) = ({starts}), ({ends}) {{")
        self.line(f"  {value} = load {tensor.name}[{variables}] : {tensor.element}")
        self.line(f"  store {value}, {name}[{variables}, {group}]")
        self.line("}")

    def keep_matrix(self, group: str, matrix: Matrix) -> None:
        name = self.parameter_for(matrix.component, (matrix.rows, matrix.columns))
        kind = memref(matrix.component, (matrix.rows, matrix.columns), packed((matrix.rows, matrix.columns)))
        zero, first = self.constant("index", 0), self.constant("i32", 0)
        view, which, is_first = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{view} = subview {name}[0:{matrix.rows}, 0:{matrix.columns}, {group}] : {kind}")
        self.line("parallel {")
        self.line(f"  {which} = builtin.subgroup_id : i32")
        self.line(f"  {is_first} = cmp.eq {which}, {first.name} : bool")
        self.line(f"  if {is_first} {{")
        self.line(f"    cooperative_matrix_store {matrix.name}, {view}[{zero.name}, {zero.name}]")
        self.line("  }")
        self.line("}")
