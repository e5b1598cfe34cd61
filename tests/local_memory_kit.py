"""A kernel that fills its local memory; programs of tests import it, too."""

import pytl


def filling(count: int, name: str = "fill") -> pytl.Kernel:
    """A kernel that fills local memory of so many f32, and reads its ends: x[g] is doubled."""
    text = f"""
    func @{name}(%x: memref<f32x?>) {{
      %t = alloca : memref<f32x{count},local>
      %z = constant 0 : index
      %n = constant {count} : index
      %last = constant {count - 1} : index
      %g = group_id : index
      %v = load %x[%g] : f32
      foreach (%i) = (%z), (%n) {{ store %v, %t[%i] }}
      %a = load %t[%z] : f32
      %b = load %t[%last] : f32
      %c = arith.add %a, %b : f32
      store %c, %x[%g]
    }}"""
    return pytl.compile(text)[name]
