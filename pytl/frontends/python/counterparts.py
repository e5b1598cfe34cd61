"""What to write in a kernel for functions of Python, of math and of NumPy that are not for its values."""

from __future__ import annotations

import ast
import builtins
import math
from typing import Any

from .. import lang
from ..lang.function import CalledFunction
from ..lang.traced import ELEMENTS
from .python_calls import is_math

ELEMENTARY = {
    "fmod(x, y)": ("x % y", ""),
    "hypot(x, y)": ("sqrt(x * x + y * y)", "whose squares may overflow"),
    "atan2(y, x)": (
        "atan(y / x) if x > 0.0 else (1.5707963267948966 - atan(x / abs(y))) * (1.0 if y >= 0.0 else -1.0)",
        "where not both are zero",
    ),
    "log1p(x)": ("log(1.0 + x)", "which loses digits near zero"),
    "log10(x)": ("log(x) * 0.4342944819032518", ""),
    "erfc(x)": ("1.0 - erf(x)", "which loses digits of large numbers"),
    "cbrt(x)": ("sign(x) * abs(x) ** (1 / 3)", ""),
    "asinh(x)": ("sign(x) * log(abs(x) + sqrt(x * x + 1.0))", "which loses digits near zero"),
    "acosh(x)": ("log(x + sqrt(x * x - 1.0))", "which loses digits near one"),
    "atanh(x)": ("0.5 * log((1.0 + x) / (1.0 - x))", "which loses digits near zero"),
    "degrees(x)": ("x * 57.29577951308232", ""),
    "radians(x)": ("x * 0.017453292519943295", ""),
    "trunc(x)": ("floor(x) if x > 0.0 else ceil(x)", "of the type of its argument; i32(…) is an integer"),
    "copysign(x, y)": ("abs(x) if y >= 0.0 else -abs(x)", "which takes -0.0 for positive"),
    "isnan(x)": ("x != x", ""),
    "isinf(x)": ('abs(x) == float("inf")', ""),
    "isfinite(x)": ('abs(x) < float("inf")', ""),
    "fma(x, y, z)": ("x * y + z", "which may be rounded twice"),
}
"""Functions of math, which NumPy has too: a formula on their parameters, and in what it differs."""
_ROUNDED = (
    "floor(x + 0.5)",
    "of the type of its argument; of two that are equally near it takes the larger, Python the even one",
)
_ARRAYS = {
    "remainder(x, y)": ("x - floor(x / y) * y", "of floating numbers; % has the sign of its left side"),
    "floor_divide(x, y)": ("floor(x / y)", "of floating numbers; // of integers truncates toward zero"),
    "square(x)": ("x * x", ""),
    "reciprocal(x)": ("1.0 / x", ""),
    "negative(x)": ("-x", ""),
    "add(x, y)": ("x + y", ""),
    "subtract(x, y)": ("x - y", ""),
    "multiply(x, y)": ("x * y", ""),
    "divide(x, y)": ("x / y", ""),
    "logical_and(x, y)": ("x and y", ""),
    "logical_or(x, y)": ("x or y", ""),
    "logical_not(x)": ("not x", ""),
    "greater(x, y)": ("x > y", ""),
    "greater_equal(x, y)": ("x >= y", ""),
    "less(x, y)": ("x < y", ""),
    "less_equal(x, y)": ("x <= y", ""),
    "equal(x, y)": ("x == y", ""),
    "not_equal(x, y)": ("x != y", ""),
    "isclose(x, y)": ("abs(x - y) <= 1e-08 + 1e-05 * abs(y)", ""),
    "nan_to_num(x)": ("where(x != x, 0.0, x)", "which keeps infinities"),
    "rint(x)": _ROUNDED,
}
"""Functions that NumPy has, and math has not, or in another sense."""
_BUILTINS = {
    "round": {"round(x)": _ROUNDED},
    "divmod": {"divmod(x, y)": ("(x // y, x % y)", "which truncate toward zero")},
}
_SAME = {
    **dict.fromkeys(("fabs", "absolute"), "abs"),
    **dict.fromkeys(("maximum", "fmax"), "max"),
    **dict.fromkeys(("minimum", "fmin"), "min"),
    **dict.fromkeys(("power", "float_power"), "pow"),
    "clip": "clamp",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "mod": "remainder",
    "true_divide": "divide",
    "rad2deg": "degrees",
    "deg2rad": "radians",
    "fix": "trunc",
    **dict.fromkeys(("round", "around"), "rint"),
}
"""Names of NumPy and math for functions that stand here, or in pytl, under another name."""
_MEMORY = "write alloca(f32, m, n), whose sizes are known while tracing, and assign to it: T[:] = 0.0"
_WHOLE = {
    **dict.fromkeys(("zeros", "empty", "ones", "full", "zeros_like", "empty_like", "ones_like", "full_like"), _MEMORY),
    **dict.fromkeys(("dot", "matmul", "inner", "vdot"), "write A @ B, or call gemm or gemv"),
    **dict.fromkeys(("max", "amax"), "write a loop over the elements: m = max(m, X[i])"),
    **dict.fromkeys(("min", "amin"), "write a loop over the elements: m = min(m, X[i])"),
    "einsum": 'call contract: contract("ij,jk->ik", A, B, out=C)',
    "transpose": "write A.T",
    "arange": "write for i in range(n):",
}
"""What stands for NumPy's functions on whole arrays."""
_LONGEST = 12
"""The longest argument that a formula repeats."""


def counterpart(callee: Any, node: ast.Call) -> str | None:
    """The help for a call of a function of Python, math or NumPy on values of a kernel; None where nothing is known.

    >>> import ast, math
    >>> from pytl.frontends.python.counterparts import counterpart
    >>> counterpart(math.hypot, ast.parse("math.hypot(X[g], y)", mode="eval").body)
    'write sqrt(X[g] * X[g] + y * y), whose squares may overflow'
    """
    name = getattr(callee, "__name__", "")
    if name in _BUILTINS and callee is getattr(builtins, name):
        return _filled(_BUILTINS[name], name, node)
    if is_math(callee):
        return _own(name) or _filled(ELEMENTARY, name, node) or _none(name)
    if not is_numpy(callee):
        return None
    if isinstance(callee, type):
        argument = ast.unparse(node.args[0]) if len(node.args) == 1 else "x"
        if name.rstrip("_") == "bool":
            return f"compare: {argument} != 0"
        target = ELEMENTS.get(name)
        return f"write {target}({argument})" if target else f"cast to a type of pytl: {', '.join(ELEMENTS.values())}"
    if name in _WHOLE:
        return _WHOLE[name]
    name = _SAME.get(name, name)
    return _own(name) or _filled(_ARRAYS, name, node) or _filled(ELEMENTARY, name, node)


def known_of_math() -> list[str]:
    """The functions of math that pytl has for values of a kernel.

    >>> from pytl.frontends.python.counterparts import known_of_math
    >>> "sqrt" in known_of_math(), "gamma" in known_of_math()
    (True, False)
    """
    return [name for name in dir(math) if not name.startswith("_") and _own(name)]


def is_numpy(callee: Any) -> bool:
    """Whether this is a function, a type or an object of NumPy."""
    owners = (callee, type(callee), type(getattr(callee, "__self__", None)))
    return any((getattr(owner, "__module__", None) or "").split(".")[0] == "numpy" for owner in owners)


def _own(name: str) -> str | None:
    """What to call where pytl has the function, or Python."""
    name = _SAME.get(name, name)
    ours = getattr(lang, name, None)
    if not isinstance(ours, CalledFunction) or ours.compute is None:
        return None
    if name in ("abs", "max", "min"):
        return f"call Python's own: {name}"
    return f"call pytl's own: {'pytl.pow' if name == 'pow' else f'from pytl import {name}'}"


def _filled(table: dict[str, tuple[str, str]], name: str, node: ast.Call) -> str | None:
    """The formula of a function on the arguments of a call, or on its parameters where those are long."""
    head = next((head for head in table if head.split("(")[0] == name), None)
    if head is None:
        return None
    formula, remark = table[head]
    parameters = head[len(name) + 1 : -1].split(", ")
    written = [ast.unparse(argument) for argument in node.args]
    is_whole = len(written) == len(parameters)  # a wrong number of arguments, or *xs, is not the subject of this help
    is_short = all(len(text) <= _LONGEST for text in written)
    if is_whole and (is_short or (parameters == ["x"] and formula.split().count("x") == 1)):
        tree = _Filling(dict(zip(parameters, node.args, strict=True))).visit(ast.parse(formula, mode="eval"))
        formula = ast.unparse(tree)
    return f"write {formula}{', ' if remark else ''}{remark}"


class _Filling(ast.NodeTransformer):
    """Puts the arguments of a call in the place of parameters."""

    def __init__(self, arguments: dict[str, ast.expr]) -> None:
        self._arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._arguments.get(node.id, node)


def _none(name: str) -> str:
    return (
        f"pytl has no {name} for values of a kernel: compute it before the launch, or with those that there are, "
        f"{', '.join(known_of_math())}"
    )
