"""sin, cos, exp2, log and log2 as instructions, in texts of the dialect 0.4: their errors beside NumPy."""

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL

import pytl
from pytl.diagnostics import PytlError

FUNCTIONS = {"sin": np.sin, "cos": np.cos, "exp2": np.exp2, "log": np.log, "log2": np.log2}
ULPS = {"": {"f32": 4, "f64": 4}, "native_": {"f32": 8192, "f64": 4}}
"""What is allowed: OpenCL's bounds, and those of half_exp2, half_log and half_log2."""
TYPES = {"f32": np.float32, "f64": np.float64}


def text(native: str, type_: str) -> str:
    """A kernel with all functions, vectors of points at a time."""
    parameters = ", ".join(f"%{name}: memref<{type_}x?>" for name in ("x", *FUNCTIONS))
    body = "\n".join(f"%y{name} = {native}{name} %a : {type_}\nstore %y{name}, %{name}[%i]" for name in FUNCTIONS)
    return f"""
    func @f({parameters}) {{
      %zero = constant 0 : index
      %n = size %x[0] : index
      foreach (%i)=(%zero),(%n) {{
        %a = load %x[%i] : {type_}
        {body}
      }}
    }}"""


@pytest.mark.at_night
@pytest.mark.parametrize(
    "backend",
    ["reference", pytest.param("sycl", marks=NEEDS_SYCL), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))],
)
def test_functions_are_as_exact_as_stated(backend: str) -> None:
    for native, bounds in ULPS.items():
        for type_, dtype in TYPES.items():
            kernel = pytl.compile(pytl.parse(text(native, type_), language="0.4"))["f"]
            x = np.concatenate([np.linspace(2.0**-20, 100, 4000), [1.0, 2.0, 0.5, 64.0]]).astype(dtype)
            found = {name: np.zeros_like(x) for name in FUNCTIONS}
            kernel[1](x, *found.values(), backend=backend)
            for name, function in FUNCTIONS.items():
                exact = function(x.astype(np.longdouble))
                # next to a zero of the function, the unit is that of the argument's last place
                unit = np.maximum(np.spacing(np.abs(exact).astype(dtype)), np.finfo(dtype).eps / 8)
                assert np.all(np.abs(found[name] - exact) <= bounds[type_] * unit), (native, name, type_)


def test_constants_are_folded_where_that_is_exact() -> None:
    kernel = pytl.parse(
        """
    func @f(%o: memref<f64x4>) {
      %z = constant 0.0 : f64
      %one = constant 1.0 : f64
      %half = constant 0.5 : f64
      %i = constant 1 : index
      %a = sin %z : f64
      %b = cos %z : f64
      %c = log %one : f64
      %d = log2 %half : f64
      %e = add %a, %b : f64
      %g = add %e, %c : f64
      %h = add %g, %d : f64
      store %h, %o[%i]
    }""",
        language="0.4",
    )
    shown = pytl.compile(kernel)["f"].ir("canonicalize")
    assert "v04.math.log2" in shown and shown.count("v04.math") == 1


def test_only_exp2_is_of_complex_numbers() -> None:
    with pytest.raises(PytlError, match="not defined on c32"):
        pytl.verify(
            pytl.parse("func @f(%z: c32, %o: memref<c32>) { %r = sin %z : c32\n store %r, %o[] }", language="0.4")
        )
    assert abs(pytl.exp2(0.5 - 2j) - 2 ** (0.5 - 2j)) < 1e-15
